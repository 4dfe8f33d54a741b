//! Merges workflows into one. Each part keeps its own names in the store. Its nodes get the name of
//! the part as their `scope`, and ids, references, inputs and outputs get it as a prefix.

use super::codes;
use super::outline::NODE_KEYS;
use super::workflow::scoped_name;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::base::template::{ChoiceOption, Reference, Template, TemplatePart};
use crate::base::value::{Map, put};
use crate::base::{Code, Diagnostic, DiagnosticSink, Value};
use std::rc::Rc;

/// Keys of a workflow that a merge keeps, or leaves out because they describe the part alone.
const KNOWN_KEYS: [&str; 11] = [
    "nodes",
    "edges",
    "start_node",
    "inputs",
    "outputs",
    "mappings",
    "ir_version",
    "name",
    "description",
    "version",
    "metadata",
];

/// Target of an edge after which nothing follows.
const END_TARGET: &str = "END";

/// Merges the workflows of an object by their names. Returns `None` with the diagnostics if there is an error.
pub fn merge_workflows(parts: &Value) -> (Option<Value>, Vec<Diagnostic>) {
    let mut merge = Merge::default();
    if parts.as_map().is_none() {
        merge.report(
            codes::INVALID_STRUCTURE,
            "",
            "expected an object of workflows".into(),
            PARTS_HELP,
        );
        return (None, merge.diagnostics);
    }
    merge.check_names(parts);
    for (name, workflow) in parts.entries() {
        merge.add(name, workflow);
    }
    let is_valid = !merge.diagnostics.iter().any(Diagnostic::is_error);
    let diagnostics = std::mem::take(&mut merge.diagnostics);
    (is_valid.then(|| merge.into_workflow()), diagnostics)
}

const PARTS_HELP: &str = "pass `{name: workflow}`";

#[derive(Default)]
struct Merge {
    diagnostics: Vec<Diagnostic>,
    ir_version: Option<Value>,
    nodes: Vec<Value>,
    edges: Vec<Value>,
    starts: Vec<Value>,
    /// Whether any part has other starts than its nodes without incoming edges.
    has_starts: bool,
    inputs: Map,
    outputs: Map,
    mappings: Map,
}

impl Merge {
    fn report(&mut self, code: Code, at: &str, message: String, help: &str) {
        self.diagnostics.report(Diagnostic::new(code, message).help(help).at_pointer(at));
    }

    /// Reports names that cannot be prefixes: of two names, neither may begin with the other and `_`.
    fn check_names(&mut self, parts: &Value) {
        let mut sorted: Vec<&str> = parts.entries().map(|(name, _)| &**name).collect();
        sorted.sort_unstable();
        let is_valid = |name: &str| {
            let mut characters = name.chars();
            characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        };
        for name in sorted.iter().filter(|name| !is_valid(name)) {
            let message = format!("invalid name {} of a workflow", quote(name));
            let at = format!("/{}", escape_pointer_step(name));
            let help = "write a letter, then letters, digits, `_` and `-`";
            self.report(codes::INVALID_STRUCTURE, &at, message, help);
        }
        let names: OrderedMap<()> = sorted.iter().map(|name| (Rc::from(*name), ())).collect();
        for name in sorted {
            let shorter = name.match_indices('_').filter_map(|(end, _)| name.get(..end));
            for shorter in shorter.filter(|shorter| names.contains_key(*shorter)) {
                let message = format!("the names {} and {} overlap", quote(shorter), quote(name));
                let at = format!("/{}", escape_pointer_step(name));
                let help = "rename one of them, because names are prefixes that end with `_`";
                self.report(codes::INVALID_STRUCTURE, &at, message, help);
            }
        }
    }

    fn add(&mut self, name: &str, workflow: &Value) {
        let at = format!("/{}", escape_pointer_step(name));
        let nodes = workflow.get("nodes").and_then(Value::as_list);
        let Some(nodes) = nodes else {
            let message = format!("expected a workflow with `nodes` for {}", quote(name));
            return self.report(codes::INVALID_STRUCTURE, &at, message, PARTS_HELP);
        };
        for (key, _) in workflow.entries() {
            if !KNOWN_KEYS.contains(&&**key) {
                let at = format!("{at}/{}", escape_pointer_step(key));
                let message = format!("unknown key {}: it is left out", quote(key));
                self.report(codes::UNKNOWN_KEY, &at, message, "remove it");
            }
        }
        if self.ir_version.is_none() {
            self.ir_version = workflow.get("ir_version").cloned();
        }
        let part = WorkflowPart::new(name, workflow, nodes);
        let ids: Vec<Option<&str>> =
            nodes.iter().map(|node| node.get("id").and_then(Value::as_text)).collect();
        for (index, (node, id)) in nodes.iter().zip(&ids).enumerate() {
            if id.is_none_or(str::is_empty) {
                let at = format!("{at}/nodes/{index}/id");
                let help = "add an `id`, or call `assignIds` first";
                self.report(codes::INVALID_STRUCTURE, &at, "missing `id` of the node".into(), help);
            }
            self.nodes.push(part.qualify_node(node));
        }
        self.add_edges(&part, workflow.get("edges"), &ids);
        self.add_starts(&part, workflow, &ids);
        for (key, value) in workflow.get("inputs").unwrap_or(&Value::Null).entries() {
            put(&mut self.inputs, &part.qualify_name(key), value.clone());
        }
        for (key, value) in workflow.get("outputs").unwrap_or(&Value::Null).entries() {
            put(&mut self.outputs, &part.qualify_name(key), part.qualify_output(value));
        }
        for (id, mapping) in workflow.get("mappings").unwrap_or(&Value::Null).entries() {
            put(&mut self.mappings, &part.qualify_name(id), part.qualify_mapping(mapping));
        }
    }

