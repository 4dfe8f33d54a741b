//! flow: workflows whose nodes write to one store, mapped so that no name clashes and every node
//! reads what it would have read before.

pub mod codes;
pub mod workflow;

pub mod outline;
pub mod reader;

pub mod collision;
mod explicit;
pub mod generated;
pub mod naming;
pub mod naming_cache;
mod store_names;

mod concurrency;
pub mod control;
mod csr;
mod dominance_frontier;
mod dominators;
mod races;
pub mod wiring;

pub mod context;

pub mod compile;
pub mod export;
pub mod order;
pub mod run;
