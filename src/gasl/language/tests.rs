//! Tests of the parser, the printer and the diagnostics.

use super::{parse, print};
use crate::base::Location;

/// Parses and prints commands.
fn printed(text: &str) -> Vec<String> {
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.commands.iter().map(|located| print(&located.command)).collect()
}

/// Asserts that a command prints as itself.
fn roundtrips(text: &str) {
    assert_eq!(printed(text), [text]);
}

fn prints(text: &str, expected: &str) {
    assert_eq!(printed(text), [expected]);
    roundtrips(expected);
}

/// Returns the code, the located text and the help of each diagnostic.
fn diagnostics(text: &str) -> Vec<(&'static str, String, String)> {
    parse(text)
        .diagnostics
        .into_iter()
        .map(|diagnostic| {
            let Some(Location::Span(span)) = diagnostic.location else { panic!("{diagnostic:?}") };
            let located = text.get(span.start..span.end).unwrap().to_owned();
            (diagnostic.code.id, located, diagnostic.help.unwrap_or_default())
        })
        .collect()
}

#[test]
fn commands_roundtrip() {
    roundtrips("DECLARE co_authorship.authors AS LIST WITH_DESCRIPTION \"All authors.\"");
    roundtrips("FIND nodes WHERE entity_type = \"PERSON\" LIMIT 10 AS authors");
    roundtrips("FIND paths WHERE start.entity_type = \"PERSON\" AND length <= 2 AS paths");
    roundtrips(
        "PROCESS authors USING \"Say ${query} \\\"twice\\\"\" RETURNING {\"type\":\"array\"} AS x",
    );
    roundtrips("ANALYZE findings USING \"Why?\" AS why");
    roundtrips("UPDATE a.b WITH authors MERGE");
    roundtrips("SELECT authors FIELDS id, description:text WHERE weight > 3 LIMIT 2 AS few");
    roundtrips("COUNT authors BY entity_type AS counts");
    roundtrips("AGGREGATE edges BY source WITH sum OF weight AS sums");
    roundtrips("COUNT edges BY source, type AS counts");
    roundtrips("AGGREGATE edges WITH count, max OF weight, max OF age AS all");
    roundtrips("AGGREGATE edges BY source, type WITH list OF target, distinct OF `a b` AS ends");
    roundtrips("SELECT DISTINCT people FIELDS city:town AS towns");
    roundtrips("SELECT distinct FIELDS city AS distinct");
    roundtrips("LEFT JOIN a WITH b ON id = source AS both");
    roundtrips("UNION a WITH b.c DISTINCT AS both");
    roundtrips("UNION a WITH distinct AS both");
    roundtrips("SHOW authors FIELDS id, name:n LIMIT 3 OFFSET 5");
    roundtrips("RANK sums BY sum DESC LIMIT 3 AS best");
    roundtrips("JOIN a WITH b ON id = source AS both");
    roundtrips("WALK FROM authors FOLLOW wrote DEPTH 2 AS works");
    roundtrips("SHOW authors");
    roundtrips("REQUIRE EXISTS authors");
    roundtrips("REQUIRE EXISTS EXISTS");
    roundtrips("ASSERT LEN ${authors} > 0 AND NOT authors IS EMPTY");
    roundtrips("ON EMPTY authors THEN FIND nodes AS authors");
    roundtrips("BRANCH IF ${n} > 3 THEN SHOW a ELSE SHOW b");
    roundtrips("SET adapter.caps.max_path_length = 2");
    roundtrips("CANCEL PLAN \"p-1\"");
    roundtrips("COMPLETE: any \"text: with\n several lines");
}

#[test]
fn parses_variants_of_models() {
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
    prints("SHOW x FIELDS a offset 3 limit 2", "SHOW x FIELDS a LIMIT 2 OFFSET 3");
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
fn reports_errors_with_the_fixed_command() {
    let text = "FIND nodez WHERE entity_type == \"PERSON\" LIMIT many";
    let found = diagnostics(text);
    let codes: Vec<&str> = found.iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes, ["GASL001", "GASL005", "GASL009", "GASL008"]);
    let fixed = "write `FIND nodes WHERE entity_type = \"PERSON\" LIMIT many AS found`, and fix the other errors";
    assert_eq!(found[0].2, fixed);
    assert_eq!(found[1].1, "==");
    assert_eq!(found[3].2, fixed);
}

