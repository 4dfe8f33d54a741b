//! Failures of nodes, as their successors read them.

use crate::base::Value;
use crate::base::value::{Map, put};
use crate::flow::workflow::{Batch, Node};
use std::rc::Rc;

/// Kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The node threw an error, or its response was invalid.
    Throw,
    /// The node did not respond in time.
    Timeout,
    /// The node returned the action `error`.
    Returned,
}

const KIND_NAMES: [(FailureKind, &str); 3] = [
    (FailureKind::Throw, "throw"),
    (FailureKind::Timeout, "timeout"),
    (FailureKind::Returned, "returned"),
];

/// Failure of a node, or of one batch item.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFailure {
    /// Error message in one line, without secrets.
    pub message: String,
    pub kind: FailureKind,
    pub attempts: usize,
}

impl NodeFailure {
    /// Returns `{message, kind, attempts}`.
    pub fn to_map(&self) -> Map {
        let kind =
            KIND_NAMES.iter().find(|(kind, _)| *kind == self.kind).map_or("", |(_, name)| name);
        let mut map = Map::default();
        put(&mut map, "message", self.message.as_str());
        put(&mut map, "kind", kind);
        put(&mut map, "attempts", self.attempts);
        map
    }

    /// Reads `{message, kind, attempts}`.
    pub fn read(value: &Value) -> Option<NodeFailure> {
        let text = |key: &str| value.get(key)?.as_text();
        let kind = text("kind")?;
        Some(NodeFailure {
            message: text("message")?.to_owned(),
            kind: KIND_NAMES.iter().find(|(_, name)| *name == kind)?.0,
            attempts: value.get("attempts")?.as_number()? as usize,
        })
    }
}

/// Returns the key of the output that lists the failed batch items.
pub fn errors_key(node: &Node) -> Option<&Rc<str>> {
    node.batch.as_ref().and_then(|batch: &Batch| batch.errors_key.as_ref())
}

/// Returns an error message in one line, truncated.
pub fn one_line(text: &str) -> String {
    const MAX_CHARACTERS: usize = 500;
    let line = join_lines(text);
    match line.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Returns a text in one line.
pub fn join_lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
