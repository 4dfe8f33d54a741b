//! Names that outputs are stored under, so that no two nodes share one by accident.

use super::collision::{Collision, collisions_in};
use super::store_names::StoreNames;
use super::workflow::{Batch, Node, Port, Workflow, keys_by_name, keys_of, read_names};
use super::{codes, explicit};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::base::{Code, Diagnostic, Value, names};
use std::iter;
use std::rc::Rc;

/// Options of the naming.
#[derive(Clone, Debug)]
pub struct NamingOptions {
    /// Pattern of generated names; contains `{node}` and `{key}`.
    pub prefix: String,
    /// Strategy by node type.
    pub strategies: OrderedMap<Strategy>,
}

impl Default for NamingOptions {
    fn default() -> NamingOptions {
        NamingOptions { prefix: "{node}_{key}".to_owned(), strategies: OrderedMap::default() }
    }
}

/// Treatment of an output that collides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Generates a unique name.
    #[default]
    Prefix,
    /// Keeps the key.
    Preserve,
    /// Rejects the workflow.
    Error,
}

impl Strategy {
    pub fn as_str(self) -> &'static str {
        match self {
            Strategy::Prefix => "prefix",
            Strategy::Preserve => "preserve",
            Strategy::Error => "error",
        }
    }
}

impl NamingOptions {
    /// Reads `{prefix?, strategies?}`.
    pub fn read(value: &Value) -> Result<NamingOptions, Diagnostic> {
        let mut options = NamingOptions::default();
        let invalid = |at: &str, message: String, help: &str| {
            Err(Diagnostic::new(codes::INVALID_OPTION, message).help(help).at_pointer(at))
        };
        let part = |key: &str| value.get(key).filter(|part| !part.is_null());
        if let Some(prefix) = part("prefix") {
            let pattern = prefix.as_text().unwrap_or_default();
            if !pattern.contains("{node}") || !pattern.contains("{key}") {
                let written = quote(&prefix.to_text());
                let message =
                    format!("expected a prefix with `{{node}}` and `{{key}}`, found {written}");
                return invalid("/prefix", message, "write it as in `{node}_{key}`");
            }
            options.prefix = pattern.to_owned();
        }
        let Some(strategies) = part("strategies") else { return Ok(options) };
        if strategies.as_map().is_none() {
            let message =
                format!("expected an object of strategies, found a {}", strategies.kind());
            return invalid("/strategies", message, "write it as in `{\"api\": \"preserve\"}`");
        }
        for (kind, word) in strategies.entries() {
            let strategy = match word.as_text() {
                Some("prefix") => Strategy::Prefix,
                Some("preserve") => Strategy::Preserve,
                Some("error") => Strategy::Error,
                _ => {
                    let message = format!("unknown strategy {}", quote(&word.to_text()));
                    let at = format!("/strategies/{}", escape_pointer_step(kind));
                    return invalid(&at, message, "write `prefix`, `preserve` or `error`");
                }
            };
            options.strategies.insert(kind.clone(), strategy);
        }
        Ok(options)
    }

    /// Parses the prefix.
    pub fn pattern(&self) -> NamePattern<'_> {
        NamePattern {
            parts: self
                .prefix
                .split("{node}")
                .map(|part| part.split("{key}").collect::<Vec<_>>())
                .collect::<Vec<_>>(),
        }
    }

    pub(super) fn strategy_of(&self, node: &Node) -> Strategy {
        self.strategies.get(&node.kind).copied().unwrap_or_default()
    }
}

/// Parsed prefix: texts around the keys, in lists between the ids.
#[derive(Debug)]
pub struct NamePattern<'a> {
    parts: Vec<Vec<&'a str>>,
}

