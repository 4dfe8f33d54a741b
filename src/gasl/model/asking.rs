//! One question to the model, until there is an answer that can be used.

use super::exchange::{Question, recorded};
use super::prompt;
use super::reply::Reply;
use crate::base::value::excerpt_of;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Effect, Progress};
use crate::gasl::record::Failure;
use crate::gasl::task::solve::stopped;
use std::rc::Rc;

/// A question that was put.
#[derive(Clone, Debug)]
pub struct Asking {
    question: Question,
    hash: String,
    /// The prompt before any repair.
    prompt: String,
    repairs_left: usize,
}

/// For a question beyond the bounds of the loop.
fn silenced() -> Diagnostic {
    stopped(codes::BUDGET, "the loop may not ask its model any more")
}

/// The key of an exchange that came to no reply. What a callback answers never has it.
const FAILED: &str = "failed";

/// Why there was no reply, if the exchange says so.
fn failure_of(exchange: &Value) -> Option<Option<&str>> {
    exchange.get(FAILED).map(Value::as_text)
}

/// A reply, or a failure.
pub type Replied = std::result::Result<Reply, Failure>;

impl Asking {
    /// Puts a question, unless the loop may ask no more.
    pub fn put(core: &mut Core, question: Question, repairs: usize) -> (Asking, Progress<Replied>) {
        let prompt = question.prompt.clone();
        let mut asking = Asking { question, hash: String::new(), prompt, repairs_left: repairs };
        let progress = asking.ask(core);
        (asking, progress)
    }

    fn ask(&mut self, core: &mut Core) -> Progress<Replied> {
        if core.is_silent() {
            return Progress::Done(Err(silenced().into()));
        }
        self.hash = self.question.hash();
        core.spending.calls += 1;
        // Without a model a turn is taken as well, so that a replay has as many.
        Progress::Need(match core.setup.has_model {
            true => Effect::Ask(Box::new(self.question.clone())),
            false => Effect::Continue,
        })
    }

    fn missed(&self) -> Diagnostic {
        let beginning = excerpt_of(&self.question.prompt, 60);
        let message =
            format!("the recording has no reply to this `{}`: {beginning:?}", self.question.task);
        Diagnostic::new(codes::REPLAY_MISS, message)
            .help("replay with the same graph, or record the session again")
    }

    /// What the host's callback answered.
    pub fn answered(&mut self, core: &mut Core, answer: Answer) -> Replied {
        match answer {
            _ if !core.setup.has_model => self.replayed(core),
            Answer::Value(value) => self.receive(core, &recorded(&value)),
            Answer::Failed(why) => self.failed(core, Some(&why)),
        }
    }

    /// What a recording holds as the answer.
    fn replayed(&mut self, core: &mut Core) -> Replied {
        if let Some(reply) = core.replayed(&self.hash) {
            return match failure_of(&reply) {
                Some(why) => self.failed(core, why),
                None => self.receive(core, &reply),
            };
        }
        if core.replaying.as_ref().is_some_and(|replaying| replaying.strict) {
            return Err(self.missed().into());
        }
        self.failed(core, None)
    }

    /// There was no reply; without a reason, because there is no model. A replay meets that too.
    fn failed(&mut self, core: &mut Core, why: Option<&str>) -> Replied {
        let failure = Value::map([(FAILED, Value::from(why.map(str::to_owned)))]);
        Rc::make_mut(&mut core.exchanges).put(&self.hash, failure);
        let told = match why {
            None => Diagnostic::new(codes::NO_MODEL, "there is no model to ask")
                .help("give the session an `llm` callback"),
            Some(why) => {
                let message = format!("the model could not be asked: {why}");
                Diagnostic::new(codes::MODEL_FAILED, message)
                    .help("when that is mended, ask again; what was done before is kept")
            }
        };
        Err(told.into())
    }

    fn receive(&mut self, core: &mut Core, reply: &Value) -> Replied {
        Rc::make_mut(&mut core.exchanges).put(&self.hash, reply.clone());
        let reply = Reply { value: reply.clone() };
        core.spending.tokens += reply.tokens();
        Ok(reply)
    }

    /// Asks again with what was wrong, if that is still allowed; else the faults are the failure.
    pub fn again(&mut self, core: &mut Core, reply: &Reply, failure: Failure) -> Progress<Replied> {
        if self.repairs_left == 0 {
            return Progress::Done(Err(failure));
        }
        self.repairs_left -= 1;
        let told = failure.diagnostics;
        let faults: Vec<String> = told.iter().map(line).collect();
        self.question.task = "repair";
        self.question.attempt += 1;
        self.question.previous =
            Value::list(told.iter().map(Diagnostic::to_value).collect::<Vec<_>>());
        self.question.prompt =
            prompt::repair(&self.prompt, &excerpt_of(&reply.said(), SHOWN), &faults.join("\n"));
        self.ask(core)
    }

    /// How many times it was asked.
    pub fn attempts(&self) -> usize {
        self.question.attempt
    }
}

/// The most characters of its own reply that a model is shown again.
const SHOWN: usize = 4_000;

/// A diagnostic as a model reads it.
pub fn line(diagnostic: &Diagnostic) -> String {
    let place = match &diagnostic.location {
        Some(crate::base::Location::Pointer(pointer)) if !pointer.is_empty() => {
            format!(" at {pointer}")
        }
        _ => String::new(),
    };
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("- {}{place}: {}{help}", diagnostic.code.id, diagnostic.message)
}