#[test]
fn fixed_commands_are_valid() {
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
        let found = diagnostics(text);
        let help = &found.first().unwrap_or_else(|| panic!("{text}")).2;
        let fixed = help.strip_prefix("write `").and_then(|rest| rest.strip_suffix('`'));
        let fixed = fixed.unwrap_or_else(|| panic!("{text}: {help}"));
        assert_eq!(parse(fixed).diagnostics, [], "{text}: {fixed}");
    }
}

#[test]
fn suggests_equivalents_of_other_languages() {
    let help = |text: &str| diagnostics(text).remove(0).2;
    let like = |pattern: &str| help(&format!("FIND nodes WHERE name LIKE {pattern} AS x"));
    assert_eq!(like("'%Ada%'"), "write `FIND nodes WHERE name CONTAINS \"Ada\" AS x`");
    assert_eq!(like("'Ada%'"), "write `FIND nodes WHERE name STARTS_WITH \"Ada\" AS x`");
    assert_eq!(like("'%Ada'"), "write `FIND nodes WHERE name ENDS_WITH \"Ada\" AS x`");
    assert_eq!(like("Ada"), "write `FIND nodes WHERE name = \"Ada\" AS x`");
    assert_eq!(
        like("'A%a'"),
        "write `FIND nodes WHERE name STARTS_WITH \"A\" AND name ENDS_WITH \"a\" AS x`"
    );
    assert_eq!(
        like("'A%b%c'"),
        "write `CONTAINS`, `STARTS_WITH` or `ENDS_WITH`, and leave out `%` and `_`, which are not wildcards"
    );
    assert_eq!(
        help("FIND nodes WHERE born BETWEEN 1900 AND ${end} AS x"),
        "write `FIND nodes WHERE born >= 1900 AND born <= ${end} AS x`"
    );
    assert_eq!(
        help("FIND nodes WHERE born > 1970 ORDER BY born DESC LIMIT 3 AS x"),
        "write `FIND nodes WHERE born > 1970 AS found; RANK found BY born DESC LIMIT 3 AS x`"
    );
    assert_eq!(
        help("SELECT a FIELDS id AS b ORDER BY `my id`"),
        "write `RANK a BY `my id` ASC AS ranked; SELECT ranked FIELDS id AS b`"
    );
    assert_eq!(
        help("FIND nodes GROUP BY kind AS x"),
        "write `FIND nodes AS found; COUNT found BY kind AS x`"
    );
    assert_eq!(diagnostics("FIND nodes WHERE a = 1 ORDER BY a AS x").len(), 1);
    // Reports later errors too.
    assert_eq!(diagnostics("FIND nodes WHERE a LIKE 'b%' AND c == 2 AS x").len(), 2);
    assert_eq!(diagnostics("FIND nodes WHERE a BETWEEN 1 AND 2 AND c == 2 AS").len(), 3);
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
        "write `FIND nodes WHERE name CONTAINS 'Ada' AS x`, whose text operators ignore case unless \
         `SET adapter.caps.case_sensitive = true` is before it"
    );
    assert_eq!(
        help("FIND paths FROM a TO 'b c' AS x"),
        "write `FIND paths WHERE start.id = a AND end.id = 'b c' AS x`"
    );
    assert_eq!(
        help("FIND paths FROM a WHERE length < 3 AS x"),
        "write `start.id = …` and `end.id = …` after `WHERE`"
    );
    assert_eq!(help("WALK x FOLLOW knows AS y"), "write `WALK FROM x FOLLOW knows AS y`");
    assert_eq!(help("SORT x BY age AS y"), "write `RANK x BY age ASC AS y`");
    assert_eq!(help("SORT x BY age DESC AS y"), "write `RANK x BY age DESC AS y`");
    assert_eq!(
        help("FIND nodes WHERE name MATCHES '^A.*' AS x"),
        "write `FIND nodes WHERE name STARTS_WITH \"A\" AS x`, whose text operators ignore case \
         unless `SET adapter.caps.case_sensitive = true` is before it"
    );
    assert_eq!(
        help("FIND nodes WHERE name =~ '(?i).*ada' AS x"),
        "write `FIND nodes WHERE name ENDS_WITH \"ada\" AS x`"
    );
    assert!(
        help("FIND nodes WHERE name =~ '[ab].*' AS x").ends_with("with a string without patterns")
    );
    assert_eq!(
        help("FIND nodes AS x TOP 3"),
        "write `LIMIT` here, or begin another command on a line of its own"
    );
    assert_eq!(
        help("FIND nodes AS x // all of them"),
        "begin it with `--` or `#`, or quote the string that contains it"
    );
    assert_eq!(diagnostics("SELECT x FIELDS a : b, c :d AS y"), []);
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
    assert!(help("FIND nodes WHERE NOT type = A OR B AS x").starts_with("repeat `type = …`"));
    let both = "name STARTS_WITH \"ada\" AND name ENDS_WITH \"ada\"";
    assert_eq!(
        help("FIND nodes WHERE name ILIKE 'ada' AS x"),
        format!("write `FIND nodes WHERE {both} AS x`")
    );
    assert!(help("FIND nodes WHERE name ILIKE '_da' AS x").starts_with("write `CONTAINS`"));
    assert_eq!(
        help("SELECT x FIELDS name ORDER BY name AS y"),
        "write `RANK x BY name ASC AS ranked; SELECT ranked FIELDS name AS y`"
    );
    assert!(help("FIND nodes AS fields").ends_with("because `fields` is a keyword"));
    assert_eq!(
        help("COUNT x WHERE a = 1 AS y"),
        "write `SELECT x WHERE a = 1 AS selected; COUNT selected AS y`"
    );
    assert!(help("COUNT x, y AS z").starts_with("write a command for each"));
    assert!(help("RANK x BY a, b AS y").starts_with("rank by the last field first"));
    assert_eq!(
        help("FIND nodes LIMIT 10 OFFSET 5 AS x"),
        "write `FIND nodes AS x; SHOW x LIMIT 10 OFFSET 5`"
    );
    // Parses commands after list markers.
    let found = diagnostics("1. FIND nodez AS x\n2. SHOW x\n- FIND nodes LIMIT a AS y");
    let located: Vec<&str> = found.iter().map(|(_, text, _)| text.as_str()).collect();
    assert_eq!(located, ["1.", "nodez", "2.", "-", "a"]);
}

