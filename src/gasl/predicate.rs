//! Predicates that filter a graph or a list of rows: conditions with resolved values.

use super::compare::{compare, equal};
use super::value_set::ValueSet;
use crate::base::Value;
use crate::base::map::NameMap;
use std::cmp::Ordering;
use std::rc::Rc;

/// Predicate over one row. Unlike in SQL there is no third truth value.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// Conjunction; true if empty.
    All(Vec<Predicate>),
    /// Disjunction; false if empty.
    Any(Vec<Predicate>),
    Not(Box<Predicate>),
    Field(FieldName, Test),
    /// Comparison of two fields of the row.
    Fields(FieldName, TestOperator, FieldName),
}

/// Name of an attribute as written: `weight`, `address.city`, `start.name`.
pub type FieldName = Rc<str>;

/// Test of one value.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// `= != > >= < <=`.
    Compare(Comparison, Value),
    /// `IN` and `NOT IN`.
    In(Membership, Rc<ValueSet>),
    /// `CONTAINS`, `STARTS_WITH`, `ENDS_WITH`.
    Text(TextTest, Value),
    /// `EXISTS`: the row has the attribute.
    Exists,
    /// `IS NULL`: null or missing.
    Null,
    /// `IS NOT NULL`.
    NotNull,
}

/// Operator of a test with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOperator {
    /// `= != > >= < <=`
    Compare(Comparison),
    /// `CONTAINS`, `STARTS_WITH`, `ENDS_WITH`
    Text(TextTest),
}

/// Comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

/// Membership operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// `IN`
    In,
    /// `NOT IN`
    Out,
}

/// Text operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextTest {
    /// `CONTAINS`
    Contains,
    /// `STARTS_WITH`
    StartsWith,
    /// `ENDS_WITH`
    EndsWith,
}

/// Case sensitivity of the text operators (`caps.case_sensitive`). `=` and `IN` are always case
/// sensitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// `é` matches `É`.
    #[default]
    Ignored,
    Sensitive,
}

/// Maximum number of names that are compared one by one, without a hash map.
pub const MAX_COMPARED_NAMES: usize = 16;

impl Predicate {
    /// Returns a predicate that is true for every row.
    pub fn everything() -> Predicate {
        Predicate::All(Vec::new())
    }

    /// Evaluates the predicate; `value` returns the attribute with the given name.
    pub fn holds(&self, case: Case, value: &dyn Fn(&str) -> Option<Value>) -> bool {
        match self {
            Predicate::All(each) => each.iter().all(|one| one.holds(case, value)),
            Predicate::Any(each) => each.iter().any(|one| one.holds(case, value)),
            Predicate::Not(one) => !one.holds(case, value),
            Predicate::Field(field, test) => test.holds(case, value(field).as_ref()),
            Predicate::Fields(left, operator, right) => {
                operator.holds(case, value(left).as_ref(), value(right).as_ref())
            }
        }
    }

    /// Returns the distinct field names in order of appearance.
    pub fn fields(&self) -> Vec<FieldName> {
        let mut found: Vec<FieldName> = Vec::new();
        // Filled with the names when there are too many to compare each.
        let mut visited = NameMap::default();
        self.visit_fields(&mut |field| {
            let is_known = match found.len() {
                0..MAX_COMPARED_NAMES => found.contains(field),
                _ => visited.contains_key(&**field),
            };
            if is_known {
                return;
            }
            found.push(field.clone());
            if found.len() >= MAX_COMPARED_NAMES {
                let added = if visited.is_empty() { 0 } else { found.len() - 1 };
                let names = found.get(added..).unwrap_or_default();
                visited.extend(names.iter().map(|name| (name.to_string(), 0)));
            }
        });
        found
    }

    /// Calls `visit` for each use of a field, in order of appearance.
    pub fn visit_fields(&self, visit: &mut dyn FnMut(&FieldName)) {
        match self {
            Predicate::All(each) | Predicate::Any(each) => {
                each.iter().for_each(|one| one.visit_fields(visit));
            }
            Predicate::Not(one) => one.visit_fields(visit),
            Predicate::Field(field, _) => visit(field),
            Predicate::Fields(left, _, right) => {
                visit(left);
                visit(right);
            }
        }
    }

    /// Returns whether a field is the right operand of a test.
    pub fn compares_with(&self, field: &str) -> bool {
        match self {
            Predicate::All(each) | Predicate::Any(each) => {
                each.iter().any(|one| one.compares_with(field))
            }
            Predicate::Not(one) => one.compares_with(field),
            Predicate::Field(..) => false,
            Predicate::Fields(_, _, right) => **right == *field,
        }
    }

    /// Returns the predicate with other field names.
    pub fn map_fields(&self, rename: &dyn Fn(&str) -> FieldName) -> Predicate {
        let each = |each: &[Predicate]| each.iter().map(|one| one.map_fields(rename)).collect();
        match self {
            Predicate::All(list) => Predicate::All(each(list)),
            Predicate::Any(list) => Predicate::Any(each(list)),
            Predicate::Not(one) => Predicate::Not(Box::new(one.map_fields(rename))),
            Predicate::Field(field, test) => Predicate::Field(rename(field), test.clone()),
            Predicate::Fields(left, operator, right) => {
                Predicate::Fields(rename(left), *operator, rename(right))
            }
        }
    }
}

