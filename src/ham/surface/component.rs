//! Components and catalogs.

use super::template::{self, JsonPath, PropPathStep, PropTemplate};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::{IntMap, NameMap};
use crate::base::names;
use crate::base::value::{Map, Value as Json};
use crate::ham::arena::NodeRef;
use crate::ham::binding::{self, Binding};
use crate::ham::child_list::{ItemId, disambiguate};
use crate::ham::codes;
use crate::ham::document::Document;
use crate::ham::shape::KeyRef;
use std::cell::Cell;
use std::rc::Rc;

/// Handle of a component id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComponentRef(pub u32);

/// A component. It may be referenced before it is described.
#[derive(Default)]
pub struct Component {
    pub id: String,
    /// Type name, such as `Text`; empty if it is not described yet.
    pub name: String,
    /// Properties, without those that name children.
    pub props: Vec<(String, PropTemplate)>,
    /// Properties that name children, as written.
    pub groups: Vec<ChildGroup>,
    pub actions: Vec<(String, PropTemplate)>,
    /// Diagnostics of the description.
    pub diagnostics: Vec<Diagnostic>,
    /// The description.
    pub json: Json,
    pub uses_index: bool,
    /// The bound properties, if all are properties of the context node and all children are static;
    /// else `None`.
    pub flat_fields: Option<Box<[BoundField]>>,
    pub size: StoredSize,
    /// Previous description, while the instances are updated.
    pub previous: Option<Box<PreviousComponent>>,
    /// Number of live instances.
    pub instance_count: u32,
    /// The instance that was mounted last; it may be unmounted.
    pub latest_instance: u32,
}

impl Component {
    /// Iterates over the properties with bindings and their indices.
    pub fn bound_props(&self) -> impl Iterator<Item = (u32, &PropTemplate)> {
        let all = (0..).zip(&self.props).map(|(index, (_, template))| (index, template));
        all.filter(|(_, template)| !template.is_constant())
    }
}

/// Size of a component with all components that it names, directly or not.
#[derive(Clone, Copy)]
pub struct ComponentSize {
    /// Number of instances; `None` if it depends on data or on the ancestors.
    pub fixed: Option<u32>,
    /// Levels below it, if the size is fixed.
    pub height: u16,
    /// Whether the lists below it may depend on its data context.
    pub reads_context: bool,
}

/// Stored size of a component, with the revision of the components for which it is valid.
pub type StoredSize = Cell<Option<(u32, ComponentSize)>>;

/// A component before its description changed.
pub struct PreviousComponent {
    pub component: Component,
    /// Indices of its properties, by name.
    positions: NameMap,
}

impl PreviousComponent {
    pub fn new(component: Component) -> PreviousComponent {
        let names = component.props.iter().map(|(name, _)| name.clone());
        PreviousComponent { positions: names.zip(0..).collect(), component }
    }

    pub fn prop(&self, name: &str) -> Option<&PropTemplate> {
        let path = *self.positions.get(name)?;
        self.component.props.get(path as usize).map(|(_, template)| template)
    }
}

/// A property that is bound to a property of the context node.
#[derive(Clone, Copy)]
pub struct BoundField {
    /// Index of the property in [`Component::props`].
    pub prop: u32,
    /// Key in the node.
    pub key: KeyRef,
}

/// Children of one property.
pub struct ChildGroup {
    /// `child`, `children`, `tabs.child` …
    pub slot: String,
    pub children: Children,
}

/// Kind of children.
#[derive(Clone, PartialEq, Eq)]
pub enum Children {
    /// Components, as items with component handles instead of nodes.
    Static(Rc<[ItemId]>),
    /// One instance per item of a list.
    Template { list: Binding, component: ComponentRef },
}

/// Catalog: which properties name children, accept input or hold actions.
#[derive(Default)]
pub struct Catalog {
    /// Indices in `entries`, by name.
    components: NameMap,
    entries: Vec<CatalogEntry>,
    /// Names of the components, as written.
    names: Vec<String>,
    functions: Option<Vec<String>>,
}

