//! Nodes of a workflow as a planner sees them: names with types, defaults and descriptions, without mappings.

use super::naming::OutputNames;
use super::run::Secrets;
use super::text_budget::TextBudget;
use super::workflow::{DEFAULT_ACTION, Node, ParamDeclaration, Port, Workflow};
use crate::base::map::OrderedMap;
use crate::base::{Value, prompt_text};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Name that a planner can write, with its declaration.
struct NameView {
    name: String,
    kind: String,
    description: String,
    /// Whether it must have a value; `None` if that is the rule.
    required: Option<bool>,
    /// Whether the value is a list with an entry for each batch item.
    is_list: bool,
    default: Option<Value>,
}

/// Node with the stored names of its outputs.
pub(super) struct NodeView<'a> {
    pub node: &'a Node,
    params: Vec<NameView>,
    inputs: Vec<NameView>,
    outputs: Vec<NameView>,
    /// Description and purpose, without secrets.
    texts: [String; 2],
    /// Whether the id is shown, because the type alone is ambiguous.
    shows_id: bool,
}

/// Workflow with the views of its nodes.
pub(super) struct WorkflowView<'a> {
    pub nodes: Vec<NodeView<'a>>,
    inputs: Vec<NameView>,
}

impl NameView {
    fn of_port(name: &str, port: &Port, is_optional: bool, secrets: &Secrets) -> NameView {
        NameView {
            name: name.to_owned(),
            kind: port.kind.clone(),
            description: secrets.redact(&port.description),
            required: is_optional.then_some(false),
            is_list: false,
            default: None,
        }
    }

    fn of_param(param: &ParamDeclaration, secrets: &Secrets) -> NameView {
        let redacted = |value: &Value| match value.as_text() {
            Some(text) => Value::from(secrets.redact(text)),
            None => value.clone(),
        };
        NameView {
            name: param.key.to_string(),
            kind: param.kind.clone(),
            description: secrets.redact(&param.description),
            required: param.required,
            is_list: false,
            default: param.default.as_ref().map(redacted),
        }
    }

    /// Returns the type of the value.
    fn full_type(&self) -> String {
        match (self.is_list, self.kind.as_str()) {
            (true, "") => "list".to_owned(),
            (true, kind) => format!("list of {kind}"),
            (false, kind) => kind.to_owned(),
        }
    }

    /// Returns the name as code, with its type in parentheses and its description.
    fn markdown(&self, has_description: bool) -> String {
        let mut parts = vec![plain_line(&self.full_type())];
        parts.extend(
            self.required.map(|required| if required { "required" } else { "optional" }.to_owned()),
        );
        parts.extend(
            self.default.as_ref().map(|value| format!("default {}", truncated_json(value))),
        );
        parts.retain(|part| !part.is_empty());
        let mut text = inline_code(&self.name);
        if !parts.is_empty() {
            text.push_str(&format!(" ({})", parts.join(", ")));
        }
        if has_description && !self.description.is_empty() {
            text.push_str(&format!(": {}", plain_line(&self.description)));
        }
        text
    }

    /// Returns `{name, type?, description?, required?, list?, default?}`.
    fn to_value(&self) -> Value {
        let mut parts = vec![("name", Value::from(self.name.as_str()))];
        if !self.kind.is_empty() {
            parts.push(("type", self.kind.as_str().into()));
        }
        if !self.description.is_empty() {
            parts.push(("description", self.description.as_str().into()));
        }
        parts.extend(self.required.map(|required| ("required", required.into())));
        if self.is_list {
            parts.push(("list", true.into()));
        }
        parts.extend(self.default.clone().map(|default| ("default", default)));
        Value::map_of(parts)
    }

    /// Returns whether there is more to say than the name.
    fn has_details(&self) -> bool {
        let is_typed = !self.kind.is_empty() || !self.description.is_empty() || self.is_list;
        is_typed || self.required.is_some() || self.default.is_some()
    }
}

