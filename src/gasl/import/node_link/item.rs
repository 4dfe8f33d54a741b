//! An item of a node or edge list.

use crate::base::Value;
use crate::base::bytes::same;
use crate::base::diagnostic::quote;
use crate::base::json::{MAX_EXACT_INTEGER, Scalar, ScalarEntries, skip_space};
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{AttributeValue, nested_field};
use crate::gasl::import::codes;
use crate::gasl::import::import_builder::ImportBuilder;
use std::borrow::Cow;

/// Item of a list: a flat map that borrows from the text (fast path), or any value.
pub enum NodeLinkItem<'t> {
    Flat(Vec<(&'t str, AttributeValue<'t>)>),
    Value(Value),
}

/// Maximum number of fields of a flat item, because duplicate keys are found by linear search.
const MAX_FLAT_FIELDS: usize = 32;

impl<'t> NodeLinkItem<'t> {
    /// Reads a map of at most 32 scalars with distinct keys; returns `None` for other items.
    pub fn parse_flat(text: &'t str) -> Option<NodeLinkItem<'t>> {
        let bytes = text.as_bytes();
        if !text.starts_with('{') {
            return None;
        }
        let mut entries = ScalarEntries::new(bytes, skip_space(bytes, 1));
        let mut fields: Vec<(&str, AttributeValue<'_>)> = Vec::new();
        for (key, value) in entries.by_ref() {
            let is_duplicate = fields.iter().any(|(name, _)| same(name.as_bytes(), key));
            if is_duplicate || fields.len() == MAX_FLAT_FIELDS {
                return None;
            }
            let value = match value {
                Scalar::Text { bytes, .. } => AttributeValue::Text(str::from_utf8(bytes).ok()?),
                Scalar::Number(number) => AttributeValue::Number(number),
                Scalar::Bool(flag) => AttributeValue::Bool(flag),
                Scalar::Null => AttributeValue::Null,
            };
            fields.push((str::from_utf8(key).ok()?, value));
        }
        let is_complete = skip_space(bytes, entries.end) + 1 == bytes.len() && !fields.is_empty();
        is_complete.then_some(NodeLinkItem::Flat(fields))
    }

    /// Returns a field by its name.
    pub fn get(&self, name: &str) -> Option<AttributeValue<'_>> {
        match self {
            NodeLinkItem::Flat(fields) => {
                let is_field = |(field, _): &&(&str, _)| same(field.as_bytes(), name.as_bytes());
                fields.iter().find(is_field).map(|(_, value)| value.clone())
            }
            NodeLinkItem::Value(value) => value.get(name).map(AttributeValue::from),
        }
    }

    /// Returns a field by its name, or by a path such as `data.id`.
    pub fn get_path(&self, path: &str) -> Option<AttributeValue<'_>> {
        self.get(path).or_else(|| match self {
            NodeLinkItem::Value(value) => nested_field(value, path).map(AttributeValue::from),
            NodeLinkItem::Flat(_) => None,
        })
    }

    /// Returns all fields in order.
    pub fn fields(&self) -> Cow<'_, [(&str, AttributeValue<'_>)]> {
        match self {
            NodeLinkItem::Flat(fields) => fields.into(),
            NodeLinkItem::Value(value) => value
                .entries()
                .map(|(name, value)| (&**name, AttributeValue::from(value)))
                .collect(),
        }
    }
}

/// Reports an id that was rounded, so that the ids of two nodes can be equal.
pub fn report_rounded(value: &AttributeValue<'_>, graph: &mut ImportBuilder, at: Span) {
    let AttributeValue::Number(number) = value else { return };
    if number.abs() <= MAX_EXACT_INTEGER {
        return;
    }
    graph.warn(codes::ROUNDED_ID, || {
        let message = format!("the id was rounded to {}", Value::Number(*number).to_text());
        Diagnostic::new(codes::ROUNDED_ID, message)
            .help("write ids of more than fifteen digits as text: `\"9007199254740993\"`")
            .at(at)
    });
}

/// Reports an attribute in the range of 64-bit integers that has more than 53 bits.
pub fn report_rounded_attribute(
    name: &str,
    value: &AttributeValue<'_>,
    graph: &mut ImportBuilder,
    at: Span,
) {
    const MAX_INTEGER: f64 = 18_446_744_073_709_551_616.0;
    let AttributeValue::Number(number) = value else { return };
    if !graph.is_export() && number.abs() > MAX_EXACT_INTEGER && number.abs() <= MAX_INTEGER {
        graph.warn(codes::ROUNDED_ID, || {
            let read = Value::Number(*number).to_text();
            let message = format!("{} has more than 53 bits; it was read as {read}", quote(name));
            Diagnostic::new(codes::ROUNDED_ID, message)
                .help("write integers of more than fifteen digits as text: `\"9007199254740993\"`")
                .at(at)
        });
    }
}

/// Returns an id as text. A list is an id too, because NetworkX writes tuples as lists. Returns
/// `None` for null and maps.
pub fn id_of(value: AttributeValue<'_>) -> Option<Cow<'_, str>> {
    Some(match value {
        AttributeValue::Text(text) => text.into(),
        AttributeValue::Number(number) => Value::Number(number).to_text().into(),
        AttributeValue::Bool(flag) => Value::Bool(flag).to_text().into(),
        AttributeValue::Value(list @ Value::List(_)) => list.to_text().into(),
        AttributeValue::Null | AttributeValue::Value(_) => return None,
    })
}
