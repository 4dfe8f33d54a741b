//! Plans of a model, checked completely before execution.

use super::codes;
use super::language::ast::{BlockLine, Command};
use super::language::{LocatedCommand, parse, print};
use super::model::reply::extract_json;
use super::record::in_utf16;
use crate::base::diagnostic::{limit_diagnostics, quote};
use crate::base::{Diagnostic, Span, Value, names};
use std::borrow::Cow;
use std::rc::Rc;

/// Valid plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Id for `CANCEL PLAN`.
    pub id: String,
    /// Purpose.
    pub why: String,
    /// Whether a failed step ends the plan.
    pub stop_on_error: bool,
    /// Whether the plan continues after a step with an empty result.
    pub continue_on_empty: bool,
    /// Commands and block lines in order.
    pub ops: Vec<PlanOp>,
    /// Plan as written.
    pub value: Value,
}

/// Step or block line. Fields are indices into [`Plan::ops`].
#[derive(Clone, Debug)]
pub enum PlanOp {
    Step(Box<PlanStep>),
    /// `TRY` with the other lines of its block.
    Try {
        catch: Option<usize>,
        finally: Option<usize>,
        end: usize,
    },
    /// `CATCH ANY`
    Catch,
    /// `FINALLY`
    Finally,
    /// `END`
    End,
}

/// Command of a plan.
#[derive(Clone, Debug)]
pub struct PlanStep {
    pub command: Rc<Command>,
    /// Command as written.
    pub text: String,
    /// Byte offset of `text` in its source, to which the spans of the command refer.
    pub start: usize,
    /// Purpose.
    pub why: String,
}

impl PlanStep {
    /// Creates the step of a command at a span of `text`.
    pub fn new(located: LocatedCommand, text: &str, why: &str) -> PlanStep {
        let Span { start, end } = located.span;
        let text = text.get(start..end).unwrap_or_default().to_owned();
        PlanStep { command: Rc::new(located.command), text, start, why: why.to_owned() }
    }
}

