//! What a name of the context holds: rows, which may still lie in the graph, or one value.

use super::graph::FieldCells;
use super::identity::item_key;
use super::language::ast::Kind;
use super::state::{self, PROVENANCE, kind_of, payload};
use crate::base::Value;
use crate::base::map::NameMap;
use crate::base::value::{Map, put};
use std::rc::Rc;

pub use super::graph::nested_field as field;

/// The values of a field by the indices of the rows.
pub type Values<'a> = Box<dyn Fn(usize) -> Option<Value> + 'a>;

/// Rows that are made when somebody looks at them: ten thousand nodes of a graph are forty
/// kilobytes as numbers, and megabytes as maps.
pub trait Rows {
    /// How many there are.
    fn len(&self) -> usize;
    /// One of them, as a map.
    fn row(&self, index: usize) -> Option<Value>;
    /// One of them for who looks at each once: it is not kept.
    fn row_once(&self, index: usize) -> Option<Value> {
        self.row(index)
    }
    /// Appends one of them as JSON text, if that is quicker than to make it; answers whether it did.
    fn write(&self, _index: usize, _out: &mut String) -> bool {
        false
    }
    /// What answers the value that a row has in a field; see [`in_rows`].
    fn values<'a>(&'a self, name: &'a str) -> Values<'a>;
    /// The cells of a field, where there are any.
    fn cells(&self, _name: &str) -> Option<FieldCells<'_>> {
        None
    }
    /// Where it comes from: maps of `source_id`, `doc_id`, `snippet`.
    fn sources(&self, index: usize) -> Rc<[Value]>;
    /// How many different sources all rows together have.
    fn source_count(&self) -> usize;
    /// The names of the fields that a row may have.
    fn fields(&self) -> Vec<String>;
    /// What the rows are made again from, where that is less than the rows with their sources:
    /// `{nodes: [id, …]}`, `{edges: [id, …]}`.
    fn stored(&self) -> Option<Value> {
        None
    }
    /// The rows of these numbers, in this order.
    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows>;
    /// How many of them it keeps as values.
    fn made(&self) -> usize {
        0
    }
    /// How many numbers of other rows it keeps, and nobody else.
    fn numbers(&self) -> usize {
        0
    }
    /// How many rows stand behind each of these, one behind the other.
    fn depth(&self) -> usize {
        0
    }
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The values of a field, each looked up in its row.
pub fn in_rows<'a>(rows: &'a dyn Rows, name: &'a str) -> Values<'a> {
    Box::new(move |index| field(&rows.row(index)?, name).cloned())
}

impl std::fmt::Debug for dyn Rows {
    // What rows hold is not printed, or printing any value at all would be part of the module.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} rows", self.len())
    }
}

/// What a name holds.
#[derive(Clone, Debug)]
pub enum Variable {
    /// Rows, and the step that found them.
    Rows(Rc<dyn Rows>, usize),
    /// A value, and where it comes from.
    Value(Value, Origin),
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// These are the sources of all of it.
    Same(Rc<[Value]>),
    /// It is this DICT of the state, beside whose keys their sources stand.
    Dict(Value),
}

impl Variable {
    /// A value of which nobody knows where it comes from.
    pub fn plain(value: Value) -> Variable {
        Variable::of(value, Rc::new([]))
    }

    /// A value that comes from these sources, as all rows do where it is a list.
    pub fn of(value: Value, sources: Rc<[Value]>) -> Variable {
        match value {
            Value::List(rows) if sources.is_empty() => {
                Variable::Rows(Rc::new(Plain { rows, sources: Sources::None }), 0)
            }
            Value::List(rows) => {
                let sources = Sources::Each(vec![sources; rows.len()].into());
                Variable::Rows(Rc::new(Plain { rows, sources }), 0)
            }
            value => Variable::Value(value, Origin::Same(sources)),
        }
    }

    /// The values that some rows of a variable have in a field, each from where its row comes from.
    pub fn column(of: &Variable, name: &str) -> Variable {
        let value = of.values(name);
        let (mut places, mut rows) = (Vec::new(), Vec::new());
        for index in 0..of.row_count().unwrap_or_default() {
            if let Some(value) = value(index) {
                places.push(index);
                rows.push(value);
            }
        }
        let sources = Sources::Of(of.clone(), places.into());
        Variable::Rows(Rc::new(Plain { rows: Rc::new(rows), sources }), 0)
    }

