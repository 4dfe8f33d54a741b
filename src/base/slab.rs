//! Values with small numbers that are used again.

/// Values by number. The number of a value that was taken out goes to the next one.
pub struct Slab<T> {
    values: Vec<Option<T>>,
    free: Vec<usize>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab { values: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// The number that the next value will have.
    pub fn next(&self) -> usize {
        self.free.last().copied().unwrap_or(self.values.len())
    }

    /// Puts a value in; answers its number.
    pub fn put(&mut self, value: T) -> usize {
        let number = self.next();
        self.free.pop();
        match self.values.get_mut(number) {
            Some(slot) => *slot = Some(value),
            None => self.values.push(Some(value)),
        }
        number
    }

    /// Takes a value out.
    pub fn take(&mut self, number: usize) -> Option<T> {
        let value = self.values.get_mut(number)?.take()?;
        self.free.push(number);
        Some(value)
    }

    /// A value.
    pub fn get(&self, number: usize) -> Option<&T> {
        self.values.get(number)?.as_ref()
    }

    /// A value, to be changed.
    pub fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        self.values.get_mut(number)?.as_mut()
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter().flatten()
    }

    /// All values, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.values.iter_mut().flatten()
    }
}
