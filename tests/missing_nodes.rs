//! Diagnostics of a surface for bindings and lists whose nodes are missing.

#![allow(clippy::expect_used, clippy::unwrap_used)] // A failed test panics.

use byname::base::Value;
use byname::base::diagnostic::Location;
use byname::ham::document::StoreSettings;
use byname::ham::store::{DataOwner, Store};
use byname::ham::surface::component::Catalog;
use byname::ham::surface::message_text::HostEncoding;
use serde_json::{Value as Json, json};

/// A store with one surface that has received `components`.
fn host(components: &Json) -> (Store, usize) {
    let mut store = Store::new(StoreSettings::default());
    let surface = store.add_surface(Catalog::parse(&Value::Null));
    let message = json!({"updateComponents": {"surfaceId": "s", "components": components}});
    let text = message.to_string();
    store.receive(surface, text.as_bytes(), HostEncoding::Bytes, DataOwner::Own);
    (store, surface)
}

fn set(store: &mut Store, nodes: &Json) {
    assert!(store.apply(nodes.to_string().as_bytes(), HostEncoding::Bytes).ok, "{nodes}");
}

/// Returns the code and the pointer of each diagnostic.
fn diagnostics(store: &mut Store, surface: usize) -> Vec<(String, String)> {
    let found = store.surface_diagnostics(surface, false);
    let describe = |each: byname::base::Diagnostic| match each.location {
        Some(Location::Pointer(pointer)) => (each.code.id.to_owned(), pointer),
        _ => (each.code.id.to_owned(), String::new()),
    };
    found.into_iter().map(describe).collect()
}

fn missing(pointer: &str) -> (String, String) {
    ("HAM009".to_owned(), pointer.to_owned())
}

#[test]
fn a_binding_to_a_missing_node_is_reported_once_data_have_arrived() {
    let text = json!({"binding": {"node": "cfgg", "key": "title"}});
    let (mut store, surface) = host(&json!([{"id": "root", "component": "Text", "text": text}]));
    assert_eq!(diagnostics(&mut store, surface), []);
    set(&mut store, &json!({"cfg": {"title": "Hi"}}));
    assert_eq!(diagnostics(&mut store, surface), [missing("/root/text")]);
    set(&mut store, &json!({"cfgg": {"title": "Hi"}}));
    assert_eq!(diagnostics(&mut store, surface), []);
}

#[test]
fn a_list_is_reported_if_all_of_its_nodes_are_missing() {
    let children = json!({"binding": {"key": "rows"}, "template": "row"});
    let (mut store, surface) = host(&json!([
        {"id": "root", "component": "List", "children": children},
        {"id": "row", "component": "Text", "text": "row"},
    ]));
    set(&mut store, &json!({"root": {"rows": ["*a", "*b"]}}));
    assert_eq!(diagnostics(&mut store, surface), [missing("/root/children")]);
    set(&mut store, &json!({"b": {}}));
    assert_eq!(diagnostics(&mut store, surface), []);
    set(&mut store, &json!({"!b": null}));
    assert_eq!(diagnostics(&mut store, surface), [missing("/root/children")]);
    set(&mut store, &json!({"root": {"rows": "*late"}}));
    assert_eq!(diagnostics(&mut store, surface), [missing("/root/children")]);
}
