//! Checks on random bytes. `fuzz_targets` runs them with coverage-guided input, and
//! `tests/fuzz_corpus.rs` on the committed corpus.
//!
//! A check panics if a result is wrong. Checks of text formats use the bytes as text. The others build
//! structured input from them, because random text is rarely valid.

pub mod choices;
pub mod diagnostics;
pub mod flow_run;
pub mod flow_text;
pub mod gasl_graph;
pub mod gasl_plan;
pub mod gasl_rows;
pub mod gasl_text;
pub mod graph_text;
pub mod ham;
pub mod ham_text;
pub mod reader;
pub mod surface;
pub mod surface_mirror;
pub mod template;

/// Function that checks an input.
pub type Check = fn(&[u8]);

/// Name and check of each target; the name is also that of its corpus.
pub const CHECKS: &[(&str, Check)] = &[
    ("reader", reader::check),
    ("ham", ham::check),
    ("ham_text", ham_text::check),
    ("surface", surface::check),
    ("gasl_text", gasl_text::check),
    ("gasl_plan", gasl_plan::check),
    ("gasl_rows", gasl_rows::check),
    ("graphml", graph_text::check_graphml),
    ("gexf", graph_text::check_gexf),
    ("csv", graph_text::check_csv),
    ("graph_any", graph_text::check_any),
    ("flow_text", flow_text::check),
    ("flow_run", flow_run::check),
    ("template", template::check),
];
