//! Context for a planner: all nodes, with the unique names of their outputs.

use super::codes;
use super::naming::{NamingOptions, OutputNames, PreviousNames, without_number};
use super::naming_cache::fingerprint;
use super::run::Secrets;
use super::workflow::{DEFAULT_ACTION, Node, Workflow, keys_of};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, names};
use std::rc::Rc;

/// Context for a planner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannerContext {
    /// Text for the model.
    pub markdown: String,
    /// All nodes: `{name, id, description?, purpose?, inputs, outputs, actions?}`, with the stored names of
    /// the outputs in the order of the registry.
    pub nodes: Value,
    /// Hash of everything that the names depend on.
    pub fingerprint: String,
}

/// Maximum length of the context text for a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextBudget {
    #[default]
    None,
    /// UTF-16 code units.
    Characters(usize),
    /// Tokens of a model, by an estimate that is rather too high.
    Tokens(usize),
}

impl TextBudget {
    /// Reads `{characters}` or `{tokens}`.
    pub fn read(value: Option<&Value>) -> Result<TextBudget, Diagnostic> {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            return Ok(TextBudget::None);
        };
        let count = |key: &str| {
            value.get(key)?.as_number().filter(|count| *count >= 0.0).map(|count| count as usize)
        };
        match (count("characters"), count("tokens")) {
            (Some(characters), None) => Ok(TextBudget::Characters(characters)),
            (None, Some(tokens)) => Ok(TextBudget::Tokens(tokens)),
            _ => Err(Diagnostic::new(codes::INVALID_OPTION, "invalid budget")
                .help("write `{\"characters\": 8000}` or `{\"tokens\": 2000}`")
                .at_pointer("/budget")),
        }
    }

    fn fits(self, text: &str) -> bool {
        match self {
            TextBudget::None => true,
            TextBudget::Characters(limit) => text.encode_utf16().count() <= limit,
            TextBudget::Tokens(limit) => estimate_tokens(text) <= limit,
        }
    }
}

/// Estimates the number of tokens: one for four ASCII letters of a word, one for each other character.
fn estimate_tokens(text: &str) -> usize {
    let mut count = 0;
    let mut letters = 0;
    for character in text.chars() {
        if character.is_ascii_alphabetic() {
            count += usize::from(letters % 4 == 0);
            letters += 1;
        } else {
            letters = 0;
            count += usize::from(character != ' ');
        }
    }
    count
}

/// Builds the context of a workflow.
pub fn build_context(
    workflow: &Workflow,
    names: &OutputNames,
    options: &NamingOptions,
    budget: TextBudget,
) -> PlannerContext {
    let views = node_views(workflow, names);
    PlannerContext {
        markdown: markdown(workflow, &views, budget),
        nodes: Value::list(views.iter().map(NodeView::to_value).collect::<Vec<_>>()),
        fingerprint: fingerprint(workflow, options),
    }
}

/// Node with the stored names of its outputs.
struct NodeView<'a> {
    node: &'a Node,
    outputs: Vec<&'a str>,
    /// Description and purpose, without secrets.
    texts: [String; 2],
    /// Whether the id is shown, because the type alone is ambiguous.
    shows_id: bool,
}

fn node_views<'a>(workflow: &'a Workflow, names: &'a OutputNames) -> Vec<NodeView<'a>> {
    let mut secrets = Secrets::default();
    for (name, input) in workflow.inputs.iter().filter(|(_, input)| input.secret) {
        secrets.add(name, input.default.as_ref());
    }
    let mut counts: OrderedMap<usize> = OrderedMap::default();
    for node in &workflow.nodes {
        *counts.entry(node.kind.clone()).or_insert(0) += 1;
    }
    let view = |(node_index, node): (usize, &'a Node)| {
        let stored = |key: &'a Rc<str>| &**names.of(node_index, node, key);
        let outputs: Vec<&str> = node.outputs.iter().map(|output| stored(&output.key)).collect();
        let is_renamed = node.outputs.iter().any(|output| *stored(&output.key) != *output.key);
        let is_repeated = counts.get(&node.kind).is_some_and(|count| *count > 1);
        let texts = [&*node.description, &*node.purpose].map(|text| secrets.redact(text));
        NodeView { node, outputs, texts, shows_id: is_renamed || is_repeated }
    };
    workflow.nodes.iter().enumerate().map(view).collect::<Vec<_>>()
}

