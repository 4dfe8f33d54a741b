//! What all tasks of a session share: the graph, the context, the state and the history.

use super::bind::{Context, Scope, Unbound};
use super::caps::{Caps, Ceilings};
use super::checkpoint::Checkpoints;
use super::history::History;
use super::model::exchange::Exchanges;
use super::predicate::Case;
use super::source::Source;
use super::variable::Variable;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use std::rc::Rc;

/// How a session is set up.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The question that the session is about.
    pub query: String,
    /// The name of the model, for the state and the provenance.
    pub model: Option<String>,
    /// Makes samples the same in every run.
    pub seed: f64,
    /// How often a reply that cannot be used is asked for again.
    pub retries: usize,
    /// What the host never lets a plan exceed.
    pub ceilings: Ceilings,
    /// Whether there is a model to ask.
    pub has_model: bool,
    /// Whether the state is stored after each step.
    pub has_backend: bool,
}

/// What tasks read and change. A fork copies it: all that is large in it is shared.
#[derive(Clone)]
pub struct Core {
    pub setup: Rc<Setup>,
    pub graph: Source,
    pub caps: Caps,
    /// The names of the plan at hand.
    pub context: Rc<Context>,
    /// The declared keys, in the layout of the state.
    pub variables: Value,
    /// How many bytes they have at most, by estimate.
    pub weight: usize,
    pub history: Rc<History>,
    pub exchanges: Rc<Exchanges>,
    /// Of a replay: the replies that are left, by how many of each hash were used.
    pub replaying: Option<Rc<Replaying>>,
    /// The ids of the plans that run.
    pub live: Vec<String>,
    /// Plans that a command asked to stop.
    pub cancelled: Vec<String>,
    /// What whoever is at work has spent; what runs beside a loop is none of the loop's.
    pub spending: Spending,
    /// What each `PROCESS` has done that did not come to its end, so that it can go on.
    pub checkpoints: Checkpoints,
    /// Where the plan stands that runs, or that was interrupted; kept for a backend alone.
    pub running: Value,
}

/// What has been spent, and how much may be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spending {
    /// Questions that were put to a model.
    pub calls: usize,
    /// Tokens that models told of.
    pub tokens: usize,
    /// Commands that were begun.
    pub steps: usize,
    pub bounds: Bounds,
}

/// How far a loop may go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub calls: usize,
    pub tokens: usize,
    pub steps: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { calls: usize::MAX, tokens: usize::MAX, steps: usize::MAX }
    }
}

/// The replies of a recording.
#[derive(Clone, Debug, Default)]
pub struct Replaying {
    pub exchanges: Exchanges,
    pub used: Exchanges,
    /// Whether a question that the recording does not hold is an error.
    pub strict: bool,
}

impl Core {
    /// Whether a loop may not ask its model again.
    pub fn is_silent(&self) -> bool {
        let Spending { calls, tokens, bounds, .. } = self.spending;
        calls >= bounds.calls || tokens >= bounds.tokens
    }

    /// Whether a loop may not begin another step.
    pub fn is_spent(&self) -> bool {
        self.spending.steps >= self.spending.bounds.steps
    }

    /// The number of a step that begins.
    pub fn next_step(&mut self) -> usize {
        self.spending.steps += 1;
        Rc::make_mut(&mut self.history).take_number()
    }

    /// Lookups in the context and the state.
    pub fn scope(&self) -> Scope<'_> {
        let mut scope = Scope::new(&self.context, &self.variables);
        if self.caps.case_sensitive {
            scope.case = Case::Sensitive;
        }
        scope
    }

    /// The answer of a reply with what its bindings say. One that names nothing stays as it is: an
    /// answer is never lost for it.
    pub fn filled_answer(&self, answer: &str, told: &mut Vec<Diagnostic>) -> String {
        let mut scope = self.scope();
        let filled = scope.answer(answer, self.caps.max_excerpt_chars, Unbound::Stays);
        told.append(&mut scope.told);
        filled.unwrap_or_else(|_| answer.to_owned())
    }

    /// Gives a name of the context a value.
    pub fn set(&mut self, name: &str, variable: Variable) {
        Rc::make_mut(&mut self.context).insert(name.into(), variable);
    }

    /// A bounded summary of the state, for prompts.
    pub fn state_summary(&self) -> Value {
        let mut map = Map::default();
        for path in super::state::declared(&self.variables) {
            let steps: Vec<String> = path.split('.').map(str::to_owned).collect();
            let Some(entry) = super::state::entry(&self.variables, &steps) else { continue };
            put(&mut map, path.as_str(), super::sample::summary_of(entry));
        }
        map.into()
    }

    /// The reply that a recording holds for a question, counting it as used.
    pub fn replayed(&mut self, hash: &str) -> Option<Value> {
        let replaying = Rc::make_mut(self.replaying.as_mut()?);
        let reply = replaying.exchanges.get(hash, replaying.used.count(hash))?.clone();
        replaying.used.put(hash, Value::Null);
        Some(reply)
    }
}
