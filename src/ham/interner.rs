//! Names as numbers. A name keeps its number as long as anything refers to it.

use crate::base::bytes::{append, hash_of, insert_index, reserve_indices, same};
use hashbrown::HashTable;
use std::hint::black_box;
use std::ops::Range;

/// Distinct names, each with a small number.
#[derive(Default)]
pub struct Interner {
    bytes: Vec<u8>,
    names: Vec<Name>,
    /// Numbers of the names that are used, by hash.
    table: HashTable<u32>,
    free: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Name {
    start: u32,
    len: u32,
    used: bool,
    /// It is used and stands in JSON as it is, without escapes.
    plain: bool,
    /// It is plain, and begins as most names do, with a letter, a digit or `_`.
    usual: bool,
}

impl Name {
    /// Where its bytes are.
    fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// Whether most names begin like that.
#[inline]
pub fn is_usual(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether an id begins as most do.
#[inline]
pub fn begins_usually(id: &[u8]) -> bool {
    id.first().is_some_and(|first| is_usual(*first))
}

impl Interner {
    /// How many numbers there are, those among them that can be used again.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Bytes of memory in use.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.names.len() * (size_of::<Name>() + size_of::<u32>())
    }

    /// The number of a name, a new one where it has none.
    #[inline]
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        let hash = hash_of(name);
        self.find_hashed(name, hash).unwrap_or_else(|| self.add(name, hash))
    }

    /// Gives a number to a name that has none.
    #[inline(never)]
    fn add(&mut self, name: &[u8], hash: u64) -> u32 {
        let plain = !name.iter().any(|byte| matches!(byte, 0..=0x1f | b'"' | b'\\'));
        let entry = Name {
            start: self.bytes.len() as u32,
            len: name.len() as u32,
            used: true,
            plain,
            usual: plain && begins_usually(name),
        };
        append(&mut self.bytes, name);
        let number = match self.free.pop() {
            Some(number) => {
                if let Some(slot) = self.names.get_mut(number as usize) {
                    *slot = entry;
                }
                number
            }
            None => {
                self.names.push(entry);
                self.names.len() as u32 - 1
            }
        };
        let (names, bytes) = (&self.names, &self.bytes);
        let hash_at = |number: &u32| hash_at(names, bytes, *number);
        insert_index(&mut self.table, hash, number, &hash_at);
        number
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, more: usize) {
        self.names.reserve(more);
        let (names, bytes) = (&self.names, &self.bytes);
        let hash_at = |number: &u32| hash_at(names, bytes, *number);
        reserve_indices(&mut self.table, more, &hash_at);
    }

    /// The number of a name, if it has one.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.find_hashed(name, hash_of(name))
    }

    /// What number a name probably has: the first at hand whose hash looks like its own.
    #[inline(always)]
    pub fn likely(&self, name: &[u8]) -> u32 {
        self.table.find(hash_of(name), |_| true).copied().unwrap_or(u32::MAX)
    }

    fn find_hashed(&self, name: &[u8], hash: u64) -> Option<u32> {
        self.table.find(hash, |number| self.is(*number, name)).copied()
    }

    /// Whether this is the number of that name. Cheaper than looking it up: a guess costs little.
    #[inline]
    pub fn is(&self, number: u32, name: &[u8]) -> bool {
        self.bytes_of(number).is_some_and(|found| same(found, name))
    }

    /// Has what is known of a number at hand when it is asked for soon, so that memory is waited for at once.
    #[inline(always)]
    pub fn prefetch(&self, number: u32) {
        black_box(self.names.get(number as usize).map(|name| name.start));
    }

    /// Has its name at hand, once that is.
    #[inline(always)]
    pub fn prefetch_name(&self, number: u32) {
        let name = self.names.get(number as usize);
        black_box(name.and_then(|name| self.bytes.get(name.start as usize)).copied());
    }

    /// The name of a number, if it stands in JSON as it is; else nothing.
    #[inline]
    pub fn plain(&self, number: u32) -> &[u8] {
        let name = self.names.get(number as usize).filter(|name| name.plain);
        name.and_then(|name| self.bytes.get(name.range())).unwrap_or_default()
    }

    /// The name of a number, if it stands in JSON as it is and begins as most do; else nothing.
    #[inline]
    pub fn usual(&self, number: u32) -> &[u8] {
        let name = self.names.get(number as usize).filter(|name| name.usual);
        name.and_then(|name| self.bytes.get(name.range())).unwrap_or_default()
    }

    #[inline]
    fn bytes_of(&self, number: u32) -> Option<&[u8]> {
        let name = self.names.get(number as usize).filter(|name| name.used)?;
        self.bytes.get(name.range())
    }

    /// The name of a number; empty where it has none.
    pub fn text(&self, number: u32) -> &str {
        let bytes = self.bytes_of(number).unwrap_or_default();
        // Names come from the reader, which has checked them.
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Forgets the names that `used` does not know; their numbers may be given to others.
    pub fn retain(&mut self, used: impl Fn(u32) -> bool) {
        let mut bytes = Vec::new();
        for (number, name) in (0..).zip(&mut self.names) {
            let text = self.bytes.get(name.range()).unwrap_or_default();
            if name.used && used(number) {
                name.start = bytes.len() as u32;
                bytes.extend_from_slice(text);
            } else if name.used {
                (name.used, name.plain, name.usual) = (false, false, false);
                self.free.push(number);
                if let Ok(entry) = self.table.find_entry(hash_of(text), |other| *other == number) {
                    entry.remove();
                }
            }
        }
        self.bytes = bytes;
    }
}

fn hash_at(names: &[Name], bytes: &[u8], number: u32) -> u64 {
    let name = names.get(number as usize).and_then(|name| bytes.get(name.range()));
    hash_of(name.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_and_forgets_names() {
        let mut names = Interner::default();
        let numbers: Vec<u32> =
            (0..1000).map(|i| names.intern(format!("name {i}").as_bytes())).collect();
        assert_eq!(names.intern(b"name 7"), numbers[7]);
        names.retain(|number| number % 2 == 0);
        assert_eq!(names.find(b"name 7"), None);
        assert_eq!((names.find(b"name 8"), names.text(8)), (Some(8), "name 8"));
        let again = names.intern(b"new");
        assert!(again % 2 == 1 && again < 1000);
        assert_eq!((names.text(again), names.count()), ("new", 1000));
    }
}
