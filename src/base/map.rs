//! The kinds of hash tables that there are. Each further kind is compiled anew, two kilobytes every
//! time: what is looked up by anything else is given a number first.

use super::bytes::same;
use super::hash_index::{HashIndex, hash_of};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;
use std::{mem, slice, vec};

/// From numbers, or pairs of numbers, to numbers; or a set of numbers, each with zero.
pub type IntMap = HashMap<u64, u64, FxBuildHasher>;

/// From names to numbers.
pub type NameMap = HashMap<String, u32, FxBuildHasher>;

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
pub struct OrderedMap<V> {
    entries: Vec<(Rc<str>, V)>,
    /// Where each name stands, once there are many.
    places: Option<Box<HashIndex>>,
}

/// So many names are found sooner by looking at each of them.
const FEW: usize = 8;

/// Where a name with this hash stands; compiled once for all kinds of values.
fn find_place(table: &HashIndex, hash: u32, is_name: &dyn Fn(u32) -> bool) -> Option<usize> {
    table.find(hash, is_name).map(|place| place as usize)
}

fn is_same(a: &str, b: &str) -> bool {
    same(a.as_bytes(), b.as_bytes())
}

impl<V> Default for OrderedMap<V> {
    fn default() -> OrderedMap<V> {
        OrderedMap { entries: Vec::new(), places: None }
    }
}

impl<V> OrderedMap<V> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Where a name stands.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.look_up(name).ok()
    }

    /// Where a name stands; else its hash, which is found where there are places.
    #[inline(never)]
    fn look_up(&self, name: &str) -> Result<usize, u32> {
        let Some(places) = &self.places else {
            return self.entries.iter().position(|(known, _)| is_same(known, name)).ok_or(0);
        };
        let hash = hash_of(name.as_bytes());
        let is = |place: u32| self.name(place).is_some_and(|known| is_same(known, name));
        find_place(places, hash, &is).ok_or(hash)
    }

    fn name(&self, place: u32) -> Option<&str> {
        self.entries.get(place as usize).map(|(name, _)| &**name)
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
        if self.places.is_some() || self.len() + more > FEW {
            let mut places = self.places.take().unwrap_or_default();
            places.reserve(self.len() + more - places.len(), &|place| self.hash_at(place));
            self.places = Some(places);
            self.find_places();
        }
    }

    fn hash_at(&self, place: u32) -> u32 {
        hash_of(self.name(place).unwrap_or_default().as_bytes())
    }

    /// What stands under a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.entries.get(self.find(name)?).map(|(_, value)| value)
    }

    /// What stands under a name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        let place = self.find(name)?;
        self.at_mut(place)
    }

    /// What stands at a place.
    pub fn get_index(&self, place: usize) -> Option<(&Rc<str>, &V)> {
        self.entries.get(place).map(|(name, value)| (name, value))
    }

    /// What stands at a place, to be changed.
    pub fn at_mut(&mut self, place: usize) -> Option<&mut V> {
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Whether something stands under a name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Puts a value under a name, and answers what stood there.
    pub fn insert(&mut self, name: Rc<str>, value: V) -> Option<V> {
        match self.find(&name) {
            Some(place) => self.at_mut(place).map(|there| mem::replace(there, value)),
            None => {
                self.push(name, value);
                None
            }
        }
    }

    /// What stands under a name, which is `fresh` where nothing stood there; to be changed.
    pub fn entry(&mut self, name: &str, fresh: impl FnOnce() -> V) -> Option<&mut V> {
        let place = self.find(name).unwrap_or(self.len());
        if place == self.len() {
            self.push(name.into(), fresh());
        }
        self.at_mut(place)
    }

    /// Puts a value under a name that is new.
    #[inline(never)]
    pub fn push(&mut self, name: Rc<str>, value: V) {
        self.entries.push((name, value));
        if self.places.is_some() || self.len() > FEW {
            self.find_places();
        }
    }

    /// Gives places to the last entries, which have none.
    fn find_places(&mut self) {
        let mut places = self.places.take().unwrap_or_default();
        for place in places.len() as u32..self.len() as u32 {
            places.insert(self.hash_at(place), place, &|place| self.hash_at(place));
        }
        self.places = Some(places);
    }

    /// Puts a value under a name, if nothing stands there; else answers what does.
    pub fn claim(&mut self, name: &Rc<str>, value: V) -> Option<&V> {
        match self.look_up(name) {
            Ok(place) => self.entries.get(place).map(|(_, there)| there),
            Err(hash) => {
                self.put(hash, name.clone(), value);
                None
            }
        }
    }

    /// Puts a value under a name, if nothing stands there; answers the name then.
    pub fn add(&mut self, name: &str, value: V) -> Option<Rc<str>> {
        let hash = self.look_up(name).err()?;
        let shared: Rc<str> = name.into();
        self.put(hash, shared.clone(), value);
        Some(shared)
    }

    /// Puts a value under a new name with this hash; see [`OrderedMap::look_up`].
    #[inline(never)]
    fn put(&mut self, hash: u32, name: Rc<str>, value: V) {
        let Some(mut places) = self.places.take() else { return self.push(name, value) };
        places.insert(hash, self.len() as u32, &|place| self.hash_at(place));
        self.places = Some(places);
        self.entries.push((name, value));
    }

    /// Takes away what stands under a name; the others keep their order.
    pub fn shift_remove(&mut self, name: &str) -> Option<V> {
        let place = self.find(name)?;
        let (_, value) = self.entries.remove(place);
        self.begin_again();
        Some(value)
    }

    /// Keeps what is wanted, in its order.
    pub fn retain(&mut self, mut wanted: impl FnMut(&Rc<str>, &mut V) -> bool) {
        self.entries.retain_mut(|(name, value)| wanted(name, value));
        self.begin_again();
    }

    /// Finds all places anew, after some entries have gone.
    fn begin_again(&mut self) {
        self.places = None;
        if self.len() > FEW {
            self.find_places();
        }
    }

    /// The names in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Rc<str>> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|(name, _)| name)
    }

    /// The values in the order of their names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values in the order of their names, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The names in order, each with its value.
    pub fn iter(&self) -> Entries<'_, V> {
        Entries(self.entries.iter())
    }

    /// The names in order, each with its value, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Rc<str>, &mut V)> {
        self.entries.iter_mut().map(|(name, value)| (&*name, value))
    }

    /// The values in the order of their names.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

