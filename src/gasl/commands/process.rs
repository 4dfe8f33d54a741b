//! `PROCESS`: the model processes all rows in batches.

use super::analyze::{extraction_record, source_with_extraction, uncited_source};
use super::citations::{
    ShownRow, ShownRows, marked_uncited, no_citations, normalize_citations, resolve_citations,
};
use super::output::{Output, completeness};
use super::row_pages::RowPages;
use crate::base::hash::sha256;
use crate::base::value::excerpt;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::checkpoint::{BatchResults, StoredCounts, stored_diagnostics};
use crate::gasl::citation_policy::CitationPolicy;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, Event, HostResponse, Progress, StepContext, storage_warning};
use crate::gasl::identity::is_uncited;
use crate::gasl::language::ast::{TextTemplate, VariablePath};
use crate::gasl::model::exchange::Question;
use crate::gasl::model::prompt;
use crate::gasl::model::reply::Reply;
use crate::gasl::model::reply::stopped_for_length_warning;
use crate::gasl::model::request::{ModelRequest, ReplyResult};
use crate::gasl::model::{schema, validator};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::variable::{Rows, Variable};
use std::rc::Rc;

/// `PROCESS` in progress.
pub struct ProcessRun {
    input: Variable,
    rows: Rc<dyn Rows>,
    fields: Vec<String>,
    instruction: String,
    schema: Value,
    /// Handling of uncited items of the default schema; `None` for the output of `RETURNING`.
    citations: Option<CitationPolicy>,
    /// Index of the first row of each batch, and the number of rows.
    batch_starts: Vec<usize>,
    /// Maximum number of characters shown of a row.
    max_chars: usize,
    truncated_rows: usize,
    batch: usize,
    /// Identity of the command and its input.
    checkpoint_key: String,
    request: Option<ModelRequest>,
    /// Outputs of the finished batches.
    outputs: Vec<Value>,
    sources: Vec<Rc<[Value]>>,
    /// Parts of `outputs` and `sources` that the checkpoint contains.
    stored: StoredCounts,
    calls: usize,
    reply_truncated: bool,
    extraction: Value,
    diagnostics: Vec<Diagnostic>,
    /// Diagnostics of the finished batches.
    batch_diagnostics: Vec<Diagnostic>,
    /// Position in the rows of a host, which sends them in pages.
    pages: Option<RowPages>,
    /// Maximum number of rows of a batch.
    max_rows: usize,
}

impl ProcessRun {
    /// Splits the rows into batches and asks the model about the first unfinished one.
    pub fn begin(
        core: &mut Core,
        input: &VariablePath,
        instruction: &TextTemplate,
        returning: Option<&Value>,
        context: &mut StepContext<'_>,
    ) -> Result<(ProcessRun, Progress<Output>), CommandFailure> {
        let mut scope = core.scope();
        let (rows, variable) = scope.rows(input)?;
        let instruction =
            scope.interpolate_instruction(instruction, core.caps.max_excerpt_chars)?;
        let mut diagnostics = scope.diagnostics;
        let policy = core.setup.citations;
        if returning.is_some() && policy == Some(CitationPolicy::Required) {
            return Err(no_citations().into());
        }
        let policy = policy.unwrap_or(CitationPolicy::Required);
        let citations = returning.is_none().then_some(policy);
        let schema = returning.cloned().unwrap_or_else(|| prompt::process_schema(policy));
        let unread = schema::unsupported_keywords(&schema);
        if !unread.is_empty() {
            let listed = names::format_names(unread.iter().map(String::as_str));
            let message = format!("unsupported keywords in the schema: {listed}");
            diagnostics.push(
                Diagnostic::new(codes::TRUNCATED_RESULT, message)
                    .help("remove them from the schema, or check the output for them"),
            );
        }
        let max_chars = core.caps.max_excerpt_chars;
        let pages = RowPages::from_rows(&core.graph, rows.as_ref());
        let rows = if pages.is_some() { rows.pick(&[]) } else { rows };
        let (batch_starts, truncated_rows) =
            split_batches(rows.as_ref(), core.caps.max_excerpt_items, max_chars);
        let checkpoint_key = match &pages {
            Some(pages) => pages.checkpoint_key(&instruction, &schema, &core.caps),
            None => checkpoint_key(&instruction, &schema, rows.as_ref(), &batch_starts, max_chars),
        };
        let mut run = ProcessRun {
            input: variable,
            fields: rows.fields(),
            rows,
            instruction,
            schema,
            citations,
            batch_starts,
            max_chars,
            truncated_rows,
            batch: 0,
            checkpoint_key,
            request: None,
            outputs: Vec::new(),
            sources: Vec::new(),
            stored: (0, 0),
            calls: 0,
            reply_truncated: false,
            extraction: Value::Null,
            diagnostics,
            batch_diagnostics: Vec::new(),
            pages,
            max_rows: core.caps.max_excerpt_items,
        };
        run.restore_checkpoint(core);
        let progress = run.next(core, context)?;
        Ok((run, progress))
    }

