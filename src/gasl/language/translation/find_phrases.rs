//! Translation of phrases about the graph: `FIND neighbors OF ada`, `FIND nodes:Person`.

use super::cypher::{one_of_condition, property_conditions};
use super::networkx::measure_of;
use super::scanner::Scanner;
use super::sql::target_of;
use super::statement::{Statement, keep_word};
use super::steps::{TranslatedCommands, Translation, print_where};
use crate::gasl::language::keywords::closest_keyword;

/// End of a phrase: `[WHERE condition] [LIMIT n] [AS name]`.
#[derive(Default)]
pub struct PhraseTail {
    pub conditions: Vec<String>,
    pub limit: Option<usize>,
    pub output: Option<String>,
}

impl PhraseTail {
    /// Parses the end of a phrase. Returns `None` if anything else follows.
    pub fn parse(rest: &mut Statement<'_>) -> Option<PhraseTail> {
        let mut tail = PhraseTail::default();
        while !rest.is_done() {
            if rest.accept_any(&["WHERE", "AND"]) {
                tail.conditions.push(rest.take_until(&["LIMIT", "AS", "WHERE"], keep_word)?);
            } else if rest.accept("LIMIT") {
                tail.limit = Some(rest.take_count()?);
            } else if rest.accept("AS") {
                tail.output = Some(rest.take_name()?);
            } else {
                return None;
            }
        }
        Some(tail)
    }

    /// Parses `[AS name]` at the end. Returns `None` if anything else follows.
    pub fn parse_output(rest: &mut Statement<'_>) -> Option<Option<String>> {
        let PhraseTail { conditions, limit, output } = PhraseTail::parse(rest)?;
        (conditions.is_empty() && limit.is_none()).then_some(output)
    }
}

/// Phrases after `FIND` or a word of the same meaning.
pub fn translate(mut rest: Statement<'_>) -> Option<Translation> {
    rest.accept_any(&["ALL", "EVERY", "THE", "ME"]);
    rest.accept("THE");
    if let Some(top) = translate_top(rest.clone()) {
        return Some(top);
    }
    if rest.is_any_keyword(&["NEIGHBORS", "NEIGHBOURS", "NEIGHBOR", "NEIGHBOUR"]) {
        return translate_neighbors(rest);
    }
    if rest.accept_any(&["SHORTEST", "SHORTESTPATH"]) {
        return translate_paths(rest, "shortest paths");
    }
    if rest.is_any_keyword(&["PATH", "PATHS", "ROUTE", "ROUTES"]) {
        return translate_paths(rest, "paths");
    }
    if let Some(measured) = translate_measure(rest.clone()) {
        return Some(measured);
    }
    translate_elements(rest)
}

/// `[TOP|FIRST] n v [WHERE c] [BY f] [AS x]`, where a word in lower case is a variable.
fn translate_top(mut rest: Statement<'_>) -> Option<Translation> {
    rest.accept_any(&["TOP", "FIRST"]);
    let limit = Some(rest.take_count()?);
    let name = rest.take_word()?;
    const ENDS: [&str; 4] = ["BY", "ORDER", "LIMIT", "AS"];
    let mut conditions = Vec::new();
    if target_of(name).is_none() && name.starts_with(char::is_uppercase) {
        conditions.extend(one_of_condition("type", &[name.to_owned()]));
    }
    let is_label = !conditions.is_empty();
    let filter = |rest: &mut Statement<'_>, conditions: &mut Vec<String>| {
        if rest.accept("WHERE") {
            conditions.push(rest.take_until(&ENDS, keep_word)?);
        }
        Some(())
    };
    filter(&mut rest, &mut conditions)?;
    let is_ranked = rest.accept_both("ORDER", "BY") || rest.accept("BY");
    let by = if is_ranked { Some(rest.take_name()?) } else { None };
    let order = if rest.accept("ASC") { "ASC" } else { "DESC" };
    rest.accept("DESC");
    filter(&mut rest, &mut conditions)?;
    let output = PhraseTail::parse_output(&mut rest)?;
    let mut steps = match target_of(name) {
        Some(target) => TranslatedCommands::from_graph(target, &conditions, "found"),
        None if is_label => TranslatedCommands::from_graph("nodes", &conditions, "found"),
        None => {
            let mut steps = TranslatedCommands::from_variable(name);
            steps.filter(&conditions);
            steps
        }
    };
    match by {
        Some(by) => steps.rank(&by, order, limit),
        None => steps.select(&super::steps::Selection { limit, ..Default::default() }),
    }
    steps.finish(output.as_deref())
}

/// `neighbors (OF | FOR | "(") x`
fn translate_neighbors(mut rest: Statement<'_>) -> Option<Translation> {
    rest.take();
    rest.accept_any(&["OF", "FOR", "FROM"]);
    let parenthesis = rest.accept_sign("(");
    let mut steps = parse_start(&mut rest)?;
    if parenthesis {
        rest.accept_sign(")").then_some(())?;
    }
    let is_via = rest.accept_any(&["VIA", "FOLLOW", "ALONG", "BY"]);
    let follow = if is_via { Some(rest.take_value()?) } else { None };
    steps.walk(follow, None, None, "reached");
    finish_with_conditions(steps, &mut rest)
}

