//! Access to the graph of a session: in memory, or through an adapter of the host.

use super::graph::{
    self, ElementKind, FieldCells, Graph, PathQuery, ReversedEdges, SourceRef, extract_sources,
};
use super::identity::dedup_sources;
use super::predicate::{Membership, Predicate, Test};
use super::remote::{GraphSchema, RemoteGraph, RemoteRows};
use super::variable::{Rows, Values, Variable, row_values};
use crate::base::Value;
use crate::base::hash::sha256;
use std::cell::OnceCell;
use std::rc::Rc;

/// Graph of a session.
#[derive(Clone)]
pub enum GraphAccess {
    Memory(Rc<Graph>),
    /// Reached by [queries](super::effect::Effect::Query) to the host.
    Remote(Rc<RemoteGraph>),
}

impl GraphAccess {
    /// Returns a graph of a host whose adapter has only the required functions.
    pub fn remote() -> GraphAccess {
        GraphAccess::Remote(Rc::default())
    }

    /// Returns the schema of a remote graph, if the adapter has sent one.
    pub fn schema(&self) -> Option<&GraphSchema> {
        match self {
            GraphAccess::Memory(_) => None,
            GraphAccess::Remote(graph) => graph.schema(),
        }
    }

    /// Returns whether edges have a direction, as far as it is known.
    pub fn is_directed(&self) -> bool {
        match self {
            GraphAccess::Memory(graph) => graph.is_directed(),
            GraphAccess::Remote(graph) => graph.schema().is_none_or(|schema| schema.is_directed),
        }
    }
}

/// Nodes or edges of a graph in memory, by index.
#[derive(Clone)]
pub struct GraphRows {
    graph: Rc<Graph>,
    kind: ElementKind,
    rows: Rc<[u32]>,
    /// Edges with exchanged ends.
    reversed: ReversedEdges,
    /// Hash of the content of all rows, computed on first access.
    hash: OnceCell<String>,
}

impl std::fmt::Debug for GraphRows {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} rows of a graph", self.rows.len())
    }
}

impl GraphRows {
    pub fn nodes(graph: Rc<Graph>, rows: Vec<u32>) -> GraphRows {
        GraphRows::new(graph, ElementKind::Node, rows, ReversedEdges::default())
    }

    pub fn edges(graph: Rc<Graph>, rows: Vec<u32>, reversed: ReversedEdges) -> GraphRows {
        GraphRows::new(graph, ElementKind::Edge, rows, reversed)
    }

    fn new(
        graph: Rc<Graph>,
        kind: ElementKind,
        rows: Vec<u32>,
        reversed: ReversedEdges,
    ) -> GraphRows {
        GraphRows { graph, kind, rows: rows.into(), reversed, hash: OnceCell::new() }
    }

    fn is_reversed(&self, row: u32) -> bool {
        self.kind == ElementKind::Edge && self.reversed.contains(row)
    }

    fn write_row(&self, row: u32, out: &mut String) {
        match self.is_reversed(row) {
            true => self.graph.write_reversed_edge(row, out),
            false => self.graph.write_row(self.element(row), out),
        }
    }

    fn hash(&self) -> &str {
        let all = || {
            let mut text = String::new();
            self.rows.iter().for_each(|row| self.write_row(*row, &mut text));
            sha256(&text)
        };
        self.hash.get_or_init(all)
    }

    fn element(&self, row: u32) -> graph::Element {
        match self.kind {
            ElementKind::Node => graph::Element::Node(row),
            ElementKind::Edge => graph::Element::Edge(row),
        }
    }
}

impl Rows for GraphRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let row = *self.rows.get(index)?;
        Some(match self.kind {
            ElementKind::Node => self.graph.node_row(row),
            ElementKind::Edge if self.is_reversed(row) => self.graph.reversed_edge_row(row),
            ElementKind::Edge => self.graph.edge_row(row),
        })
    }

    fn write_json(&self, index: usize, out: &mut String) -> bool {
        let row = self.rows.get(index).copied();
        row.inspect(|row| self.write_row(*row, out)).is_some()
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self.cells(name) {
            Some(cells) => Box::new(move |index| cells.value(index)),
            None => row_values(self, name),
        }
    }

    fn cells(&self, name: &str) -> Option<FieldCells<'_>> {
        self.graph.cells(self.kind, name, &self.rows, &self.reversed)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let row = self.rows.get(index);
        row.map(|row| sources_of(&self.graph, self.element(*row)).into()).unwrap_or_default()
    }

    fn distinct_source_count(&self) -> usize {
        self.graph.distinct_source_count(self.rows.iter().map(|row| self.element(*row)))
    }

    fn fields(&self) -> Vec<String> {
        let fields = match self.kind {
            ElementKind::Node => self.graph.node_fields(),
            ElementKind::Edge => self.graph.edge_fields(),
        };
        fields.iter().map(|field| field.to_string()).collect::<Vec<_>>()
    }

    fn stored(&self) -> Option<Value> {
        let rows = self.rows.iter();
        let ids: Vec<Value> = match self.kind {
            ElementKind::Node => {
                rows.map(|row| self.graph.node_id(*row).into()).collect::<Vec<_>>()
            }
            ElementKind::Edge => {
                rows.map(|row| self.graph.edge_id(*row).into()).collect::<Vec<_>>()
            }
        };
        let kind = if self.kind == ElementKind::Node { "nodes" } else { "edges" };
        let mut stored = vec![(kind, ids.into()), ("sha256", self.hash().into())];
        if !self.reversed.is_empty() {
            let reversed = self.rows.iter().filter(|row| self.is_reversed(**row));
            let ids = reversed.map(|row| self.graph.edge_id(*row).into()).collect::<Vec<_>>();
            stored.push(("reversed", Value::list(ids)));
        }
        Some(Value::map_of(stored))
    }

    fn index_count(&self) -> usize {
        self.rows.len()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let rows = indices.iter().filter_map(|index| self.rows.get(*index).copied()).collect();
        Rc::new(GraphRows { rows, hash: OnceCell::new(), ..self.clone() })
    }
}

