//! Looking a text over: the parts of nodes are found, and whatever else there is is read.

use super::{Held, Nodes, bytes_at, value_at};
use crate::base::bytes::same;
use crate::base::json::{
    Limits, Reader, Scalar, Sink, Text, ascii_string_end, duplicate_key, parse_scalar_outlined,
};
use crate::base::value::Map;
use crate::base::{Diagnostic, DiagnosticSink, Span, Value};
use crate::flow::reading::{NODE_KEYS, PARAMS, TYPE};
use std::rc::Rc;

/// A map with more keys than these is read at once, and no more types are shared: they are compared with
/// each other one by one.
const FEW: usize = 16;

/// Depths in maps and lists: below the workflow, below `nodes`, below a node, below its parts.
const WORKFLOW: usize = 1;
const NODES: usize = 2;
const NODE: usize = 3;
const PART: usize = 4;

/// Looks a text over: all of it but the nodes of a workflow, and where those stand.
pub(super) fn look_over(
    text: &[u8],
    limits: Limits,
) -> (Option<(Value, Option<Nodes>)>, Vec<Diagnostic>) {
    let mut looking = Looking { text, ..Looking::default() };
    let read = Reader::new(limits).read_all(text, &mut looking);
    let Looking { root, mut rest, nodes, mut told, .. } = looking;
    if let Err(fault) = read {
        told.push(fault);
        return (None, told);
    }
    if nodes.is_some() {
        // Another value may have stood under the key.
        rest.shift_remove("nodes");
    }
    let rest = root.unwrap_or_else(|| rest.into());
    (Some((rest, nodes)), told)
}

/// What looks a text over.
#[derive(Default)]
struct Looking<'t> {
    text: &'t [u8],
    told: Vec<Diagnostic>,
    /// How many maps and lists are open.
    depth: usize,
    /// The text as a value, where it is no map.
    root: Option<Value>,
    is_map: bool,
    rest: Map,
    /// The key of the workflow at hand.
    key: String,
    /// Where what is to be a value starts.
    start: usize,
    nodes: Option<Nodes>,
    /// Whether the nodes are at hand, and one of them that is an object.
    in_nodes: bool,
    in_node: bool,
    part: Within,
    /// The keys of that node that nobody knows.
    unknown: Map,
    /// The first types of nodes, which nodes share.
    types: Vec<Rc<str>>,
}

/// The part of a node at hand.
#[derive(Default)]
struct Within {
    /// The place of its key among those that are known.
    key: Option<usize>,
    /// Where it starts, and how many of all keys of parts came before it.
    start: usize,
    keys: usize,
    /// Whether it need not be read as yet.
    is_plain: bool,
}

