//! flow: workflows whose nodes write to one store, mapped so that no name clashes and every node
//! reads what it would have read before.

pub mod codes;
pub mod workflow;

pub mod outline;
pub mod reading;

pub mod analysis;
pub mod collision;
mod explicit;
mod flat;
pub mod generated;
pub mod naming;

pub mod control;
mod dominators;
mod joins;
mod lists;
mod parallel;
mod races;
pub mod wiring;

pub mod context;

pub mod compile;
pub mod export;
pub mod order;
pub mod run;
