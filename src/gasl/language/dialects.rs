//! Recovery from keywords of other languages.

use super::ast::{Aggregate, AggregateFunction, Command, Operand, OperandKind};
use super::keywords::{COMMANDS, closest_keyword, is_reserved};
use super::parser::Parser;
use super::printer::print_aggregate;
use super::template;
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::json::parse_number_text;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;

/// Keywords of other languages with their equivalents.
const EQUIVALENTS: [(&str, &str); 20] = [
    ("FETCH", "FIND"),
    ("GET", "FIND"),
    ("MATCH", "FIND"),
    ("SEARCH", "FIND"),
    ("QUERY", "FIND"),
    ("FILTER", "SELECT"),
    ("PROJECT", "SELECT"),
    ("GROUP", "AGGREGATE"),
    ("SORT", "RANK"),
    ("ORDER", "RANK"),
    ("CALCULATE", "MEASURE"),
    ("COMPUTE", "MEASURE"),
    ("CENTRALITY", "MEASURE"),
    ("TRAVERSE", "WALK"),
    ("EXPAND", "WALK"),
    ("PRINT", "SHOW"),
    ("DISPLAY", "SHOW"),
    ("RETURN", "SHOW"),
    ("IF", "BRANCH IF"),
    ("CREATE", "DECLARE"),
];

/// Keywords of other languages with equivalent commands.
const EQUIVALENT_COMMANDS: [(&str, &str); 14] = [
    ("LET", "FIND nodes AS x"),
    ("VAR", "FIND nodes AS x"),
    ("CONST", "FIND nodes AS x"),
    ("INSERT", "UPDATE key WITH variable"),
    ("UPSERT", "UPDATE key WITH variable"),
    ("APPEND", "UPDATE key WITH variable"),
    ("ADD", "UPDATE key WITH variable"),
    ("STORE", "UPDATE key WITH variable"),
    ("SAVE", "UPDATE key WITH variable"),
    ("STOP", "CANCEL PLAN \"id\""),
    ("ABORT", "CANCEL PLAN \"id\""),
    ("EXIT", "CANCEL PLAN \"id\""),
    ("DONE", "COMPLETE: answer"),
    ("ANSWER", "COMPLETE: answer"),
];

pub(super) fn is_order(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    ["ASC", "DESC", "ASCENDING", "DESCENDING"].contains(&word.as_str())
}

/// Returns the aggregate function that a word of another language means.
fn foreign_function(word: &str) -> Option<AggregateFunction> {
    Some(match word {
        "mean" | "average" => AggregateFunction::Average,
        "total" => AggregateFunction::Sum,
        "minimum" | "least" => AggregateFunction::Least,
        "maximum" | "greatest" => AggregateFunction::Greatest,
        "size" | "number" => AggregateFunction::Count,
        "nunique" | "unique" | "count_distinct" => AggregateFunction::Distinct,
        "collect" | "values" | "array_agg" | "group_concat" => AggregateFunction::List,
        _ => return None,
    })
}

/// Returns the keyword of a command that a word probably means.
fn suggested_keyword(word: &str) -> Option<&'static str> {
    let equivalent = EQUIVALENTS.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(word));
    // Short keywords are similar to too many words.
    let candidates =
        COMMANDS.iter().filter(|keyword| !["TRY", "CATCH", "END", "ON", "SET"].contains(keyword));
    equivalent.map(|(_, own)| *own).or_else(|| closest_keyword(word, candidates.copied()))
}

