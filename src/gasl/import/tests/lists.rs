//! Tests of lists of edges without a header, and of lists that look like them.

use super::super::any::import_text;
use super::super::options::ImportOptions;
use super::*;

fn read(text: &str) -> ImportResult {
    let options = ImportOptions::default();
    let imported = import_text(text.as_bytes(), &options, ImportLimits::default());
    imported.map(|(_, graph, warnings)| (graph, warnings))
}

/// Returns the edges without their ids, and the codes of the warnings.
fn edges(text: &str) -> (Vec<String>, Vec<&'static str>) {
    let (found, codes) = rows(read(text));
    let edges = found.iter().filter_map(|row| row.split_once(r#","source":"#));
    (edges.map(|(_, rest)| format!(r#"{{"source":{rest}"#)).collect(), codes)
}

fn check(text: &str, expected: &[&str], codes: &[&str]) {
    let (found, found_codes) = edges(text);
    assert_eq!(found, expected, "{text}");
    assert_eq!(found_codes, codes, "{text}");
}

fn check_error(text: &str, message: &str) {
    assert_eq!(import_error(read(text)).message, message, "{text}");
}

#[test]
fn attributes_of_networkx_are_read() {
    let edges = [
        r#"{"source":"a","target":"b","weight":3,"color":"red"}"#,
        r#"{"source":"b","target":"c"}"#,
        r#"{"source":"c","target":"a","weight":0.5,"tags":["x, y",null]}"#,
    ];
    let spaces = "#x\na b {'weight': 3, 'color': 'red'}\nb c {}\nc a {'weight': .5, 'tags': ('x, y', None)}\n";
    check(&spaces.replace(".5", "0.5"), &edges, &["GASL126", "GASL131"]);
    for delimiter in [",", "\t", ";"] {
        let text = "a_b_{'weight': 3, 'color': 'red'}\nb_c_{}\n\
            c_a_{'weight': 0.5, 'tags': ('x, y', None)}\n";
        check(&text.replace('_', delimiter), &edges, &["GASL126", "GASL131"]);
    }
    check(
        "1 2 {'t': datetime(2020)}\n2 1 {'id': 7}\n",
        &[
            r#"{"source":"1","target":"2","data":"{'t': datetime(2020)}"}"#,
            r#"{"source":"2","target":"1","id_":7}"#,
        ],
        &["GASL126", "GASL161", "GASL132", "GASL131"],
    );
    // A cell of JSON in a table.
    check(
        "source,target,a,b\nx,y,{1},{2}\n",
        &[r#"{"source":"x","target":"y","a":"{1}","b":"{2}"}"#],
        &["GASL131"],
    );
}

#[test]
fn lists_of_konect_state_their_kind() {
    check(
        "% bip unweighted\n% 2 2 2\n1 1\n2 1\n",
        &[r#"{"source":"left-1","target":"right-1"}"#, r#"{"source":"left-2","target":"right-1"}"#],
        &["GASL126", "GASL160", "GASL131"],
    );
    check(
        "% asym posweighted\n1 2 3 1082040961\n2 1 1 1082040962\n",
        &[
            r#"{"source":"1","target":"2","weight":3,"timestamp":1082040961}"#,
            r#"{"source":"2","target":"1","weight":1,"timestamp":1082040962}"#,
        ],
        &["GASL126", "GASL131"],
    );
    let (graph, _) = read("% asym positive\n1 2\n").unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(graph.is_directed());
    let csv = import_csv(b"id\n1\n", b"% bip unweighted\n1 1\n", false, ImportLimits::default());
    assert_eq!(rows(csv).1, ["GASL126", "GASL156"]);
}

#[test]
fn other_lists_are_named() {
    let adjacency = "an adjacency list is not a supported format";
    check_error("#nx\n0 1 2 3\n1 2\n2 3\n3\n", adjacency);
    check_error("a\tb\nb\tc\td\nc\td\nd\n", adjacency);
    check_error("a b\nb c a\nc\n", adjacency);
    let multiline = "a multiline adjacency list is not a supported format";
    check_error("0 2\n1 {}\n2 {}\n1 1\n2 {}\n2 0\n", multiline);
    check_error("#nx\n# GMT\n#\na 1\nb {'weight': 3, 'x': 'y z'}\nb 0\n", multiline);
    check_error("a\t1\nb\t{'w': 1}\nb\t0\n", multiline);
    let metis = "METIS is not a supported format";
    check_error("% METIS\n4 3\n2 3\n1 4\n1\n2\n", metis);
    check_error("3 2 1\n2 7\n1 7 3 9\n2 9\n", metis);
    check_error("3 1\n2\n1\n\n", metis);
    let counts = "expected an edge in the first line, found the numbers of nodes and edges";
    check_error("5 3\n1 2\n2 3\n3 5\n", counts);
    check_error("5 5 3\n1 2 1\n2 3 1\n3 5 1\n", counts);
    check_error("a -> b\nb -> c\n", "a list of edges with arrows is not a supported format");
    let nodes = import_error(read_csv("0\n1\n", "0,1\n"));
    assert_eq!(nodes.message, "expected a header of the nodes, found numbers");
    // Weights that some rows lack.
    assert_eq!(edges("a b\nb c 1\n").1, ["GASL126", "GASL121", "GASL131"]);
    assert_eq!(edges("1 2\n2 3\n3 1\n").0.len(), 3);
    assert_eq!(edges("0 1 5\n1 2 6\n2 0 7\n").0.len(), 3);
}

#[test]
fn other_documents_are_named() {
    check_error(
        r#"[{"CXVersion": "2.0"}, {"nodes": [{"id": 0}]}]"#,
        "Cytoscape CX is not a supported format",
    );
    check_error(r#"[{"numberVerification": []}]"#, "Cytoscape CX is not a supported format");
    check_error("/* x */\ngraph G { a -- b }", "Graphviz DOT is not a supported format");
}

#[test]
fn columns_of_neo4j_can_be_ignored() {
    let (found, codes) = rows(read_csv("id:ID,name,note:IGNORE\n1,a,x\n", ""));
    assert_eq!(found, [r#"{"id":"1","name":"a"}"#]);
    assert_eq!(codes, [""; 0]);
}
