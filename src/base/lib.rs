//! Shared parts as a package, because HAM is a package: see `src/ham/lib.rs`.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))] // A failed test panics.

#[path = "mod.rs"]
pub mod base;
