//! Export of nodes as JSON text, as stored or with hoisted literals.

use super::arena::{NodeRef, Value};
use super::document::Document;
use super::id;
use super::read::write_scalar;
use super::shape::KeyRef;
use crate::base::json::write_text;
use crate::base::value::Map;

/// Appends a value with its pointers as strings. Strings inside lists and maps that look like
/// pointers are passed to `write_literal`. Recursion is bounded by the depth limit of the reader.
fn write_stored(
    document: &Document,
    value: Value,
    out: &mut String,
    write_literal: &mut dyn FnMut(&str, &mut String),
) {
    match value {
        Value::Pointer(node) => write_pointer(document, node, out),
        Value::Pointers(range) => write_pointers(document, document.arena.pointers(range), out),
        Value::List(list) => {
            out.push('[');
            for (index, item) in document.arena.items(list).iter().enumerate() {
                write_comma(index, out);
                write_inner(document, *item, out, write_literal);
            }
            out.push(']');
        }
        Value::Map(map) => {
            write_map(document, &mut document.arena.entries(map), out, write_literal);
        }
        scalar => write_scalar(document, scalar, out),
    }
}

fn write_map(
    document: &Document,
    entries: &mut dyn Iterator<Item = (KeyRef, Value)>,
    out: &mut String,
    write_literal: &mut dyn FnMut(&str, &mut String),
) {
    out.push('{');
    for (index, (key, value)) in entries.enumerate() {
        write_comma(index, out);
        write_text(document.keys.text(key.0), out);
        out.push(':');
        write_inner(document, value, out, write_literal);
    }
    out.push('}');
}

fn write_pointer(document: &Document, node: NodeRef, out: &mut String) {
    write_text(&format!("{}{}", document.settings.sigil, document.id(node)), out);
}

fn write_pointers(document: &Document, nodes: &[u32], out: &mut String) {
    // Reuses one buffer, because the list may be long.
    let mut pointer = String::new();
    out.push('[');
    for (index, node) in nodes.iter().enumerate() {
        write_comma(index, out);
        pointer.clear();
        pointer.push_str(&document.settings.sigil);
        pointer.push_str(document.id(NodeRef(*node)));
        write_text(&pointer, out);
    }
    out.push(']');
}

fn write_inner(
    document: &Document,
    value: Value,
    out: &mut String,
    write_literal: &mut dyn FnMut(&str, &mut String),
) {
    match value {
        Value::Text(text) if document.arena.text(text).starts_with(&document.settings.sigil) => {
            write_literal(document.arena.text(text), out);
        }
        value => write_stored(document, value, out, write_literal),
    }
}

fn write_comma(index: usize, out: &mut String) {
    if index > 0 {
        out.push(',');
    }
}

/// Returns the stored JSON text of a value.
pub fn stored_json(document: &Document, value: Value) -> String {
    let mut out = String::new();
    write_stored(document, value, &mut out, &mut |text, out| write_text(text, out));
    out
}

/// Writer of a `nodes` object. Literals that look like pointers are hoisted to nodes of their own
/// (rule 5).
pub struct NodesWriter<'a> {
    document: &'a Document,
    text: String,
    count: usize,
    hoisted: Vec<(String, String)>,
    next_suffix: usize,
    /// Whether a node has the name of the envelope.
    has_envelope_name: bool,
    /// Whether a node has another name than the keys of a message with an envelope.
    has_other_name: bool,
}

/// Name of the envelope, which is a valid id too.
pub const ENVELOPE: &str = "updateDataModel";

/// Returns the exported nodes, which are in an envelope if only its name is among theirs.
pub fn nodes_of(exported: &Map) -> &Map {
    let is_alone = exported.keys().all(|key| [ENVELOPE, "version"].contains(&&**key));
    let inner = exported.get(ENVELOPE).and_then(|envelope| envelope.get("nodes")?.as_map());
    inner.filter(|_| is_alone).unwrap_or(exported)
}

