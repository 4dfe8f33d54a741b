//! Checks the weights of the edges of a remote graph.

use super::remote_graph::parse_response_rows;
use super::remote_search::derive_effect;
use super::weights::{missing_weights, unknown_weight};
use crate::base::diagnostic::quote;
use crate::base::value::put;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse};
use crate::gasl::graph::ElementKind;
use crate::gasl::graph_access::{GraphAccess, predicate_to_value};
use crate::gasl::language::ast::FindTarget;
use crate::gasl::predicate::Predicate;
use crate::gasl::record::CommandFailure;

/// Question about the weights of all edges: how many there are, and how many are numbers.
pub struct WeightCountQuery {
    field: String,
    /// Help for a field that no edge has, if the schema does not list the field.
    unknown_help: Option<String>,
}

impl WeightCountQuery {
    /// Returns the question, or `None` if the host does not answer it.
    pub fn of(core: &Core, field: &str) -> Option<WeightCountQuery> {
        let GraphAccess::Remote(graph) = &core.graph else { return None };
        let schema = graph.schema().filter(|_| graph.has_capability("derive"))?;
        let unknown_help = (!schema.has(ElementKind::Edge, field)).then(|| {
            let fields = schema.fields(ElementKind::Edge).iter().map(String::as_str);
            format!("fields of edges: {}", names::format_names(fields))
        });
        Some(WeightCountQuery { field: field.to_owned(), unknown_help })
    }

    pub fn effect(&self, core: &Core) -> Effect {
        let column = |function: &str, name: &str, has_field: bool| {
            let mut column = Value::map([("function", Value::from(function)), ("as", name.into())]);
            if let Some(map) = column.as_map_mut().filter(|_| has_field) {
                put(map, "of", self.field.as_str());
            }
            column
        };
        let columns = vec![
            column("count", "edges", false),
            column("count", "present", true),
            column("sum", "sum", true),
        ];
        let parts = vec![("by", Value::list(Vec::new())), ("aggregates", Value::list(columns))];
        derive_effect(&all_edges(core), "group", parts)
    }

    /// Returns a warning for edges without a weight. Fails if a weight is not a number.
    pub fn accept(&self, response: HostResponse) -> Result<Option<Diagnostic>, CommandFailure> {
        let value = match response {
            HostResponse::Value(value) => value,
            failed => return parse_response_rows(failed, FindTarget::Nodes).map(|_| None),
        };
        // Without edges, a database may return no group.
        let Some(group) = value.as_list().and_then(<[Value]>::first) else { return Ok(None) };
        let number = |value: Option<&Value>| {
            value.and_then(Value::as_number).unwrap_or_default().max(0.0) as usize
        };
        let column = |name: &str| number(group.get("values").and_then(|values| values.get(name)));
        let (edges, present) = (column("edges"), column("present"));
        if let Some(help) = self.unknown_help.as_ref().filter(|_| present == 0) {
            return Err(unknown_weight(&self.field).help(help.clone()).into());
        }
        let left_out = group.get("left_out").and_then(Value::as_list).unwrap_or_default();
        let others = number(left_out.last());
        if others > 0 {
            let message = format!(
                "expected a number in {}, found other values in {others} of {edges} edges",
                quote(&self.field)
            );
            return Err(Diagnostic::new(codes::BAD_WEIGHT, message)
                .help("choose another field, or leave `WEIGHT` out")
                .into());
        }
        Ok(missing_weights(edges.saturating_sub(present), &self.field))
    }
}

/// Returns all edges as the source of derived queries.
fn all_edges(core: &Core) -> Value {
    Value::map([
        ("kind", Value::from("edges")),
        ("where", predicate_to_value(&Predicate::everything())),
        ("caps", core.caps.to_value()),
    ])
}
