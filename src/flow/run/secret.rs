//! Redaction of secrets: traces, events and diagnostics contain the marker `«secret:name»` in place of a
//! secret. A resumed run gets the secrets again and restores them. Other texts that look like a marker are
//! escaped, so that a page that a node fetched cannot obtain a secret.

use super::failure::join_lines;
use crate::base::Value;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::template::MAX_INSERTED_BYTES;
use crate::base::value::Map;
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// Start of a marker; `«secret!` is its escaped form.
pub(super) const MARKER_START: &str = "«secret";

/// The secrets of a run.
#[derive(Debug, Default)]
pub struct Secrets {
    /// Names and secret texts.
    pub(super) texts: Vec<(String, String)>,
    /// Names and secrets that are not texts.
    values: Vec<(String, Value)>,
    /// Names, keys in secrets, and their values.
    keys: Vec<(String, Rc<str>, Value)>,
    /// Names of secrets without a value.
    missing: Vec<String>,
    /// Secrets of the run that this run is a part of. Only texts for people are free of them.
    pub(super) outer: Option<Rc<Secrets>>,
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
    }

    fn add_text(&mut self, name: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        // Error messages are one line.
        let line = join_lines(text);
        if line != text && !line.is_empty() {
            self.texts.push((format!("{name}~line"), line));
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

    /// Returns a value with markers for secrets; [`Secrets::restore`] reverses it.
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
        let found = self.secrets_in(text);
        let escape = |text: &str| text.replace(MARKER_START, &format!("{MARKER_START}!"));
        let is_changed = text.contains(MARKER_START) || !found.is_empty();
        is_changed.then(|| replace_secrets(text, &found, &escape))
    }

    /// Returns a text for people with markers for secrets, and with its own markers escaped.
    pub fn redact_foreign(&self, text: &str) -> String {
        self.redact(&self.hide_text(text).unwrap_or_else(|| text.to_owned()))
    }

    /// Returns whether a text quotes a key of a secret.
    pub fn contains_key_of(&self, text: &str) -> bool {
        self.keys.iter().any(|(_, key, _)| text.contains(&quote(key)))
    }

    /// Returns the names and texts of the secrets in a text, the longest first, because one secret may be a part
    /// of another. Templates insert maps and lists as JSON text, so a secret may be escaped several times.
    pub(super) fn secrets_in(&self, text: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let is_escaped = text.contains('\\');
        for (name, secret) in &self.texts {
            let (mut name, mut next) = (name.clone(), Some(Cow::from(secret)));
            // Escapes make a text longer.
            while let Some(secret) = next.filter(|secret| secret.len() <= text.len()) {
                next = if is_escaped { escape(&secret).map(Cow::from) } else { None };
                if text.contains(&*secret) {
                    found.push((name.clone(), secret.into_owned()));
                }
                name += ESCAPED;
            }
        }
        found.sort_by_key(|(_, secret)| std::cmp::Reverse(secret.len()));
        found
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
            let marked = self.parse_marker(rest);
            let marked = marked.and_then(|(marked, after)| Some((marked.restore()?, after)));
            let (replacement, rest_after) =
                marked.unwrap_or((MARKER_START.into(), after.strip_prefix('!').unwrap_or(after)));
            out += &replacement;
            let (plain, _) = rest_after.split_once(MARKER_START).unwrap_or((rest_after, ""));
            out.push_str(plain);
            rest = rest_after.get(plain.len()..).unwrap_or_default();
        }
        Some(out)
    }

    /// Parses a marker at the start of a text. Returns its content and the rest; `None` if there is no marker.
    pub(super) fn parse_marker<'t>(&self, text: &'t str) -> Option<(Marked<'_>, &'t str)> {
        let rest = text.strip_prefix(MARKER_START)?.strip_prefix(':')?;
        let texts = self.texts.iter().map(|(name, secret)| (name, Some(secret.as_str())));
        let keys = self.keys.iter().map(|(name, key, _)| (name, Some(&**key)));
        let values = self.values.iter().map(|(name, _)| (name, None));
        texts.chain(keys).chain(values).find_map(|(name, secret)| {
            let mut rest = rest.strip_prefix(name.as_str())?;
            let mut marked = Marked { secret, level: 0, range: None };
            while let Some(after) = rest.strip_prefix(ESCAPED) {
                marked.level += 1;
                rest = after;
            }
            if let Some(after) = rest.strip_prefix('»') {
                return Some((marked, after));
            }
            let (part, after) = rest.strip_prefix('~')?.split_once('»')?;
            let (start, end) = part.split_once('-')?;
            marked.range = Some(start.parse().ok()?..end.parse().ok()?);
            Some((marked, after))
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

/// Content of a marker.
pub(super) struct Marked<'s> {
    /// The secret, if it is a text.
    secret: Option<&'s str>,
    /// Number of times that it is escaped for JSON.
    level: usize,
    /// Byte offsets of its part in that text.
    range: Option<Range<usize>>,
}

impl<'s> Marked<'s> {
    /// Returns the text that the marker replaced; `None` if the marker is invalid.
    fn restore(self) -> Option<Cow<'s, str>> {
        let mut text = Cow::from(self.secret?);
        for _ in 0..self.level {
            text = escape(&text)?.into();
        }
        match self.range {
            Some(range) => Some(text.get(range)?.to_owned().into()),
            None => Some(text),
        }
    }
}

/// Suffix of the name of a secret for each time that it is escaped for JSON.
const ESCAPED: &str = "~json";

/// Escapes a text for JSON; returns `None` if that changes nothing or makes it too long.
fn escape(text: &str) -> Option<String> {
    let json = Value::from(text).to_text();
    let json = json.get(1..json.len() - 1).filter(|json| *json != text)?;
    (json.len() <= MAX_INSERTED_BYTES).then(|| json.to_owned())
}

/// Replaces secrets by markers, and applies `escape` to the rest. Of overlapping secrets the first wins; the
/// remaining parts of the others get their own markers.
pub(super) fn replace_secrets(
    text: &str,
    secrets: &[(String, String)],
    escape: &dyn Fn(&str) -> String,
) -> String {
    if secrets.is_empty() {
        return escape(text);
    }
    // For each byte, the index of its secret and the start of that occurrence.
    let mut owners: Vec<Option<(usize, usize)>> = vec![None; text.len()];
    for (index, (_, secret)) in secrets.iter().enumerate() {
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
        let owner = owner.and_then(|(index, begin)| Some((secrets.get(index)?, begin)));
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

/// Returns the marker of a secret input.
pub fn marker_of(input: &str) -> String {
    marker(&escape_input_name(input))
}

/// Returns the marker of a part of a secret: the escaped name of the input, and a path.
pub(super) fn marker(part: &str) -> String {
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
pub(super) fn map_value(
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
    fn hides_secrets_that_json_escapes_several_times() {
        let secret = "a\n\"b\\c";
        let mut text = Value::from(secret);
        let mut all = Secrets::default();
        all.add("k", Some(&text));
        for level in 1..=12 {
            text = text.to_text().into();
            let hidden = all.hide(&text);
            let name = format!("k{}", ESCAPED.repeat(level));
            let shown = hidden.as_text().unwrap();
            assert!(shown.contains(&format!("«secret:{name}»")) && !shown.contains('b'), "{shown}");
            assert_eq!(all.restore(&hidden), text);
        }
        check(r#"{"k":"ab\\"}"#, r#""xab\\\\\\\\""#, r#""x«secret:k~json~json»""#);
        check(r#"{"k":"ab\\","l":"y"}"#, r#""ab\\\\y""#, r#""«secret:k~json»«secret:l»""#);
    }

    #[test]
    fn hides_secrets_in_one_line() {
        check(r#"{"k":"a\nb\n"}"#, r#"["a b","a\nb\n."]"#, r#"["«secret:k~line»","«secret:k»."]"#);
    }

    #[test]
    fn escapes_texts_like_markers() {
        check(r#"{"t":"s3c"}"#, r#""«secret:t»""#, r#""«secret!:t»""#);
        check(r#"{"t":"s3c"}"#, r#""«secret!x «secret""#, r#""«secret!!x «secret!""#);
        check(r#"{"t":"«secret:t»"}"#, r#""«secret:t»""#, r#""«secret:t»""#);
    }
}
