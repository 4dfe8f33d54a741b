//! Property tests: commands round-trip through the printer, the parser accepts any text, and every plan
//! ends.

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

/// Returns a deterministic configuration, which `PROPTEST_CASES` and `PROPTEST_RNG_SEED` override.
fn config(cases: u32) -> ProptestConfig {
    let fixed = ProptestConfig { cases, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() };
    let from_env = ProptestConfig::default();
    let cases = if std::env::var("PROPTEST_CASES").is_ok() { from_env.cases } else { cases };
    let has_seed = std::env::var("PROPTEST_RNG_SEED").is_ok();
    let rng_seed = if has_seed { from_env.rng_seed } else { fixed.rng_seed };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..fixed }
}

/// Formats the syntax tree of a command without spans.
fn format_tree(command: &impl std::fmt::Debug) -> String {
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

fn assert_roundtrip(command: &byname::gasl::language::ast::Command) {
    let printed = print(command);
    let parsed = parse(&printed);
    assert_eq!(parsed.diagnostics, [], "{printed}");
    assert_eq!(parsed.commands.len(), 1, "{printed}");
    let (parsed_tree, tree) = (format_tree(&parsed.commands[0].command), format_tree(command));
    let from = parsed_tree.bytes().zip(tree.bytes()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[from.min(text.len())..])
            .chars()
            .take(80)
            .collect::<String>()
    };
    assert_eq!(rest(&parsed_tree), rest(&tree), "{printed}");
}

/// Checks that every diagnostic has a valid span, and every error a help.
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
    fn commands_roundtrip(command in commands::command()) {
        assert_roundtrip(&command);
    }

    #[test]
    fn token_soup_roundtrips(soup in commands::soup()) {
        check_diagnostics(&soup);
        let parsed = parse(&soup);
        if parsed.diagnostics.is_empty() {
            for located in parsed.commands {
                assert_roundtrip(&located.command);
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
        start in any::<prop::sample::Index>(),
        length in 0usize..4,
        inserted in commands::fragment(),
    ) {
        let mut characters: Vec<char> = print(&command).chars().collect();
        let start = start.index(characters.len() + 1);
        let end = characters.len().min(start + length);
        characters.splice(start..end, inserted.chars());
        check_diagnostics(&characters.into_iter().collect::<String>());
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn plans_end(run in plans::run()) {
        plans::check(run);
    }
}