    /// Restores the finished batches of an earlier run of the same command.
    fn restore_checkpoint(&mut self, core: &Core) {
        let Some(checkpoint) = core.checkpoints.find(&self.checkpoint_key) else { return };
        let list = |key: &str| checkpoint.get(key).and_then(Value::as_list).unwrap_or_default();
        self.batch = list("batches").len();
        if let Some(pages) = &mut self.pages {
            pages.restore(checkpoint.get("page").unwrap_or(&Value::Null), self.batch);
            self.batch = 0;
        }
        self.outputs = list("batches").to_vec();
        self.sources = list("sources")
            .iter()
            .map(|each| each.as_list().unwrap_or_default().into())
            .collect::<Vec<_>>();
        self.stored = (self.outputs.len(), self.sources.len());
        self.extraction = checkpoint.get("extraction").cloned().unwrap_or_default();
        self.reply_truncated = checkpoint.get("stopped") == Some(&Value::Bool(true));
        self.batch_diagnostics = stored_diagnostics(checkpoint);
        let message = format!("batches reused from an earlier run: {}", self.outputs.len());
        let help = "change the instruction or the rows to process them again";
        self.diagnostics.push(Diagnostic::new(codes::CONTROL_FLOW, message).help(help));
    }

    /// Stores the results of the last batch, in case the command is interrupted.
    fn store_checkpoint(&mut self, core: &mut Core) {
        let (batches, sources, diagnostics) =
            (&self.outputs, &self.sources, &self.batch_diagnostics);
        let (extraction, stopped) = (&self.extraction, self.reply_truncated);
        let page = self.pages.as_ref().map_or(Value::Null, RowPages::to_value);
        let results = BatchResults { batches, sources, diagnostics, extraction, stopped, page };
        core.checkpoints.store(&self.checkpoint_key, &results, self.stored);
        self.stored = (batches.len(), sources.len());
    }

    /// Continues with the response of the host.
    pub fn resume(
        &mut self,
        core: &mut Core,
        response: HostResponse,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        if let Some(pages) = self.pages.as_mut().filter(|pages| pages.is_pending()) {
            let (page, skipped) = pages.accept(response, context.step)?;
            self.set_page(page, skipped);
            return self.next(core, context);
        }
        let Some(request) = &mut self.request else {
            self.diagnostics.extend(storage_warning(&response));
            return self.next(core, context);
        };
        let replied = request.handle_answer(core, response);
        if let Some(effect) = self.read_replies(core, Progress::Done(replied), context)? {
            return Ok(effect);
        }
        let more = self.batch + 1 < self.batch_starts.len()
            || self.pages.as_ref().is_some_and(RowPages::has_more);
        if core.setup.has_backend && more {
            // Stores the batch, so that a new session need not process it again.
            self.request = None;
            return Ok(Progress::Need(Effect::Save));
        }
        self.next(core, context)
    }

    /// Asks about the next batch, or finishes.
    fn next(
        &mut self,
        core: &mut Core,
        context: &mut StepContext<'_>,
    ) -> Result<Progress<Output>, CommandFailure> {
        if self.batch + 1 < self.batch_starts.len() {
            let question = self.batch_question();
            let (request, progress) = ModelRequest::send(core, question, core.setup.retries);
            self.request = Some(request);
            if let Some(effect) = self.read_replies(core, progress, context)? {
                return Ok(effect);
            }
        }
        let batches = self.batch_starts.len().saturating_sub(1);
        if let Some(effect) = self.pages.as_mut().and_then(|pages| pages.next(batches)) {
            return Ok(Progress::Need(effect));
        }
        core.checkpoints.remove(&self.checkpoint_key);
        Ok(Progress::Done(self.finish()))
    }

    /// Splits the next page into batches, of which the first are finished.
    fn set_page(&mut self, page: Variable, finished: usize) {
        let Variable::Rows(rows, _) = &page else { return };
        let (batch_starts, truncated_rows) =
            split_batches(rows.as_ref(), self.max_rows, self.max_chars);
        self.batch = finished.min(batch_starts.len().saturating_sub(1));
        self.truncated_rows += truncated_rows;
        self.batch_starts = batch_starts;
        self.fields = rows.fields();
        self.rows = rows.clone();
        self.input = page;
    }