/// Rows of a variable in `${…}`, or the node with an id.
fn parse_start(rest: &mut Statement<'_>) -> Option<TranslatedCommands> {
    let value = rest.take_value()?;
    let binding = value.strip_prefix("${").and_then(|name| name.strip_suffix('}'));
    Some(match binding {
        Some(name) => TranslatedCommands::from_variable(name),
        None => TranslatedCommands::from_graph("nodes", &[format!("id = {value}")], "start"),
    })
}

/// Adds the conditions of the end, and returns the commands.
fn finish_with_conditions(
    mut steps: TranslatedCommands,
    rest: &mut Statement<'_>,
) -> Option<Translation> {
    let PhraseTail { conditions, limit, output } = PhraseTail::parse(rest)?;
    steps.select(&super::steps::Selection { conditions: &conditions, limit, ..Default::default() });
    steps.finish(output.as_deref())
}

/// Parses `FROM a TO b`, `BETWEEN a AND b`, `OF a AND b`, `a TO b` or `(a, b)`.
fn parse_ends(rest: &mut Statement<'_>) -> Option<(String, String)> {
    rest.accept_any(&["FROM", "BETWEEN", "OF"]);
    let parenthesis = rest.accept_sign("(");
    let one = rest.take_value()?.to_owned();
    let is_separated = rest.accept_any(&["TO", "AND"]) || rest.accept_sign(",");
    is_separated.then_some(())?;
    let other = rest.take_value()?.to_owned();
    if parenthesis {
        rest.accept_sign(")").then_some(())?;
    }
    Some((one, other))
}

/// Returns the condition that a field has an id, or one of those of a variable in `${…}`.
fn id_condition(field: &str, value: &str) -> String {
    let operator = if value.starts_with("${") { "IN" } else { "=" };
    format!("{field} {operator} {value}")
}

/// `[paths] FROM a TO b [WEIGHT f]`
fn translate_paths(mut rest: Statement<'_>, target: &str) -> Option<Translation> {
    rest.accept_any(&["PATH", "PATHS", "ROUTE", "ROUTES"]);
    let (one, other) = parse_ends(&mut rest)?;
    let weight = match rest.accept("WEIGHT") {
        true => format!(" WEIGHT {}", rest.take_word()?),
        false => String::new(),
    };
    let PhraseTail { conditions, limit, output } = PhraseTail::parse(&mut rest)?;
    let mut all = vec![id_condition("start.id", &one), id_condition("end.id", &other)];
    all.extend(conditions);
    let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
    let mut steps = TranslatedCommands::default();
    steps.push(format!("FIND {target}{}{weight}{limit}", print_where(&all)), "found");
    steps.finish(output.as_deref())
}

/// `degree (OF | FOR) v`, `pagerank`
pub fn translate_measure(mut rest: Statement<'_>) -> Option<Translation> {
    rest.accept("THE");
    let measure = measure_of(rest.take_word()?)?;
    rest.accept_any(&["CENTRALITY", "SCORE", "SCORES"]);
    let parenthesis = rest.accept_sign("(");
    let is_of = rest.accept_any(&["OF", "FOR", "ON", "FROM"]);
    let of = if is_of || parenthesis { Some(rest.take_word()?) } else { None };
    if parenthesis {
        rest.accept_sign(")").then_some(())?;
    }
    // All nodes are measured by default.
    let is_graph = |name: &&str| target_of(name).is_some() || name.eq_ignore_ascii_case("graph");
    let of = of.filter(|name| !is_graph(name));
    let of = of.map_or(String::new(), |of| format!(" OF {of}"));
    let mut steps = TranslatedCommands::default();
    steps.push(format!("MEASURE {measure}{of}"), measure);
    finish_with_conditions(steps, &mut rest)
}

