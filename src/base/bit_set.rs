//! Sets of small numbers.

/// A set of numbers, a bit each: as large as the greatest of them.
#[derive(Default)]
pub struct BitSet {
    words: Vec<u64>,
}

/// Where the bit of a number is: in which word, and its mask.
#[inline(always)]
fn place(number: u32) -> (usize, u64) {
    (number as usize / 64, 1 << (number % 64))
}

impl BitSet {
    /// Adds a number; answers whether it is new.
    #[inline]
    pub fn insert(&mut self, number: u32) -> bool {
        let (at, mask) = place(number);
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let Some(word) = self.words.get_mut(at) else { return false };
        let is_new = *word & mask == 0;
        *word |= mask;
        is_new
    }

    /// Whether it holds a number.
    #[inline]
    pub fn has(&self, number: u32) -> bool {
        let (at, mask) = place(number);
        self.words.get(at).is_some_and(|word| word & mask != 0)
    }

    /// The numbers, the least first.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let room = 64 * self.words.len() as u32;
        (0..room).filter(|number| self.has(*number))
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;

    #[test]
    fn holds_what_was_put_in() {
        let mut marks = BitSet::default();
        let numbers = [0, 1, 63, 64, 200];
        assert!(numbers.iter().rev().all(|number| marks.insert(*number)));
        assert!(numbers.iter().all(|number| !marks.insert(*number) && marks.has(*number)));
        assert!(!marks.has(2) && !marks.has(1_000_000));
        assert!(marks.iter().eq(numbers));
    }
}
