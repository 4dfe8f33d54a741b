//! Sequences of valid and invalid updates. A rejected one changes nothing, and the inverse of an
//! accepted one restores the document. A stream has the same result as the complete text, and a
//! difference leads to its target.

use super::choices::Choices;
use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::export::export;
use byname::ham::history::Cause;
use byname::ham::id::EditKeys;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;
use serde_json::Value as Json;

const STEPS: usize = 24;
const IDS: &[&str] = &["root", "a", "b", "c", "d", "l1", "l2", "__proto__", "text_1", "ä"];
const POINTERS: &[&str] =
    &["a", "b", "c", "d", "l1", "root", "none", "", " bullet", "*a", "!a", "a#2", "ä"];
const KEYS: &[&str] = &["n", "p", "q", "x/y", "*k", "!k"];
const LEAVES: &[&str] = &[
    "0",
    "1",
    "-2.5",
    "1e300",
    "\"\"",
    "\"x\"",
    "\"ä😀\"",
    "\"a\\u00e9 longer text\\n\"",
    "true",
    "false",
    "null",
];

pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let mut pair = StorePair::new(choices.one_in(4));
    for _ in 0..STEPS {
        if choices.is_empty() {
            return;
        }
        match choices.below(8) {
            6 => pair.undo_or_redo(Cause::Undo),
            7 => pair.undo_or_redo(Cause::Redo),
            5 => pair.apply_together(&mut choices),
            _ => pair.apply(&mut choices),
        }
    }
    pair.check_nested();
}

/// Returns the settings of a small store.
pub fn settings(has_edits: bool) -> StoreSettings {
    let limits = StoreLimits { nodes: 64, deep_read: 2_000, undo: 8, ..StoreLimits::default() };
    let edit_keys = EditKeys { lists: has_edits, merge: has_edits };
    StoreSettings { limits, edit_keys, ..StoreSettings::default() }
}

/// Two stores with the same contents: one receives whole updates, the other one streams.
struct StorePair {
    whole: Store,
    streamed: Store,
    has_edits: bool,
}

impl StorePair {
    fn new(has_edits: bool) -> StorePair {
        let store = || Store::new(settings(has_edits));
        StorePair { whole: store(), streamed: store(), has_edits }
    }

    fn apply(&mut self, choices: &mut Choices<'_>) {
        let (message, is_edit) = message(choices, self.has_edits);
        let before = export(&self.whole.document);
        let revision = self.whole.last_revision();
        let applied = self.whole.apply(message.as_bytes(), HostEncoding::Bytes);
        let after = export(&self.whole.document);
        if !applied.ok {
            assert!(applied.diagnostics.iter().any(|one| one.is_error()), "no reason: {message}");
            assert_same(&after, &before, "a rejected update changed the document");
            return;
        }
        assert!(applied.revision > revision, "an old revision");
        if after != before && choices.one_in(2) {
            self.check_inverse(applied.revision, &before, &after);
        }
        if is_edit {
            // The entries of a stream are applied in the order of the text.
            return self.synchronize();
        }
        let stream = self.streamed.open_stream(choices.one_in(4));
        let mut rest = message.as_bytes();
        while !rest.is_empty() {
            let (chunk, next) = rest.split_at(rest.len().min(1 + choices.below(40)));
            let pushed = self.streamed.push(stream, chunk, HostEncoding::Bytes);
            assert!(pushed.ok, "{message}: {:?}", pushed.diagnostics);
            rest = next;
        }
        let ended = self.streamed.end(stream);
        assert!(ended.ok, "{message}: {:?}", ended.diagnostics);
        self.streamed.close_stream(stream);
        assert_same(&export(&self.streamed.document), &after, "the stream has another result");
    }

    /// Applies the inverse, which restores the document, and reverts it.
    fn check_inverse(&mut self, revision: u32, before: &str, after: &str) {
        let Some(inverse) = self.whole.inverse(revision) else {
            panic!("no inverse of the last update")
        };
        let applied = self.whole.apply(inverse.as_bytes(), HostEncoding::Bytes);
        assert!(applied.ok, "{inverse}: {:?}", applied.diagnostics);
        assert_same(&export(&self.whole.document), before, &inverse);
        assert!(self.whole.undo_or_redo(Cause::Undo));
        assert_same(&export(&self.whole.document), after, "undo of the inverse");
    }

    /// Pushes all chunks of a stream together. A rejected stream leaves the nodes of earlier chunks.
    fn apply_together(&mut self, choices: &mut Choices<'_>) {
        let (message, _) = message(choices, self.has_edits);
        let mut ends = Vec::new();
        let mut end = 0;
        while end < message.len() {
            end = message.len().min(end + 1 + choices.below(40));
            ends.push(end as u32);
        }
        let stream = self.whole.open_stream(false);
        let together = self.whole.push_all(stream, message.as_bytes(), &ends);
        assert_eq!(together.revisions.len(), ends.len());
        let other = self.streamed.open_stream(false);
        let mut start = 0;
        for (end, revision) in ends.iter().zip(&together.revisions) {
            let chunk = &message.as_bytes()[start..*end as usize];
            let pushed = self.streamed.push(other, chunk, HostEncoding::Bytes);
            assert_eq!(pushed.ok && pushed.revision != 0, *revision != 0, "{message}");
            start = *end as usize;
        }
        let (ended, other_ended) = (self.whole.end(stream), self.streamed.end(other));
        assert_eq!(ended.ok, other_ended.ok, "{message}");
        self.whole.close_stream(stream);
        self.streamed.close_stream(other);
        let together = export(&self.whole.document);
        assert_same(&export(&self.streamed.document), &together, &message);
    }

