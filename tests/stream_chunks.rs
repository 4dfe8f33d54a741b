//! `Store::push_all` must have the same results as one `Store::push` for each chunk.

#![allow(clippy::expect_used)] // A failed test panics.

use byname::base::Diagnostic;
use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::history::Cause;
use byname::ham::store::{Applied, ChunkResults, Store};
use byname::ham::surface::message_text::HostEncoding;

/// Valid and invalid documents.
const TEXTS: &[&str] = &[
    r#"{"root":{"users":["*u1","*u2"]},"u1":{"name":"Ann"},"u2":{"name":"Bö\u0062","ok":true},"n":12.5,"m":-0}"#,
    r#"{ "updateDataModel" : {"surfaceId": "s", "nodes": {"a": 1, "b": [1, [2, "*a"]], "c": "text" , "d": {}}} }"#,
    r#"{"version":"v1.0","updateDataModel":{"nodes":{"a":{"x":null},"b":{"x":null},"!c":null,"a":{"x":2}}}}"#,
    r#"{"a":{"x":1,"x":2},"b":["* bullet"],"!a":null,"c":7,"!c":1}"#,
    r#"{"a":1,"b":2,"c":truu,"d":4}"#,
    r#"{"a":1,"b":"\x","c":3,"d":4}"#,
    r#"{"a":1,"b":12.,"c":3}"#,
    r#"{"a":{"x":1},"b":{"x":2},"*c":3,"d":4}"#,
    r#"{"updateDataModel":{"nodes":{"a":1,"b":2}},"more":{"a":3},"c":4}"#,
    r#"{"updateDataModel":{"nodes":{"a":1,"b":2},"nodes":5},"version":1}"#,
    r#"{"a":1,"b":{"y":[[[[[1]]]]]},"c":2}"#,
    "{\"a\":1,\"b\":\"x\ny\",\"c\":2}",
    r#"{"a":1}  {"b":2}"#,
    r#"[1,2,3]"#,
    r#"{"a":1,“b”:2}"#,
    r#"{"a":1,"b":😀,"c":2}"#,
    r#"{"a":1}é"#,
    "{\"a\":1,\"b\":\u{a0}2}",
    r#"{"ä€😀":{"name":"ä€😀"},"b":{"name":"😀"}}"#,
    r#"{"version":1}"#,
    r#"{"version":1,"a":{"x":1},"b":{"x":2}}"#,
    r#"{"version":["* x"],"version":{"y":1,"y":2},"a":{"x":1}}"#,
    r#"{"version":["* x"],"updateDataModel":{"nodes":{"a":1}}}"#,
    r#"{"version":1,"version":2,"updateDataModel":{"nodes":{"a":1}}}"#,
];

fn settings(bytes: usize) -> StoreSettings {
    let limits =
        StoreLimits { bytes, memory: bytes.saturating_mul(8), depth: 5, ..StoreLimits::default() };
    StoreSettings { limits, ..StoreSettings::default() }
}

/// Whether an update was accepted, its changed ids and its inverse.
type Outcome = (bool, Option<String>, Option<String>);

fn outcome_of(store: &Store, revision: u32) -> Outcome {
    let changed = store.changed_ids(revision, false).map(|ids| ids.join(" "));
    (revision != 0, changed, store.inverse(revision))
}

fn push_each(store: &mut Store, chunks: &[&[u8]]) -> (Vec<Outcome>, Vec<String>) {
    let stream = store.open_stream(false);
    let mut reported = Vec::new();
    let revisions: Vec<u32> = chunks
        .iter()
        .map(|chunk| {
            let Applied { ok, revision, diagnostics } =
                store.push(stream, chunk, HostEncoding::Bytes);
            reported.extend(diagnostics.iter().map(|each| format!("{each:?}")));
            if ok { revision } else { 0 }
        })
        .collect();
    (revisions.iter().map(|revision| outcome_of(store, *revision)).collect(), reported)
}