/// Paths in a graph in memory.
pub struct PathRows {
    graph: Rc<Graph>,
    paths: Rc<graph::Paths>,
    /// Indices of the picked paths; `None` for all.
    picked: Option<Vec<usize>>,
}

impl std::fmt::Debug for PathRows {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} paths of a graph", self.len())
    }
}

impl PathRows {
    pub fn new(graph: Rc<Graph>, paths: graph::Paths) -> PathRows {
        PathRows { graph, paths: Rc::new(paths), picked: None }
    }

    fn path(&self, index: usize) -> Option<graph::Path<'_>> {
        let index = match &self.picked {
            None => index,
            Some(picked) => *picked.get(index)?,
        };
        self.paths.get(index)
    }

    /// Returns the nodes and edges of a path.
    fn elements(path: graph::Path<'_>) -> impl Iterator<Item = graph::Element> {
        let nodes = path.nodes.iter().copied().map(graph::Element::Node);
        nodes.chain(path.edges.iter().copied().map(graph::Element::Edge))
    }
}

impl Rows for PathRows {
    fn len(&self) -> usize {
        self.picked.as_ref().map_or(self.paths.len(), Vec::len)
    }

    fn row(&self, index: usize) -> Option<Value> {
        Some(self.path(index)?.row(&self.graph))
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        row_values(self, name)
    }

    /// Returns the sources of the edges of the path.
    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some(path) = self.path(index) else { return Rc::default() };
        let edges = path.edges.iter().copied().map(graph::Element::Edge);
        dedup_sources(edges.flat_map(|edge| sources_of(&self.graph, edge))).into()
    }

    fn distinct_source_count(&self) -> usize {
        let paths = (0..self.len()).filter_map(|index| self.path(index));
        self.graph.distinct_source_count(paths.flat_map(PathRows::elements))
    }

    fn fields(&self) -> Vec<String> {
        let cost = self.paths.has_costs().then_some("cost");
        let fields = ["start", "end", "nodes", "edges", "length"].into_iter().chain(cost);
        fields.map(str::to_owned).collect::<Vec<_>>()
    }

    fn index_count(&self) -> usize {
        self.paths.row_count()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let path_index = |index: &usize| match &self.picked {
            None => Some(*index),
            Some(picked) => picked.get(*index).copied(),
        };
        let picked = Some(indices.iter().filter_map(path_index).collect::<Vec<_>>());
        Rc::new(PathRows { graph: self.graph.clone(), paths: self.paths.clone(), picked })
    }
}

/// Returns the sources of a node.
pub fn node_sources(graph: &Graph, node: u32) -> Rc<[Value]> {
    sources_of(graph, graph::Element::Node(node)).into()
}

fn sources_of(graph: &Graph, row: graph::Element) -> Vec<Value> {
    let map = |source: graph::SourceRef| {
        Value::map([
            ("source_id", Value::from(source.source_id)),
            ("doc_id", source.doc_id.into()),
            ("snippet", source.snippet.into()),
        ])
    };
    dedup_sources(graph.sources(row).into_iter().map(map))
}

