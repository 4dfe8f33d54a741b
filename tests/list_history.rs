//! Long lists that are edited by the ids of their items: whatever a store keeps of how they were, undo, redo and
//! the inverse of each update it remembers say what was there.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing)] // A failed test panics.

use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::history::{Cause, Revision};
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;
use serde_json::{Value as Json, from_str, json};

/// More than any test makes.
const STEPS: usize = 1_000;

const LISTS: [&str; 2] = ["left", "right"];

#[derive(Clone, Debug)]
enum Act {
    /// A new row before the item at this place, in thousandths.
    Insert(usize, usize),
    Remove(usize, usize),
    Move(usize, usize, usize),
    /// The whole list again, some items shorter.
    Again(usize, usize),
    /// Something that is no list, and the list again later.
    Text(usize),
    Reverse(usize),
    /// Another node: a map with a list in it, or without.
    Other(bool),
    /// Both lists in one message.
    Both(usize),
    /// An edit of one list, beside which the other comes back to what it was: by edits, or by a key that
    /// stands twice.
    Back(usize, bool),
    /// A piece of a stream, which ends at some time.
    Stream,
    Undo,
    Redo,
}

fn act() -> impl Strategy<Value = Act> {
    let list = || 0..LISTS.len();
    let place = || 0..1000usize;
    prop_oneof![
        8 => (list(), place()).prop_map(|(list, at)| Act::Insert(list, at)),
        4 => (list(), place()).prop_map(|(list, at)| Act::Remove(list, at)),
        2 => (list(), place(), place()).prop_map(|(list, from, to)| Act::Move(list, from, to)),
        2 => (list(), 0..5usize).prop_map(|(list, by)| Act::Again(list, by)),
        1 => list().prop_map(Act::Text),
        1 => list().prop_map(Act::Reverse),
        3 => any::<bool>().prop_map(Act::Other),
        1 => place().prop_map(Act::Both),
        2 => (list(), any::<bool>()).prop_map(|(list, twice)| Act::Back(list, twice)),
        2 => Just(Act::Stream),
        6 => Just(Act::Undo),
        3 => Just(Act::Redo),
    ]
}

/// What the lists are: by text, for they may be none.
type State = [Json; 2];

/// A store and what it has to show.
struct Pair {
    store: Store,
    now: State,
    undo: Vec<(Json, State)>,
    redo: Vec<(Json, State)>,
    /// What was there before each update.
    past: Vec<(Revision, Json, State)>,
    stream: Option<(usize, usize)>,
    fresh: usize,
    /// Nothing is forgotten for want of room.
    has_room: bool,
}

impl Pair {
    fn new(limits: StoreLimits) -> Pair {
        let has_room = limits.bytes == StoreLimits::default().bytes && limits.undo == STEPS;
        let settings = StoreSettings { limits, list_edits: true, ..StoreSettings::default() };
        let mut store = Store::new(settings);
        let now = LISTS.map(|list| (0..100).map(|id| format!("*{list}_{id}")).collect::<Json>());
        let message = json!({ "left": now[0], "right": now[1], "other": 0 });
        assert!(store.apply(message.to_string().as_bytes(), HostEncoding::Ascii).ok);
        let fresh = 0;
        Pair { store, now, undo: vec![], redo: vec![], past: vec![], stream: None, fresh, has_room }
    }

    fn other(&self) -> Json {
        from_str(&self.store.get("other").unwrap()).unwrap()
    }

    fn items(&self, list: usize) -> Vec<String> {
        let items = self.now[list].as_array();
        items.map_or(vec![], |items| {
            items.iter().map(|item| item.as_str().unwrap().to_owned()).collect()
        })
    }

    fn send(&mut self, message: &Json, next: State) {
        self.send_text(&message.to_string(), next);
    }

    fn send_text(&mut self, message: &str, next: State) {
        let other = self.other();
        let before = (other, std::mem::replace(&mut self.now, next));
        let applied = self.store.apply(message.as_bytes(), HostEncoding::Ascii);
        assert!(applied.ok, "{:?}", applied.diagnostics);
        let is_same = before == (self.other(), self.now.clone());
        self.note(applied.revision, before.clone());
        if !is_same {
            self.undo.push(before);
            self.redo.clear();
        }
    }

