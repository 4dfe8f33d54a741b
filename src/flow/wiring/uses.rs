//! Who writes and who reads each name of the flat store: inputs, and the names in templates.

use super::unknown::no_output;
use super::{Accesses, Reader, Use, Wiring, Written, plain};
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::template::{PathStep, Reference, Template};
use crate::base::{Diagnostic, Value, names};
use crate::flow::control::Control;
use crate::flow::flat::Flat;
use crate::flow::naming::Names;
use crate::flow::workflow::{Node, Workflow};
use std::cell::OnceCell;
use std::fmt::Display;
use std::rc::Rc;

/// The name of an output that is read through its node.
pub fn two_part(node: &str, key: &str) -> String {
    format!("{node}.{key}")
}

/// Finds all accesses; those of names that one output alone has are wired at once. They come as well, by what is written
/// in templates, where that output is not written on every way to the read.
pub fn gather(
    workflow: &Workflow,
    control: &Control,
    names: &Names,
    wiring: &mut Wiring,
    told: &mut Vec<Diagnostic>,
) -> (OrderedMap<Accesses>, OrderedMap<Accesses>) {
    let flat = Flat::new(&workflow.nodes);
    let mut gathering = Gathering {
        workflow,
        control,
        alone: OrderedMap::default(),
        names,
        flat: flat.names.keys().map(|name| (name.clone(), Accesses::default())).collect(),
        known: OnceCell::new(),
        listed: None,
        unknown: 0,
        texts: 0,
        wiring,
        told,
    };
    gathering.writers(&flat);
    for (place, node) in workflow.nodes.iter().enumerate() {
        if !control.is_reached(place) {
            // It stays mapped as its author says.
            for (key, name) in &node.input_mappings {
                if gathering.is_name(name) {
                    Reader::Input(place, key.clone()).connect(gathering.wiring, name.clone());
                }
            }
            continue;
        }
        for (input, name) in node.inputs.iter().zip(flat.reads.of(place)) {
            gathering.input(place, node, &input.key, *name);
        }
        let item = node.batch.as_ref().map(|batch| &*batch.name);
        let reader = &|name: &str, text| Reader::Template(place, name.into(), text);
        gathering.texts = 0;
        let params = format_args!("/nodes/{place}/params");
        if let Some(value) = node.params.templates() {
            gathering.templates(value, &params, place, item, reader);
            gathering.doubt_braced(value, &params, item);
        }
        if let Some(batch) = &node.batch {
            let items = format_args!("/nodes/{place}/batch/items");
            gathering.templates(&batch.items, &items, place, None, reader);
            gathering.doubt_bare(&batch.items, &items);
        }
    }
    for (output, source) in &workflow.outputs {
        let reader = &|name: &str, _| Reader::Output(output.clone(), name.into());
        let at = format!("/outputs/{}", pointer_step(output));
        let told = gathering.told.len();
        gathering.templates(source, &at, control.exit(), None, reader);
        gathering.doubt_bare(source, &at);
        if !has_source(workflow, output)
            && gathering.told.len() > told
            && gathering.looks_made(output).is_none()
        {
            let instead = names::instead(output, &gathering.names().collect::<Vec<_>>());
            let help =
                format!("write the `source` of the output, as in `\"${{name}}\"`: {instead}");
            if let Some(fault) = gathering.told.get_mut(told) {
                fault.help = Some(help);
            }
        }
    }
    (gathering.flat, gathering.alone)
}

/// Whether somebody wrote where an output comes from.
fn has_source(workflow: &Workflow, output: &str) -> bool {
    let outputs = workflow.outline.as_ref().and_then(|outline| outline.rest.get("outputs"));
    let written = outputs.and_then(|outputs| outputs.get(output));
    written.is_some_and(|written| {
        let source = written.get("source").is_some_and(|source| !source.is_null());
        source || written.as_text().is_some()
    })
}

pub(super) struct Gathering<'a> {
    pub workflow: &'a Workflow,
    control: &'a Control,
    /// Reads of one output alone that may come before it.
    alone: OrderedMap<Accesses>,
    pub names: &'a Names,
    /// The names of the flat store.
    pub flat: OrderedMap<Accesses>,
    /// The other names that may be meant, once somebody has asked for one.
    known: OnceCell<Known>,
    /// All names in order, once somebody has asked for them.
    pub listed: Option<Vec<String>>,
    /// How many names nothing is called.
    pub unknown: usize,
    /// How many texts of a node were read.
    texts: u32,
    wiring: &'a mut Wiring,
    told: &'a mut Vec<Diagnostic>,
}

/// What is known by name besides what stands in the flat store.
pub(super) struct Known {
    /// The names that one output alone has, with that.
    pub own: OrderedMap<Written>,
    /// The nodes by their ids.
    ids: OrderedMap<u32>,
}

