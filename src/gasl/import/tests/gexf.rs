//! Tests of GEXF.

use super::super::*;
use super::graphml::read_cut;
use super::{codes_of, import_error, rows};

fn read(text: &str) -> ImportResult {
    import_gexf(text.as_bytes(), ImportLimits::default())
}

fn check(text: &str, expected_rows: &[&str], expected_codes: &[&str]) {
    let (found, codes) = rows(read(text));
    assert_eq!(found, expected_rows, "{text}");
    assert_eq!(codes, expected_codes, "{text}");
}

fn document(graph: &str, inner: &str) -> String {
    format!("<gexf version='1.2'><graph {graph}>{inner}</graph></gexf>")
}

#[test]
fn gephi() {
    let text = include_str!("../../../../tests/xml-graphs/gephi.gexf");
    check(
        text,
        &[
            r##"{"id":"a","label":"Ada","start":1,"end":3,"age":41,"tags":["x","y"],"price":[{"value":1.5,"start":1,"end":2},{"value":2.5,"start":2}],"viz_size":10,"viz_x":1.5,"viz_y":-2,"viz_z":0,"viz_color":"#ff0010","viz_alpha":0.5,"viz_shape":"disc"}"##,
            r#"{"id":"g","label":"Group","age":30}"#,
            r#"{"id":"b","label":"Ben","age":30,"spells":[{"start":1,"end":2},{"start":5}],"group":"g"}"#,
            r#"{"id":"c","label":"Cid","age":30,"group":"g"}"#,
            r#"{"id":"0","source":"a","target":"b","label":"knows","weight":2,"kind":"social","since":"May","viz_thickness":1.5}"#,
            r#"{"id":"1","source":"b","target":"c","weight":0.5}"#,
        ],
        &["GASL152"],
    );
    let (graph, _) = read(text).unwrap();
    assert!(graph.is_directed());
    assert_eq!(
        graph.metadata().to_text(),
        r#"{"lastmodifieddate":"2026-01-02","creator":"Gephi 0.10","mode":"dynamic","timeformat":"double"}"#
    );
}

