//! Components as an author describes them, and what a catalog says of them.

use super::template::{self, Place, Step, Template};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::{IntMap, NameMap};
use crate::base::names;
use crate::base::value::{Map, Value as Json};
use crate::ham::arena::NodeRef;
use crate::ham::binding::{self, Binding};
use crate::ham::child_list::{ItemId, tell_apart};
use crate::ham::codes;
use crate::ham::document::Document;
use crate::ham::shape::KeyRef;
use std::rc::Rc;

/// A component id as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComponentRef(pub u32);

/// One component. It may be spoken of before it comes.
#[derive(Default)]
pub struct Component {
    pub id: String,
    /// As in `Text`; empty while it has not come.
    pub name: String,
    /// Properties that neither name children nor the component itself.
    pub props: Vec<(String, Template)>,
    /// Properties that name children, in the order of the author.
    pub groups: Vec<Group>,
    /// Properties that hold actions.
    pub actions: Vec<(String, Template)>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// As it was given.
    pub json: Json,
    pub uses_index: bool,
    /// Its bound properties, where all of them show plain properties of the node that an instance starts from
    /// and all children are named; else nothing.
    pub fields: Option<Box<[Field]>>,
    /// As it was described before, while its instances are brought up to date.
    pub former: Option<Box<Former>>,
    /// How many live instances it has.
    pub mounted: u32,
    /// The instance that came last; it may have gone.
    pub latest: u32,
}

impl Component {
    /// The properties that show what changes, by number.
    pub fn bound_props(&self) -> impl Iterator<Item = (u32, &Template)> {
        let all = (0..).zip(&self.props).map(|(number, (_, template))| (number, template));
        all.filter(|(_, template)| !template.is_constant())
    }
}

/// A component as it was before it was described anew.
pub struct Former {
    pub component: Component,
    /// Where its properties stand, by name.
    places: NameMap,
}

impl Former {
    /// What a component was.
    pub fn new(component: Component) -> Former {
        let names = component.props.iter().map(|(name, _)| name.clone());
        Former { places: names.zip(0..).collect(), component }
    }

    /// What a property was.
    pub fn prop(&self, name: &str) -> Option<&Template> {
        let place = *self.places.get(name)?;
        self.component.props.get(place as usize).map(|(_, template)| template)
    }
}

/// A property of a component that shows a property of a node.
#[derive(Clone, Copy)]
pub struct Field {
    /// Which property of the component.
    pub prop: u32,
    /// Which one of the node.
    pub key: KeyRef,
}

/// The children that one property names.
pub struct Group {
    /// `child`, `children`, `tabs.child` …
    pub slot: String,
    pub children: Children,
}

/// Who the children are.
#[derive(Clone, PartialEq, Eq)]
pub enum Children {
    /// Components, as items that point to them.
    Static(Rc<[ItemId]>),
    /// One for each item of a list.
    Template { list: Binding, component: ComponentRef },
}

/// Which properties name children, take input or hold actions.
#[derive(Default)]
pub struct Catalog {
    /// Places in `entries`, by name.
    components: NameMap,
    entries: Vec<Entry>,
    /// The same names, in the order of the author.
    names: Vec<String>,
    functions: Option<Vec<String>>,
}

/// What a catalog says of one component.
#[derive(Clone)]
pub struct Entry {
    pub child: Vec<String>,
    pub children: Vec<String>,
    /// Every bound property takes input where this is missing.
    pub input: Option<Vec<String>>,
    pub actions: Vec<String>,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry {
            child: vec!["child".to_owned()],
            children: vec!["children".to_owned()],
            input: None,
            actions: vec!["action".to_owned()],
        }
    }
}

