//! HAM, the Hybrid Adjacency Map: a JSON document as a map from stable ids to values.
//!
//! "Rule n" in these files refers to `docs/ham.md`.

// Parsing and applying messages.
pub mod apply;
pub mod builder;
pub mod chunk_target;
pub mod id;
pub mod key_prefixes;
pub mod list_edit;
pub mod list_text;
pub mod node_edit;
pub mod stream;
pub mod update;
// The document.
pub mod arena;
pub mod document;
pub mod history;
pub mod interner;
pub mod live_ids;
pub mod shape;
// Reading and writing.
pub mod binding;
pub mod child_list;
pub mod list_diff;
pub mod read;
pub mod resolved_walk;
pub mod write;
// Checks and conversions.
pub mod check;
pub mod convert;
pub mod diff;
pub mod export;
// Stores, their listeners and surfaces.
pub mod codes;
pub mod dependencies;
pub mod store;
pub mod surface;
