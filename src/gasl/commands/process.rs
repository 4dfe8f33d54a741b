//! `PROCESS`: the model works through all rows, batch by batch.

use super::analyze::{extraction, source};
use super::citations::{Shown, ShownRow, cited, with_text_ids};
use super::work::Moment;
use super::{Output, completeness};
use crate::base::hash::sha256;
use crate::base::value::excerpt;
use crate::base::{Diagnostic, Value};
use crate::gasl::checkpoint::{Done, Kept, told_of};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Effect, Event, Progress};
use crate::gasl::language::ast::{Path, Template};
use crate::gasl::model::exchange::Question;
use crate::gasl::model::prompt;
use crate::gasl::model::reply::Reply;
use crate::gasl::model::reply::stopped_for_length_warning;
use crate::gasl::model::request::{ModelRequest, ReplyResult};
use crate::gasl::model::schema;
use crate::gasl::record::{Failure, Status};
use crate::gasl::task::step::not_stored;
use crate::gasl::variable::{Rows, Variable};
use std::rc::Rc;

type Outcome<T> = std::result::Result<T, Failure>;

/// Rows that are being worked through.
pub struct Processing {
    input: Variable,
    rows: Rc<dyn Rows>,
    fields: Vec<String>,
    instruction: String,
    schema: Value,
    /// Whether the schema is ours: items and citations.
    cited: bool,
    /// The first row of each batch, and the end of the last.
    bounds: Vec<usize>,
    /// The most characters that are shown of a row, and how many rows have more.
    longest: usize,
    cut: usize,
    batch: usize,
    /// What the same work is recognised by when it is begun again.
    mark: String,
    request: Option<ModelRequest>,
    /// The output of the batches so far, and the sources of its rows.
    done: Vec<Value>,
    sources: Vec<Rc<[Value]>>,
    /// How much of that is kept in case that this does not come to its end.
    kept: Kept,
    calls: usize,
    stopped: bool,
    extraction: Value,
    told: Vec<Diagnostic>,
    /// What there is to say of the batches so far.
    of_batches: Vec<Diagnostic>,
}

impl Processing {
    /// Cuts the rows into batches and asks for the first that is not done.
    pub fn begin(
        core: &mut Core,
        input: &Path,
        instruction: &Template,
        returning: Option<&Value>,
        moment: &mut Moment<'_>,
    ) -> Outcome<(Processing, Progress<Output>)> {
        let mut scope = core.scope();
        let (rows, variable) = scope.rows(input)?;
        let instruction = scope.text(instruction, core.caps.max_excerpt_chars)?;
        let mut told = scope.told;
        let schema = returning.cloned().unwrap_or_else(prompt::process_schema);
        let unread = schema::unsupported_keywords(&schema);
        if !unread.is_empty() {
            let listed = crate::base::names::list(unread.iter().map(String::as_str));
            let message = format!("{listed} of the schema cannot be checked here");
            told.push(Diagnostic::new(codes::CUT, message).help("check it yourself afterwards"));
        }
        let longest = core.caps.max_excerpt_chars;
        let (bounds, cut) = bounds(rows.as_ref(), core.caps.max_excerpt_items, longest);
        if cut > 0 {
            let message = format!("{cut} rows were shown in part: `{CHARS}` is {longest}");
            let help = format!("`SELECT` fewer fields, or write `SET adapter.caps.{CHARS} = …`");
            told.push(Diagnostic::new(codes::CUT, message).help(help));
        }
        let mark = mark(&instruction, &schema, rows.as_ref(), &bounds, longest);
        let mut work = Processing {
            input: variable,
            fields: rows.fields(),
            rows,
            instruction,
            schema,
            cited: returning.is_none(),
            bounds,
            longest,
            cut,
            batch: 0,
            mark,
            request: None,
            done: Vec::new(),
            sources: Vec::new(),
            kept: (0, 0),
            calls: 0,
            stopped: false,
            extraction: Value::Null,
            told,
            of_batches: Vec::new(),
        };
        work.take_up(core);
        let progress = work.next(core, moment)?;
        Ok((work, progress))
    }

    /// Goes on where the same work stopped before.
    fn take_up(&mut self, core: &Core) {
        let Some(checkpoint) = core.checkpoints.find(&self.mark) else { return };
        let list = |key: &str| checkpoint.get(key).and_then(Value::as_list).unwrap_or_default();
        self.batch = list("batches").len();
        self.done = list("batches").to_vec();
        self.sources = list("sources")
            .iter()
            .map(|each| each.as_list().unwrap_or_default().into())
            .collect::<Vec<_>>();
        self.kept = (self.done.len(), self.sources.len());
        self.extraction = checkpoint.get("extraction").cloned().unwrap_or_default();
        self.stopped = checkpoint.get("stopped") == Some(&Value::Bool(true));
        self.of_batches = told_of(checkpoint);
        let message = format!("{} batches were done before and are kept", self.batch);
        let help = "the rows are the same, so nothing has to be asked again";
        self.told.push(Diagnostic::new(codes::TURNED, message).help(help));
    }

