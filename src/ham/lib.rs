//! HAM as a package: Cargo knows one level of optimisation for each package, and this part is
//! compiled for speed. `byname` shows its module as its own, and nobody else uses it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))] // A failed test panics.

pub use byname_base::base;

#[path = "mod.rs"]
pub mod ham;
