//! Reaching definitions across concurrent branches: all branches run, not one, and their writes have no
//! order.

use super::reaching::{Definition, NameSolver, Phi, ReadOrigin, remove_duplicates, set_item};
use crate::base::map::IntMap;
use crate::flow::concurrency::ConcurrencyAnalysis;
use crate::flow::races::{Access, find_races};

/// Maximum number of ambiguous reads of one name.
const MAX_RACES: usize = 100;

impl NameSolver<'_> {
    /// Completes a phi at the join of concurrent branches. `base` is the definition above the branches.
    pub fn merge_branches(
        &mut self,
        phi: &mut Phi,
        base: Definition,
        concurrency: &mut ConcurrencyAnalysis<'_>,
    ) {
        let tree = &concurrency.control.dominators;
        let Some(dominator) = tree.parent(phi.vertex) else { return };
        if !concurrency.has_fork_below(dominator) {
            return;
        }
        if concurrency.all_branches_reach(phi.vertex) {
            if self.is_always_written(phi, base, concurrency) {
                phi.operands.retain(|operand| *operand != base);
            }
        } else {
            // A branch may have written and ended elsewhere.
            phi.operands.push(base);
            phi.operands.push(self.phi_below(dominator, concurrency));
            phi.operands = remove_duplicates(std::mem::take(&mut phi.operands));
        }
        let written = phi.operands.iter().copied().filter(|operand| *operand != base);
        phi.unordered = self.unordered_pair(&written.collect::<Vec<_>>(), concurrency);
    }

    /// Returns a phi of all writes below a vertex.
    fn phi_below(&mut self, vertex: u32, concurrency: &mut ConcurrencyAnalysis<'_>) -> Definition {
        if let Some(index) = self.phi_of_subtree.get(&u64::from(vertex)) {
            return Definition::Phi(*index as usize);
        }
        let tree = &concurrency.control.dominators;
        let writers = self.query.writers.iter().enumerate();
        let below = writers
            .filter(|(_, writer)| writer.vertex != vertex && tree.dominates(vertex, writer.vertex))
            .map(|(index, _)| Definition::Write(index));
        let operands: Vec<Definition> = below.collect();
        let unordered = self.unordered_pair(&operands, concurrency);
        let index = self.phis.len();
        self.phis.push(Phi { vertex, operands, unordered });
        self.phi_of_subtree.insert(u64::from(vertex), index as u64);
        Definition::Phi(index)
    }

    /// Returns two definitions from concurrent branches, or `None`.
    fn unordered_pair(
        &self,
        definitions: &[Definition],
        concurrency: &mut ConcurrencyAnalysis<'_>,
    ) -> Option<(Definition, Definition)> {
        let vertex = |definition: &Definition| self.vertex_of(*definition).unwrap_or(u32::MAX);
        let access = |definition| Access { vertex: vertex(definition), reads: true, writes: true };
        let accesses: Vec<Access> = definitions.iter().map(access).collect();
        let (a, b) = find_races(concurrency, &accesses, 1).first().copied()?;
        definitions.get(a).copied().zip(definitions.get(b).copied())
    }

    /// Checks the unordered pairs of small phis again. Two phis may be concurrent although no
    /// writer of one runs concurrently with a writer of the other.
    pub fn refine_unordered(&mut self, concurrency: &mut ConcurrencyAnalysis<'_>) {
        const MAX_OPERANDS: usize = 8;
        for index in 0..self.phis.len() {
            let Some(phi) = self.phis.get(index) else { continue };
            let operands = &phi.operands;
            if phi.unordered.is_none() || operands.len() > MAX_OPERANDS {
                continue;
            }
            let mut pairs = operands
                .iter()
                .enumerate()
                .flat_map(|(i, a)| operands.iter().skip(i + 1).map(|b| (*a, *b)));
            let found = pairs.find(|(a, b)| {
                let vertices = self.vertex_of(*a).zip(self.vertex_of(*b));
                vertices.is_some_and(|(a, b)| concurrency.may_run_concurrently(a, b))
                    && self.writers_may_run_concurrently(*a, *b, concurrency)
            });
            if let Some(phi) = self.phis.get_mut(index) {
                phi.unordered = found;
            }
        }
    }

    /// Returns whether any writer of one definition may run concurrently with any writer of the other;
    /// `true` if there are too many to compare.
    fn writers_may_run_concurrently(
        &self,
        a: Definition,
        b: Definition,
        concurrency: &mut ConcurrencyAnalysis<'_>,
    ) -> bool {
        let (Some(a), Some(b)) = (self.writer_vertices(a), self.writer_vertices(b)) else {
            return true;
        };
        a.iter().any(|a| b.iter().any(|b| concurrency.may_run_concurrently(*a, *b)))
    }

    /// Returns the vertices of all writers of a definition, or `None` if there are too many.
    fn writer_vertices(&self, definition: Definition) -> Option<Vec<u32>> {
        const MAX_DEFINITIONS: usize = 64;
        let mut found = vec![definition];
        let mut next = 0;
        while let Some(definition) = found.get(next).copied() {
            next += 1;
            if let Definition::Phi(index) = definition {
                for operand in self.phis.get(index).into_iter().flat_map(|phi| &phi.operands) {
                    if !found.contains(operand) {
                        found.push(*operand);
                    }
                    if found.len() > MAX_DEFINITIONS {
                        return None;
                    }
                }
            }
        }
        let writes = found.iter().filter(|found| matches!(found, Definition::Write(_)));
        Some(writes.filter_map(|definition| self.vertex_of(*definition)).collect::<Vec<_>>())
    }

    /// Returns whether every action of the immediate dominator of a phi leads to a write before the
    /// phi. Then `base` does not reach it, although some branches do not write.
    fn is_always_written(
        &self,
        phi: &Phi,
        base: Definition,
        concurrency: &mut ConcurrencyAnalysis<'_>,
    ) -> bool {
        let control = concurrency.control;
        let Some(dominator) = control.dominators.parent(phi.vertex) else { return false };
        if !phi.operands.contains(&base) || phi.operands.len() < 2 {
            return false;
        }
        let mut writing_branches = IntMap::default();
        let written = phi.operands.iter().filter(|operand| **operand != base);
        for vertex in written.filter_map(|operand| self.vertex_of(*operand)) {
            let branch = control.dominators.child_towards(dominator, vertex);
            // A value from the previous iteration of a loop does not count.
            let is_before = branch != phi.vertex && concurrency.surely_reaches(branch, phi.vertex);
            if is_before && concurrency.always_reaches(branch, vertex) {
                writing_branches.insert(u64::from(branch), 0);
            }
        }
        let branches = writing_branches.keys().map(|branch| *branch as u32);
        concurrency.cover_all_actions(branches, phi.vertex)
    }

    /// Sets the origins of reads that a writer may run concurrently with.
    pub fn mark_races(
        &self,
        concurrency: &mut ConcurrencyAnalysis<'_>,
        origins: &mut [ReadOrigin],
    ) {
        let exit = concurrency.control.exit() as u32;
        let writers = self.query.writers.iter();
        let writers =
            writers.map(|writer| Access { vertex: writer.vertex, reads: false, writes: true });
        let mut accesses: Vec<Access> = writers.collect();
        // Nothing runs concurrently with the exit.
        let reads = self.query.reads.iter();
        accesses.extend(reads.map(|vertex| Access {
            vertex: *vertex,
            reads: *vertex != exit,
            writes: false,
        }));
        let first_read = self.query.writers.len();
        for (reader, writer) in find_races(concurrency, &accesses, MAX_RACES) {
            if let Some(read) = reader.checked_sub(first_read) {
                set_item(origins, read, ReadOrigin::Concurrent(writer));
            }
        }
        // The output of a single writer has one name in every iteration.
        if self.query.writers.len() < 2 {
            return;
        }
        let mut loops = IntMap::default();
        for (index, writer) in self.query.writers.iter().enumerate() {
            let Some(head) = concurrency.overlapping_loop(writer.vertex) else { continue };
            if loops.insert(u64::from(head), 0).is_some() {
                continue;
            }
            for (vertex, origin) in self.query.reads.iter().zip(origins.iter_mut()) {
                if concurrency.may_reach(head, *vertex) {
                    *origin = ReadOrigin::OverlappingLoop(index);
                }
            }
        }
    }
}
