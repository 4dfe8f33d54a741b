//! What a run is given.

use super::Run;
use super::store::Store;
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, names};
use crate::flow::codes;

/// How a workflow is run.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// What the workflow is given.
    pub inputs: Map,
    /// The types that the host runs.
    pub types: Vec<String>,
    /// So many calls at once; at least one.
    pub concurrency: usize,
    /// So many steps; as many as the workflow seems to need where it is left out.
    pub max_steps: Option<usize>,
    /// Whether anybody listens to events.
    pub events: bool,
    /// The trace of a run that did not come to its end.
    pub resume: Option<Value>,
    /// Whether it was stopped before it began: then nothing is called.
    pub cancelled: bool,
}

impl Run {
    /// Takes in what is given, and tells what is missing.
    pub(super) fn read_setup(&mut self, setup: Setup) {
        let flow = self.flow.clone();
        let mut given = setup.inputs;
        if let Some(trace) = &setup.resume {
            given = self.read_trace(trace, given);
        }
        for name in given.keys().filter(|name| !flow.workflow.inputs.contains_key(*name)) {
            let known = || flow.workflow.inputs.keys().map(|name| &**name);
            let help = match names::nearest(name, known()) {
                Some(near) => format!("did you mean {}?", quote(near)),
                None => "declare it under `inputs` of the workflow".to_owned(),
            };
            let message = format!("the workflow has no input {}: it is left out", quote(name));
            let at = format!("/inputs/{}", pointer_step(name));
            self.tell_fault(
                Diagnostic::new(codes::UNKNOWN_INPUT, message).help(help).at_pointer(at),
            );
        }
        for (name, input) in &flow.workflow.inputs {
            let value = given.get(name).or(input.default.as_ref());
            if input.secret {
                self.secrets.add(name, value);
            }
            match value {
                Some(value) => drop(self.inputs.insert(name.clone(), value.clone())),
                None if input.required => self.tell_fault(
                    Diagnostic::new(
                        codes::MISSING_INPUT,
                        format!("the input {} is missing", quote(name)),
                    )
                    .help("give it under `inputs`, or give it a `default`")
                    .at_pointer(format!("/inputs/{}", pointer_step(name))),
                ),
                None => {}
            }
        }
        if let Some(trace) = &setup.resume {
            self.read_past(trace);
        }
        self.store = Store::new(self.inputs.clone());
        self.flat = Store::new(self.inputs.clone());
        self.need_types(&setup.types);
    }

    /// Tells which types nobody runs.
    fn need_types(&mut self, types: &[String]) {
        let mut known: OrderedMap<()> =
            types.iter().map(|kind| (kind.as_str().into(), ())).collect();
        let flow = self.flow.clone();
        for (place, node) in flow.workflow.nodes.iter().enumerate() {
            if known.insert(node.kind.clone(), ()).is_some() {
                continue;
            }
            let mut help = format!("give `nodes` a function {}", quote(&node.kind));
            if let Some(near) = names::nearest(&node.kind, types.iter().map(String::as_str)) {
                help = format!("write the type {}, which `nodes` has, or {help}", quote(near));
            }
            let message = format!("nobody runs nodes of the type {}", quote(&node.kind));
            let at = format!("/nodes/{place}/type");
            self.tell_fault(Diagnostic::new(codes::NO_CALLBACK, message).help(help).at_pointer(at));
        }
    }
}
