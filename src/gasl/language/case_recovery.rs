//! Recovery from comparisons that ignore letter case, and from unknown functions in conditions.

use super::ast::{Condition, Operand, OperandKind};
use super::parser::Parser;
use super::printer::print_field;
use super::token::TokenKind;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::codes;
use crate::gasl::predicate::TextTest;

/// Functions whose result is a row, not a value.
const EXTREME_FUNCTIONS: [(&str, &str); 6] = [
    ("max", "DESC"),
    ("min", "ASC"),
    ("maximum", "DESC"),
    ("minimum", "ASC"),
    ("greatest", "DESC"),
    ("least", "ASC"),
];

/// Functions of the current time.
const CLOCK_FUNCTIONS: [&str; 5] = ["now", "today", "current_date", "current_timestamp", "getdate"];

impl Parser<'_> {
    /// Reports and parses the rest of `LOWER(name) = 'ada'`. The text operators ignore case and `=` does
    /// not, so that two of them are the closest condition. `call` is the span of the function call.
    pub(super) fn parse_case_comparison(&mut self, field: &str, call: Span) -> Option<Condition> {
        let is_negated = match self.peek() {
            Some(TokenKind::Operator("=" | "==")) => false,
            Some(TokenKind::Operator("!=" | "<>")) => true,
            _ => return None,
        };
        let opening = match is_negated {
            true => "NOT (",
            false if self.is_after_not(call) => "(",
            false => "",
        };
        let name = print_field(field);
        let message = format!("unknown function {}", quote(self.text_at(call)));
        let help =
            format!("write `{name} STARTS_WITH … AND {name} ENDS_WITH …`, which ignores case");
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), call);
        self.fix(call, format!("{opening}{name}"));
        let sign = self.next_span();
        let is_adjacent = call.end == sign.start;
        self.advance();
        let before = if is_adjacent { " " } else { "" };
        let after = if sign.end == self.next_span().start { " " } else { "" };
        self.fix(sign, format!("{before}{}{after}", TextTest::StartsWith.word()));
        let value = self.expect_right()?;
        let end = self.previous_end();
        let closing = if opening.is_empty() { "" } else { ")" };
        let value_text = self.text_at(value.span).to_owned();
        let second = format!(" AND {name} {} {value_text}{closing}", TextTest::EndsWith.word());
        self.fix(Span::new(end, end), second);
        let left = Operand { kind: OperandKind::Field(field.to_owned()), span: call };
        Some(Condition::Text(left, TextTest::StartsWith, value))
    }

    /// Reports and parses the rest of `LOWER(name) IN ['ada']`, which has no short equivalent.
    pub(super) fn report_case_list(&mut self, field: &str, call: Span) -> Option<Condition> {
        let is_in = self.at_word("IN") || self.at_word("NOT") && self.is_word_at(1, "IN");
        if !is_in {
            return None;
        }
        let name = print_field(field);
        let message = format!("unknown function {}", quote(self.text_at(call)));
        let help = format!(
            "list each spelling, because `IN` is exact; or write `{name} STARTS_WITH … AND {name} \
             ENDS_WITH …` for each value, which ignores case"
        );
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), call);
        let left = Operand { kind: OperandKind::Field(field.to_owned()), span: call };
        self.test_of_operand(left)
    }

    fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek_at(ahead), Some(TokenKind::Word(next)) if next.eq_ignore_ascii_case(word))
    }

    /// Checks for a function call: a name with an opening bracket directly after it.
    pub(super) fn at_call(&self) -> bool {
        let (Some(name), Some(bracket)) = (self.token_at(0), self.token_at(1)) else {
            return false;
        };
        let is_name = matches!(&name.kind, TokenKind::Word(word)
            if word.starts_with(char::is_alphabetic) && !super::keywords::is_reserved(word));
        is_name
            && bracket.kind == TokenKind::Punctuation('(')
            && name.span.end == bracket.span.start
    }

    /// Reports a call of an unknown function, and skips it. Returns a placeholder.
    pub(super) fn report_unknown_call(&mut self) -> Option<Operand> {
        let start = self.next_span().start;
        let name = self.peek_word()?.to_owned();
        let argument = match (self.peek_at(2), self.peek_at(3)) {
            (Some(TokenKind::Word(word)), Some(TokenKind::Punctuation(')'))) => word.clone(),
            _ => "field".to_owned(),
        };
        self.advance();
        let mut depth = 0usize;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::End => break,
                TokenKind::Punctuation('(' | '[') => depth += 1,
                TokenKind::Punctuation(')' | ']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                break;
            }
        }
        let span = Span::new(start, self.previous_end());
        let function = name.to_ascii_lowercase();
        let extreme = EXTREME_FUNCTIONS.iter().find(|(word, _)| *word == function);
        let help = if let Some((_, order)) = extreme {
            format!(
                "rank the rows and take the first: `RANK rows BY {argument} {order} LIMIT 1 AS first`"
            )
        } else if CLOCK_FUNCTIONS.contains(&function.as_str()) {
            "write the date as a text".to_owned()
        } else if ["avg", "mean", "average", "sum", "count"].contains(&function.as_str()) {
            format!(
                "compute the number first, and write it here: `AGGREGATE rows WITH avg OF {argument} AS computed`"
            )
        } else {
            "compare a field with a value; a condition has no functions".to_owned()
        };
        let message = format!("unknown function {}", quote(self.text_at(span)));
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        Some(Operand { kind: OperandKind::Literal(Value::Null), span })
    }

    /// Reports and parses a value in brackets: `age > (3)`.
    pub(super) fn parse_bracketed_value(&mut self) -> Option<Operand> {
        let is_bracketed = self.peek() == Some(&TokenKind::Punctuation('('))
            && self.peek_at(2) == Some(&TokenKind::Punctuation(')'));
        if !is_bracketed {
            return None;
        }
        let start = self.next_span().start;
        self.advance();
        let value = self.field_or_value()?;
        self.expect_punctuation(')')?;
        let span = Span::new(start, self.previous_end());
        let value_text = self.text_at(value.span).to_owned();
        self.report_with_fix(span, "unexpected brackets around a value".to_owned(), &value_text);
        Some(value)
    }

    /// Reports and parses `'a' IN tags` as `tags CONTAINS 'a'`.
    pub(super) fn parse_value_in_field(&mut self, left: &Operand) -> Option<Condition> {
        let is_text = self.text_at(left.span).starts_with(['\'', '"']);
        let is_field = matches!(self.peek(), Some(TokenKind::Word(word))
            if !super::keywords::is_reserved(word));
        if !is_text || !is_field {
            return None;
        }
        let field = self.expect_field()?;
        let value = self.text_at(left.span).to_owned();
        let span = Span::new(left.span.start, self.previous_end());
        let replacement = format!("{} CONTAINS {value}", print_field(&field));
        self.report_with_fix(span, "expected a field before `IN`".to_owned(), &replacement);
        let field = Operand { kind: OperandKind::Field(field), span };
        Some(Condition::Text(field, TextTest::Contains, left.clone()))
    }
}