    /// Reads replies until one is valid. Returns `None` when the batch is finished.
    fn read_replies(
        &mut self,
        core: &mut Core,
        mut progress: Progress<ReplyResult>,
        context: &mut StepContext<'_>,
    ) -> Result<Option<Progress<Output>>, CommandFailure> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => return Ok(Some(Progress::Need(effect))),
                Progress::Done(replied) => replied?,
            };
            self.calls += 1;
            let Err(failure) = self.read_batch_reply(core, &reply, context) else {
                self.batch += 1;
                self.store_checkpoint(core);
                let (done, total) = match &self.pages {
                    Some(pages) => pages.progress(self.batch, self.max_rows),
                    None => (self.batch, self.batch_starts.len().saturating_sub(1)),
                };
                context.events.push(Event::Batch { done, total });
                return Ok(None);
            };
            let Some(request) = &mut self.request else { return Err(failure) };
            progress = request.retry(core, &reply, failure);
        }
    }

    fn batch_rows(&self) -> std::ops::Range<usize> {
        let at = |batch: usize| self.batch_starts.get(batch).copied().unwrap_or_default();
        at(self.batch)..at(self.batch + 1)
    }

    fn batch_question(&self) -> Question {
        let rows = ShownRows { rows: &*self.rows, range: self.batch_rows() };
        let prompt_row = |one: ShownRow| prompt::PromptRow {
            input_id: one.id,
            text: excerpt(&one.row, self.max_chars),
        };
        let shown: Vec<prompt::PromptRow> =
            rows.rows_with_ids().into_iter().map(prompt_row).collect();
        Question {
            task: "process",
            system: prompt::ANALYST_SYSTEM_PROMPT.to_owned(),
            prompt: prompt::process_prompt(&self.instruction, &self.fields, &shown, &self.schema),
            schema: Some(self.schema.clone()),
            schema_name: "result",
            grammar: None,
            attempt: 1,
            previous: Value::Null,
        }
    }

    /// Reads the output of a batch.
    fn read_batch_reply(
        &mut self,
        core: &Core,
        reply: &Reply,
        context: &StepContext<'_>,
    ) -> Result<(), CommandFailure> {
        let (mut value, mut diagnostics) = reply.json()?;
        if self.citations.is_some() {
            normalize_citations(&mut value);
        }
        let errors = validator::validate(&self.schema, &value);
        if !errors.is_empty() {
            return Err(CommandFailure { status: StepStatus::SchemaMismatch, diagnostics: errors });
        }
        let extraction = extraction_record(core, reply, context.now);
        let items: &[Value] = match (self.citations, &value) {
            (Some(_), value) => value.get("items").and_then(Value::as_list).unwrap_or_default(),
            (None, Value::List(items)) => items,
            (None, one) => std::slice::from_ref(one),
        };
        let reply_source = uncited_source(context.step, extraction.clone());
        let sources = match self.citations {
            Some(policy) => {
                let shown = ShownRows { rows: &*self.rows, range: self.batch_rows() };
                let mut entry = |of: &Value, snippet| {
                    source_with_extraction(Some(of), snippet, context.step, extraction.clone())
                };
                let found = resolve_citations(
                    &value,
                    items,
                    &shown,
                    &self.input,
                    policy,
                    &mut entry,
                    &mut diagnostics,
                );
                found.map_err(|diagnostics| CommandFailure {
                    status: StepStatus::SchemaMismatch,
                    diagnostics,
                })?
            }
            None => vec![Vec::new(); items.len()],
        };
        for mut each in sources {
            if each.is_empty() {
                each.push(reply_source.clone());
            }
            self.sources.push(each.into());
        }
        self.outputs.push(match self.citations {
            Some(_) => Value::list(items.to_vec()),
            None => value.clone(),
        });
        self.reply_truncated |= reply.stopped_for_length();
        self.extraction = extraction;
        self.batch_diagnostics.extend(diagnostics);
        Ok(())
    }

    fn finish(&mut self) -> Output {
        let sources = std::mem::take(&mut self.sources);
        let (uncited, total) =
            (sources.iter().filter(|each| is_uncited(each)).count(), sources.len());
        let (merged, dropped) = merge_outputs(std::mem::take(&mut self.outputs));
        let value = match merged {
            Value::List(rows) => Variable::rows(rows.to_vec(), sources),
            Value::Null => Variable::without_sources(Value::list(Vec::new())),
            value => {
                Variable::new(value, sources.iter().flat_map(|each| each.iter().cloned()).collect())
            }
        };
        let mut output = Output::from_value(value);
        let batches = self.batch_starts.len().saturating_sub(1);
        let (input, batches) = match &self.pages {
            Some(pages) => (pages.row_count(), pages.batch_count()),
            None => (self.rows.len(), batches),
        };
        output = output.with_metric("input", input).with_metric("batches", batches);
        output = output.with_metric("calls", self.calls);
        if !self.extraction.is_null() {
            output = output.with_metric("extraction", self.extraction.clone());
        }
        if uncited > 0 {
            output = output.with_metric("uncited", uncited);
            if self.citations.is_some() {
                self.batch_diagnostics.push(marked_uncited(uncited, total));
            }
        }
        if self.truncated_rows > 0 {
            let (truncated, max_chars) = (self.truncated_rows, self.max_chars);
            let message = format!(
                "truncated {}: `{CHARS_CAP}` is {max_chars}",
                names::count_of(truncated, "row")
            );
            let help =
                format!("`SELECT` fewer fields, or write `SET adapter.caps.{CHARS_CAP} = …`");
            self.diagnostics.push(Diagnostic::new(codes::TRUNCATED_RESULT, message).help(help));
            let count = output.value.as_ref().and_then(Variable::row_count).unwrap_or(1);
            output.status = Some(StepStatus::Partial);
            output =
                output.with_metric("completeness", completeness(count, self.max_chars, CHARS_CAP));
        }
        if let Some(missing) = self.pages.as_ref().map(RowPages::missing_count).filter(|n| *n > 0) {
            let message = format!("{missing} of {} rows were not read", input + missing);
            output.status = Some(StepStatus::Partial);
            let missing_rows = Diagnostic::new(codes::MISSING_ROWS, message);
            output.diagnostics.push(missing_rows.help(
                "find the rows again if the database has changed; else give each row an id of one type, because pages follow the order of the ids",
            ));
            output = output.with_metric("completeness", completeness(input, input, "rows"));
        }
        if dropped > 0 {
            let message = format!("{dropped} values that differ between batches were left out");
            let help = "let RETURNING describe a list, because lists of batches are concatenated";
            output.status = Some(StepStatus::Partial);
            output.diagnostics.push(Diagnostic::new(codes::TRUNCATED_RESULT, message).help(help));
            output = output.with_metric("completeness", completeness(1, 1, "batches"));
        }
        if self.reply_truncated {
            let count = output.value.as_ref().and_then(Variable::row_count).unwrap_or(1);
            output.status = Some(StepStatus::Partial);
            output.diagnostics.push(stopped_for_length_warning());
            output = output.with_metric("completeness", completeness(count, count, "length"));
        }
        output
            .with_diagnostics(std::mem::take(&mut self.diagnostics))
            .with_diagnostics(std::mem::take(&mut self.batch_diagnostics))
    }
}

