//! HAM as a crate of its own, because Cargo sets the optimisation level per package and this part
//! is compiled for speed. Only `byname` uses it, and re-exports the module.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))] // A failed test panics.

pub use byname_base::base;

#[path = "mod.rs"]
pub mod ham;
