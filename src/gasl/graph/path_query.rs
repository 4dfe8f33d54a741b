//! What a condition on paths asks of their parts.

use super::adjacency::Direction;
use crate::gasl::predicate::{Comparison, Field, Membership, Predicate, Test, numeric};

/// Where paths begin and end, what they lead through, and how long they may be.
#[derive(Clone, Debug, PartialEq)]
pub struct PathQuery {
    /// Of the node where a path begins.
    pub start: Predicate,
    /// Of the node where it ends, which is another one.
    pub end: Predicate,
    /// Of every edge.
    pub edge: Predicate,
    /// Of every node between the ends.
    pub inner: Predicate,
    /// Of the path as a whole: `length`, `start.x`, `end.x`, `edge.x` (every edge), `node.x` (every
    /// inner node), and without prefix both ends, each by itself.
    pub finished: Predicate,
    /// No path has more edges.
    pub max_length: usize,
    /// Whether longer paths may fulfil the condition too.
    pub allows_longer: bool,
    /// Whether the condition speaks of lengths.
    pub mentions_length: bool,
    /// Which way edges are followed.
    pub direction: Direction,
}

/// The part of a path that a field speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathPart {
    Start,
    EdgeEnd,
    Edge,
    Inner,
    /// Both ends, each by itself.
    Both,
    Length,
}

/// The part that a field speaks of, and its name there.
pub(super) fn part_of(field: &str) -> (PathPart, &str) {
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
    /// Gives each conjunct to the part that all of its fields speak of; what mixes parts is asked
    /// of finished paths. Where the condition bounds no length, `usual` does.
    pub fn new(condition: &Predicate, usual: usize) -> PathQuery {
        let mut parts: [Vec<Predicate>; 5] = Default::default();
        let [start, end, edge, inner, finished] = &mut parts;
        for conjunct in conjuncts(condition) {
            match one_part(conjunct) {
                Some(PathPart::Start) => start.push(without_prefix(conjunct)),
                Some(PathPart::EdgeEnd) => end.push(without_prefix(conjunct)),
                Some(PathPart::Edge) => edge.push(without_prefix(conjunct)),
                Some(PathPart::Inner) => inner.push(without_prefix(conjunct)),
                Some(PathPart::Both) => {
                    start.push(conjunct.clone());
                    end.push(conjunct.clone());
                }
                // True or false whatever the path is.
                None if conjunct.fields().is_empty() => start.push(conjunct.clone()),
                Some(PathPart::Length) | None => finished.push(conjunct.clone()),
            }
        }
        let [start, end, edge, inner, finished] = parts.map(Predicate::All);
        let max_length = longest(condition, usual).unwrap_or(usual);
        let at_most = longest(condition, usize::MAX).unwrap_or(usize::MAX);
        let allows_longer = at_most > max_length;
        let mentions_length = condition.fields().iter().any(|f| **f == *"length");
        let direction = Direction::Own;
        PathQuery {
            start,
            end,
            edge,
            inner,
            finished,
            max_length,
            allows_longer,
            mentions_length,
            direction,
        }
    }
}

/// What has to hold, each by itself.
fn conjuncts(condition: &Predicate) -> Vec<&Predicate> {
    match condition {
        Predicate::All(each) => each.iter().flat_map(conjuncts).collect(),
        one => vec![one],
    }
}

/// The part that all fields of a condition speak of.
pub(super) fn one_part(predicate: &Predicate) -> Option<PathPart> {
    let fields = predicate.fields();
    let mut parts = fields.iter().map(|field| part_of(field).0);
    let first = parts.next()?;
    parts.all(|part| part == first).then_some(first)
}

/// The same, asked of one row of the part.
pub(super) fn without_prefix(predicate: &Predicate) -> Predicate {
    let each = |each: &[Predicate]| each.iter().map(without_prefix).collect();
    match predicate {
        Predicate::All(list) => Predicate::All(each(list)),
        Predicate::Any(list) => Predicate::Any(each(list)),
        Predicate::Not(one) => Predicate::Not(Box::new(without_prefix(one))),
        Predicate::Field(field, test) => {
            Predicate::Field(Field::from(part_of(field).1), test.clone())
        }
    }
}

