//! In which of many texts something stands, in its own case or in any.
//!
//! Most places are ruled out many at a time: where the two bytes of the needle that texts have most
//! seldom do not stand as far apart as in the needle, it does not stand either.

use super::bits::Bits;
use crate::base::bytes::same;
use crate::gasl::predicate::Case;
#[cfg(target_arch = "wasm32")]
use core::arch::wasm32::{
    u8x16_bitmask, u8x16_eq, u8x16_splat, u64x2, v128, v128_and, v128_any_true, v128_or,
};
use std::ops::Range;

/// What is looked for.
pub struct Finder<'a> {
    needle: &'a [u8],
    case: Case,
    /// The places of the two bytes that texts have most seldom, the first one first.
    rare: [usize; 2],
    bytes: [u8; 2],
    /// The first eight bytes.
    head: Head,
}

/// Eight bytes, and the bits of them that do not count: those that the needle does not have, and of
/// letters, where the case does not count, the one in which a small letter differs from its capital.
struct Head {
    bits: u64,
    ignored: u64,
    /// Whether whatever begins so is the needle.
    is_all: bool,
}

/// The bit in which a small letter differs from its capital.
const CAPITAL: u8 = 0x20;

/// So many places are looked at together, a bit each.
const BLOCK: usize = 64;

/// So many blocks are looked at before what is found in them.
const WINDOW: usize = 128;

/// The bytes that texts have most often, the most frequent first.
const COMMON: &[u8] = b" etaoinsrhldcumfpgwybv,.k-";

impl<'a> Finder<'a> {
    /// At least a byte; ASCII in lower case, where the case does not count.
    pub fn new(needle: &'a [u8], case: Case) -> Finder<'a> {
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
        let bytes = rare.map(|at| needle.get(at).copied().unwrap_or_default());
        Finder { needle, case, rare, bytes, head: Head::of(needle, case) }
    }

    /// Marks each text that it stands in. The texts lie side by side, and end where `ends` says.
    pub fn search(&self, texts: &[u8], ends: &[u32], found: &mut Bits) {
        match self.case {
            Case::Sensitive => self.search_ignoring::<0>(texts, ends, found),
            Case::Ignored => self.search_ignoring::<CAPITAL>(texts, ends, found),
        }
    }

    /// Whether it stands in one of the texts, which is at that place.
    pub fn is_in(&self, texts: &[u8], text: Range<usize>) -> bool {
        match self.case {
            Case::Sensitive => self.is_in_ignoring::<0>(texts, text),
            Case::Ignored => self.is_in_ignoring::<CAPITAL>(texts, text),
        }
    }

    fn search_ignoring<const BIT: u8>(&self, texts: &[u8], ends: &[u32], found: &mut Bits) {
        let mut among = Texts { ends, found, number: 0, next: 0 };
        let blocks = |at: usize| texts.get(at..).unwrap_or_default().as_chunks().0.as_chunks().0;
        let (ones, others): (&[Block], &[Block]) = (blocks(self.rare[0]), blocks(self.rare[1]));
        let mut seen = 0;
        for (ones, others) in ones.chunks(WINDOW).zip(others.chunks(WINDOW)) {
            // First in which blocks, without a jump that depends on it, and then where in them.
            let (mut list, mut count) = ([0; WINDOW], 0);
            for ((one, other), at) in ones.iter().zip(others).zip(0u8..) {
                if let Some(slot) = list.get_mut(count) {
                    *slot = at;
                }
                count += usize::from(any_hit::<BIT>(one, other, self.bytes));
            }
            for at in list.iter().take(count).map(|at| usize::from(*at)) {
                let (Some(one), Some(other)) = (ones.get(at), others.get(at)) else { continue };
                let start = seen + at * BLOCK;
                let mut hits = among.unsettled(hits::<BIT>(one, other, self.bytes), start);
                while hits != 0 {
                    let place = start + hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    if self.begins(texts, place) {
                        among.mark(place, self.needle.len());
                        hits = among.unsettled(hits, start);
                    }
                }
            }
            seen += others.len() * BLOCK;
        }
        for place in seen..texts.len() {
            if place >= among.next && self.begins(texts, place) {
                among.mark(place, self.needle.len());
            }
        }
    }

    fn is_in_ignoring<const BIT: u8>(&self, texts: &[u8], text: Range<usize>) -> bool {
        // One behind the last place that it may begin at.
        let Some(last) = (text.end + 1).checked_sub(self.needle.len()) else { return false };
        let mut start = text.start;
        while start < last {
            // A block may reach into the texts behind; where no whole one is left, any place is possible.
            let block = |at: usize| texts.get(start + at..)?.as_chunks().0.as_chunks().0.first();
            let blocks = block(self.rare[0]).zip(block(self.rare[1]));
            let mut hits =
                blocks.map_or(u64::MAX, |(one, other)| hits::<BIT>(one, other, self.bytes));
            while hits != 0 {
                let place = start + hits.trailing_zeros() as usize;
                if place >= last {
                    return false;
                }
                if self.begins(texts, place) {
                    return true;
                }
                hits &= hits - 1;
            }
            start += BLOCK;
        }
        false
    }

    #[inline(always)]
    fn begins(&self, text: &[u8], place: usize) -> bool {
        let rest = text.get(place..).unwrap_or_default();
        match rest.first_chunk().map(|head| u64::from_le_bytes(*head)) {
            Some(head) if head | self.head.ignored != self.head.bits => false,
            Some(_) if self.head.is_all => true,
            _ => self.is_whole(rest),
        }
    }

    fn is_whole(&self, rest: &[u8]) -> bool {
        rest.get(..self.needle.len()).is_some_and(|here| match self.case {
            Case::Sensitive => same(here, self.needle),
            Case::Ignored => here.eq_ignore_ascii_case(self.needle),
        })
    }
}

/// The texts that something has been found in.
struct Texts<'a> {
    ends: &'a [u32],
    found: &'a mut Bits,
    /// The text that was found last, or that is looked at.
    number: usize,
    /// Where the next one begins that nothing was found in.
    next: usize,
}

