//! Compares searches over columns with predicates on rows.

use super::*;
use crate::base::json::Limits;
use crate::gasl::compare::equal;
use crate::gasl::predicate::{
    Case, Comparison, Membership, Predicate, Test, TestOperator, TextTest,
};
use crate::gasl::value_set::ValueSet;

/// Pseudo-random numbers (linear congruential generator).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % most
    }

    fn of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn value(&mut self) -> Value {
        let texts = [
            "",
            "a",
            "A",
            "b",
            "ab",
            "BA",
            "10",
            "9",
            " 9 ",
            "1e1",
            "007",
            "true",
            "False",
            "é",
            "École",
            "\u{212a}a",
            "İb",
            "ΑΣ",
            "null",
            "x y",
        ];
        let maps = [r#"{"b":"a"}"#, r#"{"b":{"c":9}}"#, r#"{"b.c":"x"}"#, r#"["a","é",9]"#, "[]"];
        match self.below(8) {
            0 => Value::Null,
            1 => Value::Bool(self.below(2) == 0),
            2 | 3 => Value::Number(self.of(&[0.0, -0.0, 1.0, 9.0, 10.0, -2.5, 1e21])),
            4 => Value::parse(self.of(&maps).as_bytes(), Limits::default()).0.unwrap(),
            _ => self.of(&texts).into(),
        }
    }

    fn test(&mut self) -> Test {
        use Comparison::*;
        let comparisons = [Equal, NotEqual, Greater, GreaterOrEqual, Less, LessOrEqual];
        match self.below(6) {
            0 => Test::Exists,
            1 => self.of(&[Test::Null, Test::NotNull]),
            2 => {
                let values = (0..self.below(5)).map(|_| self.value()).collect();
                Test::In(self.of(&[Membership::In, Membership::Out]), ValueSet::new(values))
            }
            3 => {
                let kinds = [TextTest::Contains, TextTest::StartsWith, TextTest::EndsWith];
                Test::Text(self.of(&kinds), self.value())
            }
            _ => Test::Compare(self.of(&comparisons), self.value()),
        }
    }

    fn operator(&mut self) -> TestOperator {
        use Comparison::*;
        match self.below(7) {
            0 => TestOperator::Text(TextTest::Contains),
            other => TestOperator::Compare(
                [Equal, NotEqual, Greater, GreaterOrEqual, Less, LessOrEqual][other - 1],
            ),
        }
    }

    pub(super) fn predicate(&mut self, fields: &[&str], depth: usize) -> Predicate {
        let each = |random: &mut Random| {
            (0..random.below(3)).map(|_| random.predicate(fields, depth - 1)).collect()
        };
        match self.below(if depth == 0 { 1 } else { 5 }) {
            1 => Predicate::All(each(self)),
            2 => Predicate::Any(each(self)),
            3 => Predicate::Not(Box::new(self.predicate(fields, depth - 1))),
            4 => Predicate::Fields(self.of(fields).into(), self.operator(), self.of(fields).into()),
            _ => Predicate::Field(self.of(fields).into(), self.test()),
        }
    }
}

/// Returns a graph with values of all types, in full, half-full and nearly empty columns.
pub(super) fn random_graph(random: &mut Random, nodes: usize, edges: usize) -> Graph {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    builder.directed = random.below(2) == 0;
    for node in 0..nodes {
        let (row, _) = builder.add_node(&format!("{}{node}", random.of(&["n", "N", ""])));
        for (field, often) in [("a", 1), ("t", 2), ("n", 2), ("rare", 40), ("a.x", 60)] {
            if random.below(often) > 0 {
                continue;
            }
            let value = match field {
                "t" => random.of(&["a", "b", "École"]).into(),
                "n" => Value::Number(random.below(12) as f64),
                _ => random.value(),
            };
            builder.set(Element::Node(row), field, AttributeValue::from(&value));
        }
    }
    for _ in 0..edges {
        let (source, target) = (random.below(nodes) as u32, random.below(nodes) as u32);
        let id = (random.below(9) == 0).then(|| format!("x{}", random.below(1000)));
        let (row, _) = builder.add_edge(id.as_deref(), source, target);
        if random.below(3) > 0 {
            let value = random.value();
            builder.set(
                Element::Edge(row),
                random.of(&["a", "type"]),
                AttributeValue::from(&value),
            );
        }
    }
    builder.finish().0
}

