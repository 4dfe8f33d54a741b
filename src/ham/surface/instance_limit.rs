//! Limit of the instances of a surface: rejects an update that would exceed it.

use super::component::{Children, ComponentRef};
use super::flush::{AffectedInstance, can_update_in_place, list_changed, list_value};
use super::instance_count::{InstanceCount, length};
use super::limit_error::{CountedList, LimitError};
use super::tree::{GroupInstances, GroupRef, Instance, Tree};
use crate::base::Diagnostic;
use crate::base::bytes::common_prefix_and_suffix_len;
use crate::base::map::IntMap;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::binding::{Binding, Context};
use crate::ham::check::ROOT;
use crate::ham::child_list::{ItemId, OccurrenceCounter, all_items};
use crate::ham::document::Document;

impl Tree {
    /// Returns the error if a change of the data would mount too many instances. Costs as much as the
    /// change; only near the limit all instances are counted.
    pub fn data_limit_error(
        &mut self,
        document: &Document,
        affected: &[AffectedInstance],
    ) -> Option<Diagnostic> {
        let mut counter = std::mem::take(&mut self.counter);
        let mut count = InstanceCount::new(self, document, self.count());
        let mut add = |each| self.add_new_items(&mut count, &mut counter, each);
        let error = affected.iter().find_map(|each| add(*each).err());
        self.counter = counter;
        let error = error?;
        let is_listed = error.lists.iter().any(|list| list.items > 1);
        let largest =
            || affected.iter().filter_map(|each| self.largest_list(document, each.instance));
        match largest().max_by_key(|list| list.items).filter(|_| !is_listed) {
            Some(list) => self.confirm(document, LimitError { lists: vec![list] }),
            None => self.confirm(document, error),
        }
    }

    /// Returns the longest list of an instance.
    #[cold]
    fn largest_list(&self, document: &Document, id: u32) -> Option<CountedList> {
        let instance = self.get(id)?;
        let component = self.component(instance.component)?;
        let lists = component.groups.iter().filter_map(|group| match &group.children {
            Children::Static(_) => None,
            Children::Template { list, .. } => Some(CountedList {
                component: component.id.clone(),
                slot: group.slot.clone(),
                list: Some(list.describe(document)),
                items: length(list_value(document.current_view(), *list, &instance.context)),
            }),
        });
        lists.max_by_key(|list| list.items)
    }

    /// Returns the error if redefined components would mount too many instances.
    pub fn component_limit_error(
        &self,
        document: &Document,
        ids: &[u32],
        root: Option<ComponentRef>,
    ) -> Option<Diagnostic> {
        let mut count = InstanceCount::new(self, document, self.count());
        let mut add = || {
            for id in ids {
                self.add_new_children(&mut count, *id)?;
            }
            match root {
                Some(root) => count.add_component(None, root, root_context(document), false),
                None => Ok(()),
            }
        };
        let error = add().err()?;
        match root {
            Some(_) => Some(error.diagnostic(document.settings.limits.instances)),
            None => self.confirm(document, error),
        }
    }

    /// Returns the error if the root component would mount too many instances.
    #[cold]
    pub fn root_limit_error(
        &self,
        document: &Document,
        root: ComponentRef,
        has_data: bool,
    ) -> Option<Diagnostic> {
        let mut count = InstanceCount::new(self, document, 0);
        count.has_data = has_data;
        let error = count.add_component(None, root, root_context(document), false).err()?;
        Some(error.diagnostic(document.settings.limits.instances))
    }

    /// Counts all instances, because the first count does not subtract what is unmounted.
    #[cold]
    fn confirm(&self, document: &Document, error: LimitError) -> Option<Diagnostic> {
        let root = self.get(self.root?)?.component;
        let is_exceeded = self.root_limit_error(document, root, true).is_some();
        is_exceeded.then(|| error.diagnostic(document.settings.limits.instances))
    }

    /// Counts the new items of the changed lists of an instance.
    fn add_new_items(
        &self,
        count: &mut InstanceCount<'_>,
        counter: &mut OccurrenceCounter,
        AffectedInstance { instance: id, may_change_lists, .. }: AffectedInstance,
    ) -> Result<(), LimitError> {
        let Some(instance) = self.get(id) else { return Ok(()) };
        let Some(component) = self.component(instance.component) else { return Ok(()) };
        let document = count.document;
        for ((index, group), members) in (0..).zip(&component.groups).zip(&instance.groups) {
            let Children::Template { list, component: template } = &group.children else {
                continue;
            };
            let value = list_value(document.current_view(), *list, &instance.context);
            let len = length(value);
            let has_changed = || list_changed(self, document, GroupRef { parent: id, index });
            let counted = match count.fixed_size(id, *template) {
                Some(size) => {
                    let mut more = len.saturating_sub(members.items.len());
                    if !count.has_capacity(more, size) && members.all_distinct && !has_changed() {
                        // Each item that appears is a change.
                        more = more.min(document.journal().len());
                    }
                    count.add(more.saturating_mul(size))
                }
                None => {
                    let has_changed = has_changed();
                    let new = NewItems { document, instance, members, list: *list, value };
                    let items = match has_changed {
                        true => new.of_small_edit(),
                        false if may_change_lists => new.of_arrival(),
                        false => continue,
                    };
                    let items = items.unwrap_or_else(|| new.all(counter));
                    count.add_items(id, *list, *template, &items)
                }
            };
            let at = (instance.component, group.slot.as_str());
            counted.map_err(|error| error.inside((count.document, self), at, Some(*list), len))?;
        }
        Ok(())
    }

