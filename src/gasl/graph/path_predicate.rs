//! A condition on finished paths, with the masks that answer it.

use super::Graph;
use super::bits::Bits;
use super::path::Path;
use super::path_query::{Part, one_part, without_prefix};
use crate::base::Value;
use crate::gasl::predicate::{Case, Predicate, Test};

/// What a finished path must fulfil.
pub enum Finished<'a> {
    All(Vec<Finished<'a>>),
    Any(Vec<Finished<'a>>),
    /// Of its number of edges: whether they fulfil it.
    Length(&'a Test, bool),
    /// Of the nodes or edges of one part, each of them.
    Every(Part, Bits),
}

impl<'a> Finished<'a> {
    /// Asks the graph once about all of its nodes or edges.
    pub fn new(graph: &Graph, predicate: &'a Predicate, case: Case) -> Finished<'a> {
        Finished::read(graph, predicate, case, true)
    }

    /// What a path must fulfil for the predicate to be as it is `wanted`. `NOT` is asked of each node and each
    /// edge, as where it stands alone: `NOT edge.type = a` is fulfilled where no edge is of the type a.
    fn read(graph: &Graph, predicate: &'a Predicate, case: Case, wanted: bool) -> Finished<'a> {
        match (one_part(predicate), predicate) {
            (Some(Part::Length) | None, Predicate::Not(one)) => {
                Finished::read(graph, one, case, !wanted)
            }
            (Some(Part::Length) | None, Predicate::All(each) | Predicate::Any(each)) => {
                let read = each.iter().map(|one| Finished::read(graph, one, case, wanted));
                match matches!(predicate, Predicate::All(_)) == wanted {
                    true => Finished::All(read.collect()),
                    false => Finished::Any(read.collect()),
                }
            }
            (None | Some(Part::Length), Predicate::Field(_, test)) => {
                Finished::Length(test, wanted)
            }
            (Some(part), _) => {
                let asked = without_prefix(predicate);
                let asked = if wanted { asked } else { Predicate::Not(Box::new(asked)) };
                let mask = match part {
                    Part::Edge => graph.edge_mask(&asked, case),
                    _ => graph.node_mask(&asked, case),
                };
                Finished::Every(part, mask)
            }
        }
    }

    /// Whether a path fulfils it.
    pub fn holds(&self, path: Path<'_>, case: Case) -> bool {
        match self {
            Finished::All(each) => each.iter().all(|one| one.holds(path, case)),
            Finished::Any(each) => each.iter().any(|one| one.holds(path, case)),
            Finished::Length(test, wanted) => {
                test.holds(case, Some(&Value::from(path.edges.len()))) == *wanted
            }
            Finished::Every(part, mask) => {
                let (start, end) = (path.nodes.first(), path.nodes.last());
                let inner = path.nodes.get(1..path.edges.len());
                let every = |rows: &[u32]| rows.iter().all(|row| mask.get(*row));
                let one = |row: Option<&u32>| row.is_some_and(|row| mask.get(*row));
                match part {
                    Part::Start => one(start),
                    Part::End => one(end),
                    Part::Edge => every(path.edges),
                    Part::Inner => every(inner.unwrap_or_default()),
                    Part::Both | Part::Length => one(start) && one(end),
                }
            }
        }
    }
}
