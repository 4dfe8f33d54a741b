//! Instances by their keys, which hosts make of the records: see `instanceKey` in `src/js/components.ts`.

use super::component::{Children, ComponentRef};
use super::{ROOT, Surface};
use crate::ham::arena::NodeRef;
use crate::ham::child_list::ItemId;
use crate::ham::document::Document;
use std::mem::take;

/// One step of a key: `slot=component:item`. Only the component is always there.
struct Step {
    /// Where the parent has several properties that name children.
    slot: Option<String>,
    component: String,
    /// For a row, and for a child that is named again.
    item: Option<String>,
}

impl Step {
    /// In each name `~0` to `~3` stand for `~`, `/`, `:` and `=`.
    fn read(text: &str) -> Step {
        let (mut slot, mut component, mut name) = (None, None, String::new());
        let mut marks = text.chars();
        while let Some(mark) = marks.next() {
            match mark {
                '=' if slot.is_none() => slot = Some(take(&mut name)),
                ':' if component.is_none() => component = Some(take(&mut name)),
                '~' => name.push(match marks.next() {
                    Some('1') => '/',
                    Some('2') => ':',
                    Some('3') => '=',
                    _ => '~',
                }),
                mark => name.push(mark),
            }
        }
        match component {
            Some(component) => Step { slot, component, item: Some(name) },
            None => Step { slot, component: name, item: None },
        }
    }
}

impl Surface {
    /// The number of the instance with a key.
    pub(super) fn find(&self, document: &Document, key: &str) -> Option<u32> {
        let mut steps = key.split('/');
        let root = self.tree.root.filter(|_| steps.next() == Some(ROOT))?;
        steps.try_fold(root, |parent, step| self.child(document, parent, &Step::read(step)))
    }

    fn child(&self, document: &Document, parent: u32, step: &Step) -> Option<u32> {
        let instance = self.tree.get(parent)?;
        let groups = &self.tree.component(instance.component)?.groups;
        let place = match &step.slot {
            None => (groups.len() == 1).then_some(0),
            Some(slot) if groups.len() > 1 => groups.iter().position(|group| group.slot == *slot),
            Some(_) => None,
        }?;
        let component = ComponentRef(*self.numbers.get(&step.component)?);
        let is_static = matches!(groups.get(place)?.children, Children::Static(_));
        let first = match &step.item {
            None => is_static.then_some(NodeRef(component.0)),
            Some(_) if is_static => None,
            Some(item) => document.find(item),
        };
        let first = first.map(|node| ItemId::pointer(node, 1));
        let name_of = |node: NodeRef| match is_static {
            true => self.tree.component(ComponentRef(node.0)).map_or("", |component| &component.id),
            false => document.id(node),
        };
        let is_other = |item: &ItemId, key: &str| {
            !item.is_plain()
                && key.ends_with(last_digit(*item))
                && item.key(item.node().map_or("", name_of)) == key
        };
        let is_meant = |item: &ItemId| {
            Some(*item) == first || step.item.as_ref().is_some_and(|key| is_other(item, key))
        };
        let members = instance.groups.get(place)?;
        let child = *members.instances.get(members.items.iter().position(is_meant)?)?;
        (self.tree.get(child)?.component == component).then_some(child)
    }
}

/// The last digit of the number in a key: most keys that are another need not be made.
fn last_digit(item: ItemId) -> char {
    char::from(b'0' + (item.ordinal() % 10) as u8)
}
