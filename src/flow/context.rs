//! What a planner is shown: every output under the name that nobody else writes.

use super::analysis::fingerprint;
use super::codes;
use super::naming::{Names, Options, Reserved, unnumbered};
use super::run::Secrets;
use super::workflow::{DEFAULT_ACTION, Node, Workflow, keys_of};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, names};
use std::rc::Rc;

/// The planner's view of a workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// For the model.
    pub markdown: String,
    /// All nodes: `{name, id, description?, purpose?, inputs, outputs, actions?}`, the outputs in
    /// the order of the registry, under the names that they are stored under.
    pub nodes: Value,
    /// A hash of all that the names depend on.
    pub fingerprint: String,
}

/// How long the text may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// As long as it becomes.
    #[default]
    None,
    /// Characters.
    Characters(usize),
    /// Tokens of a model, estimated from above.
    Tokens(usize),
}

impl Budget {
    /// Reads `{characters}` or `{tokens}`.
    pub fn read(value: Option<&Value>) -> Result<Budget, Diagnostic> {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(Budget::None) };
        let count = |key: &str| {
            value.get(key)?.as_number().filter(|count| *count >= 0.0).map(|count| count as usize)
        };
        match (count("characters"), count("tokens")) {
            (Some(characters), None) => Ok(Budget::Characters(characters)),
            (None, Some(tokens)) => Ok(Budget::Tokens(tokens)),
            _ => Err(Diagnostic::new(codes::BAD_OPTION, "the budget is of another form")
                .help("write `{\"characters\": 8000}` or `{\"tokens\": 2000}`")
                .at_pointer("/budget")),
        }
    }

    fn holds(self, text: &str) -> bool {
        match self {
            Budget::None => true,
            // As JavaScript counts them.
            Budget::Characters(most) => text.encode_utf16().count() <= most,
            Budget::Tokens(most) => tokens(text) <= most,
        }
    }
}

/// About how many tokens a model makes of a text, rather too many than too few: one for four
/// letters of a word, one for each other sign.
fn tokens(text: &str) -> usize {
    let mut count = 0;
    let mut word = 0;
    for sign in text.chars() {
        if sign.is_ascii_alphabetic() {
            count += usize::from(word % 4 == 0);
            word += 1;
        } else {
            word = 0;
            count += usize::from(sign != ' ');
        }
    }
    count
}

/// What a planner is shown of a workflow whose outputs have these names.
pub fn build(workflow: &Workflow, names: &Names, options: &Options, budget: Budget) -> Context {
    let views = views(workflow, names);
    Context {
        markdown: markdown(workflow, &views, budget),
        nodes: Value::list(views.iter().map(View::to_value).collect::<Vec<_>>()),
        fingerprint: fingerprint(workflow, options),
    }
}

/// A node as it is shown.
struct View<'a> {
    node: &'a Node,
    outputs: Vec<&'a str>,
    /// The description and the purpose, without secrets.
    words: [String; 2],
    /// Whether the type alone does not say which node it is.
    named: bool,
}

fn views<'a>(workflow: &'a Workflow, names: &'a Names) -> Vec<View<'a>> {
    let mut secrets = Secrets::default();
    for (name, input) in workflow.inputs.iter().filter(|(_, input)| input.secret) {
        secrets.add(name, input.default.as_ref());
    }
    let mut counts: OrderedMap<usize> = OrderedMap::default();
    for node in &workflow.nodes {
        *counts.entry(node.kind.clone()).or_insert(0) += 1;
    }
    let view = |(place, node): (usize, &'a Node)| {
        let stored = |key: &'a Rc<str>| &**names.of(place, node, key);
        let outputs: Vec<&str> = node.outputs.iter().map(|output| stored(&output.key)).collect();
        let mapped = node.outputs.iter().any(|output| *stored(&output.key) != *output.key);
        let twice = counts.get(&node.kind).is_some_and(|count| *count > 1);
        let words = [&*node.description, &*node.purpose].map(|words| secrets.redact(words));
        View { node, outputs, words, named: mapped || twice }
    };
    workflow.nodes.iter().enumerate().map(view).collect::<Vec<_>>()
}

