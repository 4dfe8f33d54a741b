//! Warnings for results that depend on the direction of the edges.

use crate::base::Diagnostic;
use crate::base::map::OrderedMap;
use crate::gasl::caps::EdgeDirection;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::graph::{Direction, Graph, PathQuery, SearchLimits};
use crate::gasl::graph_access::GraphAccess;
use crate::gasl::language::ast::{Aggregate, AggregateFunction, Command};
use crate::gasl::language::{print, print_field};
use crate::gasl::predicate::{Case, Comparison, Membership, Predicate, Test};
use crate::gasl::variable::{Rows, Values};

/// Maximum number of edges followed to find paths in another direction.
const MAX_EXPANSIONS: usize = 100_000;

/// Maximum length of a command that a help repeats, in bytes.
const MAX_REPEATED_BYTES: usize = 400;

/// Returns a warning for an empty `WALK` whose starts have edges in the other direction. `reaches`
/// returns whether a walk in a direction reaches nodes.
pub fn walk_against_direction_warning(
    graph: &Graph,
    command: &Command,
    direction: Direction,
    reaches: &dyn Fn(Direction) -> bool,
) -> Option<Diagnostic> {
    if !graph.is_directed() {
        return None;
    }
    let (other, opposite, word) = match direction {
        Direction::Own | Direction::Out => (Direction::In, EdgeDirection::In, "to"),
        Direction::In => (Direction::Out, EdgeDirection::Out, "from"),
        Direction::Any => return None,
    };
    if !reaches(other) {
        return None;
    }
    walk_direction_warning(command, opposite, word)
}

/// Warning for a walk whose starts have only edges in the other direction; `word` is that of the
/// edges.
pub fn walk_direction_warning(
    command: &Command,
    opposite: EdgeDirection,
    word: &str,
) -> Option<Diagnostic> {
    let mut corrected = command.clone();
    let Command::Walk { direction, .. } = &mut corrected else { return None };
    *direction = Some(opposite);
    let line = print(&corrected);
    let help = match line.len() <= MAX_REPEATED_BYTES {
        true => format!("write `{line}`"),
        false => format!("add `DIRECTION {}` before `DEPTH` and `AS`", opposite.word()),
    };
    let message = format!("edges lead only {word} the start nodes of WALK");
    Some(Diagnostic::new(codes::AGAINST_DIRECTION, message).help(help))
}

/// Returns a warning for an empty path search in a directed graph that has such paths in another
/// direction.
pub fn paths_against_direction_warning(
    graph: &Graph,
    query: &PathQuery,
    case: Case,
) -> Option<Diagnostic> {
    if !graph.is_directed() || query.direction == Direction::Any {
        return None;
    }
    let limits =
        SearchLimits { limit: Some(1), max_results: None, max_expansions: Some(MAX_EXPANSIONS) };
    let has_paths = |direction: Direction| {
        let other = PathQuery { direction, ..query.clone() };
        !graph.find_paths(&other, case, limits).is_empty()
    };
    let (other, opposite) = match query.direction {
        Direction::In => (Direction::Out, EdgeDirection::Out),
        _ => (Direction::In, EdgeDirection::In),
    };
    let (direction, message) = if has_paths(other) {
        (opposite, OPPOSITE_DIRECTION)
    } else if has_paths(Direction::Any) {
        (EdgeDirection::Any, BOTH_DIRECTIONS)
    } else {
        return None;
    };
    Some(path_direction_warning(direction, message))
}

fn path_direction_warning(direction: EdgeDirection, message: &str) -> Diagnostic {
    let help = format!("write `SET adapter.caps.direction = {}` before it", direction.word());
    Diagnostic::new(codes::AGAINST_DIRECTION, message).help(help)
}

/// Warning for an empty path search that finds paths in another direction.
pub fn against_direction(direction: EdgeDirection) -> Diagnostic {
    let message = match direction {
        EdgeDirection::Any => BOTH_DIRECTIONS,
        _ => OPPOSITE_DIRECTION,
    };
    path_direction_warning(direction, message)
}

const OPPOSITE_DIRECTION: &str = "paths lead only from the end nodes to the start nodes";
const BOTH_DIRECTIONS: &str = "paths exist only if edges are followed in both directions";

/// Returns a warning for rows of edges of an undirected graph that are grouped by one end.
pub fn undirected_end_grouping_warning(
    core: &Core,
    rows: &dyn Rows,
    by: &str,
    aggregates: &[Aggregate],
) -> Option<Diagnostic> {
    if !END_FIELDS.contains(&by) || !has_undirected_end(core, rows, by) {
        return None;
    }
    let message = format!("the edges are undirected, so `{by}` is only one of their ends");
    let help = match aggregates {
        [] | [Aggregate { function: AggregateFunction::Count, field: None }] => {
            "count the edges of each node with `MEASURE degree AS degrees`".to_owned()
        }
        [Aggregate { function: AggregateFunction::Sum, field: Some(of) }] => {
            let of = print_field(of);
            format!(
                "add the values of the edges of each node with `MEASURE degree WEIGHT {of} AS degrees`"
            )
        }
        _ => "select `FIELDS source:node` and `FIELDS target:node` with the other fields, combine both \
              with `UNION`, and write `BY node`"
            .to_owned(),
    };
    Some(Diagnostic::new(codes::UNDIRECTED_ENDS, message).help(help))
}

