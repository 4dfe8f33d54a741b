//! A yes or no for each of many rows, sixty-four to a word.

/// One bit for each of `len` rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// The same bit for every row.
    pub fn constant(len: usize, bit: bool) -> Bits {
        let word = if bit { u64::MAX } else { 0 };
        let mut bits = Bits { words: vec![word; len.div_ceil(64)], len };
        bits.trim();
        bits
    }

    /// The bit of each row as `bit` says.
    pub fn fill(len: usize, bit: impl Fn(usize) -> bool) -> Bits {
        let word = |start: usize| {
            (start..len.min(start + 64))
                .fold(0, |word, row| word | u64::from(bit(row)) << (row - start))
        };
        Bits { words: (0..len).step_by(64).map(word).collect(), len }
    }

    /// The bit of each value in a slice as `bit` says.
    pub fn of<T: Copy>(values: &[T], bit: impl Fn(T) -> bool) -> Bits {
        let mut words = Vec::with_capacity(values.len().div_ceil(64));
        for values in values.chunks(64) {
            let mut word = 0;
            for (value, place) in values.iter().zip(0u64..) {
                word |= u64::from(bit(*value)) << place;
            }
            words.push(word);
        }
        Bits { words, len: values.len() }
    }

    /// As many rows, those that are added with this bit.
    pub fn extend(&mut self, len: usize, bit: bool) {
        let old = self.len;
        self.words.resize(len.div_ceil(64), 0);
        self.len = len.max(old);
        if bit {
            (old..len).for_each(|row| self.set(row, true));
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Changes one bit; a row that is not there has none.
    #[inline]
    pub fn set(&mut self, row: usize, bit: bool) {
        let mask = 1 << (row % 64);
        if let Some(word) = self.words.get_mut(row / 64).filter(|_| row < self.len) {
            *word = if bit { *word | mask } else { *word & !mask };
        }
    }

    /// One bit; that of a row which is not there is not set.
    #[inline]
    pub fn get(&self, row: u32) -> bool {
        let row = row as usize;
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Keeps what both have.
    pub fn and(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Adds what the other has.
    pub fn or(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Turns every bit around.
    pub fn negate(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
    }

    /// How many bits are set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no bit is set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The rows whose bit is set, in order.
    pub fn rows(&self) -> impl Iterator<Item = u32> {
        self.words.iter().zip((0u32..).step_by(64)).flat_map(|(word, start)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(start + bit)
            })
        })
    }

    /// The first rows whose bit is set, so many at most.
    pub fn first_rows(&self, most: usize) -> Vec<u32> {
        let mut rows = Vec::with_capacity(self.count().min(most));
        for (word, start) in self.words.iter().zip((0u32..).step_by(64)) {
            let mut rest = *word;
            while rest != 0 {
                if rows.len() == most {
                    return rows;
                }
                rows.push(start + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        rows
    }

    /// The bits behind the last row stay unset, so that words can be counted.
    fn trim(&mut self) {
        if let (Some(word), 1..) = (self.words.last_mut(), self.len % 64) {
            *word &= (1 << (self.len % 64)) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_order() {
        let mut bits = Bits::fill(130, |row| row % 50 == 0);
        assert_eq!(bits.rows().collect::<Vec<_>>(), [0, 50, 100]);
        assert_eq!((bits.first_rows(2), bits.first_rows(9).len()), (vec![0, 50], 3));
        let values: Vec<usize> = (0..130).collect();
        assert_eq!(Bits::of(&values, |value| value % 50 == 0), bits);
        bits.negate();
        assert_eq!(bits.count(), 127);
        bits.extend(200, true);
        assert_eq!((bits.count(), bits.get(199), bits.get(200)), (197, true, false));
        assert_eq!(Bits::constant(70, true).count(), 70);
    }
}
