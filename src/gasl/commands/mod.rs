//! What each command does. What needs the host to answer first is [`work`].

mod alike;
mod analyze;
mod citations;
mod find;
mod group;
mod guard;
mod join;
mod meant;
mod process;
mod remote;
mod select;
mod state;
pub mod work;

use super::core::Core;
use super::language::ast::Command;
use super::record::{Failure, Status};
use super::variable::Variable;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};

/// What a command did.
#[derive(Debug, Default)]
pub struct Output {
    /// What its name gets.
    pub value: Option<Variable>,
    /// If it is not what the value makes it: empty or a success.
    pub status: Option<Status>,
    /// Figures for the record.
    pub metrics: Map,
    /// Warnings and notes.
    pub told: Vec<Diagnostic>,
}

impl Output {
    /// The output that is these rows or this value.
    pub fn of(value: Variable) -> Output {
        let mut output = Output::default();
        if let Some(count) = value.row_count() {
            put(&mut output.metrics, "count", count);
        }
        output.value = Some(value);
        output
    }

    /// One more figure.
    pub fn metric(mut self, name: &str, value: impl Into<Value>) -> Output {
        put(&mut self.metrics, name, value);
        self
    }

    /// With what the lookups had to say.
    pub fn told(mut self, told: Vec<Diagnostic>) -> Output {
        self.told.extend(told);
        self
    }

    /// How the step ended.
    pub fn ended(&self) -> Status {
        let empty = self.value.as_ref().is_some_and(|value| value.row_count() == Some(0));
        self.status.unwrap_or(if empty { Status::Empty } else { Status::Success })
    }
}

/// What came of a command that needs nobody.
pub type Result = std::result::Result<Output, Failure>;

/// Runs a command that needs neither a model nor a remote graph; nothing for those that do, and for
/// those that a plan steers by.
pub fn run(core: &mut Core, command: &Command, step: usize) -> Option<Result> {
    Some(match command {
        Command::Find { .. } => return find::in_memory(core, command, step),
        Command::Walk { .. } => return find::walk_in_memory(core, command, step),
        Command::Declare { key, kind, description } => {
            state::declare(core, key, *kind, description.as_deref())
        }
        Command::Update { key, input, mode } => state::update(core, key, input, *mode),
        Command::Set { key, value } => state::set(core, key, value),
        Command::Show { input } => state::show(core, input),
        Command::Select(select) => select::select(core, select),
        Command::Count { input, by, .. } => group::count(core, input, by.as_deref()),
        Command::Aggregate { input, by, function, of, .. } => {
            group::aggregate(core, input, by, *function, of.as_deref())
        }
        Command::Rank { input, by, order, limit, .. } => {
            select::rank(core, input, by, *order, *limit)
        }
        Command::Join { left, right, on, .. } => join::join(core, left, right, on),
        Command::Require { name } => guard::require(core, name),
        Command::Assert(condition) => guard::assert(core, condition),
        Command::Cancel { plan } => guard::cancel(core, plan),
        Command::Complete { text } => guard::complete(core, text),
        Command::Process { .. }
        | Command::Analyze { .. }
        | Command::When { .. }
        | Command::Block(_) => return None,
    })
}

/// `completeness` of a result that a cap cut.
pub fn completeness(returned: usize, bound: usize, kind: &str) -> Value {
    Value::map([
        ("complete", Value::Bool(false)),
        ("returned", returned.into()),
        ("bound", bound.into()),
        ("bound_kind", kind.into()),
    ])
}
