//! The kinds of hash tables that there are. Each further kind is compiled anew, two kilobytes every
//! time: what is looked up by anything else is given a number first.

use rustc_hash::FxHashMap;

/// From numbers, or pairs of numbers, to numbers; or a set of numbers, each with zero.
pub type Numbers = FxHashMap<u64, u64>;

/// From names to numbers.
pub type Names = FxHashMap<String, u32>;

/// Two numbers as one.
pub fn pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// The numbers of a pair.
pub fn parts(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// Values by name, in the order in which the names first came.
#[derive(Clone, Debug)]
pub struct Keyed<V> {
    places: Names,
    entries: Vec<(String, V)>,
}

impl<V> Default for Keyed<V> {
    fn default() -> Keyed<V> {
        Keyed { places: Names::default(), entries: Vec::new() }
    }
}

impl<V> Keyed<V> {
    /// What stands under a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        let place = self.places.get(name)?;
        self.entries.get(*place as usize).map(|(_, value)| value)
    }

    /// What stands under a name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        let place = self.places.get(name)?;
        self.entries.get_mut(*place as usize).map(|(_, value)| value)
    }

    /// Puts a value under a name.
    pub fn insert(&mut self, name: &str, value: V) {
        match self.get_mut(name) {
            Some(there) => *there = value,
            None => {
                self.places.insert(name.to_owned(), self.entries.len() as u32);
                self.entries.push((name.to_owned(), value));
            }
        }
    }

    /// The names in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// The names in order, each with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The values in the order of their names.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}