impl View<'_> {
    fn to_value(&self) -> Value {
        let texts = |texts: &mut dyn Iterator<Item = &str>| {
            Value::list(texts.map(Value::from).collect::<Vec<_>>())
        };
        let node = self.node;
        let mut parts = vec![("name", Value::from(&node.kind)), ("id", (&node.id).into())];
        for (key, text) in ["description", "purpose"].into_iter().zip(&self.words) {
            if !text.is_empty() {
                parts.push((key, text.as_str().into()));
            }
        }
        parts.push(("inputs", texts(&mut node.inputs.iter().map(|input| &*input.key))));
        parts.push(("outputs", texts(&mut self.outputs.iter().copied())));
        if !node.actions.is_empty() {
            parts.push(("actions", texts(&mut node.actions.iter().map(String::as_str))));
        }
        Value::map_of(parts)
    }

    /// `### type (id)` and what it reads and writes.
    fn markdown(&self, described: bool) -> String {
        let node = self.node;
        let mut text = format!("### {}", one_line(&node.kind));
        if self.named {
            text.push_str(&format!(" ({})", one_line(&node.id)));
        }
        for words in &self.words {
            if described && !words.is_empty() {
                text.push_str(&format!("\n{}", one_line(words)));
            }
        }
        let inputs = node.inputs.iter().map(|input| &*input.key);
        line(&mut text, "Inputs", &mut inputs.into_iter());
        line(&mut text, "Outputs", &mut self.outputs.iter().copied());
        let actions = node.actions.iter().map(String::as_str);
        if node.actions.iter().any(|action| action != DEFAULT_ACTION) {
            line(&mut text, "Actions", &mut actions.into_iter());
        }
        text
    }
}

/// A line of names, if there are any.
fn line(text: &mut String, title: &str, names: &mut dyn Iterator<Item = &str>) {
    for (place, name) in names.enumerate() {
        match place {
            0 => text.push_str(&format!("\n**{title}**: ")),
            _ => text.push_str(", "),
        }
        text.push_str(&code(name));
    }
}

