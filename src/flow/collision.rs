//! Which names several nodes write.

use super::workflow::Node;
use crate::base::Gather;
use crate::base::map::Keyed;

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
    let mut writers: Keyed<Vec<usize>> = Keyed::default();
    for (place, node) in nodes.iter().enumerate() {
        for output in node.outputs.iter() {
            let name = node.writes(&output.key);
            match writers.get_mut(name) {
                // Two outputs of one node under one name are no collision of nodes.
                Some(of) if of.last() == Some(&place) => {}
                Some(of) => of.push(place),
                None => writers.insert(name, vec![place]),
            }
        }
    }
    let collisions = writers.iter().filter(|(_, writers)| writers.len() > 1);
    collisions
        .map(|(name, writers)| Collision { name: name.to_owned(), writers: writers.clone() })
        .gather()
}
