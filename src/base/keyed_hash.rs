//! Keyed hash of texts from outside: without the key, texts with equal hashes cannot be chosen.

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

/// Key of all hashes of the process.
struct HashKey {
    hasher: u64,
    shared: SharedSeed,
}

/// Key of a process whose host has set none.
const DEFAULT_KEY: HashKey =
    HashKey { hasher: 0x9e37_79b9_7f4a_7c15, shared: SharedSeed::from_u64(0x2545_f491_4f6c_dd1d) };

static KEY: OnceLock<HashKey> = OnceLock::new();

/// Sets the key. It has no effect after the first hash.
pub fn set_hash_key(hasher: u64, shared: u64) {
    // The tables of an earlier key stay valid.
    let _ = KEY.set(HashKey { hasher, shared: SharedSeed::from_u64(shared) });
}

/// Returns a hasher with the key.
#[inline]
pub fn keyed_hasher() -> FoldHasher<'static> {
    let key = KEY.get_or_init(|| DEFAULT_KEY);
    FoldHasher::with_seed(key.hasher, &key.shared)
}

/// Returns the hash of a text.
#[inline]
pub fn hash_of(text: &[u8]) -> u64 {
    let mut hasher = keyed_hasher();
    hasher.write(text);
    hasher.finish()
}

/// Hash function of maps whose keys come from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyedState;

impl BuildHasher for KeyedState {
    type Hasher = FoldHasher<'static>;

    #[inline]
    fn build_hasher(&self) -> FoldHasher<'static> {
        keyed_hasher()
    }
}

#[cfg(test)]
mod tests {
    use super::{SharedSeed, hash_of};
    use foldhash::fast::FoldHasher;
    use std::collections::HashSet;
    use std::hash::Hasher;

    /// Returns ids of sixteen bytes with equal low words of the hash of rustc-hash 2.1 on WebAssembly.
    fn colliding_ids() -> Vec<String> {
        let letter = |index: usize| char::from(b'A' + (index % 26) as u8);
        let middle =
            |n: usize| -> String { (0..4).map(|at| letter(n / 26_usize.pow(at))).collect() };
        (0..20_000).map(|n| format!("aaaa{}Dsp\u{3}zzzz", middle(n))).collect()
    }

    #[test]
    fn ids_that_collide_without_a_key_have_different_hashes() {
        let hashes: HashSet<u32> =
            colliding_ids().iter().map(|id| hash_of(id.as_bytes()) as u32).collect();
        assert!(hashes.len() > 19_990, "{}", hashes.len());
    }

    #[test]
    fn the_hashes_depend_on_both_parts_of_the_key() {
        let hash = |hasher: u64, shared: u64| {
            let seed = SharedSeed::from_u64(shared);
            let mut hasher = FoldHasher::with_seed(hasher, &seed);
            hasher.write(b"an id");
            hasher.finish()
        };
        let hashes = HashSet::from([hash(1, 1), hash(2, 1), hash(1, 2)]);
        assert_eq!(hashes.len(), 3);
    }
}
