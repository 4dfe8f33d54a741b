//! Steps of a resumed run: whether a step reuses the result of the earlier run, still waits for an answer, or
//! calls its node.

use super::Run;
use super::failure::errors_key;
use super::fingerprint::CallFingerprint;
use super::previous::{ItemPool, PreviousStep, failure_of, list_of};
use super::secret::Secrets;
use super::step::{Continuation, HostTime, StepState};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::value::{Map, memory_of};
use crate::base::{Diagnostic, Value, names};
use crate::flow::codes;
use crate::flow::workflow::Node;
use std::collections::HashSet;

/// Maximum number of unused answers that are reported one by one: each is compared with all waiting nodes.
const MAX_REPORTED_UNUSED_ANSWERS: usize = 20;

/// Start of a step in a resumed run.
pub(super) enum StepStart {
    /// It has the result of the earlier run.
    Reused,
    /// It still waits for an answer.
    Waiting,
    /// It calls its node, in place of or in continuation of an earlier call.
    Calls(Continuation, ItemPool),
}

impl Run {
    /// Decides how a step starts whose call has a fingerprint.
    pub(super) fn resume_step(
        &mut self,
        step_index: usize,
        node: &Node,
        previous: Option<PreviousStep>,
        now: HostTime<'_>,
    ) -> StepStart {
        let fresh = || StepStart::Calls(Continuation::default(), ItemPool::default());
        let Some(step) = self.steps.get_mut(step_index) else { return fresh() };
        let Some(previous) = previous else { return fresh() };
        let hash = step.fingerprint.as_ref().map(|fingerprint| &*fingerprint.hash);
        let is_legacy = self.previous.is_legacy;
        let is_same = match is_legacy {
            true => previous.text("type") == &*node.kind,
            false => hash == Some(previous.text("fingerprint")),
        };
        let is_finished = previous.text("status") == "finished";
        let is_waiting = !previous.waiting().is_empty();
        let can_reuse = is_same && !step.is_changed;
        if is_finished
            && can_reuse
            && let Some(result) = previous.result(node)
        {
            step.started = previous.text("started_at").to_owned();
            step.ended = previous.text("finished_at").to_owned();
            step.attempts = previous.attempts();
            step.record = (!is_legacy).then(|| previous.value_with_markers.clone());
            step.failure = result.failure.clone();
            self.memory.add(memory_of(&result.outputs));
            let path = self.node_path(step_index);
            self.repeat_reports(step_index, node, &previous);
            let entry = previous.value();
            for entry in list_of(entry, "items").iter().chain([entry]) {
                self.repeat_child_reports(step_index, entry.get("child"), &path, 1);
            }
            self.finish_step(step_index, result, now);
            return StepStart::Reused;
        }
        if is_waiting && can_reuse {
            let answers = self.answers_to(node, &previous);
            let Some(step) = self.steps.get_mut(step_index) else { return fresh() };
            if !answers.is_empty() || previous.text("status") == "waiting" {
                step.attempts = previous.attempts();
                step.waiting = previous.waiting().to_vec();
                if let Some(slot) = step.slots.first_mut() {
                    slot.child = previous.child();
                }
            }
            if !answers.is_empty() {
                let continued = continuation(node, &previous, answers);
                return StepStart::Calls(continued, ItemPool::default());
            }
            if previous.text("status") == "waiting" {
                step.state = StepState::Waiting;
                self.waiting_count += 1;
                return StepStart::Waiting;
            }
        }
        let is_answered = is_waiting && !self.answers_to(node, &previous).is_empty();
        // The change of an earlier node was reported there.
        let is_first = self.steps.get(step_index).is_some_and(|step| !step.is_changed);
        if is_answered || ((is_finished || is_waiting) && !is_same && is_first) {
            self.report_change(step_index, node, &previous, is_answered);
        }
        if is_finished && let Some(step) = self.steps.get_mut(step_index) {
            step.is_changed = step.is_changed || !is_same;
        }
        let continued = Continuation { child: previous.child(), ..Continuation::default() };
        StepStart::Calls(continued, previous.items(node))
    }

    /// Reports the failures after which a step of the earlier run continued.
    fn repeat_reports(&mut self, step_index: usize, node: &Node, previous: &PreviousStep) {
        if errors_key(node).is_none() {
            let Some(failure) = previous.failure() else { return };
            let path = self.node_path(step_index);
            let cause = format!("{} failed: {}", quote(&path), failure.message);
            return self.report_error_edge(step_index, &path, &node.id, &cause);
        }
        for (item, entry) in list_of(previous.value(), "items").iter().enumerate() {
            if let Some(failure) = failure_of(entry) {
                let label = self.label(step_index, Some(item));
                self.report_failed_item(step_index, &label, &failure.message);
            }
        }
    }

    /// Reports the failures after which the workflow of a reused step or item continued, from its trace. Each of
    /// the `depth` traces around its steps has escaped their markers.
    pub(super) fn repeat_child_reports(
        &mut self,
        step_index: usize,
        child: Option<&Value>,
        path: &str,
        depth: usize,
    ) {
        let message_of = |entry: &Value| {
            let message = Value::from(failure_of(entry)?.message);
            let message = (0..depth).fold(message, |text, _| Secrets::default().restore(&text));
            message.as_text().map(str::to_owned)
        };
        for step in child.map_or(&[][..], |child| list_of(child, "steps")) {
            let text = |key: &str| step.get(key).and_then(Value::as_text).unwrap_or_default();
            if text("status") != "finished" {
                continue;
            }
            let id = text("node");
            let path = format!("{path}/{id}");
            let label = quote(&path);
            if let Some(message) = message_of(step) {
                let cause = format!("{label} failed: {message}");
                self.report_error_edge(step_index, &path, id, &cause);
            }
            for (index, item) in list_of(step, "items").iter().enumerate() {
                if let Some(message) = message_of(item) {
                    let label = format!("{label} (item {index})");
                    self.report_failed_item(step_index, &label, &message);
                }
                self.repeat_child_reports(step_index, item.get("child"), &path, depth + 1);
            }
            self.repeat_child_reports(step_index, step.get("child"), &path, depth + 1);
        }
    }

