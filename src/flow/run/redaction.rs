//! Redaction of secrets in texts for people, which are not restored.

use super::Run;
use super::failure::one_line;
use super::secret::{MARKER_START, Secrets, map_value, marker, replace_secrets};
use crate::base::Value;
use crate::base::map::IntMap;
use std::ops::Range;
use std::rc::Rc;

/// Number of characters that are compared at once: the shortest part of a secret that is found in quotes.
const MIN_QUOTED_CHARS: usize = 8;

/// Number of characters of the shortest part of a secret that is found outside of quotes.
const MIN_PART_CHARS: usize = 12;

impl Run {
    /// Returns a text for people without secrets of this run and of the runs that it is a part of.
    pub(super) fn redact(&self, text: &str) -> String {
        self.redact_outer(self.secrets.redact(text))
    }

    /// Returns a foreign text for people in one line, without secrets and with its own markers escaped.
    pub(super) fn foreign_line(&self, text: &str) -> String {
        // Redacted before it is truncated, because the start of a secret may not be found.
        one_line(&self.redact_outer(self.secrets.redact_foreign(text)))
    }

    fn redact_outer(&self, text: String) -> String {
        self.outer_secrets.iter().fold(text, |text, secrets| secrets.redact(&text))
    }

    /// Returns the secrets of this run and of the runs that it is a part of.
    pub fn all_secrets(&self) -> Vec<Rc<Secrets>> {
        std::iter::once(&self.secrets).chain(&self.outer_secrets).cloned().collect()
    }
}

impl Secrets {
    /// Returns a text for people with markers for secrets and for long parts of them. Existing markers stay.
    pub fn redact(&self, text: &str) -> String {
        if self.texts.is_empty() {
            return text.to_owned();
        }
        let mut out = String::new();
        let mut end = 0;
        for range in self.unmarked_ranges(text) {
            out += text.get(end..range.start).unwrap_or_default();
            let part = text.get(range.clone()).unwrap_or_default();
            out += &replace_secrets(part, &self.secrets_in(part), &str::to_owned);
            end = range.end;
        }
        // Messages quote tokens of a text, truncate it, join its lines and escape its characters.
        self.redact_parts(&out)
    }

    /// Returns a value with redacted texts.
    pub fn redact_value(&self, value: &Value) -> Value {
        map_value(value, &|_| None, &|_, _| None, &|text| Some(self.redact(text)))
    }

    /// Returns the byte ranges of a text between markers.
    fn unmarked_ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let (mut start, mut from) = (0, 0);
        while let Some(open) = text.get(from..).and_then(|rest| rest.split_once(MARKER_START)) {
            from += open.0.len();
            match self.parse_marker(text.get(from..).unwrap_or_default()) {
                Some((_, after)) => {
                    ranges.push(start..from);
                    start = text.len() - after.len();
                    from = start;
                }
                None => from += MARKER_START.len(),
            }
        }
        ranges.push(start..text.len());
        ranges
    }

    /// Replaces long parts of secrets by markers.
    fn redact_parts(&self, text: &str) -> String {
        let mut chars = Vec::new();
        for range in self.unmarked_ranges(text) {
            // A part does not extend over a marker.
            chars.push((range.start, char::MAX));
            let part = text.get(range.clone()).unwrap_or_default();
            chars.extend(significant_chars(part).map(|(at, char)| (range.start + at, char)));
        }
        // Hashes of the text, each with the index after the secret that contains it.
        let mut owners: IntMap = hashes(&chars).map(|hash| (hash, 0)).collect();
        if owners.is_empty() {
            return text.to_owned();
        }
        for (index, (_, secret)) in (1..).zip(&self.texts) {
            for hash in hashes(&secret_chars(secret)) {
                if let Some(owner) = owners.get_mut(&hash) {
                    *owner = index;
                }
            }
        }
        let mut found = vec![0; chars.len()];
        for (start, hash) in hashes(&chars).enumerate() {
            let owner = owners.get(&hash).copied().filter(|owner| *owner > 0);
            let range = found.get_mut(start..start + MIN_QUOTED_CHARS);
            if let (Some(owner), Some(range)) = (owner, range) {
                range.fill(owner);
            }
        }
        let mut out = String::new();
        let (mut copied, mut first) = (0, 0);
        for run in found.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
            let own = chars.get(first..first + run.len()).unwrap_or_default();
            first += run.len();
            let owner =
                run.first().and_then(|owner| self.texts.get((*owner as usize).checked_sub(1)?));
            let (Some((name, secret)), Some((start, _)), Some((last, end))) =
                (owner, own.first(), own.last())
            else {
                continue;
            };
            let end = last + end.len_utf8();
            let (before, after) = (text.get(..*start), text.get(end..));
            let is_quoted = before.is_some_and(|before| before.ends_with('`'))
                && after.is_some_and(|after| after.starts_with(['`', '…']));
            if is_quoted || run.len() >= secret_chars(secret).len().min(MIN_PART_CHARS) {
                out += text.get(copied..*start).unwrap_or_default();
                out += &marker(name);
                copied = end;
            }
        }
        out + text.get(copied..).unwrap_or_default()
    }
}

