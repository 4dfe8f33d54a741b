//! Rows that come again: nodes that are there, each a flat map with the keys that it has. Most messages
//! say nothing else, so these are read, applied and told in one go. Where anything about a message is
//! unusual, nothing has happened, and it is read from its start as any other.

use super::{Applied, Store};
use crate::base::json::plain_end;
use crate::base::slots::Slots;
use crate::base::sort;
use crate::ham::arena::{Map, NodeRef, Value};
use crate::ham::builder::Again;
use crate::ham::history::Cause;
use crate::ham::observe::{Dependencies, Owner};
use crate::ham::site::{Kept, Site};
use crate::ham::surface::component::ComponentRef;
use crate::ham::surface::record::Op;
use crate::ham::surface::{Surface, flush};
use crate::ham::update;

/// Larger messages are read as any other: they may hold anything, and would be read twice in vain.
const LARGE: usize = 1 << 16;

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
    pub(super) fn apply_again(&mut self, message: &[u8], ascii: bool) -> Option<Applied> {
        let limits = self.document.settings.limits;
        let is_usual = self.document.between.is_some() && limits.depth > 1;
        if !is_usual || message.len() > limits.bytes.min(LARGE) || self.document.is_full() {
            return None;
        }
        let mark = self.document.arena.mark();
        self.document.start_message(0);
        self.rows.clear();
        let Some(kept) = self.read_rows(message) else {
            if !self.rows.is_empty() {
                self.document.roll_back();
            }
            self.document.arena.cut(mark);
            return None;
        };
        self.records.start(ascii.then_some(kept));
        let mut diagnostics = Vec::new();
        let told = self.records.mark();
        if !self.tell_rows() {
            self.records.cut(told);
            self.tell(&mut diagnostics);
        }
        self.history.note(self.document.end_update(), Cause::Update);
        Some(Applied { ok: true, revision: self.history.last(), diagnostics })
    }

    /// Reads all rows and sets those that are others; nothing where there is anything else. Answers
    /// what was kept of the message.
    #[inline(always)]
    fn read_rows(&mut self, message: &[u8]) -> Option<Kept> {
        let mut site = Site::new(&mut self.document, message);
        let mut at = 1;
        if message.first() != Some(&b'{') {
            return None;
        }
        loop {
            if message.get(at) != Some(&b'"') {
                return None;
            }
            let end = plain_end(message, at + 1)?;
            let id = message.get(at + 1..end)?;
            if at == 1 && update::names_form(id) {
                return None;
            }
            let node = NodeRef(site.document.ids.find_usual(id)?);
            let Value::Map(before) = site.document.value(node) else { return None };
            if message.get(end..end + 3) != Some(b"\":{") || site.document.mark_set(node) {
                return None;
            }
            // Before the row is read, so that memory is waited for once for both.
            let shown = shown(&self.watchers, &self.surfaces, node);
            let builder = self.update.builder();
            let again = builder.take_again(&mut site, message, end + 2, before)?;
            let Again { now, changed, parts, end } = again;
            if changed != 0 {
                site.document.replace(node, Value::Map(now));
                self.rows.push(Row { now, changed, parts, shown });
            }
            match message.get(end..)? {
                b"}" => return Some(site.keep(message)),
                [b',', ..] => at = end + 1,
                _ => return None,
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
