//! Undo, redo and inverses of edits of large maps, whose old versions are stored as deltas.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing)] // A failed test panics.

mod sample;

use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::history::{Cause, Revision};
use byname::ham::id::EditKeys;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;
use sample::sample;

/// More undo steps than any test creates.
const STEPS: usize = 1_000;

/// Number of properties at first; half as many are stored without deltas.
const PROPERTIES: usize = 100;

#[derive(Clone, Debug)]
enum Action {
    /// Merge new properties, and change existing ones.
    Merge(usize, Vec<usize>),
    /// Remove the properties at these positions, in thousandths.
    Remove(Vec<usize>),
    /// Send the complete map again, with one other value and nested keys in another order.
    Resend(usize),
    /// Send the properties in reverse order, one with another value.
    Reverse(usize),
    /// Delete the node, and create it in the next action.
    Delete,
    /// Push the start of a stream with new properties, then its end.
    Stream(usize),
    Undo,
    Redo,
}

fn action() -> impl Strategy<Value = Action> {
    let position = || 0..1000usize;
    let few = || prop::collection::vec(position(), 0..4);
    prop_oneof![
        8 => (0..3usize, few()).prop_map(|(added, changed)| Action::Merge(added, changed)),
        3 => few().prop_map(Action::Remove),
        2 => position().prop_map(Action::Resend),
        1 => position().prop_map(Action::Reverse),
        1 => Just(Action::Delete),
        2 => position().prop_map(Action::Stream),
        6 => Just(Action::Undo),
        3 => Just(Action::Redo),
    ]
}

/// Properties in order, with their JSON texts; `None` without the node.
type State = Option<Vec<(String, String)>>;

struct Model {
    store: Store,
    now: State,
    undo: Vec<State>,
    redo: Vec<State>,
    /// State before each update.
    past: Vec<(Revision, State)>,
    next: usize,
    /// Whether the limits allow the complete history.
    keeps_history: bool,
}

fn text_of(state: &State) -> Option<String> {
    let entries = state.as_ref()?.iter().map(|(key, value)| format!("\"{key}\":{value}"));
    Some(format!("{{{}}}", entries.collect::<Vec<_>>().join(",")))
}

impl Model {
    fn new(limits: StoreLimits) -> Model {
        let keeps_history = limits.bytes == StoreLimits::default().bytes && limits.undo == STEPS;
        let edit_keys = EditKeys::ALL;
        let settings = StoreSettings { limits, edit_keys, ..StoreSettings::default() };
        let (store, now) = (Store::new(settings), None);
        let (undo, redo, past) = (vec![], vec![], vec![]);
        let mut model = Model { store, now, undo, redo, past, next: 0, keeps_history };
        let first = (0..PROPERTIES).map(|nth| (format!("k{nth}"), model.value(nth)));
        let first = Some(first.collect());
        model.send(&format!("{{\"m\":{}}}", text_of(&first).unwrap()), first);
        model
    }

    /// Returns the text of a new value: a number, a text, a pointer or an object.
    fn value(&mut self, kind: usize) -> String {
        self.next += 1;
        let number = self.next;
        match kind % 4 {
            0 => number.to_string(),
            1 => format!("\"text {number}\""),
            2 => format!("\"*n{number}\""),
            _ => format!("{{\"a\":{number},\"b\":[\"*n1\"]}}"),
        }
    }

    fn send(&mut self, message: &str, next: State) {
        let applied = self.store.apply(message.as_bytes(), HostEncoding::Bytes);
        assert!(applied.ok, "{message}: {:?}", applied.diagnostics);
        self.changed(applied.revision, next);
    }

    fn changed(&mut self, revision: Revision, next: State) {
        let before = std::mem::replace(&mut self.now, next);
        self.past.push((revision, before.clone()));
        if before != self.now {
            self.undo.push(before);
            self.redo.clear();
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Undo => return self.step(Cause::Undo),
            Action::Redo => return self.step(Cause::Redo),
            _ => {}
        }
        let Some(mut entries) = self.now.clone() else {
            let entries = Some((0..80).map(|nth| (format!("k{nth}"), nth.to_string())).collect());
            return self.send(&format!("{{\"m\":{}}}", text_of(&entries).unwrap()), entries);
        };
        let index = |at: &usize| at * entries.len() / 1000;
        match action {
            Action::Merge(added, changed) => {
                let mut set = Vec::new();
                let indices: std::collections::BTreeSet<_> =
                    changed.iter().map(index).filter(|at| *at < entries.len()).collect();
                for at in indices {
                    entries[at].1 = self.value(at);
                    set.push(entries[at].clone());
                }
                for nth in 0..*added {
                    let value = self.value(nth);
                    set.push((format!("new{}", self.next), value));
                    entries.push(set.last().unwrap().clone());
                }
                let set = text_of(&Some(set)).unwrap();
                self.send(&format!("{{\"~m\":{set}}}"), Some(entries));
            }
            Action::Remove(places) => {
                let removed: Vec<_> = places.iter().map(index).collect();
                let names = removed.iter().filter_map(|at| entries.get(*at));
                let names: Vec<_> = names.map(|(key, _)| format!("\"{key}\"")).collect();
                let kept = entries.iter().enumerate().filter(|(at, _)| !removed.contains(at));
                let kept = kept.map(|(_, entry)| entry.clone()).collect();
                self.send(&format!("{{\"-m\":[\"none\",{}]}}", names_or_none(&names)), Some(kept));
            }
            Action::Resend(at) | Action::Reverse(at) if !entries.is_empty() => {
                let at = index(at);
                entries[at].1 = self.value(at);
                if matches!(action, Action::Reverse(_)) {
                    entries.reverse();
                }
                // These are equal as JSON, so they change nothing alone.
                for (_, value) in entries.iter_mut().take(5) {
                    *value = match value.as_str() {
                        "0" => "-0".to_owned(),
                        "-0" => "0".to_owned(),
                        value => swapped(value),
                    };
                }
                let next = Some(entries);
                self.send(&format!("{{\"m\":{}}}", text_of(&next).unwrap()), next);
            }
            Action::Delete => self.send("{\"!m\":null}", None),
            Action::Stream(at) => {
                self.next += 1;
                let key = format!("new{}", self.next);
                entries.push((key.clone(), format!("\"{}\"", "x".repeat(40))));
                let message = format!("{{\"~m\":{{\"{key}\":\"{}\"}}}}", "x".repeat(40));
                let stream = self.store.open_stream(false);
                let (start, end) = message.split_at(at * message.len() / 1000);
                assert!(self.store.push(stream, start.as_bytes(), HostEncoding::Bytes).ok);
                assert!(self.store.push(stream, end.as_bytes(), HostEncoding::Bytes).ok);
                let revision = self.store.last_revision();
                assert!(self.store.end(stream).ok);
                self.store.close_stream(stream);
                self.changed(revision, Some(entries));
            }
            _ => {}
        }
    }

