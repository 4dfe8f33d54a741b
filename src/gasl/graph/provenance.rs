//! Sources that the attributes of a row name.

use super::Graph;
use super::column::Cell;
use super::element::Element;
use super::quotes::LIST_SEPARATOR;
use crate::base::Value;
use crate::base::map::NameMap;
use crate::base::value::excerpt_of;
use std::borrow::Cow;

/// Attributes that may name sources; the first one that a row has is used.
pub const SOURCE_FIELDS: [&str; 5] = ["source_id", "source_ids", "chunk_id", "doc_id", "file_path"];

/// Attributes that name the document of a source.
const DOCUMENT_FIELDS: [&str; 2] = ["doc_id", "file_path"];

/// Maximum number of characters of a snippet.
const SNIPPET_CHARS: usize = 200;

/// Source of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRef {
    /// Id that the row names.
    pub source_id: String,
    /// Document of the source, if the row names one.
    pub doc_id: Option<String>,
    /// Excerpt of the text of the source, else its part of the description, else an excerpt of the
    /// description.
    pub snippet: Option<String>,
}

/// Returns the sources that the attributes of a row name, with snippets from the texts of sources.
pub fn extract_sources(attribute: &dyn Fn(&str) -> Option<Value>, texts: &Value) -> Vec<SourceRef> {
    let Some((name, ids)) = SOURCE_FIELDS.iter().find_map(|name| {
        let ids = split_sources(&attribute(name)?);
        (!ids.is_empty()).then_some((*name, ids))
    }) else {
        return Vec::new();
    };
    let documents = DOCUMENT_FIELDS.iter().filter(|other| **other != name);
    let documents =
        documents.filter_map(|other| attribute(other)).map(|v| split_sources(&v)).next();
    let description = attribute("description");
    let description_parts = description.as_ref().map(split_sources).unwrap_or_default();
    let whole = description.as_ref().and_then(Value::as_text);
    let count = ids.len();
    ids.into_iter()
        .enumerate()
        .map(|(nth, source_id)| {
            let text = match (texts.get(&source_id).and_then(Value::as_text), whole) {
                (Some(text), _) => Some(text),
                (None, _) if description_parts.len() == count => {
                    description_parts.get(nth).map(String::as_str)
                }
                (None, whole) => whole,
            };
            let snippet = text.map(|text| excerpt_of(text.trim(), SNIPPET_CHARS));
            let document = documents.as_ref().and_then(|each| match each.as_slice() {
                [one] => Some(one),
                many => many.get(nth).filter(|_| many.len() == count),
            });
            SourceRef { snippet, doc_id: document.cloned(), source_id }
        })
        .collect()
}

impl Graph {
    /// Returns the sources that a row names.
    pub fn sources(&self, element: Element) -> Vec<SourceRef> {
        extract_sources(&|name| self.attribute(element, name), &self.source_texts)
    }

    /// Returns the number of distinct sources of rows.
    pub fn distinct_source_count(&self, rows: impl IntoIterator<Item = Element>) -> usize {
        let columns = |row| {
            let table = match row {
                Element::Node(_) => &self.nodes,
                Element::Edge(_) => &self.edges,
            };
            SOURCE_FIELDS.map(|name| table.column(name))
        };
        let (of_nodes, of_edges) = (columns(Element::Node(0)), columns(Element::Edge(0)));
        let mut count_by_text = NameMap::default();
        let mut distinct = NameMap::default();
        for element in rows {
            let (row, columns, prefix) = match element {
                Element::Node(row) => (row, &of_nodes, 'n'),
                Element::Edge(row) => (row, &of_edges, 'e'),
            };
            // Uses the first column that names sources; equal texts are split once.
            for column in columns.iter().flatten() {
                let cell = column.cell(row);
                let key = match cell {
                    Cell::Missing | Cell::Null => continue,
                    Cell::Text(code) => Some(format!("{prefix}{} {code}", column.name)),
                    _ => None,
                };
                let cached = key.as_ref().and_then(|key| count_by_text.get(key).copied());
                let count = cached.unwrap_or_else(|| {
                    let each = split_sources(&column.value_of(cell).unwrap_or_default());
                    let count = each.len() as u32;
                    distinct.extend(each.into_iter().map(|part| (part, 0)));
                    count_by_text.extend(key.map(|key| (key, count)));
                    count
                });
                if count > 0 {
                    break;
                }
            }
        }
        distinct.len()
    }

    fn attribute(&self, element: Element, name: &str) -> Option<Value> {
        match element {
            Element::Node(node) => self.nodes.column(name)?.value(node),
            Element::Edge(edge) => self.edges.column(name)?.value(edge),
        }
    }
}

/// Splits a `<SEP>` list or a list into its non-empty parts.
fn split_sources(value: &Value) -> Vec<String> {
    let each: Vec<Cow<'_, str>> = match value {
        Value::Text(text) => text.split(LIST_SEPARATOR).map(|part| part.trim().into()).collect(),
        Value::List(items) => items.iter().map(scalar_text).collect(),
        other => vec![scalar_text(other)],
    };
    each.into_iter().filter(|part| !part.is_empty()).map(Cow::into_owned).collect()
}

fn scalar_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Text(text) => text.trim().into(),
        Value::Number(_) => value.to_text().into(),
        _ => "".into(),
    }
}
