//! String interning. A handle stays valid as long as something refers to it.

use crate::base::bytes::{append, insert_index, reserve_indices, same};
use crate::base::keyed_hash::hash_of;
use hashbrown::HashTable;
use std::hint::black_box;
use std::ops::Range;

/// Table of distinct names with small integer handles.
#[derive(Default)]
pub struct Interner {
    bytes: Vec<u8>,
    names: Vec<InternedName>,
    /// Handles in use, by the hash of their names.
    table: HashTable<u32>,
    free: Vec<u32>,
}

#[derive(Clone, Copy)]
struct InternedName {
    start: u32,
    len: u32,
    in_use: bool,
    /// In use, and its JSON text needs no escapes.
    unescaped: bool,
    /// `unescaped`, and begins with a letter, a digit or `_`.
    simple: bool,
}

impl InternedName {
    fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// Returns whether a simple name can begin with this byte.
#[inline]
pub fn is_simple_start(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[inline]
pub fn has_simple_start(id: &[u8]) -> bool {
    id.first().is_some_and(|first| is_simple_start(*first))
}

impl Interner {
    /// Returns the number of handles, including unused ones.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.names.len() * (size_of::<InternedName>() + size_of::<u32>())
    }

    /// Returns the handle of a name, creating one if necessary.
    #[inline]
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        let hash = hash_of(name);
        self.find_hashed(name, hash).unwrap_or_else(|| self.add(name, hash))
    }

    #[inline(never)]
    fn add(&mut self, name: &[u8], hash: u64) -> u32 {
        let unescaped = !name.iter().any(|byte| matches!(byte, 0..=0x1f | b'"' | b'\\'));
        let entry = InternedName {
            start: self.bytes.len() as u32,
            len: name.len() as u32,
            in_use: true,
            unescaped,
            simple: unescaped && has_simple_start(name),
        };
        append(&mut self.bytes, name);
        let id = match self.free.pop() {
            Some(id) => {
                if let Some(slot) = self.names.get_mut(id as usize) {
                    *slot = entry;
                }
                id
            }
            None => {
                self.names.push(entry);
                self.names.len() as u32 - 1
            }
        };
        let (names, bytes) = (&self.names, &self.bytes);
        let hash_at = |id: &u32| hash_at(names, bytes, *id);
        insert_index(&mut self.table, hash, id, &hash_at);
        id
    }

    pub fn reserve(&mut self, more: usize) {
        self.names.reserve(more);
        let (names, bytes) = (&self.names, &self.bytes);
        let hash_at = |id: &u32| hash_at(names, bytes, *id);
        reserve_indices(&mut self.table, more, &hash_at);
    }

    /// Returns the handle of a name, or `None`.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.find_hashed(name, hash_of(name))
    }

    /// Returns the handle of the first name with a matching hash. The caller must compare the
    /// names.
    #[inline(always)]
    pub fn likely_handle(&self, name: &[u8]) -> u32 {
        self.table.find(hash_of(name), |_| true).copied().unwrap_or(u32::MAX)
    }

    fn find_hashed(&self, name: &[u8], hash: u64) -> Option<u32> {
        self.table.find(hash, |id| self.matches(*id, name)).copied()
    }

    /// Returns whether a name has this handle. Cheaper than a lookup.
    #[inline]
    pub fn matches(&self, id: u32, name: &[u8]) -> bool {
        self.bytes_of(id).is_some_and(|found| same(found, name))
    }

    /// Loads the entry of a handle into the CPU cache.
    #[inline(always)]
    pub fn prefetch(&self, id: u32) {
        black_box(self.names.get(id as usize).map(|name| name.start));
    }

    /// Loads the first byte of the name into the CPU cache.
    #[inline(always)]
    pub fn prefetch_name(&self, id: u32) {
        let name = self.names.get(id as usize);
        black_box(name.and_then(|name| self.bytes.get(name.start as usize)).copied());
    }

    /// Returns the name if its JSON text needs no escapes, else an empty slice.
    #[inline]
    pub fn name_without_escapes(&self, id: u32) -> &[u8] {
        let name = self.names.get(id as usize).filter(|name| name.unescaped);
        name.and_then(|name| self.bytes.get(name.range())).unwrap_or_default()
    }

    /// Returns the name if it is simple, else an empty slice.
    #[inline]
    pub fn simple_name(&self, id: u32) -> &[u8] {
        let name = self.names.get(id as usize).filter(|name| name.simple);
        name.and_then(|name| self.bytes.get(name.range())).unwrap_or_default()
    }

    #[inline]
    fn bytes_of(&self, id: u32) -> Option<&[u8]> {
        let name = self.names.get(id as usize).filter(|name| name.in_use)?;
        self.bytes.get(name.range())
    }

    /// Returns the name of a handle, or an empty string.
    pub fn text(&self, id: u32) -> &str {
        let bytes = self.bytes_of(id).unwrap_or_default();
        // Valid UTF-8, because names are from the JSON reader.
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Frees all names whose handles are not live.
    pub fn retain(&mut self, is_live: impl Fn(u32) -> bool) {
        let mut bytes = Vec::new();
        for (id, name) in (0..).zip(&mut self.names) {
            let text = self.bytes.get(name.range()).unwrap_or_default();
            if name.in_use && is_live(id) {
                name.start = bytes.len() as u32;
                bytes.extend_from_slice(text);
            } else if name.in_use {
                (name.in_use, name.unescaped, name.simple) = (false, false, false);
                self.free.push(id);
                if let Ok(entry) = self.table.find_entry(hash_of(text), |other| *other == id) {
                    entry.remove();
                }
            }
        }
        self.bytes = bytes;
    }
}

fn hash_at(names: &[InternedName], bytes: &[u8], id: u32) -> u64 {
    let name = names.get(id as usize).and_then(|name| bytes.get(name.range()));
    hash_of(name.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retain_frees_unused_handles() {
        let mut names = Interner::default();
        let ids: Vec<u32> =
            (0..1000).map(|i| names.intern(format!("name {i}").as_bytes())).collect();
        assert_eq!(names.intern(b"name 7"), ids[7]);
        names.retain(|id| id % 2 == 0);
        assert_eq!(names.find(b"name 7"), None);
        assert_eq!((names.find(b"name 8"), names.text(8)), (Some(8), "name 8"));
        let reused = names.intern(b"new");
        assert!(reused % 2 == 1 && reused < 1000);
        assert_eq!((names.text(reused), names.count()), ("new", 1000));
    }
}
