//! A test prepared for many cells. Its results equal those of [`Test::holds`], without building a
//! [`Value`] per cell.

use super::bit_mask::BitMask;
use super::column::{Cell, Column};
use super::dictionary::Dictionary;
use super::field_pair::order_satisfies;
use super::text_search::{Needle, texts_containing};
use crate::base::Value;
use crate::gasl::compare::{parse_numeric_text, spells_bool, to_number};
use crate::gasl::predicate::{Case, Comparison, Membership, Test, TextTest};
use crate::gasl::value_set::ValueSet;

/// Test with precomputed operands and results for missing, null and boolean cells.
pub struct CompiledTest<'a> {
    test: &'a Test,
    case: Case,
    form: TestForm<'a>,
    missing: bool,
    null: bool,
    bools: [bool; 2],
}

enum TestForm<'a> {
    Compare(Comparison, &'a Value, Option<f64>),
    In(&'a ValueSet, Membership),
    Text(TextTest, Needle),
    /// Tests for presence, and rare tests.
    Other,
}

impl<'a> CompiledTest<'a> {
    /// Prepares a test.
    pub fn new(test: &'a Test, case: Case) -> CompiledTest<'a> {
        let form = match test {
            Test::Compare(comparison, than) => {
                TestForm::Compare(*comparison, than, to_number(than))
            }
            Test::In(membership, among) => TestForm::In(among, *membership),
            Test::Text(kind, expected) => match Needle::new(expected, case) {
                Some(needle) => TestForm::Text(*kind, needle),
                None => TestForm::Other,
            },
            _ => TestForm::Other,
        };
        let result = |value: Value| test.holds(case, Some(&value));
        CompiledTest {
            test,
            case,
            form,
            missing: test.holds(case, None),
            null: result(Value::Null),
            bools: [result(false.into()), result(true.into())],
        }
    }

    /// Returns whether a missing value matches.
    pub fn matches_missing(&self) -> bool {
        self.missing
    }

    /// Returns whether a value matches.
    pub fn matches_value(&self, value: &Value) -> bool {
        self.test.holds(self.case, Some(value))
    }

    /// Returns whether a number matches.
    pub fn matches_number(&self, number: f64) -> bool {
        match &self.form {
            TestForm::Compare(comparison, _, than) => {
                let order = than.and_then(|than| number.partial_cmp(&than));
                order_satisfies(*comparison, order)
            }
            TestForm::In(among, membership) => {
                among.contains_number(number) == (*membership == Membership::In)
            }
            TestForm::Text(..) | TestForm::Other => self.matches_value(&Value::Number(number)),
        }
    }

    /// Returns the mask of matching numbers; NaN is a missing value.
    pub fn matching_numbers(&self, numbers: &[f64]) -> BitMask {
        match self.range() {
            // NaN is in no range, and such a comparison is false for missing values.
            Some((least, most)) => {
                BitMask::from_values(numbers, |number| (number >= least) & (number <= most))
            }
            None => BitMask::from_values(numbers, |number: f64| {
                if number.is_nan() { self.missing } else { self.matches_number(number) }
            }),
        }
    }

    /// Returns the rows whose number matches. NaN and rows after the last number are missing values.
    pub fn matching_candidates(&self, numbers: &[f64], rows: &BitMask) -> BitMask {
        let number = |row: usize| numbers.get(row).copied().unwrap_or(f64::NAN);
        match self.range() {
            Some((least, most)) => rows.filter(|row| (least..=most).contains(&number(row))),
            None => rows.filter(|row| match number(row) {
                number if number.is_nan() => self.missing,
                number => self.matches_number(number),
            }),
        }
    }

    /// Returns the interval of numbers that satisfy a comparison; `None` for other tests.
    fn range(&self) -> Option<(f64, f64)> {
        let TestForm::Compare(comparison, _, Some(than)) = self.form else { return None };
        match comparison {
            Comparison::Equal => Some((than, than)),
            Comparison::Greater => Some((than.next_up(), f64::INFINITY)),
            Comparison::GreaterOrEqual => Some((than, f64::INFINITY)),
            Comparison::Less => Some((f64::NEG_INFINITY, than.next_down())),
            Comparison::LessOrEqual => Some((f64::NEG_INFINITY, than)),
            Comparison::NotEqual => None,
        }
    }

    /// Returns whether a text matches.
    pub fn matches_text(&self, text: &str) -> bool {
        match &self.form {
            TestForm::Compare(comparison, than, _) => compare_text(*comparison, text, than),
            TestForm::In(among, membership) => {
                among.contains_text(text) == (*membership == Membership::In)
            }
            TestForm::Text(test, needle) => needle.matches(*test, text),
            TestForm::Other => self.matches_value(&text.into()),
        }
    }

    /// Returns the mask of distinct texts that match.
    pub fn matching_texts(&self, texts: &Dictionary) -> BitMask {
        match &self.form {
            TestForm::Text(test, needle) => {
                let containing = texts_containing(texts, needle);
                match test {
                    TextTest::Contains => containing,
                    // Prefix and suffix matches are a subset of the texts that contain the needle.
                    _ => containing.filter(|text| self.matches_text(texts.text(text as u32))),
                }
            }
            _ => {
                let mut bits = BitMask::constant(texts.len(), false);
                for (code, text) in texts.texts().enumerate() {
                    if self.matches_text(text) {
                        bits.set(code, true);
                    }
                }
                bits
            }
        }
    }

    /// Returns whether a cell matches; `texts` is the result of [`CompiledTest::matching_texts`].
    pub fn matches_cell(&self, column: &Column, texts: &BitMask, cell: Cell) -> bool {
        match cell {
            Cell::Missing => self.missing,
            Cell::Null => self.null,
            Cell::Bool(value) => {
                let [no, yes] = self.bools;
                if value { yes } else { no }
            }
            Cell::Text(code) => texts.get(code),
            Cell::Number(number) => self.matches_number(number),
            Cell::Value(_) => {
                column.list_or_map(cell).is_some_and(|value| self.matches_value(value))
            }
        }
    }

    /// Returns the texts that an equality or `IN` test accepts; `None` for other tests.
    pub fn exact_texts(&self) -> Option<Vec<&'a str>> {
        match self.test {
            Test::Compare(Comparison::Equal, Value::Text(text)) => Some(vec![text]),
            Test::In(Membership::In, among) => among.iter().map(Value::as_text).collect(),
            _ => None,
        }
    }
}

fn compare_text(comparison: Comparison, text: &str, than: &Value) -> bool {
    match than {
        Value::Text(than) => match comparison {
            Comparison::Equal => text == &**than,
            Comparison::NotEqual => text != &**than,
            _ => order_satisfies(comparison, Some(text.cmp(than))),
        },
        Value::Number(than) => order_satisfies(
            comparison,
            parse_numeric_text(text).and_then(|number| number.partial_cmp(than)),
        ),
        Value::Bool(value) => match comparison {
            Comparison::Equal => spells_bool(text, *value),
            Comparison::NotEqual => !spells_bool(text, *value),
            _ => false,
        },
        _ => comparison == Comparison::NotEqual,
    }
}
