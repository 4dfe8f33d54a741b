//! Tests of numbers in the columns of a table, and of the ends of a list without a header.

use super::*;

/// Returns the values of a column of a table of nodes, and the codes of its warnings.
fn column(nodes: &str, name: &str) -> (Vec<Value>, Vec<&'static str>) {
    let (graph, warnings) = read_csv(nodes, "").unwrap_or_else(|errors| panic!("{errors:?}"));
    let count = graph.node_count() as u32;
    let values = (0..count).filter_map(|node| graph.node_value(node, name)).collect();
    (values, codes_of(&warnings))
}

fn numbers(values: &[Option<f64>]) -> Vec<Value> {
    values.iter().map(|value| value.map_or(Value::Null, Value::Number)).collect()
}

#[test]
fn missing_values_keep_a_column_numeric() {
    let (values, codes) = column("id;w\n1;1,5\n2;NA\n3;2,0\n4;7", "w");
    assert_eq!(values, numbers(&[Some(1.5), None, Some(2.0), Some(7.0)]));
    assert_eq!(codes, ["GASL127", "GASL128"]);
    let (values, codes) = column("id,age\na,30.0\nb,NaN\nc,9.0", "age");
    assert_eq!(values, numbers(&[Some(30.0), None, Some(9.0)]));
    assert_eq!(codes, ["GASL128"]);
}

#[test]
fn spaces_around_numbers_are_ignored() {
    let (values, codes) = column("id,age\na, 30\nb,9 ", "age");
    assert_eq!(values, numbers(&[Some(30.0), Some(9.0)]));
    assert_eq!(codes, [""; 0]);
}

#[test]
fn unread_numbers_are_reported() {
    let (graph, warnings) = read_csv("id;w\n1;1,5\n2;1.234,5\n3;2,5", "").unwrap();
    assert_eq!(graph.node_value(0, "w"), Some("1,5".into()));
    assert_eq!(codes_of(&warnings), ["GASL172"]);
    assert_eq!(
        warnings[0].message,
        "expected numbers in `w`, found `1.234,5` in row 2; all its cells are texts"
    );
    assert_eq!(column("id,age:int\na,007\nb,8", "age").1, ["GASL172"]);
    assert_eq!(column("id,age:long\na,-1234567890123456789\nb,8", "age").1, ["GASL172"]);
}

#[test]
fn declared_numbers_are_kept() {
    let (values, codes) = column("id,age:int\na,1\nb,x\nc,3", "age");
    assert_eq!(values, numbers(&[Some(1.0), None, Some(3.0)]));
    assert_eq!(codes, ["GASL128"]);
}

#[test]
fn column_without_a_name_can_be_the_id() {
    let options = ImportOptions { id: Some(String::new()), ..ImportOptions::default() };
    let mut csv = CsvImporter::new(options, ImportLimits::default());
    csv.read_nodes(b",name\nx1,Ann").unwrap();
    let (graph, _) = csv.finish().unwrap();
    assert_eq!(graph.node_row(0).to_text(), r#"{"id":"x1","name":"Ann"}"#);
}

/// Returns the sources and targets of a list of edges, and the codes of its warnings.
fn ends(edges: &str) -> (Vec<[String; 3]>, Vec<&'static str>) {
    let (graph, warnings) = read_csv("", edges).unwrap_or_else(|errors| panic!("{errors:?}"));
    let text = |edge: u32, name: &str| {
        let row = graph.edge_row(edge);
        row.get(name).map(Value::to_text).unwrap_or_default().replace('"', "")
    };
    let row = |edge| ["source", "type", "target"].map(|name| text(edge, name));
    ((0..graph.edge_count() as u32).map(row).collect(), codes_of(&warnings))
}

#[test]
fn ends_of_triples_share_values() {
    let (found, codes) =
        ends("knows,ann,bob\nlikes,bob,cy\nknows,cy,ann\nlikes,ann,cy\nknows,dee,bob\n");
    assert_eq!(found[0], ["ann", "knows", "bob"]);
    assert_eq!(codes, ["GASL126", "GASL131"]);
    let (found, codes) = ends("ann,wrote,p1\nbob,wrote,p2\ncy,read,p1\n");
    assert_eq!(found[2], ["cy", "read", "p1"]);
    assert_eq!(codes, ["GASL126", "GASL173", "GASL131"]);
    let (found, codes) = ends("1,2,x\n3,2,y\n");
    assert_eq!(found[1], ["3", "y", "2"]);
    assert_eq!(codes, ["GASL126", "GASL131"]);
    let (found, _) = ends("ann,knows,bob\nbob,likes,cy\n");
    assert_eq!(found[1], ["bob", "likes", "cy"]);
}
