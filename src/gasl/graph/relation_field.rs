//! Field of edges that contains their relation.

use super::Graph;

/// Names of the relation field, most specific first, in lower case without spaces and underscores.
const NAMES: [&str; 10] = [
    "type",
    "relation",
    "relationtype",
    "rel",
    "label",
    "labele",
    "edgetype",
    "predicate",
    "kind",
    "keywords",
];

impl Graph {
    /// Returns the first relation field that the edges have: `type`, `relation`, `relation_type`,
    /// `rel`, `label`, `labelE`, `edge_type`, `predicate`, `kind` or `keywords`.
    pub fn relation_field(&self) -> Option<&str> {
        let rank = |name: &str| NAMES.iter().position(|known| *known == normalize(name));
        let columns = self.edges.columns.iter().map(|column| &*column.name);
        columns
            .filter_map(|name| Some((rank(name)?, name)))
            .min_by_key(|(rank, _)| *rank)
            .map(|(_, name)| name)
    }
}

fn normalize(name: &str) -> String {
    name.chars().filter(|one| !" _".contains(*one)).flat_map(char::to_lowercase).collect()
}
