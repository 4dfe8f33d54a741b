//! Rows that come again: nodes that are there, each a flat map with the keys that it has. Most messages
//! say nothing else, so these are read, applied and told in one go. Where anything about a message is
//! unusual, nothing has happened, and it is read from its start as any other.

use super::{Applied, Expected, Store};
use crate::base::bytes::{begins, same};
use crate::base::json::{ascii_string_end, duplicate_key, is_space, skip_punctuation, skip_space};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use crate::ham::arena::{Map, NodeRef, Value};
use crate::ham::builder::Again;
use crate::ham::document::Document;
use crate::ham::history::Cause;
use crate::ham::observe::{Dependencies, Owner};
use crate::ham::shape::Shapes;
use crate::ham::site::{Kept, Site};
use crate::ham::surface::component::ComponentRef;
use crate::ham::surface::held::Held;
use crate::ham::surface::record::Op;
use crate::ham::surface::{Surface, flush};
use memchr::memchr;
use slab::Slab;

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
        if is_known && !self.opening.is_empty() && begins(message, &self.opening) {
            return Some((skip_space(message, self.opening.len()), b"}}}"));
        }
        let start = skip_space(message, 1);
        let key = message.get(start + 1..)?;
        let is_map = message.first() == Some(&b'{') && message.get(start) == Some(&b'"');
        let names_form = begins(key, b"updateDataModel\"") || begins(key, b"version\"");
        (matches!(expected, Expected::Anything) && is_map && !names_form).then_some((start, b"}"))
    }
}

/// A row of which some values are others.
#[derive(Clone, Copy)]
pub struct Row {
    pub now: Map,
    /// See [`Again::changed`].
    pub changed: u64,
}

/// An instance that shows one of these values.
#[derive(Clone, Copy)]
struct Showing {
    /// Which of the rows.
    row: u32,
    surface: u32,
    depth: u16,
    instance: u32,
    component: ComponentRef,
}

/// The rows of a message that are others than before, and who shows what of them.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    showing: Vec<Showing>,
    /// Whether somebody looks at them who shows something else than plain properties of a row.
    otherwise: bool,
}

impl Rows {
    fn clear(&mut self) {
        self.rows.clear();
        self.showing.clear();
        self.otherwise = false;
    }

    /// Notes who looks at the row that was added last.
    #[inline(always)]
    fn note(&mut self, owner: Owner, node: NodeRef, shapes: &Shapes, surfaces: &Slab<Surface>) {
        match self.looking(owner, node, shapes, surfaces) {
            Some((showing, true)) => self.showing.push(showing),
            Some((_, false)) => {}
            None => self.otherwise = true,
        }
    }

    /// An owner as one who shows the row, and whether it wants to be told; nothing where it shows something
    /// else than plain properties of it.
    #[inline(always)]
    fn looking(
        &self,
        owner: Owner,
        node: NodeRef,
        shapes: &Shapes,
        surfaces: &Slab<Surface>,
    ) -> Option<(Showing, bool)> {
        let Owner::Instance { depth, surface, instance, component, home } = owner else {
            return None;
        };
        let Surface { tree, observed, .. } = surfaces.get(surface as usize)?;
        let component = ComponentRef(component);
        let known = tree.component(component).filter(|_| home == node && !tree.uses_index)?;
        let fields = known.fields.as_deref()?;
        let mut shows = false;
        flush::changed_fields(fields, shapes, self.rows.last()?, |_, _| shows = true);
        let row = self.rows.len() as u32 - 1;
        let showing = Showing { row, surface, depth, instance, component };
        Some((showing, shows && *observed))
    }
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
}

