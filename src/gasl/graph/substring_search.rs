//! SIMD substring search in contiguous texts, case-sensitive or ASCII case-insensitive.
//!
//! As in the "generic SIMD" algorithm (Muła 2016), 64 offsets at a time are compared with two bytes
//! of the needle. Here these are the two rarest bytes.

use super::bit_mask::BitMask;
use crate::base::bytes::same;
use crate::gasl::predicate::Case;
#[cfg(target_arch = "wasm32")]
use core::arch::wasm32::{
    u8x16_bitmask, u8x16_eq, u8x16_splat, u64x2, v128, v128_and, v128_any_true, v128_or,
};
use std::ops::Range;

/// Prepared needle.
pub struct SubstringSearcher<'a> {
    needle: &'a [u8],
    case: Case,
    /// Ascending offsets in the needle of its two rarest bytes.
    rare: [usize; 2],
    /// The two rarest bytes.
    bytes: [u8; 2],
    prefix: NeedlePrefix,
}

/// First eight bytes of the needle, and a mask of bits to ignore: bytes after the needle, and the
/// case bit of letters in a case-insensitive search.
struct NeedlePrefix {
    bits: u64,
    ignored: u64,
    /// Whether the needle has at most eight bytes.
    is_complete: bool,
}

/// Bit in which the cases of an ASCII letter differ.
const CASE_BIT: u8 = 0x20;

/// Number of offsets compared at once.
const BLOCK_BYTES: usize = 64;

/// Number of blocks scanned before their hits are verified.
const WINDOW_BLOCKS: usize = 128;

/// Most frequent bytes of English text, in descending order.
const COMMON_BYTES: &[u8] = b" etaoinsrhldcumfpgwybv,.k-";

impl<'a> SubstringSearcher<'a> {
    /// Prepares a needle of at least one byte; a case-insensitive one must be ASCII in lower case.
    pub fn new(needle: &'a [u8], case: Case) -> SubstringSearcher<'a> {
        let rank = |at: usize| {
            let byte = needle.get(at);
            COMMON_BYTES.iter().position(|common| Some(common) == byte).map_or(0, |at| 99 - at)
        };
        let rarest = |except: Option<usize>| {
            (0..needle.len()).filter(|at| Some(*at) != except).min_by_key(|at| rank(*at))
        };
        let one = rarest(None).unwrap_or_default();
        let other = rarest(Some(one)).unwrap_or(one);
        let rare = [one.min(other), one.max(other)];
        let bytes = rare.map(|at| needle.get(at).copied().unwrap_or_default());
        SubstringSearcher { needle, case, rare, bytes, prefix: NeedlePrefix::new(needle, case) }
    }

    /// Marks each of the contiguous texts, which end at `ends`, that contains the needle.
    pub fn search(&self, texts: &[u8], ends: &[u32], found: &mut BitMask) {
        match self.case {
            Case::Sensitive => self.search_with::<0>(texts, ends, found),
            Case::Ignored => self.search_with::<CASE_BIT>(texts, ends, found),
        }
    }

    /// Returns whether the text at a byte range contains the needle.
    pub fn is_in(&self, texts: &[u8], text: Range<usize>) -> bool {
        match self.case {
            Case::Sensitive => self.is_in_with::<0>(texts, text),
            Case::Ignored => self.is_in_with::<CASE_BIT>(texts, text),
        }
    }

    fn search_with<const BIT: u8>(&self, texts: &[u8], ends: &[u32], found: &mut BitMask) {
        let mut recorder = MatchRecorder { text_ends: ends, found, text: 0, next: 0 };
        let blocks = |at: usize| texts.get(at..).unwrap_or_default().as_chunks().0.as_chunks().0;
        let (ones, others): (&[Block], &[Block]) = (blocks(self.rare[0]), blocks(self.rare[1]));
        let mut scanned = 0;
        for (ones, others) in ones.chunks(WINDOW_BLOCKS).zip(others.chunks(WINDOW_BLOCKS)) {
            // Collects the blocks with hits without branches, then verifies the hits.
            let (mut list, mut count) = ([0; WINDOW_BLOCKS], 0);
            for ((one, other), at) in ones.iter().zip(others).zip(0u8..) {
                if let Some(slot) = list.get_mut(count) {
                    *slot = at;
                }
                count += usize::from(any_hit::<BIT>(one, other, self.bytes));
            }
            for at in list.iter().take(count).map(|at| usize::from(*at)) {
                let (Some(one), Some(other)) = (ones.get(at), others.get(at)) else { continue };
                let start = scanned + at * BLOCK_BYTES;
                let mut hits = recorder.remaining(hits::<BIT>(one, other, self.bytes), start);
                while hits != 0 {
                    let offset = start + hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    if self.matches_at(texts, offset) {
                        recorder.mark(offset, self.needle.len());
                        hits = recorder.remaining(hits, start);
                    }
                }
            }
            scanned += others.len() * BLOCK_BYTES;
        }
        for offset in scanned..texts.len() {
            if offset >= recorder.next && self.matches_at(texts, offset) {
                recorder.mark(offset, self.needle.len());
            }
        }
    }

    fn is_in_with<const BIT: u8>(&self, texts: &[u8], text: Range<usize>) -> bool {
        // End of the offsets at which the needle can start.
        let Some(last) = (text.end + 1).checked_sub(self.needle.len()) else { return false };
        let mut start = text.start;
        while start < last {
            // A block may extend into the next texts. After the last full block every offset is verified.
            let block = |at: usize| texts.get(start + at..)?.as_chunks().0.as_chunks().0.first();
            let blocks = block(self.rare[0]).zip(block(self.rare[1]));
            let mut hits =
                blocks.map_or(u64::MAX, |(one, other)| hits::<BIT>(one, other, self.bytes));
            while hits != 0 {
                let offset = start + hits.trailing_zeros() as usize;
                if offset >= last {
                    return false;
                }
                if self.matches_at(texts, offset) {
                    return true;
                }
                hits &= hits - 1;
            }
            start += BLOCK_BYTES;
        }
        false
    }

    #[inline(always)]
    fn matches_at(&self, text: &[u8], offset: usize) -> bool {
        let rest = text.get(offset..).unwrap_or_default();
        match rest.first_chunk().map(|head| u64::from_le_bytes(*head)) {
            Some(head) if head | self.prefix.ignored != self.prefix.bits => false,
            Some(_) if self.prefix.is_complete => true,
            _ => self.is_prefix_of(rest),
        }
    }

    fn is_prefix_of(&self, rest: &[u8]) -> bool {
        rest.get(..self.needle.len()).is_some_and(|here| match self.case {
            Case::Sensitive => same(here, self.needle),
            Case::Ignored => here.eq_ignore_ascii_case(self.needle),
        })
    }
}

/// Matching texts, and the position of the scan among them.
struct MatchRecorder<'a> {
    text_ends: &'a [u32],
    found: &'a mut BitMask,
    /// Index of the current text.
    text: usize,
    /// Offset from which hits are relevant: the end of the last matching text.
    next: usize,
}

