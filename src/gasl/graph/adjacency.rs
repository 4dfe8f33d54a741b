//! Adjacency lists in compressed sparse rows (CSR): the neighbors of all nodes in one array.

/// Direction in which edges are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From source to target if the graph is directed, else both directions.
    #[default]
    Own,
    /// From source to target; both directions if the graph is undirected.
    Out,
    /// From target to source; both directions if the graph is undirected.
    In,
    /// Both directions.
    Any,
}

/// Neighbors of each node, in the order of the edges.
pub struct Adjacency {
    /// End of the neighbors of each node; they start where those of the previous node end.
    end_offsets: Vec<u32>,
    neighbors: Vec<Neighbor>,
}

/// An edge and the node at its other end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbor {
    pub edge: u32,
    pub node: u32,
}

impl Adjacency {
    /// Returns the neighbors of a node; none for an unknown node.
    #[inline]
    pub fn neighbors(&self, node: u32) -> &[Neighbor] {
        let node = node as usize;
        let start = node.checked_sub(1).and_then(|before| self.end_offsets.get(before)).copied();
        let end = self.end_offsets.get(node).copied().unwrap_or_default();
        self.neighbors.get(start.unwrap_or_default() as usize..end as usize).unwrap_or_default()
    }

    /// Builds the lists by counting sort. `visit` is called twice: to count and to place.
    pub(super) fn new(
        node_count: usize,
        visit: impl Fn(&mut dyn FnMut(u32, Neighbor)),
    ) -> Adjacency {
        let mut ends = vec![0u32; node_count];
        let mut count = 0;
        visit(&mut |from, _| {
            count += 1;
            if let Some(end) = ends.get_mut(from as usize) {
                *end += 1;
            }
        });
        // Holds the start of each list first; each placed neighbor advances it to the end.
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut neighbors = vec![Neighbor::default(); count];
        visit(&mut |from, neighbor| {
            let Some(end) = ends.get_mut(from as usize) else { return };
            if let Some(slot) = neighbors.get_mut(*end as usize) {
                *slot = neighbor;
            }
            *end += 1;
        });
        Adjacency { end_offsets: ends, neighbors }
    }
}

impl Direction {
    /// Returns the opposite direction.
    pub(super) fn reversed(self) -> Direction {
        match self {
            Direction::Own | Direction::Out => Direction::In,
            Direction::In => Direction::Out,
            Direction::Any => Direction::Any,
        }
    }
}
