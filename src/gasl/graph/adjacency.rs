//! What leads from node to node, compressed: the steps of all nodes one behind the other.

/// Which way edges are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From source to target where the graph is directed, else both ways.
    #[default]
    Own,
    /// From source to target. Where the graph is not directed, both ways.
    Out,
    /// From target to source. Where the graph is not directed, both ways.
    In,
    /// Both ways.
    Any,
}

/// The steps from each node, in the order of the edges.
pub struct Adjacency {
    /// Where the steps of a node end; they start where those of the node before it end.
    ends: Vec<u32>,
    steps: Vec<Neighbor>,
}

/// An edge, and the node that it leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbor {
    pub edge: u32,
    pub node: u32,
}

impl Adjacency {
    /// The steps from a node.
    #[inline]
    pub fn neighbors(&self, node: u32) -> &[Neighbor] {
        let node = node as usize;
        let start = node.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let end = self.ends.get(node).copied().unwrap_or_default();
        self.steps.get(start.unwrap_or_default() as usize..end as usize).unwrap_or_default()
    }

    /// `pairs` gives where each edge begins and leads, twice over: it is counted, then placed.
    pub(super) fn new(
        node_count: usize,
        pairs: impl Fn(&mut dyn FnMut(u32, Neighbor)),
    ) -> Adjacency {
        let mut ends = vec![0u32; node_count];
        let mut count = 0;
        pairs(&mut |from, _| {
            count += 1;
            if let Some(end) = ends.get_mut(from as usize) {
                *end += 1;
            }
        });
        // Where the steps of a node start, for now; each that is placed moves it on to the end.
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut steps = vec![Neighbor::default(); count];
        pairs(&mut |from, step| {
            let Some(end) = ends.get_mut(from as usize) else { return };
            if let Some(slot) = steps.get_mut(*end as usize) {
                *slot = step;
            }
            *end += 1;
        });
        Adjacency { ends, steps }
    }
}

impl Direction {
    /// The way back.
    pub(super) fn reversed(self) -> Direction {
        match self {
            Direction::Own | Direction::Out => Direction::In,
            Direction::In => Direction::Out,
            Direction::Any => Direction::Any,
        }
    }
}
