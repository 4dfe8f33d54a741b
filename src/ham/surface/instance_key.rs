//! Lookup of instances by key. Hosts build the keys from the records: see `instanceKey` in
//! `src/js/components.ts`.

use super::component::{Children, ComponentRef};
use super::{ROOT, Surface};
use crate::ham::arena::NodeRef;
use crate::ham::child_list::ItemId;
use crate::ham::document::Document;
use std::mem::take;

/// A step of a key: `slot=component:item`. Only the component is required.
struct KeyStep {
    /// Present if the parent has several properties that name children.
    slot: Option<String>,
    component: String,
    /// Present for template items and repeated children.
    item: Option<String>,
}

impl KeyStep {
    /// Parses a step. `~0` to `~3` are escapes of `~`, `/`, `:` and `=`.
    fn parse(text: &str) -> KeyStep {
        let (mut slot, mut component, mut name) = (None, None, String::new());
        let mut chars = text.chars();
        while let Some(character) = chars.next() {
            match character {
                '=' if slot.is_none() => slot = Some(take(&mut name)),
                ':' if component.is_none() => component = Some(take(&mut name)),
                '~' => name.push(match chars.next() {
                    Some('1') => '/',
                    Some('2') => ':',
                    Some('3') => '=',
                    _ => '~',
                }),
                character => name.push(character),
            }
        }
        match component {
            Some(component) => KeyStep { slot, component, item: Some(name) },
            None => KeyStep { slot, component: name, item: None },
        }
    }
}

impl Surface {
    pub(super) fn instance_by_key(&self, document: &Document, key: &str) -> Option<u32> {
        let mut steps = key.split('/');
        let root = self.tree.root.filter(|_| steps.next() == Some(ROOT))?;
        steps
            .try_fold(root, |parent, step| self.find_child(document, parent, &KeyStep::parse(step)))
    }

    fn find_child(&self, document: &Document, parent: u32, step: &KeyStep) -> Option<u32> {
        let instance = self.tree.get(parent)?;
        let groups = &self.tree.component(instance.component)?.groups;
        let group_index = match &step.slot {
            None => (groups.len() == 1).then_some(0),
            Some(slot) if groups.len() > 1 => groups.iter().position(|group| group.slot == *slot),
            Some(_) => None,
        }?;
        let component = ComponentRef(*self.component_ids.get(&step.component)?);
        let is_static = matches!(groups.get(group_index)?.children, Children::Static(_));
        let first_occurrence = match &step.item {
            None => is_static.then_some(NodeRef(component.0)),
            Some(_) if is_static => None,
            Some(item) => document.find_node(item),
        };
        let first_occurrence = first_occurrence.map(|node| ItemId::pointer(node, 1));
        let id_of = |node: NodeRef| match is_static {
            true => self.tree.component(ComponentRef(node.0)).map_or("", |component| &component.id),
            false => document.id(node),
        };
        let has_key = |item: &ItemId, key: &str| {
            !item.is_first_occurrence()
                && key.ends_with(last_digit(*item))
                && item.key(item.node().map_or("", id_of)) == key
        };
        let is_match = |item: &ItemId| {
            Some(*item) == first_occurrence
                || step.item.as_ref().is_some_and(|key| has_key(item, key))
        };
        let members = instance.groups.get(group_index)?;
        let child = *members.instances.get(members.items.iter().position(is_match)?)?;
        (self.tree.get(child)?.component == component).then_some(child)
    }
}

/// Returns the last digit of the ordinal in a key, to skip most items without formatting their
/// keys.
fn last_digit(item: ItemId) -> char {
    char::from(b'0' + (item.ordinal() % 10) as u8)
}
