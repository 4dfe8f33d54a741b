//! After an update: which children of a group come, go and move.

use super::component::Children;
use super::flush::{Flush, list_changed, list_value};
use super::record::{NONE, Op};
use super::tree::{Group, Instance, Members, Tree};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::child_list::{ItemId, Target, every_item};
use crate::ham::document::{Change, Document, View};
use crate::ham::list_diff::{Diff, Step, common_ends, diff};
use crate::ham::observe::Dependencies;

/// What a group is to show: what it shows at both ends, and other items between them.
struct Wanted {
    start: usize,
    tail: usize,
    middle: Vec<ItemId>,
}

/// An edit with more nodes than these goes the way of a new list.
const FEW: usize = 16;

impl Flush<'_> {
    /// Makes the children of a group those that its list asks for.
    pub fn regroup(&mut self, group: Group) {
        if let Some(wanted) = self.edited(group) {
            self.put(group, wanted);
            if let Some(members) = self.tree.members(group) {
                members.waiting.forget_places();
            }
        } else if let Some(moments) = went_and_came(self.tree, self.document, group) {
            for moment in moments {
                if let Some(wanted) = met(self.tree, self.watchers, group, moment) {
                    self.put(group, wanted);
                }
            }
        } else {
            let target = self.tree.wanted(self.document.now(), group.parent, group.number);
            self.replace(group, target);
        }
    }

    /// Makes the children of a group those of a list.
    pub fn replace(&mut self, group: Group, target: Target) {
        let Some(members) = self.tree.members(group) else { return };
        let Target { items: mut middle, dangling, straight, .. } = target;
        let (start, tail) = common_ends::<1, _>(&members.items, &middle);
        middle.truncate(middle.len() - tail);
        middle.drain(..start);
        self.put(group, Wanted { start, tail, middle });
        let Some(Instance { watcher, groups, .. }) = self.tree.get_mut(group.parent) else {
            return;
        };
        if let Some(members) = groups.get_mut(group.number as usize) {
            members.waiting.set(self.watchers, *watcher, &dangling);
            members.straight = straight;
        }
    }

    fn put(&mut self, group: Group, wanted: Wanted) {
        let Some(mut members) = self.tree.members(group).map(std::mem::take) else { return };
        let Wanted { start, tail, mut middle } = wanted;
        let end = members.items.len() - tail;
        let items = members.items.get(start..end).unwrap_or_default();
        let old = members.instances.get(start..end).unwrap_or_default();
        let Diff { removed, mut steps } = diff(items, &middle, &mut self.tree.seen);
        for number in removed.iter().filter_map(|place| old.get(*place as usize)) {
            self.op(Op::Unmount, [*number]);
            self.tree.unmount(self.watchers, *number);
        }
        let mut before = match members.instances.get(end) {
            Some(number) => *number,
            None => self.tree.behind(group.parent, group.number + 1, 0),
        };
        // The instance of each item, or [`NONE`] where it was refused.
        let mut numbers: Vec<u32> = Vec::with_capacity(middle.len());
        let is_insert = |step: &&Step| matches!(step, Step::Insert);
        let (inserts, count) = (steps.iter().filter(is_insert).count(), self.tree.count());
        let mut is_first = true;
        for (item, step) in middle.iter().zip(&steps) {
            let number = match step {
                Step::Keep(place) | Step::Move(place) => old.get(*place as usize).copied(),
                Step::Insert => self
                    .tree
                    .place(group.parent, group.number, *item)
                    .and_then(|place| self.tree.mount(self.document, self.watchers, place)),
            };
            numbers.push(number.unwrap_or(NONE));
            if is_insert(&step) && std::mem::take(&mut is_first) {
                let each = self.tree.count() - count;
                self.tree.expect(self.document, self.watchers, inserts - 1, each);
            }
        }
        if numbers.contains(&NONE) {
            let is_there: Vec<bool> = numbers.iter().map(|number| *number != NONE).collect();
            keep(&mut middle, &is_there);
            keep(&mut steps, &is_there);
            keep(&mut numbers, &is_there);
        }
        members.items.splice(start..end, middle);
        members.instances.splice(start..end, numbers.iter().copied());
        if let Some(slot) = self.tree.members(group) {
            *slot = members;
        }
        if self.tree.uses_index {
            self.tree.renumber(group, start, &mut self.shifted);
        }
        // From the end to the start, each before the one that was told of last.
        for (number, step) in numbers.into_iter().zip(steps).rev() {
            match step {
                Step::Keep(_) => {}
                Step::Move(_) => self.op(Op::Move, [number, before]),
                Step::Insert => self.mounted([group.parent, before, number]),
            }
            before = number;
        }
    }

    /// What a group is to show after a small edit of its list: found from the two lists of pointers,
    /// without a walk through all items.
    fn edited(&self, group: Group) -> Option<Wanted> {
        let Flush { tree, document, .. } = self;
        let (instance, Children::Template { list, .. }) =
            tree.children(group.parent, group.number)?
        else {
            return None;
        };
        let members = instance.groups.get(group.number as usize)?;
        let pointers = |view: View<'_>| match list_value(view, *list, &instance.context) {
            Value::Pointers(run) => Some(document.arena.pointers(run)),
            _ => None,
        };
        let (old, new) = (pointers(document.before())?, pointers(document.now())?);
        if !members.straight || !members.waiting.is_empty() || members.items.len() != old.len() {
            return None;
        }
        // Eight numbers have 32 bytes.
        let (start, tail) = common_ends::<8, _>(old, new);
        let (head, rest) = new.split_at_checked(start)?;
        let (middle, end) = rest.split_at_checked(rest.len() - tail)?;
        // Each node is to stand in the list once, and none that is missing.
        let is_missing = |node: &u32| document.value(NodeRef(*node)).is_missing();
        let mut alone = self.gone().to_vec();
        alone.extend(middle.iter().take(FEW + 1));
        let is_repeated =
            |(at, node): (usize, &u32)| middle.iter().take(at).any(|other| other == node);
        // The old list had each of its nodes once and none that was missing, and begins and ends like the new.
        let taken_out = old.get(start..old.len() - tail)?;
        let was_there = |node: &u32| !document.before().value(NodeRef(*node)).is_missing();
        let is_kept = |node: &u32| {
            was_there(node)
                && !taken_out.contains(node)
                && (head.contains(node) || end.contains(node))
        };
        if alone.len() > FEW
            || alone.iter().any(is_kept)
            || middle.iter().enumerate().any(is_repeated)
            || middle.iter().any(is_missing)
        {
            return None;
        }
        let middle = middle.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect();
        Some(Wanted { start, tail, middle })
    }

    /// The nodes that this update took away; of more than [`FEW`] one more than that.
    fn gone(&self) -> &[u32] {
        self.gone.get_or_init(|| {
            let changed = self.document.journal().iter().map(|change| change.node.0);
            let is_missing = |node: &u32| self.document.value(NodeRef(*node)).is_missing();
            changed.filter(is_missing).take(FEW + 1).collect()
        })
    }
}

