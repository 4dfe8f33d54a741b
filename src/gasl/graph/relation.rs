//! The field with the type of an edge, which `FOLLOW` compares.

use super::Graph;
use super::column::Column;
use crate::base::Value;
use std::rc::Rc;

/// Names of the relation field, most specific first. Case does not matter, and a space equals `_`.
const RELATION_FIELDS: [&str; 10] = [
    "type",
    "relation",
    "relation_type",
    "rel",
    "label",
    "labelE",
    "edge_type",
    "predicate",
    "kind",
    "keywords",
];

/// Texts in the field `type` of exports that distinguish edges from nodes.
const EDGE_WORDS: [&str; 4] = ["relationship", "relation", "edge", "link"];

/// Number of edges that show whether a field only distinguishes edges from nodes.
const TESTED_EDGES: usize = 100;

impl Graph {
    /// Returns the relation field: the first of [`RELATION_FIELDS`] that the edges have. A field that
    /// only states that each edge is one is skipped if there is another.
    pub fn relation_field(&self) -> Option<Rc<str>> {
        let columns = RELATION_FIELDS.iter().flat_map(|field| {
            self.edges.columns.iter().find(|column| is_same_name(&column.name, field))
        });
        let first = columns.clone().find(|column| !is_edge_mark(column));
        first.or(columns.clone().next()).map(|column| column.name.clone())
    }

    /// Returns the relation field among the names of fields.
    pub fn relation_field_of<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
        RELATION_FIELDS
            .iter()
            .find_map(|field| names.clone().find(|name| is_same_name(name, field)))
    }

    /// Returns the names that a relation field may have.
    pub fn relation_field_names() -> [&'static str; 10] {
        RELATION_FIELDS
    }
}

/// Returns whether a field states of the first edges that they are edges.
fn is_edge_mark(column: &Column) -> bool {
    let is_mark = |cell| {
        let value = column.value_of(cell);
        let text = value.as_ref().and_then(Value::as_text);
        text.is_some_and(|text| EDGE_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)))
    };
    column.present_cells().take(TESTED_EDGES).all(|(_, cell)| is_mark(cell))
}

fn is_same_name(name: &str, field: &str) -> bool {
    name.len() == field.len() && name.replace(' ', "_").eq_ignore_ascii_case(field)
}
