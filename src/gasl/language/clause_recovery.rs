//! Recovery from clauses of other languages.

use super::ast::{SortOrder, VariablePath};
use super::dialects::is_order;
use super::keywords::is_reserved;
use super::parser::Parser;
use super::printer::{print_field, print_path};
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::json::parse_number_text;
use crate::base::{Diagnostic, Span, names};
use crate::gasl::codes;

/// Keywords that begin a clause in other languages.
const CLAUSES: [&str; 14] = [
    "INTO", "TOP", "FIRST", "OFFSET", "SKIP", "RETURN", "YIELD", "HAVING", "WITHIN", "MAX", "FROM",
    "ORDER", "SORT", "GROUP",
];

/// Returns whether a word begins a clause of another language, or misspells `LIMIT`.
pub(super) fn begins_clause(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    CLAUSES.contains(&word.as_str()) || names::is_typo(&word, "LIMIT")
}

const RANK_BY_SEVERAL: &str = "rank by the last field first, then the result by each field before it: equal rows keep their order";

impl Parser<'_> {
    /// Checks for a clause of another language `ahead` tokens after the next one. Its keyword is in
    /// capitals and the next word is not, so that part of a name is not mistaken for a clause.
    pub(super) fn at_foreign_clause(&self, ahead: usize) -> bool {
        let Some(TokenKind::Word(word)) = self.peek_at(ahead) else { return false };
        let is_part = match self.peek_at(ahead + 1) {
            Some(TokenKind::Word(next)) => {
                let of_length =
                    word == "MAX" && ["LENGTH", "DEPTH", "HOPS"].contains(&next.as_str());
                let is_other = next.chars().any(|c| c.is_lowercase() || c.is_ascii_digit());
                of_length || is_other && !is_reserved(next)
            }
            Some(TokenKind::Quoted(_)) => true,
            _ => false,
        };
        is_part && CLAUSES.contains(&word.as_str())
    }

    /// Reports a clause of another language before `AS`. Returns whether there is one.
    pub(super) fn report_before_output(&mut self) -> bool {
        let Some((help, suggestion)) = self.suggestion_before_output() else { return false };
        let here = self.next_span();
        self.report_unexpected();
        if let Some(last) = self.diagnostics.last_mut() {
            last.help = Some(help);
        }
        if let Some(suggestion) = suggestion {
            self.fix(here, suggestion);
        }
        true
    }

    /// Returns the help for the next word before `AS`, and its replacement if there is one.
    fn suggestion_before_output(&self) -> Option<(String, Option<&'static str>)> {
        let word = match self.peek()? {
            TokenKind::Punctuation(',') => {
                return Some(("write a command for each".to_owned(), None));
            }
            TokenKind::Word(word) => word.to_ascii_uppercase(),
            _ => return None,
        };
        let help_only = |help: &str| Some((help.to_owned(), None));
        match word.as_str() {
            "WHERE" => {
                help_only("filter the rows in a separate command first: `SELECT … WHERE … AS x`")
            }
            "AND" | "OR" => help_only(
                "write one condition here, and test the others in a separate command: `SELECT … WHERE … AS x`",
            ),
            "HAVING" => help_only(
                "write `AND` before another condition; filter the result with `SELECT … WHERE … AS x`",
            ),
            "FROM" => help_only(
                "write the condition after `WHERE`; for a variable, write `SELECT rows FIELDS … WHERE … AS x`",
            ),
            "WITHIN" | "MAX" | "DEPTH" => {
                let count = (1..3).find_map(|ahead| match self.peek_at(ahead)? {
                    TokenKind::Word(word) => word.parse::<usize>().ok(),
                    _ => None,
                });
                let max = count.map_or("n".to_owned(), |count| count.to_string());
                let help = format!(
                    "limit the path length with `AND length <= {max}`; in `WALK` write `DEPTH {max}`"
                );
                Some((help, None))
            }
            "OFFSET" | "SKIP" => Some((format!("leave it out: `{word}` is not supported"), None)),
            "INTO" => Some(("write `AS` instead".to_owned(), Some("AS"))),
            "TOP" | "FIRST" => Some(("write `LIMIT` instead".to_owned(), Some("LIMIT"))),
            "RETURN" | "YIELD" | "FIELDS" => {
                let rows = self.next_output_name().unwrap_or("found");
                let help = format!(
                    "leave it out, and write after the command: `SELECT {rows} FIELDS … AS selected`"
                );
                Some((help, None))
            }
            _ => None,
        }
    }

    /// Parses the input of `UPDATE`, which is a variable. Reports a number.
    pub(super) fn update_input(&mut self, key: &VariablePath) -> Option<VariablePath> {
        if let Some(number) = self.peek_word().filter(|word| parse_number_text(word).is_some()) {
            let message = format!("expected a variable, found {}", quote(number));
            let key = print_path(&key.text());
            let help = format!(
                "count the rows to add with `COUNT rows AS n`, and write `UPDATE {key} WITH n`"
            );
            self.report(Diagnostic::new(codes::BAD_NAME, message).help(help), self.next_span());
            self.advance();
            return None;
        }
        self.variable()
    }

    /// Parses the field after `BY` of `RANK`, and the order if it precedes the field.
    pub(super) fn expect_rank_field(&mut self) -> Option<(String, Option<SortOrder>)> {
        let ranking = match self.parse_early_order() {
            Some((field, order)) => (field, Some(order)),
            None => (self.expect_field()?, None),
        };
        self.report_more_fields(RANK_BY_SEVERAL);
        Some(ranking)
    }

    /// Reports and parses an order before the field: `RANK x BY DESC age`.
    fn parse_early_order(&mut self) -> Option<(String, SortOrder)> {
        let order = match self.peek_word()?.to_ascii_uppercase().as_str() {
            "ASC" | "ASCENDING" => SortOrder::Ascending,
            "DESC" | "DESCENDING" => SortOrder::Descending,
            _ => return None,
        };
        const AFTER_FIELD: [&str; 5] = ["ASC", "DESC", "ASCENDING", "DESCENDING", "TOP"];
        let is_field = match self.peek_at(1)? {
            TokenKind::Word(word) => {
                !is_reserved(word)
                    && !AFTER_FIELD.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
            }
            TokenKind::Quoted(_) | TokenKind::Text(_) => true,
            _ => false,
        };
        if !is_field {
            return None;
        }
        let start = self.next_span().start;
        self.advance();
        let field = self.expect_field()?;
        let word = if order == SortOrder::Ascending { "ASC" } else { "DESC" };
        let replacement = format!("{} {word}", print_field(&field));
        let span = Span::new(start, self.previous_end());
        self.report_with_fix(span, "unexpected order before the field".to_owned(), &replacement);
        Some((field, order))
    }

    /// Reports further fields after an order: `BY a ASC, b DESC`.
    pub(super) fn report_more_rank_fields(&mut self) {
        self.report_more_fields(RANK_BY_SEVERAL);
    }

    /// Reports further fields: `BY a, b`.
    pub(super) fn report_more_fields(&mut self, help: &str) {
        let start = self.next_span().start;
        while self.peek() == Some(&TokenKind::Punctuation(',')) {
            self.advance();
            if self.peek_word().is_some_and(|word| !is_reserved(word))
                || matches!(self.peek(), Some(TokenKind::Quoted(_)))
            {
                self.advance();
            }
            if self.peek_word().is_some_and(is_order) {
                self.advance();
            }
        }
        let span = Span::new(start, self.previous_end());
        if span.end > start {
            let message =
                format!("expected one field after `BY`, found also {}", quote(self.text_at(span)));
            self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        }
    }

    /// Reports and parses a renamed field like `FIELDS name AS n`, if another `AS` names the result.
    pub(super) fn parse_foreign_rename(&mut self, field: &str) -> Option<String> {
        let is_as = |token: &Token| matches!(&token.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case("AS"));
        let Some(TokenKind::Word(name) | TokenKind::Quoted(name)) = self.peek_at(1) else {
            return None;
        };
        if !self.token().is_some_and(is_as) {
            return None;
        }
        let rest = (2..)
            .map_while(|ahead| self.token_at(ahead))
            .take_while(|token| token.kind != TokenKind::End);
        let has_another =
            rest.take_while(|token| !(token.first && self.begins_command(token))).any(is_as);
        if !has_another {
            return None;
        }
        let name = name.clone();
        let start = self.previous_span().start;
        self.advance();
        self.advance();
        let span = Span::new(start, self.previous_end());
        let replacement = format!("{}:{}", print_field(field), print_field(&name));
        self.report_with_fix(span, "unexpected `AS` after a field".to_owned(), &replacement);
        Some(name)
    }

    /// Reports and parses `DESCENDING`, `ASCENDING` and the like.
    pub(super) fn parse_foreign_order(&mut self) -> Option<SortOrder> {
        let word = self.peek_word()?.to_ascii_uppercase();
        let (order, keyword) = match word.as_str() {
            "DESCENDING" | "DECREASING" => (SortOrder::Descending, "DESC"),
            "ASCENDING" | "INCREASING" => (SortOrder::Ascending, "ASC"),
            _ => return None,
        };
        let span = self.next_span();
        self.report_with_fix(span, format!("unknown order `{word}`"), keyword);
        self.advance();
        Some(order)
    }

    /// Checks for `ORDER BY`, `SORT BY`, `GROUP BY` or `SORT age` `ahead` tokens after the next one.
    pub(super) fn at_clause(&self, ahead: usize) -> bool {
        let is = |ahead: usize, words: &[&str]| match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => {
                words.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
            }
            _ => false,
        };
        let has_field = is(ahead, &["ORDER", "SORT"]) && self.at_foreign_clause(ahead);
        is(ahead, &["ORDER", "SORT", "GROUP"]) && is(ahead + 1, &["BY"]) || has_field
    }

    /// Reports `ORDER BY field` and `GROUP BY field` and suggests a separate command. `output` is the name
    /// of the rows, if it precedes the clause.
    pub(super) fn report_clauses(&mut self, output: Option<&str>) {
        while self.at_clause(0) {
            let start = self.next_span().start;
            let is_group = self.at_word("GROUP");
            self.advance();
            if self.at_word("BY") {
                self.advance();
            }
            let clause = Span::new(start, self.previous_end());
            let field = self.next_span();
            match self.peek() {
                Some(TokenKind::Word(word)) if !is_reserved(word) => self.advance(),
                Some(TokenKind::Quoted(_) | TokenKind::Text(_)) => self.advance(),
                _ => {}
            }
            let field = if self.previous_span() == field { self.text_at(field) } else { "field" };
            let field = field.to_owned();
            // `ORDER BY` is ascending by default.
            let order = self.peek_word().unwrap_or_default().to_ascii_uppercase();
            let is_descending = order.starts_with("DESC");
            if is_descending || order.starts_with("ASC") {
                self.advance();
            }
            let name = output.or_else(|| self.next_output_name()).unwrap_or("found");
            // `LIMIT` must apply after ranking.
            let limit = self.next_limit().filter(|_| !is_group);
            let (also, limit) = match limit {
                Some(count) => (" with the `LIMIT` after it", format!("LIMIT {count} ")),
                None => ("", String::new()),
            };
            let order = if is_descending { "DESC" } else { "ASC" };
            let command = match is_group {
                true => format!("COUNT {name} BY {field} AS counted"),
                false => format!("RANK {name} BY {field} {order} {limit}AS ranked"),
            };
            let message = format!("unexpected clause {}", quote(self.text_at(clause)));
            let help = format!("leave it out{also}, and write after the command: `{command}`");
            self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), clause);
        }
    }

    /// Returns the count of the next `LIMIT`, if it is next.
    fn next_limit(&self) -> Option<&str> {
        match (self.peek(), self.peek_at(1)) {
            (Some(TokenKind::Word(limit)), Some(TokenKind::Word(count)))
                if limit.eq_ignore_ascii_case("LIMIT") =>
            {
                Some(count)
            }
            _ => None,
        }
    }

    /// Reports `GROUP` or `ORDER` before `BY`.
    pub(super) fn report_word_before_by(&mut self) {
        let is_by = matches!(self.peek_at(1), Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("BY"));
        if !self.at_clause(0) || !is_by {
            return;
        }
        let span = self.next_span();
        let message = format!("expected `BY`, found {}", quote(self.text_at(span)));
        let error = Diagnostic::new(codes::UNEXPECTED, message).help("write `BY` alone");
        self.report(error, span);
        self.advance();
        self.fix(Span::new(span.start, self.next_span().start), "");
    }

    /// Returns the name after the next `AS`.
    fn next_output_name(&self) -> Option<&str> {
        let word = |ahead: usize| match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let is_as =
            |ahead: &usize| word(*ahead).is_some_and(|word| word.eq_ignore_ascii_case("AS"));
        word((0..4).find(is_as)? + 1)
    }
}
