//! A JSON document whose parts are parsed one by one.

use super::flatten::{NESTED_MAPS, Nesting, flatten_item};
use super::item::{NodeLinkItem, report_rounded};
use super::outline::NodeLinkOutline;
use crate::base::json::{self, Limits, MAX_EXACT_INTEGER, is_integer_literal, parse_number_text};
use crate::base::value::StringCache;
use crate::base::{Diagnostic, Location, Span, Value};
use crate::gasl::graph::AttributeValue;
use crate::gasl::import::import_builder::ImportBuilder;
use crate::gasl::import::{ImportLimits, decode};

/// Text with the spans of its parts.
pub struct JsonDocument<'a> {
    pub text: &'a str,
    /// Length of the byte order mark, which `text` does not contain.
    pub offset: usize,
    pub limits: Limits,
    /// Parts of the outermost map or list.
    pub outline: NodeLinkOutline,
}

impl<'a> JsonDocument<'a> {
    /// Scans a text.
    pub fn scan(bytes: &'a [u8], limits: ImportLimits) -> Result<JsonDocument<'a>, Diagnostic> {
        let (text, offset) = decode(bytes, limits)?;
        let limits = json::Limits { depth: limits.depth, bytes: limits.bytes };
        let outline = NodeLinkOutline::scan(text, Span::new(0, text.len()), limits)
            .map_err(|error| shift_diagnostic(error, offset))?;
        Ok(JsonDocument { text, offset, limits, outline })
    }

    /// Scans the map or list at a span, which is part of a valid document.
    pub fn scan_part(&self, span: Span) -> Result<NodeLinkOutline, Diagnostic> {
        let shift = |error: Diagnostic| shift_diagnostic(error, span.start + self.offset);
        NodeLinkOutline::scan(self.text, span, self.limits).map_err(shift)
    }

    /// Returns the text of a part.
    pub fn part_text(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the value of a key of the outermost map.
    pub fn value(&self, key: &str) -> Option<Value> {
        self.value_in(&self.outline, key)
    }

    /// Returns the value of a key of a map in the document.
    pub fn value_in(&self, map: &NodeLinkOutline, key: &str) -> Option<Value> {
        Some(self.parse(map.find(key)?))
    }

    /// Parses a part; warnings about it are dropped.
    pub fn parse(&self, span: Span) -> Value {
        let text = self.part_text(span).as_bytes();
        let (value, _) = Value::parse_next(text, self.limits, &mut StringCache::default());
        value.unwrap_or_default()
    }

    /// Returns whether a part is a list.
    pub fn is_list(&self, span: Span) -> bool {
        self.part_text(span).starts_with('[')
    }

    /// Returns whether a part is a map.
    pub fn is_map(&self, span: Span) -> bool {
        self.part_text(span).starts_with('{')
    }

    /// Parses an item of a list and reports its warnings. `nesting` is the location of its fields.
    pub fn item(
        &self,
        span: Span,
        nesting: Nesting<'_>,
        shared: &mut StringCache,
        graph: &mut ImportBuilder,
    ) -> NodeLinkItem<'a> {
        let text = self.part_text(span);
        if nesting == Nesting::None
            && let Some(item) = NodeLinkItem::parse_flat(text)
        {
            return item;
        }
        let (value, warnings) = Value::parse_next(text.as_bytes(), self.limits, shared);
        for warning in warnings {
            graph.warn(warning.code, || shift_diagnostic(warning, span.start + self.offset));
        }
        NodeLinkItem::Value(flatten_item(value.unwrap_or_default(), nesting))
    }

    /// Returns an id, which is at a path below an item. A number that was rounded is its literal as text,
    /// and is reported if that is not known.
    pub fn exact_id<'v>(
        &self,
        value: Option<AttributeValue<'v>>,
        item: Span,
        path: &[&str],
        graph: &mut ImportBuilder,
    ) -> Option<AttributeValue<'v>>
    where
        'a: 'v,
    {
        let value = self.exact_value(value?, item, path);
        report_rounded(&value, graph, self.span(item));
        Some(value)
    }

    /// Returns the value at a path below an item. A number that was rounded is its literal as text, if
    /// that is known.
    pub fn exact_value<'v>(
        &self,
        value: AttributeValue<'v>,
        item: Span,
        path: &[&str],
    ) -> AttributeValue<'v>
    where
        'a: 'v,
    {
        match value {
            AttributeValue::Number(number) if number.abs() > MAX_EXACT_INTEGER => {
                let literal = self.integer_literal(number, item, path);
                literal.map_or(value, AttributeValue::Text)
            }
            value => value,
        }
    }

    /// Returns the literal of an integer that was rounded to a number. `path` leads to it after the
    /// item was flattened.
    fn integer_literal(&self, number: f64, item: Span, path: &[&str]) -> Option<&'a str> {
        let find = |part: Span, path: &[&str]| self.literal_at(number, part, path);
        find(item, path).or_else(|| find(item, &["key"])).or_else(|| {
            let map = self.scan_part(item).ok()?;
            NESTED_MAPS.iter().find_map(|name| find(map.find(name)?, path))
        })
    }

    /// Returns the literal at a path of keys and indices if it was rounded to a number.
    fn literal_at(&self, number: f64, part: Span, path: &[&str]) -> Option<&'a str> {
        if let Some((key, path)) = path.split_first() {
            let outline = self.scan_part(part).ok()?;
            let item = || outline.items.get(key.parse::<usize>().ok()?).copied();
            return self.literal_at(number, outline.find(key).or_else(item)?, path);
        }
        let literal = self.part_text(part);
        let is_rounded = literal != Value::Number(number).to_text();
        let is_found = is_integer_literal(literal) && parse_number_text(literal) == Some(number);
        (is_rounded && is_found).then_some(literal)
    }

    /// Returns the span of a part in the text of the caller.
    pub fn span(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }

    /// Returns the span of the start of the document.
    pub fn start_span(&self) -> Span {
        Span::new(self.offset, self.offset)
    }
}

/// Returns the diagnostic with its span shifted by `by` bytes.
fn shift_diagnostic(diagnostic: Diagnostic, by: usize) -> Diagnostic {
    let location = diagnostic.location.map(|location| match location {
        Location::Span(span) => Location::Span(Span::new(span.start + by, span.end + by)),
        pointer => pointer,
    });
    Diagnostic { location, ..diagnostic }
}
