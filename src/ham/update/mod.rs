//! Reads a message: bare nodes, or the envelope `{"updateDataModel": {"nodes": {…}}}` (rule 6).

mod sink;

pub use self::sink::UpdateSink;

use super::arena::{NodeRef, Value};
use super::builder::Builder;
use super::chunk_target::ChunkTarget;
use super::codes;
use super::id::{self, EntryOp};
use super::interner::has_simple_start;
use crate::base::diagnostic::quote;
use crate::base::json::{self, duplicate_key};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use memchr::memchr;

/// Flat maps are hardly longer than this.
const MAX_FLAT_MAP_BYTES: usize = 1024;

/// One entry of the nodes map, read but not yet applied.
#[derive(Clone, Copy, Debug)]
pub struct UpdateEntry {
    pub op: EntryOp,
    pub node: NodeRef,
    pub value: Value,
    /// The key.
    pub span: Span,
    /// Where its value ends, in bytes from the start of the text.
    pub end: usize,
}

/// What a message says, as far as it has been read.
#[derive(Default)]
pub struct Update {
    form: Form,
    position: Position,
    /// What the next value is for.
    role: ValueRole,
    builder: Builder,
    predicted_node: u32,
    /// Complete entries, in the order of the text.
    pub entries: Vec<UpdateEntry>,
    /// What is wrong so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Which of those could be told only here, behind the place that they name; in order.
    late_ends: Vec<(usize, usize)>,
    /// The surface that an envelope names.
    pub surface_id: Option<String>,
    is_stream: bool,
    has_nodes: bool,
    /// The envelope was told to be of another form of update.
    has_foreign_key: bool,
    /// Something was told of the form of the envelope.
    has_form_error: bool,
    /// Where in the text the nodes of an envelope open.
    pub nodes_at: Option<usize>,
    has_version: bool,
    /// `updateDataModel` stands beside another key than `version`, here: it is a node like that.
    pub mixed_key: Option<Span>,
    /// Among bare nodes stands `updateDataModel`.
    has_envelope_among_nodes: bool,
}

/// Which form a message has.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// The first key will tell; the second where the first is `version`.
    #[default]
    Unknown,
    Nodes,
    Envelope,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Position {
    #[default]
    Start,
    /// In the outermost map.
    Top,
    /// In the value of `updateDataModel`.
    Body,
    /// In the value of `nodes`.
    NodesWriter,
    End,
}

#[derive(Clone, Copy, Default)]
enum ValueRole {
    #[default]
    Nothing,
    Node(EntryOp, NodeRef, Span),
    Body(Span),
    NodesWriter(Span),
    SurfaceId(Span),
}

impl Update {
    /// An update that arrives in pieces: what has come stays, though it may be said again.
    pub fn for_stream() -> Update {
        Update { is_stream: true, ..Update::default() }
    }

    /// Starts anew with another message, which is read as `form`; what memory it has is kept.
    pub fn reset(&mut self, form: Form) {
        self.form = form;
        self.position = Position::Start;
        self.role = ValueRole::Nothing;
        self.builder.reset();
        self.entries.clear();
        self.diagnostics.clear();
        self.late_ends.clear();
        self.surface_id = None;
        self.has_nodes = false;
        self.has_foreign_key = false;
        self.has_form_error = false;
        self.nodes_at = None;
        self.has_version = false;
        self.mixed_key = None;
        self.has_envelope_among_nodes = false;
    }