impl NamePattern<'_> {
    /// Returns the name of an output; placeholders in the id and the key are not expanded.
    pub fn name(&self, id: &str, key: &str) -> String {
        let mut name = String::with_capacity(id.len() + key.len() + 8);
        self.write_name(&mut name, id, key);
        name
    }

    /// Returns whether a name may have been generated for an output, also with a number at the end.
    pub fn matches(&self, name: &str, id: &str, key: &str) -> bool {
        let generated = self.name(id, key);
        name == generated || without_number(name) == generated
    }

    /// Returns whether the pattern may generate a name for any output; there are false positives.
    fn may_generate(&self, name: &str) -> bool {
        self.parts.iter().flatten().all(|part| name.contains(part))
    }

    /// Replaces the contents of `name`.
    fn write_name(&self, name: &mut String, id: &str, key: &str) {
        name.clear();
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                name.push_str(id);
            }
            for (index, part) in part.iter().enumerate() {
                if index > 0 {
                    name.push_str(key);
                }
                // Fast path: most parts are empty.
                if !part.is_empty() {
                    name.push_str(part);
                }
            }
        }
    }
}

/// Removes the number that makes a generated name unique.
pub(super) fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, number)) if number.parse::<u32>().is_ok() => rest,
        _ => name,
    }
}

/// Stored names of all outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputNames {
    /// Renamed keys with their names, grouped by node, sorted by key.
    renamed: Vec<(Rc<str>, Rc<str>)>,
    /// End of each node in `renamed`.
    node_ends: Vec<u32>,
    /// Names of outputs of removed nodes in a context, with the ids of these nodes.
    pub removed_names: OrderedMap<Rc<str>>,
}

impl OutputNames {
    /// Adds the name of an output of the current node.
    pub fn add(&mut self, key: Rc<str>, name: Rc<str>) {
        self.renamed.push((key, name));
    }

    /// Ends the current node; the caller must call this once for each node, in order.
    pub fn end_node(&mut self) {
        let start = self.node_ends.last().map_or(0, |end| *end as usize);
        if let Some(own) = self.renamed.get_mut(start..) {
            own.sort();
        }
        self.node_ends.push(self.renamed.len() as u32);
    }

    /// Returns the name that an output is stored under.
    pub fn name_of<'a>(
        &'a self,
        node_index: usize,
        node: &'a Node,
        key: &'a Rc<str>,
    ) -> &'a Rc<str> {
        let own = self.renamed_of_node(node_index);
        let found = own.binary_search_by(|(renamed, _)| renamed.cmp(key)).ok();
        let renamed = found.and_then(|index| own.get(index));
        renamed.map_or_else(|| node.written_name(key), |(_, name)| name)
    }

    fn renamed_of_node(&self, node_index: usize) -> &[(Rc<str>, Rc<str>)] {
        let end = |node_index: usize| self.node_ends.get(node_index).map(|end| *end as usize);
        let start = node_index.checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(node_index)).map(|(start, end)| start..end);
        range.and_then(|range| self.renamed.get(range)).unwrap_or_default()
    }

    /// Iterates over the outputs of a node that the author maps or whose name differs from the key.
    pub fn mappings<'a>(
        &'a self,
        node_index: usize,
        node: &'a Node,
    ) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> {
        let outputs = node.outputs.iter();
        let names = outputs.map(move |port| (&port.key, self.name_of(node_index, node, &port.key)));
        let is_kept = |key: &'a Rc<str>, name| node.store_key(key) == name;
        names.filter(move |(key, name)| {
            !is_kept(key, *name) || node.output_mappings.contains_key(*key)
        })
    }
}

/// Names from an earlier mapping or a context, which stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviousNames {
    /// Output keys with their names, for each node; a name may equal its key.
    pub nodes: Vec<OrderedMap<Rc<str>>>,
    /// Names of outputs of removed nodes, with the ids of these nodes; not available for other outputs.
    pub removed_names: OrderedMap<Rc<str>>,
}

impl PreviousNames {
    /// Returns the generated names in the workflow's own mappings.
    pub fn from_workflow(workflow: &Workflow) -> PreviousNames {
        let mut previous = PreviousNames::default();
        if !workflow.generated_names.is_empty() {
            previous.nodes = vec![OrderedMap::default(); workflow.nodes.len()];
        }
        for generated in &workflow.generated_names {
            if let Some(names) = previous.nodes.get_mut(generated.node) {
                names.insert(generated.key.clone(), generated.name.clone());
            }
        }
        previous
    }

