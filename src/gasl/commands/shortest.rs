//! `FIND shortest paths` in a graph in memory.

use super::directions::paths_against_direction_warning;
use super::edge_rows::check_condition;
use super::find::{FindFields, locate_at_field, path_direction, text_case, with_truncation};
use super::measure::SLICE_EXPANSIONS;
use super::output::Output;
use super::suggestions::{find_unknown_text, same_ends_warning, unknown_fields};
use super::weights::{WeightRange, edge_weights};
use crate::base::Diagnostic;
use crate::gasl::caps::Caps;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, Event, Progress, StepContext};
use crate::gasl::graph::{Graph, PathQuery, SearchLimits, ShortestQuery, ShortestRun};
use crate::gasl::graph_access::PathRows;
use crate::gasl::language::ast::{Condition, FindTarget, ShortestPaths};
use crate::gasl::predicate::Predicate;
use crate::gasl::record::CommandFailure;
use crate::gasl::variable::Variable;
use std::rc::Rc;

/// `FIND shortest paths` in progress.
pub struct ShortestTask {
    graph: Rc<Graph>,
    /// `None` once the search is finished.
    run: Option<ShortestRun>,
    predicate: Predicate,
    paths: PathQuery,
    /// Whether the condition has a field that the graph does not have.
    has_unknown: bool,
    condition: Option<Condition>,
    caps: Caps,
    step: usize,
    diagnostics: Vec<Diagnostic>,
}

/// Resolved condition of `FIND shortest paths`.
pub struct ShortestCondition {
    pub predicate: Predicate,
    pub paths: PathQuery,
    pub diagnostics: Vec<Diagnostic>,
}

impl ShortestCondition {
    /// Resolves the condition. Fails if a longer path might satisfy it where the shortest does not.
    pub fn bind(core: &Core, find: &ShortestPaths) -> Result<ShortestCondition, CommandFailure> {
        let mut scope = core.scope();
        let condition = find.condition.as_ref();
        let fields = FindFields { graph: &core.graph, target: FindTarget::Paths };
        let predicate = condition.map(|condition| scope.predicate(condition, &fields));
        let predicate = predicate.transpose()?;
        let check = |condition| check_condition(core, FindTarget::Paths, condition);
        condition.map(check).transpose()?;
        let predicate = predicate.unwrap_or_else(Predicate::everything);
        let diagnostics = scope.diagnostics;
        let mut paths = PathQuery::new(&predicate, usize::MAX);
        paths.direction = path_direction(&core.caps);
        if let Some(unsupported) =
            ShortestQuery::unsupported_condition(&paths, find.weight.is_some())
        {
            let error = unsupported_condition(unsupported, find);
            return Err(locate_at_field(error, condition, "length").into());
        }
        Ok(ShortestCondition { predicate, paths, diagnostics })
    }
}

impl ShortestTask {
    /// Resolves the parts of the command and prepares the search.
    pub fn begin(
        core: &Core,
        graph: Rc<Graph>,
        find: &ShortestPaths,
        step: usize,
    ) -> Result<ShortestTask, CommandFailure> {
        let bound = ShortestCondition::bind(core, find)?;
        let ShortestCondition { predicate, paths, mut diagnostics } = bound;
        let condition = find.condition.clone();
        let unknown = unknown_fields(&graph, FindTarget::Paths, &predicate);
        let has_unknown = !unknown.is_empty();
        for (field, warning) in unknown {
            diagnostics.push(locate_at_field(warning, condition.as_ref(), &field));
        }
        let weights = match &find.weight {
            None => None,
            Some(field) => {
                let read = edge_weights(&graph, field, WeightRange::NotNegative)?;
                diagnostics.extend(read.1);
                Some(read.0)
            }
        };
        let limits = SearchLimits {
            limit: find.limit,
            max_results: Some(core.caps.max_results),
            max_expansions: Some(core.caps.max_expansions),
        };
        let query =
            ShortestQuery { paths: paths.clone(), weights, case: text_case(&core.caps), limits };
        let run = Some(ShortestRun::new(&graph, query));
        let caps = core.caps.clone();
        Ok(ShortestTask {
            graph,
            run,
            predicate,
            paths,
            has_unknown,
            condition,
            caps,
            step,
            diagnostics,
        })
    }

    pub fn add_diagnostics(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Searches a slice.
    pub fn advance(&mut self, context: &mut StepContext<'_>) -> Progress<Output> {
        if let Some(run) = &mut self.run
            && !run.advance(&self.graph, SLICE_EXPANSIONS)
        {
            let (done, total) = run.progress();
            context.events.push(Event::Batch { done, total });
            return Progress::Need(Effect::Yield);
        }
        Progress::Done(self.finish())
    }

    fn finish(&mut self) -> Output {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        let paths = self.run.take().map(ShortestRun::finish).unwrap_or_default();
        let (count, truncation) = (paths.len(), paths.truncation);
        if count == 0 && truncation.is_none() && !self.has_unknown {
            let warning = same_ends_warning(FindTarget::Paths, &self.predicate)
                .or_else(|| find_unknown_text(&self.graph, FindTarget::Paths, &self.predicate))
                .map(|(field, warning)| locate_at_field(warning, self.condition.as_ref(), &field));
            let max_length = self.paths.max_length.min(self.graph.node_count());
            let paths = PathQuery { max_length, ..self.paths.clone() };
            let against =
                || paths_against_direction_warning(&self.graph, &paths, text_case(&self.caps));
            diagnostics.extend(warning.or_else(against));
        }
        let rows = PathRows::new(self.graph.clone(), paths);
        let output = Output::from_value(Variable::Rows(Rc::new(rows), self.step))
            .with_diagnostics(diagnostics);
        with_truncation(output, truncation, count, &self.caps)
    }
}

fn unsupported_condition(condition: &Predicate, find: &ShortestPaths) -> Diagnostic {
    let has_length = condition.fields().iter().any(|field| **field == *"length");
    let (message, help) = if !has_length {
        let message = "a condition of shortest paths cannot combine edges or inner nodes with other parts in one `OR`";
        let help = "join conditions with `AND`, each about `start.`, `end.`, `edge.` or `node.` alone, or use `FIND paths`";
        (message, help)
    } else if find.weight.is_some() {
        let message = "`length` does not limit shortest paths with `WEIGHT`";
        let help = "leave `length` out and filter the result with `SELECT … WHERE length …`, or leave `WEIGHT` out";
        (message, help)
    } else {
        let message = "shortest paths accept only a maximum of `length`";
        let help = "write `length <= n`, or use `FIND paths` for longer paths";
        (message, help)
    };
    Diagnostic::new(codes::NOT_MEASURABLE, message).help(help)
}
