//! GASL, a small declarative language for graph analysis that a model plans in.

pub mod graph;
pub mod import;
pub mod predicate;
