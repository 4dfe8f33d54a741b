//! A yes or no for each of many rows, sixty-four to a word.

/// One bit for each of `len` rows.
#[derive(Clone, Debug, PartialEq)]
pub struct BitMask {
    words: Vec<u64>,
    len: usize,
}

impl BitMask {
    /// The same bit for every row.
    pub fn constant(len: usize, bit: bool) -> BitMask {
        let word = if bit { u64::MAX } else { 0 };
        let mut bits = BitMask { words: vec![word; len.div_ceil(64)], len };
        bits.trim();
        bits
    }

    /// The bit of each row as `bit` says.
    pub fn fill(len: usize, bit: impl Fn(usize) -> bool) -> BitMask {
        let word = |start: usize| {
            (start..len.min(start + 64))
                .fold(0, |word, row| word | u64::from(bit(row)) << (row - start))
        };
        BitMask { words: (0..len).step_by(64).map(word).collect(), len }
    }

    /// The bit of each value in a slice as `bit` says.
    pub fn of<T: Copy>(values: &[T], bit: impl Fn(T) -> bool) -> BitMask {
        let mut words = Vec::with_capacity(values.len().div_ceil(64));
        for values in values.chunks(64) {
            let mut word = 0;
            for (value, place) in values.iter().zip(0u64..) {
                word |= u64::from(bit(*value)) << place;
            }
            words.push(word);
        }
        BitMask { words, len: values.len() }
    }

    /// The places of numbers that have all bits of another one.
    pub fn covering(numbers: &[u64], wanted: u64) -> BitMask {
        let lacks = |number: u64| u64::from(!number & wanted != 0);
        let mut words = Vec::with_capacity(numbers.len().div_ceil(64));
        let (blocks, rest) = numbers.as_chunks::<64>();
        for block in blocks {
            let mut word = 0;
            for [a, b, c, d] in block.as_chunks::<4>().0.iter().rev() {
                let four = lacks(*d) << 3 | lacks(*c) << 2 | lacks(*b) << 1 | lacks(*a);
                word = word << 4 | four;
            }
            words.push(!word);
        }
        if !rest.is_empty() {
            let bits = rest.iter().rev();
            words.push(bits.fold(0, |word, number| word << 1 | (1 - lacks(*number))));
        }
        BitMask { words, len: numbers.len() }
    }

    /// The places of a byte.
    pub fn equal(bytes: &[u8], wanted: u8) -> BitMask {
        // Eight bytes at a time: a byte that is equal is zero in `differ`, and then its high bit is
        // not set in `filled`. The product moves the high bits side by side.
        const LOW: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x8080_8080_8080_8080;
        let pattern = LOW * u64::from(wanted);
        let equal = |eight: &[u8; 8]| {
            let differ = u64::from_le_bytes(*eight) ^ pattern;
            let filled = ((differ & !HIGH) + !HIGH) | differ;
            ((!filled & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
        };
        let mut words = Vec::with_capacity(bytes.len().div_ceil(64));
        let (blocks, rest) = bytes.as_chunks::<64>();
        for block in blocks {
            let mut word = 0;
            for eight in block.as_chunks::<8>().0.iter().rev() {
                word = word << 8 | equal(eight);
            }
            words.push(word);
        }
        if !rest.is_empty() {
            let bits = rest.iter().zip(0u64..);
            words.push(bits.fold(0, |word, (byte, at)| word | u64::from(*byte == wanted) << at));
        }
        BitMask { words, len: bytes.len() }
    }

    /// As many rows, those that are added with this bit.
    pub fn extend(&mut self, len: usize, bit: bool) {
        let old = self.len;
        let len = len.max(old);
        self.words.resize(len.div_ceil(64), 0);
        self.len = len;
        if bit {
            (old..len).for_each(|row| self.set(row, true));
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Changes one bit; a row that is not there has none.
    #[inline(always)]
    pub fn set(&mut self, row: usize, bit: bool) {
        let mask = 1 << (row % 64);
        if let Some(word) = self.words.get_mut(row / 64).filter(|_| row < self.len) {
            *word = if bit { *word | mask } else { *word & !mask };
        }
    }

    /// One bit; that of a row which is not there is not set.
    #[inline(always)]
    pub fn get(&self, row: u32) -> bool {
        let row = row as usize;
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Keeps what both have.
    pub fn and(&mut self, other: &BitMask) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Adds what the other has.
    pub fn or(&mut self, other: &BitMask) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Turns every bit around.
    pub fn negate(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
    }

    /// Those of the rows that are wanted.
    pub fn only(&self, wanted: impl Fn(usize) -> bool) -> BitMask {
        let mut words = Vec::with_capacity(self.words.len());
        for (word, start) in self.words.iter().zip((0..).step_by(64)) {
            let (mut rest, mut kept) = (*word, 0);
            while rest != 0 {
                let place = rest.trailing_zeros();
                kept |= u64::from(wanted(start + place as usize)) << place;
                rest &= rest - 1;
            }
            words.push(kept);
        }
        BitMask { words, len: self.len }
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
        let mut rows = vec![0; self.count().min(most)];
        // Each slot is written once; that is shorter than asking at each push whether there is room.
        let mut slots = rows.iter_mut();
        for (word, start) in self.words.iter().zip((0u32..).step_by(64)) {
            let mut rest = *word;
            while rest != 0 {
                let Some(slot) = slots.next() else { return rows };
                *slot = start + rest.trailing_zeros();
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
    fn covers_what_has_all_bits() {
        for len in [0, 1, 63, 64, 65, 200] {
            let numbers: Vec<u64> =
                (0..len).map(|nth: u64| nth.wrapping_mul(0x9e37_79b9) >> 3).collect();
            for wanted in [0, 1, 0b1010, u64::MAX] {
                let expected = BitMask::of(&numbers, |number| number & wanted == wanted);
                assert_eq!(BitMask::covering(&numbers, wanted), expected, "{wanted} in {len}");
            }
        }
    }

    #[test]
    fn rows_come_in_order() {
        let mut bits = BitMask::fill(130, |row| row % 50 == 0);
        assert_eq!(bits.rows().collect::<Vec<_>>(), [0, 50, 100]);
        assert_eq!((bits.first_rows(2), bits.first_rows(9).len()), (vec![0, 50], 3));
        let values: Vec<usize> = (0..130).collect();
        assert_eq!(BitMask::of(&values, |value| value % 50 == 0), bits);
        bits.negate();
        assert_eq!(bits.count(), 127);
        bits.extend(200, true);
        assert_eq!((bits.count(), bits.get(199), bits.get(200)), (197, true, false));
        assert_eq!(BitMask::constant(70, true).count(), 70);
        assert_eq!(bits.only(|row| row > 100).count(), 99);
        for len in [0, 7, 64, 200] {
            let bytes: Vec<u8> = (0..len).map(|at: u32| (at.wrapping_mul(37) >> 3) as u8).collect();
            for wanted in [0, 1, 9, 127, 128, 255] {
                let expected = BitMask::of(&bytes, |byte| byte == wanted);
                assert_eq!(BitMask::equal(&bytes, wanted), expected, "{wanted} in {len}");
            }
        }
    }
}
