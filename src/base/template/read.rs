//! Parser of templates.

use super::options::{OptionTexts, parse_option, split_options};
use super::steps::{
    MAX_NAME_PREFIXES, parse_braced_path, parse_known_path, quote_keys_with_blanks,
};
use super::{
    Choice, ChoiceOption, MALFORMED, PathStep, Reference, Template, TemplatePart, UNUSED_BRACKETS,
};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use std::mem;

impl Template {
    /// Parses a template. `is_known` reports whether a name is defined; an undefined name becomes a reference
    /// too, and the caller reports it when it resolves the template.
    pub fn read(text: &str, is_known: &dyn Fn(&str) -> bool) -> (Template, Vec<Diagnostic>) {
        let mut reading = TemplateParser {
            rest: text,
            literal_text: String::new(),
            parts: Vec::new(),
            diagnostics: Vec::new(),
            closed: true,
            quotes_closed: true,
        };
        while reading.next(is_known) {}
        reading.finish()
    }
}

struct TemplateParser<'a> {
    rest: &'a str,
    literal_text: String,
    parts: Vec<TemplatePart>,
    diagnostics: Vec<Diagnostic>,
    /// Whether the rest contains `}`, as far as known.
    closed: bool,
    /// Whether every quote so far was closed. After one that is not, no more are read, so that the time stays
    /// linear.
    quotes_closed: bool,
}

impl<'a> TemplateParser<'a> {
    /// Parses up to and including the next dollar sign or reference. Returns false at the end.
    fn next(&mut self, is_known: &dyn Fn(&str) -> bool) -> bool {
        let Some((before, after)) = self.rest.split_once('$') else { return false };
        self.literal_text.push_str(before);
        self.rest = after;
        if let Some(rest) = after.strip_prefix('$') {
            self.literal_text.push('$');
            self.rest = rest;
        } else if let Some(inside) = after.strip_prefix('{') {
            self.parse_braced(inside, is_known);
        } else {
            self.parse_unbraced(after, is_known);
        }
        true
    }

    fn parse_braced(&mut self, inside: &'a str, is_known: &dyn Fn(&str) -> bool) {
        let closed = if self.closed { inside.split_once('}') } else { None };
        let Some((path, rest)) = closed else {
            // Later ones are not closed either, so one diagnostic is enough.
            if mem::take(&mut self.closed) {
                self.report_malformed("unclosed `${`");
            }
            self.literal_text.push_str("${");
            self.rest = inside;
            return;
        };
        if let Some((name, path_steps)) = parse_known_path(path, is_known) {
            self.rest = rest;
            return self.push_reference(name, path_steps, format!("${{{path}}}"));
        }
        if path.contains(['"', '\'']) || path.contains("??") {
            return self.parse_options(inside, is_known);
        }
        self.rest = rest;
        match parse_braced_path(path) {
            Some((name, path_steps)) => {
                self.push_reference(name, path_steps, format!("${{{path}}}"))
            }
            None => self.report_invalid(path),
        }
    }

    /// Parses references and literals in braces, separated by `??`; their quotes may contain braces.
    fn parse_options(&mut self, inside: &'a str, is_known: &dyn Fn(&str) -> bool) {
        let split = if self.quotes_closed { split_options(inside) } else { None };
        let Some(OptionTexts { texts, length }) = split else {
            if mem::take(&mut self.quotes_closed) {
                self.report_malformed("unclosed quote in `${`");
            }
            self.literal_text.push_str("${");
            self.rest = inside;
            return;
        };
        self.rest = inside.get(length + 1..).unwrap_or_default();
        let written = inside.get(..length).unwrap_or_default();
        let options = texts.into_iter().map(|text| parse_option(text, is_known));
        let options: Option<Vec<ChoiceOption>> = options.collect();
        let text = format!("${{{written}}}");
        match options.as_deref() {
            Some([ChoiceOption::Reference(Reference { name, path, .. })]) => {
                self.push_reference(name.clone(), path.clone(), text);
            }
            None | Some([_]) => self.report_invalid(written),
            Some(options) => {
                let options = options.to_vec();
                self.push_part(TemplatePart::Choice(Choice { options, text }));
            }
        }
    }

    /// Reports a text in braces that is not a reference, and keeps it.
    fn report_invalid(&mut self, path: &str) {
        let message = format!("invalid name {}", quote(&format!("${{{path}}}")));
        let help = quote_keys_with_blanks(path).map_or_else(
            || REFERENCE_HELP.to_owned(),
            |form| format!("write {}, or `$$` for a dollar sign", quote(&format!("${{{form}}}"))),
        );
        self.diagnostics.push(Diagnostic::new(MALFORMED, message).help(help));
        self.literal_text.push_str(&format!("${{{path}}}"));
    }

