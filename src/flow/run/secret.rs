//! Secrets do not leave a run: wherever one stands in a trace, an event or a diagnostic, a marker
//! stands instead, `«secret:name»`. Whoever resumes the run gives the secret again, and it is put
//! back. What looks like a marker and is none is written otherwise, so that no page that a node
//! fetched can ask for a secret.

use crate::base::Value;
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use std::rc::Rc;

/// What a marker begins with, and what is written where the same stood by itself.
const OPEN: &str = "«secret";

/// The secrets of a run.
#[derive(Debug, Default)]
pub struct Secrets {
    /// Longer texts first: one secret may be a part of another.
    texts: Vec<(String, String)>,
    /// Secrets that are no texts.
    values: Vec<(String, Value)>,
    /// The keys in secrets, each with what stands under it.
    keys: Vec<(String, Rc<str>, Value)>,
    /// The names of secrets that are not given.
    lacking: Vec<String>,
}

impl Secrets {
    /// Notes that an input is a secret, and its value where it is given.
    pub fn add(&mut self, name: &str, value: Option<&Value>) {
        match value {
            None => self.lacking.push(name.to_owned()),
            Some(value) => {
                let name = escaped(name);
                if let Value::List(_) | Value::Map(_) = value {
                    self.values.push((name.clone(), value.clone()));
                }
                self.add_leaves(&name, value);
            }
        }
        let length = |place: usize| self.texts.get(place).map_or(0, |(_, text)| text.len());
        let mut order: Vec<usize> = (0..self.texts.len()).collect();
        order.sort_by(|&a, &b| length(b).cmp(&length(a)));
        let take = |place| self.texts.get_mut(place).map(std::mem::take);
        self.texts = order.into_iter().filter_map(take).collect();
    }

