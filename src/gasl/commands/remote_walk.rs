//! `WALK` in a remote graph.

use super::find::result_truncated;
use super::output::{Output, completeness};
use super::remote_graph::{is_one_of, parse_response_rows};
use super::walk::WalkQuery;
use super::walk_checks::WalkChecks;
use crate::base::Value;
use crate::base::map::NameMap;
use crate::base::value::Map;
use crate::gasl::caps;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::graph_access::{GraphAccess, predicate_to_value, response_rows};
use crate::gasl::identity::id_text;
use crate::gasl::language::ast::{Command, FindTarget};
use crate::gasl::predicate::Predicate;
use crate::gasl::record::{CommandFailure, StepStatus};

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
    /// Whether the start nodes have neighbors, also among themselves.
    has_neighbors: bool,
    /// Questions about the result, if the host answers them.
    checks: Option<WalkChecks>,
    /// Reached nodes, while the host is asked about them.
    found: Vec<Value>,
}

impl RemoteWalk {
    /// Creates the query for the first level.
    pub fn start_query(
        core: &Core,
        command: &Command,
        step: usize,
    ) -> Result<(RemoteWalk, Progress<Output>), CommandFailure> {
        let walk = WalkQuery::bind(core, command)?;
        let checks = WalkChecks::of(core, command, &walk);
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
            has_neighbors: false,
            checks,
            found: Vec::new(),
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
        if let Some(checks) = self.checks.as_mut().filter(|checks| checks.is_pending()) {
            checks.accept(response)?;
            return Ok(self.next_check(step));
        }
        if self.awaits_nodes {
            let nodes = self.nodes(parse_response_rows(response, FindTarget::Nodes)?);
            return Ok(self.finish(nodes, step));
        }
        if self.neighbors.is_some() {
            self.add_neighbors(parse_response_rows(response, FindTarget::Nodes)?);
            return Ok(self.next(step));
        }
        let edges = parse_response_rows(response, FindTarget::Edges)?;
        self.truncated |= edges.len() > self.max_results;
        self.has_neighbors |= !edges.is_empty();
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
        self.has_neighbors |= !rows.is_empty();
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
            return self.finish(nodes, step);
        }
        if is_over {
            if self.reached.is_empty() {
                return self.finish(Vec::new(), step);
            }
            self.awaits_nodes = true;
            let ids = is_one_of("id", &self.reached);
            return Progress::Need(self.query("nodes", &ids));
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
        Progress::Need(self.query("edges", &predicate))
    }

    /// Returns the nodes in the order in which they were reached. A node that is missing in the response
    /// has only its id.
    fn nodes(&self, rows: Vec<Value>) -> Vec<Value> {
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

    fn query(&self, target: &'static str, predicate: &Predicate) -> Effect {
        let query =
            Value::map([("where", predicate_to_value(predicate)), ("caps", self.caps.clone())]);
        Effect::Query(target, query)
    }

    /// Ends the walk after the questions about its result.
    fn finish(&mut self, nodes: Vec<Value>, step: usize) -> Progress<Output> {
        if let Some(checks) = self.checks.as_mut().filter(|_| nodes.is_empty()) {
            checks.ask_about_empty(&self.walk, self.direction, self.has_neighbors);
        }
        self.found = nodes;
        self.next_check(step)
    }

    fn next_check(&mut self, step: usize) -> Progress<Output> {
        if let Some(effect) = self.checks.as_mut().and_then(|checks| checks.next(&self.caps)) {
            return Progress::Need(effect);
        }
        if let Some(checks) = &mut self.checks {
            self.walk.diagnostics.append(&mut checks.diagnostics);
        }
        let nodes = std::mem::take(&mut self.found);
        Progress::Done(self.end(nodes, step))
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
