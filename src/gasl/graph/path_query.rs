//! A condition on paths, split by the part of the path that it tests.

use super::adjacency::Direction;
use crate::gasl::compare::to_number;
use crate::gasl::predicate::{Comparison, FieldName, Membership, Predicate, Test};

/// Predicates on the parts of a path, and its maximum length.
#[derive(Clone, Debug, PartialEq)]
pub struct PathQuery {
    /// Predicate on the first node.
    pub start: Predicate,
    /// Predicate on the last node, which differs from the first.
    pub end: Predicate,
    /// Predicate on every edge.
    pub edge: Predicate,
    /// Predicate on every node between the ends.
    pub inner_nodes: Predicate,
    /// Predicate on the whole path, whose fields are `length`, `start.x`, `end.x`, `edge.x` (every
    /// edge), `node.x` (every inner node), and without a prefix each of both ends.
    pub whole_path: Predicate,
    /// Maximum number of edges.
    pub max_length: usize,
    /// Whether the condition also allows longer paths.
    pub allows_longer: bool,
    /// Whether the condition tests `length`.
    pub mentions_length: bool,
    /// Direction in which edges are followed.
    pub direction: Direction,
}

/// Part of a path that a field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathPart {
    Start,
    EdgeEnd,
    Edge,
    Inner,
    /// Each of both ends.
    Both,
    Length,
}

/// Returns the part of a path that a field belongs to, and the field name without the prefix.
pub(super) fn split_part(field: &str) -> (PathPart, &str) {
    if field == "length" {
        return (PathPart::Length, field);
    }
    match field.split_once('.') {
        Some(("start" | "source", rest)) => (PathPart::Start, rest),
        Some(("end" | "target", rest)) => (PathPart::EdgeEnd, rest),
        Some(("edge", rest)) => (PathPart::Edge, rest),
        Some(("node", rest)) => (PathPart::Inner, rest),
        _ => (PathPart::Both, field),
    }
}

impl PathQuery {
    /// Returns whether a field of a path belongs to its edges, and the name of the field there.
    pub fn element_field(field: &str) -> (bool, &str) {
        let (part, name) = split_part(field);
        (part == PathPart::Edge, name)
    }

    /// Assigns each conjunct to the part that all of its fields belong to, or to the whole path if
    /// it mixes parts. The maximum length is `default_length` if the condition does not limit it.
    pub fn new(condition: &Predicate, default_length: usize) -> PathQuery {
        let mut parts: [Vec<Predicate>; 5] = Default::default();
        let [start, end, edge, inner, whole_path] = &mut parts;
        for conjunct in conjuncts(condition) {
            match common_part(conjunct) {
                Some(PathPart::Start) => start.push(without_prefix(conjunct)),
                Some(PathPart::EdgeEnd) => end.push(without_prefix(conjunct)),
                Some(PathPart::Edge) => edge.push(without_prefix(conjunct)),
                Some(PathPart::Inner) => inner.push(without_prefix(conjunct)),
                Some(PathPart::Both) => {
                    start.push(conjunct.clone());
                    end.push(conjunct.clone());
                }
                // A constant predicate does not depend on the path.
                None if conjunct.fields().is_empty() => start.push(conjunct.clone()),
                Some(PathPart::Length) | None => whole_path.push(conjunct.clone()),
            }
        }
        let [start, end, edge, inner, whole_path] = parts.map(Predicate::All);
        let max_length = max_length_of(condition, default_length).unwrap_or(default_length);
        let allowed = max_length_of(condition, usize::MAX).unwrap_or(usize::MAX);
        let allows_longer = allowed > max_length;
        let mentions_length = condition.fields().iter().any(|f| **f == *"length");
        let direction = Direction::Own;
        PathQuery {
            start,
            end,
            edge,
            inner_nodes: inner,
            whole_path,
            max_length,
            allows_longer,
            mentions_length,
            direction,
        }
    }
}

/// Splits a condition at its top-level `AND`s.
fn conjuncts(condition: &Predicate) -> Vec<&Predicate> {
    match condition {
        Predicate::All(each) => each.iter().flat_map(conjuncts).collect(),
        one => vec![one],
    }
}

/// Returns the part that all fields belong to; `None` if they differ or there are none.
pub(super) fn common_part(predicate: &Predicate) -> Option<PathPart> {
    let fields = predicate.fields();
    let mut parts = fields.iter().map(|field| split_part(field).0);
    let first = parts.next()?;
    parts.all(|part| part == first).then_some(first)
}

/// Returns the predicate with field names of the part, without prefixes.
pub(super) fn without_prefix(predicate: &Predicate) -> Predicate {
    predicate.map_fields(&|field| FieldName::from(split_part(field).1))
}

/// Returns the maximum length that a condition allows; `None` if it does not limit the length. A
/// branch of an `OR` without a limit has the default length.
fn max_length_of(predicate: &Predicate, default_length: usize) -> Option<usize> {
    match predicate {
        Predicate::All(each) => {
            each.iter().filter_map(|one| max_length_of(one, default_length)).min()
        }
        Predicate::Any(each) => {
            let limits: Vec<Option<usize>> =
                each.iter().map(|one| max_length_of(one, default_length)).collect();
            let is_limited = each.is_empty() || limits.iter().any(Option::is_some);
            let limits = limits.into_iter().map(|limit| limit.unwrap_or(default_length));
            is_limited.then(|| limits.max().unwrap_or_default())
        }
        Predicate::Not(one) => max_length_of(&complement(one), default_length),
        Predicate::Fields(..) => None,
        Predicate::Field(field, _) if **field != *"length" => None,
        Predicate::Field(_, Test::Compare(comparison, value)) => {
            let limit = to_number(value)?;
            match comparison {
                Comparison::Equal | Comparison::LessOrEqual => Some(limit.floor() as usize),
                Comparison::Less => Some((limit.ceil() - 1.0) as usize),
                _ => None,
            }
        }
        Predicate::Field(_, Test::In(Membership::In, values)) => {
            let limits = values.iter().filter_map(to_number).map(|limit| limit.floor() as usize);
            Some(limits.max().unwrap_or_default())
        }
        Predicate::Field(..) => None,
    }
}

