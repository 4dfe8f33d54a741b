//! Maps that are taken at a glance: those that nobody need be told of, spaced as the last one was.

use super::{Builder, pointed};
use crate::base::bytes::same;
use crate::base::json::{self, Scalar};
use crate::ham::arena::{Map, Value};
use crate::ham::interner::begins_usually;
use crate::ham::site::Site;

/// A map that comes again with more keys is read as any other.
const MOST: usize = u64::BITS as usize;

/// A map that came again with the keys that it had.
pub struct Again {
    /// The map that it is now; means nothing where it is as it was.
    pub now: Map,
    /// Which of its values are others: a bit for each, from the lowest on.
    pub changed: u64,
    /// Whether a value is or was a pointer, a list or a map.
    pub parts: bool,
    /// Where its text ends.
    pub end: usize,
}

impl Builder {
    /// Takes the map that opens at `at`, where nothing else is open, if it has the keys that it
    /// probably has, each with a value that is no list and no map; and where it ends.
    #[inline(always)]
    pub fn take_map(
        &mut self,
        site: &mut Site<'_>,
        piece: &[u8],
        at: usize,
    ) -> Option<(Value, usize)> {
        /// After so many others in a row, one in so many is looked at.
        const OTHERS: u32 = 8;
        if self.unlike >= OTHERS && !self.unlike.is_multiple_of(OTHERS) {
            self.unlike += 1;
            return None;
        }
        let mut taken = self.take_labelled(site, piece, at);
        if taken.is_none() && self.labels.learn(piece, at) {
            taken = self.take_labelled(site, piece, at);
        }
        self.unlike = if taken.is_some() { 0 } else { self.unlike + 1 };
        taken
    }

    /// The same, where the map is spaced as the last one was.
    #[inline(never)]
    fn take_labelled(
        &mut self,
        site: &mut Site<'_>,
        piece: &[u8],
        at: usize,
    ) -> Option<(Value, usize)> {
        let shape = *self.last.first()?;
        self.labels.write(site.document, shape);
        let (guess, extra) = (self.guess, site.extra());
        let map = Map { shape, start: site.arena().begin_map() };
        let Some(end) = self.take_values(site, piece, at) else {
            site.arena().forget_map(map);
            site.forget_extra(extra);
            self.guess = guess;
            return None;
        };
        Some((Value::Map(map), end))
    }

    /// Takes the values between the labels.
    #[inline(always)]
    fn take_values(&mut self, site: &mut Site<'_>, piece: &[u8], at: usize) -> Option<usize> {
        let mut at = at;
        for label in self.labels.each() {
            let start = at + label.len();
            if !same(piece.get(at..start)?, label) {
                return None;
            }
            let (value, end) = match json::parse_scalar(piece, start) {
                Some((value, end)) => (plain(&mut self.guess, site, value, start)?, end),
                None => {
                    let (value, end) = site.escaped_text(piece, start, Value::Missing)?;
                    (value?, end)
                }
            };
            site.arena().push_value(value);
            at = end;
        }
        let end = at + self.labels.closing().len();
        let is_closed = !self.labels.is_empty() && same(piece.get(at..end)?, self.labels.closing());
        is_closed.then_some(end)
    }

    /// Takes the map that opens at `at`, where nothing else is open, if it has the keys of a map that
    /// is there, `before`, each with a value that is no list and no map.
    #[inline(always)]
    pub fn take_again(
        &mut self,
        site: &mut Site<'_>,
        piece: &[u8],
        at: usize,
        before: Map,
    ) -> Option<Again> {
        self.labels.write(site.document, before.shape);
        if !(1..=MOST).contains(&self.labels.len()) {
            return None;
        }
        let start = site.arena().begin_map();
        let (mut at, mut changed, mut parts) = (at, 0, false);
        for (slot, label) in self.labels.each().enumerate() {
            let from = at + label.len();
            if !same(piece.get(at..from)?, label) {
                return None;
            }
            let old = site.document.arena.value(before, slot)?;
            parts |= !old.is_scalar();
            let value = match site.document.arena.match_key(old, piece, from) {
                Some(end) => {
                    at = end;
                    old
                }
                None => {
                    let (value, end, is_other) = match json::parse_scalar(piece, from) {
                        Some((value, end)) if is_text(site, &value, old) => (old, end, false),
                        Some((value, end)) => {
                            let value = plain(&mut self.guess, site, value, from)?;
                            // Another text is not in the arena yet.
                            let is_other = matches!(value, Value::Text(_))
                                || !site.document.arena.equal(value, old);
                            (value, end, is_other)
                        }
                        None => {
                            let (value, end) = site.escaped_text(piece, from, old)?;
                            (value.unwrap_or(old), end, value.is_some())
                        }
                    };
                    at = end;
                    parts |= !value.is_scalar();
                    changed |= u64::from(is_other) << slot;
                    value
                }
            };
            site.arena().push_value(value);
        }
        let end = at + self.labels.closing().len();
        if !same(piece.get(at..end)?, self.labels.closing()) {
            return None;
        }
        let now = Map { shape: before.shape, start };
        if changed == 0 {
            site.arena().forget_map(now);
        }
        Some(Again { now, changed, parts, end })
    }
}

/// Whether what was read is the text that stood there before.
#[inline(always)]
fn is_text(site: &Site<'_>, value: &Scalar<'_>, old: Value) -> bool {
    let (Scalar::Text { bytes, .. }, Value::Text(text)) = (value, old) else { return false };
    let sigil = site.document.settings.sigil.as_bytes();
    !bytes.starts_with(sigil) && same(site.document.arena.bytes(text), bytes)
}

/// The value that stands at `at` of the piece, unless it may have to be told of.
#[inline(always)]
fn plain(guess: &mut u32, site: &mut Site<'_>, value: Scalar<'_>, at: usize) -> Option<Value> {
    match value {
        Scalar::Null => Some(Value::Null),
        Scalar::Bool(value) => Some(Value::Bool(value)),
        Scalar::Number(value) => Some(Value::Number(value)),
        Scalar::Text { bytes, ascii } => plain_text(guess, site, bytes, at + 1, ascii),
    }
}

/// The text that stands at `at` of the piece, or the pointer that it is, unless that may have to be
/// told of.
#[inline(always)]
fn plain_text(
    guess: &mut u32,
    site: &mut Site<'_>,
    text: &[u8],
    at: usize,
    ascii: bool,
) -> Option<Value> {
    let sigil = site.document.settings.sigil.as_bytes();
    if text.first() != sigil.first() {
        return Some(site.plain_text(at, text.len(), ascii));
    }
    match text.strip_prefix(sigil) {
        None => Some(site.plain_text(at, text.len(), ascii)),
        Some(id) if begins_usually(id) => Some(Value::Pointer(pointed(guess, site, id))),
        Some(_) => None,
    }
}
