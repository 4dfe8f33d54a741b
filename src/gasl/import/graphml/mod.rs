//! GraphML (http://graphml.graphdrawing.org): nodes, edges and typed attributes.
//!
//! Hyperedges, ports and nested graphs are skipped with a warning. Document types and entities are
//! rejected, so nothing is expanded or fetched.

mod element;
mod keys;

use self::element::{XmlAttributes, append_reference, doctype, malformed};
use self::keys::{KeyDeclaration, KeyDeclarations};
use super::import_builder::ImportBuilder;
use super::{ImportLimits, ImportResult, codes, decode};
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{AttributeValue, Element, QuoteHandling};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader};

/// Reads a GraphML document.
pub fn graphml(text: &[u8], limits: ImportLimits) -> ImportResult {
    let mut reader = GraphmlReader {
        graph: ImportBuilder::new(QuoteHandling::Strip, limits),
        keys: KeyDeclarations::default(),
        open: Vec::new(),
        text: String::new(),
        metadata: Map::default(),
        has_graph: false,
        listed_again: None,
        applied_defaults: 0,
    };
    match reader.read(text, limits) {
        Ok(()) => {
            if !reader.metadata.is_empty() {
                reader.graph.builder.metadata = reader.metadata.into();
            }
            reader.graph.finish()
        }
        Err(error) => Err(vec![error]),
    }
}

/// Maximum number of applied defaults, because a short text can require any number of them.
const MAX_DEFAULTS: usize = 4_000_000;

struct GraphmlReader {
    graph: ImportBuilder,
    keys: KeyDeclarations,
    /// Open elements, outermost first.
    open: Vec<OpenElement>,
    /// Text of the current `<data>` or `<default>`.
    text: String,
    metadata: Map,
    has_graph: bool,
    /// The current node, if it was already listed.
    listed_again: Option<Element>,
    applied_defaults: usize,
}

#[derive(Clone, Debug)]
enum OpenElement {
    /// `<graphml>`
    Root,
    Graph,
    Element(Element),
    /// `<key>` with its index.
    Key(usize),
    /// `<default>` with the index of its key.
    Default(usize),
    /// `<data>` with its element, `None` for the graph, and the id of its key.
    Data(Option<Element>, String),
    /// Markup inside data or a default, whose text is read.
    Markup,
    /// Skipped element with its contents.
    Skipped,
}