/// Catalog entry of one component type.
#[derive(Clone)]
pub struct CatalogEntry {
    pub child: Vec<String>,
    pub children: Vec<String>,
    /// `None`: every bound property accepts input.
    pub input: Option<Vec<String>>,
    pub actions: Vec<String>,
    /// Properties whose type is a text, a number or a boolean.
    pub scalars: Vec<String>,
}

impl Default for CatalogEntry {
    fn default() -> CatalogEntry {
        CatalogEntry {
            child: vec!["child".to_owned()],
            children: vec!["children".to_owned()],
            input: None,
            actions: vec!["action".to_owned()],
            scalars: Vec::new(),
        }
    }
}

impl Catalog {
    /// Parses `{"components": {"Name": {"child"?, "children"?, "input"?, "actions"?, "props"?}}}`.
    pub fn parse(json: &Json) -> Catalog {
        let string_list = |entry: &Json, list: &str| {
            let list = entry.get(list)?.as_list()?;
            Some(list.iter().filter_map(Json::as_text).map(str::to_owned).collect::<Vec<_>>())
        };
        let entry = |json: &Json| CatalogEntry {
            child: string_list(json, "child").unwrap_or(CatalogEntry::default().child),
            children: string_list(json, "children").unwrap_or(CatalogEntry::default().children),
            input: string_list(json, "input"),
            actions: string_list(json, "actions").unwrap_or(CatalogEntry::default().actions),
            scalars: scalar_props(json),
        };
        let components = json.get("components").and_then(Json::as_map);
        let functions = json.get("functions").and_then(Json::as_map);
        let keys = |map: &Map| map.keys().map(|key| key.to_string()).collect::<Vec<_>>();
        let names = components.map(keys).unwrap_or_default();
        Catalog {
            components: names.iter().cloned().zip(0..).collect(),
            entries: components.into_iter().flat_map(Map::values).map(entry).collect(),
            names,
            functions: functions.map(keys),
        }
    }

    /// Returns the entry of a component type, or the default.
    pub fn entry(&self, name: &str) -> CatalogEntry {
        let path = self.components.get(name);
        path.and_then(|path| self.entries.get(*path as usize)).cloned().unwrap_or_default()
    }

    /// Returns the warning for an unknown component type; `None` if the catalog has no components.
    #[cold]
    fn unknown_component(&self, name: &str) -> Option<Diagnostic> {
        if self.names.is_empty() || self.components.contains_key(name) {
            return None;
        }
        let names = || self.names.iter().map(String::as_str);
        let help = match names::closest(name, names()) {
            Some(similar) => format!("did you mean {}?", quote(similar)),
            None => format!("use one of the components {}", names::format_names(names())),
        };
        let message = format!("unknown component {}", quote(name));
        Some(Diagnostic::new(codes::UNKNOWN_COMPONENT, message).help(help))
    }
}

/// Returns the properties of a typed component that hold a text, a number or a boolean.
#[cold]
fn scalar_props(entry: &Json) -> Vec<String> {
    let props = entry.get("props").and_then(Json::as_map);
    let is_scalar = |definition: &Json| {
        let name = definition.get("type").and_then(Json::as_text);
        name.is_some_and(|name| matches!(name, "string" | "number" | "integer" | "boolean"))
    };
    let entries = props.into_iter().flat_map(|props| props.iter());
    let scalars = entries.filter(|(_, definition)| is_scalar(definition));
    scalars.map(|(name, _)| name.to_string()).collect()
}

