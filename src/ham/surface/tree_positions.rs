//! Positions of mounted instances among their siblings, and the `@index` of their items.

use super::record::NONE;
use super::tree::{GroupInstances, GroupRef, Instance, Tree};

impl Tree {
    /// Returns the instance after a position of a group, or [`NONE`] at the end of the parent.
    pub fn next_sibling(&self, parent: u32, group: u32, position: usize) -> u32 {
        let Some(instance) = self.get(parent) else { return NONE };
        let mut groups = instance.groups.iter().skip(group as usize);
        let own = groups.next().and_then(|members| members.instances.get(position));
        let mut later = groups.filter_map(|members| members.instances.first());
        own.or_else(|| later.next()).copied().unwrap_or(NONE)
    }

    /// Updates the positions in a group from `start` on. Adds to `moved` the older instances whose
    /// position changed.
    pub fn update_positions(&mut self, group: GroupRef, start: usize, moved: &mut Vec<u32>) {
        let Some(members) = self.group_mut(group) else { return };
        let instances = std::mem::take(&mut members.instances);
        let flush_id = self.flush_id;
        for (position, id) in (0..).zip(&instances).skip(start) {
            let Some(instance) = self.get_mut(*id) else { continue };
            if instance.position != position && instance.mounted_in_flush != flush_id {
                moved.push(*id);
            }
            instance.position = position;
        }
        if let Some(members) = self.group_mut(group) {
            members.instances = instances;
        }
    }

    pub fn set_uses_index(&mut self, uses_index: bool) {
        if !std::mem::replace(&mut self.uses_index, uses_index) && uses_index {
            self.update_all_positions();
        }
    }

    /// Updates all positions, which are not maintained while no component uses `@index`.
    fn update_all_positions(&mut self) {
        for parent in self.instance_ids() {
            for group in 0..self.get(parent).map_or(0, |each| each.groups.len() as u32) {
                self.update_positions(GroupRef { parent, index: group }, 0, &mut Vec::new());
            }
        }
        for id in self.instance_ids() {
            let index = self.item_index(id);
            if let Some(instance) = self.get_mut(id) {
                instance.index = index;
            }
        }
    }

    /// Returns the position of an instance in its group.
    pub fn position_of(&mut self, id: u32) -> u32 {
        let Some(Instance { parent, group, position, .. }) = self.get(id) else { return 0 };
        let (group, position) = (GroupRef { parent: *parent, index: *group }, *position);
        let is_there =
            |members: &GroupInstances| members.instances.get(position as usize) == Some(&id);
        if self.group_mut(group).is_some_and(|members| is_there(members)) {
            return position;
        }
        // Other instances of the group are likely to be requested next.
        self.update_positions(group, 0, &mut Vec::new());
        self.get(id).map_or(0, |instance| instance.position)
    }

    /// Returns the index of the enclosing item (rule 24), or `None` if no component uses it.
    pub fn item_index(&self, id: u32) -> Option<u32> {
        if !self.uses_index {
            return None;
        }
        let mut at = self.get(id)?;
        while !at.from_template {
            at = self.get(at.parent)?;
        }
        Some(at.position)
    }
}
