//! Results of an earlier run.

use super::call::NodeResult;
use crate::base::Value;
use crate::base::map::{IntMap, pair};
use crate::flow::compile::Flow;
use std::rc::Rc;

/// Steps of an earlier run, by node and iteration.
#[derive(Debug, Default)]
pub struct PreviousRun {
    /// Index of the step of each node and iteration.
    pub indices: IntMap,
    /// Steps with their secrets restored.
    pub steps: Vec<Value>,
    /// Steps as in the trace, with markers for secrets.
    pub marked: Vec<Value>,
    /// Names of the inputs from the trace, which hides secrets in them.
    pub inputs: Vec<Rc<str>>,
    /// Names of the secret inputs that this run has not got.
    pub withheld: Vec<Rc<str>>,
}

/// Finished step of an earlier run.
pub struct PreviousStep {
    pub result: NodeResult,
    pub attempts: usize,
    pub started: String,
    pub ended: String,
}

impl PreviousRun {
    /// Returns a step, or `None` if it did not run or its node has another type now.
    fn find(&self, flow: &Flow, node_index: usize, iteration: usize) -> Option<&Value> {
        let index = self.indices.get(&pair(node_index as u32, iteration as u32))?;
        let step = self.steps.get(*index as usize)?;
        let kind = step.get("type").and_then(Value::as_text)?;
        let node = flow.workflow.nodes.get(node_index)?;
        (*node.kind == *kind).then_some(step)
    }

    /// Returns a step if it has finished.
    pub fn finished_step(
        &self,
        flow: &Flow,
        node_index: usize,
        iteration: usize,
    ) -> Option<PreviousStep> {
        let step = self.find(flow, node_index, iteration)?;
        let text =
            |key: &str| step.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        if text("status") != "finished" {
            return None;
        }
        Some(PreviousStep {
            result: result_of(step)?,
            attempts: step.get("attempts").and_then(Value::as_number).unwrap_or(1.0) as usize,
            started: text("started_at"),
            ended: text("finished_at"),
        })
    }

    /// Returns the result of one batch item of a step that has not finished.
    pub fn item_result(
        &self,
        flow: &Flow,
        node_index: usize,
        iteration: usize,
        item: usize,
    ) -> Option<NodeResult> {
        let items = self.find(flow, node_index, iteration)?.get("items")?.as_list()?;
        result_of(items.get(item)?)
    }
}

fn result_of(value: &Value) -> Option<NodeResult> {
    let outputs = value.get("outputs")?.as_map()?.clone();
    Some(NodeResult { outputs, action: value.get("action")?.as_text()?.to_owned() })
}