    /// Adds the edges of a part; without any, its nodes are a chain.
    fn add_edges(&mut self, part: &WorkflowPart<'_>, edges: Option<&Value>, ids: &[Option<&str>]) {
        let written = edges.and_then(Value::as_list).unwrap_or_default();
        for edge in written {
            let end = |key: &str| edge.get(key).and_then(Value::as_text);
            let mut edge = edge.as_map().cloned().unwrap_or_default();
            if let Some(from) = end("from") {
                put(&mut edge, "from", part.qualify_name(from));
            }
            if let Some(to) = end("to").filter(|to| part.ids.contains_key(*to) || !is_end(to)) {
                put(&mut edge, "to", part.qualify_name(to));
            }
            self.edges.push(edge.into());
        }
        if !written.is_empty() {
            return;
        }
        let next = ids.iter().skip(1).map(Some).chain([None]);
        for (from, to) in ids.iter().zip(next) {
            let to = match to {
                Some(to) => part.qualify_name(to.unwrap_or_default()),
                // The edge shows that the last node, or the only one, was not forgotten.
                None => END_TARGET.to_owned(),
            };
            let from = part.qualify_name(from.unwrap_or_default());
            self.edges.push(Value::map([("from", from.into()), ("to", to.into())]));
        }
    }

    /// Adds the first nodes of a part.
    fn add_starts(&mut self, part: &WorkflowPart<'_>, workflow: &Value, ids: &[Option<&str>]) {
        let given = workflow.get("start_node").filter(|start| !start.is_null());
        if let Some(given) = given {
            let list = given.as_list().unwrap_or(std::slice::from_ref(given));
            let names =
                list.iter().filter_map(Value::as_text).map(|id| part.qualify_name(id).into());
            self.starts.extend(names);
            self.has_starts = true;
            return;
        }
        let edges = workflow.get("edges").and_then(Value::as_list).unwrap_or_default();
        let targets = edges.iter().filter_map(|edge| edge.get("to")?.as_shared());
        let targets: OrderedMap<()> = targets.map(|to| (to.clone(), ())).collect();
        let is_free = |id: &&str| !targets.contains_key(*id);
        let mut free: Vec<&str> = ids.iter().copied().flatten().filter(is_free).collect();
        if edges.is_empty() {
            free.truncate(1);
        }
        if free.is_empty() {
            self.has_starts = true;
            free.extend(ids.iter().copied().flatten().next());
        }
        self.starts.extend(free.iter().map(|id| Value::from(part.qualify_name(id))));
    }

    fn into_workflow(self) -> Value {
        let mut parts = Vec::new();
        parts.extend(self.ir_version.map(|version| ("ir_version", version)));
        parts.push(("nodes", Value::list(self.nodes)));
        parts.push(("edges", Value::list(self.edges)));
        if self.has_starts {
            parts.push(("start_node", Value::list(self.starts)));
        }
        let maps =
            [("inputs", self.inputs), ("outputs", self.outputs), ("mappings", self.mappings)];
        parts.extend(
            maps.into_iter().filter(|(_, map)| !map.is_empty()).map(|(key, map)| (key, map.into())),
        );
        Value::map_of(parts)
    }
}

fn is_end(id: &str) -> bool {
    id == END_TARGET || id == "__end__"
}

/// Workflow with the name that qualifies it.
struct WorkflowPart<'a> {
    prefix: &'a str,
    ids: OrderedMap<()>,
    /// Names that may contain characters which other names may not: ids, inputs, and outputs of nodes.
    known: OrderedMap<()>,
}

