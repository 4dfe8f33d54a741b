//! Plans: what a model wants to be done, checked before any of it is.

use super::codes;
use super::language::ast::{Block, Command};
use super::language::{Located, parse, print};
use super::model::reply::extract_json;
use super::record::in_utf16;
use crate::base::diagnostic::{first_of, quote};
use crate::base::{Diagnostic, Span, Value, names};
use std::borrow::Cow;
use std::rc::Rc;

/// A plan that can be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name by which it can be cancelled.
    pub id: String,
    /// What it is for.
    pub why: String,
    /// Whether a step that fails ends it.
    pub stop_on_error: bool,
    /// Whether it goes on after a step that found nothing.
    pub continue_on_empty: bool,
    /// Its commands and its blocks, in order.
    pub ops: Vec<Op>,
    /// As it was given.
    pub value: Value,
}

/// A step, or an end of a block. Places are indices of the list.
#[derive(Clone, Debug)]
pub enum Op {
    /// A command.
    Step(Box<Step>),
    /// `TRY`: where the other lines of the block are.
    Try { catch: Option<usize>, finally: Option<usize>, end: usize },
    /// `CATCH ANY`
    Catch,
    /// `FINALLY`
    Finally,
    /// `END`
    End,
}

/// A command of a plan.
#[derive(Clone, Debug)]
pub struct Step {
    /// What to do.
    pub command: Rc<Command>,
    /// As it was written.
    pub text: String,
    /// Where that begins in what it was read from: places in the command count from there.
    pub start: usize,
    /// What it is for.
    pub why: String,
}

impl Step {
    /// The step of a command that stands in a text.
    pub fn new(located: Located, text: &str, why: &str) -> Step {
        let Span { start, end } = located.span;
        let text = text.get(start..end).unwrap_or_default().to_owned();
        Step { command: Rc::new(located.command), text, start, why: why.to_owned() }
    }
}

/// What is wrong with a plan, all at once.
pub type Faults = Vec<Diagnostic>;

impl Plan {
    /// Reads the text of a plan, whatever a model wrote around it.
    pub fn from_text(text: &str) -> Result<(Plan, Faults), Faults> {
        let (value, mut told) = extract_json(text).map_err(|error| {
            let message = error.message.replacen("the reply", "the text of the plan", 1);
            let help = error.help.unwrap_or_default();
            let help = format!("{help}; a plan is `{{\"plan_id\", \"why\", \"commands\": […]}}`");
            vec![Diagnostic { help: Some(help), message, ..error }]
        })?;
        match Plan::read(&value) {
            Ok((plan, more)) => {
                told.extend(more);
                Ok((plan, told))
            }
            // A key that stands twice may be why it is none.
            Err(faults) => Err([faults, told].concat()),
        }
    }

    /// Reads a plan; warnings where it is one, else everything that is wrong with it.
    pub fn read(value: &Value) -> Result<(Plan, Faults), Faults> {
        let mut reading = Reading::default();
        let plan = reading.plan(value);
        match plan.filter(|_| !reading.faults.iter().any(Diagnostic::is_error)) {
            Some(plan) => Ok((plan, reading.faults)),
            None => Err(reading.faults),
        }
    }

