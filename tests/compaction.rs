//! Compaction of a store: only when there is garbage.

use byname::ham::document::StoreSettings;
use byname::ham::history::Cause;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use std::fmt::Write;

/// Returns a message of `count` rows of about 100 bytes each.
fn rows(count: usize, word: &str) -> String {
    let mut out = String::from("{");
    for index in 0..count {
        let comma = if index == 0 { "" } else { "," };
        let text = "x".repeat(60);
        let _ = write!(out, r#"{comma}"row_{index}":{{"name":"{word} {index}","text":"{text}"}}"#);
    }
    out.push('}');
    out
}

fn apply(store: &mut Store, message: &str) {
    let applied = store.apply(message.as_bytes(), HostEncoding::Ascii);
    assert!(applied.ok, "{:?}", applied.diagnostics);
}

#[test]
fn live_document_is_not_compacted() {
    let mut store = Store::new(StoreSettings::default());
    apply(&mut store, &rows(100_000, "a"));
    let full = store.document.size();
    apply(&mut store, r#"{"row_7":{"name":"other","text":""}}"#);
    // A compaction would free the keys and punctuation, a quarter of the stored text.
    assert!(store.document.size() >= full, "{} of {full}", store.document.size());
}

#[test]
fn imported_document_is_not_compacted() {
    let settings = StoreSettings::default();
    let mut store = Store::from(settings, rows(100_000, "a").as_bytes()).unwrap();
    // A compaction would free an id that nothing refers to.
    store.document.node(b"unused");
    apply(&mut store, r#"{"new":{"name":"other"}}"#);
    assert!(store.document.find_node("unused").is_some());
}

#[test]
fn garbage_is_freed() {
    let mut settings = StoreSettings::default();
    settings.limits.undo = 1;
    let mut store = Store::new(settings);
    apply(&mut store, &rows(20_000, "a"));
    let full = store.document.size();
    for round in 0..20 {
        let word = if round % 2 == 0 { "b" } else { "c" };
        apply(&mut store, &rows(20_000, word));
        // The same rows with one new node: only that one is live in the new text.
        let message = rows(20_000, word).replacen('{', &format!(r#"{{"new_{round}":1,"#), 1);
        apply(&mut store, &message);
        assert!(store.document.size() < 5 * full, "{} after {round}", store.document.size());
    }
}

#[test]
fn history_size_is_limited() {
    let mut settings = StoreSettings::default();
    settings.limits.bytes = 4 << 20;
    let mut store = Store::new(settings);
    for round in 0..200 {
        let (word, id) = (format!("a word of round {round}"), format!("new_{round}"));
        apply(&mut store, &rows(5_000, &word));
        apply(&mut store, &format!(r#"{{"{id}":{round}}}"#));
        // The history, as much garbage, and the document with the next message.
        assert!(store.document.size() < 16 << 20, "{} after {round}", store.document.size());
        assert!(store.document.find_node("row_7").is_some());
    }
    let mut undone = 0;
    while store.undo_or_redo(Cause::Undo) {
        undone += 1;
    }
    assert!((2..100).contains(&undone), "{undone} undo steps");
    assert!(
        store
            .document
            .find_node("new_0")
            .is_some_and(|node| !store.document.value(node).is_missing())
    );
}

#[test]
fn last_update_is_undoable_regardless_of_size() {
    let mut settings = StoreSettings::default();
    settings.limits.bytes = 3 << 20;
    let mut store = Store::new(settings);
    apply(&mut store, r#"{"first":1}"#);
    // Twice as many values as the history may hold.
    let values = |value: usize| {
        let rows = (0..30)
            .map(|row| format!(r#""r{row}":[{}]"#, vec![value.to_string(); 15_000].join(",")));
        format!("{{{}}}", rows.collect::<Vec<_>>().join(","))
    };
    for value in 1..9 {
        apply(&mut store, &values(value));
    }
    let row = |store: &Store| store.to_json("r7").unwrap().chars().take(6).collect::<String>();
    assert_eq!(row(&store), "[8,8,8");
    store.compact_if_needed(2 << 20);
    assert!(store.undo_or_redo(Cause::Undo));
    assert_eq!(row(&store), "[7,7,7");
    assert!(!store.undo_or_redo(Cause::Undo) || !store.undo_or_redo(Cause::Undo));
}

#[test]
fn stream_is_not_compacted() {
    let mut store = Store::new(StoreSettings::default());
    let text = rows(100_000, "a");
    let stream = store.open_stream(false);
    let mut size = 0;
    for chunk in text.as_bytes().chunks(4096) {
        assert!(store.push(stream, chunk, HostEncoding::Ascii).ok);
        let before = std::mem::replace(&mut size, store.document.size());
        assert!(size >= before, "{size} of {before}");
    }
    assert!(store.end(stream).ok);
}

#[test]
fn deleted_nodes_are_freed() {
    let mut settings = StoreSettings::default();
    settings.limits.undo = 0;
    let mut store = Store::new(settings);
    let text = "x".repeat(1000);
    for index in 0..40_000 {
        apply(&mut store, &format!(r#"{{"row_{index}":{{"text":"{text}"}}}}"#));
        if let Some(deleted) = usize::checked_sub(index, 100) {
            apply(&mut store, &format!(r#"{{"!row_{deleted}":null}}"#));
        }
        // One node that is created and deleted repeatedly.
        apply(&mut store, if index % 2 == 0 { r#"{"!u":null}"# } else { r#"{"u":{"a":1}}"# });
        let size = store.document.size();
        assert!(size < 10 << 20, "{size} after {index}");
    }
}

#[test]
fn unchanged_escaped_text_adds_no_bytes() {
    let mut settings = StoreSettings::default();
    settings.limits.undo = 0;
    let mut store = Store::new(settings);
    let row =
        |index: u32| format!(r#""row_{index}":{{"text":"\n{index}","last":"{}"}}"#, "x".repeat(20));
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
