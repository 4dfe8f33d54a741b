//! Text of commands: the parser accepts any text, and prints what it has parsed as an equal command.

use super::diagnostics;
use byname::gasl::language::ast::Command;
use byname::gasl::language::{parse, print};
use byname::gasl::session::check as check_text;

pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let parsed = parse(&text);
    diagnostics::check(&parsed.diagnostics, text.len());
    diagnostics::check(&check_text(&text), usize::MAX);
    for located in &parsed.commands {
        let span = located.span;
        assert!(text.get(span.start..span.end).is_some(), "a span between characters: {span:?}");
        if parsed.diagnostics.is_empty() {
            check_round_trip(&located.command);
        }
    }
}

fn check_round_trip(command: &Command) {
    let printed = print(command);
    let parsed = parse(&printed);
    assert!(parsed.diagnostics.is_empty(), "{printed}: {:?}", parsed.diagnostics);
    let [again] = parsed.commands.as_slice() else { panic!("not one command: {printed}") };
    assert_eq!(format_tree(&again.command), format_tree(command), "{printed}");
    assert_eq!(print(&again.command), printed);
}

/// Formats a syntax tree without its spans.
fn format_tree(command: &Command) -> String {
    let text = format!("{command:?}");
    let mut parts = text.split("Span { start: ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += part.split_once('}').map_or("", |(_, rest)| rest);
    }
    out
}
