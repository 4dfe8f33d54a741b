//! Calls on their way: when they are made, what comes back, and when one is tried again.

use super::call::{self, Answered, Call, Scope};
use super::{Answer, Effect, End, Now, Run, State, event, set};
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, template};
use crate::flow::codes;
use crate::flow::compile::Flow;
use crate::flow::workflow::Node;
use std::cell::Cell;
use std::cmp::Reverse;

/// One call of a step: the only one, or that of one item.
#[derive(Debug)]
pub struct Unit {
    pub step: usize,
    /// The place of the item, where the node runs once for each.
    pub item: Option<usize>,
    /// What it is called with; of an item that is made when it is called, for there may be thousands.
    call: Option<Call>,
    /// Counts from 1.
    pub attempt: usize,
    state: Flight,
    /// When it was called last.
    started: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flight {
    /// It can be called.
    Ready,
    /// It has been called.
    Called,
    /// It is tried again after a while.
    Resting,
    Over,
}

/// What a step was given, of which its calls are made.
#[derive(Debug, Default)]
pub struct Given {
    /// By the names that it reads.
    values: Map,
    items: Vec<Value>,
}

impl Given {
    fn call(
        &self,
        flow: &Flow,
        place: usize,
        item: Option<usize>,
        told: &mut Vec<Diagnostic>,
    ) -> Option<Call> {
        let (node, wiring) = (flow.workflow.nodes.get(place)?, flow.wiring.nodes.get(place)?);
        let find = |name: &str| self.values.get(name).cloned();
        let name = node.batch.as_ref().map_or("", |batch| &*batch.name);
        let item = item.and_then(|at| self.items.get(at)).map(|item| (name, item));
        let room = Cell::new(template::MAX_BYTES);
        let scope = Scope { templates: &wiring.templates, values: &find, item, room: &room };
        call::prepare(flow, place, &scope, told)
    }
}

/// Why a step cannot be done.
#[derive(Debug)]
pub struct Failure {
    pub step: usize,
    /// The unit that failed, where one was called.
    pub unit: Option<usize>,
    pub faults: Vec<Diagnostic>,
    /// Milliseconds that its last attempt took.
    pub took: f64,
}

/// The longest wait between two attempts, where none is asked for that is longer.
const LONGEST_WAIT: usize = 60_000;

impl Run {
    /// All that a step reads is there.
    pub(super) fn begin_step(&mut self, index: usize, now: Now<'_>) {
        let flow = self.flow.clone();
        if self.ahead.first().is_some_and(|first| first.step < index) {
            return;
        }
        let Some(step) = self.steps.get_mut(index) else { return };
        let (place, pass) = (step.node, step.pass);
        step.state = State::Begun;
        now.time.clone_into(&mut step.started);
        let reads = std::mem::take(&mut step.reads);
        let (Some(node), Some(wiring)) =
            (flow.workflow.nodes.get(place), flow.wiring.nodes.get(place))
        else {
            return;
        };
        let all = self.all();
        let mut values = Map::default();
        for read in &reads {
            if let Some(value) = self.flat.value(&read.name, &read.seen, all) {
                values.insert(read.name.clone(), value.clone());
            }
        }
        let given = Given { values, items: Vec::new() };
        let mut told = Vec::new();
        let mut calls = Vec::new();
        let items = match &node.batch {
            None => {
                calls.extend(
                    given.call(&flow, place, None, &mut told).map(|call| (None, Some(call))),
                );
                Vec::new()
            }
            Some(batch) => {
                let find = |name: &str| given.values.get(name).cloned();
                let (templates, room) = (&wiring.templates, &Cell::new(template::MAX_BYTES));
                let scope = Scope { templates, values: &find, item: None, room };
                let items = call::items(place, &batch.items, &scope, &mut told);
                items.into_iter().flatten().collect::<Vec<_>>()
            }
        };
        let given = Given { items, ..given };
        for at in 0..given.items.len() {
            let call = given.call(&flow, place, Some(at), &mut told);
            calls.extend(call.map(|_| (Some(at), None)));
        }
        if told.iter().any(Diagnostic::is_error) {
            // What stands in the workflow is the same at every attempt.
            return self.fail(Failure { step: index, unit: None, faults: told, took: 0.0 }, now);
        }
        self.tell_once(index, told);
        let Some(step) = self.steps.get_mut(index) else { return };
        step.given = given;
        step.answers = vec![None; calls.len()];
        step.left = calls.len();
        for (item, call) in calls {
            let known = item.and_then(|item| self.past.item(&flow, place, pass, item));
            if let Some(known) = known {
                let Some(step) = self.steps.get_mut(index) else { return };
                set(&mut step.answers, item.unwrap_or_default(), Some(known));
                step.left = step.left.saturating_sub(1);
                continue;
            }
            // What has effects is done for one item after the other.
            let follows = self.units.last().is_some_and(|unit| unit.step == index);
            if !(node.effects && follows) {
                self.ready.push(Reverse(self.units.len() as u64));
            }
            self.units.push(Unit {
                step: index,
                item,
                call,
                attempt: 1,
                state: Flight::Ready,
                started: 0.0,
            });
        }
        self.settle(index, now);
    }