impl<'a> WorkflowView<'a> {
    pub fn new(workflow: &'a Workflow, names: &'a OutputNames) -> WorkflowView<'a> {
        let mut secrets = Secrets::default();
        for (name, input) in workflow.inputs.iter().filter(|(_, input)| input.secret) {
            secrets.add(name, input.default.as_ref());
        }
        let mut counts: OrderedMap<usize> = OrderedMap::default();
        for node in &workflow.nodes {
            *counts.entry(node.kind.clone()).or_insert(0) += 1;
        }
        let view = |(node_index, node): (usize, &'a Node)| {
            let stored = |key: &'a Rc<str>| names.name_of(node_index, node, key);
            let outputs = node.outputs.iter().map(|port| NameView {
                is_list: node.batch.is_some(),
                ..NameView::of_port(stored(&port.key), port, port.optional, &secrets)
            });
            let is_renamed = node.outputs.iter().any(|output| *stored(&output.key) != output.key);
            let is_repeated = counts.get(&node.kind).is_some_and(|count| *count > 1);
            let inputs = node.inputs.iter();
            NodeView {
                node,
                params: node
                    .declared_params
                    .iter()
                    .map(|it| NameView::of_param(it, &secrets))
                    .collect(),
                inputs: inputs
                    .map(|port| NameView::of_port(&port.key, port, port.optional, &secrets))
                    .collect(),
                outputs: outputs.collect(),
                texts: [&*node.description, &*node.purpose].map(|text| secrets.redact(text)),
                shows_id: is_renamed || is_repeated,
            }
        };
        let inputs = workflow.inputs.iter().map(|(name, input)| NameView {
            name: name.to_string(),
            kind: input.kind.to_string(),
            description: secrets.redact(&input.description),
            required: input.required.then_some(true),
            is_list: false,
            default: input.default.clone().filter(|_| !input.secret),
        });
        WorkflowView {
            nodes: workflow.nodes.iter().enumerate().map(view).collect(),
            inputs: inputs.collect(),
        }
    }

    /// Returns the nodes, then the inputs of the workflow and the form of the expected workflow. Names what the
    /// budget excludes: descriptions first, then the form, then nodes at the end.
    pub fn markdown(&self, budget: TextBudget) -> String {
        let all = self.nodes.len();
        let complete = self.sections(all, true, true);
        if budget.fits(&complete) {
            return complete;
        }
        let short = format!("{}\n\nDescriptions are omitted.", self.sections(all, false, true));
        if budget.fits(&short) {
            return short;
        }
        let names = self.sections(all, false, false);
        let names = format!("{names}\n\nDescriptions and the form of a workflow are omitted.");
        if budget.fits(&names) {
            return names;
        }
        // Binary search for the maximum number of nodes.
        let (mut low, mut high) = (0, self.nodes.len());
        while low + 1 < high {
            let middle = low.midpoint(high);
            if budget.fits(&self.truncated(middle)) { low = middle } else { high = middle }
        }
        let text = self.truncated(low);
        if budget.fits(&text) {
            return text;
        }
        let minimum = format!("{} nodes", self.nodes.len());
        if budget.fits(&minimum) { minimum } else { String::new() }
    }

    /// Returns the first nodes without descriptions, and a note about the others.
    fn truncated(&self, count: usize) -> String {
        let omitted = self.nodes.get(count..).unwrap_or_default();
        let ids = id_list(omitted);
        let more = if count == 0 { "" } else { "more " };
        let nodes_are = if omitted.len() == 1 { "node is" } else { "nodes are" };
        let mut note = format!("{} {more}{nodes_are} omitted: {ids}", omitted.len());
        if self.nodes.iter().take(count).any(NodeView::has_descriptions) {
            note.push_str(". Descriptions are omitted too.");
        }
        let sections = self.sections(count, false, false);
        if sections.is_empty() { note } else { format!("{sections}\n\n{note}") }
    }

    /// Returns the first nodes, the inputs of the workflow, and the form of a workflow.
    fn sections(&self, count: usize, has_descriptions: bool, has_form: bool) -> String {
        let mut sections: Vec<String> =
            self.nodes.iter().take(count).map(|view| view.markdown(has_descriptions)).collect();
        let mut inputs = String::new();
        push_names(&mut inputs, "Workflow inputs", &self.inputs, has_descriptions);
        sections.push(inputs.trim_start().to_owned());
        if has_form {
            sections.push(self.form());
        }
        sections.retain(|section| !section.is_empty());
        sections.join("\n\n")
    }

    /// Returns the first node with an output whose name an earlier node writes too, and that name.
    fn shared_output(&self) -> Option<(&str, &str)> {
        let mut known = BTreeSet::new();
        let mut outputs =
            self.nodes.iter().flat_map(|view| view.outputs.iter().map(move |one| (view, one)));
        let (view, output) = outputs.find(|(_, output)| !known.insert(output.name.as_str()))?;
        Some((&*view.node.id, output.name.as_str()))
    }

    /// Returns the form of references and of the expected workflow.
    fn form(&self) -> String {
        let output = self.nodes.iter().flat_map(|view| &view.outputs).next();
        let reference = |view: &NameView, what: &str| {
            format!("{} for {what}", code_span(&format!("${{{}}}", view.name)))
        };
        let output = output.map(|view| reference(view, "the value of an output"));
        let input = self.inputs.first().map(|view| reference(view, "a workflow input"));
        let shared = self.shared_output().map(|(node, output)| {
            let what = format!("that of one node, because several write {}", code_span(output));
            format!("{} for {what}", code_span(&format!("${{{node}.{output}}}")))
        });
        let references: Vec<String> = output.into_iter().chain(shared).chain(input).collect();
        let mut text = String::new();
        if !references.is_empty() {
            text.push_str(&format!("**References** in texts: {}\n", references.join(", ")));
        }
        let [first, last] = [self.nodes.first(), self.nodes.get(1)];
        let Some(first) = first else { return text };
        let id = |view: &NodeView<'_>| Value::from(&view.node.id).to_text();
        let param = first.params.iter().chain(&first.inputs).next();
        let params = param.map(|param| {
            format!(", \"params\": {{{}: …}}", Value::from(param.name.as_str()).to_text())
        });
        let edges = last.map(|last| {
            format!(", \"edges\": [{{\"from\": {}, \"to\": {}}}, …]", id(first), id(last))
        });
        let node = format!(
            "{{\"id\": {}, \"type\": {}{}}}",
            id(first),
            Value::from(&first.node.kind).to_text(),
            params.unwrap_or_default()
        );
        let more = if last.is_some() { ", …" } else { "" };
        let workflow = format!("{{\"nodes\": [{node}{more}]{}}}", edges.unwrap_or_default());
        text.push_str(&format!("**Workflow**: {}", code_span(&workflow)));
        text
    }
}

