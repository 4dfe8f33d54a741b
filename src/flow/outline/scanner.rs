//! Scanner that indexes the parts of nodes and parses the rest of a workflow.

use super::{
    NODE_KEYS, NodeIndex, PARAMS_KEY, PartValue, TYPE_KEY, WorkflowOutline, bytes_at, value_at,
};
use crate::base::bytes::same;
use crate::base::json::{
    Limits, Reader, Scalar, Sink, Text, ascii_string_end, duplicate_key, parse_scalar_outlined,
};
use crate::base::value::Map;
use crate::base::{Diagnostic, DiagnosticSink, Span, Value};
use std::rc::Rc;

/// Maximum number of keys of unparsed params, and of shared type names, because both are searched linearly.
const MAX_LINEAR_SEARCH: usize = 16;

/// Number of open maps and lists inside of the workflow, `nodes`, a node, and a part of it.
const WORKFLOW_DEPTH: usize = 1;
const NODES_DEPTH: usize = 2;
const NODE_DEPTH: usize = 3;
const PART_DEPTH: usize = 4;

impl WorkflowOutline {
    /// Scans a text; returns a warning for each duplicate key, and `None` if the text is not JSON.
    pub fn read(text: Rc<[u8]>, limits: Limits) -> (Option<Rc<WorkflowOutline>>, Vec<Diagnostic>) {
        let (scanned, diagnostics) = scan(&text, limits);
        let outline =
            scanned.map(|(rest, nodes)| Rc::new(WorkflowOutline { text, other_keys: rest, nodes }));
        (outline, diagnostics)
    }
}

/// Returns the workflow without its nodes, and the index of its nodes.
fn scan(text: &[u8], limits: Limits) -> (Option<(Value, Option<NodeIndex>)>, Vec<Diagnostic>) {
    let mut scanner = OutlineScanner { text, ..OutlineScanner::default() };
    let result = Reader::new(limits).read_all(text, &mut scanner);
    let OutlineScanner { root, other_keys: mut rest, nodes, mut diagnostics, .. } = scanner;
    if let Err(error) = result {
        diagnostics.push(error);
        return (None, diagnostics);
    }
    if nodes.is_some() {
        // An earlier, duplicate key may have another value.
        rest.shift_remove("nodes");
    }
    let rest = root.unwrap_or_else(|| rest.into());
    (Some((rest, nodes)), diagnostics)
}

/// JSON sink that indexes the parts of nodes.
#[derive(Default)]
struct OutlineScanner<'t> {
    text: &'t [u8],
    diagnostics: Vec<Diagnostic>,
    /// Number of open maps and lists.
    depth: usize,
    /// Value of the text if it is not a map.
    root: Option<Value>,
    is_map: bool,
    other_keys: Map,
    /// Current key of the workflow.
    key: String,
    /// Byte offset of the current value of the workflow.
    start: usize,
    nodes: Option<NodeIndex>,
    /// Whether the list of nodes is open, and a node in it that is an object.
    in_nodes: bool,
    in_node: bool,
    part: OpenPart,
    /// Unknown keys of the current node.
    unknown: Map,
    /// Type names that nodes share.
    types: Vec<Rc<str>>,
}

/// Current part of a node.
#[derive(Default)]
struct OpenPart {
    /// Index in [`NODE_KEYS`].
    key: Option<usize>,
    /// Byte offset of its value.
    start: usize,
    /// Number of keys in the index before it.
    keys: usize,
    /// Whether it can stay unparsed.
    can_defer: bool,
}

