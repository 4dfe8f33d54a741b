//! `FIND`.

use super::directions::{excluded_end_warning, paths_against_direction_warning};
use super::edge_rows::check_condition;
use super::output::{CommandResult, Output, completeness};
use super::suggestions::{
    FieldSource, find_unknown_text, same_ends_warning, texts_of, unknown_fields,
};
use super::unusual_texts::unusual_text;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::caps::{self, Caps};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::graph::{Direction, ElementKind, Graph, PathQuery, SearchLimits, Truncation};
use crate::gasl::graph_access::{
    GraphAccess, GraphRows, PathRows, path_query_entries, predicate_to_value,
};
use crate::gasl::language::ast::{Command, Condition, FindTarget};
use crate::gasl::predicate::{Case, Predicate};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::row_condition::ConditionFields;
use crate::gasl::variable::{Rows, Variable};
use std::rc::Rc;

/// Search with resolved values.
pub struct FindQuery {
    pub target: FindTarget,
    pub predicate: Predicate,
    pub limit: Option<usize>,
    /// Present if the target is paths.
    pub paths: Option<PathQuery>,
    /// Maximum path length, if the condition allows longer paths.
    pub path_length_bound: Option<usize>,
    /// Implicit maximum path length, reported if nothing is found.
    pub implicit_bound: Option<usize>,
    pub diagnostics: Vec<Diagnostic>,
}

impl FindQuery {
    /// Resolves the condition and the path length.
    pub fn bind(
        core: &Core,
        target: FindTarget,
        condition: Option<&Condition>,
        limit: Option<usize>,
    ) -> Result<FindQuery, CommandFailure> {
        let mut scope = core.scope();
        let fields = FindFields { graph: &core.graph, target };
        let predicate = condition.map(|condition| scope.predicate(condition, &fields));
        let predicate = predicate.transpose()?;
        condition.map(|condition| check_condition(core, target, condition)).transpose()?;
        let predicate = predicate.unwrap_or_else(Predicate::everything);
        let diagnostics = scope.diagnostics;
        let mut query = FindQuery {
            target,
            predicate,
            limit,
            paths: None,
            path_length_bound: None,
            implicit_bound: None,
            diagnostics,
        };
        if target == FindTarget::Paths {
            query.bind_paths(core);
        }
        Ok(query)
    }

    fn bind_paths(&mut self, core: &Core) {
        let cap = core.caps.requested_path_length;
        let mut paths = PathQuery::new(&self.predicate, cap.unwrap_or(caps::DEFAULT_PATH_LENGTH));
        paths.direction = path_direction(&core.caps);
        let requested = paths.max_length;
        let granted =
            core.setup.ceilings.get("max_path_length").unwrap_or(usize::MAX).min(requested);
        paths.max_length = granted;
        let has_longer = |paths: &PathQuery| match &core.graph {
            // A simple path visits each node at most once.
            GraphAccess::Memory(graph) if graph.node_count() <= granted.saturating_add(1) => false,
            GraphAccess::Memory(graph) => {
                !paths.mentions_length || graph.has_longer_paths(paths, text_case(&core.caps))
            }
            GraphAccess::Remote(_) => true,
        };
        let warning = if granted < requested {
            Some(caps::clamped_warning("max_path_length", requested, granted))
        } else {
            let open = paths.allows_longer && cap.is_none() && has_longer(&paths);
            // `length >= 4` with a lower cap.
            let is_beyond = paths.allows_longer && cap.is_some() && paths.mentions_length;
            self.implicit_bound = (open && !paths.mentions_length || is_beyond).then_some(granted);
            (open && paths.mentions_length).then(|| longer_paths_skipped(granted))
        };
        if warning.is_some() {
            self.path_length_bound = Some(granted);
        }
        self.diagnostics.extend(warning);
        self.paths = Some(paths);
    }

    /// Returns the query as adapters of the host receive it.
    pub fn to_value(&self, core: &Core) -> Value {
        let mut map = Map::default();
        put(&mut map, "where", predicate_to_value(&self.predicate));
        if let Some(limit) = self.limit {
            put(&mut map, "limit", limit);
        }
        put(&mut map, "caps", core.caps.to_value());
        for (key, value) in self.paths.iter().flat_map(path_query_entries) {
            map.insert(key.into(), value);
        }
        if self.paths.is_some() {
            let direction = core.caps.direction.unwrap_or(caps::EdgeDirection::Out);
            put(&mut map, "direction", direction.word());
        }
        map.into()
    }
}

