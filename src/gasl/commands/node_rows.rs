//! Nodes of the graph that a variable contains.

use super::edge_rows::check_no_edges;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::bind::VariableScope;
use crate::gasl::codes;
use crate::gasl::graph::Graph;
use crate::gasl::graph_access::GraphAccess;
use crate::gasl::identity::id_text;
use crate::gasl::language::ast::VariablePath;
use crate::gasl::variable::Variable;

/// Returns the ids of the nodes in a variable: the `id` of rows, or ids, also in lists as in
/// `p.nodes` of paths.
pub fn node_ids(
    graph: &GraphAccess,
    scope: &mut VariableScope<'_>,
    path: &VariablePath,
) -> Result<Vec<Value>, Diagnostic> {
    let variable = scope.resolve(&path.steps, path.span)?;
    check_no_edges(graph, &variable, &path.steps, path.span)?;
    let is_id = |value: &Value| matches!(value, Value::Text(_) | Value::Number(_));
    let id_of = |value: &Value| Some(value.get("id").unwrap_or(value).clone()).filter(is_id);
    let ids_of = |value: Value| match &value {
        Value::List(items) => items.iter().filter_map(id_of).collect::<Vec<_>>(),
        one => id_of(one).into_iter().collect::<Vec<_>>(),
    };
    let ids: Vec<Value> = match &variable {
        Variable::Rows(rows, _) => {
            let by_id = rows.values("id");
            let ids = |index: usize| match by_id(index).filter(is_id) {
                Some(id) => vec![id],
                None => rows.row(index).map(ids_of).unwrap_or_default(),
            };
            (0..rows.len()).flat_map(ids).collect::<Vec<_>>()
        }
        Variable::Value(value, _) => ids_of(value.clone()),
    };
    if ids.is_empty() && !variable.is_empty() {
        let message = format!("no row of {} has an `id`", quote(&path.text()));
        return Err(Diagnostic::new(codes::WRONG_VALUE, message)
            .help("use rows that have the `id` of a node")
            .at(path.span));
    }
    Ok(ids)
}

/// Returns the rows of nodes with ids, and a warning for unknown ids. Fails if all are unknown.
pub fn known_nodes(
    graph: &Graph,
    ids: &[Value],
) -> Result<(Vec<u32>, Option<Diagnostic>), Diagnostic> {
    let texts: Vec<_> = ids.iter().map(id_text).collect();
    let nodes: Vec<u32> = texts.iter().filter_map(|id| graph.node(id)).collect();
    if nodes.len() == texts.len() {
        return Ok((nodes, None));
    }
    let unknown = texts.iter().filter(|id| graph.node(id).is_none());
    let message = format!("unknown node {}", names::format_names(unknown.map(|id| &**id)));
    let error =
        Diagnostic::new(codes::UNDEFINED, message).help("use rows that have the `id` of a node");
    if nodes.is_empty() {
        return Err(error);
    }
    Ok((nodes, Some(Diagnostic { code: codes::TRUNCATED_RESULT, ..error })))
}
