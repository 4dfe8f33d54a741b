//! Reads and writes of names, and the wiring that results from them.

use super::texts::node_texts;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::flow::workflow::Workflow;
use std::rc::Rc;

/// Names that the nodes and outputs of a workflow read and write in a store without accidental sharing.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    /// Wiring of each node.
    pub nodes: Vec<NodeWiring>,
    /// For each output of the workflow, the names in its template with the names that they are stored under.
    pub outputs: OrderedMap<OrderedMap<Rc<str>>>,
    /// Inputs of the workflow that are read without an alternative, each with the index of its
    /// first reader. The index is that of a node, or larger for an output of the workflow.
    pub read_inputs: OrderedMap<usize>,
}

/// Names that one node reads and writes, in addition to the stored names of its outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeWiring {
    /// Output keys with a second, flat name for reads that see several writers.
    pub output_aliases: OrderedMap<Rc<str>>,
    /// Output keys with the qualified name `node.key`, for reads through the id of the node where the
    /// stored name may hold the value of another node.
    pub own_names: OrderedMap<Rc<str>>,
    /// Input keys with the names that they are read from.
    pub input_mappings: OrderedMap<Rc<str>>,
    /// Names in templates with the names that they are read from; `node.key` for an output that
    /// is read through the id of its node.
    pub templates: OrderedMap<Rc<str>>,
}

/// Read of a name.
#[derive(Clone, Debug)]
pub(super) struct NameRead {
    /// Vertex of the control-flow graph.
    pub vertex: usize,
    pub site: ReadSite,
}

impl NameRead {
    /// Returns whether a missing value is suspicious; an input may have none.
    pub fn expects_value(&self) -> bool {
        !matches!(self.site, ReadSite::Input(..))
    }
}

#[derive(Clone, Debug)]
pub(super) enum ReadSite {
    /// Node index and input key.
    Input(usize, Rc<str>),
    /// Node index, name in a template, and index of the template among the texts of the node.
    Template(usize, Rc<str>, u32),
    /// Output of the workflow, and name in its template.
    Output(Rc<str>, Rc<str>),
}

/// Write of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputWrite {
    pub node: u32,
    /// Index of the output in its node.
    pub output: u32,
    pub optional: bool,
}

/// All accesses to one name of the flat store.
#[derive(Clone, Debug, Default)]
pub(super) struct NameAccesses {
    pub writes: Vec<OutputWrite>,
    pub reads: Vec<NameRead>,
}

impl ReadSite {
    /// Makes the site read from a stored name.
    pub fn connect(&self, wiring: &mut Wiring, stored: Rc<str>) {
        match self {
            ReadSite::Input(node, key) => {
                if stored != *key
                    && let Some(node) = wiring.nodes.get_mut(*node)
                {
                    node.input_mappings.insert(key.clone(), stored);
                }
            }
            ReadSite::Template(node, name, _) => {
                if let Some(node) = wiring.nodes.get_mut(*node) {
                    node.templates.insert(name.clone(), stored);
                }
            }
            ReadSite::Output(output, name) => {
                if let Some(templates) = wiring.outputs.get_mut(output) {
                    templates.insert(name.clone(), stored);
                }
            }
        }
    }

    /// Returns the JSON pointer of the site in the workflow.
    pub fn pointer(&self, workflow: &Workflow) -> String {
        match self {
            ReadSite::Input(node, _) => format!("/nodes/{node}"),
            ReadSite::Template(node_index, _, text) => {
                let mut remaining = *text;
                let mut pointer = format!("/nodes/{node_index}");
                let mut visit = |_: &str, at: &str| {
                    if remaining == 0 {
                        at.clone_into(&mut pointer);
                    }
                    remaining = remaining.wrapping_sub(1);
                };
                if let Some(node) = workflow.nodes.get(*node_index) {
                    node_texts(node, *node_index, &mut visit);
                }
                pointer
            }
            ReadSite::Output(output, _) => format!("/outputs/{}", escape_pointer_step(output)),
        }
    }
}
