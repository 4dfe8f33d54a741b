//! A copy of a remote graph with the fields that a command needs.

use super::preparation::MANY_ROWS;
use super::remote_graph::parse_response_rows;
use super::remote_search::derive_effect;
use super::shortest::ShortestCondition;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::graph::{
    AttributeValue, Element, ElementKind, Graph, GraphBuilder, PathQuery, QuoteHandling,
    SOURCE_FIELDS,
};
use crate::gasl::graph_access::{GraphAccess, predicate_to_value};
use crate::gasl::identity::id_text;
use crate::gasl::language::ast::{FindTarget, ShortestPaths};
use crate::gasl::predicate::Predicate;
use crate::gasl::record::CommandFailure;
use crate::gasl::remote::RemoteGraph;
use std::rc::Rc;

/// Maximum number of edges, and of nodes, that are fetched.
const MAX_FETCHED: usize = 100_000;

/// Copy of a remote graph.
pub struct Fetched {
    pub graph: Rc<Graph>,
    /// Warning for many rows.
    pub warning: Option<Diagnostic>,
}

/// Fetches the nodes and edges of a remote graph.
pub struct GraphFetch {
    remote: Rc<RemoteGraph>,
    /// Reason why the host does not run the command.
    reason: String,
    /// Condition of the edges; `None` once it restricts the query.
    edge: Option<Predicate>,
    caps: Value,
    node_fields: Vec<String>,
    edge_fields: Vec<String>,
    stage: FetchStage,
    edges: Vec<Value>,
    /// Condition of the edges that are fetched.
    fetched: Predicate,
}

enum FetchStage {
    CountEdges,
    CountNodes,
    Edges,
    Nodes,
}

impl GraphFetch {
    /// Returns the first query, or `None` if the adapter cannot send single fields.
    pub fn start(
        core: &Core,
        find: &ShortestPaths,
        reason: String,
    ) -> Result<Option<(GraphFetch, Effect)>, CommandFailure> {
        let GraphAccess::Remote(remote) = &core.graph else { return Ok(None) };
        if !remote.has_capability("derive") || remote.schema().is_none() {
            return Ok(None);
        }
        let ShortestCondition { paths, .. } = ShortestCondition::bind(core, find)?;
        let (nodes, edges) = fields_of(&paths);
        // Other caps limit the search, not the copy.
        let caps = Value::map([("timeout_ms", timeout(&core.caps.to_value()))]);
        let has_edge_test = paths.edge != Predicate::everything();
        let fetch = GraphFetch {
            remote: remote.clone(),
            reason,
            edge: has_edge_test.then(|| paths.edge.clone()),
            caps,
            node_fields: with_sources(remote, ElementKind::Node, nodes),
            edge_fields: with_sources(
                remote,
                ElementKind::Edge,
                edges.into_iter().chain(find.weight.clone()).collect(),
            ),
            stage: FetchStage::CountEdges,
            edges: Vec::new(),
            fetched: Predicate::everything(),
        };
        let effect = fetch.count("edges");
        Ok(Some((fetch, effect)))
    }

    fn source(&self, kind: &str) -> Value {
        let everything = Predicate::everything();
        let condition = if kind == "edges" { &self.fetched } else { &everything };
        Value::map([
            ("kind", Value::from(kind)),
            ("where", predicate_to_value(condition)),
            ("caps", self.caps.clone()),
        ])
    }

    fn count(&self, kind: &str) -> Effect {
        derive_effect(&self.source(kind), "count", Vec::new())
    }

    fn fields(&self, kind: &str, always: &[&str], others: &[String]) -> Effect {
        let pair = |name: &str| Value::list(vec![name.into(), name.into()]);
        let others = others.iter().map(String::as_str).filter(|name| !always.contains(name));
        let fields = always.iter().copied().chain(others).map(pair).collect::<Vec<_>>();
        derive_effect(&self.source(kind), "fields", vec![("fields", Value::list(fields))])
    }

