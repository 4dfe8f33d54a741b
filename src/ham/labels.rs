//! The keys of a map as they are written in front of its values.

use super::document::Document;
use super::shape::ShapeRef;
use crate::base::json::{raw_string, skip_space};

/// What stands in front of each value in a map of some shape, `{"a":`, then `,"b":`, and what closes it. There
/// is nothing where a key has escapes. Maps are spaced alike mostly, so the space is that of the last one whose
/// space was learned: where two kinds take turns each is learned anew, which is slower and never wrong.
#[derive(Default)]
pub struct Labels {
    spaces: Spaces<Vec<u8>>,
    /// How many maps of the message were looked at in vain: they are spaced like this, and have other keys.
    missed: u32,
    shape: Option<ShapeRef>,
    text: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

/// The white space behind an opening brace, a colon and a comma, and in front of the closing brace.
type Spaces<T> = [T; 4];

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
        let [opening, colon, comma, closing] = &self.spaces;
        for name in names {
            let (mark, space) = if self.ends.is_empty() { (b"{", opening) } else { (b",", comma) };
            for part in [&mark[..], space, b"\"", name, b"\":", colon] {
                self.text.extend_from_slice(part);
            }
            self.ends.push(self.text.len());
        }
        self.text.extend_from_slice(closing);
        self.text.push(b'}');
    }

    /// Takes over the space that the map which opens at `at` is written with, unless there are lists or maps
    /// in it. Answers whether it is other space than before.
    #[inline(never)]
    pub fn learn(&mut self, piece: &[u8], at: usize) -> bool {
        /// So many maps are looked at in vain.
        const PATIENCE: u32 = 8;
        if self.missed == PATIENCE {
            return false;
        }
        let Some(found) = self.spaces_of(piece, at) else { return false };
        if self.spaces == found {
            self.missed += 1;
            return false;
        }
        self.spaces = found.map(<[u8]>::to_vec);
        self.shape = None;
        true
    }

    /// The space in a map, without lists and maps in it, which opens at `at`.
    fn spaces_of<'p>(&'p self, piece: &'p [u8], at: usize) -> Option<Spaces<&'p [u8]>> {
        let behind = |mark: u8, at: usize| {
            (*piece.get(at)? == mark).then_some(())?;
            piece.get(at + 1..skip_space(piece, at + 1))
        };
        let opening = behind(b'{', at)?;
        let (mut at, mut comma) = (at + 1 + opening.len(), None);
        loop {
            let (_, mark) = raw_string(piece, at)?;
            let colon = behind(b':', mark)?;
            let end = value_end(piece, mark + 1 + colon.len())?;
            if let Some(found) = behind(b',', end) {
                at = end + 1 + found.len();
                comma = Some(found);
                continue;
            }
            let close = skip_space(piece, end);
            behind(b'}', close)?;
            // Of a map with one key: it is what it was, or most stand on a line, or each key has its own.
            let comma = comma.unwrap_or_else(|| match &self.spaces {
                [open, behind, comma, _] if open == opening && behind == colon => comma,
                _ if opening.is_empty() => colon,
                _ => opening,
            });
            return Some([opening, colon, comma, piece.get(end..close)?]);
        }
    }

    /// Another message begins.
    pub fn restart(&mut self) {
        self.missed = 0;
    }

    /// What closes the map.
    #[inline(always)]
    pub fn closing(&self) -> &[u8] {
        self.text.get(self.ends.last().copied().unwrap_or_default()..).unwrap_or_default()
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

/// Where a value ends that is no list and no map, whatever else it is.
fn value_end(piece: &[u8], at: usize) -> Option<usize> {
    match piece.get(at)? {
        b'"' => raw_string(piece, at).map(|(_, end)| end),
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
            (r#"{"é": 1,"\n": 2}"#, [r#"{"a": "#, r#","b": "#, "}"]),
            (r#"{"a": 1 }"#, [r#"{"a": "#, r#","b": "#, " }"]),
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
