//! Conversions between the systems: a HAM document as a graph.

pub mod graph;