impl WorkflowPart<'_> {
    fn new<'a>(prefix: &'a str, workflow: &Value, nodes: &[Value]) -> WorkflowPart<'a> {
        let ids = nodes.iter().filter_map(|node| node.get("id")?.as_shared());
        let ids: OrderedMap<()> = ids.map(|id| (id.clone(), ())).collect();
        let mut known = ids.clone();
        let inputs = workflow.get("inputs").unwrap_or(&Value::Null).entries();
        known.extend(inputs.map(|(name, _)| (name.clone(), ())));
        let outputs = nodes.iter().filter_map(|node| node.get("outputs")?.as_list()).flatten();
        let keys =
            outputs.filter_map(|port| port.as_shared().or_else(|| port.get("key")?.as_shared()));
        known.extend(keys.map(|key| (key.clone(), ())));
        WorkflowPart { prefix, ids, known }
    }

    fn qualify_name(&self, name: &str) -> String {
        scoped_name(self.prefix, name)
    }

    fn qualify_node(&self, node: &Value) -> Value {
        let mut result = Map::default();
        let mut own: Vec<&str> = Vec::new();
        let batch = node.get("batch").filter(|batch| batch.as_map().is_some());
        if let Some(batch) = batch {
            own.push(batch.get("as").and_then(Value::as_text).unwrap_or("item"));
            own.extend(batch.get("index").and_then(Value::as_text));
        }
        for (key, value) in node.entries() {
            let value = match (&**key, value) {
                ("id", Value::Text(id)) => self.qualify_name(id).into(),
                ("params", params) => self.qualify_templates(params, &own),
                ("batch", Value::Map(map)) => {
                    let mut map = Map::clone(map);
                    if let Some(items) = map.get("items") {
                        let items = self.qualify_templates(items, &[]);
                        put(&mut map, "items", items);
                    }
                    map.into()
                }
                (_, value) => value.clone(),
            };
            result.insert(key.clone(), value);
        }
        // A part may itself be merged.
        let scope = match node.get(SCOPE_KEY).and_then(Value::as_text) {
            Some(inner) => self.qualify_name(inner),
            None => self.prefix.to_owned(),
        };
        put(&mut result, SCOPE_KEY, scope);
        result.into()
    }

    fn qualify_output(&self, value: &Value) -> Value {
        match value {
            Value::Map(map) => {
                let mut map = Map::clone(map);
                if let Some(source) = map.get("source").filter(|source| !source.is_null()) {
                    let source = self.qualify_templates(source, &[]);
                    put(&mut map, "source", source);
                }
                map.into()
            }
            other => self.qualify_templates(other, &[]),
        }
    }

    /// Returns the author's mappings of a node; generated ones are generated again.
    fn qualify_mapping(&self, mapping: &Value) -> Value {
        let aliases = mapping.get("output_aliases");
        let is_generated = |key: &str| aliases.is_some_and(|aliases| aliases.get(key).is_some());
        let mut result = Map::default();
        for part in ["output_mappings", "input_mappings"] {
            let Some(names) = mapping.get(part) else { continue };
            let mut renamed = Map::default();
            for (key, name) in names.entries() {
                if part == "output_mappings" && is_generated(key) {
                    continue;
                }
                let name = name
                    .as_text()
                    .map_or_else(|| name.clone(), |name| self.qualify_name(name).into());
                renamed.insert(key.clone(), name);
            }
            put(&mut result, part, renamed);
        }
        result.into()
    }

    /// Qualifies the references in all texts of a value, except to the names of a batch (`own`).
    fn qualify_templates(&self, value: &Value, own: &[&str]) -> Value {
        match value {
            Value::Text(text) if text.contains('$') => self.qualify_template(text, own).into(),
            Value::List(items) => {
                Value::list(items.iter().map(|item| self.qualify_templates(item, own)).collect())
            }
            Value::Map(map) => {
                let each = map
                    .iter()
                    .map(|(key, value)| (key.clone(), self.qualify_templates(value, own)));
                each.collect::<Map>().into()
            }
            other => other.clone(),
        }
    }

    /// Qualifies the references in a text. A text with a syntax error stays as it is.
    fn qualify_template(&self, text: &str, own: &[&str]) -> String {
        let is_known = |name: &str| own.contains(&name) || self.known.contains_key(name);
        let (template, errors) = Template::read(text, &is_known);
        if errors.iter().any(Diagnostic::is_error) {
            return text.to_owned();
        }
        let mut result = String::new();
        for part in &template.parts {
            match part {
                TemplatePart::Text(text) => result.push_str(&text.replace('$', "$$")),
                TemplatePart::Reference(reference) => {
                    result.push_str(&self.qualify_reference(reference, own));
                }
                TemplatePart::Choice(choice) => {
                    let options: Vec<String> = choice
                        .options
                        .iter()
                        .map(|option| self.qualify_option(option, own))
                        .collect();
                    result.push_str(&format!("${{{}}}", options.join(" ?? ")));
                }
            }
        }
        result
    }

    fn qualify_reference(&self, reference: &Reference, own: &[&str]) -> String {
        let text = &reference.text;
        if own.contains(&reference.name.as_str()) {
            return text.clone();
        }
        match text.strip_prefix("${") {
            Some(rest) => format!("${{{}_{}", self.prefix, rest.trim_start()),
            None => format!("${}_{}", self.prefix, text.strip_prefix('$').unwrap_or(text)),
        }
    }

    fn qualify_option(&self, option: &ChoiceOption, own: &[&str]) -> String {
        match option {
            ChoiceOption::Literal(Value::Text(text)) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                format!("\"{escaped}\"")
            }
            ChoiceOption::Literal(value) => value.to_text(),
            ChoiceOption::Reference(reference) => {
                let text = self.qualify_reference(reference, own);
                let inside = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
                inside.unwrap_or(&text).to_owned()
            }
        }
    }
}

const SCOPE_KEY: &str = NODE_KEYS[12];
