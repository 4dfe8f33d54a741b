//! Sizes of components: the number of instances that one mounts if no list is below it.

use super::component::{Children, ComponentRef, ComponentSize};
use super::tree::{MAX_DEPTH, Tree};

const UNKNOWN: ComponentSize = ComponentSize { fixed: None, height: 0, reads_context: true };

impl Tree {
    /// Returns the size of a component.
    pub fn component_size(&self, component: ComponentRef) -> ComponentSize {
        self.measure(component, 0)
    }

    /// Recursion is bounded by [`MAX_DEPTH`].
    fn measure(&self, component: ComponentRef, depth: u16) -> ComponentSize {
        let Some(component) = self.component(component) else { return UNKNOWN };
        if let Some((revision, size)) = component.size.get()
            && revision == self.component_revision
        {
            return size;
        }
        if depth > MAX_DEPTH {
            return UNKNOWN;
        }
        // A component inside itself has no fixed size.
        component.size.set(Some((self.component_revision, UNKNOWN)));
        let mut size = ComponentSize { fixed: Some(1), height: 0, reads_context: false };
        for group in &component.groups {
            match &group.children {
                Children::Static(items) => {
                    for child in items.iter().filter_map(|item| item.node()) {
                        let child = self.measure(ComponentRef(child.0), depth + 1);
                        let both = size.fixed.zip(child.fixed);
                        size.fixed = both.map(|(own, child)| own.saturating_add(child));
                        size.height = size.height.max(child.height + 1);
                        size.reads_context |= child.reads_context;
                    }
                }
                Children::Template { list, .. } => {
                    size.fixed = None;
                    size.reads_context |= list.node.is_none();
                }
            }
        }
        component.size.set(Some((self.component_revision, size)));
        size
    }
}
