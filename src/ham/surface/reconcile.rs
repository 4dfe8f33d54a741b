//! Reconciliation of the children of a group after an update.

use super::component::Children;
use super::flush::{Flush, list_changed, list_value};
use super::record::{NONE, RecordOp};
use super::tree::{GroupInstances, GroupRef, Instance, Tree};
use crate::base::bytes::common_prefix_and_suffix_len;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::child_list::{ItemId, ResolvedItems, all_items};
use crate::ham::dependencies::Dependencies;
use crate::ham::document::{Document, NodeChange, View};
use crate::ham::list_diff::{ItemStep, ListDiff, diff};

/// Target of a reconciliation: the numbers of unchanged items at both ends, and the items between
/// them.
struct TargetChildren {
    start: usize,
    tail: usize,
    middle: Vec<ItemId>,
}

/// Maximum number of changed nodes of an edit on the fast path.
const MAX_SMALL_EDIT: usize = 16;

impl Flush<'_> {
    /// Reconciles the children of a group with its list.
    pub fn reconcile_children(&mut self, group: GroupRef) {
        if let Some(target) = self.small_edit(group) {
            self.replace_middle(group, target);
            if let Some(members) = self.tree.group_mut(group) {
                members.missing.clear_positions();
            }
        } else if let Some(changes) = missing_item_changes(self.tree, self.document, group) {
            for change in changes {
                if let Some(target) = apply_item_change(self.tree, self.watchers, group, change) {
                    self.replace_middle(group, target);
                }
            }
        } else {
            let target =
                self.tree.target_children(self.document.current_view(), group.parent, group.index);
            self.set_children(group, target);
        }
    }

    /// Reconciles the children of a group with these items.
    pub fn set_children(&mut self, group: GroupRef, target: ResolvedItems) {
        let Some(members) = self.tree.group_mut(group) else { return };
        let ResolvedItems { items: mut middle, dangling, all_distinct, .. } = target;
        let (start, tail) = common_prefix_and_suffix_len::<1, _>(&members.items, &middle);
        middle.truncate(middle.len() - tail);
        middle.drain(..start);
        self.replace_middle(group, TargetChildren { start, tail, middle });
        let Some(Instance { watcher, groups, .. }) = self.tree.get_mut(group.parent) else {
            return;
        };
        if let Some(members) = groups.get_mut(group.index as usize) {
            members.missing.set_nodes(self.watchers, *watcher, &dangling);
            members.all_distinct = all_distinct;
        }
    }

    fn replace_middle(&mut self, group: GroupRef, target: TargetChildren) {
        let Some(mut members) = self.tree.group_mut(group).map(std::mem::take) else { return };
        let TargetChildren { start, tail, mut middle } = target;
        let end = members.items.len() - tail;
        let items = members.items.get(start..end).unwrap_or_default();
        let old = members.instances.get(start..end).unwrap_or_default();
        let ListDiff { removed, mut steps } = diff(items, &middle, &mut self.tree.counter);
        for id in removed.iter().filter_map(|index| old.get(*index as usize)) {
            self.emit(RecordOp::Unmount, [*id]);
            self.tree.unmount(self.watchers, *id);
        }
        let mut before = match members.instances.get(end) {
            Some(id) => *id,
            None => self.tree.next_sibling(group.parent, group.index + 1, 0),
        };
        // Instance of each item, or [`NONE`] if it was not mounted.
        let mut ids: Vec<u32> = Vec::with_capacity(middle.len());
        let is_insert = |step: &&ItemStep| matches!(step, ItemStep::Insert);
        let (inserts, count) = (steps.iter().filter(is_insert).count(), self.tree.count());
        let mut is_first = true;
        for (item, step) in middle.iter().zip(&steps) {
            let id = match step {
                ItemStep::Keep(index) | ItemStep::Move(index) => old.get(*index as usize).copied(),
                ItemStep::Insert => self
                    .tree
                    .mount_target(group.parent, group.index, *item)
                    .and_then(|target| self.tree.mount(self.document, self.watchers, target)),
            };
            ids.push(id.unwrap_or(NONE));
            if is_insert(&step) && std::mem::take(&mut is_first) {
                let each = self.tree.count() - count;
                self.tree.reserve(self.document, self.watchers, inserts - 1, each);
            }
        }
        if ids.contains(&NONE) {
            let is_mounted: Vec<bool> = ids.iter().map(|id| *id != NONE).collect();
            retain_marked(&mut middle, &is_mounted);
            retain_marked(&mut steps, &is_mounted);
            retain_marked(&mut ids, &is_mounted);
        }
        members.items.splice(start..end, middle);
        members.instances.splice(start..end, ids.iter().copied());
        if let Some(slot) = self.tree.group_mut(group) {
            *slot = members;
        }
        if self.tree.uses_index {
            self.tree.update_positions(group, start, &mut self.moved);
        }
        // From last to first, each before the instance emitted previously.
        for (id, step) in ids.into_iter().zip(steps).rev() {
            match step {
                ItemStep::Keep(_) => {}
                ItemStep::Move(_) => self.emit(RecordOp::Move, [id, before]),
                ItemStep::Insert => self.emit_mount([group.parent, before, id]),
            }
            before = id;
        }
    }

    /// Returns the target after a small edit, computed from the two lists of pointers without a
    /// walk through all items.
    fn small_edit(&self, group: GroupRef) -> Option<TargetChildren> {
        let Flush { tree, document, .. } = self;
        let (instance, Children::Template { list, .. }) =
            tree.children(group.parent, group.index)?
        else {
            return None;
        };
        let members = instance.groups.get(group.index as usize)?;
        let pointers = |view: View<'_>| match list_value(view, *list, &instance.context) {
            Value::Pointers(range) => Some(document.arena.pointers(range)),
            _ => None,
        };
        let (old, new) = (pointers(document.previous_view())?, pointers(document.current_view())?);
        if !members.all_distinct || !members.missing.is_empty() || members.items.len() != old.len()
        {
            return None;
        }
        // Eight words have 32 bytes.
        let (start, tail) = common_prefix_and_suffix_len::<8, _>(old, new);
        let (head, rest) = new.split_at_checked(start)?;
        let (middle, end) = rest.split_at_checked(rest.len() - tail)?;
        // The new list must contain distinct existing nodes.
        let is_missing = |node: &u32| document.value(NodeRef(*node)).is_missing();
        let mut changed = self.removed_nodes().to_vec();
        changed.extend(middle.iter().take(MAX_SMALL_EDIT + 1));
        let is_repeated =
            |(at, node): (usize, &u32)| middle.iter().take(at).any(|other| other == node);
        // The old list contained distinct existing nodes, and has the same ends.
        let removed = old.get(start..old.len() - tail)?;
        let existed = |node: &u32| !document.previous_view().value(NodeRef(*node)).is_missing();
        let is_repeated_elsewhere = |node: &u32| {
            existed(node) && !removed.contains(node) && (head.contains(node) || end.contains(node))
        };
        if changed.len() > MAX_SMALL_EDIT
            || changed.iter().any(is_repeated_elsewhere)
            || middle.iter().enumerate().any(is_repeated)
            || middle.iter().any(is_missing)
        {
            return None;
        }
        let middle = middle.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect();
        Some(TargetChildren { start, tail, middle })
    }

    /// Returns the nodes that this update deleted; at most one more than [`MAX_SMALL_EDIT`].
    fn removed_nodes(&self) -> &[u32] {
        self.removed_nodes.get_or_init(|| {
            let nodes = self.document.journal().iter().map(|change| change.node.0);
            let is_missing = |node: &u32| self.document.value(NodeRef(*node)).is_missing();
            nodes.filter(is_missing).take(MAX_SMALL_EDIT + 1).collect()
        })
    }
}

