//! Warnings for a `WALK` in a remote graph, which the host is asked about.

use super::directions::walk_direction_warning;
use super::find::locate_at_field;
use super::remote_graph::{is_one_of, parse_response_rows};
use super::suggestions::{
    FieldSource, UnknownField, missing_relation, unknown_field_warning, unknown_names,
};
use super::walk::{WalkQuery, only_start_nodes_warning};
use crate::base::map::NameMap;
use crate::base::value::put;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::caps::EdgeDirection;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse};
use crate::gasl::graph_access::{GraphAccess, predicate_to_value};
use crate::gasl::identity::id_text;
use crate::gasl::language::ast::{Command, FindTarget, Follow};
use crate::gasl::predicate::Predicate;
use crate::gasl::record::CommandFailure;
use crate::gasl::remote::RemoteGraph;
use std::collections::VecDeque;
use std::rc::Rc;

/// Number of relations that are requested for a suggestion.
const MAX_VALUES: usize = 1_001;

/// Questions about a walk, and the warnings that follow from the answers.
pub struct WalkChecks {
    graph: Rc<RemoteGraph>,
    command: Command,
    questions: VecDeque<WalkQuestion>,
    pending: Option<WalkQuestion>,
    /// Warning that explains an empty result.
    has_explanation: bool,
    pub diagnostics: Vec<Diagnostic>,
}

enum WalkQuestion {
    /// Whether any edge has a field that the schema does not list.
    Field(UnknownField, Predicate),
    /// Whether the start nodes exist.
    Starts(Vec<Value>),
    /// Whether any edge has the relation.
    Relation { relation: String, field: String },
    /// Whether edges lead from the start nodes in the other direction.
    Direction { starts: Vec<Value>, edge: Predicate, opposite: EdgeDirection },
    /// Not a question: explains that all reached nodes are start nodes.
    OnlyStarts,
}

impl WalkChecks {
    /// Returns the questions about the condition, or `None` if the host answers none.
    pub fn of(core: &Core, command: &Command, walk: &WalkQuery) -> Option<WalkChecks> {
        let GraphAccess::Remote(graph) = &core.graph else { return None };
        let schema = graph
            .schema()
            .filter(|_| graph.has_capability("values") && graph.has_capability("neighbors"))?;
        let mut questions = VecDeque::new();
        if let (Some(predicate), Command::Walk { follow: Some(Follow::Condition(_)), .. }) =
            (&walk.follow, command)
        {
            let source = FieldSource::Schema(schema);
            let unknown = unknown_names(&source, FindTarget::Edges, predicate).into_iter();
            questions.extend(unknown.map(|one| WalkQuestion::Field(one, predicate.clone())));
        }
        Some(WalkChecks {
            graph: graph.clone(),
            command: command.clone(),
            questions,
            pending: None,
            has_explanation: false,
            diagnostics: Vec::new(),
        })
    }

    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Adds the questions about an empty result, in the order of a graph in memory.
    pub fn ask_about_empty(
        &mut self,
        walk: &WalkQuery,
        direction: EdgeDirection,
        has_neighbors: bool,
    ) {
        let edge = || walk.follow.clone().unwrap_or_else(Predicate::everything);
        self.questions.push_back(WalkQuestion::Starts(walk.ids.clone()));
        let field = self.graph.schema().and_then(|schema| schema.relation_field());
        if let (Some(relation), Some(field)) = (&walk.relation, field) {
            let question =
                WalkQuestion::Relation { relation: relation.clone(), field: field.to_owned() };
            self.questions.push_back(question);
        }
        let opposite = match direction {
            EdgeDirection::Out => Some(EdgeDirection::In),
            EdgeDirection::In => Some(EdgeDirection::Out),
            EdgeDirection::Any => None,
        };
        if let Some(opposite) = opposite.filter(|_| walk.is_directed) {
            let starts = walk.ids.clone();
            self.questions.push_back(WalkQuestion::Direction { starts, edge: edge(), opposite });
        }
        if has_neighbors {
            self.questions.push_back(WalkQuestion::OnlyStarts);
        }
    }

