//! Productions of `WALK`.

use super::ast::{Command, Follow};
use super::keywords::is_reserved;
use super::parser::Parser;
use super::token::TokenKind;
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::gasl::caps::EdgeDirection;
use crate::gasl::codes;

/// Clauses after `FROM`, in the order of the grammar.
const CLAUSES: [&str; 4] = ["FOLLOW", "DIRECTION", "DEPTH", "AS"];

impl Parser<'_> {
    /// `walk = "WALK" "FROM" path ["FOLLOW" follow] ["DIRECTION" direction] ["DEPTH" n] "AS" name`
    pub(super) fn walk(&mut self) -> Option<Command> {
        let is_clause = self.at_word("FROM") || CLAUSES.iter().any(|word| self.at_word(word));
        let is_next = !is_clause && self.peek_word().is_some_and(|word| !is_reserved(word));
        self.expect_keyword_before("FROM", is_next)?;
        let starts = self.variable()?;
        let follow = self.clause("FOLLOW", &["DIRECTION", "DEPTH", "AS"], Self::follow);
        let mut direction = self.clause("DIRECTION", &["DEPTH", "AS"], Self::direction);
        let depth = self.parse_count("DEPTH");
        if direction == Some(None) && depth.is_some() {
            direction = self.clause("DIRECTION", &["AS"], Self::direction);
        }
        let output = self.expect_output("reached");
        let (follow, direction, output) = (follow?, direction?, output?);
        Some(Command::Walk { starts, follow, direction, depth, output })
    }

    /// `follow = value | condition`
    fn follow(&mut self) -> Option<Follow> {
        match self.at_edge_condition() {
            true => self.condition().map(Follow::Condition),
            false => self.expect_value().map(Follow::Relation),
        }
    }

    /// Returns whether a condition begins, and not the name of a relation.
    fn at_edge_condition(&self) -> bool {
        const OPERATORS: [&str; 10] = [
            "IS",
            "IN",
            "NOT",
            "CONTAINS",
            "STARTS_WITH",
            "ENDS_WITH",
            "LIKE",
            "BETWEEN",
            "STARTS",
            "ENDS",
        ];
        let begins = self.at_word("NOT") || self.peek() == Some(&TokenKind::Punctuation('('));
        match self.peek_at(1) {
            Some(TokenKind::Operator(_)) => true,
            Some(TokenKind::Word(word)) => {
                let is_operator = OPERATORS.iter().any(|one| one.eq_ignore_ascii_case(word));
                let is_clause = CLAUSES.iter().any(|one| one.eq_ignore_ascii_case(word));
                begins || is_operator || self.at_word("EXISTS") && !is_clause
            }
            _ => begins || self.at_word("EXISTS"),
        }
    }

    /// `direction = "out" | "in" | "any"`
    fn direction(&mut self) -> Option<EdgeDirection> {
        let all = [EdgeDirection::Out, EdgeDirection::In, EdgeDirection::Any];
        for direction in all {
            if self.at_word(direction.word()) {
                self.advance();
                return Some(direction);
            }
        }
        const FOREIGN: [(&str, EdgeDirection); 9] = [
            ("BOTH", EdgeDirection::Any),
            ("EITHER", EdgeDirection::Any),
            ("ALL", EdgeDirection::Any),
            ("UNDIRECTED", EdgeDirection::Any),
            ("OUTGOING", EdgeDirection::Out),
            ("FORWARD", EdgeDirection::Out),
            ("INCOMING", EdgeDirection::In),
            ("BACKWARD", EdgeDirection::In),
            ("REVERSE", EdgeDirection::In),
        ];
        let foreign = FOREIGN.into_iter().find(|(word, _)| self.at_word(word));
        if let Some((_, direction)) = foreign {
            let span = self.next_span();
            let message = format!("unknown direction {}", quote(self.text_at(span)));
            self.report_with_fix(span, message, direction.word());
            self.advance();
            return Some(direction);
        }
        let found = self.next_token_text().unwrap_or_else(|| "the end of the command".to_owned());
        let message = format!("expected `out`, `in` or `any`, found {found}");
        let help = "add one of them, as in `DIRECTION in`";
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), self.next_span());
        None
    }
}
