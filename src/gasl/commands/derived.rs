//! Commands over rows that stayed at the host, which computes the result in one query.

use super::directions::undirected_end_grouping_warning;
use super::find::result_truncated;
use super::join::joined_pairs;
use super::output::Output;
use super::output::completeness;
use super::remote_graph::parse_response_rows;
use super::remote_search::{RemoteSearch, SearchResult, derive_effect};
use super::select::{check_fields, rank_limit};
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::bind::VariableScope;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::graph_access::{GraphAccess, listed_sources, predicate_to_value, response_rows};
use crate::gasl::language::ast::{
    Aggregate, Command, FindTarget, Join, JoinKind, Select, SortOrder, VariablePath,
};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::variable::{Rows, Variable};
use std::rc::Rc;

/// Command that the host computes.
pub struct DerivedCommand {
    kind: DerivedKind,
    limit: Option<usize>,
    max_results: usize,
    /// Number of rows of the input, if the host returns at most `limit` of them.
    available: Option<usize>,
    /// Step that found the rows.
    step: usize,
    diagnostics: Vec<Diagnostic>,
}

enum DerivedKind {
    /// Rows that satisfy one more condition.
    Search(Box<RemoteSearch>),
    /// Groups with these columns; the aggregates may leave out values.
    Groups {
        columns: Vec<String>,
        aggregates: Vec<Aggregate>,
    },
    /// Rows as the host returns them.
    Rows,
    /// Some fields of rows, and the sources of the rows.
    Fields,
    /// Distinct rows; the number of all rows, if it is known.
    Distinct(Option<usize>),
    Join(Join),
}

/// Returns the query of a variable whose rows stayed at the host.
pub fn remote_query(core: &Core, path: &VariablePath) -> Option<Value> {
    let [name] = path.steps.as_slice() else { return None };
    let Some(Variable::Rows(rows, _)) = core.context.get(name.as_str()) else { return None };
    rows.remote_query().cloned()
}

/// Returns whether the host computes a command.
pub fn is_computed_by_host(core: &Core, command: &Command) -> bool {
    if !matches!(&core.graph, GraphAccess::Remote(graph) if graph.has_capability("derive")) {
        return false;
    }
    // The rows of undirected edges have the orientation that satisfied their condition, which other
    // conditions and groups must not exchange again.
    let is_remote = |path: &VariablePath| {
        remote_query(core, path).is_some_and(|query| {
            core.graph.is_directed() || query.get("kind").and_then(Value::as_text) != Some("edges")
        })
    };
    match command {
        Command::Count { input, by, .. } => !by.is_empty() && is_remote(input),
        Command::Aggregate { input, .. } => is_remote(input),
        Command::Rank { input, limit, .. } => limit.is_some() && is_remote(input),
        Command::Select(Select { input, distinct, fields, condition, .. }) => {
            let binds = condition.as_ref().is_some_and(|condition| {
                let mut binds = false;
                super::mentions::visit_condition(Some(condition), &mut |name| {
                    binds |= core.context.get(name).is_some_and(is_remote_variable);
                });
                binds
            });
            is_remote(input) && !binds && (!*distinct || !fields.is_empty())
        }
        Command::Join(Join { kind, left, right, .. }) => {
            *kind == JoinKind::Inner && is_remote(left) && is_remote(right)
        }
        // Reads pages.
        Command::Process { input, instruction, .. } => {
            let mut binds = false;
            super::mentions::visit_text(instruction, &mut |name| {
                binds |= core.context.get(name).is_some_and(is_remote_variable);
            });
            is_remote(input) && !binds
        }
        _ => false,
    }
}

fn is_remote_variable(variable: &Variable) -> bool {
    matches!(variable, Variable::Rows(rows, _) if rows.remote_query().is_some())
}

