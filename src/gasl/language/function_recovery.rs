//! Recovery from functions and methods of other languages in conditions.

use super::ast::{Condition, InItems, Operand, OperandKind};
use super::keywords::is_reserved;
use super::parser::Parser;
use super::printer::print_field;
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;
use crate::gasl::predicate::{Comparison, TextTest};

/// Functions that return their argument in another case.
const CASE_FUNCTIONS: [&str; 10] = [
    "lower",
    "upper",
    "tolower",
    "toupper",
    "lcase",
    "ucase",
    "tolowercase",
    "touppercase",
    "casefold",
    "capitalize",
];

/// Functions that convert a value, which the comparison does anyway.
const CONVERSION_FUNCTIONS: [&str; 20] = [
    "date",
    "datetime",
    "timestamp",
    "to_date",
    "todate",
    "str",
    "string",
    "tostring",
    "text",
    "int",
    "integer",
    "tointeger",
    "float",
    "tofloat",
    "number",
    "numeric",
    "trim",
    "strip",
    "cast",
    "localdatetime",
];

/// Returns the test of a function or a method, such as `contains`.
fn text_test_of(name: &str) -> Option<TextTest> {
    Some(match name {
        "contains" | "includes" | "instr" => TextTest::Contains,
        "startswith" | "starts_with" => TextTest::StartsWith,
        "endswith" | "ends_with" => TextTest::EndsWith,
        _ => return None,
    })
}