/// Fields of the rows that `FIND` returns. A remote graph is not asked.
pub struct FindFields<'a> {
    pub graph: &'a GraphAccess,
    pub target: FindTarget,
}

impl ConditionFields for FindFields<'_> {
    fn has_field(&self, field: &str) -> bool {
        match (self.graph, self.target) {
            (GraphAccess::Memory(graph), FindTarget::Edges) => graph.has_edge_field(field),
            (_, FindTarget::Paths) if field == "length" => true,
            (GraphAccess::Memory(graph), _) => graph.has_node_field(field),
            (GraphAccess::Remote(graph), FindTarget::Edges) => {
                ["id", "source", "target"].contains(&field)
                    || graph.schema().is_some_and(|schema| schema.has(ElementKind::Edge, field))
            }
            (GraphAccess::Remote(graph), _) => {
                field == "id"
                    || graph.schema().is_some_and(|schema| schema.has(ElementKind::Node, field))
            }
        }
    }

    fn has_text(&self, field: &str, text: &str) -> bool {
        let GraphAccess::Memory(graph) = self.graph else { return true };
        let owner = FieldSource::Graph(graph).owner(self.target, field);
        owner.is_none_or(|(of, name)| texts_of(graph, of, &[name]).any(|one| one == text))
    }
}

/// Warning for a condition without a maximum path length.
pub fn longer_paths_skipped(max: usize) -> Diagnostic {
    let edges = if max == 1 { "edge" } else { "edges" };
    let message = format!("paths of more than {max} {edges} were not searched");
    Diagnostic::new(codes::TRUNCATED_RESULT, message)
        .help("limit the length with `AND length <= n`")
}

/// Note for paths that `LIMIT` cut, which are not the shortest ones.
pub fn paths_not_shortest(count: usize) -> Diagnostic {
    let first =
        if count == 1 { "the first path".to_owned() } else { format!("the first {count} paths") };
    let message = format!("found {first} of the search; others may be shorter");
    let help = "write `FIND shortest paths WHERE … AS p` for the shortest ones, \
                or rank all of them: `RANK p BY length ASC LIMIT 1 AS q`";
    Diagnostic::new(codes::PATHS_NOT_SHORTEST, message).help(help)
}

pub fn path_direction(caps: &Caps) -> Direction {
    match caps.direction {
        None => Direction::Own,
        Some(caps::EdgeDirection::Out) => Direction::Out,
        Some(caps::EdgeDirection::In) => Direction::In,
        Some(caps::EdgeDirection::Any) => Direction::Any,
    }
}

pub fn text_case(caps: &Caps) -> Case {
    if caps.case_sensitive { Case::Sensitive } else { Case::Ignored }
}

/// Runs `FIND` on a graph in memory; returns `None` for a remote graph.
pub fn find_in_memory(core: &mut Core, command: &Command, step: usize) -> Option<CommandResult> {
    let GraphAccess::Memory(graph) = core.graph.clone() else { return None };
    let Command::Find { target, condition, limit, .. } = command else { return None };
    Some(find(core, &graph, *target, condition.as_ref(), *limit, step))
}

