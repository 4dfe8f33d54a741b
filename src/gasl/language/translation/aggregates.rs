//! Aggregate functions.

use super::scanner::{Scanner, unquoted};
use crate::gasl::language::keywords::is_reserved;
use crate::gasl::language::printer::print_field;

/// Words on a function that cannot be printed.
pub const NO_FUNCTION: &str = "the function, or its `DISTINCT`, has no equivalent: `AGGREGATE … WITH` has `count`, `sum`, `avg`, `min`, `max`, `distinct` and `list`; before it write `SELECT DISTINCT rows FIELDS f AS different` for different values";

/// Prints an aggregate function, as in `sum OF age`.
pub fn print_function(name: &str, distinct: bool, of: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let own = match name.as_str() {
        "count" if distinct => "distinct",
        "min" | "max" => &name,
        _ if distinct => return None,
        "count" | "size" => "count",
        "sum" | "total" => "sum",
        "avg" | "mean" | "average" => "avg",
        "list" | "distinct" => &name,
        "nunique" => "distinct",
        "array_agg" | "group_concat" | "string_agg" | "collect" | "tolist" => "list",
        _ => return None,
    };
    Some(match of {
        "*" | "" => own.to_owned(),
        of => format!("{own} OF {}", print_field(of)),
    })
}

/// Returns the columns of printed functions: the function, with its field if another has the same.
pub fn function_columns(functions: &[String]) -> Vec<String> {
    let parts = |function: &String| match function.split_once(" OF ") {
        Some((name, of)) => (name.to_owned(), Some(of.trim_matches('`').to_owned())),
        None => (function.clone(), None),
    };
    let column = |function: &String| {
        let (name, of) = parts(function);
        let same = functions.iter().filter(|other| parts(other).0 == name).count();
        match of.filter(|_| same > 1) {
            Some(of) => format!("{name}_{of}"),
            None => name,
        }
    };
    functions.iter().map(column).collect()
}

/// Replaces the calls of functions in a condition. Returns `None` if one has no equivalent.
pub fn replace_calls(
    condition: &str,
    mut replace: impl FnMut(&str) -> Option<String>,
) -> Option<String> {
    let (mut text, mut rest) = (String::new(), condition);
    while let Some(open) = rest.find('(') {
        let (before, call) = rest.split_at_checked(open)?;
        let start = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let (before, name) = before.split_at_checked(start)?;
        let mut inner = Scanner::new(call);
        if name.is_empty() || is_reserved(name) {
            text.push_str(before);
            text.push_str(name);
            text.push('(');
            rest = call.get(1..)?;
            continue;
        }
        let mut argument = Scanner::new(inner.take_brackets('(', ')')?);
        let distinct = argument.accept_word("DISTINCT");
        text.push_str(before);
        text.push_str(&replace(&print_function(name, distinct, unquoted(argument.rest()))?)?);
        rest = call.get(call.trim_end().len() - inner.rest().len()..)?;
        if !rest.starts_with([' ', ')']) {
            text.push(' ');
        }
    }
    text.push_str(rest);
    Some(text)
}

/// Returns whether a condition is about one of the columns that functions add.
pub fn is_about_result(condition: &str, functions: &[String]) -> bool {
    let columns = function_columns(functions);
    let mut words = condition.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| columns.iter().any(|column| column == word))
}