/// Merges the outputs of all batches: concatenates lists, also in maps, and keeps the first of other
/// values. Returns also the number of dropped values.
fn merge_outputs(outputs: Vec<Value>) -> (Value, usize) {
    let mut dropped = 0;
    let merged =
        outputs.into_iter().reduce(|first, second| merge_two_outputs(first, second, &mut dropped));
    (merged.unwrap_or_default(), dropped)
}

fn merge_two_outputs(first: Value, second: Value, dropped: &mut usize) -> Value {
    match (first, second) {
        (Value::List(mut first), Value::List(second)) => {
            Rc::make_mut(&mut first).extend(second.iter().cloned());
            Value::List(first)
        }
        (Value::Map(mut first), Value::Map(second)) => {
            // Extends the first map in place.
            let map = Rc::make_mut(&mut first);
            for (key, value) in second.iter() {
                let place = map.entry(key.clone()).or_default();
                *place = match std::mem::take(place) {
                    Value::Null => value.clone(),
                    one => merge_two_outputs(one, value.clone(), dropped),
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

const CHARS_CAP: &str = "max_excerpt_chars";

/// Returns the start index of each batch, with the number of rows as the last entry, and the number of
/// rows that are longer than a batch.
fn split_batches(rows: &dyn Rows, max_rows: usize, max_chars: usize) -> (Vec<usize>, usize) {
    let mut starts = vec![0];
    let (mut count, mut chars, mut truncated) = (0, 0, 0);
    for index in 0..rows.len() {
        let row = rows.row(index).unwrap_or_default();
        let size = excerpt(&row, max_chars.saturating_add(1)).chars().count();
        if count > 0 && (count >= max_rows || chars + size > max_chars) {
            starts.push(index);
            (count, chars) = (0, 0);
        }
        count += 1;
        chars += size;
        truncated += usize::from(size > max_chars);
    }
    if !rows.is_empty() {
        starts.push(rows.len());
    }
    (starts, truncated)
}

/// Returns a hash of the instruction and of the rows as shown, with their sources.
fn checkpoint_key(
    instruction: &str,
    schema: &Value,
    rows: &dyn Rows,
    batch_starts: &[usize],
    max_chars: usize,
) -> String {
    let mut text = format!("{instruction}\n{}\n{batch_starts:?}\n", schema.to_text());
    for index in 0..rows.len() {
        text.push_str(&excerpt(&rows.row(index).unwrap_or_default(), max_chars));
        for source in rows.sources(index).iter().filter_map(|source| source.get("source_id")) {
            text.push(' ');
            source.write(&mut text);
        }
        text.push('\n');
    }
    sha256(&text)
}
