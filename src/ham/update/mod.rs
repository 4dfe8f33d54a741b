//! Parser of messages: nodes without envelope, or the envelope `{"updateDataModel": {"nodes":
//! {…}}}` (rule 6).

mod flat_nodes;
mod sink;

pub use self::sink::UpdateSink;

use super::arena::{NodeRef, Value};
use super::builder::Builder;
use super::chunk_target::ChunkTarget;
use super::codes;
use super::id::{self, EditKeys, EntryOp};
use super::interner::has_simple_start;
use super::shape::KeyRef;
use crate::base::diagnostic::quote;
use crate::base::json::{self, duplicate_key};
use crate::base::{Diagnostic, DiagnosticSink, Span};

/// A parsed entry of the `nodes` map.
#[derive(Clone, Copy, Debug)]
pub struct UpdateEntry {
    pub op: EntryOp,
    pub node: NodeRef,
    pub value: Value,
    /// Position of the key.
    pub span: Span,
    /// Offset after the value, from the start of the text.
    pub end: usize,
}

/// Parsed part of a message.
#[derive(Default)]
pub struct Update {
    form: MessageForm,
    position: ParserPosition,
    /// Role of the next value.
    role: ValueRole,
    builder: Builder,
    predicted_node: u32,
    /// Complete entries, as written.
    pub entries: Vec<UpdateEntry>,
    pub diagnostics: Vec<Diagnostic>,
    /// Indices of diagnostics that were found after their location, and the offsets where they were
    /// found.
    late_ends: Vec<(usize, usize)>,
    /// The surface that an envelope names.
    pub surface_id: Option<String>,
    is_stream: bool,
    has_nodes: bool,
    /// Whether the nodes are `edits`, whose keys may be edits without an extension.
    has_edits: bool,
    /// Whether a key of another form of update was reported.
    has_foreign_key: bool,
    /// Whether an error in the form of the envelope was reported.
    has_form_error: bool,
    /// Offset of the brace that opens an envelope's nodes.
    pub nodes_at: Option<usize>,
    has_version: bool,
    /// Position of a key other than `version` next to `updateDataModel`, which may be a node in
    /// this case.
    pub mixed_key: Option<Span>,
    /// Whether `updateDataModel` is among nodes without envelope.
    has_envelope_among_nodes: bool,
}

/// Form of a message.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum MessageForm {
    /// Determined by the first key, or by the second one after `version`.
    #[default]
    Unknown,
    Nodes,
    Envelope,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ParserPosition {
    #[default]
    Start,
    /// In the outermost map.
    Top,
    /// In the value of `updateDataModel`.
    Body,
    /// In the value of `nodes`.
    Nodes,
    End,
}

#[derive(Clone, Copy, Default)]
enum ValueRole {
    #[default]
    Nothing,
    Node(EntryOp, NodeRef, Span),
    Body(Span),
    Nodes(Span),
    SurfaceId(Span),
}

impl Update {
    /// Creates an update for a stream, whose applied entries stay when the envelope is repeated.
    pub fn for_stream() -> Update {
        Update { is_stream: true, ..Update::default() }
    }

    /// Prepares for another message, and reuses the memory.
    pub fn reset(&mut self, form: MessageForm) {
        self.form = form;
        self.position = ParserPosition::Start;
        self.role = ValueRole::Nothing;
        self.builder.reset();
        self.entries.clear();
        self.diagnostics.clear();
        self.late_ends.clear();
        self.surface_id = None;
        self.has_nodes = false;
        self.has_edits = false;
        self.has_foreign_key = false;
        self.has_form_error = false;
        self.nodes_at = None;
        self.has_version = false;
        self.mixed_key = None;
        self.has_envelope_among_nodes = false;
    }

