//! Which name each output is stored under, so that no two nodes share one.

use super::collision::{Collision, collisions_in};
use super::flat::Flat;
use super::generated::{keys_read, names_of};
use super::workflow::{Node, Port, Workflow, keys_of};
use super::{codes, explicit};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::{Code, Diagnostic, Value, names};
use std::iter;
use std::rc::Rc;

/// How names are made.
#[derive(Clone, Debug)]
pub struct Options {
    /// Holds `{node}` and `{key}`.
    pub prefix: String,
    /// What is done with the collisions of a type.
    pub strategies: OrderedMap<Strategy>,
}

impl Default for Options {
    fn default() -> Options {
        Options { prefix: "{node}_{key}".to_owned(), strategies: OrderedMap::default() }
    }
}

/// What is done with an output that collides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// It gets a name of its own.
    #[default]
    Prefix,
    /// It keeps its key.
    Preserve,
    /// The workflow is refused.
    Error,
}

impl Strategy {
    /// As options have it.
    pub fn word(self) -> &'static str {
        match self {
            Strategy::Prefix => "prefix",
            Strategy::Preserve => "preserve",
            Strategy::Error => "error",
        }
    }
}

impl Options {
    /// Reads `{prefix?, strategies?}`.
    pub fn read(value: &Value) -> Result<Options, Diagnostic> {
        let mut options = Options::default();
        let bad = |at: &str, message: String, help: &str| {
            Err(Diagnostic::new(codes::BAD_OPTION, message).help(help).at_pointer(at))
        };
        let given = |key: &str| value.get(key).filter(|given| !given.is_null());
        if let Some(prefix) = given("prefix") {
            let pattern = prefix.as_text().unwrap_or_default();
            if !pattern.contains("{node}") || !pattern.contains("{key}") {
                let written = quote(&prefix.to_text());
                let message =
                    format!("the prefix {written} does not hold `{{node}}` and `{{key}}`");
                return bad("/prefix", message, "write it as in `{node}_{key}`");
            }
            options.prefix = pattern.to_owned();
        }
        let Some(strategies) = given("strategies") else { return Ok(options) };
        if strategies.as_map().is_none() {
            let message = format!("strategies are an object, and this is a {}", strategies.kind());
            return bad("/strategies", message, "write them as in `{\"api\": \"preserve\"}`");
        }
        for (kind, word) in strategies.entries() {
            let strategy = match word.as_text() {
                Some("prefix") => Strategy::Prefix,
                Some("preserve") => Strategy::Preserve,
                Some("error") => Strategy::Error,
                _ => {
                    let message = format!("there is no strategy {}", quote(&word.to_text()));
                    let at = format!("/strategies/{}", pointer_step(kind));
                    return bad(&at, message, "there are `prefix`, `preserve`, `error`");
                }
            };
            options.strategies.insert(kind.clone(), strategy);
        }
        Ok(options)
    }

    /// How names are made, read once for all of them.
    pub fn pattern(&self) -> Pattern<'_> {
        Pattern {
            parts: self
                .prefix
                .split("{node}")
                .map(|part| part.split("{key}").collect::<Vec<_>>())
                .collect::<Vec<_>>(),
        }
    }

    pub(super) fn of(&self, node: &Node) -> Strategy {
        self.strategies.get(&node.kind).copied().unwrap_or_default()
    }
}

/// What stands around the keys, between the ids.
#[derive(Debug)]
pub struct Pattern<'a> {
    parts: Vec<Vec<&'a str>>,
}

impl Pattern<'_> {
    /// The pattern with an id and a key put in; neither is read as a pattern again.
    pub fn name(&self, id: &str, key: &str) -> String {
        let mut name = String::with_capacity(id.len() + key.len() + 8);
        self.write(&mut name, id, key);
        name
    }

    /// Whether a name may have been made of an id and a key: there is a number behind it where it was taken.
    pub fn may_be(&self, name: &str, id: &str, key: &str) -> bool {
        let made = self.name(id, key);
        name == made || unnumbered(name) == made
    }

    /// Whether it could make a name; if not, it never does.
    fn may_make(&self, name: &str) -> bool {
        self.parts.iter().flatten().all(|part| name.contains(part))
    }

    /// Writes that in place of what a text holds.
    fn write(&self, name: &mut String, id: &str, key: &str) {
        name.clear();
        for (place, part) in self.parts.iter().enumerate() {
            if place > 0 {
                name.push_str(id);
            }
            for (place, part) in part.iter().enumerate() {
                if place > 0 {
                    name.push_str(key);
                }
                // Mostly nothing stands before an id or behind a key.
                if !part.is_empty() {
                    name.push_str(part);
                }
            }
        }
    }
}

/// A name without the number that follows it where it was taken.
pub(super) fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, number)) if number.parse::<u32>().is_ok() => rest,
        _ => name,
    }
}

/// The names of all outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// Keys that are stored under another name, with that name; those of one node together.
    mapped: Vec<(Rc<str>, Rc<str>)>,
    /// Where those of each node end.
    ends: Vec<u32>,
    /// What a context gave to nodes that are gone, with these.
    pub gone: OrderedMap<Rc<str>>,
}

