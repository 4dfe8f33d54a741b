//! Words of other languages, and what was probably meant by them.

use super::ast::{Command, Function, Operand, OperandKind, Order};
use super::parser::{COMMANDS, Parser, is_reserved};
use super::template;
use super::token::{Kind, Token};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Gather, Span, names};
use crate::gasl::codes;

/// Words of other languages, and what they are here.
const FOREIGN: [(&str, &str); 17] = [
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
    ("TRAVERSE", "WALK"),
    ("EXPAND", "WALK"),
    ("PRINT", "SHOW"),
    ("DISPLAY", "SHOW"),
    ("RETURN", "SHOW"),
    ("IF", "BRANCH IF"),
    ("CREATE", "DECLARE"),
];

/// The command that was probably meant by a word.
fn meant(word: &str) -> Option<&'static str> {
    let foreign = FOREIGN.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(word));
    // The lines of a block are like too many other words.
    let near =
        COMMANDS.iter().filter(|known| !["TRY", "CATCH", "END", "ON", "SET"].contains(known));
    foreign.map(|(_, meant)| *meant).or_else(|| names::nearest(word, near.copied()))
}

impl Parser<'_> {
    /// Tells of a word that begins no command. Behind the mark of a list there may be one.
    pub(super) fn unknown_command(&mut self) -> Option<Command> {
        if let Some(tokens) = self.list_mark() {
            return self.command_behind_mark(tokens);
        }
        let span = self.here();
        let word = self.peek_word().unwrap_or_default().to_owned();
        let message = match self.peek() {
            Some(Kind::Word(_)) => format!("{} is no command", quote(&word)),
            _ => "a command begins with a word".to_owned(),
        };
        let meant = meant(&word);
        let help = match meant {
            Some(meant) => format!("write `{meant}` in its place"),
            None => {
                let known = COMMANDS.iter().copied().filter(|known| *known != "ANALYSE");
                format!("begin with {}", known.gather().join(", "))
            }
        };
        self.tell(Diagnostic::new(codes::UNKNOWN_COMMAND, message).help(help), span);
        if let Some(meant) = meant {
            self.fix(span, meant);
        }
        self.advance();
        // Whatever follows belongs to it, but another command on a line of its own does not.
        self.recover(&[]);
        None
    }

    /// How many tokens at the beginning of a line number a command, or mark it as one of a list:
    /// `1.`, `2)`, `-`.
    pub(super) fn list_mark(&self) -> Option<usize> {
        let is_mark = |kind: &Kind| match kind {
            Kind::Word(word) => word.chars().all(|c| c.is_ascii_digit() || "-*.:".contains(c)),
            Kind::Sign(sign) => "()".contains(*sign),
            _ => false,
        };
        let marks = (0..3).take_while(|ahead| self.peek_at(*ahead).is_some_and(is_mark)).count();
        let command = self.token_at(marks).filter(|token| !token.first)?;
        let Kind::Word(word) = &command.kind else { return None };
        let word = word.trim_end_matches(':');
        COMMANDS.iter().any(|known| known.eq_ignore_ascii_case(word)).then_some(marks)
    }

    fn command_behind_mark(&mut self, tokens: usize) -> Option<Command> {
        let start = self.here().start;
        for _ in 0..tokens {
            self.advance();
        }
        let span = Span::new(start, self.last_end());
        let mark = self.text_at(span);
        let message = format!("{} is no part of a command", quote(mark));
        let error = Diagnostic::new(codes::UNKNOWN_COMMAND, message).help("leave it out");
        self.tell(error, span);
        self.fix(Span::new(start, self.here().start), "");
        // What follows a `COMPLETE:` is any text.
        if self.command_word().is_none() {
            self.recover(&[]);
            return None;
        }
        self.expect_command()
    }

    /// Tells of what another language says at a place, and what is written there here.
    pub(super) fn write_instead(&mut self, span: Span, message: String, meant: &str) {
        let error = Diagnostic::new(codes::UNEXPECTED, message).help(format!("write `{meant}`"));
        self.tell(error, span);
        self.fix(span, meant);
    }

    /// Whether the word that comes next is this one; it is none that could have been written here.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.peek_word().is_some_and(|next| next.eq_ignore_ascii_case(word))
    }

    /// A function by its name in another language, which is told.
    pub(super) fn parse_foreign_function(&mut self) -> Option<Function> {
        let word = self.peek_word()?.to_ascii_lowercase();
        let function = match word.as_str() {
            "mean" | "average" => Function::Average,
            "total" => Function::Sum,
            "minimum" | "least" => Function::Least,
            "maximum" | "greatest" => Function::Greatest,
            "size" | "number" => Function::Count,
            _ => return None,
        };
        let span = self.here();
        let message = format!("`{word}` is called `{}` here", function.word());
        self.write_instead(span, message, function.word());
        self.advance();
        Some(function)
    }

    /// `COUNT x`, `LENGTH(x)` and `SIZE(x)`, which are `LEN ${x}` here, and told.
    pub(super) fn parse_foreign_length(&mut self) -> Option<Operand> {
        const WORDS: [&str; 3] = ["COUNT", "LENGTH", "SIZE"];
        let word = self.peek_word()?.to_ascii_uppercase();
        let start = self.here().start;
        let parenthesis = matches!(self.peek_at(1), Some(Kind::Sign('(')));
        let steps = match self.peek_at(if parenthesis { 2 } else { 1 })? {
            Kind::Binding(steps) => steps.clone(),
            Kind::Word(name) if !is_reserved(name) => template::steps(name)?,
            _ => return None,
        };
        if !WORDS.contains(&word.as_str()) {
            return None;
        }
        self.advance();
        self.parse_sign('(');
        self.advance();
        if parenthesis {
            self.expect_sign(')')?;
        }
        let span = Span::new(start, self.last_end());
        let meant = format!("LEN ${{{}}}", steps.join("."));
        self.write_instead(span, format!("`{word}` is no value here"), &meant);
        Some(Operand { kind: OperandKind::Length(steps), span })
    }

    /// `FIND paths FROM a TO b`: the ends of paths are told by a condition.
    pub(super) fn refuse_ends(&mut self) {
        const ENDS: [(&str, &str); 2] = [("FROM", "start.id"), ("TO", "end.id")];
        let start = self.here().start;
        let mut meant: Vec<String> = Vec::new();
        for (word, field) in ENDS {
            if self.at_word(word) && matches!(self.peek_at(1), Some(Kind::Word(_) | Kind::Text(_)))
            {
                self.advance();
                meant.push(format!("{field} = {}", self.text_at(self.here())));
                self.advance();
            }
        }
        if meant.is_empty() {
            return;
        }
        let span = Span::new(start, self.last_end());
        let message = format!("{} is no part of `FIND`", quote(self.text_at(span)));
        let help = "write `start.id = …` and `end.id = …` behind `WHERE`";
        self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        // What is asked for already may be an `OR`.
        if !self.at_word("WHERE") {
            self.fix(span, format!("WHERE {}", meant.join(" AND ")));
        }
    }

    /// `FIND nodes AS x WHERE …`: what stands behind `AS` belongs before it, at byte `before`.
    pub(super) fn refuse_late_where(&mut self, before: usize) {
        if !self.at_word("WHERE") {
            return;
        }
        let start = self.here().start;
        self.advance();
        if self.condition().is_none() {
            return;
        }
        let span = Span::new(start, self.last_end());
        let clause = self.text_at(span).to_owned();
        let message = "`WHERE` stands before `AS`";
        let help = "write the condition before the name of the result";
        self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.fix(Span::new(before, before), format!(" {clause}"));
        self.fix(span, "");
    }

    /// `[` or `(` before a list that has no brackets here, which is told; answers what closes it.
    pub(super) fn refuse_opening(&mut self) -> Option<char> {
        let closing = match self.peek()? {
            Kind::Sign('[') => ']',
            Kind::Sign('(') => ')',
            _ => return None,
        };
        let span = self.here();
        let message = "the fields have no brackets around them";
        let help = "write them as in `FIELDS id, name`";
        self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.fix(span, "");
        self.advance();
        Some(closing)
    }

    /// Two names of a list with nothing between, which is told.
    pub(super) fn refuse_missing_comma(&mut self) -> bool {
        let Some(Token { kind: Kind::Word(word), first: false, span }) = self.token() else {
            return false;
        };
        if is_reserved(word) || self.command_word().is_some() || self.at_clause(0) {
            return false;
        }
        let message = format!("a comma is missing before {}", quote(word));
        let (end, span) = (self.last_end(), *span);
        let error =
            Diagnostic::new(codes::UNEXPECTED, message).help("write `,` between two fields");
        self.tell(error, span);
        self.fix(Span::new(end, end), ",");
        true
    }

    /// What there is to say where `AS` is due and something else stands that models write there.
    pub(super) fn meant_before_output(&self) -> Option<&'static str> {
        match self.peek()? {
            Kind::Word(word) if word.eq_ignore_ascii_case("WHERE") => {
                Some("filter the rows first, by a command of its own: `SELECT … WHERE … AS x`")
            }
            Kind::Word(word) if word.eq_ignore_ascii_case("OFFSET") => {
                Some("there is no `OFFSET`: leave it out")
            }
            Kind::Sign(',') => Some("one of them stands here: write a command for each"),
            _ => None,
        }
    }

    /// `DESCENDING` and `ASCENDING`, which are told.
    pub(super) fn parse_foreign_order(&mut self) -> Option<Order> {
        let word = self.peek_word()?.to_ascii_uppercase();
        let (order, meant) = match word.as_str() {
            "DESCENDING" | "DECREASING" => (Order::Descending, "DESC"),
            "ASCENDING" | "INCREASING" => (Order::Ascending, "ASC"),
            _ => return None,
        };
        let span = self.here();
        self.write_instead(span, format!("`{word}` is called `{meant}` here"), meant);
        self.advance();
        Some(order)
    }

    /// Whether `ORDER BY`, `SORT BY` or `GROUP BY` stands `ahead` tokens further on.
    pub(super) fn at_clause(&self, ahead: usize) -> bool {
        let is = |ahead: usize, words: &[&str]| match self.peek_at(ahead) {
            Some(Kind::Word(word)) => words.iter().any(|known| known.eq_ignore_ascii_case(word)),
            _ => false,
        };
        is(ahead, &["ORDER", "SORT", "GROUP"]) && is(ahead + 1, &["BY"])
    }

    /// `ORDER BY field` and `GROUP BY field` are commands of their own here, over the rows that this
    /// command finds: what it calls them stands before the clause, or behind it.
    pub(super) fn refuse_clauses(&mut self, output: Option<&str>) {
        while self.at_clause(0) {
            let start = self.here().start;
            let groups = self.at_word("GROUP");
            self.advance();
            self.advance();
            let clause = Span::new(start, self.last_end());
            let field = self.here();
            match self.peek() {
                Some(Kind::Word(word)) if !is_reserved(word) => self.advance(),
                Some(Kind::Quoted(_) | Kind::Text(_)) => self.advance(),
                _ => {}
            }
            let field = if self.last_span() == field { self.text_at(field) } else { "field" };
            let field = field.to_owned();
            // What is ordered rises in SQL.
            let order = self.peek_word().unwrap_or_default().to_ascii_uppercase();
            let falls = order.starts_with("DESC");
            if falls || order.starts_with("ASC") {
                self.advance();
            }
            let name = output.or_else(|| self.name_ahead()).unwrap_or("found");
            // The first of the rows in order are not the first rows in order.
            let limit = self.limit_ahead().filter(|_| !groups);
            let (also, limit) = match limit {
                Some(count) => (" with the `LIMIT` behind it", format!("LIMIT {count} ")),
                None => ("", String::new()),
            };
            let order = if falls { "DESC" } else { "ASC" };
            let instead = match groups {
                true => format!("COUNT {name} BY {field} AS counted"),
                false => format!("RANK {name} BY {field} {order} {limit}AS ranked"),
            };
            let message = format!("{} is no part of this command", quote(self.text_at(clause)));
            let help = format!("leave it out{also}, and write behind the command: `{instead}`");
            self.tell(Diagnostic::new(codes::UNEXPECTED, message).help(help), clause);
        }
    }

    /// The count of the `LIMIT` that comes next.
    fn limit_ahead(&self) -> Option<&str> {
        match (self.peek(), self.peek_at(1)) {
            (Some(Kind::Word(limit)), Some(Kind::Word(count)))
                if limit.eq_ignore_ascii_case("LIMIT") =>
            {
                Some(count)
            }
            _ => None,
        }
    }

    /// `GROUP BY` and `ORDER BY` where `BY` alone is due: the word before it is told.
    pub(super) fn refuse_word_before_by(&mut self) {
        if !self.at_clause(0) {
            return;
        }
        let span = self.here();
        let message = format!("{} is too much here", quote(self.text_at(span)));
        let error = Diagnostic::new(codes::UNEXPECTED, message).help("write `BY` alone");
        self.tell(error, span);
        self.advance();
        self.fix(Span::new(span.start, self.here().start), "");
    }

    /// The name behind the `AS` that comes next.
    fn name_ahead(&self) -> Option<&str> {
        let word = |ahead: usize| match self.peek_at(ahead) {
            Some(Kind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let is_as =
            |ahead: &usize| word(*ahead).is_some_and(|word| word.eq_ignore_ascii_case("AS"));
        word((0..4).find(is_as)? + 1)
    }
}
