//! Pieces that are read together, because nobody looked in between, must come to what they come to
//! one by one.

#![allow(clippy::expect_used)] // A failed test panics.

use byname::ham::document::{Limits, Settings};
use byname::ham::history::Cause;
use byname::ham::store::{Applied, Pushed, Store};

/// Documents, and what is none.
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
    r#"{"ä€😀":{"name":"ä€😀"},"b":{"name":"😀"}}"#,
];

fn settings() -> Settings {
    // The longest of the texts are too long, and one is too deep.
    let limits = Limits { bytes: 120, depth: 5, ..Limits::default() };
    Settings { limits, ..Settings::default() }
}

/// What there is to see of an update.
type Seen = (bool, Option<String>, Option<String>);

fn seen(store: &Store, revision: u32) -> Seen {
    let changed = store.changed(revision, false).map(|ids| ids.join(" "));
    (revision != 0, changed, store.inverse(revision))
}

fn one_by_one(store: &mut Store, pieces: &[&[u8]]) -> (Vec<Seen>, Vec<String>) {
    let stream = store.open_stream();
    let mut told = Vec::new();
    let revisions: Vec<u32> = pieces
        .iter()
        .map(|piece| {
            let Applied { ok, revision, diagnostics } = store.push(stream, piece, false);
            told.extend(diagnostics.iter().map(|each| format!("{each:?}")));
            if ok { revision } else { 0 }
        })
        .collect();
    (revisions.iter().map(|revision| seen(store, *revision)).collect(), told)
}

fn together(store: &mut Store, pieces: &[&[u8]], many: usize) -> (Vec<Seen>, Vec<String>) {
    let stream = store.open_stream();
    let (mut all, mut told) = (Vec::new(), Vec::new());
    for group in pieces.chunks(many) {
        let mut end = 0;
        let ends: Vec<u32> = group
            .iter()
            .map(|piece| {
                end += piece.len() as u32;
                end
            })
            .collect();
        let Pushed { revisions, told: of } = store.push_all(stream, &group.concat(), &ends);
        all.extend(revisions);
        told.extend(of.iter().map(|(_, each)| format!("{each:?}")));
    }
    (all.iter().map(|revision| seen(store, *revision)).collect(), told)
}

#[test]
fn pieces_together_are_what_they_are_one_by_one() {
    for text in TEXTS {
        for size in 1..40 {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            for many in [1, 2, 3, 7, 50, 1000] {
                let (mut a, mut b) = (Store::new(settings()), Store::new(settings()));
                for store in [&mut a, &mut b] {
                    assert!(store.apply(br#"{"c":"before","u1":{"name":"Al"}}"#, true).ok);
                }
                let (seen, told) = one_by_one(&mut a, &pieces);
                let (seen_together, told_together) = together(&mut b, &pieces, many);
                let case = format!("{text} in pieces of {size}, {many} together");
                assert_eq!(seen, seen_together, "{case}");
                assert_eq!(told, told_together, "{case}");
                let export = |store: &Store| byname::ham::export::export(&store.document);
                assert_eq!(export(&a), export(&b), "{case}");
                while a.step(Cause::Undo) {
                    assert!(b.step(Cause::Undo), "{case}");
                    assert_eq!(export(&a), export(&b), "{case}");
                }
                assert!(!b.step(Cause::Undo), "{case}");
            }
        }
    }
}
