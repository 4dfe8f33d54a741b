//! Which rows fulfil a condition: column by column, one bit a row.

use super::Graph;
use super::bit_mask::BitMask;
use super::column::{Cell, Column, ColumnView, NO_CODE};
use super::compiled_test::CompiledTest;
use super::fields::{AttributeSource, EdgeEnd, EdgeField, NodeField};
use super::table::nested_field;
use crate::gasl::predicate::{Case, Predicate, Test};

/// Answers for one test of one field. Where rows are given, no others are of interest.
type LeafTest<'a> = dyn FnMut(&str, &Test, Option<&BitMask>) -> BitMask + 'a;

/// The rows of which a predicate holds.
pub(super) fn combine(predicate: &Predicate, len: usize, leaf: &mut LeafTest<'_>) -> BitMask {
    match predicate {
        Predicate::All(each) => {
            let mut bits: Option<BitMask> = None;
            for one in each {
                let few = bits.as_ref().filter(|bits| bits.count() < len / 4);
                if few.is_some_and(BitMask::is_empty) {
                    break;
                }
                let next = match one {
                    Predicate::Field(field, test) => leaf(field, test, few),
                    _ => combine(one, len, leaf),
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
            each.iter().for_each(|one| bits.or(&combine(one, len, leaf)));
            bits
        }
        Predicate::Not(one) => {
            let mut bits = combine(one, len, leaf);
            bits.negate();
            bits
        }
        Predicate::Field(field, test) => leaf(field, test, None),
    }
}

impl Graph {
    /// The nodes of which a predicate holds.
    pub(super) fn node_mask(&self, predicate: &Predicate, case: Case) -> BitMask {
        combine(predicate, self.node_count(), &mut |field, test, few| {
            self.nodes_where(field, &CompiledTest::new(test, case), few)
        })
    }

    /// The edges of which a predicate holds.
    pub(super) fn edge_mask(&self, predicate: &Predicate, case: Case) -> BitMask {
        combine(predicate, self.edge_count(), &mut |field, test, few| {
            self.edges_where(field, &CompiledTest::new(test, case), few)
        })
    }

    fn nodes_where(
        &self,
        field: &str,
        question: &CompiledTest<'_>,
        few: Option<&BitMask>,
    ) -> BitMask {
        let count = self.node_count();
        match self.resolve_node_field(field) {
            NodeField::Id => match question.exact_texts() {
                Some(ids) => these(count, ids.iter().filter_map(|id| self.node(id))),
                None => question.of_texts(&self.ids),
            },
            NodeField::Attribute(AttributeSource::Raw(..)) => BitMask::fill(count, |node| {
                let value = self.node_value(node as u32, field);
                value.map_or(question.of_missing(), |value| question.of_value(&value))
            }),
            NodeField::Attribute(attribute) => attribute.mask(count, question, few),
        }
    }

    fn edges_where(
        &self,
        field: &str,
        question: &CompiledTest<'_>,
        few: Option<&BitMask>,
    ) -> BitMask {
        let count = self.edge_count();
        match self.resolve_edge_field(field) {
            EdgeField::Id => match question.exact_texts() {
                Some(ids) => these(count, ids.iter().filter_map(|id| self.edge(id))),
                None => BitMask::fill(count, |edge| question.of_text(&self.edge_id(edge as u32))),
            },
            EdgeField::Endpoint(end, field) => {
                let nodes = self.nodes_where(field, question, None);
                let ends = if end == EdgeEnd::Source { &self.sources } else { &self.targets };
                BitMask::of(ends, |node| nodes.get(node))
            }
            EdgeField::Attribute(AttributeSource::Raw(..)) => BitMask::fill(count, |edge| {
                let value = self.edge_value(edge as u32, field);
                value.map_or(question.of_missing(), |value| question.of_value(&value))
            }),
            EdgeField::Attribute(attribute) => attribute.mask(count, question, few),
        }
    }
}

fn these(count: usize, rows: impl Iterator<Item = u32>) -> BitMask {
    let mut bits = BitMask::constant(count, false);
    rows.for_each(|row| bits.set(row as usize, true));
    bits
}

impl AttributeSource<'_> {
    fn mask(&self, count: usize, question: &CompiledTest<'_>, few: Option<&BitMask>) -> BitMask {
        match self {
            AttributeSource::Column(column) => column_mask(column, count, question, few),
            AttributeSource::Within(column, path) => {
                let mut bits = BitMask::constant(count, question.of_missing());
                for (row, cell) in column.present() {
                    let value = column.container(cell).and_then(|map| nested_field(map, path));
                    let holds =
                        value.map_or(question.of_missing(), |value| question.of_value(value));
                    bits.set(row as usize, holds);
                }
                bits
            }
            AttributeSource::Raw(..) | AttributeSource::Unknown => {
                BitMask::constant(count, question.of_missing())
            }
        }
    }
}

fn column_mask(
    column: &Column,
    count: usize,
    question: &CompiledTest<'_>,
    few: Option<&BitMask>,
) -> BitMask {
    let missing = question.of_missing();
    let (view, rows) = column.view();
    if let (ColumnView::Numbers(numbers), None, Some(few)) = (&view, rows, few) {
        return question.of_few(numbers, few);
    }
    let texts = question.of_texts(&column.texts);
    let cells = match view {
        // Nearly always one text is wanted and no other.
        ColumnView::Codes(cells) if !missing && texts.count() < 2 => match texts.rows().next() {
            Some(wanted) => BitMask::equal(cells, wanted as u8),
            None => BitMask::constant(cells.len(), false),
        },
        ColumnView::Codes(cells) => BitMask::of(cells, |code| match code {
            NO_CODE => missing,
            code => texts.get(code.into()),
        }),
        ColumnView::Own => texts,
        ColumnView::Texts(cells) if !missing && texts.count() < 2 => match texts.rows().next() {
            Some(wanted) => BitMask::of(cells, |text| text == wanted),
            None => BitMask::constant(cells.len(), false),
        },
        // A number that no text has stands for a missing value.
        ColumnView::Texts(cells) if !missing => BitMask::of(cells, |text| texts.get(text)),
        ColumnView::Texts(cells) => {
            BitMask::of(cells, |text| texts.get(text) || text as usize >= texts.len())
        }
        ColumnView::Numbers(cells) => question.of_numbers(cells),
        ColumnView::Mixed(cells) => {
            BitMask::of(cells, |cell: Cell| question.of_cell(column, &texts, cell))
        }
    };
    match rows {
        None => {
            let mut bits = cells;
            bits.extend(count, missing);
            bits
        }
        Some(rows) => {
            let mut bits = BitMask::constant(count, missing);
            rows.iter().zip(0..).for_each(|(row, at)| bits.set(*row as usize, cells.get(at)));
            bits
        }
    }
}
