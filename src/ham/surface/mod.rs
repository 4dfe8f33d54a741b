//! A surface: components bound to a document, expanded into instances and kept up to date.

pub mod component;
pub mod flush;
pub mod held;
mod key;
pub mod message;
pub mod record;
mod refusal;
mod regroup;
mod shown;
pub mod template;
pub mod tree;
mod waiting;
mod written;

use self::component::{Catalog, Children, Component, ComponentRef, Former};
use self::flush::Flush;
use self::record::{NONE, Op, Records};
use self::template::{Scope, Template};
use self::tree::{Instance, Place, Tree};
use super::binding::{self, Context, Found, Gap};
use super::check::{COMPARED, ROOT};
use super::child_list::ItemId;
use super::document::Document;
use super::observe::Dependencies;
use super::pinned::Pinned;
use super::update::{hoist, is_marked};
use super::{arena::NodeRef, codes, read};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::{IntMap, NameMap, pair};
use crate::base::names;
use crate::base::value::{Map, Value as Json, put};
use crate::base::{Diagnostic, Location};
use std::cell::OnceCell;

/// Components and their instances.
pub struct Surface {
    pub catalog: Catalog,
    pub tree: Tree,
    /// The id that the agent gave it; missing before `createSurface` and after `deleteSurface`.
    pub id: Option<String>,
    /// Whether `createSurface` has come.
    pub announced: bool,
    /// Whether anybody wants to hear of changes.
    pub observed: bool,
    /// What the last input did wrong.
    pub input_fault: Option<Diagnostic>,
    numbers: NameMap,
    /// Components whose description the host has not seen.
    fresh: Vec<ComponentRef>,
    /// Whether those are all there are: what the host has seen before is gone.
    anew: bool,
}

impl Surface {
    /// An empty surface, the `number`-th of its store.
    pub fn new(number: u32, catalog: Catalog) -> Surface {
        Surface {
            catalog,
            tree: Tree::new(number),
            id: None,
            announced: false,
            observed: false,
            input_fault: None,
            numbers: NameMap::default(),
            fresh: Vec::new(),
            anew: true,
        }
    }

