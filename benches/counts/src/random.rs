//! Deterministic pseudo-random numbers.

/// Generator of pseudo-random numbers (xorshift, 32 bits).
pub struct Random(u32);

impl Random {
    /// Returns a generator with this seed, which must not be zero.
    pub fn new(seed: u32) -> Random {
        Random(seed)
    }

    /// Returns an integer below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        ((u64::from(self.0) * most as u64) >> 32) as usize
    }

    /// Shuffles the items (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
