//! Values of variables: rows, which may refer to the graph, or one value.

use super::graph::FieldCells;
use super::identity::item_key;
use super::language::ast::StateType;
use super::state::{self, PROVENANCE_KEY, payload, type_of};
use crate::base::Value;
use crate::base::map::NameMap;
use crate::base::value::{Map, put};
use std::rc::Rc;

pub use super::graph::nested_field as field;

/// Accessor of the values of a field by row index.
pub type Values<'a> = Box<dyn Fn(usize) -> Option<Value> + 'a>;

/// Rows computed on access: ten thousand nodes take forty kilobytes as indices and megabytes as
/// maps.
pub trait Rows {
    fn len(&self) -> usize;
    /// Returns a row as a map, or `None` if the index is out of range.
    fn row(&self, index: usize) -> Option<Value>;
    /// Returns a row without caching it.
    fn row_once(&self, index: usize) -> Option<Value> {
        self.row(index)
    }
    /// Appends a row as JSON if there is a faster way than through [`Rows::row`]. Returns whether it
    /// did.
    fn write_json(&self, _index: usize, _out: &mut String) -> bool {
        false
    }
    /// Returns an accessor of the values of a field.
    fn values<'a>(&'a self, name: &'a str) -> Values<'a>;
    /// Returns the column cells of a field, if the rows refer to a graph.
    fn cells(&self, _name: &str) -> Option<FieldCells<'_>> {
        None
    }
    /// Returns the sources of a row: maps of `source_id`, `doc_id`, `snippet`.
    fn sources(&self, index: usize) -> Rc<[Value]>;
    /// Returns the number of distinct sources of all rows.
    fn distinct_source_count(&self) -> usize;
    /// Returns the names of the fields that a row may have.
    fn fields(&self) -> Vec<String>;
    /// Returns a stored form that is smaller than the rows with their sources, if there is one:
    /// `{nodes: [id, …]}` or `{edges: [id, …]}`.
    fn stored(&self) -> Option<Value> {
        None
    }
    /// Returns the rows at some indices, in their order.
    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows>;
    /// Returns the number of rows in memory as maps.
    fn materialized_count(&self) -> usize {
        0
    }
    /// Returns the number of row indices that only these rows hold.
    fn index_count(&self) -> usize {
        0
    }
    /// Returns the length of the chain of rows from which these are computed.
    fn chain_length(&self) -> usize {
        0
    }
    /// Returns the query of the rows if the host has not sent all of them: `{kind, where, caps}`.
    fn remote_query(&self) -> Option<&Value> {
        None
    }
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Returns an accessor that computes each row and selects its field.
pub fn row_values<'a>(rows: &'a dyn Rows, name: &'a str) -> Values<'a> {
    Box::new(move |index| field(&rows.row(index)?, name).cloned())
}

impl std::fmt::Debug for dyn Rows {
    // Prints no values, because their `Debug` code would become part of the module.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} rows", self.len())
    }
}

/// Value of a variable.
#[derive(Clone, Debug)]
pub enum Variable {
    /// Rows and the number of the step that found them, or 0.
    Rows(Rc<dyn Rows>, usize),
    Value(Value, ValueOrigin),
}

/// Origin of a value.
#[derive(Clone, Debug)]
pub enum ValueOrigin {
    /// Sources of the complete value.
    Sources(Rc<[Value]>),
    /// DICT of the state, which stores the sources of its keys.
    Dict(Value),
}

impl Variable {
    /// Creates a value without sources.
    pub fn without_sources(value: Value) -> Variable {
        Variable::new(value, Rc::new([]))
    }

    /// Creates a value; each item of a list has all of the sources.
    pub fn new(value: Value, sources: Rc<[Value]>) -> Variable {
        match value {
            Value::List(rows) if sources.is_empty() => {
                Variable::Rows(Rc::new(MaterializedRows { rows, sources: RowSources::None }), 0)
            }
            Value::List(rows) => {
                let sources = RowSources::PerRow(vec![sources; rows.len()].into());
                Variable::Rows(Rc::new(MaterializedRows { rows, sources }), 0)
            }
            value => Variable::Value(value, ValueOrigin::Sources(sources)),
        }
    }

    /// Returns the values of a field in all rows that have it, with the sources of the rows.
    pub fn column(of: &Variable, name: &str) -> Variable {
        let value = of.values(name);
        let (mut indices, mut rows) = (Vec::new(), Vec::new());
        for index in 0..of.row_count().unwrap_or_default() {
            if let Some(value) = value(index) {
                indices.push(index);
                rows.push(value);
            }
        }
        let sources = RowSources::OfRows(of.clone(), indices.into());
        Variable::Rows(Rc::new(MaterializedRows { rows: Rc::new(rows), sources }), 0)
    }

