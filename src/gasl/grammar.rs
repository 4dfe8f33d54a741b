//! GBNF grammar (llama.cpp) that restricts a model to commands that are valid for a state.

use super::language::ast::Command;
use super::language::{RESERVED_KEYWORDS, parse, print_path};
use super::state;
use crate::base::Value;
use crate::base::map::NameMap;

/// Rules that do not depend on the state.
const FIXED_RULES: &str = r#"find ::= "FIND " ("nodes" | "edges" | "paths") (" WHERE " condition)? limit? as
shortest ::= "FIND shortest paths" (" WHERE " condition)? (" WEIGHT " field)? limit? as
measure ::= "MEASURE " (weighted-measure (" WEIGHT " field)? | plain-measure) as
weighted-measure ::= "degree" | "in_degree" | "out_degree" | "pagerank" | "betweenness" | "closeness" | "community"
plain-measure ::= "core" | "triangles" | "component"
set ::= "SET adapter.caps." (count-cap " = " count | "direction = " ("out" | "in" | "any") | "case_sensitive = " ("true" | "false"))
count-cap ::= "max_path_length" | "max_results" | "max_expansions" | "timeout_ms" | "max_excerpt_items" | "max_excerpt_chars"
declare ::= "DECLARE " name ("." name)? " AS " ("LIST" | "DICT" | "COUNTER") (" WITH_DESCRIPTION " text)?
"#;

/// Rules of commands that need a variable.
const VARIABLE_RULES: &str = r#"process ::= "PROCESS " variable " USING " text as
select ::= "SELECT " "DISTINCT "? variable (" FIELDS " fields)? (" WHERE " condition)? limit? as
count-rows ::= "COUNT " variable (" BY " fields)? as
aggregate ::= "AGGREGATE " variable (" BY " fields)? " WITH " ("count" | function) ("," " "? function)* as
function ::= ("count" | "sum" | "avg" | "min" | "max" | "distinct" | "list") " OF " field
fields ::= field ("," " "? field)*
rank ::= "RANK " variable " BY " field (" ASC" | " DESC")? limit? as
join ::= "LEFT "? "JOIN " variable " WITH " variable " ON " field ("=" field)? as
walk ::= "WALK FROM " variable (" FOLLOW " (text | condition))? (" DIRECTION " ("out" | "in" | "any"))? (" DEPTH " [1-9])? as
union ::= "UNION " variable " WITH " variable " DISTINCT"? as
measure-of ::= "MEASURE " (weighted-measure " OF " variable (" WEIGHT " field)? | plain-measure " OF " variable) as
show ::= "SHOW " variable (" FIELDS " fields)? limit? (" OFFSET " count)?
assert ::= "ASSERT LEN ${" bound "} " comparison " " count
require ::= "REQUIRE EXISTS " variable
"#;

/// Rules of commands that need a key of the state.
const KEY_RULES: &str = r#"update ::= "UPDATE " key " WITH " variable (" MERGE" | " REPLACE")?
analyze ::= "ANALYZE " key " USING " text as
"#;

const SHARED_RULES: &str = r#"as ::= " AS " name
limit ::= " LIMIT " count
condition ::= test ((" AND " | " OR ") test)*
test ::= "NOT "? (field " " comparison " " (value | other-field) | field " " ("CONTAINS" | "STARTS_WITH" | "ENDS_WITH") " " (text | other-field) | field (" NOT")? " IN " list | field " IS" (" NOT")? " NULL" | "EXISTS " field)
comparison ::= "=" | "!=" | ">=" | ">" | "<=" | "<"
value ::= text | number
other-field ::= "`" field "`" | ("source." | "target." | "start." | "end." | "edge." | "node.") field
list ::= "[" value ("," " "? value)* "]"
field-rest ::= [a-zA-Z0-9_.]{0,40}
name-rest ::= [a-z0-9_]{0,30}
number ::= "-"? [0-9]+ ("." [0-9]+)?
count ::= [1-9] [0-9]{0,5}
"#;

/// Returns the grammar of one command for a state, or for an empty state if it is null.
pub fn gbnf(state: &Value) -> String {
    let variables = state.get("variables").cloned().unwrap_or_default();
    let keys = state::declared_paths(&variables);
    let mut names = keys.clone();
    names.extend(written_variables(state).into_iter().filter(|name| !keys.contains(name)));
    let (commands, rules) = grammar_rules(&keys, &names, STRING_RULE);
    format!("root ::= {commands} | complete\ncomplete ::= \"COMPLETE: \" [^\\n]+\n{rules}")
}

