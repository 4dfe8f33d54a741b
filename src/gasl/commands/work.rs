//! Commands that wait for the host: those that ask a model, and searches in a graph of the host.

use super::analyze::Analysis;
use super::output::Output;
use super::process::Processing;
use super::remote::{RemoteFind, RemoteWalk};
use crate::base::Diagnostic;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Progress, StepContext};
use crate::gasl::language::ast::Command;
use crate::gasl::record::Failure;

/// A command that is under way.
pub enum Work {
    Find(Box<RemoteFind>),
    Walk(Box<RemoteWalk>),
    Process(Box<Processing>),
    Analyze(Box<Analysis>),
}

/// What is asked first, or what came of it already.
pub type Begun = std::result::Result<(Work, Progress<Output>), Failure>;

impl Work {
    /// Begins a command that [`super::run`] does not know.
    pub fn begin(core: &mut Core, command: &Command, context: &mut StepContext<'_>) -> Begun {
        match command {
            Command::Find { target, condition, limit, .. } => {
                let (find, effect) = RemoteFind::begin(core, *target, condition.as_ref(), *limit)?;
                Ok((Work::Find(Box::new(find)), Progress::Need(effect)))
            }
            Command::Walk { .. } => {
                let (walk, progress) = RemoteWalk::begin(core, command, context.step)?;
                Ok((Work::Walk(Box::new(walk)), progress))
            }
            Command::Process { input, instruction, returning, .. } => {
                let begun =
                    Processing::begin(core, input, instruction, returning.as_ref(), context);
                let (work, progress) = begun?;
                Ok((Work::Process(Box::new(work)), progress))
            }
            Command::Analyze { key, instruction, .. } => {
                let (work, progress) = Analysis::begin(core, key, instruction, context)?;
                Ok((Work::Analyze(Box::new(work)), progress))
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
        answer: Answer,
        context: &mut StepContext<'_>,
    ) -> std::result::Result<Progress<Output>, Failure> {
        match self {
            Work::Find(find) => find.resume(answer, context.step).map(Progress::Done),
            Work::Walk(walk) => walk.resume(answer, context.step),
            Work::Process(work) => work.resume(core, answer, context),
            Work::Analyze(work) => work.resume(core, answer, context),
        }
    }
}
