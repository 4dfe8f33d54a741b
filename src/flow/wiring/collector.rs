//! Collects the writes and reads of each name of the flat store: outputs, inputs, and references in
//! templates.

use super::accesses::{NameAccesses, NameRead, OutputWrite, ReadSite, Wiring};
use super::foreign::warn_foreign_templates;
use super::texts::{DOLLAR, each_text, path_text};
use super::unprefixed::{unprefixed_name, warn_braced_names};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::{IntMap, OrderedMap};
use crate::base::template::{Reference, Template, TemplatePart};
use crate::base::{Diagnostic, Value, names};
use crate::flow::control::ControlFlowGraph;
use crate::flow::naming::OutputNames;
use crate::flow::store_names::StoreNames;
use crate::flow::workflow::{Batch, Node, Workflow};
use std::cell::OnceCell;
use std::fmt::Display;
use std::rc::Rc;

/// Collects the accesses to the names of the flat store, and connects the reads of names that belong to one
/// output. Also returns those of the latter that their writer does not dominate, by name.
pub fn collect_accesses(
    workflow: &Workflow,
    control: &ControlFlowGraph,
    names: &OutputNames,
    wiring: &mut Wiring,
    diagnostics: &mut Vec<Diagnostic>,
) -> (OrderedMap<NameAccesses>, OrderedMap<NameAccesses>) {
    let store_names = StoreNames::new(&workflow.nodes);
    let flat = store_names.names.keys().map(|name| (name.clone(), NameAccesses::default()));
    let mut collector = AccessCollector {
        workflow,
        control,
        undominated: OrderedMap::default(),
        names,
        flat: flat.collect(),
        declared: OnceCell::new(),
        sorted_names: None,
        unknown_count: 0,
        text_count: 0,
        wiring,
        diagnostics,
    };
    collector.add_writes(&store_names);
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        if !control.is_reachable(node_index) {
            // The author's mappings are kept.
            for (key, name) in &node.input_mappings {
                let site = ReadSite::Input(node_index, key.clone());
                site.connect(collector.wiring, name.clone());
            }
            continue;
        }
        for (input, name) in node.inputs.iter().zip(store_names.reads.list_of_node_at(node_index)) {
            collector.add_input(node_index, node, &input.key, *name);
            if !input.optional && !node.has_value_for(&input.key) {
                collector.expect_input(node.read_name(&input.key), node_index);
            }
        }
        let own: Vec<&str> = node.batch.iter().flat_map(Batch::names).map(|name| &**name).collect();
        let site = &|name: &str, text| ReadSite::Template(node_index, name.into(), text);
        collector.text_count = 0;
        let params = format_args!("/nodes/{node_index}/params");
        if let Some(value) = node.params.templates() {
            collector.add_templates(value, &params, node_index, &own, site);
            collector.warn_foreign(value, &params, &own);
        }
        if let Some(batch) = &node.batch {
            let items = format_args!("/nodes/{node_index}/batch/items");
            collector.add_templates(&batch.items, &items, node_index, &[], site);
            collector.warn_unprefixed(&batch.items, &items);
        }
    }
    for (output, source) in &workflow.outputs {
        let site = &|name: &str, _| ReadSite::Output(output.clone(), name.into());
        let at = format!("/outputs/{}", escape_pointer_step(output));
        let start = collector.diagnostics.len();
        collector.add_templates(source, &at, control.exit(), &[], site);
        collector.warn_unprefixed(source, &at);
        if !has_source(workflow, output)
            && collector.diagnostics.len() > start
            && collector.output_of_generated_name(output).is_none()
        {
            let suggestion =
                names::suggestion_help(output, &collector.sorted_names().collect::<Vec<_>>());
            let help =
                format!("write the `source` of the output, as in `\"${{name}}\"`: {suggestion}");
            if let Some(first) = collector.diagnostics.get_mut(start) {
                first.help = Some(help);
            }
        }
    }
    for (name, input) in workflow.inputs.iter().filter(|(_, input)| !input.secret) {
        if let Some(default) = &input.default {
            collector.warn_default(name, default);
        }
    }
    (collector.flat, collector.undominated)
}

/// Returns whether the author wrote a source for an output of the workflow.
fn has_source(workflow: &Workflow, output: &str) -> bool {
    let outputs = workflow.outline.as_ref().and_then(|outline| outline.other_keys.get("outputs"));
    outputs.and_then(|outputs| outputs.get(output)).is_some_and(|output| {
        let source = output.get("source").is_some_and(|source| !source.is_null());
        source || output.as_text().is_some()
    })
}