/// Nodes and edges with a label, with properties or with conditions.
fn translate_elements(mut rest: Statement<'_>) -> Option<Translation> {
    let word = rest.take_word()?;
    let (noun, label) = match word.split_once(':') {
        Some((noun, label)) if !label.is_empty() => (noun, Some(label)),
        _ => (word, None),
    };
    let target = match target_of(noun) {
        Some(target) => target,
        // A label is written instead of `nodes`.
        None if label.is_none()
            && closest_keyword(noun, ["nodes", "edges", "paths"].into_iter()).is_none() =>
        {
            "nodes"
        }
        None => return None,
    };
    let is_label = target_of(noun).is_none();
    let label = label.or(is_label.then_some(noun));
    let mut conditions: Vec<String> =
        label.and_then(|label| one_of_condition("type", &[label.to_owned()])).into_iter().collect();
    if rest.is_any_keyword(&["CONNECTED", "LINKED", "ADJACENT", "RELATED", "NEAR", "NEXT"]) {
        rest.take();
        rest.accept_any(&["TO", "WITH"]);
        let mut steps = parse_start(&mut rest)?;
        steps.walk(None, None, None, "reached");
        steps.filter(&conditions);
        return finish_with_conditions(steps, &mut rest);
    }
    if target == "edges" {
        parse_edge_ends(&mut rest, &mut conditions)?;
    }
    // `nodes n WHERE n.age > 3`
    let alias = match rest.is_keyword_at(1, "WHERE") && target_of(noun).is_some() {
        true => rest.take_word().map(|alias| format!("{alias}.")),
        false => None,
    };
    let without_alias = |word: &str| {
        let alias = alias.as_deref()?;
        word.strip_prefix(alias).map(str::to_owned)
    };
    if rest.peek() == "{" {
        let text = rest.rest();
        conditions.extend(property_conditions(Scanner::new(text).take_brackets('{', '}')?)?);
        rest.take_until(&["WHERE", "LIMIT", "AS"], keep_word);
    }
    if rest.accept_any(&["OF", "WITH"]) && rest.accept_any(&["TYPE", "KIND", "LABEL"]) {
        rest.accept_sign("=");
        conditions.push(format!("type = {}", rest.take_value()?));
    }
    if rest.accept_any(&["NAMED", "CALLED"]) {
        conditions.push(format!("name = {}", rest.take_value()?));
    }
    let is_condition = rest.accept_any(&["WITH", "HAVING", "WHOSE", "IF", "WHEN", "WHERE"]);
    if is_condition {
        conditions.push(rest.take_until(&["LIMIT", "AS"], without_alias)?);
    }
    let PhraseTail { conditions: more, limit, output } = PhraseTail::parse(&mut rest)?;
    conditions.extend(more);
    if let Some(measured) = translate_edge_count(&conditions, target, output.as_deref()) {
        return limit.is_none().then_some(measured);
    }
    let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
    let mut steps = TranslatedCommands::default();
    steps.push(format!("FIND {target}{}{limit}", print_where(&conditions)), "found");
    steps.finish(output.as_deref())
}

/// `FROM a TO b` of edges, where a word is a variable.
fn parse_edge_ends(rest: &mut Statement<'_>, conditions: &mut Vec<String>) -> Option<()> {
    let condition = |field: &str, value: &str| {
        let is_word = value.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match is_word {
            true => format!("{field} IN ${{{value}}}"),
            false => id_condition(field, value),
        }
    };
    if rest.accept("BETWEEN") {
        conditions.push(condition("source", rest.take_value()?));
        rest.accept("AND").then_some(())?;
        conditions.push(condition("target", rest.take_value()?));
        return Some(());
    }
    for (keyword, field) in [("FROM", "source"), ("TO", "target")] {
        if rest.accept(keyword) {
            conditions.push(condition(field, rest.take_value()?));
        }
    }
    Some(())
}

/// Commands for a condition on the number of edges: `COUNT(edges) > 3`.
fn translate_edge_count(
    conditions: &[String],
    target: &str,
    output: Option<&str>,
) -> Option<Translation> {
    let [condition] = conditions else { return None };
    let parts = super::scanner::split(condition, " AND ");
    let degree = |part: &&str| {
        let mut call = Scanner::new(part);
        let name = call.take_name()?.to_ascii_lowercase();
        let inner = call.take_brackets('(', ')')?.to_ascii_lowercase();
        let is_degree = match name.as_str() {
            "count" | "len" | "size" | "length" => {
                inner.contains("edge")
                    || inner.contains("neighbo")
                    || inner.contains("--")
                    || inner.contains("relation")
                    || inner.contains("link")
            }
            name => measure_of(name) == Some("degree"),
        };
        is_degree.then(|| format!("degree {}", call.rest()))
    };
    let tests: Vec<String> = parts.iter().filter_map(degree).collect();
    if tests.is_empty() || target != "nodes" {
        return None;
    }
    let others = parts.iter().filter(|part| degree(part).is_none());
    let others = others.map(|part| (*part).to_owned()).collect::<Vec<_>>();
    let mut steps = match others.is_empty() {
        true => TranslatedCommands::default(),
        false => TranslatedCommands::from_graph("nodes", &others, "found"),
    };
    let of = if others.is_empty() { String::new() } else { format!(" OF {}", steps.rows()) };
    steps.push(format!("MEASURE degree{of}"), "degrees");
    steps.filter(&tests);
    steps.finish(output)
}

/// Parses the name of a variable, or `nodes` and `edges` of the graph.
pub fn parse_rows(rest: &mut Statement<'_>) -> Option<TranslatedCommands> {
    let name = rest.take_word()?;
    Some(match target_of(name) {
        Some(target) => TranslatedCommands::from_graph(target, &[], "found"),
        None => TranslatedCommands::from_variable(name),
    })
}

/// `field {"," field}`
pub fn parse_names(rest: &mut Statement<'_>) -> Option<Vec<String>> {
    let mut names = vec![rest.take_name()?];
    while rest.accept_sign(",") {
        names.push(rest.take_name()?);
    }
    Some(names)
}