#[test]
fn reports_missing_parts() {
    let found = parse("FIND nodes WHERE a").diagnostics;
    assert!(found[0].message.contains("a comparison"), "{}", found[0].message);
    assert!(found[0].message.contains("`CONTAINS`"), "{}", found[0].message);
    assert_eq!(diagnostics("UPDATE x")[0].0, "GASL008");
    assert_eq!(diagnostics("")[..], []);
    assert_eq!(diagnostics("FIND nodes WHERE name = \"open AS x")[0].0, "GASL003");
    assert_eq!(diagnostics("PROCESS a USING \"${\" AS b")[0].0, "GASL003");
    assert_eq!(diagnostics("PROCESS a USING \"${a..b}\" AS b")[0].0, "GASL010");
    assert_eq!(diagnostics("DECLARE _meta AS LIST")[0].0, "GASL006");
    assert_eq!(diagnostics("ON EMPTY x THEN TRY")[0].0, "GASL022");
    assert_eq!(diagnostics("COMPLETE the end")[0].0, "GASL001");
}

#[test]
fn depth_and_length_are_limited() {
    let deep = format!("FIND nodes WHERE {}a = 1{} AS x", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(diagnostics(&deep)[0].0, "GASL007");
    let not = format!("FIND nodes WHERE {}a = 1 AS x", "NOT ".repeat(100_000));
    assert_eq!(diagnostics(&not)[0].0, "GASL007");
    let then = format!("{}SHOW x", "ON EMPTY x THEN ".repeat(100_000));
    assert_eq!(parse(&then).diagnostics[0].code.id, "GASL007");
    let name = "a".repeat(1 << 19);
    let found = parse(&format!("FIND nodes AS {name}")).diagnostics;
    assert_eq!(found[0].code.id, "GASL006");
    assert!(found[0].message.len() < 200);
    assert_eq!(parse(&"x".repeat(2 << 20)).diagnostics[0].code.id, "GASL007");
    let long = vec!["a = 1"; 50_000].join(" AND ");
    assert_eq!(printed(&format!("FIND nodes WHERE {long} AS x")).len(), 1);
}
