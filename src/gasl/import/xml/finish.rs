//! Finishes a graph: its direction, groups of nodes, types of attributes in tags, and warnings.

use super::xml_graph::{NodeGroup, XmlGraph};
use crate::base::diagnostic::quote;
use crate::base::map::{pack_pair, unpack_pair};
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element};
use crate::gasl::import::number::{NumberText, read_number};
use crate::gasl::import::value_type::ValueProblem;
use crate::gasl::import::{ImportResult, codes};

/// Names in tags that stay text although all values are numbers.
const TEXT_NAMES: [&str; 3] = ["label", "labels", "name"];

impl XmlGraph {
    /// Returns the graph. `is_directed` is the direction that the document states for all edges.
    pub fn finish(mut self, is_directed: bool) -> ImportResult {
        let (is_directed, mixed) = self.directions.finish(is_directed);
        self.graph.builder.directed = is_directed;
        if let Some(mixed) = mixed {
            self.graph.report(mixed);
        }
        self.set_groups().map_err(|error| vec![error])?;
        self.convert_tags();
        if !self.metadata.is_empty() {
            self.graph.builder.metadata = self.metadata.into();
        }
        for warning in self.skipped.finish() {
            self.graph.report(warning);
        }
        self.graph.finish()
    }

    /// Sets the attribute `group` of nodes in groups: the id of their parent.
    fn set_groups(&mut self) -> Result<(), Diagnostic> {
        if self.groups.is_empty() {
            return Ok(());
        }
        let groups = std::mem::take(&mut self.groups);
        // Pairs of the row of a node and the index of its group, because a node can be in several.
        let rows = groups.iter().map(|(node, _)| *node).zip(0..);
        let mut pairs: Vec<u64> = rows.map(|(node, nth)| pack_pair(node, nth)).collect();
        pairs.sort_unstable();
        let mut name = "group".to_owned();
        while self.graph.builder.has_attribute(Element::Node(0), &name) {
            name.push('_');
        }
        let at = Span::new(0, 0);
        let index = self.graph.attribute_index(Element::Node(0), &name, at)?;
        let mut count = 0;
        for of_node in pairs.chunk_by(|a, b| unpack_pair(*a).0 == unpack_pair(*b).0) {
            let Some((node, _)) = of_node.first().map(|pair| unpack_pair(*pair)) else {
                continue;
            };
            let mut parents: Vec<String> = Vec::new();
            for (_, group) in
                of_node.iter().filter_map(|pair| groups.get(unpack_pair(*pair).1 as usize))
            {
                let id = match group {
                    NodeGroup::Row(row) => self.graph.builder.node_id(*row),
                    NodeGroup::Id(id) => id,
                };
                if parents.last().is_none_or(|last| last != id) {
                    parents.push(id.to_owned());
                }
            }
            let value = match parents.as_slice() {
                [parent] => AttributeValue::Text(parent),
                _ => AttributeValue::Value(Value::list(
                    parents.iter().map(|id| id.as_str().into()).collect(),
                )),
            };
            self.graph.builder.set_at(Element::Node(node), index, value);
            count += 1;
        }
        self.graph.warn(codes::NESTED_NODES, || {
            let nodes = if count == 1 { "one node is" } else { &format!("{count} nodes are") };
            Diagnostic::new(codes::NESTED_NODES, format!("{nodes} in the group of another node"))
                .help(format!("query the id of the group as {}", quote(&name)))
        });
        Ok(())
    }

    /// Converts attributes of tags to numbers if all their values are numbers.
    fn convert_tags(&mut self) {
        for element in [Element::Node(0), Element::Edge(0)] {
            let uses = std::mem::take(self.attribute_uses(element).1);
            for (index, found) in uses.into_iter().enumerate() {
                let name = self.graph.builder.attribute_name(element, index).unwrap_or_default();
                if found.in_data || !found.in_tags || TEXT_NAMES.contains(&name) {
                    continue;
                }
                self.convert_tag(element, index);
            }
        }
    }

    fn convert_tag(&mut self, element: Element, index: usize) {
        let texts = self.graph.builder.attribute_texts(element, index);
        let (mut has_number, mut infinite) = (false, None);
        for text in texts {
            match read_number(text) {
                NumberText::Finite(_) => has_number = true,
                NumberText::NotFinite => infinite = Some(text.to_owned()),
                NumberText::TooLong(_) | NumberText::NotNumber => return,
            }
        }
        // Names such as `Nan` alone are not numbers.
        if !has_number {
            return;
        }
        self.graph.builder.convert_texts(element, index, |text| match read_number(text) {
            NumberText::Finite(number) => AttributeValue::Number(number),
            _ => AttributeValue::Null,
        });
        if let Some(text) = infinite {
            let name = self.graph.builder.attribute_name(element, index).unwrap_or_default();
            let warning = ValueProblem::NotFinite.diagnostic(name, &text);
            self.graph.warn(codes::NOT_FINITE, || warning);
        }
    }
}
