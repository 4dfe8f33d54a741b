//! The ids of edges. Those that nobody gave are worked out, not stored.

use super::dictionary::{Dictionary, TextLookup};

/// An id for each edge: the given one, or a letter and the number of its row.
pub struct EdgeIds {
    given: Dictionary,
    /// The row of each given id, in order.
    rows: Vec<u32>,
    /// Before the row number of an edge whose id was not given.
    prefix: String,
}

impl Default for EdgeIds {
    fn default() -> EdgeIds {
        EdgeIds { given: Dictionary::default(), rows: Vec::new(), prefix: "e".to_owned() }
    }
}

impl EdgeIds {
    /// Gives the next row an id, unless another row has it.
    pub fn give(&mut self, row: u32, id: &str) -> bool {
        let new = self.given.intern(id) as usize == self.rows.len();
        if new {
            self.rows.push(row);
        }
        new
    }

    /// Ends the growing: what is worked out must clash with nothing that was given.
    pub fn close(&mut self) {
        self.given.close(TextLookup::Keep);
        self.rows.shrink_to_fit();
        let clashes = |prefix: &str| self.given.texts().any(|id| number(prefix, id).is_some());
        while clashes(&self.prefix) {
            self.prefix.push('_');
        }
    }

    /// Appends the id of a row.
    pub fn write(&self, row: u32, out: &mut String) {
        match self.given(row) {
            Some(id) => out.push_str(id),
            None => {
                out.push_str(&self.prefix);
                out.push_str(&row.to_string());
            }
        }
    }

    /// The id of a row, if it was given.
    pub fn given(&self, row: u32) -> Option<&str> {
        let place = self.rows.binary_search(&row).ok()?;
        Some(self.given.text(place as u32))
    }

    /// The row of an id, among so many rows.
    pub fn find(&self, id: &str, count: usize) -> Option<u32> {
        if let Some(number) = self.given.find(id) {
            return self.rows.get(number as usize).copied();
        }
        let row = number(&self.prefix, id)?;
        ((row as usize) < count && self.given(row).is_none()).then_some(row)
    }
}

/// The row number behind the prefix, written as we would write it.
fn number(prefix: &str, id: &str) -> Option<u32> {
    let digits = id.strip_prefix(prefix)?;
    let number: u32 = digits.parse().ok()?;
    (number.to_string() == digits).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worked_out_clashes_with_nothing() {
        let mut ids = EdgeIds::default();
        assert!(ids.give(1, "x") && ids.give(3, "e7") && !ids.give(4, "x"));
        ids.close();
        let id = |row| {
            let mut out = String::new();
            ids.write(row, &mut out);
            out
        };
        assert_eq!([id(0), id(1), id(3), id(4)], ["e_0", "x", "e7", "e_4"]);
        let found = ["e_0", "x", "e7", "e_4", "e_1", "e_04", "e_9", "e0"].map(|id| ids.find(id, 9));
        assert_eq!(found, [Some(0), Some(1), Some(3), Some(4), None, None, None, None]);
    }
}
