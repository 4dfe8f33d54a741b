//! The `<key>` declarations of GraphML: what attributes are called, and of what type they are.

use crate::base::map::Names;
use crate::gasl::graph::Given;
use crate::gasl::import::exact_number;

/// The declared keys.
#[derive(Default)]
pub struct Keys {
    pub keys: Vec<Key>,
    by_id: Names,
}

/// One `<key>`.
#[derive(Clone, Debug)]
pub struct Key {
    /// The name of the attribute.
    pub name: String,
    kind: Kind,
    pub of: Of,
    /// What rows have that say nothing else.
    pub default: Option<String>,
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
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
        Key { name, kind, of, default: None }
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

    /// The number of a key.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).map(|number| *number as usize)
    }
}