impl DerivedCommand {
    /// Creates the query to the host.
    pub fn start_query(
        core: &Core,
        command: &Command,
    ) -> Result<(DerivedCommand, Effect), CommandFailure> {
        let mut scope = core.scope();
        let mut derived = DerivedCommand {
            kind: DerivedKind::Rows,
            limit: None,
            max_results: core.caps.max_results,
            available: None,
            step: 0,
            diagnostics: Vec::new(),
        };
        let effect = match command {
            Command::Count { input, by, .. } => {
                let rows = derived.rows(&mut scope, input)?;
                check_fields(rows.as_ref(), by)?;
                let count = Value::map([("function", "count".into()), ("as", "count".into())]);
                derived.kind = DerivedKind::Groups {
                    columns: by.iter().cloned().chain(["count".to_owned()]).collect(),
                    aggregates: Vec::new(),
                };
                derived.warn_of_ends(core, rows.as_ref(), by, &[]);
                derived.groups_effect(rows.as_ref(), by, vec![count])
            }
            Command::Aggregate { input, by, aggregates, .. } => {
                let rows = derived.rows(&mut scope, input)?;
                let of = aggregates.iter().filter_map(|aggregate| aggregate.field.clone());
                check_fields(rows.as_ref(), &by.iter().cloned().chain(of).collect::<Vec<_>>())?;
                let names = Aggregate::column_names(aggregates);
                let each = aggregates.iter().zip(&names).map(|(aggregate, name)| {
                    let mut column = Map::default();
                    put(&mut column, "function", aggregate.function.word());
                    if let Some(of) = &aggregate.field {
                        put(&mut column, "of", of.as_str());
                    }
                    put(&mut column, "as", name.as_str());
                    Value::from(column)
                });
                let each = each.collect::<Vec<_>>();
                derived.kind = DerivedKind::Groups {
                    columns: by.iter().chain(&names).cloned().collect(),
                    aggregates: aggregates.clone(),
                };
                derived.warn_of_ends(core, rows.as_ref(), by, aggregates);
                derived.groups_effect(rows.as_ref(), by, each)
            }
            Command::Rank { input, by, order, limit, .. } => {
                let rows = derived.rows(&mut scope, input)?;
                check_fields(rows.as_ref(), std::slice::from_ref(by))?;
                derived.limit = *limit;
                derived.available = Some(rows.len());
                let order = if *order == SortOrder::Ascending { "ASC" } else { "DESC" };
                let parts = vec![
                    ("by", by.as_str().into()),
                    ("order", order.into()),
                    ("limit", rank_limit(*limit).into()),
                ];
                derive_effect(query_of(rows.as_ref()), "rank", parts)
            }
            Command::Select(select) => derived.select(core, select)?,
            Command::Join(join) => {
                let left = derived.rows(&mut scope, &join.left)?;
                let (right, _) = scope.rows(&join.right)?;
                check_fields(left.as_ref(), std::slice::from_ref(&join.on.0))?;
                check_fields(right.as_ref(), std::slice::from_ref(&join.on.1))?;
                let right = query_of(right.as_ref());
                let part = |key: &str| right.get(key).cloned().unwrap_or_default();
                let right = Value::map([("kind", part("kind")), ("where", part("where"))]);
                let on = vec![join.on.0.as_str().into(), join.on.1.as_str().into()];
                derived.kind = DerivedKind::Join(join.clone());
                let parts = vec![("right", right), ("on", Value::list(on))];
                derive_effect(query_of(left.as_ref()), "join", parts)
            }
            _ => return Err(Diagnostic::new(codes::WRONG_VALUE, "expected rows").into()),
        };
        derived.diagnostics.append(&mut scope.diagnostics);
        Ok((derived, effect))
    }

    /// Returns the rows of the input, and stores the step that found them.
    fn rows(
        &mut self,
        scope: &mut VariableScope<'_>,
        path: &VariablePath,
    ) -> Result<Rc<dyn Rows>, CommandFailure> {
        let (rows, variable) = scope.rows(path)?;
        if let Variable::Rows(_, step) = variable {
            self.step = step;
        }
        Ok(rows)
    }

