//! GASL, a small declarative language for graph analysis that a model plans in.

pub mod bind;
pub mod caps;
pub mod codes;
pub mod commands;
pub mod core;
pub mod effect;
pub mod grammar;
pub mod graph;
pub mod history;
pub mod identity;
pub mod import;
pub mod language;
pub mod members;
pub mod model;
pub mod plan;
pub mod predicate;
pub mod record;
pub mod recording;
pub mod reference;
mod sample;
pub mod session;
pub mod source;
pub mod state;
pub mod summary;
pub mod task;
pub mod update;
pub mod variable;
