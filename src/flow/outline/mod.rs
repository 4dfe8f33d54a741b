//! A workflow as its text has it: where the parts of its nodes stand. Nodes are many, and what they
//! hold is mostly params that nobody looks at before they run: those are looked over for what can be
//! wrong with them, and read when they are wanted.

mod looking;

use self::looking::look_over;
use super::reading::Entry;
use super::workflow::Params;
use crate::base::json::Limits;
use crate::base::{Diagnostic, Location, Span, Value};
use std::ops::Range;
use std::rc::Rc;

/// A text that is JSON, a workflow or not.
#[derive(Debug, Default)]
pub struct Outline {
    text: Rc<[u8]>,
    /// All of a workflow but its nodes; whatever it is where it is no object.
    pub rest: Value,
    /// The nodes, where they are a list.
    nodes: Option<Nodes>,
}

/// Where the nodes of a workflow stand.
#[derive(Debug, Default)]
struct Nodes {
    /// For each, whether it is an object, and where its parts and its unknown keys begin; they end
    /// where those of the next one begin.
    entries: Vec<(bool, u32, u32)>,
    parts: Vec<Part>,
    /// The keys of params that are only looked over.
    keys: Vec<Span>,
    /// The keys that nobody knows.
    unknown: Vec<Rc<str>>,
}

/// What stands under a key of a node that is known: the place of the key among all of these, and the
/// value.
type Part = (u8, Held);

#[derive(Debug)]
enum Held {
    Value(Value),
    /// A map of few keys without maps, lists and templates in it, which is read when it is wanted.
    Plain(Span, Range<u32>),
}

impl Outline {
    /// Looks a text over; a warning for each key that stands twice.
    pub fn read(text: Rc<[u8]>, limits: Limits) -> (Option<Rc<Outline>>, Vec<Diagnostic>) {
        let (read, told) = look_over(&text, limits);
        let outline = read.map(|(rest, nodes)| Rc::new(Outline { text, rest, nodes }));
        (outline, told)
    }

    /// The outline of a value.
    pub fn of(value: &Value) -> Rc<Outline> {
        let limits = Limits { bytes: usize::MAX, depth: usize::MAX };
        let read = Outline::read(value.to_text().into_bytes().into(), limits).0;
        read.unwrap_or_default()
    }

    /// All of it, read.
    pub fn value(&self) -> Value {
        value_at(&self.text, Span::new(0, self.text.len())).0
    }

    /// How many nodes there are, where they are a list.
    pub fn count(&self) -> Option<usize> {
        self.nodes.as_ref().map(|nodes| nodes.entries.len())
    }

    /// One of the nodes.
    pub(super) fn entry(self: &Rc<Outline>, number: usize) -> Entry<'_> {
        let mut entry = Entry::default();
        let Some(nodes) = &self.nodes else { return entry };
        let Some((is_map, start, unknown)) = nodes.entries.get(number) else { return entry };
        entry.is_map = *is_map;
        let ends = (false, nodes.parts.len() as u32, nodes.unknown.len() as u32);
        let (_, end, unknown_end) = nodes.entries.get(number + 1).unwrap_or(&ends);
        let own = nodes.parts.get(*start as usize..*end as usize).unwrap_or_default();
        for (place, (key, held)) in (*start..).zip(own) {
            match held {
                Held::Value(value) => entry.put(*key as usize, value),
                Held::Plain(..) => entry.params = Some(Params::Plain(self.clone(), place)),
            }
        }
        let unknown = nodes.unknown.get(*unknown as usize..*unknown_end as usize);
        entry.unknown = unknown.unwrap_or_default();
        entry
    }

    /// What stands in a part, read.
    pub fn part(&self, place: u32) -> Value {
        match self.held(place) {
            Some(Held::Plain(span, _)) => value_at(&self.text, *span).0,
            _ => Value::Null,
        }
    }

    /// Whether a part that is plain has a key.
    pub fn has_key(&self, place: u32, key: &str) -> bool {
        self.keys_at(place).iter().any(|span| bytes_at(&self.text, *span) == key.as_bytes())
    }

    /// One of the keys of a part that is plain.
    pub fn key(&self, place: u32, nth: usize) -> Option<&str> {
        let span = self.keys_at(place).get(nth)?;
        str::from_utf8(bytes_at(&self.text, *span)).ok()
    }

    fn keys_at(&self, place: u32) -> &[Span] {
        let (Some(nodes), Some(Held::Plain(_, keys))) = (&self.nodes, self.held(place)) else {
            return &[];
        };
        nodes.keys.get(keys.start as usize..keys.end as usize).unwrap_or_default()
    }

    fn held(&self, place: u32) -> Option<&Held> {
        self.nodes.as_ref()?.parts.get(place as usize).map(|(_, held)| held)
    }
}

fn bytes_at(text: &[u8], span: Span) -> &[u8] {
    text.get(span.start..span.end).unwrap_or_default()
}

/// The value that stands at a place of a text that is JSON, and what there is to say of it.
fn value_at(text: &[u8], span: Span) -> (Value, Vec<Diagnostic>) {
    // How deep it goes was seen to when the text was looked over.
    let limits = Limits { bytes: usize::MAX, depth: usize::MAX };
    let (value, mut told) = Value::parse(bytes_at(text, span), limits);
    for fault in &mut told {
        if let Some(Location::Span(place)) = &mut fault.location {
            *place = Span::new(span.start + place.start, span.start + place.end);
        }
    }
    (value.unwrap_or_default(), told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::pointer_step;
    use crate::flow::reading::NODE_KEYS;

    /// What is told is what reading it all would tell, and nothing is lost.
    fn check(text: &str) {
        let (value, expected) = Value::parse(text.as_bytes(), Limits::default());
        let (outline, told) = Outline::read(text.as_bytes().into(), Limits::default());
        assert_eq!(told, expected, "{text}");
        assert_eq!(outline.as_ref().map(|outline| outline.value()), value, "{text}");
        let (Some(value), Some(outline)) = (value, outline) else { return };
        for key in value.as_map().into_iter().flat_map(|map| map.keys()) {
            let part = value.get(key).filter(|part| &**key != "nodes" || part.as_list().is_none());
            assert_eq!(outline.rest.get(key), part, "{text}");
        }
        let nodes = value.get("nodes").and_then(Value::as_list);
        assert_eq!(outline.count(), nodes.map(<[Value]>::len), "{text}");
        for (number, node) in nodes.unwrap_or_default().iter().enumerate() {
            let entry = outline.entry(number);
            assert_eq!(entry.is_map, node.as_map().is_some(), "{text}");
            let params = entry.params.as_ref().map(Params::value);
            assert!(params.is_none_or(|params| Some(&params) == node.get("params")), "{text}");
            for key in node.as_map().into_iter().flat_map(|map| map.keys()) {
                let place = NODE_KEYS.iter().position(|known| **known == **key);
                assert_eq!(place.is_none(), entry.unknown.contains(key), "{text}");
                assert_eq!(pointer_step(key), **key);
            }
        }
    }

    #[test]
    fn looks_over_what_can_be_read() {
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
    fn keys_that_stand_twice_are_told() {
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
