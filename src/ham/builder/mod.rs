//! Builds values in the arena while the reader goes through their text.

mod glance;
mod pointers;

pub use self::glance::Again;

use self::pointers::Pointed;
use super::arena::{Arena, NodeRef, Run, Value};
use super::labels::Labels;
use super::list_text::{LONG, ListText};
use super::shape::{self, KeyRef, ShapeRef};
use super::site::Site;
use crate::base::json::{self, duplicate_key};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use std::ops::Range;

/// The maps and lists that are open, and the values in them so far.
#[derive(Default)]
pub struct Builder {
    open: Vec<Open>,
    values: Vec<Value>,
    keys: Vec<(KeyRef, Span)>,
    /// The items of the innermost list, while they are nothing but pointers.
    pointers: Vec<u32>,
    known: ListText,
    /// Scratch of pointers that are looked up together.
    together: Vec<Pointed>,
    /// Whether the pointers of the innermost list were read as they stand in the text, without escapes.
    verbatim: bool,
    /// The longest list of pointers in the message, where in the arena and in the text it stands.
    longest: Option<(Run, Range<usize>)>,
    /// The last shape at each level: the next map there probably has it too.
    last: Vec<ShapeRef>,
    labels: Labels,
    /// How many maps in a row were none of the last shape.
    unlike: u32,
    /// The node after the last one that was pointed to: lists often point to nodes in the order
    /// in which they were first named.
    guess: u32,
    /// The key that was guessed last.
    expected: Option<KeyRef>,
}

struct Open {
    kind: Kind,
    values: usize,
    keys: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Where in the text it opens.
    List(usize),
    /// The shape the map is expected to have; whether its keys so far agree.
    Map { expected: ShapeRef, agrees: bool },
}

impl Builder {
    /// Forgets what is open. The shapes seen last stay: the next message probably has them too.
    pub fn restart(&mut self) {
        self.open.clear();
        self.values.clear();
        self.keys.clear();
        self.pointers.clear();
        self.longest = None;
        self.labels.restart();
        self.unlike = 0;
    }

    /// Remembers how the longest list of the text was written, now that all of it has been read.
    pub fn remember(&mut self, arena: &Arena, text: &[u8]) {
        let Some((run, place)) = self.longest.take() else { return };
        let text = text.get(place).unwrap_or_default();
        let start = text.iter().take_while(|byte| **byte != b'"').count();
        self.known.remember(text.get(start..).unwrap_or_default(), arena.pointers(run));
    }

    /// Whether a map or list is open.
    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Bytes of memory that what is open will take in the arena once it closes.
    pub fn open_size(&self) -> usize {
        size_of_val(&*self.values) + size_of_val(&*self.pointers)
    }

    /// The nodes that what is open points to, beside those in its values.
    pub fn pointers(&self) -> impl Iterator<Item = NodeRef> {
        self.pointers.iter().copied().map(NodeRef)
    }

