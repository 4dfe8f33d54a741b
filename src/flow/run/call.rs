//! Calls of nodes: resolution of params and inputs, and validation of responses.

use super::failure::{FailureKind, NodeFailure, errors_key};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::base::template::{Reference, Resolver, Template, unknown_name, value_at_path};
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Location, Value, names};
use crate::flow::codes;
use crate::flow::compile::Flow;
use crate::flow::wiring::{self, find_template_name, is_template_name};
use crate::flow::workflow::{DEFAULT_ACTION, ERROR_ACTION, Node, Port, keys_of};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Arguments of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    pub params: Map,
    pub inputs: Map,
}

/// Validated result of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeResult {
    pub outputs: Map,
    pub action: String,
    /// Failure of the node that the run continues after.
    pub failure: Option<NodeFailure>,
}

/// Returns the names that a node reads, each with its stored name.
pub fn names_read(flow: &Flow, node_index: usize) -> Vec<(Rc<str>, Rc<str>)> {
    let (Some(node), Some(wired)) =
        (flow.workflow.nodes.get(node_index), flow.wiring.nodes.get(node_index))
    else {
        return Vec::new();
    };
    let names = wiring::names_read(node, wired);
    names.map(|(name, stored)| (name.clone(), stored.clone())).collect::<Vec<_>>()
}

/// Values that templates can refer to during a run.
pub struct CallScope<'a> {
    /// Names in templates, with their stored names.
    pub templates: &'a OrderedMap<Rc<str>>,
    /// Value of a name in a template, or of an input.
    pub values: &'a dyn Fn(&str) -> Option<Value>,
    /// Names that the batch defines for the current item, with their values.
    pub batch_names: &'a [(&'a str, Value)],
    /// Inputs of the workflow that no node writes; a missing one was reported when the run started.
    pub inputs: &'a OrderedMap<usize>,
    /// Remaining number of bytes that may be inserted.
    pub budget: &'a Cell<usize>,
}

impl CallScope<'_> {
    fn has_name(&self, name: &str) -> bool {
        self.batch_names.iter().any(|(own, _)| *own == name)
            || is_template_name(self.templates, name)
    }

    /// Returns the value of a reference; `None` if its name has no value yet, and an error if it is unknown.
    fn find(&self, reference: &Reference) -> Result<Option<Value>, Diagnostic> {
        if let Some((_, value)) = self.batch_names.iter().find(|(name, _)| *name == reference.name)
        {
            return value_at_path(value, reference).map(Some);
        }
        let Some((name, used)) = find_template_name(self.templates, reference) else {
            return Err(unknown_name(reference, self.templates.keys().map(|name| &**name)));
        };
        let Some(value) = (self.values)(name) else { return Ok(None) };
        let path = reference.path.get(used..).unwrap_or_default().to_vec();
        value_at_path(&value, &Reference { path, ..reference.clone() }).map(Some)
    }

    fn is_input(&self, reference: &Reference) -> bool {
        let found = find_template_name(self.templates, reference);
        found.is_some_and(|(name, _)| self.inputs.contains_key(name))
    }

    /// Resolves a template; returns `None` if it is a single reference without a value.
    pub fn resolve(
        &self,
        template: &Value,
        at: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Value> {
        let missing = RefCell::new(Vec::new());
        let reported = RefCell::new(Vec::new());
        let is_known = |name: &str| self.has_name(name);
        let resolver = Resolver {
            is_known: &is_known,
            value: &|reference| {
                let found = self.find(reference);
                if matches!(found, Ok(None)) && self.is_input(reference) {
                    reported.borrow_mut().push(reference.text.clone());
                }
                found
            },
            missing: &|text| missing.borrow_mut().push(text.to_owned()),
            budget: self.budget,
        };
        let (resolved, found) = resolver.resolve(template);
        // Warnings were reported when the workflow was compiled.
        let errors = found.into_iter().filter(Diagnostic::is_error);
        diagnostics.extend(errors.map(|error| below_pointer(error, at)));
        let missing = missing.into_inner();
        let reported = reported.into_inner();
        let unreported = missing.iter().filter(|text| !reported.contains(text));
        diagnostics.extend(unreported.map(|text| missing_value_warning(text, at)));
        (missing.is_empty() || !is_reference(template, &is_known)).then_some(resolved)
    }
}

