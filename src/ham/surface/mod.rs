//! Surfaces: components bound to a document, expanded into instances and kept up to date.

pub mod component;
mod component_size;
mod define;
pub mod flush;
mod instance_count;
mod instance_key;
mod instance_limit;
mod limit_error;
mod lost_properties;
pub mod message;
pub mod message_text;
mod missing_items;
mod mount_check;
mod prop_changes;
mod reconcile;
pub mod record;
mod state_check;
pub mod template;
pub mod tree;
mod tree_positions;
mod tree_records;

use self::component::{Catalog, Children, Component, ComponentRef};
use self::flush::Flush;
use self::lost_properties::LostProperties;
use self::message::Components;
use self::record::{NONE, RecordOp, UpdateRecords};
use self::template::{PropScope, PropTemplate};
use self::tree::{Instance, MountTarget, Tree};
use super::arena::{NodeRef, Value};
use super::binding::{self, Context};
use super::check::ROOT;
use super::child_list::ItemId;
use super::codes;
use super::dependencies::Dependencies;
use super::document::Document;
use super::live_ids::LiveIds;
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::map::NameMap;
use crate::base::value::{Map, Value as Json, put};
use std::cell::OnceCell;

/// A surface: described components and their instances.
pub struct Surface {
    pub catalog: Catalog,
    pub tree: Tree,
    /// The id in `createSurface`; `None` before that and after `deleteSurface`.
    pub id: Option<String>,
    /// Contents of the `createSurface` that has arrived.
    pub created: Option<Created>,
    /// Whether the surface has a listener.
    pub observed: bool,
    /// Error of the last input.
    pub input_error: Option<Diagnostic>,
    /// Error of the last update if it was rejected because of the limit of instances.
    pub limit_error: Option<Diagnostic>,
    component_ids: NameMap,
    /// Components whose descriptions the host does not have.
    unsent_components: Vec<ComponentRef>,
    /// Whether the host must discard the components it has.
    resend_all: bool,
}

/// Contents of a `createSurface`.
pub struct Created {
    /// JSON texts of the keys other than the components.
    options: String,
    /// JSON texts of the components.
    components: String,
}

impl Created {
    /// Stores the contents of a `createSurface`.
    pub fn new(options: String, components: &Components) -> Created {
        Created { options, components: components.iter().map(|(_, json)| json.to_text()).collect() }
    }
}

impl Surface {
    /// Creates the surface with handle `id`.
    pub fn new(id: u32, catalog: Catalog) -> Surface {
        Surface {
            catalog,
            tree: Tree::new(id),
            id: None,
            created: None,
            observed: false,
            input_error: None,
            limit_error: None,
            component_ids: NameMap::default(),
            unsent_components: Vec::new(),
            resend_all: true,
        }
    }

    /// Returns whether an earlier `createSurface` had other contents. A stream sends the components of its first message
    /// separately; those of a later one are compared with the current components.
    #[inline(never)]
    pub fn is_created_otherwise(&self, new: &Created, components: &Components) -> bool {
        self.created.as_ref().is_some_and(|old| {
            let are_other = match old.components.is_empty() {
                true => components.iter().any(|(id, json)| self.defines_otherwise(id, json)),
                false => !new.components.is_empty() && old.components != new.components,
            };
            old.options != new.options || are_other
        })
    }

    /// Returns whether a component has another definition.
    fn defines_otherwise(&self, id: &str, json: &Json) -> bool {
        let component = self.component_ids.get(id).and_then(|component| {
            self.tree.component(ComponentRef(*component)).filter(|one| !one.name.is_empty())
        });
        component.is_some_and(|one| !one.json.is_same(json))
    }

