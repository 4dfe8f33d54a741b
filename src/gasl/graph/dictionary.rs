//! Distinct texts with numbers. They lie side by side, so that one search runs over all of them.

use crate::base::table::{Table, hash_of};

/// Distinct texts, numbered in the order in which they came.
pub struct Dictionary {
    bytes: String,
    ascii: bool,
    /// Where each text ends; it starts where the one before it ends.
    ends: Vec<u32>,
    index: Table,
}

impl Default for Dictionary {
    fn default() -> Dictionary {
        let (bytes, ends) = (String::new(), Vec::new());
        Dictionary { bytes, ascii: true, ends, index: Table::default() }
    }
}

impl Dictionary {
    /// Makes room for so many bytes of text.
    pub fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve_exact(bytes);
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
        let hash_at = |number| hash_of(text_of(bytes, ends, number).as_bytes());
        self.index.insert(hash_of(text.as_bytes()), number, &hash_at);
        number
    }

    /// The number of a text, if it has one. After [`Dictionary::close`] none is found.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.index.find(hash_of(text.as_bytes()), |number| self.text(number) == text)
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

    /// Gives back the memory that only growing needs; whether texts can still be found is asked.
    pub fn close(&mut self, index: Index) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        if index == Index::Dropped {
            self.index = Table::default();
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
    let number = number as usize;
    let start = number.checked_sub(1).and_then(|before| ends.get(before)).map_or(0, |end| *end);
    let end = ends.get(number).map_or(start, |end| *end);
    bytes.get(start as usize..end as usize).unwrap_or_default()
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
        texts.close(Index::Dropped);
        assert_eq!((texts.text(999), texts.text(5000)), ("text 999", ""));
    }
}