    fn note(&mut self, revision: Revision, (other, lists): (Json, State)) {
        self.past.push((revision, other, lists));
    }

    /// Sends an edit of a list that is one.
    fn edit(&mut self, list: usize, message: &Json, items: &[String]) {
        let mut next = self.now.clone();
        next[list] = json!(items);
        self.send(message, next);
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::Insert(list, at) if !self.items(list).is_empty() => {
                let (name, mut items) = (LISTS[list], self.items(list));
                let place = at * items.len() / 1000;
                let (before, new) = (items[place].clone(), format!("new_{}", self.fresh));
                self.fresh += 1;
                items.insert(place, format!("*{new}"));
                let edit = json!({ "items": [format!("*{new}")], "before": before });
                self.edit(list, &json!({ new: {"n": at}, format!("+{name}"): edit }), &items);
            }
            Act::Remove(list, at) if !self.items(list).is_empty() => {
                let mut items = self.items(list);
                let item = items.remove(at * items.len() / 1000);
                self.edit(list, &json!({ format!("-{}", LISTS[list]): [item] }), &items);
            }
            Act::Move(list, from, to) if self.items(list).len() > 1 => {
                let mut items = self.items(list);
                let item = items.remove(from * items.len() / 1000);
                let place = to * items.len() / 1000;
                let edit = json!({ "items": [item], "before": items[place] });
                items.insert(place, item);
                self.edit(list, &json!({ format!("+{}", LISTS[list]): edit }), &items);
            }
            Act::Again(list, by) => {
                let mut items = self.items(list);
                items.truncate(items.len().saturating_sub(by));
                if items.is_empty() {
                    items = (0..100).map(|id| format!("*{}_{id}", LISTS[list])).collect();
                }
                self.edit(list, &json!({ LISTS[list]: items }), &items);
            }
            Act::Reverse(list) => {
                let items: Vec<String> = self.items(list).into_iter().rev().collect();
                self.edit(list, &json!({ LISTS[list]: items }), &items);
            }
            Act::Text(list) => {
                let mut next = self.now.clone();
                next[list] = json!("no list");
                self.send(&json!({ LISTS[list]: "no list" }), next);
            }
            Act::Other(with_list) => {
                let of = if with_list { json!(["*a", "*b"]) } else { json!(self.fresh) };
                self.fresh += 1;
                self.send(&json!({ "other": {"of": of, "n": self.fresh} }), self.now.clone());
            }
            Act::Both(at) => {
                self.fresh += 1;
                let lists = [0, 1].map(|list| {
                    let mut items = self.items(list);
                    items.insert(at * items.len() / 1000, format!("*both_{}", self.fresh));
                    json!(items)
                });
                self.send(&json!({ "left": lists[0], "right": lists[1] }), lists);
            }
            Act::Back(list, twice) if self.items(list).len() > 1 => {
                let (name, other) = (LISTS[list], LISTS[1 - list]);
                let mut items = self.items(list);
                let gone = items.remove(0);
                let same = self.items(1 - list);
                let mut next = self.now.clone();
                next[list] = json!(items);
                if let Some(last) = same.last() {
                    let text = match twice {
                        true => {
                            let same = json!(same);
                            format!(r#"{{"{other}":["*x"],"-{name}":["{gone}"],"{other}":{same}}}"#)
                        }
                        false => {
                            let edit = json!({ "items": [last] });
                            format!(
                                r#"{{"-{other}":["{last}"],"+{other}":{edit},"-{name}":["{gone}"]}}"#
                            )
                        }
                    };
                    self.send_text(&text, next);
                }
            }
            Act::Stream => self.stream(),
            Act::Undo | Act::Redo => self.step(matches!(act, Act::Undo)),
            _ => {}
        }
    }

