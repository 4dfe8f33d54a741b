//! Long lists that are sent again and again, changed a little, each time written in another way: a
//! store shows what was sent last, whatever it remembers of what was sent before.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing)] // A failed test panics.

use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;
use serde_json::{Value as Json, from_str, json};

/// What is done to the list, at places in thousandths of its length.
#[derive(Clone, Debug)]
enum Edit {
    Insert(usize, String),
    Twice(usize, String),
    Remove(usize, usize),
    Move(usize, usize),
    Reverse(usize, usize),
    /// All of them, with this step between two that follow one another.
    Scatter(usize),
    Literal(usize),
    Nothing,
}

/// How a list is written.
#[derive(Clone, Copy, Debug)]
enum Written {
    Short,
    Indented,
    Escaped,
    Streamed,
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = || 0..1000usize;
    prop_oneof![
        (place(), 1000..1010u32).prop_map(|(at, id)| Edit::Insert(at, format!("row_{id}"))),
        // One that comes twice, perhaps before anybody has heard of it, and ids that are not plain.
        (place(), "(row_20[0-9][0-9]|rowé_[0-9]|row\"[0-9]|é_[0-9])")
            .prop_map(|(at, id)| Edit::Twice(at, id)),
        (1..200usize).prop_map(Edit::Scatter),
        (place(), 0..90usize).prop_map(|(at, count)| Edit::Remove(at, count)),
        (place(), place()).prop_map(|(from, to)| Edit::Move(from, to)),
        (place(), 0..40usize).prop_map(|(at, count)| Edit::Reverse(at, count)),
        place().prop_map(Edit::Literal),
        Just(Edit::Nothing),
    ]
}

fn written() -> impl Strategy<Value = Written> {
    prop_oneof![
        3 => Just(Written::Short),
        1 => Just(Written::Indented),
        1 => Just(Written::Escaped),
        1 => Just(Written::Streamed),
    ]
}

fn change(list: &mut Vec<String>, edit: &Edit) {
    let length = list.len();
    let place = |at: usize| at * length / 1000;
    match edit {
        Edit::Insert(at, id) => list.insert(place(*at), format!("*{id}")),
        Edit::Twice(at, id) => {
            list.insert(place(*at), format!("*{id}"));
            list.insert((place(*at) + 3).min(length + 1), format!("*{id}"));
        }
        Edit::Remove(at, count) => {
            let start = place(*at);
            list.drain(start..(start + count).min(list.len()));
        }
        Edit::Move(from, to) if !list.is_empty() => {
            let (from, to) = (place(*from), place(*to));
            let item = list.remove(from);
            list.insert(to, item);
        }
        Edit::Reverse(at, count) => {
            let start = place(*at);
            let end = (start + count).min(list.len());
            list[start..end].reverse();
        }
        Edit::Scatter(step) => {
            let rest = (0..*step).flat_map(|first| list.iter().skip(first).step_by(*step));
            *list = rest.cloned().collect();
        }
        Edit::Literal(at) => list.insert(place(*at), "no pointer".to_owned()),
        Edit::Move(..) | Edit::Nothing => {}
    }
}

fn send(store: &mut Store, list: &[String], written: Written) {
    let text = match written {
        Written::Indented => serde_json::to_string_pretty(&json!({ "items": list })).unwrap(),
        _ => json!({ "items": list }).to_string(),
    };
    let text = match written {
        Written::Escaped => text.replacen("row", r"\u0072ow", 1),
        _ => text,
    };
    if !matches!(written, Written::Streamed) {
        assert!(store.apply(text.as_bytes(), HostEncoding::Ascii).ok);
        return;
    }
    let stream = store.open_stream();
    for piece in text.as_bytes().chunks(100) {
        assert!(store.push(stream, piece, HostEncoding::Ascii).ok);
    }
    assert!(store.end(stream).ok);
    store.close_stream(stream);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn shows_what_was_sent_last(edits in prop::collection::vec((edit(), written()), 1..60)) {
        // So little room that the document is compacted, and numbers of nodes are used again.
        let limits = StoreLimits { bytes: 5_000, undo: 2, ..StoreLimits::default() };
        let mut store = Store::new(StoreSettings { limits, ..StoreSettings::default() });
        let mut list: Vec<String> = (0..200).map(|id| format!("*row_{id}")).collect();
        send(&mut store, &list, Written::Short);
        for (edit, written) in &edits {
            change(&mut list, edit);
            send(&mut store, &list, *written);
            let shown: Json = from_str(&store.get("items").unwrap()).unwrap();
            prop_assert_eq!(shown, json!(list), "after {:?}, {:?}", edit, written);
        }
    }
}

