//! The productions of `MEASURE` and `FIND shortest paths`.

use super::ast::{Command, MeasureNodes, ShortestPaths, VariablePath};
use super::keywords::{closest_keyword, is_reserved};
use super::parser::Parser;
use super::printer::print_path;
use super::token::TokenKind;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;
use crate::gasl::graph::Measure;

/// Names of measures in other tools.
const MEASURE_NAMES: [(&str, Measure); 15] = [
    ("degree_centrality", Measure::Degree),
    ("indegree", Measure::InDegree),
    ("outdegree", Measure::OutDegree),
    ("page_rank", Measure::PageRank),
    ("betweenness_centrality", Measure::Betweenness),
    ("closeness_centrality", Measure::Closeness),
    ("core_number", Measure::Core),
    ("k_core", Measure::Core),
    ("kcore", Measure::Core),
    ("triangle_count", Measure::Triangles),
    ("connected_components", Measure::Component),
    ("wcc", Measure::Component),
    ("louvain", Measure::Community),
    ("communities", Measure::Community),
    ("clusters", Measure::Community),
];

/// Spellings of `shortest paths` in one word, or the first of two.
const SHORTEST_PATHS: [&str; 5] =
    ["shortest", "shortest_path", "shortest_paths", "shortestpath", "shortestpaths"];

