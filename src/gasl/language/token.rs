//! The words of the language.

use super::ast::TextTemplate;
use crate::base::Span;

/// A word of a command, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
    /// Whether it is the first one of its line.
    pub first: bool,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// Letters, digits and what names are made of: a keyword, a name, a number or a bare value.
    Word(String),
    /// A name in backticks.
    Quoted(String),
    /// A text in quotes.
    Text(TextTemplate),
    /// `${path}` outside quotes.
    Binding(Vec<String>),
    /// `= != > >= < <=`, and those of other languages.
    Operator(&'static str),
    /// `( ) [ ] { } , :`
    Sign(char),
    /// `;`, which ends a command.
    End,
}
