//! Set of values for `IN`.

use super::compare::{equal, parse_numeric_text, spells_bool};
use crate::base::Value;
use crate::base::map::{IntMap, NameMap};
use std::ops::Deref;
use std::rc::Rc;

/// Values with hash indices, because many rows may be compared with many values.
#[derive(Debug, Default)]
pub struct ValueSet {
    values: Vec<Value>,
    texts: NameMap,
    /// Numbers, by their bits.
    numbers: IntMap,
    /// Numbers that strings of the set spell. They equal numbers, but no other string.
    spelled_numbers: IntMap,
    bools: Vec<bool>,
    /// Booleans that strings of the set spell.
    spelled_bools: Vec<bool>,
}

impl ValueSet {
    pub fn new(values: Vec<Value>) -> Rc<ValueSet> {
        let mut set = ValueSet { values, ..ValueSet::default() };
        for value in &set.values {
            match value {
                Value::Text(text) => {
                    set.texts.insert(text.to_string(), 0);
                    let number = parse_numeric_text(text).map(|number| (number_key(number), 0));
                    set.spelled_numbers.extend(number);
                    let spelled = [false, true].into_iter().find(|one| spells_bool(text, *one));
                    let spelled = spelled.filter(|one| !set.spelled_bools.contains(one));
                    set.spelled_bools.extend(spelled);
                }
                Value::Number(number) => {
                    set.numbers.insert(number_key(*number), 0);
                }
                Value::Bool(value) if !set.bools.contains(value) => set.bools.push(*value),
                _ => {}
            }
        }
        Rc::new(set)
    }

    /// Returns whether a value of the set [equals](equal) a value.
    pub fn contains(&self, value: &Value) -> bool {
        match value {
            Value::Text(text) => self.contains_text(text),
            Value::Number(number) => self.contains_number(*number),
            Value::Bool(value) => self.bools.contains(value) || self.spelled_bools.contains(value),
            value => self.values.iter().any(|one| equal(value, one)),
        }
    }

    pub fn contains_text(&self, text: &str) -> bool {
        let has_number = |number| self.numbers.contains_key(&number_key(number));
        self.texts.contains_key(text)
            || self.bools.iter().any(|value| spells_bool(text, *value))
            || (!self.numbers.is_empty() && parse_numeric_text(text).is_some_and(has_number))
    }

    pub fn contains_number(&self, number: f64) -> bool {
        let key = number_key(number);
        self.numbers.contains_key(&key) || self.spelled_numbers.contains_key(&key)
    }
}

impl Deref for ValueSet {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

impl PartialEq for ValueSet {
    fn eq(&self, other: &ValueSet) -> bool {
        self.values == other.values
    }
}

/// Returns the bits of a number; both zeros have the same.
fn number_key(number: f64) -> u64 {
    if number == 0.0 { 0 } else { number.to_bits() }
}
