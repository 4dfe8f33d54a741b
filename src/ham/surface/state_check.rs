//! Diagnostics of the current state: children that are not mounted, and bindings without a suitable
//! value.

use super::Surface;
use super::component::{Children, Component};
use super::template::PropTemplate;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::{IntMap, NameMap, pack_pair};
use crate::base::names;
use crate::base::{Diagnostic, Location};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::binding::{self, Binding, Context, MissingReason, Resolution};
use crate::ham::check::{MAX_COMPARED_IDS, ROOT};
use crate::ham::document::Document;
use crate::ham::update::dangling_pointer;
use crate::ham::{codes, read};

/// Maximum number of objects above an input that it creates.
const MAX_OWNERS: usize = 64;

impl Surface {
    /// Returns the diagnostics of the current state. If the agent `is_done`, also that no data have
    /// arrived.
    #[cold]
    pub fn diagnostics(&mut self, document: &Document, is_done: bool) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let mut is_mounted = vec![false; self.tree.components.len()];
        let mut keys = BindingLookups::default();
        self.tree.diagnostics.clear();
        for id in self.tree.instance_ids() {
            self.collect_inputs(document, id, &mut keys);
        }
        for id in self.tree.instance_ids() {
            let Some(instance) = self.tree.get(id) else { continue };
            if let Some(is_mounted) = is_mounted.get_mut(instance.component.0 as usize) {
                *is_mounted = true;
            }
            let groups = instance.groups.len() as u32;
            for group in 0..groups {
                self.check_children(document, id, group);
            }
            let mut found = std::mem::take(&mut self.tree.diagnostics);
            self.check_lists(document, id, &mut found, &mut keys);
            self.check_bindings(document, id, &mut found, &mut keys);
            self.tree.diagnostics = found;
        }
        let mut compared = 0;
        for (component, is_mounted) in self.tree.components.iter().zip(is_mounted) {
            diagnostics.extend(component.diagnostics.iter().cloned());
            if is_mounted && component.name.is_empty() {
                compared += 1;
                diagnostics
                    .push(self.missing_component(&component.id, compared <= MAX_COMPARED_IDS));
            }
        }
        if self.described_ids().next().is_some() && !self.described_ids().any(|id| id == ROOT) {
            let warning = Diagnostic::new(codes::UNDESCRIBED_COMPONENT, "missing component `root`")
                .help(
                    "give the outermost component the id `root`; without it nothing is displayed",
                );
            diagnostics.push(warning.at_pointer("/root"));
        }
        let mut reported = NameMap::default();
        let found = std::mem::take(&mut self.tree.diagnostics);
        let absent = std::mem::take(&mut keys.absent)
            .into_iter()
            .filter(|(binding, _)| !keys.found.contains_key(binding));
        let found = found.into_iter().chain(absent.map(|(_, absent)| absent));
        // The items of a list repeat the same diagnostics.
        let report_key = |diagnostic: &Diagnostic| match &diagnostic.location {
            Some(Location::Pointer(at)) => format!("{at} {}", diagnostic.message),
            _ => diagnostic.message.clone(),
        };
        diagnostics.extend(found.filter(|each| reported.insert(report_key(each), 0).is_none()));
        if is_done && keys.has_no_data {
            let warning = Diagnostic::new(codes::ABSENT_KEY, "no data have arrived")
                .help("send the data with `updateDataModel`");
            diagnostics.push(warning);
        }
        diagnostics.extend(self.input_error.clone());
        if self.limit_error != self.input_error {
            diagnostics.extend(self.limit_error.clone());
        }
        diagnostics
    }

    /// Returns the ids of the described components.
    fn described_ids(&self) -> impl Iterator<Item = &str> {
        let described = self.tree.components.iter().filter(|component| !component.name.is_empty());
        described.map(|component| component.id.as_str())
    }

    /// Builds the warning for a component that is named but not described. Searches for a similar
    /// id if `is_compared`.
    #[cold]
    fn missing_component(&self, id: &str, is_compared: bool) -> Diagnostic {
        // `root` is not a child.
        let mut ids = self.described_ids().filter(|id| *id != ROOT);
        let similar = if is_compared { names::nearest_id(id, &mut ids) } else { None };
        let help = match similar {
            Some(similar) => {
                format!("did you mean {}? Else describe it in `updateComponents`", quote(similar))
            }
            None => "describe it in `updateComponents`, or do not name it as a child".to_owned(),
        };
        Diagnostic::new(codes::UNDESCRIBED_COMPONENT, format!("missing component {}", quote(id)))
            .help(help)
            .at_pointer(format!("/{}", escape_pointer_step(id)))
    }

    /// Checks the children of a group.
    #[cold]
    fn check_children(&mut self, document: &Document, id: u32, group: u32) {
        let target = self.tree.target_children(document.current_view(), id, group).items;
        let Some(instance) = self.tree.get(id) else { return };
        let Some(members) = instance.groups.get(group as usize) else { return };
        // Mounted items have the same order, so the first difference is an item that was not
        // mounted.
        let mut mounted = members.items.iter();
        let refused = target.into_iter().find(|item| mounted.next() != Some(item));
        let target = refused.and_then(|item| self.tree.mount_target(id, group, item));
        let refusal = target.and_then(|target| self.tree.mount_diagnostic(document, &target));
        self.tree.diagnostics.extend(refusal);
    }

    /// Collects the values that the user may be the first to write in an instance.
    #[cold]
    fn collect_inputs(&self, document: &Document, id: u32, keys: &mut BindingLookups) {
        let Some(instance) = self.tree.get(id) else { return };
        let Some(component) = self.tree.component(instance.component) else { return };
        let Some(inputs) = &self.catalog.entry(&component.name).input else { return };
        for (prop, template) in &component.props {
            if let PropTemplate::Binding(binding) = template
                && inputs.contains(prop)
            {
                keys.inputs.insert(value_key(*binding, &instance.context), 0);
                let mut owner = document.id(binding.node.unwrap_or(instance.context.node));
                // An input in plain A2UI creates the missing objects above it.
                for _ in 0..MAX_OWNERS {
                    let Some((above, _)) = owner.rsplit_once('/') else { break };
                    keys.input_owners.insert(owner.to_owned(), 0);
                    owner = above;
                }
            }
        }
    }

    /// Checks the bindings of an instance.
    #[cold]
    fn check_bindings(
        &self,
        document: &Document,
        id: u32,
        found: &mut Vec<Diagnostic>,
        keys: &mut BindingLookups,
    ) {
        let Some(instance) = self.tree.get(id) else { return };
        let Some(component) = self.tree.component(instance.component) else { return };
        let mut position = 0;
        for (prop, template) in component.props.iter().chain(&component.actions) {
            let at =
                || format!("/{}/{}", escape_pointer_step(&component.id), escape_pointer_step(prop));
            template.each_binding(&mut |binding| {
                let key = pack_pair(instance.component.0, position);
                position += 1;
                let view = document.current_view();
                match binding::resolve(view, binding, &instance.context, &mut |_| {}) {
                    Resolution::Missing(
                        reason @ (MissingReason::Property(_) | MissingReason::NotAMap(_)),
                    ) => {
                        let diagnostic = binding::missing_diagnostic(document, binding, reason);
                        let is_input = keys.is_input(document, binding, &instance.context);
                        match diagnostic.map(|diagnostic| diagnostic.at_pointer(at())) {
                            Some(other) if other.code != codes::SIMILAR_KEY => found.push(other),
                            similar => {
                                let is_typo = binding::is_key_typo(document, binding, reason);
                                let diagnostic = similar.filter(|_| is_typo).or_else(|| {
                                    let absent =
                                        binding::absent_property(document, binding, reason);
                                    Some(absent.filter(|_| !is_input)?.at_pointer(at()))
                                });
                                keys.absent.extend(diagnostic.map(|it| (key, it)));
                            }
                        }
                    }
                    Resolution::Missing(MissingReason::Dangling(node)) => {
                        found.push(missing_node(document, node).at_pointer(at()));
                    }
                    Resolution::Missing(MissingReason::Owner)
                        if keys.is_input(document, binding, &instance.context) => {}
                    Resolution::Missing(MissingReason::Owner) => {
                        let node = keys.missing_owner(document, binding, &instance.context);
                        found.extend(
                            node.map(|node| missing_owner(document, node).at_pointer(at())),
                        );
                    }
                    Resolution::Value { value, .. } => {
                        keys.found.insert(key, 0);
                        let is_prop = matches!(template, PropTemplate::Binding(_));
                        if is_prop && value.is_container() {
                            found.extend(self.not_scalar(component, prop, value));
                        }
                        if value.is_container() {
                            let reading = read::read(view, binding, &instance.context);
                            for diagnostic in reading.diagnostics {
                                // Missing nodes may still arrive.
                                if diagnostic.code != codes::DANGLING {
                                    found.push(diagnostic.at_pointer(at()));
                                }
                            }
                        }
                    }
                }
            });
        }
    }

    /// Checks the lists that an instance repeats components for.
    #[cold]
    fn check_lists(
        &self,
        document: &Document,
        id: u32,
        found: &mut Vec<Diagnostic>,
        keys: &mut BindingLookups,
    ) {
        let Some(instance) = self.tree.get(id) else { return };
        let Some(component) = self.tree.component(instance.component) else { return };
        for (group, part) in (0..).zip(&component.groups) {
            let Children::Template { list, .. } = part.children else { continue };
            let at = self.tree.group_pointer(id, group);
            // Bindings and groups are counted separately.
            let key = pack_pair(instance.component.0, u32::MAX - group);
            let view = document.current_view();
            let missing = match binding::resolve(view, list, &instance.context, &mut |_| {}) {
                Resolution::Missing(MissingReason::Owner) => {
                    let node = keys.missing_owner(document, list, &instance.context);
                    found.extend(node.map(|node| missing_owner(document, node).at_pointer(&*at)));
                    None
                }
                Resolution::Missing(MissingReason::Dangling(node)) => Some(node),
                Resolution::Missing(reason) => {
                    let absent = binding::absent_property(document, list, reason);
                    keys.absent.extend(absent.map(|absent| (key, absent.at_pointer(at.clone()))));
                    None
                }
                Resolution::Value { value, .. } => {
                    keys.found.insert(key, 0);
                    // A list may keep pointers to deleted items, but not only those.
                    let nodes = match value {
                        Value::Pointers(items) => document.arena.pointers(items),
                        _ => &[],
                    };
                    let is_missing = |node: &u32| document.value(NodeRef(*node)).is_missing();
                    let first = nodes.first().filter(|_| nodes.iter().all(is_missing));
                    first.map(|first| NodeRef(*first))
                }
            };
            found.extend(missing.map(|node| missing_node(document, node).at_pointer(at)));
        }
    }

    /// Builds the warning for a list or map where the catalog has a scalar property.
    #[cold]
    fn not_scalar(&self, component: &Component, prop: &str, value: Value) -> Option<Diagnostic> {
        let entry = self.catalog.entry(&component.name);
        if !entry.scalars.iter().any(|scalar| scalar == prop) {
            return None;
        }
        let (found, help) = match value {
            Value::Map(_) => ("a map", "bind to one of its properties"),
            _ => ("a list", "bind to one of its items, or repeat a component for each item"),
        };
        let owner = quote(&component.id);
        let message = format!(
            "expected a text, number or boolean in {} of {owner}, found {found}",
            quote(prop)
        );
        let at = format!("/{}/{}", escape_pointer_step(&component.id), escape_pointer_step(prop));
        Some(Diagnostic::new(codes::NOT_A_SCALAR, message).help(help).at_pointer(at))
    }
}

