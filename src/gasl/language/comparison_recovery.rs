//! Recovery from comparisons of other languages.

use super::ast::{Condition, Operand, OperandKind};
use super::function_recovery::{is_pattern, pattern_to_operator};
use super::keywords::is_reserved;
use super::parser::{ConditionKind, LastComparison, Parser};
use super::token::TokenKind;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Location, Span, Value, names};
use crate::gasl::codes;
use crate::gasl::predicate::{Comparison, Membership, TestOperator, TextTest};

/// Maximum length of a field name that a diagnostic repeats, in bytes.
const MAX_REPEATED_BYTES: usize = 100;

/// Help for a regular expression without an equivalent.
pub(super) const NO_PATTERNS: &str =
    "write `CONTAINS`, `STARTS_WITH` or `ENDS_WITH` with a string without patterns";

impl Parser<'_> {
    /// Reports a value without a field, as in `type = A OR B`, and repeats the last test with it.
    pub(super) fn parse_value_without_field(&mut self) -> Option<Condition> {
        let is_alone = matches!(
            self.peek(),
            Some(TokenKind::Text(_) | TokenKind::Word(_) | TokenKind::Binding(_))
        ) && match self.peek_at(1) {
            None | Some(TokenKind::End | TokenKind::Punctuation(')')) => true,
            Some(TokenKind::Word(word)) => ["AS", "OR", "AND", "LIMIT", "THEN"]
                .iter()
                .any(|next| next.eq_ignore_ascii_case(word)),
            _ => false,
        };
        if !is_alone {
            return None;
        }
        let last = self.last_comparison.clone()?;
        let LastComparison { left, operator } = &*last;
        let operator = *operator;
        let here = self.next_span();
        let is_or = self.text_at(self.previous_span()).eq_ignore_ascii_case("OR");
        let right = self.expect_value()?;
        // The name of a long field could be repeated often.
        let name = Some(self.text_at(left.span)).filter(|name| name.len() <= MAX_REPEATED_BYTES);
        let test = format!("{} {}", name.unwrap_or("field"), operator.text());
        let message = format!("missing field before {}", quote(self.text_at(here)));
        let is_not_equal = operator == TestOperator::Compare(Comparison::NotEqual);
        let help = match (is_or, is_not_equal) {
            (true, true) => "write `NOT IN [a, b]` to exclude both values".to_owned(),
            (false, false) => format!("write `IN [a, b]`, or repeat `{test} …`"),
            _ => format!("repeat `{test} …`, or write `IN [a, b]`"),
        };
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), here);
        // `NOT a = x OR y` is ambiguous, and the other pairs are true for no row or for every row.
        if is_or != is_not_equal && !self.is_after_not(left.span) {
            self.fix(Span::new(here.start, here.start), format!("{test} "));
        }
        let left = Operand { kind: OperandKind::Field(String::new()), span: left.span };
        Some(match operator {
            TestOperator::Compare(comparison) => Condition::Compare(left, comparison, right),
            TestOperator::Text(test) => Condition::Text(left, test, right),
        })
    }

    /// Returns whether a test begins `ahead` tokens after the next one.
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
            // `love in Paris` is not a test.
            Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("IN") => {
                matches!(
                    self.peek_at(ahead + 2),
                    Some(TokenKind::Punctuation('[' | '(') | TokenKind::Binding(_))
                )
            }
            Some(TokenKind::Word(word)) => {
                RELATIONS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
            }
            _ => false,
        };
        is_field && is_relation
    }

    /// Reports a missing `AND`: `a = 1, b = 2` or `a = 1 b = 2`.
    pub(super) fn report_missing_and(&mut self) -> bool {
        let here = self.next_span();
        if self.peek() == Some(&TokenKind::Punctuation(',')) && self.at_test(1) {
            let error = Diagnostic::new(codes::UNEXPECTED, "unexpected `,` between conditions");
            self.report(error.help("write `AND` instead"), here);
            self.fix(here, " AND");
            self.advance();
            return true;
        }
        let begins_line = self.token().is_none_or(|token| token.first);
        if begins_line || !self.at_test(0) {
            return false;
        }
        // A word of the value that was just reported may be a connective.
        let location = self.diagnostics.last().and_then(|last| last.location.as_ref());
        if matches!(location, Some(Location::Span(span)) if span.end == self.previous_end()) {
            return true;
        }
        let message = format!("missing `AND` before {}", quote(self.text_at(here)));
        let help = "write `AND` or `OR` before it";
        self.report(Diagnostic::new(codes::MISSING_PART, message).help(help), here);
        self.fix(Span::new(here.start, here.start), "AND ");
        true
    }

    /// Returns the sign of the last comparison and its keyword for a list, if `value` is compared.
    fn compared_with(&self, value: Span) -> Option<(Span, &'static str, Option<&'static str>)> {
        let LastComparison { left, operator: TestOperator::Compare(comparison) } =
            self.last_comparison.as_deref()?
        else {
            return None;
        };
        let keyword = match comparison {
            Comparison::Equal => Some("IN"),
            Comparison::NotEqual => Some("NOT IN"),
            _ => None,
        };
        let between = self.text_at(Span::new(left.span.end, value.start)).trim();
        let is_compared = !between.is_empty() && between.chars().all(|c| "=!<>≠≥≤".contains(c));
        is_compared.then_some((left.span, comparison.sign(), keyword))
    }

    /// Reports several values of a comparison: `type = A, B`, `year > 1,999`.
    pub(super) fn report_more_values(&mut self) {
        let first = self.previous_span();
        let Some((field, sign, keyword)) = self.compared_with(first) else { return };
        let start = self.next_span().start;
        while self.peek() == Some(&TokenKind::Punctuation(','))
            && self.is_value_at(1)
            && !self.at_test(1)
            && (keyword.is_some() || self.is_digit_group_at(1))
        {
            self.advance();
            self.advance();
        }
        let end = self.previous_end();
        if end <= start {
            return;
        }
        let values = self.text_at(Span::new(first.start, end));
        let field_text = self.text_at(field);
        let number = grouped_number(values);
        let list = keyword.map(|keyword| format!("{field_text} {keyword} [{values}]"));
        let span = Span::new(field.start, end);
        let message = "expected one value after a comparison".to_owned();
        match (list, number) {
            (Some(list), None) => self.report_with_fix(span, message, &list),
            (None, Some(number)) => {
                let one = format!("{field_text} {sign} {number}");
                self.report_with_fix(span, message, &one);
            }
            (list, number) => {
                let (list, number) = (list.unwrap_or_default(), number.unwrap_or_default());
                let help = format!(
                    "write `{field_text} {sign} {number}` for one number, or `{list}` for several values"
                );
                self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
            }
        }
    }

    /// Returns whether the token after a `,` continues a number with groups of three digits.
    fn is_digit_group_at(&self, ahead: usize) -> bool {
        let Some(group) = self.token_at(ahead).map(|token| token.span) else { return false };
        let number = self.text_at(Span::new(self.previous_span().start, group.end));
        grouped_number(number).is_some()
    }

    /// Returns the edit that compares with each of several words with `|` between them, as in
    /// `name = Ann | Joan`.
    pub(super) fn alternatives(&self, words: Span) -> Option<(Span, String)> {
        let (field, _, keyword) = self.compared_with(words)?;
        let mut parts = self.text_at(words).split('|').map(str::trim).collect::<Vec<_>>();
        parts.retain(|part| !part.is_empty());
        if parts.len() < 2 {
            return None;
        }
        let quoted = |part: &&str| match part.contains(char::is_whitespace) {
            true => format!("\"{part}\""),
            false => (*part).to_owned(),
        };
        let items = parts.iter().map(quoted).collect::<Vec<_>>().join(", ");
        let list = format!("{} {} [{items}]", self.text_at(field), keyword?);
        Some((Span::new(field.start, words.end), list))
    }

    fn is_value_at(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => !is_reserved(word),
            Some(TokenKind::Text(_) | TokenKind::Binding(_)) => true,
            _ => false,
        }
    }

    /// Reports a comparison with a list: `= [a, b]`.
    pub(super) fn report_compared_list(&mut self, comparison: Comparison) -> Option<Membership> {
        let (membership, keyword) = match comparison {
            Comparison::Equal => (Membership::In, "IN"),
            Comparison::NotEqual => (Membership::Out, "NOT IN"),
            _ => return None,
        };
        if !matches!(self.peek(), Some(TokenKind::Punctuation('[' | '('))) {
            return None;
        }
        let span = self.previous_span();
        self.report_with_fix(span, "expected one value, found a list".to_owned(), keyword);
        Some(membership)
    }

    /// Reports `IS` before a value; `start` is the byte offset of `IS`.
    pub(super) fn report_is_value(&mut self, start: usize, negated: bool) -> Option<Comparison> {
        if !self.is_value_at(0) {
            return None;
        }
        let comparison = if negated { Comparison::NotEqual } else { Comparison::Equal };
        let span = Span::new(start, self.previous_end());
        let message = format!("expected `NULL` after {}", quote(self.text_at(span)));
        self.report_with_fix(span, message, comparison.sign());
        Some(comparison)
    }

    pub(super) fn is_absence_at(&self, ahead: usize) -> bool {
        let is =
            |word: &str| ["NULL", "EMPTY"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word));
        matches!(self.peek_at(ahead), Some(TokenKind::Word(word)) if is(word))
    }

    /// Reports and parses `NULL` of other languages.
    pub(super) fn parse_foreign_null(&mut self) -> bool {
        let Some(word) = self.peek_word().map(str::to_ascii_uppercase) else { return false };
        let is_empty = word == "EMPTY";
        let is_absent = ["MISSING", "NONE", "NIL", "UNDEFINED"].contains(&word.as_str());
        if !is_empty && !is_absent && !names::is_typo(&word, "NULL") {
            return false;
        }
        let here = self.next_span();
        self.report_unexpected();
        if !is_empty {
            self.fix(here, "NULL");
        } else if let Some(last) = self.diagnostics.last_mut() {
            let help = "write `IS NULL` for a missing value, and `= \"\"` for an empty string";
            last.help = Some(help.to_owned());
        }
        self.advance();
        true
    }

    /// Reports and parses `EMPTY people` and `people EXISTS`.
    pub(super) fn parse_foreign_existence(&mut self, kind: ConditionKind) -> Option<Condition> {
        let is_word = |ahead: usize, keyword: &str| matches!(self.peek_at(ahead), Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case(keyword));
        let start = self.next_span().start;
        let parenthesis = self.peek_at(1) == Some(&TokenKind::Punctuation('('));
        let name = if parenthesis { 2 } else { 1 };
        if kind == ConditionKind::Variables
            && is_word(0, "EMPTY")
            && self.is_value_at(name)
            && !is_word(1, "EXISTS")
        {
            self.advance();
            self.parse_punctuation('(');
            let subject = self.subject(kind)?;
            if parenthesis {
                self.expect_punctuation(')')?;
            }
            let replacement = format!("{} IS EMPTY", self.text_at(subject.span));
            let span = Span::new(start, self.previous_end());
            self.report_with_fix(span, "unexpected `EMPTY` before a name".to_owned(), &replacement);
            return Some(Condition::Empty(subject));
        }
        if is_word(0, "EXIST") && self.is_value_at(1) {
            self.report_with_fix(self.next_span(), "unknown keyword `EXIST`".to_owned(), "EXISTS");
            self.advance();
            return self.subject(kind).map(Condition::Exists);
        }
        let negated = is_word(1, "NOT");
        // `EXISTS EXISTS` is about a variable of that name.
        if is_word(0, "EXISTS")
            || !self.is_value_at(0)
            || !is_word(if negated { 2 } else { 1 }, "EXISTS")
        {
            return None;
        }
        let subject = self.subject(kind)?;
        self.parse_keyword("NOT");
        self.advance();
        let not = if negated { "NOT " } else { "" };
        let replacement = format!("{not}EXISTS {}", self.text_at(subject.span));
        let span = Span::new(start, self.previous_end());
        self.report_with_fix(span, "unexpected `EXISTS` after a name".to_owned(), &replacement);
        let exists = Condition::Exists(subject);
        Some(if negated { Condition::Not(Box::new(exists)) } else { exists })
    }

    /// Reports and parses text operators of other languages, such as `STARTS WITH`.
    pub(super) fn parse_foreign_test(&mut self) -> Option<TextTest> {
        const TESTS: [(&str, TextTest); 11] = [
            ("REGEX", TextTest::Contains),
            ("REGEXP", TextTest::Contains),
            ("RLIKE", TextTest::Contains),
            ("REGEXP_LIKE", TextTest::Contains),
            ("MATCHES", TextTest::Contains),
            ("INCLUDES", TextTest::Contains),
            ("STARTS", TextTest::StartsWith),
            ("STARTSWITH", TextTest::StartsWith),
            ("BEGINS", TextTest::StartsWith),
            ("ENDS", TextTest::EndsWith),
            ("ENDSWITH", TextTest::EndsWith),
        ];
        let (_, test) = TESTS.into_iter().find(|(word, _)| self.at_word(word))?;
        let start = self.next_span().start;
        self.advance();
        if self.at_word("WITH") {
            self.advance();
        }
        let span = Span::new(start, self.previous_end());
        let message = format!("unknown operator {}", quote(self.text_at(span)));
        self.report_with_fix(span, message, test.word());
        // The first words are operators of regular expressions.
        if TESTS.iter().take(5).any(|(word, _)| self.text_at(span).eq_ignore_ascii_case(word)) {
            self.report_pattern(false);
        }
        Some(test)
    }

    /// Completes the fix of a reported operator for the pattern after it. Replaces the fix by a help if no
    /// operator has the same result. `is_complete` is whether the pattern matches complete texts.
    pub(super) fn report_pattern(&mut self, is_complete: bool) {
        let literal = match self.peek() {
            Some(TokenKind::Text(text)) => text.as_literal().map(str::to_owned),
            Some(TokenKind::Word(word)) => Some(word.clone()),
            _ => None,
        };
        let Some(literal) = literal else { return };
        match pattern_to_operator(&literal, is_complete) {
            Some((operator, text)) => {
                if let Some((_, _, fix)) = self.fixes.last_mut() {
                    operator.clone_into(fix);
                }
                self.ignores_case |= operator != "=" && !literal.starts_with("(?i)");
                if text.len() < literal.len() {
                    self.fix(self.next_span(), format!("\"{text}\""));
                }
            }
            None if !is_complete && !is_pattern(&literal) => self.ignores_case = true,
            None => {
                self.fixes.pop();
                if let Some(last) = self.diagnostics.last_mut() {
                    last.help = Some(NO_PATTERNS.to_owned());
                }
            }
        }
    }

    /// Returns the next word if it is an SQL operator.
    pub(super) fn foreign_relation(&self) -> Option<&'static str> {
        ["LIKE", "ILIKE", "BETWEEN"].into_iter().find(|word| self.at_word(word))
    }

    /// Reports `LIKE` and `BETWEEN`, with a fix if there is an equivalent. Returns a placeholder
    /// condition, so that parsing continues.
    pub(super) fn report_foreign_relation(
        &mut self,
        word: &str,
        left: &Operand,
        negated: bool,
    ) -> Option<Condition> {
        let span = self.next_span();
        let not = if negated { "NOT " } else { "" };
        let field = self.text_at(left.span).to_owned();
        let value;
        let (help, fix) = match word {
            "LIKE" | "ILIKE" => {
                self.advance();
                let pattern = self.expect_value()?;
                let test = like_to_operator(&pattern, word == "ILIKE");
                let is_negated = negated || self.is_after_not(left.span);
                // `ILIKE` without `%` is an equality that ignores case.
                let whole = literal_of(&pattern).filter(|text| {
                    word == "ILIKE"
                        && !text.is_empty()
                        && !text.contains(['%', '_', '"', '\\', '$'])
                });
                let ends = like_to_ends(&pattern).or(whole.map(|text| (text, text)));
                let both = ends.map(|(start, end)| {
                    let both =
                        format!("{field} STARTS_WITH \"{start}\" AND {field} ENDS_WITH \"{end}\"");
                    if is_negated { format!("{not}({both})") } else { both }
                });
                let fix = test.map(|test| format!("{not}{field} {test}")).or(both);
                value = pattern;
                (
                    "write `CONTAINS`, `STARTS_WITH` or `ENDS_WITH`, and leave out `%` and `_`, which are not wildcards",
                    fix,
                )
            }
            _ => {
                self.advance();
                let min = self.expect_value()?.span;
                self.expect_keyword("AND")?;
                value = self.expect_value()?;
                let [min, max] = [min, value.span].map(|span| self.text_at(span));
                let both = format!("{field} >= {min} AND {field} <= {max}");
                // `NOT` binds tighter than `AND`.
                let is_negated = negated || self.is_after_not(left.span);
                let fix = if is_negated { format!("{not}({both})") } else { both };
                ("write `>= … AND … <=`", Some(fix))
            }
        };
        let message = format!("unknown operator `{word}`");
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        if let Some(fix) = fix {
            self.fix(Span::new(left.span.start, self.previous_end()), fix);
        }
        Some(Condition::Compare(left.clone(), Comparison::Equal, value))
    }

    /// Returns whether `NOT` directly precedes a span.
    pub(super) fn is_after_not(&self, span: Span) -> bool {
        let before = self.text_at(Span::new(0, span.start)).trim_end();
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        word.eq_ignore_ascii_case("NOT")
    }
}

