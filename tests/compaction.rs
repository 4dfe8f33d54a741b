//! When a store compacts its memory: where something was left behind, and not before.

use byname::ham::document::StoreSettings;
use byname::ham::history::Cause;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use std::fmt::Write;

/// About ten megabytes of rows.
fn rows(count: usize, word: &str) -> String {
    let mut out = String::from("{");
    for at in 0..count {
        let comma = if at == 0 { "" } else { "," };
        let text = "x".repeat(60);
        let _ = write!(out, r#"{comma}"row_{at}":{{"name":"{word} {at}","text":"{text}"}}"#);
    }
    out.push('}');
    out
}

fn apply(store: &mut Store, message: &str) {
    let applied = store.apply(message.as_bytes(), HostEncoding::Ascii);
    assert!(applied.ok, "{:?}", applied.diagnostics);
}

#[test]
fn what_is_all_alive_is_not_copied() {
    let mut store = Store::new(StoreSettings::default());
    apply(&mut store, &rows(100_000, "a"));
    let full = store.document.size();
    apply(&mut store, r#"{"row_7":{"name":"other","text":""}}"#);
    // Compacting drops the keys and marks of the text, which are a quarter of it.
    assert!(store.document.size() >= full, "{} of {full}", store.document.size());
}

#[test]
fn what_was_imported_is_not_copied() {
    let settings = StoreSettings::default();
    let mut store = Store::from(settings, rows(100_000, "a").as_bytes()).unwrap();
    // A name that nothing refers to is forgotten when the store is compacted.
    store.document.node(b"nobody");
    apply(&mut store, r#"{"new":{"name":"other"}}"#);
    assert!(store.document.find_node("nobody").is_some());
}

#[test]
fn what_is_left_behind_goes() {
    let mut settings = StoreSettings::default();
    settings.limits.undo = 1;
    let mut store = Store::new(settings);
    apply(&mut store, &rows(20_000, "a"));
    let full = store.document.size();
    for round in 0..20 {
        let word = if round % 2 == 0 { "b" } else { "c" };
        apply(&mut store, &rows(20_000, word));
        // The same rows again, with one that is new: that alone is alive.
        let again = rows(20_000, word).replacen('{', &format!(r#"{{"new_{round}":1,"#), 1);
        apply(&mut store, &again);
        assert!(store.document.size() < 5 * full, "{} after {round}", store.document.size());
    }
}

#[test]
fn the_past_takes_no_more_than_a_message_may() {
    let mut settings = StoreSettings::default();
    settings.limits.bytes = 4 << 20;
    let mut store = Store::new(settings);
    for round in 0..200 {
        let (word, id) = (format!("a word of round {round}"), format!("new_{round}"));
        apply(&mut store, &rows(5_000, &word));
        apply(&mut store, &format!(r#"{{"{id}":{round}}}"#));
        // The past, as much again that was left behind, and the document with what comes next.
        assert!(store.document.size() < 16 << 20, "{} after {round}", store.document.size());
        assert!(store.document.find_node("row_7").is_some());
    }
    let mut undone = 0;
    while store.step(Cause::Undo) {
        undone += 1;
    }
    assert!((2..100).contains(&undone), "{undone} steps are kept");
    assert!(
        store
            .document
            .find_node("new_0")
            .is_some_and(|node| !store.document.value(node).is_missing())
    );
}

#[test]
fn the_last_update_can_be_undone_however_large_it_is() {
    let mut settings = StoreSettings::default();
    settings.limits.bytes = 3 << 20;
    let mut store = Store::new(settings);
    apply(&mut store, r#"{"first":1}"#);
    // Twice as many values as may be kept of the past.
    let numbers = |number: usize| {
        let rows = (0..30)
            .map(|row| format!(r#""r{row}":[{}]"#, vec![number.to_string(); 15_000].join(",")));
        format!("{{{}}}", rows.collect::<Vec<_>>().join(","))
    };
    for number in 1..9 {
        apply(&mut store, &numbers(number));
    }
    let row = |store: &Store| store.to_json("r7").unwrap().chars().take(6).collect::<String>();
    assert_eq!(row(&store), "[8,8,8");
    store.compact_if_needed(2 << 20);
    assert!(store.step(Cause::Undo));
    assert_eq!(row(&store), "[7,7,7");
    assert!(!store.step(Cause::Undo) || !store.step(Cause::Undo));
}

#[test]
fn what_a_stream_brings_is_not_copied() {
    let mut store = Store::new(StoreSettings::default());
    let text = rows(100_000, "a");
    let number = store.open_stream();
    let mut size = 0;
    for piece in text.as_bytes().chunks(4096) {
        assert!(store.push(number, piece, HostEncoding::Ascii).ok);
        let before = std::mem::replace(&mut size, store.document.size());
        assert!(size >= before, "{size} of {before}");
    }
    assert!(store.end(number).ok);
}

#[test]
fn what_comes_and_goes_leaves_nothing() {
    let mut settings = StoreSettings::default();
    settings.limits.undo = 0;
    let mut store = Store::new(settings);
    let text = "x".repeat(1000);
    for at in 0..40_000 {
        apply(&mut store, &format!(r#"{{"row_{at}":{{"text":"{text}"}}}}"#));
        if let Some(gone) = usize::checked_sub(at, 100) {
            apply(&mut store, &format!(r#"{{"!row_{gone}":null}}"#));
        }
        // One that comes again and again.
        apply(&mut store, if at % 2 == 0 { r#"{"!u":null}"# } else { r#"{"u":{"a":1}}"# });
        let size = store.document.size();
        assert!(size < 10 << 20, "{size} after {at}");
    }
}

#[test]
fn an_escaped_text_that_comes_again_keeps_nothing_of_its_message() {
    let mut settings = StoreSettings::default();
    settings.limits.undo = 0;
    let mut store = Store::new(settings);
    let row = |at: u32| format!(r#""row_{at}":{{"text":"\n{at}","last":"{}"}}"#, "x".repeat(20));
    let rows: Vec<String> = (0..1_000).map(row).collect();
    let message =
        |last: &str| format!(r#"{{{},"z":{{"text":"","last":"{last}"}}}}"#, rows.join(","));
    apply(&mut store, &message("first"));
    for last in ["second", "third"] {
        let before = store.document.size();
        apply(&mut store, &message(last));
        let more = store.document.size() - before;
        assert!(more < 1_000, "{more} bytes more");
    }
}
