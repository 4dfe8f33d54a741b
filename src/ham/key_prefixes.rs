//! Exact text between the values of a flat map.

use super::document::Document;
use super::shape::ShapeRef;
use crate::base::json::{raw_string, skip_space};

/// Expected text before each value of a map with a shape: `{"a":`, then `,"b":`, and the text after
/// the last value. Empty if a key needs escapes. The white space is that of the last learned map,
/// because most messages use one style.
#[derive(Default)]
pub struct KeyPrefixes {
    spacing: Spacing<Vec<u8>>,
    /// Number of maps in the message that did not match although the spacing did.
    failures: u32,
    shape: Option<ShapeRef>,
    text: Vec<u8>,
    /// End of each prefix in `text`.
    prefix_ends: Vec<usize>,
}

/// White space after the opening brace, after colons, after commas, and before the closing brace.
type Spacing<T> = [T; 4];

impl KeyPrefixes {
    /// Builds the prefixes for a shape, unless they are current.
    pub fn build_for(&mut self, document: &Document, shape: ShapeRef) {
        if self.shape.replace(shape) == Some(shape) {
            return;
        }
        self.text.clear();
        self.prefix_ends.clear();
        let keys = document.arena.shapes.keys(shape);
        let names = keys.iter().map(|key| document.keys.name_without_escapes(key.0));
        if names.clone().any(<[u8]>::is_empty) {
            return;
        }
        let [opening, colon, comma, closing] = &self.spacing;
        for key in names {
            let (punctuation, space) =
                if self.prefix_ends.is_empty() { (b"{", opening) } else { (b",", comma) };
            for part in [&punctuation[..], space, b"\"", key, b"\":", colon] {
                self.text.extend_from_slice(part);
            }
            self.prefix_ends.push(self.text.len());
        }
        self.text.extend_from_slice(closing);
        self.text.push(b'}');
    }

    /// Adopts the spacing of the map at `at`, unless it contains lists or maps. Returns whether the
    /// spacing changed.
    #[inline(never)]
    pub fn learn_spacing(&mut self, chunk: &[u8], at: usize) -> bool {
        /// Number of failures after which no spacing is learned.
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

    /// Returns the spacing of the map at `at`, or `None` if it contains a list or a map.
    fn spacing_of<'p>(&'p self, chunk: &'p [u8], at: usize) -> Option<Spacing<&'p [u8]>> {
        let space_after = |punctuation: u8, at: usize| {
            (*chunk.get(at)? == punctuation).then_some(())?;
            chunk.get(at + 1..skip_space(chunk, at + 1))
        };
        let opening = space_after(b'{', at)?;
        let (mut at, mut comma) = (at + 1 + opening.len(), None);
        loop {
            let (_, punctuation) = raw_string(chunk, at)?;
            let colon = space_after(b':', punctuation)?;
            let end = value_end(chunk, punctuation + 1 + colon.len())?;
            if let Some(spacing) = space_after(b',', end) {
                at = end + 1 + spacing.len();
                comma = Some(spacing);
                continue;
            }
            let close = skip_space(chunk, end);
            space_after(b'}', close)?;
            // Guesses the space after commas for a map with one key: as before, or the space of
            // one-line or indented maps.
            let comma = comma.unwrap_or_else(|| match &self.spacing {
                [open, space_after, comma, _] if open == opening && space_after == colon => comma,
                _ if opening.is_empty() => colon,
                _ => opening,
            });
            return Some([opening, colon, comma, chunk.get(end..close)?]);
        }
    }

    /// Prepares for the next message.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// Returns the text after the last value.
    #[inline(always)]
    pub fn closing_text(&self) -> &[u8] {
        self.text.get(self.prefix_ends.last().copied().unwrap_or_default()..).unwrap_or_default()
    }

    /// Invalidates the prefixes, because shape handles have changed.
    pub fn forget(&mut self) {
        self.shape = None;
    }

    pub fn len(&self) -> usize {
        self.prefix_ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.prefix_ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.prefix_ends
            .iter()
            .map_while(move |end| self.text.get(std::mem::replace(&mut start, *end)..*end))
    }
}

/// Returns the offset after a value that is not a list or map. Does not validate it.
fn value_end(chunk: &[u8], at: usize) -> Option<usize> {
    match chunk.get(at)? {
        b'"' => raw_string(chunk, at).map(|(_, end)| end),
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
    fn build_for_writes_one_prefix_per_key() {
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
    fn learn_spacing_adopts_the_style_of_the_last_map() {
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
            let spacing: Vec<&[u8]> = labels.iter().chain([labels.closing_text()]).collect();
            assert_eq!(spacing, expected.map(str::as_bytes), "{text}");
        }
        for other in
            [r#"{"a" : 1}"#, r#"{"a": [1]}"#, r#"{"a": 1 , "b": 2}"#, r#"{"a": 1"#, "{}", ""]
        {
            assert!(!labels.learn_spacing(other.as_bytes(), 0), "{other}");
        }
    }
}