    fn warn_of_ends(
        &mut self,
        core: &Core,
        rows: &dyn Rows,
        by: &[String],
        aggregates: &[Aggregate],
    ) {
        let warning =
            |field: &String| undirected_end_grouping_warning(core, rows, field, aggregates);
        self.diagnostics.extend(by.iter().find_map(warning));
    }

    fn groups_effect(&self, rows: &dyn Rows, by: &[String], aggregates: Vec<Value>) -> Effect {
        let by = by.iter().map(|field| field.as_str().into()).collect::<Vec<_>>();
        let parts = vec![("by", Value::list(by)), ("aggregates", Value::list(aggregates))];
        derive_effect(query_of(rows), "group", parts)
    }

    fn select(&mut self, core: &Core, select: &Select) -> Result<Effect, CommandFailure> {
        let mut scope = core.scope();
        let rows = self.rows(&mut scope, &select.input)?;
        let available = rows.fields();
        let condition = select.condition.as_ref();
        let predicate =
            condition.map(|condition| scope.predicate(condition, &available)).transpose()?;
        self.diagnostics.append(&mut scope.diagnostics);
        let mut required: Vec<String> =
            select.fields.iter().map(|(from, _)| from.clone()).collect();
        required
            .extend(predicate.iter().flat_map(|one| one.fields()).map(|field| field.to_string()));
        check_fields(rows.as_ref(), &required)?;
        let mut source = query_of(rows.as_ref()).clone();
        if let (Some(predicate), Some(map)) = (&predicate, source.as_map_mut()) {
            let before = map.get("where").cloned().unwrap_or_default();
            let both = vec![before, predicate_to_value(predicate)];
            put(map, "where", Value::map([("all", Value::list(both))]));
        }
        self.limit = select.limit;
        if select.fields.is_empty() {
            let target = match source.get("kind").and_then(Value::as_text) {
                Some("edges") => FindTarget::Edges,
                _ => FindTarget::Nodes,
            };
            let (search, effect) = RemoteSearch::start(core, target, source, select.limit);
            self.kind = DerivedKind::Search(Box::new(search));
            return Ok(effect);
        }
        let pair = |(from, to): &(String, String)| {
            Value::list(vec![from.as_str().into(), to.as_str().into()])
        };
        let mut parts =
            vec![("fields", Value::list(select.fields.iter().map(pair).collect::<Vec<_>>()))];
        if let Some(limit) = select.limit {
            parts.push(("limit", limit.into()));
        }
        let what = if select.distinct { "distinct" } else { "fields" };
        self.kind = match select.distinct {
            true => DerivedKind::Distinct(predicate.is_none().then(|| rows.len())),
            false => DerivedKind::Fields,
        };
        Ok(derive_effect(&source, what, parts))
    }