impl Test {
    /// Evaluates the test; a missing attribute fails all but `!=`, `NOT IN` and `IS NULL`.
    pub fn holds(&self, case: Case, value: Option<&Value>) -> bool {
        match (self, value) {
            (Test::Exists, value) => value.is_some(),
            (Test::Null, value) => value.is_none_or(Value::is_null),
            (Test::NotNull, value) => !value.is_none_or(Value::is_null),
            (Test::Compare(Comparison::NotEqual, _) | Test::In(Membership::Out, _), None) => true,
            (_, None) => false,
            (Test::Compare(comparison, right), Some(value)) => comparison.holds(value, right),
            (Test::In(membership, values), Some(value)) => {
                values.contains(value) == (*membership == Membership::In)
            }
            (Test::Text(test, right), Some(value)) => test.holds(case, value, right),
        }
    }
}

impl TestOperator {
    /// Returns the operator as written.
    pub fn text(self) -> &'static str {
        match self {
            TestOperator::Compare(comparison) => comparison.sign(),
            TestOperator::Text(test) => test.word(),
        }
    }

    /// Compares the values of two fields; a missing or null one fails, also for `!=`.
    pub fn holds(self, case: Case, left: Option<&Value>, right: Option<&Value>) -> bool {
        let is_present = |value: &&Value| !value.is_null();
        let (Some(left), Some(right)) = (left.filter(is_present), right.filter(is_present)) else {
            return false;
        };
        match self {
            TestOperator::Compare(comparison) => comparison.holds(left, right),
            TestOperator::Text(test) => test.holds(case, left, right),
        }
    }
}

impl Comparison {
    /// Evaluates the comparison; values without an [order](compare) fail `>`, `>=`, `<` and `<=`.
    pub fn holds(self, value: &Value, right: &Value) -> bool {
        match self {
            Comparison::Equal => equal(value, right),
            Comparison::NotEqual => !equal(value, right),
            Comparison::Greater => compare(value, right) == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => compare(value, right).is_some_and(Ordering::is_ge),
            Comparison::Less => compare(value, right) == Some(Ordering::Less),
            Comparison::LessOrEqual => compare(value, right).is_some_and(Ordering::is_le),
        }
    }

    /// Returns the negation, for two numbers.
    pub fn complement(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
        }
    }
}

impl TextTest {
    /// Returns the keyword.
    pub fn word(self) -> &'static str {
        match self {
            TextTest::Contains => "CONTAINS",
            TextTest::StartsWith => "STARTS_WITH",
            TextTest::EndsWith => "ENDS_WITH",
        }
    }

    /// Evaluates the operator. `CONTAINS` on a list checks whether an item equals the right side.
    fn holds(self, case: Case, value: &Value, right: &Value) -> bool {
        if let (TextTest::Contains, Value::List(items)) = (self, value) {
            let Some(right) = to_comparable_text(right, case) else { return false };
            return items
                .iter()
                .any(|item| to_comparable_text(item, case).is_some_and(|item| item == right));
        }
        let (Some(text), Some(right)) =
            (to_comparable_text(value, case), to_comparable_text(right, case))
        else {
            return false;
        };
        match self {
            TextTest::Contains => text.contains(&right),
            TextTest::StartsWith => text.starts_with(&right),
            TextTest::EndsWith => text.ends_with(&right),
        }
    }
}

/// Returns a scalar as a string in comparable case, or `None` for other values.
fn to_comparable_text(value: &Value, case: Case) -> Option<String> {
    let text = match value {
        Value::Text(text) => text.to_string(),
        Value::Number(_) | Value::Bool(_) => value.to_text(),
        _ => return None,
    };
    Some(match case {
        Case::Ignored => to_search_case(&text),
        Case::Sensitive => text,
    })
}

/// Returns a string in lower case, with the Greek final sigma as a normal sigma, so that a word is
/// found inside a longer one.
pub fn to_search_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let sigma = |character| if character == 'ς' { 'σ' } else { character };
    text.chars().flat_map(char::to_lowercase).map(sigma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn check(test: Test, value: &str, expected: bool) {
        let found = Value::parse(value.as_bytes(), Limits::default()).0;
        assert_eq!(test.holds(Case::Ignored, found.as_ref()), expected, "{test:?} of {value}");
    }

    fn compares(comparison: Comparison, than: impl Into<Value>) -> Test {
        Test::Compare(comparison, than.into())
    }

    #[test]
    fn numeric_strings_compare_as_numbers() {
        check(compares(Comparison::Equal, "8"), "8.0", true);
        check(compares(Comparison::Greater, 9.0), r#""10""#, true);
        check(compares(Comparison::Greater, "9"), r#""10""#, false);
        check(compares(Comparison::Less, 3.0), r#""many""#, false);
        check(compares(Comparison::GreaterOrEqual, 3.0), r#""many""#, false);
        check(compares(Comparison::Equal, "true"), "true", true);
    }

    #[test]
    fn missing_attribute_passes_only_negative_tests() {
        let missing = "";
        check(compares(Comparison::NotEqual, "a"), missing, true);
        let a = || ValueSet::new(vec!["a".into()]);
        check(Test::In(Membership::Out, a()), missing, true);
        check(Test::In(Membership::In, a()), missing, false);
        check(compares(Comparison::Equal, Value::Null), missing, false);
        check(Test::Null, missing, true);
        check(Test::NotNull, missing, false);
        check(Test::Exists, missing, false);
        check(Test::Exists, "null", true);
        check(Test::Null, "null", true);
    }

    #[test]
    fn text_operators_ignore_case_and_equality_does_not() {
        let contains = |text: &str| Test::Text(TextTest::Contains, text.into());
        check(contains("éCOLE"), r#""Une École""#, true);
        check(contains("b"), r#"["a", "B"]"#, true);
        check(contains("b"), r#"["ab"]"#, false);
        check(contains("2"), "123", true);
        check(compares(Comparison::Equal, "person"), r#""PERSON""#, false);
        assert!(!contains("b").holds(Case::Sensitive, Some(&"B".into())));
    }
}
