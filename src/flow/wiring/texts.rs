//! Texts of a value, and references in them.

use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::template::{self, PathStep, Reference};
use crate::base::{Diagnostic, Value, names};
use crate::flow::workflow::Node;
use std::fmt::Display;

/// Returns the name of an output that is read through its node.
pub fn qualified_name(node: &str, key: &str) -> String {
    format!("{node}.{key}")
}

/// Returns the text of a reference without the dollar sign and the braces.
pub fn path_text(reference: &Reference) -> &str {
    reference.text.trim_start_matches(['$', '{']).trim_end_matches('}')
}

/// Character that every template contains.
pub const DOLLAR: char = '$';

/// Returns whether any text of a value contains a character.
fn contains_character(value: &Value, character: char) -> bool {
    match value {
        Value::Text(text) => text.contains(character),
        Value::List(items) => items.iter().any(|item| contains_character(item, character)),
        Value::Map(map) => map.values().any(|value| contains_character(value, character)),
        _ => false,
    }
}

/// Calls `visit` with each text that contains a character, and its JSON pointer.
pub fn each_text(
    value: &Value,
    at: &dyn Display,
    character: char,
    visit: &mut dyn FnMut(&str, &str),
) {
    if contains_character(value, character) {
        texts_below(value, &mut at.to_string(), character, visit);
    }
}

/// Visits the texts below `at`. The depth of the parsed JSON bounds the recursion. One buffer holds the
/// pointer, because all pointers together could exceed the memory.
fn texts_below(value: &Value, at: &mut String, character: char, visit: &mut dyn FnMut(&str, &str)) {
    let outer = at.len();
    match value {
        Value::Text(text) if text.contains(character) => visit(text, at),
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                texts_below(item, at, character, visit);
                at.truncate(outer);
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                at.extend(["/", &escape_pointer_step(key)]);
                texts_below(value, at, character, visit);
                at.truncate(outer);
            }
        }
        _ => {}
    }
}

/// Calls `visit` with each template of a node, in the order in which they are read.
pub fn node_texts(node: &Node, node_index: usize, visit: &mut dyn FnMut(&str, &str)) {
    if let Some(params) = node.params.templates() {
        each_text(params, &format_args!("/nodes/{node_index}/params"), DOLLAR, visit);
    }
    if let Some(batch) = &node.batch {
        each_text(&batch.items, &format_args!("/nodes/{node_index}/batch/items"), DOLLAR, visit);
    }
}

/// Returns the error for a reference through a node to an unknown output.
pub fn unknown_output<'a, I: Iterator<Item = &'a str>>(
    reference: &Reference,
    node: &str,
    keys: &mut dyn FnMut() -> I,
) -> Diagnostic {
    let message = format!("{} is not an output of {}", quote(&reference.text), quote(node));
    let closest = match reference.path.first() {
        Some(PathStep::Key(key)) => names::closest(key, keys()),
        _ => None,
    };
    let example = |key: &str| quote(&format!("${{{}}}", qualified_name(node, key)));
    let help = match (closest, keys().next()) {
        (Some(closest), _) => format!("did you mean {}?", example(closest)),
        (None, Some(first)) => {
            format!(
                "write {}; outputs of the node: {}",
                example(first),
                names::format_names(keys())
            )
        }
        (None, None) => "write `$$` for a dollar sign; the node has no outputs".to_owned(),
    };
    Diagnostic::new(template::UNKNOWN_NAME, message).help(help)
}
