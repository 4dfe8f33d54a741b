//! Tests of reports about input that would otherwise be read in another meaning.

use super::super::any::import_text;
use super::super::options::ImportOptions;
use super::*;

/// Returns the rows and the codes of a text of any format.
fn read(text: &str) -> (Vec<String>, Vec<&'static str>, bool) {
    let imported = import_text(text.as_bytes(), &ImportOptions::default(), ImportLimits::default());
    let (_, graph, warnings) = imported.unwrap_or_else(|errors| panic!("{errors:?}"));
    let is_directed = graph.is_directed();
    let (rows, codes) = rows(Ok((graph, warnings)));
    (rows, codes, is_directed)
}

fn error(text: &str) -> String {
    let imported = import_text(text.as_bytes(), &ImportOptions::default(), ImportLimits::default());
    match imported {
        Ok((format, ..)) => panic!("read as {format:?}"),
        Err(errors) => errors[0].message.to_string(),
    }
}

#[test]
fn arrows_of_vis_give_directions() {
    let vis = |edges: &str| {
        read(&format!(r#"{{"nodes": [{{"id": 1}}, {{"id": 2}}], "edges": [{edges}]}}"#))
    };
    let (found, codes, directed) = vis(r#"{"from": 1, "to": 2, "arrows": "from"}"#);
    assert_eq!(found[2], r#"{"id":"e0","source":"2","target":"1","arrows":"from"}"#);
    assert_eq!((codes, directed), (vec![], true));
    let enabled = r#"{"from": 1, "to": 2, "arrows": {"to": {"enabled": true}}}"#;
    assert!(vis(enabled).2);
    let none = r#"{"from": 1, "to": 2}"#;
    let (_, codes, directed) = vis(&format!("{enabled}, {none}"));
    assert_eq!((codes, directed), (vec!["GASL104"], false));
    assert!(!vis(r#"{"from": 1, "to": 2, "arrows": "to, from"}"#).2);
}

#[test]
fn edges_of_graphology_have_the_type_of_the_graph() {
    let text = r#"{"options": {"type": "undirected"}, "nodes": [{"key": "a"}],
        "edges": [{"source": "a", "target": "a"}]}"#;
    let (_, codes, directed) = read(text);
    assert_eq!((codes, directed), (vec![], false));
}

#[test]
fn duplicate_lists_are_reported() {
    let (found, codes, _) =
        read(r#"{"nodes": [{"id": "a"}], "nodes": [{"id": "b"}], "links": []}"#);
    assert_eq!((found, codes), (vec![r#"{"id":"b"}"#.to_owned()], vec!["JSON012"]));
}

#[test]
fn ids_of_more_than_53_bits_are_exact() {
    const A: &str = "1234567890123456789";
    const B: &str = "1234567890123456788";
    for text in [
        r#"{"nodes": [{"id": A}, {"id": B}], "edges": [{"source": A, "target": B}]}"#,
        r#"{"nodes": [{"id": A, "tags": []}, {"id": B}], "edges": [{"source": A, "target": B, "x": []}]}"#,
        r#"{"nodes": [A, B], "edges": [{"source": A, "target": B}]}"#,
        r#"{"nodes": [{"key": A}, {"key": B}], "edges": [{"key": 1, "source": A, "target": B}]}"#,
        r#"{"nodes": [{"_id": A}, {"_id": B}], "edges": [{"from": A, "to": B}]}"#,
        r#"{"elements": {"nodes": [{"data": {"id": A}}, {"data": {"id": B}}],
            "edges": [{"data": {"source": A, "target": B}}]}}"#,
        r#"{"nodes": [{"id": A}, {"id": B}], "links": [{"source": {"id": A}, "target": {"id": B}}]}"#,
        r#"{"nodes": [{"id": A}, {"id": B}], "adjacency": [[{"id": B}], []], "directed": true}"#,
        r#"{"nodes": [{"data": {"id": A}}, {"data": {"id": B}}], "edges": [{"source": A, "target": B}]}"#,
        r#"{"nodes": [A, B], "edges": [[A, B]]}"#,
        r#"{"nodes": [{"id": A}, {"id": B}], "edges": [[A, "knows", B]]}"#,
    ] {
        let text = text.replace('A', A).replace('B', B);
        let (found, codes, _) = read(&text);
        assert_eq!(codes, [""; 0], "{text}");
        let ends = format!(r#""source":"{A}","target":"{B}""#);
        assert!(found.len() == 3 && found[2].contains(&ends), "{text}: {found:?}");
    }
    // The ids of an inferred field are numbers, so its ends are rounded too.
    let inferred = r#"{"nodes": [{"uid": A, "x": 1}, {"uid": 7, "x": 1}], "links": [{"source": A, "target": 7}]}"#;
    let (found, codes, _) = read(&inferred.replace('A', A));
    assert!(found.len() == 3 && codes.contains(&"GASL155"), "{found:?} {codes:?}");
    let edge = r#"{"id": -9007199254740993, "source": "a", "target": "a"}"#;
    let (found, ..) = read(&format!(r#"{{"nodes": [{{"id": "a"}}], "edges": [{edge}]}}"#));
    assert_eq!(found[1], r#"{"id":"-9007199254740993","source":"a","target":"a"}"#);
}

#[test]
fn rounded_numbers_are_reported() {
    // JavaScript writes doubles like this, so other digits may be lost.
    let (_, codes, _) = read(r#"{"nodes": [{"id": 1234567890123456800}], "edges": []}"#);
    assert_eq!(codes, ["GASL155"]);
    let ends = r#"{"source": 9007199254740992, "target": 1.1e20}"#;
    let (_, codes, _) = read(&format!(r#"{{"nodes": [], "edges": [{ends}]}}"#));
    assert!(codes.contains(&"GASL155"), "{codes:?}");
    let (_, codes, _) = read(r#"{"nodes": [{"id": "a", "n": 1234567890123456789}], "edges": []}"#);
    assert_eq!(codes, ["GASL155"]);
    let (_, codes, _) = read(r#"{"nodes": [{"id": "a", "n": 1e300, "m": 7}], "edges": []}"#);
    assert_eq!(codes, [""; 0]);
    let (_, codes, _) = read(r#"{"nodes": [{"id": 9007199254740991}], "edges": []}"#);
    assert_eq!(codes, [""; 0]);
}

#[test]
fn id_spaces_are_reported() {
    let edges = ":START_ID(Person),:END_ID(Movie)\n1,1\n";
    let (_, warnings) = read_csv("id:ID(Movie)\n1\n", edges).unwrap();
    assert_eq!(codes_of(&warnings), ["GASL156"]);
    let (_, warnings) =
        read_csv("id:ID(Movie)\n1\n", ":START_ID(Movie),:END_ID(Movie)\n1,1\n").unwrap();
    assert_eq!(codes_of(&warnings), [""; 0]);
}

#[test]
fn lists_of_neo4j_are_lists() {
    let (found, _) = rows(read_csv("id,tags:string[]\na,x;y\nb,\n", ""));
    assert_eq!(found, [r#"{"id":"a","tags":["x","y"]}"#, r#"{"id":"b"}"#]);
}

#[test]
fn unread_formats_are_named() {
    let matrix = "an adjacency matrix is not a supported format";
    assert_eq!(error(",A,B,C\nA,0,1,0\nB,1,0,1\nC,0,1,0\n"), matrix);
    assert_eq!(error("x;1;2\n1;0;1\n2;1;0\n"), matrix);
    // Matrices without names, or with a header above the numbers.
    assert_eq!(error("0 1 0 0\n1 0 1 1\n0 1 0 0\n0 1 0 0\n"), matrix);
    assert_eq!(error("0 1 0\n1 0 1\n0 1 0\n"), matrix);
    let [zero, two] = ["0.000000000000000000e+00", "2.500000000000000000e+00"];
    let directed = format!("{zero} {two} {zero} {two}\n").repeat(4);
    let hollow = format!(
        "{zero} {two} {zero} {two}\n{two} {zero} {two} {two}\n{zero} {zero} {zero} {two}\n{zero} {zero} {two} {zero}\n"
    );
    assert_eq!(error(&hollow), matrix);
    assert_eq!(read(&directed).1[0], "GASL126");
    assert_eq!(error("0,1,2\n0,1,0\n1,0,1\n0,1,0\n"), matrix);
    assert_eq!(error("1,2,3\n0,5,0\n5,0,2\n0,2,0\n"), matrix);
    assert_eq!(error("ann,bob,cid\n0,1,0\n1,0,1\n0,1,0\n"), matrix);
    assert_eq!(error(&"1 2 3 4 5 6 7 8 9\n".repeat(9)), matrix);
    assert_eq!(read("0 1 5\n1 2 6\n2 0 7\n").1[0], "GASL126");
    assert_eq!(read("0 1 0\n1 2 0\n2 0 1\n").1[0], "GASL126");
    assert_eq!(read(&"1 2 3 4 5 6 7 8 9\n".repeat(11)).1[0], "GASL126");
    assert_eq!(error("{\"id\":1}\n{\"id\":2}\n"), "JSON Lines is not a supported format");
    assert_eq!(error("\u{feff} \n"), "expected a graph, found an empty text");
    // Lists of edges whose first ends repeat the first row.
    assert_eq!(read("0,1,2\n1,2,3\n2,3,4\n").0.len(), 7);
    assert_eq!(read("a,b\nb,c\nc,a\n").0.len(), 6);
}

#[test]
fn tables_of_apoc_have_nodes_and_edges() {
    let text = "\"_id\",\"_labels\",\"name\",\"_start\",\"_end\",\"_type\"\n\
        \"1\",\":Person\",\"Ada\",,,\n\"2\",\":Person\",\"Bob\",,,\n,,,\"1\",\"2\",\"KNOWS\"\n";
    let (found, codes, _) = read(text);
    let node =
        |id: &str, name: &str| format!(r#"{{"id":"{id}","_labels":":Person","name":"{name}"}}"#);
    let edge = r#"{"id":"e0","source":"1","target":"2","_type":"KNOWS"}"#.to_owned();
    assert_eq!(found, [node("1", "Ada"), node("2", "Bob"), edge]);
    assert_eq!(codes, [""; 0]);
}
