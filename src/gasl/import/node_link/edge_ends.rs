//! Ends of the edges of a JSON document.

use super::dialect::JsonGraphParts;
use super::document::JsonDocument;
use super::item::{id_of, report_rounded};
use super::nodes::ImportedNodes;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::AttributeValue;
use crate::gasl::import::import_builder::ImportBuilder;
use crate::gasl::import::node_ids::IdOrigin;
use crate::gasl::import::options::ImportOptions;

/// Document and nodes that edges refer to.
pub struct EdgeReader<'a> {
    pub document: &'a JsonDocument<'a>,
    pub parts: &'a JsonGraphParts<'a>,
    pub options: &'a ImportOptions,
    pub ids: &'a ImportedNodes,
    /// Whether numeric ends are positions of nodes.
    pub has_positions: bool,
}

/// End of an edge.
pub enum EndNode {
    /// Row of a node.
    Row(u32),
    /// Id of a node, which may be unlisted.
    Id(String),
}

impl EndNode {
    /// Returns the row of the node, adding the node if it is new.
    pub fn row(self, graph: &mut ImportBuilder, at: Span) -> Result<u32, Diagnostic> {
        match self {
            EndNode::Row(row) => Ok(row),
            EndNode::Id(id) => graph.endpoint(&id, at),
        }
    }
}

impl EdgeReader<'_> {
    /// Returns the end of an edge in a field of an item, or in the item itself; `None` if it is missing
    /// or not an id. Nodes are not added here, because the other end may be missing.
    pub fn edge_end(
        &self,
        value: Option<AttributeValue<'_>>,
        item: Span,
        field: Option<&str>,
        graph: &mut ImportBuilder,
    ) -> Option<EndNode> {
        let node;
        let mut name_in_node = None;
        let value = match value {
            // The d3 force layout replaces endpoints with node objects.
            Some(AttributeValue::Value(map @ Value::Map(_))) => {
                node = map;
                let names = [&*self.ids.field, "id"];
                let name = names.into_iter().find(|name| node.get(name).is_some())?;
                name_in_node = Some(name);
                node.get(name).map(AttributeValue::from)
            }
            value => value,
        };
        if let (true, Some(AttributeValue::Number(number))) = (self.has_positions, &value)
            && number.fract() == 0.0
            && let Some(row) = self.ids.rows.get(*number as usize).filter(|_| *number >= 0.0)
        {
            return Some(EndNode::Row(*row));
        }
        let value = match self.ids.origin {
            // The ids of an inferred field are attributes, which are rounded.
            IdOrigin::Missing if !self.ids.rows.is_empty() => {
                report_rounded(value.as_ref()?, graph, self.document.span(item));
                value
            }
            _ => match (field, name_in_node) {
                (Some(field), Some(name)) => {
                    self.document.exact_id(value, item, &[field, name], graph)
                }
                (field, _) => self.document.exact_id(value, item, field.as_slice(), graph),
            },
        };
        let id = value.and_then(id_of)?;
        // Most ends are listed, so that their ids need not be copied.
        Some(match graph.builder.find_node(&id) {
            Some(row) => EndNode::Row(row),
            None => EndNode::Id(id.into_owned()),
        })
    }
}
