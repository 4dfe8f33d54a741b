//! The kinds of hash tables that there are. Each further kind is compiled anew, two kilobytes every
//! time: what is looked up by anything else is given a number first.

use rustc_hash::FxHashMap;
use std::iter::Zip;
use std::slice;

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
    names: Order,
    values: Vec<V>,
}

/// Names with their places; apart from the values, so that it is compiled once.
#[derive(Clone, Debug, Default)]
struct Order {
    places: Names,
    names: Vec<String>,
}

impl Order {
    #[inline(never)]
    fn find(&self, name: &str) -> usize {
        self.places.get(name).map_or(usize::MAX, |place| *place as usize)
    }

    /// The place of a name, which is the next one if it is new.
    #[inline(never)]
    fn enter(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place as usize;
        }
        let place = self.names.len();
        self.places.insert(name.to_owned(), place as u32);
        self.names.push(name.to_owned());
        place
    }
}

impl<V> Default for Keyed<V> {
    fn default() -> Keyed<V> {
        Keyed { names: Order::default(), values: Vec::new() }
    }
}

impl<V> Keyed<V> {
    /// What stands under a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.values.get(self.names.find(name))
    }

    /// What stands under a name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        self.values.get_mut(self.names.find(name))
    }

    /// Whether something stands under a name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Puts a value under a name.
    pub fn insert(&mut self, name: impl AsRef<str>, value: V) {
        let place = self.names.enter(name.as_ref());
        match self.values.get_mut(place) {
            Some(there) => *there = value,
            None => self.values.push(value),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The names in order.
    pub fn keys(&self) -> slice::Iter<'_, String> {
        self.names.names.iter()
    }

    /// The values in the order of their names.
    pub fn values(&self) -> slice::Iter<'_, V> {
        self.values.iter()
    }

    /// The names in order, each with its value.
    pub fn iter(&self) -> Entries<'_, V> {
        self.keys().zip(&self.values)
    }

    /// The values in the order of their names.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.values.into_iter()
    }
}

/// Names, each with its value.
type Entries<'a, V> = Zip<slice::Iter<'a, String>, slice::Iter<'a, V>>;

impl<'a, V> IntoIterator for &'a Keyed<V> {
    type Item = (&'a String, &'a V);
    type IntoIter = Entries<'a, V>;

    fn into_iter(self) -> Entries<'a, V> {
        self.iter()
    }
}

impl<V, N: AsRef<str>> FromIterator<(N, V)> for Keyed<V> {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Keyed<V> {
        let mut keyed = Keyed::default();
        for (name, value) in entries {
            keyed.insert(name, value);
        }
        keyed
    }
}

/// Whatever the order of the names is.
impl<V: PartialEq> PartialEq for Keyed<V> {
    fn eq(&self, other: &Keyed<V>) -> bool {
        let same = |(name, value): (&String, &V)| other.get(name) == Some(value);
        self.values.len() == other.values.len() && self.iter().all(same)
    }
}
