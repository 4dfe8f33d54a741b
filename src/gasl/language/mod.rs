//! Lexer, parser and printer of the language.

pub mod ast;
mod clause_recovery;
mod commands;
mod comparison_recovery;
mod condition;
mod dialects;
mod fix_suggestions;
mod graph_commands;
mod keywords;
mod lexer;
mod naming;
mod parser;
mod printer;
pub mod template;
#[cfg(test)]
mod tests;
mod texts;
mod token;
mod walk;

pub use parser::{Located, Parsed, parse};
pub use printer::{field as print_field, print, print_condition, print_path};