/// A name as code. One that code cannot hold is shown as JSON.
fn code(name: &str) -> String {
    if name.contains(|sign: char| sign == '`' || sign.is_control()) {
        return format!("`` {} ``", Value::from(name).to_text());
    }
    format!("`{name}`")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The nodes, then what the workflow is given. What a budget leaves no room for is said.
fn markdown(workflow: &Workflow, views: &[View<'_>], budget: Budget) -> String {
    let given = given(workflow);
    let full = |described: bool| {
        let nodes = views.iter().map(|view| view.markdown(described));
        nodes.chain((!given.is_empty()).then(|| given.clone())).collect::<Vec<_>>().join("\n\n")
    };
    let whole = full(true);
    if budget.holds(&whole) {
        return whole;
    }
    let bare = format!("{}\n\nDescriptions are left out.", full(false));
    if budget.holds(&bare) {
        return bare;
    }
    // As many nodes as there is room for, found by halving.
    let shown = |count: usize| {
        let left = views.get(count..).unwrap_or_default();
        let nodes = views.iter().take(count).map(|view| view.markdown(false));
        let ids = names::list(left.iter().map(|view| &*view.node.id));
        let more = if count == 0 { "" } else { "more " };
        let nodes_are = if left.len() == 1 { "node is" } else { "nodes are" };
        let mut rest = format!("{} {more}{nodes_are} left out: {ids}", left.len());
        let mut words = views.iter().take(count).flat_map(|view| &view.words);
        if words.any(|words| !words.is_empty()) {
            rest.push_str(". So are descriptions.");
        }
        let given = (!given.is_empty()).then(|| given.clone());
        nodes.chain(given).chain([rest]).collect::<Vec<_>>().join("\n\n")
    };
    let (mut fits, mut over) = (0, views.len());
    while fits + 1 < over {
        let middle = fits.midpoint(over);
        if budget.holds(&shown(middle)) { fits = middle } else { over = middle }
    }
    let cut = shown(fits);
    if budget.holds(&cut) {
        return cut;
    }
    let least = format!("{} nodes", views.len());
    if budget.holds(&least) { least } else { String::new() }
}

/// What templates may name besides outputs.
fn given(workflow: &Workflow) -> String {
    let mut text = String::new();
    line(&mut text, "Workflow inputs", &mut workflow.inputs.keys().map(|name| &**name));
    text.trim_start().to_owned()
}

/// The names that a context gave to the nodes of a workflow.
pub fn stored(
    context: &Value,
    workflow: &Workflow,
    options: &Options,
) -> (Reserved, Vec<Diagnostic>) {
    let mut told = Vec::new();
    let mut found = Reserved::of(workflow);
    found.nodes.resize(workflow.nodes.len(), OrderedMap::default());
    let Some(entries) = context.get("nodes").and_then(Value::as_list) else {
        told.push(
            Diagnostic::new(codes::BAD_CONTEXT, "the context is none")
                .help("give what `buildContext` answered, as it is")
                .at_pointer("/context"),
        );
        return (found, told);
    };
    let mut places = OrderedMap::default();
    for (place, node) in workflow.nodes.iter().enumerate() {
        places.insert(node.id.clone(), place);
    }
    for (number, entry) in entries.iter().enumerate() {
        let Some((id, kind, outputs)) = parts(entry) else {
            told.push(
                Diagnostic::new(codes::BAD_CONTEXT, "a node of the context is of another form")
                    .help("give what `buildContext` answered, as it is")
                    .at_pointer(format!("/context/nodes/{number}")),
            );
            continue;
        };
        let place = places.get(id).copied();
        let node = place.and_then(|place| workflow.nodes.get(place));
        let (Some(place), Some(node)) = (place, node) else {
            let id: Rc<str> = id.into();
            for name in outputs.iter() {
                found.gone.entry((*name).into()).or_insert_with(|| id.clone());
            }
            continue;
        };
        let same = *node.kind == *kind && node.outputs.len() == outputs.len();
        if !same || is_other(node, &outputs, options) {
            told.push(
                Diagnostic::new(
                    codes::CHANGED_NODE,
                    format!("the context shows another node as {}", quote(id)),
                )
                .help(
                    "its outputs are named anew; build the context again to see how, or map by hand what \
                     was mapped when it was built",
                )
                .at_pointer(format!("/nodes/{place}")),
            );
            continue;
        }
        let Some(mapped) = found.nodes.get_mut(place) else { continue };
        for (output, name) in node.outputs.iter().zip(&outputs) {
            // What is mapped in the workflow is as it says.
            if !node.output_mappings.contains_key(&output.key) && !mapped.contains_key(&output.key)
            {
                mapped.insert(output.key.clone(), (*name).into());
            }
        }
    }
    told.extend(taken(workflow, &found));
    (found, told)
}

fn parts(entry: &Value) -> Option<(&str, &str, Vec<&str>)> {
    let outputs = entry.get("outputs")?.as_list()?.iter().map(Value::as_text);
    let outputs: Option<Vec<&str>> = outputs.collect();
    Some((entry.get("id")?.as_text()?, entry.get("name")?.as_text()?, outputs?))
}

/// Whether a name is none that the output at its place can have got: it is that of another output, of this node
/// or of the one that the context shows.
fn is_other(node: &Node, names: &[&str], options: &Options) -> bool {
    let pattern = options.pattern();
    let keys = keys_of(&node.outputs);
    let made: OrderedMap<()> =
        keys.iter().map(|(key, ())| (pattern.name(&node.id, key).into(), ())).collect();
    let is_known = |name: &str| {
        keys.contains_key(name) || made.contains_key(name) || made.contains_key(unnumbered(name))
    };
    let fits = |key: &str, name: &str| {
        // Whatever the prefix was, it held both.
        let is_made = || name.contains(&*node.id) && name.contains(key);
        let is_foreign = || node.output_mappings.contains_key(key) || is_made();
        *name == *key || pattern.may_be(name, &node.id, key) || !is_known(name) && is_foreign()
    };
    node.outputs.iter().zip(names).any(|(own, name)| !fits(&own.key, name))
}

/// Names of the context that the workflow uses for something else.
fn taken(workflow: &Workflow, stored: &Reserved) -> Vec<Diagnostic> {
    let mut given = OrderedMap::default();
    let mut told = Vec::new();
    for (place, (node, mapped)) in workflow.nodes.iter().zip(&stored.nodes).enumerate() {
        for (key, name) in mapped {
            if node.writes(key) == name {
                continue;
            }
            if given.insert(name.clone(), place).is_some() {
                let message = format!("the context gives the name {} twice", quote(name));
                let help = "give what `buildContext` answered, as it is";
                told.push(
                    Diagnostic::new(codes::BAD_CONTEXT, message).help(help).at_pointer("/context"),
                );
            }
        }
    }
    let owner = |name: &str| {
        let place: usize = *given.get(name)?;
        workflow.nodes.get(place).map(|node| &*node.id)
    };
    let tell = |name: &str, owner: &str, at: String| {
        let message = format!("the context gave the name {} to {}", quote(name), quote(owner));
        let help = "rename this one, or build the context again with it";
        Diagnostic::new(codes::NAME_OF_CONTEXT, message).help(help).at_pointer(at)
    };
    for (place, node) in workflow.nodes.iter().enumerate() {
        for (key, name) in node.output_mappings.iter() {
            if let Some(owner) = owner(name).filter(|owner| **owner != *node.id) {
                let id = pointer_step(&node.id);
                let at = format!("/mappings/{id}/output_mappings/{}", pointer_step(key));
                told.push(tell(name, owner, at));
            }
        }
        for port in node.inputs.iter().chain(node.outputs.iter()) {
            if let Some(owner) = owner(&port.key) {
                told.push(tell(&port.key, owner, format!("/nodes/{place}")));
            }
        }
    }
    for name in workflow.inputs.keys() {
        if let Some(owner) = owner(name) {
            told.push(tell(name, owner, format!("/inputs/{}", pointer_step(name))));
        }
    }
    told
}

impl Context {
    /// `{markdown, nodes, fingerprint}`
    pub fn to_value(&self) -> Map {
        let mut map = Map::default();
        map.insert("markdown".into(), self.markdown.as_str().into());
        map.insert("nodes".into(), self.nodes.clone());
        map.insert("fingerprint".into(), self.fingerprint.as_str().into());
        map
    }
}
