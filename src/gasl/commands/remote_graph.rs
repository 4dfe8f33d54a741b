//! Rows of a remote graph, and `WALK` in it.

use super::find::result_truncated;
use super::output::{Output, completeness};
use super::walk::WalkQuery;
use crate::base::map::NameMap;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::caps;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::graph_access::{
    GraphAccess, predicate_to_value, response_rows, rows_with_sources,
};
use crate::gasl::identity::id_text;
use crate::gasl::language::ast::{Command, FindTarget};
use crate::gasl::predicate::{Membership, Predicate, Test};
use crate::gasl::record::{CommandFailure, StepStatus};
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

/// Returns the rows of a response, or an error if it is invalid.
pub fn parse_response_rows(
    response: HostResponse,
    target: FindTarget,
) -> Result<Vec<Value>, CommandFailure> {
    let value = match response {
        HostResponse::Value(value) => value,
        HostResponse::Failed(why) | HostResponse::Interrupted(why) => {
            let message = format!("the graph query failed: {why}");
            return Err(Diagnostic::new(codes::ADAPTER_FAILED, message)
                .help("retry, narrow the query, or continue without it")
                .into());
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

/// `WALK` in a remote graph: breadth-first search that queries the edges of each level, then the
/// nodes. Nodes are identified by their ids as strings; queries contain the ids as the host returned
/// them.
pub struct RemoteWalk {
    walk: WalkQuery,
    direction: caps::EdgeDirection,
    /// Ids of the nodes of the current level.
    level: Vec<Value>,
    level_count: usize,
    visited: NameMap,
    reached: Vec<Value>,
    /// Whether the query for the nodes is pending.
    awaits_nodes: bool,
    /// Caps of all queries; another command may set them meanwhile.
    caps: Value,
    max_results: usize,
    /// Whether a level has more edges than `max_results`.
    truncated: bool,
    /// Rows of the reached nodes, if the host returns the nodes next to a level.
    neighbors: Option<Vec<Value>>,
}

impl RemoteWalk {
    /// Creates the query for the first level.
    pub fn start_query(
        core: &Core,
        command: &Command,
        step: usize,
    ) -> Result<(RemoteWalk, Progress<Output>), CommandFailure> {
        let walk = WalkQuery::bind(core, command)?;
        let direction = walk.remote_direction();
        let level = walk.ids.clone();
        let visited = id_set(&level);
        let mut walk = RemoteWalk {
            direction,
            level,
            level_count: 0,
            visited,
            reached: Vec::new(),
            awaits_nodes: false,
            caps: walk.caps.to_value(),
            max_results: core.caps.max_results,
            truncated: false,
            neighbors: matches!(&core.graph, GraphAccess::Remote(graph) if graph.has_capability("neighbors"))
                .then(Vec::new),
            walk,
        };
        let progress = walk.next(step);
        Ok((walk, progress))
    }

    /// Continues with the response of the host.
    pub fn resume(
        &mut self,
        response: HostResponse,
        step: usize,
    ) -> Result<Progress<Output>, CommandFailure> {
        if self.awaits_nodes {
            let nodes = self.order_reached_nodes(parse_response_rows(response, FindTarget::Nodes)?);
            return Ok(Progress::Done(self.end(nodes, step)));
        }
        if self.neighbors.is_some() {
            self.add_neighbors(parse_response_rows(response, FindTarget::Nodes)?);
            return Ok(self.next(step));
        }
        let edges = parse_response_rows(response, FindTarget::Edges)?;
        self.truncated |= edges.len() > self.max_results;
        let current = id_set(&std::mem::take(&mut self.level));
        let is_current = |id: &Value| current.contains_key(&*id_text(id));
        for edge in &edges {
            let (Some(source), Some(target)) = (edge.get("source"), edge.get("target")) else {
                continue;
            };
            let out = self.direction != caps::EdgeDirection::In && is_current(source);
            let back = self.direction != caps::EdgeDirection::Out && is_current(target);
            for id in [out.then_some(target), back.then_some(source)].into_iter().flatten() {
                if self.visited.insert(id_text(id).into_owned(), 0).is_none() {
                    self.reached.push(id.clone());
                    self.level.push(id.clone());
                }
            }
        }
        Ok(self.next(step))
    }

    /// Adds the nodes next to the current level that were not visited.
    fn add_neighbors(&mut self, rows: Vec<Value>) {
        self.truncated |= rows.len() > self.max_results;
        self.level.clear();
        for row in rows {
            let Some(id) = row.get("id") else { continue };
            if self.visited.insert(id_text(id).into_owned(), 0).is_none() {
                self.level.push(id.clone());
                if let Some(neighbors) = &mut self.neighbors {
                    neighbors.push(row);
                }
            }
        }
    }

    fn next(&mut self, step: usize) -> Progress<Output> {
        let is_over = self.level.is_empty() || self.level_count >= self.walk.depth;
        if is_over && let Some(nodes) = self.neighbors.take() {
            return Progress::Done(self.end(nodes, step));
        }
        if is_over {
            if self.reached.is_empty() {
                return Progress::Done(self.end(Vec::new(), step));
            }
            self.awaits_nodes = true;
            let ids = is_one_of("id", &self.reached);
            return Progress::Need(self.query_effect("nodes", &ids));
        }
        self.level_count += 1;
        if self.neighbors.is_some() {
            let edge = self.walk.follow.clone().unwrap_or_else(Predicate::everything);
            return Progress::Need(Effect::Query(
                "neighbors",
                Value::map([
                    ("ids", Value::list(self.level.clone())),
                    ("edge", predicate_to_value(&edge)),
                    ("direction", self.direction.word().into()),
                    ("caps", self.caps.clone()),
                ]),
            ));
        }
        let ends = match self.direction {
            caps::EdgeDirection::Out => is_one_of("source", &self.level),
            caps::EdgeDirection::In => is_one_of("target", &self.level),
            caps::EdgeDirection::Any => Predicate::Any(vec![
                is_one_of("source", &self.level),
                is_one_of("target", &self.level),
            ]),
        };
        let follow = self.walk.follow.clone();
        let predicate =
            Predicate::All([Some(ends), follow].into_iter().flatten().collect::<Vec<_>>());
        Progress::Need(self.query_effect("edges", &predicate))
    }

    /// Returns the nodes in the order in which they were reached. A node that is missing in the response
    /// has only its id.
    fn order_reached_nodes(&self, rows: Vec<Value>) -> Vec<Value> {
        let mut by_id = Map::default();
        for row in rows {
            if let Some(id) = row.get("id") {
                by_id.insert(id_text(id).into(), row);
            }
        }
        let found = |id: &Value| by_id.get(&*id_text(id)).cloned();
        let row = |id: &Value| found(id).unwrap_or_else(|| Value::map([("id", id.clone())]));
        self.reached.iter().map(row).collect::<Vec<_>>()
    }

    fn query_effect(&self, target: &'static str, predicate: &Predicate) -> Effect {
        let query =
            Value::map([("where", predicate_to_value(predicate)), ("caps", self.caps.clone())]);
        Effect::Query(target, query)
    }

    fn end(&mut self, mut nodes: Vec<Value>, step: usize) -> Output {
        let max_results = self.max_results;
        let truncated = self.truncated || nodes.len() > max_results;
        nodes.truncate(max_results);
        let count = nodes.len();
        let mut output = Output::from_value(response_rows(nodes, step))
            .with_diagnostics(std::mem::take(&mut self.walk.diagnostics));
        if truncated {
            output.status = Some(StepStatus::Partial);
            output.diagnostics.push(result_truncated("max_results", max_results));
            output =
                output.with_metric("completeness", completeness(count, max_results, "max_results"));
        }
        output
    }
}

fn id_set(ids: &[Value]) -> NameMap {
    ids.iter().map(|id| (id_text(id).into_owned(), 0)).collect()
}

fn is_one_of(field: &str, ids: &[Value]) -> Predicate {
    Predicate::Field(field.into(), Test::In(Membership::In, ValueSet::new(ids.to_vec())))
}
