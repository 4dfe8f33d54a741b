//! Functions of `AGGREGATE`.

use super::select::SortKey;
use crate::base::Value;
use crate::base::map::NameMap;
use crate::gasl::compare::to_number;
use crate::gasl::identity::group_key;
use crate::gasl::language::ast::{AggregateFunction, SortOrder};
use std::cmp::Ordering;

/// Returns the aggregate of the values of a group, and the number of values left out.
pub fn compute_aggregate(
    function: AggregateFunction,
    values: &mut dyn Iterator<Item = Value>,
    of_field: bool,
) -> (Value, usize) {
    let beyond = match function {
        AggregateFunction::Least => Ordering::Less,
        AggregateFunction::Greatest => Ordering::Greater,
        AggregateFunction::Count => {
            return (values.filter(|one| !(of_field && one.is_null())).count().into(), 0);
        }
        AggregateFunction::Distinct => {
            let mut keys = NameMap::default();
            let mut is_new = |value: &Value| keys.insert(group_key(value), 0).is_none();
            return (values.filter(|value| !value.is_null() && is_new(value)).count().into(), 0);
        }
        AggregateFunction::List => {
            return (values.filter(|value| !value.is_null()).collect::<Vec<_>>().into(), 0);
        }
        AggregateFunction::Sum | AggregateFunction::Average => {
            let (mut sum, mut count, mut left_out) = (0.0, 0, 0);
            for value in values {
                match to_number(&value) {
                    Some(number) => (sum, count) = (sum + number, count + 1),
                    None => left_out += 1,
                }
            }
            return match function {
                AggregateFunction::Sum => (sum.into(), left_out),
                _ if count == 0 => (Value::Null, left_out),
                _ => ((sum / f64::from(count)).into(), left_out),
            };
        }
    };
    // The first extreme value; if there are numbers, other values are left out.
    let (mut best, mut numbers, mut others) = (None::<(SortKey, Value)>, 0, 0);
    for value in values.filter(|value| !value.is_null()) {
        let is_number = to_number(&value).is_some();
        let is_first = if is_number { numbers == 0 } else { others == 0 };
        *(if is_number { &mut numbers } else { &mut others }) += 1;
        if !is_number && numbers > 0 {
            continue;
        }
        let key = SortKey::from_value(Some(value.clone()));
        let is_beyond =
            |best: &(SortKey, Value)| key.compare(&best.0, SortOrder::Ascending) == beyond;
        if is_first || best.as_ref().is_none_or(is_beyond) {
            best = Some((key, value));
        }
    }
    let left_out = if numbers > 0 { others } else { 0 };
    (best.map(|(_, value)| value).unwrap_or_default(), left_out)
}
