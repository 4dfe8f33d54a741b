//! Small graphs for commands.

use super::choices::Choices;
use byname::gasl::graph::Graph;
use byname::gasl::import::{ImportLimits, read_node_link};

const NODES: &[&str] = &["a", "b", "c", "d", "1", "ä"];
const VALUES: &[&str] = &[
    "1",
    "30",
    "-2.5",
    "1e300",
    "\"30\"",
    "\"ann\"",
    "\"Ann\"",
    "\"person\"",
    "\"\"",
    "null",
    "true",
    "[1,\"a\"]",
    "{\"deep\":1}",
    "\"a<SEP>b\"",
];
const FIELDS: &[&str] = &["type", "name", "age", "tags", "a b", "meta", "weight"];

/// Returns a graph with at most six nodes and eight edges.
pub fn graph(choices: &mut Choices<'_>) -> Graph {
    let mut text = format!("{{\"directed\":{},\"nodes\":[", choices.one_in(2));
    let count = 1 + choices.below(NODES.len());
    for (index, id) in NODES.iter().take(count).enumerate() {
        text += if index > 0 { ",{\"id\":\"" } else { "{\"id\":\"" };
        text += &format!("{id}\"");
        attributes(choices, &mut text);
    }
    text += "],\"links\":[";
    for index in 0..choices.below(9) {
        let ends = [NODES[choices.below(count)], NODES[choices.below(count)]];
        text += if index > 0 { "," } else { "" };
        text += &format!("{{\"source\":\"{}\",\"target\":\"{}\"", ends[0], ends[1]);
        attributes(choices, &mut text);
    }
    text += "]}";
    match read_node_link(text.as_bytes(), ImportLimits::default()) {
        Ok((graph, _)) => graph,
        Err(errors) => panic!("{text}: {errors:?}"),
    }
}

fn attributes(choices: &mut Choices<'_>, out: &mut String) {
    let first = choices.below(FIELDS.len());
    for index in 0..choices.below(4) {
        let field = FIELDS[(first + 2 * index) % FIELDS.len()];
        *out += &format!(",\"{field}\":{}", choices.pick(VALUES));
    }
    out.push('}');
}