impl NodeView<'_> {
    fn to_value(&self) -> Value {
        let list = |texts: &mut dyn Iterator<Item = &str>| {
            Value::list(texts.map(Value::from).collect::<Vec<_>>())
        };
        let node = self.node;
        let mut parts = vec![("name", Value::from(&node.kind)), ("id", (&node.id).into())];
        for (key, text) in ["description", "purpose"].into_iter().zip(&self.texts) {
            if !text.is_empty() {
                parts.push((key, text.as_str().into()));
            }
        }
        parts.push(("inputs", list(&mut node.inputs.iter().map(|input| &*input.key))));
        parts.push(("outputs", list(&mut self.outputs.iter().copied())));
        if !node.actions.is_empty() {
            parts.push(("actions", list(&mut node.actions.iter().map(String::as_str))));
        }
        Value::map_of(parts)
    }

    /// Returns a section `### type (id)` with the inputs and outputs.
    fn markdown(&self, has_descriptions: bool) -> String {
        let node = self.node;
        let mut text = format!("### {}", one_line(&node.kind));
        if self.shows_id {
            text.push_str(&format!(" ({})", one_line(&node.id)));
        }
        for part in &self.texts {
            if has_descriptions && !part.is_empty() {
                text.push_str(&format!("\n{}", one_line(part)));
            }
        }
        let inputs = node.inputs.iter().map(|input| &*input.key);
        push_names(&mut text, "Inputs", &mut inputs.into_iter());
        push_names(&mut text, "Outputs", &mut self.outputs.iter().copied());
        let actions = node.actions.iter().map(String::as_str);
        if node.actions.iter().any(|action| action != DEFAULT_ACTION) {
            push_names(&mut text, "Actions", &mut actions.into_iter());
        }
        text
    }
}

/// Adds a line of names, unless there are none.
fn push_names(text: &mut String, title: &str, names: &mut dyn Iterator<Item = &str>) {
    for (index, name) in names.enumerate() {
        match index {
            0 => text.push_str(&format!("\n**{title}**: ")),
            _ => text.push_str(", "),
        }
        text.push_str(&code(name));
    }
}

