//! Readings: what a binding shows (rules 11 to 17).

use super::arena::{Arena, Map, NodeRef, Value};
use super::binding::{Binding, Context, Found, explain, find};
use super::deep::{Deep, Met, Order, same};
use super::document::{DOCUMENT_FACTOR, Document, View};
use super::shape::KeyRef;
use super::{codes, update};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::{write_number, write_text};

/// Whether there is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok,
    Missing,
    Error,
}

/// What a binding shows at some moment.
#[derive(Clone, Debug)]
pub struct Reading {
    /// JSON text; `null` unless the status is ok.
    pub value: String,
    pub status: Status,
    /// The node that a pointer property named.
    pub reference: Option<NodeRef>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a binding.
pub fn read(view: View<'_>, binding: Binding, context: &Context) -> Reading {
    let mut diagnostics = Vec::new();
    let mut text = String::new();
    let (status, reference) = match find(view, binding, context, &mut |_| {}) {
        Found::Value { value, reference, whole } => {
            let written = write(view, value, whole.as_slice(), &mut text, &mut diagnostics);
            (if written { Status::Ok } else { Status::Error }, reference)
        }
        Found::Missing(gap) => {
            diagnostics.extend(explain(view.document, binding, gap));
            let reference = match gap {
                super::binding::Gap::Dangling(node) => Some(node),
                _ => None,
            };
            (Status::Missing, reference)
        }
    };
    if status != Status::Ok {
        "null".clone_into(&mut text);
    }
    Reading { value: text, status, reference, diagnostics }
}

/// A deep read tells of at most this many pointers that lead nowhere.
const TOLD: usize = 20;

/// Appends the JSON text of a value, pointers followed; answers whether it stayed within bounds. These nodes are on
/// the way down to it.
pub fn write(
    view: View<'_>,
    value: Value,
    way: &[NodeRef],
    out: &mut String,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let document = view.document;
    let limits = document.settings.limits;
    // A text that is pointed to often is copied often.
    let longest = out.len().saturating_add(limits.bytes.saturating_mul(DOCUMENT_FACTOR / 2));
    let mut comma = false;
    let mut told: Vec<NodeRef> = Vec::new();
    for met in Deep::new(view, value, way, Order::Written, limits.deep_read, None) {
        if comma && !matches!(met, Met::CloseList | Met::CloseMap) {
            out.push(',');
        }
        comma = !matches!(met, Met::OpenList | Met::OpenMap | Met::Key(_));
        match met {
            Met::Scalar(value) => write_scalar(document, value, out),
            Met::OpenMap => out.push('{'),
            Met::CloseMap => out.push('}'),
            Met::OpenList => out.push('['),
            Met::CloseList => out.push(']'),
            Met::Key(key) => {
                write_text(document.keys.text(key.0), out);
                out.push(':');
            }
            Met::Cycle(node) | Met::Dangling(node) => {
                out.push_str("null");
                if told.len() < TOLD && !told.contains(&node) {
                    told.push(node);
                    diagnostics.push(cut(document, node, matches!(met, Met::Cycle(_))));
                }
            }
            Met::TooMany => {
                let limit = limits.deep_read;
                diagnostics.push(too_large(format!("the value has more than {limit} parts")));
                return false;
            }
        }
        if out.len() > longest {
            diagnostics.push(too_large(format!("the text of the value has over {longest} bytes")));
            return false;
        }
    }
    true
}

fn cut(document: &Document, node: NodeRef, cycle: bool) -> Diagnostic {
    let id = document.id(node);
    let sigil = &document.settings.sigil;
    if !cycle {
        return update::hoist(&format!("{sigil}{id}"), sigil);
    }
    Diagnostic::new(codes::CYCLE, format!("{} contains itself: null stands there", quote(id)))
        .help("bind to single properties with `key`: they are read one pointer deep")
}

fn too_large(message: String) -> Diagnostic {
    Diagnostic::new(codes::DEEP_READ, message)
        .help("bind to a node further down, or to single properties with `key`")
}

/// Appends the JSON text of a value that has no parts.
pub fn write_scalar(document: &Document, value: Value, out: &mut String) {
    match value {
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::Text(text) => write_text(document.arena.text(text), out),
        _ => out.push_str("null"),
    }
}

/// What an update did to a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The value differs.
    pub value: bool,
    /// The status or the reference differs.
    pub rest: bool,
}

