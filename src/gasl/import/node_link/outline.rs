//! Spans of the parts of a node-link document. They are parsed one by one afterwards, nodes before
//! edges in any document. No value tree of the document is built, because that alone takes as long
//! as the complete import.

use crate::base::json::{Limits, Reader, ScalarEntries, Sink, Text};
use crate::base::{Diagnostic, Span};

/// Spans of the values of the outermost map, and of the items of its node and edge lists.
#[derive(Default)]
pub struct NodeLinkOutline {
    /// Whether the document is a map.
    pub is_map: bool,
    /// Span of each value, by key.
    pub entries: Vec<(String, Span)>,
    /// Items of a document that is a list.
    pub items: Vec<Span>,
    /// Items of `nodes`, `links` and `edges`.
    pub nodes: Vec<Span>,
    pub links: Vec<Span>,
    pub edges: Vec<Span>,
    depth: usize,
    key: String,
    /// Start offsets of the current value and of the current item.
    value_start: usize,
    item_start: usize,
    in_list: bool,
}

impl NodeLinkOutline {
    /// Scans the part of a text at `span`; all spans of the outline count from the start of the text.
    pub fn scan(text: &str, span: Span, limits: Limits) -> Result<NodeLinkOutline, Diagnostic> {
        let mut outline = NodeLinkOutline::default();
        let part = text.get(span.start..span.end).unwrap_or_default();
        Reader::new(limits).read_all(part.as_bytes(), &mut outline)?;
        if span.start > 0 {
            outline.shift(span.start);
        }
        Ok(outline)
    }

    fn shift(&mut self, by: usize) {
        let entries = self.entries.iter_mut().map(|(_, span)| span);
        let lists = [&mut self.items, &mut self.nodes, &mut self.links, &mut self.edges];
        for span in entries.chain(lists.into_iter().flatten()) {
            *span = Span::new(span.start + by, span.end + by);
        }
    }

    /// Returns the span of the last value of a key.
    pub fn find(&self, key: &str) -> Option<Span> {
        self.entries.iter().rfind(|(name, _)| name == key).map(|(_, span)| *span)
    }

    fn open_container(&mut self, at: usize, list: bool) {
        match self.depth {
            0 => self.is_map = !list,
            1 => {
                self.value_start = at;
                self.in_list = list;
                if let Some(items) = self.current_items().filter(|_| list) {
                    items.clear();
                }
            }
            2 => self.item_start = at,
            _ => {}
        }
        self.depth += 1;
    }

    fn close_container(&mut self, at: usize) {
        self.depth -= 1;
        match self.depth {
            1 => self.add_entry(Span::new(self.value_start, at + 1)),
            2 => self.add_item(Span::new(self.item_start, at + 1)),
            _ => {}
        }
    }

    fn add_scalar(&mut self, span: Span) {
        match self.depth {
            1 => self.add_entry(span),
            2 => self.add_item(span),
            _ => {}
        }
    }

    /// Adds a value of the outermost map or list.
    fn add_entry(&mut self, span: Span) {
        match self.is_map {
            true => self.entries.push((std::mem::take(&mut self.key), span)),
            false => self.items.push(span),
        }
    }

    fn add_item(&mut self, span: Span) {
        if self.in_list
            && let Some(items) = self.current_items()
        {
            items.push(span);
        }
    }

    fn current_items(&mut self) -> Option<&mut Vec<Span>> {
        match self.key.as_str() {
            "nodes" => Some(&mut self.nodes),
            "links" => Some(&mut self.links),
            "edges" => Some(&mut self.edges),
            _ => None,
        }
    }
}

impl Sink for NodeLinkOutline {
    fn open_map(&mut self, at: usize) {
        self.open_container(at, false);
    }

    fn close_map(&mut self, at: usize) {
        self.close_container(at);
    }

    fn open_list(&mut self, at: usize) {
        self.open_container(at, true);
    }

    fn close_list(&mut self, at: usize) {
        self.close_container(at);
    }

    fn key(&mut self, text: Text<'_>) {
        if self.depth == 1 {
            text.as_str().clone_into(&mut self.key);
        }
    }

    fn take_entries(&mut self, text: &[u8], at: usize, _: usize) -> Option<usize> {
        if self.depth <= 1 {
            return None;
        }
        let mut entries = ScalarEntries::new(text, at);
        (entries.by_ref().count() > 0).then_some(entries.end)
    }

    fn text(&mut self, text: Text<'_>) {
        self.add_scalar(text.span);
    }

    fn number(&mut self, _: f64, span: Span) {
        self.add_scalar(span);
    }

    fn bool(&mut self, _: bool, span: Span) {
        self.add_scalar(span);
    }

    fn null(&mut self, span: Span) {
        self.add_scalar(span);
    }
}
