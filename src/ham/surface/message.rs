//! Messages from an agent: the envelopes of A2UI v0.9 and v1.0, with HAM nodes as data.

use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::names;
use crate::base::value::{Map, Value as Json};
use crate::ham::codes;

/// What an agent says about a surface, data aside.
pub enum Message {
    /// A data update: read by [`crate::ham::update`].
    Data,
    Create {
        id: String,
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

/// Component descriptions by id, in the order of the message.
pub type Components = Vec<(String, Json)>;

const KINDS: [&str; 4] = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];

/// The first key of a message, its `version` left out: it tells what kind of message it is before
/// the whole is read. Nothing where the text does not begin like one.
pub fn peek(text: &[u8]) -> Option<&[u8]> {
    let rest = white(text).strip_prefix(b"{")?;
    let (key, rest) = string(rest)?;
    if key != b"version" {
        return Some(key);
    }
    let rest = white(rest).strip_prefix(b":")?;
    let (_, rest) = string(rest)?;
    let rest = white(rest).strip_prefix(b",")?;
    string(rest).map(|(key, _)| key)
}

fn white(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

/// A string without escapes, and what follows it.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = white(text).strip_prefix(b"\"")?;
    let end = memchr::memchr2(b'"', b'\\', rest)?;
    let after = rest.get(end..)?.strip_prefix(b"\"")?;
    Some((rest.get(..end)?, after))
}

/// Reads a message that is no data update.
pub fn parse(json: &Json, diagnostics: &mut Vec<Diagnostic>) -> Option<Message> {
    let Some(map) = json.as_map() else {
        diagnostics.push(no_message("a message is an object"));
        return None;
    };
    let kinds: Vec<&str> = map.keys().map(|key| &**key).filter(|key| KINDS.contains(key)).collect();
    let kind = match kinds.as_slice() {
        ["updateDataModel"] => return Some(Message::Data),
        [kind] => *kind,
        [] => {
            diagnostics.push(unknown(map));
            return None;
        }
        several => {
            let said = names::list(several.iter().copied());
            let message = format!("one message says one thing, this says {said}");
            let error = Diagnostic::new(codes::MESSAGE, message);
            diagnostics.push(error.help("send each in a message of its own"));
            return None;
        }
    };
    let body = map.get(kind).and_then(Json::as_map);
    let id = body.and_then(|body| body.get("surfaceId")).and_then(Json::as_text);
    let (Some(body), Some(id)) = (body, id) else {
        let message = format!("`{kind}` names its `surfaceId`");
        diagnostics.push(no_message(&message).at_pointer(format!("/{kind}")));
        return None;
    };
    let id = id.to_owned();
    match kind {
        "createSurface" => {
            if body.contains_key("dataModel") {
                let warning = Diagnostic::new(codes::ENVELOPE_KEY, "`dataModel` is not read")
                    .help(r#"send {"updateDataModel": {"surfaceId": "s", "nodes": {"root": {}}}} instead"#)
                    .at_pointer("/createSurface/dataModel");
                diagnostics.push(warning);
            }
            let place = "/createSurface/components";
            let components =
                body.get("components").map(|list| components(list, place, diagnostics));
            Some(Message::Create { id, components })
        }
        "updateComponents" => {
            let place = "/updateComponents/components";
            let Some(list) = body.get("components") else {
                let error = no_message("`updateComponents` has a list of `components`");
                diagnostics.push(error.at_pointer("/updateComponents"));
                return None;
            };
            Some(Message::Components { id, components: components(list, place, diagnostics) })
        }
        _ => Some(Message::Delete { id }),
    }
}

/// The error for a message that says nothing that a surface knows.
fn unknown(map: &Map) -> Diagnostic {
    let mut keys = map.keys().filter(|key| ***key != *"version");
    let Some(key) = keys.next() else {
        return no_message("the message is empty").at_pointer("");
    };
    let near = slip(map, &KINDS);
    let error = match near {
        Some((key, near)) => {
            no_message(&format!("{} is no message: did you mean {}?", quote(key), quote(near)))
        }
        None => no_message(&format!("{} is no message", quote(key))),
    };
    error.at_pointer(format!("/{}", pointer_step(near.map_or(key, |(key, _)| key))))
}

/// The first key that is nearly one of these names, with that name.
fn slip<'a>(map: &'a Map, names: &[&'static str]) -> Option<(&'a str, &'static str)> {
    map.keys().find_map(|key| Some((&**key, names::nearest(key, names.iter().copied())?)))
}

const A_COMPONENT: &str = r#"write each as {"id": "title", "component": "Text", "text": "Hello"}, one behind the other in a list"#;

fn components(json: &Json, place: &str, diagnostics: &mut Vec<Diagnostic>) -> Components {
    let Some(list) = json.as_list() else {
        let error = Diagnostic::new(codes::MESSAGE, "`components` is a list").help(A_COMPONENT);
        diagnostics.push(error.at_pointer(place));
        return Vec::new();
    };
    let mut components = Vec::with_capacity(list.len());
    for (nth, json) in list.iter().enumerate() {
        let name =
            |key: &str| json.get(key).and_then(Json::as_text).filter(|name| !name.is_empty());
        match (name("id"), name("component")) {
            (Some(id), Some(_)) => components.push((id.to_owned(), json.clone())),
            (id, component) => {
                let error = unnamed(json, id, component);
                diagnostics.push(error.at_pointer(format!("{place}/{nth}")));
            }
        }
    }
    components
}

/// The error for a component that lacks an id or the name of what it is.
fn unnamed(json: &Json, id: Option<&str>, component: Option<&str>) -> Diagnostic {
    let lacks = if id.is_none() { "id" } else { "component" };
    let message = match id.or(component) {
        Some(name) => format!("the component {} names no `{lacks}`", quote(name)),
        None => "a component has an `id` and a `component`".to_owned(),
    };
    let error = Diagnostic::new(codes::MESSAGE, message);
    match json.as_map().and_then(|map| slip(map, &[lacks])) {
        Some((key, _)) => error.help(format!("rename {} to `{lacks}`", quote(key))),
        None => error.help(A_COMPONENT),
    }
}

/// The error for a message of another form.
fn no_message(message: &str) -> Diagnostic {
    Diagnostic::new(codes::MESSAGE, message).help(
        r#"write {"createSurface": {"surfaceId": "s"}}, {"updateComponents": {"surfaceId": "s", "components": []}}, {"updateDataModel": {"surfaceId": "s", "nodes": {}}} or {"deleteSurface": {"surfaceId": "s"}}"#,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peeks_at_the_kind() {
        assert_eq!(
            peek(br#" {"version": "v0.9", "updateDataModel": {"#),
            Some(&b"updateDataModel"[..])
        );
        assert_eq!(peek(br#"{"createSurface":"#), Some(&b"createSurface"[..]));
        assert_eq!(peek(b"{}"), None);
        assert_eq!(peek(b"nonsense"), None);
    }
}
