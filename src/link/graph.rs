//! A HAM document as a graph.
//!
//! A HAM node whose value is a map or list is a graph node; the literals of a map are its attributes. A pointer to
//! such a node, or to a missing one, is an edge whose `type` is its key. That is `name`, also for items of a list,
//! `address.city` in a nested map, and `item` in a node that is a list. A pointer to a text or number is resolved:
//! the attribute has the value of its target. Edges are directed. A text is copied for each pointer to it, and a
//! key for each edge of that type, up to a limit in bytes.
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::gasl::graph::{AttributeValue, Element, Graph, GraphBuilder, QuoteHandling};
use crate::gasl::import::{ImportLimits, codes};
use crate::ham::arena::{self, NodeRef};
use crate::ham::document::Document;

/// Type of the edges from a node that is a list.
const ITEM_EDGE_TYPE: &str = "item";

/// Returns the graph of a document.
pub fn graph_of(document: &Document, limits: ImportLimits) -> Result<Graph, Diagnostic> {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    builder.directed = true;
    let nodes: Vec<NodeRef> =
        document.existing_nodes().filter(|node| document.value(*node).is_container()).collect();
    for node in &nodes {
        builder.add_node(document.id(*node));
    }
    let mut reading =
        DocumentReader { document, builder, edges: Vec::new(), copy_budget: limits.bytes };
    for node in nodes {
        reading.read(node);
    }
    match reading.copy_budget {
        0 => Err(size_limit_exceeded(limits.bytes)),
        _ => Ok(reading.builder.finish().0),
    }
}

fn size_limit_exceeded(limit: usize) -> Diagnostic {
    let message = format!("texts that many pointers lead to are more than {limit} bytes together");
    let help = "put such a text into a node that is a map: then the pointers are edges, and it is stored once";
    Diagnostic::new(codes::LIMIT_EXCEEDED, message).help(help)
}

struct DocumentReader<'a> {
    document: &'a Document,
    builder: GraphBuilder,
    /// Edges of the current node: target and type.
    edges: Vec<(NodeRef, String)>,
    /// Number of bytes that may still be copied; 0 after the limit is exceeded.
    copy_budget: usize,
}