impl Known {
    fn new(workflow: &Workflow, names: &Names) -> Known {
        let mut known = Known { own: OrderedMap::default(), ids: OrderedMap::default() };
        for (place, node) in workflow.nodes.iter().enumerate() {
            known.ids.insert(node.id.clone(), place as u32);
            for (output, port) in (0u32..).zip(node.outputs.iter()) {
                let stored = names.of(place, node, &port.key);
                if stored != node.writes(&port.key) {
                    let written = Written { node: place as u32, output, optional: port.optional };
                    known.own.insert(stored.clone(), written);
                }
            }
        }
        known
    }
}

/// What every template has.
const DOLLAR: char = '$';

/// Whether a text of a value holds a sign.
fn holds(value: &Value, sign: char) -> bool {
    match value {
        Value::Text(text) => text.contains(sign),
        Value::List(items) => items.iter().any(|item| holds(item, sign)),
        Value::Map(map) => map.values().any(|value| holds(value, sign)),
        _ => false,
    }
}

/// Hands on the texts of a value that hold a sign, each with its place.
pub fn each_text(value: &Value, at: &dyn Display, sign: char, found: &mut dyn FnMut(&str, &str)) {
    if holds(value, sign) {
        texts_below(value, &mut at.to_string(), sign, found);
    }
}

/// Recursion is bounded by the depth of what is read. Where many items lie below long keys, their places
/// together would take more memory than there is.
fn texts_below(value: &Value, at: &mut String, sign: char, found: &mut dyn FnMut(&str, &str)) {
    let outer = at.len();
    match value {
        Value::Text(text) if text.contains(sign) => found(text, at),
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                texts_below(item, at, sign, found);
                at.truncate(outer);
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                at.extend(["/", &pointer_step(key)]);
                texts_below(value, at, sign, found);
                at.truncate(outer);
            }
        }
        _ => {}
    }
}

/// The same for the texts of a node, in the order in which they are read.
pub fn node_texts(node: &Node, place: usize, found: &mut dyn FnMut(&str, &str)) {
    if let Some(params) = node.params.templates() {
        each_text(params, &format_args!("/nodes/{place}/params"), DOLLAR, found);
    }
    if let Some(batch) = &node.batch {
        each_text(&batch.items, &format_args!("/nodes/{place}/batch/items"), DOLLAR, found);
    }
}

/// What a name in a template means.
enum Meaning {
    /// It is stored under this name, by this output alone.
    Stored(Rc<str>, Written),
    /// Whatever stands under a name of the flat store; of one node alone, if one is given.
    Flat(Rc<str>, Option<usize>),
}

