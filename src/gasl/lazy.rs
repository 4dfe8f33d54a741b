//! Rows that are made of other rows when somebody looks at them.

use super::graph::FieldCells;
use super::variable::{Rows, Values, Variable, field};
use crate::base::Value;
use crate::base::value::Map;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Rows by a recipe, which says what each is made of. Who looks at many of them has all made, once.
pub struct Lazy {
    recipe: Rc<dyn Rows>,
    rows: Made<Value>,
    sources: Made<Rc<[Value]>>,
    fields: OnceCell<Vec<String>>,
}

/// What is made one by one at first, then all at once.
struct Made<T> {
    /// How many more are made by themselves.
    single: Cell<usize>,
    all: OnceCell<Vec<T>>,
}

/// So many recipes stand one behind the other.
const DEEPEST: usize = 3;

/// Excerpts show no more rows than these.
const FEW: usize = 64;

impl<T: Clone> Made<T> {
    fn new(all: OnceCell<Vec<T>>) -> Made<T> {
        Made { single: Cell::new(FEW), all }
    }

    fn get(&self, index: usize, count: usize, make: &dyn Fn(usize) -> T) -> Option<T> {
        if index < count
            && self.all.get().is_none()
            && let Some(left) = self.single.get().checked_sub(1)
        {
            self.single.set(left);
            return Some(make(index));
        }
        self.all.get_or_init(|| (0..count).map(make).collect()).get(index).cloned()
    }

    /// Those of these indices, where all are made.
    fn pick(&self, indices: &[usize]) -> Made<T> {
        let picked = OnceCell::new();
        if let Some(all) = self.all.get() {
            let _ =
                picked.set(indices.iter().filter_map(|index| all.get(*index).cloned()).collect());
        }
        Made::new(picked)
    }
}

impl Lazy {
    /// The rows of a recipe. Where more than [`DEEPEST`] stand one behind the other they are made at once: a value
    /// that is not there is looked for on both sides of each `JOIN`, so each further one doubles the search.
    pub fn rows(recipe: Rc<dyn Rows>) -> Variable {
        if recipe.depth() > DEEPEST {
            return solid(&*recipe);
        }
        let (rows, sources) = (Made::new(OnceCell::new()), Made::new(OnceCell::new()));
        Variable::Rows(Rc::new(Lazy { recipe, rows, sources, fields: OnceCell::new() }), 0)
    }

    /// The fields that some row has, in the order in which they are met.
    fn met(&self) -> Vec<String> {
        let candidates = self.recipe.fields();
        let first = |name: &String| {
            let value = self.recipe.values(name);
            (0..self.len() as u32).find(|index| value(*index as usize).is_some())
        };
        let mut rows: Vec<u32> = candidates.iter().filter_map(first).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut met = Map::default();
        for row in rows.into_iter().filter_map(|index| self.recipe.row(index as usize)) {
            for (name, _) in row.entries() {
                met.insert(name.clone(), Value::Null);
            }
        }
        met.keys().map(|name| name.to_string()).collect::<Vec<_>>()
    }
}

/// Rows that are made now, with the sources of each.
pub fn solid(rows: &dyn Rows) -> Variable {
    let made = (0..rows.len()).filter_map(|index| rows.row(index)).collect::<Vec<_>>();
    Variable::rows(made, (0..rows.len()).map(|index| rows.sources(index)).collect::<Vec<_>>())
}

impl Rows for Lazy {
    fn len(&self) -> usize {
        self.recipe.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let make = |index| self.recipe.row(index).unwrap_or_default();
        self.rows.get(index, self.len(), &make)
    }

    fn row_once(&self, index: usize) -> Option<Value> {
        match self.rows.all.get() {
            Some(rows) => rows.get(index).cloned(),
            None => self.recipe.row_once(index),
        }
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self.rows.all.get() {
            Some(rows) => Box::new(move |index| field(rows.get(index)?, name).cloned()),
            None => self.recipe.values(name),
        }
    }

    fn cells(&self, name: &str) -> Option<FieldCells<'_>> {
        self.recipe.cells(name)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let make = |index| self.recipe.sources(index);
        self.sources.get(index, self.len(), &make).unwrap_or_default()
    }

    fn source_count(&self) -> usize {
        self.recipe.source_count()
    }

    fn fields(&self) -> Vec<String> {
        self.fields.get_or_init(|| self.met()).clone()
    }

    fn made(&self) -> usize {
        self.rows.all.get().map_or(0, Vec::len)
    }

    fn numbers(&self) -> usize {
        self.recipe.numbers()
    }

    fn depth(&self) -> usize {
        self.recipe.depth()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        Rc::new(Lazy {
            recipe: self.recipe.pick(indices),
            rows: self.rows.pick(indices),
            sources: self.sources.pick(indices),
            fields: OnceCell::new(),
        })
    }
}
