//! Collisions: names that several nodes write.

use super::store_names::StoreNames;
use super::workflow::Node;
use std::rc::Rc;

/// Name that several nodes write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// Name in the flat store.
    pub name: Rc<str>,
    /// Sorted indices of the nodes.
    pub writers: Vec<usize>,
}

/// Returns the collisions in order of the first write. Outputs that the author maps count under their new
/// names.
pub fn detect_collisions(nodes: &[Node]) -> Vec<Collision> {
    collisions_in(&StoreNames::new(nodes), nodes.len())
}

pub(super) fn collisions_in(store_names: &StoreNames, node_count: usize) -> Vec<Collision> {
    let mut writers: Vec<Vec<usize>> = vec![Vec::new(); store_names.names.len()];
    for node_index in 0..node_count {
        for name in store_names.writes.list_of_node_at(node_index) {
            // Two outputs of one node under one name are not a collision of nodes.
            let of_name = writers.get_mut(*name as usize);
            if let Some(of_name) = of_name.filter(|of_name| of_name.last() != Some(&node_index)) {
                of_name.push(node_index);
            }
        }
    }
    let collisions = store_names.names.keys().zip(writers).filter(|(_, nodes)| nodes.len() > 1);
    collisions.map(|(name, writers)| Collision { name: name.clone(), writers }).collect::<Vec<_>>()
}
