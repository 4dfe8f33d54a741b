//! byname.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

pub mod base;
pub mod ham;
pub mod wire;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
