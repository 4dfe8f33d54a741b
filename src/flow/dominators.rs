//! Dominators by Lengauer and Tarjan (1979). petgraph's `simple_fast` is quadratic where each node of a
//! chain has an edge to one handler.

use super::csr::{CsrLists, DepthFirstSearch, NONE, item_or_none, set_item};

/// Dominator tree: the parent of a vertex is its immediate dominator.
#[derive(Clone, Debug, Default)]
pub(super) struct DominatorTree {
    parent: Vec<u32>,
    depth: Vec<u32>,
    /// Jump pointer of each vertex to an ancestor (Myers 1983): an ascent takes O(log depth) jumps.
    jump: Vec<u32>,
    /// Depth-first search of the tree itself.
    search: DepthFirstSearch,
}

impl DominatorTree {
    /// Computes the dominators of all vertices of a search.
    pub fn new(search: &DepthFirstSearch, predecessors: &CsrLists) -> DominatorTree {
        let parent = immediate_dominators(search, predecessors);
        let root = search.order.first().copied().unwrap_or_default();
        let search =
            if parent == search.parent { search.clone() } else { search_tree(root, &parent) };
        let mut depth = vec![0; parent.len()];
        let mut jump = vec![root; parent.len()];
        for vertex in search.order.iter().skip(1) {
            let above = item_or_none(&parent, *vertex);
            let far = item_or_none(&jump, above);
            let farther = item_or_none(&jump, far);
            let gap =
                |a: u32, b: u32| item_or_none(&depth, a).wrapping_sub(item_or_none(&depth, b));
            let equal = gap(above, far) == gap(far, farther);
            set_item(&mut jump, *vertex, if equal { farther } else { above });
            let own = item_or_none(&depth, above) + 1;
            set_item(&mut depth, *vertex, own);
        }
        DominatorTree { parent, depth, jump, search }
    }

    /// Returns the vertices in preorder.
    pub fn vertices_in_preorder(&self) -> &[u32] {
        &self.search.order
    }

    /// Returns whether the tree contains a vertex: whether it can be reached.
    pub fn contains(&self, vertex: u32) -> bool {
        item_or_none(&self.search.preorder, vertex) != NONE
    }

    pub fn parent(&self, vertex: u32) -> Option<u32> {
        Some(item_or_none(&self.parent, vertex)).filter(|parent| *parent != NONE)
    }

    pub fn depth(&self, vertex: u32) -> u32 {
        item_or_none(&self.depth, vertex)
    }

    /// Returns the preorder range of the subtree of a vertex, as start and end.
    pub fn preorder_range(&self, vertex: u32) -> (u32, u32) {
        (
            item_or_none(&self.search.preorder, vertex),
            item_or_none(&self.search.subtree_end, vertex),
        )
    }

    /// Returns whether every path to `vertex` includes `dominator`.
    pub fn dominates(&self, dominator: u32, vertex: u32) -> bool {
        self.search.is_ancestor(dominator, vertex)
    }

    pub fn nearest_common_dominator(&self, a: u32, b: u32) -> u32 {
        self.ascend(a, |vertex| self.dominates(vertex, b))
    }

    /// Returns the ancestor at a depth; the vertex itself if it is not deeper.
    pub fn ancestor_at_depth(&self, vertex: u32, depth: u32) -> u32 {
        self.ascend(vertex, |vertex| self.depth(vertex) <= depth)
    }

    /// Returns the child of `ancestor` that dominates its descendant `vertex`.
    pub fn child_towards(&self, ancestor: u32, vertex: u32) -> u32 {
        self.ancestor_at_depth(vertex, self.depth(ancestor) + 1)
    }

    /// Returns the first ancestor that satisfies a predicate which holds for all ancestors of such a vertex.
    fn ascend(&self, mut vertex: u32, is_enough: impl Fn(u32) -> bool) -> u32 {
        while !is_enough(vertex) {
            let Some(parent) = self.parent(vertex) else { return vertex };
            let far = item_or_none(&self.jump, vertex);
            vertex = if is_enough(far) { parent } else { far };
        }
        vertex
    }
}

