//! Lexer, parser and printer of the language.

pub mod ast;
mod case_recovery;
mod clause_recovery;
mod commands;
mod comparison_recovery;
mod condition;
mod dialects;
mod fix_suggestions;
mod function_recovery;
mod graph_commands;
mod keywords;
mod lexer;
mod naming;
mod parser;
mod printer;
mod row_commands;
pub mod template;
#[cfg(test)]
mod tests;
mod texts;
mod token;
mod translation;
mod walk;

pub use keywords::RESERVED_KEYWORDS;
pub use parser::{LocatedCommand, ParsedEntry, parse};
pub use printer::{print, print_condition, print_field, print_path};
