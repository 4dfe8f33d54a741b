//! Reads a message: bare nodes, or the envelope `{"updateDataModel": {"nodes": {…}}}` (rule 6).

mod reading;

pub use self::reading::Reading;

use super::arena::{NodeRef, Value};
use super::builder::Builder;
use super::codes;
use super::id::{self, Op};
use super::interner::begins_usually;
use super::site::Site;
use crate::base::diagnostic::quote;
use crate::base::json::{self, duplicate_key};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use memchr::memchr;

/// Flat maps are hardly longer than this.
const FLAT: usize = 1024;

/// One entry of the nodes map, read but not yet applied.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub op: Op,
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
    place: Place,
    /// What the next value is for.
    target: Target,
    builder: Builder,
    guess: u32,
    /// Complete entries, in the order of the text.
    pub entries: Vec<Entry>,
    /// What is wrong so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Which of those could be told only here, behind the place that they name; in order.
    late: Vec<(usize, usize)>,
    /// The surface that an envelope names.
    pub surface_id: Option<String>,
    in_pieces: bool,
    has_nodes: bool,
    /// The envelope was told to be of another form of update.
    other_form: bool,
    /// Something was told of the form of the envelope.
    misshapen: bool,
    /// Where in the text the nodes of an envelope open.
    pub nodes_at: Option<usize>,
    has_version: bool,
    /// `updateDataModel` stands beside another key than `version`, here: it is a node like that.
    pub mixed: Option<Span>,
    /// Among bare nodes stands `updateDataModel`.
    has_late_envelope: bool,
}

/// Which form a message has.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// The first key will tell; the second where the first is `version`.
    #[default]
    Unknown,
    Bare,
    Envelope,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
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
enum Target {
    #[default]
    Nothing,
    Node(Op, NodeRef, Span),
    Body(Span),
    Nodes(Span),
    SurfaceId(Span),
}

impl Update {
    /// An update that arrives in pieces: what has come stays, though it may be said again.
    pub fn in_pieces() -> Update {
        Update { in_pieces: true, ..Update::default() }
    }

