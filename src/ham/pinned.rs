//! What a compaction must not forget: names whose numbers somebody holds.

use super::arena::NodeRef;
use super::shape::KeyRef;
use crate::base::bit_set;
use fixedbitset::FixedBitSet;

/// The nodes and keys that something refers to by number.
#[derive(Default)]
pub struct Pinned {
    nodes: FixedBitSet,
    keys: FixedBitSet,
}

impl Pinned {
    /// Something refers to this node.
    pub fn node(&mut self, node: NodeRef) {
        bit_set::insert(&mut self.nodes, node.0);
    }

    /// Something refers to these nodes.
    pub fn nodes(&mut self, nodes: &[u32]) {
        for node in nodes {
            bit_set::insert(&mut self.nodes, *node);
        }
    }

    /// Whether anything refers to this node.
    pub fn has_node(&self, number: u32) -> bool {
        self.nodes.contains(number as usize)
    }

    /// Whether anything refers to this key.
    pub fn has_key(&self, number: u32) -> bool {
        self.keys.contains(number as usize)
    }

    /// Something refers to this key.
    pub fn key(&mut self, key: KeyRef) {
        bit_set::insert(&mut self.keys, key.0);
    }
}
