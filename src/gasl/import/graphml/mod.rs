//! GraphML (http://graphml.graphdrawing.org): nodes, edges and typed attributes.
//!
//! Hyperedges, ports and graphs inside nodes are left out with a warning. Document types and
//! entities are refused, so nothing is ever expanded or fetched.

mod element;
mod keys;

use self::element::{Attributes, doctype, malformed, reference};
use self::keys::{Key, Keys};
use super::draft::Draft;
use super::{Imported, Limits, codes, text_of};
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{Given, Quotes, Row};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader};

/// Reads a GraphML document.
pub fn graphml(text: &[u8], limits: Limits) -> Imported {
    let mut reading = Reading {
        draft: Draft::new(Quotes::Stripped, limits),
        keys: Keys::default(),
        open: Vec::new(),
        text: String::new(),
        about: Map::default(),
        graphs: 0,
        again: None,
        defaults: 0,
    };
    match reading.read(text, limits) {
        Ok(()) => {
            if !reading.about.is_empty() {
                reading.draft.builder.about = reading.about.into();
            }
            reading.draft.finish()
        }
        Err(error) => Err(vec![error]),
    }
}

/// Times that a default may be looked at: a short text could ask for any number of them.
const DEFAULTS: usize = 4_000_000;

struct Reading {
    draft: Draft,
    keys: Keys,
    /// The elements that are open, outermost first.
    open: Vec<Open>,
    /// The text of the `<data>` or `<default>` at hand.
    text: String,
    about: Map,
    graphs: usize,
    /// The node at hand, where it was listed before.
    again: Option<Row>,
    defaults: usize,
}

#[derive(Clone, Debug)]
enum Open {
    /// `<graphml>`
    Root,
    Graph,
    Row(Row),
    /// The key that a default is for.
    Key(usize),
    Default(usize),
    /// What the data is of, and its key.
    Data(Option<Row>, String),
    /// What stands in data, whose text counts.
    Markup,
    /// What is left out with all that is in it.
    Ignored,
}

impl Reading {
    fn read(&mut self, bytes: &[u8], limits: Limits) -> Result<(), Diagnostic> {
        let (text, offset) = text_of(bytes, limits)?;
        let mut reader = Reader::from_str(text);
        loop {
            let start = reader.buffer_position() as usize + offset;
            let event = reader.read_event();
            let at = Span::new(start, reader.buffer_position() as usize + offset);
            match event {
                Ok(Event::Start(element)) => {
                    let open = self.start(&element, at)?;
                    self.open.push(open);
                    if self.open.len() > limits.depth {
                        let message = format!("more than {} levels of nesting", limits.depth);
                        return Err(Diagnostic::new(codes::TOO_MUCH, message)
                            .help("a graph needs five levels: is this GraphML?")
                            .at(at));
                    }
                }
                Ok(Event::Empty(element)) => {
                    let open = self.start(&element, at)?;
                    self.end(open, at)?;
                }
                // The reader has compared the names.
                Ok(Event::End(_)) => {
                    if let Some(open) = self.open.pop() {
                        self.end(open, at)?;
                    }
                }
                Ok(Event::Text(text)) => {
                    if self.open.is_empty() && !text.trim_ascii().is_empty() {
                        self.leave_out("what stands outside of `<graphml>`", at);
                    }
                    self.add(&text);
                }
                Ok(Event::CData(text)) => self.add(&text),
                Ok(Event::GeneralRef(name)) => {
                    let mut text = String::new();
                    reference(&name, at, &mut text)?;
                    self.add(text.as_bytes());
                }
                Ok(Event::DocType(_)) => return Err(doctype(at)),
                Ok(Event::Eof) => return self.check_end(at),
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {}
                Err(error) => {
                    let at = reader.error_position() as usize + offset;
                    let reason = match error {
                        Error::IllFormed(error) => error.to_string(),
                        Error::Syntax(error) => error.to_string(),
                        error => error.to_string(),
                    };
                    return Err(malformed(&reason, Span::new(at, at)));
                }
            }
        }
    }

    fn check_end(&self, at: Span) -> Result<(), Diagnostic> {
        if !self.open.is_empty() {
            return Err(malformed("the text ended early", at));
        }
        if self.graphs == 0 {
            return Err(Diagnostic::new(codes::NO_GRAPHML, "there is no `<graph>` in it").help(
                "GraphML is `<graphml><graph edgedefault=\"…\">` with nodes and edges in it",
            ));
        }
        Ok(())
    }

    /// Text counts inside data and defaults only.
    fn add(&mut self, text: &[u8]) {
        if matches!(self.open.last(), Some(Open::Data(..) | Open::Default(_) | Open::Markup)) {
            self.text.push_str(std::str::from_utf8(text).unwrap_or_default());
        }
    }

    /// What an element opens where it stands.
    fn start(&mut self, element: &BytesStart<'_>, at: Span) -> Result<Open, Diagnostic> {
        let name = element.local_name();
        let given = Attributes::of(element, at)?;
        let open = match (self.open.last(), name.as_ref()) {
            (None, b"graphml") => Open::Root,
            (None, _) => Open::Ignored,
            (Some(Open::Root), b"key") => self.key(given),
            (Some(Open::Root), b"graph") if self.graphs == 0 => {
                self.graphs = 1;
                self.draft.builder.directed = given.edge_default.as_deref() == Some("directed");
                Open::Graph
            }
            (Some(Open::Key(key)), b"default") => {
                self.text.clear();
                Open::Default(*key)
            }
            (Some(Open::Graph), b"node") => self.node(given, at)?,
            (Some(Open::Graph), b"edge") => self.edge(given, at)?,
            (Some(Open::Graph | Open::Row(_)), b"data") => self.data(given),
            (Some(Open::Data(..) | Open::Default(_) | Open::Markup), _) => Open::Markup,
            (Some(Open::Root | Open::Graph | Open::Row(_)), b"graph" | b"hyperedge" | b"port") => {
                self.leave_out(
                    &quote(&format!("<{}>", String::from_utf8_lossy(name.as_ref()))),
                    at,
                );
                Open::Ignored
            }
            _ => Open::Ignored,
        };
        Ok(open)
    }