    /// Iterates over the names of a node's current outputs.
    fn names_of_node<'a>(
        &'a self,
        node_index: usize,
        node: &'a Node,
    ) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> {
        let names = self.nodes.get(node_index).filter(|names| !names.is_empty());
        let keys = names.map_or_else(OrderedMap::default, |_| keys_of(&node.outputs));
        names.into_iter().flatten().filter(move |(key, _)| keys.contains_key(*key))
    }
}

/// Names every output. Returns a warning for each collision, and errors of explicit mappings.
pub fn name_outputs(
    workflow: &Workflow,
    options: &NamingOptions,
    previous: &PreviousNames,
) -> (OutputNames, Vec<Diagnostic>) {
    let nodes = &workflow.nodes;
    let diagnostics = explicit::check_explicit_mappings(nodes);
    let store_names = StoreNames::new(nodes);
    let pattern = options.pattern();
    let mut in_use = names_in_use(workflow, &store_names, &pattern);
    in_use.extend(previous.removed_names.keys().map(|name| (name.clone(), ())));
    for (node_index, node) in nodes.iter().enumerate() {
        in_use.extend(previous.names_of_node(node_index, node).map(|(_, name)| (name.clone(), ())));
    }
    let collisions = collisions_in(&store_names, nodes.len());
    in_use.reserve(collisions.iter().map(|collision| collision.writers.len()).sum());
    let mut collision_of_name = vec![None; store_names.names.len()];
    for (index, collision) in collisions.iter().enumerate() {
        let name = store_names.names.get_index_of(&collision.name);
        let slot = name.and_then(|name| collision_of_name.get_mut(name));
        slot.into_iter().for_each(|slot| *slot = Some(index));
    }
    let keys_by_name = keys_by_name(workflow);
    let mut allocator =
        NameAllocator { options, pattern, in_use, candidate: String::new(), diagnostics };
    // For each collision, the ids of the nodes that keep the name.
    let mut keepers: Vec<Vec<&str>> = vec![Vec::new(); collisions.len()];
    let mut names =
        OutputNames { removed_names: previous.removed_names.clone(), ..OutputNames::default() };
    for (node_index, node) in nodes.iter().enumerate() {
        let (writes, reads) = (
            store_names.writes.list_of_node_at(node_index),
            store_names.reads.list_of_node_at(node_index),
        );
        let previous = previous.nodes.get(node_index).filter(|previous| !previous.is_empty());
        let read_names = (!keys_by_name.is_empty()).then(|| read_names(node, &keys_by_name));
        let mut read_indices = reads.to_vec();
        read_indices.sort_unstable();
        for (output, written) in node.outputs.iter().zip(writes) {
            let previous = previous.and_then(|previous| previous.get(&output.key));
            if let Some(name) = previous {
                names.add(output.key.clone(), name.clone());
            }
            let collision = collision_of_name.get(*written as usize).copied().flatten();
            let Some(collision) = collision else { continue };
            let keeps_name = node.output_mappings.contains_key(&output.key)
                || read_indices.binary_search(written).is_ok()
                || read_names
                    .as_ref()
                    .is_some_and(|names| names.contains_key(node.store_key(&output.key)));
            let is_named = keeps_name || previous.is_some();
            if let Some(name) = allocator.allocate(node_index, node, output, is_named) {
                names.add(output.key.clone(), name);
                continue;
            }
            let name = collisions.get(collision).map(|collision| &collision.name);
            if previous.is_none_or(|previous| Some(previous) == name)
                && let Some(keepers) = keepers.get_mut(collision)
                && keepers.last() != Some(&&*node.id)
            {
                keepers.push(&node.id);
            }
        }
        names.end_node();
    }
    let mut diagnostics = allocator.diagnostics;
    let each = collisions.iter().zip(&keepers);
    diagnostics
        .extend(each.map(|(collision, keepers)| collision_warning(collision, nodes, keepers)));
    (names, diagnostics)
}

/// Generates unique names for outputs that collide.
struct NameAllocator<'a> {
    options: &'a NamingOptions,
    pattern: NamePattern<'a>,
    in_use: OrderedMap<()>,
    /// Buffer for the name without a number.
    candidate: String,
    diagnostics: Vec<Diagnostic>,
}

