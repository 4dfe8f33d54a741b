//! Counts skipped elements, so that none is dropped silently.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, names};
use crate::gasl::import::codes;

/// Skipped elements by name.
#[derive(Default)]
pub struct SkippedElements {
    kinds: Vec<SkippedKind>,
    /// Index of the kind of the current skipped element.
    current: usize,
}

/// Skipped elements of one name.
struct SkippedKind {
    name: String,
    count: usize,
    first: Span,
    /// Ids of the first elements that contain them.
    parents: Vec<String>,
    /// Nodes and edges inside.
    nodes: usize,
    edges: usize,
}

/// Maximum number of names; further elements are counted together.
const MAX_ELEMENT_NAMES: usize = 20;

/// Maximum number of listed parents.
const MAX_LISTED_PARENTS: usize = 3;

impl SkippedElements {
    /// Counts a skipped part, described as in `<port>`, inside the element with an id.
    pub fn add(&mut self, name: &str, parent: Option<&str>, at: Span) {
        let known = self.kinds.iter().position(|kind| kind.name == name);
        self.current = match known {
            Some(index) => index,
            None if self.kinds.len() > MAX_ELEMENT_NAMES => MAX_ELEMENT_NAMES,
            None => {
                let is_last = self.kinds.len() == MAX_ELEMENT_NAMES;
                self.kinds.push(SkippedKind {
                    name: if is_last { "other elements".into() } else { name.into() },
                    count: 0,
                    first: at,
                    parents: Vec::new(),
                    nodes: 0,
                    edges: 0,
                });
                self.kinds.len() - 1
            }
        };
        let Some(kind) = self.kinds.get_mut(self.current) else { return };
        kind.count += 1;
        if let Some(parent) = parent.filter(|_| kind.parents.len() < MAX_LISTED_PARENTS)
            && kind.parents.last().is_none_or(|last| last != parent)
        {
            kind.parents.push(parent.to_owned());
        }
    }

    /// Counts an element inside the current skipped one.
    pub fn add_inner(&mut self, name: &[u8]) {
        let Some(kind) = self.kinds.get_mut(self.current) else { return };
        match name {
            b"node" => kind.nodes += 1,
            b"edge" => kind.edges += 1,
            _ => {}
        }
    }

    /// Returns a warning for each name.
    pub fn finish(self) -> impl Iterator<Item = Diagnostic> {
        self.kinds.into_iter().map(|kind| {
            let mut message = match kind.count {
                1 => format!("{} was skipped", quote(&kind.name)),
                count => format!("{count} {} were skipped", quote(&kind.name)),
            };
            if !kind.parents.is_empty() {
                message += &format!(
                    ", first in {}",
                    names::format_names(kind.parents.iter().map(|id| &**id))
                );
            }
            if kind.nodes + kind.edges > 0 {
                message += &format!(
                    ", with {} and {}",
                    names::count_of(kind.nodes, "node"),
                    names::count_of(kind.edges, "edge")
                );
            }
            Diagnostic::new(codes::SKIPPED_ELEMENT, message)
                .help(help_of(&kind.name))
                .at(kind.first)
        })
    }
}

fn help_of(name: &str) -> &'static str {
    match name {
        "<port>" => "write the data of a port as data of its node; edges lead to the node",
        "<hyperedge>" => "write a hyperedge as a node, with an edge to each of its ends",
        "<graph>" => "import one `<graph>` at a time, or write all nodes and edges in one",
        "text" => "write text in `<data>`, inside of one root element",
        _ => "write `<node>` and `<edge>` in the graph, and their values as attributes",
    }
}
