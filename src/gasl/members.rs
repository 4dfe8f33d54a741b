//! The values behind `IN`.

use super::bind::{Scope, id_of};
use super::codes;
use super::language::ast::{Items, Operand, OperandKind};
use super::predicate::{equal, numeric_text};
use super::variable::Variable;
use crate::base::diagnostic::quote;
use crate::base::map::{IntMap, NameMap};
use crate::base::{Diagnostic, Value, names};
use std::ops::Deref;
use std::rc::Rc;

/// Values, and tables of what equals them: ten thousand rows may be held against ten thousand values.
#[derive(Debug, Default)]
pub struct Members {
    values: Vec<Value>,
    texts: NameMap,
    /// IntMap, by their bits.
    numbers: IntMap,
    /// IntMap that texts among them spell: they equal numbers, but no other text.
    spelled_numbers: IntMap,
    bools: Vec<bool>,
    /// Booleans that texts among them spell.
    spelled_bools: Vec<bool>,
}

impl Members {
    /// These values.
    pub fn of(values: Vec<Value>) -> Rc<Members> {
        let mut members = Members { values, ..Members::default() };
        for value in &members.values {
            match value {
                Value::Text(text) => {
                    members.texts.insert(text.to_string(), 0);
                    let number = numeric_text(text).map(|number| (key(number), 0));
                    members.spelled_numbers.extend(number);
                    let said = [false, true].into_iter().find(|one| is_bool(text, *one));
                    let said = said.filter(|one| !members.spelled_bools.contains(one));
                    members.spelled_bools.extend(said);
                }
                Value::Number(number) => {
                    members.numbers.insert(key(*number), 0);
                }
                Value::Bool(value) if !members.bools.contains(value) => members.bools.push(*value),
                _ => {}
            }
        }
        Rc::new(members)
    }

    /// Whether one of them equals a value.
    pub fn has(&self, value: &Value) -> bool {
        match value {
            Value::Text(text) => self.has_text(text),
            Value::Number(number) => self.has_number(*number),
            Value::Bool(value) => self.bools.contains(value) || self.spelled_bools.contains(value),
            value => self.iter().any(|one| equal(value, one)),
        }
    }

    /// Whether one of them equals a text.
    pub fn has_text(&self, text: &str) -> bool {
        let spells = |number| self.numbers.contains_key(&key(number));
        self.texts.contains_key(text)
            || self.bools.iter().any(|value| is_bool(text, *value))
            || (!self.numbers.is_empty() && numeric_text(text).is_some_and(spells))
    }

    /// Whether one of them equals a number.
    pub fn has_number(&self, number: f64) -> bool {
        let key = key(number);
        self.numbers.contains_key(&key) || self.spelled_numbers.contains_key(&key)
    }
}

impl Deref for Members {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

impl PartialEq for Members {
    fn eq(&self, other: &Members) -> bool {
        self.values == other.values
    }
}

impl Scope<'_> {
    /// What `IN` looks through: the values of the list; of rows their ids, and of lists their items
    /// too.
    pub fn items(&mut self, items: &Items) -> Result<Vec<Value>, Diagnostic> {
        let operands = match items {
            Items::List(operands) => operands,
            Items::Binding(operand) => return self.bound_items(operand),
        };
        let mut values = Vec::new();
        for operand in operands {
            match self.value(operand)? {
                // `[${a}, ${b}]` of lists is the values of both.
                Value::List(list) => list.iter().for_each(|item| spread(item, &mut values)),
                value => values.push(id_of(&value)),
            }
        }
        Ok(values)
    }

    fn bound_items(&mut self, operand: &Operand) -> Result<Vec<Value>, Diagnostic> {
        let OperandKind::Binding(steps) = &operand.kind else {
            return Ok(vec![self.value(operand)?]);
        };
        let mut values = Vec::new();
        let found = self.find(steps, operand.span)?;
        let rows = match &found {
            Variable::Rows(rows, _) => rows,
            Variable::Value(Value::Map(map), _) if !map.contains_key("id") => {
                return Ok(map.keys().map(|key| Value::Text(key.clone())).collect::<Vec<_>>());
            }
            Variable::Value(value, _) => return Ok(vec![id_of(value)]),
        };
        let id = rows.values("id");
        for index in 0..rows.len() {
            let item = id(index).or_else(|| rows.row(index)).unwrap_or_default();
            spread(&item, &mut values);
        }
        if values.iter().all(|value| value.as_map().is_some()) && !values.is_empty() {
            let path = steps.join(".");
            let message = format!("{} holds nothing with an `id`", quote(&path));
            let fields = rows.fields();
            let fields = names::list(fields.iter().map(String::as_str));
            let help =
                format!("write `IN ${{{path}.…}}` with one of the fields: there are {fields}");
            return Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(operand.span));
        }
        Ok(values)
    }
}

/// Adds what `IN` takes of an item: its id, or itself; the items of a list beside it.
fn spread(item: &Value, values: &mut Vec<Value>) {
    values.push(id_of(item));
    values.extend(item.as_list().unwrap_or_default().iter().map(id_of));
}

/// Whether a text is the name of a boolean.
pub fn is_bool(text: &str, value: bool) -> bool {
    text.eq_ignore_ascii_case(if value { "true" } else { "false" })
}

/// The bits of a number; both zeros are one.
fn key(number: f64) -> u64 {
    if number == 0.0 { 0 } else { number.to_bits() }
}
