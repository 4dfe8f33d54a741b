//! `MEASURE` of a graph in memory.

use super::node_rows::{known_nodes, node_ids};
use super::output::{CommandResult, Output, completeness};
use super::weights::{WeightRange, edge_weights};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, Event, Progress, StepContext};
use crate::gasl::graph::{
    Graph, Measure, MeasureQuery, MeasureRun, SourceSample, TooManyExpansions,
};
use crate::gasl::language::ast::MeasureNodes;
use crate::gasl::measure_rows::MeasureRows;
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::variable::Variable;
use std::rc::Rc;

/// Number of edges that a computation follows before the host may handle other events: some tens of
/// milliseconds.
pub const SLICE_EXPANSIONS: usize = 2_000_000;

/// `MEASURE` in progress.
pub struct MeasureTask {
    graph: Rc<Graph>,
    measure: Measure,
    /// `None` once the measure is finished.
    run: Option<MeasureRun>,
    /// Nodes of the output, ascending; `None` for all.
    nodes: Option<Vec<u32>>,
    max_expansions: usize,
    diagnostics: Vec<Diagnostic>,
}

impl MeasureTask {
    /// Resolves the parts of the command and prepares the measure.
    pub fn begin(
        core: &Core,
        graph: Rc<Graph>,
        command: &MeasureNodes,
    ) -> Result<MeasureTask, CommandFailure> {
        let measure = command.measure;
        check_direction(measure, graph.is_directed())?;
        let mut scope = core.scope();
        let mut diagnostics = Vec::new();
        let nodes = match &command.input {
            None => None,
            Some(path) => {
                let ids = node_ids(&core.graph, &mut scope, path)?;
                let known = known_nodes(&graph, &ids).map_err(|error| error.at(path.span))?;
                let (mut nodes, warning) = known;
                diagnostics.extend(warning);
                nodes.sort_unstable();
                nodes.dedup();
                Some(nodes)
            }
        };
        diagnostics.extend(scope.diagnostics);
        let weights = match &command.weight {
            None => None,
            Some(field) => {
                let (weights, warning) = edge_weights(&graph, field, weight_range(measure))?;
                diagnostics.extend(warning);
                Some(weights)
            }
        };
        let max_expansions = core.caps.max_expansions;
        let query = MeasureQuery {
            measure,
            weights: weights.as_deref(),
            targets: nodes.as_deref(),
            max_expansions,
            seed: core.setup.seed,
        };
        let run = MeasureRun::new(&graph, query)
            .map_err(|needed| too_many_expansions(needed, max_expansions))?;
        Ok(MeasureTask { graph, measure, run: Some(run), nodes, max_expansions, diagnostics })
    }

    /// Computes a slice.
    pub fn advance(
        &mut self,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        if let Some(run) = &mut self.run
            && !run.advance(SLICE_EXPANSIONS)
        {
            let (done, total) = run.progress();
            context.events.push(Event::Batch { done, total });
            return Ok(Progress::Need(Effect::Yield));
        }
        self.finish(context.step).map(Progress::Done)
    }

    fn finish(&mut self, step: usize) -> CommandResult {
        let Some(run) = self.run.take() else { return Ok(Output::default()) };
        let measured = run.finish();
        let count = self.graph.node_count();
        let nodes = self.nodes.take().unwrap_or_else(|| (0..count as u32).collect());
        let row_count = nodes.len();
        let rows = MeasureRows::new(self.graph.clone(), self.measure, nodes, &measured.values);
        let output = Output::from_value(Variable::Rows(Rc::new(rows), step))
            .with_diagnostics(std::mem::take(&mut self.diagnostics));
        let Some(SourceSample { sources, expansions_per_source }) = measured.sample else {
            return Ok(output);
        };
        let max = self.max_expansions;
        if sources == 0 {
            return Err(no_sources(self.measure, expansions_per_source, max).into());
        }
        let sample = Value::map([("sources", sources.into()), ("of", count.into())]);
        let bound = completeness(row_count, max, "max_expansions");
        let mut output = output.with_metric("completeness", bound).with_metric("sample", sample);
        output.status = Some(StepStatus::Partial);
        let all = expansions_per_source.saturating_mul(count);
        output.diagnostics.push(estimated_warning(self.measure, sources, count, max, all));
        Ok(output)
    }
}

/// Returns an error if a measure distinguishes the ends of edges and the graph does not.
pub fn check_direction(measure: Measure, is_directed: bool) -> Result<(), Diagnostic> {
    if is_directed || !measure.needs_direction() {
        return Ok(());
    }
    let message = format!("{} needs a directed graph, and this one is undirected", measure.word());
    Err(Diagnostic::new(codes::NOT_MEASURABLE, message).help("write `MEASURE degree` instead"))
}

fn weight_range(measure: Measure) -> WeightRange {
    match measure {
        Measure::Betweenness => WeightRange::Positive,
        Measure::Closeness | Measure::PageRank | Measure::Community => WeightRange::NotNegative,
        _ => WeightRange::Any,
    }
}

fn too_many_expansions(TooManyExpansions(needed): TooManyExpansions, max: usize) -> Diagnostic {
    let message =
        format!("triangles need {needed} steps along edges, and `max_expansions` is {max}");
    Diagnostic::new(codes::NOT_MEASURABLE, message).help(raise_expansions_help(needed))
}

fn no_sources(measure: Measure, needed: usize, max: usize) -> Diagnostic {
    let message = format!(
        "one search of {} follows up to {needed} edges, and `max_expansions` is {max}",
        measure.word()
    );
    Diagnostic::new(codes::NOT_MEASURABLE, message).help(raise_expansions_help(needed))
}

/// Warning for a measure that is estimated; exact values follow `all` edges.
fn estimated_warning(
    measure: Measure,
    sources: usize,
    count: usize,
    max: usize,
    all: usize,
) -> Diagnostic {
    let word = measure.word();
    let message = format!(
        "{word} is estimated from the paths of {sources} of {count} nodes: `max_expansions` is {max}"
    );
    let help = match u32::try_from(all) {
        Ok(all) => format!("for exact values, {}", raise_expansions_help(all as usize)),
        Err(_) => {
            "for a better estimate, write `SET adapter.caps.max_expansions = …` with a larger number"
                .to_owned()
        }
    };
    Diagnostic::new(codes::ESTIMATED_MEASURE, message).help(help)
}

fn raise_expansions_help(needed: usize) -> String {
    format!("write `SET adapter.caps.max_expansions = {needed}` before it")
}
