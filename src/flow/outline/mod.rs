//! Index of the text of a workflow. Most of the text is params that are not needed before their node
//! runs, so params without templates are checked at once and parsed on access.

mod scanner;

use crate::base::json::Limits;
use crate::base::{Diagnostic, Location, Span, Value};
use std::ops::Range;
use std::rc::Rc;

/// JSON text with the positions of the nodes' parts.
#[derive(Debug, Default)]
pub struct WorkflowOutline {
    text: Rc<[u8]>,
    /// Workflow without its nodes; the complete value if it is not an object.
    pub other_keys: Value,
    /// `None` if the nodes are not a list.
    nodes: Option<NodeIndex>,
}

/// Parts of all nodes.
#[derive(Debug, Default)]
struct NodeIndex {
    /// For each node, whether it is an object, and the start indices of its parts and unknown keys.
    /// The parts end at the start of the next node.
    entries: Vec<(bool, u32, u32)>,
    parts: Vec<NodePart>,
    /// Keys of unparsed params.
    keys: Vec<Span>,
    unknown: Vec<Rc<str>>,
}

/// Index in [`NODE_KEYS`], and the value of the key.
type NodePart = (u8, PartValue);

#[derive(Debug)]
enum PartValue {
    Parsed(Value),
    /// Byte span of a small map without maps, lists and templates, and the range of its keys.
    Unparsed(Span, Range<u32>),
}

/// Params of a node.
#[derive(Clone, Debug)]
pub enum Params {
    Parsed(Value),
    /// Part of an outline that is parsed on access: a map without templates.
    Unparsed(Rc<WorkflowOutline>, u32),
}

impl Default for Params {
    fn default() -> Params {
        Params::Parsed(Value::Null)
    }
}

impl From<Value> for Params {
    fn from(value: Value) -> Params {
        Params::Parsed(value)
    }
}

impl Params {
    /// Returns all params, parsed.
    pub fn value(&self) -> Value {
        match self {
            Params::Parsed(value) => value.clone(),
            Params::Unparsed(outline, part) => outline.parse_part(*part),
        }
    }

    /// Returns the params if they may contain templates.
    pub fn templates(&self) -> Option<&Value> {
        match self {
            Params::Parsed(value) => Some(value),
            Params::Unparsed(..) => None,
        }
    }

    /// Returns a key by its index.
    pub fn key_at(&self, index: usize) -> Option<&str> {
        match self {
            Params::Parsed(value) => value.as_map()?.get_index(index).map(|(key, _)| &**key),
            Params::Unparsed(outline, part) => outline.key(*part, index),
        }
    }

    pub fn has_key(&self, key: &str) -> bool {
        match self {
            Params::Parsed(value) => value.get(key).is_some(),
            Params::Unparsed(outline, part) => outline.has_key(*part, key),
        }
    }
}

pub(super) const NODE_KEYS: [&str; 13] = [
    "id",
    "type",
    "purpose",
    "params",
    "retry",
    "timeout_ms",
    "batch",
    "inputs",
    "outputs",
    "actions",
    "effects",
    "description",
    "scope",
];

/// Indices in [`NODE_KEYS`].
pub(super) const TYPE_KEY: usize = 1;
pub(super) const PARAMS_KEY: usize = 3;

/// Node in the text.
#[derive(Default)]
pub(super) struct NodeEntry<'o> {
    pub is_map: bool,
    /// Value of each of [`NODE_KEYS`]; `None` also for null.
    pub parts: [Option<&'o Value>; NODE_KEYS.len()],
    /// Unparsed params.
    pub params: Option<Params>,
    /// Unknown keys.
    pub unknown: &'o [Rc<str>],
}

impl<'o> NodeEntry<'o> {
    /// Returns whether the node has one of [`NODE_KEYS`].
    pub fn has(&self, key: &str) -> bool {
        let index = NODE_KEYS.iter().position(|known| *known == key);
        let part = index.and_then(|index| self.parts.get(index));
        part.is_some_and(Option::is_some) || key == NODE_KEYS[PARAMS_KEY] && self.params.is_some()
    }