/// Returns a warning for a list or the distinct values of one end of undirected edges.
pub fn undirected_end_aggregation_warning(
    core: &Core,
    rows: &dyn Rows,
    aggregate: &Aggregate,
) -> Option<Diagnostic> {
    let of = aggregate.field.as_deref().filter(|of| END_FIELDS.contains(of))?;
    let depends_on_end =
        matches!(aggregate.function, AggregateFunction::Distinct | AggregateFunction::List);
    if !depends_on_end || !has_undirected_end(core, rows, of) {
        return None;
    }
    let message = format!("the edges are undirected, so `{of}` is only one of their ends");
    let help = "select `FIELDS source:node` and `FIELDS target:node`, combine both with `UNION`, and \
                aggregate `node`";
    Some(Diagnostic::new(codes::UNDIRECTED_ENDS, message).help(help))
}

/// Returns a warning for rows of edges of an undirected graph that are joined by one end.
pub fn joined_by_end_warning(core: &Core, rows: &dyn Rows, on: &str) -> Option<Diagnostic> {
    if !END_FIELDS.contains(&on) || !has_undirected_end(core, rows, on) {
        return None;
    }
    let message = format!("the edges are undirected, so `{on}` is only one of their ends");
    let help = "join on the other end too, and combine both results with `UNION`";
    Some(Diagnostic::new(codes::UNDIRECTED_ENDS, message).help(help))
}

/// Returns a warning if rows of edges of an undirected graph satisfy a condition only with exchanged
/// ends. `FIND edges` tests both orientations, and other commands test the rows as they are.
pub fn missed_by_orientation_warning(
    core: &Core,
    rows: &dyn Rows,
    predicate: &Predicate,
    case: Case,
) -> Option<Diagnostic> {
    let mut has_end = false;
    predicate.visit_fields(&mut |field| has_end |= END_FIELDS.contains(&&**field));
    if !has_end || !END_FIELDS.iter().all(|end| has_undirected_end(core, rows, end)) {
        return None;
    }
    let exchanged = predicate.map_fields(&|field| match field {
        "source" => "target".into(),
        "target" => "source".into(),
        other => other.into(),
    });
    let mut fields = exchanged.fields();
    fields.extend(predicate.fields());
    let mut values: OrderedMap<Values<'_>> = OrderedMap::default();
    for name in &fields {
        values.insert(name.clone(), rows.values(name));
    }
    let is_missed = |index: usize| {
        let value = |name: &str| values.get(name)?(index);
        !predicate.holds(case, &value) && exchanged.holds(case, &value)
    };
    let missed = (0..rows.len()).filter(|index| is_missed(*index)).count();
    let message = format!("{missed} undirected edges satisfy the condition with exchanged ends");
    let help = "write the condition in `FIND edges WHERE …`, which tests both orientations";
    (missed > 0).then(|| Diagnostic::new(codes::UNDIRECTED_ENDS, message).help(help))
}

/// Returns a warning for a condition that only excludes one end of undirected edges, because the other
/// end satisfies it too.
pub fn excluded_end_warning(is_directed: bool, predicate: &Predicate) -> Option<Diagnostic> {
    if is_directed {
        return None;
    }
    let mut tests = EndTests::default();
    tests.add(predicate, false);
    let (excluded, other) = match tests {
        EndTests { is_positive: false, excluded: [Some(field), None] } => (field, "target"),
        EndTests { is_positive: false, excluded: [None, Some(field)] } => (field, "source"),
        _ => return None,
    };
    let rest = excluded.split_once('.').map_or("", |(_, rest)| rest);
    let both = match rest {
        "" => other.to_owned(),
        rest => format!("{other}.{rest}"),
    };
    let message = format!(
        "the edges are undirected, so the test of `{excluded}` holds if either end satisfies it"
    );
    let help =
        format!("add the same test of `{both}` with `AND` if neither end may have the value");
    Some(Diagnostic::new(codes::UNDIRECTED_ENDS, message).help(help))
}

/// Tests of the ends of edges in a condition.
#[derive(Default)]
struct EndTests {
    /// Whether a test requires a value of an end.
    is_positive: bool,
    /// Field of the source and of the target that a test excludes.
    excluded: [Option<String>; 2],
}

impl EndTests {
    fn add(&mut self, predicate: &Predicate, is_negated: bool) {
        match predicate {
            Predicate::All(each) | Predicate::Any(each) => {
                each.iter().for_each(|one| self.add(one, is_negated));
            }
            Predicate::Not(one) => self.add(one, !is_negated),
            Predicate::Field(field, test) => {
                let excludes = matches!(
                    test,
                    Test::Compare(Comparison::NotEqual, _) | Test::In(Membership::Out, _)
                );
                let end = match field.split('.').next() {
                    Some("source" | "start") => 0,
                    Some("target" | "end") => 1,
                    _ => return,
                };
                match (excludes != is_negated, self.excluded.get_mut(end)) {
                    (true, Some(slot)) => *slot = Some(field.to_string()),
                    _ => self.is_positive = true,
                }
            }
            Predicate::Fields(..) => self.is_positive = true,
        }
    }
}

const END_FIELDS: [&str; 2] = ["source", "target"];

/// Returns whether a field of the first row is the id of a node of an undirected graph.
fn has_undirected_end(core: &Core, rows: &dyn Rows, field: &str) -> bool {
    if core.graph.is_directed() {
        return false;
    }
    let GraphAccess::Memory(graph) = &core.graph else {
        // Rows of edges have both ends.
        let fields = rows.fields();
        return END_FIELDS.iter().all(|end| fields.iter().any(|field| field == end));
    };
    let end = || rows.row_once(0)?.get(field)?.as_text().and_then(|id| graph.node(id));
    end().is_some()
}
