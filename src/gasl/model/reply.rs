//! The JSON of a model's reply, whatever stands around it.

use crate::base::diagnostic::first_of;
use crate::base::json::{ENDED_EARLY, Limits, pointers_at};
use crate::base::value::excerpt_of;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;

/// What the model's callback answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The whole reply, as the recording keeps it.
    pub value: Value,
}

impl Reply {
    /// The text that the model wrote, if it is text, without the thoughts before it.
    pub fn text(&self) -> Option<&str> {
        let text = self.value.as_text().or_else(|| self.value.get("text")?.as_text())?;
        Some(without_thoughts(text))
    }

    /// What the model wrote, as it is shown that again.
    pub fn said(&self) -> String {
        let json = || self.value.get("json").unwrap_or(&self.value).to_text();
        self.text().map_or_else(json, str::to_owned)
    }

    /// The JSON that the model wrote, and what had to be dropped around it.
    pub fn json(&self) -> Result<Found, Diagnostic> {
        if let Some(json) = self.value.get("json").filter(|json| !json.is_null()) {
            return Ok((json.clone(), Vec::new()));
        }
        match self.text() {
            Some(text) => json_of(text).map_err(|error| match self.stopped_for_length() {
                true => Diagnostic {
                    message: format!("{}: it stopped for length", error.message),
                    ..error
                },
                false => error,
            }),
            None => Err(Diagnostic::new(codes::NOT_JSON, "the reply holds neither text nor JSON")
                .help("answer with a text, or with `{ text }` or `{ json }`")),
        }
    }

    /// Whether the model had more to say.
    pub fn stopped_for_length(&self) -> bool {
        let reason = self.value.get("finishReason").and_then(Value::as_text).unwrap_or_default();
        ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"].contains(&reason)
    }

    /// What is told where the reply is whole, although the model had more to say.
    pub fn cut(&self) -> Option<Diagnostic> {
        self.stopped_for_length().then(cut_for_length)
    }

    /// Which model it was, if the callback says so.
    pub fn model(&self) -> Option<&str> {
        self.value.get("model")?.as_text()
    }

    /// Tokens in and out, as far as the callback tells.
    pub fn tokens(&self) -> usize {
        let usage = self.value.get("usage");
        let count = |key: &str| usage.and_then(|usage| usage.get(key)?.as_number()).unwrap_or(0.0);
        (count("inputTokens") + count("outputTokens")).max(0.0) as usize
    }
}

/// What stands behind the thoughts of a model that writes them into its reply. Some servers leave out
/// where they begin.
fn without_thoughts(text: &str) -> &str {
    let trimmed = text.trim_start();
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        let opened = trimmed.strip_prefix(open);
        match (opened, opened.unwrap_or(trimmed).split_once(close)) {
            (Some(_), Some((_, reply))) => return reply,
            // It stopped for length before it said anything.
            (Some(_), None) => return "",
            (None, Some((thought, reply)))
                if !thought.contains(open) && !thought.starts_with(['{', '[', '`']) =>
            {
                return reply;
            }
            _ => {}
        }
    }
    text
}

/// For a reply that is whole, although the model had more to say.
pub fn cut_for_length() -> Diagnostic {
    Diagnostic::new(codes::STOPPED_FOR_LENGTH, "the reply stopped for length")
        .help("something may be missing; allow longer replies or ask for less")
}

/// JSON, and what there is to say of it: keys that stand twice, and what was dropped around it.
pub type Found = (Value, Vec<Diagnostic>);

/// The JSON in a text: the text itself, else what a fence encloses, else what begins at the first
/// brace.
pub fn json_of(text: &str) -> Result<Found, Diagnostic> {
    let whole = text.trim();
    let error = match read(whole) {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };
    if let Some(inside) = fenced(whole) {
        return read(inside.trim())
            .map(|found| without(found, "a markdown fence"))
            .map_err(|error| refused(inside, &error));
    }
    let Some(start) = whole.find(['{', '[']) else { return Err(refused(whole, &error)) };
    let from = whole.get(start..).unwrap_or_default();
    let end = from.rfind(['}', ']']).map_or(from.len(), |end| end + 1);
    match read(from.get(..end).unwrap_or_default()) {
        Ok(found) => Ok(without(found, "words")),
        // What was read to the very end says best what is missing there.
        Err(_) => Err(refused(from, &read(from).err().unwrap_or(error))),
    }
}

