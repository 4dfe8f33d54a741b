//! A condition on complete paths, prepared as masks of nodes and edges.

use super::Graph;
use super::bit_mask::BitMask;
use super::path::Path;
use super::path_query::{PathPart, common_part, split_part, without_prefix};
use crate::base::Value;
use crate::gasl::predicate::{Case, Predicate, Test, TestOperator};

/// Condition on a complete path.
pub enum PathPredicate<'a> {
    All(Vec<PathPredicate<'a>>),
    Any(Vec<PathPredicate<'a>>),
    /// Test of the number of edges, and the expected result.
    Length(&'a Test, bool),
    /// Mask that every node or edge of a part must be in.
    Every(PathPart, BitMask),
    Pair(PairTest<'a>),
}

/// Comparison of fields of two parts: each value of the one with each value of the other.
pub struct PairTest<'a> {
    graph: &'a Graph,
    left: &'a str,
    operator: TestOperator,
    right: &'a str,
    /// Expected result of each comparison.
    expected: bool,
}

impl<'a> PathPredicate<'a> {
    /// Prepares a predicate by testing all nodes or edges of the graph once.
    pub fn new(graph: &'a Graph, predicate: &'a Predicate, case: Case) -> PathPredicate<'a> {
        PathPredicate::prepare(graph, predicate, case, true)
    }

    /// Prepares the predicate, negated unless `expected`. `NOT` applies to each node and each edge:
    /// `NOT edge.type = a` matches if no edge has the type a.
    fn prepare(
        graph: &'a Graph,
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
            (None | Some(PathPart::Length), Predicate::Fields(left, operator, right)) => {
                let operator = *operator;
                PathPredicate::Pair(PairTest { graph, left, operator, right, expected })
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
            PathPredicate::Pair(pair) => pair.matches(path, case),
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

impl PairTest<'_> {
    fn matches(&self, path: Path<'_>, case: Case) -> bool {
        let right = self.values(self.right, path);
        self.values(self.left, path).iter().all(|left| {
            let mut each = right.iter();
            each.all(|right| {
                self.operator.holds(case, left.as_ref(), right.as_ref()) == self.expected
            })
        })
    }

    /// Returns the values of a field in its part of a path.
    fn values(&self, field: &str, path: Path<'_>) -> Vec<Option<Value>> {
        let (part, name) = split_part(field);
        let node = |node: &u32| self.graph.node_value(*node, name);
        let (start, end) = (path.nodes.first(), path.nodes.last());
        match part {
            PathPart::Start => start.into_iter().map(node).collect(),
            PathPart::EdgeEnd => end.into_iter().map(node).collect(),
            PathPart::Both => start.into_iter().chain(end).map(node).collect(),
            PathPart::Inner => {
                let inner = path.nodes.get(1..path.edges.len()).unwrap_or_default();
                inner.iter().map(node).collect()
            }
            PathPart::Edge => {
                path.edges.iter().map(|edge| self.graph.edge_value(*edge, name)).collect()
            }
            PathPart::Length => vec![Some(path.edges.len().into())],
        }
    }
}
