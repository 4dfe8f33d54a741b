//! A Bloom-like filter for substring search: each text has a 64-bit signature of its byte bigrams,
//! hashed without the case of letters. A text whose signature lacks a bit of the needle cannot
//! contain it.

use super::bit_mask::BitMask;

/// Signature of each text; empty if the filter is not used.
#[derive(Default)]
pub struct BigramFilter(Vec<u64>);

/// Maximum average length in bytes: signatures of longer texts have most bits set.
const MAX_AVERAGE_LENGTH: usize = 128;

/// Minimum average length in bytes: shorter texts are searched as fast directly.
const MIN_AVERAGE_LENGTH: usize = 24;

impl BigramFilter {
    /// Builds the filter of contiguous texts with these end offsets; empty if their average length is
    /// out of range.
    pub fn new(texts: &[u8], ends: &[u32]) -> BigramFilter {
        let length = texts.len().checked_div(ends.len()).unwrap_or_default();
        if !(MIN_AVERAGE_LENGTH..=MAX_AVERAGE_LENGTH).contains(&length) {
            return BigramFilter::default();
        }
        let mut signatures = Vec::with_capacity(ends.len());
        let mut start = 0;
        for end in ends {
            let end = *end as usize;
            signatures.push(signature(texts.get(start..end).unwrap_or_default()));
            start = end;
        }
        BigramFilter(signatures)
    }

    /// Returns the texts that may contain the needle; `None` if those are a quarter or more.
    pub fn candidates(&self, needle: &[u8]) -> Option<BitMask> {
        let bits = signature(needle);
        if bits == 0 || self.0.is_empty() {
            return None;
        }
        let candidates = BitMask::containing_bits(&self.0, bits);
        (candidates.count() < self.0.len() / 4).then_some(candidates)
    }
}

/// Returns a 64-bit signature with one bit per bigram hash.
fn signature(text: &[u8]) -> u64 {
    /// Case bit of both bytes of a bigram.
    const CASE_BITS: u32 = 0x2020;
    /// Multiplier of Fibonacci hashing.
    const MULTIPLIER: u32 = 0x9e37_79b1;
    let (mut signature, mut bigram) = (0, 0);
    for (byte, nth) in text.iter().zip(0usize..) {
        bigram = (bigram << 8 | u32::from(*byte)) & 0xffff;
        let bit = (bigram | CASE_BITS).wrapping_mul(MULTIPLIER) >> (u32::BITS - 6);
        signature |= u64::from(nth > 0) << bit;
    }
    signature
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_include_every_match() {
        let texts: Vec<String> = (0u32..1000)
            .map(|nth| format!("A description of Node {nth}, ÄÖ [{}]", nth.wrapping_mul(7919)))
            .collect();
        let mut ends = Vec::new();
        texts.iter().fold(0, |end, text| {
            ends.push(end + text.len() as u32);
            end + text.len() as u32
        });
        let filter = BigramFilter::new(texts.concat().as_bytes(), &ends);
        let mut used = 0;
        let needles = ["7919]", "NODE 99", "node 42,", "äö [0", "ion of", "zzzz", "[15838]", "x"];
        for needle in needles {
            let Some(candidates) = filter.candidates(needle.as_bytes()) else { continue };
            used += 1;
            for (text, nth) in texts.iter().zip(0..) {
                let holds = text.to_ascii_lowercase().contains(&needle.to_ascii_lowercase());
                assert!(candidates.get(nth) || !holds, "{needle} in {text}");
            }
        }
        assert!(used >= 4, "{used}");
    }

    /// Returns whether the filter is used for a needle among a hundred equal texts.
    fn is_used(text: &str, needle: &str) -> bool {
        let ends: Vec<u32> = (1..=100).map(|nth| nth * text.len() as u32).collect();
        BigramFilter::new(text.repeat(100).as_bytes(), &ends)
            .candidates(needle.as_bytes())
            .is_some()
    }

    #[test]
    fn is_unused_for_short_needles_and_other_lengths() {
        let of = |length: usize| "description".chars().cycle().take(length).collect::<String>();
        assert!(is_used(&of(MIN_AVERAGE_LENGTH), "zz") && is_used(&of(MAX_AVERAGE_LENGTH), "zz"));
        assert!(!is_used(&of(MIN_AVERAGE_LENGTH), "z"), "the needle has no bigram");
        assert!(!is_used(&of(MIN_AVERAGE_LENGTH), "script"), "all texts are candidates");
        assert!(!is_used(&of(MIN_AVERAGE_LENGTH - 1), "zz"), "the texts are short");
        assert!(!is_used(&of(MAX_AVERAGE_LENGTH + 1), "zz"), "the texts are long");
    }
}