    /// Starts anew with another message, which is read as `form`; what memory it has is kept.
    pub fn restart(&mut self, form: Form) {
        self.form = form;
        self.place = Place::Start;
        self.target = Target::Nothing;
        self.builder.restart();
        self.entries.clear();
        self.diagnostics.clear();
        self.late.clear();
        self.surface_id = None;
        self.has_nodes = false;
        self.other_form = false;
        self.misshapen = false;
        self.nodes_at = None;
        self.has_version = false;
        self.mixed = None;
        self.has_late_envelope = false;
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
    pub fn current(&self) -> Option<NodeRef> {
        match self.target {
            Target::Node(_, node, _) => Some(node),
            _ => None,
        }
    }

    /// Takes the complete entries out. Those of a form that is not known yet stay.
    pub fn take_entries(&mut self) -> Vec<Entry> {
        if self.form == Form::Unknown { Vec::new() } else { std::mem::take(&mut self.entries) }
    }

    /// Takes what is wrong so far, each with the place at which that was known.
    pub fn take_told(&mut self) -> Vec<(u32, Diagnostic)> {
        let mut all = Vec::new();
        let mut late = std::mem::take(&mut self.late).into_iter().peekable();
        for (nth, told) in std::mem::take(&mut self.diagnostics).into_iter().enumerate() {
            let late = late.next_if(|(which, _)| *which == nth).map(|(_, end)| end);
            let own = || told.span().map(|span| span.end);
            all.push((late.or_else(own).unwrap_or_default() as u32, told));
        }
        all
    }

    /// Notes that what has been told since there were `before` diagnostics could be told only here.
    #[inline]
    fn told_late(&mut self, before: usize, end: usize) {
        for nth in before..self.diagnostics.len() {
            self.late.push((nth, end));
        }
    }

    /// Takes back the entries of a message or a piece: their memory is there for the next one, that of many
    /// for whoever needs it first.
    pub fn reuse(&mut self, mut entries: Vec<Entry>) {
        const MANY: usize = 1 << 10;
        if self.entries.is_empty() && entries.capacity() <= MANY {
            entries.clear();
            self.entries = entries;
        }
    }

    /// Why it is no update for the surface `id`; for any surface, where that has no id yet.
    pub fn misfit(&self, id: Option<&str>) -> Option<Diagnostic> {
        let fault =
            |message: &str, help: &str| Some(Diagnostic::new(codes::MESSAGE, message).help(help));
        match (id, &self.surface_id) {
            _ if self.mixed.is_some() || self.has_late_envelope => fault(
                "one message says one thing, and `updateDataModel` stands beside other keys",
                "leave `version` alone beside it, and send other messages by themselves",
            ),
            _ if self.form == Form::Bare => fault(
                "a surface takes nodes in an envelope",
                r#"write {"updateDataModel": {"surfaceId": "s", "nodes": {…}}}"#,
            ),
            (Some(id), Some(named)) if id != named => Some(other_surface(named, id)),
            _ => None,
        }
    }

    fn key(&mut self, site: &mut Site<'_>, text: json::Text<'_>) {
        match self.place {
            Place::Top => self.top_key(site, text),
            Place::Body => self.body_key(text),
            _ => self.node_key(site, text),
        }
    }

    fn top_key(&mut self, site: &mut Site<'_>, text: json::Text<'_>) {
        match (self.form, text.bytes) {
            (Form::Unknown, b"updateDataModel") => {
                self.form = Form::Envelope;
                if !self.in_pieces {
                    self.diagnostics.clear();
                }
                let before = self.diagnostics.len();
                // Only `version` can have come before.
                self.has_version = !self.entries.is_empty();
                if let [_, .., again] = self.entries.as_slice() {
                    self.diagnostics.push(duplicate_key("version", again.span));
                    self.told_late(before, text.span.end);
                }
                self.entries.clear();
                self.target = Target::Body(text.span);
            }
            (Form::Unknown, b"version") => self.node_key(site, text),
            (Form::Unknown, _) => {
                self.is_bare(text.span.end);
                self.node_key(site, text);
            }
            (Form::Bare, bytes) => {
                self.has_late_envelope |= bytes == b"updateDataModel";
                self.node_key(site, text);
            }
            (Form::Envelope, b"updateDataModel") => {
                self.diagnostics.report(duplicate_key("updateDataModel", text.span));
                self.has_nodes = false;
                self.other_form = false;
                self.surface_id = None;
                self.forget_entries();
                self.target = Target::Body(text.span);
            }
            (Form::Envelope, b"version") => {
                if self.has_version {
                    self.diagnostics.report(duplicate_key("version", text.span));
                }
                self.has_version = true;
                self.target = Target::Nothing;
            }
            (Form::Envelope, _) => {
                self.mixed.get_or_insert(text.span);
                self.target = Target::Nothing;
            }
        }
    }

    /// The key that ends here tells that the message is bare nodes: what came before it counts from here on.
    fn is_bare(&mut self, end: usize) {
        self.form = Form::Bare;
        for entry in &mut self.entries {
            entry.end = end;
        }
    }

    /// What comes takes the place of all entries, unless others have been applied already.
    fn forget_entries(&mut self) {
        if !self.in_pieces {
            self.entries.clear();
        }
    }

    fn body_key(&mut self, text: json::Text<'_>) {
        self.target = match text.bytes {
            b"nodes" => {
                if self.has_nodes {
                    self.diagnostics.report(duplicate_key("nodes", text.span));
                    self.forget_entries();
                }
                Target::Nodes(text.span)
            }
            b"surfaceId" => {
                if self.surface_id.is_some() {
                    self.diagnostics.report(duplicate_key("surfaceId", text.span));
                }
                Target::SurfaceId(text.span)
            }
            b"path" | b"value" | b"op" | b"contents" => {
                // One repair mends all of them.
                if !std::mem::replace(&mut self.other_form, true) {
                    self.tell_form(wrong_form(text.as_str(), text.span));
                }
                Target::Nothing
            }
            _ => {
                let message = format!("unknown key {} beside `nodes`", quote(text.as_str()));
                let warning = Diagnostic::new(codes::ENVELOPE_KEY, message)
                    .help("only `surfaceId` and `nodes` have a meaning here; a node stands within `nodes`, before its `}`")
                    .at(text.span);
                self.diagnostics.report(warning);
                Target::Nothing
            }
        };
    }

    fn node_key(&mut self, site: &mut Site<'_>, text: json::Text<'_>) {
        if begins_usually(text.bytes) && site.document.between.is_some() {
            // No mark stands in front of the id, as in front of most.
            return self.node(site, Op::Upsert, text.bytes, text.span);
        }
        let settings = &site.document.settings;
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
                self.node(site, op, id.as_bytes(), text.span);
            }
            Err(fault) => {
                let error = id::fault(key, &settings.sigil, settings.list_edits, fault, text.span);
                self.diagnostics.report(error);
                self.target = Target::Nothing;
            }
        }
    }

    fn node(&mut self, site: &mut Site<'_>, op: Op, id: &[u8], span: Span) {
        let node = site.document.node(id);
        self.guess = node.0 + 1;
        self.target = Target::Node(op, node, span);
    }

    /// Takes nodes that are flat maps like the last one. See [`Sink::take_entries`].
    fn take_nodes(
        &mut self,
        site: &mut Site<'_>,
        piece: &[u8],
        at: usize,
        offset: usize,
    ) -> Option<usize> {
        let is_node = matches!(self.place, Place::Nodes)
            || matches!((self.place, self.form), (Place::Top, Form::Bare | Form::Unknown));
        if !is_node || self.builder.is_open() || site.document.between.is_none() {
            return None;
        }
        // Most pieces of a stream end before the map does.
        let ahead = piece.get(at..)?;
        memchr(b'}', ahead.get(..FLAT).unwrap_or(ahead))?;
        let mut at = at;
        let mut taken = None;
        while piece.get(at) == Some(&b'"') {
            let Some((node, key_end)) = self.plain_id(site, piece, at) else { break };
            let Some(start) = json::skip_punctuation(piece, key_end, b':') else { break };
            if piece.get(start) != Some(&b'{') {
                break;
            }
            let Some((value, end)) = self.builder.take_map(site, piece, start) else { break };
            if self.form == Form::Unknown {
                self.is_bare(offset + key_end);
            }
            self.guess = node.0 + 1;
            let span = Span::new(offset + at, offset + key_end);
            self.entries.push(Entry { op: Op::Upsert, node, value, span, end: offset + end });
            taken = Some(end);
            let Some(next) = json::skip_punctuation(piece, end, b',') else { break };
            at = next;
        }
        taken
    }

    /// The node whose id stands at `at`, without a mark, and where that ends.
    #[inline(always)]
    fn plain_id(&self, site: &mut Site<'_>, piece: &[u8], at: usize) -> Option<(NodeRef, usize)> {
        let is_first = self.form == Form::Unknown;
        if !is_first && let Some(end) = json::match_key(piece, at, site.guess(self.guess)) {
            return Some((NodeRef(self.guess), end));
        }
        let end = json::ascii_string_end(piece, at + 1)?;
        let id = piece.get(at + 1..end)?;
        let names_form = is_first && matches!(id, b"updateDataModel" | b"version");
        if names_form || !begins_usually(id) {
            return None;
        }
        Some((site.document.node(id), end + 1))
    }

    /// A whole value for the target, which ends at this byte of the text.
    fn value(&mut self, value: Value, end: usize, text: Option<&str>) {
        let before = self.diagnostics.len();
        match std::mem::take(&mut self.target) {
            Target::Nothing => {}
            Target::Node(op, node, span) => {
                if op == Op::Delete && !matches!(value, Value::Null) {
                    let warning = Diagnostic::new(codes::DELETION_VALUE, "a deletion has no value")
                        .help("write `null` as its value")
                        .at(span);
                    self.diagnostics.report(warning);
                }
                self.entries.push(Entry { op, node, value, span, end });
            }
            Target::Body(span) => self.tell_form(wrong_form("updateDataModel", span)),
            Target::Nodes(span) => self.tell_form(wrong_form("nodes", span)),
            Target::SurfaceId(span) => match text {
                Some(id) => self.surface_id = Some(id.to_owned()),
                None => {
                    let error = Diagnostic::new(codes::ENVELOPE, "`surfaceId` is a string");
                    self.tell_form(error.help(RIGHT_FORM).at(span));
                }
            },
        }
        self.told_late(before, end);
    }

    /// Tells what is wrong with the form of the envelope.
    fn tell_form(&mut self, error: Diagnostic) {
        self.misshapen = true;
        self.diagnostics.report(error);
    }

    /// The innermost map or list of a value closes, at this byte of the text.
    #[inline(always)]
    fn close(&mut self, site: &mut Site<'_>, at: usize) {
        let before = self.diagnostics.len();
        let closed = self.builder.close(site, at, &mut self.diagnostics);
        self.told_late(before, at + 1);
        if let Some(value) = closed {
            self.value(value, at + 1, None);
        }
    }

    fn scalar(&mut self, value: Value, span: Span) {
        // What comes behind a number or a word tells where it ends.
        let end = span.end + 1;
        if self.builder.is_open() {
            self.builder.scalar(value);
        } else if self.place == Place::Start {
            self.no_object(span);
            self.told_late(self.diagnostics.len() - 1, end);
        } else {
            self.value(value, end, None);
        }
    }

    fn no_object(&mut self, span: Span) {
        self.place = Place::End;
        let error = Diagnostic::new(codes::UPDATE, "an update is an object of node ids and values")
            .help(RIGHT_FORM)
            .at(span);
        self.diagnostics.push(error);
    }
}

