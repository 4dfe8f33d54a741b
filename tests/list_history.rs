//! Undo, redo and inverses of edits of long lists, whose old versions are stored as deltas.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing)] // A failed test panics.

mod sample;

use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::history::{Cause, Revision};
use byname::ham::id::EditKeys;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;
use sample::sample;
use serde_json::{Value as Json, from_str, json};

/// More undo steps than any test creates.
const STEPS: usize = 1_000;

const LISTS: [&str; 2] = ["left", "right"];

#[derive(Clone, Debug)]
enum Action {
    /// Insert a new node before the item at this position, in thousandths.
    Insert(usize, usize),
    Remove(usize, usize),
    Move(usize, usize, usize),
    /// Send the complete list again, some items shorter.
    Resend(usize, usize),
    /// Replace the list by a text.
    Text(usize),
    Reverse(usize),
    /// Set another node: a map with or without a list.
    Other(bool),
    /// Change both lists in one message.
    Both(usize),
    /// Edit one list and restore the other one in the same message, by edits or by a repeated key.
    Restore(usize, bool),
    /// Push a chunk of a stream.
    Stream,
    Undo,
    Redo,
}

fn action() -> impl Strategy<Value = Action> {
    let list = || 0..LISTS.len();
    let position = || 0..1000usize;
    prop_oneof![
        8 => (list(), position()).prop_map(|(list, at)| Action::Insert(list, at)),
        4 => (list(), position()).prop_map(|(list, at)| Action::Remove(list, at)),
        2 => (list(), position(), position()).prop_map(|(list, from, to)| Action::Move(list, from, to)),
        2 => (list(), 0..5usize).prop_map(|(list, count)| Action::Resend(list, count)),
        1 => list().prop_map(Action::Text),
        1 => list().prop_map(Action::Reverse),
        3 => any::<bool>().prop_map(Action::Other),
        1 => position().prop_map(Action::Both),
        2 => (list(), any::<bool>()).prop_map(|(list, repeated)| Action::Restore(list, repeated)),
        2 => Just(Action::Stream),
        6 => Just(Action::Undo),
        3 => Just(Action::Redo),
    ]
}

/// Values of the lists, which may be texts.
type State = [Json; 2];

/// A store and its expected state.
struct Model {
    store: Store,
    now: State,
    undo: Vec<(Json, State)>,
    redo: Vec<(Json, State)>,
    /// State before each update.
    past: Vec<(Revision, Json, State)>,
    stream: Option<(usize, usize)>,
    next_id: usize,
    /// Whether the limits allow the complete history.
    keeps_history: bool,
}

impl Model {
    fn new(limits: StoreLimits) -> Model {
        let keeps_history = limits.bytes == StoreLimits::default().bytes && limits.undo == STEPS;
        let settings = StoreSettings {
            limits,
            edit_keys: EditKeys { lists: true, merge: false },
            ..StoreSettings::default()
        };
        let mut store = Store::new(settings);
        let now = LISTS.map(|list| (0..100).map(|id| format!("*{list}_{id}")).collect::<Json>());
        let message = json!({ "left": now[0], "right": now[1], "other": 0 });
        assert!(store.apply(message.to_string().as_bytes(), HostEncoding::Ascii).ok);
        let next_id = 0;
        Model {
            store,
            now,
            undo: vec![],
            redo: vec![],
            past: vec![],
            stream: None,
            next_id,
            keeps_history,
        }
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
        self.remember(applied.revision, before.clone());
        if !is_same {
            self.undo.push(before);
            self.redo.clear();
        }
    }

    fn remember(&mut self, revision: Revision, (other, lists): (Json, State)) {
        self.past.push((revision, other, lists));
    }

    /// Sends an edit that results in these items.
    fn edit(&mut self, list: usize, message: &Json, items: &[String]) {
        let mut next = self.now.clone();
        next[list] = json!(items);
        self.send(message, next);
    }

