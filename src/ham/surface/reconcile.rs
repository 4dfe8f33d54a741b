//! After an update: which children of a group come, go and move.

use super::component::Children;
use super::flush::{Flush, list_changed, list_value};
use super::record::{NONE, RecordOp};
use super::tree::{GroupMembers, GroupRef, Instance, Tree};
use crate::base::bytes::common_ends;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::child_list::{ItemId, ResolvedItems, all_items};
use crate::ham::dependencies::Dependencies;
use crate::ham::document::{Document, NodeChange, View};
use crate::ham::list_diff::{ItemStep, ListDiff, diff};

/// What a group is to show: what it shows at both ends, and other items between them.
struct TargetChildren {
    start: usize,
    tail: usize,
    middle: Vec<ItemId>,
}

/// An edit with more nodes than these goes the way of a new list.
const MAX_SMALL_EDIT: usize = 16;

impl Flush<'_> {
    /// Makes the children of a group those that its list asks for.
    pub fn reconcile_children(&mut self, group: GroupRef) {
        if let Some(target) = self.small_edit(group) {
            self.replace_middle(group, target);
            if let Some(members) = self.tree.members(group) {
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

    /// Makes the children of a group those of a list.
    pub fn set_children(&mut self, group: GroupRef, target: ResolvedItems) {
        let Some(members) = self.tree.members(group) else { return };
        let ResolvedItems { items: mut middle, dangling, all_distinct, .. } = target;
        let (start, tail) = common_ends::<1, _>(&members.items, &middle);
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
        let Some(mut members) = self.tree.members(group).map(std::mem::take) else { return };
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
        // The instance of each item, or [`NONE`] where it was refused.
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
        if let Some(slot) = self.tree.members(group) {
            *slot = members;
        }
        if self.tree.uses_index {
            self.tree.update_positions(group, start, &mut self.moved);
        }
        // From the end to the start, each before the one that was told of last.
        for (id, step) in ids.into_iter().zip(steps).rev() {
            match step {
                ItemStep::Keep(_) => {}
                ItemStep::Move(_) => self.emit(RecordOp::Move, [id, before]),
                ItemStep::Insert => self.emit_mount([group.parent, before, id]),
            }
            before = id;
        }
    }

    /// What a group is to show after a small edit of its list: found from the two lists of pointers,
    /// without a walk through all items.
    fn small_edit(&self, group: GroupRef) -> Option<TargetChildren> {
        let Flush { tree, document, .. } = self;
        let (instance, Children::Template { list, .. }) =
            tree.children(group.parent, group.index)?
        else {
            return None;
        };
        let members = instance.groups.get(group.index as usize)?;
        let pointers = |view: View<'_>| match list_value(view, *list, &instance.context) {
            Value::Pointers(run) => Some(document.arena.pointers(run)),
            _ => None,
        };
        let (old, new) = (pointers(document.previous_view())?, pointers(document.current_view())?);
        if !members.all_distinct || !members.missing.is_empty() || members.items.len() != old.len()
        {
            return None;
        }
        // Eight numbers have 32 bytes.
        let (start, tail) = common_ends::<8, _>(old, new);
        let (head, rest) = new.split_at_checked(start)?;
        let (middle, end) = rest.split_at_checked(rest.len() - tail)?;
        // Each node is to stand in the list once, and none that is missing.
        let is_missing = |node: &u32| document.value(NodeRef(*node)).is_missing();
        let mut changed_once = self.removed_nodes().to_vec();
        changed_once.extend(middle.iter().take(MAX_SMALL_EDIT + 1));
        let is_repeated =
            |(at, node): (usize, &u32)| middle.iter().take(at).any(|other| other == node);
        // The old list had each of its nodes once and none that was missing, and begins and ends like the new.
        let removed = old.get(start..old.len() - tail)?;
        let existed = |node: &u32| !document.previous_view().value(NodeRef(*node)).is_missing();
        let is_duplicate = |node: &u32| {
            existed(node) && !removed.contains(node) && (head.contains(node) || end.contains(node))
        };
        if changed_once.len() > MAX_SMALL_EDIT
            || changed_once.iter().any(is_duplicate)
            || middle.iter().enumerate().any(is_repeated)
            || middle.iter().any(is_missing)
        {
            return None;
        }
        let middle = middle.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect();
        Some(TargetChildren { start, tail, middle })
    }

    /// The nodes that this update took away; of more than [`FEW`] one more than that.
    fn removed_nodes(&self) -> &[u32] {
        self.removed_nodes.get_or_init(|| {
            let changed = self.document.journal().iter().map(|change| change.node.0);
            let is_missing = |node: &u32| self.document.value(NodeRef(*node)).is_missing();
            changed.filter(is_missing).take(MAX_SMALL_EDIT + 1).collect()
        })
    }
}

/// An item of a list whose node came, or went.
#[derive(Clone, Copy)]
struct ItemChange {
    item: ItemId,
    index: u32,
    appeared: bool,
}

/// The items that went and came of a list that waits for many and is the same as before: those that
/// went first, for they leave room, and each in the order of the list. Nothing where it is looked
/// through as a whole.
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
        Value::Pointers(run) => run.len,
        Value::List(list) => list.items.len,
        _ => return None,
    };
    let journal = document.journal();
    // Where places are shown, each that comes or goes shifts those behind it.
    let max_changes = if tree.uses_index { 1 } else { length as usize / MAX_SMALL_EDIT };
    if journal.len() > max_changes || list_changed(tree, document, group) {
        return None;
    }
    let GroupMembers { all_distinct, missing, .. } = instance.groups.get(group.index as usize)?;
    if !missing.has_positions() {
        match value {
            _ if !missing.is_large() => return None,
            Value::Pointers(run) if *all_distinct => {
                tree.members(group)?.missing.index_nodes(document.arena.pointers(run));
            }
            value => {
                let items = all_items(document.current_view(), value, &mut tree.counter)?;
                tree.members(group)?.missing.index_items(items);
            }
        }
    }
    let missing = &tree.members(group)?.missing;
    let moments_of = |change: &NodeChange| {
        let [before, now] = [change.before, document.value(change.node)].map(Value::is_missing);
        let items = (before != now).then(|| missing.items_of(change.node)).into_iter().flatten();
        items.map(move |(item, index)| ItemChange { item, index, appeared: before })
    };
    // Mostly each node is one item of the list.
    let mut changes = Vec::with_capacity(journal.len());
    changes.extend(journal.iter().flat_map(moments_of));
    changes.sort_by_key(|&change| change.index);
    changes.sort_by_key(|&change| u32::from(change.appeared));
    Some(changes)
}

/// What a group is to show when an item has come, or has gone and is waited for from then on.
fn apply_item_change(
    tree: &mut Tree,
    watchers: &mut Dependencies,
    group: GroupRef,
    change: ItemChange,
) -> Option<TargetChildren> {
    let ItemChange { item, index, appeared } = change;
    let node = item.node()?;
    let Instance { watcher, groups, .. } = tree.get_mut(group.parent)?;
    let GroupMembers { items, missing, .. } = groups.get_mut(group.index as usize)?;
    let is_before = |item: &ItemId| missing.position(*item) < Some(index);
    // Mostly they come in order.
    let start = match items.last() {
        Some(last) if !is_before(last) => items.partition_point(is_before),
        _ => items.len(),
    };
    // What was refused is not there to go.
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
