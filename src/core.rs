//! The part of `byname` that is compiled for speed: what it runs for every message and every change.
//!
//! Cargo knows one level of optimisation for each package, so this is one; `byname` shows its
//! modules as its own, and nobody else uses it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))] // A failed test panics.

pub mod base;
pub mod ham;