    /// Continues with the response of the host.
    pub fn accept(&mut self, response: HostResponse) -> Result<Progress<Fetched>, CommandFailure> {
        let value = match response {
            HostResponse::Value(value) => value,
            failed => {
                parse_response_rows(failed, FindTarget::Nodes)?;
                Value::Null
            }
        };
        let rows = value.as_list().unwrap_or_default();
        let count = || rows.first().and_then(Value::as_number).unwrap_or_default() as usize;
        let effect = match self.stage {
            FetchStage::CountEdges => match (count() > MAX_FETCHED, self.edge.take()) {
                (false, _) => {
                    self.stage = FetchStage::CountNodes;
                    self.count("nodes")
                }
                // Fewer edges may satisfy the condition.
                (true, Some(edge)) => {
                    self.fetched = edge;
                    self.count("edges")
                }
                (true, None) => return Err(self.too_many("edges", count()).into()),
            },
            FetchStage::CountNodes if count() > MAX_FETCHED => {
                return Err(self.too_many("nodes", count()).into());
            }
            FetchStage::CountNodes => {
                self.stage = FetchStage::Edges;
                self.fields("edges", &["id", "source", "target"], &self.edge_fields)
            }
            FetchStage::Edges => {
                self.edges = rows.to_vec();
                self.stage = FetchStage::Nodes;
                self.fields("nodes", &["id"], &self.node_fields)
            }
            FetchStage::Nodes => return Ok(Progress::Done(self.build(rows))),
        };
        Ok(Progress::Need(effect))
    }

    fn build(&mut self, nodes: &[Value]) -> Fetched {
        let mut builder = GraphBuilder::new(QuoteHandling::Keep);
        builder.directed = self.remote.schema().is_none_or(|schema| schema.is_directed);
        let edges = std::mem::take(&mut self.edges);
        let count = nodes.len() + edges.len();
        for node in nodes {
            let Some(values) = node.get("values") else { continue };
            let Some(id) = values.get("id") else { continue };
            let (row, _) = builder.add_node(&id_text(id));
            set_fields(&mut builder, Element::Node(row), values, &self.node_fields);
        }
        for edge in &edges {
            let Some(values) = edge.get("values") else { continue };
            let (Some(source), Some(target)) = (values.get("source"), values.get("target")) else {
                continue;
            };
            let source = builder.endpoint(&id_text(source));
            let target = builder.endpoint(&id_text(target));
            let id = values.get("id").map(id_text);
            let (row, _) = builder.add_edge(id.as_deref(), source, target);
            set_fields(&mut builder, Element::Edge(row), values, &self.edge_fields);
        }
        let (graph, _) = builder.finish();
        let warning = (count > MANY_ROWS).then(|| {
            let message = format!("{count} nodes and edges were sent by the database");
            Diagnostic::new(codes::MANY_ROWS, message)
                .help("restrict the edges, as in `AND edge.type = …`")
        });
        Fetched { graph: Rc::new(graph), warning }
    }

    fn too_many(&self, what: &str, count: usize) -> Diagnostic {
        let message = format!(
            "the graph adapter cannot run this command: {}; and {count} {what} are too many to search here: at most {MAX_FETCHED} are fetched",
            self.reason
        );
        Diagnostic::new(codes::UNSUPPORTED, message).help(
            "restrict the edges, as in `AND edge.type = …`, search with `FIND paths … AND length <= n`, or read a part of the graph into a `Graph`",
        )
    }
}

fn timeout(caps: &Value) -> Value {
    caps.get("timeout_ms").cloned().unwrap_or_default()
}

/// Returns the fields of nodes and of edges that a condition tests.
fn fields_of(paths: &PathQuery) -> (Vec<String>, Vec<String>) {
    let names = |one: &Predicate| one.fields().iter().map(|field| field.to_string()).collect();
    let mut nodes: Vec<String> = Vec::new();
    let mut edges: Vec<String> = names(&paths.edge);
    for one in [&paths.start, &paths.end, &paths.inner_nodes] {
        nodes.extend(one.fields().iter().map(|field| field.to_string()));
    }
    for field in paths.whole_path.fields() {
        let (is_edge, name) = PathQuery::element_field(&field);
        if is_edge { edges.push(name.to_owned()) } else { nodes.push(name.to_owned()) }
    }
    (nodes, edges)
}

/// Adds the fields that name the sources of a row, without repetitions.
fn with_sources(remote: &RemoteGraph, of: ElementKind, fields: Vec<String>) -> Vec<String> {
    let sources = SOURCE_FIELDS.iter().chain(&["description"]).map(|field| (*field).to_owned());
    let known = |field: &String| remote.schema().is_some_and(|schema| schema.has(of, field));
    let mut all: Vec<String> = fields.into_iter().chain(sources.filter(known)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn set_fields(builder: &mut GraphBuilder, element: Element, values: &Value, fields: &[String]) {
    let reserved: &[&str] = match element {
        Element::Node(_) => &["id"],
        Element::Edge(_) => &["id", "source", "target"],
    };
    for field in fields.iter().filter(|field| !reserved.contains(&field.as_str())) {
        if let Some(value) = values.get(field).filter(|value| !value.is_null()) {
            builder.set(element, field, AttributeValue::from(value));
        }
    }
}
