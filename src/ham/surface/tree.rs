//! The tree of mounted instances: components expanded over the data.

use super::component::{Children, Component, ComponentRef};
use super::missing_items::MissingItems;
use crate::base::Diagnostic;
use crate::base::json::escape_pointer_step;
use crate::ham::arena::NodeRef;
use crate::ham::binding::Context;
use crate::ham::child_list::{ItemId, OccurrenceCounter, ResolvedItems, resolve_items};
use crate::ham::dependencies::{Dependencies, NO_NODE, Owner, WatcherId};
use crate::ham::document::{Document, View};

/// Maximum depth of instances. It bounds the recursion over the tree.
pub const MAX_DEPTH: u16 = 100;

/// Maximum number of stored diagnostics; at most a hundredth of them is reported.
const MAX_DIAGNOSTICS: usize = 10_000;

/// Limits of reserved instances: the minimum number for which memory is reserved, and the maximum
/// per item, because the first item may be the largest.
const MIN_RESERVED_INSTANCES: usize = 1_000;
const MAX_RESERVED_INSTANCES_PER_ITEM: usize = 16;

/// A mounted component.
pub struct Instance {
    pub component: ComponentRef,
    /// [`NONE`] for the root.
    pub parent: u32,
    /// Index of the parent's group that it belongs to.
    pub group: u32,
    pub item: ItemId,
    /// Whether it renders an item of a ChildList.
    pub from_template: bool,
    pub context: Context,
    /// Children by group.
    pub groups: Vec<GroupInstances>,
    pub watcher: WatcherId,
    pub depth: u16,
    /// Position in its group when last counted; valid if [`Tree::uses_index`].
    pub position: u32,
    /// Last displayed index of the enclosing item.
    pub index: Option<u32>,
    /// Flush that mounted it.
    pub mounted_in_flush: u32,
    pub alive: bool,
}

/// Mounted children of one group: one instance per item, in the same order.
#[derive(Default)]
pub struct GroupInstances {
    /// Copies of [`Instance::item`], contiguous for comparisons with the list.
    pub items: Vec<ItemId>,
    pub instances: Vec<u32>,
    /// Missing nodes of the list.
    pub missing: MissingItems,
    /// See [`ResolvedItems::all_distinct`].
    pub all_distinct: bool,
}

/// Instances of a surface.
#[derive(Default)]
pub struct Tree {
    /// Handle of the surface in its store.
    pub surface: u32,
    pub components: Vec<Component>,
    /// Number of changes of the components.
    pub component_revision: u32,
    pub root: Option<u32>,
    /// Sequence number of the current flush.
    pub flush_id: u32,
    /// Whether a component uses `@index`, so that positions are maintained.
    pub uses_index: bool,
    instances: Vec<Instance>,
    free: Vec<u32>,
    count: usize,
    /// Scratch of list comparisons.
    pub counter: OccurrenceCounter,
    /// Scratch of [`Tree::update_dependencies`].
    nodes: Vec<NodeRef>,
    /// Diagnostics of the current flush.
    pub diagnostics: Vec<Diagnostic>,
}

/// A group of an instance.
#[derive(Clone, Copy)]
pub struct GroupRef {
    pub parent: u32,
    pub index: u32,
}

/// Properties of an instance to be mounted.
pub struct MountTarget {
    pub component: ComponentRef,
    pub parent: u32,
    pub group: u32,
    pub item: ItemId,
    pub from_template: bool,
    pub context: Context,
}

/// Reason why a component is not mounted.
pub enum MountError {
    /// The maximum depth is reached.
    DepthLimit,
    /// It is inside itself, for the same node.
    Recursion,
}

impl Tree {
    pub fn new(surface: u32) -> Tree {
        Tree { surface, ..Tree::default() }
    }

    /// Returns a live instance, or `None`.
    pub fn get(&self, id: u32) -> Option<&Instance> {
        self.instances.get(id as usize).filter(|instance| instance.alive)
    }

    pub fn get_mut(&mut self, id: u32) -> Option<&mut Instance> {
        self.instances.get_mut(id as usize).filter(|instance| instance.alive)
    }

    pub fn group_mut(&mut self, group: GroupRef) -> Option<&mut GroupInstances> {
        self.get_mut(group.parent)?.groups.get_mut(group.index as usize)
    }

    pub fn component(&self, id: ComponentRef) -> Option<&Component> {
        self.components.get(id.0 as usize)
    }

    /// Returns the ids of all live instances.
    pub fn instance_ids(&self) -> Vec<u32> {
        self.ids_where(|_| true)
    }

