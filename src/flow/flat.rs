//! What the nodes of a workflow write and read in one flat store, the names as numbers: nodes of one
//! type share what they say of it, so that nearly nothing is looked up for each of them.

use super::lists::Lists;
use super::workflow::{Node, Port};
use crate::base::map::OrderedMap;
use std::rc::Rc;

/// Names of one flat store, and who writes and reads them.
#[derive(Debug, Default)]
pub(super) struct Flat {
    /// In the order in which they are first written, then in that in which they are first read.
    pub names: OrderedMap<()>,
    /// For each node, the numbers of the names that it writes, in the order of its outputs.
    pub writes: Shared,
    /// And of those that it reads, in the order of its inputs.
    pub reads: Shared,
}

/// Lists of numbers, most of which are those of many nodes.
#[derive(Debug, Default)]
pub(super) struct Shared {
    lists: Lists,
    /// Which of the lists is that of each node.
    of: Vec<u32>,
}

impl Shared {
    /// The list of a node.
    #[inline(always)]
    pub fn of(&self, node: usize) -> &[u32] {
        self.of.get(node).map_or(&[], |list| self.lists.of(*list))
    }
}

impl Flat {
    pub fn new(nodes: &[Node]) -> Flat {
        let mut flat = Flat::default();
        let writes: &Part = &|node| (&node.outputs, &node.output_mappings);
        let reads: &Part = &|node| (&node.inputs, &node.input_mappings);
        flat.writes = flat.numbered(nodes, writes);
        flat.reads = flat.numbered(nodes, reads);
        flat
    }

    fn numbered(&mut self, nodes: &[Node], part: &Part) -> Shared {
        let mut shared = Shared { lists: Lists::default(), of: Vec::with_capacity(nodes.len()) };
        let mut known = Known::default();
        for node in nodes {
            let (ports, mappings) = part(node);
            let before = known.find(ports).filter(|_| mappings.is_empty());
            shared.of.push(before.unwrap_or(shared.lists.count() as u32));
            if before.is_some() {
                continue;
            }
            if mappings.is_empty() {
                known.put(ports, shared.lists.count() as u32);
            }
            let names = ports.iter().map(|port| mappings.get(&port.key).unwrap_or(&port.key));
            shared.lists.push(names.map(|name| self.number(name)));
        }
        shared
    }

    /// The number of a name, which is the next one if it is new.
    pub fn number(&mut self, name: &Rc<str>) -> u32 {
        let known = self.names.get_index_of(name);
        known.unwrap_or_else(|| self.names.insert_full(name.clone(), ()).0) as u32
    }
}

/// What nodes write or read, with the names that they do so under.
type Part = dyn Fn(&Node) -> (&Rc<Vec<Port>>, &OrderedMap<Rc<str>>);

/// What is known of the first ports that came by: nodes of one type share theirs, and mostly there
/// are few types.
#[derive(Default)]
pub(super) struct Known {
    entries: Vec<(Rc<Vec<Port>>, u32)>,
}

impl Known {
    /// So many are remembered.
    const MOST: usize = 16;

    #[inline(always)]
    pub fn find(&self, ports: &Rc<Vec<Port>>) -> Option<u32> {
        let found = self.entries.iter().find(|(known, _)| Rc::ptr_eq(known, ports));
        found.map(|(_, number)| *number)
    }

    pub fn put(&mut self, ports: &Rc<Vec<Port>>, number: u32) {
        if self.entries.len() < Known::MOST {
            self.entries.push((ports.clone(), number));
        }
    }
}
