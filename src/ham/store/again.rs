//! Rows that come again: nodes that are there, each a flat map with the keys that it has. Most messages
//! say nothing else, so these are read, applied and told in one go. Where anything about a message is
//! unusual, nothing has happened, and it is read from its start as any other.

use super::{Applied, Expected, Store};
use crate::base::json::{behind_mark, duplicate_key, is_space, plain_end, skip_space};
use crate::base::slots::Slots;
use crate::base::sort;
use crate::base::{Diagnostic, Span};
use crate::ham::arena::{Map, NodeRef, Value};
use crate::ham::builder::Again;
use crate::ham::document::Document;
use crate::ham::history::Cause;
use crate::ham::observe::{Dependencies, Owner};
use crate::ham::site::{Kept, Site};
use crate::ham::surface::component::ComponentRef;
use crate::ham::surface::record::Op;
use crate::ham::surface::{Surface, flush};
use memchr::memchr;

/// Larger messages are read as any other: they may hold anything, and would be read twice in vain.
const LARGE: usize = 1 << 16;

/// How the last envelope began that was taken without a word.
#[derive(Default)]
pub(super) struct Envelope {
    /// Up to the brace that opens its nodes; empty where there was none.
    opening: Vec<u8>,
    /// The surface that it was for; nothing where it need not be for any.
    surface: Option<Option<String>>,
}

impl Envelope {
    /// A longer beginning holds more than an envelope needs.
    const LONGEST: usize = 256;

    /// Remembers how a message began, whose nodes open at `nodes`.
    #[inline]
    pub fn remember(&mut self, message: &[u8], nodes: Option<usize>, expected: Expected<'_>) {
        let Some(opening) = nodes.and_then(|at| message.get(..=at)) else { return };
        if opening.len() <= Envelope::LONGEST {
            opening.clone_into(&mut self.opening);
            self.surface = match expected {
                Expected::Anything => None,
                Expected::Surface(id) => Some(id.map(str::to_owned)),
            };
        }
    }

    /// Where the rows of a message begin that is for whom it is expected to be, and what stands behind
    /// them, if that can be told at a glance.
    #[inline(always)]
    fn rows_in(&self, message: &[u8], expected: Expected<'_>) -> Option<(usize, &'static [u8])> {
        let is_known = match expected {
            Expected::Anything => true,
            Expected::Surface(id) => self.surface.as_ref().is_some_and(|of| of.as_deref() == id),
        };
        if is_known && !self.opening.is_empty() && message.starts_with(&self.opening) {
            return Some((skip_space(message, self.opening.len()), b"}}}"));
        }
        let start = skip_space(message, 1);
        let key =
            message.get(start..)?.strip_prefix(b"\"").filter(|_| message.starts_with(b"{"))?;
        let names_form = key.starts_with(b"updateDataModel\"") || key.starts_with(b"version\"");
        (matches!(expected, Expected::Anything) && !names_form).then_some((start, b"}"))
    }
}

/// A row of which some values are others.
#[derive(Clone, Copy)]
pub struct Row {
    pub now: Map,
    /// See [`Again::changed`].
    pub changed: u64,
    /// See [`Again::parts`].
    pub parts: bool,
    shown: Shown,
}

/// So many rows are looked up at once.
const TOGETHER: usize = 64;

/// A row that is looked up before it is read.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Where its key opens.
    start: usize,
    /// Where its key ends.
    end: usize,
    /// Where its map opens.
    map: usize,
    node: NodeRef,
    before: Value,
    shown: Shown,
}

/// Who looks at a row.
#[derive(Clone, Copy)]
enum Shown {
    Nobody,
    /// One instance, which looks at nothing else.
    Once {
        surface: u32,
        instance: u32,
        depth: u16,
        component: ComponentRef,
    },
    Otherwise,
}

