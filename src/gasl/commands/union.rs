//! `UNION`.

use super::distinct::{DistinctIndices, distinct_rows};
use super::find::result_truncated;
use super::output::{CommandResult, Output, completeness};
use crate::base::map::NameMap;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::identity::item_key;
use crate::gasl::language::ast::Union;
use crate::gasl::lazy::LazyRows;
use crate::gasl::record::StepStatus;
use crate::gasl::variable::{Rows, Values, Variable, distinct_source_count};
use std::rc::Rc;

/// Returns the rows of the left variable, followed by those of the right one. `DISTINCT` keeps the
/// first row of each identity, with the sources of the others.
pub fn union(core: &mut Core, union: &Union) -> CommandResult {
    let mut scope = core.scope();
    let (left_rows, left) = scope.rows(&union.left)?;
    let (right_rows, right) = scope.rows(&union.right)?;
    let mut diagnostics = scope.diagnostics;
    let count = left_rows.len() + right_rows.len();
    let indices = (0..count).collect::<Vec<_>>();
    let split = left_rows.len();
    let rows: Rc<dyn Rows> = Rc::new(UnionRows { left, right, split, indices });
    let mut duplicates = 0;
    let mut combined = Variable::Rows(rows.clone(), 0);
    if union.distinct {
        let distinct = DistinctIndices::new(&*rows, item_key);
        duplicates = count - distinct.len();
        diagnostics.extend(dropped_row_warning(&*rows, &distinct));
        combined = distinct_rows(combined, distinct);
    }
    let bound = core.caps.max_results;
    let truncated = count - duplicates > bound;
    if let Variable::Rows(rows, _) = combined {
        let indices = || (0..bound).collect::<Vec<_>>();
        combined = LazyRows::wrap(if truncated { rows.pick(&indices()) } else { rows });
    }
    let mut output = Output::from_value(combined).with_diagnostics(diagnostics);
    if duplicates > 0 {
        output = output.with_metric("duplicates", duplicates);
    }
    if truncated {
        output.status = Some(StepStatus::Partial);
        output.diagnostics.push(result_truncated("max_results", bound));
        output = output.with_metric("completeness", completeness(bound, bound, "max_results"));
    }
    Ok(output)
}

/// Returns a warning if a dropped row differs from the row that is kept.
fn dropped_row_warning(rows: &dyn Rows, distinct: &DistinctIndices) -> Option<Diagnostic> {
    let differing = |group: &[usize]| {
        let Some((first, others)) = group.split_first() else { return 0 };
        let first = if others.is_empty() { None } else { rows.row(*first) };
        others.iter().filter(|other| rows.row(**other) != first).count()
    };
    let count: usize = (0..distinct.len()).map(|index| differing(distinct.group(index))).sum();
    let message = format!(
        "{} with the identity of an earlier row but other content: the first row is kept",
        names::count_of(count, "row")
    );
    let help = "leave `DISTINCT` out to keep all rows, or use `JOIN` to combine their fields";
    (count > 0).then(|| Diagnostic::new(codes::TRUNCATED_RESULT, message).help(help))
}

/// Rows of two variables, one after the other.
struct UnionRows {
    left: Variable,
    right: Variable,
    /// Number of left rows; a higher index is that of a right row.
    split: usize,
    indices: Vec<usize>,
}

impl UnionRows {
    /// Returns the variable of a row, and its index there.
    fn locate(&self, index: usize) -> Option<(&Variable, usize)> {
        let index = *self.indices.get(index)?;
        Some(match index.checked_sub(self.split) {
            Some(right) => (&self.right, right),
            None => (&self.left, index),
        })
    }
}

impl Rows for UnionRows {
    fn len(&self) -> usize {
        self.indices.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let (variable, index) = self.locate(index)?;
        variable.row(index)
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        let (left, right) = (self.left.values(name), self.right.values(name));
        Box::new(move |index| {
            let index = *self.indices.get(index)?;
            index.checked_sub(self.split).map_or_else(|| left(index), &right)
        })
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let found = self.locate(index);
        found.map(|(variable, index)| variable.sources(index)).unwrap_or_default()
    }

    fn distinct_source_count(&self) -> usize {
        distinct_source_count((0..self.len()).map(|index| self.sources(index)))
    }

    fn fields(&self) -> Vec<String> {
        let mut names = NameMap::default();
        let all = self.left.fields().into_iter().chain(self.right.fields());
        all.filter(|field| names.insert(field.clone(), 0).is_none()).collect::<Vec<_>>()
    }

    fn index_count(&self) -> usize {
        self.indices.len()
    }

    fn chain_length(&self) -> usize {
        self.left.chain_length().max(self.right.chain_length()) + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let indices = indices.iter().filter_map(|index| self.indices.get(*index).copied());
        Rc::new(UnionRows {
            left: self.left.clone(),
            right: self.right.clone(),
            split: self.split,
            indices: indices.collect::<Vec<_>>(),
        })
    }
}
