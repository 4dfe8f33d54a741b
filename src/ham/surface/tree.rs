//! The mounted instances: expanding components over the data.

use super::component::{Children, Component, ComponentRef};
use super::record::NONE;
use super::refusal::Refusal;
use super::waiting::Waiting;
use crate::base::Diagnostic;
use crate::base::json::pointer_step;
use crate::ham::arena::NodeRef;
use crate::ham::binding::Context;
use crate::ham::child_list::{ItemId, Seen, Target, target};
use crate::ham::document::{Document, View};
use crate::ham::observe::{Dependencies, NOWHERE, Owner, Watcher};

/// Instances below one another. Recursion over the tree is bounded by it.
pub const MAX_DEPTH: u16 = 100;

/// So much that is wrong is kept; a hundredth of it is told.
const MAX_FOUND: usize = 10_000;

/// Room is made ahead for more instances than these, and for no more of an item than so many: the first item may be the largest.
const MANY: usize = 1_000;
const EACH: usize = 16;

/// One mounted component.
pub struct Instance {
    pub component: ComponentRef,
    /// [`NONE`] for the root.
    pub parent: u32,
    /// Which of the parent's groups it stands in.
    pub group: u32,
    pub item: ItemId,
    /// Whether it renders an item of a ChildList.
    pub templated: bool,
    pub context: Context,
    /// The children, group by group.
    pub groups: Vec<Members>,
    pub watcher: Watcher,
    pub depth: u16,
    /// Its place in its group when that was last counted; right where [`Tree::uses_index`].
    pub place: u32,
    /// The place of the nearest item when it was last shown.
    pub index: Option<u32>,
    /// The flush that mounted it.
    pub born: u32,
    pub alive: bool,
}

/// The mounted children of one group: one instance for each item, in the same order.
#[derive(Default)]
pub struct Members {
    /// As [`Instance::item`] says too; here they lie together, to be compared with those of the list.
    pub items: Vec<ItemId>,
    pub instances: Vec<u32>,
    /// What the list names and is not there.
    pub waiting: Waiting,
    /// See [`Target::straight`].
    pub straight: bool,
}

/// All instances of a surface.
#[derive(Default)]
pub struct Tree {
    /// The number of the surface among those of its store.
    pub surface: u32,
    pub components: Vec<Component>,
    pub root: Option<u32>,
    /// The flush at hand.
    pub round: u32,
    /// Whether any component shows the place of an item, so that places are kept.
    pub uses_index: bool,
    instances: Vec<Instance>,
    free: Vec<u32>,
    count: usize,
    /// The flush in which instances were last refused for want of room, until they are taken up.
    lacked: Option<u32>,
    /// Scratch of comparing lists.
    pub seen: Seen,
    /// Scratch of [`Tree::link`].
    nodes: Vec<NodeRef>,
    /// What was found wrong while mounting; whoever flushes takes it.
    pub found: Vec<Diagnostic>,
}

/// The children of one property of an instance.
#[derive(Clone, Copy)]
pub struct Group {
    pub parent: u32,
    pub number: u32,
}

/// Where an instance is to be mounted.
pub struct Place {
    pub component: ComponentRef,
    pub parent: u32,
    pub group: u32,
    pub item: ItemId,
    pub templated: bool,
    pub context: Context,
}

impl Tree {
    /// An empty tree, of the `surface`-th surface of its store.
    pub fn new(surface: u32) -> Tree {
        Tree { surface, ..Tree::default() }
    }

    /// A live instance.
    pub fn get(&self, number: u32) -> Option<&Instance> {
        self.instances.get(number as usize).filter(|instance| instance.alive)
    }

