//! Flush: updates the instances of a surface after a change, with minimal records.

use super::component::{BoundField, Children, Component, PreviousComponent};
use super::lost_properties::LostProperties;
use super::prop_changes::{appended_text, compare_prop, write_prop};
use super::record::{NONE, RecordOp, UpdateRecords};
use super::template::{PropScope, PropTemplate};
use super::tree::{GroupRef, MountTarget, Tree};
use crate::ham::arena::Value;
use crate::ham::binding::{self, Binding, Context, Resolution};
use crate::ham::builder::ChangedRow;
use crate::ham::child_list::{ItemId, ResolvedItems};
use crate::ham::dependencies::Dependencies;
use crate::ham::document::{Document, View};
use crate::ham::read::MapChange;
use crate::ham::shape::Shapes;
use std::cell::OnceCell;

/// An instance that depends on a changed node.
#[derive(Clone, Copy)]
pub struct AffectedInstance {
    pub surface: u32,
    pub instance: u32,
    /// A node that it depends on was created or deleted, so its lists may have other items.
    pub may_change_lists: bool,
}

/// State of one flush.
pub struct Flush<'a> {
    pub tree: &'a mut Tree,
    pub document: &'a Document,
    pub watchers: &'a mut Dependencies,
    /// `None` if the surface has no listener.
    pub records: Option<&'a mut UpdateRecords>,
    /// Instances whose position changed, if positions are displayed.
    pub moved: Vec<u32>,
    /// Cache of [`Flush::removed_nodes`].
    pub removed_nodes: OnceCell<Vec<u32>>,
    pub lost: LostProperties,
}

/// Sorts instances by surface and merges duplicates.
pub fn merge_affected(affected: &mut Vec<AffectedInstance>) {
    affected.sort_unstable_by_key(|each| (each.surface, each.instance));
    affected.dedup_by(|duplicate, each| {
        let same = (duplicate.surface, duplicate.instance) == (each.surface, each.instance);
        each.may_change_lists |= same && duplicate.may_change_lists;
        same
    });
}