    /// Iterates over the values that are not part of the document yet.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.entries.iter_mut().map(|entry| &mut entry.value).chain(self.builder.values_mut())
    }

    pub fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    /// Returns the node whose value is being parsed.
    pub fn current_node(&self) -> Option<NodeRef> {
        match self.role {
            ValueRole::Node(_, node, _) => Some(node),
            _ => None,
        }
    }

    /// Returns the node whose text is being parsed, and the property if the node is a map. `None` if
    /// it is another value.
    pub fn text_target(&self) -> Option<(NodeRef, Option<KeyRef>)> {
        let ValueRole::Node(EntryOp::Upsert, node, _) = self.role else { return None };
        if self.form == MessageForm::Unknown {
            return None;
        }
        match self.builder.is_open() {
            false => Some((node, None)),
            true => Some((node, Some(self.builder.open_key()?))),
        }
    }

    /// Removes the complete entries, unless the form of the message is unknown.
    pub fn take_entries(&mut self) -> Vec<UpdateEntry> {
        if self.form == MessageForm::Unknown {
            Vec::new()
        } else {
            std::mem::take(&mut self.entries)
        }
    }

    /// Removes the diagnostics, each with the offset at which it was found.
    pub fn take_diagnostics(&mut self) -> Vec<(u32, Diagnostic)> {
        let mut all = Vec::new();
        let mut late_ends = std::mem::take(&mut self.late_ends).into_iter().peekable();
        for (nth, diagnostic) in std::mem::take(&mut self.diagnostics).into_iter().enumerate() {
            let late_ends = late_ends.next_if(|(which, _)| *which == nth).map(|(_, end)| end);
            let own = || diagnostic.span().map(|span| span.end);
            all.push((late_ends.or_else(own).unwrap_or_default() as u32, diagnostic));
        }
        all
    }

    /// Records that the diagnostics from index `before` on were found at offset `end`.
    #[inline]
    fn mark_late(&mut self, before: usize, end: usize) {
        for nth in before..self.diagnostics.len() {
            self.late_ends.push((nth, end));
        }
    }

    /// Reuses the memory of the entries, unless it is large.
    pub fn recycle_entries(&mut self, mut entries: Vec<UpdateEntry>) {
        const MANY: usize = 1 << 10;
        if self.entries.is_empty() && entries.capacity() <= MANY {
            entries.clear();
            self.entries = entries;
        }
    }

    /// Returns the error if it is not an update for the surface `id`; `None`: for any surface.
    pub fn surface_mismatch(&self, id: Option<&str>) -> Option<Diagnostic> {
        let error = |message: &str, help: &str| {
            Some(Diagnostic::new(codes::INVALID_MESSAGE, message).help(help))
        };
        match (id, &self.surface_id) {
            _ if self.mixed_key.is_some() || self.has_envelope_among_nodes => error(
                "unexpected key next to `updateDataModel`",
                "keep only `version` next to it, and send other messages separately",
            ),
            _ if self.form == MessageForm::Nodes => error(
                "expected nodes in an `updateDataModel` envelope",
                r#"write {"updateDataModel": {"surfaceId": "s", "nodes": {…}}}"#,
            ),
            (Some(id), Some(named)) if id != named => Some(wrong_surface(named, id)),
            _ => None,
        }
    }

    fn handle_key(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        match self.position {
            ParserPosition::Top => self.handle_top_key(target, text),
            ParserPosition::Body => self.handle_body_key(text),
            _ => self.handle_node_key(target, text),
        }
    }

    fn handle_top_key(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        match (self.form, text.bytes) {
            (MessageForm::Unknown, b"updateDataModel") => {
                self.form = MessageForm::Envelope;
                if !self.is_stream {
                    self.diagnostics.clear();
                }
                let before = self.diagnostics.len();
                // Only `version` can precede it.
                self.has_version = !self.entries.is_empty();
                if let [_, .., again] = self.entries.as_slice() {
                    self.diagnostics.push(duplicate_key("version", again.span));
                    self.mark_late(before, text.span.end);
                }
                self.entries.clear();
                self.role = ValueRole::Body(text.span);
            }
            (MessageForm::Unknown, b"version") => self.handle_node_key(target, text),
            (MessageForm::Unknown, _) => {
                self.start_without_envelope(text.span.end);
                self.handle_node_key(target, text);
            }
            (MessageForm::Nodes, bytes) => {
                self.has_envelope_among_nodes |= bytes == b"updateDataModel";
                self.handle_node_key(target, text);
            }
            (MessageForm::Envelope, b"updateDataModel") => {
                self.diagnostics.report(duplicate_key("updateDataModel", text.span));
                self.has_nodes = false;
                self.has_edits = false;
                self.has_foreign_key = false;
                self.surface_id = None;
                self.discard_entries();
                self.role = ValueRole::Body(text.span);
            }
            (MessageForm::Envelope, b"version") => {
                if self.has_version {
                    self.diagnostics.report(duplicate_key("version", text.span));
                }
                self.has_version = true;
                self.role = ValueRole::Nothing;
            }
            (MessageForm::Envelope, _) => {
                self.mixed_key.get_or_insert(text.span);
                self.role = ValueRole::Nothing;
            }
        }
    }

    /// Sets the form to nodes without envelope. Earlier entries count as complete at `end`, where
    /// the form became known.
    fn start_without_envelope(&mut self, end: usize) {
        self.form = MessageForm::Nodes;
        for entry in &mut self.entries {
            entry.end = end;
        }
    }

    /// Discards all entries, unless they may have been applied.
    fn discard_entries(&mut self) {
        if !self.is_stream {
            self.entries.clear();
        }
    }

    fn handle_body_key(&mut self, text: json::Text<'_>) {
        self.role = match text.bytes {
            b"nodes" | b"edits" => {
                let is_edits = text.bytes == b"edits";
                if self.has_nodes && self.has_edits != is_edits {
                    let message = "expected either `nodes` or `edits`, found both".to_owned();
                    let error = Diagnostic::new(codes::INVALID_ENVELOPE, message)
                        .help("keep `edits`: its keys may also be the ids of complete nodes");
                    self.report_form_error(error.at(text.span));
                } else if self.has_nodes {
                    self.diagnostics.report(duplicate_key(text.as_str(), text.span));
                    self.discard_entries();
                }
                self.has_edits = is_edits;
                ValueRole::Nodes(text.span)
            }
            b"surfaceId" => {
                if self.surface_id.is_some() {
                    self.diagnostics.report(duplicate_key("surfaceId", text.span));
                }
                ValueRole::SurfaceId(text.span)
            }
            b"path" | b"value" | b"op" | b"contents" => {
                // One fix resolves all of them.
                if !std::mem::replace(&mut self.has_foreign_key, true) {
                    self.report_form_error(form_error(text.as_str(), text.span));
                }
                ValueRole::Nothing
            }
            _ => {
                let message = format!("unknown key {} next to `nodes`", quote(text.as_str()));
                let warning = Diagnostic::new(codes::ENVELOPE_KEY, message)
                    .help("use only `surfaceId` and `nodes` here; put nodes inside `nodes`, before its `}`")
                    .at(text.span);
                self.diagnostics.report(warning);
                ValueRole::Nothing
            }
        };
    }

    fn handle_node_key(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        if has_simple_start(text.bytes) && target.document.pointer_separator.is_some() {
            // Fast path for ids without a sigil or other prefix.
            return self.begin_node(target, EntryOp::Upsert, text.bytes, text.span);
        }
        let settings = &target.document.settings;
        let edit_keys = if self.has_edits { EditKeys::ALL } else { settings.edit_keys };
        let key = text.as_str();
        let parsed = id::parse_key(key, &settings.sigil, settings.repair, edit_keys);
        match parsed {
            Ok((op, id, stripped)) => {
                if stripped {
                    let message = format!(
                        "the id {} begins with the sigil; it is read as {}",
                        quote(key),
                        quote(id)
                    );
                    let warning = Diagnostic::new(codes::STRIPPED_SIGIL, message)
                        .help(format!("write {}", quote(id)))
                        .at(text.span);
                    self.diagnostics.report(warning);
                }
                self.begin_node(target, op, id.as_bytes(), text.span);
            }
            Err(error) => {
                let error = id::id_error(key, &settings.sigil, edit_keys, error, text.span);
                self.diagnostics.report(error);
                self.role = ValueRole::Nothing;
            }
        }
    }

    fn begin_node(&mut self, target: &mut ChunkTarget<'_>, op: EntryOp, id: &[u8], span: Span) {
        let node = target.document.node(id);
        self.predicted_node = node.0 + 1;
        self.role = ValueRole::Node(op, node, span);
    }

    /// Assigns a complete value according to its role.
    fn assign_value(&mut self, value: Value, end: usize, text: Option<&str>) {
        let before = self.diagnostics.len();
        match std::mem::take(&mut self.role) {
            ValueRole::Nothing => {}
            ValueRole::Node(op, node, span) => {
                if op == EntryOp::Delete && !matches!(value, Value::Null) {
                    let warning = Diagnostic::new(
                        codes::DELETION_VALUE,
                        "expected `null` as the value of a deletion",
                    )
                    .help("write `null`")
                    .at(span);
                    self.diagnostics.report(warning);
                }
                self.entries.push(UpdateEntry { op, node, value, span, end });
            }
            ValueRole::Body(span) => self.report_form_error(form_error("updateDataModel", span)),
            ValueRole::Nodes(span) => {
                let key = if self.has_edits { "edits" } else { "nodes" };
                self.report_form_error(form_error(key, span));
            }
            ValueRole::SurfaceId(span) => match text {
                Some(id) => self.surface_id = Some(id.to_owned()),
                None => {
                    let error = Diagnostic::new(
                        codes::INVALID_ENVELOPE,
                        "expected a string as `surfaceId`",
                    );
                    self.report_form_error(error.help(FORM_HELP).at(span));
                }
            },
        }
        self.mark_late(before, end);
    }

    fn report_form_error(&mut self, error: Diagnostic) {
        self.has_form_error = true;
        self.diagnostics.report(error);
    }

    /// Closes the innermost map or list of a value at this byte offset.
    #[inline(always)]
    fn close(&mut self, target: &mut ChunkTarget<'_>, at: usize) {
        let before = self.diagnostics.len();
        let closed = self.builder.close(target, at, &mut self.diagnostics);
        self.mark_late(before, at + 1);
        if let Some(value) = closed {
            self.assign_value(value, at + 1, None);
        }
    }

    fn assign_scalar(&mut self, value: Value, span: Span) {
        // The end of a number or keyword is known at the byte after it.
        let end = span.end + 1;
        if self.builder.is_open() {
            self.builder.scalar(value);
        } else if self.position == ParserPosition::Start {
            self.report_not_object(span);
            self.mark_late(self.diagnostics.len() - 1, end);
        } else {
            self.assign_value(value, end, None);
        }
    }

    fn report_not_object(&mut self, span: Span) {
        self.position = ParserPosition::End;
        let error =
            Diagnostic::new(codes::INVALID_UPDATE, "expected an object of node ids and values")
                .help(FORM_HELP)
                .at(span);
        self.diagnostics.push(error);
    }
}