impl Plan {
    /// Parses a plan in a reply of a model, which may contain other text. Returns the plan and
    /// warnings, or all errors.
    pub fn from_text(
        text: &str,
        max_commands: usize,
    ) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (value, mut warnings) = extract_json(text).map_err(|error| {
            let message = error.message.replacen("the reply", "the text of the plan", 1);
            let help = error.help.unwrap_or_default();
            let help = format!("{help}, as in `{{\"plan_id\": …, \"why\": …, \"commands\": […]}}`");
            vec![Diagnostic { help: Some(help), message, ..error }]
        })?;
        match Plan::read(&value, max_commands) {
            Ok((plan, more)) => {
                warnings.extend(more);
                Ok((plan, warnings))
            }
            // A duplicate key may be the cause.
            Err(errors) => Err([errors, warnings].concat()),
        }
    }

    /// Reads a plan of at most `max_commands` commands. Returns the plan and warnings, or all errors.
    pub fn read(
        value: &Value,
        max_commands: usize,
    ) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut reader = PlanReader { diagnostics: Vec::new(), max_commands };
        let plan = reader.read_plan(value);
        match plan.filter(|_| !reader.diagnostics.iter().any(Diagnostic::is_error)) {
            Some(plan) => Ok((plan, reader.diagnostics)),
            None => Err(reader.diagnostics),
        }
    }

    /// Prints the commands, one per line.
    pub fn print(&self) -> String {
        let line = |op: &PlanOp| match op {
            PlanOp::Step(step) => print(&step.command),
            PlanOp::Try { .. } => "TRY".to_owned(),
            PlanOp::Catch => "CATCH ANY".to_owned(),
            PlanOp::Finally => "FINALLY".to_owned(),
            PlanOp::End => "END".to_owned(),
        };
        self.ops.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

struct PlanReader {
    diagnostics: Vec<Diagnostic>,
    max_commands: usize,
}

const PLAN_KEYS: [&str; 4] = ["plan_id", "why", "commands", "config"];
const CONFIG_KEYS: [&str; 2] = ["stop_on_error", "continue_on_empty"];

/// Maximum number of diagnostics after which no more commands are parsed.
const MAX_DIAGNOSTICS: usize = 10_000;

/// Maximum length of a plan id, in characters.
const MAX_ID_CHARS: usize = 128;

impl PlanReader {
    fn report_error<'a>(
        &mut self,
        at: &str,
        message: impl Into<Cow<'a, str>>,
        help: impl Into<Cow<'a, str>>,
    ) {
        self.diagnostics.push(Diagnostic::new(codes::BAD_PLAN, message).help(help).at_pointer(at));
    }

    fn read_plan(&mut self, value: &Value) -> Option<Plan> {
        let Value::Map(map) = value else {
            let message = format!("expected a plan object, found a {}", value.kind());
            self.report_error(
                "",
                message,
                "write `{\"plan_id\": …, \"why\": …, \"commands\": […]}`",
            );
            return None;
        };
        self.report_unknown_keys(value, "", &PLAN_KEYS);
        let id = self.read_string(value, "plan_id", true);
        if id.chars().count() > MAX_ID_CHARS {
            self.report_error(
                "/plan_id",
                "the plan id is longer than 128 characters",
                "shorten it",
            );
        }
        let why = self.read_string(value, "why", false);
        let config = value.get("config").cloned().unwrap_or_default();
        if !config.is_null() && config.as_map().is_none() {
            self.report_error(
                "/config",
                "expected an object at `config`",
                "leave it out, or write `{}`",
            );
        }
        self.report_unknown_keys(&config, "/config", &CONFIG_KEYS);
        let stop_on_error = self.read_flag(&config, "stop_on_error", true);
        let continue_on_empty = self.read_flag(&config, "continue_on_empty", false);
        let lines = self.read_commands(map.get("commands"), &why);
        let ops = self.resolve_blocks(lines);
        Some(Plan { id, why, stop_on_error, continue_on_empty, ops, value: value.clone() })
    }

    fn report_unknown_keys(&mut self, value: &Value, at: &str, available: &[&str]) {
        let mut warnings = Vec::new();
        for (key, _) in value.entries() {
            if available.contains(&&**key) {
                continue;
            }
            let help = names::suggestion_help(key, available);
            let pointer = format!("{at}/{}", crate::base::json::escape_pointer_step(key));
            let message = format!("unknown key {}", quote(key));
            warnings
                .push(Diagnostic::new(codes::UNKNOWN_KEY, message).help(help).at_pointer(pointer));
        }
        self.diagnostics.extend(limit_diagnostics(warnings));
    }

    fn read_string(&mut self, value: &Value, key: &str, required: bool) -> String {
        match value.get(key) {
            Some(Value::Text(text)) if !required || !text.is_empty() => text.to_string(),
            None if !required => {
                let message = format!("missing key `{key}`");
                self.report_error("", message, format!("add `\"{key}\": \"…\"`"));
                String::new()
            }
            found => {
                let at = if found.is_some() { format!("/{key}") } else { String::new() };
                let message = match found {
                    Some(_) => format!("expected a non-empty string at `{key}`"),
                    None => format!("missing key `{key}`"),
                };
                self.report_error(&at, message, format!("write `\"{key}\": \"…\"`"));
                String::new()
            }
        }
    }

    fn read_flag(&mut self, config: &Value, key: &str, default: bool) -> bool {
        match config.get(key) {
            None => default,
            Some(Value::Bool(value)) => *value,
            Some(_) => {
                let message = format!("expected a boolean at `{key}`");
                self.report_error(&format!("/config/{key}"), message, "write `true` or `false`");
                default
            }
        }
    }

    /// Parses the commands. Returns each with the index of its entry.
    fn read_commands(&mut self, commands: Option<&Value>, why: &str) -> Vec<(usize, PlanStep)> {
        let Some(entries) = commands.and_then(Value::as_list) else {
            let message = match commands {
                None => "missing key `commands`",
                Some(_) => "expected a list at `commands`",
            };
            let at = if commands.is_some() { "/commands" } else { "" };
            self.report_error(at, message, "write `\"commands\": [\"FIND nodes AS x\", …]`");
            return Vec::new();
        };
        let mut lines = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            self.read_entry(index, entry, why, &mut lines);
            if lines.len().max(index + 1) > self.max_commands
                || self.diagnostics.len() > MAX_DIAGNOSTICS
            {
                break;
            }
        }
        if lines.len().max(entries.len()) > self.max_commands {
            let count = lines.len().max(entries.len());
            let max = self.max_commands;
            let message = format!("expected at most {max} commands in a plan, found {count}");
            let error = Diagnostic::new(codes::TOO_MANY_COMMANDS, message).help(
                "split the plan, or use one command for many rows, as `SELECT` and `UPDATE` do",
            );
            self.diagnostics.push(error.at_pointer("/commands"));
            return Vec::new();
        }
        if lines.is_empty() && self.diagnostics.iter().all(|one| !one.is_error()) {
            self.report_error("/commands", "the plan has no commands", "add at least one");
        }
        for position in 0..lines.len() {
            let early = position + 1 < lines.len();
            if let Some((index, step)) = lines.get(position)
                && matches!(*step.command, Command::Complete { .. })
                && early
            {
                let error =
                    Diagnostic::new(codes::EARLY_COMPLETE, "unexpected command after `COMPLETE`")
                        .help("make `COMPLETE` the last command, or leave it for the next reply");
                self.diagnostics.push(error.at_pointer(format!("/commands/{index}")));
            }
        }
        lines
    }

    fn read_entry(
        &mut self,
        index: usize,
        entry: &Value,
        why: &str,
        lines: &mut Vec<(usize, PlanStep)>,
    ) {
        let at = format!("/commands/{index}");
        let (text, at, why) = match entry {
            Value::Text(text) => (text.clone(), at, why.to_owned()),
            Value::Map(map) => {
                self.report_unknown_keys(entry, &at, &["command", "why"]);
                if map.get("why").is_some_and(|why| why.as_text().is_none()) {
                    self.report_error(
                        &format!("{at}/why"),
                        "expected a string at `why`",
                        "write one line, or leave it out",
                    );
                }
                let why = map.get("why").and_then(Value::as_text).unwrap_or(why).to_owned();
                match map.get("command") {
                    Some(Value::Text(text)) => (text.clone(), format!("{at}/command"), why),
                    _ => {
                        let help = "write `{\"command\": \"FIND …\", \"why\": \"…\"}`";
                        return self.report_error(&at, "expected a string at `command`", help);
                    }
                }
            }
            other => {
                let message = format!("expected a command string, found a {}", other.kind());
                return self.report_error(&at, message, "write `\"FIND nodes AS x\"`");
            }
        };
        let parsed = parse(&text);
        let at_entry = |diagnostic: Diagnostic| diagnostic.at_pointer(at.clone());
        self.diagnostics.extend(in_utf16(&text, parsed.diagnostics).into_iter().map(at_entry));
        for located in parsed.commands {
            lines.push((index, PlanStep::new(located, &text, &why)));
        }
    }

    /// Resolves the lines of each block.
    fn resolve_blocks(&mut self, lines: Vec<(usize, PlanStep)>) -> Vec<PlanOp> {
        let mut ops: Vec<PlanOp> = Vec::new();
        let mut open: Vec<OpenBlock> = Vec::new();
        for (index, step) in lines {
            let position = ops.len();
            let Command::Block(block) = *step.command else {
                ops.push(PlanOp::Step(Box::new(step)));
                continue;
            };
            let innermost = open.last_mut();
            match (block, innermost) {
                (BlockLine::Try, _) => {
                    open.push(OpenBlock { index, start: position, catch: None, finally: None });
                    ops.push(PlanOp::Try { catch: None, finally: None, end: 0 });
                }
                (BlockLine::Catch, Some(block))
                    if block.catch.is_none() && block.finally.is_none() =>
                {
                    block.catch = Some(position);
                    ops.push(PlanOp::Catch);
                }
                (BlockLine::Finally, Some(block)) if block.finally.is_none() => {
                    block.finally = Some(position);
                    ops.push(PlanOp::Finally);
                }
                (BlockLine::End, Some(_)) => {
                    let Some(OpenBlock { start, catch, finally, .. }) = open.pop() else {
                        continue;
                    };
                    if let Some(op) = ops.get_mut(start) {
                        *op = PlanOp::Try { catch, finally, end: position };
                    }
                    ops.push(PlanOp::End);
                }
                (block, innermost) => {
                    let (message, help) = misplaced_block_texts(block, innermost.is_some());
                    let error = Diagnostic::new(codes::BAD_BLOCK, message).help(help);
                    self.diagnostics.push(error.at_pointer(format!("/commands/{index}")));
                }
            }
            if open.len() > MAX_BLOCK_DEPTH {
                let message = format!("blocks are nested deeper than {MAX_BLOCK_DEPTH} levels");
                let error = Diagnostic::new(codes::TOO_DEEP, message).help("split the plan");
                self.diagnostics.push(error.at_pointer(format!("/commands/{index}")));
                return ops;
            }
        }
        for OpenBlock { index, .. } in open {
            let message = format!("unclosed `TRY` in entry {index}");
            let error = Diagnostic::new(codes::BAD_BLOCK, message).help("add `END`");
            self.diagnostics.push(error.at_pointer(format!("/commands/{index}")));
        }
        ops
    }
}

/// Maximum nesting depth of blocks.
const MAX_BLOCK_DEPTH: usize = 64;

/// Unclosed block.
struct OpenBlock {
    /// Index of the entry with `TRY`.
    index: usize,
    /// Index of `TRY` in [`Plan::ops`].
    start: usize,
    catch: Option<usize>,
    finally: Option<usize>,
}

fn misplaced_block_texts(block: BlockLine, within: bool) -> (&'static str, &'static str) {
    match (block, within) {
        (BlockLine::Catch, true) => (
            "unexpected `CATCH ANY`: a block has at most one, before `FINALLY`",
            "leave it out, or close the block with `END` first",
        ),
        (BlockLine::Finally, true) => (
            "unexpected second `FINALLY` in a block",
            "leave it out, or close the block with `END` first",
        ),
        (BlockLine::Catch, false) => ("`CATCH ANY` without `TRY`", "begin the block with `TRY`"),
        (BlockLine::Finally, false) => ("`FINALLY` without `TRY`", "begin the block with `TRY`"),
        _ => ("`END` without `TRY`", "begin the block with `TRY`, or leave `END` out"),
    }
}