    /// Rows with the sources of each.
    pub fn rows(rows: Vec<Value>, sources: Vec<Rc<[Value]>>) -> Variable {
        let sources = match sources.iter().all(|each| each.is_empty()) {
            true => Sources::None,
            false => Sources::Each(sources.into()),
        };
        Variable::Rows(Rc::new(Plain { rows: Rc::new(rows), sources }), 0)
    }

    /// See [`Rows::depth`].
    pub fn depth(&self) -> usize {
        match self {
            Variable::Rows(rows, _) => rows.depth(),
            Variable::Value(..) => 0,
        }
    }

    /// The same rows, found by this step.
    pub fn found_by(self, step: usize) -> Variable {
        match self {
            Variable::Rows(rows, _) => Variable::Rows(rows, step),
            value => value,
        }
    }

    /// What an entry of the state holds, with the sources that stand beside it.
    pub fn of_state(entry: &Value) -> Variable {
        match (payload(entry), entry.get(PROVENANCE)) {
            (Value::List(rows), Some(Value::Map(beside))) if kind_of(entry) == Some(Kind::List) => {
                let sources = Sources::Beside(beside.clone());
                Variable::Rows(Rc::new(Plain { rows, sources }), 0)
            }
            (value @ Value::Map(_), _) => Variable::Value(value, Origin::Dict(entry.clone())),
            (value, _) => Variable::plain(value),
        }
    }

    /// The rows of a map that has them under `items`, each with the sources of those.
    pub fn items(&self) -> Option<Variable> {
        let Variable::Value(value, _) = self else { return None };
        let items = value.get("items").filter(|items| items.as_list().is_some())?;
        Some(Variable::of(items.clone(), self.sources_of("items")))
    }

    /// Whether both are the same rows, found by the same step.
    pub fn is_same_rows(&self, other: &Variable) -> bool {
        match (self, other) {
            (Variable::Rows(a, step), Variable::Rows(b, other)) => {
                Rc::ptr_eq(a, b) && step == other
            }
            _ => false,
        }
    }

    /// What the variable is made again from.
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

    /// The names of the fields that its rows may have.
    pub fn fields(&self) -> Vec<String> {
        match self {
            Variable::Rows(rows, _) => rows.fields(),
            Variable::Value(value, _) => {
                value.entries().map(|(key, _)| key.to_string()).collect::<Vec<_>>()
            }
        }
    }

    /// The values of a field of its rows; see [`Rows::values`].
    pub fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self {
            Variable::Rows(rows, _) => rows.values(name),
            Variable::Value(..) => Box::new(|_| None),
        }
    }

    /// How many rows there are; nothing where it holds no rows.
    pub fn row_count(&self) -> Option<usize> {
        match self {
            Variable::Rows(rows, _) => Some(rows.len()),
            Variable::Value(..) => None,
        }
    }

    /// See [`Rows::made`].
    pub fn made(&self) -> usize {
        match self {
            Variable::Rows(rows, _) => rows.made(),
            Variable::Value(..) => 0,
        }
    }

    /// How many numbers of other rows it keeps.
    pub fn numbers(&self) -> usize {
        match self {
            Variable::Rows(rows, _) => rows.numbers(),
            Variable::Value(..) => 0,
        }
    }

    /// One row.
    pub fn row(&self, index: usize) -> Option<Value> {
        match self {
            Variable::Rows(rows, _) => rows.row(index),
            Variable::Value(..) => None,
        }
    }

    /// Where a row, or the value, comes from.
    pub fn sources(&self, index: usize) -> Rc<[Value]> {
        match self {
            Variable::Rows(rows, 0) => rows.sources(index),
            Variable::Rows(rows, step) => {
                let sources = rows.sources(index);
                sources.iter().map(|source| found_in(source, *step)).collect()
            }
            Variable::Value(_, Origin::Same(sources)) => sources.clone(),
            Variable::Value(_, Origin::Dict(entry)) => state::sources(entry).into(),
        }
    }

    /// Where that comes from which a value has under a key.
    pub fn sources_of(&self, key: &str) -> Rc<[Value]> {
        match self {
            Variable::Value(_, Origin::Dict(entry)) => state::sources_of(entry, key).into(),
            _ => self.sources(0),
        }
    }

    /// The whole value.
    pub fn to_value(&self) -> Value {
        match self {
            Variable::Rows(rows, _) => {
                (0..rows.len()).filter_map(|index| rows.row(index)).collect::<Vec<_>>().into()
            }
            Variable::Value(value, _) => value.clone(),
        }
    }

    /// The whole value as JSON text. Of rows that lie in the graph no values are made.
    pub fn to_text(&self) -> String {
        let rows = match self {
            Variable::Rows(rows, _) => rows,
            Variable::Value(value, _) => return value.to_text(),
        };
        let mut out = "[".to_owned();
        for index in 0..rows.len() {
            if index > 0 {
                out.push(',');
            }
            if !rows.write(index, &mut out) {
                rows.row(index).unwrap_or_default().write(&mut out);
            }
        }
        out.push(']');
        out
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Variable::Rows(rows, _) => rows.is_empty(),
            Variable::Value(Value::Map(map), _) => map.is_empty(),
            Variable::Value(Value::Text(text), _) => text.is_empty(),
            Variable::Value(value, _) => value.is_null(),
        }
    }

    /// `{items, sources}` of a record.
    pub fn provenance_summary(&self) -> Value {
        let (items, sources) = match self {
            Variable::Rows(rows, _) => (rows.len(), rows.source_count()),
            Variable::Value(value, _) => (usize::from(!value.is_null()), self.sources(0).len()),
        };
        Value::map([("items", items.into()), ("sources", sources.into())])
    }
}

