//! Names in the syntax of another template language, which are not interpolated: `x` alone, `{x}` and
//! `{{x}}`.

use super::texts::each_text;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value};
use crate::flow::codes;
use std::fmt::Display;

/// Returns a warning for each name in braces without a dollar, once per text.
pub fn warn_braced_names(
    value: &Value,
    at: &dyn Display,
    is_known: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    each_text(value, at, '{', &mut |text, at| {
        let start = diagnostics.len();
        for (written, name) in braced_names(text).filter(|(_, name)| is_known(name)) {
            let message = unprefixed_message(written);
            if diagnostics.iter().skip(start).all(|one| one.message != message) {
                diagnostics.push(unprefixed_name(written, name, &at));
            }
        }
    });
    diagnostics
}

fn unprefixed_message(written: &str) -> String {
    format!("{} is plain text and is not interpolated", quote(written))
}

/// Returns a warning for a name that is not interpolated.
pub fn unprefixed_name(written: &str, name: &str, at: &dyn Display) -> Diagnostic {
    let template = quote(&format!("${{{name}}}"));
    Diagnostic::new(codes::UNPREFIXED_NAME, unprefixed_message(written))
        .help(format!("write {template} to insert the value of {}", quote(name)))
        .at_pointer(at.to_string())
}

/// Iterates over names in braces, with and without the braces. Skips braces after a dollar or a word, as in
/// `\text{x}`, and braces of code such as `const {x} = y`; yields empty strings for these.
fn braced_names(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let open = rest.find('{')?;
        let (before, rest) = (text.get(..at + open)?, rest.get(open..)?);
        let brace_length = if rest.starts_with("{{") { 2 } else { 1 };
        let inside = rest.get(brace_length..)?;
        let end = inside.find(['{', '}']).unwrap_or(inside.len());
        let close = if brace_length == 2 { "}}" } else { "}" };
        let is_closed = inside.get(end..)?.starts_with(close);
        let length = brace_length + end + if is_closed { close.len() } else { 0 };
        at += open + length;
        let is_placeholder = is_closed && !is_code(before, text.get(at..)?);
        let name = inside.get(..end)?.trim();
        Some(if is_placeholder { (rest.get(..length)?, name) } else { ("", "") })
    })
}

fn is_code(before: &str, after: &str) -> bool {
    let follows_word = before.ends_with(|c: char| c.is_alphanumeric() || "$%}\\_".contains(c));
    let after = after.trim_start();
    follows_word || after.starts_with('=') || after.starts_with("from ")
}

#[cfg(test)]
mod tests {
    use super::braced_names;

    #[test]
    fn finds_braces_outside_of_templates_and_code() {
        let names = |text| -> Vec<_> {
            braced_names(text).map(|(_, name)| name).filter(|name| !name.is_empty()).collect()
        };
        assert_eq!(names("{a} ${b} {{ c }} {\"d\": {e}} {{f} {"), ["a", "c", "e"]);
        let code = "\\\\text{a} \\\\frac{a}{b} const {c} = d; import {e} from 'x'; f{{g}}";
        assert_eq!(names(code), [""; 0]);
        assert_eq!(braced_names("{{{x}}}").next(), Some(("", "")));
        assert_eq!(braced_names("").next(), None);
        assert_eq!(braced_names("{").next(), Some(("", "")));
    }
}