/// Restores a variable from its stored form. Returns also whether the graph has changed since; rows
/// that it no longer contains are left out.
pub fn restore_variable(stored: &Value, source: &GraphAccess) -> (Variable, bool) {
    let list = |key: &str| stored.get(key).and_then(Value::as_list);
    let step = stored.get("step").and_then(Value::as_number).unwrap_or_default() as usize;
    if let GraphAccess::Memory(graph) = source {
        let texts = |ids: &[Value]| -> Vec<String> {
            ids.iter().filter_map(|id| id.as_text().map(str::to_owned)).collect::<Vec<_>>()
        };
        let nodes = list("nodes").map(|ids| {
            let rows = texts(ids).iter().filter_map(|id| graph.node(id)).collect::<Vec<_>>();
            GraphRows::nodes(graph.clone(), rows)
        });
        let edges = list("edges").map(|ids| {
            let rows = texts(ids).iter().filter_map(|id| graph.edge(id)).collect::<Vec<_>>();
            let reversed = texts(list("reversed").unwrap_or_default());
            let reversed = reversed.iter().filter_map(|id| graph.edge(id));
            let reversed = ReversedEdges::new(graph, reversed);
            GraphRows::edges(graph.clone(), rows, reversed)
        });
        if let Some(rows) = nodes.or(edges) {
            let hash = stored.get("sha256").and_then(Value::as_text);
            let differs = hash.is_some_and(|hash| hash != rows.hash());
            return (Variable::Rows(Rc::new(rows), step), differs);
        }
    }
    if let (Some(query), Some(first)) = (stored.get("remote"), list("first")) {
        let count = stored.get("count").and_then(Value::as_number).unwrap_or_default() as usize;
        let first = response_rows(first.to_vec(), step);
        let fields = first.fields();
        if let Variable::Rows(first, _) = first {
            let rows = RemoteRows { query: query.clone(), count, first, fields };
            return (Variable::Rows(Rc::new(rows), step), false);
        }
    }
    let sources = list("sources").unwrap_or_default();
    let Some(rows) = list("rows") else {
        let value = stored.get("value").cloned().unwrap_or_default();
        return (Variable::new(value, sources.into()), false);
    };
    let each = |sources: &Value| sources.as_list().unwrap_or_default().into();
    let rows = Variable::rows(rows.to_vec(), sources.iter().map(each).collect::<Vec<_>>());
    (rows.with_step(step), false)
}

/// Returns a predicate as adapters of the host receive it: `{all: […]}`, `{any: […]}`, `{not: …}`, and
/// `{field, op, value?}` with the operators of the language. A value is `{field}` if it is another
/// field.
pub fn predicate_to_value(predicate: &Predicate) -> Value {
    let each =
        |all: &[Predicate]| Value::list(all.iter().map(predicate_to_value).collect::<Vec<_>>());
    match predicate {
        Predicate::All(all) => Value::map([("all", each(all))]),
        Predicate::Any(all) => Value::map([("any", each(all))]),
        Predicate::Not(one) => Value::map([("not", predicate_to_value(one))]),
        Predicate::Field(field, test) => {
            let (op, value) = match test {
                Test::Compare(comparison, value) => (comparison.sign(), Some(value.clone())),
                Test::In(Membership::In, values) => ("IN", Some(Value::list(values.to_vec()))),
                Test::In(Membership::Out, values) => ("NOT IN", Some(Value::list(values.to_vec()))),
                Test::Text(test, value) => (test.word(), Some(value.clone())),
                Test::Exists => ("EXISTS", None),
                Test::Null => ("IS NULL", None),
                Test::NotNull => ("IS NOT NULL", None),
            };
            let mut parts = vec![("field", Value::Text(field.clone())), ("op", op.into())];
            parts.extend(value.map(|value| ("value", value)));
            Value::map_of(parts)
        }
        Predicate::Fields(left, operator, right) => Value::map([
            ("field", Value::Text(left.clone())),
            ("op", operator.text().into()),
            ("value", Value::map([("field", Value::Text(right.clone()))])),
        ]),
    }
}

/// Returns the parts of a path query as adapters of the host receive them.
pub fn path_query_entries(query: &PathQuery) -> Vec<(&'static str, Value)> {
    vec![
        ("start", predicate_to_value(&query.start)),
        ("end", predicate_to_value(&query.end)),
        ("edge", predicate_to_value(&query.edge)),
        ("node", predicate_to_value(&query.inner_nodes)),
        ("finished", predicate_to_value(&query.whole_path)),
        ("maxLength", query.max_length.into()),
    ]
}

/// Creates the rows of a response, with the sources that their fields name.
pub fn response_rows(rows: Vec<Value>, step: usize) -> Variable {
    let each = rows.iter().map(|row| field_sources(std::slice::from_ref(row), step).into());
    let each = each.collect::<Vec<_>>();
    Variable::rows(rows, each)
}

/// Creates the rows of a response whose sources are listed in `sources`, which is not a field.
pub fn rows_with_sources(rows: Vec<Value>, step: usize) -> Variable {
    let each = rows.iter().map(|row| listed_sources(row, step).into()).collect::<Vec<_>>();
    let without_sources = |row: Value| {
        let entries = row.as_map().cloned().unwrap_or_default().into_iter();
        Value::Map(Rc::new(entries.filter(|(key, _)| **key != *"sources").collect()))
    };
    Variable::rows(rows.into_iter().map(without_sources).collect(), each)
}

/// Returns the sources that the maps in `sources` name.
pub fn listed_sources(row: &Value, step: usize) -> Vec<Value> {
    let listed = row.get("sources").and_then(Value::as_list).unwrap_or_default();
    field_sources(listed, step)
}

fn field_sources(rows: &[Value], step: usize) -> Vec<Value> {
    let source = |source: SourceRef| {
        Value::map([
            ("source_id", Value::from(source.source_id)),
            ("doc_id", source.doc_id.into()),
            ("snippet", source.snippet.into()),
            ("step", step.into()),
            ("extraction", Value::Null),
        ])
    };
    let of = |row: &Value| extract_sources(&|name| row.get(name).cloned(), &Value::Null);
    dedup_sources(rows.iter().flat_map(of).map(source))
}
