//! The `<key>` declarations of GraphML: what attributes are called, and of what type they are.

use crate::base::map::NameMap;
use crate::gasl::graph::{AttributeValue, Element};
use crate::gasl::import::exact_number;

/// The declared keys.
#[derive(Default)]
pub struct KeyDeclarations {
    keys: Vec<KeyDeclaration>,
    by_id: NameMap,
    /// The numbers of those with a default for nodes, and for edges.
    node_defaults: Vec<usize>,
    edge_defaults: Vec<usize>,
}

/// One `<key>`.
#[derive(Clone, Debug)]
pub struct KeyDeclaration {
    /// The name of the attribute.
    pub name: String,
    kind: ValueType,
    of: KeyTarget,
    /// What rows have that say nothing else.
    pub default: Option<String>,
    /// The last row that said something else.
    pub last_set_on: Option<Element>,
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyTarget {
    Nodes,
    Edges,
    /// KeyTarget nodes and of edges, and whatever else there is.
    All,
    /// KeyTarget the graph.
    Graph,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueType {
    Text,
    Number,
    Bool,
}

impl KeyDeclaration {
    /// A key as its MALFORMED_XML attributes declare it.
    pub fn new(name: String, kind: &str, of: &str) -> KeyDeclaration {
        let kind = match kind {
            "int" | "integer" | "long" | "float" | "double" | "short" | "byte" => ValueType::Number,
            "boolean" | "bool" => ValueType::Bool,
            _ => ValueType::Text,
        };
        let of = match of {
            "node" => KeyTarget::Nodes,
            "edge" => KeyTarget::Edges,
            "graph" => KeyTarget::Graph,
            _ => KeyTarget::All,
        };
        KeyDeclaration { name, kind, of, default: None, last_set_on: None }
    }

    /// The value that a text means, and whether it is of the key's type.
    pub fn value<'a>(&self, text: &'a str) -> (AttributeValue<'a>, bool) {
        let meant = text.trim();
        let value = match self.kind {
            ValueType::Text => return (AttributeValue::Text(text), true),
            ValueType::Number => exact_number(meant).map(AttributeValue::Number),
            ValueType::Bool => match meant {
                "true" | "True" | "TRUE" | "1" => Some(AttributeValue::Bool(true)),
                "false" | "False" | "FALSE" | "0" => Some(AttributeValue::Bool(false)),
                _ => None,
            },
        };
        let fits = value.is_some();
        (value.unwrap_or(AttributeValue::Text(text)), fits)
    }
}

impl KeyDeclarations {
    /// Declares a key; answers its number.
    pub fn declare(&mut self, id: &str, key: KeyDeclaration) -> usize {
        self.by_id.insert(id.to_owned(), self.keys.len() as u32);
        self.keys.push(key);
        self.keys.len() - 1
    }

    /// A key by its id.
    pub fn find(&mut self, id: &str) -> Option<&mut KeyDeclaration> {
        self.keys.get_mut(*self.by_id.get(id)? as usize)
    }

    /// Gives a key a default, once.
    pub fn set_default(&mut self, number: usize, default: String) {
        let Some(key) = self.keys.get_mut(number).filter(|key| key.default.is_none()) else {
            return;
        };
        key.default = Some(default);
        if matches!(key.of, KeyTarget::Nodes | KeyTarget::All) {
            self.node_defaults.push(number);
        }
        if matches!(key.of, KeyTarget::Edges | KeyTarget::All) {
            self.edge_defaults.push(number);
        }
    }

    /// The keys with a default for such a row.
    pub fn with_default(&self, row: Element) -> impl Iterator<Item = &KeyDeclaration> {
        let numbers = match row {
            Element::Node(_) => &self.node_defaults,
            Element::Edge(_) => &self.edge_defaults,
        };
        numbers.iter().filter_map(|number| self.keys.get(*number))
    }
}
