//! Tests of texts that end early, in every format.

use super::*;
use std::fmt::Write;

/// Reads a text as any format, and as tables of nodes and edges.
fn read_all(text: &[u8]) {
    let limits = ImportLimits::default();
    let options = ImportOptions::default();
    let _ = import_text(text, &options, limits);
    let _ = import_node_link(text, limits);
    let forced = ImportOptions { format: Some(GraphFormat::Cytoscape), ..options.clone() };
    let _ = import_text(text, &forced, limits);
    let mut tables = CsvImporter::new(options, limits);
    if tables.read_nodes(text).is_ok() && tables.read_edges(text).is_ok() {
        let _ = tables.finish();
    }
}

const TEXTS: [&str; 12] = [
    r#"{"options":{"type":"mixed"},"nodes":[{"key":"a","attributes":{"x":1}}],"edges":[{"key":"e","source":"a","target":"a","undirected":true}]}"#,
    r#"{"elements":[{"data":{"id":"a"},"group":"nodes"},{"data":{"source":"a","target":"b"}}]}"#,
    r#"[{"data":{"id":"é"}},{"data":{"source":"a","target":7}}]"#,
    r#"{"graph":{"nodes":{"a":{"metadata":{"x":[1]}}},"edges":[{"source":"a","target":"b"}],"hyperedges":[{}]}}"#,
    r#"{"graphs":[{"nodes":[{"id":1}]},{}]}"#,
    r#"{"nodes":[{"id":1},2],"adjacency":[[{"id":2},1],7,[]]}"#,
    r#"{"nodes":[{"label":"a"}],"relationships":[{"from":"a","to":"a"}],"b":[{"u":1}]}"#,
    r#"{"nodes":[{"id":1}],"links":[{"source":0,"target":0}],"edges":[{"source":0,"target":0}]}"#,
    "# Directed graph: é\n# From\tTo\n0\t1\n1\t2\t3\n#x\n",
    "sep=;\nsource;target;n\n\"a\"\"b\";c;1,5\nd;e\n",
    "a b {'w': 1}\nb c {}\n  d   e  \n",
    "id,n,\n1,x\n,\n\"",
];

#[test]
fn texts_that_end_early_do_not_panic() {
    for text in TEXTS {
        for end in 0..=text.len() {
            let cut = text.as_bytes().get(..end).unwrap_or_default();
            read_all(cut);
            for flip in [0x80, b'{', b'"', b'\n'] {
                let mut broken = cut.to_vec();
                broken.push(flip);
                broken.extend_from_slice(text.as_bytes().get(end + 1..).unwrap_or_default());
                read_all(&broken);
            }
        }
    }
}

#[test]
fn large_texts_that_end_early_do_not_panic() {
    let mut texts = [
        String::from("{\"elements\":{\"nodes\":["),
        String::from("{\"graph\":{\"nodes\":{"),
        String::from("source;target;Type;w\n"),
        String::from("% asym\n"),
    ];
    for nth in 0..500 {
        let comma = if nth == 0 { "" } else { "," };
        let [cytoscape, json_graph, table, list] = &mut texts;
        let _ = write!(cytoscape, "{comma}{{\"data\":{{\"id\":\"n{nth}\",\"x\":{nth}}}}}");
        let _ = write!(
            json_graph,
            "{comma}\"n{nth}\":{{\"label\":\"N\",\"metadata\":{{\"x\":{nth}}}}}"
        );
        let _ = writeln!(table, "n{nth};n{};Directed;{nth},5", nth / 2);
        let _ = writeln!(list, "{nth} {} {nth}", nth / 2);
    }
    texts[0].push_str("],\"edges\":[{\"data\":{\"source\":\"n1\",\"target\":\"n2\"}}]}}");
    texts[1].push_str("},\"edges\":[{\"source\":\"n1\",\"target\":\"n2\"}]}}");
    for text in &texts {
        let complete =
            import_text(text.as_bytes(), &ImportOptions::default(), ImportLimits::default());
        let (_, graph, _) = complete.unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(graph.node_count(), 500);
        assert!(graph.edge_count() > 0);
        for end in (0..text.len()).step_by(1_000) {
            read_all(text.as_bytes().get(..end).unwrap_or_default());
        }
    }
}
