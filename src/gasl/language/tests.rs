//! What is read, what is printed, and what is said about mistakes.

use super::{parse, print};
use crate::base::Location;

/// The commands of a text, printed.
fn printed(text: &str) -> Vec<String> {
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.commands.iter().map(|located| print(&located.command)).collect()
}

/// A command prints as itself, and what is printed reads as the same.
fn same(text: &str) {
    assert_eq!(printed(text), [text]);
}

fn prints(text: &str, expected: &str) {
    assert_eq!(printed(text), [expected]);
    same(expected);
}

/// Every mistake: its code, the text that it points to, and its help.
fn mistakes(text: &str) -> Vec<(&'static str, String, String)> {
    parse(text)
        .diagnostics
        .into_iter()
        .map(|diagnostic| {
            let Some(Location::Span(span)) = diagnostic.location else { panic!("{diagnostic:?}") };
            let place = text.get(span.start..span.end).unwrap().to_owned();
            (diagnostic.code.id, place, diagnostic.help.unwrap_or_default())
        })
        .collect()
}

#[test]
fn every_command_prints_as_it_is_read() {
    same("DECLARE co_authorship.authors AS LIST WITH_DESCRIPTION \"All authors.\"");
    same("FIND nodes WHERE entity_type = \"PERSON\" LIMIT 10 AS authors");
    same("FIND paths WHERE start.entity_type = \"PERSON\" AND length <= 2 AS paths");
    same(
        "PROCESS authors USING \"Say ${query} \\\"twice\\\"\" RETURNING {\"type\":\"array\"} AS x",
    );
    same("ANALYZE findings USING \"Why?\" AS why");
    same("UPDATE a.b WITH authors MERGE");
    same("SELECT authors FIELDS id, description:text WHERE weight > 3 LIMIT 2 AS few");
    same("COUNT authors BY entity_type AS counts");
    same("AGGREGATE edges BY source WITH sum OF weight AS sums");
    same("RANK sums BY sum DESC LIMIT 3 AS best");
    same("JOIN a WITH b ON id = source AS both");
    same("WALK FROM authors FOLLOW wrote DEPTH 2 AS works");
    same("SHOW authors");
    same("REQUIRE EXISTS authors");
    same("ASSERT LEN ${authors} > 0 AND NOT authors IS EMPTY");
    same("ON EMPTY authors THEN FIND nodes AS authors");
    same("BRANCH IF ${n} > 3 THEN SHOW a ELSE SHOW b");
    same("SET adapter.caps.max_path_length = 2");
    same("CANCEL PLAN \"p-1\"");
    same("COMPLETE: any \"text: with\n several lines");
}

#[test]
fn reads_what_models_write() {
    prints(
        "find NODES where entity_type = 'PERSON' as a;",
        "FIND nodes WHERE entity_type = \"PERSON\" AS a",
    );
    prints(
        "FIND nodes WHERE name = “Ada ‘x’ \\\"y\\\"” AS a",
        "FIND nodes WHERE name = \"Ada ‘x’ \\\"y\\\"\" AS a",
    );
    prints(
        "FIND nodes\n  WHERE a IN (1, b, \"c d\")\n  AS x -- why",
        "FIND nodes WHERE a IN [1, b, \"c d\"] AS x",
    );
    prints("FIND nodes AS x LIMIT 3", "FIND nodes LIMIT 3 AS x");
    prints("SET adapter.caps.max_results=5", "SET adapter.caps.max_results = 5");
    prints("ASSERT LEN(x) >= 1", "ASSERT LEN ${x} >= 1");
    prints(
        "FIND nodes WHERE `odd name` IS NOT NULL AS x",
        "FIND nodes WHERE `odd name` IS NOT NULL AS x",
    );
    prints(
        "FIND nodes WHERE (a = 1 OR b = 2) AND NOT (c = 3 AND EXISTS d) AS x",
        "FIND nodes WHERE (a = 1 OR b = 2) AND NOT (c = 3 AND EXISTS d) AS x",
    );
    prints(
        "FIND nodes WHERE day = 2020-01-01 AND id = chunk-1:a AS x",
        "FIND nodes WHERE day = 2020-01-01 AND id = chunk-1:a AS x",
    );
    prints("PROCESS a USING \"$${x} costs\" AS b", "PROCESS a USING \"$${x} costs\" AS b");
    assert_eq!(printed("\n# only a comment\n-- and another\n;;"), [""; 0]);
    assert_eq!(
        printed("TRY\n  FIND nodes AS a\nCATCH ANY\n  SHOW a\nEND"),
        ["TRY", "FIND nodes AS a", "CATCH ANY", "SHOW a", "END"]
    );
}

