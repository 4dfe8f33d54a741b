//! Where the rows come from: a graph in memory, or one that the host asks.

use super::graph::{self, ElementKind, FieldCells, Graph, PathQuery};
use super::predicate::{Membership, Predicate, Test};
use super::update::united;
use super::variable::{Rows, Values, Variable, in_rows};
use crate::base::Value;
use crate::base::hash::sha256;
use std::cell::OnceCell;
use std::rc::Rc;

/// A graph.
#[derive(Clone)]
pub enum Source {
    /// In memory.
    Memory(Rc<Graph>),
    /// Behind an adapter of the host.
    Remote,
}

/// Nodes or edges of a graph in memory.
#[derive(Clone)]
pub struct GraphRows {
    graph: Rc<Graph>,
    kind: ElementKind,
    rows: Rc<[u32]>,
    /// Of all that the rows say, once somebody asks.
    hash: OnceCell<String>,
}

impl std::fmt::Debug for GraphRows {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} rows of a graph", self.rows.len())
    }
}

impl GraphRows {
    /// Nodes.
    pub fn nodes(graph: Rc<Graph>, rows: Vec<u32>) -> GraphRows {
        GraphRows { graph, kind: ElementKind::Node, rows: rows.into(), hash: OnceCell::new() }
    }

    /// Edges.
    pub fn edges(graph: Rc<Graph>, rows: Vec<u32>) -> GraphRows {
        GraphRows { graph, kind: ElementKind::Edge, rows: rows.into(), hash: OnceCell::new() }
    }

    fn hash(&self) -> &str {
        let all = || {
            let mut text = String::new();
            self.rows.iter().for_each(|row| self.graph.write_row(self.place(*row), &mut text));
            sha256(&text)
        };
        self.hash.get_or_init(all)
    }

    fn place(&self, row: u32) -> graph::Element {
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
            ElementKind::Edge => self.graph.edge_row(row),
        })
    }

    fn write(&self, index: usize, out: &mut String) -> bool {
        let row = self.rows.get(index).copied();
        row.inspect(|row| self.graph.write_row(self.place(*row), out)).is_some()
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self.cells(name) {
            Some(cells) => Box::new(move |index| cells.value(index)),
            None => in_rows(self, name),
        }
    }

    fn cells(&self, name: &str) -> Option<FieldCells<'_>> {
        self.graph.cells(self.kind, name, &self.rows)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let row = self.rows.get(index);
        row.map(|row| sources_of(&self.graph, self.place(*row)).into()).unwrap_or_default()
    }

    fn source_count(&self) -> usize {
        self.graph.source_count(self.rows.iter().map(|row| self.place(*row)))
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
        Some(Value::map([(kind, ids.into()), ("sha256", self.hash().into())]))
    }

    fn numbers(&self) -> usize {
        self.rows.len()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let rows = indices.iter().filter_map(|index| self.rows.get(*index).copied()).collect();
        Rc::new(GraphRows { rows, hash: OnceCell::new(), ..self.clone() })
    }
}

/// Paths of a graph in memory.
pub struct PathRows {
    graph: Rc<Graph>,
    paths: Rc<graph::Paths>,
    /// Which of the paths, where some were picked.
    picked: Option<Vec<usize>>,
}

impl std::fmt::Debug for PathRows {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} paths of a graph", self.len())
    }
}

impl PathRows {
    /// All of the paths.
    pub fn new(graph: Rc<Graph>, paths: graph::Paths) -> PathRows {
        PathRows { graph, paths: Rc::new(paths), picked: None }
    }

