//! GEXF 1.1 to 1.3 (https://gexf.net): nodes, edges and typed attributes, with hierarchy, drawing
//! and times.
//!
//! Nested nodes are flattened: they have the id of the parent node as `group`. Values that have a
//! time become lists of `{value, start, end}`.

mod details;
mod timed_values;

use self::details::{set_drawing, times_of};
use self::timed_values::TimedValues;
use super::format::{GraphFormat, not_xml};
use super::value_type::ValueType;
use super::xml::{
    EdgeOrientation, KeyDeclaration, KeyTarget, XmlElement, XmlGraph, XmlHandler, read_xml,
};
use super::{ImportLimits, ImportResult, codes, decode};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element};

/// Reads a GEXF document.
pub fn import_gexf(bytes: &[u8], limits: ImportLimits) -> ImportResult {
    let mut reader = GexfReader {
        graph: XmlGraph::new(limits),
        open: Vec::new(),
        text: String::new(),
        timed: TimedValues::default(),
        spells: Vec::new(),
        direction: None,
    };
    match reader.read(bytes, limits) {
        Ok(()) => reader.graph.finish(reader.direction == Some(EdgeOrientation::Directed)),
        Err(error) => Err(vec![error]),
    }
}

struct GexfReader {
    graph: XmlGraph,
    /// Open elements, outermost first.
    open: Vec<GexfElement>,
    /// Text of the current element whose text is read.
    text: String,
    /// Values with times of the current element.
    timed: TimedValues,
    /// Spells of the current element.
    spells: Vec<Value>,
    /// Direction of edges without a type, once the graph is read.
    direction: Option<EdgeOrientation>,
}

/// Open element of a document.
enum GexfElement {
    /// `<gexf>`
    Root,
    /// `<meta>`
    Meta,
    /// `<creator>` and other parts of `<meta>`, by name.
    MetaText(String),
    Graph,
    /// `<attributes>` with the elements that they are for.
    Attributes(KeyTarget),
    /// `<attribute>` with the index of its key.
    Attribute(usize),
    /// `<default>` with the index of its key.
    Default(usize),
    /// `<nodes>` with the row of the node that contains them.
    Nodes(Option<u32>),
    Edges,
    Element {
        element: Element,
        /// Whether defaults are set at its end.
        needs_defaults: bool,
    },
    /// `<attvalues>`
    Values(Element),
    /// `<spells>`
    Spells(Element),
    /// `<parents>` of a node.
    Parents(u32),
    /// Element without values of the graph.
    Ignored,
    /// Skipped element with its contents.
    Skipped,
}

impl GexfReader {
    fn read(&mut self, bytes: &[u8], limits: ImportLimits) -> Result<(), Diagnostic> {
        let (text, offset) = decode(bytes, limits)?;
        if !text.contains("<gexf")
            && let Some(error) = not_xml(GraphFormat::Gexf, text, Span::new(offset, offset))
        {
            return Err(error);
        }
        read_xml(text, offset, limits, self)?;
        match self.direction {
            Some(_) => Ok(()),
            None => Err(Diagnostic::new(codes::NOT_GEXF, "missing `<graph>` in `<gexf>`")
                .help("write `<gexf><graph><nodes>…</nodes><edges>…</edges></graph></gexf>`")),
        }
    }

