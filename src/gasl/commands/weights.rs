//! Weights of edges for a command, with their diagnostics.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, names};
use crate::gasl::codes;
use crate::gasl::graph::{Graph, InvalidWeight};

/// Weights that a command accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WeightRange {
    Any,
    NotNegative,
    Positive,
}

/// Returns the weights of all edges, and a warning for edges without one.
pub fn edge_weights(
    graph: &Graph,
    field: &str,
    range: WeightRange,
) -> Result<(Vec<f64>, Option<Diagnostic>), Diagnostic> {
    let read = graph.edge_weights(field).map_err(|invalid| match invalid {
        InvalidWeight::UnknownField => unknown_field(graph, field),
        InvalidWeight::NotNumeric(edge, value) => {
            let edge = graph.edge_id(edge);
            let message = format!(
                "expected a number in {}, found {} in edge {}",
                quote(field),
                quote(&value),
                quote(&edge)
            );
            Diagnostic::new(codes::BAD_WEIGHT, message).help(numeric_fields(graph))
        }
    })?;
    let is_invalid = |weight: &f64| match range {
        WeightRange::Any => false,
        WeightRange::NotNegative => *weight < 0.0,
        WeightRange::Positive => *weight <= 0.0,
    };
    if let Some(edge) = read.weights.iter().position(is_invalid) {
        let weight = read.weights.get(edge).copied().unwrap_or_default();
        let expected = if range == WeightRange::Positive { "positive" } else { "not negative" };
        let message = format!(
            "weights must be {expected}, but {} is {weight} in edge {}",
            quote(field),
            quote(&graph.edge_id(edge as u32))
        );
        let help = "choose another field, or leave `WEIGHT` out";
        return Err(Diagnostic::new(codes::BAD_WEIGHT, message).help(help));
    }
    let warning = missing_weights(read.missing, field);
    Ok((read.weights, warning))
}

/// Returns a warning if some edges do not have the field of the weights.
pub fn missing_weights(missing: usize, field: &str) -> Option<Diagnostic> {
    (missing > 0).then(|| {
        let edges = names::count_of(missing, "edge");
        let message = format!("missing {} in {edges}: the weight is 1", quote(field));
        Diagnostic::new(codes::MISSING_WEIGHT, message)
            .help("choose a field that every edge has, or add the missing values to the graph")
    })
}

fn unknown_field(graph: &Graph, field: &str) -> Diagnostic {
    unknown_weight(field).help(numeric_fields(graph))
}

/// Error for a field of weights that no edge has.
pub fn unknown_weight(field: &str) -> Diagnostic {
    Diagnostic::new(codes::UNKNOWN_FIELD, format!("unknown field {} of edges", quote(field)))
}

fn numeric_fields(graph: &Graph) -> String {
    let fields = graph.numeric_edge_fields();
    match fields.is_empty() {
        true => "leave `WEIGHT` out: no field of edges has numbers".to_owned(),
        false => {
            format!("fields of edges with numbers: {}", names::format_names(fields.iter().copied()))
        }
    }
}