impl Looking<'_> {
    fn open(&mut self, at: usize, is_map: bool) {
        match self.depth {
            0 => (self.is_map, self.start) = (is_map, at),
            _ if !self.is_map => {}
            WORKFLOW if !is_map && self.key == "nodes" => {
                self.in_nodes = true;
                self.nodes = Some(Nodes::default());
            }
            WORKFLOW => self.start = at,
            NODES if self.in_nodes => self.add_entry(is_map),
            NODE if self.in_node => {
                let is_params = self.part.key == Some(PARAMS);
                self.part.start = at;
                self.part.is_plain = is_map && is_params;
                self.part.keys = self.nodes.as_ref().map_or(0, |nodes| nodes.keys.len());
            }
            _ => self.part.is_plain = false,
        }
        self.depth += 1;
    }

    fn add_entry(&mut self, is_map: bool) {
        if let Some(nodes) = &mut self.nodes {
            nodes.entries.push((is_map, nodes.parts.len() as u32, nodes.unknown.len() as u32));
        }
        self.in_node = is_map;
        if !self.unknown.is_empty() {
            self.unknown = Map::default();
        }
    }

    fn close(&mut self, at: usize) {
        self.depth -= 1;
        match self.depth {
            0 if !self.is_map => self.root = Some(self.read(Span::new(self.start, at + 1))),
            _ if !self.is_map => {}
            WORKFLOW if self.in_nodes => self.in_nodes = false,
            WORKFLOW => {
                let value = self.read(Span::new(self.start, at + 1));
                self.put(value);
            }
            NODES => self.in_node = false,
            NODE if self.in_node => self.end_part(Span::new(self.part.start, at + 1)),
            _ => {}
        }
    }

    /// Reads a value for good.
    fn read(&mut self, span: Span) -> Value {
        let (value, mut told) = value_at(self.text, span);
        self.told.append(&mut told);
        value
    }

    fn put(&mut self, value: Value) {
        self.rest.insert(std::mem::take(&mut self.key).into(), value);
    }

    fn end_part(&mut self, span: Span) {
        let Some(nodes) = &mut self.nodes else { return };
        let start = self.part.keys;
        if self.part.is_plain {
            let keys = start as u32..nodes.keys.len() as u32;
            return self.hold(Held::Plain(span, keys));
        }
        nodes.keys.truncate(start);
        let value = self.read(span);
        self.hold(Held::Value(value));
    }

    fn hold(&mut self, held: Held) {
        if let (Some(nodes), Some(key)) = (&mut self.nodes, self.part.key) {
            nodes.parts.push((key as u8, held));
        }
    }

    fn leaf(&mut self, value: Value) {
        match self.depth {
            0 => self.root = Some(value),
            _ if !self.is_map => {}
            WORKFLOW => self.put(value),
            NODES if self.in_nodes => self.add_entry(false),
            NODE if self.in_node => self.hold(Held::Value(value)),
            _ => {}
        }
    }

    /// Takes the part of a node whose key opens at `at`, if it is as plain as most: a known key for the
    /// first time, with a leaf or with params that are not read as yet. Answers where it ends.
    fn take_part(&mut self, piece: &[u8], at: usize) -> Option<usize> {
        let written = piece.get(at + 1..)?;
        let is_key = |known: &&str| {
            matches!(written.get(known.len()..), Some([b'"', b':', ..]))
                && written.get(..known.len()).is_some_and(|text| same(known.as_bytes(), text))
        };
        let key = NODE_KEYS.iter().position(is_key)?;
        let start = at + NODE_KEYS.get(key)?.len() + 3;
        let nodes = self.nodes.as_ref()?;
        let own = nodes.parts.get(nodes.entries.last()?.1 as usize..)?;
        let is_first = !own.iter().any(|(known, _)| *known as usize == key);
        if !is_first {
            return None;
        }
        let (held, end) = match piece.get(start)? {
            b'{' if key == PARAMS => self.take_params(piece, start)?,
            _ => {
                let (value, end) = parse_scalar_outlined(piece, start)?;
                (Held::Value(self.leaf_of(value, key)?), end)
            }
        };
        self.nodes.as_mut()?.parts.push((key as u8, held));
        Some(end)
    }

    fn leaf_of(&mut self, value: Scalar<'_>, key: usize) -> Option<Value> {
        Some(match value {
            Scalar::Text { bytes, .. } if key == TYPE => self.type_called(bytes)?.into(),
            Scalar::Text { bytes, .. } => str::from_utf8(bytes).ok()?.into(),
            Scalar::Number(number) => Value::Number(number),
            Scalar::Bool(flag) => Value::Bool(flag),
            Scalar::Null => Value::Null,
        })
    }

    /// The name of a type, made once where there are few.
    fn type_called(&mut self, name: &[u8]) -> Option<Rc<str>> {
        if let Some(known) = self.types.iter().find(|known| same(known.as_bytes(), name)) {
            return Some(known.clone());
        }
        let name: Rc<str> = str::from_utf8(name).ok()?.into();
        if self.types.len() < FEW {
            self.types.push(name.clone());
        }
        Some(name)
    }

    /// Takes params that are a map of few keys with plain values and without templates, which open at
    /// `at`; and where they end.
    fn take_params(&mut self, piece: &[u8], at: usize) -> Option<(Held, usize)> {
        let before = self.nodes.as_ref()?.keys.len();
        let end = self.take_keys(piece, at, before);
        let nodes = self.nodes.as_mut()?;
        let Some(end) = end else {
            nodes.keys.truncate(before);
            return None;
        };
        let keys = before as u32..nodes.keys.len() as u32;
        Some((Held::Plain(Span::new(at, end), keys), end))
    }

    fn take_keys(&mut self, piece: &[u8], at: usize, before: usize) -> Option<usize> {
        if matches!(piece.get(at + 1), Some(b'}')) {
            return Some(at + 2);
        }
        let keys = &mut self.nodes.as_mut()?.keys;
        let mut at = at;
        loop {
            if !matches!(piece.get(at + 1), Some(b'"')) {
                return None;
            }
            let key = Span::new(at + 2, ascii_string_end(piece, at + 2)?);
            let own = keys.get(before..)?;
            let is_known = |known: &Span| bytes_at(piece, *known) == bytes_at(piece, key);
            let is_plain = own.len() < FEW && !own.iter().any(is_known);
            if !is_plain || !matches!(piece.get(key.end + 1), Some(b':')) {
                return None;
            }
            keys.push(key);
            let (value, end) = parse_scalar_outlined(piece, key.end + 2)?;
            if matches!(value, Scalar::Text { bytes, .. } if may_name(bytes)) {
                return None;
            }
            match piece.get(end)? {
                b',' => at = end,
                b'}' => return Some(end + 1),
                _ => return None,
            }
        }
    }

    /// Whether a leaf is wanted as a value.
    fn wants_leaf(&self) -> bool {
        self.depth <= NODES || self.depth == NODE && self.in_node
    }

    fn key_of_workflow(&mut self, text: Text<'_>) {
        text.as_str().clone_into(&mut self.key);
        let is_nodes = self.key == "nodes" && self.nodes.take().is_some();
        if is_nodes || self.rest.contains_key(self.key.as_str()) {
            self.told.report(duplicate_key(&self.key, text.span));
        }
    }

    fn key_of_node(&mut self, text: Text<'_>) {
        let key = text.as_str();
        let Some(nodes) = &mut self.nodes else { return };
        let Some((_, start, _)) = nodes.entries.last() else { return };
        let start = *start as usize;
        self.part.key = NODE_KEYS.iter().position(|known| *known == key);
        let is_twice = match self.part.key {
            Some(known) => {
                let own = nodes.parts.get(start..).unwrap_or_default();
                let before = own.iter().position(|(key, _)| *key as usize == known);
                if let Some(before) = before {
                    nodes.parts.remove(start + before);
                }
                before.is_some()
            }
            None => {
                let is_twice = self.unknown.contains_key(key);
                if !is_twice {
                    let key: Rc<str> = key.into();
                    self.unknown.insert(key.clone(), Value::Null);
                    nodes.unknown.push(key);
                }
                is_twice
            }
        };
        if is_twice {
            self.told.report(duplicate_key(key, text.span));
        }
    }

    fn key_of_part(&mut self, text: Text<'_>) {
        let (Some(nodes), Some(start)) = (&mut self.nodes, text.verbatim) else {
            self.part.is_plain = false;
            return;
        };
        let own = nodes.keys.get(self.part.keys..).unwrap_or_default();
        let is_known = |known: &Span| bytes_at(self.text, *known) == text.bytes;
        self.part.is_plain &= own.len() < FEW && !own.iter().any(is_known);
        nodes.keys.push(Span::new(start, start + text.bytes.len()));
    }
}