/// Wraps nodes in an envelope, because one of them has its name.
pub fn wrap_in_envelope(nodes: &str) -> String {
    format!("{{\"{ENVELOPE}\":{{\"nodes\":{nodes}}}}}")
}

impl<'a> NodesWriter<'a> {
    pub fn new(document: &'a Document) -> NodesWriter<'a> {
        NodesWriter {
            document,
            text: "{".to_owned(),
            count: 0,
            hoisted: Vec::new(),
            next_suffix: 1,
            has_envelope_name: false,
            has_other_name: false,
        }
    }

    fn write_key(&mut self, key: &str) {
        write_comma(self.count, &mut self.text);
        self.count += 1;
        self.has_envelope_name |= key == ENVELOPE;
        self.has_other_name |= key != ENVELOPE && key != "version";
        write_text(key, &mut self.text);
        self.text.push(':');
    }

    /// Adds a deletion.
    pub fn write_deletion(&mut self, id: &str) {
        self.write_key(&format!("!{id}"));
        self.text.push_str("null");
    }

    /// Adds a node.
    pub fn write_node(&mut self, id: &str, value: Value) {
        self.write_with(id, |document, out, write_literal| {
            write_stored(document, value, out, write_literal);
        });
    }

    /// Adds a node that is a map with these properties.
    pub fn write_map_node(&mut self, id: &str, entries: &[(KeyRef, Value)]) {
        self.write_with(id, |document, out, write_literal| {
            write_map(document, &mut entries.iter().copied(), out, write_literal);
        });
    }

    fn write_with(
        &mut self,
        id: &str,
        write: impl FnOnce(&Document, &mut String, &mut dyn FnMut(&str, &mut String)),
    ) {
        self.write_key(id);
        let document = self.document;
        let (hoisted, next_suffix) = (&mut self.hoisted, &mut self.next_suffix);
        write(document, &mut self.text, &mut |text, out| {
            let settings = &document.settings;
            let id = loop {
                let name = format!("text_{next_suffix}");
                *next_suffix += 1;
                let id = id::make_valid(&name, &settings.sigil, settings.edit_keys);
                if document.find_node(&id).is_none() {
                    break id.into_owned();
                }
            };
            write_text(&format!("{}{id}", settings.sigil), out);
            hoisted.push((id, text.to_owned()));
        });
    }

    pub fn write_pointer_node(&mut self, id: &str, nodes: &[u32]) {
        self.write_key(id);
        write_pointers(self.document, nodes, &mut self.text);
    }

    /// Returns the ids of the hoisted nodes.
    pub fn hoisted(&self) -> impl ExactSizeIterator<Item = &str> {
        self.hoisted.iter().map(|(id, _)| id.as_str())
    }

    fn finish_hoisted(&mut self) {
        for (id, text) in std::mem::take(&mut self.hoisted) {
            self.write_key(&id);
            write_text(&text, &mut self.text);
        }
    }

    /// Writes the hoisted nodes and returns the JSON text.
    pub fn finish(mut self) -> String {
        self.finish_hoisted();
        self.text.push('}');
        self.text
    }
}

impl NodesWriter<'_> {
    /// Returns the JSON text of an update, in an envelope if a node has the name of an envelope key.
    pub fn finish_update(mut self) -> String {
        self.finish_hoisted();
        let is_ambiguous = self.has_envelope_name;
        let nodes = self.finish();
        if is_ambiguous { wrap_in_envelope(&nodes) } else { nodes }
    }
}

/// Returns all nodes as JSON text. Applied to an empty store, they create an equal document. If the
/// memory was exhausted during an update, these are the nodes before it.
pub fn export(document: &Document) -> String {
    let view = document.previous_view();
    let mut nodes = NodesWriter::new(document);
    for node in document.all_nodes() {
        let value = view.value(node);
        if !value.is_missing() {
            nodes.write_node(document.id(node), value);
        }
    }
    let is_ambiguous = nodes.has_envelope_name && !nodes.has_other_name;
    if is_ambiguous { nodes.finish_update() } else { nodes.finish() }
}
