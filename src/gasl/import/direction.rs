//! Direction of a graph: the document's, else that of the rows.

use super::codes;
use crate::base::{Diagnostic, Span};

/// Number of rows of each direction.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectionCount {
    directed: usize,
    undirected: usize,
    other: usize,
}

impl DirectionCount {
    /// Counts the `Type` of a row, as Gephi writes it.
    pub fn add_type(&mut self, text: &str) {
        if text.eq_ignore_ascii_case("directed") {
            self.directed += 1;
        } else if text.eq_ignore_ascii_case("undirected") {
            self.undirected += 1;
        } else {
            self.other += 1;
        }
    }

    /// Counts a row of a known direction.
    pub fn add(&mut self, is_directed: bool) {
        match is_directed {
            true => self.directed += 1,
            false => self.undirected += 1,
        }
    }

    /// Counts a row without a direction.
    pub fn add_other(&mut self) {
        self.other += 1;
    }

    /// Returns whether a row has no direction, so that the others do not decide.
    pub fn is_incomplete(self) -> bool {
        self.other > 0
    }

    /// Returns the direction of a graph whose document declares `declared`, and a warning if rows
    /// have another one. Rows without a direction make the others attributes of another meaning.
    pub fn decide(self, declared: Option<bool>, at: Span) -> (bool, Option<Diagnostic>) {
        let DirectionCount { directed, undirected, other } = self;
        let is_complete = other == 0 || declared.is_some();
        let is_directed = match declared {
            Some(declared) => declared,
            None => is_complete && directed > 0 && undirected == 0,
        };
        let deviating = if is_directed { undirected } else { directed };
        if !is_complete || deviating == 0 {
            return (is_directed, None);
        }
        let read_as = if is_directed { "directed" } else { "undirected" };
        let message = format!("{directed} directed and {undirected} undirected edges in one graph");
        let warning = Diagnostic::new(codes::MIXED_DIRECTION, message)
            .help(format!(
                "all were read as {read_as}; pass `directed: {}` to read all the other way, or \
                 write each undirected edge as two directed ones",
                !is_directed
            ))
            .at(at);
        (is_directed, Some(warning))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(rows: &[&str], declared: Option<bool>) -> (bool, bool) {
        let mut count = DirectionCount::default();
        rows.iter().for_each(|row| count.add_type(row));
        let (is_directed, warning) = count.decide(declared, Span::new(0, 0));
        (is_directed, warning.is_some())
    }

    #[test]
    fn rows_decide_if_the_document_does_not() {
        assert_eq!(decide(&[], None), (false, false));
        assert_eq!(decide(&["Directed", "directed"], None), (true, false));
        assert_eq!(decide(&["Undirected"], None), (false, false));
        assert_eq!(decide(&["Directed", "Undirected"], None), (false, true));
        assert_eq!(decide(&["Directed", "KNOWS"], None), (false, false));
        assert_eq!(decide(&["Directed"], Some(false)), (false, true));
        assert_eq!(decide(&["Undirected"], Some(true)), (true, true));
        assert_eq!(decide(&["KNOWS"], Some(true)), (true, false));
    }
}