    fn leave_out(&mut self, what: &str, at: Span) {
        self.draft.note(codes::LEFT_OUT, || {
            Diagnostic::new(codes::LEFT_OUT, format!("{what} was left out"))
                .help(
                    "one graph of nodes and edges is read, without hyperedges, ports and inner graphs",
                )
                .at(at)
        });
    }

    fn key(&mut self, given: Attributes) -> Open {
        let Attributes { id, of, name, kind, .. } = given;
        let id = id.unwrap_or_default();
        let key = Key::new(
            name.unwrap_or_else(|| id.clone()),
            kind.as_deref().unwrap_or_default(),
            of.as_deref().unwrap_or_default(),
        );
        Open::Key(self.keys.declare(&id, key))
    }

    fn node(&mut self, given: Attributes, at: Span) -> Result<Open, Diagnostic> {
        let Some(id) = given.id else {
            self.draft.incomplete("a node without an id", "give it one; it was left out", at);
            return Ok(Open::Ignored);
        };
        let (row, again) = self.draft.node(&id, at)?;
        // One that is listed twice has got its defaults, or said something else.
        self.again = again.then_some(Row::Node(row));
        Ok(Open::Row(Row::Node(row)))
    }

    fn edge(&mut self, given: Attributes, at: Span) -> Result<Open, Diagnostic> {
        let Attributes { id, source, target, directed, .. } = given;
        let (Some(source), Some(target)) = (source, target) else {
            self.draft.incomplete("an edge without both ends", "give it both; it was left out", at);
            return Ok(Open::Ignored);
        };
        let own = self.draft.builder.directed;
        if directed.is_some_and(|directed| (directed == "true") != own) {
            let graph = if own { "directed" } else { "undirected" };
            self.draft.note(codes::OTHER_DIRECTION, || {
                let message = format!("an edge has another direction than the {graph} graph");
                Diagnostic::new(codes::OTHER_DIRECTION, message)
                    .help(format!("every edge was read as {graph}"))
                    .at(at)
            });
        }
        let (source, target) = (self.draft.end(&source, at)?, self.draft.end(&target, at)?);
        Ok(Open::Row(Row::Edge(self.draft.edge(id.as_deref(), source, target, at)?)))
    }

    fn data(&mut self, given: Attributes) -> Open {
        let row = match self.open.last() {
            Some(Open::Row(row)) => Some(*row),
            _ => None,
        };
        self.text.clear();
        Open::Data(row, given.key.unwrap_or_default())
    }

    fn end(&mut self, open: Open, at: Span) -> Result<(), Diagnostic> {
        match open {
            Open::Default(key) => {
                let text = std::mem::take(&mut self.text);
                self.keys.set_default(key, text);
            }
            Open::Data(row, key) => {
                let text = std::mem::take(&mut self.text);
                self.set(row, &key, &text, at)?;
                self.text = text;
            }
            Open::Row(row) if self.again == Some(row) => {}
            Open::Row(row) => self.set_defaults(row, at)?,
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, row: Option<Row>, id: &str, text: &str, at: Span) -> Result<(), Diagnostic> {
        let Some(key) = self.keys.find(id) else {
            self.draft.note(codes::UNKNOWN_KEY, || {
                let message = format!("data of the key {}, which is not declared", quote(id));
                Diagnostic::new(codes::UNKNOWN_KEY, message)
                    .help(format!("declare it before the graph; it was read as {}", quote(id)))
                    .at(at)
            });
            return match row {
                Some(row) => self.draft.set(row, id, Given::Text(text), at),
                None => Ok(()),
            };
        };
        let (value, fits) = key.value(text);
        if !fits {
            self.draft.note(codes::WRONG_TYPE, || {
                let message =
                    format!("{} is not of the type of {}", quote(text.trim()), quote(&key.name));
                Diagnostic::new(codes::WRONG_TYPE, message)
                    .help("correct it, or declare the key a `string`; it was read as text")
                    .at(at)
            });
        }
        match row {
            Some(row) => {
                key.said_of = Some(row);
                self.draft.set(row, &key.name, value, at)
            }
            None => {
                self.about.insert(key.name.as_str().into(), text.into());
                Ok(())
            }
        }
    }

    /// Gives the row at hand what it did not speak of.
    fn set_defaults(&mut self, row: Row, at: Span) -> Result<(), Diagnostic> {
        for key in self.keys.with_default(row) {
            self.defaults += 1;
            if self.defaults > DEFAULTS {
                let message = format!("defaults for more than {DEFAULTS} values");
                return Err(Diagnostic::new(codes::TOO_MUCH, message)
                    .help("write the values where they belong")
                    .at(at));
            }
            if let Some(default) = key.default.as_deref().filter(|_| key.said_of != Some(row)) {
                self.draft.set(row, &key.name, key.value(default).0, at)?;
            }
        }
        Ok(())
    }
}