impl OutlineScanner<'_> {
    fn open_container(&mut self, at: usize, is_map: bool) {
        match self.depth {
            0 => (self.is_map, self.start) = (is_map, at),
            _ if !self.is_map => {}
            WORKFLOW_DEPTH if !is_map && self.key == "nodes" => {
                self.in_nodes = true;
                self.nodes = Some(NodeIndex::default());
            }
            WORKFLOW_DEPTH => self.start = at,
            NODES_DEPTH if self.in_nodes => self.add_entry(is_map),
            NODE_DEPTH if self.in_node => {
                let is_params = self.part.key == Some(PARAMS_KEY);
                self.part.start = at;
                self.part.can_defer = is_map && is_params;
                self.part.keys = self.nodes.as_ref().map_or(0, |nodes| nodes.keys.len());
            }
            _ => self.part.can_defer = false,
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

    fn close_container(&mut self, at: usize) {
        self.depth -= 1;
        match self.depth {
            0 if !self.is_map => self.root = Some(self.parse(Span::new(self.start, at + 1))),
            _ if !self.is_map => {}
            WORKFLOW_DEPTH if self.in_nodes => self.in_nodes = false,
            WORKFLOW_DEPTH => {
                let value = self.parse(Span::new(self.start, at + 1));
                self.put(value);
            }
            NODES_DEPTH => self.in_node = false,
            NODE_DEPTH if self.in_node => self.end_part(Span::new(self.part.start, at + 1)),
            _ => {}
        }
    }

    fn parse(&mut self, span: Span) -> Value {
        let (value, mut diagnostics) = value_at(self.text, span);
        self.diagnostics.append(&mut diagnostics);
        value
    }

    fn put(&mut self, value: Value) {
        self.other_keys.insert(std::mem::take(&mut self.key).into(), value);
    }

    fn end_part(&mut self, span: Span) {
        let Some(nodes) = &mut self.nodes else { return };
        let start = self.part.keys;
        if self.part.can_defer {
            let keys = start as u32..nodes.keys.len() as u32;
            return self.push_part(PartValue::Unparsed(span, keys));
        }
        nodes.keys.truncate(start);
        let value = self.parse(span);
        self.push_part(PartValue::Parsed(value));
    }

    fn push_part(&mut self, value: PartValue) {
        if let (Some(nodes), Some(key)) = (&mut self.nodes, self.part.key) {
            nodes.parts.push((key as u8, value));
        }
    }

    fn add_scalar(&mut self, value: Value) {
        match self.depth {
            0 => self.root = Some(value),
            _ if !self.is_map => {}
            WORKFLOW_DEPTH => self.put(value),
            NODES_DEPTH if self.in_nodes => self.add_entry(false),
            NODE_DEPTH if self.in_node => self.push_part(PartValue::Parsed(value)),
            _ => {}
        }
    }

    /// Fast path for a part whose key opens at `at`: a known key for the first time, with a scalar or params
    /// that stay unparsed. Returns the offset after the part, or `None` for another part.
    fn take_part(&mut self, chunk: &[u8], at: usize) -> Option<usize> {
        let rest = chunk.get(at + 1..)?;
        let is_key = |known: &&str| {
            matches!(rest.get(known.len()..), Some([b'"', b':', ..]))
                && rest.get(..known.len()).is_some_and(|text| same(known.as_bytes(), text))
        };
        let key = NODE_KEYS.iter().position(is_key)?;
        let start = at + NODE_KEYS.get(key)?.len() + 3;
        let nodes = self.nodes.as_ref()?;
        let own = nodes.parts.get(nodes.entries.last()?.1 as usize..)?;
        let is_first = !own.iter().any(|(known, _)| *known as usize == key);
        if !is_first {
            return None;
        }
        let (value, end) = match chunk.get(start)? {
            b'{' if key == PARAMS_KEY => self.take_params(chunk, start)?,
            _ => {
                let (value, end) = parse_scalar_outlined(chunk, start)?;
                (PartValue::Parsed(self.scalar_value(value, key)?), end)
            }
        };
        self.nodes.as_mut()?.parts.push((key as u8, value));
        Some(end)
    }

    fn scalar_value(&mut self, value: Scalar<'_>, key: usize) -> Option<Value> {
        Some(match value {
            Scalar::Text { bytes, .. } if key == TYPE_KEY => self.intern_type(bytes)?.into(),
            Scalar::Text { bytes, .. } => str::from_utf8(bytes).ok()?.into(),
            Scalar::Number(number) => Value::Number(number),
            Scalar::Bool(flag) => Value::Bool(flag),
            Scalar::Null => Value::Null,
        })
    }

    /// Returns the shared name of a type, or a new one if there are too many.
    fn intern_type(&mut self, name: &[u8]) -> Option<Rc<str>> {
        if let Some(known) = self.types.iter().find(|known| same(known.as_bytes(), name)) {
            return Some(known.clone());
        }
        let name: Rc<str> = str::from_utf8(name).ok()?.into();
        if self.types.len() < MAX_LINEAR_SEARCH {
            self.types.push(name.clone());
        }
        Some(name)
    }

    /// Indexes params that open at `at`: a small map of scalars without templates. Returns them with the offset
    /// after them, or `None` for other params.
    fn take_params(&mut self, chunk: &[u8], at: usize) -> Option<(PartValue, usize)> {
        let before = self.nodes.as_ref()?.keys.len();
        let end = self.take_keys(chunk, at, before);
        let nodes = self.nodes.as_mut()?;
        let Some(end) = end else {
            nodes.keys.truncate(before);
            return None;
        };
        let keys = before as u32..nodes.keys.len() as u32;
        Some((PartValue::Unparsed(Span::new(at, end), keys), end))
    }

    fn take_keys(&mut self, chunk: &[u8], at: usize, before: usize) -> Option<usize> {
        if matches!(chunk.get(at + 1), Some(b'}')) {
            return Some(at + 2);
        }
        let keys = &mut self.nodes.as_mut()?.keys;
        let mut at = at;
        loop {
            if !matches!(chunk.get(at + 1), Some(b'"')) {
                return None;
            }
            let key = Span::new(at + 2, ascii_string_end(chunk, at + 2)?);
            let own = keys.get(before..)?;
            let is_known = |known: &Span| bytes_at(chunk, *known) == bytes_at(chunk, key);
            let is_simple = own.len() < MAX_LINEAR_SEARCH && !own.iter().any(is_known);
            if !is_simple || !matches!(chunk.get(key.end + 1), Some(b':')) {
                return None;
            }
            keys.push(key);
            let (value, end) = parse_scalar_outlined(chunk, key.end + 2)?;
            if matches!(value, Scalar::Text { bytes, .. } if may_contain_name(bytes)) {
                return None;
            }
            match chunk.get(end)? {
                b',' => at = end,
                b'}' => return Some(end + 1),
                _ => return None,
            }
        }
    }

    /// Returns whether a scalar becomes a value now.
    fn needs_value(&self) -> bool {
        self.depth <= NODES_DEPTH || self.depth == NODE_DEPTH && self.in_node
    }

    fn handle_workflow_key(&mut self, text: Text<'_>) {
        text.as_str().clone_into(&mut self.key);
        let is_nodes = self.key == "nodes" && self.nodes.take().is_some();
        if is_nodes || self.other_keys.contains_key(self.key.as_str()) {
            self.diagnostics.report(duplicate_key(&self.key, text.span));
        }
    }

    fn handle_node_key(&mut self, text: Text<'_>) {
        let key = text.as_str();
        let Some(nodes) = &mut self.nodes else { return };
        let Some((_, start, _)) = nodes.entries.last() else { return };
        let start = *start as usize;
        self.part.key = NODE_KEYS.iter().position(|known| *known == key);
        let is_duplicate = match self.part.key {
            Some(known) => {
                let own = nodes.parts.get(start..).unwrap_or_default();
                let before = own.iter().position(|(key, _)| *key as usize == known);
                if let Some(before) = before {
                    nodes.parts.remove(start + before);
                }
                before.is_some()
            }
            None => {
                let is_duplicate = self.unknown.contains_key(key);
                if !is_duplicate {
                    let key: Rc<str> = key.into();
                    self.unknown.insert(key.clone(), Value::Null);
                    nodes.unknown.push(key);
                }
                is_duplicate
            }
        };
        if is_duplicate {
            self.diagnostics.report(duplicate_key(key, text.span));
        }
    }

    fn handle_part_key(&mut self, text: Text<'_>) {
        let (Some(nodes), Some(start)) = (&mut self.nodes, text.verbatim) else {
            self.part.can_defer = false;
            return;
        };
        let own = nodes.keys.get(self.part.keys..).unwrap_or_default();
        let is_known = |known: &Span| bytes_at(self.text, *known) == text.bytes;
        self.part.can_defer &= own.len() < MAX_LINEAR_SEARCH && !own.iter().any(is_known);
        nodes.keys.push(Span::new(start, start + text.bytes.len()));
    }
}

impl Sink for OutlineScanner<'_> {
    fn open_map(&mut self, at: usize) {
        self.open_container(at, true);
    }

    fn close_map(&mut self, at: usize) {
        self.close_container(at);
    }

    fn open_list(&mut self, at: usize) {
        self.open_container(at, false);
    }

    fn close_list(&mut self, at: usize) {
        self.close_container(at);
    }

    fn key(&mut self, text: Text<'_>) {
        match self.depth {
            WORKFLOW_DEPTH if self.is_map => self.handle_workflow_key(text),
            NODE_DEPTH if self.in_node => self.handle_node_key(text),
            PART_DEPTH if self.part.can_defer => self.handle_part_key(text),
            _ => {}
        }
    }

    fn take_entries(&mut self, chunk: &[u8], at: usize, _: usize) -> Option<usize> {
        if self.depth != NODE_DEPTH || !self.in_node {
            return None;
        }
        let mut at = at;
        let mut last_end = None;
        while let Some(end) = self.take_part(chunk, at) {
            last_end = Some(end);
            if !matches!(chunk.get(end..), Some([b',', b'"', ..])) {
                break;
            }
            at = end + 1;
        }
        last_end
    }

    fn text(&mut self, text: Text<'_>) {
        if !self.needs_value() {
            self.part.can_defer &= !may_contain_name(text.bytes);
            return;
        }
        self.add_scalar(text.as_str().into());
    }

    fn number(&mut self, value: f64, _: Span) {
        if self.needs_value() {
            self.add_scalar(Value::Number(value));
        }
    }

    fn bool(&mut self, value: bool, _: Span) {
        if self.needs_value() {
            self.add_scalar(Value::Bool(value));
        }
    }

    fn null(&mut self, _: Span) {
        if self.needs_value() {
            self.add_scalar(Value::Null);
        }
    }
}

/// Returns whether a text may contain a template, also one in the syntax of another system.
fn may_contain_name(text: &[u8]) -> bool {
    let is_foreign = |two: &[u8]| two == b"<<" || two == b"<%";
    let has_foreign = || text.contains(&b'<') && text.windows(2).any(is_foreign);
    text.contains(&b'$') || text.contains(&b'{') || has_foreign()
}
