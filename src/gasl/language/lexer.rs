//! Lexer. Skips white space and comments; errors are collected, and none is fatal.

use super::template;
use super::token::{Token, TokenKind};
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;
use std::iter::Peekable;
use std::str::CharIndices;

/// Result of the lexer.
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// Byte offset of `COMPLETE: text`, where the tokens end, because the answer may be any text.
    pub complete: Option<usize>,
}

/// Splits a command into tokens.
pub fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer {
        text,
        rest: text.char_indices().peekable(),
        first: true,
        tokens: Vec::new(),
        diagnostics: Vec::new(),
        complete: None,
        next_binding_end: 0,
    };
    while lexer.read_token().is_some() {}
    let Lexer { tokens, diagnostics, complete, .. } = lexer;
    Lexed { tokens, diagnostics, complete }
}

/// Returns the answer of a text that begins with `COMPLETE:`.
pub fn answer_of(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked("COMPLETE".len())?;
    let answer = rest.trim_start().strip_prefix(':')?;
    word.eq_ignore_ascii_case("COMPLETE").then_some(answer.trim())
}

struct Lexer<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    /// Whether the next token is the first of its line.
    first: bool,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    complete: Option<usize>,
    /// Byte offset of the next `}` or line break that was searched for, to search for each only once.
    next_binding_end: usize,
}

/// Opening quotes with their closing quotes. Includes the typographic quotes that models write.
const QUOTES: [(char, &str); 7] =
    [('"', "\""), ('\'', "'"), ('“', "”“"), ('”', "”"), ('„', "“”"), ('‘', "’"), ('’', "’")];

/// Maximum number of bytes between `${` and `}`.
const MAX_PATH_BYTES: usize = 1_000;

/// Operators, longest first. The parser reports those of other languages.
const OPERATORS: [&str; 20] = [
    "===", "!==", "==", "!=", ">=", "<=", "=>", "=<", "<>", "=~", "&&", "||", "=", "<", ">", "!",
    "~", "≥", "≤", "≠",
];