impl Names {
    /// Puts a name under which the node at hand stores an output.
    pub fn add(&mut self, key: Rc<str>, name: Rc<str>) {
        self.mapped.push((key, name));
    }

    /// Goes on to the next node: called once for each, in order, whether it has such names or not.
    pub fn end_node(&mut self) {
        self.ends.push(self.mapped.len() as u32);
    }

    /// The name that a node's output is stored under.
    pub fn of<'a>(&'a self, place: usize, node: &'a Node, key: &'a Rc<str>) -> &'a Rc<str> {
        let mapped = self.of_node(place).iter().find(|(mapped, _)| mapped == key);
        mapped.map_or_else(|| node.writes(key), |(_, name)| name)
    }

    fn of_node(&self, place: usize) -> &[(Rc<str>, Rc<str>)] {
        let end = |place: usize| self.ends.get(place).map(|end| *end as usize);
        let start = place.checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(place)).map(|(start, end)| start..end);
        range.and_then(|range| self.mapped.get(range)).unwrap_or_default()
    }

    /// The outputs of a node that are stored under another name than their key, with that name, and those that the
    /// author maps to their key.
    pub fn mappings<'a>(
        &'a self,
        place: usize,
        node: &'a Node,
    ) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> {
        let names =
            node.outputs.iter().map(move |port| (&port.key, self.of(place, node, &port.key)));
        names.filter(|(key, name)| key != name || node.output_mappings.contains_key(*key))
    }
}

/// Names that were given before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reserved {
    /// For each node, keys of outputs with the names that they keep, a plain key too.
    pub nodes: Vec<OrderedMap<Rc<str>>>,
    /// Those of nodes that are gone, with the nodes: they are taken.
    pub gone: OrderedMap<Rc<str>>,
}

impl Reserved {
    /// The names that the workflow's own mappings kept from an earlier one.
    pub fn of(workflow: &Workflow) -> Reserved {
        let mut reserved = Reserved::default();
        if !workflow.named.is_empty() {
            reserved.nodes = vec![OrderedMap::default(); workflow.nodes.len()];
        }
        for named in &workflow.named {
            if let Some(of) = reserved.nodes.get_mut(named.node) {
                of.insert(named.key.clone(), named.name.clone());
            }
        }
        reserved
    }

    /// What a node's outputs were called.
    fn of_node<'a>(
        &'a self,
        place: usize,
        node: &'a Node,
    ) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> {
        let before = self.nodes.get(place).filter(|before| !before.is_empty());
        let keys = before.map_or_else(OrderedMap::default, |_| keys_of(&node.outputs));
        before.into_iter().flatten().filter(move |(key, _)| keys.contains_key(*key))
    }
}

/// Names every output, and says what collides. What is `reserved` stays as it is.
pub fn name_outputs(
    workflow: &Workflow,
    options: &Options,
    reserved: &Reserved,
) -> (Names, Vec<Diagnostic>) {
    let nodes = &workflow.nodes;
    let told = explicit::explicit_faults(nodes);
    let flat = Flat::new(nodes);
    let pattern = options.pattern();
    let mut taken = names_in_use(workflow, &flat, &pattern);
    taken.extend(reserved.gone.keys().map(|name| (name.clone(), ())));
    for (place, node) in nodes.iter().enumerate() {
        taken.extend(reserved.of_node(place, node).map(|(_, name)| (name.clone(), ())));
    }
    let collisions = collisions_in(&flat, nodes.len());
    taken.reserve(collisions.iter().map(|collision| collision.writers.len()).sum());
    let mut colliding = vec![None; flat.names.len()];
    for (nth, collision) in collisions.iter().enumerate() {
        let slot =
            flat.names.get_index_of(&collision.name).and_then(|number| colliding.get_mut(number));
        slot.into_iter().for_each(|slot| *slot = Some(nth));
    }
    let made = names_of(&workflow.named);
    let mut fresh = Fresh { options, pattern, taken, wanted: String::new(), told };
    // For each collision, who keeps the name.
    let mut keepers: Vec<Vec<&str>> = vec![Vec::new(); collisions.len()];
    let mut names = Names { gone: reserved.gone.clone(), ..Names::default() };
    for (place, node) in nodes.iter().enumerate() {
        let (writes, reads) = (flat.writes.of(place), flat.reads.of(place));
        let reserved = reserved.nodes.get(place).filter(|reserved| !reserved.is_empty());
        let read = (!made.is_empty()).then(|| keys_read(node, &made));
        for (output, number) in node.outputs.iter().zip(writes) {
            let before = reserved.and_then(|reserved| reserved.get(&output.key));
            if let Some(name) = before {
                names.add(output.key.clone(), name.clone());
            }
            let Some(nth) = colliding.get(*number as usize).copied().flatten() else { continue };
            let is_kept = node.output_mappings.contains_key(&output.key)
                || reads.contains(number)
                || read.as_ref().is_some_and(|read| read.contains_key(&output.key));
            if let Some(name) = fresh.name(place, node, output, is_kept, before.is_some()) {
                names.add(output.key.clone(), name);
                continue;
            }
            let name = collisions.get(nth).map(|collision| &collision.name);
            if before.is_none_or(|before| Some(before) == name)
                && let Some(keepers) = keepers.get_mut(nth)
                && keepers.last() != Some(&&*node.id)
            {
                keepers.push(&node.id);
            }
        }
        names.end_node();
    }
    let mut told = fresh.told;
    let each = collisions.iter().zip(&keepers);
    told.extend(each.map(|(collision, keepers)| warning(collision, nodes, keepers)));
    (names, told)
}

