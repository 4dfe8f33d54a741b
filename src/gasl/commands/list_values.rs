//! Warnings for a value that is compared with a list, which it never equals.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::compare::equal;
use crate::gasl::graph::{Cell, FieldCells};
use crate::gasl::language::print_field;
use crate::gasl::predicate::{Comparison, FieldName, Membership, Predicate, Test};
use crate::gasl::variable::Rows;

/// Maximum number of tests of a condition that are checked.
const MAX_CHECKED_TESTS: usize = 32;

/// Maximum number of rows that are checked for each test.
const MAX_CHECKED_ROWS: usize = 10_000;

/// Returns the value of a test that is compared with those of a field, the first one of `IN`. Returns
/// `None` if it is a list.
pub fn compared_value(test: &Test) -> Option<&Value> {
    let value = match test {
        Test::Compare(_, value) => value,
        Test::In(_, items) => items.first()?,
        _ => return None,
    };
    matches!(value, Value::Text(_) | Value::Number(_) | Value::Bool(_)).then_some(value)
}

/// Returns the first item of a list that equals a value of `=`, `!=`, `IN` or `NOT IN`.
pub fn compared_item<'a>(list: &'a [Value], test: &Test) -> Option<&'a Value> {
    list.iter().find(|item| match test {
        Test::Compare(Comparison::Equal | Comparison::NotEqual, value) => equal(item, value),
        Test::In(_, values) => values.contains(item),
        _ => false,
    })
}

/// Returns whether a test is `!=` or `NOT IN`.
fn is_negated(test: &Test) -> bool {
    matches!(test, Test::Compare(Comparison::NotEqual, _) | Test::In(Membership::Out, _))
}

/// Warning for a value that is compared with a field that has only lists.
pub fn only_lists(field: &str, value: &Value, test: &Test) -> Diagnostic {
    let message = format!(
        "expected lists to compare with {}, found {}",
        quote(field),
        quote(&value.to_text())
    );
    let help = format!("write {} to test for an item", contains(field, value, test));
    Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help)
}

/// Warning for a value that is an item of some lists of a field with other values.
pub fn some_lists(field: &str, item: &Value, test: &Test) -> Diagnostic {
    let message = format!(
        "some values of {} are lists with the item {}, which are not equal to it",
        quote(field),
        quote(&item.to_text())
    );
    let effect = if is_negated(test) { "exclude" } else { "match" };
    let condition = contains(field, item, test);
    let help = format!("write {condition} to {effect} them, and texts that contain it");
    Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help)
}

fn contains(field: &str, value: &Value, test: &Test) -> String {
    let not = if is_negated(test) { "NOT " } else { "" };
    quote(&format!("{not}{} CONTAINS {}", print_field(field), value.to_text()))
}

/// Returns a warning for the first value of a condition that is compared with lists of the rows.
pub fn list_warning(rows: &dyn Rows, predicate: &Predicate) -> Option<(FieldName, Diagnostic)> {
    find_list(rows, predicate, &mut { MAX_CHECKED_TESTS })
}

/// Checks at most `left` tests.
fn find_list(
    rows: &dyn Rows,
    predicate: &Predicate,
    left: &mut usize,
) -> Option<(FieldName, Diagnostic)> {
    let (field, test) = match predicate {
        Predicate::All(each) | Predicate::Any(each) => {
            return each.iter().find_map(|one| find_list(rows, one, left));
        }
        Predicate::Not(one) => return find_list(rows, one, left),
        Predicate::Fields(..) => return None,
        Predicate::Field(field, test) => (field, test),
    };
    let value = compared_value(test)?;
    *left = left.checked_sub(1)?;
    let cells = rows.cells(field);
    let values = rows.values(field);
    let (mut has_other, mut has_list) = (false, false);
    let mut found = None;
    for index in 0..rows.len().min(MAX_CHECKED_ROWS) {
        // Texts of a graph are not copied.
        let is_text = |cells: &FieldCells<'_>| matches!(cells.cell(index), Cell::Text(_));
        if cells.as_ref().is_some_and(is_text) {
            has_other = true;
            continue;
        }
        match values(index) {
            Some(Value::List(list)) => {
                has_list = true;
                if found.is_none() {
                    found = compared_item(list.as_slice(), test).cloned();
                }
            }
            None | Some(Value::Null) => {}
            Some(_) => has_other = true,
        }
    }
    let warning = match found {
        _ if has_list && !has_other => only_lists(field, value, test),
        Some(item) => some_lists(field, &item, test),
        None => return None,
    };
    Some((field.clone(), warning))
}
