//! byname.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

pub mod base;
pub mod ham;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
pub mod wire;
