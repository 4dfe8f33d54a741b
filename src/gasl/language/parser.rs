//! Parser. Continues after errors, so that a model can fix all of them in one turn.

use super::ast::{Command, Operand};
use super::keywords::{COMMANDS, closest_keyword, is_reserved};
use super::lexer::{Lexed, answer_of, lex};
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;
use crate::gasl::predicate::TestOperator;
use std::rc::Rc;

/// Result of the parser.
pub struct ParsedEntry {
    /// Valid commands in order.
    pub commands: Vec<LocatedCommand>,
    /// Errors and warnings. After an error, a command may be missing or differ from the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Command with its span.
#[derive(Clone, Debug)]
pub struct LocatedCommand {
    pub command: Command,
    pub span: Span,
}

/// Maximum length of an entry, in bytes.
const MAX_COMMAND_BYTES: usize = 1 << 20;

/// Parses an entry of a plan: one command, or several lines of a block.
pub fn parse(text: &str) -> ParsedEntry {
    if text.len() > MAX_COMMAND_BYTES {
        let message =
            format!("expected less than a megabyte, found a command of {} bytes", text.len());
        let error = Diagnostic::new(codes::TOO_DEEP, message)
            .help("put long lists into variables, or split the entry into several commands")
            .at(Span::new(0, text.len()));
        return ParsedEntry { commands: Vec::new(), diagnostics: vec![error] };
    }
    let (mut parser, complete) = Parser::new(text);
    let mut commands = parser.entry();
    commands.extend(complete.and_then(|start| located_answer(text, start)));
    let diagnostics = parser.finish();
    ParsedEntry { commands, diagnostics }
}

/// Parses `COMPLETE: text` at byte offset `start`; the text extends to the end of the entry.
fn located_answer(text: &str, start: usize) -> Option<LocatedCommand> {
    let answer = answer_of(text.get(start..)?)?;
    let command = Command::Complete { text: answer.to_owned() };
    Some(LocatedCommand { command, span: Span::new(start, text.trim_end().len()) })
}

/// Maximum nesting depth of `THEN`, `NOT` and parentheses. A level takes a few hundred bytes of stack
/// in the parser and in users of the tree.
pub const MAX_DEPTH: usize = 64;

/// Expectation at the end of a complete command.
const END_OF_COMMAND: &str = "the end of the command";

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    /// Index of the next token.
    index: usize,
    /// Descriptions of the tokens that are valid here, in the order of the checks.
    expected: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Text edits, each with the index of the diagnostic that it fixes.
    pub(super) fixes: Vec<(usize, Span, String)>,
    pub(super) depth: usize,
    /// Last test with a value.
    pub(super) last_comparison: Option<Rc<LastComparison>>,
    /// Whether an operator of a fix ignores case, and the one that it replaces does not.
    pub(super) ignores_case: bool,
    /// Whether an error already covers the rest of the text.
    rest_reported: bool,
    /// Whether the text is a suggestion, which is not translated again.
    is_suggestion: bool,
}

