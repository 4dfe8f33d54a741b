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

/// What stands in braces, with them and without; not behind a dollar.
fn braced(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let open = rest.find('{')?;
        let (before, from) = rest.split_at(open);
        let doubled = if from.starts_with("{{") { 2 } else { 1 };
        let inside = from.get(doubled..)?;
        let end = inside.find(['{', '}']).unwrap_or(inside.len());
        let close = if doubled == 2 { "}}" } else { "}" };
        let closes = !before.ends_with('$') && inside.get(end..)?.starts_with(close);
        let length = doubled + end + if closes { close.len() } else { 0 };
        let (written, behind) = from.split_at(length);
        rest = behind;
        Some(if closes { (written, inside.get(..end)?.trim()) } else { ("", "") })
    })
}

#[cfg(test)]
mod tests {
    use super::braced;

    #[test]
    fn braces_are_found_but_not_those_of_templates() {
        let found: Vec<_> = braced("{a} ${b} {{ c }} {\"d\": {e}} {{f} {").collect();
        let names: Vec<_> =
            found.iter().map(|(_, name)| *name).filter(|name| !name.is_empty()).collect();
        assert_eq!(names, ["a", "c", "e"]);
        assert_eq!(braced("{{{x}}}").next(), Some(("", "")));
        assert_eq!(braced("").next(), None);
        assert_eq!(braced("{").next(), Some(("", "")));
    }
}
