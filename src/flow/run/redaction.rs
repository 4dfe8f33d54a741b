//! Redaction of secrets in texts for people, which are not restored.

use super::secret::{MARKER_START, Secrets, map_value, marker, replace_secrets};
use crate::base::Value;
use crate::base::map::IntMap;

/// Number of characters that are compared at once: the shortest part of a secret that is found in quotes.
const MIN_QUOTED_CHARS: usize = 8;

/// Number of characters of the shortest part of a secret that is found outside of quotes.
const MIN_PART_CHARS: usize = 12;

impl Secrets {
    /// Returns a text for people with markers for secrets and for long parts of them. Existing markers stay.
    pub fn redact(&self, text: &str) -> String {
        let mut out = String::new();
        let (mut rest, mut from) = (text, 0);
        let replace = |text: &str| replace_secrets(text, &self.secrets_in(text), &str::to_owned);
        while let Some(at) = rest.get(from..).and_then(|rest| rest.find(MARKER_START)) {
            let (before, open) = rest.split_at(from + at);
            match self.parse_marker(open) {
                Some((_, after)) => {
                    out += &replace(before);
                    out += open.get(..open.len() - after.len()).unwrap_or_default();
                    (rest, from) = (after, 0);
                }
                None => from += at + MARKER_START.len(),
            }
        }
        // Messages quote tokens of a text, truncate it, join its lines and escape its characters.
        let text = self.redact_parts(&(out + &replace(rest)));
        match &self.outer {
            Some(outer) => outer.redact(&text),
            None => text,
        }
    }

    /// Returns a value with redacted texts.
    pub fn redact_value(&self, value: &Value) -> Value {
        map_value(value, &|_| None, &|_, _| None, &|text| Some(self.redact(text)))
    }

    /// Replaces long parts of secrets by markers.
    fn redact_parts(&self, text: &str) -> String {
        // Hashes of the text, each with the index after the secret that contains it.
        let mut owners = IntMap::default();
        each_window(text, &mut |window| {
            owners.insert(window.hash, 0);
        });
        for (index, (_, secret)) in self.texts.iter().enumerate() {
            each_window(secret, &mut |window| {
                if let Some(owner) = owners.get_mut(&window.hash) {
                    *owner = index as u64 + 1;
                }
            });
        }
        let mut parts: Vec<Window> = Vec::new();
        each_window(text, &mut |window| {
            let owner = owners.get(&window.hash).copied().unwrap_or_default();
            if owner == 0 {
                return;
            }
            match parts.last_mut() {
                Some(last) if window.first <= last.last => {
                    (last.last, last.end) = (window.last, window.end);
                }
                _ => parts.push(Window { hash: owner, ..window }),
            }
        });
        let mut out = String::new();
        let mut copied = 0;
        for part in parts {
            let before = text.get(copied..part.start).unwrap_or_default();
            let after = text.get(part.end..).unwrap_or_default();
            let is_quoted =
                before.ends_with('`') && (after.starts_with('`') || after.starts_with('…'));
            let secret = self.texts.get(part.hash as usize - 1);
            if let Some((name, _)) = secret
                && (is_quoted || part.last - part.first >= MIN_PART_CHARS - 1)
            {
                out += before;
                out += &marker(name);
                copied = part.end;
            }
        }
        out + text.get(copied..).unwrap_or_default()
    }
}

/// Successive characters of a text, without white space and escapes.
struct Window {
    /// Hash of [`MIN_QUOTED_CHARS`] characters, exact for ASCII. Of a part, the index after its secret.
    hash: u64,
    /// Indices of the first and the last character.
    first: usize,
    last: usize,
    /// Byte offsets.
    start: usize,
    end: usize,
}

fn each_window(text: &str, visit: &mut dyn FnMut(Window)) {
    let mut is_escape = false;
    let (mut hash, mut count) = (0, 0);
    let mut starts = [0; MIN_QUOTED_CHARS];
    for (at, character) in text.char_indices() {
        let is_letter = is_escape && matches!(character, 'n' | 'r' | 't');
        is_escape = character == '\\';
        if is_escape || is_letter || character.is_whitespace() || character.is_control() {
            continue;
        }
        hash = hash << (64 / MIN_QUOTED_CHARS) ^ u64::from(character);
        if let Some(start) = starts.get_mut(count % MIN_QUOTED_CHARS) {
            *start = at;
        }
        if count >= MIN_QUOTED_CHARS - 1 {
            let first = count + 1 - MIN_QUOTED_CHARS;
            let end = at + character.len_utf8();
            visit(Window {
                hash,
                first,
                last: count,
                start: starts.get(first % MIN_QUOTED_CHARS).copied().unwrap_or_default(),
                end,
            });
        }
        count += 1;
    }
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
        assert_eq!(redact(&format!("no {json}!")), "no \"\\\"«secret:key~line~json~json»\\\"\"!");
    }

    #[test]
    fn finds_parts_of_secrets() {
        assert_eq!(redact("found `qhkiG9w0`, not qhkiG9w0"), "found `«secret:key»`, not qhkiG9w0");
        assert_eq!(redact("`MIIEvQIB…`, EvQIBADANBgk…"), "`«secret:key»…`, «secret:key»…");
        assert_eq!(redact("`MIIEvQI` and MIIEvQIBADA"), "`MIIEvQI` and MIIEvQIBADA");
    }
}