/// Returns the field of a row by the rules of the language.
fn attribute<'a>(row: &'a Value, names: &[std::rc::Rc<str>], field: &str) -> Option<&'a Value> {
    if names.iter().any(|name| **name == *field) {
        return row.get(field);
    }
    let (before, rest) = field.rsplit_once('.')?;
    match attribute(row, names, before) {
        Some(map) if map.as_map().is_some() => map.get(rest),
        _ => {
            let (first, rest) = field.split_once('.')?;
            row.get(first)?.get(rest)
        }
    }
}

#[test]
fn members_are_those_that_equal_a_value() {
    let mut random = Random::new(1);
    let mut found = [0, 0];
    for round in 0..20_000 {
        let values: Vec<Value> = (0..random.below(4)).map(|_| random.value()).collect();
        let value = random.value();
        let expected = values.iter().any(|one| equal(&value, one));
        let members = ValueSet::new(values);
        assert_eq!(members.contains(&value), expected, "round {round}: {value:?} in {members:?}");
        found[usize::from(expected)] += 1;
    }
    assert!(found.iter().all(|count| *count > 1_000), "{found:?}");
}

#[test]
fn node_search_matches_rows() {
    let fields = ["id", "a", "t", "n", "rare", "a.x", "a.b", "a.b.c", "none", "none.x"];
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, 150, 10);
        let names = graph.node_fields();
        for _ in 0..8 {
            let predicate = random.predicate(&fields, 3);
            for case in [Case::Ignored, Case::Sensitive] {
                let found = graph.find_nodes(&predicate, case, SearchLimits::UNLIMITED).rows;
                let expected: Vec<u32> = (0..graph.node_count() as u32)
                    .filter(|node| {
                        let row = graph.node_row(*node);
                        predicate.holds(case, &|field| attribute(&row, &names, field).cloned())
                    })
                    .collect();
                assert_eq!(found, expected, "seed {seed}: {predicate:?}");
            }
        }
    }
}

#[test]
fn edge_search_matches_rows() {
    let fields = ["id", "source", "target", "a", "type", "source.t", "end.a", "start.a.b", "a.b"];
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, 20, 150);
        let (of_nodes, of_edges) = (graph.node_fields(), graph.edge_fields());
        for _ in 0..8 {
            let predicate = random.predicate(&fields, 3);
            let (found, reversed) =
                graph.find_edges(&predicate, Case::Ignored, SearchLimits::UNLIMITED);
            let found: Vec<(u32, bool)> =
                found.rows.iter().map(|edge| (*edge, reversed.contains(*edge))).collect();
            let holds = |edge: u32, is_reversed: bool| {
                let (source, target) = graph.ends(edge).unwrap();
                let (row, source, target) = match is_reversed {
                    true => (graph.reversed_edge_row(edge), target, source),
                    false => (graph.edge_row(edge), source, target),
                };
                let (source, target) = (graph.node_row(source), graph.node_row(target));
                predicate.holds(Case::Ignored, &|field| {
                    let found = match field.split_once('.') {
                        Some(("source" | "start", rest)) => attribute(&source, &of_nodes, rest),
                        Some(("target" | "end", rest)) => attribute(&target, &of_nodes, rest),
                        _ => attribute(&row, &of_edges, field),
                    };
                    found.cloned()
                })
            };
            let orientation = |edge: u32| match holds(edge, false) {
                true => Some((edge, false)),
                false => (!graph.is_directed() && holds(edge, true)).then_some((edge, true)),
            };
            let expected: Vec<(u32, bool)> =
                (0..graph.edge_count() as u32).filter_map(orientation).collect();
            assert_eq!(found, expected, "seed {seed}: {predicate:?}");
            for (edge, _) in found {
                assert_eq!(graph.edge(&graph.edge_id(edge)), Some(edge));
                for field in ["id", "source", "target", "a", "type"] {
                    let row = graph.edge_row(edge);
                    assert_eq!(graph.edge_value(edge, field).as_ref(), row.get(field));
                }
            }
        }
    }
}

