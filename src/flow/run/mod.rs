//! Runs of a workflow. [`Run::begin`] and [`Run::resume`] return the calls that the host can make now, in
//! parallel up to a limit.
//!
//! A step is one execution of a node. Steps are started in the order of a sequential run. The writes that a
//! step reads are fixed when it starts, so the results do not depend on which step ends first.

mod call;
mod call_order;
mod child;
mod event;
mod failure;
mod fingerprint;
mod held;
mod inputs;
mod invocation;
mod live_nodes;
mod memory;
mod memory_failure;
mod options;
mod previous;
mod redaction;
mod report;
mod response;
mod result;
mod resume;
mod reveal;
mod secret;
mod start;
mod step;
mod store;
mod trace;
mod trace_reader;
mod withdrawn;

pub use call::{Call, NodeResult};
pub use call_order::CallOrder;
pub use failure::{FailureKind, NodeFailure};
pub use options::RunOptions;
pub use reveal::reveal_secrets;
pub use secret::Secrets;
pub use step::{ChildState, Continuation, HostRequest, HostResponse, HostTime};

use self::call_order::CallSequence;
use self::live_nodes::LiveNodes;
use self::memory::RunMemory;
use self::previous::PreviousRun;
use self::step::{
    Invocation, RunEnd, RunStep, StepFailure, StepRead, StepState, StepWrite, set_item,
};
use self::store::{RunStore, StepView};
use crate::base::map::{pack_pair, unpack_pair};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::flow::compile::Flow;
use crate::flow::order::MinHeap;
use crate::flow::workflow::DEFAULT_ACTION;
use std::cmp::Reverse;
use std::rc::Rc;

/// Progress of a run since the last call.
#[derive(Debug)]
pub struct RunUpdate {
    pub events: Vec<Value>,
    /// New requests to the host; earlier ones stay open.
    pub effects: Vec<HostRequest>,
    /// Invocations whose responses are not needed any more.
    pub aborted: Vec<usize>,
    /// Whether the run has failed, and only waits for running calls.
    pub is_failing: bool,
    /// Whether the trace should be stored before the next call.
    pub is_checkpoint: bool,
    /// `{status, outputs, store, waiting, trace, diagnostics}` once the run is over.
    pub done: Option<Value>,
}

/// Run of a workflow.
#[derive(Debug)]
pub struct Run {
    flow: Rc<Flow>,
    concurrency: usize,
    max_steps: usize,
    memory: RunMemory,
    has_listener: bool,
    secrets: Rc<Secrets>,
    inputs: Map,
    /// Answers to suspended nodes, by id.
    answers: Map,
    /// Fingerprints of the workflows that nodes run, by node type.
    children: Map,
    /// Prefix of node ids in events and messages.
    path: String,
    /// Fingerprint of the workflow; computed on first use.
    fingerprint: Option<String>,
    previous: PreviousRun,
    /// Values by stored name, for reads of one node's output.
    store: RunStore,
    /// Values by name of the flat store, for all other reads.
    flat: RunStore,
    steps: Vec<RunStep>,
    /// Index of the last step that counts; later ones were withdrawn.
    last: usize,
    /// Number of steps that have not ended.
    open_count: usize,
    /// Number of first steps that are known to have ended.
    ended_count: usize,
    /// Index of the last step that began after all earlier ones had ended.
    last_barrier: usize,
    /// Nodes that run next, by rank.
    queue: MinHeap,
    /// Whether each node is scheduled: it is in `queue`, or waits for a live node.
    is_scheduled: Vec<bool>,
    live: LiveNodes,
    /// Number of steps of each node.
    iterations: Vec<usize>,
    invocations: Vec<Invocation>,
    /// Invocations that can be called, as pairs of a priority and an index.
    ready: MinHeap,
    order: CallOrder,
    is_remote: bool,
    calls: CallSequence,
    running_count: usize,
    /// Number of invocations that wait before their next attempt.
    backoff_count: usize,
    /// Number of steps that wait for an answer.
    waiting_count: usize,
    /// Number of results of batch items since the last checkpoint.
    item_count: usize,
    is_checkpoint: bool,
    is_completed: bool,
    /// Nodes that a step scheduled which runs again although it had finished.
    changed_nodes: Vec<bool>,
    aborted: Vec<usize>,
    end: Option<RunEnd>,
    /// First failure in state [`StepState::FailedAhead`]; no later step begins.
    failures_ahead: Vec<StepFailure>,
    /// Diagnostics with the index of their step.
    diagnostics: Vec<(usize, Diagnostic)>,
    /// Diagnostics of the workflows that nodes run, with the index of the step.
    child_diagnostics: Vec<(usize, Value)>,
    events: Vec<Value>,
    effects: Vec<HostRequest>,
}

