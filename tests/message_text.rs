//! Source of texts in records: the message at the host, or the batch.

#![allow(clippy::expect_used, clippy::indexing_slicing)] // A failed test panics.

use byname::ham::binding::{Binding, Context};
use byname::ham::document::StoreSettings;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use byname::ham::surface::record::ValueTag;

/// Words of a `Fire` record: operation, subscription, value and reference.
const RECORD_WORDS: usize = 8;

/// Creates a store with this many subscriptions to the property `t` of the node `n`.
fn subscribed_store(listeners: usize) -> Store {
    let mut store = Store::new(StoreSettings::default());
    assert!(store.apply(br#"{"n":{"t":"-"},"others":0}"#, HostEncoding::Ascii).ok);
    for _ in 0..listeners {
        let node = store.document.node(b"n");
        let key = Some(store.document.key("t"));
        store.subscribe(Binding { node: None, key }, Context::from_node(node));
    }
    store
}

/// Returns the tag of `text` in the records of a message that also contains `others`.
fn tag_of_text(text: &str, others: &str, encoding: HostEncoding) -> u32 {
    let mut store = subscribed_store(1);
    let message = format!(r#"{{"others":"{others}","n":{{"t":"{text}"}}}}"#);
    assert!(store.apply(message.as_bytes(), encoding).ok);
    let words = store.records.words.as_slice();
    assert_eq!(words.len(), RECORD_WORDS);
    if words[2] == ValueTag::TextInMessage as u32 {
        let units: Vec<u16> = message.encode_utf16().collect();
        let at = words[3] as usize..(words[3] + words[4]) as usize;
        assert_eq!(String::from_utf16(&units[at]).expect("whole characters"), text);
    } else {
        assert_eq!(String::from_utf8_lossy(&store.records.batch), text);
    }
    words[2]
}

#[test]
fn texts_refer_to_short_messages() {
    let (in_message, in_batch) = (ValueTag::TextInMessage as u32, ValueTag::Text as u32);
    for text in ["abc", "äöü", "漢字", "a😀"] {
        let encoding = if text.is_ascii() { HostEncoding::Ascii } else { HostEncoding::Text };
        assert_eq!(tag_of_text(text, text, encoding), in_message);
        assert_eq!(tag_of_text(text, text, HostEncoding::Bytes), in_batch);
        // A short slice would keep the long message alive.
        assert_eq!(tag_of_text(text, &text.repeat(1_000), encoding), in_batch);
        // It is the largest part of the message.
        assert_eq!(tag_of_text(&text.repeat(100), text, encoding), in_message);
    }
}

#[test]
fn long_text_is_sent_to_few_subscriptions() {
    let mut store = subscribed_store(40);
    let message = format!(r#"{{"n":{{"t":"{}"}}}}"#, "x".repeat(200_000));
    assert!(store.apply(message.as_bytes(), HostEncoding::Bytes).ok);
    let records = store.records.words.as_slice().as_chunks::<RECORD_WORDS>().0.to_vec();
    let count = |tag: ValueTag| records.iter().filter(|words| words[2] == tag as u32).count();
    // The other subscriptions must request it.
    assert_eq!((records.len(), count(ValueTag::Text), count(ValueTag::Nothing)), (40, 6, 34));
    assert_eq!(store.records.batch.len(), 6 * 200_000);
}