fn read(text: &str) -> Result<Found, Diagnostic> {
    let (value, told) = Value::parse(text.as_bytes(), Limits::default());
    match value {
        Some(value) => Ok((value, at_pointers(text, first_of(told)))),
        None => {
            let error = told.into_iter().find(Diagnostic::is_error);
            Err(error.unwrap_or_else(|| Diagnostic::new(codes::NOT_JSON, "the reply is no JSON")))
        }
    }
}

/// The same with pointers for places: whoever reads them has the JSON, and not what stands around it.
fn at_pointers(text: &str, told: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let places: Vec<usize> = told.iter().map(|one| one.span().unwrap_or_default().start).collect();
    let pointers = pointers_at(text.as_bytes(), &places);
    told.into_iter().zip(pointers).map(|(one, pointer)| one.at_pointer(pointer)).collect::<Vec<_>>()
}

/// What the first fence of a text encloses; an open fence encloses the rest.
fn fenced(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("```")?;
    let (_, inside) = after.split_once('\n')?;
    Some(inside.split_once("```").map_or(inside, |(inside, _)| inside))
}

/// The JSON, and that something around it was dropped.
fn without((value, mut told): Found, what: &str) -> Found {
    let message = format!("{what} around the JSON of the reply was dropped");
    told.push(Diagnostic::new(codes::CHATTER, message).help("answer with the JSON alone"));
    (value, told)
}

fn refused(text: &str, error: &Diagnostic) -> Diagnostic {
    let end = excerpt_of(text.get(text.len().saturating_sub(60)..).unwrap_or(text), 60);
    if error.code == ENDED_EARLY && text.contains(['{', '[']) {
        let message = format!("the reply ends in the middle of its JSON, after {end:?}");
        return Diagnostic::new(codes::NOT_JSON, message)
            .help("answer again with the whole JSON, and shorter");
    }
    if text.trim().is_empty() {
        let message = "the reply says nothing";
        return Diagnostic::new(codes::NOT_JSON, message).help("answer with the JSON alone");
    }
    if !text.contains(['{', '[']) {
        let message = "the reply is words, and no JSON";
        return Diagnostic::new(codes::NOT_JSON, message).help("answer with the JSON alone");
    }
    let message = format!("the reply is no JSON: {}", error.message);
    // What says that nothing is to stand around it is said here already.
    let help = error.help.as_ref().filter(|help| !help.starts_with("send the JSON alone"));
    let hint = help.map(|help| format!("; {help}")).unwrap_or_default();
    Diagnostic::new(codes::NOT_JSON, message)
        .help(format!("answer with the JSON alone, without fences or words around it{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        match json_of(text) {
            Ok((value, _)) => assert_eq!(value.to_text(), expected),
            Err(error) => assert_eq!(format!("{}: {}", error.code.id, error.message), expected),
        }
    }

    #[test]
    fn finds_the_json() {
        check(" {\"a\": 1} ", r#"{"a":1}"#);
        check("Sure!\n```json\n{\"a\": 1}\n```\nThat is all.", r#"{"a":1}"#);
        check("```\n[1]", "[1]");
        check("Here it is: {\"a\": [1]} — good luck", r#"{"a":[1]}"#);
        assert_eq!(json_of("So: [1]").unwrap().1[0].code, codes::CHATTER);
    }

    #[test]
    fn says_what_is_wrong() {
        check(
            "{\"a\": [1, 2",
            "GASL052: the reply ends in the middle of its JSON, after \"{\\\"a\\\": [1, 2\"",
        );
        check("I cannot do that.", "GASL052: the reply is words, and no JSON");
        check("[1, 2", "GASL052: the reply ends in the middle of its JSON, after \"[1, 2\"");
        check(
            "```json\n{\"a\": tru}\n```",
            "GASL052: the reply is no JSON: unexpected `tru`, expected a value",
        );
    }
}