    /// Counts the new children of an instance whose component was redefined.
    fn add_new_children(&self, count: &mut InstanceCount<'_>, id: u32) -> Result<(), LimitError> {
        let Some(instance) = self.get(id) else { return Ok(()) };
        let Some(current) = self.component(instance.component) else { return Ok(()) };
        let Some(previous) = &current.previous else { return Ok(()) };
        let above = Some(instance.parent).filter(|parent| self.get(*parent).is_some());
        let context = &instance.context;
        if !can_update_in_place(previous, current) {
            count.total = count.total.saturating_sub(1);
            let from_template = instance.from_template;
            return count.add_component(above, instance.component, context.clone(), from_template);
        }
        for (old, group) in previous.component.groups.iter().zip(&current.groups) {
            if old.children == group.children {
                continue;
            }
            let at = (instance.component, group.slot.as_str());
            match &group.children {
                Children::Static(items) => {
                    let known: IntMap = match &old.children {
                        Children::Static(items) => {
                            items.iter().map(|item| (item.unique_id(), 0)).collect()
                        }
                        Children::Template { .. } => IntMap::default(),
                    };
                    let new = items.iter().filter(|item| !known.contains_key(&item.unique_id()));
                    for child in new.filter_map(|item| item.node()) {
                        let child = ComponentRef(child.0);
                        let added = count.add_component(Some(id), child, context.clone(), false);
                        added.map_err(|error| {
                            error.inside((count.document, self), at, None, items.len())
                        })?;
                    }
                }
                Children::Template { list, component } => {
                    let value = list_value(count.document.current_view(), *list, context);
                    let added = count.add_list(id, *list, *component, value);
                    let len = length(value);
                    added.map_err(|error| {
                        error.inside((count.document, self), at, Some(*list), len)
                    })?;
                }
            }
        }
        Ok(())
    }
}

fn root_context(document: &Document) -> Context {
    Context::from_node(document.find_node(ROOT).unwrap_or(crate::ham::dependencies::NO_NODE))
}

/// Search for the items of a list that have no instance.
struct NewItems<'a> {
    document: &'a Document,
    instance: &'a Instance,
    members: &'a GroupInstances,
    list: Binding,
    value: Value,
}

impl NewItems<'_> {
    /// Returns the items between the equal ends of two lists of existing, distinct nodes.
    fn of_small_edit(&self) -> Option<Vec<ItemId>> {
        let GroupInstances { items, missing, all_distinct, .. } = self.members;
        let before = list_value(self.document.previous_view(), self.list, &self.instance.context);
        let (Value::Pointers(old), Value::Pointers(new)) = (before, self.value) else {
            return None;
        };
        let arena = &self.document.arena;
        let (old, new) = (arena.pointers(old), arena.pointers(new));
        if !all_distinct || !missing.is_empty() || items.len() != old.len() {
            return None;
        }
        let (start, tail) = common_prefix_and_suffix_len::<8, _>(old, new);
        let known: IntMap =
            old.get(start..old.len() - tail)?.iter().map(|node| (u64::from(*node), 0)).collect();
        let new = new.get(start..new.len() - tail)?.iter();
        let new = new.filter(|node| !known.contains_key(&u64::from(**node)));
        Some(
            new.map(|node| ItemId::pointer(NodeRef(*node), 1))
                .filter(exists(self.document))
                .collect(),
        )
    }

    /// Returns the items of an unchanged list whose nodes have arrived, if its missing items are indexed.
    fn of_arrival(&self) -> Option<Vec<ItemId>> {
        let missing = &self.members.missing;
        if !missing.has_positions() {
            return None;
        }
        let changes = self.document.journal().iter().filter(|change| change.before.is_missing());
        let items = changes.flat_map(|change| missing.items_of(change.node)).map(|(item, _)| item);
        Some(items.filter(exists(self.document)).collect())
    }

    /// Returns the items that have no instance, by comparing all.
    fn all(&self, counter: &mut OccurrenceCounter) -> Vec<ItemId> {
        let view = self.document.current_view();
        let mut items = all_items(view, self.value, counter).unwrap_or_default();
        let known: IntMap = self.members.items.iter().map(|item| (item.unique_id(), 0)).collect();
        items.retain(|item| !known.contains_key(&item.unique_id()));
        items.retain(|item| exists(self.document)(item));
        items
    }
}

fn exists(document: &Document) -> impl Fn(&ItemId) -> bool {
    |item| item.node().is_none_or(|node| !document.value(node).is_missing())
}
