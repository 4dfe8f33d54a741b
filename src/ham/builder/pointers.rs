//! Pointers of a list, taken in stretches from its text.

use super::Builder;
use crate::base::bytes::same;
use crate::base::json;
use crate::ham::document::Document;
use crate::ham::interner::begins_usually;
use crate::ham::site::Site;
use std::ops::Range;

/// So many pointers are looked up together.
const MOST: usize = 64;

/// A pointer that is looked up.
pub struct Pointed {
    /// Where its id stands in the text.
    id: Range<usize>,
    /// The node that it probably points to.
    node: u32,
}

impl Builder {
    /// Takes pointers from the text of the innermost list, as long as they are written as they were
    /// in the last long one, or their ids are plain. See [`json::Sink::take_items`].
    pub fn take_items(&mut self, site: &mut Site<'_>, text: &[u8]) -> Option<usize> {
        if !self.in_pointers() {
            return None;
        }
        let last = self.pointers.last().copied();
        if let Some((nodes, end)) = self.known.take(text, last) {
            self.pointers.extend_from_slice(nodes);
            self.guess = self.pointers.last().map_or(0, |node| node + 1);
            return Some(end);
        }
        self.take_pointers(site.document, text)
    }

    /// Takes pointers whose ids are plain.
    fn take_pointers(&mut self, document: &mut Document, text: &[u8]) -> Option<usize> {
        let between = document.between.as_deref()?;
        let (opening, gap) = (between.get(2..)?, between.len());
        if !text.starts_with(opening) {
            return None;
        }
        let mut taken = None;
        let mut at = opening.len();
        // The more were guessed in vain, the more of the next are looked up at once.
        let mut most = 1;
        loop {
            let guess = document.ids.usual(self.guess);
            let end = if guess.is_empty() {
                // There is no such id: behind one that is new come mostly others that are.
                self.take_new(document, text, at)
            } else if is_quoted(text, at, guess) {
                most = 1;
                self.pointers.push(self.guess);
                Some(at + guess.len())
            } else {
                let end = self.take_together(document, text, at, most);
                most = (2 * most).min(MOST);
                end
            };
            let Some(end) = end else { break };
            self.guess = self.pointers.last().map_or(0, |node| node + 1);
            taken = Some(end + 1);
            at = end + gap;
            // What was written as before is taken faster.
            if self.known.may_go_on() || !is_between(document, text.get(end..at)) {
                break;
            }
        }
        taken
    }

    /// Takes a pointer that is probably the first to its node; answers where its id ends.
    #[inline(always)]
    fn take_new(&mut self, document: &mut Document, text: &[u8], at: usize) -> Option<usize> {
        let end = json::ascii_string_end(text, at)?;
        let id = text.get(at..end).filter(|id| begins_usually(id))?;
        self.pointers.push(document.node(id).0);
        Some(end)
    }

    /// Takes up to so many pointers, as long as their ids are plain; answers where the last id ends. They are
    /// looked up in steps, each for all of them, so that memory is waited for once.
    #[inline(never)]
    fn take_together(
        &mut self,
        document: &mut Document,
        text: &[u8],
        at: usize,
        most: usize,
    ) -> Option<usize> {
        let mut at = at;
        self.together.clear();
        while self.together.len() < most {
            let Some(end) = json::unescaped_string_end(text, at) else { break };
            let Some(id) = text.get(at..end).filter(|id| begins_usually(id)) else { break };
            self.together.push(Pointed { id: at..end, node: document.ids.likely(id) });
            at = end + document.between.as_deref().map_or(0, <[u8]>::len);
            if !is_between(document, text.get(end..at)) {
                break;
            }
        }
        self.together.iter().for_each(|pointed| document.ids.prefetch(pointed.node));
        self.together.iter().for_each(|pointed| document.ids.prefetch_name(pointed.node));
        let mut taken = None;
        for Pointed { id, node } in &self.together {
            let name = text.get(id.clone()).unwrap_or_default();
            let node = match *node {
                node if same(document.ids.usual(node), name) => node,
                _ if name.is_ascii() => document.node(name).0,
                // Letters that nobody has looked at yet.
                _ => break,
            };
            self.pointers.push(node);
            taken = Some(id.end);
        }
        taken
    }
}

/// Whether an id stands in a text at a place, with a quote behind it.
#[inline(always)]
fn is_quoted(text: &[u8], at: usize, id: &[u8]) -> bool {
    let end = at + id.len();
    text.get(end) == Some(&b'"') && text.get(at..end).is_some_and(|found| same(found, id))
}

/// Whether this stands between two pointers.
#[inline(always)]
fn is_between(document: &Document, text: Option<&[u8]>) -> bool {
    text.zip(document.between.as_deref()).is_some_and(|(found, between)| same(found, between))
}
