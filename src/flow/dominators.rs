//! What lies on every way to a point, found as Lengauer and Tarjan do it: petgraph's way climbs the
//! tree once for each edge, which is quadratic where each node of a chain leads to one handler.

use super::lists::{Lists, NONE, Walk, at, set};

/// A tree of points: each below the nearest one that every way to it leads through.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    parent: Vec<u32>,
    level: Vec<u32>,
    /// A point further up, so chosen that a climb takes few steps.
    jump: Vec<u32>,
    walk: Walk,
}

impl Tree {
    /// The dominators of all points that a walk came to; `before` is what leads to each.
    pub fn new(walk: &Walk, before: &Lists) -> Tree {
        let parent = dominators(walk, before);
        let root = walk.order.first().copied().unwrap_or_default();
        // Where no ways join, the walk went down the tree.
        let walk = if parent == walk.from { walk.clone() } else { walk_down(root, &parent) };
        let mut level = vec![0; parent.len()];
        let mut jump = vec![root; parent.len()];
        for point in walk.order.iter().skip(1) {
            let above = at(&parent, *point);
            let far = at(&jump, above);
            let farther = at(&jump, far);
            let gap = |a: u32, b: u32| at(&level, a).wrapping_sub(at(&level, b));
            let equal = gap(above, far) == gap(far, farther);
            set(&mut jump, *point, if equal { farther } else { above });
            let here = at(&level, above) + 1;
            set(&mut level, *point, here);
        }
        Tree { parent, level, jump, walk }
    }

    /// The points from the root down, each before those below it.
    pub fn order(&self) -> &[u32] {
        &self.walk.order
    }

    /// Whether a point is in the tree.
    pub fn has(&self, point: u32) -> bool {
        at(&self.walk.entered, point) != NONE
    }

    pub fn parent(&self, point: u32) -> Option<u32> {
        Some(at(&self.parent, point)).filter(|parent| *parent != NONE)
    }

    pub fn level(&self, point: u32) -> u32 {
        at(&self.level, point)
    }

    /// Where a point and all below it lie in the order.
    pub fn span(&self, point: u32) -> (u32, u32) {
        (at(&self.walk.entered, point), at(&self.walk.end, point))
    }

    /// Whether every way to `point` leads through `above`.
    pub fn holds(&self, above: u32, point: u32) -> bool {
        self.walk.holds(above, point)
    }

    /// The nearest point that holds both.
    pub fn common(&self, a: u32, b: u32) -> u32 {
        self.climb(a, |point| self.holds(point, b))
    }

    /// The point above `point`, or it, at a level.
    pub fn above(&self, point: u32, level: u32) -> u32 {
        self.climb(point, |point| self.level(point) <= level)
    }

    /// The point just below `of` that holds `point`, which lies below it.
    pub fn child_towards(&self, of: u32, point: u32) -> u32 {
        self.above(point, self.level(of) + 1)
    }

    /// The first point upwards that is `enough`, where all above such a point are enough too.
    fn climb(&self, mut point: u32, enough: impl Fn(u32) -> bool) -> u32 {
        while !enough(point) {
            let Some(parent) = self.parent(point) else { return point };
            let far = at(&self.jump, point);
            point = if enough(far) { parent } else { far };
        }
        point
    }
}

fn walk_down(root: u32, parent: &[u32]) -> Walk {
    let children = Lists::new(parent.len(), &|put| {
        for (point, parent) in (0u32..).zip(parent).filter(|(_, parent)| **parent != NONE) {
            put(*parent, point);
        }
    });
    Walk::new(root, &children)
}

/// For each point, the nearest one that every way to it from where the walk began leads through.
fn dominators(walk: &Walk, before: &Lists) -> Vec<u32> {
    // Where no ways join, there is one way to each point.
    if walk.order.iter().skip(1).all(|point| before.of(*point).len() < 2) {
        return walk.from.clone();
    }
    let reached = walk.order.len();
    // From here on a point is its place in the walk.
    let place = |point: u32| at(&walk.entered, point);
    let least = (0..reached as u32).collect::<Vec<_>>();
    let mut forest = Forest { up: vec![NONE; reached], least, way: Vec::new() };
    let mut semi: Vec<u32> = (0..reached as u32).collect();
    let mut nearest = vec![0u32; reached];
    // Lists of the points with one semidominator: the first of each, and the next of each.
    let mut first = vec![NONE; reached];
    let mut following = vec![NONE; reached];
    for (place_of, point) in walk.order.iter().enumerate().skip(1).rev() {
        let here = place_of as u32;
        let parent = place(at(&walk.from, *point));
        for from in before.of(*point).iter().map(|from| place(*from)).filter(|from| *from != NONE) {
            let least = at(&semi, forest.least(from, &semi));
            if least < at(&semi, here) {
                set(&mut semi, here, least);
            }
        }
        let of = at(&semi, here);
        set(&mut following, here, at(&first, of));
        set(&mut first, of, here);
        set(&mut forest.up, here, parent);
        let mut waiting = at(&first, parent);
        while waiting != NONE {
            let least = forest.least(waiting, &semi);
            let lower = at(&semi, least) < at(&semi, waiting);
            set(&mut nearest, waiting, if lower { least } else { parent });
            waiting = at(&following, waiting);
        }
        set(&mut first, parent, NONE);
    }
    let mut parents = vec![NONE; walk.from.len()];
    for (here, point) in (0u32..).zip(&walk.order).skip(1) {
        if at(&nearest, here) != at(&semi, here) {
            let further = at(&nearest, at(&nearest, here));
            set(&mut nearest, here, further);
        }
        set(&mut parents, *point, at(&walk.order, at(&nearest, here)));
    }
    parents
}

/// The part of a walk that was gone through, with shortcuts upwards.
struct Forest {
    up: Vec<u32>,
    /// The one with the least semidominator on the way that a shortcut leaves out.
    least: Vec<u32>,
    /// Room for the points of a way.
    way: Vec<u32>,
}

impl Forest {
    /// The point above `point`, or it, with the least semidominator.
    fn least(&mut self, point: u32, semi: &[u32]) -> u32 {
        let way = &mut self.way;
        way.clear();
        let mut here = point;
        while at(&self.up, here) != NONE {
            way.push(here);
            here = at(&self.up, here);
        }
        // The topmost two need no shortcut.
        way.pop();
        while let Some(here) = way.pop() {
            let up = at(&self.up, here);
            let (mine, above) = (at(&self.least, here), at(&self.least, up));
            if at(semi, above) < at(semi, mine) {
                set(&mut self.least, here, above);
            }
            let further = at(&self.up, up);
            set(&mut self.up, here, further);
        }
        at(&self.least, point)
    }
}