    /// A live instance, to be changed.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Instance> {
        self.instances.get_mut(number as usize).filter(|instance| instance.alive)
    }

    /// The children of a group, to be changed.
    pub fn members(&mut self, group: Group) -> Option<&mut Members> {
        self.get_mut(group.parent)?.groups.get_mut(group.number as usize)
    }

    /// The component of an instance.
    pub fn component(&self, number: ComponentRef) -> Option<&Component> {
        self.components.get(number.0 as usize)
    }

    /// The numbers of all live instances.
    pub fn numbers(&self) -> Vec<u32> {
        self.numbers_of(|_| true)
    }

    fn numbers_of(&self, wanted: impl Fn(ComponentRef) -> bool) -> Vec<u32> {
        let is_one =
            |(_, instance): &(u32, &Instance)| instance.alive && wanted(instance.component);
        (0..).zip(&self.instances).filter(is_one).map(|(number, _)| number).collect()
    }

    /// The numbers of the live instances of components that were described anew.
    pub fn instances_of(&self, described: &[ComponentRef]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for number in described {
            let Some(component) = self.component(*number) else { continue };
            let is_known = self.get(component.latest).is_some_and(|it| it.component == *number);
            if component.mounted == 1 && is_known {
                numbers.push(component.latest);
            } else if component.mounted > 0 {
                // They are somewhere among all.
                return self.numbers_of(|each| self.is_described_anew(each));
            }
        }
        numbers.sort_unstable();
        numbers
    }

    fn is_described_anew(&self, number: ComponentRef) -> bool {
        self.component(number).is_some_and(|component| component.former.is_some())
    }

    /// Mounts a component and all below it. Nothing where a limit or a repetition forbids it.
    pub fn mount(
        &mut self,
        document: &Document,
        watchers: &mut Dependencies,
        place: Place,
    ) -> Option<u32> {
        let depth = self.get(place.parent).map_or(0, |parent| parent.depth + 1);
        if let Some(refusal) = self.refused(document, &place) {
            let is_told = match refusal {
                // Those that follow lack it as well.
                Refusal::Room => self.lacked.replace(self.round) != Some(self.round),
                // A template that names itself may have any number of them.
                Refusal::Depth | Refusal::Repeats => self.found.len() < MAX_FOUND,
            };
            if is_told {
                let told = self.refusal(document, &place);
                self.found.extend(told);
            }
            return None;
        }
        let number = match self.free.pop() {
            Some(number) => number,
            None => self.instances.len() as u32,
        };
        let Place { component, parent, group, item, templated, context } = place;
        let owner = Owner::Instance {
            depth,
            surface: self.surface,
            instance: number,
            component: component.0,
            home: if context.steps.is_empty() { context.node } else { NOWHERE },
        };
        let instance = Instance {
            component,
            parent,
            group,
            item,
            templated,
            context,
            groups: Vec::new(),
            watcher: watchers.watch(owner),
            depth,
            place: 0,
            index: None,
            born: self.round,
            alive: true,
        };
        match self.instances.get_mut(number as usize) {
            Some(slot) => *slot = instance,
            None => self.instances.push(instance),
        }
        self.count += 1;
        let mut groups = 0;
        if let Some(component) = self.components.get_mut(component.0 as usize) {
            component.mounted += 1;
            component.latest = number;
            groups = component.groups.len() as u32;
        }
        if let Some(instance) = self.get_mut(number) {
            instance.groups.reserve_exact(groups as usize);
        }
        for group in 0..groups {
            let members = self.mount_group(document, watchers, number, group);
            if let Some(instance) = self.get_mut(number) {
                instance.groups.push(members);
            }
        }
        self.link(document, watchers, number);
        Some(number)
    }

    fn mount_group(
        &mut self,
        document: &Document,
        watchers: &mut Dependencies,
        parent: u32,
        group: u32,
    ) -> Members {
        let Target { mut items, dangling, straight, .. } =
            self.wanted(document.now(), parent, group);
        let mut members = Members { straight, ..Members::default() };
        if let Some(instance) = self.get(parent) {
            members.waiting.set(watchers, instance.watcher, &dangling);
        }
        let instances = &mut members.instances;
        instances.reserve_exact(items.len());
        let (before, mut left) = (self.count, items.len());
        items.retain(|item| {
            left -= 1;
            let place = self.place(parent, group, *item);
            let Some(number) = place.and_then(|place| self.mount(document, watchers, place)) else {
                return false;
            };
            if let Some(instance) = self.get_mut(number) {
                instance.place = instances.len() as u32;
            }
            instances.push(number);
            if instances.len() == 1 {
                self.expect(document, watchers, left, self.count - before);
            }
            true
        });
        // Where many were refused, the room for them would stay with each group.
        items.shrink_to_fit();
        instances.shrink_to_fit();
        members.items = items;
        members
    }

    /// Makes room for further items where there are many, of which the first has so many instances: memory that grows is
    /// moved, and touched anew.
    pub fn expect(
        &mut self,
        document: &Document,
        watchers: &mut Dependencies,
        items: usize,
        each: usize,
    ) {
        let most = document.settings.limits.instances.saturating_sub(self.count);
        let more = items.saturating_mul(each.min(EACH));
        if more > MANY {
            // A few more are likely to follow.
            let more = more.saturating_add(more / 8).min(most);
            self.instances.reserve(more.saturating_sub(self.free.len()));
            watchers.expect(more);
        }
    }

    /// How many instances there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What a group of an instance should show.
    pub fn wanted(&mut self, view: View<'_>, parent: u32, group: u32) -> Target {
        let mut seen = std::mem::take(&mut self.seen);
        let mut target = match self.children(parent, group) {
            None => Target::default(),
            Some((_, Children::Static(items))) => {
                Target { items: items.to_vec(), ..Target::default() }
            }
            Some((instance, Children::Template { list, .. })) => {
                target(view, *list, &instance.context, &mut seen)
            }
        };
        self.seen = seen;
        if let Some(told) = target.diagnostic.take() {
            self.found.push(told.at_pointer(self.pointer_to(parent, group)));
        }
        target
    }

    /// Where a group stands in the description of its component.
    fn pointer_to(&self, parent: u32, group: u32) -> String {
        let component = self.get(parent).and_then(|parent| self.component(parent.component));
        let Some(component) = component else { return String::new() };
        let slot = component.groups.get(group as usize).map_or("", |group| &group.slot);
        format!("/{}/{}", pointer_step(&component.id), pointer_step(slot))
    }

    /// The children that a group of an instance names.
    pub fn children(&self, number: u32, group: u32) -> Option<(&Instance, &Children)> {
        let instance = self.get(number)?;
        let group = self.component(instance.component)?.groups.get(group as usize)?;
        Some((instance, &group.children))
    }

    /// Where the instance for an item of a group belongs.
    pub fn place(&self, parent: u32, group: u32, item: ItemId) -> Option<Place> {
        let (instance, children) = self.children(parent, group)?;
        let (component, templated, context) = match children {
            Children::Static(_) => (ComponentRef(item.node()?.0), false, instance.context.clone()),
            Children::Template { list, component } => {
                (*component, true, item.context(*list, &instance.context))
            }
        };
        Some(Place { component, parent, group, item, templated, context })
    }

    /// Whether there may be one more instance.
    pub fn has_room(&self, document: &Document) -> bool {
        self.count < document.settings.limits.instances
    }

    /// Whether instances were refused for want of room, and are not yet taken up.
    pub fn lacks_room(&self) -> bool {
        self.lacked.is_some()
    }

    /// Whether there is room again for instances that were refused; that is answered once.
    pub fn takes_up(&mut self, document: &Document) -> bool {
        self.has_room(document) && self.lacked.take().is_some()
    }

    /// Unmounts an instance and all below it. Its parent still names it.
    pub fn unmount(&mut self, watchers: &mut Dependencies, number: u32) {
        let Some(instance) = self.get_mut(number) else { return };
        instance.alive = false;
        let (component, watcher) = (instance.component, instance.watcher);
        let groups = std::mem::take(&mut instance.groups);
        if let Some(component) = self.components.get_mut(component.0 as usize) {
            component.mounted -= 1;
        }
        watchers.unwatch(watcher);
        self.free.push(number);
        self.count -= 1;
        for mut members in groups {
            members.waiting.clear(watchers);
            for child in members.instances {
                self.unmount(watchers, child);
            }
        }
    }

    /// Says anew which nodes an instance looks at.
    pub fn link(&mut self, document: &Document, watchers: &mut Dependencies, number: u32) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.clear();
        if let Some(instance) = self.get(number) {
            self.looked_at(document, instance, &mut nodes);
            watchers.set(instance.watcher, &nodes);
        }
        self.nodes = nodes;
    }

    /// The nodes that an instance looks at, each once.
    fn looked_at(&self, document: &Document, instance: &Instance, nodes: &mut Vec<NodeRef>) {
        let Some(component) = self.component(instance.component) else { return };
        let view = document.now();
        let mut add = |node: NodeRef| {
            // Most instances look at one or two nodes; large sets are made distinct below.
            if nodes.last() != Some(&node) {
                nodes.push(node);
            }
        };
        if instance.templated {
            add(instance.context.node);
        }
        let own = instance.context.map(view);
        for (_, template) in &component.props {
            match template.scalar(view, own) {
                Some(_) => add(instance.context.node),
                None => template.depend(view, &instance.context, &mut add),
            }
        }
        for group in &component.groups {
            if let Children::Template { list, .. } = &group.children {
                crate::ham::binding::find(view, *list, &instance.context, &mut add);
            }
        }
        if nodes.len() > 1 {
            nodes.sort_by_key(|&node| node.0);
            nodes.dedup();
        }
    }

    /// The instance that stands behind a place of a group; [`NONE`] at the end of the parent.
    pub fn behind(&self, parent: u32, group: u32, place: usize) -> u32 {
        let Some(instance) = self.get(parent) else { return NONE };
        let mut groups = instance.groups.iter().skip(group as usize);
        let own = groups.next().and_then(|members| members.instances.get(place));
        let mut later = groups.filter_map(|members| members.instances.first());
        own.or_else(|| later.next()).copied().unwrap_or(NONE)
    }

    /// Says anew which places the instances of a group have, from the `start`-th on. `shifted` are
    /// told those that were there before and have another than before.
    pub fn renumber(&mut self, group: Group, start: usize, shifted: &mut Vec<u32>) {
        let Some(members) = self.members(group) else { return };
        let instances = std::mem::take(&mut members.instances);
        let round = self.round;
        for (place, number) in (0..).zip(&instances).skip(start) {
            let Some(instance) = self.get_mut(*number) else { continue };
            if instance.place != place && instance.born != round {
                shifted.push(*number);
            }
            instance.place = place;
        }
        if let Some(members) = self.members(group) {
            members.instances = instances;
        }
    }

    /// Says whether any component shows the place of an item.
    pub fn use_index(&mut self, uses_index: bool) {
        if !std::mem::replace(&mut self.uses_index, uses_index) && uses_index {
            self.number_places();
        }
    }

    /// Says which places all instances have: while no component shows them, nobody keeps them.
    fn number_places(&mut self) {
        for parent in self.numbers() {
            for number in 0..self.get(parent).map_or(0, |each| each.groups.len() as u32) {
                self.renumber(Group { parent, number }, 0, &mut Vec::new());
            }
        }
        for number in self.numbers() {
            let index = self.index(number);
            if let Some(instance) = self.get_mut(number) {
                instance.index = index;
            }
        }
    }

    /// The place of an instance in its group.
    pub fn place_of(&mut self, number: u32) -> u32 {
        let Some(Instance { parent, group, place, .. }) = self.get(number) else { return 0 };
        let (group, counted) = (Group { parent: *parent, number: *group }, *place);
        let is_there = |members: &Members| members.instances.get(counted as usize) == Some(&number);
        if self.members(group).is_some_and(|members| is_there(members)) {
            return counted;
        }
        // Others of the group are likely to be asked for next.
        self.renumber(group, 0, &mut Vec::new());
        self.get(number).map_or(0, |instance| instance.place)
    }

    /// The place of the nearest item (rule 24), where any component shows it.
    pub fn index(&self, number: u32) -> Option<u32> {
        if !self.uses_index {
            return None;
        }
        let mut at = self.get(number)?;
        while !at.templated {
            at = self.get(at.parent)?;
        }
        Some(at.place)
    }
}