    /// Begins a flush.
    pub fn flush<'a>(
        &'a mut self,
        document: &'a Document,
        watchers: &'a mut Dependencies,
        records: Option<&'a mut UpdateRecords>,
    ) -> Flush<'a> {
        self.tree.flush_id = self.tree.flush_id.wrapping_add(1);
        self.tree.diagnostics.clear();
        let (moved, removed_nodes) = (Vec::new(), OnceCell::new());
        let lost = LostProperties::default();
        Flush { tree: &mut self.tree, document, watchers, records, moved, removed_nodes, lost }
    }

    fn mount_root(
        &mut self,
        document: &mut Document,
        watchers: &mut Dependencies,
        records: Option<&mut UpdateRecords>,
    ) {
        let Some(component) = self.unmounted_root() else { return };
        let target = MountTarget {
            component,
            parent: NONE,
            group: 0,
            item: ItemId::pointer(NodeRef(component.0), 1),
            from_template: false,
            context: Context::from_node(document.node(ROOT.as_bytes())),
        };
        self.tree.root = self.tree.mount(document, watchers, target);
        if let (Some(root), Some(records)) = (self.tree.root, records) {
            records.push_op(RecordOp::Mount, [NONE, NONE]);
            self.tree.write_instance(document, root, records);
        }
    }

    /// Unmounts everything and removes the components. The contents of `createSurface` stay.
    pub fn clear(&mut self, watchers: &mut Dependencies, records: &mut UpdateRecords) {
        if let Some(root) = self.tree.root.take() {
            if self.observed {
                records.push_op(RecordOp::Unmount, [root]);
            }
            self.tree.unmount(watchers, root);
        }
        self.tree.components.clear();
        self.tree.set_uses_index(false);
        self.component_ids.clear();
        self.unsent_components.clear();
        self.resend_all = true;
        self.id = None;
        self.input_error = None;
        self.limit_error = None;
    }

    fn component_ref(&mut self, id: &str) -> ComponentRef {
        intern_component(&mut self.component_ids, &mut self.tree, &mut self.unsent_components, id)
    }

    /// Returns the descriptions that the host does not have. `rows` maps each handle to the id,
    /// name, properties with constants, and child slots. `all`: the host must discard its
    /// components.
    pub fn take_unsent_components(&mut self) -> Json {
        let mut table = Map::default();
        for id in std::mem::take(&mut self.unsent_components) {
            let Some(component) = self.tree.component(id) else { continue };
            let props = component.props.iter().map(|(name, template)| match template {
                PropTemplate::Constant(text) => strings(&[name, text]),
                _ => strings(&[name]),
            });
            let props = Json::list(props.collect());
            let slots: Vec<&str> =
                component.groups.iter().map(|group| group.slot.as_str()).collect();
            let mut entry = Map::default();
            put(&mut entry, "id", component.id.as_str());
            put(&mut entry, "name", component.name.as_str());
            put(&mut entry, "props", props);
            put(&mut entry, "slots", strings(&slots));
            put(&mut table, &id.0.to_string(), entry);
        }
        let mut message = Map::default();
        put(&mut message, "all", std::mem::take(&mut self.resend_all));
        put(&mut message, "rows", table);
        message.into()
    }

    /// Returns the list of the components as they were received, in the order of their arrival.
    pub fn export_components(&self) -> Json {
        let described = self.tree.components.iter().filter(|component| !component.name.is_empty());
        Json::list(described.map(|component| component.json.clone()).collect())
    }

    pub fn has_unsent_components(&self) -> bool {
        !self.unsent_components.is_empty()
    }

    /// Returns the JSON text of the action in a property of the instance with a key, with its
    /// component's id as the `source`.
    pub fn action(
        &self,
        document: &Document,
        key: &str,
        event: &str,
    ) -> Result<String, Diagnostic> {
        let Some((id, instance, component)) = self.find_instance(document, key) else {
            return Err(unknown_instance_error());
        };
        let actions = &component.actions;
        let Some((_, template)) = actions.iter().find(|(name, _)| name == event) else {
            let existing =
                crate::base::names::format_names(actions.iter().map(|(name, _)| name.as_str()));
            let message = format!("unknown action {}", quote(event));
            let help = if existing.is_empty() {
                r#"give it {"action": {"event": {"name": "save"}}}"#.to_owned()
            } else {
                format!("use one of the actions {existing}")
            };
            return Err(Diagnostic::new(codes::UNKNOWN_EVENT_PROPERTY, message).help(help));
        };
        let action = component.json.get(event);
        if let Some(error) = action.and_then(component::action_error) {
            return Err(Diagnostic { code: codes::UNKNOWN_EVENT_PROPERTY, ..error });
        }
        let index = self.tree.item_index(id);
        let scope = PropScope { view: document.current_view(), context: &instance.context, index };
        let source = Json::from(component.id.as_str()).to_text();
        let item = self.item_members(document, id);
        Ok(format!(r#"{{"source":{source},{item}"action":{}}}"#, template.to_json(scope)))
    }

    /// Returns the members `node` and `item` of an action as JSON, or an empty text outside a list.
    /// They are the id of the node of the enclosing item, unless it is a literal, and the key of
    /// the item.
    fn item_members(&self, document: &Document, id: u32) -> String {
        let mut at = self.tree.get(id);
        while let Some(instance) = at
            && !instance.from_template
        {
            at = self.tree.get(instance.parent);
        }
        let Some(item) = at.map(|instance| instance.item) else { return String::new() };
        let text = |text: &str| Json::from(text).to_text();
        let node = item.node().map(|node| document.id(node));
        let member = node.map(|id| format!(r#""node":{},"#, text(id))).unwrap_or_default();
        format!(r#"{member}"item":{},"#, text(&item.key(node.unwrap_or_default())))
    }

    /// Returns the binding and context that an input to a property of the instance with a key
    /// writes to.
    pub fn input_target(
        &self,
        document: &Document,
        key: &str,
        prop: &str,
    ) -> Result<(binding::Binding, Context), Diagnostic> {
        let Some((_, instance, component)) = self.find_instance(document, key) else {
            return Err(unknown_instance_error());
        };
        let allowed = self.catalog.entry(&component.name).input;
        let accepts =
            |name: &str| allowed.as_ref().is_none_or(|input| input.iter().any(|one| one == name));
        let mut other = None;
        for (name, template) in &component.props {
            let PropTemplate::Binding(binding) = template else { continue };
            if accepts(name) && name == prop {
                return Ok((*binding, instance.context.clone()));
            }
            other = other.or(accepts(name).then_some(name));
        }
        let id = quote(&component.id);
        let message = format!("{} of {id} does not accept input", quote(prop));
        let help = match other {
            Some(name) => format!("write to {}", quote(name)),
            None if !accepts(prop) => {
                format!("bind an input property of {}", quote(&component.name))
            }
            None => format!(r#"bind it: {{"{prop}": {{"binding": {{"key": "{prop}"}}}}}}"#),
        };
        Err(Diagnostic::new(codes::UNKNOWN_EVENT_PROPERTY, message).help(help))
    }

    /// Returns the text of a bound property of an instance.
    pub fn bound_text<'d>(
        &self,
        document: &'d Document,
        instance: u32,
        prop: u32,
    ) -> Option<&'d str> {
        let instance = self.tree.get(instance)?;
        let component = self.tree.component(instance.component)?;
        let (_, PropTemplate::Binding(binding)) = component.props.get(prop as usize)? else {
            return None;
        };
        let view = document.current_view();
        match binding::resolve(view, *binding, &instance.context, &mut |_| {}) {
            binding::Resolution::Value { value: Value::Text(text), .. } => {
                Some(document.arena.text(text))
            }
            _ => None,
        }
    }

    fn find_instance(
        &self,
        document: &Document,
        key: &str,
    ) -> Option<(u32, &Instance, &Component)> {
        let id = self.instance_by_key(document, key)?;
        let instance = self.tree.get(id)?;
        Some((id, instance, self.tree.component(instance.component)?))
    }

    /// Marks the nodes and keys that it refers to.
    pub fn mark_live(&self, live_ids: &mut LiveIds) {
        let mut pin = |binding: binding::Binding| {
            binding.node.into_iter().for_each(|node| live_ids.mark_node(node));
            binding.key.into_iter().for_each(|key| live_ids.mark_key(key));
        };
        for component in &self.tree.components {
            for (_, template) in component.props.iter().chain(&component.actions) {
                template.each_binding(&mut pin);
            }
            for group in &component.groups {
                if let Children::Template { list, .. } = group.children {
                    pin(list);
                }
            }
        }
        for id in self.tree.instance_ids() {
            let Some(instance) = self.tree.get(id) else { continue };
            live_ids.mark_node(instance.context.node);
            let keys = instance.context.steps.iter().filter_map(|step| step.key);
            keys.for_each(|key| live_ids.mark_key(key));
            if instance.from_template {
                instance.item.node().into_iter().for_each(|node| live_ids.mark_node(node));
            }
        }
    }
}

fn strings(texts: &[&str]) -> Json {
    Json::list(texts.iter().map(|text| Json::from(*text)).collect())
}

fn unknown_instance_error() -> Diagnostic {
    Diagnostic::new(codes::UNKNOWN_EVENT_PROPERTY, "unknown instance")
        .help("use a key from `tree()` or from a change; the instance may have been unmounted")
}

fn intern_component(
    component_ids: &mut NameMap,
    tree: &mut Tree,
    unsent_components: &mut Vec<ComponentRef>,
    id: &str,
) -> ComponentRef {
    if let Some(component) = component_ids.get(id) {
        return ComponentRef(*component);
    }
    let component = ComponentRef(tree.components.len() as u32);
    let flat_fields = Some(Box::default());
    tree.components.push(Component { id: id.to_owned(), flat_fields, ..Component::default() });
    component_ids.insert(id.to_owned(), component.0);
    unsent_components.push(component);
    component
}
