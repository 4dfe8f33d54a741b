//! A condition on finished paths, with the masks that answer it.

use super::Graph;
use super::bit_mask::BitMask;
use super::path::Path;
use super::path_query::{PathPart, one_part, without_prefix};
use crate::base::Value;
use crate::gasl::predicate::{Case, Predicate, Test};

/// What a finished path must fulfil.
pub enum PathPredicate<'a> {
    All(Vec<PathPredicate<'a>>),
    Any(Vec<PathPredicate<'a>>),
    /// Of its number of edges: whether they fulfil it.
    Length(&'a Test, bool),
    /// Of the nodes or edges of one part, each of them.
    Every(PathPart, BitMask),
}

impl<'a> PathPredicate<'a> {
    /// Asks the graph once about all of its nodes or edges.
    pub fn new(graph: &Graph, predicate: &'a Predicate, case: Case) -> PathPredicate<'a> {
        PathPredicate::read(graph, predicate, case, true)
    }

    /// What a path must fulfil for the predicate to be as it is `wanted`. `NOT` is asked of each node and each
    /// edge, as where it stands alone: `NOT edge.type = a` is fulfilled where no edge is of the type a.
    fn read(
        graph: &Graph,
        predicate: &'a Predicate,
        case: Case,
        wanted: bool,
    ) -> PathPredicate<'a> {
        match (one_part(predicate), predicate) {
            (Some(PathPart::Length) | None, Predicate::Not(one)) => {
                PathPredicate::read(graph, one, case, !wanted)
            }
            (Some(PathPart::Length) | None, Predicate::All(each) | Predicate::Any(each)) => {
                let read = each.iter().map(|one| PathPredicate::read(graph, one, case, wanted));
                match matches!(predicate, Predicate::All(_)) == wanted {
                    true => PathPredicate::All(read.collect()),
                    false => PathPredicate::Any(read.collect()),
                }
            }
            (None | Some(PathPart::Length), Predicate::Field(_, test)) => {
                PathPredicate::Length(test, wanted)
            }
            (Some(part), _) => {
                let asked = without_prefix(predicate);
                let asked = if wanted { asked } else { Predicate::Not(Box::new(asked)) };
                let mask = match part {
                    PathPart::Edge => graph.edge_mask(&asked, case),
                    _ => graph.node_mask(&asked, case),
                };
                PathPredicate::Every(part, mask)
            }
        }
    }

    /// Whether a path fulfils it.
    pub fn holds(&self, path: Path<'_>, case: Case) -> bool {
        match self {
            PathPredicate::All(each) => each.iter().all(|one| one.holds(path, case)),
            PathPredicate::Any(each) => each.iter().any(|one| one.holds(path, case)),
            PathPredicate::Length(test, wanted) => {
                test.holds(case, Some(&Value::from(path.edges.len()))) == *wanted
            }
            PathPredicate::Every(part, mask) => {
                let (start, end) = (path.nodes.first(), path.nodes.last());
                let inner = path.nodes.get(1..path.edges.len());
                let every = |rows: &[u32]| rows.iter().all(|row| mask.get(*row));
                let one = |row: Option<&u32>| row.is_some_and(|row| mask.get(*row));
                match part {
                    PathPart::Start => one(start),
                    PathPart::EdgeEnd => one(end),
                    PathPart::Edge => every(path.edges),
                    PathPart::Inner => every(inner.unwrap_or_default()),
                    PathPart::Both | PathPart::Length => one(start) && one(end),
                }
            }
        }
    }
}