impl Flush<'_> {
    /// Updates the tree after a change of the data.
    pub fn apply_data(&mut self, affected: &[AffectedInstance]) {
        // Parents first, because they may unmount others.
        let mut sorted = Vec::new();
        let mut ordered = affected;
        if !ordered.is_sorted_by_key(|each| depth(self.tree, each.instance)) {
            sorted.extend_from_slice(affected);
            sorted.sort_unstable_by_key(|each| (depth(self.tree, each.instance), each.instance));
            ordered = &sorted;
        }
        for each in ordered {
            let Some(groups) = group_count_if_old(self.tree, each.instance) else { continue };
            for index in 0..groups {
                let group = GroupRef { parent: each.instance, index };
                if each.may_change_lists || list_changed(self.tree, self.document, group) {
                    self.reconcile_children(group);
                }
            }
        }
        for each in ordered {
            if group_count_if_old(self.tree, each.instance).is_some()
                && self.update_props(each.instance)
            {
                self.tree.update_dependencies(self.document, self.watchers, each.instance);
            }
        }
        self.update_indices();
        std::mem::take(&mut self.lost).report(self.document, &mut self.tree.diagnostics);
    }

    /// Updates the instances of redefined components.
    pub fn apply_components(&mut self, mut ids: Vec<u32>) {
        sort_by_depth(self.tree, &mut ids);
        for id in ids {
            if group_count_if_old(self.tree, id).is_some() {
                self.update_instance(id);
            }
        }
        self.update_indices();
    }

    /// Updates an instance to its component's new description.
    fn update_instance(&mut self, id: u32) {
        let Some(instance) = self.tree.get(id) else { return };
        let Some(current) = self.tree.component(instance.component) else { return };
        let Some(previous) = &current.previous else { return };
        if !can_update_in_place(previous, current) {
            return self.remount(id);
        }
        let view = self.document.current_view();
        let scope = PropScope { view, context: &instance.context, index: instance.index };
        let is_changed = |(_, (name, template)): &(u32, &(String, PropTemplate))| {
            previous.prop(name).map(|previous| previous.to_json(scope))
                != Some(template.to_json(scope))
        };
        let changed_props: Vec<u32> =
            (0..).zip(&current.props).filter(is_changed).map(|(prop, _)| prop).collect();
        let groups: Vec<(u32, Vec<ItemId>)> = (0..)
            .zip(previous.component.groups.iter().zip(&current.groups).zip(&instance.groups))
            .filter(|(_, ((a, b), _))| a.children != b.children)
            .map(|(group, ((a, b), members))| {
                let items = members.items.iter().copied();
                (
                    group,
                    items.filter(|item| keeps_instance(&a.children, &b.children, *item)).collect(),
                )
            })
            .collect();
        self.emit_props(id, &changed_props);
        for (group, items) in groups {
            let group = GroupRef { parent: id, index: group };
            self.set_children(group, ResolvedItems { items, ..ResolvedItems::default() });
            self.reconcile_children(group);
        }
        self.tree.update_dependencies(self.document, self.watchers, id);
    }

    pub(super) fn emit<const N: usize>(&mut self, op: RecordOp, operands: [u32; N]) {
        if let Some(records) = &mut self.records {
            records.push_op(op, operands);
        }
    }

    /// Emits the records of a mounted instance.
    pub(super) fn emit_mount(&mut self, [parent, before, id]: [u32; 3]) {
        if let Some(records) = &mut self.records {
            records.push_op(RecordOp::Mount, [parent, before]);
            self.tree.write_instance(self.document, id, records);
        }
    }

    /// Emits the changed properties of an instance. Returns whether its dependencies may have
    /// changed.
    fn update_props(&mut self, id: u32) -> bool {
        let Flush { tree, document, .. } = self;
        let index = tree.item_index(id);
        let Some(instance) = tree.get_mut(id) else { return false };
        let before = std::mem::replace(&mut instance.index, index);
        let Some(instance) = tree.get(id) else { return false };
        let Some(component) = tree.component(instance.component) else { return false };
        let Context { node, steps } = &instance.context;
        let own = if steps.is_empty() { MapChange::of_node(document, *node) } else { None };
        let mut needs_dependency_update = !instance.groups.is_empty();
        for group in &component.groups {
            if let Children::Template { list, .. } = group.children {
                self.lost.add_if_lost(document, list, &instance.context, own);
            }
        }
        for (prop, (_, template)) in (0..).zip(&component.props) {
            let change = compare_prop(document, instance, own, template, before);
            needs_dependency_update |= change.needs_dependency_update;
            if change.value_changed
                && let PropTemplate::Binding(binding) = template
            {
                self.lost.add_if_lost(document, *binding, &instance.context, own);
            }
            if change.value_changed
                && let Some(records) = &mut self.records
            {
                let is_append = document.has_appended_text;
                match is_append.then(|| appended_text(document, instance, template)).flatten() {
                    Some(added) => {
                        records.push_op(RecordOp::Append, [id, prop]);
                        records.push_scalar(document.current_view(), Value::Text(added));
                    }
                    None => {
                        records.push_op(RecordOp::Set, [id, prop]);
                        write_prop(document, instance, own.map(|own| own.new), template, records);
                    }
                }
            }
        }
        needs_dependency_update
    }

    fn emit_props(&mut self, id: u32, props: &[u32]) {
        let Flush { tree, document, records: Some(records), .. } = self else { return };
        let Some(instance) = tree.get(id) else { return };
        let Some(component) = tree.component(instance.component) else { return };
        let own = instance.context.map(document.current_view());
        for prop in props {
            let Some((_, template)) = component.props.get(*prop as usize) else { continue };
            records.push_op(RecordOp::Set, [id, *prop]);
            write_prop(document, instance, own, template, records);
        }
    }

    /// Updates `@index` below the items whose position changed.
    fn update_indices(&mut self) {
        while let Some(id) = self.moved.pop() {
            let index = self.tree.item_index(id);
            let Some(instance) = self.tree.get(id) else { continue };
            let children: Vec<u32> =
                instance.groups.iter().flat_map(|members| &members.instances).copied().collect();
            if instance.index != index {
                self.update_props(id);
            }
            // Items of an inner list have their own index.
            let tree = &self.tree;
            let is_own = |child: &u32| tree.get(*child).is_some_and(|child| !child.from_template);
            self.moved.extend(children.into_iter().filter(is_own));
        }
    }

    /// Mounts an instance again at the same position.
    fn remount(&mut self, id: u32) {
        let tree = &mut *self.tree;
        let position = tree.position_of(id);
        let Some(instance) = tree.get(id) else { return };
        let (parent, group) = (instance.parent, instance.group);
        let target = MountTarget {
            component: instance.component,
            parent,
            group,
            item: instance.item,
            from_template: instance.from_template,
            context: instance.context.clone(),
        };
        let before = if parent == NONE {
            NONE
        } else {
            tree.next_sibling(parent, group, position as usize + 1)
        };
        self.emit(RecordOp::Unmount, [id]);
        self.tree.unmount(self.watchers, id);
        let new_id = self.tree.mount(self.document, self.watchers, target);
        if let Some(new_id) = new_id {
            if let Some(instance) = self.tree.get_mut(new_id) {
                instance.position = position;
            }
            self.emit_mount([parent, before, new_id]);
        }
        if parent == NONE {
            self.tree.root = new_id;
            return;
        }
        let group = GroupRef { parent, index: group };
        let Some(members) = self.tree.group_mut(group) else { return };
        if let (Some(new_id), Some(slot)) = (new_id, members.instances.get_mut(position as usize)) {
            *slot = new_id;
            return;
        }
        members.items.remove(position as usize);
        members.instances.remove(position as usize);
        if self.tree.uses_index {
            self.tree.update_positions(group, position as usize, &mut self.moved);
        }
    }
}