/// Builds the error for a message to another surface.
pub fn wrong_surface(named: &str, expected: &str) -> Diagnostic {
    let message = format!(
        "expected a message for the surface {}, found one for {}",
        quote(expected),
        quote(named)
    );
    let help = format!("write {}, or receive several surfaces with `Surfaces`", quote(expected));
    Diagnostic::new(codes::INVALID_MESSAGE, message).help(help)
}

const FORM_HELP: &str = r#"write each complete node under its id: {"updateDataModel": {"surfaceId": "s", "nodes": {"u1": {"name": "Ann"}}}}"#;

fn form_error(key: &str, span: Span) -> Diagnostic {
    let message = match key {
        "nodes" | "edits" => format!("expected an object of node ids and values as `{key}`"),
        "updateDataModel" => "expected an object with `nodes` as `updateDataModel`".to_owned(),
        _ => format!("unsupported key {} in `updateDataModel`", quote(key)),
    };
    Diagnostic::new(codes::INVALID_ENVELOPE, message).help(FORM_HELP).at(span)
}

/// Returns whether a pointer to this id is probably a list marker or emphasis, because the id is
/// invalid.
pub fn is_suspicious_id(id: &[u8], sigil: &str) -> bool {
    matches!(id.first(), None | Some(b'!' | b' ')) || id.starts_with(sigil.as_bytes())
}

/// Builds the warning for a string inside a list or map that is a pointer to a missing node (rule
/// 4).
pub fn dangling_pointer(pointer: &str, sigil: &str) -> Diagnostic {
    let message = format!("{} points to a missing node", quote(pointer));
    let help = format!(
        "send the node; or if it is text, hoist it to a node (`\"text_1\": …`) and write `\"{sigil}text_1\"` here"
    );
    Diagnostic::new(codes::DANGLING, message).help(help)
}