#[test]
fn every_mistake_is_told_with_the_mended_line() {
    let text = "FIND nodez WHERE entity_type == \"PERSON\" LIMIT many";
    let told = mistakes(text);
    let codes: Vec<&str> = told.iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes, ["GASL001", "GASL005", "GASL009", "GASL008"]);
    let mended = "write `FIND nodes WHERE entity_type = \"PERSON\" LIMIT many AS found`, and mend what else is told of it";
    assert_eq!(told[0].2, mended);
    assert_eq!(told[1].1, "==");
    assert_eq!(told[3].2, mended);
}

#[test]
fn mended_lines_are_right() {
    for text in [
        "FIND nodes WHERE entity_type == PERSON AS x",
        "FIND nodes WHERE a = 1 && b <> 2 AS x",
        "FIND nodes WHERE name = Ada Lovelace AS x",
        "FIND nodes WHERE entity_type = PERSON",
        "FNID nodes AS x",
        "FIND node AS x",
        "DECLARE a AS LISTS",
        "SET caps.max_results = 3",
        "FIND nodes AS a.b",
        "RANK x BY y",
        "1. FIND nodes AS x",
        "2) FIND nodez AS x",
        "- FIND nodes AS x",
        "IF LEN ${x} > 0 THEN SHOW x",
        "ON EMPTY x SHOW x",
        "BRANCH IF LEN ${x} > 0 SHOW x",
        "REQUIRE x",
        "2. COMPLETE: it's done",
        "1: FIND nodes AS x",
        "ON EMPTY x: SHOW y",
        "COUNT people GROUP BY type AS n",
        "AGGREGATE x GROUP BY type WITH count AS n",
        "RANK x ORDER BY age DESC AS y",
        "FIND nodes WHERE type = A OR B OR C AS x",
        "FIND nodes WHERE type != A AND B AS x",
        "FIND nodes WHERE type CONTAINS A OR ${b} AS x",
        "FIND nodes WHERE name NOT LIKE 'A' AS x",
        "FIND nodes AS x WHERE type = PERSON",
        "FIND nodes AS x WHERE type = PERSON AND a > 1 LIMIT 3",
        "SELECT x AS y WHERE a = 1;",
        "SELECT x FIELDS id name AS y",
        "SELECT x FIELDS [id, name] AS y",
        "SELECT x FIELDS (id name:n) WHERE a = 1 AS y",
        "FIND nodes WHERE type = 'PERSON' OR 'PLACE' AS x",
        "FIND nodes WHERE (type = PERSON OR PLACE) AND a = 1 AS x",
        "BRANCH IF COUNT x > 3 THEN SHOW x",
        "ASSERT COUNT(x) > 3 AND size(${a.b}) = 1",
        "PROCESS x \"Who\" AS y",
        "FIND nodes AS my people",
        "FIND nodes AS my people LIMIT 3",
        "RANK x BY name DESCENDING AS y",
        "RANK x BY name ascending LIMIT 3 AS y",
        "FIND nodes WHERE name STARTS WITH \"A\" AS x",
        "FIND nodes WHERE name NOT ENDS WITH A OR a = 1 AS x",
        "FIND nodes WHERE a BETWEEN 1 AND 2 AND b = 3 AS x",
    ] {
        let told = mistakes(text);
        let help = &told.first().unwrap_or_else(|| panic!("{text}")).2;
        let mended = help.strip_prefix("write `").and_then(|rest| rest.strip_suffix('`'));
        let mended = mended.unwrap_or_else(|| panic!("{text}: {help}"));
        assert_eq!(parse(mended).diagnostics, [], "{text}: {mended}");
    }
}

