//! Redaction of secrets: traces, events and diagnostics contain the marker `«secret:name»` in place of a
//! secret. A resumed run gets the secrets again and restores them. Other texts that look like a marker are
//! escaped, so that a page that a node fetched cannot obtain a secret.

use crate::base::Value;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::value::Map;
use std::rc::Rc;

/// Start of a marker; `«secret!` is its escaped form.
const MARKER_START: &str = "«secret";

/// The secrets of a run.
#[derive(Debug, Default)]
pub struct Secrets {
    /// Names and secret texts, the longest text first, because one secret may be a part of another.
    texts: Vec<(String, String)>,
    /// Names and secrets that are not texts.
    values: Vec<(String, Value)>,
    /// Names, keys in secrets, and their values.
    keys: Vec<(String, Rc<str>, Value)>,
    /// Names of secrets without a value.
    missing: Vec<String>,
}

impl Secrets {
    /// Adds a secret input, with its value if there is one.
    pub fn add(&mut self, name: &str, value: Option<&Value>) {
        match value {
            None => self.missing.push(name.to_owned()),
            Some(value) => {
                let name = escape_input_name(name);
                if let Value::List(_) | Value::Map(_) = value {
                    self.values.push((name.clone(), value.clone()));
                }
                self.add_leaves(&name, value);
            }
        }
        self.texts.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    }

    fn add_text(&mut self, name: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        // Templates insert maps and lists as JSON text, which escapes some characters.
        let json = Value::from(text).to_text();
        if let Some(json) = json.get(1..json.len() - 1).filter(|json| *json != text) {
            self.texts.push((format!("{name}~json"), json.to_owned()));
        }
        // Diagnostics locate values by JSON pointers, which escape two characters.
        let pointer = escape_pointer_step(text);
        if pointer != text {
            self.texts.push((format!("{name}~pointer"), pointer));
        }
        self.texts.push((name.to_owned(), text.to_owned()));
    }

