//! The one shape in which every part says what is wrong with data and how to mend it.

use super::span::Span;
use std::borrow::Cow;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing was done.
    Error,
    /// It was done, but probably not as meant.
    Warning,
    /// Worth knowing.
    Info,
}

/// A stable name for one kind of diagnostic. Codes are listed in `docs/diagnostic-codes.md` and
/// never used again for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// As in `HAM002`.
    pub id: &'static str,
    /// Every diagnostic of one code is equally bad.
    pub severity: Severity,
}

impl Code {
    /// A code whose diagnostics mean that nothing was done.
    pub const fn error(id: &'static str) -> Code {
        Code { id, severity: Severity::Error }
    }

    /// A code whose diagnostics doubt that what was done was meant.
    pub const fn warning(id: &'static str) -> Code {
        Code { id, severity: Severity::Warning }
    }

    /// A code whose diagnostics only inform.
    pub const fn info(id: &'static str) -> Code {
        Code { id, severity: Severity::Info }
    }
}

/// Where the fault is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// Bytes of the text that was given.
    Span(Span),
    /// A JSON pointer (RFC 6901) into the value that was given.
    Pointer(String),
}

/// One fault. The message is lower case, one line, without a full stop, with the author's text in
/// backticks; what to do about it stands in `help`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of fault.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Where.
    pub location: Option<Location>,
}

impl Diagnostic {
    /// A diagnostic that has no help and no place yet.
    pub fn new<'a>(code: Code, message: impl Into<Cow<'a, str>>) -> Diagnostic {
        Diagnostic::plain(code, message.into())
    }

    // Hundreds of places call these four; none is in a hurry.
    #[cold]
    #[inline(never)]
    fn plain(code: Code, message: Cow<'_, str>) -> Diagnostic {
        Diagnostic { code, message: message.into_owned(), help: None, location: None }
    }

    #[cold]
    #[inline(never)]
    fn with_help(self, help: Cow<'_, str>) -> Diagnostic {
        Diagnostic { help: Some(help.into_owned()), ..self }
    }

    #[cold]
    #[inline(never)]
    fn with_location(self, location: Location) -> Diagnostic {
        Diagnostic { location: Some(location), ..self }
    }

    /// The same, with what to do about it.
    pub fn help<'a>(self, help: impl Into<Cow<'a, str>>) -> Diagnostic {
        self.with_help(help.into())
    }

    /// The same, at bytes of the text.
    pub fn at(self, span: Span) -> Diagnostic {
        self.with_location(Location::Span(span))
    }

    /// The same, at a JSON pointer.
    pub fn at_pointer(self, pointer: impl Into<String>) -> Diagnostic {
        self.with_location(Location::Pointer(pointer.into()))
    }

    /// The place in the text that it names, if it names one.
    pub fn span(&self) -> Option<Span> {
        match &self.location {
            Some(Location::Span(span)) => Some(*span),
            _ => None,
        }
    }

    /// Whether nothing was done because of it.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}

/// At most this many diagnostics of one message are told; more would not be read.
const TOLD: usize = 100;

/// So many are kept until all of a message is read; further ones are not counted, for a short fault that comes
/// millions of times would take more memory than there is.
const COUNTED: usize = 100_000;

/// Where diagnostics of many parts of one text come together.
pub trait DiagnosticSink {
    /// Adds one, as long as they are counted. One error is added in any case: it says that nothing is applied.
    fn report(&mut self, told: Diagnostic);
}

impl DiagnosticSink for Vec<Diagnostic> {
    fn report(&mut self, told: Diagnostic) {
        let is_first = || told.is_error() && !self.last().is_some_and(Diagnostic::is_error);
        if self.len() < COUNTED || is_first() {
            self.push(told);
        }
    }
}

/// How many diagnostics were left out.
pub const MORE: Code = Code::info("JSON014");

/// The first diagnostics, errors before others where some have to be left out, and how many more
/// there are.
pub fn first_of(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = diagnostics.len().saturating_sub(TOLD);
    // Those that were counted once are not counted again.
    if more == 0 || diagnostics.last().is_some_and(|last| last.code == MORE) {
        return diagnostics;
    }
    let (mut told, others): (Vec<_>, Vec<_>) =
        diagnostics.drain(..).partition(Diagnostic::is_error);
    told.extend(others);
    let least = if told.len() < COUNTED { "" } else { "at least " };
    told.truncate(TOLD);
    told.push(
        Diagnostic::new(MORE, format!("{least}{more} more diagnostics are left out"))
            .help("mend these first"),
    );
    told
}

/// The most characters of the author's text that a message repeats.
const QUOTED: usize = 60;

/// The author's text in backticks and on one line, cut where it is long.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("`");
    for (index, character) in text.chars().enumerate() {
        if index == QUOTED {
            quoted.push('…');
            break;
        }
        match character {
            // Whatever begins a line, in a terminal or in JavaScript.
            '\u{2028}' | '\u{2029}' => quoted.extend(character.escape_unicode()),
            _ if character.is_control() => quoted.extend(character.escape_default()),
            _ => quoted.push(character),
        }
    }
    quoted.push('`');
    quoted
}
