//! A condition on finished paths, with the masks that answer it.

use super::Graph;
use super::bits::Bits;
use super::path_query::{Part, part_of};
use super::paths::Path;
use crate::base::Value;
use crate::gasl::predicate::{Case, Predicate, Test};

/// What a finished path must fulfil.
pub enum Finished<'a> {
    All(Vec<Finished<'a>>),
    Any(Vec<Finished<'a>>),
    Not(Box<Finished<'a>>),
    /// Of its number of edges.
    Length(&'a Test),
    /// Of the nodes or edges of one part, each of them.
    Every(Part, Bits),
}

impl<'a> Finished<'a> {
    /// Asks the graph once about all of its nodes or edges.
    pub fn new(graph: &Graph, predicate: &'a Predicate, case: Case) -> Finished<'a> {
        let each = |each: &'a [Predicate]| {
            each.iter().map(|one| Finished::new(graph, one, case)).collect()
        };
        match predicate {
            Predicate::All(list) => Finished::All(each(list)),
            Predicate::Any(list) => Finished::Any(each(list)),
            Predicate::Not(one) => Finished::Not(Box::new(Finished::new(graph, one, case))),
            Predicate::Field(field, test) => {
                let (part, name) = part_of(field);
                let leaf = Predicate::Field(name.into(), test.clone());
                match part {
                    Part::Length => Finished::Length(test),
                    Part::Edge => Finished::Every(part, graph.edge_mask(&leaf, case)),
                    _ => Finished::Every(part, graph.node_mask(&leaf, case)),
                }
            }
        }
    }

    /// Whether a path fulfils it.
    pub fn holds(&self, path: Path<'_>, case: Case) -> bool {
        match self {
            Finished::All(each) => each.iter().all(|one| one.holds(path, case)),
            Finished::Any(each) => each.iter().any(|one| one.holds(path, case)),
            Finished::Not(one) => !one.holds(path, case),
            Finished::Length(test) => test.holds(case, Some(&Value::from(path.edges.len()))),
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