#[test]
fn what_other_languages_say_is_said_as_it_is_here() {
    let help = |text: &str| mistakes(text).remove(0).2;
    let like = |pattern: &str| help(&format!("FIND nodes WHERE name LIKE {pattern} AS x"));
    assert_eq!(like("'%Ada%'"), "write `FIND nodes WHERE name CONTAINS \"Ada\" AS x`");
    assert_eq!(like("'Ada%'"), "write `FIND nodes WHERE name STARTS_WITH \"Ada\" AS x`");
    assert_eq!(like("'%Ada'"), "write `FIND nodes WHERE name ENDS_WITH \"Ada\" AS x`");
    assert_eq!(like("Ada"), "write `FIND nodes WHERE name = \"Ada\" AS x`");
    assert_eq!(like("'A%a'"), "write `CONTAINS`, `STARTS_WITH` or `ENDS_WITH`, and no `%`");
    assert_eq!(
        help("FIND nodes WHERE born BETWEEN 1900 AND ${end} AS x"),
        "write `FIND nodes WHERE born >= 1900 AND born <= ${end} AS x`"
    );
    assert_eq!(
        help("FIND nodes WHERE born > 1970 ORDER BY born DESC LIMIT 3 AS x"),
        "leave it out with the `LIMIT` behind it, and write behind the command: `RANK x BY born DESC LIMIT 3 AS ranked`"
    );
    assert_eq!(
        help("SELECT a FIELDS id AS b ORDER BY `my id`"),
        "leave it out, and write behind the command: `RANK b BY `my id` ASC AS ranked`"
    );
    assert_eq!(
        help("FIND nodes GROUP BY kind AS x"),
        "leave it out, and write behind the command: `COUNT x BY kind AS counted`"
    );
    assert_eq!(mistakes("FIND nodes WHERE a = 1 ORDER BY a AS x").len(), 1);
    // What is wrong behind it is told at once, too.
    assert_eq!(mistakes("FIND nodes WHERE a LIKE 'b%' AND c == 2 AS x").len(), 2);
    assert_eq!(mistakes("FIND nodes WHERE a BETWEEN 1 AND 2 AND c == 2 AS").len(), 3);
    assert_eq!(
        help("FIND nodes WHERE type = 'A' OR 'B' AS x"),
        "write `FIND nodes WHERE type = 'A' OR type = 'B' AS x`"
    );
    assert_eq!(help("FIND nodes AS x WHERE a = 1"), "write `FIND nodes WHERE a = 1 AS x`");
    assert_eq!(
        help("FIND nodes WHERE a ≥ 1 AND b ≠ 2 AS x"),
        "write `FIND nodes WHERE a >= 1 AND b != 2 AS x`"
    );
    assert_eq!(
        help("FIND nodes WHERE name MATCHES 'Ada' AS x"),
        "write `FIND nodes WHERE name CONTAINS 'Ada' AS x`"
    );
    assert_eq!(
        help("FIND paths FROM a TO 'b c' AS x"),
        "write `FIND paths WHERE start.id = a AND end.id = 'b c' AS x`"
    );
    assert_eq!(
        help("FIND paths FROM a WHERE length < 3 AS x"),
        "write `start.id = …` and `end.id = …` behind `WHERE`"
    );
    assert_eq!(help("WALK x FOLLOW knows AS y"), "write `WALK FROM x FOLLOW knows AS y`");
    assert!(help("SORT x BY age AS y").ends_with("`RANK rows BY field ASC AS ranked`"));
    assert_eq!(help("SORT x BY age DESC AS y"), "write `RANK x BY age DESC AS y`");
    assert!(help("FIND nodes WHERE name MATCHES '^A.*' AS x").starts_with("there are no patterns"));
    assert!(help("FIND nodes WHERE name =~ '.*ada' AS x").starts_with("there are no patterns"));
    assert_eq!(
        help("FIND nodes AS x TOP 3"),
        "write `LIMIT` here, or begin another command on a line of its own"
    );
    assert_eq!(
        help("FIND nodes AS x // all of them"),
        "begin it with `--` or `#`, or put the text that it belongs to into quotes"
    );
    assert_eq!(mistakes("SELECT x FIELDS a : b, c :d AS y"), []);
    assert_eq!(
        help("FIND nodes WHERE NOT age BETWEEN 3 AND 5 AS x"),
        "write `FIND nodes WHERE NOT (age >= 3 AND age <= 5) AS x`"
    );
    assert_eq!(
        help("FIND nodes WHERE age NOT BETWEEN 3 AND 5 AS x"),
        "write `FIND nodes WHERE NOT (age >= 3 AND age <= 5) AS x`"
    );
    assert_eq!(
        help("FIND nodes WHERE name NOT LIKE 'A%' AS x"),
        "write `FIND nodes WHERE NOT name STARTS_WITH \"A\" AS x`"
    );
    assert!(help("FIND nodes WHERE type != A OR B AS x").starts_with("write `NOT IN [a, b]`"));
    assert!(help("FIND nodes WHERE type = A AND B AS x").starts_with("write `IN [a, b]`"));
    assert!(help("FIND nodes WHERE NOT type = A OR B AS x").starts_with("write `type = …` again"));
    assert!(help("FIND nodes WHERE name ILIKE 'ada' AS x").starts_with("write `CONTAINS`"));
    assert_eq!(
        help("SELECT x FIELDS name ORDER BY name AS y"),
        "leave it out, and write behind the command: `RANK y BY name ASC AS ranked`"
    );
    assert!(help("FIND nodes AS fields").starts_with("`fields` is a word of the language"));
    assert!(help("COUNT x WHERE a = 1 AS y").starts_with("filter the rows first"));
    assert!(help("COUNT x, y AS z").starts_with("one of them stands here"));
    assert!(help("COUNT x BY a, b AS y").starts_with("leave it out"));
    assert!(help("RANK x BY a, b AS y").starts_with("rank by that first"));
    assert!(help("FIND nodes LIMIT 10 OFFSET 5 AS x").starts_with("there is no `OFFSET`"));
    // What is numbered is read on, and its own mistakes are told.
    let told = mistakes("1. FIND nodez AS x\n2. SHOW x\n- FIND nodes LIMIT a AS y");
    let places: Vec<&str> = told.iter().map(|(_, place, _)| place.as_str()).collect();
    assert_eq!(places, ["1.", "nodez", "2.", "-", "a"]);
}

