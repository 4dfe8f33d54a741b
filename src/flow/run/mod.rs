//! Running a workflow. The run asks, the host acts: [`Run::begin`] and [`Run::resume`] answer with
//! the calls that can be made now, several at once where there is room for them.
//!
//! A step is one passing of a node. Steps are taken in the order of a run that does one thing after
//! another; what a step reads is settled when it is taken, so it makes no difference which of them
//! ends first.

mod call;
mod event;
mod faults;
mod flight;
mod result;
mod secret;
mod setup;
mod store;
mod trace;

pub use call::{Answered, Call};
pub use secret::Secrets;
pub use setup::Setup;

use self::flight::{Failure, Given, Unit};
use self::store::{Steps, Store, Write};
use self::trace::Past;
use crate::base::map::pair;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::flow::compile::Flow;
use crate::flow::order::First;
use crate::flow::workflow::DEFAULT_ACTION;
use std::cmp::Reverse;
use std::rc::Rc;

/// The time, by the host.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// ISO 8601.
    pub time: &'a str,
    /// Milliseconds of a clock that only goes forward.
    pub clock: f64,
}

/// Where the run stands.
#[derive(Debug)]
pub struct Turn {
    /// What has happened.
    pub events: Vec<Value>,
    /// What the host is to do, besides what it is doing.
    pub effects: Vec<Effect>,
    /// `{status, outputs, store, trace, diagnostics}`, once it is over.
    pub done: Option<Value>,
}

/// What the run cannot do itself. It is resumed with the number.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A call of a node.
    Call {
        number: usize,
        node: Rc<str>,
        kind: Rc<str>,
        call: Call,
        pass: usize,
        item: Option<usize>,
        attempt: usize,
        timeout_ms: Option<usize>,
    },
    /// So many milliseconds have to go by.
    Wait { number: usize, milliseconds: usize },
}

/// What the host answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What was asked for.
    Value(Value),
    /// It could not be done, and why.
    Failed(String),
}

/// One passing of a node.
#[derive(Debug, Default)]
pub struct Step {
    node: usize,
    /// Which passing of its node it is, from 1 on.
    pass: usize,
    /// What it reads. Empty once it has begun.
    reads: Vec<Read>,
    /// What it has read, from its beginning to its end.
    given: Given,
    /// How many steps it waits for.
    waits: usize,
    /// The steps that wait for it.
    followers: Vec<usize>,
    /// Whether those behind it were taken before it ended.
    passed: bool,
    state: State,
    /// For each output of its node, what it answered.
    outputs: Vec<Option<Value>>,
    action: String,
    /// Of each of its calls, the answer.
    answers: Vec<Option<Answered>>,
    /// How many answers are still to come.
    left: usize,
    attempts: usize,
    started: String,
    ended: String,
}

/// A name that a step reads.
#[derive(Debug)]
struct Read {
    /// That of one flat store, or as a template names one node's output.
    name: Rc<str>,
    /// Who may write it.
    seen: Vec<Write>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// It waits for what it reads.
    #[default]
    Taken,
    /// It is being called.
    Begun,
    Finished,
    /// It failed while steps before it had not ended: whether it was due is open.
    Ahead,
    Failed,
}

impl Step {
    fn has_ended(&self) -> bool {
        matches!(self.state, State::Finished | State::Ahead | State::Failed)
    }

    fn has_answers(&self) -> bool {
        self.answers.iter().any(Option::is_some)
    }
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Failed,
    Cancelled,
}

/// A workflow that is being run.
#[derive(Debug)]
pub struct Run {
    flow: Rc<Flow>,
    concurrency: usize,
    max_steps: usize,
    wants_events: bool,
    secrets: Secrets,
    inputs: Map,
    past: Past,
    /// By the names that things are stored under: what a name of one node's output reads.
    store: Store,
    /// By the names of one flat store: what every other read reads.
    flat: Store,
    steps: Vec<Step>,
    /// Steps behind this one count as if they had not been taken.
    last: usize,
    /// Steps that were taken and have not ended.
    open: usize,
    /// So many steps at the beginning have all ended, as far as was looked.
    ended: usize,
    /// Nodes that come next, the first in order on top.
    waiting: First,
    is_waiting: Vec<bool>,
    /// Nodes that wait for others to come too: who is waited for, and who waits.
    blocked: Vec<(usize, usize)>,
    /// Nodes that are waiting or have not ended, as often as they are or have not.
    live: Vec<usize>,
    /// For each node, how many steps it was.
    passes: Vec<usize>,
    units: Vec<Unit>,
    /// Units that could be called, the first on top.
    ready: First,
    running: usize,
    end: Option<End>,
    /// Why the first step failed that is [`State::Ahead`]. Nothing behind it is begun.
    ahead: Vec<Failure>,
    /// With the step that each is about.
    told: Vec<(usize, Diagnostic)>,
    events: Vec<Value>,
    effects: Vec<Effect>,
}

/// So many steps are taken ahead of what has ended, where nothing but data decides.
const AHEAD: usize = 256;

