//! Orientation of the edges of an undirected graph, whose ends have no order.

use super::Graph;
use super::bit_mask::BitMask;
use super::search::{FoundRows, SearchLimits};
use crate::base::Value;
use crate::gasl::predicate::{Case, FieldName, Predicate};
use std::rc::Rc;

/// Edges that a search returned with exchanged ends.
#[derive(Clone, Debug, Default)]
pub struct ReversedEdges {
    edges: Option<Rc<BitMask>>,
}

impl ReversedEdges {
    /// Creates the set of some edges of a graph.
    pub fn new(graph: &Graph, edges: impl Iterator<Item = u32>) -> ReversedEdges {
        let mut mask = BitMask::constant(graph.edge_count(), false);
        edges.for_each(|edge| mask.set(edge as usize, true));
        ReversedEdges { edges: (!mask.is_empty()).then(|| Rc::new(mask)) }
    }

    /// Returns whether the ends of an edge are exchanged.
    pub fn contains(&self, edge: u32) -> bool {
        self.edges.as_ref().is_some_and(|edges| edges.get(edge))
    }

    /// Returns whether no ends are exchanged.
    pub fn is_empty(&self) -> bool {
        self.edges.is_none()
    }
}

impl Graph {
    /// Returns the edges that satisfy a predicate, whose fields include `source.x` and `target.x`
    /// (or `start.x` and `end.x`), attributes of the nodes at the ends. An edge of an undirected
    /// graph is returned in the orientation that satisfies the predicate, the stored one if both do.
    pub fn find_edges(
        &self,
        predicate: &Predicate,
        case: Case,
        limits: SearchLimits,
    ) -> (FoundRows, ReversedEdges) {
        let stored = self.stored_edge_mask(predicate, case);
        let Some(reversed) = self.reversed_edge_mask(predicate, case) else {
            return (FoundRows::from_mask(&stored, limits), ReversedEdges::default());
        };
        let mut all = stored.clone();
        all.or(&reversed);
        let found = FoundRows::from_mask(&all, limits);
        let is_reversed = |edge: &u32| !stored.get(*edge);
        let reversed = ReversedEdges::new(self, found.rows.iter().copied().filter(is_reversed));
        (found, reversed)
    }

    /// Returns the edges that satisfy a predicate; in an undirected graph, in either orientation.
    pub(super) fn edge_mask(&self, predicate: &Predicate, case: Case) -> BitMask {
        let mut mask = self.stored_edge_mask(predicate, case);
        if let Some(reversed) = self.reversed_edge_mask(predicate, case) {
            mask.or(&reversed);
        }
        mask
    }

    /// Returns the edges that satisfy a predicate with exchanged ends. Returns `None` if the
    /// exchange has no effect: in a directed graph, and for a predicate that tests no end.
    fn reversed_edge_mask(&self, predicate: &Predicate, case: Case) -> Option<BitMask> {
        if self.is_directed() {
            return None;
        }
        let mut has_end = false;
        predicate.visit_fields(&mut |field| has_end |= self.opposite_field(field).is_some());
        let opposite = |field: &str| self.opposite_field(field).unwrap_or_else(|| field.into());
        has_end.then(|| self.stored_edge_mask(&predicate.map_fields(&opposite), case))
    }

    /// Returns the same field of the other end, or `None` for a field of the edge itself.
    fn opposite_field(&self, field: &str) -> Option<FieldName> {
        let (end, rest) = field.split_once('.').unwrap_or((field, ""));
        let is_attribute = !rest.is_empty() && self.has_edge_attribute(field);
        let other = match end {
            "source" => "target",
            "target" => "source",
            "start" if !rest.is_empty() => "end",
            "end" if !rest.is_empty() => "start",
            _ => return None,
        };
        let name = if rest.is_empty() { other.to_owned() } else { format!("{other}.{rest}") };
        (!is_attribute).then(|| name.into())
    }

    /// Returns an edge as [`Graph::edge_row`] does, with exchanged ends.
    pub fn reversed_edge_row(&self, edge: u32) -> Value {
        let ends = self.ends(edge).map(|(source, target)| (target, source));
        self.edge_row_between(edge, ends)
    }

    /// Appends the JSON text of [`Graph::reversed_edge_row`].
    pub fn write_reversed_edge(&self, edge: u32, out: &mut String) {
        let (source, target) = self.ends(edge).unwrap_or_default();
        self.write_edge_between(edge, (target, source), Some(&self.edge_id(edge)), out);
    }
}
