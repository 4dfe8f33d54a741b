//! Productions of the commands about rows.

use super::ast::{
    Aggregate, AggregateFunction, Command, Join, JoinKind, Select, Show, SortOrder, Union,
    VariablePath,
};
use super::keywords::is_reserved;
use super::parser::Parser;
use super::printer::{print_field, print_path};
use super::token::TokenKind;
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;

impl Parser<'_> {
    /// `select = "SELECT" ["DISTINCT"] path ["FIELDS" field {"," field}] ["WHERE" condition]
    /// ["LIMIT" n] "AS" name`
    pub(super) fn select(&mut self) -> Option<Command> {
        let distinct = self.parse_distinct();
        let input = self.variable()?;
        let fields = self.clause("FIELDS", &["WHERE", "LIMIT", "AS"], Self::projections);
        let condition = self.clause("WHERE", &["LIMIT", "AS"], Self::condition);
        self.report_clauses(None);
        let limit = self.parse_count("LIMIT");
        let before_output = self.previous_end();
        let output = self.expect_output("selected");
        if output.is_some() {
            self.report_late_where(before_output);
        }
        self.report_clauses(output.as_deref());
        let limit = limit.or_else(|| self.parse_count("LIMIT"));
        let (fields, condition) = (fields?.unwrap_or_default(), condition?);
        Some(Command::Select(Select { input, distinct, fields, condition, limit, output: output? }))
    }

    /// Consumes `DISTINCT` before a name. Alone it is the name of a variable.
    fn parse_distinct(&mut self) -> bool {
        let is_name = match self.peek_at(1) {
            Some(TokenKind::Word(word)) => !is_reserved(word),
            Some(TokenKind::Quoted(_) | TokenKind::Binding(_) | TokenKind::Text(_)) => true,
            _ => false,
        };
        is_name && self.parse_keyword("DISTINCT")
    }

    /// `show = "SHOW" path ["FIELDS" field {"," field}] ["LIMIT" n] ["OFFSET" n]`
    pub(super) fn show(&mut self) -> Option<Command> {
        let input = self.variable()?;
        let fields = self.clause("FIELDS", &["LIMIT", "OFFSET"], Self::projections);
        let limit = self.parse_count("LIMIT");
        let offset = self.parse_count("OFFSET");
        // `LIMIT` may also follow `OFFSET`.
        let late = if offset.is_some() { self.parse_count("LIMIT") } else { None };
        let (limit, offset) = (limit.or(late), offset.unwrap_or_default());
        Some(Command::Show(Show { input, fields: fields?.unwrap_or_default(), limit, offset }))
    }

    /// `field [":" name] {"," field [":" name]}`
    fn projections(&mut self) -> Option<Vec<(String, String)>> {
        let mut fields: Vec<(String, String)> = Vec::new();
        // Field of each output name.
        let mut used_names: OrderedMap<String> = OrderedMap::default();
        let closing = self.report_opening();
        loop {
            let start = self.next_span().start;
            let is_unquoted = self.peek_word().is_some();
            let field = self.expect_field()?;
            let split = field.split_once(':').filter(|(field, _)| is_unquoted && !field.is_empty());
            let (field, name) = match split {
                // The new name may be in backticks.
                Some((field, "")) => (field.to_owned(), self.expect_field()?),
                Some((field, name)) => (field.to_owned(), name.to_owned()),
                None => {
                    let name = match self.parse_foreign_rename(&field) {
                        Some(name) => Some(name),
                        None => self.new_name()?,
                    };
                    (field.clone(), name.unwrap_or(field))
                }
            };
            if used_names.get(name.as_str()).is_some_and(|other| *other != field) {
                let message = format!("duplicate output field {}", quote(&name));
                let help = "rename one of them";
                let span = Span::new(start, self.previous_end());
                self.report(Diagnostic::new(codes::BAD_NAME, message).help(help), span);
                let other = format!("other_{name}");
                self.fix(span, format!("{}:{}", print_field(&field), print_field(&other)));
            }
            used_names.insert(name.as_str().into(), field.clone());
            fields.push((field, name));
            if self.parse_punctuation(',') || self.report_missing_comma() {
                continue;
            }
            if let Some(closing) = closing {
                let here = self.next_span();
                self.expect_punctuation(closing)?;
                self.fix(here, "");
            }
            return Some(fields);
        }
    }

    /// `[":" name]`
    fn new_name(&mut self) -> Option<Option<String>> {
        let Some(name) = self.peek_word().and_then(|word| word.strip_prefix(':')) else {
            return Some(None);
        };
        let name = name.to_owned();
        self.advance();
        if name.is_empty() { self.expect_field().map(Some) } else { Some(Some(name)) }
    }

    /// `fields = field {"," field}`, as after `BY`
    fn group_fields(&mut self) -> Option<Vec<(String, Span)>> {
        let mut fields: Vec<(String, Span)> = Vec::new();
        let mut used_names: OrderedMap<()> = OrderedMap::default();
        loop {
            let start = self.next_span().start;
            let field = self.expect_field()?;
            let span = Span::new(start, self.previous_end());
            if used_names.insert(field.as_str().into(), ()).is_some() {
                let message = format!("duplicate field {}", quote(&field));
                self.report(Diagnostic::new(codes::BAD_NAME, message).help("leave it out"), span);
            }
            fields.push((field, span));
            if !self.parse_punctuation(',') && !self.report_missing_comma() {
                return Some(fields);
            }
        }
    }

    /// `count = "COUNT" path ["BY" field {"," field}] "AS" name`
    pub(super) fn count(&mut self) -> Option<Command> {
        let input = self.variable()?;
        self.report_word_before_by();
        let by = self.clause("BY", &["AS"], Self::group_fields)?.unwrap_or_default();
        self.report_clauses(None);
        let count = Aggregate { function: AggregateFunction::Count, field: None };
        self.check_distinct_names(&by, &[count], &input);
        let by = by.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        Some(Command::Count { input, by, output: self.expect_output("counted")? })
    }

    /// `aggregate = "AGGREGATE" path ["BY" field {"," field}] "WITH" function {"," function} "AS" name`
    pub(super) fn aggregate(&mut self) -> Option<Command> {
        let input = self.variable()?;
        self.report_word_before_by();
        let by = self.clause("BY", &["WITH", "AS"], Self::group_fields)?.unwrap_or_default();
        self.expect_keyword("WITH")?;
        let start = self.next_span().start;
        let mut aggregates: Vec<Aggregate> = Vec::new();
        loop {
            aggregates.extend(self.aggregate_function()?);
            if !self.parse_punctuation(',') {
                break;
            }
        }
        let mut columns: OrderedMap<()> = OrderedMap::default();
        let names = Aggregate::column_names(&aggregates);
        let is_repeated = |name: &&String| columns.insert(name.as_str().into(), ()).is_some();
        if let Some(repeated) = names.iter().find(is_repeated) {
            let message = format!("duplicate output field {}", quote(repeated));
            let error = Diagnostic::new(codes::BAD_NAME, message).help("write each function once");
            self.report(error, Span::new(start, self.previous_end()));
        }
        self.check_distinct_names(&by, &aggregates, &input);
        let by = by.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        let output = self.expect_output("aggregated")?;
        Some(Command::Aggregate { input, by, aggregates, output })
    }

    /// `function = ("count" | "sum" | …) ["OF" field]`. Returns `Some(None)` for an unknown function
    /// after reporting it.
    fn aggregate_function(&mut self) -> Option<Option<Aggregate>> {
        if let Some(call) = self.parse_function_call() {
            return Some(Some(call));
        }
        let choices = AggregateFunction::ALL.map(|function| (function.word(), function));
        let span = self.next_span();
        let function = match self.parse_foreign_function() {
            Some(function) => Some(function),
            None => self.expect_choice(&choices, &["OF", "AS"]),
        };
        let of = self.clause("OF", &["AS"], Self::expect_field)?;
        if of.is_none() && function.is_some_and(|function| function != AggregateFunction::Count) {
            let span = Span::new(span.start, self.previous_end());
            let message = "missing field of the function";
            let help = "write `OF <field>` after it";
            self.report(Diagnostic::new(codes::MISSING_PART, message).help(help), span);
        }
        Some(function.map(|function| Aggregate { function, field: of }))
    }

    /// Reports a field with the name of an aggregate.
    fn check_distinct_names(
        &mut self,
        by: &[(String, Span)],
        aggregates: &[Aggregate],
        input: &VariablePath,
    ) {
        let names = Aggregate::column_names(aggregates);
        let columns: OrderedMap<()> = names.iter().map(|name| (name.as_str().into(), ())).collect();
        let Some((same, span)) = by.iter().find(|(field, _)| columns.contains_key(field.as_str()))
        else {
            return;
        };
        let message = format!("the field and its aggregate have the same name `{same}`");
        // The renamed rows also need the other fields of the command.
        let mut others: OrderedMap<()> = OrderedMap::default();
        let by = by.iter().map(|(field, _)| field);
        for field in by.chain(aggregates.iter().filter_map(|one| one.field.as_ref())) {
            if field != same {
                others.insert(field.as_str().into(), ());
            }
        }
        let others = others.keys().map(|field| format!(", {}", print_field(field)));
        let (others, input) = (others.collect::<String>(), print_path(&input.text()));
        let help = format!(
            "rename the field first, as in `SELECT {input} FIELDS {same}:other_{same}{others} AS renamed`"
        );
        self.report(Diagnostic::new(codes::BAD_NAME, message).help(help), *span);
    }

    /// `rank = "RANK" path "BY" field ["ASC" | "DESC"] ["LIMIT" n] "AS" name`
    pub(super) fn rank(&mut self) -> Option<Command> {
        let input = self.variable()?;
        self.report_word_before_by();
        self.expect_keyword("BY")?;
        let (by, early) = self.expect_rank_field()?;
        let order = if let Some(order) = early {
            order
        } else if self.parse_keyword("ASC") {
            SortOrder::Ascending
        } else if self.parse_keyword("DESC") {
            SortOrder::Descending
        } else {
            self.parse_foreign_order().unwrap_or(SortOrder::Descending)
        };
        self.report_more_rank_fields();
        let limit = self.parse_count("LIMIT");
        let output = self.expect_output("ranked");
        let limit = limit.or_else(|| self.parse_count("LIMIT"));
        Some(Command::Rank { input, by, order, limit, output: output? })
    }

    /// `left_join = "LEFT" "JOIN" …`
    pub(super) fn left_join(&mut self) -> Option<Command> {
        self.expect_keyword("JOIN")?;
        self.join(JoinKind::Left)
    }

    /// `join = "JOIN" path "WITH" path "ON" field ["=" field] "AS" name`
    pub(super) fn join(&mut self, kind: JoinKind) -> Option<Command> {
        let left = self.variable()?;
        self.expect_keyword("WITH")?;
        let right = self.variable()?;
        self.expect_keyword("ON")?;
        let field = self.expect_field()?;
        let other = match self.parse_equals() {
            true => self.expect_field()?,
            false => field.clone(),
        };
        let (on, output) = ((field, other), self.expect_output("joined")?);
        Some(Command::Join(Join { kind, left, right, on, output }))
    }

    /// `union = "UNION" path "WITH" path ["DISTINCT"] "AS" name`
    pub(super) fn union(&mut self) -> Option<Command> {
        let left = self.variable()?;
        self.expect_keyword("WITH")?;
        let right = self.variable()?;
        let distinct = self.parse_keyword("DISTINCT");
        let output = self.expect_output("combined")?;
        Some(Command::Union(Union { left, right, distinct, output }))
    }
}