impl Parser<'_> {
    fn is_open(&self, ahead: usize) -> bool {
        self.peek_at(ahead) == Some(&TokenKind::Punctuation('('))
    }

    fn is_close(&self, ahead: usize) -> bool {
        self.peek_at(ahead) == Some(&TokenKind::Punctuation(')'))
    }

    /// Reports and parses a test with a function or a method: `LOWER(name) = 'ada'`,
    /// `name.startswith('A')`, `contains(name, 'x')`.
    pub(super) fn parse_function_test(&mut self) -> Option<Condition> {
        let word = self.peek_word()?.to_owned();
        if !self.is_open(1) {
            return None;
        }
        let start = self.next_span().start;
        let (field, function) = match word.rsplit_once('.') {
            Some((field, method)) => {
                (Some(field.trim_end_matches(".str").to_owned()), method.to_ascii_lowercase())
            }
            None => (None, word.to_ascii_lowercase()),
        };
        if let Some(test) = text_test_of(&function) {
            return self.parse_test_call(field, test, start);
        }
        const NAMES: [&str; 5] = ["type", "label", "labels", "id", "elementid"];
        let is_case = CASE_FUNCTIONS.contains(&function.as_str());
        let is_known = is_case
            || NAMES.contains(&function.as_str())
            || CONVERSION_FUNCTIONS.contains(&function.as_str());
        if !is_known {
            return None;
        }
        let field = match (field, function.as_str()) {
            (Some(field), _) if self.is_close(2) => {
                self.advance();
                self.advance();
                field
            }
            (None, "type" | "label" | "labels" | "id" | "elementid") if self.is_close(3) => {
                self.advance();
                self.advance();
                self.advance();
                if function.ends_with("id") { "id".to_owned() } else { "type".to_owned() }
            }
            (None, _) if self.is_close(3) => {
                self.advance();
                self.advance();
                self.expect_field()?
            }
            _ => return None,
        };
        let call = Span::new(start, self.next_span().end);
        self.advance();
        if is_case {
            let comparison = self.parse_case_comparison(&field, call);
            if let Some(test) = comparison.or_else(|| self.report_case_list(&field, call)) {
                return Some(test);
            }
        }
        let message = format!("unknown function {}", quote(self.text_at(call)));
        self.report_with_fix(call, message, &print_field(&field));
        self.test_of_operand(Operand { kind: OperandKind::Field(field), span: call })
    }

    /// Parses the arguments of `contains(field, value)` or `field.contains(value)`.
    fn parse_test_call(
        &mut self,
        field: Option<String>,
        test: TextTest,
        start: usize,
    ) -> Option<Condition> {
        self.advance();
        self.advance();
        let field = match field {
            Some(field) => field,
            None => {
                let field = self.expect_field()?;
                self.expect_punctuation(',')?;
                field
            }
        };
        let value = self.expect_value()?;
        self.expect_punctuation(')')?;
        let span = Span::new(start, self.previous_end());
        let message = format!("unknown function {}", quote(self.text_at(span)));
        let value_text = self.text_at(value.span).to_owned();
        let replacement = format!("{} {} {value_text}", print_field(&field), test.word());
        self.report_with_fix(span, message, &replacement);
        let left = Operand { kind: OperandKind::Field(field), span };
        Some(Condition::Text(left, test, value))
    }

    /// Parses a value, or reports a value in a function: `DATE('2020-01-01')`, `DATE '2020-01-01'`.
    pub(super) fn expect_right(&mut self) -> Option<Operand> {
        let Some(function) = self.peek_word().map(str::to_ascii_lowercase) else {
            if let Some(value) = self.parse_bracketed_value() {
                return Some(value);
            }
            return self.field_or_value();
        };
        let is_known = CASE_FUNCTIONS.contains(&function.as_str())
            || CONVERSION_FUNCTIONS.contains(&function.as_str());
        if !is_known && self.at_call() {
            return self.report_unknown_call();
        }
        let is_call = self.is_open(1) && self.is_close(3);
        let is_typed = matches!(self.peek_at(1), Some(TokenKind::Text(_)));
        if !is_known || !(is_call || is_typed) {
            return self.field_or_value();
        }
        let start = self.next_span().start;
        self.advance();
        self.parse_punctuation('(');
        let value = self.expect_value()?;
        if is_call {
            self.expect_punctuation(')')?;
        }
        let span = Span::new(start, self.previous_end());
        let message = format!("unknown function {}", quote(self.text_at(span)));
        let replacement = self.text_at(value.span).to_owned();
        self.report_with_fix(span, message, &replacement);
        Some(value)
    }

    /// Reports and parses `x IN name`, where the name may be a variable or a field with lists. Ids are in
    /// variables.
    pub(super) fn parse_name_as_items(&mut self, left: &Operand) -> Option<InItems> {
        let field = self.text_at(left.span).to_owned();
        let is_id = matches!(field.rsplit('.').next(), Some("id" | "source" | "target"));
        let name = self.peek_word().filter(|word| word.starts_with(char::is_lowercase));
        let name = name.filter(|word| !is_id && !is_reserved(word)).map(str::to_owned)?;
        if self.peek_at(1) == Some(&TokenKind::Punctuation(',')) {
            return None;
        }
        let span = self.next_span();
        let message = format!("expected `[`, `(` or `${{name}}`, found {}", quote(&name));
        let help = format!(
            "write `{name} CONTAINS {field}` if {} is a field with lists, and `IN ${{{name}}}` for a variable",
            quote(&name)
        );
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        Some(InItems::List(vec![self.expect_value()?]))
    }

    /// Reports and parses items without brackets: `IN people`, `IN a, b`.
    pub(super) fn parse_unbracketed_items(&mut self) -> Option<InItems> {
        let is_item = |kind: Option<&TokenKind>| match kind {
            Some(TokenKind::Word(word)) => !is_reserved(word),
            Some(TokenKind::Text(_)) => true,
            _ => false,
        };
        if !is_item(self.peek()) {
            return None;
        }
        let span = self.next_span();
        let mut items = vec![self.expect_value()?];
        while self.peek() == Some(&TokenKind::Punctuation(','))
            && is_item(self.peek_at(1))
            && !self.at_test(1)
        {
            self.advance();
            items.push(self.expect_value()?);
        }
        let all = Span::new(span.start, self.previous_end());
        let text = self.text_at(all).to_owned();
        let is_variable = items.len() == 1 && text.starts_with(char::is_alphabetic);
        let replacement = if is_variable { format!("${{{text}}}") } else { format!("[{text}]") };
        let message = format!("expected `[`, `(` or `${{name}}`, found {}", quote(&text));
        self.report_with_fix(all, message, &replacement);
        Some(InItems::List(items))
    }

    /// Reports and parses comparisons in words: `EQUALS`, `GREATER THAN`, `AT LEAST`.
    pub(super) fn parse_comparison_words(&mut self) -> Option<Comparison> {
        const WORDS: [(&[&str], Comparison); 14] = [
            (&["GREATER", "THAN", "OR", "EQUAL", "TO"], Comparison::GreaterOrEqual),
            (&["LESS", "THAN", "OR", "EQUAL", "TO"], Comparison::LessOrEqual),
            (&["GREATER", "THAN"], Comparison::Greater),
            (&["MORE", "THAN"], Comparison::Greater),
            (&["LESS", "THAN"], Comparison::Less),
            (&["FEWER", "THAN"], Comparison::Less),
            (&["AT", "LEAST"], Comparison::GreaterOrEqual),
            (&["AT", "MOST"], Comparison::LessOrEqual),
            (&["NOT", "EQUAL", "TO"], Comparison::NotEqual),
            (&["EQUAL", "TO"], Comparison::Equal),
            (&["EQUALS"], Comparison::Equal),
            (&["EQ"], Comparison::Equal),
            (&["AFTER"], Comparison::Greater),
            (&["BEFORE"], Comparison::Less),
        ];
        let is_word = |ahead: usize, keyword: &str| matches!(self.token_at(ahead), Some(Token { kind: TokenKind::Word(word), .. }) if word.eq_ignore_ascii_case(keyword));
        let matches =
            |words: &[&str]| words.iter().enumerate().all(|(ahead, word)| is_word(ahead, word));
        let (words, comparison) = WORDS.into_iter().find(|(words, _)| matches(words))?;
        let start = self.next_span().start;
        for _ in words {
            self.advance();
        }
        let span = Span::new(start, self.previous_end());
        let message = format!("unknown operator {}", quote(self.text_at(span)));
        self.report_with_fix(span, message, comparison.sign());
        Some(comparison)
    }
}

