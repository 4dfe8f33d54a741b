//! ASCII that is looked for in any case.
//!
//! Most places are ruled out many at a time: where the two bytes of the needle that texts have most
//! seldom do not stand as far apart as in the needle, it does not stand either.

/// ASCII in lower case, to be found in any case.
pub struct Folded<'a> {
    needle: &'a [u8],
    /// The places of the two bytes that texts have most seldom, the first one first.
    rare: [usize; 2],
    bytes: [u8; 2],
}

/// So many places are looked at together: two vectors, or one number.
const BLOCK: usize = if cfg!(target_arch = "wasm32") { 32 } else { 16 };

/// The bit in which a small letter differs from its capital.
const CASE: u8 = 0x20;

/// The bytes that texts have most often, the most frequent first.
const COMMON: &[u8] = b" etaoinsrhldcumfpgwybv,.k-";

impl<'a> Folded<'a> {
    /// What is looked for, in lower case.
    pub fn new(needle: &'a [u8]) -> Folded<'a> {
        let rank = |at: usize| {
            let byte = needle.get(at);
            COMMON.iter().position(|common| Some(common) == byte).map_or(0, |at| 99 - at)
        };
        let rarest = |except: Option<usize>| {
            (0..needle.len()).filter(|at| Some(*at) != except).min_by_key(|at| rank(*at))
        };
        let one = rarest(None).unwrap_or_default();
        let other = rarest(Some(one)).unwrap_or(one);
        let rare = [one.min(other), one.max(other)];
        let bytes = rare.map(|at| needle.get(at).copied().unwrap_or_default() | CASE);
        Folded { needle, rare, bytes }
    }

    /// Where it begins first.
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        let last = text.len().checked_sub(self.needle.len())?;
        if self.needle.is_empty() {
            return Some(0);
        }
        let blocks = |at: usize| text.get(at..).unwrap_or_default().as_chunks::<BLOCK>().0;
        let [one, other] = self.rare;
        let (ones, others) = (blocks(one), blocks(other));
        let mut seen = 0;
        for (one, other) in ones.iter().zip(others) {
            let mut hits = hits(one, other, self.bytes);
            while hits != 0 {
                let start = seen + hits.trailing_zeros() as usize / STRIDE;
                if self.begins(text, start) {
                    return Some(start);
                }
                hits &= hits - 1;
            }
            seen += BLOCK;
        }
        (seen..=last).find(|start| self.begins(text, *start))
    }

    fn begins(&self, text: &[u8], start: usize) -> bool {
        text.get(start..start + self.needle.len())
            .is_some_and(|here| here.eq_ignore_ascii_case(self.needle))
    }
}

/// A bit for each of the places where both bytes stand, whatever their case, each [`STRIDE`] behind
/// the last one. A few other characters differ in that bit too, so it may be set where something
/// else stands.
#[cfg(target_arch = "wasm32")]
fn hits(one: &[u8; BLOCK], other: &[u8; BLOCK], [a, b]: [u8; 2]) -> u32 {
    use core::arch::wasm32::{
        u8x16_bitmask, u8x16_eq, u8x16_splat, u64x2, v128_and, v128_any_true, v128_or,
    };
    let is = |block: &[u8; BLOCK], half: usize, byte: u8| {
        let rest = block.get(half..).unwrap_or_default();
        let block = rest.first_chunk().map_or(0, |block| u128::from_le_bytes(*block));
        // Two halves compile to one load, and need no pointer.
        let block = u64x2(block as u64, (block >> 64) as u64);
        u8x16_eq(v128_or(block, u8x16_splat(CASE)), u8x16_splat(byte))
    };
    let low = v128_and(is(one, 0, a), is(other, 0, b));
    let high = v128_and(is(one, BLOCK / 2, a), is(other, BLOCK / 2, b));
    // Mostly there is none.
    if !v128_any_true(v128_or(low, high)) {
        return 0;
    }
    u32::from(u8x16_bitmask(low)) | u32::from(u8x16_bitmask(high)) << 16
}

#[cfg(target_arch = "wasm32")]
const STRIDE: usize = 1;

/// The same where there are no vectors: bytes that are zero borrow from their highest bit. Whatever
/// stands behind one may have its bit set too.
#[cfg(not(target_arch = "wasm32"))]
fn hits(one: &[u8; BLOCK], other: &[u8; BLOCK], [a, b]: [u8; 2]) -> u128 {
    const ONES: u128 = u128::MAX / 255;
    let differs = |block: &[u8; BLOCK], byte: u8| {
        (u128::from_le_bytes(*block) | (ONES * u128::from(CASE))) ^ (ONES * u128::from(byte))
    };
    let either = differs(one, a) | differs(other, b);
    either.wrapping_sub(ONES) & !either & (ONES << 7)
}

#[cfg(not(target_arch = "wasm32"))]
const STRIDE: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_search_letter_by_letter_finds() {
        let text: Vec<u8> = (0u32..400)
            .map(|at| b"abAB {[\x1b@`v"[(at.wrapping_mul(2_654_435_761) >> 27) as usize % 11])
            .collect();
        for needle in
            [&b"a"[..], b"ab", b"ba{", b"aab", b"b a", b"[", b"vv", b"`", b"abababab", b""]
        {
            let folded = Folded::new(needle);
            for from in 0..text.len() {
                let rest = &text[from..];
                let expected = (0..=rest.len().saturating_sub(needle.len())).find(|at| {
                    rest.get(*at..at + needle.len())
                        .is_some_and(|here| here.eq_ignore_ascii_case(needle))
                });
                assert_eq!(folded.find(rest), expected, "{needle:?} from {from}");
            }
        }
    }
}
