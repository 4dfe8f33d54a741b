//! State shared by all tasks of a session: graph, context, variables and history.

use super::bind::{OnUndefined, VariableScope};
use super::caps::{Caps, Ceilings};
use super::checkpoint::Checkpoints;
use super::citation_policy::CitationPolicy;
use super::context::ContextVariables;
use super::graph_access::GraphAccess;
use super::history::SessionHistory;
use super::model::exchange::Exchanges;
use super::predicate::Case;
use super::session_limits::SessionLimits;
use super::state_change::StateChange;
use super::variable::Variable;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use std::rc::Rc;

/// Options of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionSetup {
    /// Question of the user.
    pub query: String,
    /// Name of the model, for the state and the provenance.
    pub model: Option<String>,
    /// Seed of the samples, which makes runs reproducible.
    pub seed: f64,
    /// Maximum number of retries after an invalid reply.
    pub retries: usize,
    /// Handling of findings without a citation. By default they are required, except in the output of
    /// `RETURNING`, which has none.
    pub citations: Option<CitationPolicy>,
    /// Upper bounds of the caps that a plan may set.
    pub ceilings: Ceilings,
    pub limits: SessionLimits,
    /// Budget of the results in a prompt, in tokens.
    pub result_tokens: Option<usize>,
    pub has_model: bool,
    /// Whether the state is stored after each step.
    pub has_backend: bool,
}

/// State that tasks read and change. A fork clones it; large parts are shared.
#[derive(Clone)]
pub struct Core {
    pub setup: Rc<SessionSetup>,
    pub graph: GraphAccess,
    pub caps: Caps,
    /// Variables of the current plan.
    pub context: Rc<ContextVariables>,
    /// Declared keys in the [layout of the state](super::state).
    pub variables: Value,
    /// Estimated maximum size of `variables`, in bytes.
    pub variables_size: usize,
    /// Changes of `variables` since the last snapshot.
    pub changes: Vec<StateChange>,
    pub history: Rc<SessionHistory>,
    pub exchanges: Rc<Exchanges>,
    pub replay: Option<Rc<Replay>>,
    pub active_plan_ids: Vec<String>,
    /// Ids of the plans that a command asked to stop.
    pub cancelled: Vec<String>,
    /// Spending of the running task; concurrent tasks do not count against a solve loop.
    pub spending: Spending,
    /// Finished batches of each interrupted `PROCESS`.
    pub checkpoints: Checkpoints,
    /// Position of the running or interrupted plan, if the state has a backend; otherwise null.
    pub plan_checkpoint: Value,
}

/// Resources used so far, and their limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spending {
    /// Model calls.
    pub calls: usize,
    /// Tokens as reported by the model.
    pub tokens: usize,
    /// Started commands.
    pub steps: usize,
    pub limits: SpendingLimits,
}

/// Resource limits of a solve loop.
#[derive(Clone, Copy, Debug)]
pub struct SpendingLimits {
    pub calls: usize,
    pub tokens: usize,
    pub steps: usize,
}

impl Default for SpendingLimits {
    fn default() -> SpendingLimits {
        SpendingLimits { calls: usize::MAX, tokens: usize::MAX, steps: usize::MAX }
    }
}

/// Replies of a recording during a replay.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    pub exchanges: Exchanges,
    pub used_replies: Exchanges,
    /// Whether a question without a recorded reply is an error.
    pub strict: bool,
}

impl Core {
    pub fn is_model_budget_spent(&self) -> bool {
        let Spending { calls, tokens, limits, .. } = self.spending;
        calls >= limits.calls || tokens >= limits.tokens
    }

    pub fn is_step_budget_spent(&self) -> bool {
        self.spending.steps >= self.spending.limits.steps
    }

    /// Counts a step and returns its number.
    pub fn next_step(&mut self) -> usize {
        self.spending.steps += 1;
        Rc::make_mut(&mut self.history).next_step()
    }

    pub fn scope(&self) -> VariableScope<'_> {
        let mut scope = VariableScope::new(&self.context, &self.variables);
        if self.caps.case_sensitive {
            scope.case = Case::Sensitive;
        }
        scope
    }

    /// Interpolates the bindings of an answer. Undefined bindings are kept as written, so that no
    /// answer is lost.
    pub fn interpolate_answer(&self, answer: &str, diagnostics: &mut Vec<Diagnostic>) -> String {
        let mut scope = self.scope();
        let text = scope.interpolate_answer(answer, self.caps.max_excerpt_chars, OnUndefined::Keep);
        diagnostics.append(&mut scope.diagnostics);
        text.unwrap_or_else(|_| answer.to_owned())
    }

    pub fn set_variable(&mut self, name: &str, variable: Variable) {
        Rc::make_mut(&mut self.context).insert(name.into(), variable);
    }

    /// Returns a bounded summary of the state for prompts.
    pub fn state_summary(&self) -> Value {
        let mut map = Map::default();
        for path in super::state::declared_paths(&self.variables) {
            let steps: Vec<String> = path.split('.').map(str::to_owned).collect();
            let Some(entry) = super::state::entry_at(&self.variables, &steps) else { continue };
            put(&mut map, path.as_str(), super::sample::summarize(entry));
        }
        map.into()
    }

    /// Returns the next recorded reply to a question, or `None` if all are used.
    pub fn next_recorded_reply(&mut self, hash: &str) -> Option<Value> {
        let replay = Rc::make_mut(self.replay.as_mut()?);
        let reply = replay.exchanges.get(hash, replay.used_replies.count(hash))?.clone();
        replay.used_replies.add_reply(hash, Value::Null);
        Some(reply)
    }
}
