//! Printed commands parse to the same commands, the parser accepts any text, and a session is idle
//! after each plan.

#![cfg(feature = "gasl")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

#[path = "gasl/commands.rs"]
mod commands;
#[path = "gasl/plans.rs"]
mod plans;

use byname::gasl::language::{parse, print};
use byname::gasl::session::check;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases on every machine, unless `PROPTEST_CASES` or `PROPTEST_RNG_SEED` is set.
fn config(cases: u32) -> ProptestConfig {
    let fixed = ProptestConfig { cases, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() };
    let requested = ProptestConfig::default();
    let cases = if std::env::var("PROPTEST_CASES").is_ok() { requested.cases } else { cases };
    let seeded = std::env::var("PROPTEST_RNG_SEED").is_ok();
    let rng_seed = if seeded { requested.rng_seed } else { fixed.rng_seed };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..fixed }
}

/// Formats the syntax tree of a command without its spans.
fn tree_without_spans(command: &impl std::fmt::Debug) -> String {
    let text = format!("{command:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span { start: ") {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    out + rest
}

fn check_round_trip(command: &byname::gasl::language::ast::Command) {
    let printed = print(command);
    let parsed = parse(&printed);
    assert_eq!(parsed.diagnostics, [], "{printed}");
    assert_eq!(parsed.commands.len(), 1, "{printed}");
    let (read, written) =
        (tree_without_spans(&parsed.commands[0].command), tree_without_spans(command));
    let from = read.bytes().zip(written.bytes()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[from.min(text.len())..])
            .chars()
            .take(80)
            .collect::<String>()
    };
    assert_eq!(rest(&read), rest(&written), "{printed}");
}

/// Checks that every diagnostic of a text is located in it, and has help if it is an error.
fn check_diagnostics(text: &str) {
    for diagnostic in check(text) {
        assert!(
            !diagnostic.message.is_empty() && !diagnostic.message.contains('\n'),
            "{text:?}: {diagnostic:?}"
        );
        assert!(
            !diagnostic.is_error() || diagnostic.help.is_some_and(|help| !help.is_empty()),
            "{text:?}"
        );
    }
    let parsed = parse(text);
    for located in parsed.commands {
        let span = located.span;
        assert!(text.get(span.start..span.end).is_some(), "{text:?}: {span:?}");
    }
    for diagnostic in parsed.diagnostics {
        if let Some(byname::base::Location::Span(span)) = diagnostic.location {
            assert!(text.get(span.start..span.end).is_some(), "{text:?}: {diagnostic:?}");
        }
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn printed_commands_parse_to_the_same(command in commands::command()) {
        check_round_trip(&command);
    }

    #[test]
    fn parsed_commands_round_trip(text in commands::token_sequence()) {
        check_diagnostics(&text);
        let parsed = parse(&text);
        if parsed.diagnostics.is_empty() {
            for located in parsed.commands {
                check_round_trip(&located.command);
            }
        }
    }

    #[test]
    fn parser_accepts_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check_diagnostics(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn parser_accepts_any_text(text in "\\PC{0,120}") {
        check_diagnostics(&text);
    }

    #[test]
    fn parser_accepts_mutated_commands(
        command in commands::command(),
        at in any::<prop::sample::Index>(),
        length in 0usize..4,
        put in commands::fragment(),
    ) {
        let mut letters: Vec<char> = print(&command).chars().collect();
        let start = at.index(letters.len() + 1);
        let end = letters.len().min(start + length);
        letters.splice(start..end, put.chars());
        check_diagnostics(&letters.into_iter().collect::<String>());
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn session_is_idle_after_any_plan(run in plans::run()) {
        plans::check(run);
    }
}
