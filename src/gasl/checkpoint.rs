//! Checkpoints: finished batches of interrupted `PROCESS` commands.

use super::codes;
use crate::base::diagnostic::OMITTED_DIAGNOSTICS;
use crate::base::json::DUPLICATE_KEY;
use crate::base::value::put;
use crate::base::{Code, Diagnostic, Location, Value};
use std::rc::Rc;

/// Maximum number of checkpoints; the oldest is removed first.
const MAX_CHECKPOINTS: usize = 8;

/// Checkpoints of the unfinished commands of a session, by key. Several may run concurrently.
#[derive(Clone, Default)]
pub struct Checkpoints {
    checkpoints: Vec<Value>,
}

/// Results of the finished batches of a command.
pub struct BatchResults<'a> {
    pub batches: &'a [Value],
    pub sources: &'a [Rc<[Value]>],
    pub diagnostics: &'a [Diagnostic],
    pub extraction: &'a Value,
    /// Whether a reply was truncated at the length limit of the model.
    pub stopped: bool,
    /// Position in the pages of a host; null for rows in memory.
    pub page: Value,
}

/// Numbers of stored batches and of stored rows with sources.
pub type StoredCounts = (usize, usize);

impl Checkpoints {
    /// Reads the valid checkpoints of a state.
    pub fn read(state: &Value) -> Checkpoints {
        let all = state.get("checkpoints").and_then(Value::as_list).unwrap_or_default();
        let is_valid = |checkpoint: &&Value| {
            ["batches", "sources"]
                .iter()
                .all(|key| matches!(checkpoint.get(key), Some(Value::List(_))))
        };
        Checkpoints { checkpoints: all.iter().filter(is_valid).cloned().collect() }
    }

    /// Returns the stored form, or `None` if there are no checkpoints.
    pub fn to_value(&self) -> Option<Value> {
        (!self.checkpoints.is_empty()).then(|| Value::list(self.checkpoints.clone()))
    }

    pub fn find(&self, key: &str) -> Option<&Value> {
        self.checkpoints.iter().find(|checkpoint| has_key(checkpoint, key))
    }

    pub fn remove(&mut self, key: &str) {
        self.checkpoints.retain(|checkpoint| !has_key(checkpoint, key));
    }

    /// Appends the results that are not `stored` yet. Replaces the checkpoint if it does not match
    /// `stored`, because another run of the same command wrote it.
    pub fn store(&mut self, key: &str, results: &BatchResults<'_>, stored: StoredCounts) {
        let is_current =
            self.find(key).is_some_and(|checkpoint| stored == stored_counts(checkpoint));
        if !is_current {
            self.remove(key);
            let none = || Value::list(Vec::new());
            let [batches, sources, diagnostics] =
                ["batches", "sources", "told"].map(|key| (key, none()));
            self.checkpoints.push(Value::map([
                ("mark", key.into()),
                batches,
                sources,
                diagnostics,
            ]));
            let excess = self.checkpoints.len().saturating_sub(MAX_CHECKPOINTS);
            self.checkpoints.drain(..excess);
        }
        let checkpoint = self.checkpoints.iter_mut().find(|checkpoint| has_key(checkpoint, key));
        let Some(checkpoint) = checkpoint.and_then(Value::as_map_mut) else { return };
        append_new(checkpoint.get_mut("batches"), results.batches, Value::clone);
        append_new(checkpoint.get_mut("sources"), results.sources, |each| {
            Value::list(each.to_vec())
        });
        append_new(checkpoint.get_mut("told"), results.diagnostics, Diagnostic::to_value);
        put(checkpoint, "extraction", results.extraction.clone());
        put(checkpoint, "stopped", results.stopped);
        if !results.page.is_null() {
            put(checkpoint, "page", results.page.clone());
        }
    }
}

/// Returns the stored diagnostics of a checkpoint.
pub fn stored_diagnostics(checkpoint: &Value) -> Vec<Diagnostic> {
    let all = checkpoint.get("told").and_then(Value::as_list).unwrap_or_default();
    all.iter().filter_map(parse_diagnostic).collect::<Vec<_>>()
}

/// Parses a stored diagnostic; returns `None` if its code cannot belong to a batch.
fn parse_diagnostic(stored: &Value) -> Option<Diagnostic> {
    const CODES: [Code; 4] =
        [codes::EXTRA_TEXT, codes::SHORT_SNIPPET, DUPLICATE_KEY, OMITTED_DIAGNOSTICS];
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_text).map(str::to_owned);
    let id = text(stored, "code")?;
    let code = CODES.into_iter().find(|code| code.id == id)?;
    let pointer = stored.get("location").and_then(|location| text(location, "pointer"));
    let location = pointer.map(Location::Pointer);
    Some(Diagnostic {
        code,
        message: text(stored, "message")?,
        help: text(stored, "help"),
        location,
    })
}

fn has_key(checkpoint: &Value, key: &str) -> bool {
    checkpoint.get("mark").and_then(Value::as_text) == Some(key)
}

fn stored_counts(checkpoint: &Value) -> StoredCounts {
    let count = |key: &str| checkpoint.get(key).and_then(Value::as_list).map_or(0, <[Value]>::len);
    (count("batches"), count("sources"))
}

/// Appends the items after the stored ones.
fn append_new<T>(list: Option<&mut Value>, all: &[T], value: impl Fn(&T) -> Value) {
    if let Some(list) = list.and_then(Value::as_list_mut) {
        list.extend(all.iter().skip(list.len()).map(value));
    }
}
