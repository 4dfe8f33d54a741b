//! The walk through a value with pointers followed at every depth (rule 16).
//!
//! The walk keeps its own stack: a chain of pointers may be as long as the document has nodes. A
//! node that is already on the way down is not entered again, and the walk ends after a number of
//! values, so neither a cycle nor thirty nodes that each name the next twice cost more than that.

use super::arena::{Arena, NodeRef, Value};
use super::document::View;
use super::shape::{KeyRef, ShapeRef};
use crate::base::map::IntMap;

/// What the walk meets, in the order of JSON text.
#[derive(Clone, Copy, Debug)]
pub enum Met {
    /// Null, a boolean, a number or a text.
    Scalar(Value),
    OpenMap,
    Key(KeyRef),
    CloseMap,
    OpenList,
    CloseList,
    /// A pointer to a node that is already on the way down.
    Cycle(NodeRef),
    /// A pointer to a node that is not there.
    Dangling(NodeRef),
    /// More values than allowed. Nothing follows.
    TooMany,
}

/// In which order the walk goes through a map.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As the author wrote it.
    Written,
    /// The same for equal maps, however they were written.
    Canonical,
}

/// The walk; it calls `visit` with each node that it looks at.
pub struct Deep<'a> {
    view: View<'a>,
    order: Order,
    left: usize,
    start: Option<Value>,
    stack: Vec<Frame>,
    way: IntMap,
    visit: Option<&'a mut dyn FnMut(NodeRef)>,
}

struct Frame {
    kind: Kind,
    next: usize,
    len: usize,
    /// The node whose value this is.
    node: Option<NodeRef>,
    /// The key was met; its value is next.
    keyed: bool,
}

#[derive(Clone, Copy)]
enum Kind {
    Items(super::arena::List),
    Pointers(super::arena::Run),
    Map(super::arena::Map),
}

impl<'a> Deep<'a> {
    /// A walk through `value`, with these nodes on the way down to it: such as the one whose whole value it is.
    pub fn new(
        view: View<'a>,
        value: Value,
        way: &[NodeRef],
        order: Order,
        limit: usize,
        visit: Option<&'a mut dyn FnMut(NodeRef)>,
    ) -> Deep<'a> {
        Deep {
            view,
            order,
            left: limit,
            start: Some(value),
            stack: Vec::new(),
            way: way.iter().map(|node| (node.0.into(), 0)).collect(),
            visit,
        }
    }

    fn meet(&mut self, value: Value, node: Option<NodeRef>) -> Met {
        if self.left == 0 {
            self.stack.clear();
            return Met::TooMany;
        }
        self.left -= 1;
        let arena = self.view.arena();
        let (kind, len, met) = match value {
            Value::Pointer(target) => {
                if let Some(visit) = &mut self.visit {
                    visit(target);
                }
                if self.way.contains_key(&u64::from(target.0)) {
                    return Met::Cycle(target);
                }
                return match self.view.value(target) {
                    Value::Missing => Met::Dangling(target),
                    value => {
                        self.left += 1;
                        self.meet(value, Some(target))
                    }
                };
            }
            Value::List(list) => (Kind::Items(list), list.items.len as usize, Met::OpenList),
            Value::Pointers(run) => (Kind::Pointers(run), run.len as usize, Met::OpenList),
            Value::Map(map) => (Kind::Map(map), arena.shapes.keys(map.shape).len(), Met::OpenMap),
            scalar => return Met::Scalar(scalar),
        };
        if let Some(node) = node {
            self.way.insert(node.0.into(), 0);
        }
        self.stack.push(Frame { kind, next: 0, len, node, keyed: false });
        met
    }
}

impl Iterator for Deep<'_> {
    type Item = Met;

    fn next(&mut self) -> Option<Met> {
        if let Some(value) = self.start.take() {
            return Some(self.meet(value, None));
        }
        let frame = self.stack.last_mut()?;
        let arena = self.view.arena();
        if frame.next == frame.len {
            let met =
                if matches!(frame.kind, Kind::Map(_)) { Met::CloseMap } else { Met::CloseList };
            if let Some(node) = frame.node {
                self.way.remove(&u64::from(node.0));
            }
            self.stack.pop();
            return Some(met);
        }
        let value = match frame.kind {
            Kind::Items(list) => arena.items(list).get(frame.next).copied(),
            Kind::Pointers(run) => {
                arena.pointers(run).get(frame.next).map(|node| Value::Pointer(NodeRef(*node)))
            }
            Kind::Map(map) => {
                let slot = slot(arena, map.shape, frame.next, self.order);
                if !frame.keyed {
                    frame.keyed = true;
                    return arena.shapes.keys(map.shape).get(slot).copied().map(Met::Key);
                }
                frame.keyed = false;
                arena.values(map).get(slot).copied()
            }
        };
        frame.next += 1;
        Some(self.meet(value.unwrap_or(Value::Missing), None))
    }
}

fn slot(arena: &Arena, shape: ShapeRef, nth: usize, order: Order) -> usize {
    match order {
        Order::Written => nth,
        Order::Canonical => arena.shapes.sorted(shape).get(nth).map_or(nth, |slot| *slot as usize),
    }
}

/// Whether two walks in the canonical order of one document meet the same value.
pub fn same(arena: &Arena, mut a: Deep<'_>, mut b: Deep<'_>) -> bool {
    // Nothing, where a node is missing or cut, reads as null.
    let plain = |met: Met| match met {
        Met::Cycle(_) | Met::Dangling(_) => Met::Scalar(Value::Null),
        met => met,
    };
    let equal = |a: Met, b: Met| match (plain(a), plain(b)) {
        (Met::Scalar(a), Met::Scalar(b)) => arena.equal(a, b),
        (Met::Key(a), Met::Key(b)) => a == b,
        (Met::OpenMap, Met::OpenMap)
        | (Met::CloseMap, Met::CloseMap)
        | (Met::OpenList, Met::OpenList)
        | (Met::CloseList, Met::CloseList)
        | (Met::TooMany, Met::TooMany) => true,
        _ => false,
    };
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) if equal(x, y) => {}
            _ => return false,
        }
    }
}
