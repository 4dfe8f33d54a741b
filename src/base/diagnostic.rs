//! Diagnostics: errors in data with help to fix them, in one format for all parts.

use super::span::Span;
use std::borrow::Cow;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input was rejected.
    Error,
    /// The input was accepted, but probably has another effect than intended.
    Warning,
    /// Additional information.
    Info,
}

/// Stable code of one kind of diagnostic. Codes are listed in `docs/diagnostic-codes.md` and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Identifier, as in `HAM002`.
    pub id: &'static str,
    /// Severity of all diagnostics with this code.
    pub severity: Severity,
}

impl Code {
    /// Returns a code for errors.
    pub const fn error(id: &'static str) -> Code {
        Code { id, severity: Severity::Error }
    }

    /// Returns a code for warnings.
    pub const fn warning(id: &'static str) -> Code {
        Code { id, severity: Severity::Warning }
    }

    /// Returns a code for information.
    pub const fn info(id: &'static str) -> Code {
        Code { id, severity: Severity::Info }
    }
}

/// Location of an error in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// Byte offsets in the input text.
    Span(Span),
    /// JSON pointer (RFC 6901) in the input value.
    Pointer(String),
}

/// A diagnostic. The message is one lower-case line without a full stop, with the author's text in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Code of this kind of diagnostic.
    pub code: Code,
    /// Description of the error.
    pub message: String,
    /// Instruction that fixes it.
    pub help: Option<String>,
    /// Location in the input.
    pub location: Option<Location>,
}

impl Diagnostic {
    /// Returns a diagnostic without help and location.
    pub fn new<'a>(code: Code, message: impl Into<Cow<'a, str>>) -> Diagnostic {
        Diagnostic::plain(code, message.into())
    }

    // Cold and not inlined, because they have hundreds of callers.
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

    /// Sets the help.
    pub fn help<'a>(self, help: impl Into<Cow<'a, str>>) -> Diagnostic {
        self.with_help(help.into())
    }

    /// Sets the location to byte offsets of the text.
    pub fn at(self, span: Span) -> Diagnostic {
        self.with_location(Location::Span(span))
    }

    /// Sets the location to a JSON pointer.
    pub fn at_pointer(self, pointer: impl Into<String>) -> Diagnostic {
        self.with_location(Location::Pointer(pointer.into()))
    }

    /// Returns its byte offsets, if it has any.
    pub fn span(&self) -> Option<Span> {
        match &self.location {
            Some(Location::Span(span)) => Some(*span),
            _ => None,
        }
    }

    /// Returns whether it is an error.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}

/// Maximum number of diagnostics that are reported for one message.
pub const MAX_REPORTED_DIAGNOSTICS: usize = 100;

/// Maximum number of diagnostics that are stored while a message is parsed, because a short error may be repeated
/// millions of times.
const MAX_STORED_DIAGNOSTICS: usize = 100_000;

/// Collector of the diagnostics of one text.
pub trait DiagnosticSink {
    /// Adds a diagnostic up to the limit, and always the first error, because an error means that the text is
    /// rejected.
    fn report(&mut self, diagnostic: Diagnostic);
}

impl DiagnosticSink for Vec<Diagnostic> {
    fn report(&mut self, diagnostic: Diagnostic) {
        let is_first = || diagnostic.is_error() && !self.last().is_some_and(Diagnostic::is_error);
        if self.len() < MAX_STORED_DIAGNOSTICS || is_first() {
            self.push(diagnostic);
        }
    }
}

/// Number of omitted diagnostics.
pub const OMITTED_DIAGNOSTICS: Code = Code::info("JSON014");

/// Returns the first diagnostics and the number of omitted ones. If some are omitted, errors are first.
pub fn limit_diagnostics(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = diagnostics.len().saturating_sub(MAX_REPORTED_DIAGNOSTICS);
    // The list may be truncated already.
    if more == 0 || diagnostics.last().is_some_and(|last| last.code == OMITTED_DIAGNOSTICS) {
        return diagnostics;
    }
    let (mut reported, others): (Vec<_>, Vec<_>) =
        diagnostics.drain(..).partition(Diagnostic::is_error);
    reported.extend(others);
    let least = if reported.len() < MAX_STORED_DIAGNOSTICS { "" } else { "at least " };
    reported.truncate(MAX_REPORTED_DIAGNOSTICS);
    reported.push(
        Diagnostic::new(
            OMITTED_DIAGNOSTICS,
            format!("{least}{more} more diagnostics are left out"),
        )
        .help("fix these first"),
    );
    reported
}

/// Maximum number of characters of quoted text in a message.
const MAX_QUOTED_CHARS: usize = 60;

/// Returns text in backticks on one line, truncated after [`MAX_QUOTED_CHARS`] characters.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("`");
    for (index, character) in text.chars().enumerate() {
        if index == MAX_QUOTED_CHARS {
            quoted.push('…');
            break;
        }
        match character {
            // Line terminators of JavaScript.
            '\u{2028}' | '\u{2029}' => quoted.extend(character.escape_unicode()),
            _ if character.is_control() => quoted.extend(character.escape_default()),
            _ => quoted.push(character),
        }
    }
    quoted.push('`');
    quoted
}