    /// The values of what is open.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.values.iter_mut()
    }

    /// The keys of what is open.
    pub fn keys(&self) -> impl Iterator<Item = KeyRef> {
        self.keys.iter().map(|(key, _)| *key)
    }

    /// Forgets what was seen before: the numbers of shapes and nodes have changed.
    pub fn forget_numbers(&mut self) {
        self.known.forget();
        self.last.clear();
        self.labels.forget();
        for open in &mut self.open {
            if let Kind::Map { expected, agrees } = &mut open.kind {
                (*expected, *agrees) = (shape::EMPTY, false);
            }
        }
    }

    /// A list opens, at this byte of the text.
    pub fn open_list(&mut self, at: usize) {
        self.open(Kind::List(at));
        self.known.start();
        self.verbatim = true;
    }

    /// A map opens.
    pub fn open_map(&mut self) {
        let expected = self.last.get(self.open.len()).copied().unwrap_or(shape::EMPTY);
        self.open(Kind::Map { expected, agrees: true });
    }

    fn open(&mut self, kind: Kind) {
        self.mix();
        self.open.push(Open { kind, values: self.values.len(), keys: self.keys.len() });
    }

    /// Something else comes, behind pointers if there are any.
    #[inline(always)]
    fn mix(&mut self) {
        if !self.pointers.is_empty() {
            self.keep_pointers();
        }
    }

    #[cold]
    fn keep_pointers(&mut self) {
        let pointers = self.pointers.drain(..);
        self.values.extend(pointers.map(|node| Value::Pointer(NodeRef(node))));
    }

    /// Whether the innermost is a list that holds nothing but pointers so far.
    #[inline]
    fn in_pointers(&self) -> bool {
        let is_list = |open: &Open| matches!(open.kind, Kind::List(_));
        self.open.last().is_some_and(|open| is_list(open) && open.values == self.values.len())
    }

    /// A key of the innermost map.
    pub fn key(&mut self, site: &mut Site<'_>, text: json::Text<'_>) {
        let Some(open) = self.open.last_mut() else { return };
        let nth = self.keys.len() - open.keys;
        if let Kind::Map { expected, agrees } = &mut open.kind
            && *agrees
        {
            let expected = site.document.arena.shapes.keys(*expected).get(nth).copied();
            match expected.filter(|key| site.document.keys.is(key.0, text.bytes)) {
                Some(key) => return self.keys.push((key, text.span)),
                None => *agrees = false,
            }
        }
        let key = KeyRef(site.document.keys.intern(text.bytes));
        self.keys.push((key, text.span));
    }

    /// The key that the innermost map probably has next.
    #[inline]
    pub fn guess_key<'s>(&mut self, site: &'s Site<'_>) -> &'s [u8] {
        self.expected = self.expected_key(site);
        self.expected.map_or(b"", |key| site.document.keys.plain(key.0))
    }

    /// The key that was guessed.
    #[inline]
    pub fn guessed_key(&mut self, span: Span) {
        if let Some(key) = self.expected {
            self.keys.push((key, span));
        }
    }

    #[inline(always)]
    fn expected_key(&self, site: &Site<'_>) -> Option<KeyRef> {
        let open = self.open.last()?;
        let Kind::Map { expected, agrees: true } = open.kind else { return None };
        let nth = self.keys.len() - open.keys;
        site.document.arena.shapes.keys(expected).get(nth).copied()
    }

    /// Takes numbers from the text of the innermost list. See [`json::Sink::take_numbers`].
    pub fn take_numbers(&mut self, text: &[u8]) -> Option<usize> {
        self.mix();
        let (mut taken, mut at) = (None, 0);
        while let Some((value, length)) = text.get(at..).and_then(json::short_number) {
            self.values.push(Value::Number(value));
            let end = at + length;
            taken = Some(end);
            let Some(next) = json::skip_punctuation(text, end, b',') else { break };
            at = next;
        }
        taken
    }

    /// The last value, taken out again.
    pub fn take_last(&mut self) -> Option<Value> {
        self.values.pop()
    }

    /// A number, a boolean or null.
    #[inline]
    pub fn scalar(&mut self, value: Value) {
        self.mix();
        self.values.push(value);
    }

    /// A string that is never a pointer.
    pub fn literal(&mut self, site: &mut Site<'_>, text: json::Text<'_>) {
        let value = site.text(text);
        self.scalar(value);
    }

    /// A string, which is a pointer when it begins with the sigil. Answers the id it points to.
    #[inline(always)]
    pub fn text<'t>(
        &mut self,
        site: &mut Site<'_>,
        text: json::Text<'t>,
    ) -> Option<(NodeRef, &'t [u8])> {
        let Some(id) = text.bytes.strip_prefix(site.document.settings.sigil.as_bytes()) else {
            self.literal(site, text);
            return None;
        };
        let node = pointed(&mut self.guess, site, id);
        if self.in_pointers() {
            self.pointers.push(node.0);
            self.verbatim &= text.verbatim.is_some();
        } else {
            self.values.push(Value::Pointer(node));
        }
        Some((node, id))
    }

    /// The innermost map or list closes, at this byte of the text. Answers the value that is complete
    /// once nothing is open.
    pub fn close(
        &mut self,
        site: &mut Site<'_>,
        at: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Value> {
        let Open { kind, values, keys } = self.open.pop()?;
        let value = match kind {
            Kind::List(start) if !self.pointers.is_empty() => {
                let value = site.arena().push_pointers(&self.pointers);
                let longest = self.longest.as_ref().map_or(LONG - 1, |(run, _)| run.len as usize);
                // With escapes, what looks like a quote may be none.
                if let Value::Pointers(run) = value
                    && self.pointers.len() > longest
                    && self.verbatim
                {
                    self.longest = Some((run, start..at));
                }
                self.pointers.clear();
                value
            }
            Kind::List(_) => {
                let items = self.values.get(values..).unwrap_or_default();
                site.arena().push_list(items)
            }
            Kind::Map { expected, agrees } => {
                let shape = self.shape(site, expected, agrees, values, keys, diagnostics);
                let slots = self.values.get(values..).unwrap_or_default();
                site.arena().push_map(shape, slots)
            }
        };
        self.values.truncate(values);
        self.keys.truncate(keys);
        if self.open.is_empty() {
            return Some(value);
        }
        self.values.push(value);
        None
    }

    /// The shape of the map that closes, whose values start at `values` and keys at `keys`.
    fn shape(
        &mut self,
        site: &mut Site<'_>,
        expected: ShapeRef,
        agrees: bool,
        values: usize,
        keys: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> ShapeRef {
        let count = self.keys.len() - keys;
        let shapes = &mut site.document.arena.shapes;
        if agrees && shapes.keys(expected).len() == count {
            return expected;
        }
        let list = |keyed: &[(KeyRef, Span)]| keyed.iter().map(|(key, _)| *key).collect::<Vec<_>>();
        let names = list(self.keys.get(keys..).unwrap_or_default());
        let shape = match shapes.find(&names) {
            Some(shape) => shape,
            None => {
                self.merge_duplicates(site, values, keys, diagnostics);
                let names = list(self.keys.get(keys..).unwrap_or_default());
                site.document.arena.shapes.intern(&names)
            }
        };
        let level = self.open.len();
        if self.last.len() <= level {
            self.last.resize(level + 1, shape::EMPTY);
        }
        if let Some(last) = self.last.get_mut(level) {
            *last = shape;
        }
        shape
    }

    /// The last value of a duplicate key takes the place of the first.
    fn merge_duplicates(
        &mut self,
        site: &Site<'_>,
        values: usize,
        keys: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut order: Vec<usize> = (0..self.keys.len() - keys).collect();
        let key = |slot: usize| {
            self.keys.get(keys + slot).copied().unwrap_or((KeyRef(0), Span::default()))
        };
        order.sort_by_key(|&slot| key(slot).0.0);
        let mut doomed = Vec::new();
        for same in order.chunk_by(|a, b| key(*a).0 == key(*b).0) {
            let (Some(first), Some(last)) = (same.first(), same.last()) else { continue };
            for slot in same.iter().skip(1) {
                let (name, span) = key(*slot);
                diagnostics.report(duplicate_key(site.document.keys.text(name.0), span));
                doomed.push(*slot);
            }
            if let Some(value) = self.values.get(values + last).copied()
                && let Some(kept) = self.values.get_mut(values + first)
            {
                *kept = value;
            }
        }
        if doomed.is_empty() {
            return;
        }
        doomed.sort_by_key(|&slot| slot as u32);
        let mut slot = 0;
        let keep = |slot: &mut usize| {
            *slot += 1;
            doomed.binary_search(&(*slot - 1)).is_err()
        };
        let tail = self.keys.split_off(keys);
        self.keys.extend(tail.into_iter().filter(|_| keep(&mut slot)));
        slot = 0;
        let tail = self.values.split_off(values);
        self.values.extend(tail.into_iter().filter(|_| keep(&mut slot)));
    }
}

/// The node of a pointer: mostly the one that is guessed.
#[inline(always)]
fn pointed(guess: &mut u32, site: &mut Site<'_>, id: &[u8]) -> NodeRef {
    let node = match site.document.ids.is(*guess, id) {
        true => NodeRef(*guess),
        false => site.document.node(id),
    };
    *guess = node.0 + 1;
    node
}