    /// Warns that a step runs again, and names the parts of its call that changed.
    fn report_change(
        &mut self,
        step_index: usize,
        node: &Node,
        previous: &PreviousStep,
        is_answered: bool,
    ) {
        let Some(step) = self.steps.get(step_index) else { return };
        let Some(fingerprint) = &step.fingerprint else { return };
        let changed = changed_parts(fingerprint, previous);
        let label = quote(&format!("{}{}", self.path, node.id));
        let answer = if is_answered { ", and its answer is not used" } else { "" };
        let reason = match step.is_changed {
            true => "a node before it ran again".to_owned(),
            false => format!("its {changed} changed since the trace"),
        };
        let message = format!("{label} runs again{answer}, because {reason}");
        let warning = Diagnostic::new(codes::CHANGED_CALL, message)
            .help("the nodes after it run again too; pass the earlier inputs to reuse the trace")
            .at_pointer(format!("/nodes/{}", step.node));
        self.report_once(step_index, vec![warning]);
    }

    /// Returns the answers to the calls of a step that wait for one, by the ids of the nodes.
    fn answers_to(&mut self, node: &Node, previous: &PreviousStep) -> Map {
        let mut found = Map::default();
        if node.batch.is_some() {
            return found;
        }
        for entry in previous.waiting() {
            let id = entry.get("node").and_then(Value::as_shared);
            let answer = id.and_then(|id| Some((id.clone(), self.answers.get(id)?.clone())));
            found.extend(answer);
        }
        found
    }

    /// Warns about answers to nodes that do not wait for one.
    pub(super) fn check_answers(&mut self) {
        // A workflow that a node runs gets only the answers to its own waiting nodes.
        if !self.path.is_empty() {
            return;
        }
        let waiting: Vec<&str> = self.previous.waiting().collect();
        let known: HashSet<&str> = waiting.iter().copied().collect();
        let mut unused = self.answers.keys().filter(|id| !known.contains(&***id));
        let mut warnings = Vec::new();
        for id in unused.by_ref().take(MAX_REPORTED_UNUSED_ANSWERS) {
            let message = format!("unused answer: {} does not wait for one", quote(id));
            let help = match waiting.is_empty() {
                true => "pass the trace of a paused run in `resume`".to_owned(),
                false => names::suggestion_help(id, &waiting),
            };
            let warning = Diagnostic::new(codes::UNUSED_ANSWER, message).help(help);
            warnings.push(warning.at_pointer(format!("/answers/{}", escape_pointer_step(id))));
        }
        let more: Vec<&str> = unused.map(|id| &**id).collect();
        if !more.is_empty() {
            let message = format!(
                "unused answers: {} more nodes do not wait for one: {}",
                more.len(),
                names::format_names(more)
            );
            let help = "pass the answers by the ids in `waiting` of the paused run";
            let warning = Diagnostic::new(codes::UNUSED_ANSWER, message).help(help);
            warnings.push(warning.at_pointer("/answers"));
        }
        warnings.into_iter().for_each(|warning| self.report(warning));
    }
}

/// Returns what the call of a suspended step continues with.
fn continuation(node: &Node, previous: &PreviousStep, mut answers: Map) -> Continuation {
    let child = previous.child();
    let prefix = format!("{}/", node.id);
    if child.is_none() {
        let resumed = answers.shift_remove(&node.id);
        return Continuation { resumed, child, answers: None };
    }
    let below = answers
        .into_iter()
        .filter_map(|(id, answer)| Some((id.strip_prefix(&prefix)?.into(), answer)));
    let answers = Value::from(below.collect::<Map>());
    Continuation { resumed: None, child, answers: Some(answers) }
}

/// Returns the names of the changed parts of a call, for a message.
fn changed_parts(fingerprint: &CallFingerprint, previous: &PreviousStep) -> String {
    let old: Vec<(&str, &str)> = previous.parts().collect();
    let new: Vec<(&str, &str)> =
        fingerprint.parts.iter().map(|(name, hash)| (name.as_str(), hash.as_str())).collect();
    let known: HashSet<&(&str, &str)> = old.iter().collect();
    let current: HashSet<&str> = new.iter().map(|(name, _)| *name).collect();
    let changed = new.iter().filter(|part| !known.contains(part));
    let removed = old.iter().filter(|(name, _)| !current.contains(name));
    const MAX_NAMES: usize = 5;
    let mut names: Vec<String> =
        changed.chain(removed).map(|(name, _)| part_label(name)).take(MAX_NAMES).collect();
    if names.is_empty() {
        names.push("call".to_owned());
    }
    names.join(", ")
}

/// Returns the name of a part of a call, for a message.
fn part_label(name: &str) -> String {
    match (name.split_once('/'), name) {
        (Some(("params", key)), _) => format!("param {}", quote(key)),
        (Some(("inputs", key)), _) => format!("input {}", quote(key)),
        (_, "items") => "batch items".to_owned(),
        (_, name) => name.to_owned(),
    }
}
