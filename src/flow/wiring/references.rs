//! Targets of references in templates. `${node.output}` of an existing node is always that output; else the
//! reference begins with a stored name.

use super::accesses::{NameRead, OutputWrite, ReadSite};
use super::collector::AccessCollector;
use super::texts::{qualified_name, unknown_output};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::template::{PathStep, Reference};
use crate::base::{Diagnostic, names};
use crate::flow::codes;
use crate::flow::workflow::{ERROR_ACTION, Node};
use std::rc::Rc;

/// Target of a reference.
enum ResolvedName {
    /// Stored name that belongs to one output.
    Unique(Rc<str>, OutputWrite),
    /// Name of the flat store.
    Flat(Rc<str>),
}

/// Output that a reference reads through the id of its node.
#[derive(Clone, Copy)]
struct QualifiedOutput {
    node_index: usize,
    output: u32,
}

/// Maximum number of dots in a name that may separate a node and its output.
const MAX_DOTS_IN_NAME: usize = 256;

impl AccessCollector<'_> {
    /// Adds the read of a reference, unless its name is in `seen`.
    pub fn add_reference(
        &mut self,
        reference: &Reference,
        at: &str,
        vertex: usize,
        seen: &mut OrderedMap<()>,
        site: &dyn Fn(&str) -> ReadSite,
    ) {
        let qualified = self.qualified_output(reference);
        let name = match reference.path.first() {
            Some(PathStep::Key(key)) if qualified.is_some() => qualified_name(&reference.name, key),
            _ => reference.name.clone(),
        };
        if seen.contains_key(name.as_str()) {
            return;
        }
        let resolved = match qualified {
            Some(qualified) => self.resolve_qualified(qualified, reference, at),
            None => self.resolve(reference),
        };
        match resolved {
            Ok(ResolvedName::Unique(stored, write)) => {
                let site = site(&name);
                site.connect(self.wiring, stored);
                let (from, to) = (write.node, vertex as u32);
                if from == to || !self.control.dominators.dominates(from, to) {
                    let accesses = self.undominated.entry(Rc::from(name.as_str())).or_default();
                    accesses.writes = vec![write];
                    accesses.reads.push(NameRead { vertex, site });
                }
            }
            Ok(ResolvedName::Flat(flat)) => {
                if let Some(accesses) = self.flat.get_mut(&flat) {
                    accesses.reads.push(NameRead { vertex, site: site(&name) });
                }
            }
            // Not marked as seen: each occurrence has to be fixed.
            Err(mut error) => {
                let is_param = at.contains("/params");
                let help = is_param.then(|| self.batch_help(reference, vertex)).flatten();
                error.help = help.or(error.help);
                return self.diagnostics.push(error.at_pointer(at));
            }
        }
        seen.insert(name.into(), ());
    }

    /// Warns about a reference that reads an item of a batch and may mean the output of a node.
    pub fn warn_hidden_node(&mut self, reference: &Reference, at: &str) {
        if self.qualified_output(reference).is_none() {
            return;
        }
        let message = format!(
            "{} reads the value {} of the batch, not the output of the node",
            quote(&reference.text),
            quote(&reference.name)
        );
        let warning = Diagnostic::new(codes::ITEM_HIDES_NODE, message)
            .help("choose a name in `as` or `index` of the batch that is not the id of a node");
        self.diagnostics.push(warning.at_pointer(at));
    }

    /// Returns the output that a reference names through the id of its node.
    fn qualified_output(&self, reference: &Reference) -> Option<QualifiedOutput> {
        let find = |id: &str, key: &str| {
            let node_index = self.node_index(id)?;
            let output = self.output_index(node_index, key)?;
            Some(QualifiedOutput { node_index, output })
        };
        if let Some(PathStep::Key(key)) = reference.path.first()
            && let Some(found) = find(&reference.name, key)
        {
            return Some(found);
        }
        // A key may contain dots.
        let dots = reference.name.match_indices('.').take(MAX_DOTS_IN_NAME);
        let mut split = dots.filter_map(|(at, _)| reference.name.split_at_checked(at));
        split.find_map(|(id, key)| find(id, key.strip_prefix('.')?))
    }

    fn resolve_qualified(
        &mut self,
        qualified: QualifiedOutput,
        reference: &Reference,
        at: &str,
    ) -> Result<ResolvedName, Diagnostic> {
        let QualifiedOutput { node_index, output } = qualified;
        let workflow = self.workflow;
        let node = workflow.nodes.get(node_index);
        let found = node.and_then(|node| Some((node, node.outputs.get(output as usize)?)));
        let Some((node, port)) = found else { return Err(self.unknown_reference_of(reference)) };
        let name = qualified_name(&node.id, &port.key);
        if self.is_name(&name) {
            return Err(name_of_output(&name, node));
        }
        if let Some(warning) = self.hidden_name_warning(qualified, node, reference) {
            self.diagnostics.push(warning.at_pointer(at));
        }
        let write = OutputWrite { node: node_index as u32, output, optional: node.may_omit(port) };
        let stored = self.names.name_of(node_index, node, &port.key);
        let flat = node.written_name(&port.key);
        let is_only_writer = !workflow.inputs.contains_key(flat)
            && self.flat.get(flat).is_some_and(|accesses| accesses.writes.len() == 1);
        if stored != flat || is_only_writer {
            return Ok(ResolvedName::Unique(stored.clone(), write));
        }
        let own: Rc<str> = name.into();
        if let Some(wiring) = self.wiring.nodes.get_mut(node_index) {
            wiring.own_names.insert(port.key.clone(), own.clone());
        }
        Ok(ResolvedName::Unique(own, write))
    }

    /// Returns the warning for a key with the id of the node, unless the key holds the same value.
    fn hidden_name_warning(
        &self,
        qualified: QualifiedOutput,
        node: &Node,
        reference: &Reference,
    ) -> Option<Diagnostic> {
        let name = reference.name.as_str();
        let QualifiedOutput { node_index, output } = qualified;
        if !self.is_name(name) {
            return None;
        }
        let is_input = self.workflow.inputs.contains_key(name);
        let writes = self.flat.get(name).map_or(&[][..], |accesses| &accesses.writes);
        let is_same =
            |write: &OutputWrite| write.node as usize == node_index && write.output == output;
        if !is_input && !writes.is_empty() && writes.iter().all(is_same) {
            return None;
        }
        let key = node.outputs.get(output as usize).map_or("", |port| &*port.key);
        let message = format!(
            "{} reads the output {} of the node {}, not the value of the key {}",
            quote(&reference.text),
            quote(key),
            quote(name),
            quote(name)
        );
        let other = writes.iter().find(|write| write.node as usize != node_index);
        let writer = other.or(writes.first()).filter(|_| !is_input);
        let writer = writer.and_then(|write| {
            let other = self.workflow.nodes.get(write.node as usize)?;
            Some((other, other.outputs.get(write.output as usize)?))
        });
        let help = match writer {
            Some((other, port)) => format!(
                "write {} to read the key, or rename the node {}",
                quote(&format!("${{{}.{key}}}", qualified_name(&other.id, &port.key))),
                quote(name)
            ),
            None => format!("rename the node {} to read the key", quote(name)),
        };
        Some(Diagnostic::new(codes::NODE_ID_EQUALS_KEY, message).help(help))
    }

    fn resolve(&mut self, reference: &Reference) -> Result<ResolvedName, Diagnostic> {
        let name = reference.name.as_str();
        if let Some(write) = self.declared().unique.get(name) {
            return Ok(ResolvedName::Unique(name.into(), *write));
        }
        if self.is_flat(name) {
            return Ok(ResolvedName::Flat(name.into()));
        }
        Err(self.unknown_reference_of(reference))
    }

    /// Returns the error for a reference to an unknown output of a node, or to an unknown name.
    fn unknown_reference_of(&mut self, reference: &Reference) -> Diagnostic {
        let node_index = self.node_index(&reference.name);
        match node_index.and_then(|index| self.workflow.nodes.get(index)) {
            Some(node) => {
                let error = unknown_output(reference, &node.id, &mut || {
                    node.outputs.iter().map(|output| &*output.key)
                });
                match failure_help(reference, node) {
                    Some(help) => error.help(help),
                    None => error,
                }
            }
            None => self.unknown_reference(reference),
        }
    }

    /// Returns the reference for a path of another template language, without `${`: the first
    /// stored name or node, with the rest of the path. Returns `None` if the path contains no name
    /// of the workflow.
    pub fn correct_path(&self, path: &[&str]) -> Option<String> {
        let start =
            path.iter().position(|step| self.node_index(step).is_some() || self.is_name(step))?;
        let (name, rest) = (path.get(start)?, path.get(start + 1..)?);
        let Some(node_index) = self.node_index(name) else {
            return Some(path.get(start..)?.join("."));
        };
        let output = rest.iter().position(|step| self.output_index(node_index, step).is_some());
        if let Some(output) = output {
            return Some(format!("{name}.{}", rest.get(output..)?.join(".")));
        }
        if self.is_name(name) {
            return Some(path.get(start..)?.join("."));
        }
        let outputs = &self.workflow.nodes.get(node_index)?.outputs;
        let keys = || outputs.iter().map(|output| &*output.key);
        let closest = rest.iter().find_map(|step| names::closest(step, keys()));
        Some(qualified_name(name, closest.or_else(|| keys().next()).unwrap_or("output")))
    }
}

/// Returns what gives a node the output `error` or `errors`; `None` for other names.
fn failure_help(reference: &Reference, node: &Node) -> Option<String> {
    match (reference.path.first()?, &node.batch) {
        (PathStep::Key(key), _) if *key == *ERROR_ACTION => {
            Some(format!("add an edge from {} with the action `error`", quote(&node.id)))
        }
        (PathStep::Key(key), Some(_)) if *key == *"errors" => {
            Some("add `\"on_error\": \"continue\"` to the batch".to_owned())
        }
        _ => None,
    }
}

/// Returns the error for a key with the qualified name of an output.
fn name_of_output(name: &str, node: &Node) -> Diagnostic {
    let message =
        format!("{} is a key and also an output of the node {}", quote(name), quote(&node.id));
    Diagnostic::new(codes::KEY_EQUALS_QUALIFIED_NAME, message).help("rename the key, or the node")
}
