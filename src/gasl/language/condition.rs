//! Productions of conditions. `NOT` binds tighter than `AND`, and `AND` tighter than `OR`.

use super::ast::{Condition, InItems, Operand, OperandKind, TextTemplate, has_row_prefix};
use super::clause_recovery::begins_clause;
use super::keywords::{COMMANDS, is_reserved};
use super::parser::{ConditionKind, LastComparison, Parser};
use super::template;
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::json::{MAX_EXACT_INTEGER, is_integer_literal, parse_number_text};
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::codes;
use crate::gasl::predicate::{Comparison, Membership, TestOperator, TextTest};
use std::rc::Rc;

impl Parser<'_> {
    /// `condition = or`, about the fields of a row
    pub(super) fn condition(&mut self) -> Option<Condition> {
        self.last_comparison = None;
        self.or(ConditionKind::Fields)
    }

    /// `assertion = or`, about variables
    pub(super) fn assertion(&mut self) -> Option<Condition> {
        self.or(ConditionKind::Variables)
    }

    /// `or = and {"OR" and}`
    fn or(&mut self, kind: ConditionKind) -> Option<Condition> {
        let first = self.and(kind)?;
        let mut each = vec![first];
        while self.parse_connective("OR", "||") {
            each.push(self.and(kind)?);
        }
        Some(if each.len() == 1 { each.remove(0) } else { Condition::Any(each) })
    }

    /// `and = not {"AND" not}`
    fn and(&mut self, kind: ConditionKind) -> Option<Condition> {
        let mut each = Vec::new();
        loop {
            each.push(self.not(kind)?);
            self.report_more_values();
            if !self.parse_connective("AND", "&&") && !self.report_missing_and() {
                break;
            }
        }
        Some(if each.len() == 1 { each.remove(0) } else { Condition::All(each) })
    }

    /// `not = "NOT" not | "(" or ")" | test`
    fn not(&mut self, kind: ConditionKind) -> Option<Condition> {
        if self.parse_connective("NOT", "!") {
            let negated = self.parse_nested(|parser| parser.not(kind))?;
            return Some(Condition::Not(Box::new(negated)));
        }
        if self.parse_punctuation('(') {
            let inner = self.parse_nested(|parser| parser.or(kind))?;
            self.expect_punctuation(')')?;
            return Some(inner);
        }
        self.test(kind)
    }

    /// Parses a keyword, or reports and skips its symbol in other languages.
    fn parse_connective(&mut self, keyword: &str, foreign: &'static str) -> bool {
        if self.peek() == Some(&TokenKind::Operator(foreign)) {
            let span = self.next_span();
            self.report_foreign_operator(foreign, keyword, span);
            self.advance();
            return true;
        }
        self.parse_keyword(keyword)
    }

    fn report_foreign_operator(&mut self, found: &str, suggestion: &str, span: Span) {
        let message = format!("unknown operator `{found}`");
        let help = format!("write `{suggestion}`");
        self.report(Diagnostic::new(codes::FOREIGN_OPERATOR, message).help(help), span);
        self.fix(span, suggestion);
    }

    /// `test = "EXISTS" subject | operand operator operand | operand "IS" ["NOT"] ("NULL" | "EMPTY")`
    fn test(&mut self, kind: ConditionKind) -> Option<Condition> {
        if self.parse_keyword("EXISTS") {
            let parenthesis = self.parse_punctuation('(');
            let subject = self.subject(kind)?;
            if parenthesis {
                self.expect_punctuation(')')?;
            }
            return Some(Condition::Exists(subject));
        }
        if kind == ConditionKind::Fields
            && let Some(repeated) = self.parse_value_without_field()
        {
            return Some(repeated);
        }
        if let Some(foreign) = self.parse_foreign_existence(kind) {
            return Some(foreign);
        }
        if kind == ConditionKind::Fields
            && let Some(call) = self.parse_function_test()
        {
            return Some(call);
        }
        let left = match kind {
            ConditionKind::Fields if self.at_call() => self.report_unknown_call()?,
            ConditionKind::Fields => self.field_operand()?,
            ConditionKind::Variables => self.value_operand()?,
        };
        self.test_of(left, kind)
    }

    /// Parses the rest of a test after a field.
    pub(super) fn test_of_operand(&mut self, left: Operand) -> Option<Condition> {
        self.test_of(left, ConditionKind::Fields)
    }

    /// Parses the rest of a test after its left operand.
    fn test_of(&mut self, left: Operand, kind: ConditionKind) -> Option<Condition> {
        let is_missing = self.at_word("NOT") && self.is_absence_at(1);
        if self.parse_keyword("IS") || is_missing {
            if is_missing {
                self.expect_keyword_before("IS", true)?;
            }
            return self.parse_is_test(left, kind);
        }
        let negated = self.at_keyword("NOT") && matches!(self.peek_at(1), Some(TokenKind::Word(_)));
        if negated {
            self.advance();
        }
        self.relation(left, kind, negated)
    }

    /// `relation = comparison right | "IN" items | text-operator right`
    fn relation(&mut self, left: Operand, kind: ConditionKind, negated: bool) -> Option<Condition> {
        if self.parse_keyword("IN") {
            let membership = if negated { Membership::Out } else { Membership::In };
            if kind == ConditionKind::Fields
                && !negated
                && let Some(contains) = self.parse_value_in_field(&left)
            {
                return Some(contains);
            }
            if kind == ConditionKind::Fields
                && !negated
                && let Some(items) = self.parse_name_as_items(&left)
            {
                return Some(Condition::In(left, membership, items));
            }
            return Some(Condition::In(left, membership, self.items(kind)?));
        }
        let wrap = |condition| match negated {
            true => Condition::Not(Box::new(condition)),
            false => condition,
        };
        for test in [TextTest::Contains, TextTest::StartsWith, TextTest::EndsWith] {
            if self.parse_keyword(test.word()) {
                self.store_comparison(&left, TestOperator::Text(test));
                let right = self.parse_right_operand(kind)?;
                return Some(wrap(Condition::Text(left, test, right)));
            }
        }
        if let Some(test) = self.parse_foreign_test() {
            self.store_comparison(&left, TestOperator::Text(test));
            return Some(wrap(Condition::Text(left, test, self.parse_right_operand(kind)?)));
        }
        if let Some(word) = self.foreign_relation() {
            return self.report_foreign_relation(word, &left, negated);
        }
        let comparison = match self.parse_comparison_words() {
            Some(comparison) => comparison,
            None => self.expect_comparison()?,
        };
        if let Some(membership) = self.report_compared_list(comparison) {
            return Some(wrap(Condition::In(left, membership, self.items(kind)?)));
        }
        self.store_comparison(&left, TestOperator::Compare(comparison));
        let right = self.parse_right_operand(kind)?;
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let right = if is_equality { self.exact_integer(right) } else { right };
        Some(wrap(Condition::Compare(left, comparison, right)))
    }

    /// Returns the operand of an equality. An integer of more than 53 bits is a text, because a number
    /// would be rounded and equal to other ids.
    fn exact_integer(&self, operand: Operand) -> Operand {
        let OperandKind::Literal(Value::Number(number)) = &operand.kind else { return operand };
        let literal = self.text_at(operand.span);
        if number.abs() <= MAX_EXACT_INTEGER || !is_integer_literal(literal) {
            return operand;
        }
        Operand { kind: OperandKind::Text(TextTemplate::literal(literal)), span: operand.span }
    }

    fn store_comparison(&mut self, left: &Operand, operator: TestOperator) {
        self.last_comparison = Some(Rc::new(LastComparison { left: left.clone(), operator }));
    }

    fn parse_right_operand(&mut self, kind: ConditionKind) -> Option<Operand> {
        match kind {
            ConditionKind::Fields => self.expect_right(),
            ConditionKind::Variables => self.value_operand(),
        }
    }

    /// `field-or-value = "`" any "`" | prefix "." word | value`
    ///
    /// Another unquoted word is a field if the rows have a field of this name.
    pub(super) fn field_or_value(&mut self) -> Option<Operand> {
        if matches!(self.peek(), Some(TokenKind::Quoted(_))) {
            return self.field_operand();
        }
        let operand = self.expect_value()?;
        Some(match operand.kind {
            OperandKind::Literal(Value::Text(word)) if has_row_prefix(&word) => {
                Operand { kind: OperandKind::Field(word.to_string()), span: operand.span }
            }
            _ => operand,
        })
    }

    /// `= != > >= < <=`
    fn expect_comparison(&mut self) -> Option<Comparison> {
        let comparisons = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::GreaterOrEqual,
            Comparison::Greater,
            Comparison::LessOrEqual,
            Comparison::Less,
        ];
        if let Some(TokenKind::Operator(sign)) = self.peek() {
            let sign = *sign;
            let valid = comparisons.iter().find(|comparison| comparison.sign() == sign);
            let suggested = match sign {
                "==" | "===" | "~" | "=~" => Some(Comparison::Equal),
                "<>" | "!==" | "≠" => Some(Comparison::NotEqual),
                "=>" | "≥" => Some(Comparison::GreaterOrEqual),
                "=<" | "≤" => Some(Comparison::LessOrEqual),
                _ => None,
            };
            let span = self.next_span();
            if valid.is_none()
                && let Some(suggested) = suggested
            {
                let word = if sign.contains('~') { "CONTAINS" } else { suggested.sign() };
                self.report_foreign_operator(sign, word, span);
            }
            if let Some(comparison) = valid.copied().or(suggested) {
                self.advance();
                if sign.contains('~') {
                    self.report_pattern(sign == "=~");
                }
                return Some(comparison);
            }
        }
        self.add_expected("a comparison (`= != > >= < <=`)");
        self.report_unexpected();
        None
    }

    /// `=`, as in `SET` and `JOIN`.
    pub(super) fn parse_equals(&mut self) -> bool {
        let found = matches!(self.peek(), Some(TokenKind::Operator("=" | "==")));
        if found {
            self.advance();
        } else {
            self.add_expected("`=`");
        }
        found
    }

    /// Parses the rest of a test after `IS`.
    fn parse_is_test(&mut self, left: Operand, kind: ConditionKind) -> Option<Condition> {
        let before = self.previous_span().start;
        let negated = self.parse_keyword("NOT");
        if kind == ConditionKind::Variables && self.parse_keyword("EMPTY") {
            let empty = Condition::Empty(name_operand(left));
            return Some(if negated { Condition::Not(Box::new(empty)) } else { empty });
        }
        if self.parse_keyword("NULL") || self.parse_foreign_null() {
            return Some(if negated { Condition::NotNull(left) } else { Condition::Null(left) });
        }
        if let Some(comparison) = self.parse_comparison_words() {
            // `IS` and the comparison are one operator.
            if let Some((_, span, _)) = self.fixes.last_mut() {
                span.start = before;
            }
            return Some(Condition::Compare(left, comparison, self.parse_right_operand(kind)?));
        }
        if let Some(comparison) = self.report_is_value(before, negated) {
            return Some(Condition::Compare(left, comparison, self.parse_right_operand(kind)?));
        }
        self.report_unexpected();
        None
    }

    /// Parses the subject of `EXISTS`.
    pub(super) fn subject(&mut self, kind: ConditionKind) -> Option<Operand> {
        if kind == ConditionKind::Fields {
            return self.field_operand();
        }
        let path = self.expect_path("the name of a variable")?;
        Some(Operand { kind: OperandKind::Name(path.steps), span: path.span })
    }

    fn field_operand(&mut self) -> Option<Operand> {
        let span = self.next_span();
        let field = self.expect_field()?;
        Some(Operand { kind: OperandKind::Field(field), span })
    }

    /// `field = word | "`" any "`" | text`
    pub(super) fn expect_field(&mut self) -> Option<String> {
        let field = match self.peek() {
            Some(TokenKind::Quoted(name)) => Some(name.clone()),
            Some(TokenKind::Text(text)) => text.as_literal().map(str::to_owned),
            Some(TokenKind::Word(word)) if !is_reserved(word) => Some(word.clone()),
            _ => None,
        };
        match field {
            Some(field) if !field.is_empty() => {
                self.advance();
                Some(field)
            }
            _ => {
                self.add_expected("the name of a field");
                self.report_unexpected();
                None
            }
        }
    }

    /// `items = "[" [value {"," value}] "]" | "(" … ")" | "${" path "}"`
    fn items(&mut self, kind: ConditionKind) -> Option<InItems> {
        if let Some(TokenKind::Binding(steps)) = self.peek() {
            let kind = OperandKind::Binding(steps.clone());
            let span = self.next_span();
            self.advance();
            return Some(InItems::Binding(Operand { kind, span }));
        }
        let closing = if self.parse_punctuation('[') {
            ']'
        } else if self.parse_punctuation('(') {
            ')'
        } else if let Some(items) = self.parse_unbracketed_items() {
            return Some(items);
        } else {
            self.add_expected("`${name}`");
            self.report_unexpected();
            return None;
        };
        let mut items = Vec::new();
        while !self.parse_punctuation(closing) {
            let item = match kind {
                ConditionKind::Fields => self.expect_value()?,
                ConditionKind::Variables => self.value_operand()?,
            };
            items.push(self.exact_integer(item));
            if !self.parse_punctuation(',') {
                self.expect_punctuation(closing)?;
                break;
            }
        }
        Some(InItems::List(items))
    }

    /// `operand = "LEN" ("(" path ")" | path) | value`
    fn value_operand(&mut self) -> Option<Operand> {
        let start = self.next_span().start;
        if let Some(length) = self.parse_foreign_length() {
            return Some(length);
        }
        let length = self.peek_word().is_some_and(|word| word.eq_ignore_ascii_case("LEN"))
            && match self.peek_at(1) {
                Some(TokenKind::Word(word)) => !is_reserved(word),
                Some(
                    TokenKind::Binding(_) | TokenKind::Punctuation('(') | TokenKind::Quoted(_),
                ) => true,
                _ => false,
            };
        if !length {
            return self.expect_value();
        }
        self.advance();
        let parenthesis = self.parse_punctuation('(');
        let path = self.expect_path("the name of a variable")?;
        if parenthesis {
            self.expect_punctuation(')')?;
        }
        let span = Span::new(start, self.previous_end());
        Some(Operand { kind: OperandKind::Length(path.steps), span })
    }

    /// `value = number | "true" | "false" | "null" | word | text | "${" path "}"`
    pub(super) fn expect_value(&mut self) -> Option<Operand> {
        let span = self.next_span();
        let kind = match self.peek() {
            Some(TokenKind::Text(text)) => OperandKind::Text(text.clone()),
            Some(TokenKind::Binding(steps)) => OperandKind::Binding(steps.clone()),
            Some(TokenKind::Quoted(name)) => {
                OperandKind::Text(TextTemplate::literal(name.as_str()))
            }
            Some(TokenKind::Word(word)) if !is_reserved(word) => {
                OperandKind::Literal(literal_value(word))
            }
            _ => {
                self.add_expected("a value");
                self.report_unexpected();
                return None;
            }
        };
        self.advance();
        self.report_value_of_several_words(span, &kind);
        Some(Operand { kind, span })
    }

    /// Reports an unquoted value of several words: `name = Ada Lovelace`.
    fn report_value_of_several_words(&mut self, span: Span, kind: &OperandKind) {
        let OperandKind::Literal(_) = kind else { return };
        let mut end = span.end;
        let mut ahead = 0;
        let mut is_name = true;
        while let Some(Token { kind: TokenKind::Word(word), span, first: false }) =
            self.token_at(ahead)
            && !may_follow_value(word)
            && !self.at_clause(ahead)
            && !self.at_foreign_clause(ahead)
            && !self.at_test(ahead)
        {
            end = span.end;
            is_name &= !begins_clause(word) && word != "|";
            ahead += 1;
        }
        if ahead == 0 {
            return;
        }
        let in_list = self.text_at(Span::new(0, span.start)).trim_end().ends_with(['[', '(', ',']);
        let span = Span::new(span.start, end);
        let text = self.text_at(span).to_owned();
        let message = format!("expected one value, found several words: {}", quote(&text));
        let before_test = self.at_test(ahead);
        let help = match (in_list, before_test) {
            (true, _) => "quote a value of several words, and write `,` between two values",
            (_, true) => {
                "quote a value of several words, and write `AND` or `OR` between two conditions"
            }
            _ => "quote a value of several words",
        };
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        // Words in a list may be several values, and a clause or a test is not a value.
        if is_name && !in_list && !before_test {
            self.fix(span, format!("\"{text}\""));
        } else if let Some((compared, list)) = self.alternatives(span) {
            self.fix(compared, list);
        }
        for _ in 0..ahead {
            self.advance();
        }
    }
}

/// Returns whether a word may follow a value. A command may follow if `THEN` is missing.
fn may_follow_value(word: &str) -> bool {
    const WORDS: [&str; 7] =
        ["CONTAINS", "STARTS_WITH", "ENDS_WITH", "DEPTH", "DIRECTION", "WEIGHT", "WEIGHTED"];
    is_reserved(word)
        || COMMANDS.contains(&word)
        || WORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Returns the value of an unquoted word: a number, a boolean, null or a string.
fn literal_value(word: &str) -> Value {
    match word.to_ascii_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        _ => parse_number_text(word).map_or_else(|| Value::from(word), Value::Number),
    }
}

/// Converts an unquoted word or a binding before `IS EMPTY` to the name of a variable.
fn name_operand(operand: Operand) -> Operand {
    let Operand { kind, span } = operand;
    let kind = match kind {
        OperandKind::Binding(steps) => OperandKind::Name(steps),
        OperandKind::Literal(Value::Text(word)) => template::parse_steps(&word)
            .map_or(OperandKind::Literal(Value::Text(word)), OperandKind::Name),
        other => other,
    };
    Operand { kind, span }
}
