//! What a compaction must not forget: names whose numbers somebody holds.

use super::arena::NodeRef;
use super::shape::KeyRef;
use crate::base::bit_set::BitSet;

/// The nodes and keys that something refers to by number.
#[derive(Default)]
pub struct LiveIds {
    nodes: BitSet,
    keys: BitSet,
}

impl LiveIds {
    /// Something refers to this node.
    pub fn mark_node(&mut self, node: NodeRef) {
        self.nodes.insert(node.0);
    }

    /// Something refers to these nodes.
    pub fn mark_nodes(&mut self, nodes: &[u32]) {
        for node in nodes {
            self.nodes.insert(*node);
        }
    }

    /// Whether anything refers to this node.
    pub fn is_node_live(&self, id: u32) -> bool {
        self.nodes.has(id)
    }

    /// Whether anything refers to this key.
    pub fn is_key_live(&self, id: u32) -> bool {
        self.keys.has(id)
    }

    /// Something refers to this key.
    pub fn mark_key(&mut self, key: KeyRef) {
        self.keys.insert(key.0);
    }
}