    fn ids_where(&self, predicate: impl Fn(ComponentRef) -> bool) -> Vec<u32> {
        let is_one =
            |(_, instance): &(u32, &Instance)| instance.alive && predicate(instance.component);
        (0..).zip(&self.instances).filter(is_one).map(|(id, _)| id).collect()
    }

    /// Returns the ids of the live instances of redefined components.
    pub fn instances_of(&self, redefined: &[ComponentRef]) -> Vec<u32> {
        let mut ids = Vec::new();
        for id in redefined {
            let Some(component) = self.component(*id) else { continue };
            let is_latest =
                self.get(component.latest_instance).is_some_and(|it| it.component == *id);
            if component.instance_count == 1 && is_latest {
                ids.push(component.latest_instance);
            } else if component.instance_count > 0 {
                // Their ids are unknown, so all instances are searched.
                return self.ids_where(|each| self.was_redefined(each));
            }
        }
        ids.sort_unstable();
        ids
    }

    fn was_redefined(&self, id: ComponentRef) -> bool {
        self.component(id).is_some_and(|component| component.previous.is_some())
    }

    /// Mounts a component and its children. Returns `None` if a limit or a recursion forbids it.
    pub fn mount(
        &mut self,
        document: &Document,
        watchers: &mut Dependencies,
        target: MountTarget,
    ) -> Option<u32> {
        let depth = self.get(target.parent).map_or(0, |parent| parent.depth + 1);
        if self.component_mount_error(&target).is_some() {
            // A recursive template may have any number of them.
            if self.diagnostics.len() < MAX_DIAGNOSTICS {
                let diagnostic = self.mount_diagnostic(document, &target);
                self.diagnostics.extend(diagnostic);
            }
            return None;
        }
        let id = match self.free.pop() {
            Some(id) => id,
            None => self.instances.len() as u32,
        };
        let MountTarget { component, parent, group, item, from_template, context } = target;
        let owner = Owner::Instance {
            depth,
            surface: self.surface,
            instance: id,
            component: component.0,
            context_node: if context.steps.is_empty() { context.node } else { NO_NODE },
        };
        let instance = Instance {
            component,
            parent,
            group,
            item,
            from_template,
            context,
            groups: Vec::new(),
            watcher: watchers.watch(owner),
            depth,
            position: 0,
            index: None,
            mounted_in_flush: self.flush_id,
            alive: true,
        };
        match self.instances.get_mut(id as usize) {
            Some(slot) => *slot = instance,
            None => self.instances.push(instance),
        }
        self.count += 1;
        let mut groups = 0;
        if let Some(component) = self.components.get_mut(component.0 as usize) {
            component.instance_count += 1;
            component.latest_instance = id;
            groups = component.groups.len() as u32;
        }
        if let Some(instance) = self.get_mut(id) {
            instance.groups.reserve_exact(groups as usize);
        }
        for group in 0..groups {
            let members = self.mount_group(document, watchers, id, group);
            if let Some(instance) = self.get_mut(id) {
                instance.groups.push(members);
            }
        }
        self.update_dependencies(document, watchers, id);
        Some(id)
    }

    fn mount_group(
        &mut self,
        document: &Document,
        watchers: &mut Dependencies,
        parent: u32,
        group: u32,
    ) -> GroupInstances {
        let ResolvedItems { mut items, dangling, all_distinct, .. } =
            self.target_children(document.current_view(), parent, group);
        let mut members = GroupInstances { all_distinct, ..GroupInstances::default() };
        if let Some(instance) = self.get(parent) {
            members.missing.set_nodes(watchers, instance.watcher, &dangling);
        }
        let instances = &mut members.instances;
        instances.reserve_exact(items.len());
        let (count_before, mut remaining) = (self.count, items.len());
        items.retain(|item| {
            remaining -= 1;
            let target = self.mount_target(parent, group, *item);
            let Some(id) = target.and_then(|target| self.mount(document, watchers, target)) else {
                return false;
            };
            if let Some(instance) = self.get_mut(id) {
                instance.position = instances.len() as u32;
            }
            instances.push(id);
            if instances.len() == 1 {
                self.reserve(document, watchers, remaining, self.count - count_before);
            }
            true
        });
        // Frees the capacity of items that were not mounted.
        items.shrink_to_fit();
        instances.shrink_to_fit();
        members.items = items;
        members
    }

