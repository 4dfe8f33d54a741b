//! Execution of commands. Commands that depend on the host are in [`pending`].

mod analyze;
mod citations;
mod directions;
mod find;
mod group;
mod guard;
mod join;
mod measure;
mod node_rows;
pub mod output;
pub mod pending;
mod process;
mod remote_graph;
mod remote_measure;
mod select;
mod shortest;
mod state;
mod suggestions;
mod value_keys;
mod walk;
mod weights;

use self::output::CommandResult;
use super::core::Core;
use super::language::ast::Command;

/// Runs a command without the host. Returns `None` for commands that need a model or a remote graph,
/// for those that run in slices, and for control flow.
pub fn run(core: &mut Core, command: &Command, step: usize) -> Option<CommandResult> {
    Some(match command {
        Command::Find { .. } => return find::in_memory(core, command, step),
        Command::Walk { .. } => return walk::walk_in_memory(core, command, step),
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
        Command::ShortestPaths(_)
        | Command::Measure(_)
        | Command::Process { .. }
        | Command::Analyze { .. }
        | Command::When { .. }
        | Command::Block(_) => return None,
    })
}
