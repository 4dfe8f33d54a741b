//! Bounded views of the state for prompts: always the same ones for the same seed.

use super::language::ast::Kind;
use super::state::{META, data_keys, kind_of, payload};
use crate::base::Value;
use crate::base::value::{Map, excerpt, excerpt_of, put};

/// What a summary says of an entry: its type, its size, what it is for, and one example.
pub fn summary_of(entry: &Value) -> Value {
    let mut map = Map::default();
    let meta = entry.get(META);
    put(&mut map, "type", kind_of(entry).map_or(Value::Null, |kind| kind.word().into()));
    if let Some(description) =
        meta.and_then(|meta| meta.get("description")).filter(|text| !text.is_null())
    {
        put(&mut map, "description", description.clone());
    }
    match kind_of(entry) {
        Some(Kind::List) => {
            let items = entry.get("items").and_then(Value::as_list).unwrap_or_default();
            put(&mut map, "count", items.len());
            if let Some(first) = items.first() {
                put(&mut map, "example", excerpt(first, 200));
            }
        }
        Some(Kind::Counter) => {
            put(&mut map, "value", payload(entry));
        }
        _ => {
            put(&mut map, "keys", data_keys(entry));
            put(&mut map, "excerpt", excerpt(&payload(entry), 200));
        }
    }
    map.into()
}

/// What is shown of a value.
pub struct Sample {
    pub text: String,
    /// How many rows are in it, in part or whole.
    pub rows: usize,
    /// How many of them, or of values that are no list, are shown in part.
    pub cut: usize,
}

/// A row is worth showing if it has so many characters.
const LEAST: usize = 40;

/// At most `items` rows of a list in their order, and at most `chars` characters of it.
pub fn sample(value: &Value, items: usize, chars: usize, seed: f64) -> Sample {
    let part = |value: &Value, most: usize| {
        let text = excerpt(value, most.saturating_add(1));
        match text.chars().count() > most {
            true => (excerpt_of(&text, most), 1),
            false => (text, 0),
        }
    };
    let Value::List(list) = value else {
        let (text, cut) = part(value, chars);
        return Sample { text, rows: 0, cut };
    };
    let chosen = chosen(list.len(), items.min((chars / LEAST).max(1)), seed);
    let mut out = match chosen.len() < list.len() {
        true => format!("{} of {} items:", chosen.len(), list.len()),
        false => format!("{} items:", list.len()),
    };
    let (rows, mut all_cut) = (chosen.len(), 0);
    let each = chars / rows.max(1);
    for index in chosen {
        let (text, cut) = part(list.get(index).unwrap_or(&Value::Null), each);
        out.push('\n');
        out.push_str(&text);
        all_cut += cut;
    }
    Sample { text: out, rows, cut: all_cut }
}

/// Which of `count` rows are shown: `most` of them, spread by the seed, in order.
fn chosen(count: usize, most: usize, seed: f64) -> Vec<usize> {
    if count <= most {
        return (0..count).collect::<Vec<_>>();
    }
    // One row out of each of `most` equal parts, so that no part of the list is left out.
    let mut state = seed.to_bits() ^ 0x9e37_79b9_7f4a_7c15;
    (0..most)
        .map(|part| {
            let place = |part: usize| part as u64 * count as u64 / most as u64;
            let (from, to) = (place(part), place(part + 1));
            (from + next(&mut state) % (to - from).max(1)) as usize
        })
        .collect::<Vec<_>>()
}

/// SplitMix64: the next of a sequence that looks like chance and is the same for a seed.
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
