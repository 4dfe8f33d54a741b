//! Values from text.

use super::{Map, Value};
use crate::base::json::{Limits, Reader, Sink, Text, duplicate_key};
use crate::base::{Diagnostic, Span};
use std::rc::Rc;

/// Reads one document; a warning for each key that stands twice.
pub fn parse(text: &[u8], limits: Limits) -> (Option<Value>, Vec<Diagnostic>) {
    let mut tree = Tree::default();
    match Reader::new(limits).read_all(text, &mut tree) {
        Ok(()) => (tree.root, tree.diagnostics),
        Err(error) => {
            tree.diagnostics.push(error);
            (None, tree.diagnostics)
        }
    }
}

#[derive(Default)]
struct Tree {
    open: Vec<Open>,
    root: Option<Value>,
    diagnostics: Vec<Diagnostic>,
}

enum Open {
    List(Vec<Value>),
    Map(Map, Rc<str>),
}

impl Tree {
    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(map, key)) => {
                map.insert(key.clone(), value);
            }
        }
    }
}

impl Sink for Tree {
    fn open_map(&mut self, _: usize) {
        self.open.push(Open::Map(Map::default(), "".into()));
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
        let Some(Open::Map(map, key)) = self.open.last_mut() else { return };
        *key = text.as_str().into();
        if map.contains_key(key) {
            self.diagnostics.push(duplicate_key(key, text.span));
        }
    }

    fn text(&mut self, text: Text<'_>) {
        self.put(Value::from(text.as_str()));
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
