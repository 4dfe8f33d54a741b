//! State that a language model can address by name, never by position.
//!
//! A **HAM** (Hybrid Adjacency Map) document maps stable ids to JSON values. Strings that begin
//! with `*` inside lists and maps point to other nodes; an update names the nodes that it changes.
//!
//! ```
//! use byname::ham::store::Store;
//! use byname::ham::document::Settings;
//!
//! let mut store = Store::new(Settings::default());
//!
//! // What a model says: text, or pieces of it. Forward references are fine.
//! let first = store.apply(br#"{"root": {"users": ["*u1", "*u2"]}, "u1": {"name": "Alice"}}"#, true);
//! assert!(first.ok);
//! assert_eq!(store.to_json("root").unwrap(), r#"{"users":[{"name":"Alice"},null]}"#);
//!
//! // An edit names what it changes; who looks at it hears of it, and nobody else.
//! let second = store.apply(br#"{"u2": {"name": "Bob"}, "!u1": null}"#, true);
//! assert_eq!(store.changed(second.revision, false).unwrap(), ["u2"]);
//! assert_eq!(store.inverse(second.revision).unwrap(), r#"{"u1":{"name":"Alice"},"!u2":null}"#);
//!
//! // What is wrong is an answer that says how to mend it, and changes nothing.
//! let third = store.apply(br#"{"*u3": {"name": "Carol"}}"#, true);
//! assert!(!third.ok);
//! assert_eq!(third.diagnostics[0].help.as_deref(), Some("write `u3`"));
//! ```
//!
//! From bottom to top: [`base`] reads JSON and says what is wrong with it; [`ham`] is the document
//! and the surfaces bound to it; [`wire`] is what crosses to JavaScript, and `wasm` the door.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))] // A failed test panics.

pub mod base;
pub mod flow;
pub mod gasl;
pub mod ham;
pub mod link;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
pub mod wire;
