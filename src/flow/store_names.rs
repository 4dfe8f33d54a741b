//! Names that nodes write and read in the flat store, interned. Nodes of one type share their ports, so
//! most nodes need no lookup.

use super::csr::CsrLists;
use super::workflow::{Node, Port};
use crate::base::map::OrderedMap;
use std::rc::Rc;

/// Interned names of the flat store, with the writers and readers.
#[derive(Debug, Default)]
pub(super) struct StoreNames {
    /// Written names in order of the first write, then the names that are only read.
    pub names: OrderedMap<()>,
    /// For each node the indices of the names that it writes, in the order of its outputs.
    pub writes: NodeLists,
    /// For each node the indices of the names that it reads, in the order of its inputs.
    pub reads: NodeLists,
}

/// One list per node; nodes of one type share a list.
#[derive(Debug, Default)]
pub(super) struct NodeLists {
    lists: CsrLists,
    /// List index of each node.
    list_of_node: Vec<u32>,
}

impl NodeLists {
    #[inline(always)]
    pub fn list_of_node_at(&self, node_index: usize) -> &[u32] {
        self.list_of_node.get(node_index).map_or(&[], |list| self.lists.list(*list))
    }
}

impl StoreNames {
    pub fn new(nodes: &[Node]) -> StoreNames {
        let mut store_names = StoreNames::default();
        let writes: &PortsOf = &|node| (&node.outputs, &node.output_mappings);
        let reads: &PortsOf = &|node| (&node.inputs, &node.input_mappings);
        store_names.writes = store_names.intern_ports(nodes, writes);
        store_names.reads = store_names.intern_ports(nodes, reads);
        store_names
    }

    fn intern_ports(&mut self, nodes: &[Node], ports_of: &PortsOf) -> NodeLists {
        let list_of_node = Vec::with_capacity(nodes.len());
        let mut result = NodeLists { lists: CsrLists::default(), list_of_node };
        let mut cache = PortCache::default();
        for node in nodes {
            let (ports, mappings) = ports_of(node);
            let is_shared = mappings.is_empty() && node.store_keys.is_none();
            let cached = cache.find(ports).filter(|_| is_shared);
            result.list_of_node.push(cached.unwrap_or(result.lists.list_count() as u32));
            if cached.is_some() {
                continue;
            }
            if is_shared {
                cache.insert(ports, result.lists.list_count() as u32);
            }
            let names = ports.iter().map(|port| {
                let key = &port.key;
                mappings.get(key).unwrap_or_else(|| node.store_key(key))
            });
            result.lists.push(names.map(|name| self.intern(name)));
        }
        result
    }

    fn intern(&mut self, name: &Rc<str>) -> u32 {
        let known = self.names.get_index_of(name);
        known.unwrap_or_else(|| self.names.insert_full(name.clone(), ()).0) as u32
    }
}

/// Selects the inputs or outputs of a node, with their mappings.
type PortsOf = dyn Fn(&Node) -> (&Rc<Vec<Port>>, &OrderedMap<Rc<str>>);

/// Cache by the identity of a port list.
#[derive(Default)]
pub(super) struct PortCache {
    entries: Vec<(Rc<Vec<Port>>, u32)>,
}

impl PortCache {
    /// Maximum number of cached port lists; most workflows have fewer node types.
    const CAPACITY: usize = 16;

    #[inline(always)]
    pub fn find(&self, ports: &Rc<Vec<Port>>) -> Option<u32> {
        let found = self.entries.iter().find(|(cached, _)| Rc::ptr_eq(cached, ports));
        found.map(|(_, value)| *value)
    }

    /// Caches a value, unless the cache is full.
    pub fn insert(&mut self, ports: &Rc<Vec<Port>>, value: u32) {
        if self.entries.len() < PortCache::CAPACITY {
            self.entries.push((ports.clone(), value));
        }
    }
}