/// Returns the grammar of a JSON plan or answer. Strings in commands have single quotes, or escaped
/// double quotes.
pub fn plan_grammar<'a>(variables: &Value, written: impl Iterator<Item = &'a str>) -> String {
    let keys = state::declared_paths(variables);
    let mut names = keys.clone();
    let is_key: NameMap = keys.iter().map(|key| (key.clone(), 0)).collect();
    names.extend(written.map(str::to_owned).filter(|name| !is_key.contains_key(name)));
    // An earlier command of the plan may write or declare any name.
    let (commands, rules) = grammar_rules(&keys, &names, STRING_IN_JSON_RULE);
    let rules = rules.replace("variable ::= ", "variable ::= name | ");
    let rules = rules.replace("bound ::= ", "bound ::= name | ");
    let rules = rules.replace("key ::= ", "key ::= name (\".\" name)? | ");
    format!(
        r#"root ::= plan | answer
plan ::= "{{\"plan_id\": \"" name "\", \"why\": \"" words "\", \"commands\": [" line (", " line)* "]}}"
answer ::= "{{\"complete\": \"" words "\"}}"
line ::= "\"" command "\""
command ::= {commands}
words ::= ([^"\\\x00-\x1F] | "\\" ["\\n])+
{rules}"#
    )
}

/// Rule of a string in a command.
const STRING_RULE: &str = r#""\"" [^"\\$\n]+ "\"""#;

/// Rule of a string in a command inside a JSON string.
const STRING_IN_JSON_RULE: &str = r#""'" [^'"\\$\x00-\x1F]+ "'" | "\\\"" [^"\\$\x00-\x1F]+ "\\\"""#;

/// Returns the commands that are possible with these keys and names, and all rules but the root.
fn grammar_rules(keys: &[String], names: &[String], string: &str) -> (String, String) {
    let mut commands = vec!["declare", "find", "shortest", "measure", "set"];
    let any = !names.is_empty() || string == STRING_IN_JSON_RULE;
    if any {
        commands.extend([
            "process",
            "select",
            "count-rows",
            "aggregate",
            "rank",
            "join",
            "union",
            "walk",
            "measure-of",
            "show",
            "assert",
            "require",
        ]);
    }
    let any_keys = !keys.is_empty() || string == STRING_IN_JSON_RULE;
    if any_keys {
        commands.extend(["update", "analyze"]);
    }
    let mut grammar = FIXED_RULES.to_owned();
    if any {
        grammar.push_str(VARIABLE_RULES);
        for (rule, print) in
            [("variable", print_path as fn(&str) -> String), ("bound", str::to_owned)]
        {
            let alternatives =
                if names.is_empty() { "name".to_owned() } else { alternatives(names, print) };
            grammar.push_str(&format!("{rule} ::= {alternatives}\n"));
        }
    }
    if any_keys {
        grammar.push_str(KEY_RULES);
        let alternatives =
            if keys.is_empty() { "name".to_owned() } else { alternatives(keys, print_path) };
        grammar.push_str(&format!("key ::= {alternatives}\n"));
    }
    grammar.push_str(&format!("text ::= {string}\n"));
    grammar.push_str(SHARED_RULES);
    for (rule, letters, more) in [("name", LOWER_CASE, ""), ("field", BOTH_CASES, ".")] {
        let body = word_except(&RESERVED_KEYWORDS, 0, letters, more, &format!("{rule}-rest"));
        grammar.push_str(&format!("{rule} ::= {body}\n"));
    }
    (commands.join(" | "), grammar)
}

/// First letter of each alphabet of names.
const LOWER_CASE: &[u8] = b"a";

/// First letter of each alphabet of fields.
const BOTH_CASES: &[u8] = b"aA";

/// Returns the rule of a word that is not a keyword: a trie of the keywords, which a word leaves by
/// another character or by its end. All keywords have the same first `depth` characters; `more` are
/// further characters after the first one.
fn word_except(keywords: &[&str], depth: usize, letters: &[u8], more: &str, rest: &str) -> String {
    let next_of = |word: &&str| word.as_bytes().get(depth).map(u8::to_ascii_lowercase);
    let is_next = |letter: u8| keywords.iter().any(|word| next_of(word) == Some(letter));
    let classes = |letter: u8| -> String {
        let cases = letters.iter().map(|first| char::from(letter - b'a' + first));
        cases.collect()
    };
    let others: String = (b'a'..=b'z').filter(|&letter| !is_next(letter)).map(classes).collect();
    let marks = if depth == 0 { String::new() } else { format!("0-9_{more}") };
    let mut alternatives = vec![format!("[{others}{marks}] {rest}")];
    for letter in (b'a'..=b'z').filter(|&letter| is_next(letter)) {
        let longer: Vec<&str> =
            keywords.iter().copied().filter(|word| next_of(word) == Some(letter)).collect();
        let is_keyword = longer.iter().any(|word| word.len() == depth + 1);
        let end = if is_keyword { "" } else { "?" };
        let deeper: Vec<&str> =
            longer.iter().copied().filter(|word| word.len() > depth + 1).collect();
        let inner = word_except(&deeper, depth + 1, letters, more, rest);
        alternatives.push(format!("[{}] ({inner}){end}", classes(letter)));
    }
    alternatives.join(" | ")
}

