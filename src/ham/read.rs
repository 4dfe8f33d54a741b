//! Readings: values of bindings (rules 11 to 17).

use super::arena::{Arena, MapRef, NodeRef, Value};
use super::binding::{Binding, Context, Resolution, missing_diagnostic, resolve};
use super::document::{Document, View};
use super::resolved_walk::{KeyOrder, ResolvedWalk, WalkEvent, walks_are_equal};
use super::shape::KeyRef;
use super::{codes, update};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::{write_number, write_text};

/// Status of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok,
    Missing,
    Error,
}

/// Value of a binding at one time.
#[derive(Clone, Debug)]
pub struct Reading {
    /// JSON text; `null` unless the status is ok.
    pub value: String,
    pub status: Status,
    /// The node that a pointer property refers to.
    pub reference: Option<NodeRef>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a binding.
pub fn read(view: View<'_>, binding: Binding, context: &Context) -> Reading {
    let mut diagnostics = Vec::new();
    let mut text = String::new();
    let (status, reference) = match resolve(view, binding, context, &mut |_| {}) {
        Resolution::Value { value, reference, value_node } => {
            let is_complete =
                write_deep(view, value, value_node.as_slice(), &mut text, &mut diagnostics);
            (if is_complete { Status::Ok } else { Status::Error }, reference)
        }
        Resolution::Missing(reason) => {
            diagnostics.extend(missing_diagnostic(view.document, binding, reason));
            let reference = match reason {
                super::binding::MissingReason::Dangling(node) => Some(node),
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

/// Maximum number of cycles and dangling pointers that a deep read reports.
const MAX_REPORTED_POINTERS: usize = 20;

/// Appends the JSON text of a value with pointers followed. `path` contains the nodes that enclose
/// the value. Returns `false` if a limit was exceeded.
pub fn write_deep(
    view: View<'_>,
    value: Value,
    path: &[NodeRef],
    out: &mut String,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let document = view.document;
    let limits = document.settings.limits;
    // Limited, because a text is copied once per pointer to its node.
    let max_length = out.len().saturating_add(limits.memory);
    let mut comma = false;
    let mut reported: Vec<NodeRef> = Vec::new();
    for event in ResolvedWalk::new(view, value, path, KeyOrder::Written, limits.deep_read, None) {
        if comma && !matches!(event, WalkEvent::CloseList | WalkEvent::CloseMap) {
            out.push(',');
        }
        comma = !matches!(event, WalkEvent::OpenList | WalkEvent::OpenMap | WalkEvent::Key(_));
        match event {
            WalkEvent::Scalar(value) => write_scalar(document, value, out),
            WalkEvent::OpenMap => out.push('{'),
            WalkEvent::CloseMap => out.push('}'),
            WalkEvent::OpenList => out.push('['),
            WalkEvent::CloseList => out.push(']'),
            WalkEvent::Key(key) => {
                write_text(document.keys.text(key.0), out);
                out.push(':');
            }
            WalkEvent::Cycle(node) | WalkEvent::Dangling(node) => {
                out.push_str("null");
                if reported.len() < MAX_REPORTED_POINTERS && !reported.contains(&node) {
                    reported.push(node);
                    diagnostics.push(null_warning(
                        document,
                        node,
                        matches!(event, WalkEvent::Cycle(_)),
                    ));
                }
            }
            WalkEvent::LimitReached => {
                let limit = limits.deep_read;
                diagnostics.push(deep_read_error(format!("the value has more than {limit} parts")));
                return false;
            }
        }
        if out.len() > max_length {
            diagnostics.push(deep_read_error(format!(
                "the JSON text of the value has more than {max_length} bytes"
            )));
            return false;
        }
    }
    true
}

fn null_warning(document: &Document, node: NodeRef, cycle: bool) -> Diagnostic {
    let id = document.id(node);
    let sigil = &document.settings.sigil;
    if !cycle {
        return update::dangling_pointer(&format!("{sigil}{id}"), sigil);
    }
    Diagnostic::new(
        codes::CYCLE,
        format!("{} contains itself; the inner pointer reads as null", quote(id)),
    )
    .help("bind to single properties with `key`: they are read one pointer deep")
}

fn deep_read_error(message: String) -> Diagnostic {
    Diagnostic::new(codes::DEEP_READ_LIMIT, message)
        .help("bind to a nested node, or to single properties with `key`")
}

/// Appends the JSON text of a scalar.
pub fn write_scalar(document: &Document, value: Value, out: &mut String) {
    match value {
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::Text(text) => write_text(document.arena.text(text), out),
        _ => out.push_str("null"),
    }
}

/// Effect of an update on a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingChange {
    /// The value differs.
    pub value: bool,
    /// The status or the reference differs.
    pub status_or_reference: bool,
}

/// Old and new value of a node, if both are maps.
#[derive(Clone, Copy)]
pub struct MapChange {
    old: MapRef,
    pub new: MapRef,
}

impl MapChange {
    /// Returns the change of a node, or `None` if a value is not a map.
    pub fn of_node(document: &Document, node: NodeRef) -> Option<MapChange> {
        let map = |view: View<'_>| match view.value(node) {
            Value::Map(map) => Some(map),
            _ => None,
        };
        Some(MapChange { old: map(document.previous_view())?, new: map(document.current_view())? })
    }

    /// Returns whether the new map lacks a property that the old one has.
    pub fn loses_property(self, arena: &Arena, key: KeyRef) -> bool {
        self.old.shape != self.new.shape
            && arena.property(self.old, key).is_some()
            && arena.property(self.new, key).is_none()
    }

    /// Returns the old and new value of a property, if both maps have the same shape and both
    /// values are scalars.
    pub fn scalar_change(self, arena: &Arena, key: KeyRef) -> Option<(Value, Value)> {
        let slot =
            arena.shapes.slot(self.old.shape, key).filter(|_| self.old.shape == self.new.shape)?;
        let (old, new) = (arena.value(self.old, slot)?, arena.value(self.new, slot)?);
        (old.is_scalar() && new.is_scalar()).then_some((old, new))
    }
}

/// Compares a binding before and after the current update.
pub fn compare_reading(document: &Document, binding: Binding, context: &Context) -> ReadingChange {
    let (before, now) = (document.previous_view(), document.current_view());
    let old = resolve(before, binding, context, &mut |_| {});
    let new = resolve(now, binding, context, &mut |_| {});
    compare_resolutions(document, old, new)
}

/// Compares two resolutions, one before and one after the current update.
pub fn compare_resolutions(document: &Document, old: Resolution, new: Resolution) -> ReadingChange {
    let limit = document.settings.limits.deep_read;
    let (status, value) = match (old, new) {
        (
            Resolution::Value { value: a, value_node: x, .. },
            Resolution::Value { value: b, value_node: y, .. },
        ) => {
            if !a.is_container() && !b.is_container() {
                (true, document.arena.equal(a, b))
            } else {
                let walk = |view, value, value_node: Option<NodeRef>| {
                    ResolvedWalk::new(
                        view,
                        value,
                        value_node.as_slice(),
                        KeyOrder::Canonical,
                        limit,
                        None,
                    )
                };
                let a = || walk(document.previous_view(), a, x);
                let b = || walk(document.current_view(), b, y);
                if walks_are_equal(&document.arena, a(), b()) {
                    (true, true)
                } else {
                    // Beyond the limit both values are null, so the statuses are compared.
                    let is_limited = |walk: ResolvedWalk<'_>| {
                        walk.last().is_some_and(|event| matches!(event, WalkEvent::LimitReached))
                    };
                    let (limited_a, limited_b) = (is_limited(a()), is_limited(b()));
                    (limited_a == limited_b, limited_a && limited_b)
                }
            }
        }
        (Resolution::Missing(_), Resolution::Missing(_)) => (true, true),
        (Resolution::Value { value, value_node, .. }, Resolution::Missing(_)) => {
            (false, is_null(document.previous_view(), value, value_node))
        }
        (Resolution::Missing(_), Resolution::Value { value, value_node, .. }) => {
            (false, is_null(document.current_view(), value, value_node))
        }
    };
    ReadingChange {
        value: !value,
        status_or_reference: !status || pointer_target(old) != pointer_target(new),
    }
}

fn is_null(view: View<'_>, value: Value, value_node: Option<NodeRef>) -> bool {
    if !value.is_container() {
        return matches!(value, Value::Null);
    }
    let limit = view.document.settings.limits.deep_read;
    let mut walk =
        ResolvedWalk::new(view, value, value_node.as_slice(), KeyOrder::Canonical, limit, None);
    walk.any(|event| matches!(event, WalkEvent::LimitReached))
}

/// Returns the node that a pointer property refers to.
pub fn pointer_target(resolution: Resolution) -> Option<NodeRef> {
    match resolution {
        Resolution::Value { reference, .. } => reference,
        Resolution::Missing(super::binding::MissingReason::Dangling(node)) => Some(node),
        Resolution::Missing(_) => None,
    }
}

/// Resolves a binding and calls `visit` with each node that the reading depends on.
pub fn visit_dependencies(
    view: View<'_>,
    binding: Binding,
    context: &Context,
    visit: &mut dyn FnMut(NodeRef),
) -> Resolution {
    let resolution = resolve(view, binding, context, visit);
    if let Resolution::Value { value, value_node, .. } = resolution
        && value.is_container()
    {
        let limit = view.document.settings.limits.deep_read;
        ResolvedWalk::new(
            view,
            value,
            value_node.as_slice(),
            KeyOrder::Written,
            limit,
            Some(visit),
        )
        .for_each(drop);
    }
    resolution
}