impl MatchRecorder<'_> {
    /// Removes hits in the last matching text from those of a block at `start`.
    #[inline(always)]
    fn remaining(&self, hits: u64, start: usize) -> u64 {
        let skipped = self.next.saturating_sub(start).min(BLOCK_BYTES) as u32;
        hits & u64::MAX.checked_shl(skipped).unwrap_or_default()
    }

    /// Marks the text that contains a match of this length.
    #[inline(always)]
    fn mark(&mut self, offset: usize, length: usize) {
        let end_of = |text: usize| self.text_ends.get(text).map_or(usize::MAX, |end| *end as usize);
        let mut text = self.text;
        while end_of(text) <= offset {
            text += 1;
        }
        self.text = text;
        // A match across two texts is in neither.
        if offset + length <= end_of(text) {
            self.found.set(text, true);
            self.next = end_of(text);
        }
    }
}

impl NeedlePrefix {
    fn new(needle: &[u8], case: Case) -> NeedlePrefix {
        let (mut bits, mut ignored) = ([u8::MAX; 8], [u8::MAX; 8]);
        for ((bits, ignored), byte) in bits.iter_mut().zip(&mut ignored).zip(needle) {
            // Characters other than letters differ in this bit too.
            let is_either = case == Case::Ignored && byte.is_ascii_alphabetic();
            *ignored = if is_either { CASE_BIT } else { 0 };
            *bits = byte | *ignored;
        }
        NeedlePrefix {
            bits: u64::from_le_bytes(bits),
            ignored: u64::from_le_bytes(ignored),
            is_complete: needle.len() <= bits.len(),
        }
    }
}

/// Bytes of a block in four vectors.
type Block = [[u8; BLOCK_BYTES / 4]; 4];

/// Returns whether both bytes match at any offset of a block.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn any_hit<const BIT: u8>(one: &Block, other: &Block, bytes: [u8; 2]) -> bool {
    let ([a, b, c, d], [e, f, g, h]) = (one, other);
    let low = v128_or(both::<BIT>(a, e, bytes), both::<BIT>(b, f, bytes));
    let high = v128_or(both::<BIT>(c, g, bytes), both::<BIT>(d, h, bytes));
    v128_any_true(v128_or(low, high))
}

