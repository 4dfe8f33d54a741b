//! Replaces the ids of a graph under construction by the values of an attribute. The reason is that
//! the ends of edges may be in another column than that of the ids.

use super::builder::GraphBuilder;
use super::column::{AttributeValue, Cell};
use super::dictionary::Dictionary;
use super::element::Element;
use crate::base::Value;

/// New ids of the listed nodes, by row.
pub struct NodeKeys {
    keys: Dictionary,
}

/// Ends of edges: how many there are, and how many of them are ids of listed nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndCount {
    pub total: usize,
    pub listed: usize,
    /// Number of ends that are integers from 0 up to the number of nodes.
    pub positions: usize,
}

/// Treatment of the old ids when new ones replace them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldIds {
    /// They become the attribute `id_`.
    Keep,
    /// They were placeholders.
    Drop,
}

/// Meaning of an end that is not one of the new ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherEnds {
    /// The id of an unlisted node.
    Unlisted,
    /// The position of a node, if there is one.
    Positions,
}

impl NodeKeys {
    /// Returns the positions of `count` nodes as their ids.
    pub fn positions(count: usize) -> NodeKeys {
        let mut keys = Dictionary::default();
        for position in 0..count {
            keys.intern(&position.to_string());
        }
        NodeKeys { keys }
    }
}

impl GraphBuilder {
    /// Returns the number of listed nodes before the first that is not listed.
    pub fn listed_count(&self) -> usize {
        self.listed.iter().take_while(|listed| **listed).count()
    }

    /// Counts the ends of edges.
    pub fn count_ends(&self) -> EndCount {
        let listed_count = self.listed_count();
        let mut count = EndCount { total: 0, listed: 0, positions: 0 };
        for (row, ends) in self.ends_by_row().into_iter().enumerate() {
            count.total += ends as usize;
            if self.listed.get(row) == Some(&true) {
                count.listed += ends as usize;
            }
            if ends > 0 && position_of(self.ids.text(row as u32), listed_count).is_some() {
                count.positions += ends as usize;
            }
        }
        count
    }

    /// Returns the unique column in which most ends are found: its name, its keys, and the number of
    /// ends. Of columns with equally many, the first that `is_preferred` accepts wins. Returns `None`
    /// if no column has any.
    pub fn keys_of_ends(
        &self,
        is_preferred: fn(&str) -> bool,
    ) -> Option<(String, NodeKeys, usize)> {
        let ends = self.ends_by_row();
        let mut best: Option<(String, NodeKeys)> = None;
        let mut most = 0;
        for (index, column) in self.nodes.columns.iter().enumerate() {
            let mut variants = vec![self.column_keys(index, QuoteSource::Original)];
            if self.raw.nodes.column(&column.name).is_some() {
                variants.push(self.column_keys(index, QuoteSource::Stripped));
            }
            for keys in variants.into_iter().flatten() {
                let rows = keys.keys.texts().filter_map(|key| self.ids.find(key));
                let found =
                    rows.filter_map(|row| ends.get(row as usize)).map(|n| *n as usize).sum();
                let is_tie = found > 0 && found == most;
                let is_better = is_preferred(&column.name)
                    && best.as_ref().is_some_and(|(name, _)| !is_preferred(name));
                if found > most || is_tie && is_better {
                    most = found;
                    best = Some((column.name.to_string(), keys));
                }
            }
        }
        best.map(|(name, keys)| (name, keys, most))
    }

    /// Returns the positions of nodes to which the ends of edges refer.
    pub fn end_positions(&self) -> Vec<u32> {
        let listed_count = self.listed_count();
        let ends = (0..).zip(self.ends_by_row()).filter(|(_, ends)| *ends > 0);
        ends.filter_map(|(row, _)| position_of(self.ids.text(row), listed_count)).collect()
    }

    /// Returns the names of the unique columns whose values contain all of these positions, and mean
    /// other nodes by some of them.
    pub fn columns_containing(&self, positions: &[u32]) -> Vec<String> {
        let differs = |index: usize| {
            let Some(keys) = self.column_keys(index, QuoteSource::Stripped) else { return false };
            let row_of = |position: &u32| keys.keys.find(&position.to_string());
            let rows: Option<Vec<u32>> = positions.iter().map(row_of).collect();
            rows.is_some_and(|rows| rows != positions)
        };
        let columns = self.nodes.columns.iter().enumerate();
        let columns = columns.filter(|(index, _)| differs(*index));
        columns.map(|(_, column)| column.name.to_string()).collect()
    }

