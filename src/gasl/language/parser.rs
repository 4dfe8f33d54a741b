//! Tokens to commands. Nothing stops at the first mistake: a model repairs all of them in one turn.

use super::ast::{Command, Operand};
use super::keywords::{COMMANDS, closest_keyword, is_reserved};
use super::lexer::{Lexed, answer_of, lex};
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;
use crate::gasl::predicate::{Comparison, TextTest};

/// What a text says.
pub struct Parsed {
    /// The commands that could be understood, in order.
    pub commands: Vec<Located>,
    /// What is wrong. Where there is an error, a command is missing above or not as it was meant.
    pub diagnostics: Vec<Diagnostic>,
}

/// A command and its place in the text.
#[derive(Clone, Debug)]
pub struct Located {
    /// What to do.
    pub command: Command,
    /// From its first word to its last.
    pub span: Span,
}

/// Longer texts are refused: whoever writes so much does not write a command.
const LONGEST: usize = 1 << 20;

/// Reads an entry of a plan: one command, or several lines of a block.
pub fn parse(text: &str) -> Parsed {
    if text.len() > LONGEST {
        let message = format!("a command of {} bytes is too long", text.len());
        let error = Diagnostic::new(codes::TOO_DEEP, message).help("write less than a megabyte");
        return Parsed { commands: Vec::new(), diagnostics: vec![error] };
    }
    let (mut parser, complete) = Parser::over(text);
    let mut commands = parser.entry();
    commands.extend(complete.and_then(|start| located_answer(text, start)));
    let diagnostics = parser.finish();
    Parsed { commands, diagnostics }
}

/// `COMPLETE: text` at the beginning of a line ends the entry; the text is everything after it.
fn located_answer(text: &str, start: usize) -> Option<Located> {
    let answer = answer_of(text.get(start..)?)?;
    let command = Command::Complete { text: answer.to_owned() };
    Some(Located { command, span: Span::new(start, text.trim_end().len()) })
}

/// `THEN` in `THEN`, `NOT` in `NOT` and parentheses may be nested this deep; each level is a few
/// hundred bytes of stack, here and in whoever walks the tree.
pub const DEEPEST: usize = 64;

/// What is expected where a command is complete.
const END: &str = "the end of the command";

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// What would have been fine here, in the order in which it was looked for.
    expected: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What to write where, for the diagnostic of that number.
    pub(super) fixes: Vec<(usize, Span, String)>,
    pub(super) depth: usize,
    /// The last test with a value.
    pub(super) compared: Option<LastComparison>,
    /// Whether the rest of the text belongs to something that was told already.
    swallowed: bool,
}

