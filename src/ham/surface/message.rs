//! Messages from an agent: the envelopes of A2UI v0.9 and v1.0, with HAM nodes as data.

use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::names;
use crate::base::value::{Map, Value as Json};
use crate::ham::codes;

/// A message for a surface.
pub enum Message {
    /// A data update, parsed by [`crate::ham::update`].
    Data,
    Create {
        id: String,
        /// JSON texts of the keys other than components and data.
        options: String,
        components: Option<Components>,
    },
    Components {
        id: String,
        components: Components,
    },
    Delete {
        id: String,
    },
}

/// Component descriptions by id, as written.
pub type Components = Vec<(String, Json)>;

const MESSAGE_TYPES: [&str; 4] =
    ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];

/// Returns the first key of a message other than `version`, which is its type, without parsing the
/// rest. `None` if there is no such key.
pub fn peek_message_type(text: &[u8]) -> Option<&[u8]> {
    let rest = trim_start(text).strip_prefix(b"{")?;
    let (key, rest) = split_string(rest)?;
    if key != b"version" {
        return Some(key);
    }
    let rest = trim_start(rest).strip_prefix(b":")?;
    let (_, rest) = split_string(rest)?;
    let rest = trim_start(rest).strip_prefix(b",")?;
    split_string(rest).map(|(key, _)| key)
}

fn trim_start(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

/// Splits off a string without escapes.
fn split_string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = trim_start(text).strip_prefix(b"\"")?;
    let end = memchr::memchr2(b'"', b'\\', rest)?;
    let after = rest.get(end..)?.strip_prefix(b"\"")?;
    Some((rest.get(..end)?, after))
}

