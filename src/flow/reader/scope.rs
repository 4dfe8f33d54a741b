//! Scopes: nodes of merged workflows, each with its own part of the store.

use super::{NodeIds, ScopedPorts, WorkflowReader};
use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::flow::workflow::{Port, scoped_name};
use std::rc::Rc;

/// Maximum number of cached types.
const CACHE_SIZE: usize = 16;

impl WorkflowReader<'_> {
    /// Returns the names of all keys of a node in the store; nodes of one type and scope share them.
    pub(super) fn store_keys(
        &mut self,
        scope: &Rc<str>,
        inputs: &Rc<Vec<Port>>,
        outputs: &Rc<Vec<Port>>,
    ) -> Rc<OrderedMap<Rc<str>>> {
        let is_same = |cached: &&ScopedPorts| {
            let [reads, writes] = &cached.ports;
            cached.scope == *scope && Rc::ptr_eq(reads, inputs) && Rc::ptr_eq(writes, outputs)
        };
        if let Some(cached) = self.store_keys.iter().find(is_same) {
            return cached.store_keys.clone();
        }
        let ports = inputs.iter().chain(outputs.iter());
        let names = ports.map(|port| (port.key.clone(), scoped_name(scope, &port.key).into()));
        let store_keys: Rc<OrderedMap<Rc<str>>> = Rc::new(names.collect());
        if self.store_keys.len() >= CACHE_SIZE {
            self.store_keys.clear();
        }
        self.store_keys.push(ScopedPorts {
            scope: scope.clone(),
            ports: [inputs.clone(), outputs.clone()],
            store_keys: store_keys.clone(),
        });
        store_keys
    }

    /// Returns the nodes that a list of ids names, in their order.
    pub(super) fn read_starts(&mut self, list: &[Value], ids: &NodeIds<'_>) -> Vec<usize> {
        let mut starts = Vec::new();
        for (index, id) in list.iter().enumerate() {
            let at = format_args!("/start_node/{index}");
            match id.as_text() {
                Some(id) => starts.extend(self.node_index(id, &at, ids)),
                None => self.report_invalid(&at, "expected a node id", "write the id of a node"),
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }
}