#[test]
fn forgets_nodes_that_are_gone() {
    let limits = StoreLimits { bytes: 5_000, undo: 0, ..StoreLimits::default() };
    let mut store = Store::new(StoreSettings { limits, ..StoreSettings::default() });
    let list = |kind: &str| (0..200).map(|id| format!("*{kind}_{id}")).collect::<Vec<_>>();
    let first = list("row");
    send(&mut store, &first, Written::Short);
    // In pieces, so that the first one stays the last that was read whole.
    for round in 0..100 {
        send(&mut store, &list(&format!("r{round}")), Written::Streamed);
    }
    send(&mut store, &first, Written::Short);
    assert_eq!(from_str::<Json>(&store.get("items").unwrap()).unwrap(), json!(first));
}

#[test]
fn what_a_stream_has_open_finds_room() {
    // A list that is no longer of pointers alone takes four times as much once it closes, which its last
    // piece, of a few bytes, does not tell.
    let limits = StoreLimits { bytes: 5_000, undo: 2, ..StoreLimits::default() };
    let mut store = Store::new(StoreSettings { limits, ..StoreSettings::default() });
    for round in 0..400 {
        let mut list: Vec<String> = (0..200 + round % 23).map(|id| format!("*row_{id}")).collect();
        list.push("no pointer".to_owned());
        send(&mut store, &list, Written::Streamed);
    }
}

/// An edit by the ids of items: what is taken out, or put in, before or behind an item or at the end.
#[derive(Clone, Debug)]
enum ById {
    Take(Vec<u32>),
    Put(Vec<u32>, Option<(u32, bool)>, bool),
}

fn by_id() -> impl Strategy<Value = ById> {
    // Few ids, so that some stand in the list twice and some are named that do not.
    let ids = || prop::collection::vec(0..30u32, 0..14);
    prop_oneof![
        ids().prop_map(ById::Take),
        (ids(), prop::option::of((0..30u32, any::<bool>())), any::<bool>())
            .prop_map(|(ids, anchor, literal)| ById::Put(ids, anchor, literal)),
    ]
}

impl ById {
    fn message(&self) -> Json {
        let items = |ids: &[u32]| ids.iter().map(|id| pointer(*id)).collect::<Vec<_>>();
        match self {
            ById::Take(ids) => json!({ "-items": items(ids) }),
            ById::Put(ids, anchor, literal) => {
                let literal = literal.then(|| json!("no pointer"));
                let items: Vec<Json> =
                    items(ids).into_iter().map(Json::from).chain(literal).collect();
                let mut edit = json!({ "items": items });
                if let Some((id, behind)) = anchor {
                    edit[if *behind { "after" } else { "before" }] = json!(pointer(*id));
                }
                json!({ "+items": edit })
            }
        }
    }

    /// Rule 26, item by item.
    fn change(&self, list: &mut Vec<String>) {
        // Stays where the anchor was, though that itself may be moved.
        const MARK: &str = "mark";
        let (ById::Take(ids) | ById::Put(ids, ..)) = self;
        if let ById::Put(_, anchor, _) = self {
            let place = anchor.and_then(|(id, behind)| {
                let place = list.iter().position(|item| *item == pointer(id))?;
                Some(place + usize::from(behind))
            });
            list.insert(place.unwrap_or(list.len()), MARK.to_owned());
        }
        for id in ids {
            if let Some(place) = list.iter().position(|item| *item == pointer(*id)) {
                list.remove(place);
            }
        }
        let ById::Put(ids, _, literal) = self else { return };
        let place = list.iter().position(|item| item == MARK).unwrap();
        let items = ids.iter().map(|id| pointer(*id));
        let literal = literal.then(|| "no pointer".to_owned());
        list.splice(place..=place, items.chain(literal));
    }
}

fn pointer(id: u32) -> String {
    format!("*row_{id}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn edits_by_id_do_what_the_rule_says(
        ids in prop::collection::vec(0..30u32, 0..40),
        edits in prop::collection::vec(by_id(), 1..12),
    ) {
        let mut store = Store::new(StoreSettings { list_edits: true, ..StoreSettings::default() });
        let mut list: Vec<String> = ids.into_iter().map(pointer).collect();
        send(&mut store, &list, Written::Short);
        for edit in &edits {
            edit.change(&mut list);
            prop_assert!(store.apply(edit.message().to_string().as_bytes(), HostEncoding::Ascii).ok);
            let shown: Json = from_str(&store.get("items").unwrap()).unwrap();
            prop_assert_eq!(shown, json!(list), "after {:?}", edit);
        }
    }
}