/// The error for a message that reached the wrong surface.
pub fn other_surface(named: &str, expected: &str) -> Diagnostic {
    let message =
        format!("the message is for the surface {}, this is {}", quote(named), quote(expected));
    let help = format!("write {}, or hand the message to the surface it names", quote(expected));
    Diagnostic::new(codes::MESSAGE, message).help(help)
}

const RIGHT_FORM: &str = r#"write each node by its id, and whole: {"updateDataModel": {"surfaceId": "s", "nodes": {"u1": {"name": "Ann"}}}}"#;

fn wrong_form(key: &str, span: Span) -> Diagnostic {
    let message = match key {
        "nodes" => "`nodes` is an object of node ids and values".to_owned(),
        "updateDataModel" => "`updateDataModel` is an object with `nodes`".to_owned(),
        _ => format!("{} belongs to another form of update", quote(key)),
    };
    Diagnostic::new(codes::ENVELOPE, message).help(RIGHT_FORM).at(span)
}

/// Whether a model that wrote a pointer to this id meant a bullet or emphasis: no id begins like that.
pub fn is_doubtful(id: &[u8], sigil: &str) -> bool {
    matches!(id.first(), None | Some(b'!' | b' ')) || id.starts_with(sigil.as_bytes())
}

/// The same for a node that is not there, of which more is taken for text: a mark that comes again, as
/// in `*Hello* to you`.
pub fn is_marked(id: &str, sigil: &str) -> bool {
    // `contains` of a text brings a search with it that is larger than all of this.
    let mark = sigil.as_bytes();
    is_doubtful(id.as_bytes(), sigil) || id.as_bytes().windows(mark.len()).any(|part| part == mark)
}

/// The warning for text inside a list or map that reads as a pointer to nothing (rule 4).
pub fn hoist(pointer: &str, sigil: &str) -> Diagnostic {
    let message = format!("{} is a pointer to a node that is not there", quote(pointer));
    let help = format!(
        "if it is text, hoist it: give it a node of its own (`\"text_1\": …`) and write `\"{sigil}text_1\"` here; else send the node"
    );
    Diagnostic::new(codes::DANGLING, message).help(help)
}
