//! Reader of traces: checks the version, the workflow and the checksums, and restores secrets.

use super::Run;
use super::fingerprint::checksum;
use super::secret::Secrets;
use super::trace::{TRACE_VERSION, step_checksum, trace_checksum};
use crate::base::diagnostic::quote;
use crate::base::map::{OrderedMap, pack_pair};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, names};
use crate::flow::codes;

/// Version of traces without fingerprints.
const LEGACY_VERSION: usize = 1;

impl Run {
    /// Checks a trace, and adds its inputs to those of this run.
    pub(super) fn inputs_with_trace(&mut self, trace: &Value, inputs: Map) -> Map {
        let traced = match self.checked_trace(trace) {
            Ok(traced) => traced,
            Err(error) => {
                self.previous.is_rejected = true;
                self.report(error.at_pointer("/resume"));
                return inputs;
            }
        };
        // A workflow that a node runs has only the inputs of that node.
        if !self.path.is_empty() {
            return inputs;
        }
        let declared = &self.flow.workflow.inputs;
        let mut all = Map::default();
        for (name, value) in traced {
            if declared.get(name).is_some_and(|input| !input.secret) && !inputs.contains_key(name) {
                self.previous.inputs.push(name.clone());
                all.insert(name.clone(), value.clone());
            }
        }
        all.extend(inputs);
        all
    }