/// What gives outputs that collide names of their own.
struct Fresh<'a> {
    options: &'a Options,
    pattern: Pattern<'a>,
    /// Every name that is used.
    taken: OrderedMap<()>,
    /// The name that is looked for.
    wanted: String,
    told: Vec<Diagnostic>,
}

impl Fresh<'_> {
    /// A name for an output that collides; nothing where it is `kept` as it is, or `named` already.
    fn name(
        &mut self,
        place: usize,
        node: &Node,
        output: &Port,
        is_kept: bool,
        is_named: bool,
    ) -> Option<Rc<str>> {
        match self.options.of(node) {
            Strategy::Error => {
                let message = format!(
                    "{} of {} collides, and its type refuses that",
                    quote(node.writes(&output.key)),
                    quote(&node.id)
                );
                let help = "map one of them by hand, or choose another strategy for the type";
                self.tell(codes::REFUSED, place, message, help);
                None
            }
            Strategy::Prefix if !is_kept && !is_named => {
                self.pattern.write(&mut self.wanted, &node.id, &output.key);
                let fresh = free(&self.wanted, &mut self.taken);
                // Where it is another name, there is a number behind it.
                if fresh.len() != self.wanted.len() {
                    let message = format!(
                        "the name {} is taken: {} is used",
                        quote(&self.wanted),
                        quote(&fresh)
                    );
                    let help = "rename the other one, or map this one by hand";
                    self.tell(codes::NAME_TAKEN, place, message, help);
                }
                Some(fresh)
            }
            Strategy::Prefix | Strategy::Preserve => None,
        }
    }

    fn tell(&mut self, code: Code, place: usize, message: String, help: &str) {
        let at = format!("/nodes/{place}");
        self.told.push(Diagnostic::new(code, message).help(help).at_pointer(at));
    }
}

fn warning(collision: &Collision, nodes: &[Node], keepers: &[&str]) -> Diagnostic {
    let writers =
        collision.writers.iter().map(|place| nodes.get(*place).map_or("", |node| &node.id));
    let shown = names::list(writers).replace('`', "");
    let name = quote(&collision.name);
    let message = format!("'{}' is written by {shown}", name.trim_matches('`'));
    let shown = names::list(keepers.iter().copied());
    let help = match keepers {
        [] => "each gets a name of its own".to_owned(),
        [_] => format!("{shown} keeps the name, and each other gets one of its own"),
        _ => format!(
            "{shown} keep the name and overwrite one another: map one by hand where that is not meant"
        ),
    };
    Diagnostic::new(codes::COLLISION, message).help(help)
}

/// `name`, or `name_2`, `name_3`, … whichever is free first.
fn free(wanted: &str, taken: &mut OrderedMap<()>) -> Rc<str> {
    let numbered = (2usize..).map(|number| Rc::from(format!("{wanted}_{number}")));
    let mut names = iter::once(Rc::from(wanted)).chain(numbered);
    names.find(|name: &Rc<str>| taken.insert(name.clone(), ()).is_none()).unwrap_or_default()
}

/// Every name that occurs anywhere: no generated name may be one of these.
fn names_in_use(workflow: &Workflow, flat: &Flat, pattern: &Pattern<'_>) -> OrderedMap<()> {
    // Where an author reads under another name, that may be one which is generated: it is no reason for another.
    let is_plain = workflow.nodes.iter().all(|node| node.input_mappings.is_empty());
    let mut names = if is_plain { flat.names.clone() } else { keys(&workflow.nodes) };
    let mut take = |name: &Rc<str>| {
        names.insert(name.clone(), ());
    };
    workflow.inputs.keys().for_each(&mut take);
    workflow.outputs.keys().for_each(&mut take);
    for node in &workflow.nodes {
        // In a template an id stands before a key of its node.
        if pattern.may_make(&node.id) {
            take(&node.id);
        }
        // What is not mapped is in the flat store under its key.
        for (key, name) in &node.output_mappings {
            take(key);
            take(name);
        }
        node.batch.iter().for_each(|batch| take(&batch.name));
    }
    names
}

/// The keys of all inputs and outputs.
fn keys(nodes: &[Node]) -> OrderedMap<()> {
    let mut keys = OrderedMap::default();
    for port in nodes.iter().flat_map(|node| node.inputs.iter().chain(node.outputs.iter())) {
        keys.insert(port.key.clone(), ());
    }
    keys
}