    fn undo_or_redo(&mut self, cause: Cause) {
        let before = export(&self.whole.document);
        if !self.whole.undo_or_redo(cause) {
            return;
        }
        let after = export(&self.whole.document);
        let back = if cause == Cause::Undo { Cause::Redo } else { Cause::Undo };
        assert!(self.whole.undo_or_redo(back));
        assert_same(&export(&self.whole.document), &before, "undo and redo");
        assert!(self.whole.undo_or_redo(cause));
        assert_same(&export(&self.whole.document), &after, "undo, redo and undo");
        self.synchronize();
    }

    /// Makes the second store equal by a difference.
    fn synchronize(&mut self) {
        let target = export(&self.whole.document);
        let Ok(difference) = self.streamed.diff_nodes(target.as_bytes()) else {
            panic!("no difference to {target}")
        };
        let applied = self.streamed.apply(difference.as_bytes(), HostEncoding::Bytes);
        assert!(applied.ok, "{difference}: {:?}", applied.diagnostics);
        assert_same(&export(&self.streamed.document), &target, &difference);
    }

    /// Checks that a difference to the nested JSON of the document leads to that JSON.
    fn check_nested(&mut self) {
        let nested = self.whole.to_json("root");
        let streamed = self.streamed.to_json("root");
        assert_eq!(nested.is_ok(), streamed.is_ok());
        let (Ok(nested), Ok(streamed)) = (nested, streamed) else { return };
        assert_same(&streamed, &nested, "nested JSON");
        let mut empty = Store::new(settings(false));
        let Ok(difference) = empty.diff_json(nested.as_bytes()) else { panic!("{nested}") };
        if empty.apply(difference.as_bytes(), HostEncoding::Bytes).ok {
            assert_same(&empty.to_json("root").unwrap_or_default(), &nested, &difference);
        }
    }
}

/// Compares two exports; the order of their nodes does not matter.
pub fn assert_same(found: &str, expected: &str, what: &str) {
    if found == expected {
        return;
    }
    let parse = |text: &str| serde_json::from_str::<Json>(text).ok();
    assert_eq!(parse(found), parse(expected), "{what}");
}

/// Returns an update, and whether it edits nodes in place.
pub fn message(choices: &mut Choices<'_>, has_edits: bool) -> (String, bool) {
    let mut is_edit = false;
    let mut nodes = String::from("{");
    for index in 0..1 + choices.below(4) {
        if index > 0 {
            nodes.push(',');
        }
        is_edit |= entry(choices, has_edits, &mut nodes);
    }
    nodes.push('}');
    match choices.below(8) {
        5 if has_edits => (format!(r#"{{"updateDataModel":{{"edits":{nodes}}}}}"#), is_edit),
        6 => (format!(r#"{{"updateDataModel":{{"surfaceId":"s","nodes":{nodes}}}}}"#), is_edit),
        7 => (
            format!(r#" {{ "version" : "v1.0", "updateDataModel" : {{ "nodes" : {nodes} }} }} "#),
            is_edit,
        ),
        _ => (nodes, is_edit),
    }
}

/// Writes an entry. Returns whether it edits a node in place.
fn entry(choices: &mut Choices<'_>, has_edits: bool, out: &mut String) -> bool {
    let id = choices.pick(IDS);
    match choices.below(if has_edits { 24 } else { 16 }) {
        0 | 1 => *out += &format!(r#""!{id}":null"#),
        2 => *out += &format!(r#""!{id}":5"#),
        3 if choices.one_in(8) => *out += r#""":1"#,
        4 if choices.one_in(8) => *out += r#""*a":1"#,
        16 | 17 => {
            let anchor = choices.pick(IDS);
            *out += &format!(r#""+{id}":{{"items":"#);
            list(choices, 2, out);
            *out += match choices.below(3) {
                0 => "}",
                1 => r#","before":"*"#,
                _ => r#","after":"*"#,
            };
            if !out.ends_with('}') {
                *out += &format!("{anchor}\"}}");
            }
            return true;
        }
        18 => {
            *out += &format!(r#""-{id}":"#);
            list(choices, 2, out);
            return true;
        }
        19 => {
            let [first, second] = [choices.pick(KEYS), choices.pick(KEYS)];
            *out += &format!(r#""-{id}":["{first}","{second}"]"#);
            return true;
        }
        20 | 21 => {
            *out += &format!(r#"">{id}":"more ä""#);
            return true;
        }
        22 | 23 => {
            *out += &format!(r#""~{id}":"#);
            map(choices, 1, out);
            return true;
        }
        _ => {
            *out += &format!(r#""{id}":"#);
            value(choices, 0, out);
        }
    }
    false
}

/// Writes a value of a node, or an inner value.
fn value(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    match choices.below(12) {
        0..=2 => *out += choices.pick(LEAVES),
        3..=5 => {
            let id = choices.pick(POINTERS);
            *out += &format!("\"*{id}\"");
        }
        6..=8 if depth < 4 => map(choices, depth, out),
        9..=11 if depth < 4 => list(choices, depth, out),
        _ => *out += "\"short\"",
    }
}

fn map(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    out.push('{');
    for index in 0..choices.below(4) {
        if index > 0 {
            out.push(',');
        }
        let key = choices.pick(KEYS);
        *out += &format!("\"{key}\":");
        value(choices, depth + 1, out);
    }
    out.push('}');
}

fn list(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    out.push('[');
    for index in 0..choices.below(6) {
        if index > 0 {
            out.push(',');
        }
        value(choices, depth + 1, out);
    }
    out.push(']');
}
