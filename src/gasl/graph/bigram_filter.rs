//! Which texts something cannot stand in, told without reading them: of each text it is known which
//! pairs of bytes it has, whatever the case of their letters. There are sixty-four kinds of pairs, a bit
//! each, so that a text of a hundred bytes takes eight.

use super::bit_mask::BitMask;

/// The kinds of pairs that each text has.
#[derive(Default)]
pub struct BigramFilter(Vec<u64>);

/// Texts that are longer than this on average have most kinds of pairs, and reading them is as good.
const LONGEST: usize = 128;

/// Texts that are shorter than this on average are read as fast.
const SHORTEST: usize = 24;

impl BigramFilter {
    /// Those of texts that lie side by side and end where `ends` says; none where they would not help.
    pub fn of(texts: &[u8], ends: &[u32]) -> BigramFilter {
        let length = texts.len().checked_div(ends.len()).unwrap_or_default();
        if !(SHORTEST..=LONGEST).contains(&length) {
            return BigramFilter::default();
        }
        let mut kinds = Vec::with_capacity(ends.len());
        let mut start = 0;
        for end in ends {
            let end = *end as usize;
            kinds.push(kinds_in(texts.get(start..end).unwrap_or_default()));
            start = end;
        }
        BigramFilter(kinds)
    }

    /// The texts that something may stand in, where those are few.
    pub fn candidates(&self, needle: &[u8]) -> Option<BitMask> {
        let wanted = kinds_in(needle);
        if wanted == 0 || self.0.is_empty() {
            return None;
        }
        let likely = BitMask::covering(&self.0, wanted);
        (likely.count() < self.0.len() / 4).then_some(likely)
    }
}

/// A bit for each kind of pair that a text has.
fn kinds_in(text: &[u8]) -> u64 {
    /// Capitals and small letters are the same without these.
    const CAPITALS: u32 = 0x2020;
    /// Spreads the pairs over the highest bits (Fibonacci hashing).
    const SPREAD: u32 = 0x9e37_79b1;
    let (mut kinds, mut pair) = (0, 0);
    for (byte, nth) in text.iter().zip(0usize..) {
        pair = (pair << 8 | u32::from(*byte)) & 0xffff;
        let kind = (pair | CAPITALS).wrapping_mul(SPREAD) >> (u32::BITS - 6);
        kinds |= u64::from(nth > 0) << kind;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_left_out_that_has_it() {
        let texts: Vec<String> = (0u32..1000)
            .map(|nth| format!("A description of Node {nth}, ÄÖ [{}]", nth.wrapping_mul(7919)))
            .collect();
        let mut ends = Vec::new();
        texts.iter().fold(0, |end, text| {
            ends.push(end + text.len() as u32);
            end + text.len() as u32
        });
        let pairs = BigramFilter::of(texts.concat().as_bytes(), &ends);
        let mut answered = 0;
        let needles = ["7919]", "NODE 99", "node 42,", "äö [0", "ion of", "zzzz", "[15838]", "x"];
        for needle in needles {
            let Some(likely) = pairs.candidates(needle.as_bytes()) else { continue };
            answered += 1;
            for (text, nth) in texts.iter().zip(0..) {
                let holds = text.to_ascii_lowercase().contains(&needle.to_ascii_lowercase());
                assert!(likely.get(nth) || !holds, "{needle} in {text}");
            }
        }
        assert!(answered >= 4, "{answered}");
    }

    /// Whether anything is told of a needle among a hundred texts that are all the same.
    fn tells(text: &str, needle: &str) -> bool {
        let ends: Vec<u32> = (1..=100).map(|nth| nth * text.len() as u32).collect();
        BigramFilter::of(text.repeat(100).as_bytes(), &ends).candidates(needle.as_bytes()).is_some()
    }

    #[test]
    fn where_nothing_can_be_told_nothing_is() {
        let of = |length: usize| "description".chars().cycle().take(length).collect::<String>();
        assert!(tells(&of(SHORTEST), "zz") && tells(&of(LONGEST), "zz"));
        assert!(!tells(&of(SHORTEST), "z"), "there is no pair");
        assert!(!tells(&of(SHORTEST), "script"), "all have it");
        assert!(!tells(&of(SHORTEST - 1), "zz"), "they are short");
        assert!(!tells(&of(LONGEST + 1), "zz"), "they are long");
    }
}
