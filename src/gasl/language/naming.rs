//! The names of variables and of keys of the state.

use super::ast::Path;
use super::lexer::is_mark;
use super::parser::{Parser, is_reserved};
use super::printer::{field as print_field, print_path};
use super::template;
use super::token::{Kind, Token};
use crate::base::diagnostic::quote;
use crate::base::json::number_of;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;

/// Names longer than this are no names.
const LONGEST_NAME: usize = 128;

/// What a model writes behind the name of a result, and belongs to the command.
const AFTER_NAME: [&str; 8] = ["DEPTH", "ASC", "DESC", "OF", "ORDER", "SORT", "GROUP", "FROM"];

impl Parser<'_> {
    /// `path = name { "." name }`: a variable, or a key of the state.
    pub(super) fn expect_path(&mut self, what: &str) -> Option<Path> {
        let span = self.here();
        let steps = match self.peek() {
            Some(Kind::Binding(steps)) => Some(steps.clone()),
            Some(Kind::Quoted(name)) => Some(vec![name.clone()]),
            Some(Kind::Text(text)) => text.as_plain().and_then(template::steps),
            Some(Kind::Word(word)) if !is_reserved(word) => template::steps(word),
            _ => None,
        };
        let Some(steps) = steps else {
            self.expecting(what);
            let reserved = self.peek_word().filter(|word| is_reserved(word)).map(str::to_owned);
            self.unexpected();
            if let (Some(word), Some(last)) = (reserved, self.diagnostics.last_mut()) {
                let help = format!("`{word}` is a word of the language: write {what} here");
                last.help = Some(help);
            }
            return None;
        };
        self.advance();
        if let Some(name) = self.text_at(span).strip_suffix(':').map(str::to_owned) {
            let message = "a name does not end with `:`";
            self.tell(Diagnostic::new(codes::BAD_NAME, message).help("leave it out"), span);
            self.fix(span, name);
        }
        // Further steps may be places of a list; the first is a name.
        let number = steps.first().filter(|first| number_of(first).is_some());
        if let Some(bad) = steps.iter().find(|step| !is_name(step)).or(number) {
            self.tell(bad_name(bad), span);
        }
        Some(Path { steps, span })
    }

    /// `name`, as behind `AS`.
    pub(super) fn expect_name(&mut self, what: &str) -> Option<String> {
        let path = self.expect_path(what)?;
        if let [name] = path.steps.as_slice() {
            return Some(name.clone());
        }
        let text = path.text();
        let plain = text.replace('.', "_");
        let message = format!("{} is a path, and this is the name of a variable", quote(&text));
        let help = format!("write `{plain}` here, and `UPDATE {text} WITH {plain}` to keep it");
        self.tell(Diagnostic::new(codes::BAD_NAME, message).help(help), path.span);
        self.fix(path.span, plain);
        None
    }

    /// `"AS" name`, the end of most commands.
    pub(super) fn expect_output(&mut self, likely: &str) -> Option<String> {
        let told = self.diagnostics.len();
        if !self.at_keyword("AS") && self.refuse_before_output() {
            return None;
        }
        if self.expect_keyword("AS").is_none() {
            // At the end of the command, what is missing can only be this.
            if self.diagnostics.len() == told + 1 && self.found().is_none() {
                let end = self.last_end();
                self.fix(Span::new(end, end), format!(" AS {likely}"));
            }
            return None;
        }
        let name = self.expect_name("the name of a variable")?;
        self.refuse_more_of_name();
        Some(name)
    }

    /// `AS my people` is two words where a name is one.
    fn refuse_more_of_name(&mut self) {
        let first = self.last_span();
        while let Some(Token { kind: Kind::Word(word), first: false, .. }) = self.token()
            && !is_reserved(word)
            && !AFTER_NAME.iter().any(|part| part.eq_ignore_ascii_case(word))
            && self.command_word().is_none()
            && !self.at_foreign_clause(0)
        {
            self.advance();
        }
        let span = Span::new(first.start, self.last_end());
        if span == first {
            return;
        }
        let text = self.text_at(span).to_owned();
        let message = format!("{} is more than one word", quote(&text));
        let help = "the name of a variable is one word";
        self.tell(Diagnostic::new(codes::BAD_NAME, message).help(help), span);
        self.fix(span, text.split_whitespace().collect::<Vec<_>>().join("_"));
    }

    /// Tells of a field that is called like the figure which would stand beside it.
    pub(super) fn need_apart(
        &mut self,
        by: &str,
        figure: &str,
        input: &Path,
        of: Option<&str>,
        span: Span,
    ) {
        if by != figure {
            return;
        }
        let message = format!("the groups and their `{figure}` would have one name");
        let input = print_path(&input.text());
        // What the function works on is needed too.
        let of =
            of.filter(|of| *of != by).map_or(String::new(), |of| format!(", {}", print_field(of)));
        let help = format!(
            "rename the field first, as in `SELECT {input} FIELDS {figure}:other_{figure}{of} AS renamed`"
        );
        self.tell(Diagnostic::new(codes::BAD_NAME, message).help(help), span);
    }
}

fn is_name(name: &str) -> bool {
    let plain = name.chars().all(|c| c.is_alphanumeric() || is_mark(c) || "_-:/ ".contains(c));
    plain && !name.starts_with('_') && !name.is_empty() && name.len() <= LONGEST_NAME
}

fn bad_name(name: &str) -> Diagnostic {
    let message = format!("{} cannot be a name", quote(name));
    let help = "a name is made of letters, digits, `_` and `-`, is no number, does not begin with `_`, and has at most 128 bytes";
    Diagnostic::new(codes::BAD_NAME, message).help(help)
}
