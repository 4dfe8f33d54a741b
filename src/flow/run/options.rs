//! Options of a run.

use super::Run;
use super::call_order::CallOrder;
use super::inputs::check_input;
use super::secret::Secrets;
use super::store::RunStore;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, names};
use crate::flow::codes;
use std::rc::Rc;

/// Maximum number of unknown inputs that are compared with all declared ones.
const MAX_COMPARED_INPUTS: usize = 20;

/// Options of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Inputs of the workflow.
    pub inputs: Map,
    /// Node types that the host has a function for.
    pub types: Vec<String>,
    /// Maximum number of concurrent calls, at least 1.
    pub concurrency: usize,
    /// Maximum number of steps; `None` for a default that grows with the workflow.
    pub max_steps: Option<usize>,
    /// Maximum estimated memory of the values of the run in bytes; `None` for the default.
    pub max_bytes: Option<usize>,
    /// Whether there is a listener for events.
    pub events: bool,
    /// Trace of an earlier run to resume.
    pub resume: Option<Value>,
    /// Whether the run was cancelled before it began.
    pub cancelled: bool,
    /// Answers to suspended nodes, by id.
    pub answers: Map,
    /// Fingerprints of the workflows that nodes run, by node type.
    pub children: Map,
    /// Prefix of node ids in events and messages, if a node of another workflow runs this one.
    pub path: String,
    pub order: CallOrder,
    /// Whether calls are data for other processes: with markers for secrets, and with their delays. The host has
    /// no functions of its own.
    pub remote: bool,
    /// Secrets of the run that this run is a part of.
    pub outer_secrets: Option<Rc<Secrets>>,
}

impl Run {
    /// Reads the options, and reports missing and unknown inputs.
    pub(super) fn read_options(&mut self, options: RunOptions) {
        let flow = self.flow.clone();
        self.answers = options.answers;
        self.children = options.children;
        self.path = options.path;
        let mut inputs = options.inputs;
        if let Some(trace) = &options.resume {
            inputs = self.inputs_with_trace(trace, inputs);
        }
        let unknown = inputs.keys().filter(|name| !flow.workflow.inputs.contains_key(*name));
        for (index, name) in unknown.enumerate() {
            let known = || flow.workflow.inputs.keys().map(|name| &**name);
            let closest = match index {
                0..MAX_COMPARED_INPUTS => names::closest(name, known()),
                _ => None,
            };
            let help = match closest {
                Some(closest) => format!("did you mean {}?", quote(closest)),
                None => "declare it in `inputs` of the workflow".to_owned(),
            };
            let message = format!("unknown input {}: it is ignored", quote(name));
            let at = format!("/inputs/{}", escape_pointer_step(name));
            let warning = Diagnostic::new(codes::UNKNOWN_INPUT, message).help(help);
            self.report_input(warning.at_pointer(at));
        }
        let mut secrets = Secrets::default();
        secrets.outer = options.outer_secrets;
        for (name, input) in &flow.workflow.inputs {
            let value = inputs.get(name).or(input.default.as_ref());
            if input.secret {
                secrets.add(name, value);
            }
            // The trace determines whether a secret is necessary.
            let is_withheld = input.secret && options.resume.is_some() && value.is_none();
            // The inputs of a rejected trace are unknown.
            if !self.previous.is_rejected && (!is_withheld || input.required) {
                let found = check_input(&flow, name, input, value);
                found.into_iter().for_each(|diagnostic| self.report_input(diagnostic));
            }
            self.inputs.extend(value.map(|value| (name.clone(), value.clone())));
        }
        self.secrets = Rc::new(secrets);
        self.hold_inputs();
        match &options.resume {
            Some(_) if self.previous.is_rejected => {}
            Some(trace) => self.read_previous_run(trace),
            None => self.check_answers(),
        }
        self.store = RunStore::new(self.inputs.clone());
        self.flat = RunStore::new(self.inputs.clone());
        if !options.remote {
            self.check_types(&options.types);
        }
    }

    /// Reports a diagnostic of an input; names the node that runs the workflow, if there is one.
    fn report_input(&mut self, mut diagnostic: Diagnostic) {
        if let Some(parent) = self.path.strip_suffix('/') {
            diagnostic.message = format!("{}: {}", quote(parent), diagnostic.message);
        }
        self.report(diagnostic);
    }

    /// Reports each node type without a function.
    fn check_types(&mut self, types: &[String]) {
        let mut seen: OrderedMap<()> =
            types.iter().map(|kind| (kind.as_str().into(), ())).collect();
        let flow = self.flow.clone();
        for (node_index, node) in flow.workflow.nodes.iter().enumerate() {
            if seen.insert(node.kind.clone(), ()).is_some() {
                continue;
            }
            let mut help = format!("add a function {} to `nodes`", quote(&node.kind));
            if let Some(closest) = names::closest(&node.kind, types.iter().map(String::as_str)) {
                help = format!("change the type to {}, or {help}", quote(closest));
            }
            let message = format!("no function for nodes of the type {}", quote(&node.kind));
            let at = format!("/nodes/{node_index}/type");
            self.report(
                Diagnostic::new(codes::MISSING_CALLBACK, message).help(help).at_pointer(at),
            );
        }
    }
}