    /// Keeps what the last batch brought, in case that this does not come to its end.
    fn keep(&mut self, core: &mut Core) {
        let (batches, sources, told) = (&self.done, &self.sources, &self.of_batches);
        let (extraction, stopped) = (&self.extraction, self.stopped);
        let done = Done { batches, sources, told, extraction, stopped };
        core.checkpoints.keep(&self.mark, &done, self.kept);
        self.kept = (batches.len(), sources.len());
    }

    /// What the model answered.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: Answer,
        moment: &mut Moment<'_>,
    ) -> Outcome<Progress<Output>> {
        let Some(request) = &mut self.request else {
            self.told.extend(not_stored(&answer));
            return self.next(core, moment);
        };
        let replied = request.handle_answer(core, answer);
        if let Some(effect) = self.settle(core, Progress::Done(replied), moment)? {
            return Ok(effect);
        }
        let more = self.batch + 1 < self.bounds.len();
        if core.setup.has_backend && more {
            // A batch that is stored is not asked for again, whatever happens to this session.
            self.request = None;
            return Ok(Progress::Need(Effect::Save));
        }
        self.next(core, moment)
    }

    /// The next batch, if there is one.
    fn next(&mut self, core: &mut Core, moment: &mut Moment<'_>) -> Outcome<Progress<Output>> {
        if self.batch + 1 < self.bounds.len() {
            let question = self.question();
            let (request, progress) = ModelRequest::send(core, question, core.setup.retries);
            self.request = Some(request);
            if let Some(effect) = self.settle(core, progress, moment)? {
                return Ok(effect);
            }
        }
        core.checkpoints.remove(&self.mark);
        Ok(Progress::Done(self.finish()))
    }

    /// Reads replies until one can be used; nothing where the batch is done.
    fn settle(
        &mut self,
        core: &mut Core,
        mut progress: Progress<ReplyResult>,
        moment: &mut Moment<'_>,
    ) -> Outcome<Option<Progress<Output>>> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => return Ok(Some(Progress::Need(effect))),
                Progress::Done(replied) => replied?,
            };
            self.calls += 1;
            let Err(failure) = self.read(core, &reply, moment) else {
                self.batch += 1;
                self.keep(core);
                let total = self.bounds.len().saturating_sub(1);
                moment.events.push(Event::Batch { done: self.batch, total });
                return Ok(None);
            };
            let Some(request) = &mut self.request else { return Err(failure) };
            progress = request.retry(core, &reply, failure);
        }
    }

    fn batch_rows(&self) -> std::ops::Range<usize> {
        let at = |batch: usize| self.bounds.get(batch).copied().unwrap_or_default();
        at(self.batch)..at(self.batch + 1)
    }

    fn question(&self) -> Question {
        let rows = Shown { rows: &*self.rows, places: self.batch_rows() };
        let shown = |one: ShownRow| prompt::PromptRow {
            input_id: one.id,
            text: excerpt(&one.row, self.longest),
        };
        let shown: Vec<prompt::PromptRow> = rows.each().into_iter().map(shown).collect();
        Question {
            task: "process",
            system: prompt::ANALYST.to_owned(),
            prompt: prompt::process(&self.instruction, &self.fields, &shown, &self.schema),
            schema: Some(self.schema.clone()),
            schema_name: "result",
            grammar: None,
            attempt: 1,
            previous: Value::Null,
        }
    }

    /// Takes the output of a batch, if it is one.
    fn read(&mut self, core: &Core, reply: &Reply, moment: &Moment<'_>) -> Outcome<()> {
        let (mut value, mut told) = reply.json()?;
        if self.cited {
            with_text_ids(&mut value);
        }
        let faults = schema::validate(&self.schema, &value);
        if !faults.is_empty() {
            return Err(Failure { status: Status::SchemaMismatch, diagnostics: faults });
        }
        let extraction = extraction(core, reply, moment.now);
        let items: &[Value] = match (self.cited, &value) {
            (true, value) => value.get("items").and_then(Value::as_list).unwrap_or_default(),
            (false, Value::List(items)) => items,
            (false, one) => std::slice::from_ref(one),
        };
        let own = source(None, None, moment.step, extraction.clone());
        let sources = match self.cited {
            true => {
                let shown = Shown { rows: &*self.rows, places: self.batch_rows() };
                let mut entry = |of: &Value, snippet| {
                    source(Some(of), snippet, moment.step, extraction.clone())
                };
                let found = cited(&value, items, &shown, &self.input, &mut entry, &mut told);
                found.map_err(|diagnostics| Failure {
                    status: Status::SchemaMismatch,
                    diagnostics,
                })?
            }
            false => vec![Vec::new(); items.len()],
        };
        for mut each in sources {
            if each.is_empty() {
                each.push(own.clone());
            }
            self.sources.push(each.into());
        }
        self.done.push(if self.cited { Value::list(items.to_vec()) } else { value.clone() });
        self.stopped |= reply.stopped_for_length();
        self.extraction = extraction;
        self.of_batches.extend(told);
        Ok(())
    }

    fn finish(&mut self) -> Output {
        let sources = std::mem::take(&mut self.sources);
        let (united, dropped) = united(std::mem::take(&mut self.done));
        let value = match united {
            Value::List(rows) => Variable::rows(rows.to_vec(), sources),
            Value::Null => Variable::plain(Value::list(Vec::new())),
            value => Variable::of(value, sources.concat_sources()),
        };
        let mut output = Output::of(value);
        let batches = self.bounds.len().saturating_sub(1);
        output = output.metric("input", self.rows.len()).metric("batches", batches);
        output = output.metric("calls", self.calls);
        if !self.extraction.is_null() {
            output = output.metric("extraction", self.extraction.clone());
        }
        if self.cut > 0 {
            let count = output.value.as_ref().and_then(Variable::row_count).unwrap_or(1);
            output.status = Some(Status::Partial);
            output = output.metric("completeness", completeness(count, self.longest, CHARS));
        }
        if dropped > 0 {
            let message =
                format!("{dropped} values that batches answered differently were left out");
            let help = "let RETURNING describe a list: lists of batches are put together";
            output.status = Some(Status::Partial);
            output.told.push(Diagnostic::new(codes::CUT, message).help(help));
            output = output.metric("completeness", completeness(1, 1, "batches"));
        }
        if self.stopped {
            let count = output.value.as_ref().and_then(Variable::row_count).unwrap_or(1);
            output.status = Some(Status::Partial);
            output.told.push(stopped_for_length_warning());
            output = output.metric("completeness", completeness(count, count, "length"));
        }
        output.told(std::mem::take(&mut self.told)).told(std::mem::take(&mut self.of_batches))
    }
}

