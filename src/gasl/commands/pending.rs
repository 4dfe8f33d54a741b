//! Commands that depend on the host: model calls and searches in a remote graph.

use super::analyze::AnalyzeRun;
use super::output::Output;
use super::process::ProcessRun;
use super::remote_graph::{RemoteFind, RemoteWalk};
use crate::base::Diagnostic;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{HostResponse, Progress, StepContext};
use crate::gasl::language::ast::Command;
use crate::gasl::record::CommandFailure;

/// Command in progress.
pub enum PendingCommand {
    Find(Box<RemoteFind>),
    Walk(Box<RemoteWalk>),
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
            _ => Err(Diagnostic::new(codes::ONE_COMMAND, "expected a command, found a block line")
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
            PendingCommand::Find(find) => find.resume(response, context.step).map(Progress::Done),
            PendingCommand::Walk(walk) => walk.resume(response, context.step),
            PendingCommand::Process(run) => run.resume(core, response, context),
            PendingCommand::Analyze(run) => run.resume(core, response, context),
        }
    }
}
