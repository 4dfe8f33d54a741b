//! Counts the instances that an update would mount, before any is created. An update that would exceed
//! the limit is rejected as a whole.
//!
//! A counted component is a visit, so the work ends at the limit. Repeated parts are counted once: a
//! component without lists below it has a fixed size, and other parts are stored by component and node.

use super::component::{Children, ComponentRef, ComponentSize};
use super::flush::list_value;
use super::limit_error::LimitError;
use super::tree::{MAX_DEPTH, Tree};
use crate::base::map::{IntMap, pack_pair};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::binding::{Binding, Context};
use crate::ham::child_list::ItemId;
use crate::ham::dependencies::NO_NODE;
use crate::ham::document::{Document, View};

/// Minimum number of instances of a stored part; counting a smaller one again costs less.
const MIN_STORED: usize = 16;

/// Bits of the number of instances in a stored part; the height is above them.
const COUNT_BITS: u32 = 48;

/// Count of the instances below some locations of a surface.
pub struct InstanceCount<'a> {
    pub tree: &'a Tree,
    pub document: &'a Document,
    /// Whether the nodes have their values; else all are missing.
    pub has_data: bool,
    /// Number of instances so far.
    pub total: usize,
    limit: usize,
    /// Mounted instance above the counted parts.
    above: Option<u32>,
    /// Components around the current one, the outermost first.
    path: Vec<CountedPart>,
    /// Number and height of stored parts.
    stored: IntMap,
}

/// A component that is being counted.
struct CountedPart {
    component: ComponentRef,
    context: Context,
    from_template: bool,
}

/// Depths of a counted part.
#[derive(Clone, Copy)]
struct PartShape {
    /// Levels below its component.
    height: u16,
    /// Whether a level was left out because of its ancestors.
    is_cut: bool,
}

/// Result of a count; an error if the limit is exceeded.
type Counted<T> = Result<T, LimitError>;

