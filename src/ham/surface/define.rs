//! Definition of components: parses them, and updates their instances unless there would be too many.

use super::component::{self, ComponentRef, PreviousComponent};
use super::record::UpdateRecords;
use super::{Surface, intern_component};
use crate::base::Diagnostic;
use crate::base::value::Value as Json;
use crate::ham::check::ROOT;
use crate::ham::dependencies::Dependencies;
use crate::ham::document::Document;

/// Result of [`Surface::describe`].
#[derive(Default)]
struct Described {
    /// Components whose description changed.
    redefined: Vec<ComponentRef>,
    diagnostics: Vec<Diagnostic>,
    /// Whether one of them used `@index` before.
    removed_index: bool,
}

impl Surface {
    /// Adds or changes components. Returns an error, with nothing changed, if they would exceed the limit of
    /// instances.
    pub fn define(
        &mut self,
        document: &mut Document,
        watchers: &mut Dependencies,
        components: &[(String, Json)],
        records: &mut UpdateRecords,
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        let (known, unsent) = (self.tree.components.len(), self.unsent_components.len());
        let Described { redefined, mut diagnostics, removed_index } =
            self.describe(document, components);
        let ids = self.tree.instances_of(&redefined);
        let root = self.unmounted_root();
        if let Some(error) = self.tree.component_limit_error(document, &ids, root) {
            self.restore(redefined, known, unsent);
            self.limit_error = Some(error.clone());
            return Err(error);
        }
        self.limit_error = None;
        if removed_index {
            let mut components = self.tree.components.iter();
            let uses_index = components.any(|component| component.uses_index);
            self.tree.set_uses_index(uses_index);
        } else if redefined
            .iter()
            .any(|id| self.tree.component(*id).is_some_and(|it| it.uses_index))
        {
            self.tree.set_uses_index(true);
        }
        let mut records = self.observed.then_some(records);
        self.flush(document, watchers, records.as_deref_mut()).apply_components(ids);
        for id in redefined {
            if let Some(component) = self.tree.components.get_mut(id.0 as usize) {
                component.previous = None;
            }
        }
        self.mount_root(document, watchers, records);
        diagnostics.append(&mut self.tree.diagnostics);
        Ok(diagnostics)
    }

    /// Parses and stores the descriptions of components. Their instances are not updated.
    fn describe(&mut self, document: &mut Document, components: &[(String, Json)]) -> Described {
        let mut described = Described::default();
        let Described { redefined, diagnostics, removed_index } = &mut described;
        for (id, json) in components {
            let component_ref = self.component_ref(id);
            if let Some(existing) = self.tree.component(component_ref)
                && !existing.name.is_empty()
                && existing.json.is_same(json)
            {
                // Its diagnostics still apply.
                diagnostics.extend(existing.diagnostics.iter().cloned());
                continue;
            }
            let (component_ids, tree, unsent_components) =
                (&mut self.component_ids, &mut self.tree, &mut self.unsent_components);
            let component = component::parse(document, &self.catalog, id, json, |id| {
                intern_component(component_ids, tree, unsent_components, id)
            });
            diagnostics.extend(component.diagnostics.iter().cloned());
            self.unsent_components.push(component_ref);
            if let Some(slot) = self.tree.components.get_mut(component_ref.0 as usize) {
                let mut previous = std::mem::replace(slot, component);
                *removed_index |= previous.uses_index;
                (slot.instance_count, slot.latest_instance) =
                    (previous.instance_count, previous.latest_instance);
                // A component that occurs twice keeps its first previous description.
                slot.previous = previous.previous.take();
                if slot.previous.is_none() {
                    slot.previous = Some(Box::new(PreviousComponent::new(previous)));
                    redefined.push(component_ref);
                }
            }
        }
        self.tree.component_revision += 1;
        described
    }

    /// Restores the previous descriptions of components, of which `known` existed. The host had not received
    /// those after the first `unsent`.
    #[cold]
    fn restore(&mut self, redefined: Vec<ComponentRef>, known: usize, unsent: usize) {
        for id in redefined {
            let Some(slot) = self.tree.components.get_mut(id.0 as usize) else { continue };
            if let Some(previous) = slot.previous.take() {
                *slot = previous.component;
            }
        }
        for component in self.tree.components.drain(known..) {
            self.component_ids.remove(&component.id);
        }
        self.unsent_components.truncate(unsent);
        self.tree.component_revision += 1;
    }

    /// Returns the error if a surface with these components would exceed the limit of instances. `has_data`: the nodes
    /// stay.
    #[cold]
    pub fn reset_error(
        &mut self,
        document: &mut Document,
        components: &[(String, Json)],
        has_data: bool,
    ) -> Option<Diagnostic> {
        let mut other = Surface::new(self.tree.surface, std::mem::take(&mut self.catalog));
        other.describe(document, components);
        let root = other.unmounted_root();
        let error = root.and_then(|root| other.tree.root_limit_error(document, root, has_data));
        self.catalog = other.catalog;
        self.limit_error.clone_from(&error);
        error
    }

    /// Returns the root component if it is described and not mounted.
    pub(super) fn unmounted_root(&mut self) -> Option<ComponentRef> {
        let component = self.component_ref(ROOT);
        let is_named = self.tree.component(component).is_some_and(|it| !it.name.is_empty());
        (is_named && self.tree.root.is_none()).then_some(component)
    }
}