    /// The values that are not part of the document yet.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.entries.iter_mut().map(|entry| &mut entry.value).chain(self.builder.values_mut())
    }

    /// The builder of the value that is being read.
    pub fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    /// The node that is being read.
    pub fn current_node(&self) -> Option<NodeRef> {
        match self.role {
            ValueRole::Node(_, node, _) => Some(node),
            _ => None,
        }
    }

    /// Takes the complete entries out. Those of a form that is not known yet stay.
    pub fn take_entries(&mut self) -> Vec<UpdateEntry> {
        if self.form == Form::Unknown { Vec::new() } else { std::mem::take(&mut self.entries) }
    }

    /// Takes what is wrong so far, each with the place at which that was known.
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

    /// Notes that what has been told since there were `before` diagnostics could be told only here.
    #[inline]
    fn mark_late(&mut self, before: usize, end: usize) {
        for nth in before..self.diagnostics.len() {
            self.late_ends.push((nth, end));
        }
    }

    /// Takes back the entries of a message or a piece: their memory is there for the next one, that of many
    /// for whoever needs it first.
    pub fn recycle_entries(&mut self, mut entries: Vec<UpdateEntry>) {
        const MANY: usize = 1 << 10;
        if self.entries.is_empty() && entries.capacity() <= MANY {
            entries.clear();
            self.entries = entries;
        }
    }

    /// Why it is no update for the surface `id`; for any surface, where that has no id yet.
    pub fn surface_mismatch(&self, id: Option<&str>) -> Option<Diagnostic> {
        let error =
            |message: &str, help: &str| Some(Diagnostic::new(codes::MESSAGE, message).help(help));
        match (id, &self.surface_id) {
            _ if self.mixed_key.is_some() || self.has_envelope_among_nodes => error(
                "one message says one thing, and `updateDataModel` stands beside other keys",
                "leave `version` alone beside it, and send other messages by themselves",
            ),
            _ if self.form == Form::Nodes => error(
                "a surface takes nodes in an envelope",
                r#"write {"updateDataModel": {"surfaceId": "s", "nodes": {…}}}"#,
            ),
            (Some(id), Some(named)) if id != named => Some(wrong_surface(named, id)),
            _ => None,
        }
    }

    fn key(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        match self.position {
            Position::Top => self.top_key(target, text),
            Position::Body => self.body_key(text),
            _ => self.node_key(target, text),
        }
    }

    fn top_key(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        match (self.form, text.bytes) {
            (Form::Unknown, b"updateDataModel") => {
                self.form = Form::Envelope;
                if !self.is_stream {
                    self.diagnostics.clear();
                }
                let before = self.diagnostics.len();
                // Only `version` can have come before.
                self.has_version = !self.entries.is_empty();
                if let [_, .., again] = self.entries.as_slice() {
                    self.diagnostics.push(duplicate_key("version", again.span));
                    self.mark_late(before, text.span.end);
                }
                self.entries.clear();
                self.role = ValueRole::Body(text.span);
            }
            (Form::Unknown, b"version") => self.node_key(target, text),
            (Form::Unknown, _) => {
                self.start_without_envelope(text.span.end);
                self.node_key(target, text);
            }
            (Form::Nodes, bytes) => {
                self.has_envelope_among_nodes |= bytes == b"updateDataModel";
                self.node_key(target, text);
            }
            (Form::Envelope, b"updateDataModel") => {
                self.diagnostics.report(duplicate_key("updateDataModel", text.span));
                self.has_nodes = false;
                self.has_foreign_key = false;
                self.surface_id = None;
                self.discard_entries();
                self.role = ValueRole::Body(text.span);
            }
            (Form::Envelope, b"version") => {
                if self.has_version {
                    self.diagnostics.report(duplicate_key("version", text.span));
                }
                self.has_version = true;
                self.role = ValueRole::Nothing;
            }
            (Form::Envelope, _) => {
                self.mixed_key.get_or_insert(text.span);
                self.role = ValueRole::Nothing;
            }
        }
    }

    /// The key that ends here tells that the message is bare nodes: what came before it counts from here on.
    fn start_without_envelope(&mut self, end: usize) {
        self.form = Form::Nodes;
        for entry in &mut self.entries {
            entry.end = end;
        }
    }

    /// What comes takes the place of all entries, unless others have been applied already.
    fn discard_entries(&mut self) {
        if !self.is_stream {
            self.entries.clear();
        }
    }

    fn body_key(&mut self, text: json::Text<'_>) {
        self.role = match text.bytes {
            b"nodes" => {
                if self.has_nodes {
                    self.diagnostics.report(duplicate_key("nodes", text.span));
                    self.discard_entries();
                }
                ValueRole::NodesWriter(text.span)
            }
            b"surfaceId" => {
                if self.surface_id.is_some() {
                    self.diagnostics.report(duplicate_key("surfaceId", text.span));
                }
                ValueRole::SurfaceId(text.span)
            }
            b"path" | b"value" | b"op" | b"contents" => {
                // One repair mends all of them.
                if !std::mem::replace(&mut self.has_foreign_key, true) {
                    self.report_form_error(form_error(text.as_str(), text.span));
                }
                ValueRole::Nothing
            }
            _ => {
                let message = format!("unknown key {} beside `nodes`", quote(text.as_str()));
                let warning = Diagnostic::new(codes::ENVELOPE_KEY, message)
                    .help("only `surfaceId` and `nodes` have a meaning here; a node stands within `nodes`, before its `}`")
                    .at(text.span);
                self.diagnostics.report(warning);
                ValueRole::Nothing
            }
        };
    }

    fn node_key(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        if has_simple_start(text.bytes) && target.document.pointer_separator.is_some() {
            // No mark stands in front of the id, as in front of most.
            return self.node(target, EntryOp::Upsert, text.bytes, text.span);
        }
        let settings = &target.document.settings;
        let key = text.as_str();
        let parsed = id::parse_key(key, &settings.sigil, settings.repair, settings.list_edits);
        match parsed {
            Ok((op, id, stripped)) => {
                if stripped {
                    let message =
                        format!("{} begins with the sigil: read as {}", quote(key), quote(id));
                    let warning = Diagnostic::new(codes::STRIPPED, message)
                        .help(format!("write {}", quote(id)))
                        .at(text.span);
                    self.diagnostics.report(warning);
                }
                self.node(target, op, id.as_bytes(), text.span);
            }
            Err(error) => {
                let error =
                    id::id_error(key, &settings.sigil, settings.list_edits, error, text.span);
                self.diagnostics.report(error);
                self.role = ValueRole::Nothing;
            }
        }
    }

    fn node(&mut self, target: &mut ChunkTarget<'_>, op: EntryOp, id: &[u8], span: Span) {
        let node = target.document.node(id);
        self.predicted_node = node.0 + 1;
        self.role = ValueRole::Node(op, node, span);
    }

    /// Takes nodes that are flat maps like the last one. See [`Sink::take_entries`].
    fn parse_flat_nodes(
        &mut self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
        offset: usize,
    ) -> Option<usize> {
        let is_node = matches!(self.position, Position::NodesWriter)
            || matches!((self.position, self.form), (Position::Top, Form::Nodes | Form::Unknown));
        if !is_node || self.builder.is_open() || target.document.pointer_separator.is_none() {
            return None;
        }
        // Most pieces of a stream end before the map does.
        let rest = chunk.get(at..)?;
        memchr(b'}', rest.get(..MAX_FLAT_MAP_BYTES).unwrap_or(rest))?;
        let mut at = at;
        let mut parsed_end = None;
        while chunk.get(at) == Some(&b'"') {
            let Some((node, key_end)) = self.parse_simple_id(target, chunk, at) else { break };
            let Some(start) = json::skip_punctuation(chunk, key_end, b':') else { break };
            if chunk.get(start) != Some(&b'{') {
                break;
            }
            let Some((value, end)) = self.builder.parse_flat_map(target, chunk, start) else {
                break;
            };
            if self.form == Form::Unknown {
                self.start_without_envelope(offset + key_end);
            }
            self.predicted_node = node.0 + 1;
            let span = Span::new(offset + at, offset + key_end);
            self.entries.push(UpdateEntry {
                op: EntryOp::Upsert,
                node,
                value,
                span,
                end: offset + end,
            });
            parsed_end = Some(end);
            let Some(next) = json::skip_punctuation(chunk, end, b',') else { break };
            at = next;
        }
        parsed_end
    }

    /// The node whose id stands at `at`, without a mark, and where that ends.
    #[inline(always)]
    fn parse_simple_id(
        &self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
    ) -> Option<(NodeRef, usize)> {
        let is_first = self.form == Form::Unknown;
        if !is_first
            && let Some(end) = json::guess_end(chunk, at, target.simple_id(self.predicted_node))
        {
            return Some((NodeRef(self.predicted_node), end));
        }
        let end = json::plain_end(chunk, at + 1)?;
        let id = chunk.get(at + 1..end)?;
        let names_form = is_first && matches!(id, b"updateDataModel" | b"version");
        if names_form || !has_simple_start(id) {
            return None;
        }
        Some((target.document.node(id), end + 1))
    }

    /// A whole value for the target, which ends at this byte of the text.
    fn value(&mut self, value: Value, end: usize, text: Option<&str>) {
        let before = self.diagnostics.len();
        match std::mem::take(&mut self.role) {
            ValueRole::Nothing => {}
            ValueRole::Node(op, node, span) => {
                if op == EntryOp::Delete && !matches!(value, Value::Null) {
                    let warning = Diagnostic::new(codes::DELETION_VALUE, "a deletion has no value")
                        .help("write `null` as its value")
                        .at(span);
                    self.diagnostics.report(warning);
                }
                self.entries.push(UpdateEntry { op, node, value, span, end });
            }
            ValueRole::Body(span) => self.report_form_error(form_error("updateDataModel", span)),
            ValueRole::NodesWriter(span) => self.report_form_error(form_error("nodes", span)),
            ValueRole::SurfaceId(span) => match text {
                Some(id) => self.surface_id = Some(id.to_owned()),
                None => {
                    let error = Diagnostic::new(codes::ENVELOPE, "`surfaceId` is a string");
                    self.report_form_error(error.help(FORM_HELP).at(span));
                }
            },
        }
        self.mark_late(before, end);
    }

    /// Tells what is wrong with the form of the envelope.
    fn report_form_error(&mut self, error: Diagnostic) {
        self.has_form_error = true;
        self.diagnostics.report(error);
    }

    /// The innermost map or list of a value closes, at this byte of the text.
    #[inline(always)]
    fn close(&mut self, target: &mut ChunkTarget<'_>, at: usize) {
        let before = self.diagnostics.len();
        let closed = self.builder.close(target, at, &mut self.diagnostics);
        self.mark_late(before, at + 1);
        if let Some(value) = closed {
            self.value(value, at + 1, None);
        }
    }

    fn scalar(&mut self, value: Value, span: Span) {
        // What comes behind a number or a word tells where it ends.
        let end = span.end + 1;
        if self.builder.is_open() {
            self.builder.scalar(value);
        } else if self.position == Position::Start {
            self.report_not_object(span);
            self.mark_late(self.diagnostics.len() - 1, end);
        } else {
            self.value(value, end, None);
        }
    }

    fn report_not_object(&mut self, span: Span) {
        self.position = Position::End;
        let error = Diagnostic::new(codes::UPDATE, "an update is an object of node ids and values")
            .help(FORM_HELP)
            .at(span);
        self.diagnostics.push(error);
    }
}

