//! A graph of the host: what its adapter can do, its fields, and rows that it has not sent.

use super::graph::{ElementKind, Graph};
use super::variable::{Rows, Values, distinct_source_count, row_values};
use crate::base::Value;
use std::cell::OnceCell;
use std::rc::Rc;

/// Default number of rows of a search that are sent at once.
const DEFAULT_FIRST_ROWS: usize = 100;

/// Graph of the host.
#[derive(Debug, Default)]
pub struct RemoteGraph {
    /// Names of the optional functions of the adapter.
    capabilities: Vec<String>,
    /// Set by the first command that needs it.
    schema: OnceCell<GraphSchema>,
}

impl RemoteGraph {
    pub fn new(capabilities: Vec<String>) -> RemoteGraph {
        RemoteGraph { capabilities, schema: OnceCell::new() }
    }

    pub fn has_capability(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|one| one == capability)
    }

    pub fn schema(&self) -> Option<&GraphSchema> {
        self.schema.get()
    }

    /// Sets the schema, which a later one does not replace.
    pub fn set_schema(&self, value: &Value) {
        let _ = self.schema.set(GraphSchema::read(value));
    }
}

/// Fields of the rows of a remote graph.
#[derive(Debug)]
pub struct GraphSchema {
    pub is_directed: bool,
    /// Number of rows of a search that are sent at once; more stay at the host.
    pub first_rows: usize,
    pub node_fields: Vec<String>,
    pub edge_fields: Vec<String>,
}

impl GraphSchema {
    fn read(value: &Value) -> GraphSchema {
        let fields = |key: &str| {
            let names = value.get(key).and_then(Value::as_list).unwrap_or_default();
            names.iter().filter_map(|name| name.as_text().map(str::to_owned)).collect::<Vec<_>>()
        };
        GraphSchema {
            is_directed: value.get("directed") != Some(&Value::Bool(false)),
            first_rows: value
                .get("firstRows")
                .and_then(Value::as_number)
                .map_or(DEFAULT_FIRST_ROWS, |count| count.max(1.0) as usize),
            node_fields: fields("nodeFields"),
            edge_fields: fields("edgeFields"),
        }
    }

    pub fn fields(&self, of: ElementKind) -> &[String] {
        match of {
            ElementKind::Node => &self.node_fields,
            ElementKind::Edge => &self.edge_fields,
        }
    }

    pub fn has(&self, of: ElementKind, field: &str) -> bool {
        self.fields(of).iter().any(|name| name == field)
    }

    /// Returns the field of edges that `FOLLOW` compares.
    pub fn relation_field(&self) -> Option<&str> {
        Graph::relation_field_of(self.edge_fields.iter().map(String::as_str))
    }
}

/// Rows of a search of which the host has sent only the first.
pub struct RemoteRows {
    /// `{kind, where, caps}`
    pub query: Value,
    pub count: usize,
    pub first: Rc<dyn Rows>,
    /// Fields that the rows may have.
    pub fields: Vec<String>,
}

impl Rows for RemoteRows {
    fn len(&self) -> usize {
        self.count
    }

    /// Returns one of the first rows. Commands that need others wait until all are sent.
    fn row(&self, index: usize) -> Option<Value> {
        self.first.row(index)
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        row_values(self, name)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        self.first.sources(index)
    }

    fn distinct_source_count(&self) -> usize {
        distinct_source_count((0..self.first.len()).map(|index| self.first.sources(index)))
    }

    fn fields(&self) -> Vec<String> {
        self.fields.clone()
    }

    fn stored(&self) -> Option<Value> {
        let first = (0..self.first.len()).filter_map(|index| self.first.row(index));
        Some(Value::map([
            ("remote", self.query.clone()),
            ("count", self.count.into()),
            ("first", Value::list(first.collect::<Vec<_>>())),
        ]))
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        self.first.pick(indices)
    }

    fn remote_query(&self) -> Option<&Value> {
        Some(&self.query)
    }
}
