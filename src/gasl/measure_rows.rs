//! Rows of `MEASURE`: `{id, <measure>}`.

use super::graph::{Graph, Measure};
use super::graph_access::node_sources;
use super::variable::{Rows, Values, row_values};
use crate::base::Value;
use std::rc::Rc;

/// Values of a measure at some nodes.
pub struct MeasureRows {
    graph: Rc<Graph>,
    measure: Measure,
    nodes: Rc<[u32]>,
    /// Value of each row.
    values: Rc<[f64]>,
}

impl MeasureRows {
    /// Creates rows from the values of all nodes.
    pub fn new(
        graph: Rc<Graph>,
        measure: Measure,
        nodes: Vec<u32>,
        all_values: &[f64],
    ) -> MeasureRows {
        let value = |node: &u32| all_values.get(*node as usize).copied().unwrap_or_default();
        let values = nodes.iter().map(value).collect();
        MeasureRows { graph, measure, nodes: nodes.into(), values }
    }
}

impl Rows for MeasureRows {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let id = self.graph.node_id(*self.nodes.get(index)?);
        let value = *self.values.get(index)?;
        Some(Value::map([("id", id.into()), (self.measure.word(), value.into())]))
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        if name == self.measure.word() {
            return Box::new(|index| self.values.get(index).map(|value| (*value).into()));
        }
        if name == "id" {
            let id = |node: &u32| self.graph.node_id(*node).into();
            return Box::new(move |index| self.nodes.get(index).map(id));
        }
        row_values(self, name)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let node = self.nodes.get(index);
        node.map(|node| node_sources(&self.graph, *node)).unwrap_or_default()
    }

    fn distinct_source_count(&self) -> usize {
        let nodes = self.nodes.iter().copied().map(super::graph::Element::Node);
        self.graph.distinct_source_count(nodes)
    }

    fn fields(&self) -> Vec<String> {
        ["id", self.measure.word()].map(str::to_owned).to_vec()
    }

    fn index_count(&self) -> usize {
        // A number takes as much memory as two indices.
        self.nodes.len() * 3
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let nodes = indices.iter().filter_map(|index| self.nodes.get(*index).copied());
        let values = indices.iter().filter_map(|index| self.values.get(*index).copied());
        Rc::new(MeasureRows {
            graph: self.graph.clone(),
            measure: self.measure,
            nodes: nodes.collect(),
            values: values.collect(),
        })
    }
}
