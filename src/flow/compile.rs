//! Compilation of a workflow: reads, names, wires and orders it.

use super::codes;
use super::context::{TextBudget, names_from_context};
use super::control::{ControlFlowGraph, check_control_flow};
use super::early_starts::early_starts;
use super::generated::extract_generated_names;
use super::missing_params::missing_params;
use super::naming::{NamingOptions, OutputNames, PreviousNames};
use super::naming_cache::NamingCache;
use super::order::ExecutionOrder;
use super::outline::WorkflowOutline;
use super::reader;
use super::wait_graph::WaitGraph;
use super::wiring::{Wiring, wire};
use super::workflow::Workflow;
use crate::base::hash::sha256;
use crate::base::map::OrderedMap;
use crate::base::value::canonical_json;
use crate::base::{Diagnostic, Value};
use std::cell::OnceCell;
use std::rc::Rc;

/// Compiled workflow.
#[derive(Debug)]
pub struct Flow {
    pub workflow: Workflow,
    pub names: Rc<OutputNames>,
    pub wiring: Wiring,
    pub order: ExecutionOrder,
    /// Whether an undeclared output is an error.
    pub strict: bool,
    /// Graph for the waiting of nodes; computed by the first run.
    wait_graph: OnceCell<Option<WaitGraph>>,
}

/// Options of compiling a workflow: names of outputs, length of the context, strictness.
#[derive(Clone, Debug, Default)]
pub struct WorkflowCompileOptions {
    pub naming: NamingOptions,
    pub budget: TextBudget,
    pub strict: bool,
    /// Result of `buildContext` that the planner has seen.
    pub context: Option<Value>,
}

impl WorkflowCompileOptions {
    /// Reads `{prefix?, strategies?, budget?, strict?, context?}`.
    pub fn read(value: &Value) -> Result<WorkflowCompileOptions, Diagnostic> {
        let part = |key: &str| value.get(key).filter(|part| !part.is_null());
        let strict = part("strict").map(|strict| {
            strict.as_bool().ok_or_else(|| {
                Diagnostic::new(codes::INVALID_OPTION, "`strict` must be `true` or `false`")
                    .help("omit it for `false`")
                    .at_pointer("/strict")
            })
        });
        Ok(WorkflowCompileOptions {
            naming: NamingOptions::read(value)?,
            budget: TextBudget::read(part("budget"))?,
            strict: strict.transpose()?.unwrap_or_default(),
            context: part("context").cloned(),
        })
    }
}

/// Compiles a workflow; returns `None` with the diagnostics if there is an error.
pub fn compile(
    workflow: &Value,
    registry: &Value,
    options: &WorkflowCompileOptions,
    cache: &mut NamingCache,
) -> (Option<Flow>, Vec<Diagnostic>) {
    compile_outline(&WorkflowOutline::from_value(workflow), registry, options, cache)
}

/// Compiles a workflow from its outline.
pub fn compile_outline(
    outline: &Rc<WorkflowOutline>,
    registry: &Value,
    options: &WorkflowCompileOptions,
    cache: &mut NamingCache,
) -> (Option<Flow>, Vec<Diagnostic>) {
    let (workflow, mut diagnostics) = reader::read_outline(outline, registry);
    let Some(mut workflow) = workflow else { return (None, diagnostics) };
    extract_generated_names(&mut workflow, &options.naming);
    let mut previous = PreviousNames::from_workflow(&workflow);
    if let Some(context) = &options.context {
        let (names, found) = names_from_context(context, &workflow, &options.naming);
        previous = names;
        diagnostics.extend(found);
    }
    diagnostics.extend(missing_params(&workflow));
    let naming = cache.get_or_compute(&workflow, &options.naming, &previous);
    diagnostics.extend(naming.diagnostics.iter().cloned());
    let control = ControlFlowGraph::new(&workflow);
    diagnostics.extend(check_control_flow(&workflow, &control));
    let (wiring, found) = wire(&workflow, &control, &naming.names);
    diagnostics.extend(found);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    if workflow.chained {
        diagnostics.extend(early_starts(&workflow, &naming.names, &wiring));
    }
    let names = naming.names.clone();
    let named_reads = || named_reads(&workflow, &names, &wiring);
    let order = ExecutionOrder::new(&workflow, &control, &named_reads);
    let strict = options.strict;
    let wait_graph = OnceCell::new();
    (Some(Flow { workflow, names, wiring, order, strict, wait_graph }), diagnostics)
}

/// Returns the reads of names that belong to one output: pairs of reader and writer, as node indices.
fn named_reads(workflow: &Workflow, names: &OutputNames, wiring: &Wiring) -> Vec<(usize, usize)> {
    let mut owners = OrderedMap::default();
    let mut ids = OrderedMap::default();
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        ids.insert(node.id.clone(), node_index);
        for output in node.outputs.iter() {
            let stored = names.name_of(node_index, node, &output.key);
            if stored != node.written_name(&output.key) {
                owners.insert(stored.clone(), node_index);
            }
        }
    }
    let mut reads = Vec::new();
    for (node_index, (node, wiring_of_node)) in workflow.nodes.iter().zip(&wiring.nodes).enumerate()
    {
        for name in wiring_of_node.templates.keys().chain(node.input_mappings.values()) {
            let qualified = || ids.get(name.rsplit_once('.')?.0);
            let owner = owners.get(name).or_else(qualified);
            reads.extend(owner.map(|owner| (node_index, *owner)));
        }
    }
    reads
}

impl Flow {
    /// Returns the graph for the waiting of nodes; `None` if the order of the workflow needs a search.
    pub fn wait_graph(&self) -> Option<&WaitGraph> {
        let compute = || WaitGraph::new(&self.order, &self.workflow.starts);
        self.wait_graph.get_or_init(compute).as_ref()
    }

    /// Returns a hash of the workflow and its wiring.
    pub fn fingerprint(&self) -> String {
        sha256(&canonical_json(&self.to_value()))
    }
}