fn push_together(
    store: &mut Store,
    chunks: &[&[u8]],
    batch_size: usize,
) -> (Vec<Outcome>, Vec<String>) {
    let stream = store.open_stream(false);
    let (mut all, mut diagnostics) = (Vec::new(), Vec::new());
    for group in chunks.chunks(batch_size) {
        let mut end = 0;
        let ends: Vec<u32> = group
            .iter()
            .map(|chunk| {
                end += chunk.len() as u32;
                end
            })
            .collect();
        let ChunkResults { revisions, diagnostics: chunk_diagnostics } =
            store.push_all(stream, &group.concat(), &ends);
        all.extend(revisions);
        diagnostics.extend(chunk_diagnostics.iter().map(|(_, each)| format!("{each:?}")));
    }
    (all.iter().map(|revision| outcome_of(store, *revision)).collect(), diagnostics)
}

#[test]
fn push_all_equals_single_pushes() {
    check(TEXTS.iter().map(|text| (*text).to_owned()), StoreLimits::default().bytes);
}

#[test]
fn push_all_respects_limits() {
    // Some texts are too long, and some make the document too large.
    check(TEXTS.iter().map(|text| (*text).to_owned()), 100);
    let rows: String = (0..40).map(|n| format!(r#""row_{n}":{{"x":{n}}},"#)).collect();
    check([format!(r#"{{{rows}"last":1}}"#)].into_iter(), 400);
}

#[test]
fn push_all_keeps_first_diagnostics_of_each_chunk() {
    let mut store = Store::new(StoreSettings::default());
    let stream = store.open_stream(false);
    let many: String = (0..150).map(|n| format!(r#""!a{n}":1,"#)).collect();
    let chunks = ["{", &many, r#""!b":1,"#, r#""c":}"#];
    let mut end = 0;
    let ends = chunks.map(|chunk| {
        end += chunk.len() as u32;
        end
    });
    let ChunkResults { revisions, diagnostics } =
        store.push_all(stream, chunks.concat().as_bytes(), &ends);
    assert!(revisions[..3].iter().all(|revision| *revision != 0) && revisions[3] == 0);
    let of_chunk =
        |chunk: u32| diagnostics.iter().filter(move |(of, _)| *of == chunk).map(|(_, each)| each);
    assert_eq!(of_chunk(1).count(), 101);
    assert_eq!((of_chunk(0).count(), of_chunk(2).count(), of_chunk(3).count()), (0, 1, 1));
    assert!(of_chunk(3).all(Diagnostic::is_error));
}

fn check(texts: impl Iterator<Item = String>, bytes: usize) {
    for text in texts {
        for size in 1..40 {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            for batch_size in [1, 2, 3, 7, 50, 1000] {
                let (mut a, mut b) = (Store::new(settings(bytes)), Store::new(settings(bytes)));
                for store in [&mut a, &mut b] {
                    assert!(
                        store
                            .apply(br#"{"c":"before","u1":{"name":"Al"}}"#, HostEncoding::Ascii)
                            .ok
                    );
                }
                let (outcomes, diagnostics) = push_each(&mut a, &chunks);
                let (outcomes_together, diagnostics_together) =
                    push_together(&mut b, &chunks, batch_size);
                let case = format!("{text} in chunks of {size}, {batch_size} at once");
                assert_eq!(outcomes, outcomes_together, "{case}");
                assert_eq!(diagnostics, diagnostics_together, "{case}");
                let export = |store: &Store| byname::ham::export::export(&store.document);
                assert_eq!(export(&a), export(&b), "{case}");
                while a.undo_or_redo(Cause::Undo) {
                    assert!(b.undo_or_redo(Cause::Undo), "{case}");
                    assert_eq!(export(&a), export(&b), "{case}");
                }
                assert!(!b.undo_or_redo(Cause::Undo), "{case}");
            }
        }
    }
}
