//! Where the systems meet: a HAM document as a graph.

pub mod graph;
