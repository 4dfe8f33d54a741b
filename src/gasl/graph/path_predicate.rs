//! A condition on complete paths, prepared as masks of nodes and edges.

use super::Graph;
use super::bit_mask::BitMask;
use super::path::Path;
use super::path_query::{PathPart, common_part, without_prefix};
use crate::base::Value;
use crate::gasl::predicate::{Case, Predicate, Test};

/// Condition on a complete path.
pub enum PathPredicate<'a> {
    All(Vec<PathPredicate<'a>>),
    Any(Vec<PathPredicate<'a>>),
    /// Test of the number of edges, and the expected result.
    Length(&'a Test, bool),
    /// Mask that every node or edge of a part must be in.
    Every(PathPart, BitMask),
}

impl<'a> PathPredicate<'a> {
    /// Prepares a predicate by testing all nodes or edges of the graph once.
    pub fn new(graph: &Graph, predicate: &'a Predicate, case: Case) -> PathPredicate<'a> {
        PathPredicate::prepare(graph, predicate, case, true)
    }

    /// Prepares the predicate, negated unless `expected`. `NOT` applies to each node and each edge:
    /// `NOT edge.type = a` matches if no edge has the type a.
    fn prepare(
        graph: &Graph,
        predicate: &'a Predicate,
        case: Case,
        expected: bool,
    ) -> PathPredicate<'a> {
        match (common_part(predicate), predicate) {
            (Some(PathPart::Length) | None, Predicate::Not(one)) => {
                PathPredicate::prepare(graph, one, case, !expected)
            }
            (Some(PathPart::Length) | None, Predicate::All(each) | Predicate::Any(each)) => {
                let prepared =
                    each.iter().map(|one| PathPredicate::prepare(graph, one, case, expected));
                match matches!(predicate, Predicate::All(_)) == expected {
                    true => PathPredicate::All(prepared.collect()),
                    false => PathPredicate::Any(prepared.collect()),
                }
            }
            (None | Some(PathPart::Length), Predicate::Field(_, test)) => {
                PathPredicate::Length(test, expected)
            }
            (Some(part), _) => {
                let inner = without_prefix(predicate);
                let inner = if expected { inner } else { Predicate::Not(Box::new(inner)) };
                let mask = match part {
                    PathPart::Edge => graph.edge_mask(&inner, case),
                    _ => graph.node_mask(&inner, case),
                };
                PathPredicate::Every(part, mask)
            }
        }
    }

    /// Returns whether a path matches.
    pub fn matches(&self, path: Path<'_>, case: Case) -> bool {
        match self {
            PathPredicate::All(each) => each.iter().all(|one| one.matches(path, case)),
            PathPredicate::Any(each) => each.iter().any(|one| one.matches(path, case)),
            PathPredicate::Length(test, expected) => {
                test.holds(case, Some(&Value::from(path.edges.len()))) == *expected
            }
            PathPredicate::Every(part, mask) => {
                let (start, end) = (path.nodes.first(), path.nodes.last());
                let between = path.nodes.get(1..path.edges.len());
                let every = |rows: &[u32]| rows.iter().all(|row| mask.get(*row));
                let one = |row: Option<&u32>| row.is_some_and(|row| mask.get(*row));
                match part {
                    PathPart::Start => one(start),
                    PathPart::EdgeEnd => one(end),
                    PathPart::Edge => every(path.edges),
                    PathPart::Inner => every(between.unwrap_or_default()),
                    PathPart::Both | PathPart::Length => one(start) && one(end),
                }
            }
        }
    }
}
