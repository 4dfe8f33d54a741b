//! Where rows come from, as the file itself says.

use super::Graph;
use super::build::Row;
use super::column::Cell;
use super::quotes::SEPARATOR;
use crate::base::Value;
use crate::base::map::NameMap;
use crate::base::value::excerpt_of;
use std::borrow::Cow;

/// The attributes that may name sources; the first that a row has is taken.
const NAMES: [&str; 5] = ["source_id", "source_ids", "chunk_id", "doc_id", "file_path"];

/// The attributes that name the document of a source.
const DOCUMENTS: [&str; 2] = ["doc_id", "file_path"];

/// Characters of a snippet.
const SNIPPET: usize = 200;

/// One source of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What the row names.
    pub source_id: String,
    /// The document that the source is a part of, where the row says it.
    pub doc_id: Option<String>,
    /// What the source says: its part of the description, else the beginning of its text, else of
    /// the description.
    pub snippet: Option<String>,
}

/// The sources that a row names, in its order: by its attributes, and by the texts of sources.
pub fn sources_by(attribute: &dyn Fn(&str) -> Option<Value>, texts: &Value) -> Vec<Source> {
    let Some((name, ids)) = NAMES.iter().find_map(|name| {
        let ids = parts(&attribute(name)?);
        (!ids.is_empty()).then_some((*name, ids))
    }) else {
        return Vec::new();
    };
    let documents = DOCUMENTS.iter().filter(|other| **other != name);
    let documents = documents.filter_map(|other| attribute(other)).map(|v| parts(&v)).next();
    let description = attribute("description");
    let described = description.as_ref().map(parts).unwrap_or_default();
    let whole = description.as_ref().and_then(Value::as_text);
    let count = ids.len();
    ids.into_iter()
        .enumerate()
        .map(|(nth, source_id)| {
            let text = match (texts.get(&source_id).and_then(Value::as_text), whole) {
                (Some(text), _) => Some(text),
                (None, _) if described.len() == count => described.get(nth).map(String::as_str),
                (None, whole) => whole,
            };
            let snippet = text.map(|text| excerpt_of(text.trim(), SNIPPET));
            let document = documents.as_ref().and_then(|each| match each.as_slice() {
                [one] => Some(one),
                many => many.get(nth).filter(|_| many.len() == count),
            });
            Source { snippet, doc_id: document.cloned(), source_id }
        })
        .collect()
}

impl Graph {
    /// The sources that a row names, in its order.
    pub fn sources(&self, row: Row) -> Vec<Source> {
        sources_by(&|name| self.attribute(row, name), &self.texts)
    }

    /// How many distinct sources rows have together.
    pub fn source_count(&self, rows: impl IntoIterator<Item = Row>) -> usize {
        let columns = |row| {
            let table = match row {
                Row::Node(_) => &self.nodes,
                Row::Edge(_) => &self.edges,
            };
            NAMES.map(|name| table.column(name))
        };
        let (of_nodes, of_edges) = (columns(Row::Node(0)), columns(Row::Edge(0)));
        let mut seen = NameMap::default();
        let mut found = NameMap::default();
        for row in rows {
            let (number, columns, mark) = match row {
                Row::Node(number) => (number, &of_nodes, 'n'),
                Row::Edge(number) => (number, &of_edges, 'e'),
            };
            // The first that names any; the same text names the same sources, and is split once.
            for column in columns.iter().flatten() {
                let cell = column.cell(number);
                let key = match cell {
                    Cell::Missing | Cell::Null => continue,
                    Cell::Text(text) => Some(format!("{mark}{} {text}", column.name)),
                    _ => None,
                };
                let known = key.as_ref().and_then(|key| seen.get(key).copied());
                let count = known.unwrap_or_else(|| {
                    let each = parts(&column.value_of(cell).unwrap_or_default());
                    let count = each.len() as u32;
                    found.extend(each.into_iter().map(|part| (part, 0)));
                    seen.extend(key.map(|key| (key, count)));
                    count
                });
                if count > 0 {
                    break;
                }
            }
        }
        found.len()
    }

    fn attribute(&self, row: Row, name: &str) -> Option<Value> {
        match row {
            Row::Node(node) => self.nodes.column(name)?.value(node),
            Row::Edge(edge) => self.edges.column(name)?.value(edge),
        }
    }
}

/// The parts of a `<SEP>` list, or the items of a list.
fn parts(value: &Value) -> Vec<String> {
    let each: Vec<Cow<'_, str>> = match value {
        Value::Text(text) => text.split(SEPARATOR).map(|part| part.trim().into()).collect(),
        Value::List(items) => items.iter().map(plain).collect(),
        other => vec![plain(other)],
    };
    each.into_iter().filter(|part| !part.is_empty()).map(Cow::into_owned).collect()
}

fn plain(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Text(text) => text.trim().into(),
        Value::Number(_) => value.to_text().into(),
        _ => "".into(),
    }
}