/// Parses a component. `intern` returns the handle of a component id.
pub fn parse(
    document: &mut Document,
    catalog: &Catalog,
    id: &str,
    json: &Json,
    mut intern: impl FnMut(&str) -> ComponentRef,
) -> Component {
    let name = json.get("component").and_then(Json::as_text).unwrap_or_default();
    let entry = catalog.entry(name);
    let mut component = Component {
        id: id.to_owned(),
        name: name.to_owned(),
        json: json.clone(),
        ..Component::default()
    };
    let unknown = catalog.unknown_component(name);
    let path = || format!("/{}/component", escape_pointer_step(id));
    component.diagnostics.extend(unknown.map(|warning| warning.at_pointer(path())));
    for (prop, value) in json.entries() {
        let prop = &**prop;
        let parent = JsonPath { parent: None, step: PropPathStep::Key(id) };
        let path = JsonPath { parent: Some(&parent), step: PropPathStep::Key(prop) };
        let mut reader = Children::reader(document, &mut component.diagnostics, path);
        if matches!(prop, "id" | "component") {
            continue;
        }
        if has_name(&entry.child, prop) || has_name(&entry.children, prop) {
            let single = has_name(&entry.child, prop) && value.as_text().is_some();
            let children = if single {
                Some(Children::from_ids(value.as_text().as_slice(), &mut intern))
            } else {
                reader.list(value, &mut intern)
            };
            let children = children.unwrap_or_else(|| Children::Static([].into()));
            component.groups.push(ChildGroup { slot: prop.to_owned(), children });
            continue;
        }
        for slot in &entry.child {
            // `tabs.child`: the property `child` of each item of the list `tabs`.
            let Some(("", inner)) = slot.strip_prefix(prop).and_then(|rest| rest.split_once('.'))
            else {
                continue;
            };
            let ids = value.as_list().into_iter().flatten();
            let ids = ids.filter_map(|item| item.get(inner).and_then(Json::as_text));
            let children = Children::from_ids(&ids.collect::<Vec<_>>(), &mut intern);
            component.groups.push(ChildGroup { slot: slot.clone(), children });
        }
        let mut own_diagnostics = Vec::new();
        let parsed = template::parse(document, value, path, &mut own_diagnostics);
        if has_name(&entry.actions, prop) {
            if let Some(error) = action_error(value)
                && !value.is_null()
            {
                own_diagnostics.push(error.at_pointer(path.pointer()));
            }
            component.actions.push((prop.to_owned(), parsed));
            component.props.push((prop.to_owned(), PropTemplate::Constant(value.to_text())));
        } else {
            unknown_functions(value, catalog, path, &mut own_diagnostics);
            component.props.push((prop.to_owned(), parsed));
        }
        component.diagnostics.append(&mut own_diagnostics);
    }
    let mut templates = component.props.iter().chain(&component.actions);
    component.uses_index = templates.any(|(_, value)| value.uses_index());
    component.flat_fields = flat_fields(&component);
    component
}

fn flat_fields(component: &Component) -> Option<Box<[BoundField]>> {
    let is_static = |group: &ChildGroup| matches!(group.children, Children::Static(_));
    let field = |(prop, template): (u32, &PropTemplate)| match template {
        PropTemplate::Binding(Binding { node: None, key: Some(key) }) => {
            Some(BoundField { prop, key: *key })
        }
        _ => None,
    };
    component.groups.iter().all(is_static).then(|| component.bound_props().map(field).collect())?
}

/// Returns the error for an action without a name, or with an invalid context.
#[cold]
pub fn action_error(json: &Json) -> Option<Diagnostic> {
    let body = json.get("event").or_else(|| json.get("functionCall")).unwrap_or(json);
    let name = body.get("name").or_else(|| body.get("call")).and_then(Json::as_text);
    let context = body.get("context").or_else(|| body.get("args"));
    let message = if name.is_none_or(str::is_empty) {
        "expected an event or a function with a name"
    } else if context.is_some_and(|context| context.as_map().is_none() && !context.is_null()) {
        "expected an object as the context of an action"
    } else {
        return None;
    };
    let help =
        r#"write {"event": {"name": "save", "context": {"id": {"binding": {"key": "id"}}}}}"#;
    Some(Diagnostic::new(codes::INVALID_ACTION, message).help(help))
}

fn has_name(names: &[String], prop: &str) -> bool {
    names.iter().any(|name| name == prop)
}

/// Reports calls of functions that are not in the catalog.
#[cold]
fn unknown_functions(
    json: &Json,
    catalog: &Catalog,
    path: JsonPath<'_>,
    out: &mut Vec<Diagnostic>,
) {
    let Some(functions) = &catalog.functions else { return };
    match json {
        Json::List(items) => {
            items.iter().for_each(|item| unknown_functions(item, catalog, path, out));
        }
        Json::Map(map) => {
            if let Some(call) = map.get("call").and_then(Json::as_text)
                && !matches!(call, "@index" | "@id")
                && !has_name(functions, call)
            {
                let names = names::format_names(functions.iter().map(String::as_str));
                let message = format!("unknown function {}", quote(call));
                let warning = Diagnostic::new(codes::UNKNOWN_FUNCTION, message)
                    .help(format!("use one of the functions {names}"))
                    .at_pointer(path.pointer());
                out.push(warning);
            }
            map.values().for_each(|value| unknown_functions(value, catalog, path, out));
        }
        _ => {}
    }
}

