//! What a compaction must not forget: names whose numbers somebody holds.

use super::arena::NodeRef;
use super::shape::KeyRef;
use crate::base::bit_set::BitSet;

/// The nodes and keys that something refers to by number.
#[derive(Default)]
pub struct Pinned {
    nodes: BitSet,
    keys: BitSet,
}

impl Pinned {
    /// Something refers to this node.
    pub fn node(&mut self, node: NodeRef) {
        self.nodes.insert(node.0);
    }

    /// Something refers to these nodes.
    pub fn nodes(&mut self, nodes: &[u32]) {
        for node in nodes {
            self.nodes.insert(*node);
        }
    }

    /// Whether anything refers to this node.
    pub fn has_node(&self, number: u32) -> bool {
        self.nodes.has(number)
    }

    /// Whether anything refers to this key.
    pub fn has_key(&self, number: u32) -> bool {
        self.keys.has(number)
    }

    /// Something refers to this key.
    pub fn key(&mut self, key: KeyRef) {
        self.keys.insert(key.0);
    }
}
