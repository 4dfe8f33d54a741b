//! State, queries and workflows that a language model can address by name, never by position.
//!
//! Three systems share one idea. A **HAM** (Hybrid Adjacency Map) document maps stable ids to JSON
//! values: strings that begin with `*` point to other nodes, and an update names the nodes that it
//! changes. **GASL** plans work over a graph in named results. A **flow** is a workflow whose nodes
//! write to one store, under names that never clash. All take what a model says; what is wrong is
//! an answer that says how to mend it. None of them does anything by itself: each asks for what it
//! needs, and is resumed with the answer.
//!
//! Here a workflow of two nodes, one of which works over a graph and one on a document, runs from
//! text to screen:
//!
//! ```
//! use byname::base::{Value, json::Limits};
//! use byname::flow::compile::{CompileOptions, compile};
//! use byname::flow::naming_cache::NamingCache;
//! use byname::flow::run::{HostResponse, HostTime, Run, RunEffect, RunOptions};
//! use byname::gasl::{caps::Caps, core::Setup as Given, import, session, source::Source};
//! use byname::ham::{document, store::Store, surface::message_text::HostEncoding};
//! use std::rc::Rc;
//!
//! let json = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
//! let now = HostTime { time: "2020-01-01T00:00:00Z", clock: 0.0 };
//!
//! // The workflow, as a model wrote it. `$names` is what the node before it answered.
//! let workflow = json(r#"{"nodes": [
//!     {"id": "find", "type": "query", "params": {"command": "FIND nodes WHERE kind = \"PERSON\" AS people"}},
//!     {"id": "show", "type": "update", "params": {"update": {"root": {"users": "$names"}}}}
//! ]}"#);
//! let registry = json(r#"{"query": {"outputs": ["names"]}, "update": {"outputs": []}}"#);
//! let mut cache = NamingCache::default();
//! let (flow, diagnostics) = compile(&workflow, &registry, &CompileOptions::default(), &mut cache);
//! assert!(diagnostics.is_empty());
//!
//! // What its nodes work on.
//! let graph = br#"{"nodes": [{"id": "ada", "kind": "PERSON"}, {"id": "rome", "kind": "PLACE"}], "links": []}"#;
//! let (graph, _) = import::node_link(graph, import::ImportLimits::default()).unwrap();
//! let graph = Source::Memory(Rc::new(graph));
//! let mut session =
//!     session::Session::new(graph, Given::default(), Caps::default(), None, now.time).unwrap();
//! let mut store = Store::new(document::StoreSettings::default());
//!
//! // The host: whatever is asked for is done, and the run goes on with the answer.
//! let types = vec!["query".to_owned(), "update".to_owned()];
//! let options = RunOptions { types, ..RunOptions::default() };
//! let (mut run, mut update) = Run::begin(Rc::new(flow.unwrap()), options, now);
//! while let Some(RunEffect::Call { invocation, kind, call, .. }) = update.effects.pop() {
//!     let mut outputs = json("{}");
//!     let param = |name: &str| call.params.get(name).unwrap();
//!     if &*kind == "query" {
//!         session.execute(param("command").as_text().unwrap(), "to see who there is", now.time);
//!         let people = session.variable("people").unwrap();
//!         let names = people.as_list().unwrap().iter().map(|row| row.get("id").unwrap().clone());
//!         outputs = Value::map([("names", Value::list(names.collect()))]);
//!     } else {
//!         assert!(store.apply(param("update").to_text().as_bytes(), HostEncoding::Bytes).ok);
//!     }
//!     update = run.resume(invocation, HostResponse::Value(Value::map([("outputs", outputs)])), now);
//! }
//! assert_eq!(update.done.unwrap().get("status"), Some(&"completed".into()));
//! assert_eq!(store.to_json("root").unwrap(), r#"{"users":["ada"]}"#);
//!
//! // What is wrong is an answer, and changes nothing.
//! let refused = store.apply(br#"{"*u3": {"name": "Carol"}}"#, HostEncoding::Bytes);
//! assert_eq!(refused.diagnostics[0].help.as_deref(), Some("write `u3`"));
//! ```
//!
//! From bottom to top: [`base`] reads JSON and says what is wrong with it; [`ham`], [`gasl`] and
//! [`flow`] use it and never each other; [`link`] is where they meet; [`wire`] is what crosses to
//! JavaScript, and `wasm` the door.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))] // A failed test panics.

pub use byname_base::base;
pub use byname_ham::ham;

#[cfg(feature = "flow")]
pub mod flow;
#[cfg(feature = "gasl")]
pub mod gasl;
#[cfg(feature = "gasl")]
pub mod link;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
pub mod wire;
