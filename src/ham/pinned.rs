//! What a compaction must not forget: names whose numbers somebody holds.

use super::arena::NodeRef;
use super::shape::KeyRef;

/// The nodes and keys that something refers to by number.
#[derive(Default)]
pub struct Pinned {
    nodes: Vec<bool>,
    keys: Vec<bool>,
}

impl Pinned {
    /// Something refers to this node.
    pub fn node(&mut self, node: NodeRef) {
        pin(&mut self.nodes, node.0);
    }

    /// Something refers to these nodes.
    pub fn nodes(&mut self, nodes: &[u32]) {
        for node in nodes {
            pin(&mut self.nodes, *node);
        }
    }

    /// Whether anything refers to this node.
    pub fn has_node(&self, number: u32) -> bool {
        self.nodes.get(number as usize) == Some(&true)
    }

    /// Whether anything refers to this key.
    pub fn has_key(&self, number: u32) -> bool {
        self.keys.get(number as usize) == Some(&true)
    }

    /// Something refers to this key.
    pub fn key(&mut self, key: KeyRef) {
        pin(&mut self.keys, key.0);
    }
}

#[inline(always)]
fn pin(pins: &mut Vec<bool>, number: u32) {
    let number = number as usize;
    if pins.len() <= number {
        pins.resize(number + 1, false);
    }
    if let Some(pin) = pins.get_mut(number) {
        *pin = true;
    }
}
