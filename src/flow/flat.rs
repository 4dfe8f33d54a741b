//! What the nodes of a workflow write and read in one flat store, the names as numbers: nodes of one
//! type share what they say of it, so that nearly nothing is looked up for each of them.

use super::lists::Lists;
use super::workflow::{Node, Port};
use crate::base::map::{Keyed, Numbers};
use std::rc::Rc;

/// Names of one flat store, and who writes and reads them.
#[derive(Debug, Default)]
pub(super) struct Flat {
    /// In the order in which they are first written, then in that in which they are first read.
    pub names: Keyed<()>,
    /// For each node, the numbers of the names that it writes, in the order of its outputs.
    pub writes: Lists,
    /// And of those that it reads, in the order of its inputs.
    pub reads: Lists,
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

    fn numbered(&mut self, nodes: &[Node], part: &Part) -> Lists {
        let mut lists = Lists::default();
        let mut known = Numbers::default();
        for node in nodes {
            let (ports, mappings) = part(node);
            let shared = Rc::as_ptr(ports) as usize as u64;
            let before = match mappings.is_empty() {
                true => known.insert(shared, lists.count() as u64),
                false => None,
            };
            if let Some(before) = before {
                lists.push_again(before as u32);
                known.insert(shared, before);
                continue;
            }
            let names = ports.iter().map(|port| mappings.get(&port.key).unwrap_or(&port.key));
            lists.push(names.map(|name| self.number(name)));
        }
        lists
    }

    /// The number of a name, which is the next one if it is new.
    pub fn number(&mut self, name: &Rc<str>) -> u32 {
        let place = self.names.find(name).unwrap_or_else(|| {
            self.names.push(name.clone(), ());
            self.names.len() - 1
        });
        place as u32
    }
}

/// What nodes write or read, with the names that they do so under.
type Part = dyn Fn(&Node) -> (&Rc<Vec<Port>>, &Keyed<Rc<str>>);