    fn report_malformed(&mut self, message: &str) {
        self.diagnostics.push(Diagnostic::new(MALFORMED, message).help(REFERENCE_HELP));
    }

    fn parse_unbraced(&mut self, after: &'a str, is_known: &dyn Fn(&str) -> bool) {
        let known = known_name_prefix(after, is_known);
        let run = after.split(|c: char| !is_name(c)).next().unwrap_or_default();
        // `$5` is an amount of money.
        if known.is_none() && !run.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.literal_text.push('$');
            return;
        }
        let name = known.unwrap_or_else(|| run.trim_end_matches('-'));
        let rest = after.get(name.len()..).unwrap_or_default();
        let (path, length) = parse_unbraced_path(rest);
        let following = rest.get(length..).unwrap_or_default();
        // The first half of an e-mail address is not a reference.
        let address =
            following.strip_prefix('@').is_some_and(|host| host.starts_with(char::is_alphanumeric));
        if known.is_none() && address {
            self.literal_text.push('$');
            return;
        }
        let text = format!("${}", after.get(..name.len() + length).unwrap_or_default());
        if known.is_some() {
            self.diagnostics.extend(bracket_warning(&text, following));
        }
        self.rest = following;
        self.push_reference(name.to_owned(), path, text);
    }

    fn push_reference(&mut self, name: String, path: Vec<PathStep>, text: String) {
        self.push_part(TemplatePart::Reference(Reference { name, path, text }));
    }

    fn push_part(&mut self, part: TemplatePart) {
        if !self.literal_text.is_empty() {
            self.parts.push(TemplatePart::Text(mem::take(&mut self.literal_text)));
        }
        self.parts.push(part);
    }

    fn finish(mut self) -> (Template, Vec<Diagnostic>) {
        self.literal_text.push_str(self.rest);
        if !self.literal_text.is_empty() {
            self.parts.push(TemplatePart::Text(self.literal_text));
        }
        (Template { parts: self.parts }, self.diagnostics)
    }
}

/// Help for a malformed reference.
const REFERENCE_HELP: &str = "write `${name}` or `${name.path[0]}`, or `$$` for a dollar sign";

/// Returns the longest defined name at the start of a text. Node names may contain dots and slashes and begin with
/// a digit; a number alone is an amount of money.
fn known_name_prefix<'a>(text: &'a str, is_known: &dyn Fn(&str) -> bool) -> Option<&'a str> {
    let run = text.split(|c: char| !is_name(c) && !"./:".contains(c)).next().unwrap_or_default();
    let ends = run.match_indices(['-', '.', '/', ':']).map(|(end, _)| end).take(MAX_NAME_PREFIXES);
    let ends = ends.chain([run.len()]);
    let names = ends.filter_map(|end| run.get(..end));
    names.filter(|name| name.contains(|c: char| !c.is_numeric()) && is_known(name)).last()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Parses `.path.to` after a name without braces. Returns it with its length in bytes. A dot without a name after it
/// ends a sentence.
fn parse_unbraced_path(rest: &str) -> (Vec<PathStep>, usize) {
    let mut path = Vec::new();
    let mut length = 0;
    loop {
        let Some(after) = rest.get(length..).and_then(|rest| rest.strip_prefix('.')) else {
            return (path, length);
        };
        let step = after.split(|c: char| !is_name(c)).next().unwrap_or_default();
        let step = step.trim_end_matches('-');
        if step.is_empty() {
            return (path, length);
        }
        path.push(PathStep::Key(step.to_owned()));
        length += 1 + step.len();
    }
}

/// Returns the warning for `[0]` after a reference without braces, if there is one.
fn bracket_warning(reference: &str, rest: &str) -> Option<Diagnostic> {
    let inside = rest.strip_prefix('[')?;
    let index = inside.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let after = inside.get(index.len()..)?.strip_prefix(']').filter(|_| !index.is_empty())?;
    let (_, length) = parse_unbraced_path(after);
    let path = rest.get(..index.len() + 2 + length).unwrap_or_default();
    let name = reference.trim_start_matches('$');
    let message = format!("{} after {} stays as text", quote(path), quote(reference));
    let help = format!("write `${{{name}{path}}}`, or `${{{name}}}{path}` for this text");
    Some(Diagnostic::new(UNUSED_BRACKETS, message).help(help))
}