    fn add_leaves(&mut self, name: &str, value: &Value) {
        match value {
            Value::Text(text) => self.add_text(name, text),
            Value::Number(_) => {
                self.values.push((name.to_owned(), value.clone()));
                let text = value.to_text();
                self.add_text(&format!("{name}~text"), &text);
                // Other languages write the exponent without a plus sign.
                if text.contains("e+") {
                    self.add_text(&format!("{name}~bare"), &text.replace("e+", "e"));
                }
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.add_leaves(&format!("{name}/{index}"), item);
                }
            }
            Value::Map(map) => {
                // Markers contain the index of the sorted key, because keys are secret too.
                let mut entries: Vec<(&Rc<str>, &Value)> = map.iter().collect();
                entries.sort_by_key(|(key, _)| *key);
                for (index, (key, value)) in entries.into_iter().enumerate() {
                    let name = format!("{name}/{index}");
                    self.add_leaves(&name, value);
                    self.keys.push((format!("{name}~key"), key.clone(), value.clone()));
                }
            }
            // Booleans and null are too common to be hidden.
            _ => {}
        }
    }

    /// Returns a value with markers for secrets.
    pub fn hide(&self, value: &Value) -> Value {
        let whole = |value: &Value| {
            let found = self.values.iter().find(|(_, secret)| secret == value);
            found.map(|(name, _)| marker(name).into())
        };
        let key = |key: &str, value: &Value| {
            let mut keys = self.keys.iter();
            let found = keys.find(|(_, own, secret)| **own == *key && secret == value);
            found.map_or_else(|| self.hide_text(key), |(name, ..)| Some(marker(name)))
        };
        map_value(value, &whole, &key, &|text| self.hide_text(text))
    }

    /// Returns a map with markers for secrets in its values; the keys stay.
    pub fn hide_each(&self, values: &Map) -> Map {
        values.iter().map(|(name, value)| (name.clone(), self.hide(value))).collect::<Map>()
    }

    fn hide_text(&self, text: &str) -> Option<String> {
        let escape = |text: &str| text.replace(MARKER_START, &format!("{MARKER_START}!"));
        let is_changed = text.contains(MARKER_START) || self.contains_secret(text);
        is_changed.then(|| self.replace_secrets(text, &escape))
    }

    /// Returns a foreign text with markers for secrets, and with its own markers escaped.
    pub fn hide_in_foreign_text(&self, text: &str) -> String {
        self.hide_text(text).unwrap_or_else(|| text.to_owned())
    }

    /// Returns a text for people with markers for secrets. Existing markers stay, because the text is not
    /// restored.
    pub fn redact(&self, text: &str) -> String {
        let mut out = String::new();
        let (mut rest, mut from) = (text, 0);
        while let Some(at) = rest.get(from..).and_then(|rest| rest.find(MARKER_START)) {
            let (before, open) = rest.split_at(from + at);
            match self.parse_marker(open) {
                Some((_, after)) => {
                    out += &self.replace_secrets(before, &str::to_owned);
                    out += open.get(..open.len() - after.len()).unwrap_or_default();
                    (rest, from) = (after, 0);
                }
                None => from += at + MARKER_START.len(),
            }
        }
        out + &self.replace_secrets(rest, &str::to_owned)
    }

    /// Returns whether a text quotes a key of a secret.
    pub fn contains_key_of(&self, text: &str) -> bool {
        self.keys.iter().any(|(_, key, _)| text.contains(&quote(key)))
    }

    fn contains_secret(&self, text: &str) -> bool {
        self.texts.iter().any(|(_, secret)| text.contains(secret))
    }

    /// Replaces secrets by markers, and applies `escape` to the rest. Of overlapping secrets the longest wins;
    /// the remaining parts of the others get their own markers.
    fn replace_secrets(&self, text: &str, escape: &dyn Fn(&str) -> String) -> String {
        if !self.contains_secret(text) {
            return escape(text);
        }
        // For each byte, the index of its secret and the start of that occurrence.
        let mut owners: Vec<Option<(usize, usize)>> = vec![None; text.len()];
        for (index, (_, secret)) in self.texts.iter().enumerate() {
            let first = secret.chars().next().map_or(1, char::len_utf8);
            let mut from = 0;
            while let Some(at) = text.get(from..).and_then(|rest| rest.find(secret)) {
                let start = from + at;
                let bytes = owners.get_mut(start..start + secret.len());
                for owner in bytes.into_iter().flatten() {
                    owner.get_or_insert((index, start));
                }
                from = start + first;
            }
        }
        let mut out = String::new();
        let mut start = 0;
        for run in owners.chunk_by(|a, b| a == b) {
            let end = start + run.len();
            let owner = run.first().copied().flatten();
            let owner = owner.and_then(|(index, begin)| Some((self.texts.get(index)?, begin)));
            out += &match owner {
                None => escape(text.get(start..end).unwrap_or_default()),
                Some(((name, secret), _)) if secret.len() == run.len() => marker(name),
                Some(((name, _), begin)) => {
                    marker(&format!("{name}~{}-{}", start - begin, end - begin))
                }
            };
            start = end;
        }
        out
    }

    /// Replaces the markers in a value by the secrets.
    pub fn restore(&self, value: &Value) -> Value {
        let whole = |value: &Value| {
            let text = value.as_text()?;
            let found = self.values.iter().find(|(name, _)| marker(name) == text);
            found.map(|(_, secret)| secret.clone())
        };
        let text = |text: &str| self.restore_text(text);
        map_value(value, &whole, &|key, _| text(key), &text)
    }

    fn restore_text(&self, text: &str) -> Option<String> {
        let (before, _) = text.split_once(MARKER_START)?;
        let mut out = before.to_owned();
        let mut rest = text.get(before.len()..).unwrap_or_default();
        while let Some(after) = rest.strip_prefix(MARKER_START) {
            let (replacement, rest_after) = match self.parse_marker(rest) {
                Some((Some(secret), after)) => (secret, after),
                _ => (MARKER_START, after.strip_prefix('!').unwrap_or(after)),
            };
            out.push_str(replacement);
            let (plain, _) = rest_after.split_once(MARKER_START).unwrap_or((rest_after, ""));
            out.push_str(plain);
            rest = rest_after.get(plain.len()..).unwrap_or_default();
        }
        Some(out)
    }

    /// Parses a marker at the start of a text. Returns its secret, if that is a text, and the rest; `None` if
    /// there is no marker.
    fn parse_marker<'t>(&self, text: &'t str) -> Option<(Option<&str>, &'t str)> {
        let rest = text.strip_prefix(MARKER_START)?.strip_prefix(':')?;
        let texts = self.texts.iter().map(|(name, secret)| (name, Some(secret.as_str())));
        let keys = self.keys.iter().map(|(name, key, _)| (name, Some(&**key)));
        let values = self.values.iter().map(|(name, _)| (name, None));
        texts.chain(keys).chain(values).find_map(|(name, secret)| {
            let rest = rest.strip_prefix(name.as_str())?;
            if let Some(after) = rest.strip_prefix('»') {
                return Some((secret, after));
            }
            let (part, after) = rest.strip_prefix('~')?.split_once('»')?;
            let (start, end) = part.split_once('-')?;
            let part = secret?.get(start.parse().ok()?..end.parse().ok()?)?;
            Some((Some(part), after))
        })
    }

    /// Returns the first secret without a value that a trace contains, or `None`.
    pub fn first_missing_secret(&self, trace: &str) -> Option<&str> {
        let is_end = |after: &str| match after.strip_prefix('~') {
            // An escape belongs to a longer name.
            Some(part) => !part.starts_with(ESCAPES.map(|(_, escape)| escape)),
            None => after.starts_with(['»', '/']),
        };
        let mut names = self.missing.iter().map(String::as_str);
        names.find(|name| {
            let marked = format!("{MARKER_START}:{}", escape_input_name(name));
            trace.split(&marked).skip(1).any(is_end)
        })
    }
}