/// What a node was before the update at hand and what it is now, where both are maps.
#[derive(Clone, Copy)]
pub struct Maps {
    old: Map,
    pub new: Map,
}

impl Maps {
    /// Those of a node.
    pub fn of(document: &Document, node: NodeRef) -> Option<Maps> {
        let map = |view: View<'_>| match view.value(node) {
            Value::Map(map) => Some(map),
            _ => None,
        };
        Some(Maps { old: map(document.before())?, new: map(document.now())? })
    }

    /// What a property was and what it is, where both maps have the same keys and both values are
    /// neither a pointer, a list nor a map: as most are.
    pub fn scalars(self, arena: &Arena, key: KeyRef) -> Option<(Value, Value)> {
        let slot =
            arena.shapes.slot(self.old.shape, key).filter(|_| self.old.shape == self.new.shape)?;
        let (old, new) = (arena.value(self.old, slot)?, arena.value(self.new, slot)?);
        (old.is_scalar() && new.is_scalar()).then_some((old, new))
    }
}

/// Compares what a binding showed before the update at hand with what it shows now.
pub fn compare(document: &Document, binding: Binding, context: &Context) -> Difference {
    let (before, now) = (document.before(), document.now());
    let old = find(before, binding, context, &mut |_| {});
    let new = find(now, binding, context, &mut |_| {});
    compare_found(document, old, new)
}

/// Compares two readings, one before and one after the update at hand.
pub fn compare_found(document: &Document, old: Found, new: Found) -> Difference {
    let limit = document.settings.limits.deep_read;
    let (status, value) = match (old, new) {
        (Found::Value { value: a, whole: x, .. }, Found::Value { value: b, whole: y, .. }) => {
            if !a.is_container() && !b.is_container() {
                (true, document.arena.equal(a, b))
            } else {
                let walk = |view, value, whole: Option<NodeRef>| {
                    Deep::new(view, value, whole.as_slice(), Order::Canonical, limit, None)
                };
                let a = || walk(document.before(), a, x);
                let b = || walk(document.now(), b, y);
                if same(&document.arena, a(), b()) {
                    (true, true)
                } else {
                    // Past the limit both are null; only then does the status say more.
                    let many =
                        |walk: Deep<'_>| walk.last().is_some_and(|met| matches!(met, Met::TooMany));
                    let (many_a, many_b) = (many(a()), many(b()));
                    (many_a == many_b, many_a && many_b)
                }
            }
        }
        (Found::Missing(_), Found::Missing(_)) => (true, true),
        (Found::Value { value, whole, .. }, Found::Missing(_)) => {
            (false, is_null(document.before(), value, whole))
        }
        (Found::Missing(_), Found::Value { value, whole, .. }) => {
            (false, is_null(document.now(), value, whole))
        }
    };
    Difference { value: !value, rest: !status || reference(old) != reference(new) }
}

fn is_null(view: View<'_>, value: Value, whole: Option<NodeRef>) -> bool {
    if !value.is_container() {
        return matches!(value, Value::Null);
    }
    let limit = view.document.settings.limits.deep_read;
    let mut walk = Deep::new(view, value, whole.as_slice(), Order::Canonical, limit, None);
    walk.any(|met| matches!(met, Met::TooMany))
}

/// The node that a pointer property named.
pub fn reference(found: Found) -> Option<NodeRef> {
    match found {
        Found::Value { reference, .. } => reference,
        Found::Missing(super::binding::Gap::Dangling(node)) => Some(node),
        Found::Missing(_) => None,
    }
}

/// Calls `visit` with each node that a reading depends on.
pub fn depend(
    view: View<'_>,
    binding: Binding,
    context: &Context,
    visit: &mut dyn FnMut(NodeRef),
) -> Found {
    let found = find(view, binding, context, visit);
    if let Found::Value { value, whole, .. } = found
        && value.is_container()
    {
        let limit = view.document.settings.limits.deep_read;
        Deep::new(view, value, whole.as_slice(), Order::Written, limit, Some(visit)).for_each(drop);
    }
    found
}