/// The greatest length that a condition allows, where it bounds the length. A branch of an `OR` that
/// does not has the usual one.
fn longest(predicate: &Predicate, usual: usize) -> Option<usize> {
    match predicate {
        Predicate::All(each) => each.iter().filter_map(|one| longest(one, usual)).min(),
        Predicate::Any(each) => {
            let bounds: Vec<Option<usize>> = each.iter().map(|one| longest(one, usual)).collect();
            let is_bounded = each.is_empty() || bounds.iter().any(Option::is_some);
            let bounds = bounds.into_iter().map(|bound| bound.unwrap_or(usual));
            is_bounded.then(|| bounds.max().unwrap_or_default())
        }
        Predicate::Not(one) => longest(&complement(one), usual),
        Predicate::Field(field, _) if **field != *"length" => None,
        Predicate::Field(_, Test::Compare(comparison, value)) => {
            let bound = numeric(value)?;
            match comparison {
                Comparison::Equal | Comparison::LessOrEqual => Some(bound.floor() as usize),
                Comparison::Less => Some((bound.ceil() - 1.0) as usize),
                _ => None,
            }
        }
        Predicate::Field(_, Test::In(Membership::In, values)) => {
            let bounds = values.iter().filter_map(numeric).map(|bound| bound.floor() as usize);
            Some(bounds.max().unwrap_or_default())
        }
        Predicate::Field(..) => None,
    }
}

/// What holds of a length where a condition does not; of anything else, whatever it is.
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
        Predicate::Field(..) => Predicate::everything(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(field: &str, comparison: Comparison, value: f64) -> Predicate {
        Predicate::Field(field.into(), Test::Compare(comparison, value.into()))
    }

    fn equal(field: &str) -> Predicate {
        is(field, Comparison::Equal, 1.0)
    }

    #[test]
    fn conjuncts_go_to_the_part_that_they_name() {
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
        assert_eq!(query.inner, Predicate::All(vec![equal("e.f")]));
        let mixed = Predicate::Any(vec![equal("start.h"), equal("i")]);
        assert_eq!(query.finished, Predicate::All(vec![mixed]));
        assert_eq!(
            (query.max_length, query.allows_longer, query.mentions_length),
            (3, true, false)
        );
    }

    #[test]
    fn the_bound_is_the_least_that_is_asked() {
        let asked = |each: Vec<Predicate>| longest(&Predicate::All(each), 3);
        let length = |comparison, value| is("length", comparison, value);
        assert_eq!(asked(vec![length(Comparison::LessOrEqual, 4.0)]), Some(4));
        assert_eq!(asked(vec![length(Comparison::Less, 4.0)]), Some(3));
        assert_eq!(asked(vec![length(Comparison::Less, 3.5)]), Some(3));
        assert_eq!(asked(vec![length(Comparison::Equal, 2.0), equal("a")]), Some(2));
        assert_eq!(asked(vec![length(Comparison::Less, 0.0)]), Some(0));
        let both = vec![length(Comparison::LessOrEqual, 5.0), length(Comparison::Less, 3.0)];
        assert_eq!(asked(both.clone()), Some(2));
        assert_eq!(asked(vec![Predicate::Any(both)]), Some(5));
        assert_eq!(asked(vec![length(Comparison::Greater, 2.0)]), None);
        let not = |one| Predicate::Not(Box::new(one));
        assert_eq!(asked(vec![not(length(Comparison::Greater, 4.0))]), Some(4));
        let outside = Predicate::Any(vec![
            length(Comparison::LessOrEqual, 1.0),
            length(Comparison::Greater, 4.0),
            equal("start.a"),
        ]);
        assert_eq!(asked(vec![not(outside.clone())]), Some(4));
        assert_eq!(asked(vec![outside]), Some(3));
        let branch = |most| Predicate::All(vec![equal("start.a"), length(Comparison::Less, most)]);
        assert_eq!(asked(vec![Predicate::Any(vec![branch(6.0), branch(3.0)])]), Some(5));
        assert_eq!(asked(vec![Predicate::Any(vec![equal("a"), not(equal("b"))])]), None);
    }
}
