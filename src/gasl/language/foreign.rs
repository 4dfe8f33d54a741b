//! Words of other languages, and what was probably meant by them.

use super::ast::Function;
use super::parser::{COMMANDS, Parser};
use super::token::Kind;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Gather, names};
use crate::gasl::codes;

/// Words of other languages, and what they are here.
const FOREIGN: [(&str, &str); 14] = [
    ("FETCH", "FIND"),
    ("GET", "FIND"),
    ("MATCH", "FIND"),
    ("SEARCH", "FIND"),
    ("QUERY", "FIND"),
    ("FILTER", "SELECT"),
    ("PROJECT", "SELECT"),
    ("GROUP", "AGGREGATE"),
    ("SORT", "RANK"),
    ("ORDER", "RANK"),
    ("TRAVERSE", "WALK"),
    ("EXPAND", "WALK"),
    ("PRINT", "SHOW"),
    ("CREATE", "DECLARE"),
];

/// The command that was probably meant by a word.
fn meant(word: &str) -> Option<&'static str> {
    let foreign = FOREIGN.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(word));
    // The lines of a block are like too many other words.
    let near =
        COMMANDS.iter().filter(|known| !["TRY", "CATCH", "END", "ON", "SET"].contains(known));
    foreign.map(|(_, meant)| *meant).or_else(|| names::nearest(word, near.copied()))
}

impl Parser<'_> {
    /// Tells of a word that begins no command.
    pub(super) fn unknown_command(&mut self) {
        let span = self.here();
        let word = self.peek_word().unwrap_or_default().to_owned();
        let message = match self.peek() {
            Some(Kind::Word(_)) => format!("{} is no command", quote(&word)),
            _ => "a command begins with a word".to_owned(),
        };
        let known = COMMANDS.iter().copied().filter(|known| *known != "ANALYSE");
        let help = format!("begin with {}", known.gather().join(", "));
        self.tell(Diagnostic::new(codes::UNKNOWN_COMMAND, message).help(help), span);
        if let Some(meant) = meant(&word) {
            self.fix(span, meant);
        }
        self.advance();
        // Whatever follows belongs to it, but another command on a line of its own does not.
        self.recover(&[]);
    }

    /// A function by its name in another language, which is told.
    pub(super) fn parse_foreign_function(&mut self) -> Option<Function> {
        let word = self.peek_word()?.to_ascii_lowercase();
        let function = match word.as_str() {
            "mean" | "average" => Function::Average,
            "total" => Function::Sum,
            "minimum" | "least" => Function::Least,
            "maximum" | "greatest" => Function::Greatest,
            "size" | "number" => Function::Count,
            _ => return None,
        };
        let span = self.here();
        let message = format!("`{word}` is called `{}` here", function.word());
        let help = format!("write `{}`", function.word());
        self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.fix(span, function.word());
        self.advance();
        Some(function)
    }
}
