//! Comparison and copying of short byte strings. In WebAssembly `memcmp` compares one byte at a time, and
//! `memory.copy` is a call.

use hashbrown::HashTable;

/// Hash function of the indices in a [`HashTable`].
pub type HashAt<'a> = &'a dyn Fn(&u32) -> u64;

/// Adds an index to a table. All tables share this copy of the code that grows a table.
#[inline(never)]
pub fn insert_index(table: &mut HashTable<u32>, hash: u64, index: u32, hash_at: HashAt<'_>) {
    table.insert_unique(hash, index, hash_at);
}

/// Reserves capacity for `count` more indices.
#[inline(never)]
pub fn reserve_indices(table: &mut HashTable<u32>, count: usize, hash_at: HashAt<'_>) {
    table.reserve(count, hash_at);
}

/// Returns whether two texts are equal.
#[inline]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // The first and last eight bytes may overlap, which is faster than a loop over a remainder.
    if let (Some(last), Some(other)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        return last == other
            && a.first_chunk::<8>() == b.first_chunk::<8>()
            && (a.len() <= 16 || middle_is_same(a, b));
    }
    if let (Some(last), Some(other)) = (a.last_chunk::<4>(), b.last_chunk::<4>()) {
        return last == other && a.first_chunk::<4>() == b.first_chunk::<4>();
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// Returns whether a text starts with another one.
#[inline(always)]
pub fn starts_with(text: &[u8], other: &[u8]) -> bool {
    text.get(..other.len()).is_some_and(|start| same(start, other))
}

/// Compares two texts of equal length in words of eight bytes.
fn middle_is_same(a: &[u8], b: &[u8]) -> bool {
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    words.into_iter().all(|(a, b)| a == b)
}

/// Appends a text. A short one is copied without `memory.copy`, whose call takes longer.
#[inline]
pub fn append(to: &mut Vec<u8>, text: &[u8]) {
    const SHORT: usize = 32;
    if text.len() > SHORT {
        return to.extend_from_slice(text);
    }
    let (words, rest) = text.as_chunks::<8>();
    words.iter().for_each(|word| to.extend_from_slice(word));
    rest.iter().for_each(|byte| to.push(*byte));
}

/// Returns the number of ASCII bytes at the start of a text.
#[inline]
pub fn ascii_prefix_len(text: &[u8]) -> usize {
    const HIGH: [u8; 16] = [0x80; 16];
    let is_ascii = |block: &[u8; 16]| u128::from_ne_bytes(*block) & u128::from_ne_bytes(HIGH) == 0;
    let start = 16 * text.as_chunks().0.iter().take_while(|block| is_ascii(block)).count();
    let rest = text.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Returns the length of the common prefix of two lists, which are compared in blocks of `BLOCK` items. A block of
/// 32 bytes compiles to SIMD.
#[inline]
pub fn common_prefix_len<const BLOCK: usize, T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let blocks = a.as_chunks::<BLOCK>().0.iter().zip(b.as_chunks::<BLOCK>().0);
    let start = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(start..).unwrap_or_default(), b.get(start..).unwrap_or_default());
    start + a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Returns the length of the common suffix of two lists.
#[inline]
pub fn common_suffix_len<const BLOCK: usize, T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let (in_a, in_b) = (a.as_rchunks::<BLOCK>().1, b.as_rchunks::<BLOCK>().1);
    let blocks = in_a.iter().rev().zip(in_b.iter().rev());
    let end = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let a = a.get(..a.len() - end).unwrap_or_default();
    let b = b.get(..b.len() - end).unwrap_or_default();
    end + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Returns the number of equal items at the starts of two lists, and after those at their ends. They are
/// compared `BLOCK` at a time.
pub fn common_prefix_and_suffix_len<const BLOCK: usize, T: PartialEq>(
    old: &[T],
    new: &[T],
) -> (usize, usize) {
    let start = common_prefix_len::<BLOCK, _>(old, new);
    let old = old.get(start..).unwrap_or_default();
    let new = new.get(start..).unwrap_or_default();
    (start, common_suffix_len::<BLOCK, _>(old, new))
}

#[cfg(test)]
mod tests {
    use super::{append, ascii_prefix_len, common_prefix_len, common_suffix_len, same};

    #[test]
    fn finds_the_first_non_ascii_byte() {
        for length in 0..40 {
            for at in 0..=length {
                let mut text = vec![b'a'; length];
                if let Some(byte) = text.get_mut(at) {
                    *byte = 0x80;
                }
                assert_eq!(ascii_prefix_len(&text), at);
            }
        }
    }

    #[test]
    fn finds_each_difference() {
        for length in 0..40 {
            let text: Vec<u8> = (0..length).collect();
            let mut copy = Vec::new();
            append(&mut copy, &text);
            assert_eq!(copy, text);
            assert!(same(&text, &text.clone()));
            assert!(!same(&text, &[text.as_slice(), b"x"].concat()));
            for at in 0..text.len() {
                let mut other = text.clone();
                other[at] ^= 1;
                assert!(!same(&text, &other), "{at} of {length}");
                assert_eq!(common_prefix_len::<8, _>(&text, &other), at);
                assert_eq!(common_suffix_len::<8, _>(&text, &other), text.len() - 1 - at);
                assert_eq!(common_suffix_len::<8, _>(&text, &text[at..]), text.len() - at);
            }
        }
    }
}
