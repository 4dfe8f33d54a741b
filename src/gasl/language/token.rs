//! Tokens.

use super::ast::TextTemplate;
use crate::base::Span;

/// Token of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// Whether the token is the first of its line.
    pub first: bool,
}

/// Kind of a token with its value.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// Keyword, name, number or unquoted value.
    Word(String),
    /// Name in backticks.
    Quoted(String),
    /// String in quotes.
    Text(TextTemplate),
    /// `${path}` outside quotes.
    Binding(Vec<String>),
    /// `= != > >= < <=`, or an operator of another language.
    Operator(&'static str),
    /// `( ) [ ] { } ,`
    Punctuation(char),
    /// `;`, which ends a command.
    End,
}
