//! The productions of the commands.

use super::ast::{
    BlockLine, Command, FindTarget, JoinKind, Operand, OperandKind, OutcomeEvent, StateType,
    Trigger, UpdateMode, VariablePath,
};
use super::keywords::closest_keyword;
use super::parser::{ConditionKind, Parser};
use super::token::{Token, TokenKind};
use crate::base::{Diagnostic, Span};
use crate::gasl::caps::{unknown_cap, unknown_setting};
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
            "JOIN" => self.join(JoinKind::Inner),
            "LEFT" => self.left_join(),
            "UNION" => self.union(),
            "WALK" => self.walk(),
            "MEASURE" => self.measure(),
            "SHOW" => self.show(),
            "REQUIRE" => {
                if self.parse_foreign_existence(ConditionKind::Variables).is_some() {
                    return None;
                }
                let ends = |token: &Token| token.first || token.kind == TokenKind::End;
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
                self.add_expected("`:`");
                self.report_unexpected();
                let end = self.previous_end();
                self.fix(Span::new(end, end), ":");
                None
            }
            "TRY" => Some(Command::Block(BlockLine::Try)),
            "CATCH" => {
                self.expect_keyword("ANY")?;
                Some(Command::Block(BlockLine::Catch))
            }
            "FINALLY" => Some(Command::Block(BlockLine::Finally)),
            _ => Some(Command::Block(BlockLine::End)),
        }
    }

    pub(super) fn variable(&mut self) -> Option<VariablePath> {
        self.expect_path("the name of a variable")
    }

    /// `declare = "DECLARE" path "AS" ("LIST" | "DICT" | "COUNTER") ["WITH_DESCRIPTION" text]`
    fn declare(&mut self) -> Option<Command> {
        let key = self.expect_new_key()?;
        if self.expect_keyword("AS").is_none() {
            self.recover(&["LIST", "DICT", "COUNTER"]);
        }
        let kinds =
            [("LIST", StateType::List), ("DICT", StateType::Dict), ("COUNTER", StateType::Counter)];
        let kind = self.expect_choice(&kinds, &["WITH_DESCRIPTION"]);
        let described = self.parse_keyword("WITH_DESCRIPTION");
        let description =
            if described { Some(self.expect_literal("a description")?) } else { None };
        Some(Command::Declare { key, kind: kind?, description })
    }

    /// Parses one of several words. Reports another word, with a fix if it is similar to one of them.
    pub(super) fn expect_choice<T: Copy>(
        &mut self,
        choices: &[(&str, T)],
        next: &[&str],
    ) -> Option<T> {
        for (word, choice) in choices {
            if self.parse_keyword(word) {
                return Some(*choice);
            }
        }
        let span = self.next_span();
        let word = self.peek_word().map(str::to_owned);
        self.report_unexpected();
        let closest =
            word.and_then(|word| closest_keyword(&word, choices.iter().map(|(one, _)| *one)));
        if let Some(closest) = closest {
            self.fix(span, closest);
            self.advance();
        } else {
            self.recover(next);
        }
        None
    }

    /// `find = "FIND" ("nodes" | "edges" | "paths") ["WHERE" condition] ["LIMIT" n] "AS" name ["LIMIT" n]`
    fn find(&mut self) -> Option<Command> {
        if self.at_shortest_paths() {
            return self.shortest_paths();
        }
        let targets = [
            ("nodes", FindTarget::Nodes),
            ("edges", FindTarget::Edges),
            ("paths", FindTarget::Paths),
        ];
        let target = self.expect_choice(&targets, &["WHERE", "LIMIT", "AS"]);
        if target == Some(FindTarget::Paths) {
            self.report_ends();
        }
        let condition = self.clause("WHERE", &["LIMIT", "AS"], Self::condition);
        self.report_clauses(None);
        let limit = self.parse_count("LIMIT");
        let before_output = self.previous_end();
        let output = self.expect_output("found");
        if output.is_some() {
            self.report_late_where(before_output);
        }
        self.report_clauses(output.as_deref());
        let limit = limit.or_else(|| self.parse_count("LIMIT"));
        Some(Command::Find { target: target?, condition: condition?, limit, output: output? })
    }

    /// Parses an optional clause. Returns `None` and skips to the next clause if it is invalid.
    pub(super) fn clause<T>(
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
        let instruction = self.expect_instruction(&["RETURNING", "AS"]);
        let returning = self.clause("RETURNING", &["AS"], Self::expect_json);
        let output = self.expect_output("results")?;
        Some(Command::Process { input, instruction: instruction?, returning: returning?, output })
    }

    /// `analyze = "ANALYZE" path "USING" text "AS" name`
    fn analyze(&mut self) -> Option<Command> {
        let key = self.expect_path("a key of the state")?;
        let instruction = self.expect_instruction(&["AS"]);
        let output = self.expect_output("analysis")?;
        Some(Command::Analyze { key, instruction: instruction?, output })
    }

    /// `update = "UPDATE" path "WITH" path ["MERGE" | "REPLACE"]`
    fn update(&mut self) -> Option<Command> {
        let key = self.expect_path("a key of the state")?;
        self.expect_keyword("WITH")?;
        let input = self.update_input(&key)?;
        let mode = if self.parse_keyword("REPLACE") {
            UpdateMode::Replace
        } else {
            self.parse_keyword("MERGE");
            UpdateMode::Merge
        };
        Some(Command::Update { key, input, mode })
    }

    /// `on = "ON" event path "THEN" command`
    fn on(&mut self) -> Option<Command> {
        let events = [
            ("EMPTY", OutcomeEvent::Empty),
            ("ERROR", OutcomeEvent::Error),
            ("PARTIAL", OutcomeEvent::Partial),
            ("SCHEMA_MISMATCH", OutcomeEvent::SchemaMismatch),
        ];
        let event = self.expect_choice(&events, &["THEN"]);
        let name = self.expect_path("the name of a variable, or a key of the state");
        self.expect_keyword_before("THEN", self.command_word().is_some())?;
        let then = Rc::new(self.expect_nested()?);
        let test = Trigger::Event(event?, name?.text());
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
        Some(Command::When { test: Trigger::Condition(condition?), then, otherwise })
    }

    /// Parses the command after `THEN` or `ELSE`, which must not be a block line.
    fn expect_nested(&mut self) -> Option<Command> {
        let span = self.next_span();
        if self.peek_word().and_then(|word| word.split(':').next()).is_some_and(is_complete) {
            let message = "unexpected `COMPLETE` after `THEN` or `ELSE`";
            let help = "make `COMPLETE: …` the last entry of the plan, or a separate reply";
            self.report(Diagnostic::new(codes::EARLY_COMPLETE, message).help(help), span);
            return None;
        }
        let command = self.parse_nested(Self::expect_command)?;
        if let Command::Block(_) = command {
            let message = "unexpected block line after `THEN`";
            let help = "put `TRY`, `CATCH ANY`, `FINALLY` and `END` into separate entries";
            self.report(Diagnostic::new(codes::BAD_BLOCK, message).help(help), span);
            return None;
        }
        Some(command)
    }

    /// `set = "SET" "adapter.caps." key "=" value`
    fn set(&mut self) -> Option<Command> {
        let span = self.next_span();
        let path = self.expect_path("a setting, as in `adapter.caps.max_path_length`")?;
        let key = match path.steps.as_slice() {
            [adapter, caps, key] if adapter == "adapter" && caps == "caps" => {
                if let Some((unknown, closest)) = unknown_cap(key) {
                    self.report(unknown, span);
                    if let Some(closest) = closest {
                        self.fix(span, format!("adapter.caps.{closest}"));
                    }
                }
                Some(key.clone())
            }
            _ => {
                let last = path.steps.last().cloned().unwrap_or_default();
                self.report(unknown_setting(&path.text()), span);
                self.fix(span, format!("adapter.caps.{last}"));
                None
            }
        };
        if !self.parse_equals() {
            self.report_unexpected();
            return None;
        }
        Some(Command::Set { value: self.cap_value()?, key: key? })
    }

    /// Parses a value; the keyword `in` is one, for `direction`.
    fn cap_value(&mut self) -> Option<Operand> {
        let span = self.next_span();
        if self.parse_keyword("IN") {
            return Some(Operand { kind: OperandKind::Literal("in".into()), span });
        }
        self.expect_value()
    }
}
