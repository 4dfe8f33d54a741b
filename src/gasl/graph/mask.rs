//! Evaluates predicates column by column to masks with one bit per row.

use super::Graph;
use super::bit_mask::BitMask;
use super::column::{Cell, Column, ColumnView, NO_CODE};
use super::compiled_test::CompiledTest;
use super::fields::{AttributeSource, EdgeEnd, EdgeField, ElementKind, NodeField};
use super::table::nested_field;
use crate::gasl::predicate::{Case, Predicate};

/// Evaluates one predicate on one or two fields. If a mask of candidates is given, other rows are
/// ignored.
type LeafTest<'a> = dyn FnMut(&Predicate, Option<&BitMask>) -> BitMask + 'a;

/// Returns the rows that satisfy a predicate, evaluating its tests with `leaf`.
pub(super) fn evaluate_predicate(
    predicate: &Predicate,
    len: usize,
    leaf: &mut LeafTest<'_>,
) -> BitMask {
    match predicate {
        Predicate::All(each) => {
            let mut bits: Option<BitMask> = None;
            for one in each {
                let candidates = bits.as_ref().filter(|bits| bits.count() < len / 4);
                if candidates.is_some_and(BitMask::is_empty) {
                    break;
                }
                let next = match one {
                    Predicate::Field(..) | Predicate::Fields(..) => leaf(one, candidates),
                    _ => evaluate_predicate(one, len, leaf),
                };
                match &mut bits {
                    Some(bits) => bits.and(&next),
                    None => bits = Some(next),
                }
            }
            bits.unwrap_or_else(|| BitMask::constant(len, true))
        }
        Predicate::Any(each) => {
            let mut bits = BitMask::constant(len, false);
            each.iter().for_each(|one| bits.or(&evaluate_predicate(one, len, leaf)));
            bits
        }
        Predicate::Not(one) => {
            let mut bits = evaluate_predicate(one, len, leaf);
            bits.negate();
            bits
        }
        Predicate::Field(..) | Predicate::Fields(..) => leaf(predicate, None),
    }
}

impl Graph {
    /// Returns the nodes that satisfy a predicate.
    pub(super) fn node_mask(&self, predicate: &Predicate, case: Case) -> BitMask {
        evaluate_predicate(predicate, self.node_count(), &mut |leaf, candidates| match leaf {
            Predicate::Field(field, test) => {
                self.nodes_where(field, &CompiledTest::new(test, case), candidates)
            }
            pair => self.pair_mask(ElementKind::Node, pair, case, candidates),
        })
    }

    /// Returns the edges that satisfy a predicate in their stored orientation.
    pub(super) fn stored_edge_mask(&self, predicate: &Predicate, case: Case) -> BitMask {
        evaluate_predicate(predicate, self.edge_count(), &mut |leaf, candidates| match leaf {
            Predicate::Field(field, test) => {
                self.edges_where(field, &CompiledTest::new(test, case), candidates)
            }
            pair => self.pair_mask(ElementKind::Edge, pair, case, candidates),
        })
    }

    fn nodes_where(
        &self,
        field: &str,
        test: &CompiledTest<'_>,
        candidates: Option<&BitMask>,
    ) -> BitMask {
        let count = self.node_count();
        match self.resolve_node_field(field) {
            NodeField::Id => match test.exact_texts() {
                Some(ids) => mask_of_rows(count, ids.iter().filter_map(|id| self.node(id))),
                None => test.matching_texts(&self.ids),
            },
            NodeField::Attribute(AttributeSource::Raw(..)) => BitMask::from_fn(count, |node| {
                let value = self.node_value(node as u32, field);
                value.map_or(test.matches_missing(), |value| test.matches_value(&value))
            }),
            NodeField::Attribute(attribute) => attribute.mask(count, test, candidates),
        }
    }

