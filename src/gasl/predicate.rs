//! Conditions whose values are known: what a graph, or a list of rows, is filtered by.

use super::compare::{compare, equal};
use super::value_set::ValueSet;
use crate::base::Value;
use std::cmp::Ordering;
use std::rc::Rc;

/// A condition over one row. Not `NULL`-valued as in SQL: every predicate is true or false.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// True where all are; no predicates at all are true.
    All(Vec<Predicate>),
    /// True where one is.
    Any(Vec<Predicate>),
    /// True where it is not.
    Not(Box<Predicate>),
    /// What is known of a field.
    Field(FieldName, Test),
}

/// The name of an attribute, as it was written: `weight`, `address.city`, `start.name`.
pub type FieldName = Rc<str>;

/// What is asked of the value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// `= != > >= < <=`.
    Compare(Comparison, Value),
    /// `IN`; `NOT IN` where the flag is [`Membership::Out`].
    In(Membership, Rc<ValueSet>),
    /// `CONTAINS`, `STARTS_WITH`, `ENDS_WITH`.
    Text(TextTest, Value),
    /// `EXISTS`: there is such an attribute.
    Exists,
    /// `IS NULL`: it is null or there is none.
    Null,
    /// `IS NOT NULL`.
    NotNull,
}

/// How two values are compared.
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

/// `IN` or `NOT IN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// `IN`
    In,
    /// `NOT IN`
    Out,
}

/// Where in a text another one is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextTest {
    /// `CONTAINS`
    Contains,
    /// `STARTS_WITH`
    StartsWith,
    /// `ENDS_WITH`
    EndsWith,
}

/// Whether the text operators look at upper and lower case (`caps.case_sensitive`). `=` and `IN`
/// always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// `é` finds `É`.
    #[default]
    Ignored,
    /// `é` finds `é` only.
    Sensitive,
}

impl Predicate {
    /// What every row fulfils.
    pub fn everything() -> Predicate {
        Predicate::All(Vec::new())
    }

    /// Whether a row fulfils it; `value` answers the attribute of that name.
    pub fn holds(&self, case: Case, value: &dyn Fn(&str) -> Option<Value>) -> bool {
        match self {
            Predicate::All(each) => each.iter().all(|one| one.holds(case, value)),
            Predicate::Any(each) => each.iter().any(|one| one.holds(case, value)),
            Predicate::Not(one) => !one.holds(case, value),
            Predicate::Field(field, test) => test.holds(case, value(field).as_ref()),
        }
    }

    /// The names of all fields that it asks for, each once, in order.
    pub fn fields(&self) -> Vec<FieldName> {
        let mut found = Vec::new();
        self.collect_fields(&mut found);
        found
    }

    fn collect_fields(&self, found: &mut Vec<FieldName>) {
        match self {
            Predicate::All(each) | Predicate::Any(each) => {
                each.iter().for_each(|one| one.collect_fields(found));
            }
            Predicate::Not(one) => one.collect_fields(found),
            Predicate::Field(field, _) if found.contains(field) => {}
            Predicate::Field(field, _) => found.push(field.clone()),
        }
    }
}

impl Test {
    /// Whether the value fulfils it; a missing attribute fails all but `!=`, `NOT IN` and `IS NULL`.
    pub fn holds(&self, case: Case, value: Option<&Value>) -> bool {
        match (self, value) {
            (Test::Exists, value) => value.is_some(),
            (Test::Null, value) => value.is_none_or(Value::is_null),
            (Test::NotNull, value) => !value.is_none_or(Value::is_null),
            (Test::Compare(Comparison::NotEqual, _) | Test::In(Membership::Out, _), None) => true,
            (_, None) => false,
            (Test::Compare(comparison, than), Some(value)) => comparison.holds(value, than),
            (Test::In(membership, among), Some(value)) => {
                among.contains(value) == (*membership == Membership::In)
            }
            (Test::Text(test, wanted), Some(value)) => test.holds(case, value, wanted),
        }
    }
}

impl Comparison {
    /// Whether `value` stands so to `than`. What cannot be ordered is in no order.
    pub fn holds(self, value: &Value, than: &Value) -> bool {
        match self {
            Comparison::Equal => equal(value, than),
            Comparison::NotEqual => !equal(value, than),
            Comparison::Greater => compare(value, than) == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => compare(value, than).is_some_and(Ordering::is_ge),
            Comparison::Less => compare(value, than) == Some(Ordering::Less),
            Comparison::LessOrEqual => compare(value, than).is_some_and(Ordering::is_le),
        }
    }

    /// What holds of two numbers where it does not.
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

    /// The sign.
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
    /// The words of the operator.
    pub fn word(self) -> &'static str {
        match self {
            TextTest::Contains => "CONTAINS",
            TextTest::StartsWith => "STARTS_WITH",
            TextTest::EndsWith => "ENDS_WITH",
        }
    }

    /// Of a list, `CONTAINS` asks whether one of the items is what is wanted.
    fn holds(self, case: Case, value: &Value, wanted: &Value) -> bool {
        if let (TextTest::Contains, Value::List(items)) = (self, value) {
            let Some(wanted) = fold(wanted, case) else { return false };
            return items.iter().any(|item| fold(item, case).is_some_and(|item| item == wanted));
        }
        let (Some(text), Some(wanted)) = (fold(value, case), fold(wanted, case)) else {
            return false;
        };
        match self {
            TextTest::Contains => text.contains(&wanted),
            TextTest::StartsWith => text.starts_with(&wanted),
            TextTest::EndsWith => text.ends_with(&wanted),
        }
    }
}

/// A text, or a number or a boolean as one writes it, in the case that is compared.
fn fold(value: &Value, case: Case) -> Option<String> {
    let text = match value {
        Value::Text(text) => text.to_string(),
        Value::Number(_) | Value::Bool(_) => value.to_text(),
        _ => return None,
    };
    Some(match case {
        Case::Ignored => lower(&text),
        Case::Sensitive => text,
    })
}

/// A text without its case. The Greek small sigma has two forms, one for the end of a word; it is
/// the other one wherever it stands, or a word would not be found inside a longer one.
pub fn lower(text: &str) -> String {
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
    fn numbers_and_numeric_texts_compare_as_numbers() {
        check(compares(Comparison::Equal, "8"), "8.0", true);
        check(compares(Comparison::Greater, 9.0), r#""10""#, true);
        check(compares(Comparison::Greater, "9"), r#""10""#, false);
        check(compares(Comparison::Less, 3.0), r#""many""#, false);
        check(compares(Comparison::GreaterOrEqual, 3.0), r#""many""#, false);
        check(compares(Comparison::Equal, "true"), "true", true);
    }

    #[test]
    fn a_missing_attribute_fails_all_but_the_negative_ones() {
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
    fn text_is_looked_for_in_any_case_but_equal_exactly() {
        let contains = |text: &str| Test::Text(TextTest::Contains, text.into());
        check(contains("éCOLE"), r#""Une École""#, true);
        check(contains("b"), r#"["a", "B"]"#, true);
        check(contains("b"), r#"["ab"]"#, false);
        check(contains("2"), "123", true);
        check(compares(Comparison::Equal, "person"), r#""PERSON""#, false);
        assert!(!contains("b").holds(Case::Sensitive, Some(&"B".into())));
    }
}