impl Catalog {
    /// Reads `{"components": {"Name": {"child"?, "children"?, "input"?, "actions"?}}}`.
    pub fn parse(json: &Json) -> Catalog {
        let listed = |entry: &Json, list: &str| {
            let list = entry.get(list)?.as_list()?;
            Some(list.iter().filter_map(Json::as_text).map(str::to_owned).collect::<Vec<_>>())
        };
        let entry = |json: &Json| Entry {
            child: listed(json, "child").unwrap_or(Entry::default().child),
            children: listed(json, "children").unwrap_or(Entry::default().children),
            input: listed(json, "input"),
            actions: listed(json, "actions").unwrap_or(Entry::default().actions),
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

    /// What it says of a component; what every component has where it says nothing.
    pub fn entry(&self, name: &str) -> Entry {
        let place = self.components.get(name);
        place.and_then(|place| self.entries.get(*place as usize)).cloned().unwrap_or_default()
    }

    /// The warning for a name that it does not have; a catalog without components knows them all.
    fn unknown(&self, name: &str) -> Option<Diagnostic> {
        if self.names.is_empty() || self.components.contains_key(name) {
            return None;
        }
        let known = || self.names.iter().map(String::as_str);
        let help = match names::nearest(name, known()) {
            Some(near) => format!("did you mean {}?", quote(near)),
            None => format!("the components are {}", names::list(known())),
        };
        let message = format!("the catalog has no component {}", quote(name));
        Some(Diagnostic::new(codes::COMPONENT_NAME, message).help(help))
    }
}

/// Reads one component. `number` gives the number of another one by its id.
pub fn parse(
    document: &mut Document,
    catalog: &Catalog,
    id: &str,
    json: &Json,
    mut number: impl FnMut(&str) -> ComponentRef,
) -> Component {
    let name = json.get("component").and_then(Json::as_text).unwrap_or_default();
    let entry = catalog.entry(name);
    let mut component = Component {
        id: id.to_owned(),
        name: name.to_owned(),
        json: json.clone(),
        ..Component::default()
    };
    let unknown = catalog.unknown(name);
    let place = || format!("/{}/component", pointer_step(id));
    component.diagnostics.extend(unknown.map(|warning| warning.at_pointer(place())));
    for (prop, value) in json.entries() {
        let prop = &**prop;
        let within = Place { within: None, step: Step::Key(id) };
        let place = Place { within: Some(&within), step: Step::Key(prop) };
        let mut reader = Children::reader(document, &mut component.diagnostics, place);
        if matches!(prop, "id" | "component") {
            continue;
        }
        if holds(&entry.child, prop) || holds(&entry.children, prop) {
            let single = holds(&entry.child, prop) && value.as_text().is_some();
            let children = if single {
                Some(Children::named(value.as_text().as_slice(), &mut number))
            } else {
                reader.list(value, &mut number)
            };
            let children = children.unwrap_or_else(|| Children::Static([].into()));
            component.groups.push(Group { slot: prop.to_owned(), children });
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
            let children = Children::named(&ids.collect::<Vec<_>>(), &mut number);
            component.groups.push(Group { slot: slot.clone(), children });
        }
        let mut own = Vec::new();
        let parsed = template::parse(document, value, place, &mut own);
        if holds(&entry.actions, prop) {
            if let Some(fault) = action_fault(value)
                && !value.is_null()
            {
                own.push(fault.at_pointer(place.pointer()));
            }
            component.actions.push((prop.to_owned(), parsed));
            component.props.push((prop.to_owned(), Template::Constant(value.to_text())));
        } else {
            unknown_functions(value, catalog, place, &mut own);
            component.props.push((prop.to_owned(), parsed));
        }
        component.diagnostics.append(&mut own);
    }
    let mut templates = component.props.iter().chain(&component.actions);
    component.uses_index = templates.any(|(_, value)| value.uses_index());
    component.fields = fields(&component);
    component
}

/// See [`Component::fields`].
fn fields(component: &Component) -> Option<Box<[Field]>> {
    let is_static = |group: &Group| matches!(group.children, Children::Static(_));
    let field = |(prop, template): (u32, &Template)| match template {
        Template::Binding(Binding { node: None, key: Some(key) }) => {
            Some(Field { prop, key: *key })
        }
        _ => None,
    };
    component.groups.iter().all(is_static).then(|| component.bound_props().map(field).collect())?
}

/// What is wrong with an action as it is written: nobody could tell what is to be done.
pub fn action_fault(json: &Json) -> Option<Diagnostic> {
    let body = json.get("event").or_else(|| json.get("functionCall")).unwrap_or(json);
    let name = body.get("name").or_else(|| body.get("call")).and_then(Json::as_text);
    let context = body.get("context").or_else(|| body.get("args"));
    let message = if name.is_none_or(str::is_empty) {
        "an action is an event or a function with a name"
    } else if context.is_some_and(|context| context.as_map().is_none() && !context.is_null()) {
        "the context of an action is an object of values by name"
    } else {
        return None;
    };
    let help =
        r#"write {"event": {"name": "save", "context": {"id": {"binding": {"key": "id"}}}}}"#;
    Some(Diagnostic::new(codes::ACTION, message).help(help))
}

fn holds(names: &[String], prop: &str) -> bool {
    names.iter().any(|name| name == prop)
}

/// Warns of calls of functions that the catalog does not have.
fn unknown_functions(json: &Json, catalog: &Catalog, place: Place<'_>, out: &mut Vec<Diagnostic>) {
    let Some(functions) = &catalog.functions else { return };
    match json {
        Json::List(items) => {
            items.iter().for_each(|item| unknown_functions(item, catalog, place, out));
        }
        Json::Map(map) => {
            if let Some(call) = map.get("call").and_then(Json::as_text)
                && call != "@index"
                && !holds(functions, call)
            {
                let known = names::list(functions.iter().map(String::as_str));
                let message = format!("there is no function {}", quote(call));
                let warning = Diagnostic::new(codes::FUNCTION, message)
                    .help(format!("the functions are {known}"))
                    .at_pointer(place.pointer());
                out.push(warning);
            }
            map.values().for_each(|value| unknown_functions(value, catalog, place, out));
        }
        _ => {}
    }
}

struct ChildrenReader<'a> {
    document: &'a mut Document,
    diagnostics: &'a mut Vec<Diagnostic>,
    place: Place<'a>,
}

impl Children {
    fn reader<'a>(
        document: &'a mut Document,
        diagnostics: &'a mut Vec<Diagnostic>,
        place: Place<'a>,
    ) -> ChildrenReader<'a> {
        ChildrenReader { document, diagnostics, place }
    }

    /// Components by their ids: the n-th mention of one is told apart.
    fn named(ids: &[&str], number: &mut dyn FnMut(&str) -> ComponentRef) -> Children {
        // Where each was mentioned last.
        let mut places = IntMap::default();
        let mut items: Vec<ItemId> = Vec::with_capacity(ids.len());
        for (place, id) in (0..).zip(ids) {
            let ComponentRef(component) = number(id);
            let before = places.insert(component.into(), place);
            let before = before.and_then(|at| items.get(at as usize));
            let nth = before.map_or(1, |item| item.ordinal() + 1);
            items.push(ItemId::pointer(NodeRef(component), nth));
        }
        let place = |component: u32| places.get(&u64::from(component)).copied();
        tell_apart(&mut items, |component| {
            place(component).and_then(|at| ids.get(at as usize)).copied().unwrap_or_default()
        });
        Children::Static(items.into())
    }
}

