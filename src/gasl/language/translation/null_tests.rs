//! Negated tests, which hold for rows without the field in GASL, but not in SQL, openCypher and Gremlin.

use crate::base::Span;
use crate::gasl::language::keywords::is_reserved;
use crate::gasl::language::lexer::lex;
use crate::gasl::language::token::{Token, TokenKind};

/// Words on a negation that cannot be completed.
pub const NEGATION: &str = "`!=` and `NOT` also hold for rows without the field: write the condition with `AND field IS NOT NULL`";

/// Returns the parts of a condition, so that its negated tests fail for rows without the field. Returns
/// `None` for a negation of something else than a test of a field.
pub fn exclude_nulls(condition: &str) -> Option<Vec<String>> {
    let lexed = lex(condition);
    let tokens = lexed.tokens.as_slice();
    // Text of each negated test, and its field.
    let mut tests: Vec<(Span, &str)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let is_negation = is_word(token, "NOT");
        if is_negation
            && (is_null_test(tokens, index) || before.is_some_and(|one| is_word(one, "IS")))
        {
            continue;
        }
        if !is_negation && !matches!(token.kind, TokenKind::Operator("!=" | "<>" | "≠")) {
            continue;
        }
        let field = before.filter(|field| is_field(field))?;
        let operator = if is_negation { index + 1 } else { index };
        let last = end_of_operand(tokens, operator)?;
        let name = condition.get(field.span.start..field.span.end)?;
        tests.push((Span::new(field.span.start, last), name));
    }
    if let [(span, field)] = tests.as_slice()
        && condition.trim().len() == span.end - span.start
    {
        return Some(vec![condition.trim().to_owned(), format!("{field} IS NOT NULL")]);
    }
    let is_or = tokens.iter().any(|token| is_word(token, "OR"));
    let (mut text, mut from) = (String::new(), 0);
    for (span, field) in tests {
        let test = condition.get(span.start..span.end)?;
        let both = format!("{test} AND {field} IS NOT NULL");
        text.push_str(condition.get(from..span.start)?);
        text.push_str(&if is_or { format!("({both})") } else { both });
        from = span.end;
    }
    text.push_str(condition.get(from..)?);
    Some(vec![text])
}

/// Returns whether the negation at an index is that of `IS NULL` or `EXISTS`.
fn is_null_test(tokens: &[Token], index: usize) -> bool {
    let is = |ahead: usize, word: &str| {
        tokens.get(index + ahead).is_some_and(|token| is_word(token, word))
    };
    is(1, "EXISTS") || is(2, "IS")
}

/// Returns the end of the operand after the operator at an index.
fn end_of_operand(tokens: &[Token], operator: usize) -> Option<usize> {
    if is_word(tokens.get(operator)?, "BETWEEN") {
        return Some(tokens.get(operator + 3)?.span.end);
    }
    // A list, a call or one token.
    let is_open = |token: &Token| matches!(token.kind, TokenKind::Punctuation('(' | '['));
    let is_call = tokens.get(operator + 2).is_some_and(is_open);
    let mut depth = 0usize;
    for (ahead, token) in tokens.get(operator + 1..)?.iter().enumerate() {
        match token.kind {
            TokenKind::Punctuation('(' | '[') => depth += 1,
            TokenKind::Punctuation(')' | ']') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 && !(ahead == 0 && is_call) {
            return Some(token.span.end);
        }
    }
    None
}

fn is_word(token: &Token, keyword: &str) -> bool {
    matches!(&token.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case(keyword))
}

fn is_field(token: &Token) -> bool {
    match &token.kind {
        TokenKind::Word(word) => !is_reserved(word),
        TokenKind::Quoted(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(condition: &str, expected: &str) {
        assert_eq!(
            exclude_nulls(condition).unwrap_or_default().join(" & "),
            expected,
            "{condition}"
        );
    }

    #[test]
    fn negated_tests_require_the_field() {
        check("age > 3 AND a = 1", "age > 3 AND a = 1");
        check("age <> 3", "age <> 3 & age IS NOT NULL");
        check("age <> 3 AND b = 2", "age <> 3 AND age IS NOT NULL AND b = 2");
        check("age != 3 OR b = 2", "(age != 3 AND age IS NOT NULL) OR b = 2");
        check("city NOT IN ('a', 'b')", "city NOT IN ('a', 'b') & city IS NOT NULL");
        check("city NOT IN ('a') AND b = 2", "city NOT IN ('a') AND city IS NOT NULL AND b = 2");
        check("city NOT LIKE 'a%'", "city NOT LIKE 'a%' & city IS NOT NULL");
        check("age NOT BETWEEN 1 AND 3", "age NOT BETWEEN 1 AND 3 & age IS NOT NULL");
        check("city IS NOT NULL", "city IS NOT NULL");
        check("NOT city IS NULL", "NOT city IS NULL");
        check("NOT age > 3", "");
        check("NOT (age > 3 AND a = 1)", "");
        check("lower(city) <> 'a'", "");
    }
}
