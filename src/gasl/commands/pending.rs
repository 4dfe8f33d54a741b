//! Commands that wait for the host: those that ask a model, and searches in a graph of the host.

use super::analyze::AnalyzeRun;
use super::output::Output;
use super::process::ProcessRun;
use super::remote::{RemoteFind, RemoteWalk};
use crate::base::Diagnostic;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{HostResponse, Progress, StepContext};
use crate::gasl::language::ast::Command;
use crate::gasl::record::CommandFailure;

/// A command that is under way.
pub enum PendingCommand {
    Find(Box<RemoteFind>),
    Walk(Box<RemoteWalk>),
    Process(Box<ProcessRun>),
    Analyze(Box<AnalyzeRun>),
}

/// What is asked first, or what came of it already.
pub type StartedCommand = Result<(PendingCommand, Progress<Output>), CommandFailure>;

impl PendingCommand {
    /// Begins a command that [`super::run`] does not know.
    pub fn begin(
        core: &mut Core,
        command: &Command,
        context: &mut StepContext<'_>,
    ) -> StartedCommand {
        match command {
            Command::Find { target, condition, limit, .. } => {
                let (find, effect) = RemoteFind::begin(core, *target, condition.as_ref(), *limit)?;
                Ok((PendingCommand::Find(Box::new(find)), Progress::Need(effect)))
            }
            Command::Walk { .. } => {
                let (walk, progress) = RemoteWalk::begin(core, command, context.step)?;
                Ok((PendingCommand::Walk(Box::new(walk)), progress))
            }
            Command::Process { input, instruction, returning, .. } => {
                let begun =
                    ProcessRun::begin(core, input, instruction, returning.as_ref(), context);
                let (work, progress) = begun?;
                Ok((PendingCommand::Process(Box::new(work)), progress))
            }
            Command::Analyze { key, instruction, .. } => {
                let (work, progress) = AnalyzeRun::begin(core, key, instruction, context)?;
                Ok((PendingCommand::Analyze(Box::new(work)), progress))
            }
            _ => Err(Diagnostic::new(codes::ONE_COMMAND, "a line of a block is no command")
                .help("blocks belong into the `commands` of a plan")
                .into()),
        }
    }

    /// Goes on with what the host answered.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: HostResponse,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        match self {
            PendingCommand::Find(find) => find.resume(answer, context.step).map(Progress::Done),
            PendingCommand::Walk(walk) => walk.resume(answer, context.step),
            PendingCommand::Process(work) => work.resume(core, answer, context),
            PendingCommand::Analyze(work) => work.resume(core, answer, context),
        }
    }
}
