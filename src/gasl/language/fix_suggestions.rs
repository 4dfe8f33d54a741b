//! Corrected lines in the help of diagnostics.

use super::parser::Parser;
use crate::base::{Diagnostic, Location, Span};

/// Maximum length of a command that a help repeats, in bytes.
const MAX_FIXED_LINE_BYTES: usize = 400;

/// Note for text operators that replace those of another language.
pub(super) const IGNORES_CASE: &str =
    "whose text operators ignore case unless `SET adapter.caps.case_sensitive = true` is before it";

impl Parser<'_> {
    /// Adds a text edit that fixes the last diagnostic.
    pub(super) fn fix(&mut self, span: Span, text: impl Into<String>) {
        if let Some(last) = self.diagnostics.len().checked_sub(1) {
            self.fixes.push((last, span, text.into()));
        }
    }

    /// Returns a part of the text with its edits.
    fn fixed_text(&self, within: Span) -> String {
        let Parser { text, fixes, .. } = self;
        let start = |index| fixes.get(index).map(|(_, span, _): &(usize, Span, String)| span.start);
        let mut order: Vec<usize> = (0..fixes.len()).collect();
        order.sort_by_key(|&index| start(index));
        let mut fixed = String::new();
        let mut from = within.start;
        for (_, span, replacement) in order.iter().filter_map(|index| fixes.get(*index)) {
            if span.start < within.start || span.end > within.end {
                continue;
            }
            fixed.push_str(text.get(from..span.start).unwrap_or_default());
            fixed.push_str(replacement);
            from = from.max(span.end);
        }
        fixed.push_str(text.get(from..within.end).unwrap_or_default());
        fixed
    }

    /// Returns whether the edits in a part of the text fix all of its errors.
    pub(super) fn is_fixed(&self, within: Span) -> bool {
        let has_fix = self.fixes.iter().any(|(_, span, _)| within.start <= span.start);
        has_fix && count_errors(&self.fixed_text(within)) == 0
    }

    /// Removes the diagnostics whose flag is not set, with their edits.
    pub(super) fn retain_diagnostics(&mut self, retained: &[bool]) {
        let mut index = 0;
        let mut next = 0;
        let mut positions = Vec::with_capacity(retained.len());
        self.diagnostics.retain(|_| {
            let is_retained = retained.get(index).copied().unwrap_or_default();
            index += 1;
            positions.push(is_retained.then_some(next));
            next += usize::from(is_retained);
            is_retained
        });
        let fixes = std::mem::take(&mut self.fixes);
        let moved = |(index, span, text): (usize, Span, String)| {
            let position = positions.get(index).copied().flatten()?;
            Some((position, span, text))
        };
        self.fixes = fixes.into_iter().filter_map(moved).collect();
    }

    /// Returns the diagnostics in order of location. The help of those with a fix contains the
    /// corrected command.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let fixed = if self.text.len() > MAX_FIXED_LINE_BYTES {
            String::new()
        } else {
            self.fixed_text(Span::new(0, self.text.len()))
        };
        let Parser { text, mut diagnostics, fixes, ignores_case, .. } = self;
        if text.len() > MAX_FIXED_LINE_BYTES {
            return diagnostics;
        }
        // Suggests the corrected command only if it has fewer errors.
        let remaining = if fixes.is_empty() { 0 } else { count_errors(&fixed) };
        let is_better = remaining < error_count(&diagnostics);
        let rest = if remaining == 0 { "" } else { ", and fix the other errors" };
        let case = if ignores_case { format!(", {IGNORES_CASE}") } else { String::new() };
        for (index, ..) in fixes.iter().filter(|_| is_better) {
            if let Some(diagnostic) = diagnostics.get_mut(*index) {
                diagnostic.help = Some(format!("write `{}`{case}{rest}", fixed.trim()));
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

/// Returns a text without its errors, or `None` if the suggested edits do not fix all of them.
pub(super) fn corrected(text: &str) -> Option<String> {
    let mut parser = Parser::for_suggestion(text);
    parser.entry();
    if error_count(&parser.diagnostics) == 0 {
        return Some(text.to_owned());
    }
    let fixed = parser.fixed_text(Span::new(0, text.len()));
    (count_errors(&fixed) == 0).then(|| fixed.trim().to_owned())
}

fn error_count(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
}

/// Parses a text and counts its errors.
fn count_errors(text: &str) -> usize {
    let mut parser = Parser::for_suggestion(text);
    parser.entry();
    error_count(&parser.diagnostics)
}
