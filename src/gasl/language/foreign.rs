//! Words of other languages, and what was probably meant by them.

use super::ast::{Command, Function, Operand, OperandKind};
use super::parser::{COMMANDS, Parser, is_reserved};
use super::template;
use super::token::{Kind, Token};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, names};
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

/// Words of other languages with the whole command that is written for them here.
const FORMS: [(&str, &str); 11] = [
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

/// Whether a word says which way rows are ordered.
fn is_order(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    ["ASC", "DESC", "ASCENDING", "DESCENDING"].contains(&word.as_str())
}

/// The command that was probably meant by a word.
fn meant(word: &str) -> Option<&'static str> {
    let foreign = FOREIGN.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(word));
    // The lines of a block are like too many other words.
    let near =
        COMMANDS.iter().filter(|known| !["TRY", "CATCH", "END", "ON", "SET"].contains(known));
    foreign.map(|(_, meant)| *meant).or_else(|| slip_of(word, near.copied()))
}

/// The word that was probably meant. Short words are near to many others: of them one letter may be wrong.
pub(super) fn slip_of<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let upper = word.to_ascii_uppercase();
    let is_near = |near: &&str| {
        let near = near.to_ascii_uppercase();
        let begins_alike = upper.chars().next() == near.chars().next();
        upper == near || names::is_slip(&upper, &near) || upper.len() > 4 && begins_alike
    };
    names::nearest(word, known).filter(is_near)
}

impl Parser<'_> {
    /// Tells of a word that begins no command. Behind the mark of a list there may be one.
    pub(super) fn unknown_command(&mut self) -> Option<Command> {
        if let Some(tokens) = self.list_mark() {
            return self.command_skip_punctuation(tokens);
        }
        let span = self.here();
        let word = self.peek_word().unwrap_or_default().to_owned();
        let message = match self.peek() {
            Some(Kind::Word(_)) => format!("{} is no command", quote(&word)),
            _ => "a command begins with a word".to_owned(),
        };
        let form = FORMS.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(&word));
        let form = form.map(|(_, form)| *form).or_else(|| self.rising());
        let meant = if form.is_some() { None } else { meant(&word) };
        let help = match (form, meant) {
            (Some(form), _) => format!("write a command like `{form}`"),
            (None, Some(meant)) => format!("write `{meant}` in its place"),
            (None, None) => {
                let known = COMMANDS.iter().copied().filter(|known| *known != "ANALYSE");
                format!("begin with {}", known.collect::<Vec<_>>().join(", "))
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

    /// What `SORT x BY age` is here: it rises where nothing is said, and `RANK` falls.
    fn rising(&self) -> Option<&'static str> {
        let rest = (0..).map_while(|ahead| self.token_at(ahead));
        let says_order = |token: &Token| matches!(&token.kind, Kind::Word(word) if is_order(word));
        let mut line = rest.enumerate().take_while(|(ahead, token)| *ahead == 0 || !token.first);
        let sorts = self.at_word("SORT") || self.at_word("ORDER");
        (sorts && !line.any(|(_, token)| says_order(token)))
            .then_some("RANK rows BY field ASC AS ranked")
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

    fn command_skip_punctuation(&mut self, tokens: usize) -> Option<Command> {
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
        let is_clause = self.at_clause(0) || self.at_foreign_clause(0);
        if is_reserved(word) || self.command_word().is_some() || is_clause {
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
}