/// An item whose node was created or deleted.
#[derive(Clone, Copy)]
struct ItemChange {
    item: ItemId,
    index: u32,
    appeared: bool,
}

/// Returns the changed items of an unchanged list with many missing nodes: deletions first, because
/// they free capacity, each in list order. Returns `None` if the complete list must be read.
fn missing_item_changes(
    tree: &mut Tree,
    document: &Document,
    group: GroupRef,
) -> Option<Vec<ItemChange>> {
    let (instance, Children::Template { list, .. }) = tree.children(group.parent, group.index)?
    else {
        return None;
    };
    let value = list_value(document.current_view(), *list, &instance.context);
    let length = match value {
        Value::Pointers(range) => range.len,
        Value::List(list) => list.items.len,
        _ => return None,
    };
    let journal = document.journal();
    // If positions are displayed, each change shifts the following items.
    let max_changes = if tree.uses_index { 1 } else { length as usize / MAX_SMALL_EDIT };
    if journal.len() > max_changes || list_changed(tree, document, group) {
        return None;
    }
    let GroupInstances { all_distinct, missing, .. } = instance.groups.get(group.index as usize)?;
    if !missing.has_positions() {
        match value {
            _ if !missing.is_large() => return None,
            Value::Pointers(range) if *all_distinct => {
                tree.group_mut(group)?.missing.index_nodes(document.arena.pointers(range));
            }
            value => {
                let items = all_items(document.current_view(), value, &mut tree.counter)?;
                tree.group_mut(group)?.missing.index_items(items);
            }
        }
    }
    let missing = &tree.group_mut(group)?.missing;
    let changes_of = |change: &NodeChange| {
        let [before, now] = [change.before, document.value(change.node)].map(Value::is_missing);
        let items = (before != now).then(|| missing.items_of(change.node)).into_iter().flatten();
        items.map(move |(item, index)| ItemChange { item, index, appeared: before })
    };
    // Usually a node has one item.
    let mut changes = Vec::with_capacity(journal.len());
    changes.extend(journal.iter().flat_map(changes_of));
    changes.sort_unstable_by_key(|change| (change.appeared, change.index));
    Some(changes)
}

/// Returns the target after an item has appeared, or has disappeared and is now missing.
fn apply_item_change(
    tree: &mut Tree,
    watchers: &mut Dependencies,
    group: GroupRef,
    change: ItemChange,
) -> Option<TargetChildren> {
    let ItemChange { item, index, appeared } = change;
    let node = item.node()?;
    let Instance { watcher, groups, .. } = tree.get_mut(group.parent)?;
    let GroupInstances { items, missing, .. } = groups.get_mut(group.index as usize)?;
    let is_before = |item: &ItemId| missing.position(*item) < Some(index);
    // Usually they arrive in order.
    let start = match items.last() {
        Some(last) if !is_before(last) => items.partition_point(is_before),
        _ => items.len(),
    };
    // An item that was not mounted cannot be removed.
    let removed_count = usize::from(!appeared && items.get(start) == Some(&item));
    let tail = items.len() - start - removed_count;
    if appeared {
        missing.remove(watchers, node);
    } else {
        missing.add(watchers, *watcher, node);
    }
    Some(TargetChildren { start, tail, middle: if appeared { vec![item] } else { Vec::new() } })
}

fn retain_marked<T>(list: &mut Vec<T>, is_mounted: &[bool]) {
    let mut each = is_mounted.iter();
    list.retain(|_| each.next() == Some(&true));
}