impl NodeView<'_> {
    pub fn to_value(&self) -> Value {
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
        parts.push(("inputs", list(&mut self.inputs.iter().map(|input| input.name.as_str()))));
        parts.push(("outputs", list(&mut self.outputs.iter().map(|output| output.name.as_str()))));
        if !node.actions.is_empty() {
            parts.push(("actions", list(&mut node.actions.iter().map(String::as_str))));
        }
        if !self.params.is_empty() {
            let params = self.params.iter().map(NameView::to_value);
            parts.push(("params", Value::list(params.collect::<Vec<_>>())));
        }
        for (key, views) in [("input_details", &self.inputs), ("output_details", &self.outputs)] {
            let details = views.iter().filter(|view| view.has_details()).map(NameView::to_value);
            let details: Vec<Value> = details.collect();
            if !details.is_empty() {
                parts.push((key, Value::list(details)));
            }
        }
        Value::map_of(parts)
    }

    fn has_descriptions(&self) -> bool {
        let mut views = self.params.iter().chain(&self.inputs).chain(&self.outputs);
        let has_text = self.texts.iter().any(|text| !text.is_empty());
        has_text || views.any(|view| !view.description.is_empty())
    }

    /// Returns a section `### type (id)` with the params, inputs, outputs and actions.
    fn markdown(&self, has_descriptions: bool) -> String {
        let node = self.node;
        let mut text = format!("### {}", escape_heading(&node.kind));
        if self.shows_id {
            text.push_str(&format!(" ({})", escape_heading(&node.id)));
        }
        for part in &self.texts {
            if has_descriptions && !part.is_empty() {
                text.push_str(&format!("\n{}", escape_paragraph(part)));
            }
        }
        push_names(&mut text, "Params", &self.params, has_descriptions);
        push_names(&mut text, "Inputs", &self.inputs, has_descriptions);
        push_names(&mut text, "Outputs", &self.outputs, has_descriptions);
        if node.actions.iter().any(|action| action != DEFAULT_ACTION) {
            let actions = node.actions.iter().map(|action| inline_code(action)).collect::<Vec<_>>();
            text.push_str(&format!("\n**Actions**: {}", actions.join(", ")));
        }
        text
    }
}

