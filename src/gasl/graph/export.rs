//! A graph as JSON that reads back as the same graph.

use super::table::AttributeTable;
use super::{Element, Graph};
use crate::base::Value;
use crate::base::json::write_text;
use crate::base::value::Map;

/// What marks our own JSON: texts in it have lost their quotes already.
pub const FORMAT: &str = "gasl-graph";

impl Graph {
    /// The whole graph as node-link JSON, marked as ours. Ids of edges that were worked out are
    /// worked out again by whoever reads it.
    pub fn to_json(&self) -> String {
        let mut out = format!("{{\"format\":\"{FORMAT}\",\"directed\":{}", self.directed);
        for (name, value) in [("graph", &self.metadata), ("sources", &self.source_texts)] {
            if !value.is_null() {
                out.push_str(&format!(",\"{name}\":"));
                value.write(&mut out);
            }
        }
        out.push_str(",\"nodes\":[");
        list(&mut out, self.node_count(), |node, out| self.write_row(Element::Node(node), out));
        out.push_str("],\"edges\":[");
        list(&mut out, self.edge_count(), |edge, out| {
            self.write_edge(edge, self.explicit_edge_id(edge), out);
        });
        out.push(']');
        if !(self.raw.nodes.columns.is_empty() && self.raw.edges.columns.is_empty()) {
            out.push_str(",\"raw\":{\"nodes\":{");
            originals(&self.raw.nodes, self.node_count(), &mut out, |node| {
                self.node_id(node).to_owned()
            });
            out.push_str("},\"edges\":{");
            originals(&self.raw.edges, self.edge_count(), &mut out, |edge| edge.to_string());
            out.push_str("}}");
        }
        out.push('}');
        out
    }
}

fn list(out: &mut String, count: usize, write: impl Fn(u32, &mut String)) {
    for row in 0..count as u32 {
        if row > 0 {
            out.push(',');
        }
        write(row, out);
    }
}

fn originals(table: &AttributeTable, count: usize, out: &mut String, name: impl Fn(u32) -> String) {
    let mut first = true;
    for row in 0..count as u32 {
        let mut fields = Map::default();
        table.write(row, &mut fields);
        if fields.is_empty() {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        write_text(&name(row), out);
        out.push(':');
        Value::from(fields).write(out);
    }
}
