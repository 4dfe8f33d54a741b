//! The productions of the commands.

use super::ast::{
    Block, Command, Event, Function, Kind as StateKind, Mode, Operand, OperandKind, Order, Path,
    Select, Target, Test,
};
use super::condition::Side;
use super::foreign::slip_of;
use super::parser::{Parser, is_reserved};
use super::printer::field as print_field;
use super::token::{Kind, Token};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::{Diagnostic, Span};
use crate::gasl::caps::{no_setting, unknown_cap};
use crate::gasl::codes;
use std::rc::Rc;

fn is_complete(word: &str) -> bool {
    word.eq_ignore_ascii_case("COMPLETE")
}

impl Parser<'_> {
    /// `command = declare | find | …`, each by its first word
    pub(super) fn expect_command(&mut self) -> Option<Command> {
        let Some(word) = self.command_word() else { return self.unknown_command() };
        self.advance();
        match word {
            "DECLARE" => self.declare(),
            "FIND" => self.find(),
            "PROCESS" => self.process(),
            "UPDATE" => self.update(),
            "ANALYZE" | "ANALYSE" => self.analyze(),
            "SELECT" => self.select(),
            "COUNT" => self.count(),
            "AGGREGATE" => self.aggregate(),
            "RANK" => self.rank(),
            "JOIN" => self.join(),
            "WALK" => self.walk(),
            "SHOW" => Some(Command::Show { input: self.variable()? }),
            "REQUIRE" => {
                if self.parse_foreign_existence(Side::Value).is_some() {
                    return None;
                }
                let ends = |token: &Token| token.first || token.kind == Kind::End;
                let is_name = !self.at_keyword("EXISTS") && self.token_at(1).is_none_or(ends);
                self.expect_keyword_before("EXISTS", is_name)?;
                Some(Command::Require { name: self.variable()? })
            }
            "ASSERT" => Some(Command::Assert(self.assertion()?)),
            "ON" => self.on(),
            "BRANCH" => self.branch(),
            "SET" => self.set(),
            "CANCEL" => {
                self.expect_keyword("PLAN")?;
                Some(Command::Cancel { plan: self.expect_value()? })
            }
            "COMPLETE" => {
                self.expecting("`:`");
                self.unexpected();
                let end = self.last_end();
                self.fix(Span::new(end, end), ":");
                None
            }
            "TRY" => Some(Command::Block(Block::Try)),
            "CATCH" => {
                self.expect_keyword("ANY")?;
                Some(Command::Block(Block::Catch))
            }
            "FINALLY" => Some(Command::Block(Block::Finally)),
            _ => Some(Command::Block(Block::End)),
        }
    }

    pub(super) fn variable(&mut self) -> Option<Path> {
        self.expect_path("the name of a variable")
    }

    /// `declare = "DECLARE" path "AS" ("LIST" | "DICT" | "COUNTER") ["WITH_DESCRIPTION" text]`
    fn declare(&mut self) -> Option<Command> {
        let key = self.expect_path("a key of the state")?;
        if self.expect_keyword("AS").is_none() {
            self.recover(&["LIST", "DICT", "COUNTER"]);
        }
        let kinds =
            [("LIST", StateKind::List), ("DICT", StateKind::Dict), ("COUNTER", StateKind::Counter)];
        let kind = self.expect_choice(&kinds, &["WITH_DESCRIPTION"]);
        let described = self.parse_keyword("WITH_DESCRIPTION");
        let description = if described { Some(self.expect_plain("a description")?) } else { None };
        Some(Command::Declare { key, kind: kind?, description })
    }

    /// One of several words. What is nearest is taken to be meant, and told.
    fn expect_choice<T: Copy>(&mut self, choices: &[(&str, T)], behind: &[&str]) -> Option<T> {
        for (word, choice) in choices {
            if self.parse_keyword(word) {
                return Some(*choice);
            }
        }
        let span = self.here();
        let word = self.peek_word().map(str::to_owned);
        self.unexpected();
        let near = word.and_then(|word| slip_of(&word, choices.iter().map(|(one, _)| *one)));
        if let Some(near) = near {
            self.fix(span, near);
            self.advance();
        } else {
            self.recover(behind);
        }
        None
    }

    /// `find = "FIND" ("nodes" | "edges" | "paths") ["WHERE" condition] ["LIMIT" n] "AS" name ["LIMIT" n]`
    fn find(&mut self) -> Option<Command> {
        let targets =
            [("nodes", Target::Nodes), ("edges", Target::Edges), ("paths", Target::Paths)];
        let target = self.expect_choice(&targets, &["WHERE", "LIMIT", "AS"]);
        if target == Some(Target::Paths) {
            self.refuse_ends();
        }
        let condition = self.clause("WHERE", &["LIMIT", "AS"], Self::condition);
        self.refuse_clauses(None);
        let limit = self.parse_count("LIMIT");
        let before_output = self.last_end();
        let output = self.expect_output("found");
        if output.is_some() {
            self.refuse_late_where(before_output);
        }
        self.refuse_clauses(output.as_deref());
        let limit = limit.or_else(|| self.parse_count("LIMIT"));
        Some(Command::Find { target: target?, condition: condition?, limit, output: output? })
    }

    /// A part that a keyword begins. Nothing at all where it is there and wrong; then the next part
    /// is looked for.
    fn clause<T>(
        &mut self,
        keyword: &str,
        next: &[&str],
        parse: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if !self.parse_keyword(keyword) {
            return Some(None);
        }
        let parsed = parse(self);
        if parsed.is_none() {
            self.recover(next);
        }
        parsed.map(Some)
    }

    /// `process = "PROCESS" path "USING" text ["RETURNING" schema] "AS" name`
    fn process(&mut self) -> Option<Command> {
        let input = self.variable()?;
        let instruction = self.instruction(&["RETURNING", "AS"]);
        let returning = self.clause("RETURNING", &["AS"], Self::expect_json);
        let output = self.expect_output("results")?;
        Some(Command::Process { input, instruction: instruction?, returning: returning?, output })
    }

    /// `analyze = "ANALYZE" path "USING" text "AS" name`
    fn analyze(&mut self) -> Option<Command> {
        let key = self.expect_path("a key of the state")?;
        let instruction = self.instruction(&["AS"]);
        let output = self.expect_output("analysis")?;
        Some(Command::Analyze { key, instruction: instruction?, output })
    }

    /// `update = "UPDATE" path "WITH" path ["MERGE" | "REPLACE"]`
    fn update(&mut self) -> Option<Command> {
        let key = self.expect_path("a key of the state")?;
        self.expect_keyword("WITH")?;
        let input = self.update_input(&key)?;
        let mode = if self.parse_keyword("REPLACE") {
            Mode::Replace
        } else {
            self.parse_keyword("MERGE");
            Mode::Merge
        };
        Some(Command::Update { key, input, mode })
    }

    /// `select = "SELECT" path ["FIELDS" field {"," field}] ["WHERE" condition] ["LIMIT" n] "AS" name`
    fn select(&mut self) -> Option<Command> {
        let input = self.variable()?;
        let fields = self.clause("FIELDS", &["WHERE", "LIMIT", "AS"], Self::projections);
        let condition = self.clause("WHERE", &["LIMIT", "AS"], Self::condition);
        self.refuse_clauses(None);
        let limit = self.parse_count("LIMIT");
        let before_output = self.last_end();
        let output = self.expect_output("selected");
        if output.is_some() {
            self.refuse_late_where(before_output);
        }
        self.refuse_clauses(output.as_deref());
        let limit = limit.or_else(|| self.parse_count("LIMIT"));
        let (fields, condition) = (fields?.unwrap_or_default(), condition?);
        Some(Command::Select(Select { input, fields, condition, limit, output: output? }))
    }

    /// `field [":" name] {"," field [":" name]}`
    fn projections(&mut self) -> Option<Vec<(String, String)>> {
        let mut fields: Vec<(String, String)> = Vec::new();
        // Which field has a name already.
        let mut taken: OrderedMap<String> = OrderedMap::default();
        let closing = self.refuse_opening();
        loop {
            let start = self.here().start;
            let bare = self.peek_word().is_some();
            let field = self.expect_field()?;
            let split = field.split_once(':').filter(|(field, _)| bare && !field.is_empty());
            let (field, name) = match split {
                // The new name may stand in backticks of its own.
                Some((field, "")) => (field.to_owned(), self.expect_field()?),
                Some((field, name)) => (field.to_owned(), name.to_owned()),
                None => {
                    let name = match self.parse_foreign_rename(&field) {
                        Some(name) => Some(name),
                        None => self.new_name()?,
                    };
                    (field.clone(), name.unwrap_or(field))
                }
            };
            if taken.get(name.as_str()).is_some_and(|other| *other != field) {
                let message = format!("two fields would be called {}", quote(&name));
                let help = "give one of them another name";
                let span = Span::new(start, self.last_end());
                self.tell(Diagnostic::new(codes::BAD_NAME, message).help(help), span);
                let other = format!("other_{name}");
                self.fix(span, format!("{}:{}", print_field(&field), print_field(&other)));
            }
            taken.insert(name.as_str().into(), field.clone());
            fields.push((field, name));
            if self.parse_sign(',') || self.refuse_missing_comma() {
                continue;
            }
            if let Some(closing) = closing {
                let here = self.here();
                self.expect_sign(closing)?;
                self.fix(here, "");
            }
            return Some(fields);
        }
    }

    /// What a field is called from here on: `:name`, if that follows.
    fn new_name(&mut self) -> Option<Option<String>> {
        let Some(name) = self.peek_word().and_then(|word| word.strip_prefix(':')) else {
            return Some(None);
        };
        let name = name.to_owned();
        self.advance();
        if name.is_empty() { self.expect_field().map(Some) } else { Some(Some(name)) }
    }

    /// `count = "COUNT" path ["BY" field] "AS" name`
    fn count(&mut self) -> Option<Command> {
        let input = self.variable()?;
        self.refuse_word_before_by();
        let by = self.clause("BY", &["AS"], Self::expect_field)?;
        if by.is_some() {
            self.refuse_more_fields("leave it out, or write a command for each field");
        }
        self.refuse_clauses(None);
        if let Some(by) = &by {
            self.need_apart(by, "count", &input, None, self.last_span());
        }
        Some(Command::Count { input, by, output: self.expect_output("counted")? })
    }

    /// `aggregate = "AGGREGATE" path "BY" field "WITH" function ["OF" field] "AS" name`
    fn aggregate(&mut self) -> Option<Command> {
        let input = self.variable()?;
        self.refuse_word_before_by();
        self.expect_keyword("BY")?;
        let start = self.here();
        let by = self.expect_field()?;
        self.refuse_more_fields("leave it out, or write a command for each field");
        self.expect_keyword("WITH")?;
        let functions = [
            ("count", Function::Count),
            ("sum", Function::Sum),
            ("avg", Function::Average),
            ("min", Function::Least),
            ("max", Function::Greatest),
        ];
        let span = self.here();
        let function = match self.parse_foreign_function() {
            Some(function) => Some(function),
            None => self.expect_choice(&functions, &["OF", "AS"]),
        };
        let of = self.clause("OF", &["AS"], Self::expect_field)?;
        if of.is_none() && function.is_some_and(|function| function != Function::Count) {
            let end = self.last_end();
            let message = "this function needs a field to work on";
            let help = "write `OF <field>` behind it";
            self.tell(
                Diagnostic::new(codes::MISSING, message).help(help),
                Span::new(span.start, end),
            );
        }
        self.need_apart(&by, function.map_or("", Function::word), &input, of.as_deref(), start);
        let output = self.expect_output("aggregated")?;
        Some(Command::Aggregate { input, by, function: function?, of, output })
    }

    /// `rank = "RANK" path "BY" field ["ASC" | "DESC"] ["LIMIT" n] "AS" name`
    fn rank(&mut self) -> Option<Command> {
        let input = self.variable()?;
        self.refuse_word_before_by();
        self.expect_keyword("BY")?;
        let (by, early) = self.expect_ranking()?;
        let order = if let Some(order) = early {
            order
        } else if self.parse_keyword("ASC") {
            Order::Ascending
        } else if self.parse_keyword("DESC") {
            Order::Descending
        } else {
            self.parse_foreign_order().unwrap_or(Order::Descending)
        };
        let limit = self.parse_count("LIMIT");
        let output = self.expect_output("ranked");
        let limit = limit.or_else(|| self.parse_count("LIMIT"));
        Some(Command::Rank { input, by, order, limit, output: output? })
    }

    /// `join = "JOIN" path "WITH" path "ON" field ["=" field] "AS" name`
    fn join(&mut self) -> Option<Command> {
        let left = self.variable()?;
        self.expect_keyword("WITH")?;
        let right = self.variable()?;
        self.expect_keyword("ON")?;
        let field = self.expect_field()?;
        let other = match self.parse_equals() {
            true => self.expect_field()?,
            false => field.clone(),
        };
        Some(Command::Join {
            left,
            right,
            on: (field, other),
            output: self.expect_output("joined")?,
        })
    }

    /// `walk = "WALK" "FROM" path ["FOLLOW" value] ["DEPTH" n] "AS" name`
    fn walk(&mut self) -> Option<Command> {
        let is_clause = ["FROM", "FOLLOW", "DEPTH"].iter().any(|word| self.at_word(word));
        let is_next = !is_clause && self.peek_word().is_some_and(|word| !is_reserved(word));
        self.expect_keyword_before("FROM", is_next)?;
        let starts = self.variable()?;
        let follow = self.clause("FOLLOW", &["DEPTH", "AS"], Self::expect_value)?;
        let depth = self.parse_count("DEPTH");
        Some(Command::Walk { starts, follow, depth, output: self.expect_output("reached")? })
    }

    /// `on = "ON" event path "THEN" command`
    fn on(&mut self) -> Option<Command> {
        let events = [
            ("EMPTY", Event::Empty),
            ("ERROR", Event::Error),
            ("PARTIAL", Event::Partial),
            ("SCHEMA_MISMATCH", Event::SchemaMismatch),
        ];
        let event = self.expect_choice(&events, &["THEN"]);
        let name = self.expect_path("the name of a variable, or a key of the state");
        self.expect_keyword_before("THEN", self.command_word().is_some())?;
        let then = Rc::new(self.expect_nested()?);
        let test = Test::Event(event?, name?.text());
        Some(Command::When { test, then, otherwise: None })
    }

    /// `branch = "BRANCH" "IF" assertion "THEN" command ["ELSE" command]`
    fn branch(&mut self) -> Option<Command> {
        self.expect_keyword("IF")?;
        let condition = self.assertion();
        if condition.is_none() {
            self.recover(&["THEN"]);
        }
        self.expect_keyword_before("THEN", self.command_word().is_some())?;
        let then = Rc::new(self.expect_nested()?);
        let otherwise = match self.parse_keyword("ELSE") {
            true => Some(Rc::new(self.expect_nested()?)),
            false => None,
        };
        Some(Command::When { test: Test::Condition(condition?), then, otherwise })
    }

    /// A command behind `THEN` or `ELSE`; blocks have no place there.
    fn expect_nested(&mut self) -> Option<Command> {
        let span = self.here();
        if self.peek_word().and_then(|word| word.split(':').next()).is_some_and(is_complete) {
            let message = "`COMPLETE` cannot stand behind `THEN` or `ELSE`";
            let help = "make `COMPLETE: …` the last entry of the plan, or a reply of its own";
            self.tell(Diagnostic::new(codes::EARLY_COMPLETE, message).help(help), span);
            return None;
        }
        let command = self.deeper(Self::expect_command)?;
        if let Command::Block(_) = command {
            let message = "a block cannot begin or end behind `THEN`";
            let help = "put `TRY`, `CATCH ANY`, `FINALLY` and `END` into entries of their own";
            self.tell(Diagnostic::new(codes::BAD_BLOCK, message).help(help), span);
            return None;
        }
        Some(command)
    }

    /// `set = "SET" "adapter.caps." key "=" value`
    fn set(&mut self) -> Option<Command> {
        let span = self.here();
        let path = self.expect_path("a setting, as in `adapter.caps.max_path_length`")?;
        let key = match path.steps.as_slice() {
            [adapter, caps, key] if adapter == "adapter" && caps == "caps" => {
                if let Some((unknown, near)) = unknown_cap(key) {
                    self.tell(unknown, span);
                    if let Some(near) = near {
                        self.fix(span, format!("adapter.caps.{near}"));
                    }
                }
                Some(key.clone())
            }
            _ => {
                let last = path.steps.last().cloned().unwrap_or_default();
                self.tell(no_setting(&path.text()), span);
                self.fix(span, format!("adapter.caps.{last}"));
                None
            }
        };
        if !self.parse_equals() {
            self.unexpected();
            return None;
        }
        Some(Command::Set { value: self.cap_value()?, key: key? })
    }

    /// A value; here `in` is one too, for `direction`.
    fn cap_value(&mut self) -> Option<Operand> {
        let span = self.here();
        if self.parse_keyword("IN") {
            return Some(Operand { kind: OperandKind::Literal("in".into()), span });
        }
        self.expect_value()
    }
}
