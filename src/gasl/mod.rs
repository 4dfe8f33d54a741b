//! GASL, a small declarative language for graph analysis that a model plans in.

pub mod codes;
pub mod language;
pub mod predicate;