    fn add_text(&mut self, name: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        // As it stands in a text of JSON, which a template makes of whatever holds it.
        let json = Value::from(text).to_text();
        if let Some(json) = json.get(1..json.len() - 1).filter(|json| *json != text) {
            self.texts.push((format!("{name}~json"), json.to_owned()));
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
                // As other languages write it.
                if text.contains("e+") {
                    self.add_text(&format!("{name}~bare"), &text.replace("e+", "e"));
                }
            }
            Value::List(items) => {
                for (place, item) in items.iter().enumerate() {
                    self.add_leaves(&format!("{name}/{place}"), item);
                }
            }
            Value::Map(map) => {
                let key = |place| map.get_index(place).map_or("", |(key, _)| &**key);
                let mut order: Vec<usize> = (0..map.len()).collect();
                order.sort_by(|&a, &b| key(a).cmp(key(b)));
                // A marker tells no key either.
                for (number, place) in order.into_iter().enumerate() {
                    let Some((key, value)) = map.get_index(place) else { continue };
                    let name = format!("{name}/{number}");
                    self.add_leaves(&name, value);
                    self.keys.push((format!("{name}~key"), key.clone(), value.clone()));
                }
            }
            // Yes, no and nothing would hide half of everything.
            _ => {}
        }
    }

    /// A value without secrets.
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
        each(value, &whole, &key, &|text| self.hide_text(text))
    }

    /// Values without secrets, under names that are none.
    pub fn hide_each(&self, values: &Map) -> Value {
        let hidden = values.iter().map(|(name, value)| (name.clone(), self.hide(value)));
        Value::from(hidden.collect::<Map>())
    }

    fn hide_text(&self, text: &str) -> Option<String> {
        let plain = |text: &str| text.replace(OPEN, &format!("{OPEN}!"));
        let found = text.contains(OPEN) || self.stands_in(text);
        found.then(|| self.replace(text, &plain))
    }

    /// Words of somebody else's without secrets: what looks like a marker in them is none.
    pub fn hide_words(&self, words: &str) -> String {
        self.hide_text(words).unwrap_or_else(|| words.to_owned())
    }

    /// Words without secrets, for people: markers in them stay, as nothing is put back.
    pub fn redact(&self, words: &str) -> String {
        let mut out = String::new();
        let (mut rest, mut from) = (words, 0);
        while let Some(at) = rest.get(from..).and_then(|rest| rest.find(OPEN)) {
            let (before, open) = rest.split_at(from + at);
            match self.marked(open) {
                Some((_, behind)) => {
                    out += &self.replace(before, &str::to_owned);
                    out += open.get(..open.len() - behind.len()).unwrap_or_default();
                    (rest, from) = (behind, 0);
                }
                None => from += at + OPEN.len(),
            }
        }
        out + &self.replace(rest, &str::to_owned)
    }

    /// Whether words name a key of a secret.
    pub fn tells_key(&self, words: &str) -> bool {
        self.keys.iter().any(|(_, key, _)| words.contains(&quote(key)))
    }

    fn stands_in(&self, text: &str) -> bool {
        self.texts.iter().any(|(_, secret)| text.contains(secret))
    }

    /// A text with markers for its secrets, and what is `plain` of the rest. Of secrets that
    /// overlap the longest counts, and what is left of the others has markers of its own.
    fn replace(&self, text: &str, plain: &dyn Fn(&str) -> String) -> String {
        if !self.stands_in(text) {
            return plain(text);
        }
        // For each byte, the secret that it belongs to, and where that begins.
        let mut owners: Vec<Option<(usize, usize)>> = vec![None; text.len()];
        for (number, (_, secret)) in self.texts.iter().enumerate() {
            let first = secret.chars().next().map_or(1, char::len_utf8);
            let mut from = 0;
            while let Some(at) = text.get(from..).and_then(|rest| rest.find(secret)) {
                let start = from + at;
                let bytes = owners.get_mut(start..start + secret.len());
                for owner in bytes.into_iter().flatten() {
                    owner.get_or_insert((number, start));
                }
                from = start + first;
            }
        }
        let mut out = String::new();
        let mut start = 0;
        for stretch in owners.chunk_by(|a, b| a == b) {
            let end = start + stretch.len();
            let owner = stretch.first().copied().flatten();
            let of = owner.and_then(|(number, begin)| Some((self.texts.get(number)?, begin)));
            out += &match of {
                None => plain(text.get(start..end).unwrap_or_default()),
                Some(((name, secret), _)) if secret.len() == stretch.len() => marker(name),
                Some(((name, _), begin)) => {
                    marker(&format!("{name}~{}-{}", start - begin, end - begin))
                }
            };
            start = end;
        }
        out
    }

    /// A value with its secrets put back.
    pub fn restore(&self, value: &Value) -> Value {
        let whole = |value: &Value| {
            let text = value.as_text()?;
            let found = self.values.iter().find(|(name, _)| marker(name) == text);
            found.map(|(_, secret)| secret.clone())
        };
        let text = |text: &str| self.restore_text(text);
        each(value, &whole, &|key, _| text(key), &text)
    }

    fn restore_text(&self, text: &str) -> Option<String> {
        let (before, _) = text.split_once(OPEN)?;
        let mut out = before.to_owned();
        let mut rest = text.get(before.len()..).unwrap_or_default();
        while let Some(after) = rest.strip_prefix(OPEN) {
            let (instead, behind) = match self.marked(rest) {
                Some((Some(secret), behind)) => (secret, behind),
                _ => (OPEN, after.strip_prefix('!').unwrap_or(after)),
            };
            out.push_str(instead);
            let (plain, _) = behind.split_once(OPEN).unwrap_or((behind, ""));
            out.push_str(plain);
            rest = behind.get(plain.len()..).unwrap_or_default();
        }
        Some(out)
    }

    /// What a marker that a text begins with stands for, if that is a text, and what comes behind.
    fn marked<'t>(&self, text: &'t str) -> Option<(Option<&str>, &'t str)> {
        let behind = text.strip_prefix(OPEN)?.strip_prefix(':')?;
        let texts = self.texts.iter().map(|(name, secret)| (name, Some(secret.as_str())));
        let keys = self.keys.iter().map(|(name, key, _)| (name, Some(&**key)));
        let values = self.values.iter().map(|(name, _)| (name, None));
        texts.chain(keys).chain(values).find_map(|(name, secret)| {
            let behind = behind.strip_prefix(name.as_str())?;
            if let Some(behind) = behind.strip_prefix('»') {
                return Some((secret, behind));
            }
            let (part, behind) = behind.strip_prefix('~')?.split_once('»')?;
            let (start, end) = part.split_once('-')?;
            let part = secret?.get(start.parse().ok()?..end.parse().ok()?)?;
            Some((Some(part), behind))
        })
    }

    /// A secret that the text of a trace needs and that is not given.
    pub fn missing(&self, trace: &str) -> Option<&str> {
        let ends = |behind: &str| match behind.strip_prefix('~') {
            // Else the name goes on.
            Some(part) => !part.starts_with(ESCAPES.map(|(_, letter)| letter)),
            None => behind.starts_with(['»', '/']),
        };
        let mut names = self.lacking.iter().map(String::as_str);
        names.find(|name| {
            let marked = format!("{OPEN}:{}", escaped(name));
            trace.split(&marked).skip(1).any(ends)
        })
    }
}

