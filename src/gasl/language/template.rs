//! `${path}` in strings.

use super::ast::{TextPart, TextTemplate};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;

/// Parses the bindings of a string without escapes. `$${` is an escaped `${`. Errors are reported at
/// `span`, the span of the string.
pub fn parse_template(text: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> TextTemplate {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(dollar) = rest.find("${") {
        let (before, from) = rest.split_at(dollar);
        let inside = from.get(2..).unwrap_or_default();
        if let Some(before) = before.strip_suffix('$') {
            literal.push_str(before);
            literal.push_str("${");
            rest = inside;
            continue;
        }
        literal.push_str(before);
        let Some((path, after)) = inside.split_once('}') else {
            diagnostics.push(unclosed_binding(span));
            rest = "";
            break;
        };
        match parse_steps(path) {
            Some(steps) => {
                if !literal.is_empty() {
                    parts.push(TextPart::Text(std::mem::take(&mut literal)));
                }
                parts.push(TextPart::Binding(steps));
            }
            None => diagnostics.push(invalid_binding(path, span)),
        }
        rest = after;
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        parts.push(TextPart::Text(literal));
    }
    TextTemplate { parts, span }
}

/// Parses a path like `a.b.c`; returns `None` if a step is empty or invalid.
pub fn parse_steps(path: &str) -> Option<Vec<String>> {
    let steps: Vec<String> = path.split('.').map(|step| step.trim().to_owned()).collect();
    let is_valid = |step: &String| {
        !step.is_empty() && !step.contains(|c: char| c.is_control() || "{}$\"'`".contains(c))
    };
    steps.iter().all(is_valid).then_some(steps)
}

pub fn unclosed_binding(span: Span) -> Diagnostic {
    Diagnostic::new(codes::UNCLOSED, "unclosed `${`")
        .help("write `${name}`, or `$${` for a literal `${`")
        .at(span)
}

pub fn invalid_binding(path: &str, span: Span) -> Diagnostic {
    let message = format!("invalid variable path {}", quote(&format!("${{{path}}}")));
    Diagnostic::new(codes::BAD_BINDING, message)
        .help("write `${name}` or `${name.field}`, or `$${` for a literal `${`")
        .at(span)
}

/// Appends the string with escapes, without its quotes.
pub fn write_template(template: &TextTemplate, out: &mut String) {
    for part in &template.parts {
        match part {
            TextPart::Text(text) => write_escaped(text, out),
            TextPart::Binding(steps) => {
                out.push_str(&format!("${{{}}}", steps.join(".").replace('\\', "\\\\")));
            }
        }
    }
}

fn write_escaped(text: &str, out: &mut String) {
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