impl Parser<'_> {
    /// A parser of a text, and where the answer of a `COMPLETE` begins in it.
    pub(super) fn over(text: &str) -> (Parser<'_>, Option<usize>) {
        let Lexed { tokens, diagnostics, complete } = lex(text);
        let unclosed = |told: &Diagnostic| {
            let end = match told.location {
                Some(crate::base::Location::Span(span)) => span.end,
                _ => 0,
            };
            told.code == codes::UNCLOSED && end == text.len()
        };
        let swallowed = diagnostics.iter().any(unclosed);
        let parser = Parser {
            text,
            tokens,
            at: 0,
            expected: Vec::new(),
            diagnostics,
            fixes: Vec::new(),
            depth: 0,
            compared: None,
            swallowed,
        };
        (parser, complete)
    }

    /// `entry = { command [";"] }`
    pub(super) fn entry(&mut self) -> Vec<Located> {
        let mut commands = Vec::new();
        loop {
            while matches!(self.peek(), Some(TokenKind::End)) {
                self.advance();
            }
            let Some(start) = self.token().map(|token| token.span.start) else { return commands };
            let told = self.diagnostics.len();
            let command = self.expect_command();
            if command.is_some() && !self.at_end() && !self.at_next_command(command.as_ref()) {
                self.unexpected();
            }
            if self.diagnostics.len() > told {
                self.skip_command();
            }
            let span = Span::new(start, self.last_end());
            commands.extend(command.map(|command| Located { command, span }));
        }
    }

    fn at_end(&mut self) -> bool {
        self.expected.push(END.to_owned());
        matches!(self.peek(), None | Some(TokenKind::End))
    }

    /// Another command begins on a line of its own, or after a line of a block.
    fn at_next_command(&self, before: Option<&Command>) -> bool {
        let in_line = matches!(before, Some(Command::Block(_))) && self.command_word().is_some();
        in_line || self.at_command_line()
    }

    /// Whether a line begins here that begins a command, whatever mark of a list stands before it.
    fn at_command_line(&self) -> bool {
        let begins = || self.command_word().is_some() || self.list_mark().is_some();
        self.token().is_some_and(|token| token.first) && begins()
    }

    /// Whether a token is a word that begins a command.
    pub(super) fn begins_command(&self, token: &Token) -> bool {
        matches!(&token.kind, TokenKind::Word(word) if COMMANDS.iter().any(|known| known.eq_ignore_ascii_case(word)))
    }

    /// The command that the next word begins.
    pub(super) fn command_word(&self) -> Option<&'static str> {
        let word = self.peek_word()?;
        COMMANDS.iter().find(|keyword| keyword.eq_ignore_ascii_case(word)).copied()
    }

    /// Over the rest of a command that was not understood.
    fn skip_command(&mut self) {
        while let Some(token) = self.token() {
            if matches!(token.kind, TokenKind::End) || self.at_command_line() {
                return;
            }
            self.advance();
        }
    }

    pub(super) fn token(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek(&self) -> Option<&TokenKind> {
        self.token().map(|token| &token.kind)
    }

    /// The token `ahead` tokens further on.
    pub(super) fn token_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    /// What stands `ahead` tokens further on.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<&TokenKind> {
        self.token_at(ahead).map(|token| &token.kind)
    }

    /// The author's words.
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
        self.at += 1;
        self.expected.clear();
    }

    /// The place of the last token.
    pub(super) fn last_span(&self) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(Span::default(), |token| token.span)
    }

    /// Where the last token ended.
    pub(super) fn last_end(&self) -> usize {
        self.last_span().end
    }

    /// The place of the next token, or just behind the last.
    pub(super) fn here(&self) -> Span {
        let end = self.last_end();
        self.token().map_or(Span::new(end, end), |token| token.span)
    }

    /// Whether the next word is this keyword.
    pub(super) fn at_keyword(&mut self, keyword: &str) -> bool {
        let found = self.peek_word().is_some_and(|word| word.eq_ignore_ascii_case(keyword));
        if !found {
            self.expected.push(format!("`{keyword}`"));
        }
        found
    }

    /// Takes the keyword, if it comes next.
    pub(super) fn parse_keyword(&mut self, keyword: &str) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the keyword, or says that it is missing.
    pub(super) fn expect_keyword(&mut self, keyword: &str) -> Option<()> {
        if self.parse_keyword(keyword) {
            return Some(());
        }
        // Any of the words that would be fine here may have been meant.
        let fine = self.expected.iter().map(|one| one.trim_matches('`'));
        let near = self.peek_word().and_then(|word| closest_keyword(word, fine)).map(str::to_owned);
        let here = self.here();
        self.unexpected();
        if let Some(near) = near {
            self.fix(here, near);
        }
        None
    }

    /// Takes the keyword. Where what it stands before is here in its place, it is told as missing,
    /// and the command is read on as if it were there.
    pub(super) fn expect_keyword_before(&mut self, keyword: &str, is_next: bool) -> Option<()> {
        if !is_next {
            return self.expect_keyword(keyword);
        }
        let here = self.here();
        let message = format!("`{keyword}` is missing before {}", quote(self.text_at(here)));
        let help = format!("write `{keyword}` before it");
        self.tell(Diagnostic::new(codes::MISSING, message).help(help), here);
        let before = self.text.get(..here.start).unwrap_or_default();
        let blank = if before.ends_with(char::is_alphanumeric) { " " } else { "" };
        self.fix(Span::new(here.start, here.start), format!("{blank}{keyword} "));
        Some(())
    }

    pub(super) fn parse_sign(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&TokenKind::Sign(sign));
        if found {
            self.advance();
        } else {
            self.expected.push(format!("`{sign}`"));
        }
        found
    }

    pub(super) fn expect_sign(&mut self, sign: char) -> Option<()> {
        if self.parse_sign(sign) {
            return Some(());
        }
        self.unexpected();
        None
    }

    /// What is not a token but a production.
    pub(super) fn expecting(&mut self, what: &str) {
        self.expected.push(what.to_owned());
    }

    /// Says what stands here and what could have.
    pub(super) fn unexpected(&mut self) {
        let mut expected = std::mem::take(&mut self.expected);
        expected.dedup();
        if self.token().is_none() && self.swallowed {
            // What is missing here is inside what was not closed, or behind where reading stopped.
            return;
        }
        let one_of = match expected.as_slice() {
            [one] => one.clone(),
            many => format!("one of {}", many.join(", ")),
        };
        let here = self.here();
        let diagnostic = match self.found() {
            None => {
                Diagnostic::new(codes::MISSING, format!("the command ends where {one_of} is due"))
            }
            Some(found) => {
                Diagnostic::new(codes::UNEXPECTED, format!("{found} where {one_of} is due"))
            }
        };
        let help = match expected.as_slice() {
            [end] if end == END => {
                "leave it out, or begin another command on a line of its own".to_owned()
            }
            [others @ .., end] if end == END => {
                let others = others.join(" or ");
                format!("write {others} here, or begin another command on a line of its own")
            }
            _ => format!("write {one_of} here"),
        };
        self.diagnostics.push(diagnostic.help(help).at(here));
    }

    /// The text of the next token in backticks; nothing at the end of the command.
    pub(super) fn found(&self) -> Option<String> {
        let token = self.token()?;
        let ends = matches!(token.kind, TokenKind::End) || self.at_command_line();
        (!ends).then(|| quote(self.text.get(token.span.start..token.span.end).unwrap_or_default()))
    }

    /// Says something of its own about a place.
    pub(super) fn tell(&mut self, diagnostic: Diagnostic, span: Span) {
        self.diagnostics.push(diagnostic.at(span));
    }

    /// Goes on at the next word that begins a part of this command.
    pub(super) fn recover(&mut self, keywords: &[&str]) {
        while let Some(token) = self.token() {
            let word = match &token.kind {
                TokenKind::Word(word) => word.as_str(),
                TokenKind::End => return,
                _ => "",
            };
            let part = keywords.iter().any(|keyword| keyword.eq_ignore_ascii_case(word));
            if part || self.at_command_line() {
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
        let span = self.here();
        let word = self.peek_word().map(str::to_owned);
        let count = word.as_deref().and_then(|word| word.parse::<usize>().ok());
        if count.is_some_and(|count| count > 0) {
            self.advance();
            return count;
        }
        let shown = self.found().unwrap_or_else(|| "nothing".to_owned());
        let message = format!("{shown} is no count");
        let help = format!("write a whole number from 1 on, as in `{keyword} 10`");
        self.tell(Diagnostic::new(codes::BAD_COUNT, message).help(help), span);
        // A word that can be nothing else was meant to be the count.
        if word.is_some_and(|word| !is_reserved(&word)) || self.peek().is_some_and(is_value) {
            self.advance();
        }
        None
    }

    /// One level deeper; nothing where that is too deep.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            let span = self.here();
            let message = format!("nested deeper than {DEEPEST} levels");
            let help = "split it into several commands";
            self.tell(Diagnostic::new(codes::TOO_DEEP, message).help(help), span);
            self.at = self.tokens.len();
            self.swallowed = true;
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

/// TokenKind of a condition, by the operands on the left of its tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ConditionKind {
    /// `WHERE`: about the fields of a row.
    Fields,
    /// `ASSERT` and `BRANCH IF`: about variables.
    Variables,
}

/// What a field was compared with last, so that it can be meant again.
#[derive(Clone)]
pub struct LastComparison {
    pub left: Operand,
    pub sign: TestOperator,
}

/// The sign of a test with a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TestOperator {
    Compare(Comparison),
    Text(TextTest),
}

impl TestOperator {
    pub fn text(self) -> &'static str {
        match self {
            TestOperator::Compare(comparison) => comparison.sign(),
            TestOperator::Text(test) => test.word(),
        }
    }
}
