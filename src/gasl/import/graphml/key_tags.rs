//! `<key>` tags of GraphML, and a pass over the document that reads only these.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use crate::gasl::import::value_type::ValueType;
use crate::gasl::import::xml::{KeyDeclaration, KeyTarget, XmlElement, XmlGraph, XmlHandler};
use memchr::memmem;

/// Returns whether keys can be declared after the elements that use them, or their tags have a
/// prefix. Then a pass of their own reads the keys first.
pub fn are_keys_late(text: &str) -> bool {
    let text = text.as_bytes();
    let first = |name: &[u8]| memmem::find(text, name).unwrap_or(text.len());
    let elements = first(b"<node").min(first(b"<edge"));
    let rest = text.get(elements..).unwrap_or_default();
    memmem::find(text, b":graphml").is_some() || memmem::find(rest, b"<key").is_some()
}

/// Declares the key of a tag. Returns its index.
pub fn declare_key(element: &XmlElement<'_>, graph: &mut XmlGraph, at: Span) -> usize {
    let id = element.get("id").unwrap_or_default();
    // yEd does not name the keys of its drawings.
    let drawing = element.get("yfiles.type");
    let name = element.get("attr.name").or(drawing).unwrap_or(id);
    let value_type = match element.get("attr.list") {
        Some(_) => ValueType::JSON_LIST,
        None => ValueType::declared(name, element.get("attr.type"), at, &mut graph.graph),
    };
    let target = match element.get("for") {
        Some("node") => KeyTarget::Nodes,
        Some("edge") => KeyTarget::Edges,
        Some("graph" | "graphml") => KeyTarget::Graph,
        Some("port" | "hyperedge" | "endpoint") => KeyTarget::Others,
        Some("all") | None => KeyTarget::All,
        Some(other) => {
            warn_target(id, other, graph, at);
            KeyTarget::All
        }
    };
    let is_yfiles = element.get("attr.uri").is_some_and(|uri| uri.contains("yworks.com"));
    let mut key = KeyDeclaration::new(name.to_owned(), value_type, target);
    key.is_drawing = is_yfiles || drawing.is_some_and(|kind| kind.ends_with("graphics"));
    let (index, is_repeated) = graph.keys.declare(id, key);
    if is_repeated {
        graph.graph.warn(codes::DUPLICATE_KEY, || {
            let message = format!("the key {} is declared twice for {}", quote(id), target.name());
            Diagnostic::new(codes::DUPLICATE_KEY, message)
                .help("give each key its own id; the last declaration is used")
                .at(at)
        });
    }
    index
}

fn warn_target(id: &str, target: &str, graph: &mut XmlGraph, at: Span) {
    graph.graph.warn(codes::KEY_OF_OTHER_ELEMENTS, || {
        let message = format!(
            "expected `node`, `edge`, `graph` or `all`, found {} as target of the key {}",
            quote(target),
            quote(id)
        );
        Diagnostic::new(codes::KEY_OF_OTHER_ELEMENTS, message)
            .help("write `for=\"node\"` or `for=\"edge\"`; the key was declared for all elements")
            .at(at)
    });
}

/// Reader of the keys of a document.
pub struct KeyPass<'a> {
    graph: &'a mut XmlGraph,
    open: Vec<OpenKeyTag>,
    text: String,
}

/// Open element of the pass.
enum OpenKeyTag {
    /// Element that can contain keys.
    Container,
    Key(usize),
    Default(usize),
    /// Element inside a default.
    Markup,
    Other,
}

impl KeyPass<'_> {
    /// Returns a pass that declares the keys of a graph.
    pub fn new(graph: &mut XmlGraph) -> KeyPass<'_> {
        KeyPass { graph, open: Vec::new(), text: String::new() }
    }
}

impl XmlHandler for KeyPass<'_> {
    fn start(&mut self, element: &XmlElement<'_>, at: Span) -> Result<(), Diagnostic> {
        let open = match (self.open.last(), element.name) {
            (None | Some(OpenKeyTag::Container), b"graphml" | b"graph" | b"node" | b"edge") => {
                OpenKeyTag::Container
            }
            (Some(OpenKeyTag::Container), b"key") => {
                OpenKeyTag::Key(declare_key(element, self.graph, at))
            }
            (Some(OpenKeyTag::Key(key)), b"default") => {
                self.text.clear();
                OpenKeyTag::Default(*key)
            }
            (Some(OpenKeyTag::Default(_) | OpenKeyTag::Markup), _) => OpenKeyTag::Markup,
            _ => OpenKeyTag::Other,
        };
        self.open.push(open);
        Ok(())
    }

    fn text(&mut self, text: &str, _: Span) {
        if let Some(OpenKeyTag::Default(_) | OpenKeyTag::Markup) = self.open.last() {
            self.text.push_str(text);
        }
    }

    fn end(&mut self, at: Span) -> Result<(), Diagnostic> {
        if let Some(OpenKeyTag::Default(key)) = self.open.pop() {
            let text = std::mem::take(&mut self.text);
            self.graph.set_default(key, text, at);
        }
        Ok(())
    }
}
