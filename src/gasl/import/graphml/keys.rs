//! `<key>` declarations of GraphML: names, types and defaults of attributes.

use crate::base::map::NameMap;
use crate::gasl::graph::{AttributeValue, Element};
use crate::gasl::import::exact_number;

/// All key declarations.
#[derive(Default)]
pub struct KeyDeclarations {
    keys: Vec<KeyDeclaration>,
    by_id: NameMap,
    /// Indices of the keys with a default for nodes, and for edges.
    node_defaults: Vec<usize>,
    edge_defaults: Vec<usize>,
}

/// A `<key>`.
#[derive(Clone, Debug)]
pub struct KeyDeclaration {
    /// Name of the attribute.
    pub name: String,
    value_type: ValueType,
    target: KeyTarget,
    /// Value of elements that do not set the key.
    pub default: Option<String>,
    /// Last element that set the key.
    pub last_set_on: Option<Element>,
}

/// Kind of elements that a key applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyTarget {
    Nodes,
    Edges,
    All,
    Graph,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueType {
    Text,
    Number,
    Bool,
}

impl KeyDeclaration {
    /// Returns a key with the declared type and target; unknown ones are text and all elements.
    pub fn new(name: String, value_type: &str, target: &str) -> KeyDeclaration {
        let value_type = match value_type {
            "int" | "integer" | "long" | "float" | "double" | "short" | "byte" => ValueType::Number,
            "boolean" | "bool" => ValueType::Bool,
            _ => ValueType::Text,
        };
        let target = match target {
            "node" => KeyTarget::Nodes,
            "edge" => KeyTarget::Edges,
            "graph" => KeyTarget::Graph,
            _ => KeyTarget::All,
        };
        KeyDeclaration { name, value_type, target, default: None, last_set_on: None }
    }

    /// Parses a text as the type of the key. Returns the text and `false` if that fails.
    pub fn value<'a>(&self, text: &'a str) -> (AttributeValue<'a>, bool) {
        let trimmed = text.trim();
        let value = match self.value_type {
            ValueType::Text => return (AttributeValue::Text(text), true),
            ValueType::Number => exact_number(trimmed).map(AttributeValue::Number),
            ValueType::Bool => match trimmed {
                "true" | "True" | "TRUE" | "1" => Some(AttributeValue::Bool(true)),
                "false" | "False" | "FALSE" | "0" => Some(AttributeValue::Bool(false)),
                _ => None,
            },
        };
        let is_valid = value.is_some();
        (value.unwrap_or(AttributeValue::Text(text)), is_valid)
    }
}

impl KeyDeclarations {
    /// Adds a key. Returns its index.
    pub fn declare(&mut self, id: &str, key: KeyDeclaration) -> usize {
        self.by_id.insert(id.to_owned(), self.keys.len() as u32);
        self.keys.push(key);
        self.keys.len() - 1
    }

    /// Returns a key by its id.
    pub fn find(&mut self, id: &str) -> Option<&mut KeyDeclaration> {
        self.keys.get_mut(*self.by_id.get(id)? as usize)
    }

    /// Sets the default of a key unless it has one.
    pub fn set_default(&mut self, index: usize, default: String) {
        let Some(key) = self.keys.get_mut(index).filter(|key| key.default.is_none()) else {
            return;
        };
        key.default = Some(default);
        if matches!(key.target, KeyTarget::Nodes | KeyTarget::All) {
            self.node_defaults.push(index);
        }
        if matches!(key.target, KeyTarget::Edges | KeyTarget::All) {
            self.edge_defaults.push(index);
        }
    }

    /// Returns the keys with a default for the kind of an element.
    pub fn with_default(&self, element: Element) -> impl Iterator<Item = &KeyDeclaration> {
        let indices = match element {
            Element::Node(_) => &self.node_defaults,
            Element::Edge(_) => &self.edge_defaults,
        };
        indices.iter().filter_map(|index| self.keys.get(*index))
    }
}
