//! Roots of the compaction: handles in use.

use super::arena::NodeRef;
use super::shape::KeyRef;
use crate::base::bit_set;
use fixedbitset::FixedBitSet;

/// Node and key handles that something refers to.
#[derive(Default)]
pub struct LiveIds {
    nodes: FixedBitSet,
    keys: FixedBitSet,
}

impl LiveIds {
    pub fn mark_node(&mut self, node: NodeRef) {
        bit_set::insert(&mut self.nodes, node.0);
    }

    pub fn mark_nodes(&mut self, nodes: &[u32]) {
        for node in nodes {
            bit_set::insert(&mut self.nodes, *node);
        }
    }

    pub fn is_node_live(&self, id: u32) -> bool {
        self.nodes.contains(id as usize)
    }

    pub fn is_key_live(&self, id: u32) -> bool {
        self.keys.contains(id as usize)
    }

    pub fn mark_key(&mut self, key: KeyRef) {
        bit_set::insert(&mut self.keys, key.0);
    }
}
