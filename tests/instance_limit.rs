//! Updates that would exceed the limit of instances are rejected as a whole, before an instance is
//! created; all others are accepted. A store without a limit is the reference.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing)] // A failed test panics.

use byname::base::Value;
use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::export::export;
use byname::ham::history::Cause;
use byname::ham::id::EditKeys;
use byname::ham::store::{Applied, DataOwner, Store};
use byname::ham::surface::component::Catalog;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A store with one surface.
struct Host {
    store: Store,
    surface: usize,
}

impl Host {
    fn new(instances: usize) -> Host {
        let limits = StoreLimits { instances, ..StoreLimits::default() };
        let edit_keys = EditKeys { lists: true, ..EditKeys::default() };
        let mut store = Store::new(StoreSettings { limits, edit_keys, ..StoreSettings::default() });
        let surface = store.add_surface(Catalog::parse(&Value::Null));
        store.surface_mut(surface).unwrap().observed = true;
        Host { store, surface }
    }

    fn receive(&mut self, message: &Json) -> Applied {
        self.store.receive(
            self.surface,
            message.to_string().as_bytes(),
            HostEncoding::Bytes,
            DataOwner::Own,
        )
    }

    fn describe(&mut self, components: &Json) -> Applied {
        self.receive(&json!({"updateComponents": {"surfaceId": "s", "components": components}}))
    }

    fn set(&mut self, nodes: &Json) -> Applied {
        self.store.apply(nodes.to_string().as_bytes(), HostEncoding::Bytes)
    }

    fn count(&self) -> usize {
        self.store.surface(self.surface).unwrap().tree.count()
    }

    /// Returns everything that a rejected update must not change.
    fn state(&self) -> (Json, String, usize, u32, Option<String>) {
        let surface = self.store.surface(self.surface).unwrap();
        let components = surface.export_components().to_text();
        let revision = self.store.last_revision();
        // The order of nodes depends on the first mention of their ids, also in a rejected message.
        let document = serde_json::from_str(&export(&self.store.document)).unwrap();
        (document, components, self.count(), revision, surface.id.clone())
    }
}

fn codes(applied: &Applied) -> Vec<&str> {
    applied.diagnostics.iter().filter(|each| each.is_error()).map(|each| each.code.id).collect()
}

fn node_id() -> impl Strategy<Value = String> {
    (0..6u32).prop_map(|id| format!("n{id}"))
}

fn list() -> impl Strategy<Value = Json> {
    let pointer = || node_id().prop_map(|id| json!(format!("*{id}")));
    let literals = proptest::collection::vec(Just(json!(1)), 0..3).prop_map(Json::Array);
    let item = prop_oneof![4 => pointer(), 1 => Just(json!("plain")), 1 => literals];
    proptest::collection::vec(item, 0..5).prop_map(Json::Array)
}

fn node() -> impl Strategy<Value = Json> {
    prop_oneof![
        list(),
        (list(), node_id()).prop_map(|(items, id)| json!({"l": items, "next": format!("*{id}")})),
        Just(json!("text")),
    ]
}

fn children() -> impl Strategy<Value = Json> {
    let id = || prop_oneof![Just("a"), Just("b"), Just("c"), Just("d"), Just("new")];
    let binding = prop_oneof![
        node_id().prop_map(|id| json!({"node": id})),
        node_id().prop_map(|id| json!({"node": id, "key": "l"})),
        Just(json!({"key": "l"})),
        Just(json!({"key": "next"})),
        Just(json!({})),
    ];
    prop_oneof![
        proptest::collection::vec(id(), 0..4).prop_map(|ids| json!(ids)),
        (binding, id()).prop_map(|(binding, id)| json!({"binding": binding, "template": id})),
    ]
}

/// A message: nodes to set, or components to describe.
#[derive(Clone, Debug)]
enum Message {
    Nodes(Json),
    Components(Json),
    Insert(Json),
    Undo,
    Redo,
    Create(Json),
}

fn components() -> impl Strategy<Value = Json> {
    let id = prop_oneof![2 => Just("root"), 1 => Just("a"), 1 => Just("b"), 1 => Just("c")];
    let one = (id, children(), 0..2u32).prop_map(
        |(id, children, kind)| json!({"id": id, "component": format!("C{kind}"), "children": children}),
    );
    proptest::collection::vec(one, 1..4).prop_map(Json::Array)
}

fn message() -> impl Strategy<Value = Message> {
    let entry = prop_oneof![
        4 => (node_id(), node()),
        1 => node_id().prop_map(|id| (format!("!{id}"), Json::Null)),
    ];
    let nodes = proptest::collection::vec(entry, 1..4);
    prop_oneof![
        6 => nodes.prop_map(|entries| Message::Nodes(entries.into_iter().collect())),
        2 => (node_id(), list()).prop_map(|(id, list)| {
            Message::Insert(json!({format!("+{id}"): {"items": list}}))
        }),
        4 => components().prop_map(Message::Components),
        1 => Just(Message::Undo),
        1 => Just(Message::Redo),
        1 => components().prop_map(Message::Create),
    ]
}

/// Returns the result of a message, and whether the message was valid apart from the limit.
fn send(host: &mut Host, message: &Message) -> (bool, Vec<String>) {
    let applied = match message {
        Message::Nodes(nodes) | Message::Insert(nodes) => host.set(nodes),
        Message::Components(components) => host.describe(components),
        Message::Create(components) => {
            host.receive(&json!({"createSurface": {"surfaceId": "s", "components": components}}))
        }
        Message::Undo => return (host.store.undo_or_redo(Cause::Undo), Vec::new()),
        Message::Redo => return (host.store.undo_or_redo(Cause::Redo), Vec::new()),
    };
    (applied.ok, codes(&applied).into_iter().map(str::to_owned).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn exceeding_updates_are_refused(
        limit in 1..60usize,
        messages in proptest::collection::vec(message(), 1..24),
    ) {
        let mut host = Host::new(limit);
        let mut accepted: Vec<Message> = Vec::new();
        for message in &messages {
            let mut reference = Host::new(20_000);
            for earlier in &accepted {
                send(&mut reference, earlier);
            }
            prop_assert_eq!(reference.state(), host.state());
            let before = host.state();
            let expected = send(&mut reference, message);
            let exceeds = reference.count() > limit || expected.1 == ["HAM018"];
            let result = send(&mut host, message);
            if exceeds {
                prop_assert!(!result.0, "{:?} is accepted: {} of {}", message, host.count(), limit);
                if !matches!(message, Message::Undo | Message::Redo) {
                    prop_assert_eq!(result.1, ["HAM018"]);
                }
                prop_assert_eq!(before, host.state());
                let surface = host.store.surface_diagnostics(host.surface, false);
                prop_assert!(surface.iter().any(|each| each.code.id == "HAM018"));
            } else {
                prop_assert_eq!(&result, &expected, "{:?}, {} of {}", message, reference.count(), limit);
                prop_assert_eq!(host.state(), reference.state());
                accepted.push(message.clone());
            }
        }
    }
}
