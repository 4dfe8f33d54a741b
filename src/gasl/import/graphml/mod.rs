//! GraphML (http://graphml.graphdrawing.org): nodes, edges and typed attributes.
//!
//! Hyperedges, ports and graphs inside nodes are left out with a warning. Document types and
//! entities are refused, so nothing is ever expanded or fetched.

mod element;
mod keys;

use self::element::{XmlAttributes, doctype, malformed, reference};
use self::keys::{KeyDeclaration, KeyDeclarations};
use super::import_builder::ImportBuilder;
use super::{ImportLimits, ImportResult, codes, text_of};
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{AttributeValue, Element, QuoteHandling};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader};

/// Reads a GraphML document.
pub fn graphml(text: &[u8], limits: ImportLimits) -> ImportResult {
    let mut reading = GraphmlReader {
        graph: ImportBuilder::new(QuoteHandling::Strip, limits),
        keys: KeyDeclarations::default(),
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
                reading.graph.builder.metadata = reading.about.into();
            }
            reading.graph.finish()
        }
        Err(error) => Err(vec![error]),
    }
}

/// Times that a default may be looked at: a short text could ask for any number of them.
const DEFAULTS: usize = 4_000_000;

struct GraphmlReader {
    graph: ImportBuilder,
    keys: KeyDeclarations,
    /// The elements that are open, outermost first.
    open: Vec<OpenElement>,
    /// The text of the `<data>` or `<default>` at hand.
    text: String,
    about: Map,
    graphs: usize,
    /// The node at hand, where it was listed before.
    again: Option<Element>,
    defaults: usize,
}

#[derive(Clone, Debug)]
enum OpenElement {
    /// `<graphml>`
    Root,
    Graph,
    Element(Element),
    /// The key that a default is for.
    Key(usize),
    Default(usize),
    /// What the data is of, and its key.
    Data(Option<Element>, String),
    /// What stands in data, whose text counts.
    Markup,
    /// What is left out with all that is in it.
    Ignored,
}

