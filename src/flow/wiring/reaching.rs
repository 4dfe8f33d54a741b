//! Reaching definitions of one name, computed sparsely as in SSA construction (Cytron et al. 1991).
//! Phis are placed at the iterated dominance frontier of the writers. A read sees the nearest
//! definition above it in the dominator tree.

use super::join_order::JoinOrder;
use crate::base::map::{IntMap, pack_pair};
use crate::flow::concurrency::ConcurrencyAnalysis;
use crate::flow::control::ControlFlowGraph;
use crate::flow::csr::NONE;
use crate::flow::dominance_frontier::DominanceFrontier;
use crate::flow::dominators::DominatorTree;

/// Reaching-definitions analysis of a workflow, queried for one name at a time.
pub struct ReachingDefinitions<'a> {
    control: &'a ControlFlowGraph,
    frontier: DominanceFrontier,
    /// `None` if nothing runs concurrently.
    concurrency: Option<ConcurrencyAnalysis<'a>>,
    join_orders: Vec<JoinOrder>,
    /// Index of the join order of a vertex.
    join_order_of: IntMap,
}

/// Node that writes the name.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    pub vertex: u32,
    /// Whether it may keep the previous value.
    pub optional: bool,
}

/// Writers and reads of one name.
#[derive(Clone, Copy)]
pub struct ReachingQuery<'a> {
    /// Whether the name has a value at the start.
    pub is_input: bool,
    pub writers: &'a [Writer],
    /// Vertices of the reads.
    pub reads: &'a [u32],
}

/// Writers that a read may see, as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOrigin {
    /// No writer on any path: only the value at the start, if any.
    NoWriter,
    /// One writer, or no value.
    One(usize),
    /// Several writers, or one and the value at the start.
    Several,
    /// The writer may run concurrently with the read.
    Concurrent(usize),
    /// Either of two concurrent writers may be last.
    Unordered(usize, usize),
    /// The writer is in an overlapping loop.
    OverlappingLoop(usize),
}

impl<'a> ReachingDefinitions<'a> {
    pub fn new(control: &'a ControlFlowGraph) -> ReachingDefinitions<'a> {
        ReachingDefinitions {
            control,
            frontier: DominanceFrontier::new(control),
            concurrency: ConcurrencyAnalysis::new(control),
            join_orders: Vec::new(),
            join_order_of: IntMap::default(),
        }
    }

    /// Returns the definitions at the ends of the predecessors of a join, in their order.
    fn operands(&mut self, join: u32, ranges: &DefinitionRanges) -> Vec<Definition> {
        let tree = &self.control.dominators;
        let predecessors = self.control.predecessors.list(join);
        let DefinitionRanges(starts) = ranges;
        // One search for each predecessor, or two for each range.
        if predecessors.len() <= starts.len().saturating_mul(4) {
            let operands = predecessors.iter().map(|from| ranges.at_end(tree, *from));
            return remove_duplicates(operands.collect::<Vec<_>>());
        }
        let next = self.join_orders.len() as u64;
        let index = *self.join_order_of.entry(u64::from(join)).or_insert(next);
        if index == next {
            self.join_orders.push(JoinOrder::new(tree, predecessors));
        }
        let Some(order) = self.join_orders.get(index as usize) else { return Vec::new() };
        let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([NONE]);
        let mut found: Vec<(u32, Definition)> = starts
            .iter()
            .zip(ends)
            .filter_map(|((start, definition), end)| {
                Some((order.first_between(*start, end)?, *definition))
            })
            .collect();
        found.sort_unstable_by_key(|(position, _)| *position);
        remove_duplicates(found.into_iter().map(|(_, definition)| definition).collect::<Vec<_>>())
    }

    /// Returns the origin of each read, and for each writer whether a read may see it as one of several.
    pub fn query(&mut self, query: ReachingQuery<'_>) -> (Vec<ReadOrigin>, Vec<bool>) {
        let mut solver = NameSolver { query, phis: Vec::new(), phi_of_subtree: IntMap::default() };
        let definitions = solver.definitions_of_reads(self);
        if let Some(concurrency) = &mut self.concurrency {
            solver.refine_unordered(concurrency);
        }
        let writers = solver.solve_fixpoint();
        let mut origins: Vec<ReadOrigin> =
            definitions.iter().map(|definition| solver.origin(*definition, &writers)).collect();
        if let Some(concurrency) = &mut self.concurrency {
            solver.mark_races(concurrency, &mut origins);
        }
        let mut is_shared = vec![false; query.writers.len()];
        let mut visited = vec![false; solver.phis.len()];
        let of_several =
            definitions.iter().zip(&origins).filter(|(_, origin)| **origin == ReadOrigin::Several);
        for (definition, _) in of_several {
            solver.mark_writers(*definition, &mut is_shared, &mut visited);
        }
        (origins, is_shared)
    }
}

/// Writer that a read may see.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Index of the writer.
    pub writer: usize,
    /// Whether it runs before the read on every path.
    pub precedes: bool,
}