/// How many sources there are in these, each counted once.
pub fn distinct_sources(all: impl Iterator<Item = Rc<[Value]>>) -> usize {
    let mut ids = NameMap::default();
    for source in all.flat_map(|sources| sources.to_vec()) {
        if let Some(id) = source.get("source_id").and_then(Value::as_text) {
            ids.insert(id.to_owned(), 0);
        }
    }
    ids.len()
}

/// A source with the step that found it.
fn found_in(source: &Value, step: usize) -> Value {
    let mut map: Map = source.as_map().cloned().unwrap_or_default();
    put(&mut map, "step", step);
    put(&mut map, "extraction", Value::Null);
    map.into()
}

/// Rows that are maps already.
struct Plain {
    rows: Rc<Vec<Value>>,
    sources: Sources,
}

/// Where rows come from.
enum Sources {
    /// Nobody knows.
    None,
    /// The sources of each row.
    Each(Rc<[Rc<[Value]>]>),
    /// The sources by the key of an item, as a state has them.
    Beside(Rc<Map>),
    /// Those of the rows of a variable at these places.
    Of(Variable, Rc<[usize]>),
}

impl Rows for Plain {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        self.rows.get(index).cloned()
    }

    fn made(&self) -> usize {
        self.rows.len()
    }

    fn depth(&self) -> usize {
        match &self.sources {
            Sources::Of(variable, _) => variable.depth() + 1,
            _ => 0,
        }
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        Box::new(move |index| field(self.rows.get(index)?, name).cloned())
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        match &self.sources {
            Sources::Each(each) => each.get(index).cloned().unwrap_or_default(),
            Sources::None => Rc::default(),
            Sources::Beside(beside) => {
                let key = self.rows.get(index).map(item_key).unwrap_or_default();
                let sources = beside.get(key.as_str()).and_then(Value::as_list);
                sources.unwrap_or_default().into()
            }
            Sources::Of(variable, places) => {
                places.get(index).map(|place| variable.sources(*place)).unwrap_or_default()
            }
        }
    }

    fn source_count(&self) -> usize {
        distinct_sources((0..self.len()).map(|index| self.sources(index)))
    }

    fn fields(&self) -> Vec<String> {
        let mut seen = Map::default();
        for row in self.rows.iter().filter_map(Value::as_map) {
            for key in row.keys() {
                seen.insert(key.clone(), Value::Null);
            }
        }
        seen.keys().map(|key| key.to_string()).collect::<Vec<_>>()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let rows =
            indices.iter().filter_map(|index| self.rows.get(*index).cloned()).collect::<Vec<_>>();
        let sources = match &self.sources {
            Sources::None => Sources::None,
            Sources::Each(each) => Sources::Each(
                indices.iter().filter_map(|index| each.get(*index).cloned()).collect(),
            ),
            Sources::Beside(beside) => Sources::Beside(beside.clone()),
            Sources::Of(variable, places) => Sources::Of(
                variable.clone(),
                indices.iter().filter_map(|index| places.get(*index).copied()).collect(),
            ),
        };
        Rc::new(Plain { rows: Rc::new(rows), sources })
    }
}