    /// Creates rows, each with its sources.
    pub fn rows(rows: Vec<Value>, sources: Vec<Rc<[Value]>>) -> Variable {
        let sources = match sources.iter().all(|each| each.is_empty()) {
            true => RowSources::None,
            false => RowSources::PerRow(sources.into()),
        };
        Variable::Rows(Rc::new(MaterializedRows { rows: Rc::new(rows), sources }), 0)
    }

    pub fn chain_length(&self) -> usize {
        match self {
            Variable::Rows(rows, _) => rows.chain_length(),
            Variable::Value(..) => 0,
        }
    }

    /// Returns the same rows with the step that found them.
    pub fn with_step(self, step: usize) -> Variable {
        match self {
            Variable::Rows(rows, _) => Variable::Rows(rows, step),
            value => value,
        }
    }

    /// Returns the value of an entry of the state, with its sources.
    pub fn from_entry(entry: &Value) -> Variable {
        match (payload(entry), entry.get(PROVENANCE_KEY)) {
            (Value::List(rows), Some(Value::Map(sources)))
                if type_of(entry) == Some(StateType::List) =>
            {
                let sources = RowSources::ByKey(sources.clone());
                Variable::Rows(Rc::new(MaterializedRows { rows, sources }), 0)
            }
            (value @ Value::Map(_), _) => Variable::Value(value, ValueOrigin::Dict(entry.clone())),
            (value, _) => Variable::without_sources(value),
        }
    }

    /// Returns the rows in `items` of a map, or `None` if there are none.
    pub fn items(&self) -> Option<Variable> {
        let Variable::Value(value, _) = self else { return None };
        let items = value.get("items").filter(|items| items.as_list().is_some())?;
        Some(Variable::new(items.clone(), self.sources_at("items")))
    }

    /// Returns whether both are the same rows in memory, found by the same step.
    pub fn is_same_rows(&self, other: &Variable) -> bool {
        match (self, other) {
            (Variable::Rows(a, step), Variable::Rows(b, other)) => {
                Rc::ptr_eq(a, b) && step == other
            }
            _ => false,
        }
    }

    /// Returns the stored form.
    pub fn stored(&self) -> Value {
        match self {
            Variable::Rows(rows, step) => {
                let stored = rows.stored().unwrap_or_else(|| {
                    let sources = |index| rows.sources(index).to_vec().into();
                    let sources = (0..rows.len()).map(sources).collect::<Vec<_>>();
                    Value::map([("rows", self.to_value()), ("sources", Value::list(sources))])
                });
                let mut map = stored.as_map().cloned().unwrap_or_default();
                put(&mut map, "step", *step);
                map.into()
            }
            Variable::Value(value, _) => {
                let sources = self.sources(0).to_vec();
                Value::map([("value", value.clone()), ("sources", sources.into())])
            }
        }
    }

    /// Returns the names of the fields.
    pub fn fields(&self) -> Vec<String> {
        match self {
            Variable::Rows(rows, _) => rows.fields(),
            Variable::Value(value, _) => {
                value.entries().map(|(key, _)| key.to_string()).collect::<Vec<_>>()
            }
        }
    }

    pub fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self {
            Variable::Rows(rows, _) => rows.values(name),
            Variable::Value(..) => Box::new(|_| None),
        }
    }

    /// Returns the number of rows, or `None` for a value.
    pub fn row_count(&self) -> Option<usize> {
        match self {
            Variable::Rows(rows, _) => Some(rows.len()),
            Variable::Value(..) => None,
        }
    }

    pub fn materialized_count(&self) -> usize {
        match self {
            Variable::Rows(rows, _) => rows.materialized_count(),
            Variable::Value(..) => 0,
        }
    }

    pub fn index_count(&self) -> usize {
        match self {
            Variable::Rows(rows, _) => rows.index_count(),
            Variable::Value(..) => 0,
        }
    }

    pub fn row(&self, index: usize) -> Option<Value> {
        match self {
            Variable::Rows(rows, _) => rows.row(index),
            Variable::Value(..) => None,
        }
    }

    /// Returns the sources of a row, or of the value.
    pub fn sources(&self, index: usize) -> Rc<[Value]> {
        match self {
            Variable::Rows(rows, 0) => rows.sources(index),
            Variable::Rows(rows, step) => {
                let sources = rows.sources(index);
                sources.iter().map(|source| source_with_step(source, *step)).collect()
            }
            Variable::Value(_, ValueOrigin::Sources(sources)) => sources.clone(),
            Variable::Value(_, ValueOrigin::Dict(entry)) => state::sources(entry).into(),
        }
    }

    /// Returns the sources of the value at a key.
    pub fn sources_at(&self, key: &str) -> Rc<[Value]> {
        match self {
            Variable::Value(_, ValueOrigin::Dict(entry)) => state::sources_at(entry, key).into(),
            _ => self.sources(0),
        }
    }

    /// Returns the complete value.
    pub fn to_value(&self) -> Value {
        match self {
            Variable::Rows(rows, _) => {
                (0..rows.len()).filter_map(|index| rows.row(index)).collect::<Vec<_>>().into()
            }
            Variable::Value(value, _) => value.clone(),
        }
    }

    /// Serializes the value as JSON, without materializing rows of the graph.
    pub fn to_text(&self) -> String {
        self.page_text(0, usize::MAX)
    }

    /// Serializes at most `limit` rows from the one at `offset`, or a value that is not a list.
    pub fn page_text(&self, offset: usize, limit: usize) -> String {
        let rows = match self {
            Variable::Rows(rows, _) => rows,
            Variable::Value(value, _) => return value.to_text(),
        };
        let mut out = "[".to_owned();
        for index in offset..offset.saturating_add(limit).min(rows.len()) {
            if index > offset {
                out.push(',');
            }
            if !rows.write_json(index, &mut out) {
                rows.row(index).unwrap_or_default().write(&mut out);
            }
        }
        out.push(']');
        out
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Variable::Rows(rows, _) => rows.is_empty(),
            Variable::Value(Value::Map(map), _) => map.is_empty(),
            Variable::Value(Value::Text(text), _) => text.is_empty(),
            Variable::Value(value, _) => value.is_null(),
        }
    }

    /// Returns the numbers of items and sources: `{items, sources}`.
    pub fn provenance_summary(&self) -> Value {
        let (items, sources) = match self {
            Variable::Rows(rows, _) => (rows.len(), rows.distinct_source_count()),
            Variable::Value(value, _) => (usize::from(!value.is_null()), self.sources(0).len()),
        };
        Value::map([("items", items.into()), ("sources", sources.into())])
    }
}