    /// Returns the inputs of a trace, or an error if the run cannot resume from it.
    fn checked_trace<'a>(&mut self, trace: &'a Value) -> Result<&'a Map, Diagnostic> {
        let invalid = |message: String, help: &str| {
            Err(Diagnostic::new(codes::INVALID_TRACE, message).help(help))
        };
        const UNCHANGED: &str = "pass the `trace` of an earlier run unchanged";
        if trace.as_map().is_none() {
            let message = format!("expected the trace of a run, found a {}", trace.kind());
            let is_json = trace.as_text().is_some_and(|text| text.starts_with('{'));
            return invalid(message, if is_json { "pass `JSON.parse(trace)`" } else { UNCHANGED });
        }
        let Some(version) = trace.get("version").and_then(Value::as_number) else {
            let is_result = trace.get("trace").is_some();
            let help = if is_result { "pass the `trace` of the result" } else { UNCHANGED };
            return invalid("invalid trace: it has no `version`".to_owned(), help);
        };
        if version > TRACE_VERSION as f64 {
            let message = format!(
                "expected a trace of version {TRACE_VERSION} or earlier, found version {version}"
            );
            return invalid(message, "update `byname`, or start the run without `resume`");
        }
        let is_legacy = version == LEGACY_VERSION as f64;
        let steps = trace.get("steps").and_then(Value::as_list);
        let traced = trace.get("inputs").and_then(Value::as_map);
        let (Some(_), Some(traced), true) = (steps, traced, is_legacy || version == 2.0) else {
            return invalid("invalid trace: expected `inputs` and `steps`".to_owned(), UNCHANGED);
        };
        let flow = self.flow.fingerprint();
        let is_same = trace.get("flow").and_then(Value::as_text) == Some(&flow);
        self.fingerprint = Some(flow);
        self.previous.is_legacy = is_legacy;
        if is_legacy && !is_same {
            let message = "a trace of version 1 can be resumed only by its own workflow, because it has no \
                           fingerprints";
            return invalid(message.to_owned(), "start the run without `resume`");
        }
        if !is_same {
            let of_node =
                self.path.strip_suffix('/').map(|parent| format!(" of {}", quote(parent)));
            let message =
                format!("the trace{} belongs to another workflow", of_node.unwrap_or_default());
            self.report(
                Diagnostic::new(codes::TRACE_OF_OTHER_WORKFLOW, message)
                    .help(
                        "run without `resume` to start over; the results of nodes whose calls are the same are \
                         reused",
                    )
                    .at_pointer("/resume"),
            );
        }
        Ok(traced)
    }

    /// Reads the steps of an earlier run; the caller must add the secrets before.
    pub(super) fn read_previous_run(&mut self, trace: &Value) {
        for (name, _) in trace.get("inputs").unwrap_or(&Value::Null).entries() {
            let is_secret = self.flow.workflow.inputs.get(name).is_some_and(|input| input.secret);
            if is_secret && !self.inputs.contains_key(name) {
                self.previous.withheld.push(name.clone());
            }
        }
        self.read_steps(trace);
        if let Some(name) = self.secrets.first_missing_secret(&trace.to_text()) {
            let message = format!("missing secret {} of the trace", quote(name));
            self.report(
                Diagnostic::new(codes::MISSING_INPUT, message)
                    .help("pass it again in `inputs`")
                    .at_pointer("/inputs"),
            );
            return;
        }
        // Inputs of this run may contain texts like markers and stay as they are.
        for name in &self.previous.inputs {
            if let Some(value) = self.inputs.get_mut(name) {
                *value = self.secrets.restore(value);
            }
        }
        let marked = self.previous.steps_with_markers.iter();
        self.previous.steps =
            marked.map(|step| restore_secrets(step, &self.secrets)).collect::<Vec<_>>();
        self.check_legacy_inputs(trace);
        self.check_answers();
    }

    /// Reads the steps whose checksum is correct. Reports the others: they run again.
    fn read_steps(&mut self, trace: &Value) {
        let mut node_indices: OrderedMap<u32> = OrderedMap::default();
        for (node_index, node) in (0u32..).zip(&self.flow.workflow.nodes) {
            node_indices.insert(node.id.clone(), node_index);
        }
        let steps = trace.get("steps").and_then(Value::as_list).unwrap_or_default();
        let mut edited: Vec<&str> = Vec::new();
        for step in steps {
            let id = step.get("node").and_then(Value::as_text);
            if !self.previous.is_legacy {
                let expected = step.get("checksum").and_then(Value::as_text);
                if expected != Some(&step_checksum(step)) {
                    edited.push(id.unwrap_or("?"));
                    continue;
                }
            }
            let node_index = id.and_then(|id| node_indices.get(id));
            let iteration = step.get("pass").and_then(Value::as_number);
            if let (Some(node_index), Some(iteration)) = (node_index, iteration) {
                let index = self.previous.steps_with_markers.len() as u64;
                self.previous.indices.insert(pack_pair(*node_index, iteration as u32), index);
                self.previous.steps_with_markers.push(step.clone());
            }
        }
        if !self.previous.is_legacy {
            self.report_edits(trace, steps, &edited);
        }
    }

    fn report_edits(&mut self, trace: &Value, steps: &[Value], edited: &[&str]) {
        let text = |key: &str| trace.get(key).and_then(Value::as_text).unwrap_or_default();
        let inputs = trace.get("inputs").cloned().unwrap_or_default();
        let inputs_fingerprint = text("inputs_fingerprint");
        let total = trace_checksum(text("flow"), inputs_fingerprint, steps);
        let (message, help) = if !edited.is_empty() {
            let message =
                format!("the trace was edited at {}", names::format_names(edited.iter().copied()));
            (message, "these steps run again; pass the trace unchanged to reuse them")
        } else if checksum(&inputs) != inputs_fingerprint {
            ("the inputs of the trace were edited".to_owned(), "pass other inputs in `inputs`")
        } else if total != text("checksum") {
            let message = "the trace was edited: steps were removed, added or moved".to_owned();
            (message, "steps that are missing run again; pass the trace unchanged to reuse them")
        } else {
            return;
        };
        let warning = Diagnostic::new(codes::EDITED_TRACE, message).help(help);
        self.report(warning.at_pointer("/resume"));
    }

    /// Rejects other inputs than those of a trace without fingerprints, because the affected steps are unknown.
    fn check_legacy_inputs(&mut self, trace: &Value) {
        if !self.previous.is_legacy {
            return;
        }
        let shown = self.inputs_without_secrets();
        let traced = trace.get("inputs").cloned().unwrap_or_default();
        if shown.is_same(&traced) {
            let message = "the trace has version 1: its results are reused without fingerprints";
            let info = Diagnostic::new(codes::MIGRATED_TRACE, message)
                .help("store the trace of this run in place of the old one");
            return self.report(info.at_pointer("/resume"));
        }
        let is_changed =
            |name: &&str| shown.get(name).zip(traced.get(name)).is_none_or(|(a, b)| !a.is_same(b));
        let all = shown.entries().chain(traced.entries()).map(|(name, _)| &**name);
        let mut changed: Vec<&str> = all.filter(is_changed).collect();
        changed.sort_unstable();
        changed.dedup();
        let message = format!(
            "a trace of version 1 can be resumed only with its own inputs; changed: {}",
            names::format_names(changed.into_iter())
        );
        self.report(
            Diagnostic::new(codes::INVALID_TRACE, message)
                .help("start the run without `resume`, or pass the inputs of the trace")
                .at_pointer("/resume"),
        );
    }
}

/// Restores the secrets in the results of a step.
fn restore_secrets(step: &Value, secrets: &Secrets) -> Value {
    let mut step = step.clone();
    for key in ["outputs", "action", "error", "waiting", "child"] {
        if let Some(part) = step.get_mut(key) {
            *part = secrets.restore(part);
        }
    }
    for item in step.get_mut("items").and_then(Value::as_list_mut).into_iter().flatten() {
        *item = restore_secrets(item, secrets);
    }
    step
}