pub(super) struct AccessCollector<'a> {
    pub workflow: &'a Workflow,
    pub control: &'a ControlFlowGraph,
    /// Reads of unique names that the writer does not dominate.
    pub undominated: OrderedMap<NameAccesses>,
    pub names: &'a OutputNames,
    /// Accesses by name of the flat store.
    pub flat: OrderedMap<NameAccesses>,
    /// Computed on first use.
    declared: OnceCell<DeclaredNames>,
    /// All names, sorted; computed on first use.
    pub sorted_names: Option<Vec<String>>,
    /// Number of unknown names so far.
    pub unknown_count: usize,
    /// Number of texts of the current node so far.
    text_count: u32,
    pub wiring: &'a mut Wiring,
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

/// Names outside of the flat store.
pub(super) struct DeclaredNames {
    /// Stored names that belong to one output.
    pub unique: OrderedMap<OutputWrite>,
    /// Node indices by id.
    node_indices: OrderedMap<u32>,
    /// Index in `keys` of each long list of outputs, by its address.
    key_lists: IntMap,
    /// Output indices by key.
    keys: Vec<OrderedMap<u32>>,
}

/// Maximum number of outputs that are searched one by one.
const MAX_LINEAR_SEARCH: usize = 16;

impl DeclaredNames {
    fn new(workflow: &Workflow, names: &OutputNames) -> DeclaredNames {
        let mut unique = OrderedMap::default();
        let mut node_indices = OrderedMap::default();
        let (mut key_lists, mut keys) = (IntMap::default(), Vec::new());
        for (node_index, node) in workflow.nodes.iter().enumerate() {
            if node.outputs.len() > MAX_LINEAR_SEARCH {
                key_lists.entry(outputs_address(node)).or_insert_with(|| {
                    let each = (0u32..).zip(node.outputs.iter());
                    keys.push(each.map(|(index, port)| (port.key.clone(), index)).collect());
                    keys.len() as u64 - 1
                });
            }
            node_indices.insert(node.id.clone(), node_index as u32);
            for (output, port) in (0u32..).zip(node.outputs.iter()) {
                let stored = names.name_of(node_index, node, &port.key);
                if stored != node.written_name(&port.key) {
                    let optional = node.may_omit(port);
                    let node = node_index as u32;
                    let write = OutputWrite { node, output, optional };
                    unique.insert(stored.clone(), write);
                }
            }
        }
        DeclaredNames { unique, node_indices, key_lists, keys }
    }

    /// Returns the index of an output of a node.
    fn output_index(&self, node: &Node, key: &str) -> Option<u32> {
        if node.outputs.len() > MAX_LINEAR_SEARCH {
            let list = *self.key_lists.get(&outputs_address(node))?;
            return self.keys.get(list as usize)?.get(key).copied();
        }
        node.outputs.iter().position(|output| *output.key == *key).map(|index| index as u32)
    }
}

/// Returns the address of the outputs of a node; nodes of one type share them.
fn outputs_address(node: &Node) -> u64 {
    Rc::as_ptr(&node.outputs).addr() as u64
}

