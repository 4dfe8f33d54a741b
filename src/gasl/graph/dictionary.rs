//! Distinct texts with numbers. They lie side by side, so that one search runs over all of them.

use super::pairs::Pairs;
use crate::base::bytes::{hash_of, insert_index, reserve_indices, same};
use hashbrown::HashTable;
use std::ops::Range;

/// Distinct texts, numbered in the order in which they came.
pub struct Dictionary {
    bytes: String,
    ascii: bool,
    /// Where each text ends; it starts where the one before it ends.
    ends: Vec<u32>,
    /// Numbers of the texts, by hash.
    index: HashTable<u32>,
    /// Of a dictionary that is closed, where its texts are only searched.
    pairs: Pairs,
}

impl Default for Dictionary {
    fn default() -> Dictionary {
        Dictionary {
            bytes: String::new(),
            ascii: true,
            ends: Vec::new(),
            index: HashTable::new(),
            pairs: Pairs::default(),
        }
    }
}

impl Dictionary {
    /// Makes room for so many bytes of text.
    pub fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve_exact(bytes);
    }

    /// Makes room for so many more texts that are not there yet: an index that grows looks at each again.
    pub fn reserve_texts(&mut self, count: usize) {
        self.ends.reserve_exact(count);
        let (bytes, ends) = (&self.bytes, &self.ends);
        let hash_at = |number: &u32| hash_at(bytes, ends, *number);
        reserve_indices(&mut self.index, count, &hash_at);
    }

    /// The number of a text, a new one where it has none yet.
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.find(text) {
            return number;
        }
        let number = self.ends.len() as u32;
        if self.bytes.capacity() - self.bytes.len() < text.len() {
            // By a quarter: doubling would need thrice the memory for a moment.
            self.bytes.reserve_exact((self.bytes.len() / 4).max(text.len()).max(64));
        }
        self.bytes.push_str(text);
        self.ascii &= text.is_ascii();
        self.ends.push(self.bytes.len() as u32);
        let (bytes, ends) = (&self.bytes, &self.ends);
        let hash = hash_of(text.as_bytes());
        let hash_at = |number: &u32| hash_at(bytes, ends, *number);
        insert_index(&mut self.index, hash, number, &hash_at);
        number
    }

    /// The number of a text, if it has one. After [`Dictionary::close`] none is found.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.index.find(hash_of(text.as_bytes()), |number| self.is(*number, text)).copied()
    }

    /// The numbers of many texts, each as [`Dictionary::find`] finds it. What is far away in memory is
    /// fetched for many of them at once, so that nobody waits for one after the other: a hundred at
    /// a time out of a million take a fifth of the time.
    pub fn find_all(&self, texts: &[&str], found: &mut Vec<Option<u32>>) {
        found.clear();
        let mut ranges = Vec::with_capacity(texts.len());
        for text in texts {
            // Nearly always the first that has the hash is the one.
            found.push(self.index.find(hash_of(text.as_bytes()), |_| true).copied());
        }
        for number in found.iter() {
            ranges.push(number.map_or(0..0, |number| range_of(&self.ends, number)));
        }
        for ((text, found), range) in texts.iter().zip(found).zip(ranges) {
            if found.is_some() && !same(bytes_at(&self.bytes, range), text.as_bytes()) {
                *found = self.find(text);
            }
        }
    }

    fn is(&self, number: u32, text: &str) -> bool {
        same(bytes_at(&self.bytes, range_of(&self.ends, number)), text.as_bytes())
    }

    /// The text of a number; empty where there is none.
    #[inline]
    pub fn text(&self, number: u32) -> &str {
        text_of(&self.bytes, &self.ends, number)
    }

    /// All texts in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|number| self.text(number))
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// All texts, one behind the other.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }

    /// Whether all texts are ASCII.
    pub fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// Where each text ends.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Where a text stands among [`Dictionary::bytes`].
    pub fn range(&self, number: u32) -> Range<usize> {
        range_of(&self.ends, number)
    }

    /// Which pairs of bytes each text has, once no more texts come.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Gives back the memory that only growing needs; whether texts can still be found is asked. Those that
    /// cannot are attributes, which are searched.
    pub fn close(&mut self, index: Index) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        if index == Index::Dropped {
            self.index = HashTable::new();
            self.pairs = Pairs::of(self.bytes.as_bytes(), &self.ends);
        }
    }
}

/// Whether a dictionary keeps what finds a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// Texts are looked up.
    Kept,
    /// Only numbers are.
    Dropped,
}

fn text_of<'a>(bytes: &'a str, ends: &[u32], number: u32) -> &'a str {
    bytes.get(range_of(ends, number)).unwrap_or_default()
}

fn bytes_at(bytes: &str, range: Range<usize>) -> &[u8] {
    bytes.as_bytes().get(range).unwrap_or_default()
}

fn hash_at(bytes: &str, ends: &[u32], number: u32) -> u64 {
    hash_of(bytes_at(bytes, range_of(ends, number)))
}

/// Where the text of a number stands; nowhere where there is none.
fn range_of(ends: &[u32], number: u32) -> Range<usize> {
    let number = number as usize;
    let start = number.checked_sub(1).and_then(|before| ends.get(before)).map_or(0, |end| *end);
    let end = ends.get(number).map_or(start, |end| *end);
    start as usize..end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_has_the_same_number() {
        let mut texts = Dictionary::default();
        let numbers: Vec<u32> = (0..1000).map(|nth| texts.intern(&format!("text {nth}"))).collect();
        assert_eq!(texts.intern("text 7"), numbers[7]);
        assert_eq!((texts.intern(""), texts.text(1000), texts.len()), (1000, "", 1001));
        assert_eq!((texts.find("text 8"), texts.find("text")), (Some(8), None));
        let looked_for: Vec<String> = (0..2000).map(|nth| format!("text {nth}")).collect();
        let looked_for: Vec<&str> = looked_for.iter().map(|text| &**text).chain([""]).collect();
        let mut found = vec![Some(1)];
        texts.find_all(&looked_for, &mut found);
        let expected: Vec<Option<u32>> = looked_for.iter().map(|text| texts.find(text)).collect();
        assert_eq!(found, expected);
        assert_eq!((found[999], found[1000], found[2000]), (Some(999), None, Some(1000)));
        texts.close(Index::Dropped);
        assert_eq!((texts.text(999), texts.text(5000)), ("text 999", ""));
    }
}