/// Counts the distinct sources.
pub fn distinct_source_count(all: impl Iterator<Item = Rc<[Value]>>) -> usize {
    let mut ids = NameMap::default();
    for source in all.flat_map(|sources| sources.to_vec()) {
        if let Some(id) = source.get("source_id").and_then(Value::as_text) {
            ids.insert(id.to_owned(), 0);
        }
    }
    ids.len()
}

/// Returns a source with the step that found it.
fn source_with_step(source: &Value, step: usize) -> Value {
    let mut map: Map = source.as_map().cloned().unwrap_or_default();
    put(&mut map, "step", step);
    put(&mut map, "extraction", Value::Null);
    map.into()
}

/// Rows in memory.
struct MaterializedRows {
    rows: Rc<Vec<Value>>,
    sources: RowSources,
}

/// Sources of rows.
enum RowSources {
    None,
    /// Sources of each row.
    PerRow(Rc<[Rc<[Value]>]>),
    /// Sources by [identity](item_key), as a state stores them.
    ByKey(Rc<Map>),
    /// Sources of the rows of a variable at some indices.
    OfRows(Variable, Rc<[usize]>),
}

impl Rows for MaterializedRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        self.rows.get(index).cloned()
    }

    fn materialized_count(&self) -> usize {
        self.rows.len()
    }

    fn chain_length(&self) -> usize {
        match &self.sources {
            RowSources::OfRows(variable, _) => variable.chain_length() + 1,
            _ => 0,
        }
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        Box::new(move |index| field(self.rows.get(index)?, name).cloned())
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        match &self.sources {
            RowSources::PerRow(each) => each.get(index).cloned().unwrap_or_default(),
            RowSources::None => Rc::default(),
            RowSources::ByKey(by_key) => {
                let key = self.rows.get(index).map(item_key).unwrap_or_default();
                let sources = by_key.get(key.as_str()).and_then(Value::as_list);
                sources.unwrap_or_default().into()
            }
            RowSources::OfRows(variable, indices) => {
                indices.get(index).map(|index| variable.sources(*index)).unwrap_or_default()
            }
        }
    }

    fn distinct_source_count(&self) -> usize {
        distinct_source_count((0..self.len()).map(|index| self.sources(index)))
    }

    fn fields(&self) -> Vec<String> {
        let mut names = Map::default();
        for row in self.rows.iter().filter_map(Value::as_map) {
            for key in row.keys() {
                names.insert(key.clone(), Value::Null);
            }
        }
        names.keys().map(|key| key.to_string()).collect::<Vec<_>>()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let rows =
            indices.iter().filter_map(|index| self.rows.get(*index).cloned()).collect::<Vec<_>>();
        let sources = match &self.sources {
            RowSources::None => RowSources::None,
            RowSources::PerRow(each) => RowSources::PerRow(
                indices.iter().filter_map(|index| each.get(*index).cloned()).collect(),
            ),
            RowSources::ByKey(by_key) => RowSources::ByKey(by_key.clone()),
            RowSources::OfRows(variable, indices) => RowSources::OfRows(
                variable.clone(),
                indices.iter().filter_map(|index| indices.get(*index).copied()).collect(),
            ),
        };
        Rc::new(MaterializedRows { rows: Rc::new(rows), sources })
    }
}