/// Returns the operator and the text of a regular expression that has only anchors and `.*`. The
/// expression matches a part of a text, or the complete text, as `=~` of openCypher.
pub(super) fn pattern_to_operator(
    pattern: &str,
    is_complete: bool,
) -> Option<(&'static str, &str)> {
    let without_flag = pattern.strip_prefix("(?i)");
    let pattern = without_flag.unwrap_or(pattern);
    let after_start = pattern.strip_prefix('^');
    let (start, text) = (is_complete || after_start.is_some(), after_start.unwrap_or(pattern));
    let before_end = text.strip_suffix('$');
    let (end, text) = (is_complete || before_end.is_some(), before_end.unwrap_or(text));
    let text_without = text.strip_prefix(".*").unwrap_or(text);
    // A pattern with a `.*` at one end is complete at the other.
    let has_any_end = text_without.ends_with(".*");
    let has_any_start = text_without.len() < text.len();
    let text = text_without.strip_suffix(".*").unwrap_or(text_without);
    let is_start = !has_any_start && (start || has_any_end);
    let is_end = !has_any_end && (end || has_any_start);
    let is_literal = !text.is_empty() && !is_pattern(text) && !text.contains('"');
    let operator = match (is_start, is_end) {
        // `=` is case sensitive.
        (true, true) if without_flag.is_some() => return None,
        (true, true) => "=",
        (true, false) => TextTest::StartsWith.word(),
        (false, true) => TextTest::EndsWith.word(),
        (false, false) => TextTest::Contains.word(),
    };
    is_literal.then_some((operator, text))
}

/// Returns whether a text has characters with a meaning in regular expressions.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['^', '$', '.', '*', '+', '?', '|', '[', '(', '\\', '{'])
}