/// Returns the variables that the steps of the history wrote.
fn written_variables(state: &Value) -> Vec<String> {
    let list = |at: Option<&Value>| at.and_then(Value::as_list).unwrap_or_default().to_vec();
    let history = list(state.get("history"));
    // The history has excerpts of long commands; the replay has the same commands whole.
    let whole = list(state.get("replay").and_then(|replay| replay.get("commands")));
    let skipped = whole.len().saturating_sub(history.len());
    let mut names: Vec<String> = Vec::new();
    for (index, record) in history.iter().enumerate() {
        let has_output = ["success", "partial", "empty"]
            .contains(&record.get("status").and_then(Value::as_text).unwrap_or_default());
        let is_excerpt = record.get("command_sha256").is_some();
        let command = whole.get(skipped + index).filter(|_| is_excerpt);
        let command = command.or_else(|| record.get("command"));
        let command = command.and_then(Value::as_text).unwrap_or_default();
        for located in parse(command).commands {
            let output = located
                .command
                .output()
                .filter(|name| has_output && !names.iter().any(|n| n == name));
            let when = matches!(located.command, Command::When { .. });
            names.extend(output.filter(|_| !when).map(str::to_owned));
        }
    }
    names
}

fn alternatives(names: &[String], print: fn(&str) -> String) -> String {
    let quoted = names.iter().map(|name| {
        let name = print(name);
        let mut escaped = String::new();
        name.chars().for_each(|one| push_literal(one, &mut escaped));
        format!("\"{escaped}\"")
    });
    quoted.collect::<Vec<_>>().join(" | ")
}

/// Appends a character of a GBNF literal, which stays on its line.
fn push_literal(character: char, out: &mut String) {
    match character {
        '\\' => out.push_str("\\\\"),
        '"' => out.push_str("\\\""),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04X}", u32::from(character))),
        other if other.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(other))),
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    #[test]
    fn a_name_stays_in_its_literal() {
        let state = r#"{"variables": {"a\nroot ::= \"x\"\u2028": {"_meta": {"type": "LIST"}, "items": []}}}"#;
        let state = Value::parse(state.as_bytes(), Limits::default()).0.unwrap();
        let grammar = gbnf(&state);
        assert!(grammar.contains(r#"key ::= "`a\nroot ::= \"x\"\u2028`""#), "{grammar}");
        assert_eq!(grammar.matches("\nroot ::= ").count(), 0);
    }

    #[test]
    fn every_referenced_rule_is_defined() {
        let state = r#"{"variables": {"a": {"_meta": {"type": "LIST"}, "items": []}}, "history": [{"status": "success", "command": "FIND nodes AS people"}]}"#;
        let state = Value::parse(state.as_bytes(), Limits::default()).0.unwrap();
        let name = "people".to_owned();
        let plans = plan_grammar(state.get("variables").unwrap(), std::iter::once(name.as_str()));
        let first = plan_grammar(&Value::Null, std::iter::empty());
        for grammar in [gbnf(&state), gbnf(&Value::Null), plans, first] {
            let defined: Vec<&str> =
                grammar.lines().filter_map(|line| Some(line.split_once(" ::= ")?.0)).collect();
            for line in grammar.lines() {
                let (_, body) = line.split_once(" ::= ").unwrap();
                let mut quoted = false;
                let mut set = false;
                let plain: String = body
                    .replace("\\\"", "")
                    .chars()
                    .map(|c| {
                        match c {
                            '"' if !set => quoted = !quoted,
                            '[' if !quoted => set = true,
                            ']' if !quoted => set = false,
                            _ => {}
                        }
                        let word = c.is_ascii_lowercase() || c == '-';
                        if word && !quoted && !set { c } else { ' ' }
                    })
                    .collect();
                for name in plain.split_whitespace().filter(|name| name.len() > 1) {
                    assert!(defined.contains(&name), "{name} in {line}");
                }
            }
        }
        assert!(gbnf(&state).contains("variable ::= \"a\" | \"people\""));
        assert!(!gbnf(&Value::Null).contains("update"));
        let excerpt = r#"{"history": [{"status": "success", "command": "FIND no…", "command_sha256": "0"}], "replay": {"commands": ["SHOW x", "FIND nodes AS whole"]}}"#;
        let excerpt = Value::parse(excerpt.as_bytes(), Limits::default()).0.unwrap();
        assert!(gbnf(&excerpt).contains("variable ::= \"whole\""));
        assert!(
            plan_grammar(&Value::Null, std::iter::empty())
                .contains("key ::= name (\".\" name)? | name\n")
        );
    }
}
