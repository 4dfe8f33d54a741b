//! Export of a compiled workflow: node-link JSON and Mermaid flowcharts.

use super::compile::Flow;
use super::naming::OutputNames;
use super::wiring::{NodeWiring, Wiring};
use super::workflow::{DEFAULT_ACTION, END_NODE, Workflow, WorkflowEdge};
use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::base::value::{Map, put};
use std::rc::Rc;

impl Flow {
    /// Returns node-link JSON: `{directed, multigraph, graph, nodes: [{id, type, …, output_mappings?,
    /// input_mappings?, output_aliases?, template_mappings?}], links: [{source, target, action}]}`.
    /// `template_mappings` contains names in templates with the names that they are stored under; those of
    /// the workflow's outputs are in `graph`.
    pub fn to_value(&self) -> Value {
        let source = self.workflow.outline.as_ref().map(|outline| outline.value());
        let source = source.unwrap_or_default();
        let mut graph = Map::default();
        let copied =
            ["ir_version", "name", "description", "start_node", "inputs", "outputs", "mappings"];
        for key in copied {
            if let Some(value) = source.get(key) {
                put(&mut graph, key, value.clone());
            }
        }
        if let Some(inputs) = graph.get_mut("inputs").and_then(Value::as_map_mut) {
            self.remove_secrets(inputs);
        }
        let mappings = self
            .wiring
            .outputs
            .iter()
            .filter_map(|(output, templates)| Some((&**output, renamed_templates(templates)?)));
        let mappings = Value::map_of(mappings.collect::<Vec<_>>());
        if mappings.as_map().is_some_and(|map| !map.is_empty()) {
            put(&mut graph, "template_mappings", mappings);
        }
        Value::map([
            ("directed", true.into()),
            ("multigraph", true.into()),
            ("graph", graph.into()),
            ("nodes", Value::list(self.nodes(&source))),
            ("links", Value::list(self.links())),
        ])
    }

    fn nodes(&self, source: &Value) -> Vec<Value> {
        let sources = source.get("nodes").and_then(Value::as_list).unwrap_or_default();
        let compiled = self.workflow.nodes.iter().zip(&self.wiring.nodes).enumerate();
        let each = sources.iter().zip(compiled).map(|(source, (node_index, (node, wiring)))| {
            let mut outputs = self.names.mappings(node_index, node);
            let mut node = source.as_map().cloned().unwrap_or_default();
            node.extend(node_mappings(&mut outputs, wiring));
            if let Some(templates) = renamed_templates(&wiring.templates) {
                put(&mut node, "template_mappings", templates);
            }
            node.into()
        });
        each.collect::<Vec<_>>()
    }

    fn links(&self) -> Vec<Value> {
        let id = |node_index: usize| {
            Value::from(self.workflow.nodes.get(node_index).map_or("", |node| &*node.id))
        };
        let link = |edge: &WorkflowEdge| {
            let action = (&edge.action).into();
            Value::map([("source", id(edge.from)), ("target", id(edge.to)), ("action", action)])
        };
        self.edges_between_nodes().map(link).collect::<Vec<_>>()
    }

    fn edges_between_nodes(&self) -> impl Iterator<Item = &WorkflowEdge> {
        self.workflow.edges.iter().filter(|edge| edge.to != END_NODE)
    }

    /// Removes the defaults of secret inputs.
    fn remove_secrets(&self, inputs: &mut Map) {
        for (name, input) in &self.workflow.inputs {
            if input.secret
                && let Some(map) = inputs.get_mut(name).and_then(Value::as_map_mut)
            {
                map.shift_remove("default");
            }
        }
    }

    /// Returns the mappings of all nodes that have any: `{id: {output_mappings?,
    /// input_mappings?, output_aliases?}}`.
    pub fn mappings(&self) -> Value {
        all_mappings(&self.workflow, &self.names, &self.wiring)
    }

    /// Returns a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        let mut text = String::from("flowchart TD\n");
        for (node_index, node) in self.workflow.nodes.iter().enumerate() {
            let label = [escape_label(&node.id), escape_label(&node.kind)].join("<br/>");
            text.push_str(&format!("  n{node_index}[\"{label}\"]\n"));
        }
        for edge in self.edges_between_nodes() {
            let arrow = match &*edge.action {
                DEFAULT_ACTION => "-->".to_owned(),
                action => format!("-->|\"{}\"|", escape_label(action)),
            };
            text.push_str(&format!("  n{} {arrow} n{}\n", edge.from, edge.to));
        }
        text
    }
}

/// Returns the mappings of all nodes that have any.
pub fn all_mappings(workflow: &Workflow, names: &OutputNames, wiring: &Wiring) -> Value {
    let mut map = Map::default();
    for (node_index, (node, wiring)) in workflow.nodes.iter().zip(&wiring.nodes).enumerate() {
        let mapped = node_mappings(&mut names.mappings(node_index, node), wiring);
        if !mapped.is_empty() {
            map.insert(node.id.clone(), mapped.into());
        }
    }
    map.into()
}

/// Iterator over keys with names.
type KeyNamePairs<'a> = dyn Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> + 'a;

fn node_mappings<'a>(outputs: &mut KeyNamePairs<'a>, wiring: &'a NodeWiring) -> Map {
    let mut map = Map::default();
    let mut put_names = |key: &str, names: &mut KeyNamePairs<'a>| {
        let mut part = Map::default();
        part.extend(names.map(|(key, name)| (key.clone(), name.into())));
        if !part.is_empty() {
            put(&mut map, key, part);
        }
    };
    put_names("output_mappings", outputs);
    put_names("input_mappings", &mut wiring.input_mappings.iter());
    put_names("output_aliases", &mut wiring.output_aliases.iter());
    map
}

/// Returns the names in templates that are stored under other names, or `None` if there are none.
fn renamed_templates(templates: &OrderedMap<Rc<str>>) -> Option<Value> {
    let other = templates.iter().filter(|(name, stored)| name != stored);
    let other: Vec<(&str, Value)> = other.map(|(name, stored)| (&**name, stored.into())).collect();
    (!other.is_empty()).then(|| Value::map_of(other))
}

/// Escapes a text for a Mermaid label.
fn escape_label(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '"' | '<' | '>' | '&' | '#' | ';' | '|' | '`' | '\\' => {
                out.push_str(&format!("#{};", character as u32));
            }
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}