/// So many steps are allowed for each node, and for a small workflow, where nobody says.
const PER_NODE: usize = 100;
const LEAST_STEPS: usize = 1_000;

impl Run {
    /// Begins to run a workflow.
    pub fn begin(flow: Rc<Flow>, setup: Setup, now: Now<'_>) -> (Run, Turn) {
        let count = flow.workflow.nodes.len();
        let usual = count.saturating_mul(PER_NODE).max(LEAST_STEPS);
        let mut run = Run {
            concurrency: setup.concurrency.max(1),
            max_steps: setup.max_steps.unwrap_or(usual),
            wants_events: setup.events,
            secrets: Secrets::default(),
            inputs: Map::default(),
            past: Past::default(),
            store: Store::default(),
            flat: Store::default(),
            steps: Vec::new(),
            last: usize::MAX,
            open: 0,
            ended: 0,
            waiting: First::new(),
            is_waiting: vec![false; count],
            blocked: Vec::new(),
            live: Vec::new(),
            passes: vec![0; count],
            units: Vec::new(),
            ready: First::new(),
            running: 0,
            end: None,
            ahead: Vec::new(),
            told: Vec::new(),
            events: Vec::new(),
            effects: Vec::new(),
            flow,
        };
        let cancelled = setup.cancelled;
        run.read_setup(setup);
        if cancelled {
            run.end = Some(End::Cancelled);
        } else if run.has_errors() {
            run.end = Some(End::Failed);
        }
        for start in run.flow.clone().workflow.starts.iter().copied() {
            run.come_to(start);
        }
        let turn = run.turn(now);
        (run, turn)
    }

    /// Goes on with an answer.
    pub fn resume(&mut self, number: usize, answer: Answer, now: Now<'_>) -> Turn {
        self.take_answer(number, answer, now);
        self.turn(now)
    }

    /// Stops. What has ended stands in the trace.
    pub fn cancel(&mut self, now: Now<'_>) -> Turn {
        self.end.get_or_insert(End::Cancelled);
        self.running = 0;
        self.turn(now)
    }

    /// Takes and begins whatever can be.
    fn turn(&mut self, now: Now<'_>) -> Turn {
        if self.ahead.first().is_some_and(|first| self.is_due(first.step)) {
            for failure in std::mem::take(&mut self.ahead) {
                self.fail(failure, now);
            }
        }
        while self.end.is_none() && self.take_next(now) {}
        self.call_ready(now);
        let idle = self.open == 0 && self.waiting.is_empty() && self.blocked.is_empty();
        let over = self.running == 0 && (self.end.is_some() || idle);
        Turn {
            events: std::mem::take(&mut self.events),
            effects: std::mem::take(&mut self.effects),
            done: over.then(|| self.result()),
        }
    }

