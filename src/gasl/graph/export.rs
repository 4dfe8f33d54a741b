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
        self.to_json_within(usize::MAX).unwrap_or_default()
    }

    /// Returns the JSON of the graph; `None` if it has more than `max` bytes.
    pub fn to_json_within(&self, max: usize) -> Option<String> {
        let mut out = format!("{{\"format\":\"{FORMAT}\",\"directed\":{}", self.directed);
        for (name, value) in [("graph", &self.metadata), ("sources", &self.source_texts)] {
            if !value.is_null() {
                out.push_str(&format!(",\"{name}\":"));
                value.write(&mut out);
            }
        }
        out.push_str(",\"nodes\":[");
        write_rows(&mut out, self.node_count(), max, |node, out| {
            self.write_row(Element::Node(node), out)
        });
        out.push_str("],\"edges\":[");
        write_rows(&mut out, self.edge_count(), max, |edge, out| {
            self.write_edge(edge, self.explicit_edge_id(edge), out);
        });
        out.push(']');
        if !(self.raw.nodes.columns.is_empty() && self.raw.edges.columns.is_empty()) {
            out.push_str(",\"raw\":{\"nodes\":{");
            write_raw_values(&self.raw.nodes, self.node_count(), max, &mut out, |node| {
                self.node_id(node).to_owned()
            });
            out.push_str("},\"edges\":{");
            let key = |edge: u32| edge.to_string();
            write_raw_values(&self.raw.edges, self.edge_count(), max, &mut out, key);
            out.push_str("}}");
        }
        out.push('}');
        (out.len() <= max).then_some(out)
    }
}

/// Writes rows until the text has more than `max` bytes.
fn write_rows(out: &mut String, count: usize, max: usize, write: impl Fn(u32, &mut String)) {
    for row in 0..count as u32 {
        if out.len() > max {
            return;
        }
        if row > 0 {
            out.push(',');
        }
        write(row, out);
    }
}

fn write_raw_values(
    table: &AttributeTable,
    count: usize,
    max: usize,
    out: &mut String,
    key: impl Fn(u32) -> String,
) {
    let mut first = true;
    for row in 0..count as u32 {
        if out.len() > max {
            return;
        }
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
