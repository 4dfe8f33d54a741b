//! `JOIN`: rows of two variables that have the same value.

use super::alike::Alike;
use super::find::cut_short;
use super::select::check_fields;
use super::{Output, Result, completeness};
use crate::base::Value;
use crate::base::map::{IntMap, NameMap, OrderedMap};
use crate::gasl::core::Core;
use crate::gasl::identity::match_key;
use crate::gasl::language::ast::Path;
use crate::gasl::lazy::Lazy;
use crate::gasl::predicate::equal;
use crate::gasl::record::Status;
use crate::gasl::variable::{Rows, Values, Variable, distinct_sources, in_rows};
use std::rc::Rc;

/// Inner; where both rows have a column, the left one's is kept.
pub fn join(core: &mut Core, left: &Path, right: &Path, on: &(String, String)) -> Result {
    let mut scope = core.scope();
    let (left_rows, left_variable) = scope.rows(left)?;
    let (right_rows, right_variable) = scope.rows(right)?;
    let told = scope.told;
    check_fields(left_rows.as_ref(), std::slice::from_ref(&on.0))?;
    check_fields(right_rows.as_ref(), std::slice::from_ref(&on.1))?;
    let by_value = by_value(right_rows.as_ref(), &on.1);
    let bound = core.caps.max_results.min(core.caps.max_expansions);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut cut = false;
    let mut alike = Alike::new(left_rows.as_ref(), &on.0);
    'all: for index in 0..left_rows.len() {
        let place = alike.number(index, &mut |value| match value {
            None | Some(Value::Null) => usize::MAX,
            Some(value) => by_value.get_index_of(match_key(&value).as_str()).unwrap_or(usize::MAX),
        });
        let Some((_, others)) = by_value.get_index(place) else { continue };
        let value = alike.value(index).unwrap_or_default();
        for (other, _) in others.iter().filter(|(_, theirs)| equal(&value, theirs)) {
            if pairs.len() >= bound {
                cut = true;
                break 'all;
            }
            pairs.push((index, *other));
        }
    }
    let count = pairs.len();
    let joined = Joined { left: left_variable, right: right_variable, pairs };
    let mut output = Output::of(Lazy::rows(Rc::new(joined))).told(told);
    if cut {
        let kind = if bound == core.caps.max_results { "max_results" } else { "max_expansions" };
        output.status = Some(Status::Partial);
        output.told.push(cut_short(kind, bound));
        output = output.metric("completeness", completeness(count, bound, kind));
    }
    Ok(output)
}

/// The rows by the values of a field, each with its value.
fn by_value(rows: &dyn Rows, name: &str) -> OrderedMap<Vec<(usize, Value)>> {
    let mut found: OrderedMap<Vec<(usize, Value)>> = OrderedMap::default();
    let value_of = rows.values(name);
    for index in 0..rows.len() {
        if let Some(value) = value_of(index).filter(|value| !value.is_null()) {
            found.entry(match_key(&value).into()).or_default().push((index, value));
        }
    }
    found
}

/// A row has so many sources of each side: a group that is joined with its rows has those of all of them,
/// and each of the rows would have them again.
const CARRIED: usize = 100;

/// Each number once.
fn once(mut numbers: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let mut seen = IntMap::default();
    std::iter::from_fn(move || {
        numbers.by_ref().find(|number| seen.insert(*number as u64, 0).is_none())
    })
}

/// What makes rows of those of two variables.
struct Joined {
    left: Variable,
    right: Variable,
    /// Which rows of both belong together.
    pairs: Vec<(usize, usize)>,
}

impl Rows for Joined {
    fn len(&self) -> usize {
        self.pairs.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let (left, right) = *self.pairs.get(index)?;
        Some(merged(&self.left.row(left)?, &self.right.row(right)?))
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        if name.contains('.') {
            return in_rows(self, name);
        }
        let (left, right) = (self.left.values(name), self.right.values(name));
        Box::new(move |index| {
            let (l, r) = *self.pairs.get(index)?;
            left(l).or_else(|| right(r))
        })
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some((left, right)) = self.pairs.get(index) else { return Rc::default() };
        let sides = [self.left.sources(*left), self.right.sources(*right)];
        sides.iter().flat_map(|side| side.iter().take(CARRIED)).cloned().collect()
    }

    fn source_count(&self) -> usize {
        let left = once(self.pairs.iter().map(|(left, _)| *left));
        let right = once(self.pairs.iter().map(|(_, right)| *right));
        let left = left.map(|index| self.left.sources(index));
        distinct_sources(left.chain(right.map(|index| self.right.sources(index))))
    }

    fn fields(&self) -> Vec<String> {
        let mut known = NameMap::default();
        let all = self.left.fields().into_iter().chain(self.right.fields());
        all.filter(|field| known.insert(field.clone(), 0).is_none()).collect::<Vec<_>>()
    }

    fn numbers(&self) -> usize {
        2 * self.pairs.len()
    }

    fn depth(&self) -> usize {
        self.left.depth().max(self.right.depth()) + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let pairs =
            indices.iter().filter_map(|index| self.pairs.get(*index).copied()).collect::<Vec<_>>();
        Rc::new(Joined { left: self.left.clone(), right: self.right.clone(), pairs })
    }
}

fn merged(left: &Value, right: &Value) -> Value {
    let mut map = left.as_map().cloned().unwrap_or_default();
    for (key, value) in right.entries() {
        map.entry(key.clone()).or_insert_with(|| value.clone());
    }
    map.into()
}
