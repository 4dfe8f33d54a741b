//! After an update: which instances come, go, move and show something else, and nothing more.

use super::component::{Children, Component, ComponentRef, Field, Former};
use super::record::{NONE, Op, Records};
use super::shown::{compare, write_prop};
use super::template::{Scope, Template};
use super::tree::{Group, Place, Tree};
use crate::ham::arena::Value;
use crate::ham::binding::{self, Binding, Context, Found};
use crate::ham::child_list::{ItemId, Target};
use crate::ham::codes;
use crate::ham::document::{Document, View};
use crate::ham::observe::Dependencies;
use crate::ham::read::Maps;
use crate::ham::shape::Shapes;
use crate::ham::store::Row;
use std::cell::OnceCell;

/// An instance that looks at a node that changed.
#[derive(Clone, Copy)]
pub struct Affected {
    pub surface: u32,
    pub instance: u32,
    /// A node that it looks at came or went, so its lists may have other items.
    pub lists: bool,
}

/// A surface that is brought up to date, and where it is told what that changed.
pub struct Flush<'a> {
    pub tree: &'a mut Tree,
    pub document: &'a Document,
    pub watchers: &'a mut Dependencies,
    /// Nothing where nobody listens.
    pub records: Option<&'a mut Records>,
    /// Instances whose place changed, where places are shown.
    pub shifted: Vec<u32>,
    /// See [`Flush::gone`].
    pub gone: OnceCell<Vec<u32>>,
}

/// Puts instances in order, by their surfaces, each once.
pub fn merge(affected: &mut Vec<Affected>) {
    affected.sort_by_key(|&each| each.instance);
    affected.sort_by_key(|&each| each.surface);
    affected.dedup_by(|again, each| {
        let same = (again.surface, again.instance) == (each.surface, each.instance);
        each.lists |= same && again.lists;
        same
    });
}

