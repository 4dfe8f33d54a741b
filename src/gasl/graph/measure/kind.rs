//! Names of the measures of nodes.

/// Measure of nodes, with the semantics of NetworkX 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Number of edge ends at a node, or the sum of the weights; a loop has two ends.
    Degree,
    InDegree,
    OutDegree,
    /// Stationary probability of a random walk with damping 0.85.
    PageRank,
    /// Fraction of the shortest paths between other nodes that pass through a node.
    Betweenness,
    /// Reciprocal of the mean distance to a node, corrected for components (Wasserman and Faust).
    Closeness,
    /// Largest k of a k-core with the node.
    Core,
    /// Number of triangles with the node.
    Triangles,
    /// Weakly connected component.
    Component,
    /// Community by the Louvain method.
    Community,
}

impl Measure {
    /// All measures in the order of the documentation.
    pub const ALL: [Measure; 10] = [
        Measure::Degree,
        Measure::InDegree,
        Measure::OutDegree,
        Measure::PageRank,
        Measure::Betweenness,
        Measure::Closeness,
        Measure::Core,
        Measure::Triangles,
        Measure::Component,
        Measure::Community,
    ];

    /// Returns the keyword, which is also the name of the output field.
    pub fn word(self) -> &'static str {
        match self {
            Measure::Degree => "degree",
            Measure::InDegree => "in_degree",
            Measure::OutDegree => "out_degree",
            Measure::PageRank => "pagerank",
            Measure::Betweenness => "betweenness",
            Measure::Closeness => "closeness",
            Measure::Core => "core",
            Measure::Triangles => "triangles",
            Measure::Component => "component",
            Measure::Community => "community",
        }
    }

    /// Returns whether the weights of edges change the values.
    pub fn uses_weights(self) -> bool {
        !matches!(self, Measure::Core | Measure::Triangles | Measure::Component)
    }

    /// Returns whether the weights are distances, so that a smaller weight is closer.
    pub fn uses_distances(self) -> bool {
        matches!(self, Measure::Betweenness | Measure::Closeness)
    }

    /// Returns whether the measure distinguishes the ends of an edge.
    pub fn needs_direction(self) -> bool {
        matches!(self, Measure::InDegree | Measure::OutDegree)
    }
}
