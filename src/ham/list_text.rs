//! Cache of the text of the last long list. Lists are often sent again with few changes, so equal
//! stretches of text need no parsing.

use crate::base::bytes::common_prefix_len;
use memchr::memchr_iter;

/// The text of a list of pointers, and the nodes they point to.
#[derive(Default)]
pub struct ListText {
    /// Text from the quote of the first item.
    text: Vec<u8>,
    nodes: Vec<u32>,
    /// Item that is expected next.
    next: ItemPosition,
    /// Number of items in a row that did not match.
    misses: usize,
}

/// Index of an item and the offset of its text.
#[derive(Clone, Copy, Default)]
struct ItemPosition {
    item: usize,
    at: usize,
}

/// Minimum number of items of a cached list; shorter lists are parsed as fast.
pub const MIN_LIST_LENGTH: usize = 64;

/// Maximum length of a cached text in bytes.
const MAX_TEXT_BYTES: usize = 2 << 20;

/// Number of mismatches in a row after which the cache is ignored.
const MAX_CACHE_MISSES: usize = 16;

/// Maximum number of removed items in a row.
const MAX_SKIPPED_ITEMS: usize = 64;

impl ListText {
    /// Stores a list of pointers without escapes.
    pub fn remember(&mut self, text: &[u8], nodes: &[u32]) {
        self.clear();
        if text.len() <= MAX_TEXT_BYTES {
            self.text.extend_from_slice(text);
            self.nodes.extend_from_slice(nodes);
        }
    }

    /// Clears the cache, for example because node handles have changed.
    pub fn clear(&mut self) {
        self.text.clear();
        self.nodes.clear();
        self.start_list();
    }

    /// Prepares for a new list.
    pub fn start_list(&mut self) {
        self.next = ItemPosition::default();
        self.misses = 0;
    }

    /// Returns whether the cache may match more items.
    pub fn can_match(&self) -> bool {
        self.misses <= MAX_CACHE_MISSES && self.next.item < self.nodes.len()
    }

    /// Matches items at the start of `text` with the cache. Returns their nodes and the offset
    /// after the last one, or `None`. `last` is the node of the preceding item.
    pub fn match_items(&mut self, text: &[u8], last: Option<u32>) -> Option<(&[u32], usize)> {
        if !self.can_match() {
            return None;
        }
        let mut start = self.next;
        let mut same = self.matching_items(text, start);
        if same.is_none()
            && self.misses > 0
            && let Some(position_after) = last.and_then(|last| self.position_after(last))
        {
            start = position_after;
            same = self.matching_items(text, start);
        }
        let Some((count, end)) = same else {
            self.misses += 1;
            return None;
        };
        self.misses = 0;
        self.next = self.advance(start, count, end);
        Some((self.nodes.get(start.item..self.next.item)?, end))
    }

    /// Returns the number of items at the start of `text` that equal those from a position on, and
    /// the offset after them.
    fn matching_items(&self, text: &[u8], start: ItemPosition) -> Option<(usize, usize)> {
        let cached = self.text.get(start.at..)?;
        let same = text.get(..common_prefix_len::<32, _>(text, cached))?;
        let quotes = count_byte(b'"', same);
        // After an odd number of quotes, the last one opens an item that differs.
        let mut back = same.iter().enumerate().rev().filter(|(_, byte)| **byte == b'"');
        let (last, _) = back.nth(quotes % 2)?;
        Some((quotes / 2, last + 1))
    }

    /// Returns the position after the item of a node if it is among the next items.
    fn position_after(&self, node: u32) -> Option<ItemPosition> {
        let mut ahead = self.nodes.iter().skip(self.next.item).take(MAX_SKIPPED_ITEMS);
        let passed = ahead.position(|other| *other == node)?;
        let text = self.text.get(self.next.at..)?.iter().enumerate();
        let (last, _) = text.filter(|(_, byte)| **byte == b'"').nth(2 * passed + 1)?;
        Some(self.advance(self.next, passed + 1, last + 1))
    }

    /// Returns the position after `items` items, which end `bytes` bytes after `from`.
    fn advance(&self, start: ItemPosition, items: usize, bytes: usize) -> ItemPosition {
        let end = start.at + bytes;
        let rest = self.text.get(end..).unwrap_or_default();
        let separator_len = rest.iter().take_while(|byte| **byte != b'"').count();
        ItemPosition { item: start.item + items, at: end + separator_len }
    }
}

/// Counts the occurrences of a byte.
#[inline(never)]
pub fn count_byte(byte: u8, text: &[u8]) -> usize {
    memchr_iter(byte, text).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(nodes: &[u32]) -> String {
        nodes.iter().map(|node| format!("\"*n{node}\"")).collect::<Vec<_>>().join(", ")
    }

    /// Parses a list with the cache. Returns its nodes and the number of items that did not match.
    fn read(cache: &mut ListText, nodes: &[u32]) -> (Vec<u32>, usize) {
        let text = render(nodes);
        let mut rest = text.as_bytes();
        let mut found: Vec<u32> = Vec::new();
        let mut unmatched = 0;
        cache.start_list();
        while !rest.is_empty() {
            let end = match cache.match_items(rest, found.last().copied()) {
                Some((nodes, end)) => {
                    found.extend_from_slice(nodes);
                    end
                }
                None => {
                    unmatched += 1;
                    found.push(nodes[found.len()]);
                    memchr_iter(b'"', rest).nth(1).unwrap() + 1
                }
            };
            rest = &rest[end..];
            rest = rest.strip_prefix(b", ").unwrap_or(rest);
        }
        (found, unmatched)
    }

    #[test]
    fn match_items_skips_unchanged_items() {
        let list: Vec<u32> = (100..400).collect();
        let edited = |edit: fn(&mut Vec<u32>)| {
            let mut cache = ListText::default();
            cache.remember(render(&list).as_bytes(), &list);
            let mut other = list.clone();
            edit(&mut other);
            let (found, unmatched) = read(&mut cache, &other);
            assert_eq!(found, other);
            unmatched
        };
        assert_eq!(edited(|_| {}), 0);
        assert_eq!(edited(|list| list.insert(0, 7)), 1);
        assert_eq!(edited(|list| list.insert(150, 1)), 1);
        assert_eq!(edited(|list| list.push(7)), 1);
        assert_eq!(edited(|list| list.push(10)), 1);
        assert_eq!(edited(|list| list.retain(|node| *node > 100)), 1);
        assert_eq!(edited(|list| list.retain(|node| node % 50 > 20)), 6);
        assert_eq!(edited(|list| list.truncate(20)), 0);
        assert_eq!(edited(|list| list.clear()), 0);
        assert_eq!(edited(|list| list.swap(10, 50)), 4);
        assert_eq!(edited(|list| list.rotate_left(1)), 2);
        assert_eq!(edited(|list| list.reverse()), 300);
    }

    #[test]
    fn clear_removes_the_list() {
        let mut cache = ListText::default();
        cache.remember(br#""*n1", "*n2""#, &[1, 2]);
        cache.clear();
        assert_eq!(cache.match_items(br#""*n1", "*n2""#, None), None);
    }
}