impl NameAllocator<'_> {
    /// Returns a name for an output that collides, or `None` if it keeps its name.
    fn allocate(
        &mut self,
        node_index: usize,
        node: &Node,
        output: &Port,
        is_named: bool,
    ) -> Option<Rc<str>> {
        match self.options.strategy_of(node) {
            Strategy::Error => {
                let message = format!(
                    "{} of {} collides, and the strategy of its type is `error`",
                    quote(node.written_name(&output.key)),
                    quote(&node.id)
                );
                let help = "map one of them in `mappings`, or choose another strategy for the type";
                self.report(codes::COLLISION_REJECTED, node_index, message, help);
                None
            }
            Strategy::Prefix if !is_named => {
                self.pattern.write_name(&mut self.candidate, &node.id, &output.key);
                let name = claim_unique(&self.candidate, &mut self.in_use);
                if name.len() != self.candidate.len() {
                    let message = format!(
                        "the name {} is in use; {} is used instead",
                        quote(&self.candidate),
                        quote(&name)
                    );
                    let help = "rename the other one, or map this one in `mappings`";
                    self.report(codes::NAME_IN_USE, node_index, message, help);
                }
                Some(name)
            }
            Strategy::Prefix | Strategy::Preserve => None,
        }
    }

    fn report(&mut self, code: Code, node_index: usize, message: String, help: &str) {
        let at = format!("/nodes/{node_index}");
        self.diagnostics.push(Diagnostic::new(code, message).help(help).at_pointer(at));
    }
}

fn collision_warning(collision: &Collision, nodes: &[Node], keepers: &[&str]) -> Diagnostic {
    let writers =
        collision.writers.iter().map(|index| nodes.get(*index).map_or("", |node| &node.id));
    let writers = names::format_names(writers).replace('`', "");
    let name = quote(&collision.name);
    let message = format!("'{}' is written by {writers}", name.trim_matches('`'));
    let listed = names::format_names(keepers.iter().copied());
    let help = match keepers {
        [] => "map them in `mappings` to choose other names; each gets a unique one".to_owned(),
        [_] => format!(
            "map them in `mappings` to choose other names; {listed} keeps this one, and each other gets a \
             unique one"
        ),
        _ => format!(
            "map one of them in `mappings` if that is not intended: {listed} keep the name and overwrite \
             each other"
        ),
    };
    Diagnostic::new(codes::COLLISION, message).help(help)
}

/// Adds the first unused name of `name`, `name_2`, `name_3`, … to the names in use, and returns it.
fn claim_unique(name: &str, in_use: &mut OrderedMap<()>) -> Rc<str> {
    let numbered = (2usize..).map(|number| Rc::from(format!("{name}_{number}")));
    let mut candidates = iter::once(Rc::from(name)).chain(numbered);
    candidates.find(|name: &Rc<str>| in_use.insert(name.clone(), ()).is_none()).unwrap_or_default()
}

/// Returns every name that occurs in a workflow, which generated names must avoid.
fn names_in_use(
    workflow: &Workflow,
    store_names: &StoreNames,
    pattern: &NamePattern<'_>,
) -> OrderedMap<()> {
    // The source of an input mapping may itself be a generated name, so it does not count.
    let has_mapped_inputs = workflow.nodes.iter().any(|node| !node.input_mappings.is_empty());
    let mut names =
        if has_mapped_inputs { all_keys(&workflow.nodes) } else { store_names.names.clone() };
    let mut add = |name: &Rc<str>| {
        names.insert(name.clone(), ());
    };
    workflow.inputs.keys().for_each(&mut add);
    workflow.outputs.keys().for_each(&mut add);
    for node in &workflow.nodes {
        // Templates contain node ids.
        if pattern.may_generate(&node.id) {
            add(&node.id);
        }
        for (key, name) in &node.output_mappings {
            add(key);
            add(name);
        }
        node.batch.iter().flat_map(Batch::names).for_each(&mut add);
    }
    names
}

fn all_keys(nodes: &[Node]) -> OrderedMap<()> {
    let mut keys = OrderedMap::default();
    for node in nodes {
        for port in node.inputs.iter().chain(node.outputs.iter()) {
            keys.insert(node.store_key(&port.key).clone(), ());
        }
    }
    keys
}