    fn start_element(&mut self, tag: &XmlElement<'_>, at: Span) -> Result<GexfElement, Diagnostic> {
        use GexfElement as Open;
        let parent = self.open.last();
        if let Some(Open::Element { element, .. }) = parent {
            let element = *element;
            return self.start_in_element(element, tag, at);
        }
        Ok(match (parent, tag.name) {
            (None, b"gexf") => Open::Root,
            (Some(Open::Root), b"meta") => {
                self.set_metadata(tag, &[]);
                Open::Meta
            }
            (Some(Open::Meta), _) => {
                self.text.clear();
                Open::MetaText(tag.name_text().to_owned())
            }
            (Some(Open::Root), b"graph") if self.direction.is_none() => self.graph_start(tag),
            (Some(Open::Graph), b"attributes") => match tag.get("class") {
                Some("edge") => Open::Attributes(KeyTarget::Edges),
                Some("node") | None => Open::Attributes(KeyTarget::Nodes),
                Some(_) => self.skip(tag, at),
            },
            (Some(Open::Attributes(target)), b"attribute") => {
                let target = *target;
                Open::Attribute(self.declare_attribute(target, tag, at))
            }
            (Some(Open::Attribute(key)), b"default") => {
                let key = *key;
                self.text.clear();
                Open::Default(key)
            }
            // Lists the possible values.
            (Some(Open::Attribute(_)), b"options") => Open::Ignored,
            (Some(Open::Graph), b"nodes") => Open::Nodes(None),
            (Some(Open::Graph), b"edges") => Open::Edges,
            (Some(Open::Nodes(group)), b"node") => {
                let group = *group;
                self.start_node(group, tag, at)?
            }
            (Some(Open::Edges), b"edge") => self.start_edge(tag, at)?,
            (Some(Open::Values(element)), b"attvalue") => {
                let element = *element;
                self.start_value(element, tag, at)?
            }
            (Some(Open::Spells(_)), b"spell" | b"slice") => {
                self.spells.push(times_of(tag, None));
                Open::Ignored
            }
            (Some(Open::Parents(row)), b"parent") => {
                let row = *row;
                match tag.get("for") {
                    Some(id) => self.graph.add_to_group_id(row, id),
                    None => return Ok(self.skip(tag, at)),
                }
                Open::Ignored
            }
            (Some(Open::Ignored), _) => Open::Ignored,
            (Some(Open::Skipped), name) => {
                self.graph.skipped.add_inner(name);
                Open::Skipped
            }
            _ => self.skip(tag, at),
        })
    }

    /// Reads a start tag inside a node or an edge.
    fn start_in_element(
        &mut self,
        element: Element,
        tag: &XmlElement<'_>,
        at: Span,
    ) -> Result<GexfElement, Diagnostic> {
        use GexfElement as Open;
        Ok(match (element, tag.name) {
            (_, b"attvalues") => Open::Values(element),
            (_, b"attvalue") => self.start_value(element, tag, at)?,
            (_, b"spells" | b"slices") => Open::Spells(element),
            (_, b"color" | b"position" | b"size" | b"thickness" | b"shape") => {
                set_drawing(&mut self.graph, element, tag, at)?;
                Open::Ignored
            }
            (Element::Node(row), b"nodes") => {
                self.finish_defaults(at)?;
                Open::Nodes(Some(row))
            }
            (Element::Node(_), b"edges") => Open::Edges,
            (Element::Node(row), b"parents") => Open::Parents(row),
            _ => self.skip(tag, at),
        })
    }

    fn skip(&mut self, tag: &XmlElement<'_>, at: Span) -> GexfElement {
        let parent = match self.open.last() {
            Some(GexfElement::Element { element, .. }) => Some(*element),
            _ => None,
        };
        self.graph.skip(&format!("<{}>", tag.name_text()), parent, at);
        GexfElement::Skipped
    }

    fn graph_start(&mut self, tag: &XmlElement<'_>) -> GexfElement {
        let stated = tag.get("defaultedgetype");
        self.direction = Some(direction_of(stated, EdgeOrientation::Undirected));
        self.set_metadata(tag, &["defaultedgetype", "idtype"]);
        GexfElement::Graph
    }

    fn set_metadata(&mut self, tag: &XmlElement<'_>, read: &[&str]) {
        for (name, value) in tag.other_attributes(read) {
            self.graph.metadata.insert(name.into(), value.into());
        }
    }

    fn declare_attribute(&mut self, target: KeyTarget, tag: &XmlElement<'_>, at: Span) -> usize {
        let id = tag.get("id").unwrap_or_default();
        let name = tag.get("title").filter(|title| !title.is_empty()).unwrap_or(id);
        let value_type = ValueType::declared(name, tag.get("type"), at, &mut self.graph.graph);
        let key = KeyDeclaration::new(name.to_owned(), value_type, target);
        let (index, is_repeated) = self.graph.keys.declare(id, key);
        if is_repeated {
            self.graph.graph.warn(codes::DUPLICATE_KEY, || {
                let message =
                    format!("the attribute {} is declared twice for {}", quote(id), target.name());
                Diagnostic::new(codes::DUPLICATE_KEY, message)
                    .help("give each attribute its own id; the last declaration is used")
                    .at(at)
            });
        }
        index
    }