    /// Returns the texts of a column as keys; a node without one has its position. Returns `None` if
    /// two keys are equal or no node has a text there.
    pub fn keys_or_positions(&self, name: &str) -> Option<NodeKeys> {
        let index = self.nodes.columns.iter().position(|column| &*column.name == name)?;
        let column = self.nodes.columns.get(index)?;
        let count = self.listed_count();
        let is_dense = column.dense_len().is_some();
        let (mut keys, mut has_text) = (Dictionary::default(), false);
        for row in 0..count as u32 {
            let cell = if is_dense { column.cell(row) } else { Cell::Missing };
            let key = match cell {
                Cell::Text(_) => self.key_text(index, row, QuoteSource::Original),
                _ => None,
            };
            has_text |= key.is_some();
            keys.intern(&key.unwrap_or_else(|| row.to_string()));
        }
        (has_text && keys.len() == count).then_some(NodeKeys { keys })
    }

    /// Replaces the ids of the listed nodes, and finds the ends of all edges again.
    pub fn rekey(&mut self, keys: NodeKeys, old: OldIds, others: OtherEnds) {
        let listed_count = self.listed_count();
        let ends = self.ends_by_row();
        let mut ids = keys.keys;
        let mut rows = Vec::with_capacity(ends.len());
        for (row, ends) in ends.iter().enumerate() {
            let text = self.ids.text(row as u32);
            let position = || position_of(text, listed_count);
            rows.push(match ids.find(text) {
                Some(found) => found,
                None if *ends == 0 => row as u32,
                None => match position().filter(|_| others == OtherEnds::Positions) {
                    Some(position) => position,
                    None => ids.intern(text),
                },
            });
        }
        if old == OldIds::Keep {
            let attribute = self.attribute_index(Element::Node(0), "id");
            for row in 0..listed_count as u32 {
                let id = self.ids.text(row).to_owned();
                self.set_at(Element::Node(row), attribute, AttributeValue::Text(&id));
            }
        }
        for end in self.sources.iter_mut().chain(&mut self.targets) {
            *end = rows.get(*end as usize).copied().unwrap_or(*end);
        }
        self.listed = (0..ids.len()).map(|row| row < listed_count).collect();
        self.ids = ids;
    }

    /// Returns the number of edge ends of each row.
    fn ends_by_row(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.listed.len()];
        for end in self.sources.iter().chain(&self.targets) {
            if let Some(count) = counts.get_mut(*end as usize) {
                *count += 1;
            }
        }
        counts
    }

    /// Returns the values of a column as keys, if each listed node has one and all differ.
    fn column_keys(&self, index: usize, quotes: QuoteSource) -> Option<NodeKeys> {
        let column = self.nodes.columns.get(index)?;
        let count = self.listed_count();
        if column.dense_len() != Some(count) {
            return None;
        }
        let mut keys = Dictionary::default();
        for row in 0..count as u32 {
            keys.intern(&self.key_text(index, row, quotes)?);
            // Stops at the first duplicate, which makes most columns cheap.
            if keys.len() <= row as usize {
                return None;
            }
        }
        Some(NodeKeys { keys })
    }

    /// Returns a text or number of a cell as a key.
    fn key_text(&self, index: usize, row: u32, quotes: QuoteSource) -> Option<String> {
        let column = self.nodes.columns.get(index)?;
        match column.cell(row) {
            Cell::Text(code) => {
                let original = match quotes {
                    QuoteSource::Original => self.raw.nodes.column(&column.name),
                    QuoteSource::Stripped => None,
                };
                let original = original.and_then(|column| column.value(row));
                let text = original.as_ref().and_then(Value::as_text);
                Some(text.unwrap_or_else(|| column.texts.text(code)).to_owned())
            }
            Cell::Number(number) => Some(Value::Number(number).to_text()),
            Cell::Missing | Cell::Null | Cell::Bool(_) | Cell::Value(_) => None,
        }
    }
}

/// Text of a cell whose quotes were stripped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuoteSource {
    Original,
    Stripped,
}

/// Returns the position that a text names, if it is below `count`.
fn position_of(text: &str, count: usize) -> Option<u32> {
    let is_canonical = text == "0" || !text.starts_with(['0', '+']);
    let position: u32 = text.parse().ok().filter(|_| is_canonical)?;
    ((position as usize) < count).then_some(position)
}