impl Parser<'_> {
    /// Creates a parser. Returns also the byte offset of `COMPLETE:`, if there is one.
    pub(super) fn new(text: &str) -> (Parser<'_>, Option<usize>) {
        let Lexed { tokens, diagnostics, complete } = lex(text);
        let is_unclosed = |error: &Diagnostic| {
            let end = match error.location {
                Some(crate::base::Location::Span(span)) => span.end,
                _ => 0,
            };
            error.code == codes::UNCLOSED && end == text.len()
        };
        let rest_reported = diagnostics.iter().any(is_unclosed);
        let parser = Parser {
            text,
            tokens,
            index: 0,
            expected: Vec::new(),
            diagnostics,
            fixes: Vec::new(),
            depth: 0,
            last_comparison: None,
            ignores_case: false,
            rest_reported,
            is_suggestion: false,
        };
        (parser, complete)
    }

    /// Creates a parser that checks a suggestion.
    pub(super) fn for_suggestion(text: &str) -> Parser<'_> {
        let (parser, _) = Parser::new(text);
        Parser { is_suggestion: true, ..parser }
    }

    /// Returns the span and the tokens of a rejected command, unless it is a suggestion. The span extends
    /// to the next token, because a part of it may be a comment only in this language.
    pub(super) fn rejected_command(&self, first: usize) -> Option<(Span, &[Token])> {
        let tokens = self.tokens.get(first..self.index).filter(|_| !self.is_suggestion)?;
        let start = tokens.first()?.span.start;
        let end = self.token().map_or(self.text.len(), |next| next.span.start);
        let end = start + self.text.get(start..end)?.trim_end().len();
        Some((Span::new(start, end), tokens))
    }

    /// `entry = { command [";"] }`
    pub(super) fn entry(&mut self) -> Vec<LocatedCommand> {
        let mut commands = Vec::new();
        loop {
            while matches!(self.peek(), Some(TokenKind::End)) {
                self.advance();
            }
            let Some(start) = self.token().map(|token| token.span.start) else { return commands };
            let (count, first) = (self.diagnostics.len(), self.index);
            let command = self.expect_command();
            if command.is_some() && !self.at_end() && !self.at_next_command(command.as_ref()) {
                self.report_unexpected();
            }
            if self.diagnostics.len() > count {
                self.skip_command();
                self.translate(first, count);
            }
            let span = Span::new(start, self.previous_end());
            commands.extend(command.map(|command| LocatedCommand { command, span }));
        }
    }

    fn at_end(&mut self) -> bool {
        self.expected.push(END_OF_COMMAND.to_owned());
        matches!(self.peek(), None | Some(TokenKind::End))
    }

    /// Returns whether another command begins: on a new line, or after a block line.
    fn at_next_command(&self, before: Option<&Command>) -> bool {
        let in_line = matches!(before, Some(Command::Block(_))) && self.command_word().is_some();
        in_line || self.at_command_line()
    }

    /// Returns whether a command begins on a new line, with or without a list marker.
    fn at_command_line(&self) -> bool {
        let begins = || self.command_word().is_some() || self.list_marker_length().is_some();
        self.token().is_some_and(|token| token.first) && begins()
    }

    pub(super) fn begins_command(&self, token: &Token) -> bool {
        matches!(&token.kind, TokenKind::Word(word) if COMMANDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word)))
    }

    /// Returns the next word if it begins a command.
    pub(super) fn command_word(&self) -> Option<&'static str> {
        let word = self.peek_word()?;
        COMMANDS.iter().find(|keyword| keyword.eq_ignore_ascii_case(word)).copied()
    }

    /// Skips the rest of an invalid command.
    fn skip_command(&mut self) {
        while let Some(token) = self.token() {
            if matches!(token.kind, TokenKind::End) || self.at_command_line() {
                return;
            }
            self.advance();
        }
    }

    pub(super) fn token(&self) -> Option<&Token> {
        self.tokens.get(self.index)
    }

    pub(super) fn peek(&self) -> Option<&TokenKind> {
        self.token().map(|token| &token.kind)
    }

    /// Returns the token `ahead` tokens after the next one.
    pub(super) fn token_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.index + ahead)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<&TokenKind> {
        self.token_at(ahead).map(|token| &token.kind)
    }

    pub(super) fn text_at(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    pub(super) fn peek_word(&self) -> Option<&str> {
        match self.peek() {
            Some(TokenKind::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn advance(&mut self) {
        self.index += 1;
        self.expected.clear();
    }

    pub(super) fn previous_span(&self) -> Span {
        let last = self.index.checked_sub(1).and_then(|index| self.tokens.get(index));
        last.map_or(Span::default(), |token| token.span)
    }

    pub(super) fn previous_end(&self) -> usize {
        self.previous_span().end
    }

    /// Returns the span of the next token, or the empty span at the end.
    pub(super) fn next_span(&self) -> Span {
        let end = self.previous_end();
        self.token().map_or(Span::new(end, end), |token| token.span)
    }

    /// Returns whether the next word is a keyword, which becomes an expected token otherwise.
    pub(super) fn at_keyword(&mut self, keyword: &str) -> bool {
        let found = self.peek_word().is_some_and(|word| word.eq_ignore_ascii_case(keyword));
        if !found {
            self.expected.push(format!("`{keyword}`"));
        }
        found
    }

    /// Consumes a keyword if it is next.
    pub(super) fn parse_keyword(&mut self, keyword: &str) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes a keyword, or reports that it is missing.
    pub(super) fn expect_keyword(&mut self, keyword: &str) -> Option<()> {
        if self.parse_keyword(keyword) {
            return Some(());
        }
        // The word may misspell any of the expected keywords.
        let keywords = self.expected.iter().map(|one| one.trim_matches('`'));
        let closest =
            self.peek_word().and_then(|word| closest_keyword(word, keywords)).map(str::to_owned);
        let here = self.next_span();
        self.report_unexpected();
        if let Some(closest) = closest {
            self.fix(here, closest);
        }
        None
    }

    /// Consumes a keyword. If the token after it `is_next`, reports the missing keyword with a fix and
    /// continues.
    pub(super) fn expect_keyword_before(&mut self, keyword: &str, is_next: bool) -> Option<()> {
        if !is_next {
            return self.expect_keyword(keyword);
        }
        let here = self.next_span();
        let message = format!("missing `{keyword}` before {}", quote(self.text_at(here)));
        let help = format!("write `{keyword}` before it");
        self.report(Diagnostic::new(codes::MISSING_PART, message).help(help), here);
        let before = self.text.get(..here.start).unwrap_or_default();
        let blank = if before.ends_with(char::is_alphanumeric) { " " } else { "" };
        self.fix(Span::new(here.start, here.start), format!("{blank}{keyword} "));
        Some(())
    }

    pub(super) fn parse_punctuation(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&TokenKind::Punctuation(sign));
        if found {
            self.advance();
        } else {
            self.expected.push(format!("`{sign}`"));
        }
        found
    }

    pub(super) fn expect_punctuation(&mut self, sign: char) -> Option<()> {
        if self.parse_punctuation(sign) {
            return Some(());
        }
        self.report_unexpected();
        None
    }

    pub(super) fn add_expected(&mut self, what: &str) {
        self.expected.push(what.to_owned());
    }

    /// Reports the next token with the expected ones.
    pub(super) fn report_unexpected(&mut self) {
        let mut expected = std::mem::take(&mut self.expected);
        expected.dedup();
        if self.token().is_none() && self.rest_reported {
            // The expected token may be in the text that was not parsed.
            return;
        }
        let one_of = match expected.as_slice() {
            [one] => one.clone(),
            many => format!("one of {}", many.join(", ")),
        };
        let here = self.next_span();
        let diagnostic = match self.next_token_text() {
            None => Diagnostic::new(
                codes::MISSING_PART,
                format!("expected {one_of}, found the end of the command"),
            ),
            Some(found) => {
                Diagnostic::new(codes::UNEXPECTED, format!("expected {one_of}, found {found}"))
            }
        };
        let help = match expected.as_slice() {
            [end] if end == END_OF_COMMAND => {
                "leave it out, or begin another command on a line of its own".to_owned()
            }
            [others @ .., end] if end == END_OF_COMMAND => {
                let others = others.join(" or ");
                format!("write {others} here, or begin another command on a line of its own")
            }
            _ => format!("write {one_of} here"),
        };
        self.diagnostics.push(diagnostic.help(help).at(here));
    }

    /// Returns the next token in backticks, or `None` at the end of the command.
    pub(super) fn next_token_text(&self) -> Option<String> {
        let token = self.token()?;
        let ends = matches!(token.kind, TokenKind::End) || self.at_command_line();
        (!ends).then(|| quote(self.text.get(token.span.start..token.span.end).unwrap_or_default()))
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic, span: Span) {
        self.diagnostics.push(diagnostic.at(span));
    }

    /// Skips to the next of some keywords, or to the end of the command.
    pub(super) fn recover(&mut self, keywords: &[&str]) {
        while let Some(token) = self.token() {
            let word = match &token.kind {
                TokenKind::Word(word) => word.as_str(),
                TokenKind::End => return,
                _ => "",
            };
            let is_keyword = keywords.iter().any(|keyword| keyword.eq_ignore_ascii_case(word));
            if is_keyword || self.at_command_line() {
                return;
            }
            self.advance();
        }
    }

    /// `"LIMIT" count`
    pub(super) fn parse_count(&mut self, keyword: &str) -> Option<usize> {
        if !self.parse_keyword(keyword) {
            return None;
        }
        let span = self.next_span();
        let word = self.peek_word().map(str::to_owned);
        let count = word.as_deref().and_then(|word| word.parse::<usize>().ok());
        if count.is_some_and(|count| count > 0) {
            self.advance();
            return count;
        }
        let found = self.next_token_text().unwrap_or_else(|| "the end of the command".to_owned());
        let message = format!("expected a count, found {found}");
        let help = format!("write an integer ≥ 1, as in `{keyword} 10`");
        self.report(Diagnostic::new(codes::BAD_COUNT, message).help(help), span);
        // Skips a token that cannot continue the command.
        if word.is_some_and(|word| !is_reserved(&word)) || self.peek().is_some_and(is_value) {
            self.advance();
        }
        None
    }

    /// Parses one level deeper, or reports an error at the depth limit.
    pub(super) fn parse_nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.next_span();
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            let help = "split it into several commands";
            self.report(Diagnostic::new(codes::TOO_DEEP, message).help(help), span);
            self.index = self.tokens.len();
            self.rest_reported = true;
            return None;
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }
}

fn is_value(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Text(_) | TokenKind::Binding(_) | TokenKind::Quoted(_))
}

/// Kind of a condition, by the operands on the left of its tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ConditionKind {
    /// Condition of `WHERE` on the fields of a row.
    Fields,
    /// Condition of `ASSERT` and `BRANCH IF` on variables.
    Variables,
}

/// Last test with a value, which a value without a field repeats.
pub struct LastComparison {
    pub left: Operand,
    pub operator: TestOperator,
}