/// Returns whether a template is a single reference.
fn is_reference(template: &Value, is_known: &dyn Fn(&str) -> bool) -> bool {
    template.as_text().is_some_and(|text| Template::read(text, is_known).0.is_single())
}

fn missing_value_warning(text: &str, at: &str) -> Diagnostic {
    let path = text.trim_start_matches(['$', '{']).trim_end_matches('}');
    let fallback = quote(&format!("${{{path} ?? null}}"));
    Diagnostic::new(codes::NAME_WITHOUT_VALUE, format!("{} has no value yet", quote(text)))
        .help(format!(
            "run the node that writes it first, pass the input, or write {fallback} if it may be missing"
        ))
        .at_pointer(at)
}

/// Moves a diagnostic below a JSON pointer.
fn below_pointer(diagnostic: Diagnostic, at: &str) -> Diagnostic {
    let pointer = match &diagnostic.location {
        Some(Location::Pointer(pointer)) => format!("{at}{pointer}"),
        _ => at.to_owned(),
    };
    diagnostic.at_pointer(pointer)
}

/// Makes the arguments of a call; returns `None` with errors in `diagnostics` if that fails.
pub fn prepare_call(
    flow: &Flow,
    node_index: usize,
    scope: &CallScope<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Call> {
    let node = flow.workflow.nodes.get(node_index)?;
    let mut call = Call::default();
    for (key, template) in node.params.value().entries() {
        let at = format!("/nodes/{node_index}/params/{}", escape_pointer_step(key));
        if let Some(value) = scope.resolve(template, &at, diagnostics) {
            call.params.insert(key.clone(), value);
        }
    }
    for input in node.inputs.iter() {
        let key = &input.key;
        let value = if node.has_value_for(key) {
            call.params.get(key).cloned()
        } else {
            (scope.values)(node.read_name(key))
        };
        call.inputs.extend(value.map(|value| (key.clone(), value)));
    }
    for (name, value) in scope.batch_names {
        // Params take precedence, as for every input.
        let value = call.params.get(*name).unwrap_or(value).clone();
        call.inputs.insert((*name).into(), value);
    }
    add_defaults(node, &mut call);
    (!diagnostics.iter().any(Diagnostic::is_error)).then_some(call)
}

/// Adds the defaults of declared params that a call does not have.
fn add_defaults(node: &Node, call: &mut Call) {
    for param in node.declared_params.iter() {
        let key = &param.key;
        let Some(default) = param.default.as_ref().filter(|default| !default.is_null()) else {
            continue;
        };
        if call.params.contains_key(key) || call.inputs.contains_key(key) {
            continue;
        }
        call.params.insert(key.clone(), default.clone());
        if node.inputs.iter().any(|input| input.key == *key) {
            call.inputs.insert(key.clone(), default.clone());
        }
    }
}

/// Resolves the items of a batch; returns `None` with errors in `diagnostics` if that fails.
pub fn resolve_batch_items(
    node_index: usize,
    template: &Value,
    scope: &CallScope<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Value>> {
    let at = format!("/nodes/{node_index}/batch/items");
    let mut found = Vec::new();
    let value = scope.resolve(template, &at, &mut found).unwrap_or_default();
    let has_error = found.iter().any(Diagnostic::is_error);
    if has_error || value.as_list().is_some() {
        diagnostics.append(&mut found);
    }
    if has_error {
        return None;
    }
    if let Some(items) = value.as_list() {
        return Some(items.to_vec());
    }
    let unset = template.as_text().filter(|_| value.is_null());
    let unset = unset.filter(|_| is_reference(template, &|name| scope.has_name(name)));
    let (message, help) = match unset {
        Some(text) => (
            format!("the batch items {} have no value yet", quote(text)),
            "run the node that writes it first, or pass the input",
        ),
        None => (
            format!("expected a list of batch items, found a {}", value.kind()),
            "write a template of a list, as in `\"$files\"`",
        ),
    };
    diagnostics.push(Diagnostic::new(codes::ITEMS_NOT_LIST, message).help(help).at_pointer(at));
    None
}

/// Node whose response is read.
#[derive(Clone, Copy)]
pub struct Responder<'a> {
    pub node: &'a Node,
    pub node_index: usize,
    /// Label of the node in messages, with its batch item.
    pub label: &'a str,
    /// Whether an undeclared output is an error.
    pub strict: bool,
}

/// Maximum number of undeclared outputs that are reported one by one.
const MAX_REPORTED_UNDECLARED: usize = 20;

/// Reads the response `{outputs, action?}` of a node. Reports dropped outputs in `diagnostics`.
pub fn read_response(
    responder: Responder<'_>,
    response: &Value,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<NodeResult, Diagnostic> {
    let Responder { node, node_index, label, strict } = responder;
    let at = || format!("/nodes/{node_index}");
    let invalid = |message: String| {
        Diagnostic::new(codes::INVALID_RESPONSE, message)
            .help("return `{ outputs: { key: value }, action?: \"default\" }`")
            .at_pointer(at())
    };
    let action = match response.get("action") {
        None | Some(Value::Null) => DEFAULT_ACTION.to_owned(),
        Some(Value::Text(action)) => action.to_string(),
        Some(_) => {
            return Err(invalid(format!("the action of {label} is not a string")));
        }
    };
    if action == ERROR_ACTION {
        // A failure has no outputs: they keep their earlier values.
        let message = returned_message(response);
        let message = message.unwrap_or_else(|| format!("{label} returned the action `error`"));
        let failure = NodeFailure { message, kind: FailureKind::Returned, attempts: 1 };
        return Ok(NodeResult { action, failure: Some(failure), ..NodeResult::default() });
    }
    let Some(outputs) = response.get("outputs").and_then(Value::as_map) else {
        return Err(invalid(format!("{label} returned no `outputs`")));
    };
    let mut accepted = Map::default();
    let declared = keys_of(&node.outputs);
    let mut undeclared: Vec<&str> = Vec::new();
    for (key, value) in outputs {
        if declared.contains_key(key) && !is_generated(node, key) {
            accepted.insert(key.clone(), value.clone());
            continue;
        }
        undeclared.push(key);
        // Each one is compared with all declared outputs.
        if !strict && undeclared.len() > MAX_REPORTED_UNDECLARED {
            continue;
        }
        let declared = node.outputs.iter().map(|own| &own.key);
        let declared = declared.filter(|own| !is_generated(node, own)).map(|own| &**own);
        let declared: Vec<&str> = declared.collect();
        let help = match declared.is_empty() {
            true => "declare it in the outputs of its type".to_owned(),
            false => names::suggestion_help(key, &declared),
        };
        let (code, suffix) = if strict {
            (codes::UNDECLARED_OUTPUT, "")
        } else {
            (codes::DROPPED_OUTPUT, ": it is dropped")
        };
        let message =
            format!("{} does not declare the output {}{suffix}", quote(&node.id), quote(key));
        let diagnostic = Diagnostic::new(code, message).help(help).at_pointer(at());
        if strict {
            return Err(diagnostic);
        }
        diagnostics.push(diagnostic);
    }
    if let Some(more) = undeclared.get(MAX_REPORTED_UNDECLARED..).filter(|more| !more.is_empty()) {
        let message = format!(
            "{} does not declare {} more outputs: {}: they are dropped",
            quote(&node.id),
            more.len(),
            names::format_names(more.iter().copied())
        );
        let warning = Diagnostic::new(codes::DROPPED_OUTPUT, message);
        diagnostics.push(warning.help("declare them in the outputs of its type").at_pointer(at()));
    }
    if let Some(missing) = missing_output(node, &accepted) {
        let message = format!("{label} did not return its output {}", quote(missing));
        return Err(Diagnostic::new(codes::MISSING_OUTPUT, message)
            .help("return it, or declare it `optional`")
            .at_pointer(at()));
    }
    Ok(NodeResult { outputs: accepted, action, failure: None })
}

/// Returns the text, or the message, of the `error` in a response or its outputs.
fn returned_message(response: &Value) -> Option<String> {
    let outputs = || response.get("outputs")?.get("error");
    let error = response.get("error").or_else(outputs)?;
    error.as_text().or_else(|| error.get("message")?.as_text()).map(str::to_owned)
}

/// Returns whether a run writes an output, not the node.
fn is_generated(node: &Node, key: &str) -> bool {
    let is_key = |own: Option<&Rc<str>>| own.is_some_and(|own| **own == *key);
    let prefix = || key.strip_prefix(&*node.id).is_some_and(|rest| rest.starts_with('.'));
    is_key(errors_key(node)) || (is_key(node.failure_key.as_ref()) && prefix())
}

/// Returns the first required output that a result does not have.
pub fn missing_output<'a>(node: &'a Node, outputs: &Map) -> Option<&'a str> {
    let is_missing = |output: &&Port| {
        let key = &output.key;
        !output.optional && !outputs.contains_key(key) && !is_generated(node, key)
    };
    node.outputs.iter().find(is_missing).map(|output| &*output.key)
}

