//! The kinds of hash tables that there are. Each further kind is compiled anew, two kilobytes every
//! time: what is looked up by anything else is given a number first.

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::iter::Zip;
use std::rc::Rc;
use std::{mem, slice, vec};

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

/// Values by name, in the order in which the names first came. A name is a `String`, or an `Rc<str>`
/// where others have it too.
#[derive(Clone, Debug)]
pub struct Keyed<V, K = String> {
    names: Order<K>,
    values: Vec<V>,
}

/// Names with their places; apart from the values, so that it is not compiled for each kind of them.
#[derive(Clone, Debug)]
struct Order<K> {
    names: Vec<K>,
    /// The places by the hashes of their names, where there are more than `FEW`.
    places: Option<Box<HashTable<u32>>>,
}

/// So many names are looked through faster than they are hashed.
const FEW: usize = 8;

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

impl<K: AsRef<str>> Order<K> {
    /// The place of a name; a place that there is not where there is no such name.
    #[inline(never)]
    fn find(&self, name: &str) -> usize {
        let is_it =
            |place: usize| self.names.get(place).is_some_and(|there| there.as_ref() == name);
        let found = match &self.places {
            None => (0..self.names.len()).find(|place| is_it(*place)),
            Some(places) => {
                places.find(hash(name), |place| is_it(*place as usize)).map(|place| *place as usize)
            }
        };
        found.unwrap_or(usize::MAX)
    }

    /// Takes a name that is not there yet.
    #[inline(never)]
    fn push(&mut self, name: K) {
        self.names.push(name);
        let names = &self.names;
        let hash_at =
            |place: &u32| names.get(*place as usize).map_or(0, |name| hash(name.as_ref()));
        let last = names.len() as u32 - 1;
        match &mut self.places {
            Some(places) => {
                places.insert_unique(hash_at(&last), last, hash_at);
            }
            None if names.len() > FEW => {
                let mut places = HashTable::new();
                for place in 0..=last {
                    places.insert_unique(hash_at(&place), place, hash_at);
                }
                self.places = Some(Box::new(places));
            }
            None => {}
        }
    }

    /// Forgets the name at a place, and closes the gap.
    #[inline(never)]
    fn remove(&mut self, place: usize) {
        let mut kept = Order::default();
        let names = mem::take(&mut self.names).into_iter().enumerate();
        for (_, name) in names.filter(|(at, _)| *at != place) {
            kept.push(name);
        }
        *self = kept;
    }
}

impl<K> Default for Order<K> {
    fn default() -> Order<K> {
        Order { names: Vec::new(), places: None }
    }
}

impl<V, K> Default for Keyed<V, K> {
    fn default() -> Keyed<V, K> {
        Keyed { names: Order::default(), values: Vec::new() }
    }
}

impl<V, K: AsRef<str>> Keyed<V, K> {
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

    fn set(&mut self, name: K, value: V) {
        match self.get_mut(name.as_ref()) {
            Some(there) => *there = value,
            None => {
                self.names.push(name);
                self.values.push(value);
            }
        }
    }

    /// Takes out what stands under a name; what is behind it moves up.
    pub fn remove(&mut self, name: &str) -> Option<V> {
        let place = self.names.find(name);
        (place < self.values.len()).then(|| {
            self.names.remove(place);
            self.values.remove(place)
        })
    }

    /// Keeps only what is wanted.
    pub fn retain(&mut self, wanted: impl Fn(&str, &V) -> bool) {
        let all = mem::take(self).into_iter();
        all.filter(|(name, value)| wanted(name.as_ref(), value))
            .for_each(|(name, value)| self.set(name, value));
    }

    /// The name at a place, with its value.
    pub fn at(&self, place: usize) -> Option<(&K, &V)> {
        Some((self.names.names.get(place)?, self.values.get(place)?))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The names in order.
    pub fn keys(&self) -> slice::Iter<'_, K> {
        self.names.names.iter()
    }

    /// The values in the order of their names.
    pub fn values(&self) -> slice::Iter<'_, V> {
        self.values.iter()
    }

    /// The values in the order of their names, to be changed.
    pub fn values_mut(&mut self) -> slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    /// The names in order, each with its value.
    pub fn iter(&self) -> Entries<'_, V, K> {
        self.keys().zip(&self.values)
    }

    /// The values in the order of their names.
    pub fn into_values(self) -> vec::IntoIter<V> {
        self.values.into_iter()
    }
}

impl<V> Keyed<V> {
    /// Puts a value under a name, in place of the old one if there is one.
    pub fn insert(&mut self, name: impl AsRef<str>, value: V) {
        let name = name.as_ref();
        match self.get_mut(name) {
            Some(there) => *there = value,
            None => self.set(name.to_owned(), value),
        }
    }
}

impl<V> Keyed<V, Rc<str>> {
    /// Puts a value under a name, in place of the old one if there is one.
    pub fn insert(&mut self, name: Rc<str>, value: V) {
        self.set(name, value);
    }
}

/// Names, each with its value.
type Entries<'a, V, K> = Zip<slice::Iter<'a, K>, slice::Iter<'a, V>>;

impl<'a, V, K: AsRef<str>> IntoIterator for &'a Keyed<V, K> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, V, K>;

    fn into_iter(self) -> Entries<'a, V, K> {
        self.iter()
    }
}

impl<V, K> IntoIterator for Keyed<V, K> {
    type Item = (K, V);
    type IntoIter = Zip<vec::IntoIter<K>, vec::IntoIter<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.names.names.into_iter().zip(self.values)
    }
}

impl<V> Extend<(Rc<str>, V)> for Keyed<V, Rc<str>> {
    fn extend<I: IntoIterator<Item = (Rc<str>, V)>>(&mut self, entries: I) {
        for (name, value) in entries {
            self.set(name, value);
        }
    }
}

impl<V, N: AsRef<str>> FromIterator<(N, V)> for Keyed<V> {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Keyed<V> {
        let mut keyed: Keyed<V> = Keyed::default();
        for (name, value) in entries {
            keyed.insert(name, value);
        }
        keyed
    }
}

impl<V> FromIterator<(Rc<str>, V)> for Keyed<V, Rc<str>> {
    fn from_iter<I: IntoIterator<Item = (Rc<str>, V)>>(entries: I) -> Keyed<V, Rc<str>> {
        let mut keyed = Keyed::default();
        keyed.extend(entries);
        keyed
    }
}

/// Whatever the order of the names is.
impl<V: PartialEq, K: AsRef<str>> PartialEq for Keyed<V, K> {
    fn eq(&self, other: &Keyed<V, K>) -> bool {
        let same = |(name, value): (&K, &V)| other.get(name.as_ref()) == Some(value);
        self.values.len() == other.values.len() && self.iter().all(same)
    }
}
