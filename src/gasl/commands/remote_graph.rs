//! Rows of a remote graph.

use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::effect::{HostFailure, HostResponse};
use crate::gasl::graph_access::rows_with_sources;
use crate::gasl::language::ast::FindTarget;
use crate::gasl::predicate::{Membership, Predicate, Test};
use crate::gasl::record::CommandFailure;
use crate::gasl::value_set::ValueSet;
use crate::gasl::variable::Variable;

/// Creates paths with the sources of their edges.
pub fn path_rows(rows: Vec<Value>, step: usize) -> Variable {
    rows_with_sources(rows.into_iter().map(with_end_ids).collect(), step)
}

/// Returns a path with the ids of its ends as `start` and `end`, before its other fields.
fn with_end_ids(path: Value) -> Value {
    let nodes = path.get("nodes").and_then(Value::as_list).unwrap_or_default();
    let mut row = Map::default();
    put(&mut row, "start", nodes.first().cloned());
    put(&mut row, "end", nodes.last().cloned());
    let others = path.as_map().cloned().unwrap_or_default().into_iter();
    row.extend(others.filter(|(key, _)| !["start", "end"].contains(&&**key)));
    row.into()
}

/// Help for a failed query for which the host gives none.
const DEFAULT_HELP: &str = "retry, narrow the query, or continue without it";

/// Returns the rows of a response, or an error if it is invalid.
pub fn parse_response_rows(
    response: HostResponse,
    target: FindTarget,
) -> Result<Vec<Value>, CommandFailure> {
    let value = match response {
        HostResponse::Value(value) => value,
        HostResponse::Failed(HostFailure { why, help })
        | HostResponse::Interrupted(HostFailure { why, help }) => {
            let message = format!("the graph query failed: {why}");
            let help = help.unwrap_or_else(|| DEFAULT_HELP.to_owned());
            return Err(Diagnostic::new(codes::ADAPTER_FAILED, message).help(help).into());
        }
    };
    let required: &[&str] = match target {
        FindTarget::Nodes => &["id"],
        FindTarget::Edges => &["source", "target"],
        FindTarget::Paths => &["nodes"],
    };
    let rows = value.as_list().unwrap_or_default();
    let is_id = |id: &Value| matches!(id, Value::Text(_) | Value::Number(_) | Value::List(_));
    let fits = |row: &Value| required.iter().all(|key| row.get(key).is_some_and(is_id));
    let invalid = rows.iter().position(|row| !fits(row));
    if value.as_list().is_none() || invalid.is_some() {
        let found = invalid.map_or("the response".to_owned(), |index| format!("row {index}"));
        let message = format!("invalid rows from the graph adapter: {found}");
        let help =
            format!("return a list of maps with {} from the adapter", required.join(" and "));
        return Err(Diagnostic::new(codes::ADAPTER_FAILED, message).help(help).into());
    }
    Ok(rows.to_vec())
}

/// Returns the condition that a field has one of some ids.
pub fn is_one_of(field: &str, ids: &[Value]) -> Predicate {
    Predicate::Field(field.into(), Test::In(Membership::In, ValueSet::new(ids.to_vec())))
}