    /// Calls as many as there is room for.
    pub(super) fn call_ready(&mut self, now: Now<'_>) {
        while self.end.is_none() && self.running < self.concurrency {
            let Some(number) = self.ready.pop().map(|Reverse(number)| number as usize) else {
                return;
            };
            let flow = self.flow.clone();
            let Some(unit) = self.units.get_mut(number) else { continue };
            let Some(step) = self.steps.get_mut(unit.step) else { continue };
            let Some(node) = flow.workflow.nodes.get(step.node) else { continue };
            let waits = self.ahead.first().is_some_and(|first| first.step <= unit.step);
            if waits || unit.state == Flight::Over {
                continue;
            }
            // Whatever is to be told of it was told when the step began.
            let made = || step.given.call(&flow, step.node, unit.item, &mut Vec::new());
            let Some(call) = unit.call.clone().or_else(made) else { continue };
            unit.state = Flight::Called;
            unit.started = now.clock;
            step.attempts = step.attempts.max(unit.attempt);
            self.running += 1;
            self.effects.push(Effect::Call {
                number,
                node: node.id.clone(),
                kind: node.kind.clone(),
                call: call.clone(),
                pass: step.pass,
                item: unit.item,
                attempt: unit.attempt,
                timeout_ms: node.timeout_ms,
            });
            let Call { params, inputs } = call;
            self.tell(number, "started", now, || {
                vec![("params", params.into()), ("inputs", inputs.into())]
            });
        }
    }

    pub(super) fn take_answer(&mut self, number: usize, answer: Answer, now: Now<'_>) {
        let flow = self.flow.clone();
        let Some(unit) = self.units.get_mut(number) else { return };
        let (index, item, started) = (unit.step, unit.item, unit.started);
        match unit.state {
            Flight::Called => {}
            Flight::Resting => {
                unit.state = Flight::Ready;
                return self.ready.push(Reverse(number as u64));
            }
            // Nobody waits for it any more.
            Flight::Ready | Flight::Over => return,
        }
        unit.state = Flight::Over;
        self.running = self.running.saturating_sub(1);
        let Some(place) = self.steps.get(index).map(|step| step.node) else { return };
        let Some(node) = flow.workflow.nodes.get(place) else { return };
        let took = now.clock - started;
        let mut told = Vec::new();
        let read = match answer {
            Answer::Value(value) => call::read_answer(node, place, flow.strict, &value, &mut told),
            // Before it is cut: what is left of a secret is no secret that can be found.
            Answer::Failed(why) => Err(failed(node, place, &self.secrets.hide_words(&why))),
        };
        self.tell_once(index, told);
        match read {
            Ok(answered) => {
                if let Some(unit) = self.units.get_mut(number) {
                    // A loop calls thousands of times.
                    unit.call = None;
                }
                let (outputs, action) = (answered.outputs.clone(), answered.action.clone());
                self.tell(number, "finished", now, || {
                    vec![
                        ("duration_ms", took.into()),
                        ("action", action.into()),
                        ("outputs", outputs.into()),
                    ]
                });
                let next = number + 1;
                let follows = self.units.get(next).is_some_and(|unit| unit.step == index);
                if node.effects && follows {
                    self.ready.push(Reverse(next as u64));
                }
                self.put_answer(index, item, answered, now);
            }
            Err(fault) => self.retry_or_fail(number, fault, now, took),
        }
    }

    fn retry_or_fail(&mut self, number: usize, fault: Diagnostic, now: Now<'_>, took: f64) {
        let flow = self.flow.clone();
        let Some(unit) = self.units.get_mut(number) else { return };
        let Some(step) = self.steps.get(unit.step) else { return };
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        let index = unit.step;
        let is_lost = step.state == State::Ahead || self.end.is_some();
        if unit.attempt >= node.retry.max_attempts || is_lost {
            let faults = vec![fault];
            return self.fail(Failure { step: index, unit: Some(number), faults, took }, now);
        }
        let base = node.retry.backoff_ms;
        let doubled = base.saturating_mul(1 << (unit.attempt - 1).min(16));
        let wait = doubled.min(LONGEST_WAIT.max(base));
        let error = Value::list(vec![self.without_secrets(fault).to_value()]);
        self.tell(number, "retried", now, || {
            vec![("duration_ms", took.into()), ("error", error), ("wait_ms", wait.into())]
        });
        let Some(unit) = self.units.get_mut(number) else { return };
        unit.attempt += 1;
        if wait == 0 {
            unit.state = Flight::Ready;
            self.ready.push(Reverse(number as u64));
        } else {
            unit.state = Flight::Resting;
            self.effects.push(Effect::Wait { number, milliseconds: wait });
        }
    }