impl Parser<'_> {
    /// Reports a word that does not begin a command. Skips a list marker before a command.
    pub(super) fn unknown_command(&mut self) -> Option<Command> {
        if let Some(tokens) = self.list_marker_length().filter(|tokens| *tokens > 0) {
            return self.report_list_marker(tokens);
        }
        let span = self.next_span();
        let word = self.peek_word().unwrap_or_default().to_owned();
        let message = match self.peek() {
            Some(TokenKind::Word(_)) => format!("unknown command {}", quote(&word)),
            _ => "expected a command".to_owned(),
        };
        let form =
            EQUIVALENT_COMMANDS.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(&word));
        let form = form.map(|(_, form)| *form).or_else(|| self.ascending_rank());
        let keyword = if form.is_some() { None } else { suggested_keyword(&word) };
        let help = match (form, keyword) {
            (Some(form), _) => format!("write a command like `{form}`"),
            (None, Some(keyword)) => format!("write `{keyword}` instead"),
            (None, None) => {
                let commands = COMMANDS.iter().copied();
                let commands = commands.filter(|command| !["ANALYSE", "LEFT"].contains(command));
                format!("begin with {}", commands.collect::<Vec<_>>().join(", "))
            }
        };
        self.report(Diagnostic::new(codes::UNKNOWN_COMMAND, message).help(help), span);
        if let Some(keyword) = keyword {
            self.fix(span, keyword);
        }
        self.advance();
        // Skips the rest, up to a command on a new line.
        self.recover(&[]);
        None
    }

    /// Returns the form of an ascending `RANK` for `SORT x BY age`, because `RANK` is descending by
    /// default.
    fn ascending_rank(&self) -> Option<&'static str> {
        let rest = (0..).map_while(|ahead| self.token_at(ahead));
        let is_order_word =
            |token: &Token| matches!(&token.kind, TokenKind::Word(word) if is_order(word));
        let mut line = rest.enumerate().take_while(|(ahead, token)| *ahead == 0 || !token.first);
        let is_sort = self.at_word("SORT") || self.at_word("ORDER");
        (is_sort && !line.any(|(_, token)| is_order_word(token)))
            .then_some("RANK rows BY field ASC AS ranked")
    }

    /// Returns the number of tokens of a list marker before a command: `1.`, `2)`, `-`.
    pub(super) fn list_marker_length(&self) -> Option<usize> {
        let is_marker = |kind: &TokenKind| match kind {
            TokenKind::Word(word) => word.chars().all(|c| c.is_ascii_digit() || "-*.:".contains(c)),
            TokenKind::Punctuation(sign) => "()".contains(*sign),
            _ => false,
        };
        let length = (0..3).take_while(|ahead| self.peek_at(*ahead).is_some_and(is_marker)).count();
        let command = self.token_at(length).filter(|token| !token.first)?;
        let TokenKind::Word(word) = &command.kind else { return None };
        let word = word.trim_end_matches(':');
        COMMANDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word)).then_some(length)
    }

    fn report_list_marker(&mut self, tokens: usize) -> Option<Command> {
        let start = self.next_span().start;
        for _ in 0..tokens {
            self.advance();
        }
        let span = Span::new(start, self.previous_end());
        let message = format!("unexpected list marker {}", quote(self.text_at(span)));
        let error = Diagnostic::new(codes::UNKNOWN_COMMAND, message).help("leave it out");
        self.report(error, span);
        self.fix(Span::new(start, self.next_span().start), "");
        // `COMPLETE:` is parsed separately.
        if self.command_word().is_none() {
            self.recover(&[]);
            return None;
        }
        self.expect_command()
    }

    /// Reports an error with its replacement.
    pub(super) fn report_with_fix(&mut self, span: Span, message: String, replacement: &str) {
        let error =
            Diagnostic::new(codes::UNEXPECTED, message).help(format!("write `{replacement}`"));
        self.report(error, span);
        self.fix(span, replacement);
    }

    /// Checks the next word without adding it to the expected tokens.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.peek_word().is_some_and(|next| next.eq_ignore_ascii_case(word))
    }

    /// Reports and parses an aggregate function of another language.
    pub(super) fn parse_foreign_function(&mut self) -> Option<AggregateFunction> {
        let word = self.peek_word()?.to_ascii_lowercase();
        let function = foreign_function(&word)?;
        let span = self.next_span();
        let message = format!("unknown function `{word}`");
        self.report_with_fix(span, message, function.word());
        self.advance();
        Some(function)
    }

    /// Reports and parses a function call: `sum(age)`, `count(*)`, `COUNT(DISTINCT city)`.
    pub(super) fn parse_function_call(&mut self) -> Option<Aggregate> {
        let word = self.peek_word()?.to_ascii_lowercase();
        let known = AggregateFunction::ALL.into_iter().find(|function| function.word() == word);
        let mut function = known.or_else(|| foreign_function(&word))?;
        if self.peek_at(1) != Some(&TokenKind::Punctuation('(')) {
            return None;
        }
        let start = self.next_span().start;
        self.advance();
        self.advance();
        if self.at_word("DISTINCT") && self.peek_at(1) != Some(&TokenKind::Punctuation(')')) {
            self.advance();
            function = AggregateFunction::Distinct;
        }
        let is_all = self.at_word("*") || self.peek() == Some(&TokenKind::Punctuation(')'));
        let of = match is_all {
            true => None,
            false => Some(self.expect_field()?),
        };
        if self.at_word("*") {
            self.advance();
        }
        self.expect_punctuation(')')?;
        let span = Span::new(start, self.previous_end());
        let aggregate = Aggregate { function, field: of };
        let message = format!("unexpected function call {}", quote(self.text_at(span)));
        self.report_with_fix(span, message, &print_aggregate(&aggregate));
        Some(aggregate)
    }

    /// Reports and parses `COUNT x`, `LENGTH(x)` and `SIZE(x)` as `LEN ${x}`.
    pub(super) fn parse_foreign_length(&mut self) -> Option<Operand> {
        const WORDS: [&str; 3] = ["COUNT", "LENGTH", "SIZE"];
        let word = self.peek_word()?.to_ascii_uppercase();
        let start = self.next_span().start;
        let parenthesis = matches!(self.peek_at(1), Some(TokenKind::Punctuation('(')));
        let steps = match self.peek_at(if parenthesis { 2 } else { 1 })? {
            TokenKind::Binding(steps) => steps.clone(),
            TokenKind::Word(name) if !is_reserved(name) => template::parse_steps(name)?,
            _ => return None,
        };
        if !WORDS.contains(&word.as_str()) {
            return None;
        }
        self.advance();
        self.parse_punctuation('(');
        self.advance();
        if parenthesis {
            self.expect_punctuation(')')?;
        }
        let span = Span::new(start, self.previous_end());
        let replacement = format!("LEN ${{{}}}", steps.join("."));
        self.report_with_fix(span, format!("unknown function `{word}`"), &replacement);
        Some(Operand { kind: OperandKind::Length(steps), span })
    }

    /// Reports `FIND paths FROM a TO b`.
    pub(super) fn report_ends(&mut self) {
        const ENDS: [(&str, &str); 2] = [("FROM", "start.id"), ("TO", "end.id")];
        let start = self.next_span().start;
        let mut conditions: Vec<String> = Vec::new();
        for (word, field) in ENDS {
            if self.at_word(word)
                && matches!(self.peek_at(1), Some(TokenKind::Word(_) | TokenKind::Text(_)))
            {
                self.advance();
                conditions.push(format!("{field} = {}", self.text_at(self.next_span())));
                self.advance();
            }
        }
        if conditions.is_empty() {
            return;
        }
        let span = Span::new(start, self.previous_end());
        let message = format!("unexpected clause {}", quote(self.text_at(span)));
        let help = "write `start.id = …` and `end.id = …` after `WHERE`";
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        // The condition may be an `OR`.
        if !self.at_word("WHERE") {
            self.fix(span, format!("WHERE {}", conditions.join(" AND ")));
        }
    }

    /// Reports `WHERE` after `AS`; `before` is the byte offset before `AS`.
    pub(super) fn report_late_where(&mut self, before: usize) {
        if !self.at_word("WHERE") {
            return;
        }
        let start = self.next_span().start;
        self.advance();
        if self.condition().is_none() {
            return;
        }
        let span = Span::new(start, self.previous_end());
        let clause = self.text_at(span).to_owned();
        let message = "unexpected `WHERE` after `AS`";
        let help = "write the condition before `AS`";
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.fix(Span::new(before, before), format!(" {clause}"));
        self.fix(span, "");
    }

    /// Reports an opening bracket around `FIELDS`. Returns the closing bracket.
    pub(super) fn report_opening(&mut self) -> Option<char> {
        let closing = match self.peek()? {
            TokenKind::Punctuation('[') => ']',
            TokenKind::Punctuation('(') => ')',
            _ => return None,
        };
        let span = self.next_span();
        let message = "unexpected bracket before the fields";
        let help = "write them as in `FIELDS id, name`";
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.fix(span, "");
        self.advance();
        Some(closing)
    }

    /// Reports and skips an expression: `FIELDS age + 1`. Returns `false`, because no field follows.
    fn report_expression(&mut self) -> bool {
        let span = self.next_span();
        let message =
            format!("expected a field, found the expression with {}", quote(self.text_at(span)));
        let help = "name the fields only, because commands do not compute expressions";
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.recover(&["WHERE", "WITH", "LIMIT", "AS"]);
        false
    }

    /// Reports a missing comma between two fields. Returns whether it is missing.
    pub(super) fn report_missing_comma(&mut self) -> bool {
        let Some(Token { kind: TokenKind::Word(word), first: false, span }) = self.token() else {
            return false;
        };
        if "+-*/%|".contains(&**word) || parse_number_text(word).is_some() {
            return self.report_expression();
        }
        let is_clause = self.at_clause(0) || self.at_foreign_clause(0) || self.at_word("OFFSET");
        if is_reserved(word) || is_order(word) || self.command_word().is_some() || is_clause {
            return false;
        }
        let message = format!("missing `,` before {}", quote(word));
        let (end, span) = (self.previous_end(), *span);
        let error =
            Diagnostic::new(codes::UNEXPECTED, message).help("write `,` between two fields");
        self.report(error, span);
        self.fix(Span::new(end, end), ",");
        true
    }
}
