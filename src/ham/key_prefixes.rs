//! The keys of a map as they are written in front of its values.

use super::document::Document;
use super::shape::ShapeRef;
use crate::base::json::{raw_text, skip_space};

/// What stands in front of each value in a map of some shape, `{"a":`, then `,"b":`, and what closes it. There
/// is nothing where a key has escapes. MapChange are spaced alike mostly, so the space is that of the last one whose
/// space was learned: where two kinds take turns each is learned anew, which is slower and never wrong.
#[derive(Default)]
pub struct KeyPrefixes {
    spacing: Spacing<Vec<u8>>,
    /// How many maps of the message were looked at in vain: they are spaced like this, and have other keys.
    failures: u32,
    shape: Option<ShapeRef>,
    text: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

/// The white space behind an opening brace, a colon and a comma, and in front of the closing brace.
type Spacing<T> = [T; 4];

impl KeyPrefixes {
    /// Writes those of a shape, unless they stand there.
    pub fn build_for(&mut self, document: &Document, shape: ShapeRef) {
        if self.shape.replace(shape) == Some(shape) {
            return;
        }
        self.text.clear();
        self.ends.clear();
        let keys = document.arena.shapes.keys(shape);
        let names = keys.iter().map(|key| document.keys.unescaped(key.0));
        if names.clone().any(<[u8]>::is_empty) {
            return;
        }
        let [opening, colon, comma, closing] = &self.spacing;
        for key in names {
            let (punctuation, space) =
                if self.ends.is_empty() { (b"{", opening) } else { (b",", comma) };
            for part in [&punctuation[..], space, b"\"", key, b"\":", colon] {
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
    pub fn learn_spacing(&mut self, chunk: &[u8], at: usize) -> bool {
        /// So many maps are looked at in vain.
        const MAX_FAILURES: u32 = 8;
        if self.failures == MAX_FAILURES {
            return false;
        }
        let Some(spacing) = self.spacing_of(chunk, at) else { return false };
        if self.spacing == spacing {
            self.failures += 1;
            return false;
        }
        self.spacing = spacing.map(<[u8]>::to_vec);
        self.shape = None;
        true
    }

    /// The space in a map, without lists and maps in it, which opens at `at`.
    fn spacing_of<'p>(&'p self, chunk: &'p [u8], at: usize) -> Option<Spacing<&'p [u8]>> {
        let space_after = |punctuation: u8, at: usize| {
            (*chunk.get(at)? == punctuation).then_some(())?;
            chunk.get(at + 1..skip_space(chunk, at + 1))
        };
        let opening = space_after(b'{', at)?;
        let (mut at, mut comma) = (at + 1 + opening.len(), None);
        loop {
            let (_, punctuation) = raw_text(chunk, at)?;
            let colon = space_after(b':', punctuation)?;
            let end = value_end(chunk, punctuation + 1 + colon.len())?;
            if let Some(spacing) = space_after(b',', end) {
                at = end + 1 + spacing.len();
                comma = Some(spacing);
                continue;
            }
            let close = skip_space(chunk, end);
            space_after(b'}', close)?;
            // Of a map with one key: it is what it was, or most stand on a line, or each key has its own.
            let comma = comma.unwrap_or_else(|| match &self.spacing {
                [open, space_after, comma, _] if open == opening && space_after == colon => comma,
                _ if opening.is_empty() => colon,
                _ => opening,
            });
            return Some([opening, colon, comma, chunk.get(end..close)?]);
        }
    }

    /// Another message begins.
    pub fn reset(&mut self) {
        self.failures = 0;
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
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends
            .iter()
            .map_while(move |end| self.text.get(std::mem::replace(&mut start, *end)..*end))
    }
}

/// Where a value ends that is no list and no map, whatever else it is.
fn value_end(chunk: &[u8], at: usize) -> Option<usize> {
    match chunk.get(at)? {
        b'"' => raw_text(chunk, at).map(|(_, end)| end),
        b'{' | b'[' => None,
        _ => {
            let is_end = |byte: &u8| matches!(byte, 0..=b' ' | b',' | b'}');
            chunk.get(at..)?.iter().position(is_end).map(|length| at + length)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ham::document::StoreSettings;

    #[test]
    fn stand_between_the_values_of_a_map() {
        let mut document = Document::new(StoreSettings::default());
        let keys = ["a", "é", "a\"b"].map(|key| document.key(key));
        let mut labels = KeyPrefixes::default();
        let shape = document.arena.shapes.intern(&keys[..2]);
        labels.build_for(&document, shape);
        assert_eq!(labels.iter().collect::<Vec<_>>(), [&b"{\"a\":"[..], ",\"é\":".as_bytes()]);
        let escaped = document.arena.shapes.intern(&keys);
        labels.build_for(&document, escaped);
        assert!(labels.is_empty());
    }

    #[test]
    fn are_spaced_as_the_last_map_was() {
        let mut document = Document::new(StoreSettings::default());
        let keys = ["a", "b"].map(|key| document.key(key));
        let shape = document.arena.shapes.intern(&keys);
        let mut labels = KeyPrefixes::default();
        for (text, expected) in [
            (r#"{"a": 1, "b": 2}"#, [r#"{"a": "#, r#", "b": "#, "}"]),
            ("{\n  \"x\": \"\\n\",\n  \"y\": 2\n}", ["{\n  \"a\": ", ",\n  \"b\": ", "\n}"]),
            (r#"{ "a":1 }"#, [r#"{ "a":"#, r#", "b":"#, " }"]),
            (r#"{"a": 1}"#, [r#"{"a": "#, r#", "b": "#, "}"]),
            (r#"{"é": 1,"\n": 2}"#, [r#"{"a": "#, r#","b": "#, "}"]),
            (r#"{"a": 1 }"#, [r#"{"a": "#, r#","b": "#, " }"]),
            (r#"{"a":1,"b":2}"#, [r#"{"a":"#, r#","b":"#, "}"]),
        ] {
            assert!(labels.learn_spacing(text.as_bytes(), 0), "{text}");
            assert!(!labels.learn_spacing(text.as_bytes(), 0), "{text}");
            labels.build_for(&document, shape);
            let spacing: Vec<&[u8]> = labels.iter().chain([labels.closing()]).collect();
            assert_eq!(spacing, expected.map(str::as_bytes), "{text}");
        }
        for other in
            [r#"{"a" : 1}"#, r#"{"a": [1]}"#, r#"{"a": 1 , "b": 2}"#, r#"{"a": 1"#, "{}", ""]
        {
            assert!(!labels.learn_spacing(other.as_bytes(), 0), "{other}");
        }
    }
}
