//! `MEASURE degree` and `FIND shortest paths` in a remote graph, which adapters may support.

use super::find::result_truncated;
use super::node_rows::node_ids;
use super::output::{Output, completeness};
use super::remote_graph::{parse_response_rows, path_rows};
use super::shortest::ShortestCondition;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::caps::EdgeDirection;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse};
use crate::gasl::graph::Measure;
use crate::gasl::graph_access::{path_query_entries, predicate_to_value, rows_with_sources};
use crate::gasl::language::ast::{FindTarget, MeasureNodes, ShortestPaths};
use crate::gasl::record::{CommandFailure, StepStatus};

/// `MEASURE degree` in a remote graph.
pub struct RemoteDegree {
    measure: Measure,
    max_results: usize,
    diagnostics: Vec<Diagnostic>,
}

impl RemoteDegree {
    /// Creates the query to the host: `{measure, ids?, weight?, caps}`.
    pub fn start_query(
        core: &Core,
        command: &MeasureNodes,
    ) -> Result<(RemoteDegree, Effect), CommandFailure> {
        let measure = command.measure;
        if !matches!(measure, Measure::Degree | Measure::InDegree | Measure::OutDegree) {
            let word = measure.word();
            let message =
                format!("{word} needs a graph in memory, and this session has an adapter");
            let help = "read the nodes and edges into a `Graph` and open a session over it, or write `MEASURE degree`";
            return Err(Diagnostic::new(codes::UNSUPPORTED, message).help(help).into());
        }
        let mut scope = core.scope();
        let mut query = Map::default();
        put(&mut query, "measure", measure.word());
        if let Some(path) = &command.input {
            put(&mut query, "ids", node_ids(&mut scope, path)?);
        }
        if let Some(field) = &command.weight {
            put(&mut query, "weight", field.as_str());
        }
        put(&mut query, "caps", core.caps.to_value());
        let run = RemoteDegree {
            measure,
            max_results: core.caps.max_results,
            diagnostics: scope.diagnostics,
        };
        Ok((run, Effect::Query("degree", query.into())))
    }

    /// Converts the response of the host to the output.
    pub fn resume(
        &mut self,
        response: HostResponse,
        step: usize,
    ) -> Result<Output, CommandFailure> {
        check_support(&response, "measureDegree", "count the edges with `COUNT … BY source`")?;
        let word = self.measure.word();
        let mut rows = parse_response_rows(response, FindTarget::Nodes)?;
        let is_number = |row: &Value| row.get(word).is_some_and(|one| one.as_number().is_some());
        if let Some(index) = rows.iter().position(|row| !is_number(row)) {
            let message = format!("invalid rows from the graph adapter: row {index}");
            let help =
                format!("return a list of maps with id and a number {word} from the adapter");
            return Err(Diagnostic::new(codes::ADAPTER_FAILED, message).help(help).into());
        }
        let is_truncated = rows.len() > self.max_results;
        rows.truncate(self.max_results);
        let count = rows.len();
        let diagnostics = std::mem::take(&mut self.diagnostics);
        let output =
            Output::from_value(rows_with_sources(rows, step)).with_diagnostics(diagnostics);
        Ok(if is_truncated { mark_truncated(output, count, self.max_results) } else { output })
    }
}

fn mark_truncated(mut output: Output, count: usize, max_results: usize) -> Output {
    output.status = Some(StepStatus::Partial);
    output.diagnostics.push(result_truncated("max_results", max_results));
    output.with_metric("completeness", completeness(count, max_results, "max_results"))
}

/// `FIND shortest paths` in a remote graph.
pub struct RemoteShortest {
    limit: Option<usize>,
    max_results: usize,
    has_weight: bool,
    diagnostics: Vec<Diagnostic>,
}

impl RemoteShortest {
    /// Creates the query to the host: that of `FIND paths`, with `maxLength` null if no length is
    /// given, and the field of the weights.
    pub fn start_query(
        core: &Core,
        find: &ShortestPaths,
    ) -> Result<(RemoteShortest, Effect), CommandFailure> {
        let ShortestCondition { predicate, paths, diagnostics } =
            ShortestCondition::bind(core, find)?;
        let mut query = Map::default();
        put(&mut query, "where", predicate_to_value(&predicate));
        if let Some(limit) = find.limit {
            put(&mut query, "limit", limit);
        }
        put(&mut query, "caps", core.caps.to_value());
        for (key, value) in path_query_entries(&paths) {
            put(&mut query, key, value);
        }
        if paths.max_length == usize::MAX {
            put(&mut query, "maxLength", Value::Null);
        }
        let direction = core.caps.direction.unwrap_or(EdgeDirection::Out);
        put(&mut query, "direction", direction.word());
        if let Some(field) = &find.weight {
            put(&mut query, "weight", field.as_str());
        }
        let run = RemoteShortest {
            limit: find.limit,
            max_results: core.caps.max_results,
            has_weight: find.weight.is_some(),
            diagnostics,
        };
        Ok((run, Effect::Query("shortest", query.into())))
    }

    /// Converts the response of the host to the output.
    pub fn resume(
        &mut self,
        response: HostResponse,
        step: usize,
    ) -> Result<Output, CommandFailure> {
        let alternative =
            "search with `FIND paths … AND length <= n` and rank the paths by `length`";
        check_support(&response, "findShortestPaths", alternative)?;
        let mut rows = parse_response_rows(response, FindTarget::Paths)?;
        let has_cost = |row: &Value| row.get("cost").is_some_and(|one| one.as_number().is_some());
        if let Some(index) = rows.iter().position(|row| self.has_weight && !has_cost(row)) {
            let message = format!("invalid rows from the graph adapter: row {index} has no cost");
            let help = "return the sum of the weights as `cost` from the adapter";
            return Err(Diagnostic::new(codes::ADAPTER_FAILED, message).help(help).into());
        }
        let limit = self.limit.unwrap_or(usize::MAX);
        let is_limited = rows.len() > limit;
        rows.truncate(limit);
        let is_truncated = rows.len() > self.max_results;
        rows.truncate(self.max_results);
        let count = rows.len();
        let diagnostics = std::mem::take(&mut self.diagnostics);
        let mut output = Output::from_value(path_rows(rows, step)).with_diagnostics(diagnostics);
        if is_limited {
            output = output.with_metric("limited", true);
        }
        Ok(if is_truncated { mark_truncated(output, count, self.max_results) } else { output })
    }
}

/// Returns an error if the adapter lacks the function, which it returns as `{unsupported: reason}`.
fn check_support(
    response: &HostResponse,
    function: &str,
    alternative: &str,
) -> Result<(), Diagnostic> {
    let HostResponse::Value(value) = response else { return Ok(()) };
    let Some(reason) = value.get("unsupported") else { return Ok(()) };
    let message = match reason.as_text() {
        Some(reason) => format!("the graph adapter cannot run this command: {reason}"),
        None => format!("the graph adapter has no function `{function}`"),
    };
    let help = format!(
        "{alternative}, or read the nodes and edges into a `Graph`; adapters may implement `{function}`"
    );
    Err(Diagnostic::new(codes::UNSUPPORTED, message).help(help))
}
