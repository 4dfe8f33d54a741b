//! Comparisons as other languages write them, and what was probably meant by them.

use super::ast::{Condition, Operand, OperandKind};
use super::keywords::is_reserved;
use super::parser::{ConditionKind, LastComparison, Parser, TestOperator};
use super::token::TokenKind;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Location, Span, Value, names};
use crate::gasl::codes;
use crate::gasl::predicate::{Comparison, Membership, TextTest};

impl Parser<'_> {
    /// `type = A OR B`: a value that is compared with nothing, where a test was before it. It is told,
    /// and read as if that test were repeated.
    pub(super) fn value_alone(&mut self) -> Option<Condition> {
        let is_alone = matches!(
            self.peek(),
            Some(TokenKind::Text(_) | TokenKind::Word(_) | TokenKind::Binding(_))
        ) && match self.peek_at(1) {
            None | Some(TokenKind::End | TokenKind::Sign(')')) => true,
            Some(TokenKind::Word(word)) => ["AS", "OR", "AND", "LIMIT", "THEN"]
                .iter()
                .any(|next| next.eq_ignore_ascii_case(word)),
            _ => false,
        };
        if !is_alone {
            return None;
        }
        let LastComparison { left, sign } = self.compared.clone()?;
        let here = self.here();
        let either = self.text_at(self.last_span()).eq_ignore_ascii_case("OR");
        let right = self.expect_value()?;
        let asked = format!("{} {}", self.text_at(left.span), sign.text());
        let message = format!("{} is compared with nothing", quote(self.text_at(here)));
        let unlike = sign == TestOperator::Compare(Comparison::NotEqual);
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
            TestOperator::Compare(comparison) => Condition::Compare(left, comparison, right),
            TestOperator::Text(test) => Condition::Text(left, test, right),
        })
    }

    /// Whether a test of a field begins `ahead` tokens further on.
    pub(super) fn at_test(&self, ahead: usize) -> bool {
        const RELATIONS: [&str; 6] =
            ["CONTAINS", "STARTS_WITH", "ENDS_WITH", "LIKE", "BETWEEN", "EXISTS"];
        let is_field = match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => {
                !is_reserved(word) && word.starts_with(char::is_alphabetic)
            }
            Some(TokenKind::Quoted(_)) => true,
            _ => false,
        };
        let is_relation = match self.peek_at(ahead + 1) {
            Some(TokenKind::Operator(_)) => true,
            // `love in Paris` is no test.
            Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("IN") => {
                matches!(
                    self.peek_at(ahead + 2),
                    Some(TokenKind::Sign('[' | '(') | TokenKind::Binding(_))
                )
            }
            Some(TokenKind::Word(word)) => {
                RELATIONS.iter().any(|known| known.eq_ignore_ascii_case(word))
            }
            _ => false,
        };
        is_field && is_relation
    }

    /// `a = 1, b = 2` and `a = 1 b = 2`: two tests with no `AND` between, which is told.
    pub(super) fn refuse_missing_and(&mut self) -> bool {
        let here = self.here();
        if self.peek() == Some(&TokenKind::Sign(',')) && self.at_test(1) {
            let error = Diagnostic::new(codes::UNEXPECTED, "`,` joins no conditions");
            self.tell(error.help("write `AND` in its place"), here);
            self.fix(here, " AND");
            self.advance();
            return true;
        }
        let begins_line = self.token().is_none_or(|token| token.first);
        if begins_line || !self.at_test(0) {
            return false;
        }
        // Of several words before it one may be what joins the two.
        let place = self.diagnostics.last().and_then(|told| told.location.as_ref());
        if matches!(place, Some(Location::Span(span)) if span.end == self.last_end()) {
            return true;
        }
        let message = format!("`AND` is missing before {}", quote(self.text_at(here)));
        let help = "write `AND` or `OR` before it";
        self.tell(Diagnostic::new(codes::MISSING, message).help(help), here);
        self.fix(Span::new(here.start, here.start), "AND ");
        true
    }

    /// `type = A, B`: more values than one are a list, which is told.
    pub(super) fn refuse_more_values(&mut self) {
        let Some(LastComparison { left, sign: TestOperator::Compare(comparison) }) =
            self.compared.clone()
        else {
            return;
        };
        let word = match comparison {
            Comparison::Equal => "IN",
            Comparison::NotEqual => "NOT IN",
            _ => return,
        };
        let first = self.last_span();
        let between = self.text_at(Span::new(left.span.end, first.start)).trim();
        let is_compared = !between.is_empty() && between.chars().all(|c| "=!<>≠".contains(c));
        let start = self.here().start;
        while is_compared
            && self.peek() == Some(&TokenKind::Sign(','))
            && self.is_value_at(1)
            && !self.at_test(1)
        {
            self.advance();
            self.advance();
        }
        let end = self.last_end();
        if end <= start {
            return;
        }
        let asked = self.text_at(left.span);
        let meant = format!("{asked} {word} [{}]", self.text_at(Span::new(first.start, end)));
        let message = "one value stands behind a comparison".to_owned();
        self.write_instead(Span::new(left.span.start, end), message, &meant);
    }

    /// Whether a value stands `ahead` tokens further on.
    fn is_value_at(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => !is_reserved(word),
            Some(TokenKind::Text(_) | TokenKind::Binding(_)) => true,
            _ => false,
        }
    }

    /// `= [a, b]`: a list is compared by `IN`, which is told.
    pub(super) fn refuse_compared_list(&mut self, comparison: Comparison) -> Option<Membership> {
        let (membership, meant) = match comparison {
            Comparison::Equal => (Membership::In, "IN"),
            Comparison::NotEqual => (Membership::Out, "NOT IN"),
            _ => return None,
        };
        if !matches!(self.peek(), Some(TokenKind::Sign('[' | '('))) {
            return None;
        }
        let sign = self.last_span();
        self.write_instead(sign, "a list is no value to compare with".to_owned(), meant);
        Some(membership)
    }

    /// `IS PERSON`, from byte `start` on: what `=` and `!=` are for, which is told.
    pub(super) fn refuse_is_value(&mut self, start: usize, negated: bool) -> Option<Comparison> {
        if !self.is_value_at(0) {
            return None;
        }
        let comparison = if negated { Comparison::NotEqual } else { Comparison::Equal };
        let span = Span::new(start, self.last_end());
        let message = format!("{} compares with no value", quote(self.text_at(span)));
        self.write_instead(span, message, comparison.sign());
        Some(comparison)
    }

    /// Whether `NULL` or `EMPTY` stands `ahead` tokens further on.
    pub(super) fn is_absence_at(&self, ahead: usize) -> bool {
        let is =
            |word: &str| ["NULL", "EMPTY"].iter().any(|known| known.eq_ignore_ascii_case(word));
        matches!(self.peek_at(ahead), Some(TokenKind::Word(word)) if is(word))
    }

    /// `NULL` as other languages write it, which is told.
    pub(super) fn parse_foreign_null(&mut self) -> bool {
        let Some(word) = self.peek_word().map(str::to_ascii_uppercase) else { return false };
        let is_empty = word == "EMPTY";
        let is_absent = ["MISSING", "NONE", "NIL", "UNDEFINED"].contains(&word.as_str());
        if !is_empty && !is_absent && !names::is_slip(&word, "NULL") {
            return false;
        }
        let here = self.here();
        self.unexpected();
        if !is_empty {
            self.fix(here, "NULL");
        } else if let Some(last) = self.diagnostics.last_mut() {
            let help =
                "write `IS NULL` for what is missing, and `= \"\"` for a text with nothing in it";
            last.help = Some(help.to_owned());
        }
        self.advance();
        true
    }

    /// `EMPTY people` and `people EXISTS`, which stand the other way round here; they are told.
    pub(super) fn parse_foreign_existence(&mut self, kind: ConditionKind) -> Option<Condition> {
        let is_word = |ahead: usize, known: &str| matches!(self.peek_at(ahead), Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case(known));
        let start = self.here().start;
        let parenthesis = self.peek_at(1) == Some(&TokenKind::Sign('('));
        let name = if parenthesis { 2 } else { 1 };
        if kind == ConditionKind::Variables
            && is_word(0, "EMPTY")
            && self.is_value_at(name)
            && !is_word(1, "EXISTS")
        {
            self.advance();
            self.parse_sign('(');
            let subject = self.subject(kind)?;
            if parenthesis {
                self.expect_sign(')')?;
            }
            let meant = format!("{} IS EMPTY", self.text_at(subject.span));
            let span = Span::new(start, self.last_end());
            self.write_instead(span, "`IS EMPTY` stands behind the name".to_owned(), &meant);
            return Some(Condition::Empty(subject));
        }
        if is_word(0, "EXIST") && self.is_value_at(1) {
            self.write_instead(self.here(), "`EXIST` is written `EXISTS`".to_owned(), "EXISTS");
            self.advance();
            return self.subject(kind).map(Condition::Exists);
        }
        let negated = is_word(1, "NOT");
        if !self.is_value_at(0) || !is_word(if negated { 2 } else { 1 }, "EXISTS") {
            return None;
        }
        let subject = self.subject(kind)?;
        self.parse_keyword("NOT");
        self.advance();
        let not = if negated { "NOT " } else { "" };
        let meant = format!("{not}EXISTS {}", self.text_at(subject.span));
        let span = Span::new(start, self.last_end());
        self.write_instead(span, "`EXISTS` stands before the name".to_owned(), &meant);
        let exists = Condition::Exists(subject);
        Some(if negated { Condition::Not(Box::new(exists)) } else { exists })
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
        self.refuse_pattern();
        Some(test)
    }

    /// A pattern behind a test that is told of already: to change the word alone would find nothing.
    pub(super) fn refuse_pattern(&mut self) {
        let value = self.text_at(self.here());
        if !value.contains(['^', '*', '+', '?', '|', '[', '\\']) {
            return;
        }
        self.fixes.pop();
        if let Some(last) = self.diagnostics.last_mut() {
            let help = "there are no patterns here: write `CONTAINS`, `STARTS_WITH` or `ENDS_WITH` with a plain text";
            last.help = Some(help.to_owned());
        }
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
