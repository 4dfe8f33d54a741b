//! The field with the type of an edge, which `FOLLOW` compares.

use super::Graph;
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

impl Graph {
    /// Returns the relation field: the first of [`RELATION_FIELDS`] that the edges have.
    pub fn relation_field(&self) -> Option<Rc<str>> {
        let names = self.edges.columns.iter().map(|column| &column.name);
        RELATION_FIELDS.iter().find_map(|field| {
            let mut fitting = names.clone().filter(|name| is_same_name(name, field));
            fitting.next().cloned()
        })
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

fn is_same_name(name: &str, field: &str) -> bool {
    name.len() == field.len() && name.replace(' ', "_").eq_ignore_ascii_case(field)
}
