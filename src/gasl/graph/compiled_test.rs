//! A test made ready to be asked of many cells. It answers as [`Test::holds`] does, without making
//! a value of each cell.

use super::bit_mask::BitMask;
use super::column::{Cell, Column};
use super::dictionary::Dictionary;
use super::text_search::{Needle, texts_containing};
use crate::base::Value;
use crate::gasl::members::{Members, is_bool};
use crate::gasl::predicate::{Case, Comparison, Membership, Test, TextTest, numeric, numeric_text};
use std::cmp::Ordering;

/// A test with all that can be worked out before the first cell is seen.
pub struct CompiledTest<'a> {
    test: &'a Test,
    case: Case,
    form: Form<'a>,
    /// Of nothing, of `null`, of `false` and of `true`.
    missing: bool,
    null: bool,
    bools: (bool, bool),
}

enum Form<'a> {
    Compare(Comparison, &'a Value, Option<f64>),
    Among(&'a Members, Membership),
    Text(TextTest, Needle),
    /// What asks only whether there is a value, or what is seldom asked.
    Other,
}

impl<'a> CompiledTest<'a> {
    /// Makes a test ready.
    pub fn new(test: &'a Test, case: Case) -> CompiledTest<'a> {
        let form = match test {
            Test::Compare(comparison, than) => Form::Compare(*comparison, than, numeric(than)),
            Test::In(membership, among) => Form::Among(among, *membership),
            Test::Text(kind, wanted) => match Needle::new(wanted, case) {
                Some(needle) => Form::Text(*kind, needle),
                None => Form::Other,
            },
            _ => Form::Other,
        };
        let of = |value: Value| test.holds(case, Some(&value));
        CompiledTest {
            test,
            case,
            form,
            missing: test.holds(case, None),
            null: of(Value::Null),
            bools: (of(false.into()), of(true.into())),
        }
    }

    /// Whether it holds where there is no value.
    pub fn of_missing(&self) -> bool {
        self.missing
    }

    /// Whether it holds of a value.
    pub fn of_value(&self, value: &Value) -> bool {
        self.test.holds(self.case, Some(value))
    }

    /// Whether it holds of a number.
    pub fn of_number(&self, number: f64) -> bool {
        match &self.form {
            Form::Compare(comparison, _, than) => {
                let order = than.and_then(|than| number.partial_cmp(&than));
                ordered(*comparison, order)
            }
            Form::Among(among, membership) => {
                among.has_number(number) == (*membership == Membership::In)
            }
            Form::Text(..) | Form::Other => self.of_value(&Value::Number(number)),
        }
    }

    /// The numbers of which it holds; NaN stands for a missing one.
    pub fn of_numbers(&self, numbers: &[f64]) -> BitMask {
        match self.range() {
            // NaN is in no range, and no such comparison holds of what is missing.
            Some((least, most)) => {
                BitMask::of(numbers, |number| (number >= least) & (number <= most))
            }
            None => BitMask::of(numbers, |number: f64| {
                if number.is_nan() { self.missing } else { self.of_number(number) }
            }),
        }
    }

    /// Those rows of whose numbers it holds, NaN standing for a missing one as the rows behind the
    /// last number do.
    pub fn of_few(&self, numbers: &[f64], rows: &BitMask) -> BitMask {
        let number = |row: usize| numbers.get(row).copied().unwrap_or(f64::NAN);
        match self.range() {
            Some((least, most)) => rows.only(|row| (least..=most).contains(&number(row))),
            None => rows.only(|row| match number(row) {
                number if number.is_nan() => self.missing,
                number => self.of_number(number),
            }),
        }
    }

    /// The least and the greatest number of which a comparison holds.
    fn range(&self) -> Option<(f64, f64)> {
        let Form::Compare(comparison, _, Some(than)) = self.form else { return None };
        match comparison {
            Comparison::Equal => Some((than, than)),
            Comparison::Greater => Some((than.next_up(), f64::INFINITY)),
            Comparison::GreaterOrEqual => Some((than, f64::INFINITY)),
            Comparison::Less => Some((f64::NEG_INFINITY, than.next_down())),
            Comparison::LessOrEqual => Some((f64::NEG_INFINITY, than)),
            Comparison::NotEqual => None,
        }
    }

    /// Whether it holds of a text.
    pub fn of_text(&self, text: &str) -> bool {
        match &self.form {
            Form::Compare(comparison, than, _) => compare_text(*comparison, text, than),
            Form::Among(among, membership) => {
                among.has_text(text) == (*membership == Membership::In)
            }
            Form::Text(test, needle) => needle.holds(*test, text),
            Form::Other => self.of_value(&text.into()),
        }
    }

    /// The texts of which it holds: each distinct text is asked about once.
    pub fn of_texts(&self, texts: &Dictionary) -> BitMask {
        match &self.form {
            Form::Text(test, needle) => {
                let containing = texts_containing(texts, needle);
                match test {
                    TextTest::Contains => containing,
                    // What begins or ends with a text contains it.
                    _ => containing.only(|text| self.of_text(texts.text(text as u32))),
                }
            }
            _ => {
                let mut bits = BitMask::constant(texts.len(), false);
                for (number, text) in texts.texts().enumerate() {
                    if self.of_text(text) {
                        bits.set(number, true);
                    }
                }
                bits
            }
        }
    }

    /// Whether it holds of a cell whose texts have been asked about.
    pub fn of_cell(&self, column: &Column, texts: &BitMask, cell: Cell) -> bool {
        match cell {
            Cell::Missing => self.missing,
            Cell::Null => self.null,
            Cell::Bool(value) => {
                if value {
                    self.bools.1
                } else {
                    self.bools.0
                }
            }
            Cell::Text(number) => texts.get(number),
            Cell::Number(number) => self.of_number(number),
            Cell::Value(_) => column.container(cell).is_some_and(|value| self.of_value(value)),
        }
    }

    /// The only texts of which it can hold, where it asks for whole texts and nothing else.
    pub fn exact_texts(&self) -> Option<Vec<&'a str>> {
        match self.test {
            Test::Compare(Comparison::Equal, Value::Text(text)) => Some(vec![text]),
            Test::In(Membership::In, among) => among.iter().map(Value::as_text).collect(),
            _ => None,
        }
    }
}

/// Whether two values that stand so to each other fulfil a comparison; what has no order is unequal.
fn ordered(comparison: Comparison, order: Option<Ordering>) -> bool {
    match comparison {
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::NotEqual => order != Some(Ordering::Equal),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
    }
}

fn compare_text(comparison: Comparison, text: &str, than: &Value) -> bool {
    match than {
        Value::Text(than) => match comparison {
            Comparison::Equal => text == &**than,
            Comparison::NotEqual => text != &**than,
            _ => ordered(comparison, Some(text.cmp(than))),
        },
        Value::Number(than) => {
            ordered(comparison, numeric_text(text).and_then(|number| number.partial_cmp(than)))
        }
        Value::Bool(value) => match comparison {
            Comparison::Equal => is_bool(text, *value),
            Comparison::NotEqual => !is_bool(text, *value),
            _ => false,
        },
        _ => comparison == Comparison::NotEqual,
    }
}
