//! Pieces that are read together, because nobody looked in between, must come to what they come to
//! one by one.

#![allow(clippy::expect_used)] // A failed test panics.

use byname::base::Diagnostic;
use byname::ham::document::{Limits, Settings};
use byname::ham::history::Cause;
use byname::ham::store::{Applied, Pushed, Store};
use byname::ham::surface::held::Held;

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

fn settings(bytes: usize) -> Settings {
    let limits = Limits { bytes, depth: 5, ..Limits::default() };
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
            let Applied { ok, revision, diagnostics } = store.push(stream, piece, Held::Bytes);
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
    check(TEXTS.iter().map(|text| (*text).to_owned()), Limits::default().bytes);
}

#[test]
fn limits_are_kept_alike() {
    // Some of the texts are too long, and after some of them the document holds too much.
    check(TEXTS.iter().map(|text| (*text).to_owned()), 100);
    let rows: String = (0..40).map(|n| format!(r#""row_{n}":{{"x":{n}}},"#)).collect();
    check([format!(r#"{{{rows}"last":1}}"#)].into_iter(), 400);
}

#[test]
fn each_piece_has_the_first_of_its_own_diagnostics() {
    let mut store = Store::new(Settings::default());
    let stream = store.open_stream();
    let many: String = (0..150).map(|n| format!(r#""!a{n}":1,"#)).collect();
    let pieces = ["{", &many, r#""!b":1,"#, r#""c":}"#];
    let mut end = 0;
    let ends = pieces.map(|piece| {
        end += piece.len() as u32;
        end
    });
    let Pushed { revisions, told } = store.push_all(stream, pieces.concat().as_bytes(), &ends);
    assert!(revisions[..3].iter().all(|revision| *revision != 0) && revisions[3] == 0);
    let of = |piece: u32| told.iter().filter(move |(of, _)| *of == piece).map(|(_, each)| each);
    assert_eq!(of(1).count(), 101);
    assert_eq!((of(0).count(), of(2).count(), of(3).count()), (0, 1, 1));
    assert!(of(3).all(Diagnostic::is_error));
}

fn check(texts: impl Iterator<Item = String>, bytes: usize) {
    for text in texts {
        for size in 1..40 {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            for many in [1, 2, 3, 7, 50, 1000] {
                let (mut a, mut b) = (Store::new(settings(bytes)), Store::new(settings(bytes)));
                for store in [&mut a, &mut b] {
                    assert!(store.apply(br#"{"c":"before","u1":{"name":"Al"}}"#, Held::Ascii).ok);
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
