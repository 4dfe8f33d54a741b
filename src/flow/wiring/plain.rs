//! Names that stand in texts as another language would write them, so that nothing is put in for
//! them: `x` alone where a template stands, `{x}` and `{{x}}`.

use super::uses::each_text;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value};
use crate::flow::codes;
use std::fmt::Display;

/// Tells of the names in braces without a dollar, each once for a text.
pub fn doubt_braced(
    value: &Value,
    at: &dyn Display,
    known: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut told: Vec<Diagnostic> = Vec::new();
    each_text(value, at, '{', &mut |text, at| {
        let before = told.len();
        for (written, name) in braced(text).filter(|(_, name)| known(name)) {
            let message = said(written);
            if told.iter().skip(before).all(|one| one.message != message) {
                told.push(doubt(written, name, &at));
            }
        }
    });
    told
}

fn said(written: &str) -> String {
    format!("{} is text: nothing is put in for it", quote(written))
}

/// For a name that is written so and stays text.
pub fn doubt(written: &str, name: &str, at: &dyn Display) -> Diagnostic {
    let template = quote(&format!("${{{name}}}"));
    Diagnostic::new(codes::PLAIN_NAME, said(written))
        .help(format!("write {template} for what {} holds", quote(name)))
        .at_pointer(at.to_string())
}

/// What stands in braces, with them and without, where it is meant to be put in: not behind a dollar
/// or a word, as in `\text{x}`, and not in code such as `const {x} = y`.
fn braced(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = text.get(at..)?;
        let open = from.find('{')?;
        let (before, from) = (text.get(..at + open)?, from.get(open..)?);
        let doubled = if from.starts_with("{{") { 2 } else { 1 };
        let inside = from.get(doubled..)?;
        let end = inside.find(['{', '}']).unwrap_or(inside.len());
        let close = if doubled == 2 { "}}" } else { "}" };
        let closes = inside.get(end..)?.starts_with(close);
        let length = doubled + end + if closes { close.len() } else { 0 };
        at += open + length;
        let is_meant = closes && stands_alone(before, text.get(at..)?);
        let name = inside.get(..end)?.trim();
        Some(if is_meant { (from.get(..length)?, name) } else { ("", "") })
    })
}

fn stands_alone(before: &str, behind: &str) -> bool {
    let follows_word = before.ends_with(|c: char| c.is_alphanumeric() || "$}\\_".contains(c));
    let behind = behind.trim_start();
    !follows_word && !behind.starts_with('=') && !behind.starts_with("from ")
}

#[cfg(test)]
mod tests {
    use super::braced;

    #[test]
    fn braces_are_found_but_not_those_of_templates() {
        let names = |text| -> Vec<_> {
            braced(text).map(|(_, name)| name).filter(|name| !name.is_empty()).collect()
        };
        assert_eq!(names("{a} ${b} {{ c }} {\"d\": {e}} {{f} {"), ["a", "c", "e"]);
        let code = "\\\\text{a} \\\\frac{a}{b} const {c} = d; import {e} from 'x'; f{{g}}";
        assert_eq!(names(code), [""; 0]);
        assert_eq!(braced("{{{x}}}").next(), Some(("", "")));
        assert_eq!(braced("").next(), None);
        assert_eq!(braced("{").next(), Some(("", "")));
    }
}