/// Parses a message that is not a data update.
pub fn parse(json: &Json, diagnostics: &mut Vec<Diagnostic>) -> Option<Message> {
    let Some(map) = json.as_map() else {
        diagnostics.push(message_error("expected an object"));
        return None;
    };
    let types: Vec<&str> =
        map.keys().map(|key| &**key).filter(|key| MESSAGE_TYPES.contains(key)).collect();
    let message_type = match types.as_slice() {
        ["updateDataModel"] => return Some(Message::Data),
        [message_type] => *message_type,
        [] => {
            diagnostics.push(unknown_message(map));
            return None;
        }
        several => {
            let type_list = names::format_names(several.iter().copied());
            let message = format!("expected one message type, found {type_list}");
            let error = Diagnostic::new(codes::INVALID_MESSAGE, message);
            diagnostics.push(error.help("send each in a separate message"));
            return None;
        }
    };
    let body = map.get(message_type).and_then(Json::as_map);
    let id = body.and_then(|body| body.get("surfaceId")).and_then(Json::as_text);
    let (Some(body), Some(id)) = (body, id) else {
        let message = format!("missing `surfaceId` in `{message_type}`");
        diagnostics.push(message_error(&message).at_pointer(format!("/{message_type}")));
        return None;
    };
    let id = id.to_owned();
    match message_type {
        "createSurface" => {
            if body.contains_key("dataModel") {
                let warning = Diagnostic::new(codes::ENVELOPE_KEY, "`dataModel` is ignored")
                    .help(r#"send {"updateDataModel": {"surfaceId": "s", "nodes": {"root": {}}}} instead"#)
                    .at_pointer("/createSurface/dataModel");
                diagnostics.push(warning);
            }
            let pointer = "/createSurface/components";
            let components =
                body.get("components").map(|list| parse_components(list, pointer, diagnostics));
            let mut options = String::new();
            for (key, value) in body.iter().filter(|(key, _)| !is_content(key)) {
                options.push_str(key);
                options.push_str(&value.to_text());
            }
            Some(Message::Create { id, options, components })
        }
        "updateComponents" => {
            let pointer = "/updateComponents/components";
            let Some(list) = body.get("components") else {
                let error = message_error("missing list `components` in `updateComponents`");
                diagnostics.push(error.at_pointer("/updateComponents"));
                return None;
            };
            Some(Message::Components {
                id,
                components: parse_components(list, pointer, diagnostics),
            })
        }
        _ => Some(Message::Delete { id }),
    }
}

fn is_content(key: &str) -> bool {
    matches!(key, "components" | "dataModel")
}

/// Builds the error for a message of unknown type.
#[cold]
fn unknown_message(map: &Map) -> Diagnostic {
    let mut keys = map.keys().filter(|key| ***key != *"version");
    let Some(key) = keys.next() else {
        return message_error("the message is empty").at_pointer("");
    };
    let similar = find_typo(map, &MESSAGE_TYPES);
    let error = match similar {
        Some((key, similar)) => message_error(&format!(
            "unknown message type {}: did you mean {}?",
            quote(key),
            quote(similar)
        )),
        None => message_error(&format!("unknown message type {}", quote(key))),
    };
    error.at_pointer(format!("/{}", escape_pointer_step(similar.map_or(key, |(key, _)| key))))
}

/// Returns the first key that is a typo of one of the names, and that name.
fn find_typo<'a>(map: &'a Map, names: &[&'static str]) -> Option<(&'a str, &'static str)> {
    map.keys().find_map(|key| Some((&**key, names::closest(key, names.iter().copied())?)))
}

const COMPONENT_HELP: &str =
    r#"write a list of components such as {"id": "title", "component": "Text", "text": "Hello"}"#;

fn parse_components(json: &Json, pointer: &str, diagnostics: &mut Vec<Diagnostic>) -> Components {
    let Some(list) = json.as_list() else {
        let error = Diagnostic::new(codes::INVALID_MESSAGE, "expected a list as `components`")
            .help(COMPONENT_HELP);
        diagnostics.push(error.at_pointer(pointer));
        return Vec::new();
    };
    let mut components = Vec::with_capacity(list.len());
    for (index, json) in list.iter().enumerate() {
        let name =
            |key: &str| json.get(key).and_then(Json::as_text).filter(|name| !name.is_empty());
        match (name("id"), name("component")) {
            (Some(id), Some(_)) => components.push((id.to_owned(), json.clone())),
            (id, component) => {
                let error = component_error(json, id, component);
                diagnostics.push(error.at_pointer(format!("{pointer}/{index}")));
            }
        }
    }
    components
}

/// Builds the error for a component without an id or a type.
#[cold]
fn component_error(json: &Json, id: Option<&str>, component: Option<&str>) -> Diagnostic {
    let missing_key = if id.is_none() { "id" } else { "component" };
    let message = match id.or(component) {
        Some(name) => format!("missing `{missing_key}` in the component {}", quote(name)),
        None => "missing `id` and `component` in a component".to_owned(),
    };
    let error = Diagnostic::new(codes::INVALID_MESSAGE, message);
    match json.as_map().and_then(|map| find_typo(map, &[missing_key])) {
        Some((key, _)) => error.help(format!("rename {} to `{missing_key}`", quote(key))),
        None => error.help(COMPONENT_HELP),
    }
}

/// Builds the error for an invalid message.
#[cold]
fn message_error(message: &str) -> Diagnostic {
    Diagnostic::new(codes::INVALID_MESSAGE, message).help(
        r#"write {"createSurface": {"surfaceId": "s"}}, {"updateComponents": {"surfaceId": "s", "components": []}}, {"updateDataModel": {"surfaceId": "s", "nodes": {}}} or {"deleteSurface": {"surfaceId": "s"}}"#,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peek_returns_the_message_type() {
        assert_eq!(
            peek_message_type(br#" {"version": "v0.9", "updateDataModel": {"#),
            Some(&b"updateDataModel"[..])
        );
        assert_eq!(peek_message_type(br#"{"createSurface":"#), Some(&b"createSurface"[..]));
        assert_eq!(peek_message_type(b"{}"), None);
        assert_eq!(peek_message_type(b"nonsense"), None);
    }
}