impl Store {
    /// Applies a message of rows that come again; nothing where it is another one.
    pub(super) fn apply_again(
        &mut self,
        message: &[u8],
        held: Held,
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
        let read = self.read_rows(message, start, closing, &mut diagnostics);
        let Some(kept) = read.filter(|_| !self.document.is_full()) else {
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
        self.records.start_message(held, message, kept);
        match self.rows.otherwise {
            true => self.tell(&mut diagnostics),
            false => self.tell_rows(),
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
        // Mostly there is no second one; and where the first does not come again, no more are looked for.
        let (mut at, mut most) = (start, 1);
        loop {
            // All are read that were looked up, or a row begins where it was not guessed to.
            if ahead.get(next).is_none_or(|row| row.start != at) {
                look_ahead(site.document, &self.watchers, message, at, most, ahead);
                (next, most) = (0, TOGETHER);
            }
            let Ahead { start, end, map, node, mut before } = *ahead.get(next)?;
            next += 1;
            if site.document.mark_set(node) {
                let key = Span::new(start, end + 1);
                told.report(duplicate_key(site.document.id(node), key));
                before = take_back(site.document, &mut self.rows.rows, node);
            }
            let Value::Map(before) = before else { return None };
            let builder = self.update.builder();
            let again = builder.take_again(&mut site, message, map, before)?;
            let Again { now, changed, parts, end } = again;
            if changed != 0 {
                site.document.replace(node, Value::Map(now));
                self.rows.rows.push(Row { now, changed });
                self.rows.otherwise |= parts;
                for owner in self.watchers.owners(node) {
                    self.rows.note(owner, node, &site.document.arena.shapes, &self.surfaces);
                }
            }
            match skip_punctuation(message, end, b',') {
                Some(next) => at = next,
                None if closes(message.get(end..)?, closing) => return Some(site.keep(message)),
                None => return None,
            }
        }
    }

    /// Tells those who were noted, the surfaces one after the other, and what stands higher first.
    #[inline(always)]
    fn tell_rows(&mut self) {
        let Rows { rows, showing, .. } = &mut self.rows;
        self.records.expect(rows.len());
        if showing.len() > 1 {
            // Nothing stands deeper than a byte can say, see `MAX_DEPTH`.
            showing.sort_by_key(|&each| each.instance);
            showing.sort_by_key(|&each| each.surface << 8 | u32::from(each.depth));
        }
        let mut at_hand = None;
        for Showing { row, surface: number, instance, component, .. } in showing {
            let Some(surface) = self.surfaces.get(*number as usize) else { continue };
            let component = surface.tree.component(*component);
            let Some(fields) = component.and_then(|it| it.fields.as_deref()) else { continue };
            // It may have been taken back.
            let row = rows.get(*row as usize).filter(|row| row.changed != 0);
            let Some(row) = row else { continue };
            if at_hand != Some(*number) {
                self.records.op(Op::Surface, [*number]);
                at_hand = Some(*number);
            }
            let (document, records) = (&self.document, &mut self.records);
            flush::changed_fields(fields, &document.arena.shapes, row, |prop, slot| {
                let now = document.arena.value(row.now, slot).unwrap_or(Value::Missing);
                records.op(Op::Set, [*instance, prop]);
                records.value(document.now(), now, None);
            });
        }
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
        row.changed = 0;
        document.replace(node, before);
    }
    before
}

/// Looks up the row that begins at `at`, and those that seem to follow it, up to `most`. All that can be
/// known before a row is read is found for many of them at once, so that memory is waited for once.
#[inline(never)]
fn look_ahead(
    document: &Document,
    watchers: &Dependencies,
    message: &[u8],
    at: usize,
    most: usize,
    ahead: &mut Vec<Ahead>,
) {
    ahead.clear();
    let (ids, arena, mut next) = (&document.ids, &document.arena, Some(at));
    let id = |row: &Ahead| message.get(row.start + 1..row.end).unwrap_or_default();
    while let Some(row) = next.and_then(|at| row_at(message, at)) {
        ahead.push(row);
        next = None;
        if ahead.len() < most {
            next = row_behind(message, row.map);
        }
    }
    for row in ahead.iter_mut() {
        row.node = NodeRef(ids.likely(id(row)));
    }
    // Each step fetches what the one before has found the place of, for all rows.
    for row in ahead.iter_mut() {
        row.before = document.value(row.node);
        ids.prefetch(row.node.0);
        watchers.prefetch(row.node);
    }
    for row in ahead.iter() {
        ids.prefetch_name(row.node.0);
        watchers.prefetch_first(row.node);
        arena.prefetch(row.before);
    }
    for row in ahead.iter() {
        arena.prefetch_texts(row.before);
    }
    let is_known = |row: &mut Ahead| {
        let id = id(row);
        if !same(ids.usual(row.node.0), id) {
            row.node = NodeRef(ids.find(id).unwrap_or(u32::MAX));
            row.before = document.value(row.node);
        }
        !ids.usual(row.node.0).is_empty()
    };
    let known = ahead.iter_mut().map(is_known).take_while(|is_known| *is_known).count();
    ahead.truncate(known);
}

/// The row whose key opens at `at`, if a node that is there is named and a map stands there.
#[inline(always)]
fn row_at(message: &[u8], at: usize) -> Option<Ahead> {
    if message.get(at) != Some(&b'"') {
        return None;
    }
    let end = ascii_string_end(message, at + 1)?;
    let map =
        skip_punctuation(message, end + 1, b':').filter(|at| message.get(*at) == Some(&b'{'))?;
    Some(Ahead { start: at, end, map, node: NodeRef(0), before: Value::Missing })
}

/// Where the row behind one that goes on at `at` seems to begin: the brace may stand in a text.
#[inline(always)]
fn row_behind(message: &[u8], at: usize) -> Option<usize> {
    let rest = message.get(at..)?;
    let close = memchr(b'}', rest)?;
    skip_punctuation(message, at + close + 1, b',')
}

/// Whether nothing comes but what closes the message.
#[inline(always)]
fn closes(rest: &[u8], closing: &[u8]) -> bool {
    same(rest, closing) || rest.iter().filter(|byte| !is_space(**byte)).eq(closing)
}
