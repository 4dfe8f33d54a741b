//! Tests of imports, their warnings and errors.

use super::csv::import_csv;
use super::*;
use crate::base::Value;
use crate::gasl::graph::Element;

fn codes_of(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

/// Returns all rows of a graph, nodes first, and the codes of its warnings.
fn rows(imported: ImportResult) -> (Vec<String>, Vec<&'static str>) {
    let (graph, warnings) = imported.unwrap_or_else(|errors| panic!("{errors:?}"));
    let text = |row: Element, value: Value| {
        let mut text = String::new();
        graph.write_row(row, &mut text);
        assert_eq!(text, value.to_text());
        text
    };
    let nodes = (0..graph.node_count() as u32).map(|n| text(Element::Node(n), graph.node_row(n)));
    let edges = (0..graph.edge_count() as u32).map(|n| text(Element::Edge(n), graph.edge_row(n)));
    (nodes.chain(edges).collect(), codes_of(&warnings))
}

fn import_error(imported: ImportResult) -> Diagnostic {
    match imported {
        Ok((graph, _)) => panic!("read as {}", graph.to_json()),
        Err(errors) => errors[0].clone(),
    }
}

fn read_csv(nodes: &str, edges: &str) -> ImportResult {
    import_csv(nodes.as_bytes(), edges.as_bytes(), false, ImportLimits::default())
}

fn read_xml(text: &str) -> ImportResult {
    import_graphml(text.as_bytes(), ImportLimits::default())
}

fn read_json(text: &str) -> ImportResult {
    read_node_link(text.as_bytes(), ImportLimits::default())
}

#[test]
fn csv_column_is_numeric_if_all_cells_are() {
    let (found, warnings) = rows(read_csv(
        "id,code,age,big\na,007,1.50,12345678901234567890\nb,8,,2\n",
        "source,target,weight\na,b,1e1\n\"b\",c,\n",
    ));
    assert_eq!(
        found,
        [
            r#"{"id":"a","code":"007","age":1.5,"big":"12345678901234567890"}"#,
            r#"{"id":"b","code":"8","big":"2"}"#,
            r#"{"id":"c"}"#,
            r#"{"id":"e0","source":"a","target":"b","weight":10}"#,
            r#"{"id":"e1","source":"b","target":"c"}"#,
        ]
    );
    assert_eq!(warnings, ["GASL131"]);
}

#[test]
fn csv_headers_have_aliases() {
    let (found, warnings) = rows(read_csv(
        "\u{feff}person:ID(Person);:LABEL;age:int;zip:string\r\n1;P;7;12\r\n2;P;x;13\r\n",
        "FROM\tTo\tid\t:TYPE\n1\t2\tk\tKNOWS\n2\t1\tk\tKNOWS\textra\n",
    ));
    assert_eq!(
        found,
        [
            r#"{"id":"1","label":"P","age":7,"zip":"12"}"#,
            r#"{"id":"2","label":"P","age":null,"zip":"13"}"#,
            r#"{"id":"k","source":"1","target":"2","type":"KNOWS"}"#,
            r#"{"id":"e1","source":"2","target":"1","type":"KNOWS"}"#,
        ]
    );
    assert_eq!(warnings, ["GASL128", "GASL121", "GASL133"]);
}

#[test]
fn csv_errors_are_reported() {
    let error_of = |nodes, edges| import_error(read_csv(nodes, edges));
    let error = error_of("", "name of it,age\nx,1\n");
    assert_eq!(error.code.id, "GASL120");
    assert!(error.help.unwrap().contains("`name of it`, `age`"));
    assert_eq!(error_of("id\n", "id,weight\n1,2\n").code.id, "GASL120");
    let error = error_of("id,a\nx,\"never closed\ny,1", "");
    assert_eq!((error.code.id, error.location), ("GASL122", Some(text(Span::new(7, 8)))));
    let (found, warnings) = rows(read_csv("id,a,a,\n,1,2,3\nx,1,2,3\nx,,5,\n", ""));
    assert_eq!(found, [r#"{"id":"x","a":5}"#]);
    assert_eq!(warnings, ["GASL123", "GASL135", "GASL130"]);
    assert_eq!(rows(read_csv("", "")).0.len(), 0);
}

fn text(span: Span) -> crate::base::Location {
    crate::base::Location::Span(span)
}

const GRAPHML: &str = r#"<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="n" for="node" attr.name="name" attr.type="string"/>
  <key id="a" for="node" attr.name="age" attr.type="int"><default>3</default></key>
  <key id="w" for="edge" attr.name="weight" attr.type="double"/>
  <key id="b" for="all" attr.name="known" attr.type="boolean"/>
  <graph edgedefault="directed">
    <node id="&quot;x&quot;"><data key="n">"A &amp; B"&lt;SEP&gt;"C"</data><data key="b">true</data></node>
    <edge source="&quot;x&quot;" target="y"><data key="w"> 2.5 </data></edge>
    <node id="y"><data key="a">41</data><data key="n"><![CDATA[<i>]]></data></node>
  </graph></graphml>"#;

#[test]
fn graphml_has_types_and_defaults() {
    let (graph, warnings) = read_xml(GRAPHML).unwrap();
    assert_eq!(codes_of(&warnings), [""; 0]);
    assert!(graph.is_directed());
    let row = |node| graph.node_row(node).to_text();
    assert_eq!(row(0), r#"{"id":"x","name":"A & B<SEP>C","known":true,"age":3}"#);
    assert_eq!(row(1), r#"{"id":"y","name":"<i>","age":41}"#);
    let edge = graph.edge_row(0).to_text();
    assert_eq!(edge, r#"{"id":"e0","source":"x","target":"y","weight":2.5}"#);
    let raw = graph.raw_row(Element::Node(0));
    assert_eq!(raw.get("name"), Some(&r#""A & B"<SEP>"C""#.into()));
}

fn in_graph(inner: &str) -> String {
    format!(
        "<graphml><key id='k' for='node' attr.name='k' attr.type='int'/><graph>{inner}</graph></graphml>"
    )
}

#[test]
fn graphml_warns_about_skipped_parts() {
    let check = |inner: &str, expected: &[&str]| {
        assert_eq!(rows(read_xml(&in_graph(inner))).1, expected, "{inner}");
    };
    check("<hyperedge><endpoint node='a'/></hyperedge>", &["GASL103"]);
    check(
        "<node id='a'><port name='p'/><graph><node id='b'/></graph></node>",
        &["GASL152", "GASL103"],
    );
    check(
        "<node id='a'/><edge source='a' target='a' directed='true'/><edge source='a' target='a'/>",
        &["GASL104"],
    );
    check("<node id='a'><data key='k'>many</data></node>", &["GASL105"]);
    check("<node id='a'><data key='q'>1</data></node>", &["GASL106"]);
    check("<node id='a'/><node id='a'/><node id='b'/><node id='b'/>", &["GASL130"]);
    check("<node/><edge source='a'/>", &["GASL135"]);
    check("<edge source='a' target='b'/>", &["GASL131"]);
    check("<node id='\"a\"'/><node id='a'/>", &["GASL134"]);
    let defaulted = "<graphml><key id='k' for='node' attr.name='k'><default>D</default></key><graph><node id='a'><data key='k'>A</data></node><node id='b'/><node id='a'/><edge source='b' target='c'/><node id='c'/></graph></graphml>";
    let (found, _) = rows(read_xml(defaulted));
    assert_eq!(found.first().map(String::as_str), Some(r#"{"id":"a","k":"A"}"#));
    assert_eq!(found.get(2).map(String::as_str), Some(r#"{"id":"c","k":"D"}"#));
    let around = format!("Here it is:\n{}\n", in_graph("<node id='a'/>"));
    assert_eq!(rows(read_xml(&around)).1, ["GASL103"]);
    let (found, _) = rows(read_xml(&in_graph(
        "<node id='a'><data key='y'><y:Label xmlns:y='u'>deep <b>text</b></y:Label></data></node>",
    )));
    assert_eq!(found, [r#"{"id":"a","y":"deep text"}"#]);
}

#[test]
fn invalid_graphml_is_rejected() {
    let check = |text: &str, expected: &str| {
        assert_eq!(import_error(read_xml(text)).code.id, expected, "{text}");
    };
    check("", "GASL102");
    check("<svg/>", "GASL102");
    check("<graphml/>", "GASL102");
    check("not XML at all", "GASL102");
    check(&in_graph("<node id='a'>"), "GASL100");
    check("<graphml><graph>", "GASL100");
    check(&in_graph("<node id='a' id='b'/>"), "GASL100");
    check(&in_graph("<node id='&unknown;'/>"), "GASL101");
    check(&in_graph("<node id='a'><data key='k'>&unknown;</data></node>"), "GASL101");
    check(&in_graph("<node id='a'>&#x0;&#xffffffff;</node>"), "GASL101");
    let bomb = "<!DOCTYPE g [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>";
    check(&format!("{bomb}{}", in_graph("<node id='&b;'/>")), "GASL101");
    check("<!DOCTYPE g SYSTEM 'file:///etc/passwd'><graphml/>", "GASL101");
    check(&"<a>".repeat(1_000_000), "GASL140");
    check(&in_graph(&"<node id='a'><graph>".repeat(1_000_000)), "GASL140");
}

#[test]
fn node_link_endpoints_are_ids_or_indices() {
    let (found, warnings) = rows(read_json(
        r#"{"edges": [{"source": "B", "target": 7}, {"source": 1, "target": 0, "key": 2}],
            "nodes": [{"name": "A", "x": null}, {"name": "B", "tags": ["t"]}], "directed": true}"#,
    ));
    assert_eq!(
        found,
        [
            r#"{"id":"A","name":"A","x":null}"#,
            r#"{"id":"B","name":"B","tags":["t"]}"#,
            r#"{"id":"7"}"#,
            r#"{"id":"e0","source":"B","target":"7"}"#,
            r#"{"id":"e1","source":"B","target":"A","key":2}"#,
        ]
    );
    assert_eq!(warnings, ["GASL131"]);
    let (found, warnings) = rows(read_json(
        r#"{"nodes": [{"id": 5}, {"id": [1, "x"]}, 0], "edges": [{"source": 0, "target": 5, "id": 3}, {"source": 5}]}"#,
    ));
    assert_eq!(
        found,
        [
            r#"{"id":"5"}"#,
            r#"{"id":"[1,\"x\"]"}"#,
            r#"{"id":"0"}"#,
            r#"{"id":"3","source":"0","target":"5"}"#
        ]
    );
    assert_eq!(warnings, ["GASL135"]);
}

#[test]
fn node_link_reports_null_nodes() {
    let (found, warnings) = rows(read_json(r#"{"nodes":[{"name":"a"},null],"links":[]}"#));
    assert_eq!(found, [r#"{"id":"a","name":"a"}"#, r#"{"id":"1"}"#]);
    assert_eq!(warnings, ["GASL135"]);
}

#[test]
fn generated_ids_differ_from_others() {
    let (found, warnings) =
        rows(read_json(r#"{"nodes":[{"id":"x"},{"label":"no id"},{"id":"1"}],"links":[]}"#));
    assert_eq!(found, [r#"{"id":"x"}"#, r#"{"id":"_1","label":"no id"}"#, r#"{"id":"1"}"#]);
    assert_eq!(warnings, ["GASL137"]);
}

#[test]
fn node_link_fast_path_equals_general_path() {
    for text in [
        r#"{"nodes":[{"id":"a","x":1,"on":true,"no":null,"é":"ü"},{"id":2},{"name":"b"},{},7,"c"],"links":[{"source":"a","target":2,"w":-1.5e3},{"source":"c","target":"z"},{"source":"a"},{"id":"e","source":true,"target":"b"}]}"#,
        r#"{"edges":[{"source":0,"target":1,"source_":"kept"}],"nodes":[{"name":"a","tags":["x",{"y":1}]},{"name":"b","name":"c"},{"in":{"id":1}}]}"#,
        r#"{"nodes":[{"id":"a\n","x":"\"quoted\""},{"id":"","x":{}},[1,2]],"links":[{"source":[1,2],"target":{"id":"a\n"}}]}"#,
        r#"{"nodes":[{"id":1,"id":2,"x":1,"x":2},{"id":3,"id_":4}],"links":[{"source":2,"target":3,"id":"e"},{"source":2,"target":3,"id":"e"}]}"#,
    ] {
        let (expected, warnings) = rows(read_json(text));
        // Escaped keys and more than 32 fields use the general path.
        let escaped =
            text.replace("\"id\"", "\"i\\u0064\"").replace("\"source\"", "\"sourc\\u0065\"");
        let spaced =
            text.replace(':', " : ").replace(',', " ,\n").replace('}', "\t}").replace('{', "{ ");
        for other in [escaped, spaced] {
            assert_eq!(rows(read_json(&other)), (expected.clone(), warnings.clone()), "{other}");
        }
    }
    let many: Vec<String> = (0..100).map(|nth| format!("\"f{nth}\":{nth}")).collect();
    let (found, _) =
        rows(read_json(&format!("{{\"nodes\":[{{\"id\":\"a\",{}}}]}}", many.join(","))));
    assert_eq!(found, [format!("{{\"id\":\"a\",{}}}", many.join(","))]);
}

#[test]
fn invalid_node_link_is_rejected() {
    let check = |text: &str, expected: &str| {
        assert_eq!(import_error(read_json(text)).code.id, expected, "{text}");
    };
    check("", "JSON002");
    check("[]", "GASL110");
    check("{}", "GASL110");
    check(r#"{"nodes": {}}"#, "GASL110");
    check(r#"{"nodes": [}"#, "JSON001");
    check(&format!(r#"{{"nodes": [{}"#, "[".repeat(1_000_000)), "JSON009");
    assert_eq!(
        import_error(read_node_link(b"{\"nodes\": [\"\xff\"]}", ImportLimits::default())).code.id,
        "JSON011"
    );
    let few = ImportLimits { nodes: 2, edges: 1, fields: 1, ..ImportLimits::default() };
    for text in [
        r#"{"nodes": [1, 2, 3]}"#,
        r#"{"nodes": [{"id": 1, "a": 1, "b": 2}]}"#,
        r#"{"nodes": [1], "edges": [{"source": 1, "target": 1}, {"source": 1, "target": 1}]}"#,
    ] {
        assert_eq!(import_error(read_node_link(text.as_bytes(), few)).code.id, "GASL140", "{text}");
    }
}

#[test]
fn export_imports_as_equal_graph() {
    let odd = r#"{"directed": true, "graph": {"name": "g"}, "sources": {"c": "text"},
        "nodes": [{"id": "\"a\"", "t": "\"PERSON\"", "m": {"x": [1, null]}, "id_": 1}, {"id": "b"}],
        "edges": [{"source": "b", "target": "c", "d": "\"x\"<SEP>y", "w": 1.5},
                  {"source": "b", "target": "c", "id": "e0"}, {"source": "b", "target": "c", "id": "k"}]}"#;
    let names_of_ids = r#"{"nodes": [{"id": "b", "n": 1e18}],
        "edges": [{"source": "b", "target": "b", "id": null, "~id": "x"}]}"#;
    for text in [odd, r#"{"nodes": []}"#, names_of_ids] {
        let (first, _) = read_json(text).unwrap();
        let written = first.to_json();
        let (second, warnings) = read_json(&written).unwrap();
        assert_eq!((second.to_json(), codes_of(&warnings)), (written, vec![]));
        assert_eq!(second.edge_fields(), first.edge_fields());
        for edge in 0..first.edge_count() as u32 {
            assert_eq!(second.edge_row(edge), first.edge_row(edge));
            assert_eq!(second.raw_row(Element::Edge(edge)), first.raw_row(Element::Edge(edge)));
        }
        for node in 0..first.node_count() as u32 {
            assert_eq!(second.node_row(node), first.node_row(node));
            assert_eq!(second.raw_row(Element::Node(node)), first.raw_row(Element::Node(node)));
        }
    }
}

#[test]
fn sparse_attributes_are_compact() {
    let nodes: Vec<String> =
        (0..4_000).map(|nth| format!(r#"{{"id": {nth}, "only{nth}": {nth}}}"#)).collect();
    let (graph, _) = read_json(&format!(r#"{{"nodes": [{}]}}"#, nodes.join(","))).unwrap();
    assert_eq!(graph.node_fields().len(), 4_001);
    assert_eq!(graph.node_value(3_999, "only3999"), Some(Value::Number(3999.0)));
    assert_eq!(graph.node_row(7).to_text(), r#"{"id":"7","only7":7}"#);
}

#[test]
fn mutated_texts_do_not_panic() {
    let csv_text = "id,a\n\"x\",\"1\"\"2\"\r\n";
    let json_text = r#"{"nodes":[{"id":"a","é":"\u00e9"}],"links":[{"source":"a","target":0}]}"#;
    for cut in 0..=GRAPHML.len().max(json_text.len()) {
        for flip in [0u8, 0x80, b'"', b'<', b'&', b',', b'[', b'}'] {
            let broken = |text: &str| {
                let mut bytes = text.as_bytes().get(..cut.min(text.len())).unwrap().to_vec();
                if flip > 0
                    && let Some(last) = bytes.last_mut()
                {
                    *last = flip;
                    bytes.extend_from_slice(&text.as_bytes()[cut.min(text.len())..]);
                }
                bytes
            };
            let _ = import_graphml(&broken(GRAPHML), ImportLimits::default());
            let _ = read_node_link(&broken(json_text), ImportLimits::default());
            let text = broken(csv_text);
            let _ = import_csv(&text, &text, false, ImportLimits::default());
        }
    }
}

mod columns;
mod edge_lists;
mod ends;
mod gexf;
mod graphml;
mod lists;
mod reports;
