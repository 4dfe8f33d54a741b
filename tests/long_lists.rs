//! Long lists that are sent repeatedly with small changes and in different styles. The store must
//! hold the last list, whatever it has cached of earlier ones.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing)] // A failed test panics.

use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::id::EditKeys;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;
use serde_json::{Value as Json, from_str, json};

/// A change of the list, at positions in thousandths of its length.
#[derive(Clone, Debug)]
enum ListChange {
    Insert(usize, String),
    Twice(usize, String),
    Remove(usize, usize),
    Move(usize, usize),
    Reverse(usize, usize),
    /// Reorder all items: every n-th item, for each first item.
    Scatter(usize),
    Literal(usize),
    Nothing,
}

/// Style of a list in the message.
#[derive(Clone, Copy, Debug)]
enum Style {
    Short,
    Indented,
    Escaped,
    Streamed,
}

fn list_change() -> impl Strategy<Value = ListChange> {
    let position = || 0..1000usize;
    prop_oneof![
        (position(), 1000..1010u32)
            .prop_map(|(at, id)| ListChange::Insert(at, format!("row_{id}"))),
        // A repeated item, possibly unknown, with ids that are not simple.
        (position(), "(row_20[0-9][0-9]|rowé_[0-9]|row\"[0-9]|é_[0-9])")
            .prop_map(|(at, id)| ListChange::Twice(at, id)),
        (1..200usize).prop_map(ListChange::Scatter),
        (position(), 0..90usize).prop_map(|(at, count)| ListChange::Remove(at, count)),
        (position(), position()).prop_map(|(from, to)| ListChange::Move(from, to)),
        (position(), 0..40usize).prop_map(|(at, count)| ListChange::Reverse(at, count)),
        position().prop_map(ListChange::Literal),
        Just(ListChange::Nothing),
    ]
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![
        3 => Just(Style::Short),
        1 => Just(Style::Indented),
        1 => Just(Style::Escaped),
        1 => Just(Style::Streamed),
    ]
}

fn apply_change(list: &mut Vec<String>, change: &ListChange) {
    let length = list.len();
    let position = |at: usize| at * length / 1000;
    match change {
        ListChange::Insert(at, id) => list.insert(position(*at), format!("*{id}")),
        ListChange::Twice(at, id) => {
            list.insert(position(*at), format!("*{id}"));
            list.insert((position(*at) + 3).min(length + 1), format!("*{id}"));
        }
        ListChange::Remove(at, count) => {
            let start = position(*at);
            list.drain(start..(start + count).min(list.len()));
        }
        ListChange::Move(from, to) if !list.is_empty() => {
            let (from, to) = (position(*from), position(*to));
            let item = list.remove(from);
            list.insert(to, item);
        }
        ListChange::Reverse(at, count) => {
            let start = position(*at);
            let end = (start + count).min(list.len());
            list[start..end].reverse();
        }
        ListChange::Scatter(step) => {
            let rest = (0..*step).flat_map(|first| list.iter().skip(first).step_by(*step));
            *list = rest.cloned().collect();
        }
        ListChange::Literal(at) => list.insert(position(*at), "no pointer".to_owned()),
        ListChange::Move(..) | ListChange::Nothing => {}
    }
}

fn send(store: &mut Store, list: &[String], style: Style) {
    let text = match style {
        Style::Indented => serde_json::to_string_pretty(&json!({ "items": list })).unwrap(),
        _ => json!({ "items": list }).to_string(),
    };
    let text = match style {
        Style::Escaped => text.replacen("row", r"\u0072ow", 1),
        _ => text,
    };
    if !matches!(style, Style::Streamed) {
        assert!(store.apply(text.as_bytes(), HostEncoding::Ascii).ok);
        return;
    }
    let stream = store.open_stream(false);
    for chunk in text.as_bytes().chunks(100) {
        assert!(store.push(stream, chunk, HostEncoding::Ascii).ok);
    }
    assert!(store.end(stream).ok);
    store.close_stream(stream);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn store_has_the_last_list(edits in prop::collection::vec((list_change(), style()), 1..60)) {
        // A limit so low that the document is compacted and node handles are reused.
        let limits = StoreLimits { bytes: 5_000, memory: 8 * 5_000, undo: 2, ..StoreLimits::default() };
        let mut store = Store::new(StoreSettings { limits, ..StoreSettings::default() });
        let mut list: Vec<String> = (0..200).map(|id| format!("*row_{id}")).collect();
        send(&mut store, &list, Style::Short);
        for (change, style) in &edits {
            apply_change(&mut list, change);
            send(&mut store, &list, *style);
            let found: Json = from_str(&store.get("items").unwrap()).unwrap();
            prop_assert_eq!(found, json!(list), "after {:?}, {:?}", change, style);
        }
    }
}

