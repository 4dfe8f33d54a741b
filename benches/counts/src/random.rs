//! Numbers that only look like chance, the same on every machine.

/// A source of numbers.
pub struct Seeded(u32);

impl Seeded {
    /// The source that this seed, which is not zero, gives.
    pub fn new(seed: u32) -> Seeded {
        Seeded(seed)
    }

    /// A number from 0 to below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        // Xorshift, 32 bits.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        ((u64::from(self.0) * most as u64) >> 32) as usize
    }

    /// Brings the items into another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