impl Shown {
    /// What rows are told in the order of, from what matters most on.
    fn order(self) -> [u32; 3] {
        match self {
            Shown::Once { surface, instance, depth, .. } => [surface, depth.into(), instance],
            Shown::Nobody | Shown::Otherwise => [0; 3],
        }
    }
}

impl Store {
    /// Applies a message of rows that come again; nothing where it is another one.
    pub(super) fn apply_again(
        &mut self,
        message: &[u8],
        ascii: bool,
        expected: Expected<'_>,
    ) -> Option<Applied> {
        let (start, closing) = self.envelope.rows_in(message, expected)?;
        let limits = self.document.settings.limits;
        let is_usual = self.document.between.is_some() && limits.depth > closing.len();
        if !is_usual || message.len() > limits.bytes.min(LARGE) {
            return None;
        }
        let mark = self.document.arena.mark();
        self.document.start_message(0);
        self.rows.clear();
        let mut diagnostics = Vec::new();
        let kept = self.read_rows(message, start, closing, &mut diagnostics);
        let Some(kept) = kept.filter(|_| !self.document.is_full()) else {
            if !self.document.journal().is_empty() {
                self.document.roll_back();
            }
            self.document.arena.cut(mark);
            return None;
        };
        if !diagnostics.is_empty() {
            // What was set twice may be what it was.
            self.document.settle();
        }
        self.records.start(ascii.then_some(kept));
        let told = self.records.mark();
        if !self.tell_rows() {
            self.records.cut(told);
            self.tell(&mut diagnostics);
        }
        self.history.note(self.document.end_update(), Cause::Update);
        Some(Applied { ok: true, revision: self.history.last(), diagnostics })
    }

    /// Reads all rows from `start` up to `closing` and sets those that are others; nothing where there is
    /// anything else. Tells of those that come twice, and answers what was kept of the message.
    #[inline(always)]
    fn read_rows(
        &mut self,
        message: &[u8],
        start: usize,
        closing: &[u8],
        told: &mut Vec<Diagnostic>,
    ) -> Option<Kept> {
        let mut site = Site::new(&mut self.document, message);
        let (ahead, mut next) = (&mut self.ahead, 0);
        ahead.clear();
        let mut at = start;
        loop {
            // All are read that were looked up, or a row begins where it was not guessed to.
            if ahead.get(next).is_none_or(|row| row.start != at) {
                look_ahead(site.document, &self.watchers, &self.surfaces, message, at, ahead);
                next = 0;
            }
            let Ahead { start, end, map, node, mut before, shown } = *ahead.get(next)?;
            next += 1;
            if site.document.mark_set(node) {
                let key = Span::new(start, end + 1);
                told.push(duplicate_key(site.document.id(node), key));
                before = take_back(site.document, &mut self.rows, node);
            }
            let Value::Map(before) = before else { return None };
            let builder = self.update.builder();
            let again = builder.take_again(&mut site, message, map, before)?;
            let Again { now, changed, parts, end } = again;
            if changed != 0 {
                site.document.replace(node, Value::Map(now));
                self.rows.push(Row { now, changed, parts, shown });
            }
            match behind_mark(message, end, b',') {
                Some(next) => at = next,
                None if closes(message.get(end..)?, closing) => return Some(site.keep(message)),
                None => return None,
            }
        }
    }

    /// Tells of the rows where each of them is shown once at most, and nothing but plain properties of it.
    /// Answers whether that was so; else something may have been told.
    #[inline(always)]
    fn tell_rows(&mut self) -> bool {
        if self.rows.len() > 1 {
            sort::by_number(&mut self.rows, |row| {
                let [_, _, instance] = row.shown.order();
                instance
            });
            sort::by_number(&mut self.rows, |row| {
                let [_, depth, _] = row.shown.order();
                depth
            });
            sort::by_number(&mut self.rows, |row| {
                let [surface, ..] = row.shown.order();
                surface
            });
        }
        let mut at_hand = None;
        for row in &self.rows {
            let (number, instance, component) = match row.shown {
                Shown::Nobody => continue,
                Shown::Once { surface, instance, component, .. } => (surface, instance, component),
                Shown::Otherwise => return false,
            };
            let Some(surface) = self.surfaces.get(number as usize) else { return false };
            if surface.observed && at_hand != Some(number) {
                self.records.op(Op::Surface, [number]);
                at_hand = Some(number);
            }
            let Some(component) = surface.tree.component(component) else { return false };
            let records = surface.observed.then_some(&mut self.records);
            if !flush::fields(component, &self.document, instance, row, records) {
                return false;
            }
        }
        true
    }
}