/// Converts the pattern of `LIKE` or `ILIKE` to an operator with a value, or returns `None` if there is
/// no equivalent.
fn like_to_operator(pattern: &Operand, ignore_case: bool) -> Option<String> {
    let pattern = literal_of(pattern)?;
    let text = pattern.strip_prefix('%').unwrap_or(pattern);
    let open_left = text.len() < pattern.len();
    let inner = text.strip_suffix('%').unwrap_or(text);
    let operator = match (open_left, inner.len() < text.len()) {
        (true, true) => TextTest::Contains.word(),
        (false, true) => TextTest::StartsWith.word(),
        (true, false) => TextTest::EndsWith.word(),
        // `=` is case sensitive.
        (false, false) if ignore_case => return None,
        (false, false) => "=",
    };
    let is_literal = !inner.contains(['%', '_', '"', '\\']);
    is_literal.then(|| format!("{operator} \"{}\"", inner.replace("${", "$${")))
}

/// Returns the text of a pattern without bindings.
fn literal_of(pattern: &Operand) -> Option<&str> {
    match &pattern.kind {
        OperandKind::Text(text) => text.as_literal(),
        OperandKind::Literal(Value::Text(word)) => Some(word),
        _ => None,
    }
}

/// Returns the start and the end of a pattern with one `%` between them.
fn like_to_ends(pattern: &Operand) -> Option<(&str, &str)> {
    let (start, end) = literal_of(pattern)?.split_once('%')?;
    let is_literal = |text: &str| !text.is_empty() && !text.contains(['%', '_', '"', '\\', '$']);
    (is_literal(start) && is_literal(end)).then_some((start, end))
}

/// Returns the digits of a number with a `,` before each group of three digits, as in `1,999`.
fn grouped_number(text: &str) -> Option<String> {
    let (first, groups) = text.split_once(',')?;
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_first = (1..=3).contains(&first.len()) && are_digits(first);
    let is_grouped = is_first && groups.split(',').all(|one| one.len() == 3 && are_digits(one));
    is_grouped.then(|| text.replace(',', ""))
}
