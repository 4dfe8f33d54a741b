//! JSON state, graph queries and workflows that a language model addresses by name instead of by position.
//!
//! A **HAM** (Hybrid Adjacency Map) document maps stable ids to JSON values: strings that begin with `*`
//! are pointers to other nodes, and an update names the nodes that it changes. **GASL** plans query a
//! graph into named results. A **flow** is a workflow whose nodes write to one store under unique names.
//! Invalid input returns diagnostics with a fix. The core performs no I/O: it returns requests to the
//! host and is resumed with the results.
//!
//! This workflow has two nodes, one that queries a graph and one that updates a document:
//!
//! ```
//! use byname::base::{Value, json::Limits};
//! use byname::flow::compile::{WorkflowCompileOptions, compile};
//! use byname::flow::naming_cache::NamingCache;
//! use byname::flow::run::{HostResponse, HostTime, Run, HostRequest, RunOptions};
//! use byname::gasl::{caps::Caps, core::SessionSetup, graph_access::GraphAccess, import, session};
//! use byname::ham::{document, store::Store, surface::message_text::HostEncoding};
//! use std::rc::Rc;
//!
//! let json = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
//! let now = HostTime { time: "2020-01-01T00:00:00Z", clock: 0.0 };
//!
//! // The workflow. `$names` is the output of the first node.
//! let workflow = json(r#"{"nodes": [
//!     {"id": "find", "type": "query", "params": {"command": "FIND nodes WHERE kind = \"PERSON\" AS people"}},
//!     {"id": "show", "type": "update", "params": {"update": {"root": {"users": "$names"}}}}
//! ]}"#);
//! let registry = json(r#"{"query": {"outputs": ["names"]}, "update": {"outputs": []}}"#);
//! let mut cache = NamingCache::default();
//! let (flow, diagnostics) = compile(&workflow, &registry, &WorkflowCompileOptions::default(), &mut cache);
//! assert!(diagnostics.is_empty());
//!
//! // The data of its nodes.
//! let graph = br#"{"nodes": [{"id": "ada", "kind": "PERSON"}, {"id": "rome", "kind": "PLACE"}], "links": []}"#;
//! let (_, graph, _) = import::import_node_link(graph, import::ImportLimits::default()).unwrap();
//! let graph = GraphAccess::Memory(Rc::new(graph));
//! let mut session =
//!     session::Session::new(graph, SessionSetup::default(), Caps::default(), None, now.time).unwrap();
//! let mut store = Store::new(document::StoreSettings::default());
//!
//! // The host: performs each requested call, and resumes the run with its result.
//! let types = vec!["query".to_owned(), "update".to_owned()];
//! let options = RunOptions { types, ..RunOptions::default() };
//! let (mut run, mut update) = Run::begin(Rc::new(flow.unwrap()), options, now);
//! while let Some(HostRequest::Call { invocation, kind, call, .. }) = update.effects.pop() {
//!     let mut outputs = json("{}");
//!     let param = |name: &str| call.params.get(name).unwrap();
//!     if &*kind == "query" {
//!         session.execute(param("command").as_text().unwrap(), "list the people", now.time);
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
//! // Invalid input returns diagnostics and changes nothing.
//! let rejected = store.apply(br#"{"*u3": {"name": "Carol"}}"#, HostEncoding::Bytes);
//! assert_eq!(rejected.diagnostics[0].help.as_deref(), Some("write `u3`"));
//! ```
//!
//! Layers, from the lowest: [`base`] parses JSON and reports diagnostics; [`ham`], [`gasl`] and [`flow`]
//! use it and not each other; [`link`] combines them; [`wire`] defines the types that cross to
//! JavaScript, and `wasm` the bindings.

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