impl Gathering<'_> {
    fn writers(&mut self, flat: &Flat) {
        for (place, node) in self.workflow.nodes.iter().enumerate() {
            let written = (0u32..).zip(&**node.outputs).zip(flat.writes.of(place));
            for ((output, port), name) in written {
                if let Some((_, accesses)) = self.flat.get_index_mut(*name as usize) {
                    let (node, optional) = (place as u32, port.optional);
                    accesses.writers.push(Written { node, output, optional });
                }
            }
        }
        for input in self.workflow.inputs.keys() {
            self.flat.entry(input.clone()).or_default();
        }
    }

    pub fn known(&self) -> &Known {
        self.known.get_or_init(|| Known::new(self.workflow, self.names))
    }

    fn is_own(&self, name: &str) -> bool {
        self.known().own.contains_key(name)
    }

    /// The place of the node with an id.
    fn node(&self, id: &str) -> Option<usize> {
        self.known().ids.get(id).map(|place| *place as usize)
    }

    /// Reads an input, from where its author says or under its key; `flat` is the number of that
    /// name.
    fn input(&mut self, place: usize, node: &Node, key: &Rc<str>, flat: u32) {
        let name = node.reads(key);
        let explicit = node.input_mappings.contains_key(key);
        let supplied = node.supplies(key);
        let reader = || Reader::Input(place, key.clone());
        if explicit && self.is_name(name) && (supplied || self.is_own(name)) {
            // What a param supplies stays mapped as its author says.
            reader().connect(self.wiring, name.clone());
        } else if explicit && !self.is_name(name) {
            let (id, key) = (pointer_step(&node.id), pointer_step(key));
            let fault = self.nowhere(name);
            self.told.push(fault.at_pointer(format!("/mappings/{id}/input_mappings/{key}")));
        } else if !supplied && let Some((_, accesses)) = self.flat.get_index_mut(flat as usize) {
            accesses.uses.push(Use { point: place, reader: reader(), only: None });
        }
    }

    /// Reads all texts of a value.
    fn templates(
        &mut self,
        value: &Value,
        at: &dyn Display,
        point: usize,
        item: Option<&str>,
        reader: &dyn Fn(&str, u32) -> Reader,
    ) {
        let mut seen = OrderedMap::default();
        each_text(value, at, DOLLAR, &mut |text, at| {
            let number = self.texts;
            self.texts += 1;
            let known =
                |name: &str| item == Some(name) || self.is_name(name) || self.node(name).is_some();
            let (read, faults) = Template::read(text, &known);
            self.told.extend(faults.into_iter().map(|fault| fault.at_pointer(at)));
            for reference in read.references() {
                if item != Some(reference.name.as_str()) {
                    self.reference(reference, at, point, &mut seen, &|name| reader(name, number));
                }
            }
        });
    }

    /// Tells of a name without a dollar where a template is due.
    fn doubt_bare(&mut self, value: &Value, at: &dyn Display) {
        let told = match value {
            Value::Text(text) if !text.contains(DOLLAR) && self.is_read_as(text) => {
                Some(plain::doubt(text, text, at))
            }
            _ => None,
        };
        self.told.extend(told);
        self.doubt_braced(value, at, None);
    }

    /// Tells of names in braces without a dollar.
    fn doubt_braced(&mut self, value: &Value, at: &dyn Display, item: Option<&str>) {
        let is_item = |name: &str| item.is_some() && item == name.split('.').next();
        let known = |name: &str| is_item(name) || self.is_read_as(name);
        let mut told = plain::doubt_braced(value, at, &known);
        self.told.append(&mut told);
    }

    /// Whether a text would name something, were it a template.
    fn is_read_as(&self, text: &str) -> bool {
        let (first, rest) = text.split_once('.').unwrap_or((text, ""));
        let key = rest.split('.').next().unwrap_or_default();
        let has_key = |place: usize| {
            let node = self.workflow.nodes.get(place);
            node.is_some_and(|node| node.outputs.iter().any(|output| *output.key == *key))
        };
        self.is_name(text) || self.is_name(first) || self.node(first).is_some_and(has_key)
    }

    /// Whether a whole name is called so.
    fn is_name(&self, name: &str) -> bool {
        self.is_own(name) || self.is_flat(name)
    }

    /// Whether it is a name that something is written to, or given under.
    pub fn is_flat(&self, name: &str) -> bool {
        let given = || self.workflow.inputs.contains_key(name);
        self.flat.get(name).is_some_and(|accesses| !accesses.writers.is_empty()) || given()
    }

    fn reference(
        &mut self,
        reference: &Reference,
        at: &str,
        point: usize,
        seen: &mut OrderedMap<()>,
        reader: &dyn Fn(&str) -> Reader,
    ) {
        let place = self.node(&reference.name);
        let whole = self.is_name(&reference.name);
        let name = match (place.filter(|_| !whole), reference.path.first()) {
            (Some(_), Some(PathStep::Key(key))) => two_part(&reference.name, key),
            _ => reference.name.clone(),
        };
        if seen.contains_key(name.as_str()) {
            return;
        }
        match self.meaning(reference) {
            Ok(Meaning::Stored(stored, written)) => {
                let reader = reader(&name);
                reader.connect(self.wiring, stored);
                // Mostly the writer stands on every way to the reader.
                let (from, to) = (written.node, point as u32);
                if from == to || !self.control.tree.holds(from, to) {
                    let of = self.alone.entry(Rc::from(name.as_str())).or_default();
                    of.writers = vec![written];
                    of.uses.push(Use { point, reader, only: None });
                }
            }
            Ok(Meaning::Flat(flat, only)) => {
                if let Some(accesses) = self.flat.get_mut(&flat) {
                    accesses.uses.push(Use { point, reader: reader(&name), only });
                }
            }
            // Each place has to be mended.
            Err(fault) => return self.told.push(fault.at_pointer(at)),
        }
        seen.insert(name.into(), ());
    }

    fn meaning(&mut self, reference: &Reference) -> Result<Meaning, Diagnostic> {
        let name = reference.name.as_str();
        if let Some(written) = self.known().own.get(name) {
            return Ok(Meaning::Stored(name.into(), *written));
        }
        if self.is_flat(name) {
            return Ok(Meaning::Flat(name.into(), None));
        }
        let place = self.node(name);
        match place.and_then(|place| Some((place, self.workflow.nodes.get(place)?))) {
            Some((place, node)) => {
                let key = match reference.path.first() {
                    Some(PathStep::Key(key)) => key.as_str(),
                    _ => "",
                };
                let mut outputs = (0u32..).zip(node.outputs.iter());
                let Some((nth, output)) = outputs.find(|(_, output)| *output.key == *key) else {
                    return Err(no_output(reference, &node.id, &mut || {
                        node.outputs.iter().map(|output| &*output.key)
                    }));
                };
                let key = &output.key;
                let stored = self.names.of(place, node, key);
                let flat = node.writes(key);
                let alone = !self.workflow.inputs.contains_key(flat)
                    && self.flat.get(flat).is_some_and(|accesses| accesses.writers.len() == 1);
                let (node, optional) = (place as u32, output.optional);
                let written = Written { node, output: nth, optional };
                Ok(match stored != flat || alone {
                    true => Meaning::Stored(stored.clone(), written),
                    false => Meaning::Flat(flat.clone(), Some(place)),
                })
            }
            None => Err(self.unknown(reference)),
        }
    }
}
