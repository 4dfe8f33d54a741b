//! Commands that depend on the host: model calls, searches in a remote graph, and long computations,
//! which the host may stop.

use super::analyze::AnalyzeRun;
use super::derived::{self, DerivedCommand};
use super::measure::MeasureTask;
use super::output::Output;
use super::process::ProcessRun;
use super::remote_find::RemoteFind;
use super::remote_measure::RemoteDegree;
use super::remote_shortest::RemoteShortest;
use super::remote_walk::RemoteWalk;
use super::shortest::ShortestTask;
use crate::base::Diagnostic;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{HostResponse, Progress, StepContext};
use crate::gasl::graph_access::GraphAccess;
use crate::gasl::language::ast::Command;
use crate::gasl::record::CommandFailure;

/// Command in progress.
pub enum PendingCommand {
    Find(Box<RemoteFind>),
    /// Computed by the database.
    Derived(Box<DerivedCommand>),
    Walk(Box<RemoteWalk>),
    Measure(Box<MeasureTask>),
    RemoteDegree(Box<RemoteDegree>),
    Shortest(Box<ShortestTask>),
    RemoteShortest(Box<RemoteShortest>),
    Process(Box<ProcessRun>),
    Analyze(Box<AnalyzeRun>),
}

/// Command with its first effect, or its output.
pub type StartedCommand = Result<(PendingCommand, Progress<Output>), CommandFailure>;

impl PendingCommand {
    /// Starts a command for which [`super::run`] returns `None`.
    pub fn begin(
        core: &mut Core,
        command: &Command,
        context: &mut StepContext<'_>,
    ) -> StartedCommand {
        if derived::is_computed_by_host(core, command)
            && !matches!(command, Command::Process { .. })
        {
            let (derived, effect) = DerivedCommand::start_query(core, command)?;
            return Ok((PendingCommand::Derived(Box::new(derived)), Progress::Need(effect)));
        }
        match command {
            Command::Find { target, condition, limit, .. } => {
                let (find, effect) =
                    RemoteFind::start_query(core, *target, condition.as_ref(), *limit)?;
                Ok((PendingCommand::Find(Box::new(find)), Progress::Need(effect)))
            }
            Command::Walk { .. } => {
                let (walk, progress) = RemoteWalk::start_query(core, command, context.step)?;
                Ok((PendingCommand::Walk(Box::new(walk)), progress))
            }
            Command::Measure(measure) => match core.graph.clone() {
                GraphAccess::Memory(graph) => {
                    let mut task = MeasureTask::begin(core, graph, measure)?;
                    let progress = task.advance(context)?;
                    Ok((PendingCommand::Measure(Box::new(task)), progress))
                }
                GraphAccess::Remote(_) => {
                    let (query, effect) = RemoteDegree::start_query(core, measure)?;
                    Ok((PendingCommand::RemoteDegree(Box::new(query)), Progress::Need(effect)))
                }
            },
            Command::ShortestPaths(find) => match core.graph.clone() {
                GraphAccess::Memory(graph) => {
                    let mut task = ShortestTask::begin(core, graph, find, context.step)?;
                    let progress = task.advance(context);
                    Ok((PendingCommand::Shortest(Box::new(task)), progress))
                }
                GraphAccess::Remote(_) => {
                    let (query, effect) = RemoteShortest::start_query(core, find)?;
                    Ok((PendingCommand::RemoteShortest(Box::new(query)), Progress::Need(effect)))
                }
            },
            Command::Process { input, instruction, returning, .. } => {
                let started =
                    ProcessRun::begin(core, input, instruction, returning.as_ref(), context);
                let (run, progress) = started?;
                Ok((PendingCommand::Process(Box::new(run)), progress))
            }
            Command::Analyze { key, instruction, .. } => {
                let (run, progress) = AnalyzeRun::begin(core, key, instruction, context)?;
                Ok((PendingCommand::Analyze(Box::new(run)), progress))
            }
            _ => Err(Diagnostic::new(
                codes::NOT_ONE_COMMAND,
                "expected a command, found a block line",
            )
            .help("put blocks into the `commands` of a plan")
            .into()),
        }
    }

    /// Continues with the response of the host.
    pub fn resume(
        &mut self,
        core: &mut Core,
        response: HostResponse,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        match self {
            PendingCommand::Find(find) => find.resume(core, response, context.step),
            PendingCommand::Derived(derived) => derived.resume(core, response),
            PendingCommand::Walk(walk) => walk.resume(response, context.step),
            PendingCommand::Measure(task) => task.advance(context),
            PendingCommand::RemoteDegree(query) => query.resume(response, context.step),
            PendingCommand::Shortest(task) => Ok(task.advance(context)),
            PendingCommand::RemoteShortest(query) => query.resume(core, response, context),
            PendingCommand::Process(run) => run.resume(core, response, context),
            PendingCommand::Analyze(run) => run.resume(core, response, context),
        }
    }
}
