//! Conditions over rows with resolved values.

use super::bind::VariableScope;
use super::codes;
use super::language::ast::{Condition, InItems, Operand, OperandKind, has_row_prefix};
use super::language::{print_field, template};
use super::predicate::{Comparison, FieldName, Membership, Predicate, Test, TestOperator};
use super::value_set::ValueSet;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value};

/// Fields of the rows of a condition.
pub trait ConditionFields {
    /// Returns whether the rows have a field.
    fn has_field(&self, field: &str) -> bool;

    /// Returns whether a row may have a text in a field.
    fn has_text(&self, field: &str, text: &str) -> bool;
}

/// Names of the fields of rows that a host has.
impl ConditionFields for Vec<String> {
    fn has_field(&self, field: &str) -> bool {
        self.iter().any(|name| name == field)
    }

    fn has_text(&self, _field: &str, _text: &str) -> bool {
        true
    }
}

/// Maximum number of words of a condition that are compared with the values of their field.
const MAX_COMPARED_WORDS: usize = 32;

impl VariableScope<'_> {
    /// Converts a condition over rows to a predicate, with all operand values resolved. An unquoted
    /// word on the right is a field if the rows have it.
    pub fn predicate(
        &mut self,
        condition: &Condition,
        fields: &dyn ConditionFields,
    ) -> Result<Predicate, Diagnostic> {
        let each = |scope: &mut VariableScope<'_>, all: &[Condition]| {
            all.iter().map(|one| scope.predicate(one, fields)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match condition {
            Condition::All(all) => Predicate::All(each(self, all)?),
            Condition::Any(all) => Predicate::Any(each(self, all)?),
            Condition::Not(one) => Predicate::Not(Box::new(self.predicate(one, fields)?)),
            Condition::Compare(left, comparison, right) => {
                if let Some(other) = self.right_field(right, fields) {
                    let operator = TestOperator::Compare(*comparison);
                    return Ok(Predicate::Fields(field_of(left), operator, other));
                }
                let value = self.single_value(right)?;
                let field = field_of(left);
                self.warn_null_comparison(&field, *comparison, right, &value);
                match comparison {
                    Comparison::Equal => self.warn_text_names_variable(&field, "", right, fields),
                    Comparison::NotEqual => {
                        self.warn_text_names_variable(&field, "NOT ", right, fields);
                    }
                    _ => self.warn_word_names_variable(right),
                }
                Predicate::Field(field, Test::Compare(*comparison, value))
            }
            Condition::In(left, membership, items) => {
                self.report_listed_fields(items, fields);
                let field = field_of(left);
                if let InItems::List(words) = items {
                    let not = if *membership == Membership::Out { "NOT " } else { "" };
                    for word in words {
                        self.warn_text_names_variable(&field, not, word, fields);
                    }
                }
                let items = ValueSet::new(self.items(items)?);
                Predicate::Field(field, Test::In(*membership, items))
            }
            Condition::Text(left, test, right) => match self.right_field(right, fields) {
                Some(other) => Predicate::Fields(field_of(left), TestOperator::Text(*test), other),
                None => {
                    let value = self.single_value(right)?;
                    Predicate::Field(field_of(left), Test::Text(*test, value))
                }
            },
            Condition::Exists(subject) => Predicate::Field(field_of(subject), Test::Exists),
            Condition::Null(subject) => Predicate::Field(field_of(subject), Test::Null),
            Condition::NotNull(subject) => Predicate::Field(field_of(subject), Test::NotNull),
            Condition::Empty(subject) => Predicate::Field(field_of(subject), Test::Null),
        })
    }

    /// Warns of an unquoted word that names a variable, or the path of one, if no row has it in a field.
    fn warn_text_names_variable(
        &mut self,
        field: &str,
        not: &str,
        operand: &Operand,
        fields: &dyn ConditionFields,
    ) {
        let OperandKind::Literal(Value::Text(word)) = &operand.kind else { return };
        let Some(steps) = template::parse_steps(word) else { return };
        let name = steps.get(..1).unwrap_or_default();
        if self.compared_words >= MAX_COMPARED_WORDS || !self.is_defined(name) {
            return;
        }
        self.compared_words += 1;
        if fields.has_text(field, word) {
            return;
        }
        let message = format!(
            "{} is a string here, but {} is a variable",
            quote(word),
            quote(&name.concat())
        );
        let path = if self.is_defined(&steps) { steps.as_slice() } else { name }.join(".");
        let help = format!(
            "write `{} {not}IN ${{{path}}}` for the values of the variable, or `\"{word}\"` for the string",
            print_field(field)
        );
        self.diagnostics
            .push(Diagnostic::new(codes::WORD_NAMES_VARIABLE, message).help(help).at(operand.span));
    }

    /// Reports items of a list that look like fields, because a list contains values only.
    fn report_listed_fields(&mut self, items: &InItems, fields: &dyn ConditionFields) {
        let InItems::List(items) = items else { return };
        for item in items {
            let OperandKind::Literal(Value::Text(word)) = &item.kind else { continue };
            if has_row_prefix(word) && fields.has_field(word) {
                let message = format!("{} is a text here, because it is in a list", quote(word));
                let help = "compare with `=` for the field, or quote the text";
                let info = Diagnostic::new(codes::WORD_NAMES_FIELD, message).help(help);
                self.diagnostics.push(info.at(item.span));
            }
        }
    }

    /// Returns the field on the right of a test, or `None` for a value. Reports an unquoted word that
    /// is a field.
    fn right_field(&mut self, right: &Operand, fields: &dyn ConditionFields) -> Option<FieldName> {
        match &right.kind {
            OperandKind::Field(name) => Some(name.as_str().into()),
            OperandKind::Literal(Value::Text(word)) if fields.has_field(word) => {
                let message = format!("{} is read as the field of this name", quote(word));
                let help = format!("write `\"{word}\"` for the text");
                let info = Diagnostic::new(codes::WORD_NAMES_FIELD, message).help(help);
                self.diagnostics.push(info.at(right.span));
                Some(word.clone())
            }
            _ => None,
        }
    }

    /// Warns of `= null` and `!= null`, because a missing field equals nothing.
    fn warn_null_comparison(
        &mut self,
        field: &str,
        by: Comparison,
        right: &Operand,
        value: &Value,
    ) {
        let is_none =
            matches!(&right.kind, OperandKind::Literal(Value::Text(word)) if &**word == "None");
        let (result, suggestion) = match by {
            Comparison::Equal => ("false", "IS NULL"),
            Comparison::NotEqual => ("true", "IS NOT NULL"),
            _ => return,
        };
        if !value.is_null() && !is_none {
            return;
        }
        let sign = by.sign();
        let name = print_field(field);
        let message =
            format!("`{name} {sign} null` is {result} if the row has no field {}", quote(field));
        let help = format!("write `{name} {suggestion}`, which treats null and missing alike");
        self.diagnostics
            .push(Diagnostic::new(codes::NULL_COMPARISON, message).help(help).at(right.span));
    }
}

/// Returns the field of the left operand; the grammar allows no other operand there.
fn field_of(operand: &Operand) -> FieldName {
    match &operand.kind {
        OperandKind::Field(name) => name.as_str().into(),
        _ => "".into(),
    }
}