    fn path(&self, index: usize) -> Option<graph::Path<'_>> {
        let number = match &self.picked {
            None => index,
            Some(picked) => *picked.get(index)?,
        };
        self.paths.get(number)
    }

    /// The nodes and edges of a path.
    fn places(path: graph::Path<'_>) -> impl Iterator<Item = graph::Element> {
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
        in_rows(self, name)
    }

    /// What the edges of the path say comes from where they come from.
    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some(path) = self.path(index) else { return Rc::default() };
        let edges = path.edges.iter().copied().map(graph::Element::Edge);
        united(edges.flat_map(|edge| sources_of(&self.graph, edge))).into()
    }

    fn source_count(&self) -> usize {
        let paths = (0..self.len()).filter_map(|index| self.path(index));
        self.graph.source_count(paths.flat_map(PathRows::places))
    }

    fn fields(&self) -> Vec<String> {
        ["nodes", "edges", "length"].map(str::to_owned).to_vec()
    }

    fn numbers(&self) -> usize {
        self.paths.row_count()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let number = |index: &usize| match &self.picked {
            None => Some(*index),
            Some(picked) => picked.get(*index).copied(),
        };
        let picked = Some(indices.iter().filter_map(number).collect::<Vec<_>>());
        Rc::new(PathRows { graph: self.graph.clone(), paths: self.paths.clone(), picked })
    }
}

fn sources_of(graph: &Graph, row: graph::Element) -> Vec<Value> {
    let map = |source: graph::SourceRef| {
        Value::map([
            ("source_id", Value::from(source.source_id)),
            ("doc_id", source.doc_id.into()),
            ("snippet", source.snippet.into()),
        ])
    };
    united(graph.sources(row).into_iter().map(map))
}

/// A variable as it was when it was stored; whether the graph has other rows now, of which those
/// that are no longer there are left out.
pub fn restored(stored: &Value, source: &Source) -> (Variable, bool) {
    let list = |key: &str| stored.get(key).and_then(Value::as_list);
    let step = stored.get("step").and_then(Value::as_number).unwrap_or_default() as usize;
    if let Source::Memory(graph) = source {
        let texts = |ids: &[Value]| -> Vec<String> {
            ids.iter().filter_map(|id| id.as_text().map(str::to_owned)).collect::<Vec<_>>()
        };
        let nodes = list("nodes").map(|ids| {
            let rows = texts(ids).iter().filter_map(|id| graph.node(id)).collect::<Vec<_>>();
            GraphRows::nodes(graph.clone(), rows)
        });
        let edges = list("edges").map(|ids| {
            let rows = texts(ids).iter().filter_map(|id| graph.edge(id)).collect::<Vec<_>>();
            GraphRows::edges(graph.clone(), rows)
        });
        if let Some(rows) = nodes.or(edges) {
            let hash = stored.get("sha256").and_then(Value::as_text);
            let differs = hash.is_some_and(|hash| hash != rows.hash());
            return (Variable::Rows(Rc::new(rows), step), differs);
        }
    }
    let sources = list("sources").unwrap_or_default();
    let Some(rows) = list("rows") else {
        let value = stored.get("value").cloned().unwrap_or_default();
        return (Variable::of(value, sources.into()), false);
    };
    let each = |sources: &Value| sources.as_list().unwrap_or_default().into();
    let rows = Variable::rows(rows.to_vec(), sources.iter().map(each).collect::<Vec<_>>());
    (rows.found_by(step), false)
}

/// A predicate as adapters of the host get it: `{all: […]}`, `{any: […]}`, `{not: …}`, and
/// `{field, op, value?}` with the operators of the language.
pub fn tree(predicate: &Predicate) -> Value {
    let each = |all: &[Predicate]| Value::list(all.iter().map(tree).collect::<Vec<_>>());
    match predicate {
        Predicate::All(all) => Value::map([("all", each(all))]),
        Predicate::Any(all) => Value::map([("any", each(all))]),
        Predicate::Not(one) => Value::map([("not", tree(one))]),
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
    }
}

/// What an adapter of the host is asked for paths.
pub fn path_tree(query: &PathQuery) -> Vec<(&'static str, Value)> {
    vec![
        ("start", tree(&query.start)),
        ("end", tree(&query.end)),
        ("edge", tree(&query.edge)),
        ("node", tree(&query.inner)),
        ("finished", tree(&query.whole_path)),
        ("maxLength", query.max_length.into()),
    ]
}
