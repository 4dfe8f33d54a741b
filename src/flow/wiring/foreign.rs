//! Templates in the syntax of another system: `{{x | f}}`, `{{#x#}}`, `$.x`, `$(x)`, `<%x%>`, `%{x}` and
//! `<<x>>`; and templates in object keys. None of them is interpolated.

use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::template::Template;
use crate::base::{Diagnostic, Value};
use crate::flow::codes;
use std::fmt::Display;

/// Opening and closing marks. `$.` ends where the path does.
const TEMPLATE_MARKS: [(&str, &str); 7] = [
    ("{{#", "#}}"),
    ("{{", "}}"),
    ("$.", ""),
    ("$(", ")"),
    ("<%", "%>"),
    ("%{", "}"),
    ("<<", ">>"),
];

/// Maximum length of a foreign template in bytes, so that the search takes linear time.
const MAX_TEMPLATE_BYTES: usize = 400;

/// Returns whether a text is the name of a value.
type IsKnownName<'a> = &'a dyn Fn(&str) -> bool;

/// Returns the corrected path for a path in another language, or `None` if it names nothing of the workflow.
type PathCorrection<'a> = &'a dyn Fn(&[&str]) -> Option<String>;

/// Returns a warning for each foreign template that names something of the workflow, once per text, and for
/// each template in a key.
pub fn warn_foreign_templates(
    value: &Value,
    at: &dyn Display,
    is_known: IsKnownName<'_>,
    correct: PathCorrection<'_>,
) -> Vec<Diagnostic> {
    let mut search =
        ForeignSearch { is_known, correct, at: String::new(), diagnostics: Vec::new() };
    if is_suspicious(value) {
        search.at = at.to_string();
        search.search(value);
    }
    search.diagnostics
}

/// Returns whether any text or key of a value may contain a foreign template, or any key a template.
fn is_suspicious(value: &Value) -> bool {
    match value {
        Value::Text(text) => has_mark(text),
        Value::List(items) => items.iter().any(is_suspicious),
        Value::Map(map) => map
            .iter()
            .any(|(key, value)| key.contains('$') || has_mark(key) || is_suspicious(value)),
        _ => false,
    }
}

fn has_mark(text: &str) -> bool {
    let pairs = &mut text.as_bytes().windows(2);
    pairs.any(|pair| matches!(pair, b"{{" | b"$." | b"$(" | b"<%" | b"%{" | b"<<"))
}

struct ForeignSearch<'a> {
    is_known: IsKnownName<'a>,
    correct: PathCorrection<'a>,
    /// JSON pointer of the current value.
    at: String,
    diagnostics: Vec<Diagnostic>,
}