/// What stands instead of a secret that is an input.
pub fn marker_of(input: &str) -> String {
    marker(&escaped(input))
}

/// What stands instead of a part of a secret: the name of the input, escaped, and which part it is.
fn marker(part: &str) -> String {
    format!("{OPEN}:{part}»")
}

/// What has a meaning in markers, and what stands for it behind a `~` in the names of inputs.
const ESCAPES: [(char, char); 3] = [('~', '~'), ('/', '.'), ('»', ',')];

fn escaped(input: &str) -> String {
    let mut out = String::new();
    for letter in input.chars() {
        match ESCAPES.iter().find(|(meant, _)| *meant == letter) {
            Some((_, instead)) => out.extend(['~', *instead]),
            None => out.push(letter),
        }
    }
    out
}

/// A value with all its parts, texts and keys changed; what is not changed stays shared.
fn each(
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
            items.iter().map(|item| each(item, whole, rename, change)).collect::<Vec<_>>(),
        ),
        Value::Map(map) => {
            let mut changed = Map::default();
            for (key, value) in map.iter() {
                let key = rename(key, value).map_or_else(|| key.clone(), Into::into);
                changed.insert(key, each(value, whole, rename, change));
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

    fn check(secrets: &str, given: &str, hidden: &str) {
        let mut all = Secrets::default();
        for (name, secret) in value(secrets).as_map().unwrap() {
            all.add(name, Some(secret));
        }
        let given = value(given);
        assert_eq!(all.hide(&given).to_text(), hidden);
        assert_eq!(all.restore(&all.hide(&given)).to_text(), given.to_text());
    }

    #[test]
    fn secrets_are_hidden_and_put_back() {
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
            r#"{"n":1e21}"#,
            r#"["1e21","is 1e+21"]"#,
            r#"["«secret:n~bare»","is «secret:n~text»"]"#,
        );
    }

    #[test]
    fn keys_of_secrets_are_hidden_with_what_stands_there() {
        check(
            r#"{"c":{"bob":"x9","ann":"y8"}}"#,
            r#"{"ann":"y8","bob":"other","more":"bob"}"#,
            r#"{"«secret:c/0~key»":"«secret:c/0»","bob":"other","more":"bob"}"#,
        );
    }

    #[test]
    fn secrets_that_overlap_are_hidden_wholly() {
        check(
            r#"{"p":"ab","q":"bcdefgh"}"#,
            r#"["abcdefgh","abab"]"#,
            r#"["«secret:p~0-1»«secret:q»","«secret:p»«secret:p»"]"#,
        );
        check(r#"{"p":"éa é"}"#, r#""éa éa é""#, r#""«secret:p»«secret:p~2-6»""#);
    }

    #[test]
    fn words_are_redacted_once() {
        let mut all = Secrets::default();
        all.add("key", Some(&"key".into()));
        let words = all.redact("no key, «secret:other»");
        assert_eq!(words, "no «secret:key», «secret:other»");
        assert_eq!(all.redact(&words), words);
    }

    #[test]
    fn what_looks_like_a_marker_is_none() {
        check(r#"{"t":"s3c"}"#, r#""«secret:t»""#, r#""«secret!:t»""#);
        check(r#"{"t":"s3c"}"#, r#""«secret!x «secret""#, r#""«secret!!x «secret!""#);
        check(r#"{"t":"«secret:t»"}"#, r#""«secret:t»""#, r#""«secret:t»""#);
    }
}
