//! Declarations of attributes: `<key>` of GraphML, `<attribute>` of GEXF.

use crate::base::map::NameMap;
use crate::gasl::graph::Element;
use crate::gasl::import::value_type::ValueType;

/// Kind of elements that a key applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyTarget {
    Nodes,
    Edges,
    Graph,
    All,
    /// Ports, hyperedges and their ends, which are not read.
    Others,
}

const TARGET_COUNT: usize = 5;

/// All declarations, by id and target: one id can be declared for nodes and for edges.
#[derive(Default)]
pub struct KeyDeclarations {
    keys: Vec<KeyDeclaration>,
    by_id: [NameMap; TARGET_COUNT],
    /// Indices of the keys with a default for nodes, and for edges.
    node_defaults: Vec<usize>,
    edge_defaults: Vec<usize>,
}

/// Declaration of an attribute.
#[derive(Clone, Debug)]
pub struct KeyDeclaration {
    /// Name of the attribute.
    pub name: String,
    pub value_type: ValueType,
    pub target: KeyTarget,
    /// Whether its data are drawings (yEd) instead of values.
    pub is_drawing: bool,
    /// Value of elements that do not set the key.
    pub default: Option<String>,
    /// Index of the attribute of nodes, and of edges, once it is set.
    pub node_attribute: Option<usize>,
    pub edge_attribute: Option<usize>,
}

impl KeyTarget {
    /// Returns the kind of an element.
    pub fn from_element(element: Element) -> KeyTarget {
        match element {
            Element::Node(_) => KeyTarget::Nodes,
            Element::Edge(_) => KeyTarget::Edges,
        }
    }

    /// Returns the name of the elements in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            KeyTarget::Nodes => "nodes",
            KeyTarget::Edges => "edges",
            KeyTarget::Graph => "the graph",
            KeyTarget::All => "all elements",
            KeyTarget::Others => "ports or hyperedges",
        }
    }
}

impl KeyDeclaration {
    /// Returns a key without a default.
    pub fn new(name: String, value_type: ValueType, target: KeyTarget) -> KeyDeclaration {
        KeyDeclaration {
            name,
            value_type,
            target,
            is_drawing: false,
            default: None,
            node_attribute: None,
            edge_attribute: None,
        }
    }
}

impl KeyDeclarations {
    /// Adds a key. Returns its index, and whether the id was declared for the same target before.
    pub fn declare(&mut self, id: &str, key: KeyDeclaration) -> (usize, bool) {
        let index = self.keys.len();
        let by_id = self.by_id.get_mut(key.target as usize);
        let earlier = by_id.and_then(|by_id| by_id.insert(id.to_owned(), index as u32));
        if let Some(replaced) = earlier.and_then(|earlier| self.keys.get_mut(earlier as usize)) {
            replaced.default = None;
        }
        self.keys.push(key);
        (index, earlier.is_some())
    }

    /// Returns the index of a key for a target: one that is declared for it, else for all elements,
    /// else for other elements.
    pub fn find(&self, id: &str, target: KeyTarget) -> Option<usize> {
        let find = |target: KeyTarget| self.by_id.get(target as usize)?.get(id).copied();
        let others = [KeyTarget::Nodes, KeyTarget::Edges, KeyTarget::Graph, KeyTarget::Others];
        find(target)
            .or_else(|| find(KeyTarget::All))
            .or_else(|| others.into_iter().find_map(find))
            .map(|index| index as usize)
    }

    /// Returns a key by its index.
    pub fn get(&self, index: usize) -> Option<&KeyDeclaration> {
        self.keys.get(index)
    }

    /// Returns a key by its index, to change it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut KeyDeclaration> {
        self.keys.get_mut(index)
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

    /// Returns the indices of the keys with a default for the kind of an element.
    pub fn with_default(&self, element: Element) -> &[usize] {
        match element {
            Element::Node(_) => &self.node_defaults,
            Element::Edge(_) => &self.edge_defaults,
        }
    }
}
