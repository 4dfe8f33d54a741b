//! `FIND` in a remote graph.

use super::directions::{against_direction, excluded_end_warning};
use super::find::{
    FindQuery, locate_at_field, longer_paths_skipped, paths_not_shortest, result_truncated,
};
use super::output::{Output, completeness};
use super::remote_graph::parse_response_rows;
use super::remote_search::{RemoteSearch, SearchResult};
use super::suggestions::{
    FieldSource, TextCheck, UnknownField, closest_value, same_ends_warning, text_checks,
    unknown_field_warning, unknown_names,
};
use crate::base::diagnostic::quote;
use crate::base::value::put;
use crate::base::{Diagnostic, Value};
use crate::gasl::caps::EdgeDirection;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::graph::ElementKind;
use crate::gasl::graph_access::GraphAccess;
use crate::gasl::language::ast::{Condition, FindTarget};
use crate::gasl::predicate::{Predicate, Test};
use crate::gasl::record::{CommandFailure, StepStatus};
use std::collections::VecDeque;

/// `FIND` in a remote graph.
pub struct RemoteFind {
    query: FindQuery,
    condition: Option<Condition>,
    /// Query as the host receives it.
    sent: Value,
    search: RemoteSearch,
    /// Result, while the host is asked about the fields and texts of the condition.
    result: Option<SearchResult>,
    pending: Option<ConditionCheck>,
    checks: VecDeque<ConditionCheck>,
    /// Fields that no row has.
    unknown: Vec<UnknownField>,
    /// Warning for an empty result.
    empty_warning: Option<Diagnostic>,
    /// Cap of the query; another command may set it meanwhile.
    max_results: usize,
}

/// Question about a condition.
enum ConditionCheck {
    /// Whether any row has a field that the schema does not list.
    Field(UnknownField),
    /// Whether a text that no row has is similar to one that some row has.
    Text(TextCheck),
    /// Whether there are paths in another direction.
    Direction(EdgeDirection),
}

/// Number of values of a field that are requested for a suggestion.
const MAX_REQUESTED_VALUES: usize = 1_001;

impl RemoteFind {
    /// Creates the query to the host.
    pub fn start_query(
        core: &Core,
        target: FindTarget,
        condition: Option<&Condition>,
        limit: Option<usize>,
    ) -> Result<(RemoteFind, Effect), CommandFailure> {
        let query = FindQuery::bind(core, target, condition, limit)?;
        if let Some(map) = value_like_field(&query.predicate) {
            return Err(value_like_field_warning(map).into());
        }
        let sent = query.to_value(core);
        let (search, effect) = RemoteSearch::start(core, target, sent.clone(), limit);
        let mut checks = VecDeque::new();
        if let GraphAccess::Remote(graph) = &core.graph
            && let Some(schema) = graph.schema()
            && graph.has_capability("values")
        {
            let unknown = unknown_names(&FieldSource::Schema(schema), target, &query.predicate);
            checks.extend(unknown.into_iter().map(ConditionCheck::Field));
        }
        let find = RemoteFind {
            query,
            condition: condition.cloned(),
            sent,
            search,
            result: None,
            pending: None,
            checks,
            unknown: Vec::new(),
            empty_warning: None,
            max_results: core.caps.max_results,
        };
        Ok((find, effect))
    }

    /// Continues with the response of the host.
    pub fn resume(
        &mut self,
        core: &Core,
        response: HostResponse,
        step: usize,
    ) -> Result<Progress<Output>, CommandFailure> {
        if let Some(check) = self.pending.take() {
            self.accept_check_response(check, response)?;
        } else {
            match self.search.resume(core, response, step)? {
                Progress::Need(effect) => return Ok(Progress::Need(effect)),
                Progress::Done(result) => {
                    let is_empty = result.count == 0;
                    self.result = Some(result);
                    if is_empty {
                        self.add_checks_of_empty(core);
                    }
                }
            }
        }
        while let Some(check) = self.checks.pop_front() {
            // Only conditions over existing fields are checked further.
            let is_skipped = !self.unknown.is_empty() || self.empty_warning.is_some();
            if is_skipped && !matches!(check, ConditionCheck::Field(_)) {
                continue;
            }
            let effect = self.check_effect(&check);
            self.pending = Some(check);
            return Ok(Progress::Need(effect));
        }
        Ok(Progress::Done(self.finish(core)))
    }

    /// Adds the questions about an empty result.
    fn add_checks_of_empty(&mut self, core: &Core) {
        let GraphAccess::Remote(graph) = &core.graph else { return };
        let Some(schema) = graph.schema().filter(|_| graph.has_capability("values")) else {
            return;
        };
        let (target, predicate) = (self.query.target, &self.query.predicate);
        if same_ends_warning(target, predicate).is_some() {
            return;
        }
        let texts = text_checks(&FieldSource::Schema(schema), target, predicate);
        self.checks.extend(texts.into_iter().map(ConditionCheck::Text));
        let is_anchored = self.query.paths.as_ref().is_some_and(|paths| {
            [&paths.start, &paths.end]
                .iter()
                .any(|end| !matches!(end, Predicate::All(all) if all.is_empty()))
        });
        // Without a fixed end, the search in another direction may take long.
        if target == FindTarget::Paths && schema.is_directed && is_anchored {
            let others: &[EdgeDirection] = match core.caps.direction {
                None | Some(EdgeDirection::Out) => &[EdgeDirection::In, EdgeDirection::Any],
                Some(EdgeDirection::In) => &[EdgeDirection::Out, EdgeDirection::Any],
                Some(EdgeDirection::Any) => &[],
            };
            self.checks.extend(others.iter().map(|one| ConditionCheck::Direction(*one)));
        }
    }