impl Flush<'_> {
    /// Brings the tree up to date with the data.
    pub fn data(&mut self, affected: &[Affected]) {
        // Parents first: what they unmount need not be looked at.
        let mut sorted = Vec::new();
        let mut live = affected;
        if !live.is_sorted_by_key(|each| depth(self.tree, each.instance)) {
            sorted.extend_from_slice(affected);
            sorted.sort_by_key(|&each| depth(self.tree, each.instance));
            live = &sorted;
        }
        for each in live {
            let Some(groups) = old_instance(self.tree, each.instance) else { continue };
            for number in 0..groups {
                let group = Group { parent: each.instance, number };
                if each.lists || list_changed(self.tree, self.document, group) {
                    self.regroup(group);
                }
            }
        }
        for each in live {
            if old_instance(self.tree, each.instance).is_some() && self.update_props(each.instance)
            {
                self.tree.link(self.document, self.watchers, each.instance);
            }
        }
        self.renumber();
        self.take_up();
    }

    /// Brings the tree up to date with components that were described anew.
    pub fn components(&mut self, described: &[ComponentRef]) {
        let mut numbers = self.tree.instances_of(described);
        numbers.sort_by_key(|&number| depth(self.tree, number));
        for number in numbers {
            if old_instance(self.tree, number).is_some() {
                self.describe(number);
            }
        }
        self.renumber();
        self.take_up();
    }

    /// Shows an instance as its component is described now.
    fn describe(&mut self, number: u32) {
        let Some(instance) = self.tree.get(number) else { return };
        let Some(current) = self.tree.component(instance.component) else { return };
        let Some(former) = &current.former else { return };
        if !is_same_kind(former, current) {
            return self.remount(number);
        }
        let view = self.document.now();
        let scope = Scope { view, context: &instance.context, index: instance.index };
        let is_other = |(_, (name, template)): &(u32, &(String, Template))| {
            former.prop(name).map(|former| former.show(scope)) != Some(template.show(scope))
        };
        let different: Vec<u32> =
            (0..).zip(&current.props).filter(is_other).map(|(prop, _)| prop).collect();
        let groups: Vec<(u32, Vec<ItemId>)> = (0..)
            .zip(former.component.groups.iter().zip(&current.groups).zip(&instance.groups))
            .filter(|(_, ((a, b), _))| a.children != b.children)
            .map(|(group, ((a, b), members))| {
                let items = members.items.iter().copied();
                (group, items.filter(|item| goes_on(&a.children, &b.children, *item)).collect())
            })
            .collect();
        self.tell_props(number, &different);
        for (group, items) in groups {
            let group = Group { parent: number, number: group };
            self.replace(group, Target { items, ..Target::default() });
            self.regroup(group);
        }
        self.tree.link(self.document, self.watchers, number);
    }

    /// Mounts what was refused for want of room, now that there is some.
    fn take_up(&mut self) {
        if !self.tree.takes_up(self.document) {
            return;
        }
        let mut numbers = self.tree.numbers();
        numbers.sort_by_key(|&number| depth(self.tree, number));
        let mut told = std::mem::take(&mut self.tree.found);
        for parent in numbers {
            for number in 0..self.tree.get(parent).map_or(0, |each| each.groups.len() as u32) {
                let target = self.tree.wanted(self.document.now(), parent, number);
                self.replace(Group { parent, number }, target);
            }
            if self.tree.lacks_room() {
                // Nothing else has changed, so there is none for any that follows.
                break;
            }
        }
        // What else is wrong with children that did not change has been told.
        let found = &mut self.tree.found;
        found.retain(|each| each.code == codes::INSTANCES);
        told.append(found);
        *found = told;
        self.renumber();
    }

    pub(super) fn op<const N: usize>(&mut self, op: Op, operands: [u32; N]) {
        if let Some(records) = &mut self.records {
            records.op(op, operands);
        }
    }

    /// Tells of an instance that was mounted.
    pub(super) fn mounted(&mut self, [parent, before, number]: [u32; 3]) {
        if let Some(records) = &mut self.records {
            records.op(Op::Mount, [parent, before]);
            self.tree.write(self.document, number, records);
        }
    }

    /// Tells which properties of an instance show something else. Answers whether it may look at other
    /// nodes than before.
    fn update_props(&mut self, number: u32) -> bool {
        let Flush { tree, document, .. } = self;
        let index = tree.index(number);
        let Some(instance) = tree.get_mut(number) else { return false };
        let before = std::mem::replace(&mut instance.index, index);
        let Some(instance) = tree.get(number) else { return false };
        let Some(component) = tree.component(instance.component) else { return false };
        let Context { node, steps } = &instance.context;
        let own = if steps.is_empty() { Maps::of(document, *node) } else { None };
        let mut looks_elsewhere = !instance.groups.is_empty();
        for (prop, (_, template)) in (0..).zip(&component.props) {
            let change = compare(document, instance, own, template, before);
            looks_elsewhere |= change.looks_elsewhere;
            if change.shows_other
                && let Some(records) = &mut self.records
            {
                records.op(Op::Set, [number, prop]);
                write_prop(document, instance, own.map(|own| own.new), template, records);
            }
        }
        looks_elsewhere
    }

    fn tell_props(&mut self, number: u32, props: &[u32]) {
        let Flush { tree, document, records: Some(records), .. } = self else { return };
        let Some(instance) = tree.get(number) else { return };
        let Some(component) = tree.component(instance.component) else { return };
        let own = instance.context.map(document.now());
        for prop in props {
            let Some((_, template)) = component.props.get(*prop as usize) else { continue };
            records.op(Op::Set, [number, *prop]);
            write_prop(document, instance, own, template, records);
        }
    }

    /// Updates what shows the place of an item, below the items whose place changed.
    fn renumber(&mut self) {
        while let Some(number) = self.shifted.pop() {
            let index = self.tree.index(number);
            let Some(instance) = self.tree.get(number) else { continue };
            let children: Vec<u32> =
                instance.groups.iter().flat_map(|members| &members.instances).copied().collect();
            if instance.index != index {
                self.update_props(number);
            }
            // The items of an inner list count for themselves.
            let tree = &self.tree;
            let is_own = |child: &u32| tree.get(*child).is_some_and(|child| !child.templated);
            self.shifted.extend(children.into_iter().filter(is_own));
        }
    }

    /// Mounts an instance anew in its place.
    fn remount(&mut self, number: u32) {
        let tree = &mut *self.tree;
        let at = tree.place_of(number);
        let Some(instance) = tree.get(number) else { return };
        let (parent, group) = (instance.parent, instance.group);
        let place = Place {
            component: instance.component,
            parent,
            group,
            item: instance.item,
            templated: instance.templated,
            context: instance.context.clone(),
        };
        let before =
            if parent == NONE { NONE } else { tree.behind(parent, group, at as usize + 1) };
        self.op(Op::Unmount, [number]);
        self.tree.unmount(self.watchers, number);
        let fresh = self.tree.mount(self.document, self.watchers, place);
        if let Some(fresh) = fresh {
            if let Some(instance) = self.tree.get_mut(fresh) {
                instance.place = at;
            }
            self.mounted([parent, before, fresh]);
        }
        if parent == NONE {
            self.tree.root = fresh;
            return;
        }
        let group = Group { parent, number: group };
        let Some(members) = self.tree.members(group) else { return };
        if let (Some(fresh), Some(slot)) = (fresh, members.instances.get_mut(at as usize)) {
            *slot = fresh;
            return;
        }
        members.items.remove(at as usize);
        members.instances.remove(at as usize);
        if self.tree.uses_index {
            self.tree.renumber(group, at as usize, &mut self.shifted);
        }
    }
}