/// Maximum number of candidates of a read.
const MAX_CANDIDATES: usize = 64;

impl ReachingDefinitions<'_> {
    /// Returns the candidates of ambiguous reads, by the indices of the reads. The writer that runs
    /// before the read on every path is first, then those with a path to it, then concurrent ones.
    pub fn candidates(&mut self, query: ReachingQuery<'_>, reads: &[usize]) -> Vec<Vec<Candidate>> {
        let mut solver = NameSolver { query, phis: Vec::new(), phi_of_subtree: IntMap::default() };
        let definitions = solver.definitions_of_reads(self);
        let mut found = Vec::new();
        for read in reads {
            let (Some(definition), Some(vertex)) = (definitions.get(*read), query.reads.get(*read))
            else {
                continue;
            };
            let mut is_reaching = vec![false; query.writers.len()];
            let mut visited = vec![false; solver.phis.len()];
            solver.mark_writers(*definition, &mut is_reaching, &mut visited);
            found.push(self.ranked_candidates(query, *vertex, &is_reaching));
        }
        found
    }

    fn ranked_candidates(
        &mut self,
        query: ReachingQuery<'_>,
        reader: u32,
        is_reaching: &[bool],
    ) -> Vec<Candidate> {
        let tree = &self.control.dominators;
        let mut ranked = Vec::new();
        for (writer, Writer { vertex, .. }) in query.writers.iter().enumerate() {
            if ranked.len() >= MAX_CANDIDATES {
                break;
            }
            let concurrency = &mut self.concurrency;
            let is_concurrent = concurrency
                .as_mut()
                .is_some_and(|concurrency| concurrency.may_run_concurrently(*vertex, reader));
            let precedes = *vertex != reader && tree.dominates(*vertex, reader);
            if is_concurrent || is_reaching.get(writer) == Some(&true) {
                let depth = if precedes { tree.depth(*vertex) + 1 } else { 0 };
                let rank = (NONE - depth, is_concurrent);
                ranked.push((rank, Candidate { writer, precedes }));
            }
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, candidate)| candidate).collect::<Vec<_>>()
    }
}

pub struct NameSolver<'a> {
    pub query: ReachingQuery<'a>,
    pub phis: Vec<Phi>,
    /// Index of the phi of everything that is written below a vertex.
    pub phi_of_subtree: IntMap,
}

/// Definition of the name at a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Value at the start: an input of the workflow, or none.
    Entry,
    /// Index of a writer.
    Write(usize),
    /// Index of a phi.
    Phi(usize),
}

/// Merge of definitions: at a join of paths, or after a writer that may keep the previous value.
#[derive(Default)]
pub struct Phi {
    pub vertex: u32,
    pub operands: Vec<Definition>,
    /// Two operands from concurrent branches.
    pub unordered: Option<(Definition, Definition)>,
}

