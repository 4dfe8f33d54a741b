//! Tests of GraphML in the dialects of several tools.

use super::super::*;
use super::{codes_of, import_error, read_xml, rows};

fn check(text: &str, expected_rows: &[&str], expected_codes: &[&str]) {
    let (found, codes) = rows(read_xml(text));
    assert_eq!(found, expected_rows, "{text}");
    assert_eq!(codes, expected_codes, "{text}");
}

/// Returns the messages of a document, each with its help.
fn messages(text: &str) -> Vec<String> {
    let (_, warnings) = read_xml(text).unwrap();
    warnings.iter().map(|warning| warning.message.clone()).collect()
}

fn document(keys: &str, inner: &str) -> String {
    format!("<graphml>{keys}<graph edgedefault='directed'>{inner}</graph></graphml>")
}

#[test]
fn keys_are_found_by_id_and_target() {
    check(
        &document(
            "<key id='w' for='node' attr.name='w' attr.type='int'><default>0</default></key>
             <key id='w' for='edge' attr.name='since' attr.type='int'><default>1</default></key>
             <key id='p' for='port' attr.name='style'><default>plain</default></key>
             <key id='w' for='graph' attr.name='year' attr.type='int'/>",
            "<data key='w'>1999</data><node id='a'><data key='w'>5</data></node><node id='b'/>
             <edge source='a' target='b'><data key='w'>7</data></edge><edge source='a' target='b'/>",
        ),
        &[
            r#"{"id":"a","w":5}"#,
            r#"{"id":"b","w":0}"#,
            r#"{"id":"e0","source":"a","target":"b","since":7}"#,
            r#"{"id":"e1","source":"a","target":"b","since":1}"#,
        ],
        &[],
    );
    let text = document(
        "<key id='k' for='edge' attr.name='n' attr.type='int'/>",
        "<node id='a'><data key='k'>4</data></node>",
    );
    check(&text, &[r#"{"id":"a","n":4}"#], &["GASL108"]);
    assert_eq!(messages(&text), ["the key `k` is declared for edges and used for nodes"]);
    check(
        &document(
            "<key id='k' for='vertex' attr.name='n'/><key id='k' for='all' attr.name='m'><default>x</default></key>",
            "<node id='a'/>",
        ),
        &[r#"{"id":"a","m":"x"}"#],
        &["GASL108", "GASL109"],
    );
}

#[test]
fn keys_may_follow_the_data() {
    let key = "<key id='d' for='node' attr.name='age' attr.type='int'><default>3</default></key>";
    let nodes = "<node id='a'><data key='d'>41</data></node><node id='b'/>";
    let expected = [r#"{"id":"a","age":41}"#, r#"{"id":"b","age":3}"#];
    check(&document("", &format!("{key}{nodes}")), &expected, &[]);
    check(&document("", &format!("{nodes}{key}")), &expected, &[]);
    check(&format!("<graphml><graph>{nodes}</graph>{key}</graphml>"), &expected, &[]);
    let prefixed = document(key, nodes).replace('<', "<g:").replace("<g:/", "</g:");
    check(&prefixed, &expected, &[]);
    // Defaults in nodes of a nested graph do not replace the value of its parent.
    let nested =
        format!("{key}<node id='a'><data key='d'>41</data><graph><node id='b'/></graph></node>");
    check(
        &document("", &nested),
        &[r#"{"id":"a","age":41}"#, r#"{"id":"b","age":3,"group":"a"}"#],
        &["GASL152"],
    );
}

#[test]
fn attributes_of_tags_are_read() {
    check(
        &document(
            "<key id='labels' for='node' attr.name='labels'/><key id='label' for='edge' attr.name='label'/>",
            "<node id='n0' labels=':Person' rank='1' parse.indegree='2' xmlns:x='u'>
               <desc> first </desc><data key='labels'>:Person</data></node>
             <node id='n1' rank='2.5' name='7' code='007'/>
             <edge id='k' source='n0' target='n1' label='KNOWS'><data key='label'>LIKES</data></edge>",
        ),
        &[
            r#"{"id":"n0","labels":":Person","rank":1,"desc":"first"}"#,
            r#"{"id":"n1","rank":2.5,"name":"7","code":"007"}"#,
            r#"{"id":"k","source":"n0","target":"n1","label":"LIKES"}"#,
        ],
        &["GASL107"],
    );
    let twice = "<node id='a'><data key='k'>1</data><data key='k'>2</data><desc>x</desc></node>";
    let text = document("<key id='k' for='node' attr.name='desc'/>", twice);
    check(&text, &[r#"{"id":"a","desc":"x"}"#], &["GASL107"]);
    assert_eq!(messages(&text), ["duplicate `desc` of `a`, and 1 more like it"]);
}

#[test]
fn nested_graphs_are_flattened() {
    check(
        &document(
            "<key id='k' for='node' attr.name='group'/>",
            "<node id='g'><graph><node id='g::a'><graph><node id='x'/></graph></node><edge source='g::a' target='c'/></graph></node>
             <node id='c'><data key='k'>own</data></node>",
        ),
        &[
            r#"{"id":"g"}"#,
            r#"{"id":"g::a","group_":"g"}"#,
            r#"{"id":"x","group_":"g::a"}"#,
            r#"{"id":"c","group":"own"}"#,
            r#"{"id":"e0","source":"g::a","target":"c"}"#,
        ],
        &["GASL152"],
    );
}

#[test]
fn skipped_parts_are_counted() {
    let text = "<graphml><desc>d</desc><graph><desc>e</desc><node id='a'><port name='p'/><port name='q'><port name='r'/></port></node>
        <node id='b'>text<port name='p'/><locator/></node><hyperedge><endpoint node='a'/></hyperedge><nodes/>
        <edge source='a' target='b' sourceport='p'><graph><node id='i'/></graph></edge></graph>
        <graph><node id='c'/><node id='d'/><edge source='c' target='d'/></graph></graphml>";
    assert_eq!(
        messages(text),
        [
            "3 `<port>` were skipped, first in `a`, `b`",
            "`text` was skipped, first in `b`",
            "`<locator>` was skipped, first in `b`",
            "`<hyperedge>` was skipped",
            "`<nodes>` was skipped",
            "2 `<graph>` were skipped, with 3 nodes and 1 edge",
        ]
    );
    let (graph, warnings) = read_xml(text).unwrap();
    assert!(codes_of(&warnings).iter().all(|code| *code == "GASL103"));
    assert_eq!(graph.metadata().to_text(), r#"{"desc":"e"}"#);
    assert_eq!(graph.edge_row(0).get("sourceport"), Some(&"p".into()));
    let many: String = (0..50).map(|nth| format!("<x{nth}/>")).collect();
    let found = messages(&document("", &many));
    assert_eq!(
        (found.len(), found.last().map(String::as_str)),
        (21, Some("30 `other elements` were skipped"))
    );
}

#[test]
fn direction_is_that_of_all_edges() {
    let edges = |direction: &str, each: &[&str]| {
        let edges: String = each
            .iter()
            .map(|directed| format!("<edge source='a' target='b' directed='{directed}'/>"))
            .collect();
        format!(
            "<graphml><graph edgedefault='{direction}'><node id='a'/><node id='b'/>{edges}</graph></graphml>"
        )
    };
    let read = |text: &str| {
        let (graph, warnings) = read_xml(text).unwrap();
        (graph.is_directed(), warnings.first().map(|first| first.message.clone()))
    };
    assert_eq!(read(&edges("undirected", &["true", "true"])), (true, None));
    assert_eq!(read(&edges("directed", &["false"])), (false, None));
    let mixed = "the edges of one graph are mixed: 2 directed, 1 undirected";
    assert_eq!(
        read(&edges("undirected", &["true", "true", "false"])),
        (false, Some(mixed.to_owned()))
    );
    assert_eq!(read(&edges("directed", &["", "true", "false"])), (true, Some(mixed.to_owned())));
}

#[test]
fn numbers_have_many_forms() {
    let nodes = |values: &[&str]| -> String {
        let node = |(nth, value): (usize, &&str)| {
            format!("<node id='{nth}'><data key='k'>{value}</data></node>")
        };
        values.iter().enumerate().map(node).collect()
    };
    let read = |kind: &str, values: &[&str]| {
        let keys = format!("<key id='k' for='node' attr.name='k' attr.type='{kind}'/>");
        let (found, codes) = rows(read_xml(&document(&keys, &nodes(values))));
        (found.join(" "), codes)
    };
    let (found, codes) = read(
        "double",
        &["0x1.8p+1", "INF", ".5", " +3 ", "NaN", "1e999", "", "12345678901234567890"],
    );
    assert_eq!(
        found,
        r#"{"id":"0","k":3} {"id":"1","k":null} {"id":"2","k":0.5} {"id":"3","k":3} {"id":"4","k":null} {"id":"5","k":null} {"id":"6"} {"id":"7","k":12345678901234567000}"#
    );
    assert_eq!(codes, ["GASL151"]);
    let (found, codes) = read("long", &["007", "12345678901234567890", "x"]);
    assert_eq!(
        found,
        r#"{"id":"0","k":7} {"id":"1","k":"12345678901234567890"} {"id":"2","k":"x"}"#
    );
    assert_eq!(codes, ["GASL105"]);
    let (found, codes) = read("vector_double", &["0x1p+1, 0x0p+0", "1", "a, 1"]);
    assert_eq!(found, r#"{"id":"0","k":[2,0]} {"id":"1","k":[1]} {"id":"2","k":"a, 1"}"#);
    assert_eq!(codes, ["GASL105"]);
}

#[test]
fn yed() {
    check(
        include_str!("../../../../tests/xml-graphs/yed.graphml"),
        &[
            r##"{"id":"n0","url":"http://example.org","label":"Start","fill":"#FFCC00","shape":"diamond"}"##,
            r#"{"id":"n1","label":"Phase 1","shape":"roundrectangle","yfiles.foldertype":"group"}"#,
            r#"{"id":"n1::n0","label":"Check","shape":"rectangle","label_2":"twice","AttributeLabel":"total: int","group":"n1"}"#,
            r#"{"id":"e0","source":"n0","target":"n1::n0","label":"yes"}"#,
        ],
        &["GASL153", "GASL152"],
    );
}

#[test]
fn gephi() {
    check(
        include_str!("../../../../tests/xml-graphs/gephi.graphml"),
        &[
            r#"{"id":"a","label":"Ada","size":10,"r":153,"x":-1.5}"#,
            r#"{"id":"b","label":"Ben","size":12.5,"r":0,"x":2}"#,
            r#"{"id":"0","source":"a","target":"b","Edge Label":"met","weight":2}"#,
        ],
        &[],
    );
}

#[test]
fn tinkerpop() {
    check(
        include_str!("../../../../tests/xml-graphs/tinkerpop.graphml"),
        &[
            r#"{"id":"1","labelV":"person","name":"marko","age":29}"#,
            r#"{"id":"3","labelV":"software","name":"lop"}"#,
            r#"{"id":"9","source":"1","target":"3","labelE":"created","weight":0.4}"#,
        ],
        &[],
    );
}

#[test]
fn apoc() {
    check(
        include_str!("../../../../tests/xml-graphs/apoc.graphml"),
        &[
            r#"{"id":"n0","labels":":Person","name":"Ada","tags":["x","y"],"since":1964}"#,
            r#"{"id":"n1","labels":":Person:Author","name":"Ben"}"#,
            r#"{"id":"e0","source":"n0","target":"n1","label":"KNOWS","since":"May"}"#,
        ],
        &[],
    );
}

#[test]
fn igraph() {
    check(
        include_str!("../../../../tests/xml-graphs/igraph.graphml"),
        &[
            r#"{"id":"n0","name":"A","score":0.5,"on":true}"#,
            r#"{"id":"n1","name":"B","score":null,"on":false}"#,
            r#"{"id":"e0","source":"n0","target":"n1","weight":3}"#,
        ],
        &["GASL151"],
    );
}

#[test]
fn graph_tool() {
    check(
        include_str!("../../../../tests/xml-graphs/graph-tool.graphml"),
        &[
            r#"{"id":"n0","rank":3,"position":[0.5,-2]}"#,
            r#"{"id":"n1","rank":0.1,"position":[1,0]}"#,
            r#"{"id":"e0","source":"n0","target":"n1","count":4}"#,
        ],
        &[],
    );
}

#[test]
fn other_formats_are_named() {
    let help = |text: &str| {
        let error = import_error(read_xml(text));
        (error.code.id, error.help.unwrap())
    };
    assert!(help("<gexf><graph/></gexf>").1.contains("Graph.fromGexf"));
    assert!(help("<?xml version='1.0'?>\n<gexf:gexf>").1.contains("Graph.fromGexf"));
    assert!(help("{\"nodes\":[\"<a>\"]}").1.contains("Graph.fromNodeLink"));
    assert!(help("id,name\na,b").1.contains("Graph.fromCsv"));
    assert_eq!(help("<svg/>").0, "GASL102");
    // Text of a model around the document.
    let (found, codes) = rows(read_xml(&format!("[1] {}", document("", "<node id='a'/>"))));
    assert_eq!((found.len(), codes), (1, vec!["GASL103"]));
}

#[test]
fn similar_ids_are_reported() {
    let text = document("", "<node id='Ann'/><node id='b'/><edge source='ann ' target='b'/>");
    let found = messages(&text);
    assert_eq!(
        found.last().unwrap(),
        "2 ids differ only in letter case or white space: `Ann`, `ann `"
    );
}

/// Reads all prefixes of a text whose length is a multiple of `step`, without and with a broken byte.
pub fn read_cut(text: &[u8], step: usize, read: fn(&[u8], ImportLimits) -> ImportResult) {
    for cut in (0..=text.len()).step_by(step) {
        let mut bytes = text[..cut].to_vec();
        let _ = read(&bytes, ImportLimits::default());
        for byte in [b'<', b'"'] {
            if let Some(last) = bytes.last_mut() {
                *last = byte;
            }
            let _ = read(&bytes, ImportLimits::default());
        }
    }
}

#[test]
fn cut_documents_do_not_panic() {
    for text in [
        include_str!("../../../../tests/xml-graphs/yed.graphml"),
        include_str!("../../../../tests/xml-graphs/apoc.graphml"),
        include_str!("../../../../tests/xml-graphs/graph-tool.graphml"),
    ] {
        read_cut(text.as_bytes(), 3, super::super::import_graphml);
    }
    let node = |nth: usize| {
        format!(
            "<node id='{nth}' x='{nth}'><graph><node id='i{nth}'><data key='k'>{nth}</data></node></graph></node>"
        )
    };
    let nodes: String = (0..400).map(node).collect();
    read_cut(document("<key id='k'/>", &nodes).as_bytes(), 1000, super::super::import_graphml);
}

#[test]
fn names_of_tags_in_messages_are_short_and_on_one_line() {
    let long = "n".repeat(1_000);
    for text in ["<a\n>", "</a\n\u{5}b>", &format!("<{long}>"), &format!("<a></{long}>")] {
        let errors = import_graphml(text.as_bytes(), ImportLimits::default()).err().unwrap();
        let message = &errors[0].message;
        assert!(errors[0].code == codes::MALFORMED_XML && message.len() < 200, "{message}");
        assert!(!message.contains(char::is_control), "{message:?}");
    }
}