impl<'a> InstanceCount<'a> {
    /// Begins a count with `total` instances.
    pub fn new(tree: &'a Tree, document: &'a Document, total: usize) -> InstanceCount<'a> {
        InstanceCount {
            tree,
            document,
            has_data: true,
            total,
            limit: document.settings.limits.instances,
            above: None,
            path: Vec::new(),
            stored: IntMap::default(),
        }
    }

    /// Counts a component below a mounted instance, or as the root.
    pub fn add_component(
        &mut self,
        above: Option<u32>,
        component: ComponentRef,
        context: Context,
        from_template: bool,
    ) -> Counted<()> {
        self.above = above;
        self.path.clear();
        self.part(component, context, from_template).map(|_| ())
    }

    /// Counts items of a list of a mounted instance.
    pub fn add_items(
        &mut self,
        above: u32,
        list: Binding,
        component: ComponentRef,
        items: &[ItemId],
    ) -> Counted<()> {
        let Some(instance) = self.tree.get(above) else { return Ok(()) };
        self.above = Some(above);
        self.path.clear();
        for item in items {
            self.part(component, item.context(list, &instance.context), true)?;
        }
        Ok(())
    }

    /// Counts the items of a list of a mounted instance.
    pub fn add_list(
        &mut self,
        above: u32,
        list: Binding,
        component: ComponentRef,
        value: Value,
    ) -> Counted<()> {
        let Some(instance) = self.tree.get(above) else { return Ok(()) };
        self.above = Some(above);
        self.path.clear();
        self.items(value, list, component, &instance.context).map(|_| ())
    }

    /// Returns whether this many items of a size do not exceed the limit.
    pub fn has_capacity(&self, items: usize, size: usize) -> bool {
        self.total.saturating_add(items.saturating_mul(size)) <= self.limit
    }

    /// Adds instances of components without lists.
    pub fn add(&mut self, count: usize) -> Counted<()> {
        self.total = self.total.saturating_add(count);
        if self.total > self.limit { Err(LimitError::default()) } else { Ok(()) }
    }

    /// Returns the size of a component without lists that is mounted below an instance.
    pub fn fixed_size(&self, parent: u32, component: ComponentRef) -> Option<usize> {
        let depth = self.tree.get(parent)?.depth + 1;
        let size = self.tree.component_size(component);
        size.fixed.filter(|_| depth + size.height <= MAX_DEPTH).map(|count| count as usize)
    }

    /// Returns the depth of the next part.
    fn depth(&self) -> u16 {
        let above = self.above.and_then(|id| self.tree.get(id)).map_or(0, |above| above.depth + 1);
        above + self.path.len() as u16
    }

    fn part(
        &mut self,
        component: ComponentRef,
        context: Context,
        from_template: bool,
    ) -> Counted<PartShape> {
        let depth = self.depth();
        if depth > MAX_DEPTH {
            return Ok(PartShape { height: 0, is_cut: true });
        }
        let ComponentSize { fixed, height, reads_context, .. } =
            self.tree.component_size(component);
        if let Some(count) = fixed.filter(|_| depth + height <= MAX_DEPTH) {
            self.add(count as usize)?;
            return Ok(PartShape { height, is_cut: false });
        }
        if self.is_inside_itself(component, &context, from_template) {
            return Ok(PartShape { height: 0, is_cut: true });
        }
        let key = match () {
            () if !reads_context => Some(pack_pair(component.0, NO_NODE.0)),
            () if context.steps.is_empty() => Some(pack_pair(component.0, context.node.0)),
            () => None,
        };
        if let Some(stored) = key.and_then(|key| self.stored.get(&key)) {
            let (count, height) = (stored & ((1 << COUNT_BITS) - 1), (stored >> COUNT_BITS) as u16);
            if depth + height <= MAX_DEPTH {
                self.add(count as usize)?;
                return Ok(PartShape { height, is_cut: false });
            }
        }
        let before = self.total;
        self.add(1)?;
        self.path.push(CountedPart { component, context, from_template });
        let shape = self.children(component)?;
        self.path.pop();
        let count = self.total - before;
        if let Some(key) = key.filter(|_| !shape.is_cut && count >= MIN_STORED) {
            self.stored.insert(key, u64::from(shape.height) << COUNT_BITS | count as u64);
        }
        Ok(shape)
    }

    /// Counts the children of the last component of the path.
    fn children(&mut self, component: ComponentRef) -> Counted<PartShape> {
        let mut shape = PartShape { height: 0, is_cut: false };
        let groups = self.tree.component(component).map_or(&[][..], |it| it.groups.as_slice());
        for group in groups {
            let Some(CountedPart { context, .. }) = self.path.last() else { continue };
            let context = context.clone();
            let at = (component, group.slot.as_str());
            let below = match &group.children {
                Children::Static(items) => {
                    let counted = self.static_items(items, &context);
                    counted.map_err(|error| {
                        error.inside((self.document, self.tree), at, None, items.len())
                    })?
                }
                Children::Template { list, component } => {
                    let value = self.list(*list, &context);
                    let counted = self.items(value, *list, *component, &context);
                    let len = length(value);
                    counted.map_err(|error| {
                        error.inside((self.document, self.tree), at, Some(*list), len)
                    })?
                }
            };
            shape.height = shape.height.max(below.height);
            shape.is_cut |= below.is_cut;
        }
        Ok(shape)
    }

    fn static_items(&mut self, items: &[ItemId], context: &Context) -> Counted<PartShape> {
        let mut shape = PartShape { height: 0, is_cut: false };
        for component in items.iter().filter_map(|item| item.node()) {
            let below = self.part(ComponentRef(component.0), context.clone(), false)?;
            shape.add_below(below);
        }
        Ok(shape)
    }

    /// Counts the existing items of a list.
    fn items(
        &mut self,
        value: Value,
        list: Binding,
        component: ComponentRef,
        context: &Context,
    ) -> Counted<PartShape> {
        let view = self.document.current_view();
        let mut shape = PartShape { height: 0, is_cut: false };
        let size = self.tree.component_size(component);
        let fits = self.depth() + size.height <= MAX_DEPTH;
        if let Some(count) = size.fixed.filter(|_| fits) {
            let items = existing_items(view, value);
            self.add((count as usize).saturating_mul(items))?;
            shape.add_below(PartShape { height: size.height, is_cut: false });
            return Ok(shape);
        }
        let arena = view.arena();
        match value {
            Value::Pointers(range) => {
                for node in arena.pointers(range) {
                    shape.add_below(self.pointer(NodeRef(*node), component)?);
                }
            }
            Value::List(items) => {
                let mut ordinals = 0..;
                for item in arena.items(items) {
                    let ordinal = match item {
                        Value::Pointer(node) => {
                            shape.add_below(self.pointer(*node, component)?);
                            continue;
                        }
                        _ => ordinals.next().unwrap_or_default(),
                    };
                    shape.add_below(self.part(component, context.literal(list, ordinal), true)?);
                }
            }
            _ => {}
        }
        Ok(shape)
    }

    /// Counts the item of a node, if it exists.
    fn pointer(&mut self, node: NodeRef, component: ComponentRef) -> Counted<PartShape> {
        if self.document.value(node).is_missing() {
            return Ok(PartShape { height: 0, is_cut: false });
        }
        self.part(component, Context::from_node(node), true)
    }

    fn list(&self, list: Binding, context: &Context) -> Value {
        if !self.has_data {
            return Value::Missing;
        }
        list_value(self.document.current_view(), list, context)
    }

    /// Returns whether a part must not be mounted, because it is inside itself for the same node. See
    /// [`Tree::component_mount_error`].
    fn is_inside_itself(&self, component: ComponentRef, context: &Context, item: bool) -> bool {
        let is_node = context.steps.is_empty();
        let mut can_recurse = is_node || !item;
        for part in self.path.iter().rev() {
            if part.component == component && part.context == *context && can_recurse {
                return true;
            }
            can_recurse &= is_node || !part.from_template;
        }
        let mut ancestor = self.above.and_then(|id| self.tree.get(id));
        while let Some(instance) = ancestor {
            if instance.component == component && instance.context == *context && can_recurse {
                return true;
            }
            can_recurse &= is_node || !instance.from_template;
            ancestor = self.tree.get(instance.parent);
        }
        false
    }
}

impl PartShape {
    fn add_below(&mut self, below: PartShape) {
        self.height = self.height.max(below.height + 1);
        self.is_cut |= below.is_cut;
    }
}

/// Returns the number of items of a list, with those of missing nodes.
pub fn length(value: Value) -> usize {
    match value {
        Value::Pointers(range) => range.len as usize,
        Value::List(list) => list.items.len as usize,
        _ => 0,
    }
}

/// Returns the number of items of a list whose nodes exist.
fn existing_items(view: View<'_>, value: Value) -> usize {
    let exists = |node: NodeRef| !view.value(node).is_missing();
    match value {
        Value::Pointers(range) => {
            view.arena().pointers(range).iter().filter(|node| exists(NodeRef(**node))).count()
        }
        Value::List(list) => {
            let is_item = |value: &&Value| match value {
                Value::Pointer(node) => exists(*node),
                _ => true,
            };
            view.arena().items(list).iter().filter(is_item).count()
        }
        _ => 0,
    }
}