/// Takes back what the message has said of a node, for it says it again. Answers what the node is then.
#[cold]
#[inline(never)]
fn take_back(document: &mut Document, rows: &mut [Row], node: NodeRef) -> Value {
    let before = document.before().value(node);
    let Value::Map(now) = document.value(node) else { return before };
    // Maps that come later stand further behind.
    let place = rows.binary_search_by_key(&now.start, |row| row.now.start);
    if let Some(row) = place.ok().and_then(|place| rows.get_mut(place)) {
        row.shown = Shown::Nobody;
        document.replace(node, before);
    }
    before
}

/// Looks up the row that begins at `at`, and those that seem to follow it. All that can be known before
/// a row is read is found for many of them at once, so that memory is waited for once.
#[inline(always)]
fn look_ahead(
    document: &Document,
    watchers: &Dependencies,
    surfaces: &Slots<Surface>,
    message: &[u8],
    at: usize,
    ahead: &mut Vec<Ahead>,
) {
    ahead.clear();
    let mut next = Some(at);
    while let Some(start) = next.filter(|_| ahead.len() < TOGETHER) {
        let Some(row) = row_at(document, message, start) else { break };
        ahead.push(row);
        next = row_behind(message, row.map);
    }
    for row in ahead {
        row.before = document.value(row.node);
        row.shown = shown(watchers, surfaces, row.node);
        if let Value::Map(before) = row.before {
            document.arena.touch(before);
        }
    }
}

/// The row whose key opens at `at`, if a node that is there is named and a map stands there.
#[inline(always)]
fn row_at(document: &Document, message: &[u8], at: usize) -> Option<Ahead> {
    if message.get(at) != Some(&b'"') {
        return None;
    }
    let end = plain_end(message, at + 1)?;
    let id = message.get(at + 1..end)?;
    let map = behind_mark(message, end + 1, b':').filter(|at| message.get(*at) == Some(&b'{'))?;
    let node = NodeRef(document.ids.find_usual(id)?);
    Some(Ahead { start: at, end, map, node, before: Value::Missing, shown: Shown::Nobody })
}

/// Where the row behind one that goes on at `at` seems to begin: the brace may stand in a text.
#[inline(always)]
fn row_behind(message: &[u8], at: usize) -> Option<usize> {
    let rest = message.get(at..)?;
    let close = memchr(b'}', rest)?;
    behind_mark(message, at + close + 1, b',')
}

/// Whether nothing comes but what closes the message.
#[inline(always)]
fn closes(rest: &[u8], closing: &[u8]) -> bool {
    rest == closing || rest.iter().filter(|byte| !is_space(**byte)).eq(closing)
}

/// Who looks at a row.
#[inline(always)]
fn shown(watchers: &Dependencies, surfaces: &Slots<Surface>, node: NodeRef) -> Shown {
    let mut owners = watchers.owners(node);
    let (surface, instance) = match (owners.next(), owners.next()) {
        (None, _) => return Shown::Nobody,
        (Some(Owner::Instance { surface, instance }), None) => (surface, instance),
        _ => return Shown::Otherwise,
    };
    let found = surfaces.get(surface as usize);
    match found.and_then(|surface| surface.tree.row(instance, node)) {
        Some((component, depth)) => Shown::Once { surface, instance, depth, component },
        None => Shown::Otherwise,
    }
}