impl Texts<'_> {
    /// Those places of a block that begins there which lie behind the text that was found last.
    #[inline(always)]
    fn unsettled(&self, hits: u64, start: usize) -> u64 {
        let settled = self.next.saturating_sub(start).min(BLOCK) as u32;
        hits & u64::MAX.checked_shl(settled).unwrap_or_default()
    }

    /// Marks the text that something of that length stands in.
    #[inline(always)]
    fn mark(&mut self, place: usize, length: usize) {
        let end_of = |number: usize| self.ends.get(number).map_or(usize::MAX, |end| *end as usize);
        let mut number = self.number;
        while end_of(number) <= place {
            number += 1;
        }
        self.number = number;
        // What begins in one text and ends in the next is in neither.
        if place + length <= end_of(number) {
            self.found.set(number, true);
            self.next = end_of(number);
        }
    }
}

impl Head {
    fn of(needle: &[u8], case: Case) -> Head {
        let (mut bits, mut ignored) = ([u8::MAX; 8], [u8::MAX; 8]);
        for ((bits, ignored), byte) in bits.iter_mut().zip(&mut ignored).zip(needle) {
            // Other characters than letters differ in that bit too.
            let is_either = case == Case::Ignored && byte.is_ascii_alphabetic();
            *ignored = if is_either { CAPITAL } else { 0 };
            *bits = byte | *ignored;
        }
        Head {
            bits: u64::from_le_bytes(bits),
            ignored: u64::from_le_bytes(ignored),
            is_all: needle.len() <= bits.len(),
        }
    }
}

/// The bytes of a block, in four vectors.
type Block = [[u8; BLOCK / 4]; 4];

/// Whether there is a place where both bytes stand.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn any_hit<const BIT: u8>(one: &Block, other: &Block, bytes: [u8; 2]) -> bool {
    let ([a, b, c, d], [e, f, g, h]) = (one, other);
    let low = v128_or(both::<BIT>(a, e, bytes), both::<BIT>(b, f, bytes));
    let high = v128_or(both::<BIT>(c, g, bytes), both::<BIT>(d, h, bytes));
    v128_any_true(v128_or(low, high))
}

/// A bit for each of these places. Where one bit of each byte is ignored, something else may stand
/// there.
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
    v128_and(standing::<BIT>(one, a), standing::<BIT>(other, b))
}

#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn standing<const BIT: u8>(here: &[u8; 16], byte: u8) -> v128 {
    let here = u128::from_le_bytes(*here);
    // Two halves compile to one load, and need no pointer.
    let here = u64x2(here as u64, (here >> 64) as u64);
    u8x16_eq(v128_or(here, u8x16_splat(BIT)), u8x16_splat(byte | BIT))
}

/// The same where there are no vectors: of numbers, a byte that is zero borrows from its highest bit.
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
    fn finds_what_a_search_text_by_text_finds() {
        let all: Vec<u8> = (0u32..400)
            .map(|at| b"abAB {[\x1b@`v"[(at.wrapping_mul(2_654_435_761) >> 27) as usize % 11])
            .collect();
        let long = all.repeat(30);
        for needle in [&b"a"[..], b"ab", b"ba{", b"aab", b"b a", b"[", b"vv", b"`", b"abababab"] {
            for case in [Case::Ignored, Case::Sensitive] {
                let finder = Finder::new(needle, case);
                let is = |here: &[u8]| match case {
                    Case::Ignored => here.eq_ignore_ascii_case(needle),
                    Case::Sensitive => here == needle,
                };
                let holds = |text: &[u8]| text.windows(needle.len()).any(is);
                // One text, and many of all lengths up to 63, some of them empty.
                for from in 0..all.len() {
                    let rest = &all[from..];
                    let mut found = Bits::constant(1, false);
                    finder.search(rest, &[rest.len() as u32], &mut found);
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
                let mut found = Bits::constant(texts.len(), false);
                finder.search(&long, &ends, &mut found);
                let expected = Bits::fill(texts.len(), |number| holds(texts[number]));
                assert_eq!(found, expected, "{needle:?}");
                let start = |number: usize| number.checked_sub(1).map_or(0, |before| ends[before]);
                let range = |number: usize| start(number) as usize..ends[number] as usize;
                let one_by_one = Bits::fill(texts.len(), |nth| finder.is_in(&long, range(nth)));
                assert_eq!(one_by_one, expected, "{needle:?} text by text");
            }
        }
    }
}
