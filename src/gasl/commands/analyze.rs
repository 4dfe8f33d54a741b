//! `ANALYZE`: the model looks at a bounded sample of the state.

use super::Output;
use super::work::Moment;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Progress};
use crate::gasl::language::ast::{Path, Template};
use crate::gasl::model::exchange::Question;
use crate::gasl::model::reply::Reply;
use crate::gasl::model::request::{ModelRequest, ReplyResult};
use crate::gasl::model::{prompt, schema};
use crate::gasl::record::{Failure, Status};
use crate::gasl::sample::{Sample, sample};
use crate::gasl::variable::Variable;

/// An analysis that waits for the model.
pub struct Analysis {
    request: ModelRequest,
    /// How many items were shown and how many there are, where those are more.
    sample: Option<[usize; 2]>,
    told: Vec<crate::base::Diagnostic>,
}

type Outcome<T> = std::result::Result<T, Failure>;

impl Analysis {
    /// Asks.
    pub fn begin(
        core: &mut Core,
        key: &Path,
        instruction: &Template,
        moment: &mut Moment<'_>,
    ) -> Outcome<(Analysis, Progress<Output>)> {
        let mut scope = core.scope();
        // A key of the state; a variable that is not kept yet is as good.
        let path = &key.steps;
        let value = match crate::gasl::state::entry(&core.variables, path) {
            Some(entry) => crate::gasl::state::payload(entry),
            None => scope.find(path, key.span)?.to_value(),
        };
        let most = core.caps.max_excerpt_chars;
        let instruction = scope.text(instruction, most)?;
        let mut told = scope.told;
        let items = core.caps.max_excerpt_items;
        let count = value.as_list().map_or(0, <[Value]>::len);
        let Sample { text: shown, rows, cut } = sample(&value, items, most, core.setup.seed);
        if cut > 0 {
            let what =
                if rows == 0 { "the value was".to_owned() } else { format!("{cut} rows were") };
            let message = format!("{what} shown in part: `max_excerpt_chars` is {most}");
            let help = "`SELECT` fewer fields, or write `SET adapter.caps.max_excerpt_chars = …`";
            told.push(Diagnostic::new(codes::CUT, message).help(help));
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
        let (request, progress) = ModelRequest::send(core, question, repairs);
        let sample = (rows < count).then_some([rows, count]);
        let mut analysis = Analysis { request, sample, told };
        let progress = analysis.go_on(core, progress, moment)?;
        Ok((analysis, progress))
    }

    /// What the model answered.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: Answer,
        moment: &mut Moment<'_>,
    ) -> Outcome<Progress<Output>> {
        let replied = self.request.handle_answer(core, answer);
        self.go_on(core, Progress::Done(replied), moment)
    }

    fn go_on(
        &mut self,
        core: &mut Core,
        mut progress: Progress<ReplyResult>,
        moment: &mut Moment<'_>,
    ) -> Outcome<Progress<Output>> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => return Ok(Progress::Need(effect)),
                Progress::Done(replied) => replied?,
            };
            match self.read(core, &reply, moment) {
                Ok(output) => return Ok(Progress::Done(output)),
                Err(failure) => progress = self.request.retry(core, &reply, failure),
            }
        }
    }

    fn read(&mut self, core: &Core, reply: &Reply, moment: &Moment<'_>) -> Outcome<Output> {
        let (value, told) = reply.json()?;
        let faults = schema::validate(&prompt::analyze_schema(), &value);
        if !faults.is_empty() {
            return Err(Failure { status: Status::SchemaMismatch, diagnostics: faults });
        }
        let extraction = extraction(core, reply, moment.now);
        let source = source(None, None, moment.step, extraction.clone());
        let mut output =
            Output { value: Some(Variable::of(value, [source].into())), ..Output::default() };
        if let Some(told) = reply.length_warning() {
            output.status = Some(Status::Partial);
            output.told.push(told);
        }
        output = output.metric("calls", self.request.attempts()).metric("extraction", extraction);
        if let Some([shown, of]) = self.sample {
            let sample = Value::map([("shown", shown.into()), ("of", of.into())]);
            output = output.metric("sample", sample);
        }
        Ok(output.told(std::mem::take(&mut self.told)).told(told))
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
