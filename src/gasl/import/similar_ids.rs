//! Finds ids that differ only in letter case or white space: mostly one node, written in two ways.

use crate::base::keyed_hash::hash_of;
use crate::base::map::{NameMap, pack_pair, unpack_pair};
use crate::gasl::graph::GraphBuilder;

/// Ids that equal another one except for letter case and white space.
pub struct SimilarIds {
    /// Number of these ids.
    pub count: usize,
    /// The first ones, similar ids next to each other.
    pub examples: Vec<String>,
}

/// Maximum number of examples.
const MAX_EXAMPLES: usize = 6;

/// Bits of the filter for each id; one id in sixteen is compared without need.
const FILTER_BITS: usize = 16;

/// Returns the similar ids of nodes; `None` if there are none. Compares hashes first, so that a
/// million ids take about 20 ms.
pub fn similar_ids(builder: &GraphBuilder) -> Option<SimilarIds> {
    let can_differ = |byte: &u8| byte.is_ascii_uppercase() || is_space(*byte) || !byte.is_ascii();
    if !builder.id_bytes().iter().any(can_differ) {
        return None;
    }
    let slots = (builder.node_count() * FILTER_BITS).next_power_of_two().max(64);
    let mut filter = vec![0u64; slots / 64];
    let mut folded = String::new();
    let mut slots_of_ids = Vec::with_capacity(builder.node_count());
    let mut repeated = Vec::new();
    for id in builder.node_ids() {
        let slot = hash_of_folded(id, &mut folded) & (slots as u64 - 1);
        slots_of_ids.push(slot);
        let Some(word) = filter.get_mut(slot as usize / 64) else { continue };
        if *word >> (slot % 64) & 1 == 1 {
            repeated.push(slot);
        }
        *word |= 1 << (slot % 64);
    }
    repeated.sort_unstable();
    let mut codes = NameMap::default();
    // Pairs of the code of a folded id and the index of the candidate.
    let (mut candidates, mut pairs) = (Vec::new(), Vec::new());
    for (id, slot) in builder.node_ids().zip(slots_of_ids) {
        if repeated.binary_search(&slot).is_ok() {
            fold_id(id, &mut folded);
            let next = codes.len() as u32;
            let code = *codes.entry(folded.clone()).or_insert(next);
            pairs.push(pack_pair(code, candidates.len() as u32));
            candidates.push(id);
        }
    }
    pairs.sort_unstable();
    let mut similar = SimilarIds { count: 0, examples: Vec::new() };
    for group in pairs
        .chunk_by(|a, b| unpack_pair(*a).0 == unpack_pair(*b).0)
        .filter(|group| group.len() > 1)
    {
        similar.count += group.len();
        let free = MAX_EXAMPLES.saturating_sub(similar.examples.len());
        let ids = group
            .iter()
            .take(free)
            .filter_map(|pair| candidates.get(unpack_pair(*pair).1 as usize));
        similar.examples.extend(ids.map(|id| (*id).to_owned()));
    }
    (similar.count > 0).then_some(similar)
}

/// Returns the hash of an id in lower case, trimmed, with single spaces.
fn hash_of_folded(id: &str, folded: &mut String) -> u64 {
    fold_id(id, folded);
    let hash = hash_of(folded.as_bytes());
    // The low bits select the slot of the filter.
    hash ^ hash >> 32
}

/// Replaces `folded` with the id in lower case, trimmed, with single spaces.
fn fold_id(id: &str, folded: &mut String) {
    folded.clear();
    if id.is_ascii() {
        let mut was_space = true;
        for byte in id.bytes() {
            let space = is_space(byte);
            if !(space && was_space) {
                folded.push(if space { ' ' } else { char::from(byte.to_ascii_lowercase()) });
            }
            was_space = space;
        }
        folded.truncate(folded.trim_ascii_end().len());
        return;
    }
    for word in id.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gasl::graph::QuoteHandling;

    fn check(ids: &[&str], expected: &[&str]) {
        let mut builder = GraphBuilder::new(QuoteHandling::Keep);
        for id in ids {
            builder.add_node(id);
        }
        let found = similar_ids(&builder);
        assert_eq!(found.as_ref().map_or(0, |found| found.count), expected.len(), "{ids:?}");
        assert_eq!(found.map(|found| found.examples).unwrap_or_default(), expected);
    }

    #[test]
    fn finds_ids_that_differ_in_case_or_space() {
        check(&["a", "b", "1", "01"], &[]);
        check(&["A", "B", "Ab", "A b"], &[]);
        check(&["Ann", "Bob", "ann ", "Cid", "ANN", "bob"], &["Ann", "ann ", "ANN", "Bob", "bob"]);
        check(&["New  York", "new york", "Newyork"], &["New  York", "new york"]);
        check(&["ÄRZTE", "ärzte", "İ"], &["ÄRZTE", "ärzte"]);
        check(&["", " "], &["", " "]);
    }

    #[test]
    fn compares_many_ids() {
        let ids: Vec<String> = (0..20_000).map(|nth| format!("Node {nth}")).collect();
        let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        check(&ids, &[]);
        ids.push("node 7");
        check(&ids, &["Node 7", "node 7"]);
    }
}
