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
    /// The length that the condition itself asks for, in edges.
    pub asked: Option<usize>,
    /// No path has more edges.
    pub max_length: usize,
    /// Which way edges are followed.
    pub direction: Direction,
}

/// The length in edges where nobody says another.
const MAX_LENGTH: usize = 3;

/// The part of a path that a field speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Start,
    End,
    Edge,
    Inner,
    /// Both ends, each by itself.
    Both,
    Length,
}

/// The part that a field speaks of, and its name there.
pub(super) fn part_of(field: &str) -> (Part, &str) {
    if field == "length" {
        return (Part::Length, field);
    }
    match field.split_once('.') {
        Some(("start" | "source", rest)) => (Part::Start, rest),
        Some(("end" | "target", rest)) => (Part::End, rest),
        Some(("edge", rest)) => (Part::Edge, rest),
        Some(("node", rest)) => (Part::Inner, rest),
        _ => (Part::Both, field),
    }
}

impl PathQuery {
    /// Gives each conjunct to the part that all of its fields speak of; what mixes parts is asked
    /// of finished paths.
    pub fn new(condition: &Predicate) -> PathQuery {
        let mut parts: [Vec<Predicate>; 5] = Default::default();
        let [start, end, edge, inner, finished] = &mut parts;
        let mut asked = None;
        for conjunct in conjuncts(condition) {
            let fields = conjunct.fields();
            let mut named = fields.iter().map(|field| part_of(field).0);
            let first = named.next();
            let one = first.filter(|part| named.all(|other| other == *part));
            match one {
                Some(Part::Start) => start.push(without_prefix(conjunct)),
                Some(Part::End) => end.push(without_prefix(conjunct)),
                Some(Part::Edge) => edge.push(without_prefix(conjunct)),
                Some(Part::Inner) => inner.push(without_prefix(conjunct)),
                Some(Part::Both) => {
                    start.push(conjunct.clone());
                    end.push(conjunct.clone());
                }
                Some(Part::Length) => {
                    asked = longest(conjunct).into_iter().chain(asked).min();
                    finished.push(conjunct.clone());
                }
                // True or false whatever the path is.
                None if first.is_none() => start.push(conjunct.clone()),
                None => finished.push(conjunct.clone()),
            }
        }
        let [start, end, edge, inner, finished] = parts.map(Predicate::All);
        let max_length = asked.unwrap_or(MAX_LENGTH);
        PathQuery {
            start,
            end,
            edge,
            inner,
            finished,
            asked,
            max_length,
            direction: Direction::Own,
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

fn without_prefix(predicate: &Predicate) -> Predicate {
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

/// The greatest length that a condition on lengths allows, where it has one.
fn longest(predicate: &Predicate) -> Option<usize> {
    match predicate {
        Predicate::All(each) => each.iter().filter_map(longest).min(),
        Predicate::Any(each) => {
            let bounds: Option<Vec<usize>> = each.iter().map(longest).collect();
            Some(bounds?.into_iter().max().unwrap_or_default())
        }
        Predicate::Not(_) => None,
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
        let query = PathQuery::new(&Predicate::All(vec![
            equal("source.a"),
            Predicate::Any(vec![equal("end.b"), Predicate::Not(Box::new(equal("target.c")))]),
            Predicate::All(vec![equal("edge.d"), equal("node.e.f")]),
            equal("g"),
            Predicate::Any(vec![equal("start.h"), equal("i")]),
        ]));
        assert_eq!(query.start, Predicate::All(vec![equal("a"), equal("g")]));
        let either = Predicate::Any(vec![equal("b"), Predicate::Not(Box::new(equal("c")))]);
        assert_eq!(query.end, Predicate::All(vec![either, equal("g")]));
        assert_eq!(query.edge, Predicate::All(vec![equal("d")]));
        assert_eq!(query.inner, Predicate::All(vec![equal("e.f")]));
        let mixed = Predicate::Any(vec![equal("start.h"), equal("i")]);
        assert_eq!(query.finished, Predicate::All(vec![mixed]));
        assert_eq!((query.asked, query.max_length), (None, 3));
    }

    #[test]
    fn the_bound_is_the_least_that_is_asked() {
        let asked = |each: Vec<Predicate>| PathQuery::new(&Predicate::All(each)).asked;
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
    }
}
