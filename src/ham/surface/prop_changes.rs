//! Values of an instance's properties, and their changes.

use super::record::{UpdateRecords, ValueTag};
use super::template::{PropScope, PropTemplate};
use super::tree::Instance;
use crate::base::bytes::same;
use crate::ham::arena::{MapRef, TextRef, Value};
use crate::ham::binding::{self, Binding, Resolution};
use crate::ham::document::{Document, View};
use crate::ham::read::{self, MapChange};

/// Writes the current value of a property. `own` is the map of its context.
pub fn write_prop(
    document: &Document,
    instance: &Instance,
    own: Option<MapRef>,
    template: &PropTemplate,
    out: &mut UpdateRecords,
) {
    let view = document.current_view();
    if let Some(value) = template.scalar(view, own) {
        return out.push_scalar(view, value);
    }
    if let PropTemplate::Binding(binding) = template {
        match binding::resolve(view, *binding, &instance.context, &mut |_| {}) {
            Resolution::Missing(_) => return out.push_tag(ValueTag::Null),
            Resolution::Value { value, .. } if !value.is_container() => {
                return out.push_scalar(view, value);
            }
            Resolution::Value { .. } => {}
        }
    }
    let scope = PropScope { view, context: &instance.context, index: instance.index };
    out.push_json(&template.to_json(scope));
}

/// Effect of an update on a property.
#[derive(Clone, Copy)]
pub struct PropChange {
    pub value_changed: bool,
    /// Whether its dependencies may have changed.
    pub needs_dependency_update: bool,
}

/// Compares a property before and after the current update. `index` is the previous item index;
/// `own` are the maps of its context node.
pub fn compare_prop(
    document: &Document,
    instance: &Instance,
    own: Option<MapChange>,
    template: &PropTemplate,
    index: Option<u32>,
) -> PropChange {
    let context = &instance.context;
    match template {
        PropTemplate::Constant(_) => {
            PropChange { value_changed: false, needs_dependency_update: false }
        }
        PropTemplate::Binding(binding) => match scalar_change(document, *binding, own) {
            Some((old, new)) => {
                let value_changed = !document.arena.equal(old, new);
                PropChange { value_changed, needs_dependency_update: false }
            }
            None => {
                let value_changed = read::compare_reading(document, *binding, context).value;
                PropChange { value_changed, needs_dependency_update: true }
            }
        },
        template => {
            let old = PropScope { view: document.previous_view(), context, index };
            let new = PropScope { view: document.current_view(), context, index: instance.index };
            PropChange {
                value_changed: template.to_json(old) != template.to_json(new),
                needs_dependency_update: true,
            }
        }
    }
}

/// Returns the text that the current update has appended to the text of a property. Returns `None`
/// for any other change.
#[cold]
#[inline(never)]
pub fn appended_text(
    document: &Document,
    instance: &Instance,
    template: &PropTemplate,
) -> Option<TextRef> {
    let PropTemplate::Binding(binding) = template else { return None };
    let text =
        |view: View<'_>| match binding::resolve(view, *binding, &instance.context, &mut |_| {}) {
            Resolution::Value { value: Value::Text(text), .. } => Some(text),
            _ => None,
        };
    let (old, new) = (text(document.previous_view())?, text(document.current_view())?);
    let start = TextRef { len: old.len, ..new };
    let is_extended = 0 < old.len
        && old.len < new.len
        && (old.start == new.start || same(document.arena.bytes(old), document.arena.bytes(start)));
    let added = new.len.wrapping_sub(old.len);
    is_extended.then_some(TextRef { start: new.start + old.len, len: added, ..new })
}

fn scalar_change(
    document: &Document,
    binding: Binding,
    own: Option<MapChange>,
) -> Option<(Value, Value)> {
    let maps = match binding.node {
        None => own,
        Some(node) => MapChange::of_node(document, node),
    };
    maps?.scalar_change(&document.arena, binding.key?)
}