    /// A stream whose list is long and comes in many pieces, between which all else goes on.
    fn stream(&mut self) {
        let (stream, sent) = match self.stream {
            Some(stream) => stream,
            None => (self.store.open_stream(), 0),
        };
        let whole: Vec<String> = (0..90).map(|id| format!("*streamed_{id}")).collect();
        let text = json!({ "streamed": whole }).to_string();
        let end = (sent + 400).min(text.len());
        assert!(self.store.push(stream, &text.as_bytes()[sent..end], HostEncoding::Ascii).ok);
        self.stream = Some((stream, end));
        if end == text.len() {
            let before = self.store.last_revision();
            assert!(self.store.end(stream).ok);
            self.store.close_stream(stream);
            self.stream = None;
            assert_eq!(self.store.get("streamed"), Some(json!(whole).to_string()));
            // An update of its own, which the model does not follow.
            if self.store.last_revision() > before {
                self.undo.clear();
                self.redo.clear();
                self.past.clear();
            }
        }
    }

    fn step(&mut self, back: bool) {
        let before = (self.other(), self.now.clone());
        let (from, to) = match back {
            true => (&mut self.undo, &mut self.redo),
            false => (&mut self.redo, &mut self.undo),
        };
        let Some((_, state)) = from.pop() else { return };
        if !self.store.step(if back { Cause::Undo } else { Cause::Redo }) {
            assert!(!self.has_room, "a step was forgotten");
            from.clear();
            return;
        }
        to.push(before.clone());
        self.now = state;
        self.note(self.store.last_revision(), before);
    }

    fn check(&self) {
        for (name, shown) in LISTS.iter().zip(&self.now) {
            assert_eq!(from_str::<Json>(&self.store.get(name).unwrap()).unwrap(), *shown);
        }
        for (place, (revision, other, lists)) in self.past.iter().enumerate() {
            let Some(inverse) = self.store.inverse(*revision) else {
                assert!(!self.has_room, "{revision} was forgotten");
                continue;
            };
            let inverse: Json = from_str(&inverse).unwrap();
            for (name, was) in LISTS.iter().zip(lists).chain([(&"other", other)]) {
                if let Some(told) = inverse.get(name) {
                    assert_eq!(told, was, "{name} before {revision}");
                } else if let Some((_, other, lists)) = self.past.get(place + 1) {
                    // It was the same before the next update.
                    let next =
                        LISTS.iter().position(|list| list == name).map_or(other, |at| &lists[at]);
                    assert_eq!(next, was, "{name} after {revision}");
                }
            }
        }
    }
}

fn goes_on(acts: &[Act], limits: StoreLimits) {
    let mut pair = Pair::new(limits);
    for act in acts {
        pair.act(act);
        pair.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn says_what_was_there(acts in prop::collection::vec(act(), 1..80)) {
        goes_on(&acts, StoreLimits { undo: STEPS, ..StoreLimits::default() });
    }

    #[test]
    fn says_what_was_there_with_few_steps(acts in prop::collection::vec(act(), 1..80)) {
        goes_on(&acts, StoreLimits { undo: 5, ..StoreLimits::default() });
    }

    /// So little room that the document is compacted again and again, and what was there is forgotten.
    #[test]
    fn says_what_was_there_in_little_room(acts in prop::collection::vec(act(), 1..80)) {
        goes_on(&acts, StoreLimits { bytes: 4_000, undo: STEPS, ..StoreLimits::default() });
    }
}

#[test]
fn an_edit_takes_little_of_the_past() {
    let mut pair = Pair::new(StoreLimits::default());
    let items: Vec<String> = (0..10_000).map(|id| format!("*row_{id}")).collect();
    pair.edit(0, &json!({ "left": items }), &items);
    let full = pair.store.document.size();
    for at in 0..1_000 {
        let edit =
            json!({ "items": [format!("*new_{at}")], "before": format!("*row_{}", at * 10) });
        assert!(
            pair.store
                .apply(json!({ "+left": edit }).to_string().as_bytes(), HostEncoding::Ascii)
                .ok
        );
    }
    // A thousand lists of ten thousand would be forty megabytes.
    assert!(pair.store.document.size() < full + 400_000, "{}", pair.store.document.size() - full);
    for _ in 0..1_000 {
        assert!(pair.store.step(Cause::Undo));
    }
    assert_eq!(pair.store.get("left"), Some(json!(items).to_string()));
}
