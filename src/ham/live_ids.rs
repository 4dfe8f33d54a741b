//! Roots of the compaction: handles in use.

use super::arena::NodeRef;
use super::shape::KeyRef;
use crate::base::bit_set::BitSet;

/// Node and key handles that something refers to.
#[derive(Default)]
pub struct LiveIds {
    nodes: BitSet,
    keys: BitSet,
}

impl LiveIds {
    pub fn mark_node(&mut self, node: NodeRef) {
        self.nodes.insert(node.0);
    }

    pub fn mark_nodes(&mut self, nodes: &[u32]) {
        for node in nodes {
            self.nodes.insert(*node);
        }
    }

    pub fn is_node_live(&self, id: u32) -> bool {
        self.nodes.has(id)
    }

    pub fn is_key_live(&self, id: u32) -> bool {
        self.keys.has(id)
    }

    pub fn mark_key(&mut self, key: KeyRef) {
        self.keys.insert(key.0);
    }
}