    /// The commands as they print, one a line.
    pub fn print(&self) -> String {
        let line = |op: &Op| match op {
            Op::Step(step) => print(&step.command),
            Op::Try { .. } => "TRY".to_owned(),
            Op::Catch => "CATCH ANY".to_owned(),
            Op::Finally => "FINALLY".to_owned(),
            Op::End => "END".to_owned(),
        };
        self.ops.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[derive(Default)]
struct Reading {
    faults: Faults,
}

const KEYS: [&str; 4] = ["plan_id", "why", "commands", "config"];
const CONFIG: [&str; 2] = ["stop_on_error", "continue_on_empty"];

/// The longest id of a plan, in characters.
const LONGEST_ID: usize = 128;

impl Reading {
    fn fault<'a>(
        &mut self,
        at: &str,
        message: impl Into<Cow<'a, str>>,
        help: impl Into<Cow<'a, str>>,
    ) {
        self.faults.push(Diagnostic::new(codes::BAD_PLAN, message).help(help).at_pointer(at));
    }

    fn plan(&mut self, value: &Value) -> Option<Plan> {
        let Value::Map(map) = value else {
            let message = format!("a plan is an object, and this is a {}", value.kind());
            self.fault("", message, "write `{\"plan_id\": …, \"why\": …, \"commands\": […]}`");
            return None;
        };
        self.unknown_keys(value, "", &KEYS);
        let id = self.text(value, "plan_id", true);
        if id.chars().count() > LONGEST_ID {
            self.fault("/plan_id", "the id of the plan is too long", "use at most 128 characters");
        }
        let why = self.text(value, "why", false);
        let config = value.get("config").cloned().unwrap_or_default();
        if !config.is_null() && config.as_map().is_none() {
            self.fault("/config", "`config` is an object", "leave it out, or write `{}`");
        }
        self.unknown_keys(&config, "/config", &CONFIG);
        let stop_on_error = self.flag(&config, "stop_on_error", true);
        let continue_on_empty = self.flag(&config, "continue_on_empty", false);
        let lines = self.commands(map.get("commands"), &why);
        let ops = self.blocks(lines);
        Some(Plan { id, why, stop_on_error, continue_on_empty, ops, value: value.clone() })
    }

    fn unknown_keys(&mut self, value: &Value, at: &str, known: &[&str]) {
        let mut faults = Vec::new();
        for (key, _) in value.entries() {
            if known.contains(&&**key) {
                continue;
            }
            let help = names::instead(key, known);
            let pointer = format!("{at}/{}", crate::base::json::pointer_step(key));
            let message = format!("nobody reads the key {}", quote(key));
            faults
                .push(Diagnostic::new(codes::UNKNOWN_KEY, message).help(help).at_pointer(pointer));
        }
        self.faults.extend(first_of(faults));
    }

    fn text(&mut self, value: &Value, key: &str, needed: bool) -> String {
        match value.get(key) {
            Some(Value::Text(text)) if !needed || !text.is_empty() => text.to_string(),
            None if !needed => {
                let message = format!("`{key}` is missing");
                self.fault("", message, format!("add `\"{key}\": \"…\"`, one line"));
                String::new()
            }
            found => {
                let at = if found.is_some() { format!("/{key}") } else { String::new() };
                let message = match found {
                    Some(_) => format!("`{key}` is a text that is not empty"),
                    None => format!("`{key}` is missing"),
                };
                self.fault(&at, message, format!("write `\"{key}\": \"…\"`"));
                String::new()
            }
        }
    }

    fn flag(&mut self, config: &Value, key: &str, default: bool) -> bool {
        match config.get(key) {
            None => default,
            Some(Value::Bool(value)) => *value,
            Some(_) => {
                let message = format!("`{key}` is true or false");
                self.fault(&format!("/config/{key}"), message, "write `true` or `false`");
                default
            }
        }
    }

    /// The commands with the number of the entry that they stand in.
    fn commands(&mut self, commands: Option<&Value>, why: &str) -> Vec<(usize, Step)> {
        let Some(entries) = commands.and_then(Value::as_list) else {
            let message = match commands {
                None => "`commands` is missing",
                Some(_) => "`commands` is a list",
            };
            let at = if commands.is_some() { "/commands" } else { "" };
            self.fault(at, message, "write `\"commands\": [\"FIND nodes AS x\", …]`");
            return Vec::new();
        };
        let mut lines = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            self.entry(index, entry, why, &mut lines);
        }
        if lines.is_empty() && self.faults.iter().all(|fault| !fault.is_error()) {
            self.fault("/commands", "the plan has no commands", "write at least one");
        }
        for place in 0..lines.len() {
            let early = place + 1 < lines.len();
            if let Some((index, step)) = lines.get(place)
                && matches!(*step.command, Command::Complete { .. })
                && early
            {
                let error = Diagnostic::new(
                    codes::EARLY_COMPLETE,
                    "`COMPLETE` ends a plan, and commands follow it",
                )
                .help("put it last, or leave it for the next reply");
                self.faults.push(error.at_pointer(format!("/commands/{index}")));
            }
        }
        lines
    }

