//! Direction of a graph whose edges can state their own.

use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;

/// Direction of one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeOrientation {
    /// From the source to the target.
    Directed,
    /// Without a first end.
    Undirected,
    /// In both directions.
    Mutual,
}

/// Number of edges of each direction.
#[derive(Default)]
pub struct OrientationCount {
    directed: usize,
    undirected: usize,
    mutual: usize,
    first_directed: Option<Span>,
    first_undirected: Option<Span>,
}

impl OrientationCount {
    /// Counts an edge.
    pub fn add(&mut self, direction: EdgeOrientation, at: Span) {
        let (count, first) = match direction {
            EdgeOrientation::Directed => (&mut self.directed, &mut self.first_directed),
            EdgeOrientation::Undirected => (&mut self.undirected, &mut self.first_undirected),
            EdgeOrientation::Mutual => (&mut self.mutual, &mut self.first_undirected),
        };
        *count += 1;
        first.get_or_insert(at);
    }

    /// Returns whether the graph is directed, and a warning if its edges differ. `is_default_directed`
    /// is the direction that the document states for all edges.
    pub fn finish(&self, is_default_directed: bool) -> (bool, Option<Diagnostic>) {
        let both_ways = self.undirected + self.mutual;
        match (self.directed, both_ways) {
            (0, 0) => return (is_default_directed, None),
            (_, 0) => return (true, None),
            (0, _) => return (false, None),
            _ => {}
        }
        let kinds =
            [(self.directed, "directed"), (self.undirected, "undirected"), (self.mutual, "mutual")];
        let counted = kinds.iter().filter(|(count, _)| *count > 0);
        let counted: Vec<String> = counted.map(|(count, kind)| format!("{count} {kind}")).collect();
        let (graph, first) = match is_default_directed {
            true => ("directed", self.first_undirected),
            false => ("undirected", self.first_directed),
        };
        let message = format!("the edges of one graph are mixed: {}", counted.join(", "));
        let warning = Diagnostic::new(codes::MIXED_DIRECTION, message)
            .help(format!("write one direction for all edges; every edge was read as {graph}"))
            .at(first.unwrap_or(Span::new(0, 0)));
        (is_default_directed, Some(warning))
    }
}