/// Lattice value: the writers of a definition. Later variants absorb earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriterSet {
    Empty,
    /// One writer, or `None` for the value at the start.
    One(Option<usize>),
    /// Several writers; contains one of them.
    Many(Option<usize>),
    Unordered(usize, usize),
}

/// Event of the walk down the dominator tree, with an index.
#[derive(Clone, Copy)]
enum TreeEvent {
    Phi(usize),
    Read(usize),
    Write(usize),
}

/// Current definition by preorder index of the dominator tree: each entry holds up to the next one.
struct DefinitionRanges(Vec<(u32, Definition)>);

impl DefinitionRanges {
    /// Returns the definition at the end of a vertex.
    fn at_end(&self, tree: &DominatorTree, vertex: u32) -> Definition {
        let DefinitionRanges(ranges) = self;
        let (start, _) = tree.preorder_range(vertex);
        let count = ranges.partition_point(|(index, _)| *index <= start);
        let last = ranges.get(..count).and_then(<[_]>::last);
        last.map_or(Definition::Entry, |(_, definition)| *definition)
    }
}

impl NameSolver<'_> {
    /// Returns the definition that each read sees.
    fn definitions_of_reads(&mut self, analysis: &mut ReachingDefinitions<'_>) -> Vec<Definition> {
        let control = analysis.control;
        let exit = control.exit() as u32;
        let writers: Vec<u32> = self.query.writers.iter().map(|writer| writer.vertex).collect();
        let mut joins = analysis.frontier.iterated(control, &writers);
        if self.query.reads.contains(&exit) && control.predecessors.list(exit).len() > 1 {
            joins.push(exit);
        }
        self.phis =
            joins.iter().map(|join| Phi { vertex: *join, ..Phi::default() }).collect::<Vec<_>>();
        let (reads, ranges) = self.walk_dominators(&control.dominators, &joins, &writers);
        self.fill_phis(analysis, &joins, &reads, &ranges);
        reads
    }

    /// Walks down the dominator tree along the vertices that read, write or merge the name. Returns the
    /// definition that each read sees, and the ranges of all definitions.
    fn walk_dominators(
        &mut self,
        tree: &DominatorTree,
        joins: &[u32],
        writers: &[u32],
    ) -> (Vec<Definition>, DefinitionRanges) {
        // The stable sort keeps this order at one vertex: merge, read, write.
        let mut events: Vec<(u32, TreeEvent)> = Vec::new();
        events.extend(joins.iter().enumerate().map(|(i, vertex)| (*vertex, TreeEvent::Phi(i))));
        let reads = self.query.reads.iter().enumerate();
        events.extend(reads.map(|(i, vertex)| (*vertex, TreeEvent::Read(i))));
        events.extend(writers.iter().enumerate().map(|(i, vertex)| (*vertex, TreeEvent::Write(i))));
        events.sort_by_key(|&(vertex, _)| tree.preorder_range(vertex).0);
        // Definitions above the current vertex, each with the end of its subtree.
        let mut stack: Vec<(u32, Definition)> = vec![(u32::MAX, Definition::Entry)];
        let mut reads = vec![Definition::Entry; self.query.reads.len()];
        let mut ranges = vec![(0, Definition::Entry)];
        let leave = |stack: &mut Vec<(u32, Definition)>, ranges: &mut Vec<_>, index: u32| {
            while let Some((end, _)) = stack.pop_if(|(end, _)| *end <= index) {
                ranges.push((end, top_definition(stack)));
            }
        };
        for (vertex, event) in events {
            let (start, end) = tree.preorder_range(vertex);
            leave(&mut stack, &mut ranges, start);
            let definition = match event {
                TreeEvent::Phi(index) => Definition::Phi(index),
                TreeEvent::Write(index) => self.definition_after(index, top_definition(&stack)),
                TreeEvent::Read(index) => {
                    set_item(&mut reads, index, top_definition(&stack));
                    continue;
                }
            };
            stack.push((end, definition));
            ranges.push((start, definition));
        }
        leave(&mut stack, &mut ranges, u32::MAX - 1);
        (reads, DefinitionRanges(ranges))
    }

    /// Sets the operands of the phis that reads depend on.
    fn fill_phis(
        &mut self,
        analysis: &mut ReachingDefinitions<'_>,
        joins: &[u32],
        reads: &[Definition],
        ranges: &DefinitionRanges,
    ) {
        let control = analysis.control;
        let definition = |vertex: u32| ranges.at_end(&control.dominators, vertex);
        let mut work = reads.to_vec();
        let mut visited = vec![false; self.phis.len()];
        while let Some(next) = work.pop() {
            let Definition::Phi(index) = next else { continue };
            if visited.get(index) == Some(&true) {
                continue;
            }
            visited.resize(self.phis.len(), false);
            set_item(&mut visited, index, true);
            if let Some(vertex) = joins.get(index).copied() {
                let operands = analysis.operands(vertex, ranges);
                let parent = control.dominators.parent(vertex);
                let base = parent.map_or(Definition::Entry, definition);
                let mut phi = Phi { vertex, operands, unordered: None };
                if let Some(concurrency) = &mut analysis.concurrency {
                    self.merge_branches(&mut phi, base, concurrency);
                }
                set_item(&mut self.phis, index, phi);
            }
            work.extend(self.phis.get(index).into_iter().flat_map(|phi| &phi.operands));
        }
    }

    /// Returns the definition after a writer; a new phi if the writer is optional.
    fn definition_after(&mut self, index: usize, before: Definition) -> Definition {
        let writer = self.query.writers.get(index);
        let Some(writer) = writer.filter(|writer| writer.optional) else {
            return Definition::Write(index);
        };
        let operands = vec![Definition::Write(index), before];
        self.phis.push(Phi { vertex: writer.vertex, operands, unordered: None });
        Definition::Phi(self.phis.len() - 1)
    }

    /// Returns the vertex of a definition; `None` for the value at the start.
    pub fn vertex_of(&self, definition: Definition) -> Option<u32> {
        match definition {
            Definition::Entry => None,
            Definition::Write(index) => Some(self.query.writers.get(index)?.vertex),
            Definition::Phi(index) => Some(self.phis.get(index)?.vertex),
        }
    }

    /// Returns the writers of each phi: the least fixpoint, found with a work list.
    fn solve_fixpoint(&self) -> Vec<WriterSet> {
        let mut writers = vec![WriterSet::Empty; self.phis.len()];
        let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); self.phis.len()];
        for (index, phi) in self.phis.iter().enumerate() {
            for operand in &phi.operands {
                if let Definition::Phi(source) = operand {
                    dependents.get_mut(*source).into_iter().for_each(|list| list.push(index));
                }
            }
        }
        // Each phi, and each operand of it that has changed. All operands are merged again only if the
        // change has an effect, so the work is proportional to their number.
        let mut work: Vec<(usize, Option<usize>)> =
            (0..self.phis.len()).rev().map(|index| (index, None)).collect();
        while let Some((index, changed)) = work.pop() {
            let Some((phi, old)) = self.phis.get(index).zip(writers.get(index).copied()) else {
                continue;
            };
            let unordered = phi.unordered.and_then(|(a, b)| {
                let writer = |definition| self.writers_of(definition, &writers).any_writer();
                Some(WriterSet::Unordered(writer(a)?, writer(b)?))
            });
            let changed = changed.map(|source| self.writers_of(Definition::Phi(source), &writers));
            let has_effect = changed.is_none_or(|set| old.union(set).rank() > old.rank());
            if !has_effect && unordered.is_none_or(|set| set.rank() <= old.rank()) {
                continue;
            }
            let operands = phi.operands.iter().map(|operand| self.writers_of(*operand, &writers));
            let merged = operands.fold(WriterSet::Empty, WriterSet::union);
            let merged = unordered.unwrap_or(merged);
            if merged.rank() > old.rank() {
                set_item(&mut writers, index, merged);
                let dependents = dependents.get(index).into_iter().flatten();
                work.extend(dependents.map(|dependent| (*dependent, Some(index))));
            }
        }
        writers
    }

    fn writers_of(&self, definition: Definition, of_phis: &[WriterSet]) -> WriterSet {
        match definition {
            Definition::Entry if self.query.is_input => WriterSet::One(None),
            Definition::Entry => WriterSet::Empty,
            Definition::Write(index) => WriterSet::One(Some(index)),
            Definition::Phi(index) => of_phis.get(index).copied().unwrap_or(WriterSet::Empty),
        }
    }

    fn origin(&self, definition: Definition, of_phis: &[WriterSet]) -> ReadOrigin {
        match self.writers_of(definition, of_phis) {
            WriterSet::Empty | WriterSet::One(None) => ReadOrigin::NoWriter,
            WriterSet::One(Some(writer)) => ReadOrigin::One(writer),
            WriterSet::Many(_) => ReadOrigin::Several,
            WriterSet::Unordered(a, b) => ReadOrigin::Unordered(a, b),
        }
    }

    /// Marks every writer that a definition may come from.
    fn mark_writers(&self, definition: Definition, marked: &mut [bool], visited: &mut [bool]) {
        let mut stack = vec![definition];
        while let Some(definition) = stack.pop() {
            match definition {
                Definition::Entry => {}
                Definition::Write(index) => set_item(marked, index, true),
                Definition::Phi(index) => {
                    if visited.get(index) == Some(&false) {
                        set_item(visited, index, true);
                        stack
                            .extend(self.phis.get(index).into_iter().flat_map(|phi| &phi.operands));
                    }
                }
            }
        }
    }
}