/// Maximum number of steps that have not ended.
const MAX_OPEN_STEPS: usize = 256;

/// Default step limit: a number for each node, and a minimum.
const STEPS_PER_NODE: usize = 100;
const MIN_STEP_LIMIT: usize = 1_000;

impl Run {
    pub fn begin(flow: Rc<Flow>, options: RunOptions, now: HostTime<'_>) -> (Run, RunUpdate) {
        let count = flow.workflow.nodes.len();
        let default_limit = count.saturating_mul(STEPS_PER_NODE).max(MIN_STEP_LIMIT);
        let mut run = Run {
            concurrency: options.concurrency.max(1),
            max_steps: options.max_steps.unwrap_or(default_limit),
            memory: RunMemory::new(options.max_bytes),
            has_listener: options.events,
            secrets: Rc::default(),
            inputs: Map::default(),
            answers: Map::default(),
            children: Map::default(),
            path: String::new(),
            fingerprint: None,
            previous: PreviousRun::default(),
            store: RunStore::default(),
            flat: RunStore::default(),
            steps: Vec::new(),
            last: usize::MAX,
            open_count: 0,
            ended_count: 0,
            last_barrier: 0,
            queue: MinHeap::new(),
            is_scheduled: vec![false; count],
            live: LiveNodes::new(&flow),
            iterations: vec![0; count],
            invocations: Vec::new(),
            ready: MinHeap::new(),
            order: options.order,
            is_remote: options.remote,
            calls: CallSequence::default(),
            running_count: 0,
            backoff_count: 0,
            waiting_count: 0,
            item_count: 0,
            is_checkpoint: false,
            is_completed: false,
            changed_nodes: vec![false; count],
            aborted: Vec::new(),
            end: None,
            failures_ahead: Vec::new(),
            diagnostics: Vec::new(),
            child_diagnostics: Vec::new(),
            events: Vec::new(),
            effects: Vec::new(),
            flow,
        };
        let is_cancelled = options.cancelled;
        run.read_options(options);
        if is_cancelled {
            run.end = Some(RunEnd::Cancelled);
        } else if run.has_errors() {
            run.end = Some(RunEnd::Failed);
        }
        for start in run.flow.clone().workflow.starts.iter().copied() {
            run.schedule(start, false);
        }
        let update = run.advance(now);
        (run, update)
    }

    /// Resumes with the response to an invocation.
    pub fn resume(
        &mut self,
        invocation: usize,
        response: HostResponse,
        now: HostTime<'_>,
    ) -> RunUpdate {
        match self.order {
            CallOrder::Arrival => self.receive(invocation, response, now),
            CallOrder::Fixed => self.receive_in_order(invocation, response, now),
        }
        self.advance(now)
    }

    /// Cancels the run. The trace contains the steps that have ended.
    pub fn cancel(&mut self, now: HostTime<'_>) -> RunUpdate {
        self.end.get_or_insert(RunEnd::Cancelled);
        self.receive_held();
        self.running_count = 0;
        self.advance(now)
    }

    /// Starts all steps and invocations that can be started.
    fn advance(&mut self, now: HostTime<'_>) -> RunUpdate {
        self.start_steps(now);
        if self.end.is_some() {
            self.receive_held();
        }
        self.call_ready(now);
        let is_idle = self.open_count == 0 && self.queue.is_empty() && !self.live.has_waiting();
        let is_quiet = self.running_count == 0 && self.backoff_count == 0;
        if self.end.is_none() && is_quiet && self.waiting_count > 0 {
            self.end = Some(RunEnd::Paused);
        }
        let is_over = self.running_count == 0 && (self.end.is_some() || is_idle);
        RunUpdate {
            events: std::mem::take(&mut self.events),
            effects: std::mem::take(&mut self.effects),
            aborted: std::mem::take(&mut self.aborted),
            is_failing: self.end.is_some() && !is_over,
            is_checkpoint: std::mem::take(&mut self.is_checkpoint),
            done: is_over.then(|| self.result()),
        }
    }

    /// Starts all steps that can be started.
    fn start_steps(&mut self, now: HostTime<'_>) {
        if self.failures_ahead.first().is_some_and(|first| self.is_certain(first.step)) {
            for failure in std::mem::take(&mut self.failures_ahead) {
                self.fail_step(failure, now);
            }
        }
        while self.end.is_none() && self.start_next_step(now) {}
    }