impl GraphmlReader {
    fn read(&mut self, bytes: &[u8], limits: ImportLimits) -> Result<(), Diagnostic> {
        let (text, offset) = decode(bytes, limits)?;
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
                        let message = format!("nested more than {} levels deep", limits.depth);
                        return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
                            .help("write nodes and edges directly in one `<graph>`")
                            .at(at));
                    }
                }
                Ok(Event::Empty(element)) => {
                    let open = self.start(&element, at)?;
                    self.finish_element(open, at)?;
                }
                // The XML reader checks the name of the end tag.
                Ok(Event::End(_)) => {
                    if let Some(open) = self.open.pop() {
                        self.finish_element(open, at)?;
                    }
                }
                Ok(Event::Text(text)) => {
                    if self.open.is_empty() && !text.trim_ascii().is_empty() {
                        self.warn_skipped("text outside of `<graphml>`", at);
                    }
                    self.append_text(&text);
                }
                Ok(Event::CData(text)) => self.append_text(&text),
                Ok(Event::GeneralRef(name)) => {
                    let mut text = String::new();
                    append_reference(&name, at, &mut text)?;
                    self.append_text(text.as_bytes());
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
            return Err(malformed("unexpected end of the text", at));
        }
        if !self.has_graph {
            return Err(Diagnostic::new(codes::NOT_GRAPHML, "missing `<graph>`")
                .help("write `<graphml><graph edgedefault=\"…\">` around the nodes and edges"));
        }
        Ok(())
    }

    /// Appends text inside data and defaults; ignores other text.
    fn append_text(&mut self, text: &[u8]) {
        if matches!(
            self.open.last(),
            Some(OpenElement::Data(..) | OpenElement::Default(_) | OpenElement::Markup)
        ) {
            self.text.push_str(std::str::from_utf8(text).unwrap_or_default());
        }
    }

    /// Reads a start tag. Returns how its contents are read.
    fn start(&mut self, element: &BytesStart<'_>, at: Span) -> Result<OpenElement, Diagnostic> {
        let name = element.local_name();
        let attributes = XmlAttributes::parse(element, at)?;
        let open = match (self.open.last(), name.as_ref()) {
            (None, b"graphml") => OpenElement::Root,
            (None, _) => OpenElement::Skipped,
            (Some(OpenElement::Root), b"key") => self.key(attributes),
            (Some(OpenElement::Root), b"graph") if !self.has_graph => {
                self.has_graph = true;
                self.graph.builder.directed =
                    attributes.edge_default.as_deref() == Some("directed");
                OpenElement::Graph
            }
            (Some(OpenElement::Key(key)), b"default") => {
                self.text.clear();
                OpenElement::Default(*key)
            }
            (Some(OpenElement::Graph), b"node") => self.node(attributes, at)?,
            (Some(OpenElement::Graph), b"edge") => self.edge(attributes, at)?,
            (Some(OpenElement::Graph | OpenElement::Element(_)), b"data") => self.data(attributes),
            (Some(OpenElement::Data(..) | OpenElement::Default(_) | OpenElement::Markup), _) => {
                OpenElement::Markup
            }
            (
                Some(OpenElement::Root | OpenElement::Graph | OpenElement::Element(_)),
                b"graph" | b"hyperedge" | b"port",
            ) => {
                self.warn_skipped(
                    &quote(&format!("<{}>", String::from_utf8_lossy(name.as_ref()))),
                    at,
                );
                OpenElement::Skipped
            }
            _ => OpenElement::Skipped,
        };
        Ok(open)
    }

    fn warn_skipped(&mut self, what: &str, at: Span) {
        self.graph.warn(codes::SKIPPED_ELEMENT, || {
            Diagnostic::new(codes::SKIPPED_ELEMENT, format!("{what} was skipped"))
                .help(
                    "use one graph of nodes and edges, without hyperedges, ports and nested graphs",
                )
                .at(at)
        });
    }

    fn key(&mut self, attributes: XmlAttributes) -> OpenElement {
        let XmlAttributes { id, target_kind, name, value_type, .. } = attributes;
        let id = id.unwrap_or_default();
        let key = KeyDeclaration::new(
            name.unwrap_or_else(|| id.clone()),
            value_type.as_deref().unwrap_or_default(),
            target_kind.as_deref().unwrap_or_default(),
        );
        OpenElement::Key(self.keys.declare(&id, key))
    }

    fn node(&mut self, attributes: XmlAttributes, at: Span) -> Result<OpenElement, Diagnostic> {
        let Some(id) = attributes.id else {
            self.graph.warn_incomplete(
                "missing id of a node",
                "add an `id`; the node was skipped",
                at,
            );
            return Ok(OpenElement::Skipped);
        };
        let (row, is_listed) = self.graph.add_node(&id, at)?;
        // Defaults must not replace attributes of the first listing.
        self.listed_again = is_listed.then_some(Element::Node(row));
        Ok(OpenElement::Element(Element::Node(row)))
    }

    fn edge(&mut self, attributes: XmlAttributes, at: Span) -> Result<OpenElement, Diagnostic> {
        let XmlAttributes { id, source, target, directed, .. } = attributes;
        let (Some(source), Some(target)) = (source, target) else {
            self.graph.warn_incomplete(
                "missing endpoint of an edge",
                "add `source` and `target`; the edge was skipped",
                at,
            );
            return Ok(OpenElement::Skipped);
        };
        let is_directed = self.graph.builder.directed;
        if directed.is_some_and(|directed| (directed == "true") != is_directed) {
            let graph = if is_directed { "directed" } else { "undirected" };
            self.graph.warn(codes::MIXED_DIRECTION, || {
                let message =
                    format!("directed and undirected edges are mixed in the {graph} graph");
                Diagnostic::new(codes::MIXED_DIRECTION, message)
                    .help(format!(
                        "set `edgedefault` for all edges; every edge was read as {graph}"
                    ))
                    .at(at)
            });
        }
        let (source, target) =
            (self.graph.endpoint(&source, at)?, self.graph.endpoint(&target, at)?);
        Ok(OpenElement::Element(Element::Edge(self.graph.add_edge(
            id.as_deref(),
            source,
            target,
            at,
        )?)))
    }

    fn data(&mut self, attributes: XmlAttributes) -> OpenElement {
        let row = match self.open.last() {
            Some(OpenElement::Element(row)) => Some(*row),
            _ => None,
        };
        self.text.clear();
        OpenElement::Data(row, attributes.key.unwrap_or_default())
    }

    fn finish_element(&mut self, open: OpenElement, at: Span) -> Result<(), Diagnostic> {
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
            OpenElement::Element(row) if self.listed_again == Some(row) => {}
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
            self.graph.warn(codes::UNKNOWN_KEY, || {
                let message = format!("undeclared key {}", quote(id));
                Diagnostic::new(codes::UNKNOWN_KEY, message)
                    .help(format!(
                        "declare it before `<graph>`; the data was read as the attribute {}",
                        quote(id)
                    ))
                    .at(at)
            });
            return match row {
                Some(row) => self.graph.set(row, id, AttributeValue::Text(text), at),
                None => Ok(()),
            };
        };
        let (value, is_valid) = key.value(text);
        if !is_valid {
            self.graph.warn(codes::WRONG_TYPE, || {
                let message =
                    format!("invalid value {} of {}", quote(text.trim()), quote(&key.name));
                Diagnostic::new(codes::WRONG_TYPE, message)
                    .help("write a value of the declared type, or declare `string`; it was read as text")
                    .at(at)
            });
        }
        match row {
            Some(row) => {
                key.last_set_on = Some(row);
                self.graph.set(row, &key.name, value, at)
            }
            None => {
                self.metadata.insert(key.name.as_str().into(), text.into());
                Ok(())
            }
        }
    }

    /// Sets the defaults of keys that an element did not set.
    fn set_defaults(&mut self, row: Element, at: Span) -> Result<(), Diagnostic> {
        for key in self.keys.with_default(row) {
            self.applied_defaults += 1;
            if self.applied_defaults > MAX_DEFAULTS {
                let message = format!("more than {MAX_DEFAULTS} values are defaults");
                return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
                    .help("write the values in the nodes and edges")
                    .at(at));
            }
            if let Some(default) = key.default.as_deref().filter(|_| key.last_set_on != Some(row)) {
                self.graph.set(row, &key.name, key.value(default).0, at)?;
            }
        }
        Ok(())
    }
}
