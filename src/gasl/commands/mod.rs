//! Execution of commands. Commands that depend on the host are in [`pending`].

mod analyze;
mod citations;
mod derived;
mod directions;
mod distinct;
mod edge_rows;
mod find;
mod fold;
mod graph_fetch;
mod group;
mod guard;
mod join;
mod list_values;
mod measure;
mod mentions;
mod node_rows;
pub mod output;
pub mod pending;
pub mod preparation;
mod process;
mod remote_find;
mod remote_graph;
mod remote_measure;
mod remote_search;
mod remote_shortest;
mod remote_walk;
mod remote_weights;
mod row_pages;
mod select;
mod shortest;
mod show;
mod state;
mod suggestions;
mod union;
mod unusual_texts;
mod value_keys;
mod walk;
mod walk_checks;
mod weights;

use self::output::CommandResult;
use super::core::Core;
use super::language::ast::Command;

/// Runs a command without the host. Returns `None` for commands that need a model or a remote graph,
/// for those that run in slices, and for control flow.
pub fn run(core: &mut Core, command: &Command, step: usize) -> Option<CommandResult> {
    if derived::is_computed_by_host(core, command) {
        return None;
    }
    Some(match command {
        Command::Find { .. } => return find::find_in_memory(core, command, step),
        Command::Walk { .. } => return walk::walk_in_memory(core, command, step),
        Command::Declare { key, kind, description } => {
            state::declare(core, key, *kind, description.as_deref())
        }
        Command::Update { key, input, mode } => state::update(core, key, input, *mode),
        Command::Set { key, value } => state::set_cap(core, key, value),
        Command::Show(show) => show::show(core, show),
        Command::Select(select) => select::select(core, select),
        Command::Count { input, by, .. } => group::count(core, input, by),
        Command::Aggregate { input, by, aggregates, .. } => {
            group::aggregate(core, input, by, aggregates)
        }
        Command::Rank { input, by, order, limit, .. } => {
            select::rank(core, input, by, *order, *limit)
        }
        Command::Join(join) => join::join(core, join),
        Command::Union(union) => union::union(core, union),
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
