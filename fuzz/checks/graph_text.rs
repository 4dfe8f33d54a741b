//! Text of graphs: an import returns a graph that can be exported and read again, or errors with help.

use super::diagnostics;
use byname::base::{Diagnostic, Value};
use byname::gasl::graph::Graph;
use byname::gasl::import::{
    CsvImporter, ImportLimits, ImportOptions, import_gexf, import_graphml, import_text,
    read_node_link,
};

const LIMITS: ImportLimits =
    ImportLimits { bytes: 1 << 16, nodes: 200, edges: 200, fields: 50, depth: 32 };

pub fn check_graphml(data: &[u8]) {
    check_result(import_graphml(data, LIMITS), data);
}

pub fn check_gexf(data: &[u8]) {
    check_result(import_gexf(data, LIMITS), data);
}

/// Reads text of any format, usually JSON.
pub fn check_any(data: &[u8]) {
    let imported = import_text(data, &ImportOptions::default(), LIMITS);
    check_result(imported.map(|(_, graph, warnings)| (graph, warnings)), data);
}

/// Reads two tables, separated by the character U+001D, or one table of edges.
pub fn check_csv(data: &[u8]) {
    let mut csv = CsvImporter::new(ImportOptions::default(), LIMITS);
    let mut tables = data.splitn(2, |byte| *byte == 0x1d);
    let (first, second) = (tables.next().unwrap_or_default(), tables.next());
    let mut read = |text: &[u8], is_nodes: bool| {
        let result = if is_nodes { csv.read_nodes(text) } else { csv.read_edges(text) };
        let (Ok(found) | Err(found)) = &result;
        diagnostics::check(found, text.len());
        assert!(result.is_ok() || found.iter().any(Diagnostic::is_error), "{found:?}");
        result.is_ok()
    };
    let is_read = match second {
        Some(edges) => read(first, true) && read(edges, false),
        None => read(first, false),
    };
    if is_read {
        check_result(csv.finish(), data);
    }
}

fn check_result(imported: Result<(Graph, Vec<Diagnostic>), Vec<Diagnostic>>, text: &[u8]) {
    let (graph, warnings) = match imported {
        Ok(imported) => imported,
        Err(errors) => {
            diagnostics::check(&errors, text.len());
            return assert!(errors.iter().any(Diagnostic::is_error), "no reason: {errors:?}");
        }
    };
    diagnostics::check(&warnings, text.len());
    assert!(!warnings.iter().any(Diagnostic::is_error), "a graph with errors: {warnings:?}");
    let exported = graph.to_json();
    let (again, _) = read_node_link(exported.as_bytes(), ImportLimits::default())
        .unwrap_or_else(|errors| panic!("{errors:?}: {exported}"));
    // The order of the fields is that of their first use in a file.
    let parse = |text: &str| Value::parse(text.as_bytes(), Default::default()).0;
    let exported_again = again.to_json();
    assert!(
        exported_again == exported || parse(&exported_again) == parse(&exported),
        "the export is read as another graph: {exported} {exported_again}"
    );
}
