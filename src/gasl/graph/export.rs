//! Exports a graph as JSON that imports as an equal graph.

use super::table::AttributeTable;
use super::{Element, Graph};
use crate::base::Value;
use crate::base::json::write_text;
use crate::base::value::Map;

/// Value of `format` in exported JSON, whose texts have no export quotes any more.
pub const FORMAT: &str = "gasl-graph";

impl Graph {
    /// Returns the graph as node-link JSON with [`FORMAT`]. Generated edge ids are omitted, because
    /// the import generates them again.
    pub fn to_json(&self) -> String {
        let mut out = format!("{{\"format\":\"{FORMAT}\",\"directed\":{}", self.directed);
        for (name, value) in [("graph", &self.metadata), ("sources", &self.source_texts)] {
            if !value.is_null() {
                out.push_str(&format!(",\"{name}\":"));
                value.write(&mut out);
            }
        }
        out.push_str(",\"nodes\":[");
        write_rows(&mut out, self.node_count(), |node, out| {
            self.write_row(Element::Node(node), out)
        });
        out.push_str("],\"edges\":[");
        write_rows(&mut out, self.edge_count(), |edge, out| {
            self.write_edge(edge, self.explicit_edge_id(edge), out);
        });
        out.push(']');
        if !(self.raw.nodes.columns.is_empty() && self.raw.edges.columns.is_empty()) {
            out.push_str(",\"raw\":{\"nodes\":{");
            write_raw_values(&self.raw.nodes, self.node_count(), &mut out, |node| {
                self.node_id(node).to_owned()
            });
            out.push_str("},\"edges\":{");
            write_raw_values(&self.raw.edges, self.edge_count(), &mut out, |edge| edge.to_string());
            out.push_str("}}");
        }
        out.push('}');
        out
    }
}

fn write_rows(out: &mut String, count: usize, write: impl Fn(u32, &mut String)) {
    for row in 0..count as u32 {
        if row > 0 {
            out.push(',');
        }
        write(row, out);
    }
}

fn write_raw_values(
    table: &AttributeTable,
    count: usize,
    out: &mut String,
    key: impl Fn(u32) -> String,
) {
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
        write_text(&key(row), out);
        out.push(':');
        Value::from(fields).write(out);
    }
}
