//! Limit of the memory of a store: a message that needs more is rejected before it is parsed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic)] // A failed test panics.

use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;

const MEMORY: usize = 8 << 20;

fn store() -> Store {
    let limits = StoreLimits { memory: MEMORY, ..StoreLimits::default() };
    Store::new(StoreSettings { limits, ..StoreSettings::default() })
}

fn apply(store: &mut Store, message: &str) -> Result<(), String> {
    let applied = store.apply(message.as_bytes(), HostEncoding::Bytes);
    match applied.diagnostics.first() {
        _ if applied.ok => Ok(()),
        Some(diagnostic) => Err(diagnostic.code.id.to_owned()),
        None => panic!("rejected without a diagnostic"),
    }
}

/// Messages whose values need much more memory than their text.
fn expanding() -> [String; 4] {
    let count = MEMORY / 8;
    [
        format!("{{\"a\":[{}0]}}", "0,".repeat(count)),
        format!("{{\"a\":[{}0]}}", "[],".repeat(count)),
        format!("{{\"a\":{{{}\"z\":0}}}}", "\"k\":0,".repeat(count)),
        format!("{{\"a\":[{}\"*b\"]}}", "\"*b\",".repeat(count)),
    ]
}

#[test]
fn a_message_that_needs_too_much_memory_is_refused() {
    for message in expanding() {
        let mut store = store();
        assert_eq!(apply(&mut store, "{\"kept\": 1}"), Ok(()));
        let size = store.document.size();
        assert_eq!(apply(&mut store, &message).unwrap_err(), "HAM022", "{}", &message[..20]);
        assert_eq!(store.document.size(), size);
        assert_eq!(apply(&mut store, "{\"more\": 2}"), Ok(()));
        let imported = Store::from(store.document.settings.clone(), message.as_bytes());
        assert_eq!(imported.err().unwrap()[0].code.id, "HAM022");
    }
}

#[test]
fn a_stream_that_needs_too_much_memory_is_refused() {
    // The pointers of the last message fit, because each needs four bytes.
    for message in expanding().into_iter().take(3) {
        for chunk in [1 << 12, 1 << 16, message.len()] {
            let mut store = store();
            let stream = store.open_stream(false);
            let mut largest = 0;
            let refused = message.as_bytes().chunks(chunk).find_map(|part| {
                let applied = store.push(stream, part, HostEncoding::Bytes);
                largest = largest.max(store.document.size());
                applied.diagnostics.first().map(|one| one.code.id)
            });
            assert_eq!(refused, Some("HAM022"), "{} in {chunk}", &message[..20]);
            assert!(largest < MEMORY * 2, "{largest} bytes");
            assert_eq!(apply(&mut store, "{\"more\": 2}"), Ok(()));
        }
    }
}

#[test]
fn a_text_within_the_limit_is_accepted() {
    let mut store = store();
    let text = "x".repeat(MEMORY / 2);
    assert_eq!(apply(&mut store, &format!("{{\"a\":\"{text}\"}}")), Ok(()));
    assert_eq!(apply(&mut store, &format!("{{\"b\":\"{text}\"}}")), Err("HAM022".to_owned()));
    // A deletion is accepted by a full document.
    assert_eq!(apply(&mut store, "{\"!a\":null}"), Ok(()));
    assert_eq!(apply(&mut store, "{\"c\":\"\"}"), Ok(()));
}
