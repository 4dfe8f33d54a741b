//! `ANALYZE`: the model looks at a bounded sample of the state.

use super::output::Output;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{HostResponse, Progress, StepContext};
use crate::gasl::language::ast::{TextTemplate, VariablePath};
use crate::gasl::model::asking::{Asking, Replied};
use crate::gasl::model::exchange::Question;
use crate::gasl::model::reply::Reply;
use crate::gasl::model::{prompt, schema};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::sample::{Sample, sample};
use crate::gasl::variable::Variable;

/// An analysis that waits for the model.
pub struct AnalyzeRun {
    asking: Asking,
    /// How many items were shown and how many there are, where those are more.
    sample: Option<[usize; 2]>,
    diagnostics: Vec<crate::base::Diagnostic>,
}

impl AnalyzeRun {
    /// Asks.
    pub fn begin(
        core: &mut Core,
        key: &VariablePath,
        instruction: &TextTemplate,
        context: &mut StepContext<'_>,
    ) -> Result<(AnalyzeRun, Progress<Output>), CommandFailure> {
        let mut scope = core.scope();
        // A key of the state; a variable that is not kept yet is as good.
        let path = &key.steps;
        let value = match crate::gasl::state::entry(&core.variables, path) {
            Some(entry) => crate::gasl::state::payload(entry),
            None => scope.find(path, key.span)?.to_value(),
        };
        let most = core.caps.max_excerpt_chars;
        let instruction = scope.text(instruction, most)?;
        let mut diagnostics = scope.diagnostics;
        let items = core.caps.max_excerpt_items;
        let count = value.as_list().map_or(0, <[Value]>::len);
        let Sample { text: shown, rows, cut } = sample(&value, items, most, core.setup.seed);
        if cut > 0 {
            let what =
                if rows == 0 { "the value was".to_owned() } else { format!("{cut} rows were") };
            let message = format!("{what} shown in part: `max_excerpt_chars` is {most}");
            let help = "`SELECT` fewer fields, or write `SET adapter.caps.max_excerpt_chars = …`";
            diagnostics.push(Diagnostic::new(codes::TRUNCATED, message).help(help));
        }
        let schema = prompt::analyze_schema();
        let question = Question {
            task: "analyze",
            system: prompt::ANALYST.to_owned(),
            prompt: prompt::analyze(&instruction, &key.text(), &shown, &schema),
            schema: Some(schema),
            schema_name: "analysis",
            grammar: None,
            attempt: 1,
            previous: Value::Null,
        };
        let repairs = core.setup.retries;
        let (asking, progress) = Asking::put(core, question, repairs);
        let sample = (rows < count).then_some([rows, count]);
        let mut analysis = AnalyzeRun { asking, sample, diagnostics };
        let progress = analysis.go_on(core, progress, context)?;
        Ok((analysis, progress))
    }

    /// What the model answered.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: HostResponse,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        let replied = self.asking.answered(core, answer);
        self.go_on(core, Progress::Done(replied), context)
    }

    fn go_on(
        &mut self,
        core: &mut Core,
        mut progress: Progress<Replied>,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => return Ok(Progress::Need(effect)),
                Progress::Done(replied) => replied?,
            };
            match self.read(core, &reply, context) {
                Ok(output) => return Ok(Progress::Done(output)),
                Err(failure) => progress = self.asking.again(core, &reply, failure),
            }
        }
    }

    fn read(
        &mut self,
        core: &Core,
        reply: &Reply,
        context: &StepContext<'_>,
    ) -> Result<Output, CommandFailure> {
        let (value, diagnostics) = reply.json()?;
        let faults = schema::validate(&prompt::analyze_schema(), &value);
        if !faults.is_empty() {
            return Err(CommandFailure { status: StepStatus::SchemaMismatch, diagnostics: faults });
        }
        let extraction = extraction(core, reply, context.now);
        let source = source(None, None, context.step, extraction.clone());
        let mut output =
            Output { value: Some(Variable::of(value, [source].into())), ..Output::default() };
        if let Some(diagnostics) = reply.cut() {
            output.status = Some(StepStatus::Partial);
            output.diagnostics.push(diagnostics);
        }
        output = output
            .with_metric("calls", self.asking.attempts())
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

/// Which model said it, and when.
pub fn extraction(core: &Core, reply: &Reply, now: &str) -> Value {
    let model = reply.model().map(str::to_owned).or_else(|| core.setup.model.clone());
    Value::map([
        ("model", Value::from(model)),
        ("temperature", Value::Number(0.0)),
        ("timestamp", now.into()),
    ])
}

/// An entry of a provenance table.
pub fn source(of: Option<&Value>, snippet: Option<Value>, step: usize, extraction: Value) -> Value {
    let part = |key: &str| of.and_then(|of| of.get(key)).cloned().unwrap_or_default();
    Value::map([
        ("source_id", part("source_id")),
        ("doc_id", part("doc_id")),
        ("snippet", snippet.unwrap_or_else(|| part("snippet"))),
        ("step", step.into()),
        ("extraction", extraction),
    ])
}
