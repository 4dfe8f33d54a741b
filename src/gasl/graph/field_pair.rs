//! Comparisons of two fields of the same node or edge.

use super::Graph;
use super::bit_mask::BitMask;
use super::column::{Cell, Column};
use super::fields::{AttributeSource, EdgeEnd, EdgeField, ElementKind, NodeField};
use crate::base::Value;
use crate::gasl::predicate::{Case, Comparison, Predicate, TestOperator};
use std::cmp::Ordering;

/// Reader of one field of all nodes or edges.
struct FieldReader<'a> {
    graph: &'a Graph,
    kind: ElementKind,
    /// End of the edge whose field is read; `None` for a field of the row itself.
    end: Option<EdgeEnd>,
    source: ReaderSource<'a>,
}

enum ReaderSource<'a> {
    NodeId,
    Column(&'a Column),
    /// Field that needs a lookup per row.
    Other(&'a str),
}

/// Value of a field, borrowed if possible.
enum FieldValue<'a> {
    Text(&'a str),
    Number(f64),
    /// Any other value, or `None` if it is missing.
    Other(Option<Value>),
}

impl Graph {
    /// Returns the nodes or edges that satisfy a [`Predicate::Fields`].
    pub(super) fn pair_mask(
        &self,
        kind: ElementKind,
        pair: &Predicate,
        case: Case,
        candidates: Option<&BitMask>,
    ) -> BitMask {
        let count = match kind {
            ElementKind::Node => self.node_count(),
            ElementKind::Edge => self.edge_count(),
        };
        let Predicate::Fields(left, operator, right) = pair else {
            return BitMask::constant(count, false);
        };
        let (left, right) = (self.field_reader(kind, left), self.field_reader(kind, right));
        let matches =
            |row: usize| compare_field_values(*operator, case, left.read(row), right.read(row));
        match candidates {
            Some(candidates) => candidates.filter(matches),
            None => BitMask::from_fn(count, matches),
        }
    }

    fn field_reader<'a>(&'a self, kind: ElementKind, field: &'a str) -> FieldReader<'a> {
        let of_node = |field: &'a str| match self.resolve_node_field(field) {
            NodeField::Id => ReaderSource::NodeId,
            NodeField::Attribute(AttributeSource::Column(column)) => ReaderSource::Column(column),
            NodeField::Attribute(_) => ReaderSource::Other(field),
        };
        let (end, source) = match kind {
            ElementKind::Node => (None, of_node(field)),
            ElementKind::Edge => match self.resolve_edge_field(field) {
                EdgeField::Endpoint(end, field) => (Some(end), of_node(field)),
                EdgeField::Attribute(AttributeSource::Column(column)) => {
                    (None, ReaderSource::Column(column))
                }
                _ => (None, ReaderSource::Other(field)),
            },
        };
        FieldReader { graph: self, kind, end, source }
    }
}

impl<'a> FieldReader<'a> {
    fn read(&self, row: usize) -> FieldValue<'a> {
        let graph = self.graph;
        let row = match (self.end, graph.ends(row as u32)) {
            (None, _) => row as u32,
            (Some(EdgeEnd::Source), Some((source, _))) => source,
            (Some(EdgeEnd::Target), Some((_, target))) => target,
            (Some(_), None) => return FieldValue::Other(None),
        };
        match self.source {
            ReaderSource::NodeId => FieldValue::Text(graph.node_id(row)),
            ReaderSource::Column(column) => match column.cell(row) {
                Cell::Text(code) => FieldValue::Text(column.texts.text(code)),
                Cell::Number(number) => FieldValue::Number(number),
                other => FieldValue::Other(column.value_of(other)),
            },
            ReaderSource::Other(field) => FieldValue::Other(match (self.kind, self.end) {
                (ElementKind::Edge, None) => graph.edge_value(row, field),
                _ => graph.node_value(row, field),
            }),
        }
    }
}

fn compare_field_values(
    operator: TestOperator,
    case: Case,
    left: FieldValue<'_>,
    right: FieldValue<'_>,
) -> bool {
    match (operator, &left, &right) {
        (TestOperator::Compare(by), FieldValue::Text(left), FieldValue::Text(right)) => {
            order_satisfies(by, Some(left.cmp(right)))
        }
        (TestOperator::Compare(by), FieldValue::Number(left), FieldValue::Number(right)) => {
            order_satisfies(by, left.partial_cmp(right))
        }
        _ => operator.holds(case, left.into_value().as_ref(), right.into_value().as_ref()),
    }
}

impl FieldValue<'_> {
    fn into_value(self) -> Option<Value> {
        match self {
            FieldValue::Text(text) => Some(text.into()),
            FieldValue::Number(number) => Some(Value::Number(number)),
            FieldValue::Other(value) => value,
        }
    }
}

/// Returns whether an ordering satisfies a comparison; `None` means unequal.
pub(super) fn order_satisfies(comparison: Comparison, order: Option<Ordering>) -> bool {
    match comparison {
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::NotEqual => order != Some(Ordering::Equal),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
    }
}
