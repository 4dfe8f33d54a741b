//! Compressed sparse row (CSR) lists and depth-first search over them.

use std::ops::Range;

/// Marks a missing index.
pub(super) const NONE: u32 = u32::MAX;

/// Returns the item at an index, or [`NONE`] outside of the slice.
#[inline(always)]
pub(super) fn item_or_none(list: &[u32], index: u32) -> u32 {
    list.get(index as usize).copied().unwrap_or(NONE)
}

/// Sets the item at an index; does nothing outside of the slice.
#[inline(always)]
pub(super) fn set_item(list: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = list.get_mut(index as usize) {
        *slot = value;
    }
}

/// Adds to the item at an index, wrapping; does nothing outside of the slice.
#[inline(always)]
pub(super) fn add_to_item(list: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = list.get_mut(index as usize) {
        *slot = slot.wrapping_add(value);
    }
}

/// Producer of `(list, item)` pairs; called twice, with the same pairs.
type PairProducer<'a> = dyn Fn(&mut dyn FnMut(u32, u32)) + 'a;

/// Lists of indices in one array, as compressed sparse rows.
#[derive(Clone, Debug, Default)]
pub(super) struct CsrLists {
    /// Start of each list in `items`, then the end of the last list.
    bounds: Vec<u32>,
    items: Vec<u32>,
}

impl CsrLists {
    /// Builds `count` lists; each keeps the order of its pairs.
    pub fn new(count: usize, pairs: &PairProducer<'_>) -> CsrLists {
        let mut bounds = vec![0u32; count + 2];
        let mut total = 0;
        pairs(&mut |list, _| {
            add_to_item(&mut bounds, list.wrapping_add(2), 1);
            total += 1;
        });
        let mut start = 0;
        for bound in &mut bounds {
            start += *bound;
            *bound = start;
        }
        // For now `bounds[list + 1]` is the start of a list; each insertion moves it towards the end.
        let mut items = vec![0u32; total];
        pairs(&mut |list, item| {
            let end = item_or_none(&bounds, list.wrapping_add(1));
            set_item(&mut items, end, item);
            add_to_item(&mut bounds, list.wrapping_add(1), 1);
        });
        bounds.pop();
        CsrLists { bounds, items }
    }

    /// Appends a list.
    pub fn push(&mut self, items: impl Iterator<Item = u32>) {
        if self.bounds.is_empty() {
            self.bounds.push(0);
        }
        self.items.extend(items);
        self.bounds.push(self.items.len() as u32);
    }

    /// Returns the number of lists.
    pub fn list_count(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// Returns the range of a list in the array of all items; empty for an unknown list.
    #[inline(always)]
    pub fn range(&self, list: u32) -> Range<usize> {
        let index = list as usize;
        match self.bounds.get(index..index.wrapping_add(2)) {
            Some([start, end]) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// Returns a list; empty for an unknown one.
    #[inline(always)]
    pub fn list(&self, list: u32) -> &[u32] {
        self.items.get(self.range(list)).unwrap_or_default()
    }
}

/// Result of a depth-first search.
#[derive(Clone, Debug, Default)]
pub(super) struct DepthFirstSearch {
    /// Reached vertices in preorder.
    pub order: Vec<u32>,
    /// Parent of each vertex in the search tree.
    pub parent: Vec<u32>,
    /// Preorder index of each vertex.
    pub preorder: Vec<u32>,
    /// Preorder index after the last descendant of each vertex.
    pub subtree_end: Vec<u32>,
    /// Postorder index of each vertex; its reverse is a topological order of an acyclic graph.
    pub postorder: Vec<u32>,
}

impl DepthFirstSearch {
    /// Searches from `root` along the successors.
    pub fn new(root: u32, successors: &CsrLists) -> DepthFirstSearch {
        let none = || vec![NONE; successors.list_count()];
        let mut search = DepthFirstSearch {
            order: Vec::new(),
            parent: none(),
            preorder: none(),
            subtree_end: none(),
            postorder: none(),
        };
        // Vertices on the current path, each with the index of its next successor.
        let mut path: Vec<(u32, u32)> = Vec::new();
        let mut postorder = 0;
        search.enter(root, &mut path);
        while let Some((vertex, next)) = path.last_mut() {
            let vertex = *vertex;
            let successor = successors.list(vertex).get(*next as usize).copied();
            *next += 1;
            match successor {
                Some(successor) if item_or_none(&search.preorder, successor) == NONE => {
                    set_item(&mut search.parent, successor, vertex);
                    search.enter(successor, &mut path);
                }
                Some(_) => {}
                None => {
                    set_item(&mut search.subtree_end, vertex, search.order.len() as u32);
                    set_item(&mut search.postorder, vertex, postorder);
                    postorder += 1;
                    path.pop();
                }
            }
        }
        search
    }

    fn enter(&mut self, vertex: u32, path: &mut Vec<(u32, u32)>) {
        set_item(&mut self.preorder, vertex, self.order.len() as u32);
        self.order.push(vertex);
        path.push((vertex, 0));
    }

    /// Returns whether `ancestor` is `vertex` or above it in the search tree.
    pub fn is_ancestor(&self, ancestor: u32, vertex: u32) -> bool {
        let index = item_or_none(&self.preorder, vertex);
        index != NONE
            && item_or_none(&self.preorder, ancestor) <= index
            && index < item_or_none(&self.subtree_end, ancestor)
    }
}