fn secret_chars(secret: &str) -> Vec<(usize, char)> {
    significant_chars(secret).collect()
}

/// Returns the characters with their byte offsets, without white space and escapes.
fn significant_chars(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut is_escape = false;
    let is_significant = move |(_, character): &(usize, char)| {
        let is_letter = is_escape && matches!(character, 'n' | 'r' | 't');
        is_escape = *character == '\\';
        !(is_escape || is_letter || character.is_whitespace() || character.is_control())
    };
    text.char_indices().filter(is_significant)
}

/// Returns the hash of each [`MIN_QUOTED_CHARS`] successive characters; it is exact for ASCII.
fn hashes(chars: &[(usize, char)]) -> impl Iterator<Item = u64> {
    let mut hash = 0;
    let next = move |(_, character): &(usize, char)| {
        hash = hash << (64 / MIN_QUOTED_CHARS) ^ u64::from(*character);
        hash
    };
    chars.iter().map(next).skip(MIN_QUOTED_CHARS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::diagnostic::quote;

    const KEY: &str = "-----BEGIN-----\nMIIEvQIBADANBgk\nqhkiG9w0 \"x\\y\"\n-----END-----";

    fn redact(text: &str) -> String {
        let mut all = Secrets::default();
        all.add("key", Some(&KEY.into()));
        let redacted = all.redact(text);
        assert_eq!(all.redact(&redacted), redacted);
        redacted
    }

    #[test]
    fn redact_is_idempotent() {
        let mut all = Secrets::default();
        all.add("key", Some(&"key".into()));
        let words = all.redact("no key, «secret:other»");
        assert_eq!(words, "no «secret:key», «secret:other»");
        assert_eq!(all.redact(&words), words);
    }

    #[test]
    fn finds_changed_secrets() {
        let line = KEY.replace('\n', " ");
        assert_eq!(redact(&format!("no {KEY}.")), "no «secret:key».");
        assert_eq!(redact(&format!("no {line}.")), "no «secret:key~line».");
        assert_eq!(redact(&quote(&format!("Bearer {KEY}"))), "`Bearer «secret:key»…`");
        let json = Value::from(Value::from(line).to_text()).to_text();
        assert_eq!(redact(&format!("no {json}!")), "no \"\\\"«secret:key~line~json2»\\\"\"!");
    }

    #[test]
    fn finds_parts_of_secrets() {
        assert_eq!(redact("found `qhkiG9w0`, not qhkiG9w0"), "found `«secret:key»`, not qhkiG9w0");
        assert_eq!(redact("`MIIEvQIB…`, EvQIBADANBgk…"), "`«secret:key»…`, «secret:key»…");
        assert_eq!(redact("`MIIEvQI` and MIIEvQIBADA"), "`MIIEvQI` and MIIEvQIBADA");
    }
}