    fn action(&mut self, action: &Action) {
        match *action {
            Action::Insert(list, at) if !self.items(list).is_empty() => {
                let (name, mut items) = (LISTS[list], self.items(list));
                let position = at * items.len() / 1000;
                let (before, new) = (items[position].clone(), format!("new_{}", self.next_id));
                self.next_id += 1;
                items.insert(position, format!("*{new}"));
                let edit = json!({ "items": [format!("*{new}")], "before": before });
                self.edit(list, &json!({ new: {"n": at}, format!("+{name}"): edit }), &items);
            }
            Action::Remove(list, at) if !self.items(list).is_empty() => {
                let mut items = self.items(list);
                let item = items.remove(at * items.len() / 1000);
                self.edit(list, &json!({ format!("-{}", LISTS[list]): [item] }), &items);
            }
            Action::Move(list, from, to) if self.items(list).len() > 1 => {
                let mut items = self.items(list);
                let item = items.remove(from * items.len() / 1000);
                let position = to * items.len() / 1000;
                let edit = json!({ "items": [item], "before": items[position] });
                items.insert(position, item);
                self.edit(list, &json!({ format!("+{}", LISTS[list]): edit }), &items);
            }
            Action::Resend(list, count) => {
                let mut items = self.items(list);
                items.truncate(items.len().saturating_sub(count));
                if items.is_empty() {
                    items = (0..100).map(|id| format!("*{}_{id}", LISTS[list])).collect();
                }
                self.edit(list, &json!({ LISTS[list]: items }), &items);
            }
            Action::Reverse(list) => {
                let items: Vec<String> = self.items(list).into_iter().rev().collect();
                self.edit(list, &json!({ LISTS[list]: items }), &items);
            }
            Action::Text(list) => {
                let mut next = self.now.clone();
                next[list] = json!("no list");
                self.send(&json!({ LISTS[list]: "no list" }), next);
            }
            Action::Other(with_list) => {
                let of = if with_list { json!(["*a", "*b"]) } else { json!(self.next_id) };
                self.next_id += 1;
                self.send(&json!({ "other": {"of": of, "n": self.next_id} }), self.now.clone());
            }
            Action::Both(at) => {
                self.next_id += 1;
                let lists = [0, 1].map(|list| {
                    let mut items = self.items(list);
                    items.insert(at * items.len() / 1000, format!("*both_{}", self.next_id));
                    json!(items)
                });
                self.send(&json!({ "left": lists[0], "right": lists[1] }), lists);
            }
            Action::Restore(list, repeated) if self.items(list).len() > 1 => {
                let (name, other) = (LISTS[list], LISTS[1 - list]);
                let mut items = self.items(list);
                let removed = items.remove(0);
                let same = self.items(1 - list);
                let mut next = self.now.clone();
                next[list] = json!(items);
                if let Some(last) = same.last() {
                    let text = match repeated {
                        true => {
                            let same = json!(same);
                            format!(
                                r#"{{"{other}":["*x"],"-{name}":["{removed}"],"{other}":{same}}}"#
                            )
                        }
                        false => {
                            let edit = json!({ "items": [last] });
                            format!(
                                r#"{{"-{other}":["{last}"],"+{other}":{edit},"-{name}":["{removed}"]}}"#
                            )
                        }
                    };
                    self.send_text(&text, next);
                }
            }
            Action::Stream => self.stream(),
            Action::Undo | Action::Redo => self.step(matches!(action, Action::Undo)),
            _ => {}
        }
    }

    /// Pushes a chunk of a long list; other actions happen between the chunks.
    fn stream(&mut self) {
        let (stream, sent) = match self.stream {
            Some(stream) => stream,
            None => (self.store.open_stream(false), 0),
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
            // An update that the model does not track.
            if self.store.last_revision() > before {
                self.undo.clear();
                self.redo.clear();
                self.past.clear();
            }
        }
    }

    fn step(&mut self, is_undo: bool) {
        let before = (self.other(), self.now.clone());
        let (from, to) = match is_undo {
            true => (&mut self.undo, &mut self.redo),
            false => (&mut self.redo, &mut self.undo),
        };
        let Some((_, state)) = from.pop() else { return };
        if !self.store.undo_or_redo(if is_undo { Cause::Undo } else { Cause::Redo }) {
            assert!(!self.keeps_history, "a step was forgotten");
            from.clear();
            return;
        }
        to.push(before.clone());
        self.now = state;
        self.remember(self.store.last_revision(), before);
    }

    fn check(&self) {
        for (name, expected_list) in LISTS.iter().zip(&self.now) {
            assert_eq!(from_str::<Json>(&self.store.get(name).unwrap()).unwrap(), *expected_list);
        }
        for (position, (revision, other, lists)) in self.past.iter().enumerate() {
            let Some(inverse) = self.store.inverse(*revision) else {
                assert!(!self.keeps_history, "{revision} was forgotten");
                continue;
            };
            let inverse: Json = from_str(&inverse).unwrap();
            for (name, was) in LISTS.iter().zip(lists).chain([(&"other", other)]) {
                if let Some(found) = inverse.get(name) {
                    assert_eq!(found, was, "{name} before {revision}");
                } else if let Some((_, other, lists)) = self.past.get(position + 1) {
                    // The update did not change it.
                    let next =
                        LISTS.iter().position(|list| list == name).map_or(other, |at| &lists[at]);
                    assert_eq!(next, was, "{name} after {revision}");
                }
            }
        }
    }
}

fn run_actions(actions: &[Action], limits: StoreLimits) {
    let mut model = Model::new(limits);
    for action in actions {
        model.action(action);
        model.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sample(200)))]

    #[test]
    fn undo_and_inverse_restore_lists(actions in prop::collection::vec(action(), 1..80)) {
        run_actions(&actions, StoreLimits { undo: STEPS, ..StoreLimits::default() });
    }

    #[test]
    fn few_undo_steps_restore_lists(actions in prop::collection::vec(action(), 1..80)) {
        run_actions(&actions, StoreLimits { undo: 5, ..StoreLimits::default() });
    }

    /// A limit so low that the document is often compacted and history is dropped.
    #[test]
    fn compactions_restore_lists(actions in prop::collection::vec(action(), 1..80)) {
        run_actions(&actions, StoreLimits { bytes: 4_000, memory: 8 * 4_000, undo: STEPS, ..StoreLimits::default() });
    }
}

#[test]
fn edits_need_little_history() {
    let mut model = Model::new(StoreLimits::default());
    let items: Vec<String> = (0..10_000).map(|id| format!("*row_{id}")).collect();
    model.edit(0, &json!({ "left": items }), &items);
    let full = model.store.document.size();
    for at in 0..1_000 {
        let edit =
            json!({ "items": [format!("*new_{at}")], "before": format!("*row_{}", at * 10) });
        assert!(
            model
                .store
                .apply(json!({ "+left": edit }).to_string().as_bytes(), HostEncoding::Ascii)
                .ok
        );
    }
    // A thousand complete lists would need 40 MB.
    assert!(model.store.document.size() < full + 400_000, "{}", model.store.document.size() - full);
    for _ in 0..1_000 {
        assert!(model.store.undo_or_redo(Cause::Undo));
    }
    assert_eq!(model.store.get("left"), Some(json!(items).to_string()));
}