/// Returns the number of groups of a live instance that was not mounted in this flush.
fn group_count_if_old(tree: &Tree, id: u32) -> Option<u32> {
    let instance = tree.get(id)?;
    (instance.mounted_in_flush != tree.flush_id).then_some(instance.groups.len() as u32)
}

/// Returns whether the list of a group changed.
pub fn list_changed(tree: &Tree, document: &Document, group: GroupRef) -> bool {
    let children = tree.children(group.parent, group.index);
    let Some((instance, Children::Template { list, .. })) = children else { return false };
    let find = |view: View<'_>| list_value(view, *list, &instance.context);
    match (find(document.previous_view()), find(document.current_view())) {
        (Value::Pointers(a), Value::Pointers(b)) => (a.start, a.len) != (b.start, b.len),
        (Value::List(a), Value::List(b)) => {
            (a.items.start, a.items.len) != (b.items.start, b.items.len)
        }
        (a, b) => a.is_container() || b.is_container(),
    }
}

/// Returns the list of a group.
pub fn list_value(view: View<'_>, list: Binding, context: &Context) -> Value {
    match binding::resolve(view, list, context, &mut |_| {}) {
        Resolution::Value { value, .. } => value,
        Resolution::Missing(_) => Value::Missing,
    }
}

/// Calls `each` with the property index and the row slot of each field whose value changed.
#[inline(always)]
pub fn changed_fields(
    fields: &[BoundField],
    shapes: &Shapes,
    row: &ChangedRow,
    mut each: impl FnMut(u32, usize),
) {
    // Fast path: one changed slot.
    if row.changed.is_power_of_two() {
        let slot = row.changed.trailing_zeros() as usize;
        let key = shapes.keys(row.map.shape).get(slot);
        let matching = fields.iter().filter(|field| Some(&field.key) == key);
        matching.for_each(|field| each(field.prop, slot));
        return;
    }
    for BoundField { prop, key } in fields {
        // A key that the row lacks was missing before too, because the shape is unchanged.
        let slot = shapes.slot(row.map.shape, *key);
        if let Some(slot) = slot.filter(|slot| row.changed >> slot & 1 == 1) {
            each(*prop, slot);
        }
    }
}

/// Returns whether an item's instance is kept when the children of its group are redefined.
fn keeps_instance(previous: &Children, current: &Children, item: ItemId) -> bool {
    match (previous, current) {
        (Children::Static(_), Children::Static(_)) => true,
        // A literal is identified by its position, so it differs in another list.
        (
            Children::Template { component: previous, .. },
            Children::Template { component: current, .. },
        ) => previous == current && item.node().is_some(),
        _ => false,
    }
}

/// Returns whether instances of the previous description can be updated to the current one.
pub fn can_update_in_place(previous: &PreviousComponent, current: &Component) -> bool {
    let common = current.props.iter().filter(|(name, _)| previous.prop(name).is_some());
    let previous = &previous.component;
    previous.name == current.name
        && previous.props.len() == common.count()
        && previous
            .groups
            .iter()
            .map(|group| &group.slot)
            .eq(current.groups.iter().map(|g| &g.slot))
}

/// Sorts instances: parents before their children.
#[inline(never)]
fn sort_by_depth(tree: &Tree, ids: &mut [u32]) {
    ids.sort_unstable_by_key(|&id| (depth(tree, id), id));
}

fn depth(tree: &Tree, id: u32) -> u32 {
    tree.get(id).map_or(0, |instance| u32::from(instance.depth))
}
