//! `ANALYZE`: the model analyzes a bounded sample of the state.

use super::output::Output;
use crate::base::value::put;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{HostResponse, Progress, StepContext};
use crate::gasl::identity::UNCITED;
use crate::gasl::language::ast::{TextTemplate, VariablePath};
use crate::gasl::model::exchange::Question;
use crate::gasl::model::reply::Reply;
use crate::gasl::model::request::{ModelRequest, ReplyResult};
use crate::gasl::model::{prompt, validator};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::sample::{Sample, sample_rows};
use crate::gasl::variable::Variable;

/// `ANALYZE` in progress.
pub struct AnalyzeRun {
    request: ModelRequest,
    /// Sizes of the sample and of the list, if the sample is smaller.
    sample: Option<[usize; 2]>,
    diagnostics: Vec<crate::base::Diagnostic>,
}

impl AnalyzeRun {
    /// Asks the model.
    pub fn begin(
        core: &mut Core,
        key: &VariablePath,
        instruction: &TextTemplate,
        context: &mut StepContext<'_>,
    ) -> Result<(AnalyzeRun, Progress<Output>), CommandFailure> {
        let mut scope = core.scope();
        // A key of the state, or a variable.
        let path = &key.steps;
        let value = match crate::gasl::state::entry_at(&core.variables, path) {
            Some(entry) => crate::gasl::state::payload(entry),
            None => scope.resolve(path, key.span)?.to_value(),
        };
        let max_chars = core.caps.max_excerpt_chars;
        let instruction = scope.interpolate_instruction(instruction, max_chars)?;
        let mut diagnostics = scope.diagnostics;
        let items = core.caps.max_excerpt_items;
        let count = value.as_list().map_or(0, <[Value]>::len);
        let Sample { text: excerpt, rows, truncated } =
            sample_rows(&value, items, max_chars, core.setup.seed);
        if truncated > 0 {
            let subject = if rows == 0 {
                "the value was".to_owned()
            } else {
                format!("{truncated} rows were")
            };
            let message = format!("{subject} truncated: `max_excerpt_chars` is {max_chars}");
            let help = "`SELECT` fewer fields, or write `SET adapter.caps.max_excerpt_chars = …`";
            diagnostics.push(Diagnostic::new(codes::TRUNCATED_RESULT, message).help(help));
        }
        let schema = prompt::analyze_schema();
        let question = Question {
            task: "analyze",
            system: prompt::ANALYST_SYSTEM_PROMPT.to_owned(),
            prompt: prompt::analyze_prompt(&instruction, &key.text(), &excerpt, &schema),
            schema: Some(schema),
            schema_name: "analysis",
            grammar: None,
            attempt: 1,
            previous: Value::Null,
        };
        let (request, progress) = ModelRequest::send(core, question, core.setup.retries);
        let sample = (rows < count).then_some([rows, count]);
        let mut analysis = AnalyzeRun { request, sample, diagnostics };
        let progress = analysis.read_replies(core, progress, context)?;
        Ok((analysis, progress))
    }

    /// Continues with the response of the host.
    pub fn resume(
        &mut self,
        core: &mut Core,
        response: HostResponse,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        let replied = self.request.handle_answer(core, response);
        self.read_replies(core, Progress::Done(replied), context)
    }

    fn read_replies(
        &mut self,
        core: &mut Core,
        mut progress: Progress<ReplyResult>,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => return Ok(Progress::Need(effect)),
                Progress::Done(replied) => replied?,
            };
            match self.read_reply(core, &reply, context) {
                Ok(output) => return Ok(Progress::Done(output)),
                Err(failure) => progress = self.request.retry(core, &reply, failure),
            }
        }
    }

    fn read_reply(
        &mut self,
        core: &Core,
        reply: &Reply,
        context: &StepContext<'_>,
    ) -> Result<Output, CommandFailure> {
        let (value, diagnostics) = reply.json()?;
        let errors = validator::validate(&prompt::analyze_schema(), &value);
        if !errors.is_empty() {
            return Err(CommandFailure { status: StepStatus::SchemaMismatch, diagnostics: errors });
        }
        let extraction = extraction_record(core, reply, context.now);
        let source = uncited_source(context.step, extraction.clone());
        let mut output =
            Output { value: Some(Variable::new(value, [source].into())), ..Output::default() };
        if let Some(warning) = reply.length_warning() {
            output.status = Some(StepStatus::Partial);
            output.diagnostics.push(warning);
        }
        output = output
            .with_metric("calls", self.request.attempts())
            .with_metric("extraction", extraction);
        if let Some([shown, of]) = self.sample {
            let sample = Value::map([("shown", shown.into()), ("of", of.into())]);
            output = output.with_metric("sample", sample);
        }
        Ok(output
            .with_diagnostics(std::mem::take(&mut self.diagnostics))
            .with_diagnostics(diagnostics))
    }
}

/// Returns the model and the time of a reply, for the provenance.
pub fn extraction_record(core: &Core, reply: &Reply, now: &str) -> Value {
    let model = reply.model().map(str::to_owned).or_else(|| core.setup.model.clone());
    Value::map([
        ("model", Value::from(model)),
        ("temperature", Value::Number(0.0)),
        ("timestamp", now.into()),
    ])
}

/// Returns the source of a finding that cites no row.
pub fn uncited_source(step: usize, extraction: Value) -> Value {
    let mut source = source_with_extraction(None, None, step, extraction);
    if let Some(map) = source.as_map_mut() {
        put(map, UNCITED, true);
    }
    source
}

/// Returns a source with the extraction that used it.
pub fn source_with_extraction(
    of: Option<&Value>,
    snippet: Option<Value>,
    step: usize,
    extraction: Value,
) -> Value {
    let part = |key: &str| of.and_then(|of| of.get(key)).cloned().unwrap_or_default();
    Value::map([
        ("source_id", part("source_id")),
        ("doc_id", part("doc_id")),
        ("snippet", snippet.unwrap_or_else(|| part("snippet"))),
        ("step", step.into()),
        ("extraction", extraction),
    ])
}
