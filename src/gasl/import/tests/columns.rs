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
fn numbers_in_other_notations_are_reported() {
    for cells in [
        ["\"1,234\"", "\"12,000\"", "950"],
        [".5", ".25", "1.5"],
        ["+10", "-3", "+2"],
        ["1", "inf", "3"],
        ["50%", "9%", "100%"],
        ["$1", "$2.50", "3"],
    ] {
        let text = format!("id,w\na,{}\nb,{}\nc,{}", cells[0], cells[1], cells[2]);
        assert_eq!(column(&text, "w").1, ["GASL172"], "{text}");
    }
    assert_eq!(column("id,ip\na,192.168.100.200\nb,10.0.0.1", "ip").1, [""; 0]);
    assert_eq!(column("id,day\na,2020-01-05\nb,2020-01-06", "day").1, [""; 0]);
}

#[test]
fn separators_of_thousands_are_reported_beside_other_decimals() {
    let german = "id;price;people\na;1,5;12.000\nb;2,5;3.400";
    assert_eq!(column(german, "people").1, ["GASL127", "GASL129"]);
    let american = "id\tpeople\trate\na\t\"1,234\"\t0.5\nb\t\"12,000\"\t0.75";
    assert_eq!(column(american, "people").1, ["GASL127", "GASL129"]);
    assert_eq!(column("id;a;b\nx;0.125;1\ny;0.250;2", "a").1, [""; 0]);
}

#[test]
fn types_of_headers_are_read() {
    let text = "id,nums:int[],when:datetime[],at:point,age(single):Int\na,1;2,2020-01-01,p,7";
    let (graph, warnings) = read_csv(text, "").unwrap();
    let row = r#"{"id":"a","nums":[1,2],"when":["2020-01-01"],"at":"p","age":7}"#;
    assert_eq!(graph.node_row(0).to_text(), row);
    assert_eq!(codes_of(&warnings), [""; 0]);
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

#[test]
fn ends_of_wider_tables_share_values() {
    let check = |text: &str, edge: [&str; 3], names: &[&str], codes: &[&str]| {
        let (found, found_codes) = ends(text);
        assert_eq!(found[0], edge, "{text}");
        assert_eq!(found_codes, codes, "{text}");
        let (graph, _) = read_csv("", text).unwrap();
        let row = graph.edge_row(0);
        let found: Vec<&str> = row.entries().map(|(name, _)| &**name).skip(3).collect();
        assert_eq!(found, names, "{text}");
    };
    let codes = ["GASL126", "GASL131"];
    let tab = |text: &str| text.replace(' ', "\t");
    check(
        &tab("ann knows bob 0.9\nbob knows cid 0.8\ncid likes ann 0.5\n"),
        ["ann", "knows", "bob"],
        &["type", "weight"],
        &codes,
    );
    // ICEWS.
    check(
        "US,visit,Iran,2014-01-01\nIran,meet,Iraq,2014-01-02\nIraq,visit,US,2014-01-01\n",
        ["US", "visit", "Iran"],
        &["type", "column4"],
        &codes,
    );
    // CN-100k.
    check(
        &tab("IsA cat animal 2.1\nIsA dog animal 1.5\nHas animal tail 1\nNot tail cat 1\n"),
        ["cat", "IsA", "animal"],
        &["type", "weight"],
        &codes,
    );
    // OpenFlights: the ids of both airports are numbers, and some are missing.
    check(
        "2B,410,AER,2965,KZN,2990,,0,CR2\n2B,410,KZN,2990,ASF,\\N,,0,CR2\n3X,411,ASF,\\N,AER,2965,Y,0,CR2\n",
        ["AER", "", "KZN"],
        &["column1", "column2", "column4", "column6", "column8", "column9"],
        &codes,
    );
    // BioGRID.
    let header = "#Interaction\tGene A\tGene B\tName A\tName B\tSystem\tOrganism A\tOrganism B\n";
    let rows = "1\t85\t86\tX\tY\tLow\tE coli\tE coli\n2\t86\t87\tY\tZ\tLow\tE coli\tE coli\n\
        3\t87\t85\tZ\tX\tLow\tE coli\tE coli\n";
    check(
        &format!("{header}{rows}"),
        ["85", "", "86"],
        &["Interaction", "Name A", "Name B", "System", "Organism A", "Organism B"],
        &["GASL126", "GASL173", "GASL131"],
    );
    check(
        "#user\titem\trating\ttime\n1\t70\t2\t9\n2\t71\t1\t9\n2\t70\t2\t9\n",
        ["1", "", "70"],
        &["rating", "time"],
        &codes,
    );
    check(
        "ann,wrote,p1,x\nbob,wrote,p2,y\ncy,read,p1,z\n",
        ["ann", "wrote", "p1"],
        &["type", "column4"],
        &["GASL126", "GASL173", "GASL131"],
    );
    // Numbers are ends, also beside texts that share values.
    check("1,2,red,blue\n2,3,blue,red\n", ["1", "red", "2"], &["type", "column4"], &codes);
    check("a,b,2,7\nb,c,3,7\n", ["a", "", "b"], &["weight", "column4"], &codes);
    let error = import_error(read_csv("", "name,city,land,job\nann,x,y,z\nbob,x,y,z\n"));
    assert_eq!(error.code.id, "GASL120");
}

#[test]
fn options_name_columns_of_a_comment() {
    let text = "#Gene A\tGene B\tName\tSystem\n1\t2\tX\tLow\n";
    let options = ImportOptions {
        source: Some("Gene B".into()),
        target: Some("Gene A".into()),
        ..ImportOptions::default()
    };
    let mut csv = CsvImporter::new(options, ImportLimits::default());
    csv.read_edges(text.as_bytes()).unwrap();
    let (graph, _) = csv.finish().unwrap();
    let edge = graph.edge_row(0).to_text();
    assert_eq!(edge, r#"{"id":"e0","source":"2","target":"1","Name":"X","System":"Low"}"#);
}

#[test]
fn quotes_are_escaped_with_backslashes() {
    let labels = |text: &str| {
        let (values, codes) = column(text, "label");
        assert_eq!(codes, [""; 0], "{text}");
        values.iter().map(|value| value.as_text().unwrap_or_default().to_owned()).collect()
    };
    let check = |text: &str, expected: &[&str]| {
        let found: Vec<String> = labels(text);
        assert_eq!(found, expected, "{text}");
    };
    check("id,label\na,\"say \\\"hi\\\" x\"\nb,\"c:\\\\d\"\n", &["say \"hi\" x", "c:\\d"]);
    check("id,label\na,\"say \\\"hi, you\\\"\"\nb,\"\"\nc,\"\\n\"\n", &["say \"hi, you\"", "\\n"]);
    // The cells are well formed if quotes are doubled.
    check("id,label\na,\"c:\\d\\\"\nb,\"say \"\"hi\"\"\"\n", &["c:\\d\\", "say \"hi\""]);
    // Both kinds of escapes.
    let (values, codes) =
        column("id,label\na,\"say \\\"hi\\\" x\"\nb,\"say \"\"hi\"\"\"\n", "label");
    assert_eq!(values, ["say \\\"hi\\\" x".into(), "say \"hi\"".into()]);
    assert_eq!(codes, ["GASL174"]);
    let (graph, _) = read_csv("", "source,target,label\na,b,\"say \\\"hi\\\" x\"\n").unwrap();
    assert_eq!(graph.edge_row(0).get("label"), Some(&"say \"hi\" x".into()));
}
