//! Conditions of openCypher.

use super::scanner::{Scanner, split};
use crate::gasl::language::function_recovery::pattern_to_operator;

/// Help for a pattern in a condition that has no equivalent.
pub const EDGE_PATTERN: &str = "a pattern after `WHERE` has no equivalent: write `FIND edges WHERE … AS found`, then `id IN ${found.source}`, `id NOT IN ${found.source}` or the same with `target`";

/// Returns the pattern of a condition like `NOT (a)-[:KNOWS]->()` or `EXISTS { (a)-->() }`, and whether it
/// is negated.
pub fn edge_pattern(condition: &str) -> Option<(&str, bool)> {
    let mut text = Scanner::new(condition);
    let is_negated = text.accept_word("NOT");
    let exists = text.accept_word("EXISTS");
    let mut inner = None;
    if exists {
        inner = text.take_brackets('{', '}').or_else(|| text.take_brackets('(', ')'));
    } else if text.clone().take_brackets('(', ')').is_some_and(is_edge_pattern) {
        inner = text.take_brackets('(', ')');
    }
    let mut pattern = Scanner::new(inner.unwrap_or(text.rest()));
    pattern.accept_word("MATCH");
    let is_complete = inner.is_none() || text.is_done();
    (is_complete && is_edge_pattern(pattern.rest())).then_some((pattern.rest(), is_negated))
}

/// Returns whether a condition has a pattern after another operand.
pub fn has_edge_pattern(condition: &str) -> bool {
    // The split ignores strings.
    (condition.contains(")-") || condition.contains(")<-")) && split(condition, "-").len() > 1
}

/// Returns whether a text begins with a node and a relation.
fn is_edge_pattern(text: &str) -> bool {
    let mut text = Scanner::new(text);
    let is_node = text.take_brackets('(', ')').is_some();
    is_node && ["-[", "--", "<-"].iter().any(|start| text.rest().starts_with(start))
}

/// Returns whether a text begins with a regular expression that a text operator or `=` replaces.
pub fn is_simple_pattern(text: &str) -> bool {
    let mut text = Scanner::new(text);
    let quoted = text.take_brackets('\'', '\'').or_else(|| text.take_brackets('"', '"'));
    quoted.is_some_and(|pattern| pattern_to_operator(pattern, true).is_some())
}

/// Returns whether a text has a field of a variable, or its label.
pub fn mentions_variable(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(|c| c.is_alphanumeric() || "_.\"'".contains(c))
            && after.is_some_and(|c| ".:)".contains(c))
    })
}

/// Removes a variable before its fields, and converts `n:Label` and `id(n)`.
pub fn without_prefix(text: &str, name: &str) -> String {
    let text = text.replace(&format!("id({name})"), "id").replace(&format!("type({name})"), "type");
    if let Some(label) = text.strip_prefix(&format!("{name}:")) {
        return format!("type = \"{label}\"");
    }
    let prefix = format!("{name}.");
    let (mut out, mut rest, mut previous) = (String::new(), text.as_str(), ' ');
    let mut quote = None;
    while let Some(character) = rest.chars().next() {
        let is_start = quote.is_none() && !(previous.is_alphanumeric() || "_.".contains(previous));
        if let Some(after) = rest.strip_prefix(&prefix).filter(|_| is_start) {
            (rest, previous) = (after, '.');
            continue;
        }
        // Strings stay as written.
        if quote == Some(character) {
            quote = None;
        } else if quote.is_none() && "'\"`".contains(character) {
            quote = Some(character);
        }
        out.push(character);
        previous = character;
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
    }
    out
}
