//! Random commands print as what they are read from; no text breaks the parser; no plan leaves its
//! session busy.

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

/// The same cases on every machine; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for others.
fn config(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig { cases, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() };
    let asked = ProptestConfig::default();
    let cases = if std::env::var("PROPTEST_CASES").is_ok() { asked.cases } else { cases };
    let seeded = std::env::var("PROPTEST_RNG_SEED").is_ok();
    let rng_seed = if seeded { asked.rng_seed } else { usual.rng_seed };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..usual }
}

/// The tree of a command, places aside.
fn tree(command: &impl std::fmt::Debug) -> String {
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

fn same_after_printing(command: &byname::gasl::language::ast::Command) {
    let printed = print(command);
    let parsed = parse(&printed);
    assert_eq!(parsed.diagnostics, [], "{printed}");
    assert_eq!(parsed.commands.len(), 1, "{printed}");
    let (read, written) = (tree(&parsed.commands[0].command), tree(command));
    let from = read.bytes().zip(written.bytes()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[from.min(text.len())..])
            .chars()
            .take(80)
            .collect::<String>()
    };
    assert_eq!(rest(&read), rest(&written), "{printed}");
}

/// Whatever a text is: every diagnostic has a place in it, and a way out where it is an error.
fn answered(text: &str) {
    for told in check(text) {
        assert!(!told.message.is_empty() && !told.message.contains('\n'), "{text:?}: {told:?}");
        assert!(!told.is_error() || told.help.is_some_and(|help| !help.is_empty()), "{text:?}");
    }
    let parsed = parse(text);
    for located in parsed.commands {
        let span = located.span;
        assert!(text.get(span.start..span.end).is_some(), "{text:?}: {span:?}");
    }
    for told in parsed.diagnostics {
        if let Some(byname::base::Location::Span(span)) = told.location {
            assert!(text.get(span.start..span.end).is_some(), "{text:?}: {told:?}");
        }
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn commands_print_as_they_are_read(command in commands::command()) {
        same_after_printing(&command);
    }

    #[test]
    fn what_is_read_prints_and_reads_back(soup in commands::soup()) {
        answered(&soup);
        let parsed = parse(&soup);
        if parsed.diagnostics.is_empty() {
            for located in parsed.commands {
                same_after_printing(&located.command);
            }
        }
    }

    #[test]
    fn no_bytes_break_the_parser(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        answered(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_text_breaks_the_parser(text in "\\PC{0,120}") {
        answered(&text);
    }

    #[test]
    fn no_mutation_breaks_the_parser(
        command in commands::command(),
        at in any::<prop::sample::Index>(),
        length in 0usize..4,
        put in commands::splinter(),
    ) {
        let mut letters: Vec<char> = print(&command).chars().collect();
        let start = at.index(letters.len() + 1);
        let end = letters.len().min(start + length);
        letters.splice(start..end, put.chars());
        answered(&letters.into_iter().collect::<String>());
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn no_plan_leaves_its_session_busy(run in plans::run()) {
        plans::check(run);
    }
}
