//! A request to the model, retried until its reply is valid.

use super::exchange::{Question, recorded_fields};
use super::prompt;
use super::reply::Reply;
use crate::base::value::excerpt_of;
use crate::base::{Code, Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::record::CommandFailure;
use std::rc::Rc;

/// Pending question with its retries.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    question: Question,
    hash: String,
    /// Prompt of the first attempt.
    prompt: String,
    retries_left: usize,
}

/// Returns the error for a request beyond the budget of the loop.
fn budget_exceeded() -> Diagnostic {
    stopped_error(codes::BUDGET_EXCEEDED, "the loop reached its limit of model calls or tokens")
}

/// Returns the error for a loop that stopped early.
pub fn stopped_error(code: Code, message: &str) -> Diagnostic {
    Diagnostic::new(code, message)
        .help("continue with `solve` or increase the budget; results are kept in the state")
}

/// Key of an exchange without a reply. Recorded replies never have it.
const FAILED_KEY: &str = "failed";

/// Returns the reason for a failed exchange: `Some(None)` without a model, `None` for a reply.
fn failure_of(exchange: &Value) -> Option<Option<&str>> {
    exchange.get(FAILED_KEY).map(Value::as_text)
}

/// Reply of the model, or a failure.
pub type ReplyResult = std::result::Result<Reply, CommandFailure>;

impl ModelRequest {
    /// Sends a question; fails if the budget of the loop is exceeded.
    pub fn send(
        core: &mut Core,
        question: Question,
        retries: usize,
    ) -> (ModelRequest, Progress<ReplyResult>) {
        let prompt = question.prompt.clone();
        let mut request =
            ModelRequest { question, hash: String::new(), prompt, retries_left: retries };
        let progress = request.ask(core);
        (request, progress)
    }

    fn ask(&mut self, core: &mut Core) -> Progress<ReplyResult> {
        if core.is_model_budget_spent() {
            return Progress::Done(Err(budget_exceeded().into()));
        }
        self.hash = self.question.hash();
        core.spending.calls += 1;
        // Without a model the host is called too, so that a replay has the same number of updates.
        Progress::Need(match core.setup.has_model {
            true => Effect::Ask(Box::new(self.question.clone())),
            false => Effect::Continue,
        })
    }

    fn replay_miss(&self) -> Diagnostic {
        let prompt = excerpt_of(&self.question.prompt, 60);
        let message =
            format!("no recorded reply to this `{}` request: {prompt:?}", self.question.task);
        Diagnostic::new(codes::REPLAY_MISS, message)
            .help("replay with the same graph, or record the session again")
    }

    /// Handles the answer of the host's callback.
    pub fn handle_answer(&mut self, core: &mut Core, answer: HostResponse) -> ReplyResult {
        match answer {
            _ if !core.setup.has_model => self.handle_recorded(core),
            HostResponse::Value(value) => self.receive(core, &recorded_fields(&value)),
            HostResponse::Failed(failure) | HostResponse::Interrupted(failure) => {
                self.record_failure(core, Some(&failure.why))
            }
        }
    }

    /// Handles the recorded reply.
    fn handle_recorded(&mut self, core: &mut Core) -> ReplyResult {
        if let Some(reply) = core.next_recorded_reply(&self.hash) {
            return match failure_of(&reply) {
                Some(reason) => self.record_failure(core, reason),
                None => self.receive(core, &reply),
            };
        }
        if core.replay.as_ref().is_some_and(|replay| replay.strict) {
            return Err(self.replay_miss().into());
        }
        self.record_failure(core, None)
    }

    /// Records a failed exchange, without a reason if there is no model, so that a replay fails too.
    fn record_failure(&mut self, core: &mut Core, reason: Option<&str>) -> ReplyResult {
        let failure = Value::map([(FAILED_KEY, Value::from(reason.map(str::to_owned)))]);
        Rc::make_mut(&mut core.exchanges).add_reply(&self.hash, failure);
        let diagnostic = match reason {
            None => Diagnostic::new(codes::NO_MODEL, "no model is configured")
                .help("pass an `llm` callback to the session"),
            Some(reason) => {
                let message = format!("the model request failed: {reason}");
                Diagnostic::new(codes::MODEL_FAILED, message)
                    .help("fix the cause and run the command again; completed work is kept")
            }
        };
        Err(diagnostic.into())
    }

    fn receive(&mut self, core: &mut Core, reply: &Value) -> ReplyResult {
        let limit = core.setup.limits.replies;
        if core.exchanges.size_with(reply) > limit {
            let message =
                format!("the replies of the model would have more than {limit} bytes together");
            let failure = Value::map([(FAILED_KEY, Value::from(message.as_str()))]);
            Rc::make_mut(&mut core.exchanges).add_reply(&self.hash, failure);
            let help = "limit the length of a reply in the settings of the model, or raise `limits.replies` of the session";
            return Err(Diagnostic::new(codes::REPLIES_TOO_LARGE, message).help(help).into());
        }
        Rc::make_mut(&mut core.exchanges).add_reply(&self.hash, reply.clone());
        let reply = Reply { value: reply.clone() };
        core.spending.tokens += reply.tokens();
        Ok(reply)
    }

    /// Asks again with the errors of the reply; returns the failure if no retries are left.
    pub fn retry(
        &mut self,
        core: &mut Core,
        reply: &Reply,
        failure: CommandFailure,
    ) -> Progress<ReplyResult> {
        if self.retries_left == 0 {
            return Progress::Done(Err(failure));
        }
        self.retries_left -= 1;
        let diagnostics = failure.diagnostics;
        let errors: Vec<String> = diagnostics.iter().map(format_diagnostic).collect();
        self.question.task = "repair";
        self.question.attempt += 1;
        self.question.previous =
            Value::list(diagnostics.iter().map(Diagnostic::to_value).collect::<Vec<_>>());
        self.question.prompt = prompt::repair_prompt(
            &self.prompt,
            &excerpt_of(&reply.to_text(), MAX_REPLY_CHARS),
            &errors,
        );
        self.ask(core)
    }

    /// Returns the number of attempts so far.
    pub fn attempts(&self) -> usize {
        self.question.attempt
    }
}

/// Maximum number of characters of an invalid reply in the retry prompt.
const MAX_REPLY_CHARS: usize = 4_000;

/// Formats a diagnostic for a prompt.
pub fn format_diagnostic(diagnostic: &Diagnostic) -> String {
    let location = match &diagnostic.location {
        Some(crate::base::Location::Pointer(pointer)) if !pointer.is_empty() => {
            format!(" at {pointer}")
        }
        _ => String::new(),
    };
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("- {}{location}: {}{help}", diagnostic.code.id, diagnostic.message)
}