fn find(
    core: &Core,
    graph: &Rc<Graph>,
    target: FindTarget,
    condition: Option<&Condition>,
    limit: Option<usize>,
    step: usize,
) -> CommandResult {
    let query = FindQuery::bind(core, target, condition, limit)?;
    let limits = SearchLimits {
        limit,
        max_results: Some(core.caps.max_results),
        max_expansions: Some(core.caps.max_expansions),
    };
    let case = text_case(&core.caps);
    let unknown = unknown_fields(graph, target, &query.predicate);
    let unknown: Vec<Diagnostic> = unknown
        .into_iter()
        .map(|(field, warning)| locate_at_field(warning, condition, &field))
        .collect::<Vec<_>>();
    let all_known = unknown.is_empty();
    let (rows, cut): (Rc<dyn Rows>, Option<Truncation>) = match target {
        FindTarget::Nodes => {
            let found = graph.find_nodes(&query.predicate, case, limits);
            (Rc::new(GraphRows::nodes(graph.clone(), found.rows)), found.truncation)
        }
        FindTarget::Edges => {
            let (found, reversed) = graph.find_edges(&query.predicate, case, limits);
            (Rc::new(GraphRows::edges(graph.clone(), found.rows, reversed)), found.truncation)
        }
        FindTarget::Paths => {
            let paths = query.paths.as_ref().map(|paths| graph.find_paths(paths, case, limits));
            let paths = paths.unwrap_or_default();
            let cut = paths.truncation;
            (Rc::new(PathRows::new(graph.clone(), paths)), cut)
        }
    };
    let count = rows.len();
    let mut output = Output::from_value(Variable::Rows(rows, step))
        .with_diagnostics(query.diagnostics)
        .with_diagnostics(unknown);
    if target == FindTarget::Edges {
        output.diagnostics.extend(excluded_end_warning(graph.is_directed(), &query.predicate));
    }
    if all_known {
        let warning = unusual_text(graph, target, &query.predicate, count > 0);
        let warning = warning.map(|(field, text)| locate_at_field(text, condition, &field));
        output.diagnostics.extend(warning);
    }
    if count == 0
        && all_known
        && output.diagnostics.iter().all(|one| one.code != codes::UNKNOWN_TEXT)
    {
        let diagnostics = same_ends_warning(target, &query.predicate)
            .or_else(|| find_unknown_text(graph, target, &query.predicate))
            .map(|(field, diagnostics)| locate_at_field(diagnostics, condition, &field));
        let paths = query.paths.as_ref();
        let has_longer = || paths.is_some_and(|paths| graph.has_longer_paths(paths, case));
        let against = || paths_against_direction_warning(graph, paths?, case);
        output.diagnostics.extend(
            diagnostics.or_else(against).or_else(|| {
                query.implicit_bound.filter(|_| has_longer()).map(longer_paths_skipped)
            }),
        );
    }
    if let Some(paths) = &query.paths {
        output = output.with_metric("max_path_length", paths.max_length);
    }
    if target == FindTarget::Paths && cut == Some(Truncation::Limit) {
        output.diagnostics.push(paths_not_shortest(count));
    }
    output = with_truncation(output, cut, count, &core.caps);
    if let (Some(bound), None) = (query.path_length_bound, output.status) {
        output.status = Some(StepStatus::Partial);
        output = output.with_metric("completeness", completeness(count, bound, "max_path_length"));
    }
    Ok(output)
}

/// Locates a diagnostic at the first use of a field in the condition.
pub fn locate_at_field(
    diagnostics: Diagnostic,
    condition: Option<&Condition>,
    field: &str,
) -> Diagnostic {
    // Diagnostics that are only counted have no field.
    let condition = condition.filter(|_| !field.is_empty());
    match condition.and_then(|condition| condition.first_span_of(field)) {
        Some(span) => diagnostics.at(span),
        None => diagnostics,
    }
}

/// Adds the status, metrics and warning of a truncated result.
pub fn with_truncation(
    mut output: Output,
    cut: Option<Truncation>,
    count: usize,
    caps: &Caps,
) -> Output {
    let (kind, bound) = match cut {
        None => return output,
        Some(Truncation::Limit) => return output.with_metric("limited", true),
        Some(Truncation::MaxResults) => ("max_results", caps.max_results),
        Some(Truncation::MaxExpansions) => ("max_expansions", caps.max_expansions),
    };
    output.status = Some(StepStatus::Partial);
    output.diagnostics.push(result_truncated(kind, bound));
    output.with_metric("completeness", completeness(count, bound, kind))
}

/// Warning for a result that a cap truncated.
pub fn result_truncated(kind: &str, bound: usize) -> Diagnostic {
    Diagnostic::new(
        codes::TRUNCATED_RESULT,
        format!("the result was truncated: `{kind}` is {bound}"),
    )
    .help(format!("narrow the condition, or write `SET adapter.caps.{kind} = …`"))
}