    /// Reserves memory for more items, of which the first has `each` instances, because growth
    /// moves all instances.
    pub fn reserve(
        &mut self,
        document: &Document,
        watchers: &mut Dependencies,
        items: usize,
        each: usize,
    ) {
        let available = document.settings.limits.instances.saturating_sub(self.count);
        let more = items.saturating_mul(each.min(MAX_RESERVED_INSTANCES_PER_ITEM));
        if more > MIN_RESERVED_INSTANCES {
            // A few more are likely to follow.
            let more = more.saturating_add(more / 8).min(available);
            self.instances.reserve(more.saturating_sub(self.free.len()));
            watchers.reserve(more);
        }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the items that a group should display.
    pub fn target_children(&mut self, view: View<'_>, parent: u32, group: u32) -> ResolvedItems {
        let mut counter = std::mem::take(&mut self.counter);
        let mut resolved = match self.children(parent, group) {
            None => ResolvedItems::default(),
            Some((_, Children::Static(items))) => {
                ResolvedItems { items: items.to_vec(), ..ResolvedItems::default() }
            }
            Some((instance, Children::Template { list, .. })) => {
                resolve_items(view, *list, &instance.context, &mut counter)
            }
        };
        self.counter = counter;
        if let Some(diagnostic) = resolved.diagnostic.take() {
            self.diagnostics.push(diagnostic.at_pointer(self.group_pointer(parent, group)));
        }
        resolved
    }

    /// Returns the JSON pointer of a group in the description of its component.
    pub fn group_pointer(&self, parent: u32, group: u32) -> String {
        let component = self.get(parent).and_then(|parent| self.component(parent.component));
        let Some(component) = component else { return String::new() };
        let slot = component.groups.get(group as usize).map_or("", |group| &group.slot);
        format!("/{}/{}", escape_pointer_step(&component.id), escape_pointer_step(slot))
    }

    /// Returns the children of a group, as described.
    pub fn children(&self, id: u32, group: u32) -> Option<(&Instance, &Children)> {
        let instance = self.get(id)?;
        let group = self.component(instance.component)?.groups.get(group as usize)?;
        Some((instance, &group.children))
    }

    /// Returns the mount target of an item of a group.
    pub fn mount_target(&self, parent: u32, group: u32, item: ItemId) -> Option<MountTarget> {
        let (instance, children) = self.children(parent, group)?;
        let (component, from_template, context) = match children {
            Children::Static(_) => (ComponentRef(item.node()?.0), false, instance.context.clone()),
            Children::Template { list, component } => {
                (*component, true, item.context(*list, &instance.context))
            }
        };
        Some(MountTarget { component, parent, group, item, from_template, context })
    }

    /// Unmounts an instance and its children. The parent still refers to it.
    pub fn unmount(&mut self, watchers: &mut Dependencies, id: u32) {
        let Some(instance) = self.get_mut(id) else { return };
        instance.alive = false;
        let (component, watcher) = (instance.component, instance.watcher);
        let groups = std::mem::take(&mut instance.groups);
        if let Some(component) = self.components.get_mut(component.0 as usize) {
            component.instance_count -= 1;
        }
        watchers.unwatch(watcher);
        self.free.push(id);
        self.count -= 1;
        for mut members in groups {
            members.missing.clear(watchers);
            for child in members.instances {
                self.unmount(watchers, child);
            }
        }
    }

    /// Updates the nodes that an instance depends on.
    pub fn update_dependencies(
        &mut self,
        document: &Document,
        watchers: &mut Dependencies,
        id: u32,
    ) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.clear();
        if let Some(instance) = self.get(id) {
            self.collect_dependencies(document, instance, &mut nodes);
            watchers.set(instance.watcher, &nodes);
        }
        self.nodes = nodes;
    }

    /// Collects the distinct nodes that an instance depends on.
    fn collect_dependencies(
        &self,
        document: &Document,
        instance: &Instance,
        nodes: &mut Vec<NodeRef>,
    ) {
        let Some(component) = self.component(instance.component) else { return };
        let view = document.current_view();
        let mut add = |node: NodeRef| {
            // Most instances depend on one or two nodes; larger sets are deduplicated below.
            if nodes.last() != Some(&node) {
                nodes.push(node);
            }
        };
        if instance.from_template {
            add(instance.context.node);
        }
        let own = instance.context.map(view);
        for (_, template) in &component.props {
            match template.scalar(view, own) {
                Some(_) => add(instance.context.node),
                None => template.visit_dependencies(view, &instance.context, &mut add),
            }
        }
        for group in &component.groups {
            if let Children::Template { list, .. } = &group.children {
                crate::ham::binding::resolve(view, *list, &instance.context, &mut add);
            }
        }
        if nodes.len() > 1 {
            nodes.sort_unstable();
            nodes.dedup();
        }
    }
}
