//! `MEASURE degree` in a remote graph, which adapters may support.

use super::find::result_truncated;
use super::measure::check_direction;
use super::node_rows::node_ids;
use super::output::{Output, completeness};
use super::remote_graph::parse_response_rows;
use super::remote_weights::WeightCountQuery;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::graph::Measure;
use crate::gasl::graph_access::rows_with_sources;
use crate::gasl::language::ast::{FindTarget, MeasureNodes};
use crate::gasl::record::{CommandFailure, StepStatus};

/// `MEASURE degree` in a remote graph.
pub struct RemoteDegree {
    measure: Measure,
    query: Value,
    /// Query for the weights of all edges; `None` if the host lacks the capability.
    weights: Option<WeightCountQuery>,
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
        check_direction(measure, core.graph.is_directed())?;
        let mut scope = core.scope();
        let mut query = Map::default();
        put(&mut query, "measure", measure.word());
        if let Some(path) = &command.input {
            put(&mut query, "ids", node_ids(&core.graph, &mut scope, path)?);
        }
        if let Some(field) = &command.weight {
            put(&mut query, "weight", field.as_str());
        }
        put(&mut query, "caps", core.caps.to_value());
        let query = Value::from(query);
        let weights = command.weight.as_ref().and_then(|field| WeightCountQuery::of(core, field));
        let effect = match &weights {
            Some(check) => check.effect(core),
            None => Effect::Query("degree", query.clone()),
        };
        let run = RemoteDegree {
            measure,
            query,
            weights,
            max_results: core.caps.max_results,
            diagnostics: scope.diagnostics,
        };
        Ok((run, effect))
    }

    /// Converts the response of the host to the output.
    pub fn resume(
        &mut self,
        response: HostResponse,
        step: usize,
    ) -> Result<Progress<Output>, CommandFailure> {
        if let Some(check) = self.weights.take() {
            self.diagnostics.extend(check.accept(response)?);
            return Ok(Progress::Need(Effect::Query("degree", self.query.clone())));
        }
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
        let output =
            if is_truncated { mark_truncated(output, count, self.max_results) } else { output };
        Ok(Progress::Done(output))
    }
}

/// Marks an output that `max_results` has truncated.
pub fn mark_truncated(mut output: Output, count: usize, max_results: usize) -> Output {
    output.status = Some(StepStatus::Partial);
    output.diagnostics.push(result_truncated("max_results", max_results));
    output.with_metric("completeness", completeness(count, max_results, "max_results"))
}

/// Returns an error if the adapter lacks the function, which it returns as `{unsupported: reason}`.
pub fn check_support(
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
