//! The keys of a map as they are written in front of its values.

use super::document::Document;
use super::shape::ShapeRef;

/// What stands in front of each value in a map of some shape, written without space: `{"a":`, then
/// `,"b":`. There is none where a key has escapes.
#[derive(Default)]
pub struct Labels {
    shape: Option<ShapeRef>,
    text: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Labels {
    /// Writes those of a shape, unless they stand there.
    pub fn write(&mut self, document: &Document, shape: ShapeRef) {
        if self.shape.replace(shape) == Some(shape) {
            return;
        }
        self.text.clear();
        self.ends.clear();
        let keys = document.arena.shapes.keys(shape);
        let names = keys.iter().map(|key| document.keys.plain(key.0));
        if names.clone().any(<[u8]>::is_empty) {
            return;
        }
        for name in names {
            let opening = if self.ends.is_empty() { b"{\"" } else { b",\"" };
            for part in [opening, name, b"\":"] {
                self.text.extend_from_slice(part);
            }
            self.ends.push(self.text.len());
        }
    }

    /// Forgets of which shape they are: its number is another one's.
    pub fn forget(&mut self) {
        self.shape = None;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Each of them.
    pub fn each(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends
            .iter()
            .map_while(move |end| self.text.get(std::mem::replace(&mut start, *end)..*end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ham::document::Settings;

    #[test]
    fn stand_between_the_values_of_a_map() {
        let mut document = Document::new(Settings::default());
        let keys = ["a", "é", "a\"b"].map(|name| document.key(name));
        let mut labels = Labels::default();
        let shape = document.arena.shapes.intern(&keys[..2]);
        labels.write(&document, shape);
        assert_eq!(labels.each().collect::<Vec<_>>(), [&b"{\"a\":"[..], ",\"é\":".as_bytes()]);
        let escaped = document.arena.shapes.intern(&keys);
        labels.write(&document, escaped);
        assert!(labels.is_empty());
    }
}
