//! Corrected lines in the help of diagnostics.

use super::parser::Parser;
use crate::base::{Diagnostic, Location, Span};

/// Maximum length of a command that a help repeats, in bytes.
const MAX_FIXED_LINE_BYTES: usize = 400;

impl Parser<'_> {
    /// Adds a text edit that fixes the last diagnostic.
    pub(super) fn fix(&mut self, span: Span, text: impl Into<String>) {
        if let Some(last) = self.diagnostics.len().checked_sub(1) {
            self.fixes.push((last, span, text.into()));
        }
    }

    /// Returns the diagnostics in order of location. The help of those with a fix contains the
    /// corrected command.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let Parser { text, mut diagnostics, fixes, .. } = self;
        if text.len() > MAX_FIXED_LINE_BYTES {
            return diagnostics;
        }
        let start = |index| fixes.get(index).map(|(_, span, _): &(usize, Span, String)| span.start);
        let mut order: Vec<usize> = (0..fixes.len()).collect();
        order.sort_by_key(|&index| start(index));
        let mut fixed = String::new();
        let mut from = 0;
        for (_, span, replacement) in order.iter().filter_map(|index| fixes.get(*index)) {
            fixed.push_str(text.get(from..span.start).unwrap_or_default());
            fixed.push_str(replacement);
            from = from.max(span.end);
        }
        fixed.push_str(text.get(from..).unwrap_or_default());
        // Suggests the corrected command only if it has fewer errors.
        let remaining = if fixes.is_empty() { 0 } else { count_errors(&fixed) };
        let is_better = remaining < error_count(&diagnostics);
        let rest = if remaining == 0 { "" } else { ", and fix the other errors" };
        for (index, ..) in fixes.iter().filter(|_| is_better) {
            if let Some(diagnostic) = diagnostics.get_mut(*index) {
                diagnostic.help = Some(format!("write `{}`{rest}", fixed.trim()));
            }
        }
        let start = |index| match diagnostics.get(index).map(|one: &Diagnostic| &one.location) {
            Some(Some(Location::Span(span))) => span.start,
            _ => 0,
        };
        let mut order: Vec<usize> = (0..diagnostics.len()).collect();
        order.sort_by_key(|&index| start(index));
        order.iter().filter_map(|index| diagnostics.get(*index).cloned()).collect::<Vec<_>>()
    }
}

fn error_count(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
}

/// Parses a text and counts its errors.
fn count_errors(text: &str) -> usize {
    let (mut parser, _) = Parser::new(text);
    parser.entry();
    error_count(&parser.diagnostics)
}
