//! flow: workflows whose nodes write to one store, mapped so that no name clashes and every node
//! reads what it would have read before.

pub mod codes;
pub mod collision;
pub mod control;
mod dominators;
mod joins;
mod lists;
pub mod naming;
mod parallel;
mod races;
pub mod reading;
pub mod wiring;
pub mod workflow;
