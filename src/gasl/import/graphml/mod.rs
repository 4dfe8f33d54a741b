//! GraphML (http://graphml.graphdrawing.org): nodes, edges and typed attributes, in the dialects of
//! yEd, Gephi, TinkerPop, APOC, igraph, graph-tool and NetworkX.
//!
//! Nested graphs are flattened: their nodes have the id of the parent node as `group`. Hyperedges and
//! ports are skipped with a warning.

mod drawing;
mod key_tags;

use self::drawing::Drawing;
use self::key_tags::{KeyPass, are_keys_late, declare_key};
use super::format::{GraphFormat, not_xml};
use super::xml::{EdgeOrientation, KeyTarget, KeyUse, XmlElement, XmlGraph, XmlHandler, read_xml};
use super::{ImportLimits, ImportResult, codes, decode};
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{AttributeValue, Element};

/// Reads a GraphML document.
pub fn import_graphml(bytes: &[u8], limits: ImportLimits) -> ImportResult {
    let mut reader = GraphmlReader {
        graph: XmlGraph::new(limits),
        open: Vec::new(),
        text: String::new(),
        drawing: None,
        has_markup: false,
        has_key_pass: false,
        root_direction: None,
        drawn_nodes: 0,
        drawn_edges: 0,
    };
    match reader.read(bytes, limits) {
        Ok(()) => {
            reader.report_drawings();
            reader.graph.finish(reader.root_direction == Some(EdgeOrientation::Directed))
        }
        Err(error) => Err(vec![error]),
    }
}

struct GraphmlReader {
    graph: XmlGraph,
    /// Open elements, outermost first.
    open: Vec<OpenElement>,
    /// Text of the current `<data>`, `<default>` or `<desc>`.
    text: String,
    /// Drawing in the current `<data>`.
    drawing: Option<Drawing>,
    /// Whether the current `<data>` has elements inside.
    has_markup: bool,
    /// Whether all keys are declared already.
    has_key_pass: bool,
    /// Direction of the first graph, once it is read.
    root_direction: Option<EdgeOrientation>,
    /// Number of elements with a drawing that is read in parts.
    drawn_nodes: usize,
    drawn_edges: usize,
}

enum OpenElement {
    /// `<graphml>`
    Root,
    Graph {
        direction: EdgeOrientation,
        /// Row of the node that contains the graph.
        parent: Option<u32>,
    },
    Element {
        element: Element,
        /// Whether defaults are set at its end.
        needs_defaults: bool,
    },
    /// `<key>` with its index.
    Key(usize),
    /// `<default>` with the index of its key.
    Default(usize),
    /// `<data>` with its element, `None` for the graph, and its key.
    Data(Option<Element>, KeyUse),
    /// `<desc>` with its element, `None` for the graph.
    Description(Option<Element>),
    /// Element inside data or a default, whose text is read.
    Markup,
    /// Element without values of the graph.
    Ignored,
    /// Skipped element with its contents.
    Skipped,
}

impl GraphmlReader {
    fn read(&mut self, bytes: &[u8], limits: ImportLimits) -> Result<(), Diagnostic> {
        let (text, offset) = decode(bytes, limits)?;
        if !text.contains("<graphml")
            && let Some(error) = not_xml(GraphFormat::GraphMl, text, Span::new(offset, offset))
        {
            return Err(error);
        }
        if are_keys_late(text) {
            read_xml(text, offset, limits, &mut KeyPass::new(&mut self.graph))?;
            self.has_key_pass = true;
        }
        read_xml(text, offset, limits, self)?;
        match self.root_direction {
            Some(_) => Ok(()),
            None => Err(Diagnostic::new(codes::NOT_GRAPHML, "missing `<graph>`")
                .help("write `<graphml><graph edgedefault=\"…\">` around the nodes and edges")),
        }
    }

    /// Returns the element that is open; `None` for the graph.
    fn current(&self) -> Option<Element> {
        match self.open.last() {
            Some(OpenElement::Element { element, .. }) => Some(*element),
            _ => None,
        }
    }

    fn skip(&mut self, tag: &XmlElement<'_>, at: Span) -> OpenElement {
        let parent = match self.open.last() {
            Some(OpenElement::Graph { parent: Some(row), .. }) => Some(Element::Node(*row)),
            _ => self.current(),
        };
        self.graph.skip(&format!("<{}>", tag.name_text()), parent, at);
        OpenElement::Skipped
    }

