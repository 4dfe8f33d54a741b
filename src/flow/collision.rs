//! Which names several nodes write.

use super::workflow::Node;
use indexmap::IndexMap;

/// A name that more than one node writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The name in one flat store.
    pub name: String,
    /// The places of the nodes that write it, in order.
    pub writers: Vec<usize>,
}

/// Every name that more than one node writes, in the order in which it is first written. What the
/// author mapped counts under its new name.
pub fn detect_collisions(nodes: &[Node]) -> Vec<Collision> {
    let mut writers: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for (place, node) in nodes.iter().enumerate() {
        for output in node.outputs.iter() {
            let of = writers.entry(node.writes(&output.key)).or_default();
            // Two outputs of one node under one name are no collision of nodes.
            if of.last() != Some(&place) {
                of.push(place);
            }
        }
    }
    let collisions = writers.into_iter().filter(|(_, writers)| writers.len() > 1);
    collisions.map(|(name, writers)| Collision { name: name.to_owned(), writers }).collect()
}