impl WriterSet {
    fn union(self, other: WriterSet) -> WriterSet {
        match (self, other) {
            (WriterSet::Empty, set) | (set, WriterSet::Empty) => set,
            (WriterSet::Unordered(a, b), _) | (_, WriterSet::Unordered(a, b)) => {
                WriterSet::Unordered(a, b)
            }
            (WriterSet::One(a), WriterSet::One(b)) if a == b => WriterSet::One(a),
            (a, b) => WriterSet::Many(a.any_writer().or(b.any_writer())),
        }
    }

    /// Returns one of the writers, or `None` if there is no writer.
    fn any_writer(self) -> Option<usize> {
        match self {
            WriterSet::Empty => None,
            WriterSet::One(writer) | WriterSet::Many(writer) => writer,
            WriterSet::Unordered(writer, _) => Some(writer),
        }
    }

    fn rank(self) -> u32 {
        match self {
            WriterSet::Empty => 0,
            WriterSet::One(_) => 1,
            WriterSet::Many(_) => 2,
            WriterSet::Unordered(..) => 3,
        }
    }
}

/// Sets the item at an index; does nothing outside of the slice.
pub fn set_item<T>(list: &mut [T], index: usize, value: T) {
    if let Some(slot) = list.get_mut(index) {
        *slot = value;
    }
}

fn top_definition(stack: &[(u32, Definition)]) -> Definition {
    stack.last().map_or(Definition::Entry, |(_, definition)| *definition)
}

/// Removes duplicates; keeps the order.
pub fn remove_duplicates(definitions: Vec<Definition>) -> Vec<Definition> {
    let mut seen = IntMap::default();
    let key = |definition: &Definition| match definition {
        Definition::Entry => 0,
        Definition::Write(index) => pack_pair(1, *index as u32),
        Definition::Phi(index) => pack_pair(2, *index as u32),
    };
    definitions
        .into_iter()
        .filter(|definition| seen.insert(key(definition), 0).is_none())
        .collect::<Vec<_>>()
}