    /// Returns the query of the next question, or `None` after the last.
    pub fn next(&mut self, caps: &Value) -> Option<Effect> {
        while let Some(question) = self.questions.pop_front() {
            if self.has_explanation && !matches!(question, WalkQuestion::Field(..)) {
                continue;
            }
            let effect = match &question {
                WalkQuestion::Field(unknown, _) => values(&unknown.name, 1, caps),
                WalkQuestion::Starts(ids) => {
                    let is_start = predicate_to_value(&is_one_of("id", ids));
                    let query = Value::map([("where", is_start), ("caps", caps.clone())]);
                    Effect::Query("nodes", query)
                }
                WalkQuestion::Relation { field, .. } => values(field, MAX_VALUES, caps),
                WalkQuestion::Direction { starts, edge, opposite } => {
                    // One more than the start nodes shows whether another node is reached.
                    let mut caps = caps.clone();
                    if let Some(map) = caps.as_map_mut() {
                        put(map, "max_results", starts.len());
                    }
                    let query = Value::map([
                        ("ids", Value::list(starts.clone())),
                        ("edge", predicate_to_value(edge)),
                        ("direction", opposite.word().into()),
                        ("caps", caps),
                    ]);
                    Effect::Query("neighbors", query)
                }
                WalkQuestion::OnlyStarts => {
                    self.explain(Some(only_start_nodes_warning()));
                    continue;
                }
            };
            self.pending = Some(question);
            return Some(effect);
        }
        None
    }

    /// Adds the warning that follows from the response. Fails if no start node exists.
    pub fn accept(&mut self, response: HostResponse) -> Result<(), CommandFailure> {
        let values = match response {
            HostResponse::Value(value) => value,
            failed => return parse_response_rows(failed, FindTarget::Nodes).map(drop),
        };
        let values = values.as_list().unwrap_or_default();
        match self.pending.take() {
            Some(WalkQuestion::Field(unknown, predicate)) if values.is_empty() => {
                self.report_field(&unknown, &predicate);
            }
            Some(WalkQuestion::Starts(ids)) if values.is_empty() && !ids.is_empty() => {
                let texts = ids.iter().map(id_text).collect::<Vec<_>>();
                let listed = names::format_names(texts.iter().map(|id| &**id));
                return Err(Diagnostic::new(codes::UNDEFINED, format!("unknown node {listed}"))
                    .help("use rows that have the `id` of a node")
                    .into());
            }
            Some(WalkQuestion::Relation { relation, .. }) if values.len() < MAX_VALUES => {
                let texts = || values.iter().filter_map(Value::as_text);
                self.explain(missing_relation(&relation, texts));
            }
            Some(WalkQuestion::Direction { starts, opposite, .. }) => {
                let starts: NameMap =
                    starts.iter().map(|id| (id_text(id).into_owned(), 0)).collect();
                let is_other = |row: &Value| {
                    row.get("id").is_some_and(|id| !starts.contains_key(&*id_text(id)))
                };
                if values.iter().any(is_other) {
                    let word = if opposite == EdgeDirection::In { "to" } else { "from" };
                    self.explain(walk_direction_warning(&self.command, opposite, word));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn explain(&mut self, warning: Option<Diagnostic>) {
        self.has_explanation |= warning.is_some();
        self.diagnostics.extend(warning);
    }

    fn report_field(&mut self, unknown: &UnknownField, predicate: &Predicate) {
        let Some(schema) = self.graph.schema() else { return };
        let Command::Walk { follow: Some(Follow::Condition(condition)), .. } = &self.command else {
            return;
        };
        let source = FieldSource::Schema(schema);
        let warning = unknown_field_warning(&source, FindTarget::Edges, predicate, unknown);
        self.diagnostics.push(locate_at_field(warning, Some(condition), &unknown.field));
    }
}

/// Returns the query for the distinct values of a field of edges.
fn values(field: &str, limit: usize, caps: &Value) -> Effect {
    let query = Value::map([
        ("of", Value::from("edges")),
        ("field", field.into()),
        ("limit", limit.into()),
        ("caps", caps.clone()),
    ]);
    Effect::Query("values", query)
}