/// Returns the complement of a condition on lengths; tests of other fields become true.
fn complement(predicate: &Predicate) -> Predicate {
    let each = |each: &[Predicate]| each.iter().map(complement).collect();
    match predicate {
        Predicate::All(list) => Predicate::Any(each(list)),
        Predicate::Any(list) => Predicate::All(each(list)),
        Predicate::Not(one) => (**one).clone(),
        Predicate::Field(field, Test::Compare(comparison, value)) => {
            let test = Test::Compare(comparison.complement(), value.clone());
            Predicate::Field(field.clone(), test)
        }
        Predicate::Field(field, Test::In(Membership::Out, values)) => {
            Predicate::Field(field.clone(), Test::In(Membership::In, values.clone()))
        }
        Predicate::Field(..) | Predicate::Fields(..) => Predicate::everything(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gasl::predicate::TestOperator;

    fn is(field: &str, comparison: Comparison, value: f64) -> Predicate {
        Predicate::Field(field.into(), Test::Compare(comparison, value.into()))
    }

    fn equal(field: &str) -> Predicate {
        is(field, Comparison::Equal, 1.0)
    }

    #[test]
    fn conjuncts_are_assigned_to_path_parts() {
        let condition = Predicate::All(vec![
            equal("source.a"),
            Predicate::Any(vec![equal("end.b"), Predicate::Not(Box::new(equal("target.c")))]),
            Predicate::All(vec![equal("edge.d"), equal("node.e.f")]),
            equal("g"),
            Predicate::Any(vec![equal("start.h"), equal("i")]),
        ]);
        let query = PathQuery::new(&condition, 3);
        assert_eq!(query.start, Predicate::All(vec![equal("a"), equal("g")]));
        let either = Predicate::Any(vec![equal("b"), Predicate::Not(Box::new(equal("c")))]);
        assert_eq!(query.end, Predicate::All(vec![either, equal("g")]));
        assert_eq!(query.edge, Predicate::All(vec![equal("d")]));
        assert_eq!(query.inner_nodes, Predicate::All(vec![equal("e.f")]));
        let mixed = Predicate::Any(vec![equal("start.h"), equal("i")]);
        assert_eq!(query.whole_path, Predicate::All(vec![mixed]));
        assert_eq!(
            (query.max_length, query.allows_longer, query.mentions_length),
            (3, true, false)
        );
    }

    #[test]
    fn pairs_of_one_part_are_tested_by_row() {
        let pair = |left: &str, right: &str| {
            let equal = TestOperator::Compare(Comparison::Equal);
            Predicate::Fields(left.into(), equal, right.into())
        };
        let mixed = pair("start.a", "end.a");
        let length = pair("length", "start.n");
        let each = vec![pair("edge.a", "edge.b"), mixed.clone(), pair("c", "d"), length.clone()];
        let query = PathQuery::new(&Predicate::All(each), 3);
        assert_eq!(query.edge, Predicate::All(vec![pair("a", "b")]));
        assert_eq!(query.start, Predicate::All(vec![pair("c", "d")]));
        assert_eq!(query.end, query.start);
        assert_eq!(query.whole_path, Predicate::All(vec![mixed, length]));
        assert_eq!((query.max_length, query.allows_longer, query.mentions_length), (3, true, true));
    }

    #[test]
    fn smallest_length_limit_applies() {
        let max = |each: Vec<Predicate>| max_length_of(&Predicate::All(each), 3);
        let length = |comparison, value| is("length", comparison, value);
        assert_eq!(max(vec![length(Comparison::LessOrEqual, 4.0)]), Some(4));
        assert_eq!(max(vec![length(Comparison::Less, 4.0)]), Some(3));
        assert_eq!(max(vec![length(Comparison::Less, 3.5)]), Some(3));
        assert_eq!(max(vec![length(Comparison::Equal, 2.0), equal("a")]), Some(2));
        assert_eq!(max(vec![length(Comparison::Less, 0.0)]), Some(0));
        let both = vec![length(Comparison::LessOrEqual, 5.0), length(Comparison::Less, 3.0)];
        assert_eq!(max(both.clone()), Some(2));
        assert_eq!(max(vec![Predicate::Any(both)]), Some(5));
        assert_eq!(max(vec![length(Comparison::Greater, 2.0)]), None);
        let not = |one| Predicate::Not(Box::new(one));
        assert_eq!(max(vec![not(length(Comparison::Greater, 4.0))]), Some(4));
        let outside = Predicate::Any(vec![
            length(Comparison::LessOrEqual, 1.0),
            length(Comparison::Greater, 4.0),
            equal("start.a"),
        ]);
        assert_eq!(max(vec![not(outside.clone())]), Some(4));
        assert_eq!(max(vec![outside]), Some(3));
        let branch = |most| Predicate::All(vec![equal("start.a"), length(Comparison::Less, most)]);
        assert_eq!(max(vec![Predicate::Any(vec![branch(6.0), branch(3.0)])]), Some(5));
        assert_eq!(max(vec![Predicate::Any(vec![equal("a"), not(equal("b"))])]), None);
    }
}