    fn check_effect(&self, check: &ConditionCheck) -> Effect {
        let values = |of: ElementKind, field: &str, limit: usize| {
            let of = if of == ElementKind::Node { "nodes" } else { "edges" };
            let caps = self.sent.get("caps").cloned().unwrap_or_default();
            let query = [("of", of.into()), ("field", field.into()), ("limit", limit.into())];
            let mut query = Value::map(query);
            if let Some(map) = query.as_map_mut() {
                put(map, "caps", caps);
            }
            Effect::Query("values", query)
        };
        match check {
            ConditionCheck::Field(unknown) => values(unknown.element_kind, &unknown.name, 1),
            ConditionCheck::Text(check) => values(check.of, &check.name, MAX_REQUESTED_VALUES),
            ConditionCheck::Direction(direction) => {
                let mut query = self.sent.clone();
                if let Some(map) = query.as_map_mut() {
                    put(map, "direction", direction.word());
                    put(map, "limit", 1_usize);
                }
                Effect::Query("paths", query)
            }
        }
    }

    fn accept_check_response(
        &mut self,
        check: ConditionCheck,
        response: HostResponse,
    ) -> Result<(), CommandFailure> {
        let values = match response {
            HostResponse::Value(value) => value,
            failed => return parse_response_rows(failed, FindTarget::Nodes).map(drop),
        };
        let values = values.as_list().unwrap_or_default();
        match check {
            ConditionCheck::Field(unknown) if values.is_empty() => self.unknown.push(unknown),
            ConditionCheck::Field(_) => {}
            ConditionCheck::Text(check) => {
                let texts = values.iter().filter_map(Value::as_text).collect::<Vec<_>>();
                self.empty_warning = closest_value(&check, &texts)
                    .map(|warning| locate_at_field(warning, self.condition.as_ref(), &check.field));
            }
            ConditionCheck::Direction(direction) => {
                self.empty_warning = (!values.is_empty()).then(|| against_direction(direction));
            }
        }
        Ok(())
    }

    fn finish(&mut self, core: &Core) -> Output {
        let condition = self.condition.take();
        let diagnostics = std::mem::take(&mut self.query.diagnostics);
        let Some(SearchResult { rows, count, limited, truncated }) = self.result.take() else {
            return Output::default().with_diagnostics(diagnostics);
        };
        let mut output = Output::from_value(rows).with_diagnostics(diagnostics);
        let (target, predicate) = (self.query.target, &self.query.predicate);
        if let Some(schema) = core.graph.schema() {
            let source = FieldSource::Schema(schema);
            let unknown = self.unknown.iter().map(|one| {
                locate_at_field(
                    unknown_field_warning(&source, target, predicate, one),
                    condition.as_ref(),
                    &one.field,
                )
            });
            output.diagnostics.extend(unknown);
            if target == FindTarget::Edges {
                output.diagnostics.extend(excluded_end_warning(schema.is_directed, predicate));
            }
        }
        if count == 0 && self.unknown.is_empty() {
            let same = same_ends_warning(target, predicate)
                .map(|(field, warning)| locate_at_field(warning, condition.as_ref(), &field));
            output.diagnostics.extend(
                same.or_else(|| self.empty_warning.take())
                    .or_else(|| self.query.implicit_bound.map(longer_paths_skipped)),
            );
        }
        if limited {
            output = output.with_metric("limited", true);
            if target == FindTarget::Paths {
                output.diagnostics.push(paths_not_shortest(count));
            }
        }
        if let Some(paths) = &self.query.paths {
            output = output.with_metric("max_path_length", paths.max_length);
        }
        let max_results = self.max_results;
        if truncated {
            output.status = Some(StepStatus::Partial);
            output.diagnostics.push(result_truncated("max_results", max_results));
            output =
                output.with_metric("completeness", completeness(count, max_results, "max_results"));
        } else if let Some(bound) = self.query.path_length_bound {
            output.status = Some(StepStatus::Partial);
            output =
                output.with_metric("completeness", completeness(count, bound, "max_path_length"));
        }
        output
    }
}

/// Returns a value that an adapter would take for another field: `{"field": "name"}`.
pub fn value_like_field(predicate: &Predicate) -> Option<&Value> {
    match predicate {
        Predicate::All(each) | Predicate::Any(each) => each.iter().find_map(value_like_field),
        Predicate::Not(one) => value_like_field(one),
        Predicate::Field(_, Test::Compare(_, value) | Test::Text(_, value)) => {
            let is_field = value.get("field").is_some_and(|field| field.as_text().is_some());
            (is_field && value.entries().count() == 1).then_some(value)
        }
        Predicate::Field(..) | Predicate::Fields(..) => None,
    }
}

pub fn value_like_field_warning(map: &Value) -> Diagnostic {
    let message = format!("expected one value, found the map {}", quote(&map.to_text()));
    let help = "compare with a value of the map, as in `${variable.field}`";
    Diagnostic::new(codes::WRONG_VALUE, message).help(help)
}