    fn edges_where(
        &self,
        field: &str,
        test: &CompiledTest<'_>,
        candidates: Option<&BitMask>,
    ) -> BitMask {
        let count = self.edge_count();
        match self.resolve_edge_field(field) {
            EdgeField::Id => match test.exact_texts() {
                Some(ids) => mask_of_rows(count, ids.iter().filter_map(|id| self.edge(id))),
                None => {
                    BitMask::from_fn(count, |edge| test.matches_text(&self.edge_id(edge as u32)))
                }
            },
            EdgeField::Endpoint(end, field) => {
                let nodes = self.nodes_where(field, test, None);
                let ends = if end == EdgeEnd::Source { &self.sources } else { &self.targets };
                BitMask::from_values(ends, |node| nodes.get(node))
            }
            EdgeField::Attribute(AttributeSource::Raw(..)) => BitMask::from_fn(count, |edge| {
                let value = self.edge_value(edge as u32, field);
                value.map_or(test.matches_missing(), |value| test.matches_value(&value))
            }),
            EdgeField::Attribute(attribute) => attribute.mask(count, test, candidates),
        }
    }
}

fn mask_of_rows(count: usize, rows: impl Iterator<Item = u32>) -> BitMask {
    let mut bits = BitMask::constant(count, false);
    rows.for_each(|row| bits.set(row as usize, true));
    bits
}

impl AttributeSource<'_> {
    fn mask(&self, count: usize, test: &CompiledTest<'_>, candidates: Option<&BitMask>) -> BitMask {
        match self {
            AttributeSource::Column(column) => column_mask(column, count, test, candidates),
            AttributeSource::Nested(column, path) => {
                let mut bits = BitMask::constant(count, test.matches_missing());
                for (row, cell) in column.present_cells() {
                    let value = column.list_or_map(cell).and_then(|map| nested_field(map, path));
                    let holds =
                        value.map_or(test.matches_missing(), |value| test.matches_value(value));
                    bits.set(row as usize, holds);
                }
                bits
            }
            AttributeSource::Raw(..) | AttributeSource::Unknown => {
                BitMask::constant(count, test.matches_missing())
            }
        }
    }
}

fn column_mask(
    column: &Column,
    count: usize,
    test: &CompiledTest<'_>,
    candidates: Option<&BitMask>,
) -> BitMask {
    let missing = test.matches_missing();
    let (view, rows) = column.view();
    if let (ColumnView::Numbers(numbers), None, Some(candidates)) = (&view, rows, candidates) {
        return test.matching_candidates(numbers, candidates);
    }
    let texts = test.matching_texts(&column.texts);
    let mut mask = match view {
        // Fast path: at most one distinct text matches.
        ColumnView::ByteCodes(cells) if !missing && texts.count() < 2 => {
            match texts.rows().next() {
                Some(code) => BitMask::equal_bytes(cells, code as u8),
                None => BitMask::constant(cells.len(), false),
            }
        }
        ColumnView::ByteCodes(cells) => BitMask::from_values(cells, |code| match code {
            NO_CODE => missing,
            code => texts.get(code.into()),
        }),
        ColumnView::Identity => texts,
        ColumnView::Codes(cells) if !missing && texts.count() < 2 => match texts.rows().next() {
            Some(code) => BitMask::from_values(cells, |text| text == code),
            None => BitMask::constant(cells.len(), false),
        },
        // A code outside the dictionary is a missing value.
        ColumnView::Codes(cells) if !missing => BitMask::from_values(cells, |text| texts.get(text)),
        ColumnView::Codes(cells) => {
            BitMask::from_values(cells, |text| texts.get(text) || text as usize >= texts.len())
        }
        ColumnView::Numbers(cells) => test.matching_numbers(cells),
        ColumnView::Mixed(cells) => {
            BitMask::from_values(cells, |cell: Cell| test.matches_cell(column, &texts, cell))
        }
    };
    match rows {
        None => {
            mask.grow_to(count, missing);
            mask
        }
        Some(rows) => {
            let mut bits = BitMask::constant(count, missing);
            rows.iter().zip(0..).for_each(|(row, at)| bits.set(*row as usize, mask.get(at)));
            bits
        }
    }
}