impl DocumentReader<'_> {
    fn read(&mut self, node: NodeRef) {
        let document = self.document;
        let row = self.builder.endpoint(document.id(node));
        match document.value(node) {
            arena::Value::Map(map) => {
                for (key, value) in document.arena.entries(map) {
                    let key = document.keys.text(key.0);
                    if let Some(literal) = self.literal(value, key) {
                        self.builder.set(Element::Node(row), key, AttributeValue::from(&literal));
                    }
                }
            }
            list => drop(self.literal(list, ITEM_EDGE_TYPE)),
        }
        for (target, kind) in std::mem::take(&mut self.edges) {
            let target = self.builder.endpoint(document.id(target));
            let (edge, _) = self.builder.add_edge(None, row, target);
            self.builder.set(Element::Edge(edge), "type", AttributeValue::Text(&kind));
        }
    }

    /// Returns a value without its pointers to nodes, which become edges; `None` if nothing is left. Recursion is
    /// bounded by the depth limit of the parser.
    fn literal(&mut self, value: arena::Value, path: &str) -> Option<Value> {
        let document = self.document;
        match value {
            arena::Value::Missing | arena::Value::Delta(_) | arena::Value::MapDelta(_) => None,
            arena::Value::Null => Some(Value::Null),
            arena::Value::Bool(value) => Some(value.into()),
            arena::Value::Number(number) => Some(number.into()),
            arena::Value::Text(text) => Some(document.arena.text(text).into()),
            arena::Value::Pointer(node) => self.pointer(node, path),
            arena::Value::Pointers(run) => {
                let nodes = document.arena.pointers(run).iter();
                let items: Vec<Value> =
                    nodes.filter_map(|node| self.pointer(NodeRef(*node), path)).collect();
                (run.len == 0 || !items.is_empty()).then(|| items.into())
            }
            arena::Value::List(list) => {
                let items = document.arena.items(list).iter();
                let items: Vec<Value> =
                    items.filter_map(|item| self.literal(*item, path)).collect();
                (!items.is_empty()).then(|| items.into())
            }
            arena::Value::Map(map) => {
                let mut literals = Map::default();
                let mut entries = 0;
                for (key, value) in document.arena.entries(map) {
                    entries += 1;
                    let key = document.keys.text(key.0);
                    if let Some(value) = self.literal(value, &format!("{path}.{key}")) {
                        literals.insert(key.into(), value);
                    }
                }
                (entries == 0 || !literals.is_empty()).then(|| literals.into())
            }
        }
    }

    fn pointer(&mut self, node: NodeRef, path: &str) -> Option<Value> {
        let document = self.document;
        let value = document.value(node);
        let is_edge = value.is_missing() || value.is_container();
        let copied = match value {
            arena::Value::Text(text) => document.arena.text(text).len(),
            _ if is_edge => path.len(),
            _ => 0,
        };
        self.copy_budget = self.copy_budget.saturating_sub(copied);
        if self.copy_budget == 0 {
            return None;
        }
        if is_edge {
            self.edges.push((node, path.to_owned()));
            return None;
        }
        self.literal(value, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ham::document::StoreSettings;
    use crate::ham::store::Store;
    use crate::ham::surface::message_text::HostEncoding;

    #[test]
    fn pointers_are_edges_and_literals_attributes() {
        let mut store = Store::new(StoreSettings::default());
        let applied = store.apply(
            br#"{
                "root": {"title": "*t", "users": ["*u1", "*u2", 7], "empty": [], "none": null},
                "t": "Hello",
                "u1": {"name": "Alice", "address": {"city": "*c", "zip": "1"}, "boss": "*gone"},
                "u2": {"name": "Bob", "id": 9},
                "c": {"name": "Rome"},
                "list": ["*u1", "*t", {"in": "*u2"}]
            }"#,
            HostEncoding::Bytes,
        );
        assert!(applied.ok);
        let graph = graph_of(&store.document, ImportLimits::default()).unwrap();
        let nodes: Vec<String> =
            (0..graph.node_count() as u32).map(|node| graph.node_row(node).to_text()).collect();
        assert_eq!(
            nodes,
            [
                r#"{"id":"root","title":"Hello","users":[7],"empty":[],"none":null}"#,
                r#"{"id":"u1","name":"Alice","address":{"zip":"1"}}"#,
                r#"{"id":"u2","name":"Bob","id_":9}"#,
                r#"{"id":"c","name":"Rome"}"#,
                r#"{"id":"list"}"#,
                r#"{"id":"gone"}"#,
            ]
        );
        let edges: Vec<String> = (0..graph.edge_count() as u32)
            .map(|edge| {
                let value = |field| graph.edge_value(edge, field).unwrap_or_default();
                let texts = ["source", "type", "target"].map(value);
                texts.each_ref().map(|text| text.as_text().unwrap_or_default()).join(" ")
            })
            .collect();
        assert_eq!(
            edges,
            [
                "root users u1",
                "root users u2",
                "u1 address.city c",
                "u1 boss gone",
                "list item u1",
                "list item.in u2",
            ]
        );
        assert!(graph.is_directed());
    }

    #[test]
    fn what_is_copied_is_bounded() {
        let limits = ImportLimits { bytes: 100, ..ImportLimits::default() };
        let graph = |text: &str| {
            let mut store = Store::new(StoreSettings::default());
            assert!(store.apply(text.as_bytes(), HostEncoding::Bytes).ok);
            graph_of(&store.document, limits).map(|graph| graph.node_count())
        };
        let long = "x".repeat(30);
        let texts = |pointers| format!(r#"{{"t": "{long}", "root": {{"a": [{pointers}]}}}}"#);
        assert_eq!(graph(&texts(r#""*t", "*t", "*t""#)).unwrap(), 1);
        let error = graph(&texts(r#""*t", "*t", "*t", "*t""#)).unwrap_err();
        assert_eq!(error.code, codes::LIMIT_EXCEEDED);
        let edges = |pointers| format!(r#"{{"n": {{}}, "root": {{"{long}": [{pointers}]}}}}"#);
        assert_eq!(graph(&edges(r#""*n", "*n", "*n""#)).unwrap(), 2);
        assert_eq!(
            graph(&edges(r#""*n", "*n", "*n", "*n""#)).unwrap_err().code,
            codes::LIMIT_EXCEEDED
        );
    }
}