/// Returns the first ids of nodes as inline code, and the number of the others.
fn id_list(nodes: &[NodeView<'_>]) -> String {
    const MAX_LISTED: usize = 12;
    let listed: Vec<String> =
        nodes.iter().take(MAX_LISTED).map(|view| inline_code(&view.node.id)).collect();
    match nodes.len() - listed.len() {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

/// Adds a line of names, unless there are none.
fn push_names(text: &mut String, title: &str, views: &[NameView], has_descriptions: bool) {
    if views.is_empty() {
        return;
    }
    let is_described = has_descriptions && views.iter().any(|view| !view.description.is_empty());
    let separator = if is_described { "; " } else { ", " };
    let views = views.iter().map(|view| view.markdown(has_descriptions));
    text.push_str(&format!("\n**{title}**: {}", views.collect::<Vec<_>>().join(separator)));
}

/// Returns a name as inline code; as a JSON string if it contains backticks, control characters or
/// line separators.
fn inline_code(name: &str) -> String {
    let is_special = |one: char| "`\u{2028}\u{2029}".contains(one) || one.is_control();
    match name.contains(is_special) {
        true => code_span(&Value::from(name).to_text()),
        false => code_span(name),
    }
}

/// Returns a text in one line as inline code. It contains no two backticks in a row, because these
/// could end the code.
fn code_span(text: &str) -> String {
    let mut text = one_line(text);
    if text.contains("``") {
        text = text.replace('`', "\\u0060");
    }
    let (mark, space) = if text.contains('`') { ("``", " ") } else { ("`", "") };
    format!("{mark}{space}{text}{space}{mark}")
}

/// Returns a text in one line, without fences and control tokens of chat templates.
fn one_line(text: &str) -> String {
    prompt_text::sanitize_line(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns a text in one line without backticks, so that it looks like no name of a list.
fn plain_line(text: &str) -> String {
    one_line(&text.replace('`', "'"))
}

/// Returns a text in one line that begins no heading, list, quotation, emphasis or turn of a chat.
fn escape_paragraph(text: &str) -> String {
    const MARKS: [char; 10] = ['#', '*', '_', '-', '+', '>', '|', '=', '~', '<'];
    const ROLES: [&str; 4] = ["human", "assistant", "system", "user"];
    let text = plain_line(text);
    let word = text.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
    match text.starts_with(MARKS) || ROLES.contains(&word.as_str()) {
        true => format!("\\{text}"),
        false => text,
    }
}

/// Returns a name of a heading; as inline code if it could be confused with the parentheses.
fn escape_heading(name: &str) -> String {
    if name.contains(['`', '(', ')']) { inline_code(name) } else { one_line(name) }
}

/// Returns a value as JSON in one line, truncated.
fn truncated_json(value: &Value) -> String {
    const MAX_CHARACTERS: usize = 80;
    let text = plain_line(&value.to_text());
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
