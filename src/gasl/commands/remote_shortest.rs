//! `FIND shortest paths` in a remote graph: the adapter searches, or sends the nodes and edges.

use super::graph_fetch::{Fetched, GraphFetch};
use super::output::Output;
use super::remote_graph::{parse_response_rows, path_rows};
use super::remote_measure::{check_support, mark_truncated};
use super::shortest::{ShortestCondition, ShortestTask};
use crate::base::names::format_names;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::caps::EdgeDirection;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress, StepContext};
use crate::gasl::graph::ElementKind;
use crate::gasl::graph_access::{path_query_entries, predicate_to_value};
use crate::gasl::language::ast::{FindTarget, ShortestPaths};
use crate::gasl::record::CommandFailure;

/// `FIND shortest paths` in a remote graph.
pub struct RemoteShortest {
    find: ShortestPaths,
    stage: ShortestStage,
    max_results: usize,
    diagnostics: Vec<Diagnostic>,
}

enum ShortestStage {
    /// The host searches.
    Host,
    /// The host does not search, and sends the nodes and edges instead.
    Fetch(Box<GraphFetch>),
    /// The search runs over the nodes and edges that were sent.
    Search(Box<ShortestTask>),
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
            find: find.clone(),
            stage: ShortestStage::Host,
            max_results: core.caps.max_results,
            diagnostics,
        };
        Ok((run, Effect::Query("shortest", query.into())))
    }

    /// Continues with the response of the host.
    pub fn resume(
        &mut self,
        core: &Core,
        response: HostResponse,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        match &mut self.stage {
            ShortestStage::Host => {
                if let Some(reason) = unsupported_reason(&response)
                    && let Some((fetch, effect)) = GraphFetch::start(core, &self.find, reason)?
                {
                    self.stage = ShortestStage::Fetch(Box::new(fetch));
                    return Ok(Progress::Need(effect));
                }
                self.finish(response, context.step).map(Progress::Done)
            }
            ShortestStage::Fetch(fetch) => match fetch.accept(response)? {
                Progress::Need(effect) => Ok(Progress::Need(effect)),
                Progress::Done(fetched) => {
                    let Fetched { graph, warning } = fetched;
                    let begun = ShortestTask::begin(core, graph, &self.find, context.step);
                    let mut task = begun.map_err(|failure| with_edge_fields(core, failure))?;
                    task.add_diagnostics(warning);
                    let progress = task.advance(context);
                    self.stage = ShortestStage::Search(Box::new(task));
                    Ok(progress)
                }
            },
            ShortestStage::Search(task) => Ok(task.advance(context)),
        }
    }

    /// Converts the paths of the host to the output.
    fn finish(&mut self, response: HostResponse, step: usize) -> Result<Output, CommandFailure> {
        let alternative =
            "search with `FIND paths … AND length <= n` and rank the paths by `length`";
        check_support(&response, "findShortestPaths", alternative)?;
        let mut rows = parse_response_rows(response, FindTarget::Paths)?;
        let has_weight = self.find.weight.is_some();
        let has_cost = |row: &Value| row.get("cost").is_some_and(|one| one.as_number().is_some());
        if let Some(index) = rows.iter().position(|row| has_weight && !has_cost(row)) {
            let message = format!("invalid rows from the graph adapter: row {index} has no cost");
            let help = "return the sum of the weights as `cost` from the adapter";
            return Err(Diagnostic::new(codes::ADAPTER_FAILED, message).help(help).into());
        }
        let limit = self.find.limit.unwrap_or(usize::MAX);
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

/// Replaces the help of an invalid weight, because the copy has not all fields of the edges.
fn with_edge_fields(core: &Core, mut failure: CommandFailure) -> CommandFailure {
    let fields = core.graph.schema().map(|schema| schema.fields(ElementKind::Edge));
    for diagnostic in &mut failure.diagnostics {
        if [codes::BAD_WEIGHT, codes::UNKNOWN_FIELD].contains(&diagnostic.code) {
            let names = fields.unwrap_or_default().iter().map(String::as_str);
            diagnostic.help = Some(format!("fields of edges: {}", format_names(names)));
        }
    }
    failure
}

/// Returns the reason why the adapter does not search, or `None` if it does.
fn unsupported_reason(response: &HostResponse) -> Option<String> {
    let HostResponse::Value(value) = response else { return None };
    let reason = value.get("unsupported")?.as_text();
    Some(reason.unwrap_or("the graph adapter has no function `findShortestPaths`").to_owned())
}
