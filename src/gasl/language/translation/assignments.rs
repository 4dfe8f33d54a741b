//! Translation of assignments.

use super::find_phrases::PhraseTail;
use super::statement::Statement;
use super::steps::{Translation, print_where};
use crate::gasl::language::fix_suggestions::corrected;
use crate::gasl::language::keywords::COMMANDS;
use crate::gasl::language::printer::print_path;

/// `[LET] name = command`, `SET name = command`. `translate_text` translates a right side in another language.
pub fn translate(
    statement: &Statement<'_>,
    translate_text: fn(&str) -> Option<Translation>,
) -> Option<Translation> {
    let mut rest = statement.clone();
    let is_let = rest.accept_any(&["LET", "VAR", "CONST", "SET"]);
    let name = rest.take_word()?.trim_end_matches(':');
    let is_arrow = rest.accept_sign("<") && rest.accept("-");
    rest.accept(":");
    if !(is_arrow || rest.accept_sign("=")) {
        return None;
    }
    let command = rest.rest();
    let kind = match command {
        "[]" | "list()" | "set()" => Some("LIST"),
        "{}" | "dict()" => Some("DICT"),
        "0" => Some("COUNTER"),
        _ => None,
    };
    if let Some(kind) = kind {
        return Some(format!("DECLARE {} AS {kind}", print_path(name)).into());
    }
    let begins = |keyword: &str| rest.is_keyword_at(0, keyword);
    if COMMANDS.iter().any(|keyword| begins(keyword)) {
        let named = corrected(&format!("{command} AS {name}"));
        if let Some(command) = named.or_else(|| corrected(command)) {
            return Some(command.into());
        }
    }
    if let Some(selected) = is_let.then(|| translate_alias(rest.clone(), name)).flatten() {
        return Some(selected);
    }
    let translated = translate_text(command)?;
    let Translation::Commands(commands, note) = translated else { return Some(translated) };
    Some(match commands.rsplit_once(" AS ") {
        Some((before, _)) => {
            Translation::Commands(format!("{before} AS {}", print_path(name)), note)
        }
        None => Translation::Commands(commands, note),
    })
}

/// `rows [WHERE condition] [LIMIT n]` or `${rows}` after `LET name =`.
fn translate_alias(mut rest: Statement<'_>, name: &str) -> Option<Translation> {
    let value = rest.take_value()?;
    let binding = value.strip_prefix("${").and_then(|path| path.strip_suffix('}'));
    let rows = binding.unwrap_or(value);
    if !rows.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return None;
    }
    let PhraseTail { conditions, limit, output: None } = PhraseTail::parse(&mut rest)? else {
        return None;
    };
    let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
    let conditions = print_where(&conditions);
    Some(format!("SELECT {rows}{conditions}{limit} AS {}", print_path(name)).into())
}