/// Returns a bit per offset at which both bytes match; ignoring `BIT` gives false positives.
#[cfg(target_arch = "wasm32")]
fn hits<const BIT: u8>(one: &Block, other: &Block, bytes: [u8; 2]) -> u64 {
    let ([a, b, c, d], [e, f, g, h]) = (one, other);
    let low = hits_in::<BIT>(a, e, bytes) | hits_in::<BIT>(b, f, bytes) << 16;
    low | hits_in::<BIT>(c, g, bytes) << 32 | hits_in::<BIT>(d, h, bytes) << 48
}

#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn hits_in<const BIT: u8>(one: &[u8; 16], other: &[u8; 16], bytes: [u8; 2]) -> u64 {
    u64::from(u8x16_bitmask(both::<BIT>(one, other, bytes)))
}

#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn both<const BIT: u8>(one: &[u8; 16], other: &[u8; 16], [a, b]: [u8; 2]) -> v128 {
    v128_and(equal::<BIT>(one, a), equal::<BIT>(other, b))
}

#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn equal<const BIT: u8>(here: &[u8; 16], byte: u8) -> v128 {
    let here = u128::from_le_bytes(*here);
    // Two halves compile to one vector load without a pointer.
    let here = u64x2(here as u64, (here >> 64) as u64);
    u8x16_eq(v128_or(here, u8x16_splat(BIT)), u8x16_splat(byte | BIT))
}

/// Returns whether both bytes match at any offset, by SWAR zero-byte detection.
#[cfg(not(target_arch = "wasm32"))]
fn any_hit<const BIT: u8>(one: &Block, other: &Block, [a, b]: [u8; 2]) -> bool {
    const ONES: u128 = u128::MAX / 255;
    let differs = |here: &[u8; 16], byte: u8| {
        (u128::from_le_bytes(*here) | (ONES * u128::from(BIT))) ^ (ONES * u128::from(byte | BIT))
    };
    one.iter().zip(other).any(|(one, other)| {
        let either = differs(one, a) | differs(other, b);
        either.wrapping_sub(ONES) & !either & (ONES << 7) != 0
    })
}

#[cfg(not(target_arch = "wasm32"))]
fn hits<const BIT: u8>(one: &Block, other: &Block, [a, b]: [u8; 2]) -> u64 {
    let pairs = one.as_flattened().iter().zip(other.as_flattened()).rev();
    let both = pairs.map(|(one, other)| one | BIT == a | BIT && other | BIT == b | BIT);
    both.fold(0, |hits, hit| hits << 1 | u64::from(hit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_naive_search() {
        let all: Vec<u8> = (0u32..400)
            .map(|at| b"abAB {[\x1b@`v"[(at.wrapping_mul(2_654_435_761) >> 27) as usize % 11])
            .collect();
        let long = all.repeat(30);
        for needle in [&b"a"[..], b"ab", b"ba{", b"aab", b"b a", b"[", b"vv", b"`", b"abababab"] {
            for case in [Case::Ignored, Case::Sensitive] {
                let searcher = SubstringSearcher::new(needle, case);
                let is = |here: &[u8]| match case {
                    Case::Ignored => here.eq_ignore_ascii_case(needle),
                    Case::Sensitive => here == needle,
                };
                let holds = |text: &[u8]| text.windows(needle.len()).any(is);
                // One text, and many with lengths from 0 to 63.
                for from in 0..all.len() {
                    let rest = &all[from..];
                    let mut found = BitMask::constant(1, false);
                    searcher.search(rest, &[rest.len() as u32], &mut found);
                    assert_eq!(found.get(0), holds(rest), "{needle:?} from {from}");
                }
                let (mut texts, mut from) = (Vec::new(), 0);
                while from < long.len() {
                    let end = long.len().min(from + texts.len() * 37 % 64);
                    texts.push(&long[from..end]);
                    from = end;
                }
                let ends: Vec<u32> = texts
                    .iter()
                    .scan(0, |end, text| {
                        *end += text.len() as u32;
                        Some(*end)
                    })
                    .collect();
                let mut found = BitMask::constant(texts.len(), false);
                searcher.search(&long, &ends, &mut found);
                let expected = BitMask::from_fn(texts.len(), |number| holds(texts[number]));
                assert_eq!(found, expected, "{needle:?}");
                let start = |number: usize| number.checked_sub(1).map_or(0, |before| ends[before]);
                let range = |number: usize| start(number) as usize..ends[number] as usize;
                let one_by_one =
                    BitMask::from_fn(texts.len(), |nth| searcher.is_in(&long, range(nth)));
                assert_eq!(one_by_one, expected, "{needle:?} text by text");
            }
        }
    }
}
