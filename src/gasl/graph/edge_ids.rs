//! Ids of edges. Only explicit ids are stored; the others are generated from the row.

use super::dictionary::{Dictionary, TextLookup};

/// Explicit id of an edge, or a prefix and the row.
pub struct EdgeIds {
    explicit: Dictionary,
    /// Row of each explicit id, ascending.
    rows: Vec<u32>,
    /// Prefix of generated ids.
    prefix: String,
}

impl Default for EdgeIds {
    fn default() -> EdgeIds {
        EdgeIds { explicit: Dictionary::default(), rows: Vec::new(), prefix: "e".to_owned() }
    }
}

impl EdgeIds {
    /// Sets the id of a row, which must exceed all earlier rows. Returns whether the id is unique.
    pub fn assign(&mut self, row: u32, id: &str) -> bool {
        let new = self.explicit.intern(id) as usize == self.rows.len();
        if new {
            self.rows.push(row);
        }
        new
    }

    /// Finishes building: chooses a prefix so that no generated id equals an explicit one.
    pub fn finish(&mut self) {
        self.explicit.finish(TextLookup::Keep);
        self.rows.shrink_to_fit();
        let clashes =
            |prefix: &str| self.explicit.texts().any(|id| parse_row(prefix, id).is_some());
        while clashes(&self.prefix) {
            self.prefix.push('_');
        }
    }

    /// Appends the id of a row.
    pub fn write(&self, row: u32, out: &mut String) {
        match self.explicit(row) {
            Some(id) => out.push_str(id),
            None => {
                out.push_str(&self.prefix);
                out.push_str(&row.to_string());
            }
        }
    }

    /// Returns the explicit id of a row, if it has one.
    pub fn explicit(&self, row: u32) -> Option<&str> {
        let index = self.rows.binary_search(&row).ok()?;
        Some(self.explicit.text(index as u32))
    }

    /// Returns the row of an id among `count` rows.
    pub fn find(&self, id: &str, count: usize) -> Option<u32> {
        if let Some(index) = self.explicit.find(id) {
            return self.rows.get(index as usize).copied();
        }
        let row = parse_row(&self.prefix, id)?;
        ((row as usize) < count && self.explicit(row).is_none()).then_some(row)
    }
}

/// Parses the row after the prefix of a generated id; rejects other spellings of the number.
fn parse_row(prefix: &str, id: &str) -> Option<u32> {
    let digits = id.strip_prefix(prefix)?;
    let row: u32 = digits.parse().ok()?;
    (row.to_string() == digits).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_ids_are_unique() {
        let mut ids = EdgeIds::default();
        assert!(ids.assign(1, "x") && ids.assign(3, "e7") && !ids.assign(4, "x"));
        ids.finish();
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
