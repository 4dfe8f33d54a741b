//! Rows computed from other rows on access.

use super::graph::FieldCells;
use super::variable::{Rows, Values, Variable, field};
use crate::base::Value;
use crate::base::value::Map;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Rows computed on access. After [`MAX_SINGLE_ITEMS`] accesses all are computed and cached.
pub struct LazyRows {
    inner: Rc<dyn Rows>,
    rows: MemoizedItems<Value>,
    sources: MemoizedItems<Rc<[Value]>>,
    fields: OnceCell<Vec<String>>,
}

/// Items computed one by one at first, then all at once and cached.
struct MemoizedItems<T> {
    /// Remaining number of items that are computed individually.
    single_left: Cell<usize>,
    all: OnceCell<Vec<T>>,
}

/// Maximum number of lazy rows that depend on each other.
const MAX_CHAIN_LENGTH: usize = 3;

/// Number of items computed individually: at least as many as an excerpt shows.
const MAX_SINGLE_ITEMS: usize = 64;

impl<T: Clone> MemoizedItems<T> {
    fn new(all: OnceCell<Vec<T>>) -> MemoizedItems<T> {
        MemoizedItems { single_left: Cell::new(MAX_SINGLE_ITEMS), all }
    }

    fn get(&self, index: usize, count: usize, compute: &dyn Fn(usize) -> T) -> Option<T> {
        if index < count
            && self.all.get().is_none()
            && let Some(left) = self.single_left.get().checked_sub(1)
        {
            self.single_left.set(left);
            return Some(compute(index));
        }
        self.all.get_or_init(|| (0..count).map(compute).collect()).get(index).cloned()
    }

    /// Returns the items at some indices, cached if all are.
    fn pick(&self, indices: &[usize]) -> MemoizedItems<T> {
        let picked = OnceCell::new();
        if let Some(all) = self.all.get() {
            let _ =
                picked.set(indices.iter().filter_map(|index| all.get(*index).cloned()).collect());
        }
        MemoizedItems::new(picked)
    }
}

impl LazyRows {
    pub fn wrap(inner: Rc<dyn Rows>) -> Variable {
        let (rows, sources) =
            (MemoizedItems::new(OnceCell::new()), MemoizedItems::new(OnceCell::new()));
        Variable::Rows(Rc::new(LazyRows { inner, rows, sources, fields: OnceCell::new() }), 0)
    }

    /// Returns the fields that occur in some row, in order of appearance.
    fn distinct_fields(&self) -> Vec<String> {
        let candidates = self.inner.fields();
        let first = |name: &String| {
            let value = self.inner.values(name);
            (0..self.len() as u32).find(|index| value(*index as usize).is_some())
        };
        let mut rows: Vec<u32> = candidates.iter().filter_map(first).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut found = Map::default();
        for row in rows.into_iter().filter_map(|index| self.inner.row(index as usize)) {
            for (name, _) in row.entries() {
                found.insert(name.clone(), Value::Null);
            }
        }
        found.keys().map(|name| name.to_string()).collect::<Vec<_>>()
    }
}

/// Materializes rows that depend on more rows than [`MAX_CHAIN_LENGTH`]. A missing value is
/// searched on both sides of each `JOIN`, so each further one doubles the search.
pub fn shortened(variable: Variable) -> Variable {
    match variable {
        Variable::Rows(rows, step) if rows.chain_length() > MAX_CHAIN_LENGTH => {
            materialize(&*rows).with_step(step)
        }
        other => other,
    }
}

/// Computes all rows with their sources.
pub fn materialize(rows: &dyn Rows) -> Variable {
    let values = (0..rows.len()).filter_map(|index| rows.row(index)).collect::<Vec<_>>();
    Variable::rows(values, (0..rows.len()).map(|index| rows.sources(index)).collect::<Vec<_>>())
}

impl Rows for LazyRows {
    fn len(&self) -> usize {
        self.inner.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let compute = |index| self.inner.row(index).unwrap_or_default();
        self.rows.get(index, self.len(), &compute)
    }

    fn row_once(&self, index: usize) -> Option<Value> {
        match self.rows.all.get() {
            Some(rows) => rows.get(index).cloned(),
            None => self.inner.row_once(index),
        }
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self.rows.all.get() {
            Some(rows) => Box::new(move |index| field(rows.get(index)?, name).cloned()),
            None => self.inner.values(name),
        }
    }

    fn cells(&self, name: &str) -> Option<FieldCells<'_>> {
        self.inner.cells(name)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let compute = |index| self.inner.sources(index);
        self.sources.get(index, self.len(), &compute).unwrap_or_default()
    }

    fn distinct_source_count(&self) -> usize {
        self.inner.distinct_source_count()
    }

    fn fields(&self) -> Vec<String> {
        self.fields.get_or_init(|| self.distinct_fields()).clone()
    }

    fn materialized_count(&self) -> usize {
        self.rows.all.get().map_or(0, Vec::len)
    }

    fn index_count(&self) -> usize {
        self.inner.index_count()
    }

    fn chain_length(&self) -> usize {
        self.inner.chain_length()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        Rc::new(LazyRows {
            inner: self.inner.pick(indices),
            rows: self.rows.pick(indices),
            sources: self.sources.pick(indices),
            fields: OnceCell::new(),
        })
    }
}
