//! Queries to the host before a command runs: the schema of the graph, and rows that were not sent.

use super::derived;
use super::find::result_truncated;
use super::mentions::visit_inputs;
use super::remote_graph::parse_response_rows;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse};
use crate::gasl::graph_access::{GraphAccess, response_rows};
use crate::gasl::language::ast::{Command, FindTarget};
use crate::gasl::record::CommandFailure;
use crate::gasl::variable::Variable;

/// Query whose response a command needs.
pub enum PreparationQuery {
    Schema,
    /// All rows of a variable.
    Rows(String, FindTarget),
}

/// Number of fetched rows above which a warning is added.
pub const MANY_ROWS: usize = 50_000;

/// Returns the next query that a command needs, or `None` if it can run.
pub fn next_query(core: &Core, command: &Command) -> Option<(PreparationQuery, Effect)> {
    let GraphAccess::Remote(graph) = &core.graph else { return None };
    let searches = matches!(
        command,
        Command::Find { .. }
            | Command::Walk { .. }
            | Command::ShortestPaths(_)
            | Command::Measure(_)
    );
    if searches && graph.has_capability("schema") && graph.schema().is_none() {
        let query = Value::map([("caps", core.caps.to_value())]);
        return Some((PreparationQuery::Schema, Effect::Query("schema", query)));
    }
    if derived::is_computed_by_host(core, command) {
        return None;
    }
    let mut found = None;
    visit_inputs(command, &mut |name| {
        if found.is_none()
            && let Some(Variable::Rows(rows, _)) = core.context.get(name)
            && let Some(query) = rows.remote_query()
        {
            found = Some((name.to_owned(), query.clone()));
        }
    });
    let (name, query) = found?;
    let (what, target) = match query.get("kind").and_then(Value::as_text) {
        Some("edges") => ("edges", FindTarget::Edges),
        _ => ("nodes", FindTarget::Nodes),
    };
    Some((PreparationQuery::Rows(name, target), Effect::Query(what, query)))
}

/// Stores the response. Returns a warning for many rows.
pub fn store_response(
    core: &mut Core,
    query: PreparationQuery,
    response: HostResponse,
) -> Result<Option<Diagnostic>, CommandFailure> {
    match query {
        PreparationQuery::Schema => {
            let schema = match response {
                HostResponse::Value(value) => value,
                failed => {
                    parse_response_rows(failed, FindTarget::Nodes)?;
                    return Ok(None);
                }
            };
            if let GraphAccess::Remote(graph) = &core.graph {
                graph.set_schema(&schema);
            }
            Ok(None)
        }
        PreparationQuery::Rows(name, target) => {
            let mut rows = parse_response_rows(response, target)?;
            let max_results = core.caps.max_results;
            rows.truncate(max_results);
            let count = rows.len();
            let (known, step) = match core.context.get(name.as_str()) {
                Some(Variable::Rows(rows, step)) => (rows.len(), *step),
                _ => (0, 0),
            };
            core.set_variable(&name, response_rows(rows, step).with_step(step));
            // The cap can be smaller than it was when the rows were counted.
            if count == max_results && count < known {
                return Ok(Some(result_truncated("max_results", max_results)));
            }
            Ok((count > MANY_ROWS).then(|| many_rows(&name, count)))
        }
    }
}

fn many_rows(name: &str, count: usize) -> Diagnostic {
    let message = format!("{count} rows of `{name}` were sent by the database");
    Diagnostic::new(codes::MANY_ROWS, message)
        .help("narrow the condition of FIND, or compute with COUNT, AGGREGATE, RANK … LIMIT first")
}