#[test]
fn freed_node_handles_are_not_cached() {
    let limits = StoreLimits { bytes: 5_000, memory: 8 * 5_000, undo: 0, ..StoreLimits::default() };
    let mut store = Store::new(StoreSettings { limits, ..StoreSettings::default() });
    let list = |prefix: &str| (0..200).map(|id| format!("*{prefix}_{id}")).collect::<Vec<_>>();
    let first = list("row");
    send(&mut store, &first, Style::Short);
    // In streams, so that the first list stays the last complete message.
    for round in 0..100 {
        send(&mut store, &list(&format!("r{round}")), Style::Streamed);
    }
    send(&mut store, &first, Style::Short);
    assert_eq!(from_str::<Json>(&store.get("items").unwrap()).unwrap(), json!(first));
}

#[test]
fn open_stream_values_count_for_compaction() {
    // A list with a literal needs four times as much memory when it closes, in its short last chunk.
    let limits = StoreLimits { bytes: 5_000, memory: 8 * 5_000, undo: 2, ..StoreLimits::default() };
    let mut store = Store::new(StoreSettings { limits, ..StoreSettings::default() });
    for round in 0..400 {
        let mut list: Vec<String> = (0..200 + round % 23).map(|id| format!("*row_{id}")).collect();
        list.push("no pointer".to_owned());
        send(&mut store, &list, Style::Streamed);
    }
}

/// An edit by ids: removed items, or items inserted before or after an anchor or at the end.
#[derive(Clone, Debug)]
enum ListEdit {
    Remove(Vec<u32>),
    Insert(Vec<u32>, Option<(u32, bool)>, bool),
}

fn list_edit() -> impl Strategy<Value = ListEdit> {
    // Few ids, so that some are repeated in the list and some are missing.
    let ids = || prop::collection::vec(0..30u32, 0..14);
    prop_oneof![
        ids().prop_map(ListEdit::Remove),
        (ids(), prop::option::of((0..30u32, any::<bool>())), any::<bool>())
            .prop_map(|(ids, anchor, literal)| ListEdit::Insert(ids, anchor, literal)),
    ]
}

impl ListEdit {
    fn message(&self) -> Json {
        let items = |ids: &[u32]| ids.iter().map(|id| pointer(*id)).collect::<Vec<_>>();
        match self {
            ListEdit::Remove(ids) => json!({ "-items": items(ids) }),
            ListEdit::Insert(ids, anchor, literal) => {
                let literal = literal.then(|| json!("no pointer"));
                let items: Vec<Json> =
                    items(ids).into_iter().map(Json::from).chain(literal).collect();
                let mut edit = json!({ "items": items });
                if let Some((id, is_after)) = anchor {
                    edit[if *is_after { "after" } else { "before" }] = json!(pointer(*id));
                }
                json!({ "+items": edit })
            }
        }
    }

    /// Applies rule 26 item by item.
    fn change(&self, list: &mut Vec<String>) {
        // Placeholder at the anchor, which may be moved itself.
        const MARK: &str = "mark";
        let (ListEdit::Remove(ids) | ListEdit::Insert(ids, ..)) = self;
        if let ListEdit::Insert(_, anchor, _) = self {
            let position = anchor.and_then(|(id, is_after)| {
                let position = list.iter().position(|item| *item == pointer(id))?;
                Some(position + usize::from(is_after))
            });
            list.insert(position.unwrap_or(list.len()), MARK.to_owned());
        }
        for id in ids {
            if let Some(position) = list.iter().position(|item| *item == pointer(*id)) {
                list.remove(position);
            }
        }
        let ListEdit::Insert(ids, _, literal) = self else { return };
        let position = list.iter().position(|item| item == MARK).unwrap();
        let items = ids.iter().map(|id| pointer(*id));
        let literal = literal.then(|| "no pointer".to_owned());
        list.splice(position..=position, items.chain(literal));
    }
}

fn pointer(id: u32) -> String {
    format!("*row_{id}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn list_edits_follow_rule_26(
        ids in prop::collection::vec(0..30u32, 0..40),
        edits in prop::collection::vec(list_edit(), 1..12),
    ) {
        let mut store = Store::new(StoreSettings { edit_keys: EditKeys { lists: true, merge: false }, ..StoreSettings::default() });
        let mut list: Vec<String> = ids.into_iter().map(pointer).collect();
        send(&mut store, &list, Style::Short);
        for edit in &edits {
            edit.change(&mut list);
            prop_assert!(store.apply(edit.message().to_string().as_bytes(), HostEncoding::Ascii).ok);
            let found: Json = from_str(&store.get("items").unwrap()).unwrap();
            prop_assert_eq!(found, json!(list), "after {:?}", edit);
        }
    }
}