    /// A step cannot be done. Whatever runs beside it may end; nothing else is begun. Where it was
    /// taken ahead, that is so once it is due.
    pub(super) fn fail(&mut self, failure: Failure, now: Now<'_>) {
        let index = failure.step;
        let due = self.is_due(index);
        let Some(step) = self.steps.get_mut(index) else { return };
        let (place, open) = (step.node, !step.has_ended());
        step.state = if due { State::Failed } else { State::Ahead };
        if open {
            now.time.clone_into(&mut step.ended);
            self.close(place);
        }
        if !due {
            self.ahead.retain(|other| other.step <= index);
            if self.ahead.first().is_none_or(|first| first.step == index) {
                self.ahead.push(failure);
            }
            return;
        }
        self.end.get_or_insert(End::Failed);
        let faults = failure.faults.into_iter();
        let faults: Vec<Diagnostic> = faults.map(|fault| self.without_secrets(fault)).collect();
        let error = Value::list(faults.iter().map(Diagnostic::to_value).collect::<Vec<_>>());
        let unit = failure.unit.and_then(|number| self.units.get(number));
        let (item, attempt) = unit.map_or((None, 1), |unit| (unit.item, unit.attempt));
        self.tell_step(index, item, attempt, "failed", now, || {
            vec![("duration_ms", failure.took.into()), ("error", error)]
        });
        self.told.extend(faults.into_iter().map(|fault| (index, fault)));
    }

    /// Nobody waits any more for what steps behind one are called for.
    pub(super) fn give_up_after(&mut self, index: usize) {
        for unit in self.units.iter_mut().filter(|unit| unit.step > index) {
            if unit.state == Flight::Called {
                self.running = self.running.saturating_sub(1);
            }
            unit.state = Flight::Over;
        }
    }

    fn put_answer(&mut self, index: usize, item: Option<usize>, answered: Answered, now: Now<'_>) {
        let Some(step) = self.steps.get_mut(index) else { return };
        set(&mut step.answers, item.unwrap_or_default(), Some(answered));
        step.left = step.left.saturating_sub(1);
        self.settle(index, now);
    }

    /// Ends a step when all its calls have been answered.
    fn settle(&mut self, index: usize, now: Now<'_>) {
        let flow = self.flow.clone();
        let Some(step) = self.steps.get_mut(index) else { return };
        if step.state != State::Begun || step.left > 0 {
            return;
        }
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        let mut answers: Vec<Answered> =
            std::mem::take(&mut step.answers).into_iter().flatten().collect();
        let answered = match node.batch {
            Some(_) => call::gather(node, &answers),
            None => match answers.pop() {
                Some(answered) => answered,
                None => return,
            },
        };
        now.time.clone_into(&mut step.ended);
        step.given = Given::default();
        let followers = std::mem::take(&mut step.followers);
        self.finish(index, answered);
        for follower in followers {
            let Some(step) = self.steps.get_mut(follower) else { continue };
            step.waits = step.waits.saturating_sub(1);
            if step.waits == 0 && step.state == State::Taken && self.end.is_none() {
                self.begin_step(follower, now);
            }
        }
    }

    fn tell(
        &mut self,
        number: usize,
        kind: &str,
        now: Now<'_>,
        parts: impl FnOnce() -> Vec<(&'static str, Value)>,
    ) {
        let Some(unit) = self.units.get(number) else { return };
        let (step, item, attempt) = (unit.step, unit.item, unit.attempt);
        self.tell_step(step, item, attempt, kind, now, parts);
    }

    fn tell_step(
        &mut self,
        index: usize,
        item: Option<usize>,
        attempt: usize,
        kind: &str,
        now: Now<'_>,
        parts: impl FnOnce() -> Vec<(&'static str, Value)>,
    ) {
        if !self.wants_events {
            return;
        }
        let Some(step) = self.steps.get(index) else { return };
        let Some(node) = self.flow.workflow.nodes.get(step.node) else { return };
        let parts = parts().into_iter().map(|(name, value)| match name {
            "action" => (name, self.secrets.hide(&value)),
            _ => (name, value.as_map().map_or(value.clone(), |map| self.secrets.hide_each(map))),
        });
        self.events.push(event::event(
            kind,
            node,
            step.pass,
            item,
            attempt,
            now,
            parts.collect::<Vec<_>>(),
        ));
    }
}

fn failed(node: &Node, place: usize, why: &str) -> Diagnostic {
    Diagnostic::new(codes::NODE_FAILED, format!("{} failed: {}", quote(&node.id), one_line(why)))
        .help("mend what it says, then resume the run with its trace")
        .at_pointer(format!("/nodes/{place}"))
}

/// The words of whatever was thrown, cut where they are long.
fn one_line(why: &str) -> String {
    const MOST: usize = 500;
    let words = why.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}