    fn entry(&mut self, index: usize, entry: &Value, why: &str, lines: &mut Vec<(usize, Step)>) {
        let at = format!("/commands/{index}");
        let (text, at, why) = match entry {
            Value::Text(text) => (text.clone(), at, why.to_owned()),
            Value::Map(map) => {
                self.unknown_keys(entry, &at, &["command", "why"]);
                if map.get("why").is_some_and(|why| why.as_text().is_none()) {
                    self.fault(
                        &format!("{at}/why"),
                        "`why` is a text",
                        "write one line, or leave it out",
                    );
                }
                let own = map.get("why").and_then(Value::as_text).unwrap_or(why).to_owned();
                match map.get("command") {
                    Some(Value::Text(text)) => (text.clone(), format!("{at}/command"), own),
                    _ => {
                        let help = "write `{\"command\": \"FIND …\", \"why\": \"…\"}`";
                        return self.fault(&at, "`command` is a text", help);
                    }
                }
            }
            other => {
                let message = format!("a command is a text, and this is a {}", other.kind());
                return self.fault(&at, message, "write `\"FIND nodes AS x\"`");
            }
        };
        let parsed = parse(&text);
        let here = |diagnostic: Diagnostic| diagnostic.at_pointer(at.clone());
        self.faults.extend(in_utf16(&text, parsed.diagnostics).into_iter().map(here));
        for located in parsed.commands {
            lines.push((index, Step::new(located, &text, &why)));
        }
    }

    /// Finds the lines of each block.
    fn blocks(&mut self, lines: Vec<(usize, Step)>) -> Vec<Op> {
        let mut ops: Vec<Op> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for (index, step) in lines {
            let place = ops.len();
            let Command::Block(block) = *step.command else {
                ops.push(Op::Step(Box::new(step)));
                continue;
            };
            let innermost = open.last_mut();
            match (block, innermost) {
                (Block::Try, _) => {
                    open.push(Open { index, place, catch: None, finally: None });
                    ops.push(Op::Try { catch: None, finally: None, end: 0 });
                }
                (Block::Catch, Some(block)) if block.catch.is_none() && block.finally.is_none() => {
                    block.catch = Some(place);
                    ops.push(Op::Catch);
                }
                (Block::Finally, Some(block)) if block.finally.is_none() => {
                    block.finally = Some(place);
                    ops.push(Op::Finally);
                }
                (Block::End, Some(_)) => {
                    let Some(Open { place: start, catch, finally, .. }) = open.pop() else {
                        continue;
                    };
                    if let Some(op) = ops.get_mut(start) {
                        *op = Op::Try { catch, finally, end: place };
                    }
                    ops.push(Op::End);
                }
                (block, innermost) => {
                    let (message, help) = misplaced(block, innermost.is_some());
                    let error = Diagnostic::new(codes::BAD_BLOCK, message).help(help);
                    self.faults.push(error.at_pointer(format!("/commands/{index}")));
                }
            }
            if open.len() > DEEPEST {
                let message = format!("blocks are nested deeper than {DEEPEST} levels");
                let error = Diagnostic::new(codes::TOO_DEEP, message).help("split the plan");
                self.faults.push(error.at_pointer(format!("/commands/{index}")));
                return ops;
            }
        }
        for Open { index, .. } in open {
            let message = format!("the `TRY` of entry {index} is not closed");
            let error = Diagnostic::new(codes::BAD_BLOCK, message).help("close it with `END`");
            self.faults.push(error.at_pointer(format!("/commands/{index}")));
        }
        ops
    }
}

/// Blocks in blocks in blocks; nobody means more than that.
const DEEPEST: usize = 64;

/// A block that has begun.
struct Open {
    /// The entry of its `TRY`.
    index: usize,
    /// The place of its `TRY`.
    place: usize,
    catch: Option<usize>,
    finally: Option<usize>,
}

fn misplaced(block: Block, within: bool) -> (&'static str, &'static str) {
    match (block, within) {
        (Block::Catch, true) => (
            "a block has one `CATCH ANY`, before its `FINALLY`",
            "leave it out, or close the block with `END` first",
        ),
        (Block::Finally, true) => {
            ("a block has one `FINALLY`", "leave it out, or close the block with `END` first")
        }
        (Block::Catch, false) => ("`CATCH ANY` without `TRY`", "begin the block with `TRY`"),
        (Block::Finally, false) => ("`FINALLY` without `TRY`", "begin the block with `TRY`"),
        _ => ("`END` without `TRY`", "begin the block with `TRY`, or leave `END` out"),
    }
}
