//! Parser of JSON values.

use super::{Map, Value};
use crate::base::json::{Limits, Reader, Sink, Text, duplicate_key};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use std::rc::Rc;

impl Value {
    /// Parses one JSON document. Returns `None` if it is malformed. A repeated key is a warning.
    pub fn parse(text: &[u8], limits: Limits) -> (Option<Value>, Vec<Diagnostic>) {
        Value::parse_next(text, limits, &mut StringCache::default())
    }

    /// Parses one of many JSON documents, which share equal short strings.
    pub fn parse_next(
        text: &[u8],
        limits: Limits,
        strings: &mut StringCache,
    ) -> (Option<Value>, Vec<Diagnostic>) {
        let mut builder =
            ValueBuilder { open: Vec::new(), root: None, diagnostics: Vec::new(), strings };
        match Reader::new(limits).read_all(text, &mut builder) {
            Ok(()) => (builder.root, builder.diagnostics),
            Err(error) => {
                builder.diagnostics.push(error);
                (None, builder.diagnostics)
            }
        }
    }

    /// Parses one JSON document without reporting warnings.
    pub fn read(text: &[u8], limits: Limits) -> Result<Value, Diagnostic> {
        let mut strings = StringCache::default();
        let mut builder = ValueBuilder {
            open: Vec::new(),
            root: None,
            diagnostics: Vec::new(),
            strings: &mut strings,
        };
        Reader::new(limits).read_all(text, &mut builder)?;
        Ok(builder.root.unwrap_or_default())
    }
}

struct ValueBuilder<'s> {
    open: Vec<PartialContainer>,
    root: Option<Value>,
    diagnostics: Vec<Diagnostic>,
    strings: &'s mut StringCache,
}

enum PartialContainer {
    List(Vec<Value>),
    /// Entries so far, and the index of the entry whose value is next.
    Map(Map, usize),
}

impl ValueBuilder<'_> {
    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(PartialContainer::List(items)) => items.push(value),
            Some(PartialContainer::Map(map, place)) => {
                if let Some((_, slot)) = map.get_index_mut(*place) {
                    *slot = value;
                }
            }
        }
    }
}

/// Direct-mapped cache of short strings, so that equal keys and values share memory.
#[derive(Default)]
pub struct StringCache {
    texts: Vec<Option<Rc<str>>>,
}

/// Maximum number of cached strings.
const CACHE_SIZE: usize = 128;

/// Maximum length of a cached string in bytes, because longer ones are rarely repeated.
const MAX_CACHED_LENGTH: usize = 24;

impl StringCache {
    fn intern_text(&mut self, text: &str) -> Rc<str> {
        if text.len() > MAX_CACHED_LENGTH {
            return text.into();
        }
        if self.texts.is_empty() {
            self.texts.resize(CACHE_SIZE, None);
        }
        let mix = |hash: usize, byte: &u8| hash.wrapping_mul(31).wrapping_add(usize::from(*byte));
        let hash = text.as_bytes().iter().fold(text.len(), mix);
        let Some(slot) = self.texts.get_mut(hash % CACHE_SIZE) else { return text.into() };
        match slot {
            Some(known) if **known == *text => known.clone(),
            _ => slot.insert(text.into()).clone(),
        }
    }
}

impl Sink for ValueBuilder<'_> {
    fn open_map(&mut self, _: usize) {
        self.open.push(PartialContainer::Map(Map::default(), 0));
    }

    fn close_map(&mut self, _: usize) {
        if let Some(PartialContainer::Map(map, _)) = self.open.pop() {
            self.put(Value::from(map));
        }
    }

    fn open_list(&mut self, _: usize) {
        self.open.push(PartialContainer::List(Vec::new()));
    }

    fn close_list(&mut self, _: usize) {
        if let Some(PartialContainer::List(items)) = self.open.pop() {
            self.put(Value::list(items));
        }
    }

    fn key(&mut self, text: Text<'_>) {
        let Some(PartialContainer::Map(map, place)) = self.open.last_mut() else { return };
        let key = text.as_str();
        *place = match map.get_index_of(key) {
            Some(known) => {
                self.diagnostics.report(duplicate_key(key, text.span));
                known
            }
            None => map.insert_full(self.strings.intern_text(key), Value::Null).0,
        };
    }

    fn text(&mut self, text: Text<'_>) {
        let text = self.strings.intern_text(text.as_str());
        self.put(Value::Text(text));
    }

    fn number(&mut self, value: f64, _: Span) {
        self.put(Value::Number(value));
    }

    fn bool(&mut self, value: bool, _: Span) {
        self.put(Value::Bool(value));
    }

    fn null(&mut self, _: Span) {
        self.put(Value::Null);
    }
}