/// All sources of all batches, for an output that is one value.
trait ConcatSources {
    fn concat_sources(&self) -> Rc<[Value]>;
}

impl ConcatSources for Vec<Rc<[Value]>> {
    fn concat_sources(&self) -> Rc<[Value]> {
        self.iter().flat_map(|each| each.iter().cloned()).collect()
    }
}

/// The outputs of all batches as one: lists are concatenated, also those in maps. Of other values
/// the first stays; how many said something else is told.
fn united(outputs: Vec<Value>) -> (Value, usize) {
    let mut dropped = 0;
    let united = outputs.into_iter().reduce(|first, second| unite(first, second, &mut dropped));
    (united.unwrap_or_default(), dropped)
}

fn unite(first: Value, second: Value, dropped: &mut usize) -> Value {
    match (first, second) {
        (Value::List(mut first), Value::List(second)) => {
            Rc::make_mut(&mut first).extend(second.iter().cloned());
            Value::List(first)
        }
        (Value::Map(mut first), Value::Map(second)) => {
            // What has been gathered so far is added to where it stands.
            let map = Rc::make_mut(&mut first);
            for (key, value) in second.iter() {
                let place = map.entry(key.clone()).or_default();
                *place = match std::mem::take(place) {
                    Value::Null => value.clone(),
                    one => unite(one, value.clone(), dropped),
                };
            }
            Value::Map(first)
        }
        (first, second) => {
            *dropped += usize::from(first != second);
            first
        }
    }
}

/// The cap on what one prompt shows.
const CHARS: &str = "max_excerpt_chars";

/// Where batches begin: no more rows and no more characters than the caps say. And how many rows
/// are longer than a whole batch.
fn bounds(rows: &dyn Rows, most: usize, longest: usize) -> (Vec<usize>, usize) {
    let mut bounds = vec![0];
    let (mut count, mut chars, mut cut) = (0, 0, 0);
    for index in 0..rows.len() {
        let row = rows.row(index).unwrap_or_default();
        let size = excerpt(&row, longest.saturating_add(1)).chars().count();
        if count > 0 && (count >= most || chars + size > longest) {
            bounds.push(index);
            (count, chars) = (0, 0);
        }
        count += 1;
        chars += size;
        cut += usize::from(size > longest);
    }
    if !rows.is_empty() {
        bounds.push(rows.len());
    }
    (bounds, cut)
}

/// The same for the same instruction over the same rows, as they are shown, from the same sources.
fn mark(
    instruction: &str,
    schema: &Value,
    rows: &dyn Rows,
    bounds: &[usize],
    longest: usize,
) -> String {
    let mut text = format!("{instruction}\n{}\n{bounds:?}\n", schema.to_text());
    for index in 0..rows.len() {
        text.push_str(&excerpt(&rows.row(index).unwrap_or_default(), longest));
        for source in rows.sources(index).iter().filter_map(|source| source.get("source_id")) {
            text.push(' ');
            source.write(&mut text);
        }
        text.push('\n');
    }
    sha256(&text)
}