#[test]
fn limits_and_caps_truncate() {
    let graph = random_graph(&mut Random::new(1), 100, 0);
    let find = |limit, max_results| {
        let limits = SearchLimits { limit, max_results, max_expansions: None };
        let found = graph.find_nodes(&Predicate::everything(), Case::Ignored, limits);
        (found.rows.len(), found.truncation)
    };
    assert_eq!(find(None, None), (100, None));
    assert_eq!(find(Some(5), None), (5, Some(Truncation::Limit)));
    assert_eq!(find(Some(5), Some(5)), (5, Some(Truncation::Limit)));
    assert_eq!(find(Some(7), Some(5)), (5, Some(Truncation::MaxResults)));
    assert_eq!(find(None, Some(100)), (100, None));
    assert_eq!(find(Some(200), Some(100)), (100, None));
}

#[test]
fn stripped_quotes_are_kept_in_raw() {
    let mut builder = GraphBuilder::new(QuoteHandling::Strip);
    let (anna, _) = builder.add_node("\"ANNA\"");
    let (two, _) = builder.add_node("\"TWO\"");
    let (other, _) = builder.add_node("TWO");
    builder.set(Element::Node(anna), "type", AttributeValue::Text("\"PERSON\""));
    builder.set(Element::Node(anna), "id", AttributeValue::Number(7.0));
    builder.add_edge(None, anna, two);
    let (graph, quoted_count) = builder.finish();
    assert_eq!((quoted_count, graph.node_id(two), graph.node_id(other)), (1, "\"TWO\"", "TWO"));
    assert_eq!(graph.node_row(anna).to_text(), r#"{"id":"ANNA","type":"PERSON","id_":7}"#);
    let raw = graph.raw_row(Element::Node(anna)).to_text();
    assert_eq!(raw, r#"{"type":"\"PERSON\"","id":"\"ANNA\""}"#);
    assert_eq!(graph.raw_row(Element::Edge(0)).to_text(), r#"{"source":"\"ANNA\""}"#);
    assert_eq!(graph.node_value(anna, "raw.type"), Some("\"PERSON\"".into()));
    assert_eq!(graph.node_value(anna, "raw.id_"), Some(7.0.into()));
}

#[test]
fn walk_is_breadth_first() {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    builder.directed = true;
    for (from, to, kind) in [(0, 1, "x"), (1, 2, "x"), (0, 3, "y"), (2, 4, "x"), (5, 0, "x")] {
        let (from, to) =
            (builder.endpoint(&format!("n{from}")), builder.endpoint(&format!("n{to}")));
        let (edge, _) = builder.add_edge(None, from, to);
        builder.set(Element::Edge(edge), "rel", AttributeValue::Text(kind));
    }
    let (graph, _) = builder.finish();
    let start = [graph.node("n0").unwrap()];
    let walk = |follow: Option<&str>, depth, direction, limits| {
        let edges = follow.map(|relation| {
            let is = Test::Compare(Comparison::Equal, relation.into());
            let field = graph.relation_field().unwrap();
            graph.followed_edges(&Predicate::Field(field, is), Case::Ignored)
        });
        let found = graph.walk(&start, edges.as_ref(), depth, direction, limits);
        let ids: Vec<&str> = found.rows.iter().map(|node| graph.node_id(*node)).collect();
        (ids.join(" "), found.truncation)
    };
    assert_eq!(walk(None, 1, Direction::Own, SearchLimits::UNLIMITED), ("n1 n3".into(), None));
    assert_eq!(
        walk(None, 9, Direction::Own, SearchLimits::UNLIMITED),
        ("n1 n3 n2 n4".into(), None)
    );
    assert_eq!(
        walk(Some("x"), 2, Direction::Any, SearchLimits::UNLIMITED),
        ("n1 n5 n2".into(), None)
    );
    assert_eq!(walk(None, 1, Direction::In, SearchLimits::UNLIMITED), ("n5".into(), None));
    let limit = SearchLimits { limit: Some(2), ..SearchLimits::UNLIMITED };
    assert_eq!(walk(None, 9, Direction::Own, limit), ("n1 n3".into(), Some(Truncation::Limit)));
    let most = SearchLimits { max_results: Some(4), ..SearchLimits::UNLIMITED };
    assert_eq!(walk(None, 9, Direction::Own, most), ("n1 n3 n2 n4".into(), None));
    let steps = SearchLimits { max_expansions: Some(1), ..SearchLimits::UNLIMITED };
    assert_eq!(
        walk(None, 9, Direction::Own, steps),
        ("n1".into(), Some(Truncation::MaxExpansions))
    );
}

#[test]
fn source_lists_are_split() {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    let (a, _) = builder.add_node("a");
    let (b, _) = builder.add_node("b");
    let set = |builder: &mut GraphBuilder, row, field, text: &str| {
        builder.set(Element::Node(row), field, AttributeValue::Text(text));
    };
    set(&mut builder, a, "source_id", "c1<SEP>c2");
    set(&mut builder, a, "description", "first<SEP>second");
    set(&mut builder, a, "file_path", "book.txt");
    set(&mut builder, b, "source_id", "c2<SEP>c3");
    set(&mut builder, b, "description", &"long ".repeat(100));
    let (graph, _) = builder.finish();
    let source = |id: &str, doc: Option<&str>, snippet: &str| SourceRef {
        source_id: id.into(),
        doc_id: doc.map(str::to_owned),
        snippet: Some(snippet.into()),
    };
    let book = Some("book.txt");
    assert_eq!(
        graph.sources(Element::Node(a)),
        [source("c1", book, "first"), source("c2", book, "second")]
    );
    let snippets: Vec<usize> = graph
        .sources(Element::Node(b))
        .iter()
        .map(|source| source.snippet.as_ref().unwrap().chars().count())
        .collect();
    assert_eq!(snippets, [200, 200]);
    assert_eq!(graph.distinct_source_count([Element::Node(a), Element::Node(b)]), 3);
}

#[test]
fn empty_source_attribute_is_skipped() {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    for id in ["a", "b"] {
        let (row, _) = builder.add_node(id);
        builder.set(Element::Node(row), "source_id", AttributeValue::Text(""));
        builder.set(Element::Node(row), "doc_id", AttributeValue::Text("book"));
    }
    let (graph, _) = builder.finish();
    assert_eq!(graph.sources(Element::Node(1))[0].source_id, "book");
    assert_eq!(graph.distinct_source_count([Element::Node(0), Element::Node(1)]), 1);
}

#[test]
fn summary_is_short() {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    for nth in 0..100 {
        let (row, _) = builder.add_node(&format!("n{nth}"));
        let kind = if nth % 3 == 0 { "PERSON" } else { "PLACE" };
        builder.set(Element::Node(row), "kind", AttributeValue::Text(kind));
        builder.set(Element::Node(row), "n", AttributeValue::Number(nth.into()));
        builder.set(Element::Node(row), "about", AttributeValue::Text(&format!("text {nth}")));
    }
    builder.add_edge(None, 0, 1);
    let (graph, _) = builder.finish();
    let summary = graph.summary();
    assert_eq!(summary.get("components"), Some(&99.0.into()));
    let fields = summary.get("node_fields").unwrap().as_list().unwrap();
    assert_eq!(
        fields[0].to_text(),
        r#"{"name":"kind","kind":"string","rows":100,"distinct":2,"frequent":[{"value":"PLACE","count":66},{"value":"PERSON","count":34}]}"#
    );
    assert_eq!(
        fields[1].to_text(),
        r#"{"name":"n","kind":"number","rows":100,"least":0,"most":99}"#
    );
    assert!(summary.to_text().len() < 1000, "{}", summary.to_text());
}

#[test]
fn a_field_that_says_edge_is_not_the_relation() {
    let relation_of = |types: [&str; 2]| {
        let mut builder = GraphBuilder::new(QuoteHandling::Keep);
        let ends = [builder.add_node("a").0, builder.add_node("b").0];
        for (text, label) in types.iter().zip(["KNOWS", "LIKES"]) {
            let (row, _) = builder.add_edge(None, ends[0], ends[1]);
            builder.set(Element::Edge(row), "type", AttributeValue::Text(text));
            builder.set(Element::Edge(row), "label", AttributeValue::Text(label));
        }
        builder.finish().0.relation_field()
    };
    assert_eq!(relation_of(["relationship", "Relationship"]).as_deref(), Some("label"));
    assert_eq!(relation_of(["relationship", "friend"]).as_deref(), Some("type"));
}

#[test]
fn outline_names_each_field_with_its_values() {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    for nth in 0..30 {
        let (row, _) = builder.add_node(&format!("n{nth}"));
        let node = Element::Node(row);
        let mut set =
            |name: &str, value: &str| builder.set(node, name, AttributeValue::Text(value));
        set("kind", if nth == 7 { "ONCE" } else { ["PERSON", "PLACE"][nth % 2] });
        set("name", &format!("n{nth}"));
        set("about", &format!("text\n{nth}"));
        set("chunk", &format!("chunk-{nth:032x}"));
        set("uuid", &format!("{nth:08x}-0000-4000-8000-0123456789ab"));
        builder.set(node, "odd \nname", AttributeValue::Bool(true));
        if nth < 3 {
            builder.set(node, "year", AttributeValue::Number(1990.0 + nth as f64));
        }
    }
    for nth in 0..4 {
        let (row, _) = builder.add_edge(None, 0, nth + 1);
        let edge = Element::Edge(row);
        builder.set(edge, "from", AttributeValue::Text("n0"));
        builder.set(edge, "weight", AttributeValue::Number(2.5));
        builder.set(edge, "Edge_Type", AttributeValue::Text("KNOWS"));
        builder.set(edge, "kind", AttributeValue::Text("x"));
    }
    let (graph, _) = builder.finish();
    assert_eq!(graph.relation_field().as_deref(), Some("Edge_Type"));
    let expected = [
        "undirected, 30 nodes, 4 edges, 26 components",
        "Node fields:",
        "|id: text, e.g. \"n0\"",
        "|kind: \"PERSON\" 15, \"PLACE\" 14, 1 more",
        "|name: same as id",
        "|about: text, e.g. \"text\\n0\"",
        "|chunk: generated ids",
        "|uuid: generated ids",
        "|\"odd \\nname\": true or false",
        "|year (in 3): 1990 to 1992",
        "Edge fields: source, target (node ids)",
        "|Edge_Type (relation for FOLLOW): \"KNOWS\" 4",
        "|from: same as source",
        "|weight: 2.5",
        "|kind: \"x\" 4",
    ];
    assert_eq!(graph.outline(), expected.join("\n"));
}

#[test]
fn outline_names_many_fields_in_little_space() {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    let (row, _) = builder.add_node("n");
    for nth in 0..900 {
        let value = "x".repeat(500);
        builder.set(Element::Node(row), &format!("field{nth}"), AttributeValue::Text(&value));
    }
    let (graph, _) = builder.finish();
    let outline = graph.outline();
    assert!((0..900).all(|nth| outline.contains(&format!("field{nth}"))));
    assert!(outline.len() < 15_000, "{}", outline.len());
}