/// Returns a name as inline code; as a JSON string if it contains backticks or control characters.
fn code(name: &str) -> String {
    if name.contains(|character: char| character == '`' || character.is_control()) {
        return format!("`` {} ``", Value::from(name).to_text());
    }
    format!("`{name}`")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the nodes, then the inputs of the workflow. Names what the budget excludes.
fn markdown(workflow: &Workflow, views: &[NodeView<'_>], budget: TextBudget) -> String {
    let inputs = inputs_line(workflow);
    let all = |has_descriptions: bool| {
        let nodes = views.iter().map(|view| view.markdown(has_descriptions));
        nodes.chain((!inputs.is_empty()).then(|| inputs.clone())).collect::<Vec<_>>().join("\n\n")
    };
    let complete = all(true);
    if budget.fits(&complete) {
        return complete;
    }
    let short = format!("{}\n\nDescriptions are omitted.", all(false));
    if budget.fits(&short) {
        return short;
    }
    let truncated = |count: usize| {
        let omitted = views.get(count..).unwrap_or_default();
        let nodes = views.iter().take(count).map(|view| view.markdown(false));
        let ids = names::list(omitted.iter().map(|view| &*view.node.id));
        let more = if count == 0 { "" } else { "more " };
        let nodes_are = if omitted.len() == 1 { "node is" } else { "nodes are" };
        let mut note = format!("{} {more}{nodes_are} omitted: {ids}", omitted.len());
        let mut texts = views.iter().take(count).flat_map(|view| &view.texts);
        if texts.any(|text| !text.is_empty()) {
            note.push_str(". Descriptions are omitted too.");
        }
        let inputs = (!inputs.is_empty()).then(|| inputs.clone());
        nodes.chain(inputs).chain([note]).collect::<Vec<_>>().join("\n\n")
    };
    // Binary search for the maximum number of nodes.
    let (mut low, mut high) = (0, views.len());
    while low + 1 < high {
        let middle = low.midpoint(high);
        if budget.fits(&truncated(middle)) { low = middle } else { high = middle }
    }
    let text = truncated(low);
    if budget.fits(&text) {
        return text;
    }
    let minimum = format!("{} nodes", views.len());
    if budget.fits(&minimum) { minimum } else { String::new() }
}

fn inputs_line(workflow: &Workflow) -> String {
    let mut text = String::new();
    push_names(&mut text, "Workflow inputs", &mut workflow.inputs.keys().map(|name| &**name));
    text.trim_start().to_owned()
}

const PASS_UNCHANGED: &str = "pass the result of `buildContext` unchanged";

/// Returns the names that a context has for the outputs of a workflow.
pub fn names_from_context(
    context: &Value,
    workflow: &Workflow,
    options: &NamingOptions,
) -> (PreviousNames, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut previous = PreviousNames::from_workflow(workflow);
    previous.nodes.resize(workflow.nodes.len(), OrderedMap::default());
    let Some(entries) = context.get("nodes").and_then(Value::as_list) else {
        diagnostics.push(
            Diagnostic::new(codes::INVALID_CONTEXT, "invalid context")
                .help(PASS_UNCHANGED)
                .at_pointer("/context"),
        );
        return (previous, diagnostics);
    };
    let mut node_indices = OrderedMap::default();
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        node_indices.insert(node.id.clone(), node_index);
    }
    for (index, entry) in entries.iter().enumerate() {
        let Some((id, kind, outputs)) = parts(entry) else {
            diagnostics.push(
                Diagnostic::new(codes::INVALID_CONTEXT, "invalid node in the context")
                    .help(PASS_UNCHANGED)
                    .at_pointer(format!("/context/nodes/{index}")),
            );
            continue;
        };
        let node_index = node_indices.get(id).copied();
        let node = node_index.and_then(|node_index| workflow.nodes.get(node_index));
        let (Some(node_index), Some(node)) = (node_index, node) else {
            let id: Rc<str> = id.into();
            for name in outputs.iter() {
                previous.gone.entry((*name).into()).or_insert_with(|| id.clone());
            }
            continue;
        };
        let is_same_shape = *node.kind == *kind && node.outputs.len() == outputs.len();
        if !is_same_shape || has_foreign_name(node, &outputs, options) {
            diagnostics.push(
                Diagnostic::new(
                    codes::CHANGED_NODE,
                    format!("{} has changed since the context was built", quote(id)),
                )
                .help(
                    "build the context again to see the new names of its outputs, or repeat the mappings that it \
                     was built with",
                )
                .at_pointer(format!("/nodes/{node_index}")),
            );
            continue;
        }
        let Some(names) = previous.nodes.get_mut(node_index) else { continue };
        for (output, name) in node.outputs.iter().zip(&outputs) {
            // Mappings of the workflow take precedence.
            if !node.output_mappings.contains_key(&output.key) && !names.contains_key(&output.key) {
                names.insert(output.key.clone(), (*name).into());
            }
        }
    }
    diagnostics.extend(name_conflicts(workflow, &previous));
    (previous, diagnostics)
}

/// Returns the id, type and output names of a node in the context; `None` if it is invalid.
fn parts(entry: &Value) -> Option<(&str, &str, Vec<&str>)> {
    let outputs = entry.get("outputs")?.as_list()?.iter().map(Value::as_text);
    let outputs: Option<Vec<&str>> = outputs.collect();
    Some((entry.get("id")?.as_text()?, entry.get("name")?.as_text()?, outputs?))
}

/// Reports whether an output has a name that it cannot have got: the name of another output, of this node or
/// of the node in the context.
fn has_foreign_name(node: &Node, names: &[&str], options: &NamingOptions) -> bool {
    let pattern = options.pattern();
    let keys = keys_of(&node.outputs);
    let generated: OrderedMap<()> =
        keys.iter().map(|(key, ())| (pattern.name(&node.id, key).into(), ())).collect();
    let is_known = |name: &str| {
        keys.contains_key(name)
            || generated.contains_key(name)
            || generated.contains_key(without_number(name))
    };
    let fits = |key: &str, name: &str| {
        // Every prefix contains the id and the key.
        let has_other_prefix = || name.contains(&*node.id) && name.contains(key);
        let is_plausible = || node.output_mappings.contains_key(key) || has_other_prefix();
        *name == *key || pattern.matches(name, &node.id, key) || !is_known(name) && is_plausible()
    };
    node.outputs.iter().zip(names).any(|(own, name)| !fits(&own.key, name))
}

/// Reports names of the context that the workflow uses for something else.
fn name_conflicts(workflow: &Workflow, previous: &PreviousNames) -> Vec<Diagnostic> {
    let mut owners = OrderedMap::default();
    let mut diagnostics = Vec::new();
    for (node_index, (node, names)) in workflow.nodes.iter().zip(&previous.nodes).enumerate() {
        for (key, name) in names {
            if node.writes(key) == name {
                continue;
            }
            if owners.insert(name.clone(), node_index).is_some() {
                let message = format!("duplicate name {} in the context", quote(name));
                diagnostics.push(
                    Diagnostic::new(codes::INVALID_CONTEXT, message)
                        .help(PASS_UNCHANGED)
                        .at_pointer("/context"),
                );
            }
        }
    }
    let owner = |name: &str| {
        let node_index: usize = *owners.get(name)?;
        workflow.nodes.get(node_index).map(|node| &*node.id)
    };
    let conflict = |name: &str, owner: &str, at: String| {
        let message =
            format!("the name {} belongs to {} in the context", quote(name), quote(owner));
        let help = "rename this one, or build the context again";
        Diagnostic::new(codes::CONTEXT_NAME, message).help(help).at_pointer(at)
    };
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        for (key, name) in node.output_mappings.iter() {
            if let Some(owner) = owner(name).filter(|owner| **owner != *node.id) {
                let id = pointer_step(&node.id);
                let at = format!("/mappings/{id}/output_mappings/{}", pointer_step(key));
                diagnostics.push(conflict(name, owner, at));
            }
        }
        for port in node.inputs.iter().chain(node.outputs.iter()) {
            if let Some(owner) = owner(&port.key) {
                diagnostics.push(conflict(&port.key, owner, format!("/nodes/{node_index}")));
            }
        }
    }
    for name in workflow.inputs.keys() {
        if let Some(owner) = owner(name) {
            diagnostics.push(conflict(name, owner, format!("/inputs/{}", pointer_step(name))));
        }
    }
    diagnostics
}

impl PlannerContext {
    /// Returns `{markdown, nodes, fingerprint}`.
    pub fn to_value(&self) -> Map {
        let mut map = Map::default();
        map.insert("markdown".into(), self.markdown.as_str().into());
        map.insert("nodes".into(), self.nodes.clone());
        map.insert("fingerprint".into(), self.fingerprint.as_str().into());
        map
    }
}
