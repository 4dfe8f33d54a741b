//! `${path}` in texts.

use super::ast::{Part, Template};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;

/// Reads the bindings of a text whose escapes are resolved. `$${` is `${` itself. Whatever is
/// wrong is told at `span`, the place of the whole text.
pub fn read(text: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Template {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(dollar) = rest.find("${") {
        let (before, from) = rest.split_at(dollar);
        let inside = from.get(2..).unwrap_or_default();
        if let Some(before) = before.strip_suffix('$') {
            plain.push_str(before);
            plain.push_str("${");
            rest = inside;
            continue;
        }
        plain.push_str(before);
        let Some((path, after)) = inside.split_once('}') else {
            diagnostics.push(unclosed(span));
            rest = "";
            break;
        };
        match steps(path) {
            Some(steps) => {
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                parts.push(Part::Binding(steps));
            }
            None => diagnostics.push(malformed(path, span)),
        }
        rest = after;
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Template { parts, span }
}

/// The steps of a path, `a.b.c`; nothing where a step is empty.
pub fn steps(path: &str) -> Option<Vec<String>> {
    let steps: Vec<String> = path.split('.').map(|step| step.trim().to_owned()).collect();
    let fine = |step: &String| {
        !step.is_empty() && !step.contains(|c: char| c.is_control() || "{}$\"'`".contains(c))
    };
    steps.iter().all(fine).then_some(steps)
}

/// For a `${` without its `}`.
pub fn unclosed(span: Span) -> Diagnostic {
    Diagnostic::new(codes::UNCLOSED, "`${` is not closed")
        .help("write `${name}`, or `$${` for the signs themselves")
        .at(span)
}

/// For a `${…}` that is no path.
pub fn malformed(path: &str, span: Span) -> Diagnostic {
    let message = format!("{} is no name of a variable", quote(&format!("${{{path}}}")));
    Diagnostic::new(codes::BAD_BINDING, message)
        .help("write `${name}` or `${name.field}`, or `$${` for the signs themselves")
        .at(span)
}

/// Appends the text as it stands between quotes, escapes and all.
pub fn write(template: &Template, out: &mut String) {
    for part in &template.parts {
        match part {
            Part::Text(text) => write_plain(text, out),
            Part::Binding(steps) => {
                out.push_str(&format!("${{{}}}", steps.join(".").replace('\\', "\\\\")));
            }
        }
    }
}

fn write_plain(text: &str, out: &mut String) {
    for character in text.replace("${", "$${").chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => out.push(character),
        }
    }
}
