//! What the properties of an instance show, and whether an update has changed it.

use super::record::{Records, Tag};
use super::template::{Scope, Template};
use super::tree::Instance;
use crate::ham::arena::{Map, Value};
use crate::ham::binding::{Binding, Context, Found};
use crate::ham::document::{Document, View};
use crate::ham::read::{self, Maps};

/// Writes what a property of an instance shows now. `own` is the map that its context is.
pub fn write_prop(
    document: &Document,
    instance: &Instance,
    own: Option<Map>,
    template: &Template,
    out: &mut Records,
) {
    let view = document.now();
    if let Some(value) = template.scalar(view, own) {
        return out.value(view, value, None);
    }
    match template {
        Template::Binding(binding) => write_binding(view, *binding, &instance.context, out),
        template => {
            let scope = Scope { view, context: &instance.context, index: instance.index };
            out.json(&template.show(scope));
        }
    }
}

fn write_binding(view: View<'_>, binding: Binding, context: &Context, out: &mut Records) {
    match crate::ham::binding::find(view, binding, context, &mut |_| {}) {
        Found::Value { value, whole, .. } => out.value(view, value, whole),
        Found::Missing(_) => out.tag(Tag::Null),
    }
}

/// What an update did to a property of an instance.
#[derive(Clone, Copy)]
pub struct Change {
    pub shows_other: bool,
    /// It may look at other nodes than before.
    pub looks_elsewhere: bool,
}

/// Compares what a property of an instance shows with what it showed before the update at hand,
/// when the place of the nearest item was `index`. `own` are the maps of the node that is its context.
pub fn compare(
    document: &Document,
    instance: &Instance,
    own: Option<Maps>,
    template: &Template,
    index: Option<u32>,
) -> Change {
    let context = &instance.context;
    match template {
        Template::Constant(_) => Change { shows_other: false, looks_elsewhere: false },
        Template::Binding(binding) => match scalars(document, *binding, own) {
            Some((old, new)) => {
                let shows_other = !document.arena.equal(old, new);
                Change { shows_other, looks_elsewhere: false }
            }
            None => {
                let shows_other = read::compare(document, *binding, context).value;
                Change { shows_other, looks_elsewhere: true }
            }
        },
        template => {
            let old = Scope { view: document.before(), context, index };
            let new = Scope { view: document.now(), context, index: instance.index };
            Change { shows_other: template.show(old) != template.show(new), looks_elsewhere: true }
        }
    }
}

fn scalars(document: &Document, binding: Binding, own: Option<Maps>) -> Option<(Value, Value)> {
    let maps = match binding.node {
        None => own,
        Some(node) => Maps::of(document, node),
    };
    maps?.scalars(&document.arena, binding.key?)
}
