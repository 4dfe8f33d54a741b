//! Measures of nodes, computed in slices, so that the host can report progress and cancel.
//!
//! petgraph is used for connected components. Its PageRank takes quadratic time, its Dijkstra hashes
//! nodes, and it lacks the other measures; so these work on the compressed adjacency lists.

mod arcs;
mod betweenness;
mod closeness;
mod degree;
mod distances;
mod kind;
mod louvain;
mod pagerank;
mod sources;
mod triangles;
mod weights;

pub use self::kind::Measure;
pub use self::weights::{EdgeWeights, InvalidWeight};

use self::betweenness::Betweenness;
use self::closeness::Closeness;
use self::louvain::Louvain;
use self::pagerank::PageRank;
use self::sources::Sources;
use self::triangles::Triangles;
use super::Graph;

/// Parameters of a measure.
#[derive(Clone, Copy, Debug)]
pub struct MeasureQuery<'a> {
    pub measure: Measure,
    /// Weight of each edge; `None` means 1.
    pub weights: Option<&'a [f64]>,
    /// Nodes whose values are needed; `None` means all.
    pub targets: Option<&'a [u32]>,
    /// Maximum number of arcs that searches and the count of triangles follow.
    pub max_expansions: usize,
    /// Seed of samples and of the communities.
    pub seed: f64,
}

/// Measure in progress.
pub enum MeasureRun {
    /// Values of a measure that takes one pass.
    Values(Vec<f64>),
    PageRank(PageRank),
    Betweenness(Box<Betweenness>),
    Closeness(Box<Closeness>),
    Triangles(Triangles),
    Community(Box<Louvain>),
}

/// Number of arcs that the count of triangles would follow, which exceeds the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyExpansions(pub usize);

/// Values of all nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub values: Vec<f64>,
    /// Sample of the sources, if the searches from all would follow too many arcs.
    pub sample: Option<SourceSample>,
}

/// Sources of the searches of an estimated measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceSample {
    /// Number of nodes from which searches ran.
    pub sources: usize,
    /// Maximum number of arcs that one search follows.
    pub expansions_per_source: usize,
}

impl MeasureRun {
    /// Prepares a measure.
    pub fn new(graph: &Graph, query: MeasureQuery<'_>) -> Result<MeasureRun, TooManyExpansions> {
        let MeasureQuery { measure, weights, targets, max_expansions, seed } = query;
        Ok(match measure {
            Measure::Degree | Measure::InDegree | Measure::OutDegree => {
                MeasureRun::Values(degree::degrees(graph, measure, weights))
            }
            Measure::Component => MeasureRun::Values(degree::components(graph)),
            Measure::Core => MeasureRun::Values(degree::cores(graph)),
            Measure::PageRank => MeasureRun::PageRank(PageRank::new(graph, weights)),
            Measure::Betweenness => {
                let run = Betweenness::new(graph, weights, max_expansions, seed);
                MeasureRun::Betweenness(Box::new(run))
            }
            Measure::Closeness => {
                let run = Closeness::new(graph, weights, targets, max_expansions, seed);
                MeasureRun::Closeness(Box::new(run))
            }
            Measure::Triangles => {
                let run = Triangles::new(graph);
                let expansions = run.expansions();
                if expansions > max_expansions {
                    return Err(TooManyExpansions(expansions));
                }
                MeasureRun::Triangles(run)
            }
            Measure::Community => {
                MeasureRun::Community(Box::new(Louvain::new(graph, weights, seed)))
            }
        })
    }

    /// Continues, following about `budget` arcs. Returns whether the values are final.
    pub fn advance(&mut self, budget: usize) -> bool {
        match self {
            MeasureRun::Values(_) => true,
            MeasureRun::PageRank(run) => run.advance(budget),
            MeasureRun::Betweenness(run) => run.advance(budget),
            MeasureRun::Closeness(run) => run.advance(budget),
            MeasureRun::Triangles(run) => run.advance(budget),
            MeasureRun::Community(run) => run.advance(budget),
        }
    }

    /// Returns the finished and the expected number of parts.
    pub fn progress(&self) -> (usize, usize) {
        match self {
            MeasureRun::Values(_) => (1, 1),
            MeasureRun::PageRank(run) => run.progress(),
            MeasureRun::Betweenness(run) => run.sources().progress(),
            MeasureRun::Closeness(run) => run.progress(),
            MeasureRun::Triangles(run) => run.progress(),
            MeasureRun::Community(run) => run.progress(),
        }
    }

    /// Returns the values of a finished measure.
    pub fn finish(self) -> Measured {
        let sample_of = |sources: &Sources, nodes: usize, arcs: usize| {
            let sources = sources.finished;
            let sample = SourceSample { sources, expansions_per_source: arcs };
            (sources < nodes).then_some(sample)
        };
        let (values, sample) = match self {
            MeasureRun::Values(values) => (values, None),
            MeasureRun::PageRank(run) => (run.into_values(), None),
            MeasureRun::Triangles(run) => (run.into_values(), None),
            MeasureRun::Community(run) => (run.into_values(), None),
            MeasureRun::Betweenness(run) => {
                let sample = sample_of(run.sources(), run.arcs().node_count(), run.arcs().len());
                (run.into_values(), sample)
            }
            MeasureRun::Closeness(run) => {
                let sample = run.sample().and_then(|sources| {
                    sample_of(sources, run.arcs().node_count(), run.arcs().len())
                });
                (run.into_values(), sample)
            }
        };
        Measured { values, sample }
    }
}

#[cfg(test)]
mod tests;
