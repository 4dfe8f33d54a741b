//! A compiled workflow for others: as node-link JSON and as a Mermaid flowchart.

use super::compile::Flow;
use super::naming::Names;
use super::wiring::{NodeWiring, Wiring};
use super::workflow::{DEFAULT_ACTION, Workflow};
use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::base::value::{Map, put};
use std::rc::Rc;

impl Flow {
    /// Node-link JSON: `{directed, multigraph, graph, nodes: [{id, type, …, output_mappings?,
    /// input_mappings?, output_aliases?, template_mappings?}], links: [{source, target, action}]}`.
    /// `template_mappings` are names in templates with those that they are stored under; `graph`
    /// has them for the outputs of the workflow.
    pub fn to_value(&self) -> Value {
        let given = self.workflow.outline.as_ref().map(|outline| outline.value());
        let given = given.unwrap_or_default();
        let mut graph = Map::default();
        let kept =
            ["ir_version", "name", "description", "start_node", "inputs", "outputs", "mappings"];
        for key in kept {
            if let Some(value) = given.get(key) {
                put(&mut graph, key, value.clone());
            }
        }
        if let Some(inputs) = graph.get_mut("inputs").and_then(Value::as_map_mut) {
            self.hide_secrets(inputs);
        }
        let sources = self
            .wiring
            .outputs
            .iter()
            .filter_map(|(output, templates)| Some((&**output, renamed(templates)?)));
        let sources = Value::map_of(sources.collect::<Vec<_>>());
        if sources.as_map().is_some_and(|map| !map.is_empty()) {
            put(&mut graph, "template_mappings", sources);
        }
        Value::map([
            ("directed", true.into()),
            ("multigraph", true.into()),
            ("graph", graph.into()),
            ("nodes", Value::list(self.nodes(&given))),
            ("links", Value::list(self.links())),
        ])
    }

    fn nodes(&self, given: &Value) -> Vec<Value> {
        let given = given.get("nodes").and_then(Value::as_list).unwrap_or_default();
        let read = self.workflow.nodes.iter().zip(&self.wiring.nodes).enumerate();
        let each = given.iter().zip(read).map(|(given, (place, (node, wiring)))| {
            let mut outputs = self.names.mappings(place, node);
            let mut node = given.as_map().cloned().unwrap_or_default();
            node.extend(mappings(&mut outputs, wiring));
            if let Some(templates) = renamed(&wiring.templates) {
                put(&mut node, "template_mappings", templates);
            }
            node.into()
        });
        each.collect::<Vec<_>>()
    }

    fn links(&self) -> Vec<Value> {
        let id =
            |place: usize| Value::from(self.workflow.nodes.get(place).map_or("", |node| &*node.id));
        let link = |edge: &super::workflow::Edge| {
            let action = (&edge.action).into();
            Value::map([("source", id(edge.from)), ("target", id(edge.to)), ("action", action)])
        };
        self.workflow.edges.iter().map(link).collect::<Vec<_>>()
    }

    /// A default of a secret is a secret too.
    fn hide_secrets(&self, inputs: &mut Map) {
        for (name, input) in &self.workflow.inputs {
            if input.secret
                && let Some(map) = inputs.get_mut(name).and_then(Value::as_map_mut)
            {
                map.shift_remove("default");
            }
        }
    }

    /// All nodes that read or write anything under another name: `{id: {output_mappings?,
    /// input_mappings?, output_aliases?}}`.
    pub fn mappings(&self) -> Value {
        all_mappings(&self.workflow, &self.names, &self.wiring)
    }

    /// A Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        let mut text = String::from("flowchart TD\n");
        for (place, node) in self.workflow.nodes.iter().enumerate() {
            let label = [escape(&node.id), escape(&node.kind)].join("<br/>");
            text.push_str(&format!("  n{place}[\"{label}\"]\n"));
        }
        for edge in &self.workflow.edges {
            let arrow = match &*edge.action {
                DEFAULT_ACTION => "-->".to_owned(),
                action => format!("-->|\"{}\"|", escape(action)),
            };
            text.push_str(&format!("  n{} {arrow} n{}\n", edge.from, edge.to));
        }
        text
    }
}

/// All nodes that read or write anything under another name.
pub fn all_mappings(workflow: &Workflow, names: &Names, wiring: &Wiring) -> Value {
    let mut map = Map::default();
    for (place, (node, wiring)) in workflow.nodes.iter().zip(&wiring.nodes).enumerate() {
        let mapped = mappings(&mut names.mappings(place, node), wiring);
        if !mapped.is_empty() {
            map.insert(node.id.clone(), mapped.into());
        }
    }
    map.into()
}

/// Keys with names.
type Pairs<'a> = dyn Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> + 'a;

fn mappings<'a>(outputs: &mut Pairs<'a>, wiring: &'a NodeWiring) -> Map {
    let mut map = Map::default();
    let mut put_names = |key: &str, names: &mut Pairs<'a>| {
        let mut of = Map::default();
        of.extend(names.map(|(key, name)| (key.clone(), name.into())));
        if !of.is_empty() {
            put(&mut map, key, of);
        }
    };
    put_names("output_mappings", outputs);
    put_names("input_mappings", &mut wiring.input_mappings.iter());
    put_names("output_aliases", &mut wiring.output_aliases.iter());
    map
}

/// Names in templates that are stored under others.
fn renamed(templates: &OrderedMap<Rc<str>>) -> Option<Value> {
    let other = templates.iter().filter(|(name, stored)| name != stored);
    let other: Vec<(&str, Value)> = other.map(|(name, stored)| (&**name, stored.into())).collect();
    (!other.is_empty()).then(|| Value::map_of(other))
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
