//! The keys of a map as they are written in front of its values.

use super::document::Document;
use super::shape::ShapeRef;
use crate::base::json::{plain_end, raw_text, skip_space};

/// What stands in front of each value in a map of some shape, with the space that the last map was
/// written with: `{"a":`, then `,"b":`. There is none where a key has escapes.
#[derive(Default)]
pub struct Labels {
    spacing: Spacing,
    /// How many maps of the message are written with other space, of which nothing was learned.
    missed: u32,
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
        let Spacing { opening, colon, comma, .. } = &self.spacing;
        for name in names {
            let before = if self.ends.is_empty() { opening } else { comma };
            for part in [before, &b"\""[..], name, b"\"", colon] {
                self.text.extend_from_slice(part);
            }
            self.ends.push(self.text.len());
        }
    }

    /// Takes over the space that the map which opens at `at` is written with. Answers whether it is other
    /// space than before.
    #[cold]
    #[inline(never)]
    pub fn learn(&mut self, piece: &[u8], at: usize) -> bool {
        /// So many maps are looked at in vain.
        const PATIENCE: u32 = 8;
        if self.missed == PATIENCE || self.spacing.fits(piece, at) {
            return false;
        }
        match Spacing::of(piece, at).filter(|found| *found != self.spacing) {
            Some(found) => {
                self.spacing = found;
                self.shape = None;
                true
            }
            None => {
                self.missed += 1;
                false
            }
        }
    }

    /// Another message begins.
    pub fn restart(&mut self) {
        self.missed = 0;
    }

    /// What closes the map.
    pub fn closing(&self) -> &[u8] {
        &self.spacing.closing
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

/// Braces, colon and comma with the space inside of a map that stands beside them.
#[derive(PartialEq)]
struct Spacing {
    opening: Vec<u8>,
    colon: Vec<u8>,
    comma: Vec<u8>,
    closing: Vec<u8>,
}

impl Default for Spacing {
    /// None.
    fn default() -> Spacing {
        let [opening, colon, comma, closing] = [b"{", b":", b",", b"}"].map(|mark| mark.to_vec());
        Spacing { opening, colon, comma, closing }
    }
}

impl Spacing {
    /// That of the map, without lists and maps in it, which opens at `at`.
    fn of(piece: &[u8], at: usize) -> Option<Spacing> {
        let mark = |byte: u8, at: usize| {
            (*piece.get(at)? == byte).then_some(())?;
            piece.get(at..skip_space(piece, at + 1))
        };
        let opening = mark(b'{', at)?;
        let (mut at, mut comma) = (at + opening.len(), None);
        loop {
            let colon_at = plain_end(piece, at + 1).filter(|_| piece.get(at) == Some(&b'"'))? + 1;
            let colon = mark(b':', colon_at)?;
            let end = value_end(piece, colon_at + colon.len())?;
            if let Some(found) = mark(b',', end) {
                at = end + found.len();
                comma = Some(found);
                continue;
            }
            let close = skip_space(piece, end);
            mark(b'}', close)?;
            // Of a map with one key: most stand on a line, or each key has its own.
            let comma = comma.map(<[u8]>::to_vec).unwrap_or_else(|| {
                let alike = if opening.len() > 1 { opening } else { colon };
                [b",", alike.get(1..).unwrap_or_default()].concat()
            });
            let closing = piece.get(end..=close)?.to_vec();
            return Some(Spacing {
                opening: opening.to_vec(),
                colon: colon.to_vec(),
                comma,
                closing,
            });
        }
    }

    /// Whether a map that opens at `at` begins with this space.
    fn fits(&self, piece: &[u8], at: usize) -> bool {
        let behind = |at: usize, mark: &[u8]| {
            let end = at + mark.len();
            (piece.get(at..end) == Some(mark) && skip_space(piece, end) == end).then_some(end)
        };
        let key = behind(at, &self.opening);
        let key = key.and_then(|at| plain_end(piece, at + 1));
        key.and_then(|end| behind(end + 1, &self.colon)).is_some()
    }
}

/// Where a value ends that is no list and no map, whatever else it is.
fn value_end(piece: &[u8], at: usize) -> Option<usize> {
    match piece.get(at)? {
        b'"' => raw_text(piece, at).map(|(_, end)| end),
        b'{' | b'[' => None,
        _ => {
            let is_end = |byte: &u8| matches!(byte, 0..=b' ' | b',' | b'}');
            piece.get(at..)?.iter().position(is_end).map(|length| at + length)
        }
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

    #[test]
    fn are_spaced_as_the_last_map_was() {
        let mut document = Document::new(Settings::default());
        let keys = ["a", "b"].map(|name| document.key(name));
        let shape = document.arena.shapes.intern(&keys);
        let mut labels = Labels::default();
        for (text, expected) in [
            (r#"{"a": 1, "b": 2}"#, [r#"{"a": "#, r#", "b": "#, "}"]),
            ("{\n  \"x\": \"\\n\",\n  \"y\": 2\n}", ["{\n  \"a\": ", ",\n  \"b\": ", "\n}"]),
            (r#"{ "a":1 }"#, [r#"{ "a":"#, r#", "b":"#, " }"]),
            (r#"{"a": 1}"#, [r#"{"a": "#, r#", "b": "#, "}"]),
            (r#"{"a":1,"b":2}"#, [r#"{"a":"#, r#","b":"#, "}"]),
        ] {
            assert!(labels.learn(text.as_bytes(), 0), "{text}");
            assert!(!labels.learn(text.as_bytes(), 0), "{text}");
            labels.write(&document, shape);
            let found: Vec<&[u8]> = labels.each().chain([labels.closing()]).collect();
            assert_eq!(found, expected.map(str::as_bytes), "{text}");
        }
        for other in
            [r#"{"a" : 1}"#, r#"{"a": [1]}"#, r#"{"a": 1 , "b": 2}"#, r#"{"a": 1"#, "{}", ""]
        {
            assert!(!labels.learn(other.as_bytes(), 0), "{other}");
        }
    }
}