/// An item of a list whose node came, or went.
#[derive(Clone, Copy)]
struct Moment {
    item: ItemId,
    place: u32,
    came: bool,
}

/// The items that went and came of a list that waits for many and is the same as before: those that
/// went first, for they leave room, and each in the order of the list. Nothing where it is looked
/// through as a whole.
fn went_and_came(tree: &mut Tree, document: &Document, group: Group) -> Option<Vec<Moment>> {
    let (instance, Children::Template { list, .. }) = tree.children(group.parent, group.number)?
    else {
        return None;
    };
    let value = list_value(document.now(), *list, &instance.context);
    let length = match value {
        Value::Pointers(run) => run.len,
        Value::List(list) => list.items.len,
        _ => return None,
    };
    let journal = document.journal();
    // Where places are shown, each that comes or goes shifts those behind it.
    let few = if tree.uses_index { 1 } else { length as usize / FEW };
    if journal.len() > few || list_changed(tree, document, group) {
        return None;
    }
    let Members { straight, waiting, .. } = instance.groups.get(group.number as usize)?;
    if !waiting.knows_places() {
        match value {
            _ if !waiting.is_long() => return None,
            Value::Pointers(run) if *straight => {
                tree.members(group)?.waiting.number_nodes(document.arena.pointers(run));
            }
            value => {
                let items = every_item(document.now(), value, &mut tree.seen)?;
                tree.members(group)?.waiting.number(items);
            }
        }
    }
    let waiting = &tree.members(group)?.waiting;
    let moments_of = |change: &Change| {
        let [before, now] = [change.before, document.value(change.node)].map(Value::is_missing);
        let items = (before != now).then(|| waiting.items_of(change.node)).into_iter().flatten();
        items.map(move |(item, place)| Moment { item, place, came: before })
    };
    // Mostly each node is one item of the list.
    let mut moments = Vec::with_capacity(journal.len());
    moments.extend(journal.iter().flat_map(moments_of));
    moments.sort_by_key(|&moment| moment.place);
    moments.sort_by_key(|&moment| u32::from(moment.came));
    Some(moments)
}

/// What a group is to show when an item has come, or has gone and is waited for from then on.
fn met(
    tree: &mut Tree,
    watchers: &mut Dependencies,
    group: Group,
    moment: Moment,
) -> Option<Wanted> {
    let Moment { item, place, came } = moment;
    let node = item.node()?;
    let Instance { watcher, groups, .. } = tree.get_mut(group.parent)?;
    let Members { items, waiting, .. } = groups.get_mut(group.number as usize)?;
    let is_before = |item: &ItemId| waiting.place(*item) < Some(place);
    // Mostly they come in order.
    let start = match items.last() {
        Some(last) if !is_before(last) => items.partition_point(is_before),
        _ => items.len(),
    };
    // What was refused is not there to go.
    let goes = usize::from(!came && items.get(start) == Some(&item));
    let tail = items.len() - start - goes;
    if came {
        waiting.remove(watchers, node);
    } else {
        waiting.add(watchers, *watcher, node);
    }
    Some(Wanted { start, tail, middle: if came { vec![item] } else { Vec::new() } })
}

fn keep<T>(list: &mut Vec<T>, is_there: &[bool]) {
    let mut each = is_there.iter();
    list.retain(|_| each.next() == Some(&true));
}