    /// Sets the value of a key by its index; null counts as missing.
    fn set(&mut self, key: usize, value: &'o Value) {
        if let Some(slot) = self.parts.get_mut(key) {
            *slot = Some(value).filter(|value| !value.is_null());
        }
    }
}

impl WorkflowOutline {
    /// Returns the outline of a value.
    pub fn from_value(value: &Value) -> Rc<WorkflowOutline> {
        let limits = Limits { bytes: usize::MAX, depth: usize::MAX };
        WorkflowOutline::read(value.to_text().into_bytes().into(), limits).0.unwrap_or_default()
    }

    /// Parses the complete text.
    pub fn value(&self) -> Value {
        value_at(&self.text, Span::new(0, self.text.len())).0
    }

    /// Returns the number of nodes, or `None` if they are not a list.
    pub fn node_count(&self) -> Option<usize> {
        self.nodes.as_ref().map(|nodes| nodes.entries.len())
    }

    /// Returns a node by its index; an empty entry if there is none.
    pub(super) fn node_entry(self: &Rc<WorkflowOutline>, index: usize) -> NodeEntry<'_> {
        let mut entry = NodeEntry::default();
        let Some(nodes) = &self.nodes else { return entry };
        let Some((is_map, start, unknown)) = nodes.entries.get(index) else { return entry };
        entry.is_map = *is_map;
        let ends = (false, nodes.parts.len() as u32, nodes.unknown.len() as u32);
        let (_, end, unknown_end) = nodes.entries.get(index + 1).unwrap_or(&ends);
        let own = nodes.parts.get(*start as usize..*end as usize).unwrap_or_default();
        for (part, (key, value)) in (*start..).zip(own) {
            match value {
                PartValue::Parsed(value) => entry.set(*key as usize, value),
                PartValue::Unparsed(..) => {
                    entry.params = Some(Params::Unparsed(self.clone(), part))
                }
            }
        }
        let unknown = nodes.unknown.get(*unknown as usize..*unknown_end as usize);
        entry.unknown = unknown.unwrap_or_default();
        entry
    }

    /// Parses an unparsed part; returns null for another one.
    pub fn parse_part(&self, part: u32) -> Value {
        match self.part_value(part) {
            Some(PartValue::Unparsed(span, _)) => value_at(&self.text, *span).0,
            _ => Value::Null,
        }
    }

    /// Returns whether an unparsed part has a key.
    pub fn has_key(&self, part: u32, key: &str) -> bool {
        self.keys_of(part).iter().any(|span| bytes_at(&self.text, *span) == key.as_bytes())
    }

    /// Returns a key of an unparsed part by its index.
    pub fn key(&self, part: u32, index: usize) -> Option<&str> {
        let span = self.keys_of(part).get(index)?;
        str::from_utf8(bytes_at(&self.text, *span)).ok()
    }

    fn keys_of(&self, part: u32) -> &[Span] {
        let (Some(nodes), Some(PartValue::Unparsed(_, keys))) =
            (&self.nodes, self.part_value(part))
        else {
            return &[];
        };
        nodes.keys.get(keys.start as usize..keys.end as usize).unwrap_or_default()
    }

    fn part_value(&self, part: u32) -> Option<&PartValue> {
        self.nodes.as_ref()?.parts.get(part as usize).map(|(_, value)| value)
    }
}

fn bytes_at(text: &[u8], span: Span) -> &[u8] {
    text.get(span.start..span.end).unwrap_or_default()
}

