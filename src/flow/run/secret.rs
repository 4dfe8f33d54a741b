//! Secrets do not leave a run: wherever one stands in a trace, an event or a diagnostic, a marker
//! stands instead, `«secret:name»`. Whoever resumes the run gives the secret again, and it is put
//! back. What looks like a marker and is none is written otherwise, so that no page that a node
//! fetched can ask for a secret.

use crate::base::Value;
use crate::base::value::Map;
use crate::base::{Gather, sort};

/// What a marker begins with, and what is written where the same stood by itself.
const OPEN: &str = "«secret";

/// The secrets of a run.
#[derive(Debug, Default)]
pub struct Secrets {
    /// Longer texts first: one secret may be a part of another.
    texts: Vec<(String, String)>,
    /// Secrets that are no texts.
    values: Vec<(String, Value)>,
    /// The names of secrets that are not given.
    lacking: Vec<String>,
}

impl Secrets {
    /// Notes that an input is a secret, and its value where it is given.
    pub fn add(&mut self, name: &str, value: Option<&Value>) {
        match value {
            None => self.lacking.push(name.to_owned()),
            Some(value) => {
                if let Value::List(_) | Value::Map(_) = value {
                    self.values.push((name.to_owned(), value.clone()));
                }
                self.add_leaves(name, value);
            }
        }
        let length = |place: usize| self.texts.get(place).map_or(0, |(_, text)| text.len());
        let order = sort::order(self.texts.len(), &|a, b| length(b).cmp(&length(a)));
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
                self.add_text(&format!("{name}~text"), &value.to_text());
            }
            Value::List(items) => {
                for (place, item) in items.iter().enumerate() {
                    self.add_leaves(&format!("{name}/{place}"), item);
                }
            }
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    self.add_leaves(&format!("{name}/{key}"), value);
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
        each(value, &whole, &|text| self.hide_text(text))
    }

    fn hide_text(&self, text: &str) -> Option<String> {
        self.replace(text, |rest, out| {
            let behind = rest.strip_prefix(OPEN)?;
            out.push_str(OPEN);
            out.push('!');
            Some(behind)
        })
    }

    /// Words without secrets, for people: markers in them stay, as nothing is put back.
    pub fn redact(&self, words: &str) -> String {
        let redacted = self.replace(words, |rest, out| {
            let behind = rest.strip_prefix(OPEN)?;
            let names = self.texts.iter().map(|(name, _)| name);
            let mut names = names.chain(self.values.iter().map(|(name, _)| name));
            let marked = names.find_map(|name| {
                behind.strip_prefix(':')?.strip_prefix(name.as_str())?.strip_prefix('»')
            });
            let behind = marked.unwrap_or(behind);
            out.push_str(rest.get(..rest.len() - behind.len())?);
            Some(behind)
        });
        redacted.unwrap_or_else(|| words.to_owned())
    }

    /// A text with markers for its secrets; nothing where there is nothing to replace. `open`
    /// writes what begins like a marker, and answers what comes behind it.
    fn replace(
        &self,
        text: &str,
        open: impl for<'t> Fn(&'t str, &mut String) -> Option<&'t str>,
    ) -> Option<String> {
        let found =
            text.contains(OPEN) || self.texts.iter().any(|(_, secret)| text.contains(secret));
        if !found {
            return None;
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            let secret = self.texts.iter().find(|(_, secret)| rest.starts_with(secret.as_str()));
            rest = if let Some((name, secret)) = secret {
                out.push_str(&marker(name));
                rest.get(secret.len()..).unwrap_or_default()
            } else if let Some(behind) = open(rest, &mut out) {
                behind
            } else {
                out.push(sign);
                rest.get(sign.len_utf8()..).unwrap_or_default()
            };
        }
        Some(out)
    }

    /// A value with its secrets put back.
    pub fn restore(&self, value: &Value) -> Value {
        let whole = |value: &Value| {
            let text = value.as_text()?;
            let found = self.values.iter().find(|(name, _)| marker(name) == text);
            found.map(|(_, secret)| secret.clone())
        };
        each(value, &whole, &|text| self.restore_text(text))
    }

    fn restore_text(&self, text: &str) -> Option<String> {
        let (before, _) = text.split_once(OPEN)?;
        let mut out = before.to_owned();
        let mut rest = text.get(before.len()..).unwrap_or_default();
        while let Some(after) = rest.strip_prefix(OPEN) {
            let marked = self.texts.iter().find_map(|(name, secret)| {
                let behind = after.strip_prefix(':')?.strip_prefix(name.as_str())?;
                Some((secret.as_str(), behind.strip_prefix('»')?))
            });
            let (instead, behind) = match marked {
                Some(marked) => marked,
                None => (OPEN, after.strip_prefix('!').unwrap_or(after)),
            };
            out.push_str(instead);
            let (plain, _) = behind.split_once(OPEN).unwrap_or((behind, ""));
            out.push_str(plain);
            rest = behind.get(plain.len()..).unwrap_or_default();
        }
        Some(out)
    }

    /// A secret that the text of a trace needs and that is not given.
    pub fn missing(&self, trace: &str) -> Option<&str> {
        let ends = ['»', '~', '/'];
        let mut names = self.lacking.iter().map(String::as_str);
        names.find(|name| {
            let marked = format!("{OPEN}:{name}");
            trace.split(&marked).skip(1).any(|behind| behind.starts_with(ends))
        })
    }
}

/// What stands instead of a secret.
pub fn marker(name: &str) -> String {
    format!("{OPEN}:{name}»")
}

/// A value with all its parts, texts and keys changed; what is not changed stays shared.
fn each(
    value: &Value,
    whole: &dyn Fn(&Value) -> Option<Value>,
    change: &dyn Fn(&str) -> Option<String>,
) -> Value {
    if let Some(changed) = whole(value) {
        return changed;
    }
    match value {
        Value::Text(text) => change(text).map_or_else(|| value.clone(), Value::from),
        Value::List(items) => {
            Value::list(items.iter().map(|item| each(item, whole, change)).gather())
        }
        Value::Map(map) => {
            let mut changed = Map::default();
            for (key, value) in map.iter() {
                let key = change(key).map_or_else(|| key.clone(), Into::into);
                changed.insert(key, each(value, whole, change));
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
            r#"["«secret:c/pin»","is «secret:c/pin~text»","«secret:c»","«secret:c/l/0»"]"#,
        );
        check(r#"{"c":{"p":"x9"}}"#, r#"[{"p":"x9"},"x9"]"#, r#"["«secret:c»","«secret:c/p»"]"#);
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
