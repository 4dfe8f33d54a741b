//! Joins ids that differ only in a decimal point: pandas writes a column of integers with missing
//! cells as `1.0`.

use super::builder::GraphBuilder;
use super::dictionary::Dictionary;

/// Ids such as `1.0` in a graph that also has `1`.
pub struct DecimalIds {
    /// Number of pairs of an id with and one without a decimal point.
    pub count: usize,
    /// Id with a decimal point, and the id that it equals.
    pub example: (String, String),
    /// Whether each pair became one node.
    pub is_joined: bool,
}

impl GraphBuilder {
    /// Returns whether any id has an integer form that differs from it.
    pub fn has_decimal_ids(&self) -> bool {
        self.ids.texts().any(|id| integer_of(id).len() < id.len())
    }

    /// Joins ids with and without `.0` if each end of an edge is a listed node afterwards. Also
    /// joins them if no node is listed and all ids are integers. Returns `None` if no two ids are
    /// equal in this way.
    pub fn join_decimal_ids(&mut self) -> Option<DecimalIds> {
        if !self.id_bytes().windows(2).any(|pair| pair == b".0") {
            return None;
        }
        let listed_count = self.listed_count();
        let mut integers = Dictionary::default();
        let codes: Vec<u32> = self.ids.texts().map(|id| integers.intern(integer_of(id))).collect();
        // First row of each integer form.
        let mut first_rows: Vec<u32> = Vec::with_capacity(integers.len());
        let mut found: Option<DecimalIds> = None;
        let mut can_join = self.listed.iter().skip(listed_count).all(|is_listed| !is_listed);
        for ((row, id), code) in (0u32..).zip(self.ids.texts()).zip(&codes) {
            let is_listed = (row as usize) < listed_count;
            let Some(first) = first_rows.get(*code as usize).copied() else {
                first_rows.push(row);
                can_join &= is_listed || listed_count == 0 && is_integer(integer_of(id));
                continue;
            };
            // Two listed nodes with one integer form are two nodes.
            can_join &= !is_listed;
            let other = self.ids.text(first);
            let pair = if id.len() > other.len() { (id, other) } else { (other, id) };
            let example = || (pair.0.to_owned(), pair.1.to_owned());
            let found = found.get_or_insert_with(|| DecimalIds {
                count: 0,
                example: example(),
                is_joined: false,
            });
            found.count += 1;
        }
        let mut found = found?;
        found.is_joined = can_join;
        if can_join {
            self.join_rows(&codes, &integers, &first_rows);
        }
        Some(found)
    }

    /// Joins the rows with equal codes. The rows of listed nodes keep their ids and positions.
    fn join_rows(&mut self, codes: &[u32], integers: &Dictionary, first_rows: &[u32]) {
        let mut ids = Dictionary::default();
        // Codes are in the order of their first rows, so the code is the new row.
        for (code, row) in (0..).zip(first_rows) {
            let is_listed = self.listed.get(*row as usize) == Some(&true);
            ids.intern(if is_listed { self.ids.text(*row) } else { integers.text(code) });
        }
        for end in self.sources.iter_mut().chain(&mut self.targets) {
            *end = codes.get(*end as usize).copied().unwrap_or(*end);
        }
        let is_listed = |row: &u32| self.listed.get(*row as usize) == Some(&true);
        self.listed = first_rows.iter().map(is_listed).collect();
        self.ids = ids;
    }
}

/// Returns the integer of a text such as `1.0` or `-2.00`, and any other text unchanged.
fn integer_of(text: &str) -> &str {
    match text.split_once('.') {
        Some((integer, zeros))
            if !zeros.is_empty()
                && zeros.bytes().all(|byte| byte == b'0')
                && is_integer(integer) =>
        {
            integer
        }
        _ => text,
    }
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_code = digits.len() > 1 && digits.starts_with('0');
    !digits.is_empty() && !is_code && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gasl::graph::QuoteHandling;

    fn check(nodes: &[&str], edges: &[(&str, &str)], is_joined: Option<bool>, ids: &[&str]) {
        let mut builder = GraphBuilder::new(QuoteHandling::Keep);
        for id in nodes {
            builder.add_node(id);
        }
        for (source, target) in edges {
            let (source, target) = (builder.endpoint(source), builder.endpoint(target));
            builder.add_edge(None, source, target);
        }
        let found = builder.join_decimal_ids();
        assert_eq!(found.map(|found| found.is_joined), is_joined, "{nodes:?} {edges:?}");
        assert_eq!(builder.node_ids().collect::<Vec<_>>(), ids, "{nodes:?} {edges:?}");
        let ends = builder.sources.iter().chain(&builder.targets);
        assert!(ends.clone().all(|end| (*end as usize) < ids.len()));
    }

    #[test]
    fn joins_ids_that_differ_in_a_decimal_point() {
        check(&["1", "2", "3"], &[("1.0", "2.0"), ("3.00", "1")], Some(true), &["1", "2", "3"]);
        check(&["1.0", "2.0"], &[("1", "2")], Some(true), &["1.0", "2.0"]);
        check(&[], &[("1.0", "2"), ("2.0", "-3.0")], Some(true), &["1", "2", "-3"]);
        check(&["1", "2"], &[("1.0", "9")], Some(false), &["1", "2", "1.0", "9"]);
        check(&["1", "1.0"], &[("1", "1.0")], Some(false), &["1", "1.0"]);
        check(&[], &[("1.0", "1"), ("a", "1")], Some(false), &["1.0", "1", "a"]);
        check(&[], &[("1.0", "2.0")], None, &["1.0", "2.0"]);
        check(&["v1.0", "v1"], &[("v1", "v1.0")], None, &["v1.0", "v1"]);
        check(&["01"], &[("01.0", "1")], None, &["01", "01.0", "1"]);
    }
}
