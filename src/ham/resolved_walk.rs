//! Depth-first traversal of a value that follows pointers (rule 16).
//!
//! Uses its own stack, because a chain of pointers may be as long as the document. A node on the
//! current path is not entered again, and the number of events is limited. So the cost is bounded
//! for cycles and shared nodes.

use super::arena::{Arena, NodeRef, Value};
use super::document::View;
use super::shape::{KeyRef, ShapeRef};
use crate::base::map::IntMap;

/// Event of the walk, in the order of JSON text.
#[derive(Clone, Copy, Debug)]
pub enum WalkEvent {
    /// Null, a boolean, a number or a text.
    Scalar(Value),
    OpenMap,
    Key(KeyRef),
    CloseMap,
    OpenList,
    CloseList,
    /// A pointer to a node on the current path.
    Cycle(NodeRef),
    /// A pointer to a missing node.
    Dangling(NodeRef),
    /// The limit of values was exceeded; the last event.
    LimitReached,
}

/// Order of the keys of a map.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum KeyOrder {
    /// As written.
    Written,
    /// The same for equal maps.
    Canonical,
}

/// Iterator over the events; calls `visit` with each node that it reads.
pub struct ResolvedWalk<'a> {
    view: View<'a>,
    order: KeyOrder,
    remaining: usize,
    start: Option<Value>,
    stack: Vec<Frame>,
    path: IntMap,
    visit: Option<&'a mut dyn FnMut(NodeRef)>,
}

struct Frame {
    kind: FrameKind,
    next: usize,
    len: usize,
    /// The node whose value this is.
    node: Option<NodeRef>,
    /// Whether the key was emitted and its value is next.
    key_emitted: bool,
}

#[derive(Clone, Copy)]
enum FrameKind {
    Items(super::arena::ListRef),
    Pointers(super::arena::ArenaRange),
    Map(super::arena::MapRef),
}

impl<'a> ResolvedWalk<'a> {
    /// Starts a walk through `value`; `path` contains the nodes that enclose it.
    pub fn new(
        view: View<'a>,
        value: Value,
        path: &[NodeRef],
        order: KeyOrder,
        limit: usize,
        visit: Option<&'a mut dyn FnMut(NodeRef)>,
    ) -> ResolvedWalk<'a> {
        ResolvedWalk {
            view,
            order,
            remaining: limit,
            start: Some(value),
            stack: Vec::new(),
            path: path.iter().map(|node| (node.0.into(), 0)).collect(),
            visit,
        }
    }

    fn enter_value(&mut self, value: Value, node: Option<NodeRef>) -> WalkEvent {
        if self.remaining == 0 {
            self.stack.clear();
            return WalkEvent::LimitReached;
        }
        self.remaining -= 1;
        let arena = self.view.arena();
        let (kind, len, event) = match value {
            Value::Pointer(target) => {
                if let Some(visit) = &mut self.visit {
                    visit(target);
                }
                if self.path.contains_key(&u64::from(target.0)) {
                    return WalkEvent::Cycle(target);
                }
                return match self.view.value(target) {
                    Value::Missing => WalkEvent::Dangling(target),
                    value => {
                        self.remaining += 1;
                        self.enter_value(value, Some(target))
                    }
                };
            }
            Value::List(list) => {
                (FrameKind::Items(list), list.items.len as usize, WalkEvent::OpenList)
            }
            Value::Pointers(range) => {
                (FrameKind::Pointers(range), range.len as usize, WalkEvent::OpenList)
            }
            Value::Map(map) => {
                (FrameKind::Map(map), arena.shapes.keys(map.shape).len(), WalkEvent::OpenMap)
            }
            scalar => return WalkEvent::Scalar(scalar),
        };
        if let Some(node) = node {
            self.path.insert(node.0.into(), 0);
        }
        self.stack.push(Frame { kind, next: 0, len, node, key_emitted: false });
        event
    }
}

impl Iterator for ResolvedWalk<'_> {
    type Item = WalkEvent;

    fn next(&mut self) -> Option<WalkEvent> {
        if let Some(value) = self.start.take() {
            return Some(self.enter_value(value, None));
        }
        let frame = self.stack.last_mut()?;
        let arena = self.view.arena();
        if frame.next == frame.len {
            let event = if matches!(frame.kind, FrameKind::Map(_)) {
                WalkEvent::CloseMap
            } else {
                WalkEvent::CloseList
            };
            if let Some(node) = frame.node {
                self.path.remove(&u64::from(node.0));
            }
            self.stack.pop();
            return Some(event);
        }
        let value = match frame.kind {
            FrameKind::Items(list) => arena.items(list).get(frame.next).copied(),
            FrameKind::Pointers(range) => {
                arena.pointers(range).get(frame.next).map(|node| Value::Pointer(NodeRef(*node)))
            }
            FrameKind::Map(map) => {
                let slot = slot(arena, map.shape, frame.next, self.order);
                if !frame.key_emitted {
                    frame.key_emitted = true;
                    return arena.shapes.keys(map.shape).get(slot).copied().map(WalkEvent::Key);
                }
                frame.key_emitted = false;
                arena.values(map).get(slot).copied()
            }
        };
        frame.next += 1;
        Some(self.enter_value(value.unwrap_or(Value::Missing), None))
    }
}

fn slot(arena: &Arena, shape: ShapeRef, position: usize, order: KeyOrder) -> usize {
    match order {
        KeyOrder::Written => position,
        KeyOrder::Canonical => {
            arena.shapes.sorted(shape).get(position).map_or(position, |slot| *slot as usize)
        }
    }
}

/// Returns whether two canonical walks over one document have equal events.
pub fn walks_are_equal(arena: &Arena, mut a: ResolvedWalk<'_>, mut b: ResolvedWalk<'_>) -> bool {
    // Cycles and missing nodes read as null.
    let normalized = |event: WalkEvent| match event {
        WalkEvent::Cycle(_) | WalkEvent::Dangling(_) => WalkEvent::Scalar(Value::Null),
        event => event,
    };
    let equal = |a: WalkEvent, b: WalkEvent| match (normalized(a), normalized(b)) {
        (WalkEvent::Scalar(a), WalkEvent::Scalar(b)) => arena.equal(a, b),
        (WalkEvent::Key(a), WalkEvent::Key(b)) => a == b,
        (WalkEvent::OpenMap, WalkEvent::OpenMap)
        | (WalkEvent::CloseMap, WalkEvent::CloseMap)
        | (WalkEvent::OpenList, WalkEvent::OpenList)
        | (WalkEvent::CloseList, WalkEvent::CloseList)
        | (WalkEvent::LimitReached, WalkEvent::LimitReached) => true,
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
