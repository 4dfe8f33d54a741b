//! Rows without duplicates.

use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::gasl::graph::FieldCells;
use crate::gasl::identity::dedup_sources;
use crate::gasl::lazy::LazyRows;
use crate::gasl::variable::{Rows, Values, Variable, distinct_source_count};
use std::rc::Rc;

/// Indices of rows with equal keys, in order of first appearance.
pub struct DistinctIndices {
    groups: Vec<Vec<usize>>,
}

impl DistinctIndices {
    /// Groups rows by a key.
    pub fn new(rows: &dyn Rows, key_of: impl Fn(&Value) -> String) -> DistinctIndices {
        let mut groups: OrderedMap<Vec<usize>> = OrderedMap::default();
        for index in 0..rows.len() {
            let key = key_of(&rows.row_once(index).unwrap_or_default());
            groups.entry(key.into()).or_default().push(index);
        }
        DistinctIndices { groups: groups.into_values().collect::<Vec<_>>() }
    }

    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns the indices of equal rows, the first one first.
    pub fn group(&self, index: usize) -> &[usize] {
        self.groups.get(index).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Returns the first row of each group, with the sources of all its rows.
pub fn distinct_rows(of: Variable, distinct: DistinctIndices) -> Variable {
    let Variable::Rows(all, _) = &of else { return of };
    if distinct.len() == all.len() {
        return of;
    }
    let firsts = distinct.groups.iter().filter_map(|group| group.first().copied());
    let rows = all.pick(&firsts.collect::<Vec<_>>());
    LazyRows::wrap(Rc::new(DistinctRows { rows, input: of, groups: distinct.groups }))
}

/// First rows of some groups.
struct DistinctRows {
    rows: Rc<dyn Rows>,
    /// All rows, to which the groups refer.
    input: Variable,
    groups: Vec<Vec<usize>>,
}

impl Rows for DistinctRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        self.rows.row(index)
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        self.rows.values(name)
    }

    fn cells(&self, name: &str) -> Option<FieldCells<'_>> {
        self.rows.cells(name)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let group = self.groups.get(index).map(Vec::as_slice).unwrap_or_default();
        dedup_sources(group.iter().flat_map(|row| self.input.sources(*row).to_vec())).into()
    }

    fn distinct_source_count(&self) -> usize {
        let groups = self.groups.iter().flatten();
        distinct_source_count(groups.map(|row| self.input.sources(*row)))
    }

    fn fields(&self) -> Vec<String> {
        self.rows.fields()
    }

    fn index_count(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    fn chain_length(&self) -> usize {
        self.input.chain_length() + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let groups = indices.iter().filter_map(|index| self.groups.get(*index).cloned());
        Rc::new(DistinctRows {
            rows: self.rows.pick(indices),
            input: self.input.clone(),
            groups: groups.collect::<Vec<_>>(),
        })
    }
}
