//! `WALK`.

use super::directions::walk_against_direction_warning;
use super::edge_rows::check_no_edges;
use super::find::{FindFields, locate_at_field, path_direction, text_case, with_truncation};
use super::output::{CommandResult, Output};
use super::suggestions::{unknown_fields, unknown_relation};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::bind::VariableScope;
use crate::gasl::caps::{Caps, EdgeDirection};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::graph::{Direction, Graph, SearchLimits};
use crate::gasl::graph_access::{GraphAccess, GraphRows};
use crate::gasl::identity::{RELATIONS, id_text};
use crate::gasl::language::ast::{Command, FindTarget, Follow, Operand};
use crate::gasl::predicate::{Comparison, Predicate, Test};
use crate::gasl::record::CommandFailure;
use crate::gasl::remote::GraphSchema;
use crate::gasl::variable::{Rows, Variable};
use std::rc::Rc;

/// Runs `WALK` on a graph in memory; returns `None` for a remote graph.
pub fn walk_in_memory(core: &mut Core, command: &Command, step: usize) -> Option<CommandResult> {
    let GraphAccess::Memory(graph) = core.graph.clone() else { return None };
    let Command::Walk { .. } = command else { return None };
    Some(walk(core, &graph, command, step))
}

fn walk(core: &Core, graph: &Rc<Graph>, command: &Command, step: usize) -> CommandResult {
    let WalkQuery { ids, follow, relation, caps, depth, mut diagnostics, .. } =
        WalkQuery::bind(core, command)?;
    let mut starts = Vec::new();
    let mut missing = Vec::new();
    let ids: Vec<_> = ids.iter().map(id_text).collect();
    for id in &ids {
        match graph.node(id) {
            Some(node) => starts.push(node),
            None => missing.push(&**id),
        }
    }
    if !missing.is_empty() {
        let listed = names::format_names(missing.iter().copied());
        let error = Diagnostic::new(codes::UNDEFINED, format!("unknown node {listed}"))
            .help("use rows that have the `id` of a node");
        if starts.is_empty() {
            return Err(error.into());
        }
        diagnostics.push(Diagnostic { code: codes::TRUNCATED_RESULT, ..error });
    }
    if let (Some(predicate), Command::Walk { follow: Some(Follow::Condition(condition)), .. }) =
        (&follow, command)
    {
        let unknown = unknown_fields(graph, FindTarget::Edges, predicate).into_iter();
        diagnostics.extend(
            unknown.map(|(field, warning)| locate_at_field(warning, Some(condition), &field)),
        );
    }
    let limits = SearchLimits {
        limit: None,
        max_results: Some(core.caps.max_results),
        max_expansions: Some(core.caps.max_expansions),
    };
    let edges = follow.as_ref().map(|follow| graph.followed_edges(follow, text_case(&caps)));
    let direction = path_direction(&caps);
    let found = graph.walk(&starts, edges.as_ref(), depth, direction, limits);
    let rows = GraphRows::nodes(graph.clone(), found.rows);
    let count = rows.len();
    if count == 0 {
        let unknown = relation.and_then(|relation| unknown_relation(graph, &relation));
        let has_neighbors = || graph.has_neighbors(&starts, edges.as_ref(), direction);
        let reaches = |other: Direction| {
            let one = SearchLimits { limit: Some(1), ..SearchLimits::UNLIMITED };
            !graph.walk(&starts, edges.as_ref(), 1, other, one).rows.is_empty()
        };
        diagnostics.extend(
            unknown
                .or_else(|| walk_against_direction_warning(graph, command, direction, &reaches))
                .or_else(|| has_neighbors().then(only_start_nodes_warning)),
        );
    }
    let output =
        Output::from_value(Variable::Rows(Rc::new(rows), step)).with_diagnostics(diagnostics);
    Ok(with_truncation(output, found.truncation, count, &core.caps))
}

/// Warning for a walk that reaches only its start nodes.
pub fn only_start_nodes_warning() -> Diagnostic {
    let message = "all reached nodes are start nodes of WALK, which are left out";
    Diagnostic::new(codes::TRUNCATED_RESULT, message)
        .help("start from fewer rows, or list the edges: `FIND edges WHERE source IN ${…}`")
}

