//! Comparisons as other languages write them, and what was probably meant by them.

use super::ast::{Condition, Operand, OperandKind};
use super::parser::Parser;
use super::token::Kind;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::codes;
use crate::gasl::predicate::{Comparison, TextTest};

impl Parser<'_> {
    /// `type = A OR B`: a value that is compared with nothing, where a test was before it. It is told,
    /// and read as if that test were repeated.
    pub(super) fn value_alone(&mut self) -> Option<Condition> {
        let is_alone =
            matches!(self.peek(), Some(Kind::Text(_) | Kind::Word(_) | Kind::Binding(_)))
                && match self.peek_at(1) {
                    None | Some(Kind::End | Kind::Sign(')')) => true,
                    Some(Kind::Word(word)) => ["AS", "OR", "AND", "LIMIT", "THEN"]
                        .iter()
                        .any(|next| next.eq_ignore_ascii_case(word)),
                    _ => false,
                };
        if !is_alone {
            return None;
        }
        let Compared { left, sign } = self.compared.clone()?;
        let here = self.here();
        let either = self.text_at(self.last_span()).eq_ignore_ascii_case("OR");
        let right = self.expect_value()?;
        let asked = format!("{} {}", self.text_at(left.span), sign.text());
        let message = format!("{} is compared with nothing", quote(self.text_at(here)));
        let unlike = sign == Sign::Compare(Comparison::NotEqual);
        let help = match (either, unlike) {
            (true, true) => "write `NOT IN [a, b]` for neither of the values".to_owned(),
            (false, false) => format!("write `IN [a, b]`, or `{asked} …` again"),
            _ => format!("write `{asked} …` again, or `IN [a, b]`"),
        };
        self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), here);
        // `NOT a = x OR y` leaves open what is meant, as do the pairs that no row or every row fulfils.
        if either != unlike && !self.follows_not(left.span) {
            self.fix(Span::new(here.start, here.start), format!("{asked} "));
        }
        Some(match sign {
            Sign::Compare(comparison) => Condition::Compare(left, comparison, right),
            Sign::Text(test) => Condition::Text(left, test, right),
        })
    }

    /// `STARTS WITH` and `ENDS WITH`, which are one word each, and other names of tests; all are told.
    pub(super) fn parse_foreign_test(&mut self) -> Option<TextTest> {
        const TESTS: [(&str, TextTest); 7] = [
            ("MATCHES", TextTest::Contains),
            ("INCLUDES", TextTest::Contains),
            ("STARTS", TextTest::StartsWith),
            ("STARTSWITH", TextTest::StartsWith),
            ("BEGINS", TextTest::StartsWith),
            ("ENDS", TextTest::EndsWith),
            ("ENDSWITH", TextTest::EndsWith),
        ];
        let (_, test) = TESTS.into_iter().find(|(word, _)| self.at_word(word))?;
        let start = self.here().start;
        self.advance();
        if self.at_word("WITH") {
            self.advance();
        }
        let span = Span::new(start, self.last_end());
        let message = format!("`{}` is written `{}` here", self.text_at(span), test.word());
        self.write_instead(span, message, test.word());
        Some(test)
    }

    /// Whether `LIKE` or `BETWEEN` of SQL comes next.
    pub(super) fn foreign_relation(&self) -> Option<&'static str> {
        ["LIKE", "ILIKE", "BETWEEN"].into_iter().find(|word| self.at_word(word))
    }

    /// Tells of `LIKE` and `BETWEEN`, and what to write instead where that is known. Answers a condition, so
    /// that what follows is read too.
    pub(super) fn refuse_foreign_relation(
        &mut self,
        word: &str,
        left: &Operand,
        negated: bool,
    ) -> Option<Condition> {
        let span = self.here();
        let not = if negated { "NOT " } else { "" };
        let asked = self.text_at(left.span).to_owned();
        let value;
        let (help, meant) = match word {
            "LIKE" | "ILIKE" => {
                self.advance();
                let pattern = self.expect_value()?;
                let meant = meant_by_like(&pattern, word == "ILIKE");
                let meant = meant.map(|meant| format!("{not}{asked} {meant}"));
                value = pattern;
                ("write `CONTAINS`, `STARTS_WITH` or `ENDS_WITH`, and no `%`", meant)
            }
            _ => {
                self.advance();
                let least = self.expect_value()?.span;
                self.expect_keyword("AND")?;
                value = self.expect_value()?;
                let [least, most] = [least, value.span].map(|at| self.text_at(at));
                let both = format!("{asked} >= {least} AND {asked} <= {most}");
                // `NOT` binds before `AND`.
                let is_apart = negated || self.follows_not(left.span);
                let meant = if is_apart { format!("{not}({both})") } else { both };
                ("write `>= … AND … <=`", Some(meant))
            }
        };
        let message = format!("`{word}` is no operator here");
        self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        if let Some(meant) = meant {
            self.fix(Span::new(left.span.start, self.last_end()), meant);
        }
        Some(Condition::Compare(left.clone(), Comparison::Equal, value))
    }

    /// Whether `NOT` stands right before a place.
    fn follows_not(&self, span: Span) -> bool {
        let before = self.text_at(Span::new(0, span.start)).trim_end();
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        word.eq_ignore_ascii_case("NOT")
    }
}

/// What a field was compared with last, so that it can be meant again.
#[derive(Clone)]
pub struct Compared {
    pub left: Operand,
    pub sign: Sign,
}

/// The sign of a test with a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Compare(Comparison),
    Text(TextTest),
}

impl Sign {
    fn text(self) -> &'static str {
        match self {
            Sign::Compare(comparison) => comparison.sign(),
            Sign::Text(test) => test.word(),
        }
    }
}

/// What is written here for `LIKE '%text%'`, or for `ILIKE`, which looks at no case.
fn meant_by_like(pattern: &Operand, in_any_case: bool) -> Option<String> {
    let pattern = match &pattern.kind {
        OperandKind::Text(text) => text.as_plain()?,
        OperandKind::Literal(Value::Text(word)) => word,
        _ => return None,
    };
    let text = pattern.strip_prefix('%').unwrap_or(pattern);
    let open_left = text.len() < pattern.len();
    let inner = text.strip_suffix('%').unwrap_or(text);
    let sign = match (open_left, inner.len() < text.len()) {
        (true, true) => TextTest::Contains.word(),
        (false, true) => TextTest::StartsWith.word(),
        (true, false) => TextTest::EndsWith.word(),
        // Exact in case, as `=` is.
        (false, false) if in_any_case => return None,
        (false, false) => "=",
    };
    let plain = !inner.contains(['%', '_', '"', '\\']);
    plain.then(|| format!("{sign} \"{}\"", inner.replace("${", "$${")))
}
