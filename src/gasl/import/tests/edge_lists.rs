//! Tests of edges in maps, in lists of lists, and beside `elements`.

use super::super::any::import_text;
use super::super::options::ImportOptions;
use super::*;

/// Returns the ends of the edges with their types and ids, the codes, and the name of the format.
fn edges(text: &str) -> (Vec<String>, Vec<&'static str>, &'static str) {
    let options = ImportOptions::default();
    let imported = import_text(text.as_bytes(), &options, ImportLimits::default());
    let (format, graph, warnings) = imported.unwrap_or_else(|errors| panic!("{errors:?}"));
    let edge = |row| {
        let row = graph.edge_row(row);
        let text = |name| row.get(name).and_then(Value::as_text).unwrap_or_default().to_owned();
        let weight = row.get("weight").map(Value::to_text).unwrap_or_default();
        let [id, source, target, kind] = ["id", "source", "target", "type"].map(text);
        format!("{id}:{source}-{kind}{weight}-{target}")
    };
    let found = (0..graph.edge_count() as u32).map(edge).collect();
    (found, codes_of(&warnings), format.name())
}

fn check(text: &str, expected: &[&str], codes: &[&str]) {
    let (found, found_codes, _) = edges(text);
    assert_eq!(found, expected, "{text}");
    assert_eq!(found_codes, codes, "{text}");
}

#[test]
fn edges_in_a_map_are_read() {
    // Property graph of LlamaIndex.
    check(
        r#"{"nodes": {"A": {"name": "A"}, "B": {"name": "B"}},
            "relations": {"A_K_B": {"label": "K", "source_id": "A", "target_id": "B"}},
            "triplets": [["A", "A_K_B", "B"]]}"#,
        &["A_K_B:A--B"],
        &["GASL112"],
    );
    let nodes = r#""nodes": ["A", "B"]"#;
    check(
        &format!(r#"{{{nodes}, "edges": {{"x": {{"source": "A", "target": "B", "id": "y"}}}}}}"#),
        &["y:A--B"],
        &[],
    );
    check(
        &format!(
            r#"{{{nodes}, "edges": [], "relations": {{"x": {{"source": "A", "target": "B"}}}}}}"#
        ),
        &[],
        &["GASL115"],
    );
    let text = format!(r#"{{{nodes}, "edges": {{"x": {{"y": "A"}}}}}}"#);
    assert_eq!(import_error(read_json(&text)).code.id, "GASL110");
}

#[test]
fn edges_that_are_lists_are_read() {
    let nodes = r#""nodes": ["A", "B"]"#;
    let read = |edges: &str| format!("{{{nodes}, {edges}}}");
    check(&read(r#""relations": [["A", "knows", "B"]]"#), &["e0:A-knows-B"], &["GASL112"]);
    check(&read(r#""edges": [["A", "knows", "B"]]"#), &["e0:A-knows-B"], &[]);
    check(&read(r#""links": [["A", "B"], ["B", "C"]]"#), &["e0:A--B", "e1:B--C"], &["GASL131"]);
    check(&read(r#""edges": [["A", "B", 0.5]]"#), &["e0:A-0.5-B"], &[]);
    check(
        &read(r#""edges": [["A", "B", {"weight": 2, "source": 1, "type": "x"}]]"#),
        &["e0:A-x2-B"],
        &[],
    );
    check(&read(r#""edges": [["B", "A", "x"], ["A", "B", "y"]]"#), &["e0:B-x-A", "e1:A-y-B"], &[]);
    // Two texts of three are ids, and some ends are not listed.
    check(&read(r#""relations": [["A", "knows", "C"]]"#), &[], &["GASL115"]);
    check(&read(r#""groups": [["A", "B", "A"], ["B", "A", "B"]]"#), &[], &["GASL115"]);
    check(&read(r#""edges": [["A"]]"#), &[], &["GASL135"]);
    check(
        &read(r#""edges": [{"source": "A", "target": "B"}], "pairs": [["A", "B"]]"#),
        &["e0:A--B"],
        &[],
    );
    let numbers = r#"{"nodes": [{"id": 0}, {"id": 1}], "edges": [[0, 1, 1], [1, 0, 1]]}"#;
    check(numbers, &["e0:0-1-1", "e1:1-1-0"], &[]);
    let names = r#"{"nodes": [{"name": "A"}, {"name": "B"}], "edges": [["A", "B"]]}"#;
    check(names, &["e0:A--B"], &["GASL139"]);
}

#[test]
fn a_map_beside_a_list_of_edges_is_an_error() {
    let edge = r#"{"source": "a", "target": "a"}"#;
    for lists in [
        format!(r#""links": [{edge}], "edges": {{"e1": {edge}}}"#),
        format!(r#""links": {{"e1": {edge}}}, "edges": [{edge}]"#),
    ] {
        let text = format!(r#"{{"nodes": ["a"], {lists}}}"#);
        let imported =
            import_text(text.as_bytes(), &ImportOptions::default(), ImportLimits::default());
        let codes: Vec<_> = imported.err().unwrap_or_default().iter().map(|one| one.code).collect();
        assert_eq!(codes, [codes::AMBIGUOUS_EDGE_LIST], "{text}");
    }
    check(&format!(r#"{{"nodes": ["a"], "links": [{edge}], "edges": {{}}}}"#), &["e0:a--a"], &[]);
}

#[test]
fn connections_without_ends_are_reported() {
    // n8n.
    check(
        r#"{"nodes": [{"id": "1", "name": "Start"}, {"id": "2", "name": "HTTP"}],
            "connections": {"Start": {"main": [[{"node": "HTTP", "type": "main", "index": 0}]]}}}"#,
        &[],
        &["GASL115"],
    );
    check(r#"{"nodes": ["a"], "matrix": [[0, 1], [1, 0]]}"#, &[], &["GASL115"]);
    check(r#"{"nodes": ["a"], "graph": {"node_default": {}, "edge_default": {}}}"#, &[], &[]);
    check(r#"{"nodes": ["a"], "settings": {"theme": {"color": "red"}, "size": 3}}"#, &[], &[]);
}

#[test]
fn elements_of_kumu_are_read() {
    let (found, codes, format) = edges(
        r#"{"elements": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}],
            "connections": [{"from": "a", "to": "b"}]}"#,
    );
    assert_eq!((found, codes, format), (vec!["e0:a--b".to_owned()], vec!["GASL112"], "node-link"));
    let (found, codes, format) =
        edges(r#"{"elements": [{"data": {"id": "a"}}], "style": [{"selector": "node"}]}"#);
    assert_eq!((found.len(), codes, format), (0, vec![], "cytoscape"));
}