/// Returns the warning for a missing node that a binding names.
#[cold]
fn missing_owner(document: &Document, node: NodeRef) -> Diagnostic {
    missing_node(document, node).help("send the node, or correct the `node` of the binding")
}

#[cold]
fn missing_node(document: &Document, node: NodeRef) -> Diagnostic {
    let sigil = &document.settings.sigil;
    dangling_pointer(&format!("{sigil}{}", document.id(node)), sigil)
}

/// Returns the owner and the key of a binding as one key of a map.
fn value_key(binding: Binding, context: &Context) -> u64 {
    let node = binding.node.unwrap_or(context.node);
    pack_pair(node.0, binding.key.map_or(u32::MAX, |key| key.0))
}

/// Results of binding keys, by component and position of the binding in it. A key is not reported
/// if it resolves in another instance.
#[derive(Default)]
struct BindingLookups {
    absent: Vec<(u64, Diagnostic)>,
    found: IntMap,
    /// Values that the user may be the first to write, by owner and key.
    inputs: IntMap,
    /// Ids of the nodes that such an input creates, if they are JSON pointers.
    input_owners: NameMap,
    /// Whether a binding finds nothing because no data have arrived.
    has_no_data: bool,
}

impl BindingLookups {
    /// Returns whether the user may be the first to write a value, or a part of it.
    #[cold]
    fn is_input(&self, document: &Document, binding: Binding, context: &Context) -> bool {
        let owner = document.id(binding.node.unwrap_or(context.node));
        let above = if owner == ROOT { "" } else { owner };
        let path = binding.key.map_or(owner.to_owned(), |key| {
            format!("{above}/{}", escape_pointer_step(document.keys.text(key.0)))
        });
        self.input_owners.contains_key(&path)
            || self.inputs.contains_key(&value_key(binding, context))
    }

    /// Returns the node of a binding that is missing although other data have arrived.
    #[cold]
    fn missing_owner(
        &mut self,
        document: &Document,
        binding: Binding,
        context: &Context,
    ) -> Option<NodeRef> {
        self.has_no_data |= document.node_count() == 0;
        let node = binding.node.or_else(|| context.steps.is_empty().then_some(context.node))?;
        (!self.has_no_data).then_some(node)
    }
}
