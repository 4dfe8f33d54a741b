//! Extracts JSON from the reply of a model.

use crate::base::diagnostic::limit_diagnostics;
use crate::base::json::{ENDED_EARLY, Limits, pointers_at};
use crate::base::value::excerpt_of;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;

const JSON_ALONE_HELP: &str = "return only the JSON";

/// Reply of the model's callback.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Complete reply, as stored in a recording.
    pub value: Value,
}

impl Reply {
    /// Returns the text of the reply without reasoning; `None` if it is JSON.
    pub fn text(&self) -> Option<&str> {
        let text = self.value.as_text().or_else(|| self.value.get("text")?.as_text())?;
        Some(without_reasoning(text))
    }

    /// Returns the text or the JSON of the reply, for a retry prompt.
    pub fn to_text(&self) -> String {
        let json = || self.value.get("json").unwrap_or(&self.value).to_text();
        self.text().map_or_else(json, str::to_owned)
    }

    /// Returns the JSON of the reply with diagnostics; fails if there is none.
    pub fn json(&self) -> Result<ExtractedJson, Diagnostic> {
        if let Some(json) = self.value.get("json").filter(|json| !json.is_null()) {
            return Ok((json.clone(), Vec::new()));
        }
        match self.text() {
            Some(text) => extract_json(text).map_err(|error| match self.stopped_for_length() {
                true => Diagnostic {
                    message: format!("{}: it was truncated at the length limit", error.message),
                    ..error
                },
                false => error,
            }),
            None => Err(Diagnostic::new(codes::NOT_JSON, "the reply has neither text nor JSON")
                .help("return a string, `{ text }` or `{ json }`")),
        }
    }

    /// Returns whether the reply was truncated at the length limit.
    pub fn stopped_for_length(&self) -> bool {
        let reason = self.value.get("finishReason").and_then(Value::as_text).unwrap_or_default();
        ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"].contains(&reason)
    }

    /// Returns the warning for a truncated reply; `None` if it is complete.
    pub fn length_warning(&self) -> Option<Diagnostic> {
        self.stopped_for_length().then(stopped_for_length_warning)
    }

    /// Returns the name of the model, if the callback returns it.
    pub fn model(&self) -> Option<&str> {
        self.value.get("model")?.as_text()
    }

    /// Returns the number of input and output tokens; 0 if the callback does not return it.
    pub fn tokens(&self) -> usize {
        let usage = self.value.get("usage");
        let count = |key: &str| usage.and_then(|usage| usage.get(key)?.as_number()).unwrap_or(0.0);
        (count("inputTokens") + count("outputTokens")).max(0.0) as usize
    }
}

/// Returns the text after the reasoning of a model that writes it into the reply. Some servers omit
/// the opening tag.
fn without_reasoning(text: &str) -> &str {
    let trimmed = text.trim_start();
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        let opened = trimmed.strip_prefix(open);
        match (opened, opened.unwrap_or(trimmed).split_once(close)) {
            (Some(_), Some((_, reply))) => return reply,
            // The reply was truncated inside the reasoning.
            (Some(_), None) => return "",
            (None, Some((reasoning, reply)))
                if !reasoning.contains(open) && !reasoning.starts_with(['{', '[', '`']) =>
            {
                return reply;
            }
            _ => {}
        }
    }
    text
}

/// Returns the warning for a reply that was truncated at the length limit.
pub fn stopped_for_length_warning() -> Diagnostic {
    Diagnostic::new(codes::REPLY_TRUNCATED, "the reply was truncated at the length limit")
        .help("allow longer replies or request less; parts may be missing")
}

/// JSON value with diagnostics: duplicate keys, and text that was ignored around it.
pub type ExtractedJson = (Value, Vec<Diagnostic>);

/// Extracts JSON from a text: the text itself, else the contents of the first code fence, else the
/// text from the first bracket on.
pub fn extract_json(text: &str) -> Result<ExtractedJson, Diagnostic> {
    let text = text.trim();
    let error = match parse_json(text) {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };
    if let Some(inside) = fenced_text(text) {
        return parse_json(inside.trim())
            .map(|found| with_ignored_text(found, "a code fence"))
            .map_err(|error| invalid_json(inside, &error));
    }
    let Some(start) = text.find(['{', '[']) else { return Err(invalid_json(text, &error)) };
    let from = text.get(start..).unwrap_or_default();
    let end = from.rfind(['}', ']']).map_or(from.len(), |end| end + 1);
    match parse_json(from.get(..end).unwrap_or_default()) {
        Ok(found) => Ok(with_ignored_text(found, "text")),
        // The error of the complete text describes best what is missing at its end.
        Err(_) => Err(invalid_json(from, &parse_json(from).err().unwrap_or(error))),
    }
}

