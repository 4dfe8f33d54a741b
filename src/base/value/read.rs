//! Values from text.

use super::{Map, Value};
use crate::base::json::{Limits, Reader, Sink, Text, duplicate_key};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use std::rc::Rc;

impl Value {
    /// Parses one JSON document. Returns `None` if it is malformed. A repeated key is a warning.
    pub fn parse(text: &[u8], limits: Limits) -> (Option<Value>, Vec<Diagnostic>) {
        Value::parse_next(text, limits, &mut Shared::default())
    }

    /// Parses one of many JSON documents, which share equal short strings.
    pub fn parse_next(
        text: &[u8],
        limits: Limits,
        shared: &mut Shared,
    ) -> (Option<Value>, Vec<Diagnostic>) {
        let mut tree = Tree { open: Vec::new(), root: None, diagnostics: Vec::new(), shared };
        match Reader::new(limits).read_all(text, &mut tree) {
            Ok(()) => (tree.root, tree.diagnostics),
            Err(error) => {
                tree.diagnostics.push(error);
                (None, tree.diagnostics)
            }
        }
    }

    /// Parses one JSON document without reporting warnings.
    pub fn read(text: &[u8], limits: Limits) -> Result<Value, Diagnostic> {
        let mut shared = Shared::default();
        let mut tree =
            Tree { open: Vec::new(), root: None, diagnostics: Vec::new(), shared: &mut shared };
        Reader::new(limits).read_all(text, &mut tree)?;
        Ok(tree.root.unwrap_or_default())
    }
}

struct Tree<'s> {
    open: Vec<Open>,
    root: Option<Value>,
    diagnostics: Vec<Diagnostic>,
    shared: &'s mut Shared,
}

enum Open {
    List(Vec<Value>),
    /// The entries so far, and the place of the one whose value comes next.
    Map(Map, usize),
}

impl Tree<'_> {
    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(map, place)) => {
                if let Some((_, slot)) = map.get_index_mut(*place) {
                    *slot = value;
                }
            }
        }
    }
}

/// Short texts that came by lately: keys and words of one kind come again and again, and are shared.
#[derive(Default)]
pub struct Shared {
    texts: Vec<Option<Rc<str>>>,
}

/// So many texts are remembered.
const REMEMBERED: usize = 128;

/// Longer texts seldom come again.
const SHORT: usize = 24;

impl Shared {
    fn text(&mut self, text: &str) -> Rc<str> {
        if text.len() > SHORT {
            return text.into();
        }
        if self.texts.is_empty() {
            self.texts.resize(REMEMBERED, None);
        }
        let mix = |hash: usize, byte: &u8| hash.wrapping_mul(31).wrapping_add(usize::from(*byte));
        let hash = text.as_bytes().iter().fold(text.len(), mix);
        let Some(slot) = self.texts.get_mut(hash % REMEMBERED) else { return text.into() };
        match slot {
            Some(known) if **known == *text => known.clone(),
            _ => slot.insert(text.into()).clone(),
        }
    }
}

impl Sink for Tree<'_> {
    fn open_map(&mut self, _: usize) {
        self.open.push(Open::Map(Map::default(), 0));
    }

    fn close_map(&mut self, _: usize) {
        if let Some(Open::Map(map, _)) = self.open.pop() {
            self.put(Value::from(map));
        }
    }

    fn open_list(&mut self, _: usize) {
        self.open.push(Open::List(Vec::new()));
    }

    fn close_list(&mut self, _: usize) {
        if let Some(Open::List(items)) = self.open.pop() {
            self.put(Value::list(items));
        }
    }

    fn key(&mut self, text: Text<'_>) {
        let Some(Open::Map(map, place)) = self.open.last_mut() else { return };
        let key = text.as_str();
        *place = match map.get_index_of(key) {
            Some(known) => {
                self.diagnostics.report(duplicate_key(key, text.span));
                known
            }
            None => map.insert_full(self.shared.text(key), Value::Null).0,
        };
    }

    fn text(&mut self, text: Text<'_>) {
        let text = self.shared.text(text.as_str());
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