    /// Describes components; those that have been described before are changed.
    pub fn define(
        &mut self,
        document: &mut Document,
        watchers: &mut Dependencies,
        components: &[(String, Json)],
        records: &mut Records,
    ) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut described = Vec::new();
        // Whether one that shows its place is described, and one that did is described anew.
        let (mut uses_index, mut gone) = (self.tree.uses_index, false);
        for (id, json) in components {
            let number = self.number(id);
            if let Some(known) = self.tree.component(number)
                && !known.name.is_empty()
                && known.json.is_same(json)
            {
                // What is wrong with it still is.
                diagnostics.extend(known.diagnostics.iter().cloned());
                continue;
            }
            let (numbers, tree, fresh) = (&mut self.numbers, &mut self.tree, &mut self.fresh);
            let component = component::parse(document, &self.catalog, id, json, |id| {
                number_of(numbers, tree, fresh, id)
            });
            diagnostics.extend(component.diagnostics.iter().cloned());
            self.fresh.push(number);
            uses_index |= component.uses_index;
            if let Some(slot) = self.tree.components.get_mut(number.0 as usize) {
                let mut former = std::mem::replace(slot, component);
                gone |= former.uses_index;
                (slot.mounted, slot.latest) = (former.mounted, former.latest);
                // Of one that is described twice at once the instances are still as before both.
                slot.former = former.former.take();
                if slot.former.is_none() {
                    slot.former = Some(Box::new(Former::new(former)));
                    described.push(number);
                }
            }
        }
        if gone {
            let mut components = self.tree.components.iter();
            uses_index = components.any(|component| component.uses_index);
        }
        self.tree.use_index(uses_index);
        let mut records = self.observed.then_some(records);
        self.flush(document, watchers, records.as_deref_mut()).components(&described);
        for number in described {
            if let Some(component) = self.tree.components.get_mut(number.0 as usize) {
                component.former = None;
            }
        }
        self.mount_root(document, watchers, records);
        diagnostics.append(&mut self.tree.found);
        diagnostics
    }

    /// Starts to bring the surface up to date.
    pub fn flush<'a>(
        &'a mut self,
        document: &'a Document,
        watchers: &'a mut Dependencies,
        records: Option<&'a mut Records>,
    ) -> Flush<'a> {
        self.tree.round = self.tree.round.wrapping_add(1);
        self.tree.found.clear();
        let (shifted, gone) = (Vec::new(), OnceCell::new());
        Flush { tree: &mut self.tree, document, watchers, records, shifted, gone }
    }

    fn mount_root(
        &mut self,
        document: &mut Document,
        watchers: &mut Dependencies,
        records: Option<&mut Records>,
    ) {
        let component = self.number(ROOT);
        let named = |component: &Component| !component.name.is_empty();
        if self.tree.root.is_some() || !self.tree.component(component).is_some_and(named) {
            return;
        }
        let place = Place {
            component,
            parent: NONE,
            group: 0,
            item: ItemId::pointer(NodeRef(component.0), 1),
            templated: false,
            context: Context::of(document.node(ROOT.as_bytes())),
        };
        self.tree.root = self.tree.mount(document, watchers, place);
        if let (Some(root), Some(records)) = (self.tree.root, records) {
            records.op(Op::Mount, [NONE, NONE]);
            self.tree.write(document, root, records);
        }
    }

    /// Unmounts everything and forgets the components.
    pub fn clear(&mut self, watchers: &mut Dependencies, records: &mut Records) {
        if let Some(root) = self.tree.root.take() {
            if self.observed {
                records.op(Op::Unmount, [root]);
            }
            self.tree.unmount(watchers, root);
        }
        self.tree.components.clear();
        self.tree.use_index(false);
        self.numbers.clear();
        self.fresh.clear();
        self.anew = true;
        self.id = None;
        self.announced = false;
        self.input_fault = None;
    }

    fn number(&mut self, id: &str) -> ComponentRef {
        number_of(&mut self.numbers, &mut self.tree, &mut self.fresh, id)
    }

    /// What the host needs to know of the components it has not seen: as `rows`, for each number the id, the
    /// name, the properties with the constants among them, and the slots of the children; and as `all`
    /// whether these are all there are.
    pub fn take_fresh(&mut self) -> Json {
        let mut table = Map::default();
        for number in std::mem::take(&mut self.fresh) {
            let Some(component) = self.tree.component(number) else { continue };
            let props = component.props.iter().map(|(name, template)| match template {
                Template::Constant(text) => strings(&[name, text]),
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
            put(&mut table, &number.0.to_string(), entry);
        }
        let mut told = Map::default();
        put(&mut told, "all", std::mem::take(&mut self.anew));
        put(&mut told, "rows", table);
        told.into()
    }

    /// Whether [`Surface::take_fresh`] has something to tell.
    pub fn has_fresh(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// What is wrong with the surface as it stands.
    pub fn diagnostics(&mut self, document: &Document) -> Vec<Diagnostic> {
        let mut told: Vec<Diagnostic> = Vec::new();
        let mut shown = vec![false; self.tree.components.len()];
        let mut keys = Keys::default();
        self.tree.found.clear();
        for number in self.tree.numbers() {
            let Some(instance) = self.tree.get(number) else { continue };
            if let Some(shown) = shown.get_mut(instance.component.0 as usize) {
                *shown = true;
            }
            let groups = instance.groups.len() as u32;
            for group in 0..groups {
                self.look_over(document, number, group);
            }
            let mut found = std::mem::take(&mut self.tree.found);
            self.look_at_bindings(document, number, &mut found, &mut keys);
            self.tree.found = found;
        }
        let mut compared = 0;
        for (component, shown) in self.tree.components.iter().zip(shown) {
            told.extend(component.diagnostics.iter().cloned());
            if shown && component.name.is_empty() {
                compared += 1;
                told.push(self.not_come(&component.id, compared <= COMPARED));
            }
        }
        if self.named().next().is_some() && !self.named().any(|id| id == ROOT) {
            let warning = Diagnostic::new(codes::COMPONENT, "the component `root` has not come")
                .help("the outermost component has the id `root`: nothing is shown without it");
            told.push(warning.at_pointer("/root"));
        }
        let mut places = NameMap::default();
        let found = std::mem::take(&mut self.tree.found);
        let near = keys.near.into_iter().filter(|(prop, _)| !keys.found.contains_key(prop));
        let found = found.into_iter().chain(near.map(|(_, near)| near));
        // The rows of a list are wrong alike.
        let place = |told: &Diagnostic| match &told.location {
            Some(Location::Pointer(at)) => format!("{at} {}", told.message),
            _ => told.message.clone(),
        };
        told.extend(found.filter(|each| places.insert(place(each), 0).is_none()));
        told.extend(self.input_fault.clone());
        told
    }

    /// The ids of the components that have come.
    fn named(&self) -> impl Iterator<Item = &str> {
        let come = self.tree.components.iter().filter(|component| !component.name.is_empty());
        come.map(|component| component.id.as_str())
    }

    /// The warning for a component that others name; it may be compared with those that have come.
    fn not_come(&self, id: &str, is_compared: bool) -> Diagnostic {
        // The root is nobody's child.
        let mut named = self.named().filter(|come| *come != ROOT);
        let near = if is_compared { names::nearest_id(id, &mut named) } else { None };
        let help = match near {
            Some(near) => {
                format!("did you mean {}? Else describe it in `updateComponents`", quote(near))
            }
            None => "describe it in `updateComponents`, or do not name it as a child".to_owned(),
        };
        Diagnostic::new(codes::COMPONENT, format!("the component {} has not come", quote(id)))
            .help(help)
            .at_pointer(format!("/{}", pointer_step(id)))
    }

    /// Finds anew what is wrong with the children of a group.
    fn look_over(&mut self, document: &Document, number: u32, group: u32) {
        let wanted = self.tree.wanted(document.now(), number, group).items;
        let Some(instance) = self.tree.get(number) else { return };
        let Some(members) = instance.groups.get(group as usize) else { return };
        // What is mounted stands in the same order, so the first that differs was refused.
        let mut mounted = members.items.iter();
        let refused = wanted.into_iter().find(|item| mounted.next() != Some(item));
        let place = refused.and_then(|item| self.tree.place(number, group, item));
        let refusal = place.and_then(|place| self.tree.refusal(document, &place));
        self.tree.found.extend(refusal);
    }

    /// Finds bindings of an instance whose key names nothing.
    fn look_at_bindings(
        &self,
        document: &Document,
        number: u32,
        found: &mut Vec<Diagnostic>,
        keys: &mut Keys,
    ) {
        let Some(instance) = self.tree.get(number) else { return };
        let Some(component) = self.tree.component(instance.component) else { return };
        for (nth, (prop, template)) in (0..).zip(&component.props) {
            let at = || format!("/{}/{}", pointer_step(&component.id), pointer_step(prop));
            let key = pair(instance.component.0, nth);
            template.each_binding(&mut |binding| {
                let view = document.now();
                match binding::find(view, binding, &instance.context, &mut |_| {}) {
                    Found::Missing(gap @ (Gap::Property(_) | Gap::NoMap(_))) => {
                        let told = binding::explain(document, binding, gap);
                        let told = told.map(|told| told.at_pointer(at()));
                        match told {
                            Some(near) if near.code == codes::NEAR_KEY => {
                                let is_slip = binding::is_slip(document, binding, gap);
                                keys.near.extend(is_slip.then_some((key, near)));
                            }
                            told => found.extend(told),
                        }
                    }
                    Found::Missing(Gap::Dangling(node)) => {
                        // Other nodes may still arrive.
                        let sigil = &document.settings.sigil;
                        if is_marked(document.id(node), sigil) {
                            let pointer = format!("{sigil}{}", document.id(node));
                            found.push(hoist(&pointer, sigil).at_pointer(at()));
                        }
                    }
                    Found::Missing(_) => {}
                    Found::Value { value, .. } => {
                        keys.found.insert(key, 0);
                        if value.is_container() {
                            let told = read::read(view, binding, &instance.context).diagnostics;
                            for told in told {
                                // What is not there may still arrive.
                                if told.code != codes::DANGLING {
                                    found.push(told.at_pointer(at()));
                                }
                            }
                        }
                    }
                }
            });
        }
    }

    /// The action that a property of the instance with a key holds, with the id of its component as
    /// the `source`.
    pub fn action(
        &self,
        document: &Document,
        key: &str,
        event: &str,
    ) -> Result<String, Diagnostic> {
        let Some((number, instance, component)) = self.found(document, key) else {
            return Err(no_instance());
        };
        let actions = &component.actions;
        let Some((_, template)) = actions.iter().find(|(name, _)| name == event) else {
            let known = crate::base::names::list(actions.iter().map(|(name, _)| name.as_str()));
            let message = format!("the instance has no action {}", quote(event));
            let help = if known.is_empty() {
                r#"give it {"action": {"event": {"name": "save"}}}"#.to_owned()
            } else {
                format!("its actions are {known}")
            };
            return Err(Diagnostic::new(codes::EVENT, message).help(help));
        };
        let written = component.json.get(event);
        if let Some(fault) = written.and_then(component::action_fault) {
            return Err(Diagnostic { code: codes::EVENT, ..fault });
        }
        let index = self.tree.index(number);
        let scope = Scope { view: document.now(), context: &instance.context, index };
        let source = Json::from(component.id.as_str()).to_text();
        Ok(format!(r#"{{"source":{source},"action":{}}}"#, template.show(scope)))
    }

    /// The binding and the context that an input to a property of the instance with a key writes to.
    pub fn input_target(
        &self,
        document: &Document,
        key: &str,
        prop: &str,
    ) -> Result<(binding::Binding, Context), Diagnostic> {
        let Some((_, instance, component)) = self.found(document, key) else {
            return Err(no_instance());
        };
        let allowed = self.catalog.entry(&component.name).input;
        let takes =
            |name: &str| allowed.as_ref().is_none_or(|input| input.iter().any(|one| one == name));
        let mut other = None;
        for (name, template) in &component.props {
            let Template::Binding(binding) = template else { continue };
            if takes(name) && name == prop {
                return Ok((*binding, instance.context.clone()));
            }
            other = other.or(takes(name).then_some(name));
        }
        let id = quote(&component.id);
        let message = format!("{} of {id} takes no input", quote(prop));
        let help = match other {
            Some(name) => format!("{} takes it", quote(name)),
            None if !takes(prop) => format!("no input of {} is bound", quote(&component.name)),
            None => format!(r#"bind it: {{"{prop}": {{"binding": {{"key": "{prop}"}}}}}}"#),
        };
        Err(Diagnostic::new(codes::EVENT, message).help(help))
    }

    fn found(&self, document: &Document, key: &str) -> Option<(u32, &Instance, &Component)> {
        let number = self.find(document, key)?;
        let instance = self.tree.get(number)?;
        Some((number, instance, self.tree.component(instance.component)?))
    }

    /// Says which nodes and keys it refers to.
    pub fn pin(&self, pinned: &mut Pinned) {
        let mut pin = |binding: binding::Binding| {
            binding.node.into_iter().for_each(|node| pinned.node(node));
            binding.key.into_iter().for_each(|key| pinned.key(key));
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
        for number in self.tree.numbers() {
            let Some(instance) = self.tree.get(number) else { continue };
            pinned.node(instance.context.node);
            let keys = instance.context.steps.iter().filter_map(|step| step.key);
            keys.for_each(|key| pinned.key(key));
            if instance.templated {
                instance.item.node().into_iter().for_each(|node| pinned.node(node));
            }
        }
    }
}

/// What the keys of bindings find, by component and property. A key that one row has is no slip where
/// another has it not.
#[derive(Default)]
struct Keys {
    near: Vec<(u64, Diagnostic)>,
    found: IntMap,
}

fn strings(texts: &[&str]) -> Json {
    Json::list(texts.iter().map(|text| Json::from(*text)).collect())
}

fn no_instance() -> Diagnostic {
    Diagnostic::new(codes::EVENT, "there is no such instance")
        .help("take the key from `tree()` or from a change; it may have been unmounted")
}

fn number_of(
    numbers: &mut NameMap,
    tree: &mut Tree,
    fresh: &mut Vec<ComponentRef>,
    id: &str,
) -> ComponentRef {
    if let Some(number) = numbers.get(id) {
        return ComponentRef(*number);
    }
    let number = ComponentRef(tree.components.len() as u32);
    let fields = Some(Box::default());
    tree.components.push(Component { id: id.to_owned(), fields, ..Component::default() });
    numbers.insert(id.to_owned(), number.0);
    fresh.push(number);
    number
}