impl Lexer<'_> {
    fn read_token(&mut self) -> Option<()> {
        let &(start, character) = self.rest.peek()?;
        // After a `;` as at the beginning of a line.
        let begins =
            self.first || self.tokens.last().is_some_and(|token| token.kind == TokenKind::End);
        if begins && "cC".contains(character) && answer_of(self.byte_text(start)).is_some() {
            self.complete = Some(start);
            return None;
        }
        let kind = match character {
            '\n' => {
                self.first = true;
                self.rest.next();
                return Some(());
            }
            _ if character.is_whitespace() || character == '\u{feff}' => {
                self.rest.next();
                return Some(());
            }
            '#' => return self.skip_comment(),
            '-' if self.byte_text(start).starts_with("--") => return self.skip_comment(),
            '/' if self.byte_text(start).starts_with("//") => {
                return self.skip_foreign_comment(start);
            }
            ';' => self.take_character(TokenKind::End),
            '(' | ')' | '[' | ']' | '{' | '}' | ',' => {
                self.take_character(TokenKind::Punctuation(character))
            }
            '`' => self.read_backticks(start),
            '$' if self.byte_text(start).starts_with("${") => self.read_binding(start),
            _ => {
                if let Some((_, closing)) = QUOTES.iter().find(|(open, _)| *open == character) {
                    self.read_quoted(start, closing)
                } else {
                    self.read_operator(start).or_else(|| self.read_word(start))
                }
            }
        };
        let span = Span::new(start, self.position());
        match kind {
            Some(kind) => {
                let first = std::mem::take(&mut self.first);
                self.tokens.push(Token { kind, span, first });
            }
            None if self.position() == start => {
                self.rest.next();
                let span = Span::new(start, self.position());
                let message = format!("unexpected character `{character}`");
                self.diagnostics.push(
                    Diagnostic::new(codes::UNKNOWN_CHARACTER, message)
                        .help("leave it out, or quote the string that contains it")
                        .at(span),
                );
            }
            None => {}
        }
        Some(())
    }

    /// Returns the byte offset of the next character.
    fn position(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    fn byte_text(&self, byte: usize) -> &str {
        self.text.get(byte..).unwrap_or_default()
    }

    fn take_character(&mut self, kind: TokenKind) -> Option<TokenKind> {
        self.rest.next();
        Some(kind)
    }

    fn skip_comment(&mut self) -> Option<()> {
        while self.rest.next_if(|(_, c)| *c != '\n').is_some() {}
        Some(())
    }

    /// Reports a `//` comment and skips it.
    fn skip_foreign_comment(&mut self, start: usize) -> Option<()> {
        let error = Diagnostic::new(codes::UNKNOWN_CHARACTER, "`//` does not begin a comment")
            .help("begin it with `--` or `#`, or quote the string that contains it");
        self.diagnostics.push(error.at(Span::new(start, start + 2)));
        self.skip_comment()
    }

    fn read_operator(&mut self, start: usize) -> Option<TokenKind> {
        let sign = *OPERATORS.iter().find(|sign| self.byte_text(start).starts_with(**sign))?;
        for _ in sign.chars() {
            self.rest.next();
        }
        Some(TokenKind::Operator(sign))
    }

    /// Reads a keyword, a name, a number, a date or an id. A `#` begins a comment only before a word.
    fn read_word(&mut self, start: usize) -> Option<TokenKind> {
        let fits =
            |c: char| c.is_alphanumeric() || is_combining(c) || "_.-+:/@%&*?^|\\#".contains(c);
        while self.rest.next_if(|(_, c)| fits(*c)).is_some() {}
        let end = self.position();
        let word = self.text.get(start..end)?;
        (!word.is_empty()).then(|| TokenKind::Word(word.to_owned()))
    }

    fn read_backticks(&mut self, start: usize) -> Option<TokenKind> {
        self.rest.next();
        let mut name = String::new();
        for (_, character) in self.rest.by_ref() {
            if character == '`' {
                return Some(TokenKind::Quoted(name));
            }
            name.push(character);
        }
        self.report_unclosed(start, "unclosed backtick", "add a backtick after the name");
        Some(TokenKind::Quoted(name))
    }

    fn read_binding(&mut self, start: usize) -> Option<TokenKind> {
        // Stops at the line end, so that a missing brace does not hide the rest of the plan.
        let end = self.binding_end(start + 2);
        let inside = self.text.get(start + 2..end).filter(|inside| {
            inside.len() <= MAX_PATH_BYTES && self.byte_text(end).starts_with('}')
        });
        let inside = inside.map(str::to_owned);
        let Some(path) = inside else {
            self.rest.next();
            self.rest.next();
            self.diagnostics.push(template::unclosed_binding(Span::new(start, start + 2)));
            return None;
        };
        let end = start + path.len() + 3;
        while self.rest.next_if(|(at, _)| *at < end).is_some() {}
        let steps = template::parse_steps(&path);
        if steps.is_none() {
            self.diagnostics.push(template::invalid_binding(&path, Span::new(start, end)));
        }
        Some(TokenKind::Binding(steps.unwrap_or_default()))
    }

    /// Returns the byte offset of the first `}` or line break from `start`, or of the end.
    fn binding_end(&mut self, start: usize) -> usize {
        if self.next_binding_end < start {
            let found = self.byte_text(start).find(['}', '\n']);
            self.next_binding_end = found.map_or(self.text.len(), |end| start + end);
        }
        self.next_binding_end
    }

    fn read_quoted(&mut self, start: usize, closing: &str) -> Option<TokenKind> {
        self.rest.next();
        let mut text = String::new();
        while let Some((at, character)) = self.rest.next() {
            match character {
                _ if closing.contains(character) => {
                    let span = Span::new(start, self.position());
                    let read = template::parse_template(&text, span, &mut self.diagnostics);
                    return Some(TokenKind::Text(read));
                }
                '\\' => self.read_escape(at, &mut text),
                _ => text.push(character),
            }
        }
        self.report_unclosed(start, "unclosed string", "close it with the quote that opened it");
        let span = Span::new(start, self.text.len());
        Some(TokenKind::Text(template::parse_template(&text, span, &mut Vec::new())))
    }

    fn read_escape(&mut self, at: usize, text: &mut String) {
        let Some((_, character)) = self.rest.next() else { return };
        match character {
            '"' | '\'' | '\\' | '/' | '`' | '“' | '”' | '‘' | '’' => text.push(character),
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'u' => match self.decode_unicode_escape(at) {
                Some(character) => text.push(character),
                None if parse_code_unit(self.byte_text(at + 2)).is_some() => {
                    let message = "lone surrogate in a string";
                    let help = "write both halves, as in `\\ud83d\\ude00`, or the character itself";
                    self.report_bad_escape(at, message, help);
                }
                None => self.report_unknown_escape(at),
            },
            _ => {
                text.push('\\');
                text.push(character);
                self.report_unknown_escape(at);
            }
        }
    }

    /// Decodes the `\u` escape at byte offset `at`, with the second half of a surrogate pair.
    fn decode_unicode_escape(&mut self, at: usize) -> Option<char> {
        let first = parse_code_unit(self.byte_text(at + 2))?;
        let second = self.byte_text(at + 6).strip_prefix("\\u").and_then(parse_code_unit);
        let mut units = vec![first];
        let pair = (0xd800..0xdc00).contains(&first);
        units.extend(second.filter(|_| pair));
        let character = char::decode_utf16(units).next()?.ok()?;
        let end = at + if pair { 12 } else { 6 };
        while self.rest.next_if(|(byte, _)| *byte < end).is_some() {}
        Some(character)
    }

    fn report_unknown_escape(&mut self, at: usize) {
        let help = "write a backslash as `\\\\`; valid escapes: `\\\" \\' \\\\ \\n \\t \\uXXXX`";
        self.report_bad_escape(at, "unknown escape in a string", help);
    }

    fn report_bad_escape(&mut self, at: usize, message: &str, help: &str) {
        let span = Span::new(at, self.position());
        let error = Diagnostic::new(codes::UNKNOWN_CHARACTER, message).help(help);
        self.diagnostics.push(error.at(span));
    }

    fn report_unclosed(&mut self, start: usize, message: &str, help: &str) {
        let span = Span::new(start, self.text.len());
        self.diagnostics.push(Diagnostic::new(codes::UNCLOSED, message).help(help).at(span));
    }
}

/// Returns whether a character is a combining mark or a joiner.
pub fn is_combining(character: char) -> bool {
    // `escape_debug` escapes combining marks and invisible characters.
    let is_escaped = || !character.is_ascii() && character.escape_debug().count() > 1;
    let is_invisible = character.is_control()
        || character.is_whitespace()
        || matches!(character, '\u{ad}' | '\u{2000}'..='\u{206f}' | '\u{e000}'.. );
    "\u{200c}\u{200d}".contains(character) || !is_invisible && is_escaped()
}

/// Parses the UTF-16 code unit of four hexadecimal digits.
fn parse_code_unit(text: &str) -> Option<u16> {
    let digits = text.get(..4)?;
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| all)
}
