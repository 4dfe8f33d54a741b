//! Rules that all diagnostics follow.

use byname::base::{Diagnostic, Location};

/// Checks the form of diagnostics of a text of `length` bytes.
pub fn check(diagnostics: &[Diagnostic], length: usize) {
    for diagnostic in diagnostics {
        let Diagnostic { message, help, location, .. } = diagnostic;
        assert!(!message.is_empty() && !message.contains('\n'), "{diagnostic:?}");
        assert!(
            !diagnostic.is_error() || help.as_ref().is_some_and(|help| !help.is_empty()),
            "{diagnostic:?}"
        );
        if let Some(Location::Span(span)) = location {
            assert!(
                span.start <= span.end && span.end <= length,
                "outside of the text: {diagnostic:?}"
            );
        }
    }
}
