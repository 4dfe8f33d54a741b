//! What the registry says of the types of nodes, and slips of the pen about it.

use super::{At, Reading, SUGGESTED};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::workflow::{Input, Node, Port};
use std::rc::Rc;

const TYPE_KEYS: [&str; 6] = ["description", "inputs", "outputs", "params", "actions", "effects"];

/// What the registry says of a type.
#[derive(Clone, Default)]
pub(super) struct Declared {
    pub description: Rc<str>,
    pub inputs: Rc<Vec<Port>>,
    pub outputs: Rc<Vec<Port>>,
    pub params: Rc<Vec<Rc<str>>>,
    pub actions: Rc<Vec<String>>,
    pub effects: bool,
}

/// The keys of what is declared: in a map, which may be a JSON schema, or in a list of keys or of
/// objects with a `key` or a `name`.
fn keys_of(declared: &Value) -> Rc<Vec<Rc<str>>> {
    let properties = declared.get("properties").filter(|properties| properties.as_map().is_some());
    let mut keys =
        properties.unwrap_or(declared).entries().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    for entry in declared.as_list().unwrap_or_default() {
        let of = |key: &str| entry.get(key)?.as_shared();
        keys.extend(entry.as_shared().or_else(|| of("key")).or_else(|| of("name")).cloned());
    }
    Rc::new(keys)
}

/// So many types are looked for by where their names stand.
const SHARED: usize = 8;

impl Reading<'_> {
    /// The names of actions, which may stand in objects.
    pub(super) fn actions(&mut self, list: &Value, at: At<'_>) -> Rc<Vec<String>> {
        if !list.is_null() && list.as_list().is_none() {
            let at = format_args!("{at}/actions");
            self.bad(
                &at,
                "actions are a list",
                "write the names that the node may answer in `[…]`",
            );
        }
        let mut named = Vec::new();
        for (index, value) in list.as_list().unwrap_or_default().iter().enumerate() {
            match value.as_text().or_else(|| value.get("name")?.as_text()) {
                Some(name) => named.push(name.to_owned()),
                None => self.bad(
                    &format_args!("{at}/actions/{index}"),
                    "an action is a name",
                    "write it in quotes",
                ),
            }
        }
        Rc::new(named)
    }

    /// What was read of a type.
    fn known(&self, kind: &Rc<str>) -> Option<&Declared> {
        // Nodes share the names of the first types.
        let shared = self.types.iter().take(SHARED).find(|(known, _)| Rc::ptr_eq(known, kind));
        shared.map(|(_, declared)| declared).or_else(|| self.types.get(kind))
    }

    /// What the registry says of a type, if it has it; read once for all of its nodes.
    pub(super) fn declared(&mut self, kind: &Rc<str>) -> Option<Declared> {
        if let Some(known) = self.known(kind) {
            return Some(known.clone());
        }
        let registered = self.registry.get(kind)?;
        let at = format!("/registry/{}", pointer_step(kind));
        self.object(Some(registered), &at, "{\"inputs\": [], \"outputs\": []}");
        self.slips(registered, &at, &TYPE_KEYS);
        let of = |key: &str| registered.get(key).cloned().unwrap_or_default();
        let description = self.words(registered.get("description"), "description", &at);
        let params = of("params");
        if !params.is_null() && params.as_map().is_none() && params.as_list().is_none() {
            let help = "write `{\"key\": …}`, or a list of keys";
            self.bad_part(&at, "params", "an object or a list", help);
        }
        let read = Declared {
            description: description.unwrap_or_else(|| self.empty.clone()),
            inputs: self.ports(&of("inputs"), &format_args!("{at}/inputs"), "input"),
            outputs: self.ports(&of("outputs"), &format_args!("{at}/outputs"), "output"),
            params: keys_of(&params),
            actions: self.actions(&of("actions"), &at),
            effects: self.flag(registered, "effects", &at),
        };
        self.types.insert(kind.clone(), read.clone());
        Some(read)
    }

    /// Keys, or objects with a `key`; each key once.
    pub(super) fn ports(&mut self, list: &Value, at: At<'_>, what: &str) -> Rc<Vec<Port>> {
        let mut ports: Vec<Port> = Vec::new();
        let mut seen = OrderedMap::default();
        if !list.is_null() && list.as_list().is_none() {
            self.bad(
                at,
                &format!("{what}s are a list"),
                "write `[{\"key\": …}]`, or a list of keys",
            );
        }
        for (index, entry) in list.as_list().unwrap_or_default().iter().enumerate() {
            let text =
                |key: &str| entry.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
            let key = entry.as_shared().or_else(|| entry.get("key")?.as_shared());
            let key = key.unwrap_or(&self.empty).clone();
            if key.is_empty() {
                self.bad(
                    &format_args!("{at}/{index}"),
                    &format!("an {what} has a `key`"),
                    "write `{\"key\": …}`",
                );
                continue;
            }
            if seen.insert(key.clone(), ()).is_some() {
                if what == "output" {
                    let message = format!("the output {} is listed twice", quote(&key));
                    self.tell(
                        codes::DUPLICATE_OUTPUT,
                        &format_args!("{at}/{index}"),
                        message,
                        "list it once",
                    );
                }
                continue;
            }
            let optional = self.flag(entry, "optional", &format_args!("{at}/{index}"));
            ports.push(Port {
                key,
                optional,
                kind: text("type"),
                description: text("description"),
            });
        }
        Rc::new(ports)
    }

    /// Params may be anything. One that is nearly called like an input which nobody supplies, or like
    /// a param that the type declares, is a slip of the pen.
    pub(super) fn params(&mut self, nodes: &[Node], inputs: &OrderedMap<Input>) {
        let mut doubtful = 0;
        for (place, node) in nodes.iter().enumerate() {
            let declared = self.known(&node.kind).map(|declared| declared.params.clone());
            let declared = declared.unwrap_or_default();
            for key in (0..).map_while(|nth| node.params.key(nth)) {
                let own = node.inputs.iter().map(|input| &*input.key);
                let known = own.chain(declared.iter().map(|key| &**key));
                if known.clone().any(|name| name == key) {
                    continue;
                }
                // Where anything may stand, nobody slips at the first letter.
                let first = key.as_bytes().first();
                let open = |name: &&str| name.as_bytes().first() == first && !node.supplies(name);
                let Some(near) = names::nearest(key, known.filter(open)) else {
                    continue;
                };
                // Each is looked for in all nodes.
                doubtful += 1;
                if doubtful > SUGGESTED {
                    return;
                }
                let writes =
                    |node: &Node| node.outputs.iter().any(|own| **node.writes(&own.key) == *near);
                // A param comes from nowhere else; an input may.
                let is_input = node.inputs.iter().any(|input| *input.key == *near);
                if is_input
                    && (node.input_mappings.contains_key(near)
                        || node.batch.as_ref().is_some_and(|batch| *batch.name == *near)
                        || inputs.contains_key(near)
                        || nodes.iter().any(writes))
                {
                    continue;
                }
                let message = format!("{} declares no param {}", quote(&node.id), quote(key));
                let at = format!("/nodes/{place}/params/{}", pointer_step(key));
                self.tell(
                    codes::NEAR_PARAM,
                    &at,
                    message,
                    format!("did you mean {}?", quote(near)),
                );
            }
        }
    }
}