impl AccessCollector<'_> {
    fn add_writes(&mut self, store_names: &StoreNames) {
        for (node_index, node) in self.workflow.nodes.iter().enumerate() {
            let writes =
                (0u32..).zip(&**node.outputs).zip(store_names.writes.list_of_node_at(node_index));
            for ((output, port), name) in writes {
                if let Some((_, accesses)) = self.flat.get_index_mut(*name as usize) {
                    let (node, optional) = (node_index as u32, node.may_omit(port));
                    accesses.writes.push(OutputWrite { node, output, optional });
                }
            }
        }
        for input in self.workflow.inputs.keys() {
            self.flat.entry(input.clone()).or_default();
        }
    }

    pub fn declared(&self) -> &DeclaredNames {
        self.declared.get_or_init(|| DeclaredNames::new(self.workflow, self.names))
    }

    pub fn is_unique(&self, name: &str) -> bool {
        self.declared().unique.contains_key(name)
    }

    /// Returns the index of the node with an id.
    pub fn node_index(&self, id: &str) -> Option<usize> {
        self.declared().node_indices.get(id).map(|index| *index as usize)
    }

    /// Returns the index of an output of a node.
    pub fn output_index(&self, node_index: usize, key: &str) -> Option<u32> {
        self.declared().output_index(self.workflow.nodes.get(node_index)?, key)
    }

    /// Adds the read of an input. `flat` is the index of its name in the flat store.
    fn add_input(&mut self, node_index: usize, node: &Node, key: &Rc<str>, flat: u32) {
        let name = node.read_name(key);
        let is_mapped = node.input_mappings.contains_key(key);
        let is_supplied = node.has_value_for(key);
        let site = || ReadSite::Input(node_index, key.clone());
        if is_mapped && self.is_name(name) && (is_supplied || self.is_unique(name)) {
            // The author's mapping is kept, also if a param supplies the input.
            site().connect(self.wiring, name.clone());
        } else if is_mapped && !self.is_name(name) {
            let (id, key) = (escape_pointer_step(&node.id), escape_pointer_step(key));
            let error = self.unknown_source(name);
            self.diagnostics.push(error.at_pointer(format!("/mappings/{id}/input_mappings/{key}")));
        } else if !is_supplied && let Some((_, accesses)) = self.flat.get_index_mut(flat as usize) {
            accesses.reads.push(NameRead { vertex: node_index, site: site() });
        }
    }

    /// Records that a read expects the value of an input of the workflow, which no node writes.
    fn expect_input(&mut self, name: &str, vertex: usize) {
        if let Some((name, _)) = self.workflow.inputs.get_key_value(name)
            && self.flat.get(name).is_none_or(|accesses| accesses.writes.is_empty())
            && !self.wiring.read_inputs.contains_key(name)
        {
            self.wiring.read_inputs.insert(name.clone(), vertex);
        }
    }

    /// Adds the references in all texts of a value, except to the names that a batch defines (`own`).
    fn add_templates(
        &mut self,
        value: &Value,
        at: &dyn Display,
        vertex: usize,
        own: &[&str],
        site: &dyn Fn(&str, u32) -> ReadSite,
    ) {
        let mut seen = OrderedMap::default();
        each_text(value, at, DOLLAR, &mut |text, at| {
            let text_index = self.text_count;
            self.text_count += 1;
            let is_known = |name: &str| {
                own.contains(&name) || self.is_name(name) || self.node_index(name).is_some()
            };
            let (template, found) = Template::read(text, &is_known);
            self.diagnostics.extend(found.into_iter().map(|one| one.at_pointer(at)));
            for part in &template.parts {
                if let TemplatePart::Reference(reference) = part
                    && !own.contains(&reference.name.as_str())
                {
                    self.expect_input(&reference.name, vertex);
                }
            }
            for reference in template.references() {
                if own.contains(&reference.name.as_str()) {
                    self.warn_hidden_node(reference, at);
                    continue;
                }
                let site = |name: &str| site(name, text_index);
                self.add_reference(reference, at, vertex, &mut seen, &site);
            }
        });
    }

    /// Warns about names without a dollar in place of a template.
    fn warn_unprefixed(&mut self, value: &Value, at: &dyn Display) {
        if let Value::Text(text) = value
            && !text.contains(DOLLAR)
            && self.is_readable(text)
        {
            self.diagnostics.push(unprefixed_name(text, text, at));
        }
        self.warn_foreign(value, at, &[]);
    }

    /// Warns about templates in the syntax of another system.
    fn warn_foreign(&mut self, value: &Value, at: &dyn Display, own: &[&str]) {
        let is_item = |name: &str| name.split('.').next().is_some_and(|name| own.contains(&name));
        let is_known = |name: &str| is_item(name) || self.is_readable(name);
        let mut warnings = warn_braced_names(value, at, &is_known);
        warnings
            .extend(warn_foreign_templates(value, at, &is_known, &|path| self.correct_path(path)));
        self.diagnostics.append(&mut warnings);
    }

    /// Warns about templates in the default of an input, which is a fixed value.
    fn warn_default(&mut self, input: &str, default: &Value) {
        let at = format!("/inputs/{}/default", escape_pointer_step(input));
        let help = format!("write this text in the `params` that read {}", quote(input));
        let mut warnings = Vec::new();
        each_text(default, &at, DOLLAR, &mut |text, at| {
            let is_known = |name: &str| self.is_name(name) || self.node_index(name).is_some();
            let (template, _) = Template::read(text, &is_known);
            let mut references = template.references();
            if let Some(Reference { text, .. }) = references
                .find(|reference| self.is_readable(&path_text(reference).replace('[', ".")))
            {
                warnings.push(unprefixed_name(text, text, &at).help(&*help));
            }
        });
        self.diagnostics.append(&mut warnings);
    }

    /// Returns whether a text would be a reference with a dollar.
    pub fn is_readable(&self, text: &str) -> bool {
        let (first, rest) = text.split_once('.').unwrap_or((text, ""));
        let key = rest.split('.').next().unwrap_or_default();
        let has_key = |node_index: usize| self.output_index(node_index, key).is_some();
        self.is_name(text) || self.is_name(first) || self.node_index(first).is_some_and(has_key)
    }

    /// Returns whether a name is stored.
    pub fn is_name(&self, name: &str) -> bool {
        self.is_unique(name) || self.is_flat(name)
    }

    /// Returns whether the flat store has a name: an output or an input of the workflow.
    pub fn is_flat(&self, name: &str) -> bool {
        let is_written = |accesses: &NameAccesses| !accesses.writes.is_empty();
        self.flat.get(name).is_some_and(is_written) || self.workflow.inputs.contains_key(name)
    }
}
