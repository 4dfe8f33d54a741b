//! Which names several nodes write.

use super::flat::Flat;
use super::workflow::Node;
use std::rc::Rc;

/// A name that more than one node writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The name in one flat store.
    pub name: Rc<str>,
    /// The places of the nodes that write it, in order.
    pub writers: Vec<usize>,
}

/// Every name that more than one node writes, in the order in which it is first written. What the
/// author mapped counts under its new name.
pub fn detect_collisions(nodes: &[Node]) -> Vec<Collision> {
    collisions_in(&Flat::new(nodes), nodes.len())
}

pub(super) fn collisions_in(flat: &Flat, nodes: usize) -> Vec<Collision> {
    let mut writers: Vec<Vec<usize>> = vec![Vec::new(); flat.names.len()];
    for place in 0..nodes {
        for name in flat.writes.of(place) {
            // Two outputs of one node under one name are no collision of nodes.
            if let Some(of) = writers.get_mut(*name as usize).filter(|of| of.last() != Some(&place))
            {
                of.push(place);
            }
        }
    }
    let collisions = flat.names.keys().zip(writers).filter(|(_, writers)| writers.len() > 1);
    collisions.map(|(name, writers)| Collision { name: name.clone(), writers }).collect::<Vec<_>>()
}