    fn step_view(&self) -> StepView<'_> {
        StepView { steps: &self.steps, last: self.last, settled: self.settled_count() }
    }

    /// Returns the number of first steps that cannot be withdrawn.
    fn settled_count(&self) -> usize {
        if self.is_speculative() { self.ended_count } else { self.steps.len() }
    }

    /// Returns whether steps may start although an earlier one may still end the chain. Without written
    /// edges only data dependencies order the steps.
    fn is_speculative(&self) -> bool {
        self.flow.workflow.chained && self.concurrency > 1
    }

    /// Queues a node, unless it is scheduled already; `goes_back` if a loop led to it.
    fn schedule(&mut self, node_index: usize, goes_back: bool) {
        if self.is_scheduled.get(node_index) == Some(&false) {
            set_item(&mut self.is_scheduled, node_index, true);
            self.live.add(&self.flow, node_index, goes_back);
            self.enqueue(node_index);
        }
    }

    fn enqueue(&mut self, node_index: usize) {
        let rank = self.flow.order.rank(node_index);
        self.queue.push(Reverse(pack_pair(rank, node_index as u32)));
    }

    /// Starts the next step; returns `false` if none can start now.
    fn start_next_step(&mut self, now: HostTime<'_>) -> bool {
        let max_open = if self.concurrency == 1 { 1 } else { MAX_OPEN_STEPS.max(self.concurrency) };
        // Independent branches continue while a node waits for an answer.
        let max_open = max_open + self.waiting_count;
        while self.open_count < max_open && self.failures_ahead.is_empty() {
            let Some(Reverse(entry)) = self.queue.pop() else { return false };
            let (_, node_index) = unpack_pair(entry);
            let node_index = node_index as usize;
            if self.live.must_wait(&self.flow, node_index) {
                continue;
            }
            if self.steps.len() >= self.max_steps {
                // An open step may still end the run before the limit.
                match self.open_count {
                    0 => self.report_step_limit(node_index),
                    _ => self.enqueue(node_index),
                }
                return false;
            }
            set_item(&mut self.is_scheduled, node_index, false);
            self.start_step(node_index, now);
            return true;
        }
        false
    }

    /// Starts a step of a node; fixes the writes that it reads.
    fn start_step(&mut self, node_index: usize, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(node) = flow.workflow.nodes.get(node_index) else { return };
        let step_index = self.steps.len();
        let ended = self.steps.iter().skip(self.ended_count).take_while(|step| step.has_ended());
        self.ended_count += ended.count();
        let iteration = self.iterations.get(node_index).copied().unwrap_or_default() + 1;
        set_item(&mut self.iterations, node_index, iteration);
        let is_changed = self.changed_nodes.get(node_index) == Some(&true);
        set_item(&mut self.changed_nodes, node_index, false);
        let mut step = RunStep { node: node_index, iteration, is_changed, ..RunStep::default() };
        let names = call::names_read(&flow, node_index);
        step.reads = names
            .into_iter()
            .map(|(name, stored)| self.read_visible_writes(name, &stored))
            .collect::<Vec<_>>();
        self.announce_writes(step_index, node_index);
        self.open_count += 1;
        // In a workflow without edges, a barrier starts after all nodes before it.
        let is_barrier = node.effects || self.is_speculative() && node.is_barrier();
        let pending: Vec<usize> = if is_barrier {
            // The last barrier ends after the steps before it.
            let first = self.ended_count.max(self.last_barrier);
            self.last_barrier = step_index;
            let open = self.steps.iter().enumerate().skip(first);
            open.filter(|(_, step)| !step.has_ended()).map(|(index, _)| index).collect::<Vec<_>>()
        } else {
            let mut pending: Vec<usize> =
                step.reads.iter().flat_map(|read| &read.writes).map(|write| write.step).collect();
            pending.retain(|index| self.steps.get(*index).is_some_and(|step| !step.has_ended()));
            pending.sort_unstable();
            pending.dedup();
            pending
        };
        step.pending_count = pending.len();
        for other in pending {
            let other = self.steps.get_mut(other);
            other.into_iter().for_each(|other| other.dependents.push(step_index));
        }
        step.released = self.is_speculative() && !node.is_barrier();
        let (is_released, is_free) = (step.released, step.pending_count == 0);
        self.steps.push(step);
        if is_released {
            for next in flow.order.successors_on_action(node_index, DEFAULT_ACTION) {
                self.schedule(next, false);
            }
        }
        if is_free {
            self.start_invocations(step_index, now);
        }
    }

    /// Returns the visible writes of a name in the flat store, else those of one node's output.
    fn read_visible_writes(&self, name: Rc<str>, stored: &str) -> StepRead {
        let steps = self.step_view();
        let mut writes = self.flat.visible_writes(&name, steps);
        if writes.is_empty() {
            writes = self.store.visible_writes(stored, steps);
        }
        StepRead { name, writes }
    }

    fn announce_writes(&mut self, step_index: usize, node_index: usize) {
        let flow = self.flow.clone();
        let settled = self.settled_count();
        let steps = StepView { steps: &self.steps, last: self.last, settled };
        let (Some(node), Some(wiring)) =
            (flow.workflow.nodes.get(node_index), flow.wiring.nodes.get(node_index))
        else {
            return;
        };
        for (output, port) in node.outputs.iter().enumerate() {
            let write = StepWrite { step: step_index, output, optional: node.may_omit(port) };
            self.store.push(flow.names.name_of(node_index, node, &port.key), write, steps);
            if let Some(alias) = wiring.output_aliases.get(&port.key) {
                self.store.push(alias, write, steps);
            }
            if let Some(own) = wiring.own_names.get(&port.key) {
                self.store.push(own, write, steps);
            }
            self.flat.push(node.written_name(&port.key), write, steps);
        }
    }

    /// Finishes a step, schedules its successors, and unblocks the nodes that waited for it.
    fn finish(&mut self, step_index: usize, result: NodeResult) {
        let flow = self.flow.clone();
        let Some(step) = self.steps.get_mut(step_index) else { return };
        let (node_index, is_released, is_changed) = (step.node, step.released, step.is_changed);
        step.state = StepState::Finished;
        self.is_checkpoint = true;
        let node = flow.workflow.nodes.get(node_index);
        let ports = node.map(|node| node.outputs.as_slice()).unwrap_or_default();
        step.outputs =
            ports.iter().map(|port| result.outputs.get(&port.key).cloned()).collect::<Vec<_>>();
        step.action.clone_from(&result.action);
        self.check_action(step_index, node_index, &result.action);
        if !is_released {
            let after: Vec<usize> =
                flow.order.successors_on_action(node_index, &result.action).collect();
            for next in after {
                // Without written edges only data connects the nodes.
                if is_changed && !flow.workflow.chained {
                    set_item(&mut self.changed_nodes, next, true);
                }
                let goes_back = flow.order.rank(next) <= flow.order.rank(node_index);
                self.schedule(next, goes_back);
            }
        } else if result.action != DEFAULT_ACTION {
            self.withdraw_after(step_index);
        }
        // Its successors are live before it ends, so that no node between them starts too early.
        self.end_execution(node_index);
    }

    /// Ends an execution of a node; queues the nodes that waited for it.
    fn end_execution(&mut self, node_index: usize) {
        self.open_count -= 1;
        for node in self.live.remove(&self.flow, node_index) {
            self.enqueue(node);
        }
    }

    /// Returns the number of examined nodes and sets of nodes in the search for nodes that can start.
    pub fn examined_node_count(&self) -> usize {
        self.live.examined_count()
    }

    /// Withdraws the steps after one that ended the chain: they count as not started.
    fn withdraw_after(&mut self, step_index: usize) {
        self.last = self.last.min(step_index);
        self.queue.clear();
        self.failures_ahead.clear();
        self.diagnostics.retain(|(step, _)| *step <= step_index);
        self.child_diagnostics.retain(|(step, _)| *step <= step_index);
        // Invocations are in the order in which their steps began.
        for later in step_index + 1..self.steps.len() {
            let own = self.steps.get(later).map(|step| step.invocations.clone());
            self.abandon_invocations(own.unwrap_or_default());
        }
        for later in step_index + 1..self.steps.len() {
            let Some(step) = self.steps.get_mut(later).filter(|step| !step.has_ended()) else {
                continue;
            };
            let was_waiting = step.state == StepState::Waiting;
            step.state = StepState::Failed;
            let node_index = step.node;
            self.waiting_count -= usize::from(was_waiting);
            self.end_execution(node_index);
        }
    }

    /// Returns whether no earlier step can withdraw this one.
    fn is_certain(&self, step_index: usize) -> bool {
        let mut before = self.steps.iter().take(step_index);
        !self.flow.workflow.chained || before.all(|step| step.state == StepState::Finished)
    }
}