/// Walk with resolved values.
pub struct WalkQuery {
    /// Ids of the start nodes as the rows contain them.
    pub ids: Vec<Value>,
    /// Condition on the followed edges.
    pub follow: Option<Predicate>,
    /// Relation of `FOLLOW`.
    pub relation: Option<String>,
    /// Caps with the direction of the command.
    pub caps: Caps,
    pub depth: usize,
    pub is_directed: bool,
    pub diagnostics: Vec<Diagnostic>,
}

impl WalkQuery {
    /// Resolves the start nodes and the edges to follow.
    pub fn bind(core: &Core, command: &Command) -> Result<WalkQuery, CommandFailure> {
        let Command::Walk { starts, follow, direction, depth, .. } = command else {
            return Err(Diagnostic::new(codes::WRONG_VALUE, "expected WALK").into());
        };
        let mut scope = core.scope();
        let from = scope.resolve(&starts.steps, starts.span)?;
        check_no_edges(&core.graph, &from, &starts.steps, starts.span)?;
        let id = |value: &Value| Some(value.get("id").unwrap_or(value).clone()).filter(is_name);
        let value = from.to_value();
        // `p.nodes` of paths is a list of lists.
        let each = |row: &Value| match row {
            Value::List(items) => items.iter().filter_map(id).collect::<Vec<_>>(),
            one => id(one).into_iter().collect::<Vec<_>>(),
        };
        let ids: Vec<Value> = match &value {
            Value::List(rows) => rows.iter().flat_map(each).collect::<Vec<_>>(),
            one => each(one),
        };
        if ids.is_empty() && !from.is_empty() {
            let message = format!("no row of {} has an `id`", quote(&starts.text()));
            return Err(Diagnostic::new(codes::WRONG_VALUE, message)
                .help("use rows that have the `id` of a node")
                .at(starts.span)
                .into());
        }
        let (follow, relation) = match follow {
            None => (None, None),
            Some(Follow::Relation(operand)) => {
                let relation = relation_of(&mut scope, operand)?;
                (Some(has_relation(&core.graph, &relation)), Some(relation))
            }
            Some(Follow::Condition(condition)) => {
                let fields = FindFields { graph: &core.graph, target: FindTarget::Edges };
                (Some(scope.predicate(condition, &fields)?), None)
            }
        };
        let mut caps = core.caps.clone();
        caps.direction = direction.or(caps.direction);
        let (depth, diagnostics) = (depth.unwrap_or(1), scope.diagnostics);
        let is_directed = core.graph.is_directed();
        Ok(WalkQuery { ids, follow, relation, caps, depth, is_directed, diagnostics })
    }

    /// Returns the direction in a remote graph.
    pub fn remote_direction(&self) -> EdgeDirection {
        let own = if self.is_directed { EdgeDirection::Out } else { EdgeDirection::Any };
        match self.caps.direction {
            Some(direction) if self.is_directed => direction,
            _ => own,
        }
    }
}

fn is_name(value: &Value) -> bool {
    matches!(value, Value::Text(_) | Value::Number(_))
}

fn relation_of(scope: &mut VariableScope<'_>, follow: &Operand) -> Result<String, Diagnostic> {
    let relation = scope.single_value(follow)?;
    if is_name(&relation) {
        return Ok(id_text(&relation).into_owned());
    }
    let message = format!("expected one relation after FOLLOW, found a {}", relation.kind());
    Err(Diagnostic::new(codes::WRONG_VALUE, message)
        .help("write the relation, as in `FOLLOW WROTE`, or the path of one string")
        .at(follow.span))
}

/// Returns the condition that an edge has a relation. A remote graph may use any of [`RELATIONS`].
fn has_relation(graph: &GraphAccess, relation: &str) -> Predicate {
    let is = |field: &str| {
        Predicate::Field(field.into(), Test::Compare(Comparison::Equal, relation.into()))
    };
    match graph {
        GraphAccess::Memory(graph) => match graph.relation_field() {
            Some(field) => is(&field),
            None => Predicate::Any(Vec::new()),
        },
        GraphAccess::Remote(graph) => match graph.schema().map(GraphSchema::relation_field) {
            Some(Some(field)) => is(field),
            Some(None) => Predicate::Any(Vec::new()),
            None => Predicate::Any(RELATIONS.into_iter().map(is).collect::<Vec<_>>()),
        },
    }
}
