//! From a workflow as it is written to one that can run.

use super::analysis::Cache;
use super::codes;
use super::context::{Budget, stored};
use super::control::{Control, check};
use super::generated::take_generated;
use super::naming::{Names, Options, Reserved};
use super::order::Order;
use super::outline::Outline;
use super::reading;
use super::wiring::{Wiring, wire};
use super::workflow::Workflow;
use crate::base::hash::sha256;
use crate::base::map::OrderedMap;
use crate::base::value::canonical;
use crate::base::{Diagnostic, Value};
use std::rc::Rc;

/// A workflow that can run.
#[derive(Debug)]
pub struct Flow {
    pub workflow: Workflow,
    pub names: Rc<Names>,
    pub wiring: Wiring,
    pub order: Order,
    /// Whether an output that a node does not declare is an error.
    pub strict: bool,
}

/// How a workflow is mapped and compiled.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub naming: Options,
    pub budget: Budget,
    pub strict: bool,
    /// What the planner was shown.
    pub context: Option<Value>,
}

impl Settings {
    /// Reads `{prefix?, strategies?, budget?, strict?, context?}`.
    pub fn read(value: &Value) -> Result<Settings, Diagnostic> {
        let part = |key: &str| value.get(key).filter(|part| !part.is_null());
        let strict = part("strict").map(|strict| {
            strict.as_bool().ok_or_else(|| {
                Diagnostic::new(codes::BAD_OPTION, "`strict` is `true` or `false`")
                    .help("leave it out for `false`")
                    .at_pointer("/strict")
            })
        });
        Ok(Settings {
            naming: Options::read(value)?,
            budget: Budget::read(part("budget"))?,
            strict: strict.transpose()?.unwrap_or_default(),
            context: part("context").cloned(),
        })
    }
}

/// Compiles a workflow. There is none where there is an error.
pub fn compile(
    workflow: &Value,
    registry: &Value,
    settings: &Settings,
    cache: &mut Cache,
) -> (Option<Flow>, Vec<Diagnostic>) {
    compile_outline(&Outline::of(workflow), registry, settings, cache)
}

/// The same for a workflow whose text was looked over.
pub fn compile_outline(
    outline: &Rc<Outline>,
    registry: &Value,
    settings: &Settings,
    cache: &mut Cache,
) -> (Option<Flow>, Vec<Diagnostic>) {
    let (read, mut told) = reading::read_outline(outline, registry);
    let Some(mut workflow) = read else { return (None, told) };
    take_generated(&mut workflow, &settings.naming);
    let mut reserved = Reserved::of(&workflow);
    if let Some(context) = &settings.context {
        let (names, faults) = stored(context, &workflow, &settings.naming);
        reserved = names;
        told.extend(faults);
    }
    let analysis = cache.analyse(&workflow, &settings.naming, &reserved);
    told.extend(analysis.told.iter().cloned());
    let control = Control::new(&workflow);
    told.extend(check(&workflow, &control));
    let (wiring, faults) = wire(&workflow, &control, &analysis.names);
    told.extend(faults);
    if told.iter().any(Diagnostic::is_error) {
        return (None, told);
    }
    let names = analysis.names.clone();
    let named = || named_reads(&workflow, &names, &wiring);
    let order = Order::new(&workflow, &control, &named);
    let strict = settings.strict;
    (Some(Flow { workflow, names, wiring, order, strict }), told)
}

/// The reads that name one writer: who reads, and who writes.
fn named_reads(workflow: &Workflow, names: &Names, wiring: &Wiring) -> Vec<(usize, usize)> {
    let mut owners = OrderedMap::default();
    let mut ids = OrderedMap::default();
    for (place, node) in workflow.nodes.iter().enumerate() {
        ids.insert(node.id.clone(), place);
        for output in node.outputs.iter() {
            let stored = names.of(place, node, &output.key);
            if stored != node.writes(&output.key) {
                owners.insert(stored.clone(), place);
            }
        }
    }
    let mut found = Vec::new();
    for (place, (node, wired)) in workflow.nodes.iter().zip(&wiring.nodes).enumerate() {
        for name in wired.templates.keys().chain(node.input_mappings.values()) {
            // By a name of its own, or through the node.
            let through = || ids.get(name.rsplit_once('.')?.0);
            let owner = owners.get(name).or_else(through);
            found.extend(owner.map(|owner| (place, *owner)));
        }
    }
    found
}

impl Flow {
    /// A hash of the workflow and of what its nodes read and write.
    pub fn fingerprint(&self) -> String {
        sha256(&canonical(&self.to_value()))
    }
}