/// How many groups an instance has that lives and was not mounted by this flush.
fn old_instance(tree: &Tree, number: u32) -> Option<u32> {
    let instance = tree.get(number)?;
    (instance.born != tree.round).then_some(instance.groups.len() as u32)
}

/// Whether the list that a group iterates is another than before.
pub fn list_changed(tree: &Tree, document: &Document, group: Group) -> bool {
    let children = tree.children(group.parent, group.number);
    let Some((instance, Children::Template { list, .. })) = children else { return false };
    let find = |view: View<'_>| list_value(view, *list, &instance.context);
    match (find(document.before()), find(document.now())) {
        (Value::Pointers(a), Value::Pointers(b)) => (a.start, a.len) != (b.start, b.len),
        (Value::List(a), Value::List(b)) => {
            (a.items.start, a.items.len) != (b.items.start, b.items.len)
        }
        (a, b) => a.is_container() || b.is_container(),
    }
}

/// The list that a group iterates, at some moment.
pub fn list_value(view: View<'_>, list: Binding, context: &Context) -> Value {
    match binding::find(view, list, context, &mut |_| {}) {
        Found::Value { value, .. } => value,
        Found::Missing(_) => Value::Missing,
    }
}

/// Calls `each` with the properties of a component that show a value of their row that is another one, in
/// their order, and with where that value stands in the row.
#[inline(always)]
pub fn changed_fields(
    fields: &[Field],
    shapes: &Shapes,
    row: &Row,
    mut each: impl FnMut(u32, usize),
) {
    // Mostly it is one value, and need not be looked for by every field.
    if row.changed.is_power_of_two() {
        let slot = row.changed.trailing_zeros() as usize;
        let key = shapes.keys(row.now.shape).get(slot);
        let shown = fields.iter().filter(|field| Some(&field.key) == key);
        shown.for_each(|field| each(field.prop, slot));
        return;
    }
    for Field { prop, key } in fields {
        // What the row did not have it still has not.
        let slot = shapes.slot(row.now.shape, *key);
        if let Some(slot) = slot.filter(|slot| row.changed >> slot & 1 == 1) {
            each(*prop, slot);
        }
    }
}

/// Whether the instance of an item goes on when the children of its group are described anew.
fn goes_on(former: &Children, current: &Children, item: ItemId) -> bool {
    match (former, current) {
        (Children::Static(_), Children::Static(_)) => true,
        // A literal is known by its place alone, and in another list that is another literal.
        (
            Children::Template { component: former, .. },
            Children::Template { component: current, .. },
        ) => former == current && item.node().is_some(),
        _ => false,
    }
}

/// Whether instances of the former description can go on as instances of the current one.
fn is_same_kind(former: &Former, current: &Component) -> bool {
    let kept = current.props.iter().filter(|(name, _)| former.prop(name).is_some());
    let former = &former.component;
    former.name == current.name
        && former.props.len() == kept.count()
        && former.groups.iter().map(|group| &group.slot).eq(current.groups.iter().map(|g| &g.slot))
}

fn depth(tree: &Tree, number: u32) -> u32 {
    tree.get(number).map_or(0, |instance| u32::from(instance.depth))
}
