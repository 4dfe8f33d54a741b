//! HAM, the Hybrid Adjacency Map: a JSON document as a map from stable ids to values.
//!
//! `spec` rule numbers in these files are those of `docs/ham.md`.

pub mod apply;
pub mod arena;
pub mod binding;
pub mod builder;
pub mod check;
pub mod child_list;
pub mod codes;
pub mod convert;
pub mod deep;
pub mod diff;
pub mod document;
pub mod export;
pub mod history;
pub mod id;
pub mod interner;
pub mod list_diff;
pub mod list_edit;
pub mod observe;
pub mod read;
pub mod shape;
pub mod store;
pub mod stream;
pub mod surface;
pub mod update;
pub mod write;