    /// Converts the response of the host to the output.
    pub fn resume(
        &mut self,
        core: &Core,
        response: HostResponse,
    ) -> Result<Progress<Output>, CommandFailure> {
        let step = self.step;
        if let DerivedKind::Search(search) = &mut self.kind {
            return Ok(match search.resume(core, response, step)? {
                Progress::Need(effect) => Progress::Need(effect),
                Progress::Done(SearchResult { rows, count, limited, truncated }) => {
                    Progress::Done(self.build_output(rows, count, limited, truncated))
                }
            });
        }
        let mut rows = match response {
            HostResponse::Value(Value::List(rows)) => rows.to_vec(),
            HostResponse::Value(_) => return Err(invalid_rows("the response").into()),
            failed => parse_response_rows(failed, FindTarget::Nodes)?,
        };
        let limited = self.limit.is_some_and(|limit| {
            rows.len() > limit || self.available.is_some_and(|available| available > limit)
        });
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        let truncated = rows.len() > self.max_results;
        rows.truncate(self.max_results);
        match self.kind {
            DerivedKind::Groups { .. } => check_values(&rows, |values| !values.is_empty())?,
            // A row may have none of the fields.
            DerivedKind::Fields | DerivedKind::Distinct(_) => check_values(&rows, |_| true)?,
            DerivedKind::Search(_) | DerivedKind::Rows | DerivedKind::Join(_) => {}
        }
        let count = rows.len();
        let mut duplicates = None;
        let rows = match &self.kind {
            DerivedKind::Search(_) | DerivedKind::Rows => response_rows(rows, step),
            DerivedKind::Groups { columns, aggregates } => {
                let left_out = left_out_warnings(aggregates, &rows);
                self.diagnostics.extend(left_out);
                let values =
                    rows.iter().map(|row| fill_columns(columns, row.get("values"))).collect();
                Variable::rows(values, sources_of(&rows, step))
            }
            DerivedKind::Fields | DerivedKind::Distinct(_) => {
                if let DerivedKind::Distinct(Some(total)) = self.kind
                    && !limited
                {
                    duplicates = Some(total.saturating_sub(count));
                }
                let values = rows.iter().map(|row| row.get("values").cloned().unwrap_or_default());
                Variable::rows(values.collect(), sources_of(&rows, step))
            }
            DerivedKind::Join(join) => joined_pairs(core, join, &rows)?,
        };
        let mut output = self.build_output(rows, count, limited, truncated);
        if let Some(duplicates) = duplicates {
            output = output.with_metric("duplicates", duplicates);
        }
        Ok(Progress::Done(output))
    }

    fn build_output(
        &mut self,
        rows: Variable,
        count: usize,
        limited: bool,
        truncated: bool,
    ) -> Output {
        let mut output =
            Output::from_value(rows).with_diagnostics(std::mem::take(&mut self.diagnostics));
        if limited {
            output = output.with_metric("limited", true);
        }
        if truncated {
            let max = self.max_results;
            output.status = Some(StepStatus::Partial);
            output.diagnostics.push(result_truncated("max_results", max));
            output = output.with_metric("completeness", completeness(count, max, "max_results"));
        }
        output
    }
}

fn sources_of(rows: &[Value], step: usize) -> Vec<Rc<[Value]>> {
    rows.iter().map(|row| listed_sources(row, step).into()).collect()
}

/// Returns the query of rows, which are known to be at the host.
fn query_of(rows: &dyn Rows) -> &Value {
    rows.remote_query().unwrap_or(&Value::Null)
}

/// Returns a row with all columns; a missing value is null.
fn fill_columns(columns: &[String], row: Option<&Value>) -> Value {
    let mut map = Map::default();
    for column in columns {
        let value = row.and_then(|row| row.get(column)).cloned().unwrap_or_default();
        map.insert(Rc::from(column.as_str()), value);
    }
    map.into()
}

/// Returns a warning for each aggregate that left out values.
fn left_out_warnings(aggregates: &[Aggregate], rows: &[Value]) -> Vec<Diagnostic> {
    let count = |index: usize| -> f64 {
        let of = |row: &Value| row.get("left_out")?.as_list()?.get(index)?.as_number();
        rows.iter().filter_map(of).sum()
    };
    let warning = |(index, aggregate): (usize, &Aggregate)| {
        let count = count(index);
        (count > 0.0).then(|| aggregate.left_out_warning(count as usize))
    };
    aggregates.iter().enumerate().filter_map(warning).collect()
}

/// Returns an error for a row without a valid map of values.
fn check_values(rows: &[Value], is_valid: fn(&Map) -> bool) -> Result<(), Diagnostic> {
    let has_values = |row: &Value| row.get("values").and_then(Value::as_map).is_some_and(is_valid);
    match rows.iter().position(|row| !has_values(row)) {
        None => Ok(()),
        Some(index) => Err(invalid_rows(&format!("row {index} has no `values`"))),
    }
}

fn invalid_rows(what: &str) -> Diagnostic {
    Diagnostic::new(
        codes::ADAPTER_FAILED,
        format!("invalid rows from the graph adapter: {what}"),
    )
    .help("return a list of maps from `deriveRows` of the adapter, with `values` for groups and fields")
}