/// Adds the failure of a node to its outputs, under the key that its successors read.
pub fn add_failure(node: &Node, result: &mut NodeResult) {
    if let (Some(key), Some(failure)) = (&node.failure_key, &result.failure) {
        let failure = || Value::from(failure.to_map());
        result.outputs.entry(key.clone()).or_insert_with(failure);
    }
}

/// Merges the results of a batch: each output is a list in the order of the items. Failed items are null.
pub fn batch_result(node: &Node, results: &[NodeResult], items: &[Value]) -> NodeResult {
    let mut outputs = Map::default();
    let errors_key = errors_key(node);
    for output in node.outputs.iter() {
        let key = &output.key;
        if Some(key) == errors_key {
            outputs.insert(key.clone(), failed_items(results, items));
            continue;
        }
        let each = || results.iter().map(|result| result.outputs.get(key));
        let is_required = !output.optional && errors_key.is_some();
        if results.is_empty() || is_required || each().any(|value| value.is_some()) {
            let list = each().map(|value| value.cloned().unwrap_or_default());
            outputs.insert(key.clone(), Value::list(list.collect::<Vec<_>>()));
        }
    }
    let counts = |result: &&NodeResult| errors_key.is_none() || result.failure.is_none();
    let mut counted = results.iter().filter(counts);
    let other = counted.find(|result| result.action != DEFAULT_ACTION);
    let action = other.map_or(DEFAULT_ACTION, |result| result.action.as_str()).to_owned();
    let failure = other.and_then(|result| result.failure.clone());
    NodeResult { outputs, action, failure }
}

/// Returns the list of failed items: `[{index, item, message, kind, attempts}]`.
fn failed_items(results: &[NodeResult], items: &[Value]) -> Value {
    let each = results.iter().zip(items).enumerate().filter_map(|(index, (result, item))| {
        let mut entry = Map::default();
        put(&mut entry, "index", index);
        put(&mut entry, "item", item.clone());
        entry.extend(result.failure.as_ref()?.to_map());
        Some(Value::from(entry))
    });
    Value::list(each.collect::<Vec<_>>())
}
