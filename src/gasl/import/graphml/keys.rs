//! The `<key>` declarations of GraphML: what attributes are called, and of what type they are.

use crate::base::map::NameMap;
use crate::gasl::graph::{Given, Row};
use crate::gasl::import::exact_number;

/// The declared keys.
#[derive(Default)]
pub struct Keys {
    keys: Vec<Key>,
    by_id: NameMap,
    /// The numbers of those with a default for nodes, and for edges.
    node_defaults: Vec<usize>,
    edge_defaults: Vec<usize>,
}

/// One `<key>`.
#[derive(Clone, Debug)]
pub struct Key {
    /// The name of the attribute.
    pub name: String,
    kind: Kind,
    of: Of,
    /// What rows have that say nothing else.
    pub default: Option<String>,
    /// The last row that said something else.
    pub said_of: Option<Row>,
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Nodes,
    Edges,
    /// Of nodes and of edges, and whatever else there is.
    All,
    /// Of the graph.
    Graph,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Bool,
}

impl Key {
    /// A key as its XML attributes declare it.
    pub fn new(name: String, kind: &str, of: &str) -> Key {
        let kind = match kind {
            "int" | "integer" | "long" | "float" | "double" | "short" | "byte" => Kind::Number,
            "boolean" | "bool" => Kind::Bool,
            _ => Kind::Text,
        };
        let of = match of {
            "node" => Of::Nodes,
            "edge" => Of::Edges,
            "graph" => Of::Graph,
            _ => Of::All,
        };
        Key { name, kind, of, default: None, said_of: None }
    }

    /// The value that a text means, and whether it is of the key's type.
    pub fn value<'a>(&self, text: &'a str) -> (Given<'a>, bool) {
        let meant = text.trim();
        let value = match self.kind {
            Kind::Text => return (Given::Text(text), true),
            Kind::Number => exact_number(meant).map(Given::Number),
            Kind::Bool => match meant {
                "true" | "True" | "TRUE" | "1" => Some(Given::Bool(true)),
                "false" | "False" | "FALSE" | "0" => Some(Given::Bool(false)),
                _ => None,
            },
        };
        let fits = value.is_some();
        (value.unwrap_or(Given::Text(text)), fits)
    }
}

impl Keys {
    /// Declares a key; answers its number.
    pub fn declare(&mut self, id: &str, key: Key) -> usize {
        self.by_id.insert(id.to_owned(), self.keys.len() as u32);
        self.keys.push(key);
        self.keys.len() - 1
    }

    /// A key by its id.
    pub fn find(&mut self, id: &str) -> Option<&mut Key> {
        self.keys.get_mut(*self.by_id.get(id)? as usize)
    }

    /// Gives a key a default, once.
    pub fn set_default(&mut self, number: usize, default: String) {
        let Some(key) = self.keys.get_mut(number).filter(|key| key.default.is_none()) else {
            return;
        };
        key.default = Some(default);
        if matches!(key.of, Of::Nodes | Of::All) {
            self.node_defaults.push(number);
        }
        if matches!(key.of, Of::Edges | Of::All) {
            self.edge_defaults.push(number);
        }
    }

    /// The keys with a default for such a row.
    pub fn with_default(&self, row: Row) -> impl Iterator<Item = &Key> {
        let numbers = match row {
            Row::Node(_) => &self.node_defaults,
            Row::Edge(_) => &self.edge_defaults,
        };
        numbers.iter().filter_map(|number| self.keys.get(*number))
    }
}
