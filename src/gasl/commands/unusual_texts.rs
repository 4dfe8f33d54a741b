//! Warnings for values in a condition that its field cannot have: also of searches with results.

use super::list_values::{compared_item, compared_value, only_lists, some_lists};
use super::suggestions::{FieldSource, missing_text, texts_of, unknown_text_warning};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::compare::to_number;
use crate::gasl::graph::{CellType, ElementKind, Graph};
use crate::gasl::language::ast::FindTarget;
use crate::gasl::predicate::{Comparison, FieldName, Predicate, Test, TextTest};
use std::slice;

/// Maximum number of texts of a complete condition that are checked.
const MAX_CHECKED_TEXTS: usize = 32;

/// Returns a warning for the first text that is compared with numbers, or that differs from the
/// values of its field only in case.
pub fn unusual_text(
    graph: &Graph,
    target: FindTarget,
    predicate: &Predicate,
    has_results: bool,
) -> Option<(FieldName, Diagnostic)> {
    let search = TextSearch { graph, target, has_results };
    search.find(predicate, false, &mut { MAX_CHECKED_TEXTS })
}

struct TextSearch<'a> {
    graph: &'a Graph,
    target: FindTarget,
    has_results: bool,
}

impl TextSearch<'_> {
    /// Checks at most `left` texts.
    fn find(
        &self,
        predicate: &Predicate,
        is_negated: bool,
        left: &mut usize,
    ) -> Option<(FieldName, Diagnostic)> {
        let (field, test) = match predicate {
            Predicate::All(each) | Predicate::Any(each) => {
                return each.iter().find_map(|one| self.find(one, is_negated, left));
            }
            Predicate::Not(one) => return self.find(one, !is_negated, left),
            Predicate::Fields(..) => return None,
            Predicate::Field(field, test) => (field, test),
        };
        if let Some(warning) = self.type_warning(field, test, left) {
            return Some((field.clone(), warning));
        }
        // An equality with results, or one without that has a warning of its own, is not repeated.
        let (values, checks_case): (&[Value], bool) = match test {
            Test::Compare(Comparison::Equal, value) => (slice::from_ref(value), is_negated),
            Test::Compare(Comparison::NotEqual, value) => (slice::from_ref(value), true),
            Test::Compare(_, value) => (slice::from_ref(value), false),
            Test::In(_, items) => (items, self.has_results),
            _ => return None,
        };
        let (of, name) = FieldSource::Graph(self.graph).owner(self.target, field)?;
        let mut texts = values.iter().filter_map(Value::as_text);
        let warning = texts.find_map(|text| {
            *left = left.checked_sub(1)?;
            let differs = || self.other_case(of, name, text).filter(|_| checks_case);
            self.number_warning(of, name, text, field).or_else(|| {
                Some(unknown_text_warning(missing_text(of, text, field), text, differs()?))
            })
        });
        Some((field.clone(), warning?))
    }

    /// Returns a warning for a number that is compared with texts, or a value that is compared with lists.
    /// Searches for items of lists in at most `left` tests.
    fn type_warning(&self, field: &FieldName, test: &Test, left: &mut usize) -> Option<Diagnostic> {
        let value = match test {
            Test::Compare(_, value) => value,
            Test::In(_, items) => items.first()?,
            Test::Text(TextTest::StartsWith | TextTest::EndsWith, value) => value,
            _ => return None,
        };
        let (of, name) = FieldSource::Graph(self.graph).owner(self.target, field)?;
        let has_only = |expected| self.graph.has_only(of, name, expected);
        match value {
            // The text operators compare a number as its text.
            Value::Number(_) if !matches!(test, Test::Text(..)) && has_only(CellType::Text) => {
                let fields = [name];
                let mut texts = texts_of(self.graph, of, &fields).peekable();
                let example = quote(&Value::from(*texts.peek()?).to_text());
                if texts.any(|text| to_number(&text.into()).is_some()) {
                    return None;
                }
                let message = format!(
                    "expected texts to compare with {}, found {}",
                    quote(field),
                    quote(&value.to_text())
                );
                let help = format!("write a text in quotes, such as {example}");
                Some(Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help))
            }
            Value::Text(_) | Value::Number(_) | Value::Bool(_) if has_only(CellType::List) => {
                Some(only_lists(field, value, test))
            }
            _ => {
                compared_value(test)?;
                *left = left.checked_sub(1)?;
                let mut lists = self.graph.lists_of(of, name);
                let item = lists.find_map(|list| compared_item(list, test))?;
                Some(some_lists(field, item, test))
            }
        }
    }

    /// Returns a warning for a text without a numeric value, if the field has only numbers.
    fn number_warning(
        &self,
        of: ElementKind,
        name: &str,
        text: &str,
        field: &str,
    ) -> Option<Diagnostic> {
        if to_number(&text.into()).is_some() || !self.graph.has_only(of, name, CellType::Number) {
            return None;
        }
        let message = format!("{} is text, but {} has numbers", quote(text), quote(field));
        let help = match number_in(text) {
            Some(number) => format!("write {}", quote(&number)),
            None => "write a number with digits, as in `0.5` or `1000`".to_owned(),
        };
        Some(Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help))
    }

    /// Returns the value of a field that differs from a text only in case, unless one is equal.
    fn other_case(&self, of: ElementKind, name: &str, text: &str) -> Option<&str> {
        let fields = [name];
        if texts_of(self.graph, of, &fields).any(|one| one == text) {
            return None;
        }
        let mut texts = texts_of(self.graph, of, &fields);
        texts.find(|one| one.eq_ignore_ascii_case(text))
    }
}

/// Returns the number that a text like `.5` or `1_000` means.
fn number_in(text: &str) -> Option<String> {
    let digits = text.replace('_', "");
    let number = if digits.starts_with('.') { format!("0{digits}") } else { digits };
    to_number(&number.as_str().into()).map(|_| number)
}