/// NameMap in order, each with its value.
#[derive(Debug)]
pub struct Entries<'a, V>(slice::Iter<'a, (Rc<str>, V)>);

impl<V> Default for Entries<'_, V> {
    fn default() -> Self {
        Entries([].iter())
    }
}

impl<V> Clone for Entries<'_, V> {
    fn clone(&self) -> Self {
        Entries(self.0.clone())
    }
}

impl<'a, V> Iterator for Entries<'a, V> {
    type Item = (&'a Rc<str>, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (name, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<V> DoubleEndedIterator for Entries<'_, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(name, value)| (name, value))
    }
}

impl<V> ExactSizeIterator for Entries<'_, V> {}

impl<'a, V> IntoIterator for &'a OrderedMap<V> {
    type Item = (&'a Rc<str>, &'a V);
    type IntoIter = Entries<'a, V>;

    fn into_iter(self) -> Entries<'a, V> {
        self.iter()
    }
}

impl<V> IntoIterator for OrderedMap<V> {
    type Item = (Rc<str>, V);
    type IntoIter = vec::IntoIter<(Rc<str>, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<V> Extend<(Rc<str>, V)> for OrderedMap<V> {
    fn extend<I: IntoIterator<Item = (Rc<str>, V)>>(&mut self, entries: I) {
        for (name, value) in entries {
            self.insert(name, value);
        }
    }
}

impl<V> FromIterator<(Rc<str>, V)> for OrderedMap<V> {
    fn from_iter<I: IntoIterator<Item = (Rc<str>, V)>>(entries: I) -> OrderedMap<V> {
        let mut keyed = OrderedMap::default();
        keyed.extend(entries);
        keyed
    }
}

/// Whatever the order of the names is.
impl<V: PartialEq> PartialEq for OrderedMap<V> {
    fn eq(&self, other: &OrderedMap<V>) -> bool {
        let mut pairs = self.iter().zip(other);
        self.len() == other.len()
            && pairs.all(|((name, value), (its_name, its))| {
                // In most maps a name stands where it stands in the other.
                if name == its_name { value == its } else { other.get(name) == Some(value) }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_found() {
        for count in [1, FEW, FEW + 1, 100] {
            let name = |number: usize| format!("name {number}");
            let mut keyed: OrderedMap<usize> =
                (0..count).map(|number| (name(number).into(), number)).collect();
            assert_eq!(keyed.insert(name(0).into(), 7), Some(0));
            assert_eq!(keyed.len(), count);
            assert_eq!(keyed.add("name 0", 8), None);
            assert_eq!(keyed.get("name 0"), Some(&7));
            assert!((1..count).all(|number| keyed.get(&name(number)) == Some(&number)));
            assert_eq!(keyed.get("name"), None);
            assert_eq!(keyed.add("name", 9).as_deref(), Some("name"));
            assert_eq!(keyed.shift_remove("name"), Some(9));
            assert_eq!(keyed.shift_remove("name 0"), Some(7));
            assert!((1..count).all(|number| keyed.find(&name(number)) == Some(number - 1)));
            keyed.retain(|_, number| *number % 2 == 0);
            assert!(
                (1..count).all(|number| keyed.contains_key(&name(number)) == (number % 2 == 0))
            );
        }
    }
}
