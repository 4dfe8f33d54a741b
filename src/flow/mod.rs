//! Workflows whose nodes share a store. Outputs get unique names, and every node reads the values that it
//! would read without them.

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
mod planner_view;
mod text_budget;

pub mod compile;
mod early_starts;
pub mod export;
pub mod merge;
mod missing_params;
pub mod order;
pub mod run;
mod wait_graph;
