//! What works that did not come to their end have done, so that they can go on.

use super::codes;
use crate::base::diagnostic::MORE;
use crate::base::json::DUPLICATE_KEY;
use crate::base::value::put;
use crate::base::{Code, Diagnostic, Location, Value};
use std::rc::Rc;

/// So many works are kept; the oldest goes first.
const KEPT: usize = 8;

/// The works of a session that are begun and not ended, each known by its mark. Several may run
/// side by side.
#[derive(Clone, Default)]
pub struct Checkpoints {
    works: Vec<Value>,
}

/// What a work has done: the outputs of its batches, the sources of their rows, and what there is to say of them.
pub struct Done<'a> {
    pub batches: &'a [Value],
    pub sources: &'a [Rc<[Value]>],
    pub told: &'a [Diagnostic],
    pub extraction: &'a Value,
    /// Whether the reply of some batch stopped for length.
    pub stopped: bool,
}

/// How much of what a work has done is kept: batches, and rows with sources.
pub type Kept = (usize, usize);

impl Checkpoints {
    /// Those that a state holds, as far as they can be gone on with.
    pub fn read(state: &Value) -> Checkpoints {
        let all = state.get("checkpoints").and_then(Value::as_list).unwrap_or_default();
        let is_whole = |work: &&Value| {
            ["batches", "sources"].iter().all(|key| matches!(work.get(key), Some(Value::List(_))))
        };
        Checkpoints { works: all.iter().filter(is_whole).cloned().collect() }
    }

    /// As a state holds them, if there are any.
    pub fn to_value(&self) -> Option<Value> {
        (!self.works.is_empty()).then(|| Value::list(self.works.clone()))
    }

    /// What is kept of a work.
    pub fn find(&self, mark: &str) -> Option<&Value> {
        self.works.iter().find(|work| is_of(work, mark))
    }

    /// The work has come to its end.
    pub fn remove(&mut self, mark: &str) {
        self.works.retain(|work| !is_of(work, mark));
    }

    /// Puts what a work has done since behind what is `kept` of it. Where that is no longer what
    /// is here, for the same work runs twice, all of it is put in the place.
    pub fn keep(&mut self, mark: &str, done: &Done<'_>, kept: Kept) {
        let is_here = self.find(mark).is_some_and(|work| kept == kept_of(work));
        if !is_here {
            self.remove(mark);
            let none = || Value::list(Vec::new());
            let [batches, sources, told] = ["batches", "sources", "told"].map(|key| (key, none()));
            self.works.push(Value::map([("mark", mark.into()), batches, sources, told]));
            let oldest = self.works.len().saturating_sub(KEPT);
            self.works.drain(..oldest);
        }
        let work = self.works.iter_mut().find(|work| is_of(work, mark));
        let Some(work) = work.and_then(Value::as_map_mut) else { return };
        push_rest(work.get_mut("batches"), done.batches, Value::clone);
        push_rest(work.get_mut("sources"), done.sources, |each| Value::list(each.to_vec()));
        push_rest(work.get_mut("told"), done.told, Diagnostic::to_value);
        put(work, "extraction", done.extraction.clone());
        put(work, "stopped", done.stopped);
    }
}

/// What a work has told of its batches.
pub fn told_of(work: &Value) -> Vec<Diagnostic> {
    let all = work.get("told").and_then(Value::as_list).unwrap_or_default();
    all.iter().filter_map(restored).collect::<Vec<_>>()
}

/// A diagnostic as a state holds it, if batches tell such.
fn restored(told: &Value) -> Option<Diagnostic> {
    const CODES: [Code; 4] = [codes::CHATTER, codes::NOT_QUOTED, DUPLICATE_KEY, MORE];
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_text).map(str::to_owned);
    let id = text(told, "code")?;
    let code = CODES.into_iter().find(|code| code.id == id)?;
    let pointer = told.get("location").and_then(|location| text(location, "pointer"));
    let location = pointer.map(Location::Pointer);
    Some(Diagnostic { code, message: text(told, "message")?, help: text(told, "help"), location })
}

fn is_of(work: &Value, mark: &str) -> bool {
    work.get("mark").and_then(Value::as_text) == Some(mark)
}

fn kept_of(work: &Value) -> Kept {
    let count = |key: &str| work.get(key).and_then(Value::as_list).map_or(0, <[Value]>::len);
    (count("batches"), count("sources"))
}

/// Puts those behind a list that are not in it yet.
fn push_rest<T>(list: Option<&mut Value>, all: &[T], value: impl Fn(&T) -> Value) {
    if let Some(list) = list.and_then(Value::as_list_mut) {
        list.extend(all.iter().skip(list.len()).map(value));
    }
}