#[test]
fn what_is_missing_is_named() {
    let told = parse("FIND nodes WHERE a").diagnostics;
    assert!(told[0].message.contains("a comparison"), "{}", told[0].message);
    assert!(told[0].message.contains("`CONTAINS`"), "{}", told[0].message);
    assert_eq!(mistakes("UPDATE x")[0].0, "GASL008");
    assert_eq!(mistakes("")[..], []);
    assert_eq!(mistakes("FIND nodes WHERE name = \"open AS x")[0].0, "GASL003");
    assert_eq!(mistakes("PROCESS a USING \"${\" AS b")[0].0, "GASL003");
    assert_eq!(mistakes("PROCESS a USING \"${a..b}\" AS b")[0].0, "GASL010");
    assert_eq!(mistakes("DECLARE _meta AS LIST")[0].0, "GASL006");
    assert_eq!(mistakes("ON EMPTY x THEN TRY")[0].0, "GASL022");
    assert_eq!(mistakes("COMPLETE the end")[0].0, "GASL001");
}

#[test]
fn depth_and_length_are_bounded() {
    let deep = format!("FIND nodes WHERE {}a = 1{} AS x", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(mistakes(&deep)[0].0, "GASL007");
    let not = format!("FIND nodes WHERE {}a = 1 AS x", "NOT ".repeat(100_000));
    assert_eq!(mistakes(&not)[0].0, "GASL007");
    let then = format!("{}SHOW x", "ON EMPTY x THEN ".repeat(100_000));
    assert_eq!(parse(&then).diagnostics[0].code.id, "GASL007");
    let name = "a".repeat(1 << 19);
    let told = parse(&format!("FIND nodes AS {name}")).diagnostics;
    assert_eq!(told[0].code.id, "GASL006");
    assert!(told[0].message.len() < 200);
    assert_eq!(parse(&"x".repeat(2 << 20)).diagnostics[0].code.id, "GASL007");
    let long = vec!["a = 1"; 50_000].join(" AND ");
    assert_eq!(printed(&format!("FIND nodes WHERE {long} AS x")).len(), 1);
}
