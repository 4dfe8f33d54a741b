//! Clauses of other languages, and what is written for them here.

use super::ast::{SortOrder, VariablePath};
use super::keywords::is_reserved;
use super::parser::Parser;
use super::printer::{field as print_field, print_path};
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::json::number_of;
use crate::base::{Diagnostic, Span, names};
use crate::gasl::codes;

/// The words that begin a clause in other languages.
const CLAUSES: [&str; 14] = [
    "INTO", "TOP", "FIRST", "OFFSET", "SKIP", "RETURN", "YIELD", "HAVING", "WITHIN", "MAX", "FROM",
    "ORDER", "SORT", "GROUP",
];

/// Whether a word begins a clause in another language, or was to begin one of this language.
pub(super) fn begins_clause(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    CLAUSES.contains(&word.as_str()) || names::is_slip(&word, "LIMIT")
}

impl Parser<'_> {
    /// Whether such a clause stands `ahead` tokens further on, and no part of a name: its word is in capitals, and
    /// what follows is not.
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

    /// Tells of what models write where `AS` is due.
    pub(super) fn refuse_before_output(&mut self) -> bool {
        let Some((help, meant)) = self.meant_before_output() else { return false };
        let here = self.here();
        self.unexpected();
        if let Some(last) = self.diagnostics.last_mut() {
            last.help = Some(help);
        }
        if let Some(meant) = meant {
            self.fix(here, meant);
        }
        true
    }

    /// What there is to say of it, and the word to write in its place.
    fn meant_before_output(&self) -> Option<(String, Option<&'static str>)> {
        let word = match self.peek()? {
            TokenKind::Sign(',') => {
                return Some((
                    "one of them stands here: write a command for each".to_owned(),
                    None,
                ));
            }
            TokenKind::Word(word) => word.to_ascii_uppercase(),
            _ => return None,
        };
        let told = |help: &str| Some((help.to_owned(), None));
        match word.as_str() {
            "WHERE" => {
                told("filter the rows first, by a command of its own: `SELECT … WHERE … AS x`")
            }
            "HAVING" => told(
                "write `AND` before one more condition; what this command makes is filtered by `SELECT … WHERE … AS x`",
            ),
            "FROM" => told(
                "what is searched for is told behind `WHERE`; of a variable, write `SELECT rows FIELDS … WHERE … AS x`",
            ),
            "WITHIN" | "MAX" | "DEPTH" => {
                let count = (1..3).find_map(|ahead| match self.peek_at(ahead)? {
                    TokenKind::Word(word) => word.parse::<usize>().ok(),
                    _ => None,
                });
                let most = count.map_or("n".to_owned(), |count| count.to_string());
                let help = format!(
                    "how long paths may be is a condition, `AND length <= {most}`; `WALK` has `DEPTH {most}`"
                );
                Some((help, None))
            }
            "OFFSET" | "SKIP" => Some((format!("there is no `{word}`: leave it out"), None)),
            "INTO" => Some(("write `AS` in its place".to_owned(), Some("AS"))),
            "TOP" | "FIRST" => Some(("write `LIMIT` in its place".to_owned(), Some("LIMIT"))),
            "RETURN" | "YIELD" | "FIELDS" => {
                let rows = self.name_ahead().unwrap_or("found");
                let help = format!(
                    "leave it out, and write behind the command: `SELECT {rows} FIELDS … AS selected`"
                );
                Some((help, None))
            }
            _ => None,
        }
    }

    /// What `UPDATE` takes: a variable, also where a number is added.
    pub(super) fn update_input(&mut self, key: &VariablePath) -> Option<VariablePath> {
        if let Some(number) = self.peek_word().filter(|word| number_of(word).is_some()) {
            let message = format!("{} is no variable", quote(number));
            let key = print_path(&key.text());
            let help = format!(
                "count what is to be added, as in `COUNT rows AS n`, and write `UPDATE {key} WITH n`"
            );
            self.tell(Diagnostic::new(codes::BAD_NAME, message).help(help), self.here());
            self.advance();
            return None;
        }
        self.variable()
    }

    /// The field behind the `BY` of `RANK`, and the order where that stands before it.
    pub(super) fn expect_ranking(&mut self) -> Option<(String, Option<SortOrder>)> {
        let ranking = match self.parse_early_order() {
            Some((field, order)) => (field, Some(order)),
            None => (self.expect_field()?, None),
        };
        self.refuse_more_fields(
            "rank by that first, and the result by this field: rows that are equal stay in their order",
        );
        Some(ranking)
    }

    /// `RANK x BY DESC age`: the order before the field, which is told and taken.
    fn parse_early_order(&mut self) -> Option<(String, SortOrder)> {
        let order = match self.peek_word()?.to_ascii_uppercase().as_str() {
            "ASC" | "ASCENDING" => SortOrder::Ascending,
            "DESC" | "DESCENDING" => SortOrder::Descending,
            _ => return None,
        };
        const BEHIND: [&str; 5] = ["ASC", "DESC", "ASCENDING", "DESCENDING", "TOP"];
        let is_field = match self.peek_at(1)? {
            TokenKind::Word(word) => {
                !is_reserved(word) && !BEHIND.iter().any(|known| known.eq_ignore_ascii_case(word))
            }
            TokenKind::Quoted(_) | TokenKind::Text(_) => true,
            _ => false,
        };
        if !is_field {
            return None;
        }
        let start = self.here().start;
        self.advance();
        let field = self.expect_field()?;
        let word = if order == SortOrder::Ascending { "ASC" } else { "DESC" };
        let meant = format!("{} {word}", print_field(&field));
        let span = Span::new(start, self.last_end());
        self.write_instead(span, "the order stands behind the field".to_owned(), &meant);
        Some((field, order))
    }

    /// `BY a, b` where one field stands: the others are told.
    pub(super) fn refuse_more_fields(&mut self, help: &str) {
        let start = self.here().start;
        while self.peek() == Some(&TokenKind::Sign(',')) {
            self.advance();
            if self.peek_word().is_some_and(|word| !is_reserved(word))
                || matches!(self.peek(), Some(TokenKind::Quoted(_)))
            {
                self.advance();
            }
        }
        let span = Span::new(start, self.last_end());
        if span.end > start {
            let message = format!(
                "one field stands behind `BY`, and {} is too much",
                quote(self.text_at(span))
            );
            self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        }
    }

    /// `FIELDS name AS n`, where another `AS` names the result: what the field is called then.
    pub(super) fn parse_foreign_rename(&mut self, field: &str) -> Option<String> {
        let is_as = |token: &Token| matches!(&token.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case("AS"));
        let Some(TokenKind::Word(name) | TokenKind::Quoted(name)) = self.peek_at(1) else {
            return None;
        };
        let rest = (2..)
            .map_while(|ahead| self.token_at(ahead))
            .take_while(|token| token.kind != TokenKind::End);
        let has_another =
            rest.take_while(|token| !(token.first && self.begins_command(token))).any(is_as);
        if !has_another || !self.token().is_some_and(is_as) {
            return None;
        }
        let name = name.clone();
        let start = self.last_span().start;
        self.advance();
        self.advance();
        let span = Span::new(start, self.last_end());
        let meant = format!("{}:{}", print_field(field), print_field(&name));
        self.write_instead(span, "a field gets another name by `:`".to_owned(), &meant);
        Some(name)
    }

    /// `DESCENDING` and `ASCENDING`, which are told.
    pub(super) fn parse_foreign_order(&mut self) -> Option<SortOrder> {
        let word = self.peek_word()?.to_ascii_uppercase();
        let (order, meant) = match word.as_str() {
            "DESCENDING" | "DECREASING" => (SortOrder::Descending, "DESC"),
            "ASCENDING" | "INCREASING" => (SortOrder::Ascending, "ASC"),
            _ => return None,
        };
        let span = self.here();
        self.write_instead(span, format!("`{word}` is called `{meant}` here"), meant);
        self.advance();
        Some(order)
    }

    /// Whether `ORDER BY`, `SORT BY` or `GROUP BY` stands `ahead` tokens further on; `SORT age` is one too.
    pub(super) fn at_clause(&self, ahead: usize) -> bool {
        let is = |ahead: usize, words: &[&str]| match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => {
                words.iter().any(|known| known.eq_ignore_ascii_case(word))
            }
            _ => false,
        };
        let has_field = is(ahead, &["ORDER", "SORT"]) && self.at_foreign_clause(ahead);
        is(ahead, &["ORDER", "SORT", "GROUP"]) && is(ahead + 1, &["BY"]) || has_field
    }

    /// `ORDER BY field` and `GROUP BY field` are commands of their own here, over the rows that this
    /// command finds: what it calls them stands before the clause, or behind it.
    pub(super) fn refuse_clauses(&mut self, output: Option<&str>) {
        while self.at_clause(0) {
            let start = self.here().start;
            let groups = self.at_word("GROUP");
            self.advance();
            if self.at_word("BY") {
                self.advance();
            }
            let clause = Span::new(start, self.last_end());
            let field = self.here();
            match self.peek() {
                Some(TokenKind::Word(word)) if !is_reserved(word) => self.advance(),
                Some(TokenKind::Quoted(_) | TokenKind::Text(_)) => self.advance(),
                _ => {}
            }
            let field = if self.last_span() == field { self.text_at(field) } else { "field" };
            let field = field.to_owned();
            // What is ordered rises in SQL.
            let order = self.peek_word().unwrap_or_default().to_ascii_uppercase();
            let falls = order.starts_with("DESC");
            if falls || order.starts_with("ASC") {
                self.advance();
            }
            let name = output.or_else(|| self.name_ahead()).unwrap_or("found");
            // The first of the rows in order are not the first rows in order.
            let limit = self.limit_ahead().filter(|_| !groups);
            let (also, limit) = match limit {
                Some(count) => (" with the `LIMIT` behind it", format!("LIMIT {count} ")),
                None => ("", String::new()),
            };
            let order = if falls { "DESC" } else { "ASC" };
            let instead = match groups {
                true => format!("COUNT {name} BY {field} AS counted"),
                false => format!("RANK {name} BY {field} {order} {limit}AS ranked"),
            };
            let message = format!("{} is no part of this command", quote(self.text_at(clause)));
            let help = format!("leave it out{also}, and write behind the command: `{instead}`");
            self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), clause);
        }
    }

    /// The count of the `LIMIT` that comes next.
    fn limit_ahead(&self) -> Option<&str> {
        match (self.peek(), self.peek_at(1)) {
            (Some(TokenKind::Word(limit)), Some(TokenKind::Word(count)))
                if limit.eq_ignore_ascii_case("LIMIT") =>
            {
                Some(count)
            }
            _ => None,
        }
    }

    /// `GROUP BY` and `ORDER BY` where `BY` alone is due: the word before it is told.
    pub(super) fn refuse_word_before_by(&mut self) {
        let is_by = matches!(self.peek_at(1), Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("BY"));
        if !self.at_clause(0) || !is_by {
            return;
        }
        let span = self.here();
        let message = format!("{} is too much here", quote(self.text_at(span)));
        let error = Diagnostic::new(codes::UNEXPECTED, message).help("write `BY` alone");
        self.tell(error, span);
        self.advance();
        self.fix(Span::new(span.start, self.here().start), "");
    }

    /// The name behind the `AS` that comes next.
    fn name_ahead(&self) -> Option<&str> {
        let word = |ahead: usize| match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let is_as =
            |ahead: &usize| word(*ahead).is_some_and(|word| word.eq_ignore_ascii_case("AS"));
        word((0..4).find(is_as)? + 1)
    }
}