impl Parser<'_> {
    /// Checks for `shortest` and its variants before or instead of `paths`.
    pub(super) fn at_shortest_paths(&self) -> bool {
        let is =
            |word: &str, names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(word));
        let Some(word) = self.peek_word() else { return false };
        let next = match self.peek_at(1) {
            Some(TokenKind::Word(next)) => next.as_str(),
            _ => "",
        };
        is(word, &SHORTEST_PATHS)
            || is(word, &["all", "path", "paths"]) && is(next, &["shortest"])
            || is(next, &["path", "paths"])
                && closest_keyword(word, ["shortest"].into_iter()).is_some()
    }

    /// `shortest = "FIND" "shortest" "paths" ["WHERE" condition] ["WEIGHT" field] ["LIMIT" n] "AS" name`
    pub(super) fn shortest_paths(&mut self) -> Option<Command> {
        self.shortest_target();
        self.report_ends();
        let condition = self.clause("WHERE", &["WEIGHT", "LIMIT", "AS"], Self::condition);
        let weight = self.weight(&["LIMIT", "AS"]);
        self.report_clauses(None);
        let limit = self.parse_count("LIMIT");
        let before_output = self.previous_end();
        let output = self.expect_output("found");
        if output.is_some() {
            self.report_late_where(before_output);
        }
        self.report_clauses(output.as_deref());
        let limit = limit.or_else(|| self.parse_count("LIMIT"));
        let (condition, weight) = (condition?, weight?);
        Some(Command::ShortestPaths(ShortestPaths { condition, weight, limit, output: output? }))
    }

    /// Parses `shortest paths`; reports other spellings.
    fn shortest_target(&mut self) {
        let start = self.next_span().start;
        let is_pair = self.at_word("shortest")
            && matches!(self.peek_at(1), Some(TokenKind::Word(next)) if next.eq_ignore_ascii_case("paths"));
        self.advance();
        while matches!(self.peek(), Some(TokenKind::Word(word)) if is_part_of_target(word)) {
            self.advance();
        }
        if is_pair {
            return;
        }
        let span = Span::new(start, self.previous_end());
        let message = format!("expected `shortest paths`, found {}", quote(self.text_at(span)));
        self.report_with_fix(span, message, "shortest paths");
    }

    /// `measure = "MEASURE" measure ["OF" path] ["WEIGHT" field] "AS" name`
    pub(super) fn measure(&mut self) -> Option<Command> {
        let span = self.next_span();
        let measure = match self.parse_foreign_measure() {
            Some(measure) => Some(measure),
            None => {
                let choices = Measure::ALL.map(|measure| (measure.word(), measure));
                self.expect_choice(&choices, &["OF", "WEIGHT", "AS"])
            }
        };
        let input = self.measured_rows();
        let before_weight = self.previous_end();
        let weight = self.weight(&["OF", "AS"]);
        if let (Some(measure), Some(Some(field))) = (measure, &weight)
            && !measure.uses_weights()
        {
            let message = format!("`WEIGHT {field}` does not change {}", measure.word());
            let error = Diagnostic::new(codes::BAD_WEIGHT, message).help("leave `WEIGHT` out");
            let end = self.previous_end();
            self.report(error, Span::new(span.start, end));
            self.fix(Span::new(before_weight, end), "");
        }
        // `OF` may follow `WEIGHT`.
        let input = match input {
            Some(None) => self.measured_rows(),
            input => input,
        };
        self.report_filter(measure);
        self.report_ranking(measure);
        let output = self.expect_output("measured")?;
        self.report_ranking(measure);
        let (input, weight) = (input?, weight?);
        Some(Command::Measure(MeasureNodes { measure: measure?, input, weight, output }))
    }

    /// `["OF" path]`; reports `FOR`, `FROM`, `ON` and `IN`.
    fn measured_rows(&mut self) -> Option<Option<VariablePath>> {
        let is_foreign = ["FOR", "FROM", "ON", "IN"].iter().any(|word| self.at_word(word));
        let is_name = matches!(self.peek_at(1), Some(TokenKind::Word(word)) if !is_reserved(word))
            || matches!(self.peek_at(1), Some(TokenKind::Binding(_)));
        if is_foreign && is_name {
            let span = self.next_span();
            let message = format!("expected `OF`, found {}", quote(self.text_at(span)));
            self.report_with_fix(span, message, "OF");
            self.advance();
            return self.variable().map(Some);
        }
        self.clause("OF", &["WEIGHT", "AS"], Self::variable)
    }

    /// `["WEIGHT" field]`; reports `WEIGHTED BY`.
    fn weight(&mut self, next: &[&str]) -> Option<Option<String>> {
        let is_foreign = self.at_word("WEIGHTED") || self.at_word("WEIGHT");
        let has_by = matches!(self.peek_at(1), Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("BY"));
        if is_foreign && (has_by || self.at_word("WEIGHTED")) {
            let start = self.next_span().start;
            self.advance();
            if has_by {
                self.advance();
            }
            let span = Span::new(start, self.previous_end());
            let message = format!("expected `WEIGHT`, found {}", quote(self.text_at(span)));
            self.report_with_fix(span, message, "WEIGHT");
            return self.expect_field().map(Some);
        }
        self.clause("WEIGHT", next, Self::expect_field)
    }

    /// Reports `WHERE`, which belongs to `FIND`.
    fn report_filter(&mut self, measure: Option<Measure>) {
        if !self.at_word("WHERE") {
            return;
        }
        let span = self.next_span();
        let word = measure.map_or("…", Measure::word);
        let message = "unexpected `WHERE` in `MEASURE`";
        let help = format!(
            "write `FIND nodes WHERE … AS selected` first, and `MEASURE {word} OF selected AS measured`"
        );
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.recover(&["LIMIT", "AS"]);
    }

    /// Reports and parses the name of a measure in other tools.
    fn parse_foreign_measure(&mut self) -> Option<Measure> {
        let word = self.peek_word()?.to_ascii_lowercase().replace('-', "_");
        let (_, measure) = MEASURE_NAMES.iter().find(|(name, _)| *name == word)?;
        let span = self.next_span();
        let message = format!("unknown measure {}", quote(self.text_at(span)));
        self.report_with_fix(span, message, measure.word());
        self.advance();
        Some(*measure)
    }

    /// Reports `LIMIT`, which needs an order, and suggests `RANK`.
    fn report_ranking(&mut self, measure: Option<Measure>) {
        let (true, Some(TokenKind::Word(count))) = (self.at_word("LIMIT"), self.peek_at(1)) else {
            return;
        };
        let count = count.clone();
        let span = self.next_span();
        let name = self.previous_output().unwrap_or_else(|| "measured".to_owned());
        let field = measure.map_or("measure", Measure::word);
        let message = "unexpected `LIMIT` in `MEASURE`, which keeps the order of the nodes";
        let help = format!(
            "leave it out, and write after the command: `RANK {} BY {field} LIMIT {count} AS ranked`",
            print_path(&name)
        );
        self.report(Diagnostic::new(codes::UNEXPECTED, message).help(help), span);
        self.advance();
        self.advance();
    }

    /// Returns the name of the output before or after the next clause.
    fn previous_output(&self) -> Option<String> {
        let word = |ahead: usize| match self.peek_at(ahead) {
            Some(TokenKind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let follows = word(2).is_some_and(|word| word.eq_ignore_ascii_case("AS"));
        let name = if follows { word(3)? } else { self.text_at(self.previous_span()) };
        Some(name.to_owned())
    }
}

fn is_part_of_target(word: &str) -> bool {
    ["path", "paths", "shortest"].iter().any(|part| part.eq_ignore_ascii_case(word))
}
