//! Edge rows where a command expects nodes: their `id` is that of an edge.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::graph::ElementKind;
use crate::gasl::graph_access::GraphAccess;
use crate::gasl::language::ast::{Condition, FindTarget, InItems, Operand, OperandKind};
use crate::gasl::variable::Variable;

/// Returns an error if a variable has edge rows.
pub fn check_no_edges(
    graph: &GraphAccess,
    variable: &Variable,
    steps: &[String],
    span: Span,
) -> Result<(), Diagnostic> {
    if !has_edges(graph, variable) {
        return Ok(());
    }
    let path = steps.join(".");
    let message = format!("expected nodes, found edges: {}", quote(&path));
    let help = format!(
        "write {} or {} for the nodes at their ends",
        quote(&format!("{path}.source")),
        quote(&format!("{path}.target"))
    );
    Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(span))
}

/// Returns whether rows have the `id` of an edge: one that is neither its `source` nor its `target`.
fn has_edges(graph: &GraphAccess, variable: &Variable) -> bool {
    let Variable::Rows(rows, _) = variable else { return false };
    let is_node_field = |field: &str| match graph {
        GraphAccess::Memory(graph) => graph.has_node_field(field),
        GraphAccess::Remote(graph) => {
            graph.schema().is_some_and(|schema| schema.has(ElementKind::Node, field))
        }
    };
    if is_node_field("source") && is_node_field("target") {
        return false;
    }
    let (id, source, target) = (rows.values("id"), rows.values("source"), rows.values("target"));
    let present = |value: Option<Value>| value.filter(|value| !value.is_null());
    let is_edge = |index: usize| {
        let ends = present(source(index)).zip(present(target(index)));
        let found = present(id(index)).zip(ends);
        found.map(|(id, (source, target))| id != source && id != target)
    };
    // Rows of nodes that are joined with edges have the id of an end.
    let mut rows = (0..rows.len()).map(is_edge);
    rows.next().flatten().is_some_and(|first| first || rows.flatten().any(|is_edge| is_edge))
}

/// Returns an error if a condition compares the id of a node with edge rows.
pub fn check_condition(
    core: &Core,
    target: FindTarget,
    condition: &Condition,
) -> Result<(), Diagnostic> {
    let is_node_id = |left: &Operand| match &left.kind {
        OperandKind::Field(field) => is_node_id(target, field),
        _ => false,
    };
    match condition {
        Condition::All(each) | Condition::Any(each) => {
            each.iter().try_for_each(|one| check_condition(core, target, one))
        }
        Condition::Not(one) => check_condition(core, target, one),
        Condition::Compare(left, _, right) if is_node_id(left) => check_operand(core, right),
        Condition::In(left, _, InItems::Binding(right)) if is_node_id(left) => {
            check_operand(core, right)
        }
        Condition::In(left, _, InItems::List(items)) if is_node_id(left) => {
            items.iter().try_for_each(|item| check_operand(core, item))
        }
        _ => Ok(()),
    }
}

fn check_operand(core: &Core, operand: &Operand) -> Result<(), Diagnostic> {
    let OperandKind::Binding(steps) = &operand.kind else { return Ok(()) };
    let variable = core.scope().resolve(steps, operand.span)?;
    check_no_edges(&core.graph, &variable, steps, operand.span)
}

/// Returns whether a field is the id of a node.
fn is_node_id(target: FindTarget, field: &str) -> bool {
    const ENDS: [&str; 8] =
        ["source", "target", "source.id", "target.id", "start", "end", "start.id", "end.id"];
    match target {
        FindTarget::Nodes => field == "id",
        FindTarget::Edges => ENDS.contains(&field),
        FindTarget::Paths => ["id", "node.id"].contains(&field) || ENDS.contains(&field),
    }
}
