//! The line as it would be right, in the help of whatever is told of it.

use super::parser::Parser;
use crate::base::{Diagnostic, Location, Span};

/// The longest line that a help repeats with its mistakes mended.
const MENDED: usize = 400;

impl Parser<'_> {
    /// What would mend the last diagnostic.
    pub(super) fn fix(&mut self, span: Span, text: impl Into<String>) {
        if let Some(last) = self.diagnostics.len().checked_sub(1) {
            self.fixes.push((last, span, text.into()));
        }
    }

    /// The diagnostics, each with the whole line as it would be right, where that is known.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let Parser { text, mut diagnostics, fixes, .. } = self;
        if text.len() > MENDED {
            return diagnostics;
        }
        let start = |place| fixes.get(place).map(|(_, span, _): &(usize, Span, String)| span.start);
        let mut order: Vec<usize> = (0..fixes.len()).collect();
        order.sort_by(|&a, &b| start(a).cmp(&start(b)));
        let mut mended = String::new();
        let mut from = 0;
        for (_, span, replacement) in order.iter().filter_map(|place| fixes.get(*place)) {
            mended.push_str(text.get(from..span.start).unwrap_or_default());
            mended.push_str(replacement);
            from = from.max(span.end);
        }
        mended.push_str(text.get(from..).unwrap_or_default());
        // A line with as many mistakes as before helps nobody.
        let left = if fixes.is_empty() { 0 } else { mistakes(&mended) };
        let better = left < mistakes_in(&diagnostics);
        let rest = if left == 0 { "" } else { ", and mend what else is told of it" };
        for (number, ..) in fixes.iter().filter(|_| better) {
            if let Some(diagnostic) = diagnostics.get_mut(*number) {
                diagnostic.help = Some(format!("write `{}`{rest}", mended.trim()));
            }
        }
        let start = |place| match diagnostics.get(place).map(|one: &Diagnostic| &one.location) {
            Some(Some(Location::Span(span))) => span.start,
            _ => 0,
        };
        let mut order: Vec<usize> = (0..diagnostics.len()).collect();
        order.sort_by(|&a, &b| start(a).cmp(&start(b)));
        order.iter().filter_map(|place| diagnostics.get(*place).cloned()).collect::<Vec<_>>()
    }
}

fn mistakes_in(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
}

/// How many mistakes a text holds; nothing in it is mended.
fn mistakes(text: &str) -> usize {
    let (mut parser, _) = Parser::over(text);
    parser.entry();
    mistakes_in(&parser.diagnostics)
}
