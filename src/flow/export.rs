//! A compiled workflow for others: as node-link JSON and as a Mermaid flowchart.

use super::compile::Flow;
use super::wiring::NodeWiring;
use super::workflow::DEFAULT_ACTION;
use crate::base::Value;
use crate::base::value::{Map, put};
use indexmap::IndexMap;

impl Flow {
    /// Node-link JSON: `{directed, multigraph, graph, nodes: [{id, type, …, output_mappings?,
    /// input_mappings?, output_aliases?}], links: [{source, target, action}]}`.
    pub fn to_value(&self) -> Value {
        let mut graph = Map::default();
        for key in ["ir_version", "name", "description", "start_node", "inputs", "outputs"] {
            if let Some(value) = self.workflow.value.get(key) {
                put(&mut graph, key, value.clone());
            }
        }
        if let Some(inputs) = graph.get_mut("inputs").and_then(Value::as_map_mut) {
            self.hide_secrets(inputs);
        }
        Value::map([
            ("directed", true.into()),
            ("multigraph", true.into()),
            ("graph", graph.into()),
            ("nodes", Value::list(self.nodes())),
            ("links", Value::list(self.links())),
        ])
    }

    fn nodes(&self) -> Vec<Value> {
        let given = self.workflow.value.get("nodes").and_then(Value::as_list).unwrap_or_default();
        let each = given.iter().zip(&self.wiring.nodes).map(|(node, wiring)| {
            let mut node = node.as_map().cloned().unwrap_or_default();
            node.extend(mappings(wiring));
            node.into()
        });
        each.collect()
    }

    fn links(&self) -> Vec<Value> {
        let id = |place: usize| {
            Value::from(self.workflow.nodes.get(place).map_or("", |node| node.id.as_str()))
        };
        let link = |edge: &super::workflow::Edge| {
            let action = edge.action.as_str().into();
            Value::map([("source", id(edge.from)), ("target", id(edge.to)), ("action", action)])
        };
        self.workflow.edges.iter().map(link).collect()
    }

    /// A default of a secret is a secret too.
    fn hide_secrets(&self, inputs: &mut Map) {
        for (name, input) in &self.workflow.inputs {
            if input.secret
                && let Some(map) = inputs.get_mut(name.as_str()).and_then(Value::as_map_mut)
            {
                map.shift_remove("default");
            }
        }
    }

    /// All nodes that read or write anything under another name: `{id: {output_mappings?,
    /// input_mappings?, output_aliases?}}`.
    pub fn mappings(&self) -> Value {
        all_mappings(&self.workflow, &self.wiring)
    }

    /// A Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        let mut text = String::from("flowchart TD\n");
        for (place, node) in self.workflow.nodes.iter().enumerate() {
            let label = [escape(&node.id), escape(&node.kind)].join("<br/>");
            text.push_str(&format!("  n{place}[\"{label}\"]\n"));
        }
        for edge in &self.workflow.edges {
            let arrow = match edge.action.as_str() {
                DEFAULT_ACTION => "-->".to_owned(),
                action => format!("-->|\"{}\"|", escape(action)),
            };
            text.push_str(&format!("  n{} {arrow} n{}\n", edge.from, edge.to));
        }
        text
    }
}

/// All nodes that read or write anything under another name.
pub fn all_mappings(workflow: &super::workflow::Workflow, wiring: &super::wiring::Wiring) -> Value {
    let mut map = Map::default();
    for (node, wiring) in workflow.nodes.iter().zip(&wiring.nodes) {
        let mapped = mappings(wiring);
        if !mapped.is_empty() {
            map.insert(node.id.as_str().into(), mapped.into());
        }
    }
    map.into()
}

fn mappings(wiring: &NodeWiring) -> Map {
    let mut map = Map::default();
    let parts = [
        ("output_mappings", &wiring.output_mappings),
        ("input_mappings", &wiring.input_mappings),
        ("output_aliases", &wiring.output_aliases),
    ];
    for (key, names) in parts {
        if !names.is_empty() {
            put(&mut map, key, of_names(names));
        }
    }
    map
}

fn of_names(names: &IndexMap<String, String>) -> Value {
    Value::map_of(names.iter().map(|(key, name)| (key.as_str(), name.as_str().into())).collect())
}

/// What stands in a label of Mermaid: no sign that ends it or begins something else.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        match sign {
            '"' | '<' | '>' | '&' | '#' | ';' | '|' | '`' | '\\' => {
                out.push_str(&format!("#{};", sign as u32));
            }
            _ if sign.is_control() => out.push(' '),
            _ => out.push(sign),
        }
    }
    out
}
