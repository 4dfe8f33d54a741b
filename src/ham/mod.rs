//! HAM, the Hybrid Adjacency Map: a JSON document as a map from stable ids to values.
//!
//! A "rule" in these files is one of `docs/ham.md`.

// From the message to the document …
pub mod apply;
pub mod builder;
pub mod chunk_target;
pub mod id;
pub mod key_prefixes;
pub mod list_edit;
pub mod list_text;
pub mod stream;
pub mod update;
// … the document itself …
pub mod arena;
pub mod document;
pub mod history;
pub mod interner;
pub mod live_ids;
pub mod shape;
// … what is read from it and written back …
pub mod binding;
pub mod child_list;
pub mod list_diff;
pub mod read;
pub mod resolved_walk;
pub mod write;
// … in other forms …
pub mod check;
pub mod convert;
pub mod diff;
pub mod export;
// … who looks at it, and all of it together.
pub mod codes;
pub mod dependencies;
pub mod store;
pub mod surface;