impl GraphmlReader {
    fn read(&mut self, bytes: &[u8], limits: ImportLimits) -> Result<(), Diagnostic> {
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
                        return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
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
            return Err(Diagnostic::new(codes::NOT_GRAPHML, "there is no `<graph>` in it").help(
                "GraphML is `<graphml><graph edgedefault=\"…\">` with nodes and edges in it",
            ));
        }
        Ok(())
    }

    /// Text counts inside data and defaults only.
    fn add(&mut self, text: &[u8]) {
        if matches!(
            self.open.last(),
            Some(OpenElement::Data(..) | OpenElement::Default(_) | OpenElement::Markup)
        ) {
            self.text.push_str(std::str::from_utf8(text).unwrap_or_default());
        }
    }

    /// What an element opens where it stands.
    fn start(&mut self, element: &BytesStart<'_>, at: Span) -> Result<OpenElement, Diagnostic> {
        let name = element.local_name();
        let given = XmlAttributes::of(element, at)?;
        let open = match (self.open.last(), name.as_ref()) {
            (None, b"graphml") => OpenElement::Root,
            (None, _) => OpenElement::Ignored,
            (Some(OpenElement::Root), b"key") => self.key(given),
            (Some(OpenElement::Root), b"graph") if self.graphs == 0 => {
                self.graphs = 1;
                self.graph.builder.directed = given.edge_default.as_deref() == Some("directed");
                OpenElement::Graph
            }
            (Some(OpenElement::Key(key)), b"default") => {
                self.text.clear();
                OpenElement::Default(*key)
            }
            (Some(OpenElement::Graph), b"node") => self.node(given, at)?,
            (Some(OpenElement::Graph), b"edge") => self.edge(given, at)?,
            (Some(OpenElement::Graph | OpenElement::Element(_)), b"data") => self.data(given),
            (Some(OpenElement::Data(..) | OpenElement::Default(_) | OpenElement::Markup), _) => {
                OpenElement::Markup
            }
            (
                Some(OpenElement::Root | OpenElement::Graph | OpenElement::Element(_)),
                b"graph" | b"hyperedge" | b"port",
            ) => {
                self.leave_out(
                    &quote(&format!("<{}>", String::from_utf8_lossy(name.as_ref()))),
                    at,
                );
                OpenElement::Ignored
            }
            _ => OpenElement::Ignored,
        };
        Ok(open)
    }

    fn leave_out(&mut self, what: &str, at: Span) {
        self.graph.note(codes::SKIPPED_ELEMENT, || {
            Diagnostic::new(codes::SKIPPED_ELEMENT, format!("{what} was left out"))
                .help(
                    "one graph of nodes and edges is read, without hyperedges, ports and inner graphs",
                )
                .at(at)
        });
    }

    fn key(&mut self, given: XmlAttributes) -> OpenElement {
        let XmlAttributes { id, of, name, kind, .. } = given;
        let id = id.unwrap_or_default();
        let key = KeyDeclaration::new(
            name.unwrap_or_else(|| id.clone()),
            kind.as_deref().unwrap_or_default(),
            of.as_deref().unwrap_or_default(),
        );
        OpenElement::Key(self.keys.declare(&id, key))
    }

    fn node(&mut self, given: XmlAttributes, at: Span) -> Result<OpenElement, Diagnostic> {
        let Some(id) = given.id else {
            self.graph.incomplete("a node without an id", "give it one; it was left out", at);
            return Ok(OpenElement::Ignored);
        };
        let (row, again) = self.graph.node(&id, at)?;
        // One that is listed twice has got its defaults, or said something else.
        self.again = again.then_some(Element::Node(row));
        Ok(OpenElement::Element(Element::Node(row)))
    }

    fn edge(&mut self, given: XmlAttributes, at: Span) -> Result<OpenElement, Diagnostic> {
        let XmlAttributes { id, source, target, directed, .. } = given;
        let (Some(source), Some(target)) = (source, target) else {
            self.graph.incomplete("an edge without both ends", "give it both; it was left out", at);
            return Ok(OpenElement::Ignored);
        };
        let own = self.graph.builder.directed;
        if directed.is_some_and(|directed| (directed == "true") != own) {
            let graph = if own { "directed" } else { "undirected" };
            self.graph.note(codes::MIXED_DIRECTION, || {
                let message = format!("an edge has another direction than the {graph} graph");
                Diagnostic::new(codes::MIXED_DIRECTION, message)
                    .help(format!("every edge was read as {graph}"))
                    .at(at)
            });
        }
        let (source, target) = (self.graph.end(&source, at)?, self.graph.end(&target, at)?);
        Ok(OpenElement::Element(Element::Edge(self.graph.edge(
            id.as_deref(),
            source,
            target,
            at,
        )?)))
    }

    fn data(&mut self, given: XmlAttributes) -> OpenElement {
        let row = match self.open.last() {
            Some(OpenElement::Element(row)) => Some(*row),
            _ => None,
        };
        self.text.clear();
        OpenElement::Data(row, given.key.unwrap_or_default())
    }

    fn end(&mut self, open: OpenElement, at: Span) -> Result<(), Diagnostic> {
        match open {
            OpenElement::Default(key) => {
                let text = std::mem::take(&mut self.text);
                self.keys.set_default(key, text);
            }
            OpenElement::Data(row, key) => {
                let text = std::mem::take(&mut self.text);
                self.set(row, &key, &text, at)?;
                self.text = text;
            }
            OpenElement::Element(row) if self.again == Some(row) => {}
            OpenElement::Element(row) => self.set_defaults(row, at)?,
            _ => {}
        }
        Ok(())
    }

    fn set(
        &mut self,
        row: Option<Element>,
        id: &str,
        text: &str,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let Some(key) = self.keys.find(id) else {
            self.graph.note(codes::UNKNOWN_KEY, || {
                let message = format!("data of the key {}, which is not declared", quote(id));
                Diagnostic::new(codes::UNKNOWN_KEY, message)
                    .help(format!("declare it before the graph; it was read as {}", quote(id)))
                    .at(at)
            });
            return match row {
                Some(row) => self.graph.set(row, id, AttributeValue::Text(text), at),
                None => Ok(()),
            };
        };
        let (value, fits) = key.value(text);
        if !fits {
            self.graph.note(codes::WRONG_TYPE, || {
                let message =
                    format!("{} is not of the type of {}", quote(text.trim()), quote(&key.name));
                Diagnostic::new(codes::WRONG_TYPE, message)
                    .help("correct it, or declare the key a `string`; it was read as text")
                    .at(at)
            });
        }
        match row {
            Some(row) => {
                key.last_set_on = Some(row);
                self.graph.set(row, &key.name, value, at)
            }
            None => {
                self.about.insert(key.name.as_str().into(), text.into());
                Ok(())
            }
        }
    }

    /// Gives the row at hand what it did not speak of.
    fn set_defaults(&mut self, row: Element, at: Span) -> Result<(), Diagnostic> {
        for key in self.keys.with_default(row) {
            self.defaults += 1;
            if self.defaults > DEFAULTS {
                let message = format!("defaults for more than {DEFAULTS} values");
                return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
                    .help("write the values where they belong")
                    .at(at));
            }
            if let Some(default) = key.default.as_deref().filter(|_| key.last_set_on != Some(row)) {
                self.graph.set(row, &key.name, key.value(default).0, at)?;
            }
        }
        Ok(())
    }
}