fn search_tree(root: u32, parent: &[u32]) -> DepthFirstSearch {
    let children = CsrLists::new(parent.len(), &|put| {
        for (vertex, parent) in (0u32..).zip(parent).filter(|(_, parent)| **parent != NONE) {
            put(*parent, vertex);
        }
    });
    DepthFirstSearch::new(root, &children)
}

fn immediate_dominators(search: &DepthFirstSearch, predecessors: &CsrLists) -> Vec<u32> {
    // Without joins the search tree is the dominator tree.
    if search.order.iter().skip(1).all(|vertex| predecessors.list(*vertex).len() < 2) {
        return search.parent.clone();
    }
    let reached = search.order.len();
    // From here on vertices are preorder indices of the search.
    let preorder = |vertex: u32| item_or_none(&search.preorder, vertex);
    let label = (0..reached as u32).collect::<Vec<_>>();
    let mut forest = Forest { ancestor: vec![NONE; reached], label, path: Vec::new() };
    let mut semidominator: Vec<u32> = (0..reached as u32).collect();
    let mut dominator = vec![0u32; reached];
    // Buckets of the vertices with one semidominator, as linked lists.
    let mut bucket_head = vec![NONE; reached];
    let mut bucket_next = vec![NONE; reached];
    for (index, vertex) in search.order.iter().enumerate().skip(1).rev() {
        let index = index as u32;
        let parent = preorder(item_or_none(&search.parent, *vertex));
        let reached_from = predecessors.list(*vertex).iter().map(|from| preorder(*from));
        for from in reached_from.filter(|from| *from != NONE) {
            let candidate = item_or_none(&semidominator, forest.eval(from, &semidominator));
            if candidate < item_or_none(&semidominator, index) {
                set_item(&mut semidominator, index, candidate);
            }
        }
        let bucket = item_or_none(&semidominator, index);
        set_item(&mut bucket_next, index, item_or_none(&bucket_head, bucket));
        set_item(&mut bucket_head, bucket, index);
        set_item(&mut forest.ancestor, index, parent);
        let mut member = item_or_none(&bucket_head, parent);
        while member != NONE {
            let least = forest.eval(member, &semidominator);
            let is_lower =
                item_or_none(&semidominator, least) < item_or_none(&semidominator, member);
            set_item(&mut dominator, member, if is_lower { least } else { parent });
            member = item_or_none(&bucket_next, member);
        }
        set_item(&mut bucket_head, parent, NONE);
    }
    let mut parents = vec![NONE; search.parent.len()];
    for (index, vertex) in (0u32..).zip(&search.order).skip(1) {
        if item_or_none(&dominator, index) != item_or_none(&semidominator, index) {
            let further = item_or_none(&dominator, item_or_none(&dominator, index));
            set_item(&mut dominator, index, further);
        }
        set_item(
            &mut parents,
            *vertex,
            item_or_none(&search.order, item_or_none(&dominator, index)),
        );
    }
    parents
}

/// Forest of the processed vertices, with path compression.
struct Forest {
    ancestor: Vec<u32>,
    /// Vertex with the least semidominator on the compressed path.
    label: Vec<u32>,
    /// Scratch buffer of [`Forest::eval`].
    path: Vec<u32>,
}

impl Forest {
    /// Returns the vertex with the least semidominator between `vertex` and the root of its tree.
    fn eval(&mut self, vertex: u32, semidominator: &[u32]) -> u32 {
        let path = &mut self.path;
        path.clear();
        let mut current = vertex;
        while item_or_none(&self.ancestor, current) != NONE {
            path.push(current);
            current = item_or_none(&self.ancestor, current);
        }
        // The child of the root needs no compression.
        path.pop();
        while let Some(current) = path.pop() {
            let ancestor = item_or_none(&self.ancestor, current);
            let (own, above) =
                (item_or_none(&self.label, current), item_or_none(&self.label, ancestor));
            if item_or_none(semidominator, above) < item_or_none(semidominator, own) {
                set_item(&mut self.label, current, above);
            }
            let further = item_or_none(&self.ancestor, ancestor);
            set_item(&mut self.ancestor, current, further);
        }
        item_or_none(&self.label, vertex)
    }
}