impl ForeignSearch<'_> {
    /// Searches a value. The depth of the parsed JSON bounds the recursion.
    fn search(&mut self, value: &Value) {
        let outer = self.at.len();
        match value {
            Value::Text(text) => self.search_text(text),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.at.push_str(&format!("/{index}"));
                    self.search(item);
                    self.at.truncate(outer);
                }
            }
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    self.at.extend(["/", &escape_pointer_step(key)]);
                    self.search_key(key);
                    self.search(value);
                    self.at.truncate(outer);
                }
            }
            _ => {}
        }
    }

    fn search_text(&mut self, text: &str) {
        let start = self.diagnostics.len();
        for (written, inside) in foreign_templates(text) {
            let Some(corrected) = self.correct_template(written, inside) else { continue };
            let message = foreign_template_message(written);
            if self.diagnostics.iter().skip(start).all(|one| one.message != message) {
                let help = format!("write {}", quote(&corrected));
                let warning = Diagnostic::new(codes::FOREIGN_TEMPLATE, message).help(help);
                self.diagnostics.push(warning.at_pointer(self.at.as_str()));
            }
        }
    }

    fn search_key(&mut self, key: &str) {
        let reference = || {
            let (template, _) = Template::read(key, self.is_known);
            let mut references = template.references().filter(|one| (self.is_known)(&one.name));
            references.next().map(|one| one.text.clone())
        };
        let foreign = || {
            foreign_templates(key)
                .find_map(|(written, inside)| self.correct_template(written, inside))
        };
        let corrected = if key.contains('$') { reference() } else { None };
        let Some(corrected) = corrected.or_else(foreign) else { return };
        let message = format!("the key {} is plain text and is not interpolated", quote(key));
        let help = format!("move {} into a value; keys are fixed", quote(&corrected));
        let warning = Diagnostic::new(codes::FOREIGN_TEMPLATE, message).help(help);
        self.diagnostics.push(warning.at_pointer(self.at.as_str()));
    }

    /// Returns the corrected form of a foreign template, or `None` if it is text. A name in two
    /// braces has a separate warning, so it is `None` too.
    fn correct_template(&self, written: &str, inside: &str) -> Option<String> {
        let is_plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
        let trimmed = inside.trim();
        if written.starts_with("{{") && !written.starts_with("{{#") && (self.is_known)(trimmed) {
            return None;
        }
        if is_plain(trimmed) && (self.is_known)(trimmed) {
            return Some(format!("${{{trimmed}}}"));
        }
        let is_step = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let path: Vec<&str> =
            inside.split(|c| !is_step(c)).filter(|step| !step.is_empty()).collect();
        // A filter is not part of the path.
        let end = inside.find('|').map_or(path.len(), |bar| {
            let before = inside.get(..bar).unwrap_or_default();
            before.split(|c| !is_step(c)).filter(|step| !step.is_empty()).count()
        });
        let path = path.get(..end)?;
        (self.correct)(path).map(|path| format!("${{{path}}}"))
    }
}

fn foreign_template_message(written: &str) -> String {
    format!("{} is a template of another system and is not interpolated", quote(written))
}

/// Iterates over the foreign templates of a text, each with the part between its marks.
fn foreign_templates(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let next = rest.find(['{', '$', '<', '%'])?;
            let (start, rest) = (at + next, rest.get(next..)?);
            let before = text.get(..start)?;
            let found = TEMPLATE_MARKS.iter().find(|(open, _)| rest.starts_with(open));
            let follows_dollar = before.ends_with('$');
            let found = found.filter(|_| !follows_dollar).and_then(|(open, close)| {
                let inside = rest.get(open.len()..)?;
                let length = inside_length(inside, close)?;
                let written = rest.get(..open.len() + length + close.len())?;
                Some((written, inside.get(..length)?))
            });
            match found {
                Some((written, inside)) => {
                    at = start + written.len();
                    return Some((written, inside));
                }
                None => at = start + 1,
            }
        }
    })
}

/// Returns the number of bytes before the closing mark; of a path without one, the length of the path.
fn inside_length(inside: &str, close: &str) -> Option<usize> {
    if close.is_empty() {
        let path = inside.split(|c: char| !c.is_alphanumeric() && !"_-.".contains(c)).next()?;
        let length = path.trim_end_matches(['.', '-']).len();
        return (length > 0).then_some(length);
    }
    let mut end = inside.len().min(MAX_TEMPLATE_BYTES);
    while !inside.is_char_boundary(end) {
        end -= 1;
    }
    inside.get(..end)?.find(close)
}

#[cfg(test)]
mod tests {
    use super::foreign_templates;

    #[test]
    fn finds_templates_of_other_systems() {
        let found = |text| -> Vec<&str> {
            foreign_templates(text).map(|(_, inside)| inside).collect::<Vec<_>>()
        };
        assert_eq!(
            found("{{a|b}} {{#c#}} $.d.e. $(f) <%= g %> %{h} <<i>>"),
            ["a|b", "c", "d.e", "f", "= g ", "h", "i"]
        );
        assert_eq!(found("$$.a ${b} {c} $5 {{d <e>> f("), [""; 0]);
        assert_eq!(found(&format!("{{{{{}}}}}", "x".repeat(500))), [""; 0]);
    }
}
