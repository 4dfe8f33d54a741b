//! Tests of ends of edges that can be read in several ways.

use super::*;

fn check(text: &str, edges: &[&str], codes: &[&str]) {
    let (found, found_codes) = rows(read_json(text));
    let ends = found.iter().filter(|row| row.contains("\"source\""));
    let ends: Vec<String> = ends
        .map(|row| {
            let row = Value::parse(row.as_bytes(), json::Limits::default()).0.unwrap_or_default();
            let end = |name| row.get(name).and_then(Value::as_text).unwrap_or_default().to_owned();
            format!("{}-{}", end("source"), end("target"))
        })
        .collect();
    assert_eq!(
        (ends, found_codes),
        (edges.iter().map(|edge| (*edge).to_owned()).collect(), codes.to_vec()),
        "{text}"
    );
}

#[test]
fn ends_are_identities_of_neo4j() {
    // The identities are positions of other nodes.
    let nodes = r#""nodes": [{"identity": 1, "labels": ["P"]}, {"identity": 2}, {"identity": 0}]"#;
    check(
        &format!(r#"{{{nodes}, "relationships": [{{"identity": 0, "start": 1, "end": 2}}]}}"#),
        &["1-2"],
        &["GASL112", "GASL139"],
    );
    check(
        &format!(r#"{{{nodes}, "links": [{{"source": 0, "target": 1}}]}}"#),
        &["0-1"],
        &["GASL139"],
    );
    let named = r#""nodes": [{"id": "a", "identity": 1}, {"id": "b", "identity": 0}]"#;
    check(
        &format!(r#"{{{named}, "links": [{{"source": 0, "target": 1}}]}}"#),
        &["0-1"],
        &["GASL136"],
    );
    // Some ends are not identities.
    let others = r#""nodes": [{"id": "a", "identity": 7}, {"id": "b", "identity": 8}]"#;
    check(&format!(r#"{{{others}, "links": [{{"source": 0, "target": 1}}]}}"#), &["a-b"], &[]);
    check(
        &format!(r#"{{{others}, "links": [{{"source": 7, "target": 8}}]}}"#),
        &["7-8"],
        &["GASL136"],
    );
    let elements = r#""nodes": [{"identity": 0, "elementId": "4:x:0"}, {"identity": 1, "elementId": "4:x:1"}]"#;
    let edge = r#"{"startNodeElementId": "4:x:1", "endNodeElementId": "4:x:0"}"#;
    check(&format!(r#"{{{elements}, "edges": [{edge}]}}"#), &["4:x:1-4:x:0"], &["GASL139"]);
}

#[test]
fn numeric_ends_beyond_the_nodes_are_ids() {
    let nodes = r#""nodes": [{"id": "a", "pk": 1}, {"id": "b", "pk": 2}]"#;
    check(
        &format!(r#"{{{nodes}, "links": [{{"source": 1, "target": 2}}]}}"#),
        &["1-2"],
        &["GASL136"],
    );
    check(
        &format!(r#"{{{nodes}, "links": [{{"source": 8, "target": 9}}]}}"#),
        &["8-9"],
        &["GASL158", "GASL131"],
    );
    let ranks = r#""nodes": [{"id": "a", "rank": 1}, {"id": "b", "rank": 0}]"#;
    check(
        &format!(r#"{{{ranks}, "links": [{{"source": 1, "target": 0}}]}}"#),
        &["b-a"],
        &["GASL159"],
    );
    let same = r#""nodes": [{"id": "a", "index": 0}, {"id": "b", "index": 1}]"#;
    check(&format!(r#"{{{same}, "links": [{{"source": 1, "target": 0}}]}}"#), &["b-a"], &[]);
}

#[test]
fn positions_of_named_nodes_may_be_values_of_a_field() {
    let links = r#""links": [{"source": 1, "target": 2}, {"source": 2, "target": 3}]"#;
    let nodes = |field: &str, values: [u32; 4]| {
        let node =
            |(name, value): (char, u32)| format!(r#"{{"{field}": {value}, "name": "{name}"}}"#);
        let nodes: Vec<String> = ('A'..='D').zip(values).map(node).collect();
        format!(r#"{{"nodes": [{}], {links}}}"#, nodes.join(", "))
    };
    check(&nodes("no", [1, 2, 3, 4]), &["B-C", "C-D"], &["GASL159"]);
    check(&nodes("index", [0, 2, 1, 3]), &["B-C", "C-D"], &["GASL159"]);
    check(&nodes("index", [0, 1, 2, 3]), &["B-C", "C-D"], &[]);
    check(&nodes("group", [1, 1, 2, 3]), &["B-C", "C-D"], &[]);
    check(&nodes("size", [5, 1, 2, 9]), &["B-C", "C-D"], &[]);
    let (_, codes) = rows(read_csv("no,title\n1,A\n2,B\n3,C\n", "source,target\n1,2\n"));
    assert_eq!(codes, ["GASL159", "GASL137"]);
}

#[test]
fn a_missing_target_adds_no_node() {
    let text = r#"{"nodes": [{"id": 1}], "links": [{"source": 0}]}"#;
    let (found, codes) = rows(read_json(text));
    assert_eq!((found.len(), codes), (1, vec!["GASL135"]));
    let text = r#"{"nodes": [{"id": 1}], "links": [{"source": 0, "target": 0}, {"source": 0}]}"#;
    let error = import_error(read_json(text));
    assert!(error.message.starts_with("2 of 2 edge ends"), "{}", error.message);
}

#[test]
fn integers_of_pandas_are_joined() {
    let read = |nodes: &str, edges: &str| rows(read_csv(nodes, edges));
    let (found, codes) = read("id,name\n1,a\n2,b\n", "source,target\n1.0,2.0\n");
    assert_eq!(found.len(), 3);
    assert_eq!(found[2], r#"{"id":"e0","source":"1","target":"2"}"#);
    assert_eq!(codes, ["GASL157"]);
    let (found, codes) = read("id\n1\n2\n", "source,target\n1.0,3.0\n");
    assert_eq!((found.len(), codes), (5, vec!["GASL157", "GASL131"]));
    let (found, codes) = read("", "source,target\n1.0,2\n2.0,3\n");
    assert_eq!((found.len(), codes), (5, vec!["GASL157", "GASL131"]));
}