    fn step(&mut self, cause: Cause) {
        let (from, to) = match cause {
            Cause::Undo => (&mut self.undo, &mut self.redo),
            _ => (&mut self.redo, &mut self.undo),
        };
        let Some(state) = from.pop() else { return };
        if !self.store.undo_or_redo(cause) {
            assert!(!self.keeps_history, "a step was forgotten");
            from.clear();
            return;
        }
        to.push(self.now.clone());
        let before = std::mem::replace(&mut self.now, state);
        self.past.push((self.store.last_revision(), before));
    }

    /// Compares the map, and its version before each update, including the order of properties.
    fn check(&self) {
        assert_eq!(self.store.get("m"), text_of(&self.now));
        let after = self.past.iter().skip(1).map(|(_, state)| state).chain([&self.now]);
        for ((revision, before), after) in self.past.iter().zip(after) {
            let Some(inverse) = self.store.inverse(*revision) else {
                assert!(!self.keeps_history, "{revision} was forgotten");
                continue;
            };
            let expected = match text_of(before) {
                Some(text) => format!("{{\"m\":{text}}}"),
                None => "{\"!m\":null}".to_owned(),
            };
            if before == after {
                assert_eq!(inverse, "{}");
            } else {
                assert_eq!(inverse, expected);
            }
        }
    }
}

/// Returns an object of [`Model::value`] with its keys in the other order.
fn swapped(value: &str) -> String {
    let inner = value.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let parts = inner.and_then(|text| text.split_once(','));
    parts.map_or_else(|| value.to_owned(), |(first, second)| format!("{{{second},{first}}}"))
}

fn names_or_none(names: &[String]) -> String {
    if names.is_empty() { "\"none\"".to_owned() } else { names.join(",") }
}

fn run_actions(actions: &[Action], limits: StoreLimits) {
    let mut model = Model::new(limits);
    for action in actions {
        model.action(action);
        model.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sample(100)))]

    #[test]
    fn undo_and_inverse_restore_maps(actions in prop::collection::vec(action(), 1..60)) {
        run_actions(&actions, StoreLimits { undo: STEPS, ..StoreLimits::default() });
    }

    #[test]
    fn few_undo_steps_restore_maps(actions in prop::collection::vec(action(), 1..60)) {
        run_actions(&actions, StoreLimits { undo: 5, ..StoreLimits::default() });
    }

    /// A limit so low that the document is often compacted and history is dropped.
    #[test]
    fn compactions_restore_maps(actions in prop::collection::vec(action(), 1..60)) {
        run_actions(&actions, StoreLimits { bytes: 8_000, memory: 8 * 8_000, undo: STEPS, ..StoreLimits::default() });
    }
}

#[test]
fn edits_need_little_history() {
    let mut model = Model::new(StoreLimits::default());
    let entries: Vec<_> = (0..10_000).map(|nth| (format!("k{nth}"), nth.to_string())).collect();
    let next = Some(entries);
    model.send(&format!("{{\"m\":{}}}", text_of(&next).unwrap()), next);
    let full = model.store.document.size();
    for nth in 0..900 {
        let edit = match nth % 3 {
            0 => format!("\"-m\":[\"k{nth}\"]"),
            _ => format!("\"~m\":{{\"new{nth}\":{nth},\"k{nth}\":\"x\"}}"),
        };
        let message = format!("{{{edit}}}");
        assert!(model.store.apply(message.as_bytes(), HostEncoding::Bytes).ok);
    }
    // 900 complete versions would need 140 MB.
    let size = model.store.document.size();
    assert!(size < full + (10 << 20), "{size} bytes, {full} before");
    for nth in 0..900 {
        assert!(model.store.undo_or_redo(Cause::Undo), "{nth}");
    }
    assert_eq!(model.store.get("m"), text_of(&model.now));
}