impl ChildrenReader<'_> {
    /// A list of component ids, or a ChildList (rule 18).
    fn list(
        &mut self,
        json: &Json,
        number: &mut dyn FnMut(&str) -> ComponentRef,
    ) -> Option<Children> {
        match json {
            Json::List(ids) => {
                if !ids.iter().all(|id| id.as_text().is_some()) {
                    self.tell(
                        Diagnostic::new(codes::MESSAGE, "children are component ids").help(
                            r#"write ["title", "body"], and describe each component by itself"#,
                        ),
                    );
                }
                let ids: Vec<&str> = ids.iter().filter_map(Json::as_text).collect();
                Some(Children::named(&ids, number))
            }
            Json::Map(map) => {
                let name = |key: &str| map.get(key).and_then(Json::as_text);
                let template = match (name("template"), name("componentId")) {
                    (Some(a), Some(b)) if a != b => {
                        let message = format!(
                            "`template` says {} and `componentId` says {}",
                            quote(a),
                            quote(b)
                        );
                        let help = "write only `template`";
                        self.tell(Diagnostic::new(codes::TEMPLATE, message).help(help));
                        return None;
                    }
                    (a, b) => a.or(b),
                };
                if let Some(path) = name("path") {
                    self.tell(binding::path_binding(path, Some(template.unwrap_or("row"))));
                    return None;
                }
                let Some(template) = template else {
                    self.tell(no_children("a ChildList names the `template` of its items"));
                    return None;
                };
                if !map.contains_key("binding") {
                    self.tell(no_children("a ChildList has the `binding` of a list"));
                    return None;
                }
                match binding::parse(self.document, json) {
                    Ok((list, warning)) => {
                        warning.into_iter().for_each(|warning| self.tell(warning));
                        Some(Children::Template { list, component: number(template) })
                    }
                    Err(error) => {
                        self.tell(error);
                        None
                    }
                }
            }
            Json::Null => None,
            _ => {
                self.tell(no_children("children are component ids or a ChildList"));
                None
            }
        }
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic.at_pointer(self.place.pointer()));
    }
}

fn no_children(message: &str) -> Diagnostic {
    Diagnostic::new(codes::MESSAGE, message)
        .help(r#"write ["title", "body"] or {"binding": {"key": "items"}, "template": "row"}"#)
}
