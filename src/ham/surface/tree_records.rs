//! Serialisation of mounted instances as records.

use super::component::Component;
use super::prop_changes::write_prop;
use super::record::{UpdateRecords, ValueTag};
use super::tree::{GroupRef, Instance, Tree};
use crate::ham::document::Document;

impl Tree {
    /// Writes all instances.
    pub fn write_all(&mut self, document: &Document, out: &mut UpdateRecords) {
        let words = |component: &Component| {
            let props = component.bound_props().count();
            component.instance_count as usize * UpdateRecords::instance_words(props)
        };
        out.words.reserve(self.components.iter().map(words).sum());
        if let Some(root) = self.root {
            self.write_instance(document, root, out);
        }
    }

    /// Writes an instance and its children.
    pub fn write_instance(&mut self, document: &Document, id: u32, out: &mut UpdateRecords) {
        let index = self.item_index(id);
        let Some(instance) = self.get_mut(id) else { return };
        instance.index = index;
        let Some(instance) = self.get(id) else { return };
        let Some(component) = self.component(instance.component) else { return };
        let start = out.begin_instance(id, instance.component.0, instance.group);
        self.write_item(document, instance, out);
        out.words.push([component.bound_props().count() as u32]);
        let own = instance.context.map(document.current_view());
        for (prop, template) in component.bound_props() {
            out.words.push([prop]);
            write_prop(document, instance, own, template, out);
        }
        for group in 0..instance.groups.len() {
            self.write_group(document, GroupRef { parent: id, index: group as u32 }, out);
        }
        out.end_instance(start);
    }

    fn write_group(&mut self, document: &Document, group: GroupRef, out: &mut UpdateRecords) {
        // Moved out for the borrow checker. Positions do not change meanwhile.
        let Some(members) = self.group_mut(group) else { return };
        let instances = std::mem::take(&mut members.instances);
        for child in &instances {
            self.write_instance(document, *child, out);
        }
        if let Some(members) = self.group_mut(group) {
            members.instances = instances;
        }
    }

    fn write_item(&self, document: &Document, instance: &Instance, out: &mut UpdateRecords) {
        let component = self.component(instance.component).map_or("", |component| &component.id);
        if instance.from_template {
            let name = instance.item.node().map_or("", |node| document.id(node));
            // The key of most items is the id of their node.
            if instance.item.is_first_occurrence() {
                out.push_text(name);
            } else {
                out.push_text(&instance.item.key(name));
            }
        } else if instance.item.is_first_occurrence() {
            out.push_tag(ValueTag::Nothing);
        } else {
            out.push_text(&instance.item.key(component));
        }
    }
}