    /// Reads a start tag. Returns how its contents are read.
    fn start_element(&mut self, tag: &XmlElement<'_>, at: Span) -> Result<OpenElement, Diagnostic> {
        let open = match (self.open.last(), tag.name) {
            (None, b"graphml") => OpenElement::Root,
            (Some(OpenElement::Graph { .. }), b"node") => self.start_node(tag, at)?,
            (Some(OpenElement::Graph { .. }), b"edge") => self.start_edge(tag, at)?,
            (Some(OpenElement::Graph { parent: Some(_), .. }), b"data") => self.skip(tag, at),
            (
                Some(OpenElement::Root | OpenElement::Graph { .. } | OpenElement::Element { .. }),
                b"data",
            ) => self.start_data(tag, at),
            (
                Some(OpenElement::Root | OpenElement::Graph { .. } | OpenElement::Element { .. }),
                b"desc",
            ) => {
                self.begin_text();
                OpenElement::Description(self.current())
            }
            (
                Some(OpenElement::Root | OpenElement::Graph { .. } | OpenElement::Element { .. }),
                b"key",
            ) => match self.has_key_pass {
                true => OpenElement::Ignored,
                false => OpenElement::Key(declare_key(tag, &mut self.graph, at)),
            },
            (Some(OpenElement::Root), b"graph") if self.root_direction.is_none() => {
                let direction = direction_of(tag.get("edgedefault"), EdgeOrientation::Undirected);
                self.root_direction = Some(direction);
                for (name, value) in tag.other_attributes(&["id", "edgedefault"]) {
                    self.graph.metadata.insert(name.into(), value.into());
                }
                OpenElement::Graph { direction, parent: None }
            }
            (Some(OpenElement::Element { element: Element::Node(_), .. }), b"graph") => {
                self.start_nested_graph(tag, at)?
            }
            (Some(OpenElement::Key(key)), b"default") => {
                let key = *key;
                self.begin_text();
                OpenElement::Default(key)
            }
            (
                Some(
                    OpenElement::Data(..)
                    | OpenElement::Default(_)
                    | OpenElement::Description(_)
                    | OpenElement::Markup,
                ),
                _,
            ) => {
                self.has_markup = true;
                if let Some(drawing) = &mut self.drawing {
                    drawing.start(tag, self.text.len());
                }
                OpenElement::Markup
            }
            (Some(OpenElement::Key(_) | OpenElement::Ignored), _) => OpenElement::Ignored,
            (Some(OpenElement::Skipped), name) => {
                self.graph.skipped.add_inner(name);
                OpenElement::Skipped
            }
            _ => self.skip(tag, at),
        };
        Ok(open)
    }

    fn start_node(&mut self, tag: &XmlElement<'_>, at: Span) -> Result<OpenElement, Diagnostic> {
        let Some(id) = tag.get("id") else {
            self.graph.graph.warn_incomplete(
                "missing id of a node",
                "add an `id`; the node was skipped",
                at,
            );
            return Ok(OpenElement::Skipped);
        };
        let (row, is_listed) = self.graph.graph.add_node(id, at)?;
        if let Some(OpenElement::Graph { parent: Some(parent), .. }) = self.open.last() {
            self.graph.add_to_group(row, *parent);
        }
        let element = Element::Node(row);
        self.graph.set_tag(element, tag.other_attributes(&["id"]), at)?;
        // Defaults must not replace attributes of the first listing.
        Ok(OpenElement::Element { element, needs_defaults: !is_listed })
    }

    fn start_edge(&mut self, tag: &XmlElement<'_>, at: Span) -> Result<OpenElement, Diagnostic> {
        let (Some(source), Some(target)) = (tag.get("source"), tag.get("target")) else {
            self.graph.graph.warn_incomplete(
                "missing endpoint of an edge",
                "add `source` and `target`; the edge was skipped",
                at,
            );
            return Ok(OpenElement::Skipped);
        };
        let default = match self.open.last() {
            Some(OpenElement::Graph { direction, .. }) => *direction,
            _ => EdgeOrientation::Undirected,
        };
        let direction = direction_of(tag.get("directed"), default);
        let element = self.graph.add_edge(tag.get("id"), (source, target), direction, at)?;
        self.graph.set_tag(
            element,
            tag.other_attributes(&["id", "source", "target", "directed"]),
            at,
        )?;
        Ok(OpenElement::Element { element, needs_defaults: true })
    }

    /// Reads a graph in a node, whose nodes are added to its group.
    fn start_nested_graph(
        &mut self,
        tag: &XmlElement<'_>,
        at: Span,
    ) -> Result<OpenElement, Diagnostic> {
        let around = self.open.iter().rev().find_map(|open| match open {
            OpenElement::Graph { direction, .. } => Some(*direction),
            _ => None,
        });
        let default = around.unwrap_or(EdgeOrientation::Undirected);
        let direction = direction_of(tag.get("edgedefault"), default);
        let mut parent = None;
        if let Some(OpenElement::Element { element, needs_defaults }) = self.open.last_mut() {
            // Inner nodes set the same keys, after which the values of the parent are not known.
            if std::mem::take(needs_defaults) {
                self.graph.set_defaults(*element, at)?;
            }
            if let Element::Node(row) = element {
                parent = Some(*row);
            }
        }
        Ok(OpenElement::Graph { direction, parent })
    }

