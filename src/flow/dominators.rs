//! Dominators by Lengauer and Tarjan (1979). petgraph's `simple_fast` is quadratic where each node of a
//! chain has an edge to one handler.

use super::csr::{CsrLists, DepthFirstSearch, NONE, at, set};

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
            let above = at(&parent, *vertex);
            let far = at(&jump, above);
            let farther = at(&jump, far);
            let gap = |a: u32, b: u32| at(&depth, a).wrapping_sub(at(&depth, b));
            let equal = gap(above, far) == gap(far, farther);
            set(&mut jump, *vertex, if equal { farther } else { above });
            let own = at(&depth, above) + 1;
            set(&mut depth, *vertex, own);
        }
        DominatorTree { parent, depth, jump, search }
    }

    /// Returns the vertices in preorder.
    pub fn order(&self) -> &[u32] {
        &self.search.order
    }

    /// Reports whether the tree contains a vertex: whether it can be reached.
    pub fn contains(&self, vertex: u32) -> bool {
        at(&self.search.preorder, vertex) != NONE
    }

    pub fn parent(&self, vertex: u32) -> Option<u32> {
        Some(at(&self.parent, vertex)).filter(|parent| *parent != NONE)
    }

    pub fn depth(&self, vertex: u32) -> u32 {
        at(&self.depth, vertex)
    }

    /// Returns the preorder range of the subtree of a vertex, as start and end.
    pub fn span(&self, vertex: u32) -> (u32, u32) {
        (at(&self.search.preorder, vertex), at(&self.search.subtree_end, vertex))
    }

    /// Reports whether every path to `vertex` includes `dominator`.
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
            let far = at(&self.jump, vertex);
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
    let preorder = |vertex: u32| at(&search.preorder, vertex);
    let label = (0..reached as u32).collect::<Vec<_>>();
    let mut forest = Forest { ancestor: vec![NONE; reached], label, path: Vec::new() };
    let mut semidominator: Vec<u32> = (0..reached as u32).collect();
    let mut dominator = vec![0u32; reached];
    // Buckets of the vertices with one semidominator, as linked lists.
    let mut bucket_head = vec![NONE; reached];
    let mut bucket_next = vec![NONE; reached];
    for (index, vertex) in search.order.iter().enumerate().skip(1).rev() {
        let index = index as u32;
        let parent = preorder(at(&search.parent, *vertex));
        let reached_from = predecessors.list(*vertex).iter().map(|from| preorder(*from));
        for from in reached_from.filter(|from| *from != NONE) {
            let candidate = at(&semidominator, forest.eval(from, &semidominator));
            if candidate < at(&semidominator, index) {
                set(&mut semidominator, index, candidate);
            }
        }
        let bucket = at(&semidominator, index);
        set(&mut bucket_next, index, at(&bucket_head, bucket));
        set(&mut bucket_head, bucket, index);
        set(&mut forest.ancestor, index, parent);
        let mut member = at(&bucket_head, parent);
        while member != NONE {
            let least = forest.eval(member, &semidominator);
            let is_lower = at(&semidominator, least) < at(&semidominator, member);
            set(&mut dominator, member, if is_lower { least } else { parent });
            member = at(&bucket_next, member);
        }
        set(&mut bucket_head, parent, NONE);
    }
    let mut parents = vec![NONE; search.parent.len()];
    for (index, vertex) in (0u32..).zip(&search.order).skip(1) {
        if at(&dominator, index) != at(&semidominator, index) {
            let further = at(&dominator, at(&dominator, index));
            set(&mut dominator, index, further);
        }
        set(&mut parents, *vertex, at(&search.order, at(&dominator, index)));
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
        while at(&self.ancestor, current) != NONE {
            path.push(current);
            current = at(&self.ancestor, current);
        }
        // The child of the root needs no compression.
        path.pop();
        while let Some(current) = path.pop() {
            let ancestor = at(&self.ancestor, current);
            let (own, above) = (at(&self.label, current), at(&self.label, ancestor));
            if at(semidominator, above) < at(semidominator, own) {
                set(&mut self.label, current, above);
            }
            let further = at(&self.ancestor, ancestor);
            set(&mut self.ancestor, current, further);
        }
        at(&self.label, vertex)
    }
}
