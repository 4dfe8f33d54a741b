//! Templates from texts: which signs are a name and the way below it.

use super::{BRACKETS, MALFORMED, Part, Reference, Step, Template};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use std::mem;

impl Template {
    /// Parses a template. `is_known` reports whether a name is defined; an undefined name becomes a reference
    /// too, and the caller reports it when it resolves the template.
    pub fn read(text: &str, is_known: &dyn Fn(&str) -> bool) -> (Template, Vec<Diagnostic>) {
        let mut reading = Reading {
            rest: text,
            plain: String::new(),
            parts: Vec::new(),
            faults: Vec::new(),
            closed: true,
        };
        while reading.next(is_known) {}
        reading.finish()
    }
}

struct Reading<'a> {
    rest: &'a str,
    plain: String,
    parts: Vec<Part>,
    faults: Vec<Diagnostic>,
    /// Whether a `}` may follow.
    closed: bool,
}

impl<'a> Reading<'a> {
    /// Reads up to and with the next dollar.
    fn next(&mut self, is_known: &dyn Fn(&str) -> bool) -> bool {
        let Some((before, after)) = self.rest.split_once('$') else { return false };
        self.plain.push_str(before);
        self.rest = after;
        if let Some(rest) = after.strip_prefix('$') {
            self.plain.push('$');
            self.rest = rest;
        } else if let Some(inside) = after.strip_prefix('{') {
            self.braced(inside, is_known);
        } else {
            self.bare(after, is_known);
        }
        true
    }

    fn braced(&mut self, inside: &'a str, is_known: &dyn Fn(&str) -> bool) {
        let closed = if self.closed { inside.split_once('}') } else { None };
        let Some((path, rest)) = closed else {
            // Those that follow are not closed either.
            if mem::take(&mut self.closed) {
                self.fault("`${` is not closed");
            }
            self.plain.push_str("${");
            self.rest = inside;
            return;
        };
        self.rest = rest;
        match known_path(path, is_known).or_else(|| braced_path(path)) {
            Some((name, path_steps)) => self.reference(name, path_steps, format!("${{{path}}}")),
            None => {
                self.fault(&format!("{} is no name", quote(&format!("${{{path}}}"))));
                self.plain.push_str(&format!("${{{path}}}"));
            }
        }
    }

    fn fault(&mut self, message: &str) {
        self.faults.push(
            Diagnostic::new(MALFORMED, message)
                .help("write `${name}` or `${name.path[0]}`, or `$$` for a dollar"),
        );
    }

    fn bare(&mut self, after: &'a str, is_known: &dyn Fn(&str) -> bool) {
        let known = known_name(after, is_known);
        let run = after.split(|c: char| !is_name(c)).next().unwrap_or_default();
        // `$5` is money.
        if known.is_none() && !run.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.plain.push('$');
            return;
        }
        let name = known.unwrap_or_else(|| run.trim_end_matches('-'));
        let rest = after.get(name.len()..).unwrap_or_default();
        let (path, length) = bare_path(rest);
        let behind = rest.get(length..).unwrap_or_default();
        // Nobody is called like the first half of an address.
        let address =
            behind.strip_prefix('@').is_some_and(|host| host.starts_with(char::is_alphanumeric));
        if known.is_none() && address {
            self.plain.push('$');
            return;
        }
        let text = format!("${}", after.get(..name.len() + length).unwrap_or_default());
        if known.is_some() {
            self.faults.extend(brackets(&text, behind));
        }
        self.rest = behind;
        self.reference(name.to_owned(), path, text);
    }

    fn reference(&mut self, name: String, path: Vec<Step>, text: String) {
        if !self.plain.is_empty() {
            self.parts.push(Part::Text(mem::take(&mut self.plain)));
        }
        self.parts.push(Part::Reference(Reference { name, path, text }));
    }

    fn finish(mut self) -> (Template, Vec<Diagnostic>) {
        self.plain.push_str(self.rest);
        if !self.plain.is_empty() {
            self.parts.push(Part::Text(self.plain));
        }
        (Template { parts: self.parts }, self.faults)
    }
}

/// With so many of the beginnings of a text a name is looked for. No name has more signs in it that could end it.
const ENDS: usize = 256;

/// The longest name that is known at the beginning of a text. Names of nodes may hold dots and
/// slashes, and begin with a digit; a number by itself is money.
fn known_name<'a>(text: &'a str, is_known: &dyn Fn(&str) -> bool) -> Option<&'a str> {
    let run = text.split(|c: char| !is_name(c) && !"./:".contains(c)).next().unwrap_or_default();
    let ends = run.match_indices(['-', '.', '/', ':']).map(|(end, _)| end).take(ENDS);
    let ends = ends.chain([run.len()]);
    let names = ends.filter_map(|end| run.get(..end));
    names.filter(|name| name.contains(|c: char| !c.is_numeric()) && is_known(name)).last()
}

/// A path in braces whose name is known, whatever signs it holds; the longest such name.
fn known_path(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<(String, Vec<Step>)> {
    let text = text.trim();
    let ends = text.match_indices(['.', '[']).map(|(end, _)| end).take(ENDS).chain([text.len()]);
    let paths = ends.filter_map(|end| {
        let (name, rest) = text.split_at_checked(end).filter(|(name, _)| is_known(name))?;
        Some((name.to_owned(), steps(rest)?))
    });
    paths.last()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// `.path.to` behind a bare name, and its length. A dot without a name behind it ends a sentence.
fn bare_path(rest: &str) -> (Vec<Step>, usize) {
    let mut path = Vec::new();
    let mut length = 0;
    loop {
        let behind = rest.get(length..).unwrap_or_default();
        let Some(after) = behind.strip_prefix('.') else { return (path, length) };
        let step = after.split(|c: char| !is_name(c)).next().unwrap_or_default();
        let step = step.trim_end_matches('-');
        if step.is_empty() {
            return (path, length);
        }
        path.push(Step::Key(step.to_owned()));
        length += 1 + step.len();
    }
}

/// For `[0]` behind a name without braces, with whatever of a path follows it.
fn brackets(reference: &str, behind: &str) -> Option<Diagnostic> {
    let inside = behind.strip_prefix('[')?;
    let index = inside.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let after = inside.get(index.len()..)?.strip_prefix(']').filter(|_| !index.is_empty())?;
    let (_, length) = bare_path(after);
    let path = behind.get(..index.len() + 2 + length).unwrap_or_default();
    let name = reference.trim_start_matches('$');
    let message =
        format!("{} is put in whole, and {} stays as text", quote(reference), quote(path));
    let help = format!("write `${{{name}{path}}}`, or `${{{name}}}{path}` if that is meant");
    Some(Diagnostic::new(BRACKETS, message).help(help))
}

/// `name.path[0]` in braces.
fn braced_path(text: &str) -> Option<(String, Vec<Step>)> {
    let text = text.trim();
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).filter(|(name, _)| is_fine(name))?;
    Some((name.to_owned(), steps(rest)?))
}

fn is_fine(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_control() || "${}[]\"' ".contains(c))
}

/// `.path[0]` behind a name in braces.
fn steps(mut rest: &str) -> Option<Vec<Step>> {
    let mut path = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (step, behind) = after.split_at_checked(end)?;
            path.push(Step::Key(Some(step).filter(|step| is_fine(step))?.to_owned()));
            rest = behind;
        } else {
            let (index, behind) = rest.strip_prefix('[')?.split_once(']')?;
            path.push(Step::Index(index.trim().parse().ok()?));
            rest = behind;
        }
    }
    Some(path)
}