fn parse_json(text: &str) -> Result<ExtractedJson, Diagnostic> {
    let (value, diagnostics) = Value::parse(text.as_bytes(), Limits::default());
    match value {
        Some(value) => Ok((value, at_pointers(text, limit_diagnostics(diagnostics)))),
        None => {
            let error = diagnostics.into_iter().find(Diagnostic::is_error);
            Err(error.unwrap_or_else(|| Diagnostic::new(codes::NOT_JSON, "the reply is not JSON")))
        }
    }
}

/// Replaces spans with JSON pointers, because the reader has the value and not the text.
fn at_pointers(text: &str, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let offsets: Vec<usize> =
        diagnostics.iter().map(|one| one.span().unwrap_or_default().start).collect();
    let pointers = pointers_at(text.as_bytes(), &offsets);
    diagnostics
        .into_iter()
        .zip(pointers)
        .map(|(one, pointer)| one.at_pointer(pointer))
        .collect::<Vec<_>>()
}

/// Returns the contents of the first code fence; an unclosed fence extends to the end.
fn fenced_text(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("```")?;
    let (_, inside) = after.split_once('\n')?;
    Some(inside.split_once("```").map_or(inside, |(inside, _)| inside))
}

/// Adds the diagnostic that something around the JSON was ignored.
fn with_ignored_text((value, mut diagnostics): ExtractedJson, what: &str) -> ExtractedJson {
    let message = format!("{what} around the JSON of the reply was ignored");
    diagnostics.push(Diagnostic::new(codes::EXTRA_TEXT, message).help(JSON_ALONE_HELP));
    (value, diagnostics)
}

fn invalid_json(text: &str, error: &Diagnostic) -> Diagnostic {
    let end = excerpt_of(text.get(text.len().saturating_sub(60)..).unwrap_or(text), 60);
    if error.code == ENDED_EARLY && text.contains(['{', '[']) {
        let message = format!("the JSON of the reply is truncated after {end:?}");
        return Diagnostic::new(codes::NOT_JSON, message)
            .help("return the complete JSON in a shorter form");
    }
    if text.trim().is_empty() {
        let message = "the reply is empty";
        return Diagnostic::new(codes::NOT_JSON, message).help(JSON_ALONE_HELP);
    }
    if !text.contains(['{', '[']) {
        let message = "the reply is text without JSON";
        return Diagnostic::new(codes::NOT_JSON, message).help(JSON_ALONE_HELP);
    }
    let message = format!("the reply is not valid JSON: {}", error.message);
    // Omits a help that repeats this one.
    let help = error.help.as_ref().filter(|help| !help.starts_with("send the JSON alone"));
    let hint = help.map(|help| format!("; {help}")).unwrap_or_default();
    Diagnostic::new(codes::NOT_JSON, message)
        .help(format!("return only the JSON, without code fences or text around it{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        match extract_json(text) {
            Ok((value, _)) => assert_eq!(value.to_text(), expected),
            Err(error) => assert_eq!(format!("{}: {}", error.code.id, error.message), expected),
        }
    }

    #[test]
    fn extracts_json_around_text() {
        check(" {\"a\": 1} ", r#"{"a":1}"#);
        check("Sure!\n```json\n{\"a\": 1}\n```\nThat is all.", r#"{"a":1}"#);
        check("```\n[1]", "[1]");
        check("Here it is: {\"a\": [1]} — good luck", r#"{"a":[1]}"#);
        assert_eq!(extract_json("So: [1]").unwrap().1[0].code, codes::EXTRA_TEXT);
    }

    #[test]
    fn invalid_replies_are_reported() {
        check(
            "{\"a\": [1, 2",
            "GASL052: the JSON of the reply is truncated after \"{\\\"a\\\": [1, 2\"",
        );
        check("I cannot do that.", "GASL052: the reply is text without JSON");
        check("[1, 2", "GASL052: the JSON of the reply is truncated after \"[1, 2\"");
        check(
            "```json\n{\"a\": tru}\n```",
            "GASL052: the reply is not valid JSON: unexpected `tru`, expected a value",
        );
    }
}
