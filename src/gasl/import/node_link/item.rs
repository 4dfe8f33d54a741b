//! One row of a list.

use crate::base::Value;
use crate::base::bytes::same;
use crate::base::json::{Scalar, ScalarEntries, skip_space};
use crate::gasl::graph::Given;
use std::borrow::Cow;

/// A row: mostly a map of few plain values, which lie where they are in the text, else any value.
pub enum Item<'t> {
    Plain(Vec<(&'t str, Given<'t>)>),
    Value(Value),
}

/// In a row with more fields than these it takes long to see whether two have one name.
const FEW: usize = 32;

impl<'t> Item<'t> {
    /// The row that a text is, if it is a map of few plain values, each with a name of its own.
    pub fn plain(text: &'t str) -> Option<Item<'t>> {
        let piece = text.as_bytes();
        if !text.starts_with('{') {
            return None;
        }
        let mut entries = ScalarEntries::new(piece, skip_space(piece, 1));
        let mut fields: Vec<(&str, Given<'_>)> = Vec::new();
        for (key, value) in entries.by_ref() {
            let is_known = fields.iter().any(|(known, _)| same(known.as_bytes(), key));
            if is_known || fields.len() == FEW {
                return None;
            }
            let value = match value {
                Scalar::Text { bytes, .. } => Given::Text(str::from_utf8(bytes).ok()?),
                Scalar::Number(number) => Given::Number(number),
                Scalar::Bool(flag) => Given::Bool(flag),
                Scalar::Null => Given::Null,
            };
            fields.push((str::from_utf8(key).ok()?, value));
        }
        let is_whole = skip_space(piece, entries.end) + 1 == piece.len() && !fields.is_empty();
        is_whole.then_some(Item::Plain(fields))
    }

    /// A field.
    pub fn get(&self, name: &str) -> Option<Given<'_>> {
        match self {
            Item::Plain(fields) => {
                let is_field = |(known, _): &&(&str, _)| same(known.as_bytes(), name.as_bytes());
                fields.iter().find(is_field).map(|(_, value)| value.clone())
            }
            Item::Value(value) => value.get(name).map(Given::from),
        }
    }

    /// All fields in order.
    pub fn fields(&self) -> Cow<'_, [(&str, Given<'_>)]> {
        match self {
            Item::Plain(fields) => fields.into(),
            Item::Value(value) => {
                value.entries().map(|(name, value)| (&**name, Given::from(value))).collect()
            }
        }
    }
}

/// An id as text; a list is one too, as NetworkX writes tuples.
pub fn id_of(given: Given<'_>) -> Option<Cow<'_, str>> {
    Some(match given {
        Given::Text(text) => text.into(),
        Given::Number(number) => Value::Number(number).to_text().into(),
        Given::Bool(flag) => Value::Bool(flag).to_text().into(),
        Given::Value(list @ Value::List(_)) => list.to_text().into(),
        Given::Null | Given::Value(_) => return None,
    })
}