/// Parses the value in a byte span; the spans of the diagnostics refer to the complete text.
fn value_at(text: &[u8], span: Span) -> (Value, Vec<Diagnostic>) {
    // The scanner has checked the limits.
    let limits = Limits { bytes: usize::MAX, depth: usize::MAX };
    let (value, mut diagnostics) = Value::parse(bytes_at(text, span), limits);
    for diagnostic in &mut diagnostics {
        if let Some(Location::Span(inner)) = &mut diagnostic.location {
            *inner = Span::new(span.start + inner.start, span.start + inner.end);
        }
    }
    (value.unwrap_or_default(), diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::escape_pointer_step;

    /// Compares an outline with the parsed value and its diagnostics.
    fn check(text: &str) {
        let (value, expected) = Value::parse(text.as_bytes(), Limits::default());
        let (outline, diagnostics) =
            WorkflowOutline::read(text.as_bytes().into(), Limits::default());
        assert_eq!(diagnostics, expected, "{text}");
        assert_eq!(outline.as_ref().map(|outline| outline.value()), value, "{text}");
        let (Some(value), Some(outline)) = (value, outline) else { return };
        for key in value.as_map().into_iter().flat_map(|map| map.keys()) {
            let part = value.get(key).filter(|part| &**key != "nodes" || part.as_list().is_none());
            assert_eq!(outline.other_keys.get(key), part, "{text}");
        }
        let nodes = value.get("nodes").and_then(Value::as_list);
        assert_eq!(outline.node_count(), nodes.map(<[Value]>::len), "{text}");
        for (index, node) in nodes.unwrap_or_default().iter().enumerate() {
            let entry = outline.node_entry(index);
            assert_eq!(entry.is_map, node.as_map().is_some(), "{text}");
            let params = entry.params.as_ref().map(Params::value);
            assert!(params.is_none_or(|params| Some(&params) == node.get("params")), "{text}");
            for key in node.as_map().into_iter().flat_map(|map| map.keys()) {
                let index = NODE_KEYS.iter().position(|known| **known == **key);
                assert_eq!(index.is_none(), entry.unknown.contains(key), "{text}");
                assert_eq!(escape_pointer_step(key), **key);
            }
        }
    }

    #[test]
    fn node_key_indices_match() {
        assert_eq!([NODE_KEYS[TYPE_KEY], NODE_KEYS[PARAMS_KEY]], ["type", "params"]);
    }

    #[test]
    fn outline_equals_the_parsed_value() {
        check(
            r#"{"name": "x", "nodes": [{"id": "a", "params": {"x": [{"y": 1}], "z": "\n"}}], "edges": []}"#,
        );
        check(
            r#"{"nodes": [1, [{"a": {"b": 2}}], {"id": "a", "who": 1}, null, {}], "inputs": {"a": [1]}}"#,
        );
        check(r#"[{"nodes": [{"id": 1, "id": 2}], "a": 1, "a": 2}, 3]"#);
        for text in
            ["3", "\"x\"", "null", "[]", "{}", "", "{\"nodes\": [", "[1,", "{\"nodes\": {}}"]
        {
            check(text);
        }
    }

    #[test]
    fn reports_duplicate_keys() {
        check(r#"{"nodes": 1, "nodes": [{"id": "a", "id": "b"}]}"#);
        check(r#"{"nodes": [{"who": 1}, {"who": 2}], "x": 1, "nodes": 1, "y": 2, "x": [3]}"#);
        check(
            r#"{"nodes": [{"id": "a", "who": 1, "who": 2}], "nodes": {"a": 1, "a": 2}, "x": {"y": 1, "y": 2}}"#,
        );
        check(
            r#"{"nodes": [{"params": {"a": 1, "a": {"b": 1, "b": 2}}, "params": {"\u0061": 1, "a": 2}}]}"#,
        );
        let many: Vec<String> =
            (0..40).map(|key| format!("\"k{key}\": {{\"z\": 1, \"z\": 1}}")).collect();
        check(&format!(r#"{{"nodes": [{{"params": {{{}, "k3": 1}}}}]}}"#, many.join(", ")));
    }
}