    fn all(&self) -> Steps<'_> {
        Steps { steps: &self.steps, last: self.last, settled: self.settled() }
    }

    fn settled(&self) -> usize {
        if self.runs_ahead() { self.ended } else { self.steps.len() }
    }

    /// Whether steps are taken whose chain may still end before them. Where no edge is written, data
    /// alone decides what waits for what.
    fn runs_ahead(&self) -> bool {
        self.flow.workflow.chained && self.concurrency > 1
    }

    /// A node comes next.
    fn come_to(&mut self, node: usize) {
        if self.is_waiting.get(node) == Some(&false) {
            set(&mut self.is_waiting, node, true);
            self.live.push(node);
            self.queue(node);
        }
    }

    fn queue(&mut self, node: usize) {
        self.waiting.push(Reverse(pair(self.flow.order.rank(node), node as u32)));
    }

    /// Takes the next step, if one can be taken now.
    fn take_next(&mut self, now: Now<'_>) -> bool {
        let ahead = if self.concurrency == 1 { 1 } else { AHEAD.max(self.concurrency) };
        while self.open < ahead && self.ahead.is_empty() {
            let Some(Reverse(word)) = self.waiting.pop() else { return false };
            let (_, node) = crate::base::map::parts(word);
            let node = node as usize;
            if let Some(other) = self.flow.order.awaited(node, &self.live) {
                self.blocked.push((other, node));
                continue;
            }
            if self.steps.len() >= self.max_steps {
                // A step that has not ended may be the last one.
                match self.open {
                    0 => self.tell_limit(node),
                    _ => self.queue(node),
                }
                return false;
            }
            set(&mut self.is_waiting, node, false);
            self.take(node, now);
            return true;
        }
        false
    }

    /// A step of a node: what it reads and writes is settled now.
    fn take(&mut self, place: usize, now: Now<'_>) {
        let flow = self.flow.clone();
        let Some(node) = flow.workflow.nodes.get(place) else { return };
        let index = self.steps.len();
        let ended = self.steps.iter().skip(self.ended).take_while(|step| step.has_ended());
        self.ended += ended.count();
        let pass = self.passes.get(place).copied().unwrap_or_default() + 1;
        set(&mut self.passes, place, pass);
        let mut step = Step { node: place, pass, ..Step::default() };
        let names = call::names_read(&flow, place);
        step.reads =
            names.into_iter().map(|(name, stored)| self.read(name, &stored)).collect::<Vec<_>>();
        self.note_writes(index, place);
        self.open += 1;
        if let Some(answered) = self.past.take(&flow, place, pass) {
            step.reads.clear();
            step.attempts = answered.attempts;
            (step.started, step.ended) = (answered.started, answered.ended);
            self.steps.push(step);
            return self.finish(index, answered.answered);
        }
        let waits: Vec<usize> = if node.effects {
            let open = self.steps.iter().enumerate().skip(self.ended);
            open.filter(|(_, step)| !step.has_ended()).map(|(at, _)| at).collect::<Vec<_>>()
        } else {
            let mut waits: Vec<usize> =
                step.reads.iter().flat_map(|read| &read.seen).map(|write| write.step).collect();
            waits.retain(|at| self.steps.get(*at).is_some_and(|step| !step.has_ended()));
            waits.sort_by_key(|&at| at as u32);
            waits.dedup();
            waits
        };
        step.waits = waits.len();
        for other in waits {
            self.steps.get_mut(other).into_iter().for_each(|other| other.followers.push(index));
        }
        step.passed = self.runs_ahead() && has_one_way(&node.actions);
        let (passed, free) = (step.passed, step.waits == 0);
        self.steps.push(step);
        if passed {
            for next in flow.order.after(place, DEFAULT_ACTION) {
                self.come_to(next);
            }
        }
        if free {
            self.begin_step(index, now);
        }
    }

    /// What a read may see: what stands in one flat store, also where a branch ended early, by an
    /// action that leads nowhere. A name that is none of that store is that of one node's output.
    fn read(&self, name: Rc<str>, stored: &str) -> Read {
        let all = self.all();
        let mut seen = self.flat.seen(&name, all);
        if seen.is_empty() {
            seen = self.store.seen(stored, all);
        }
        Read { name, seen }
    }

    fn note_writes(&mut self, index: usize, place: usize) {
        let flow = self.flow.clone();
        let settled = self.settled();
        let all = Steps { steps: &self.steps, last: self.last, settled };
        let (Some(node), Some(wiring)) =
            (flow.workflow.nodes.get(place), flow.wiring.nodes.get(place))
        else {
            return;
        };
        for (output, port) in node.outputs.iter().enumerate() {
            let write = Write { step: index, output, optional: port.optional };
            self.store.push(flow.names.of(place, node, &port.key), write, all);
            if let Some(alias) = wiring.output_aliases.get(&port.key) {
                self.store.push(alias, write, all);
            }
            self.flat.push(node.writes(&port.key), write, all);
        }
    }

    /// A step has ended well: on to those behind it, and to those that waited for it.
    fn finish(&mut self, index: usize, answered: Answered) {
        let flow = self.flow.clone();
        let Some(step) = self.steps.get_mut(index) else { return };
        let (place, passed) = (step.node, step.passed);
        step.state = State::Finished;
        let node = flow.workflow.nodes.get(place);
        let ports = node.map(|node| node.outputs.as_slice()).unwrap_or_default();
        step.outputs =
            ports.iter().map(|port| answered.outputs.get(&port.key).cloned()).collect::<Vec<_>>();
        step.action.clone_from(&answered.action);
        self.close(place);
        self.check_action(index, place, &answered.action);
        if !passed {
            let after: Vec<usize> = flow.order.after(place, &answered.action).collect();
            for next in after {
                self.come_to(next);
            }
        } else if answered.action != DEFAULT_ACTION {
            self.withdraw_after(index);
        }
        let blocked = std::mem::take(&mut self.blocked);
        for (awaited, node) in blocked {
            if awaited == place { self.queue(node) } else { self.blocked.push((awaited, node)) }
        }
    }

    fn close(&mut self, place: usize) {
        self.open -= 1;
        if let Some(at) = self.live.iter().position(|live| *live == place) {
            self.live.swap_remove(at);
        }
    }

    /// A step answered an action that ends its chain, after others behind it were taken: they
    /// count as if they had not been.
    fn withdraw_after(&mut self, index: usize) {
        self.last = self.last.min(index);
        self.waiting.clear();
        self.ahead.clear();
        self.told.retain(|(step, _)| *step <= index);
        self.give_up_after(index);
        for later in index + 1..self.steps.len() {
            let Some(step) = self.steps.get_mut(later).filter(|step| !step.has_ended()) else {
                continue;
            };
            step.state = State::Failed;
            let place = step.node;
            self.close(place);
        }
    }

    /// Whether nothing that a step is taken ahead of can still end before it.
    fn is_due(&self, index: usize) -> bool {
        let mut before = self.steps.iter().take(index);
        !self.flow.workflow.chained || before.all(|step| step.state == State::Finished)
    }
}

/// Whether a node can only answer the usual action, as far as is known.
fn has_one_way(actions: &[String]) -> bool {
    actions.iter().all(|action| action == DEFAULT_ACTION)
}

fn set<T>(slots: &mut [T], place: usize, value: T) {
    if let Some(slot) = slots.get_mut(place) {
        *slot = value;
    }
}