    fn start_data(&mut self, tag: &XmlElement<'_>, at: Span) -> OpenElement {
        let element = self.current();
        let target = element.map_or(KeyTarget::Graph, KeyTarget::from_element);
        let key = self.graph.find_key(tag.get("key").unwrap_or_default(), target, at);
        self.begin_text();
        if let KeyUse::Declared(index) = key
            && self.graph.keys.get(index).is_some_and(|key| key.is_drawing)
        {
            self.drawing = Some(Drawing::default());
        }
        OpenElement::Data(element, key)
    }

    fn begin_text(&mut self) {
        self.text.clear();
        self.has_markup = false;
        self.drawing = None;
    }

    fn finish_data(
        &mut self,
        element: Option<Element>,
        key: &KeyUse,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let text = std::mem::take(&mut self.text);
        // Line breaks around elements are layout.
        let value = if self.has_markup { text.trim() } else { &text };
        match (self.drawing.take(), element) {
            (Some(drawing), Some(element)) => {
                self.set_drawing(element, drawing, at)?;
                if !value.trim().is_empty() {
                    self.graph.set_data(Some(element), key, value, at)?;
                }
            }
            // Resources of drawings.
            (_, None) if value.trim().is_empty() && self.has_markup => {}
            _ => self.graph.set_data(element, key, value, at)?,
        }
        self.text = text;
        Ok(())
    }

    fn set_drawing(
        &mut self,
        element: Element,
        drawing: Drawing,
        at: Span,
    ) -> Result<(), Diagnostic> {
        for label in &drawing.labels {
            self.graph.set_label(element, label, at)?;
        }
        for (name, value) in &drawing.values {
            self.graph.set_value(element, name, AttributeValue::Text(value), at)?;
        }
        let count = match element {
            Element::Node(_) => &mut self.drawn_nodes,
            Element::Edge(_) => &mut self.drawn_edges,
        };
        *count += usize::from(drawing.has_unread);
        Ok(())
    }

    fn finish_description(&mut self, element: Option<Element>, at: Span) -> Result<(), Diagnostic> {
        let text = std::mem::take(&mut self.text);
        match element {
            Some(element) => {
                self.graph.set_value(element, "desc", AttributeValue::Text(text.trim()), at)?;
            }
            None => {
                self.graph.metadata.insert("desc".into(), text.trim().into());
            }
        }
        self.text = text;
        Ok(())
    }

    fn report_drawings(&mut self) {
        let (nodes, edges) = (self.drawn_nodes, self.drawn_edges);
        if nodes + edges > 0 {
            let message =
                format!("the drawings of {nodes} nodes and {edges} edges were read in parts");
            self.graph.graph.report(
                Diagnostic::new(codes::UNREAD_DRAWING, message)
                    .help("query `label`, `shape` and `fill`; positions and styles were not read"),
            );
        }
    }
}

impl XmlHandler for GraphmlReader {
    fn start(&mut self, element: &XmlElement<'_>, at: Span) -> Result<(), Diagnostic> {
        let open = self.start_element(element, at)?;
        self.open.push(open);
        Ok(())
    }

    fn text(&mut self, text: &str, at: Span) {
        match self.open.last() {
            Some(
                OpenElement::Data(..)
                | OpenElement::Default(_)
                | OpenElement::Description(_)
                | OpenElement::Markup,
            ) => self.text.push_str(text),
            Some(OpenElement::Skipped | OpenElement::Ignored | OpenElement::Key(_)) => {}
            _ if text.trim_ascii().is_empty() => {}
            _ => self.graph.skip("text", self.current(), at),
        }
    }

    fn end(&mut self, at: Span) -> Result<(), Diagnostic> {
        match self.open.pop() {
            Some(OpenElement::Default(key)) => {
                let text = std::mem::take(&mut self.text);
                self.graph.set_default(key, text, at);
            }
            Some(OpenElement::Data(element, key)) => self.finish_data(element, &key, at)?,
            Some(OpenElement::Description(element)) => self.finish_description(element, at)?,
            Some(OpenElement::Markup) => {
                if let Some(drawing) = &mut self.drawing {
                    drawing.end(&mut self.text);
                }
            }
            Some(OpenElement::Element { element, needs_defaults: true }) => {
                self.graph.set_defaults(element, at)?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the direction that `edgedefault` or `directed` states.
fn direction_of(stated: Option<&str>, default: EdgeOrientation) -> EdgeOrientation {
    match stated {
        Some("directed" | "true" | "1") => EdgeOrientation::Directed,
        Some("undirected" | "false" | "0") => EdgeOrientation::Undirected,
        _ => default,
    }
}