/// The error for a message that reached the wrong surface.
pub fn wrong_surface(named: &str, expected: &str) -> Diagnostic {
    let message =
        format!("the message is for the surface {}, this is {}", quote(named), quote(expected));
    let help = format!("write {}, or hand the message to the surface it names", quote(expected));
    Diagnostic::new(codes::MESSAGE, message).help(help)
}

const FORM_HELP: &str = r#"write each node by its id, and whole: {"updateDataModel": {"surfaceId": "s", "nodes": {"u1": {"name": "Ann"}}}}"#;

fn form_error(key: &str, span: Span) -> Diagnostic {
    let message = match key {
        "nodes" => "`nodes` is an object of node ids and values".to_owned(),
        "updateDataModel" => "`updateDataModel` is an object with `nodes`".to_owned(),
        _ => format!("{} belongs to another form of update", quote(key)),
    };
    Diagnostic::new(codes::ENVELOPE, message).help(FORM_HELP).at(span)
}

/// Whether a model that wrote a pointer to this id meant a bullet or emphasis: no id begins like that.
pub fn is_suspicious_id(id: &[u8], sigil: &str) -> bool {
    matches!(id.first(), None | Some(b'!' | b' ')) || id.starts_with(sigil.as_bytes())
}

/// The same for a node that is not there, of which more is taken for text: a mark that comes again, as
/// in `*Hello* to you`.
pub fn looks_like_emphasis(id: &str, sigil: &str) -> bool {
    // `contains` of a text brings a search with it that is larger than all of this.
    let mark = sigil.as_bytes();
    is_suspicious_id(id.as_bytes(), sigil)
        || id.as_bytes().windows(mark.len()).any(|part| part == mark)
}

/// The warning for text inside a list or map that reads as a pointer to nothing (rule 4).
pub fn dangling_pointer(pointer: &str, sigil: &str) -> Diagnostic {
    let message = format!("{} is a pointer to a node that is not there", quote(pointer));
    let help = format!(
        "if it is text, hoist it: give it a node of its own (`\"text_1\": …`) and write `\"{sigil}text_1\"` here; else send the node"
    );
    Diagnostic::new(codes::DANGLING, message).help(help)
}
