//! Values of the right side of `IN`.

use super::bind::{VariableScope, id_of};
use super::codes;
use super::language::ast::{InItems, Operand, OperandKind};
use super::variable::Variable;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value, names};

impl VariableScope<'_> {
    /// Returns the values that `IN` compares with: list items, the ids of rows, and the items of
    /// nested lists.
    pub fn items(&mut self, items: &InItems) -> Result<Vec<Value>, Diagnostic> {
        let operands = match items {
            InItems::List(operands) => operands,
            InItems::Binding(operand) => return self.bound_items(operand),
        };
        let mut values = Vec::new();
        for operand in operands {
            match self.operand_value(operand)? {
                // `[${a}, ${b}]` of lists contains the items of both.
                Value::List(list) => {
                    list.iter().for_each(|item| push_with_nested(item, &mut values))
                }
                value => values.push(id_of(&value)),
            }
        }
        Ok(values)
    }

    fn bound_items(&mut self, operand: &Operand) -> Result<Vec<Value>, Diagnostic> {
        let OperandKind::Binding(steps) = &operand.kind else {
            return Ok(vec![self.operand_value(operand)?]);
        };
        let mut values = Vec::new();
        let found = self.resolve(steps, operand.span)?;
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
            push_with_nested(&item, &mut values);
        }
        if values.iter().all(|value| value.as_map().is_some()) && !values.is_empty() {
            let path = steps.join(".");
            let message = format!("no row of {} has an `id`", quote(&path));
            let fields = rows.fields();
            let fields = names::format_names(fields.iter().map(String::as_str));
            let help = format!("write `IN ${{{path}.…}}` with a field; available: {fields}");
            return Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(operand.span));
        }
        Ok(values)
    }
}

/// Adds an item, or its id, and the items of a nested list.
fn push_with_nested(item: &Value, values: &mut Vec<Value>) {
    values.push(id_of(item));
    values.extend(item.as_list().unwrap_or_default().iter().map(id_of));
}
