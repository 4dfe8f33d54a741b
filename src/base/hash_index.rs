//! Numbers by hash: what finds a text, a list of keys or whatever else has a number of its own. All such
//! tables are of one kind, for each further one is compiled anew.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Numbers by hash. Whoever holds it knows what they stand for, and tells which of those with one hash is
/// meant, and what the hash of a number is where the table grows.
#[derive(Clone, Debug, Default)]
pub struct HashIndex(HashTable<u32>);

/// The hash of each number that is in a table.
pub type HashAt<'a> = &'a dyn Fn(u32) -> u32;

/// The hash of a text.
#[inline]
pub fn hash_of(text: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish() as u32
}

impl HashIndex {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number that is meant, among those with this hash and a few others.
    #[inline]
    pub fn find(&self, hash: u32, is_meant: impl Fn(u32) -> bool) -> Option<u32> {
        self.0.find(spread(hash), |number| is_meant(*number)).copied()
    }

    /// Adds a number.
    #[inline(never)]
    pub fn insert(&mut self, hash: u32, number: u32, hash_at: HashAt<'_>) {
        self.0.insert_unique(spread(hash), number, spread_at(hash_at));
    }

    /// Makes room for so many more.
    #[inline(never)]
    pub fn reserve(&mut self, more: usize, hash_at: HashAt<'_>) {
        self.0.reserve(more, spread_at(hash_at));
    }

    /// Takes a number out.
    pub fn remove(&mut self, hash: u32, number: u32) {
        if let Ok(entry) = self.0.find_entry(spread(hash), |other| *other == number) {
            entry.remove();
        }
    }
}

/// The one function that tables grow by: growing is compiled anew for each.
fn spread_at(hash_at: HashAt<'_>) -> impl Fn(&u32) -> u64 {
    move |number| spread(hash_at(*number))
}

/// The library looks at the top bits as well, so half a hash is spread over all of them.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let mut table = HashIndex::default();
        // Three numbers to a hash.
        let hash = |number: u32| number / 3;
        (0..1_000).for_each(|number| table.insert(hash(number), number, &hash));
        table.remove(hash(7), 7);
        for number in 0..1_000 {
            let found = table.find(hash(number), |found| found == number);
            assert_eq!(found, (number != 7).then_some(number));
        }
        assert_eq!((table.len(), table.is_empty()), (999, false));
        assert_eq!(table.find(hash(8), |_| false), None);
    }
}