impl Sink for Looking<'_> {
    fn open_map(&mut self, at: usize) {
        self.open(at, true);
    }

    fn close_map(&mut self, at: usize) {
        self.close(at);
    }

    fn open_list(&mut self, at: usize) {
        self.open(at, false);
    }

    fn close_list(&mut self, at: usize) {
        self.close(at);
    }

    fn key(&mut self, text: Text<'_>) {
        match self.depth {
            WORKFLOW if self.is_map => self.key_of_workflow(text),
            NODE if self.in_node => self.key_of_node(text),
            PART if self.part.is_plain => self.key_of_part(text),
            _ => {}
        }
    }

    fn take_entries(&mut self, piece: &[u8], at: usize, _: usize) -> Option<usize> {
        if self.depth != NODE || !self.in_node {
            return None;
        }
        let mut at = at;
        let mut taken = None;
        while let Some(end) = self.take_part(piece, at) {
            taken = Some(end);
            if !matches!(piece.get(end..), Some([b',', b'"', ..])) {
                break;
            }
            at = end + 1;
        }
        taken
    }

    fn text(&mut self, text: Text<'_>) {
        if !self.wants_leaf() {
            self.part.is_plain &= !may_name(text.bytes);
            return;
        }
        self.leaf(text.as_str().into());
    }

    fn number(&mut self, value: f64, _: Span) {
        if self.wants_leaf() {
            self.leaf(Value::Number(value));
        }
    }

    fn bool(&mut self, value: bool, _: Span) {
        if self.wants_leaf() {
            self.leaf(Value::Bool(value));
        }
    }

    fn null(&mut self, _: Span) {
        if self.wants_leaf() {
            self.leaf(Value::Null);
        }
    }
}

/// Whether a text may name something: in a template, or in the braces of another language.
fn may_name(text: &[u8]) -> bool {
    text.contains(&b'$') || text.contains(&b'{')
}
