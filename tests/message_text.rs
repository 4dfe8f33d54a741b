//! Where the texts of what is told come from: the message that the host holds, or a batch of their own.

#![allow(clippy::expect_used, clippy::indexing_slicing)] // A failed test panics.

use byname::ham::binding::{Binding, Context};
use byname::ham::document::StoreSettings;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use byname::ham::surface::record::Tag;

/// The words of what one subscription is told: an operation, a number, a value and a reference.
const TOLD: usize = 8;

/// A store in which so many listen to the property `t` of the node `n`.
fn heard(by: usize) -> Store {
    let mut store = Store::new(StoreSettings::default());
    assert!(store.apply(br#"{"n":{"t":"-"},"others":0}"#, HostEncoding::Ascii).ok);
    for _ in 0..by {
        let node = store.document.node(b"n");
        let key = Some(store.document.key("t"));
        store.subscribe(Binding { node: None, key }, Context::from_node(node));
    }
    store
}

/// What the value is told as that comes with `others` in one message.
fn told_as(text: &str, others: &str, held: HostEncoding) -> u32 {
    let mut store = heard(1);
    let message = format!(r#"{{"others":"{others}","n":{{"t":"{text}"}}}}"#);
    assert!(store.apply(message.as_bytes(), held).ok);
    let words = store.records.words.as_slice();
    assert_eq!(words.len(), TOLD);
    if words[2] == Tag::TextInMessage as u32 {
        let units: Vec<u16> = message.encode_utf16().collect();
        let at = words[3] as usize..(words[3] + words[4]) as usize;
        assert_eq!(String::from_utf16(&units[at]).expect("whole characters"), text);
    } else {
        assert_eq!(String::from_utf8_lossy(&store.records.batch), text);
    }
    words[2]
}

#[test]
fn texts_are_taken_from_a_message_that_is_worth_keeping() {
    let (taken, apart) = (Tag::TextInMessage as u32, Tag::Text as u32);
    for letters in ["abc", "äöü", "漢字", "a😀"] {
        let held = if letters.is_ascii() { HostEncoding::Ascii } else { HostEncoding::Text };
        assert_eq!(told_as(letters, letters, held), taken);
        assert_eq!(told_as(letters, letters, HostEncoding::Bytes), apart);
        // Whoever kept the short text would keep the long one.
        assert_eq!(told_as(letters, &letters.repeat(1_000), held), apart);
        // It is most of the message.
        assert_eq!(told_as(&letters.repeat(100), letters, held), taken);
    }
}

#[test]
fn a_long_text_is_not_told_to_each_of_many() {
    let mut store = heard(40);
    let message = format!(r#"{{"n":{{"t":"{}"}}}}"#, "x".repeat(200_000));
    assert!(store.apply(message.as_bytes(), HostEncoding::Bytes).ok);
    let told = store.records.words.as_slice().as_chunks::<TOLD>().0.to_vec();
    let count = |tag: Tag| told.iter().filter(|words| words[2] == tag as u32).count();
    // The others ask for it.
    assert_eq!((told.len(), count(Tag::Text), count(Tag::Nothing)), (40, 6, 34));
    assert_eq!(store.records.batch.len(), 6 * 200_000);
}