    fn start_node(
        &mut self,
        group: Option<u32>,
        tag: &XmlElement<'_>,
        at: Span,
    ) -> Result<GexfElement, Diagnostic> {
        let Some(id) = tag.get("id") else {
            self.graph.graph.warn_incomplete(
                "missing id of a node",
                "add an `id`; the node was skipped",
                at,
            );
            return Ok(GexfElement::Skipped);
        };
        let (row, is_listed) = self.graph.graph.add_node(id, at)?;
        if let Some(group) = group {
            self.graph.add_to_group(row, group);
        }
        if let Some(group) = tag.get("pid") {
            self.graph.add_to_group_id(row, group);
        }
        let element = Element::Node(row);
        self.graph.set_tag(element, tag.other_attributes(&["id", "pid"]), at)?;
        Ok(GexfElement::Element { element, needs_defaults: !is_listed })
    }

    fn start_edge(&mut self, tag: &XmlElement<'_>, at: Span) -> Result<GexfElement, Diagnostic> {
        let (Some(source), Some(target)) = (tag.get("source"), tag.get("target")) else {
            self.graph.graph.warn_incomplete(
                "missing endpoint of an edge",
                "add `source` and `target`; the edge was skipped",
                at,
            );
            return Ok(GexfElement::Skipped);
        };
        let default = self.direction.unwrap_or(EdgeOrientation::Undirected);
        let direction = direction_of(tag.get("type"), default);
        let element = self.graph.add_edge(tag.get("id"), (source, target), direction, at)?;
        self.graph.set_tag(
            element,
            tag.other_attributes(&["id", "source", "target", "type"]),
            at,
        )?;
        Ok(GexfElement::Element { element, needs_defaults: true })
    }

    /// Reads an `<attvalue>`.
    fn start_value(
        &mut self,
        element: Element,
        tag: &XmlElement<'_>,
        at: Span,
    ) -> Result<GexfElement, Diagnostic> {
        let id = tag.get("for").or(tag.get("id")).unwrap_or_default();
        let key = self.graph.find_key(id, KeyTarget::from_element(element), at);
        let Some(text) = tag.get("value") else {
            return Ok(self.skip(tag, at));
        };
        if tag.other_attributes(&["for", "id", "value"]).next().is_some() {
            let key = self.graph.declared_key(key, KeyTarget::from_element(element), at);
            let value = self.graph.read_value(key, text, at).unwrap_or(AttributeValue::Null);
            self.timed.add(element, key, times_of(tag, Some(value)));
            return Ok(GexfElement::Ignored);
        }
        self.graph.set_data(Some(element), &key, text, at)?;
        Ok(GexfElement::Ignored)
    }

    /// Sets the defaults of the current node before nodes inside it.
    fn finish_defaults(&mut self, at: Span) -> Result<(), Diagnostic> {
        self.timed.finish(&mut self.graph, at)?;
        if let Some(GexfElement::Element { element, needs_defaults }) = self.open.last_mut()
            && std::mem::take(needs_defaults)
        {
            self.graph.set_defaults(*element, at)?;
        }
        Ok(())
    }
}

impl XmlHandler for GexfReader {
    fn start(&mut self, element: &XmlElement<'_>, at: Span) -> Result<(), Diagnostic> {
        let open = self.start_element(element, at)?;
        self.open.push(open);
        Ok(())
    }

    fn text(&mut self, text: &str, at: Span) {
        match self.open.last() {
            Some(GexfElement::Default(_) | GexfElement::MetaText(_)) => self.text.push_str(text),
            Some(GexfElement::Skipped | GexfElement::Ignored) => {}
            _ if text.trim_ascii().is_empty() => {}
            _ => self.graph.skip("text", None, at),
        }
    }

    fn end(&mut self, at: Span) -> Result<(), Diagnostic> {
        if let Some(GexfElement::Element { .. }) = self.open.last() {
            self.finish_defaults(at)?;
        }
        match self.open.pop() {
            Some(GexfElement::Default(key)) => {
                let text = std::mem::take(&mut self.text);
                self.graph.set_default(key, text, at);
            }
            Some(GexfElement::MetaText(name)) if !self.text.trim().is_empty() => {
                self.graph.metadata.insert(name.as_str().into(), self.text.trim().into());
            }
            Some(GexfElement::Values(_)) => self.timed.finish(&mut self.graph, at)?,
            Some(GexfElement::Spells(element)) => {
                let spells = Value::list(std::mem::take(&mut self.spells));
                self.graph.set_value(element, "spells", AttributeValue::Value(spells), at)?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the direction that an edge type names.
fn direction_of(stated: Option<&str>, default: EdgeOrientation) -> EdgeOrientation {
    match stated {
        Some("directed") => EdgeOrientation::Directed,
        Some("undirected") => EdgeOrientation::Undirected,
        Some("mutual") => EdgeOrientation::Mutual,
        _ => default,
    }
}