#[test]
fn edges_state_their_direction() {
    let read = |default: &str, types: &[&str]| {
        let edges: String = types
            .iter()
            .map(|each| format!("<edge source='a' target='b' type='{each}'/>"))
            .collect();
        let inner = format!("<nodes><node id='a'/><node id='b'/></nodes><edges>{edges}</edges>");
        let (graph, warnings) = read(&document(default, &inner)).unwrap();
        (
            graph.is_directed(),
            warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>(),
        )
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(read("", &["", ""]), (false, none.clone()));
    assert_eq!(read("defaultedgetype='directed'", &["", "directed"]), (true, none.clone()));
    assert_eq!(read("", &["directed", "directed"]), (true, none.clone()));
    assert_eq!(read("defaultedgetype='directed'", &["mutual"]), (false, none));
    assert_eq!(
        read("defaultedgetype='directed'", &["", "", "undirected", "mutual"]),
        (
            true,
            vec!["the edges of one graph are mixed: 2 directed, 1 undirected, 1 mutual".to_owned()]
        )
    );
}

#[test]
fn hierarchy_is_flattened() {
    check(
        &document(
            "",
            "<nodes><node id='b' pid='a'/><node id='a'><nodes><node id='c'><parents><parent for='b'/></parents></node></nodes>
               <edges><edge source='b' target='c'/></edges></node></nodes>",
        ),
        &[
            r#"{"id":"b","group":"a"}"#,
            r#"{"id":"a"}"#,
            r#"{"id":"c","group":["a","b"]}"#,
            r#"{"id":"e0","source":"b","target":"c"}"#,
        ],
        &["GASL152"],
    );
}

#[test]
fn problems_are_reported() {
    let attributes = "<attributes class='node'><attribute id='n' title='n' type='integer'/><attribute id='n' title='m' type='double'/></attributes>";
    let node = |inner: &str| {
        document("", &format!("{attributes}<nodes><node id='a'>{inner}</node></nodes>"))
    };
    let codes = |text: &str| codes_of(&read(text).unwrap().1);
    assert_eq!(codes(&node("<attvalue for='n' value='x'/>")), ["GASL109", "GASL105"]);
    assert_eq!(
        codes(&node("<attvalues><attvalue for='q' value='1'/></attvalues>")),
        ["GASL109", "GASL106"]
    );
    assert_eq!(
        codes(&node("<attvalue for='n' value='INF'/><attvalue for='n' value='1'/>")),
        ["GASL109", "GASL151", "GASL107"]
    );
    assert_eq!(
        codes(&node("<port/><attvalue for='n'/>some text")),
        ["GASL109", "GASL103", "GASL103", "GASL103"]
    );
    assert_eq!(
        codes(&document("", "<nodes><node/></nodes><edges><edge source='a'/></edges>")),
        ["GASL135"]
    );
    assert_eq!(codes(&document("", "<nodes><node id='a'/><node id='A'/></nodes>")), ["GASL154"]);
    assert_eq!(
        codes("<gexf><graph/><graph><nodes><node id='a'/></nodes></graph></gexf>"),
        ["GASL103"]
    );
}

#[test]
fn times_are_kept() {
    let node = "<node id='a'><attvalues><attvalue for='q' value='x' start='1'/><attvalue for='n' value='INF' timestamp='2'/></attvalues>
        <viz:color xmlns:viz='v' r='1' g='2' b='3' start='4'/></node>";
    let attributes = "<attributes class='node' mode='dynamic'><attribute id='n' title='n' type='float'/></attributes>";
    check(
        &document("", &format!("{attributes}<nodes>{node}</nodes>")),
        &[
            r##"{"id":"a","n":[{"value":null,"timestamp":2}],"q":[{"value":"x","start":1}],"viz_color":"#010203","viz_color_start":4}"##,
        ],
        &["GASL106", "GASL151"],
    );
    let edges = "<edges><edge source='a' target='a' start='-Infinity'/><edge source='a' target='a' start='2.5'/></edges>";
    check(
        &document("", &format!("<nodes><node id='a'/></nodes>{edges}")),
        &[
            r#"{"id":"a"}"#,
            r#"{"id":"e0","source":"a","target":"a","start":null}"#,
            r#"{"id":"e1","source":"a","target":"a","start":2.5}"#,
        ],
        &["GASL151"],
    );
}

#[test]
fn invalid_gexf_is_rejected() {
    let check = |text: &str, code: &str, help: &str| {
        let error = import_error(read(text));
        assert_eq!(error.code.id, code, "{text}");
        assert!(error.help.as_ref().is_some_and(|found| found.contains(help)), "{error:?}");
    };
    check("", "GASL150", "<gexf>");
    check("<gexf/>", "GASL150", "<graph>");
    check("<svg/>", "GASL150", "<gexf>");
    check("<graphml><graph/></graphml>", "GASL111", "Graph.fromGraphML");
    check("{\"nodes\":[]}", "GASL111", "Graph.fromNodeLink");
    check("id;name\n1;2", "GASL111", "Graph.fromCsv");
    check("<gexf><graph></gexf>", "GASL100", "XML library");
    check("<gexf><graph><nodes><node id='&x;'/></nodes></graph></gexf>", "GASL101", "&lt;");
    check("<!DOCTYPE gexf><gexf/>", "GASL101", "DOCTYPE");
    check(
        &format!("<gexf><graph>{}", "<nodes><node id='a'>".repeat(1_000_000)),
        "GASL140",
        "nodes",
    );
    let few = ImportLimits { nodes: 1, ..ImportLimits::default() };
    let two = document("", "<nodes><node id='a'/><node id='b'/></nodes>");
    assert_eq!(import_error(import_gexf(two.as_bytes(), few)).code.id, "GASL140");
}

#[test]
fn cut_documents_do_not_panic() {
    read_cut(include_bytes!("../../../../tests/xml-graphs/gephi.gexf"), 3, import_gexf);
    let node = |nth: usize| {
        format!("<node id='{nth}' pid='0'><attvalue for='k' value='{nth}' start='1'/></node>")
    };
    let nodes: String = (0..400).map(node).collect();
    let attributes = "<attributes class='node'><attribute id='k' type='long'/></attributes>";
    let text = document("", &format!("{attributes}<nodes>{nodes}</nodes>"));
    read_cut(text.as_bytes(), 1000, import_gexf);
}