/// Returns the marker of a secret input.
pub fn marker_of(input: &str) -> String {
    marker(&escape_input_name(input))
}

/// Returns the marker of a part of a secret: the escaped name of the input, and a path.
fn marker(part: &str) -> String {
    format!("{MARKER_START}:{part}»")
}

/// Special characters of markers, and their escapes after `~` in the names of inputs.
const ESCAPES: [(char, char); 3] = [('~', '~'), ('/', '.'), ('»', ',')];

fn escape_input_name(input: &str) -> String {
    let mut out = String::new();
    for character in input.chars() {
        match ESCAPES.iter().find(|(special, _)| *special == character) {
            Some((_, escape)) => out.extend(['~', *escape]),
            None => out.push(character),
        }
    }
    out
}

/// Replaces values, keys and texts in a value; unchanged parts stay shared.
fn map_value(
    value: &Value,
    whole: &dyn Fn(&Value) -> Option<Value>,
    rename: &dyn Fn(&str, &Value) -> Option<String>,
    change: &dyn Fn(&str) -> Option<String>,
) -> Value {
    if let Some(changed) = whole(value) {
        return changed;
    }
    match value {
        Value::Text(text) => change(text).map_or_else(|| value.clone(), Value::from),
        Value::List(items) => Value::list(
            items.iter().map(|item| map_value(item, whole, rename, change)).collect::<Vec<_>>(),
        ),
        Value::Map(map) => {
            let mut changed = Map::default();
            for (key, value) in map.iter() {
                let key = rename(key, value).map_or_else(|| key.clone(), Into::into);
                changed.insert(key, map_value(value, whole, rename, change));
            }
            changed.into()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn value(text: &str) -> Value {
        Value::parse(text.as_bytes(), Limits::default()).0.unwrap()
    }

    fn check(secrets: &str, original: &str, hidden: &str) {
        let mut all = Secrets::default();
        for (name, secret) in value(secrets).as_map().unwrap() {
            all.add(name, Some(secret));
        }
        let original = value(original);
        assert_eq!(all.hide(&original).to_text(), hidden);
        assert_eq!(all.restore(&all.hide(&original)).to_text(), original.to_text());
    }

    #[test]
    fn hides_and_restores_secrets() {
        check(
            r#"{"t":"s3c"}"#,
            r#"["s3c","Bearer s3c."]"#,
            r#"["«secret:t»","Bearer «secret:t»."]"#,
        );
        check(r#"{"a":"ab","b":"abc"}"#, r#"{"abc":"ab"}"#, r#"{"«secret:b»":"«secret:a»"}"#);
        check(
            r#"{"pin":1234}"#,
            r#"[1234,"is 1234"]"#,
            r#"["«secret:pin»","is «secret:pin~text»"]"#,
        );
        check(r#"{"k":"a\"b"}"#, r#"["a\"b","{a\\\"b}"]"#, r#"["«secret:k»","{«secret:k~json»}"]"#);
        check(
            r#"{"c":{"pin":4711,"l":[98]}}"#,
            r#"[4711,"is 4711",{"pin":4711,"l":[98]},98]"#,
            r#"["«secret:c/1»","is «secret:c/1~text»","«secret:c»","«secret:c/0/0»"]"#,
        );
        check(r#"{"c":{"p":"x9"}}"#, r#"[{"p":"x9"},"x9"]"#, r#"["«secret:c»","«secret:c/0»"]"#);
        check(
            r#"{"u":"a/b~"}"#,
            r#"["a/b~","/x/a~1b~0"]"#,
            r#"["«secret:u»","/x/«secret:u~pointer»"]"#,
        );
        check(
            r#"{"n":1e21}"#,
            r#"["1e21","is 1e+21"]"#,
            r#"["«secret:n~bare»","is «secret:n~text»"]"#,
        );
    }

    #[test]
    fn hides_keys_with_their_secret_value() {
        check(
            r#"{"c":{"bob":"x9","ann":"y8"}}"#,
            r#"{"ann":"y8","bob":"other","more":"bob"}"#,
            r#"{"«secret:c/0~key»":"«secret:c/0»","bob":"other","more":"bob"}"#,
        );
    }

    #[test]
    fn hides_overlapping_secrets() {
        check(
            r#"{"p":"ab","q":"bcdefgh"}"#,
            r#"["abcdefgh","abab"]"#,
            r#"["«secret:p~0-1»«secret:q»","«secret:p»«secret:p»"]"#,
        );
        check(r#"{"p":"éa é"}"#, r#""éa éa é""#, r#""«secret:p»«secret:p~2-6»""#);
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
    fn escapes_texts_like_markers() {
        check(r#"{"t":"s3c"}"#, r#""«secret:t»""#, r#""«secret!:t»""#);
        check(r#"{"t":"s3c"}"#, r#""«secret!x «secret""#, r#""«secret!!x «secret!""#);
        check(r#"{"t":"«secret:t»"}"#, r#""«secret:t»""#, r#""«secret:t»""#);
    }
}