struct ChildrenReader<'a> {
    document: &'a mut Document,
    diagnostics: &'a mut Vec<Diagnostic>,
    path: JsonPath<'a>,
}

impl Children {
    fn reader<'a>(
        document: &'a mut Document,
        diagnostics: &'a mut Vec<Diagnostic>,
        path: JsonPath<'a>,
    ) -> ChildrenReader<'a> {
        ChildrenReader { document, diagnostics, path }
    }

    /// Creates static children; repeated ids get distinct keys.
    fn from_ids(ids: &[&str], intern: &mut dyn FnMut(&str) -> ComponentRef) -> Children {
        // Last index of each component.
        let mut positions = IntMap::default();
        let mut items: Vec<ItemId> = Vec::with_capacity(ids.len());
        for (path, id) in (0..).zip(ids) {
            let ComponentRef(component) = intern(id);
            let previous_position = positions.insert(component.into(), path);
            let previous_position = previous_position.and_then(|at| items.get(at as usize));
            let occurrence = previous_position.map_or(1, |item| item.ordinal() + 1);
            items.push(ItemId::pointer(NodeRef(component), occurrence));
        }
        let path = |component: u32| positions.get(&u64::from(component)).copied();
        disambiguate(&mut items, |component| {
            path(component).and_then(|at| ids.get(at as usize)).copied().unwrap_or_default()
        });
        Children::Static(items.into())
    }
}

impl ChildrenReader<'_> {
    /// Parses a list of component ids, or a ChildList (rule 18).
    fn list(
        &mut self,
        json: &Json,
        intern: &mut dyn FnMut(&str) -> ComponentRef,
    ) -> Option<Children> {
        match json {
            Json::List(ids) => {
                if !ids.iter().all(|id| id.as_text().is_some()) {
                    self.report(
                        Diagnostic::new(codes::INVALID_MESSAGE, "expected component ids").help(
                            r#"write ["title", "body"], and describe each component separately"#,
                        ),
                    );
                }
                let ids: Vec<&str> = ids.iter().filter_map(Json::as_text).collect();
                Some(Children::from_ids(&ids, intern))
            }
            Json::Map(map) => {
                let name = |key: &str| map.get(key).and_then(Json::as_text);
                let template = match (name("template"), name("componentId")) {
                    (Some(a), Some(b)) if a != b => {
                        let message =
                            format!("`template` is {} but `componentId` is {}", quote(a), quote(b));
                        let help = "write only `template`";
                        self.report(Diagnostic::new(codes::INVALID_CHILD_LIST, message).help(help));
                        return None;
                    }
                    (a, b) => a.or(b),
                };
                if let Some(path) = name("path") {
                    self.report(binding::path_binding(path, Some(template.unwrap_or("row"))));
                    return None;
                }
                let Some(template) = template else {
                    self.report(children_error("missing `template` in a ChildList"));
                    return None;
                };
                if !map.contains_key("binding") {
                    self.report(children_error("missing `binding` in a ChildList"));
                    return None;
                }
                match binding::parse(self.document, json) {
                    Ok((list, warning)) => {
                        warning.into_iter().for_each(|warning| self.report(warning));
                        Some(Children::Template { list, component: intern(template) })
                    }
                    Err(error) => {
                        self.report(error);
                        None
                    }
                }
            }
            Json::Null => None,
            _ => {
                self.report(children_error("expected component ids or a ChildList"));
                None
            }
        }
    }

    #[cold]
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic.at_pointer(self.path.pointer()));
    }
}

#[cold]
fn children_error(message: &str) -> Diagnostic {
    Diagnostic::new(codes::INVALID_MESSAGE, message)
        .help(r#"write ["title", "body"] or {"binding": {"key": "items"}, "template": "row"}"#)
}
