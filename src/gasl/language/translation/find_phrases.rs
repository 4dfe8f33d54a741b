//! Translation of phrases about the graph: `FIND neighbors OF ada`, `FIND nodes:Person`.

use super::cypher::{is_one_of, properties_of};
use super::networkx::measure_of;
use super::scanner::Scanner;
use super::sql::target_of;
use super::statement::{Statement, unchanged};
use super::steps::{Steps, where_all};
use crate::gasl::language::keywords::closest_keyword;

/// End of a phrase: `[WHERE condition] [LIMIT n] [AS name]`.
#[derive(Default)]
pub struct Tail {
    pub conditions: Vec<String>,
    pub limit: Option<usize>,
    pub output: Option<String>,
}

impl Tail {
    /// Parses the end of a phrase. Returns `None` if anything else follows.
    pub fn parse(rest: &mut Statement<'_>) -> Option<Tail> {
        let mut tail = Tail::default();
        while !rest.is_done() {
            if rest.accept_any(&["WHERE", "AND"]) {
                tail.conditions.push(rest.take_until(&["LIMIT", "AS", "WHERE"], unchanged)?);
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
        let Tail { conditions, limit, output } = Tail::parse(rest)?;
        (conditions.is_empty() && limit.is_none()).then_some(output)
    }
}

/// Phrases after `FIND` or a word of the same meaning.
pub fn translate(mut rest: Statement<'_>) -> Option<String> {
    rest.accept_any(&["ALL", "EVERY", "THE", "ME"]);
    rest.accept("THE");
    if let Some(top) = top(rest.clone()) {
        return Some(top);
    }
    if rest.at_any(&["NEIGHBORS", "NEIGHBOURS", "NEIGHBOR", "NEIGHBOUR"]) {
        return neighbors(rest);
    }
    if rest.accept_any(&["SHORTEST", "SHORTESTPATH"]) {
        return paths(rest, "shortest paths");
    }
    if rest.at_any(&["PATH", "PATHS", "ROUTE", "ROUTES"]) {
        return paths(rest, "paths");
    }
    if let Some(measured) = measure(rest.clone()) {
        return Some(measured);
    }
    elements(rest)
}

/// `[TOP|FIRST] n v [WHERE c] [BY f] [AS x]`, where a word in lower case is a variable.
fn top(mut rest: Statement<'_>) -> Option<String> {
    rest.accept_any(&["TOP", "FIRST"]);
    let limit = Some(rest.take_count()?);
    let name = rest.take_word()?;
    const ENDS: [&str; 4] = ["BY", "ORDER", "LIMIT", "AS"];
    let mut conditions = Vec::new();
    if target_of(name).is_none() && name.starts_with(char::is_uppercase) {
        conditions.extend(is_one_of("type", &[name.to_owned()]));
    }
    let is_label = !conditions.is_empty();
    let filter = |rest: &mut Statement<'_>, conditions: &mut Vec<String>| {
        if rest.accept("WHERE") {
            conditions.push(rest.take_until(&ENDS, unchanged)?);
        }
        Some(())
    };
    filter(&mut rest, &mut conditions)?;
    let is_ranked = rest.accept_both("ORDER", "BY") || rest.accept("BY");
    let by = if is_ranked { Some(rest.take_name()?) } else { None };
    let order = if rest.accept("ASC") { "ASC" } else { "DESC" };
    rest.accept("DESC");
    filter(&mut rest, &mut conditions)?;
    let output = Tail::parse_output(&mut rest)?;
    let mut steps = match target_of(name) {
        Some(target) => Steps::from_graph(target, &conditions, "found"),
        None if is_label => Steps::from_graph("nodes", &conditions, "found"),
        None => {
            let mut steps = Steps::from_variable(name);
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
fn neighbors(mut rest: Statement<'_>) -> Option<String> {
    rest.take();
    rest.accept_any(&["OF", "FOR", "FROM"]);
    let parenthesis = rest.accept_sign("(");
    let mut steps = start(&mut rest)?;
    if parenthesis {
        rest.accept_sign(")").then_some(())?;
    }
    let is_via = rest.accept_any(&["VIA", "FOLLOW", "ALONG", "BY"]);
    let follow = if is_via { Some(rest.take_value()?) } else { None };
    steps.walk(follow, None, None, "reached");
    finished(steps, &mut rest)
}

/// Rows of a variable in `${…}`, or the node with an id.
fn start(rest: &mut Statement<'_>) -> Option<Steps> {
    let value = rest.take_value()?;
    let binding = value.strip_prefix("${").and_then(|name| name.strip_suffix('}'));
    Some(match binding {
        Some(name) => Steps::from_variable(name),
        None => Steps::from_graph("nodes", &[format!("id = {value}")], "start"),
    })
}

/// Adds the conditions of the end, and returns the commands.
fn finished(mut steps: Steps, rest: &mut Statement<'_>) -> Option<String> {
    let Tail { conditions, limit, output } = Tail::parse(rest)?;
    steps.select(&super::steps::Selection { conditions: &conditions, limit, ..Default::default() });
    steps.finish(output.as_deref())
}

/// Parses `FROM a TO b`, `BETWEEN a AND b`, `OF a AND b`, `a TO b` or `(a, b)`.
fn ends(rest: &mut Statement<'_>) -> Option<(String, String)> {
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
fn equals(field: &str, value: &str) -> String {
    let operator = if value.starts_with("${") { "IN" } else { "=" };
    format!("{field} {operator} {value}")
}

/// `[paths] FROM a TO b [WEIGHT f]`
fn paths(mut rest: Statement<'_>, target: &str) -> Option<String> {
    rest.accept_any(&["PATH", "PATHS", "ROUTE", "ROUTES"]);
    let (one, other) = ends(&mut rest)?;
    let weight = match rest.accept("WEIGHT") {
        true => format!(" WEIGHT {}", rest.take_word()?),
        false => String::new(),
    };
    let Tail { conditions, limit, output } = Tail::parse(&mut rest)?;
    let mut all = vec![equals("start.id", &one), equals("end.id", &other)];
    all.extend(conditions);
    let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
    let mut steps = Steps::default();
    steps.push(format!("FIND {target}{}{weight}{limit}", where_all(&all)), "found");
    steps.finish(output.as_deref())
}

/// `degree (OF | FOR) v`, `pagerank`
pub fn measure(mut rest: Statement<'_>) -> Option<String> {
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
    let mut steps = Steps::default();
    steps.push(format!("MEASURE {measure}{of}"), measure);
    finished(steps, &mut rest)
}

/// Nodes and edges with a label, with properties or with conditions.
fn elements(mut rest: Statement<'_>) -> Option<String> {
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
        label.and_then(|label| is_one_of("type", &[label.to_owned()])).into_iter().collect();
    if rest.at_any(&["CONNECTED", "LINKED", "ADJACENT", "RELATED", "NEAR", "NEXT"]) {
        rest.take();
        rest.accept_any(&["TO", "WITH"]);
        let mut steps = start(&mut rest)?;
        steps.walk(None, None, None, "reached");
        steps.filter(&conditions);
        return finished(steps, &mut rest);
    }
    if target == "edges" {
        edge_ends(&mut rest, &mut conditions)?;
    }
    // `nodes n WHERE n.age > 3`
    let alias = match rest.at(1, "WHERE") && target_of(noun).is_some() {
        true => rest.take_word().map(|alias| format!("{alias}.")),
        false => None,
    };
    let without_alias = |word: &str| {
        let alias = alias.as_deref()?;
        word.strip_prefix(alias).map(str::to_owned)
    };
    if rest.peek() == "{" {
        let text = rest.rest();
        conditions.extend(properties_of(Scanner::new(text).take_brackets('{', '}')?)?);
        rest.take_until(&["WHERE", "LIMIT", "AS"], unchanged);
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
    let Tail { conditions: more, limit, output } = Tail::parse(&mut rest)?;
    conditions.extend(more);
    if let Some(measured) = measured(&conditions, target, output.as_deref()) {
        return limit.is_none().then_some(measured);
    }
    let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
    let mut steps = Steps::default();
    steps.push(format!("FIND {target}{}{limit}", where_all(&conditions)), "found");
    steps.finish(output.as_deref())
}

/// `FROM a TO b` of edges, where a word is a variable.
fn edge_ends(rest: &mut Statement<'_>, conditions: &mut Vec<String>) -> Option<()> {
    let condition = |field: &str, value: &str| {
        let is_word = value.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match is_word {
            true => format!("{field} IN ${{{value}}}"),
            false => equals(field, value),
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
fn measured(conditions: &[String], target: &str, output: Option<&str>) -> Option<String> {
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
        true => Steps::default(),
        false => Steps::from_graph("nodes", &others, "found"),
    };
    let of = if others.is_empty() { String::new() } else { format!(" OF {}", steps.rows()) };
    steps.push(format!("MEASURE degree{of}"), "degrees");
    steps.filter(&tests);
    steps.finish(output)
}

/// Parses the name of a variable, or `nodes` and `edges` of the graph.
pub fn rows(rest: &mut Statement<'_>) -> Option<Steps> {
    let name = rest.take_word()?;
    Some(match target_of(name) {
        Some(target) => Steps::from_graph(target, &[], "found"),
        None => Steps::from_variable(name),
    })
}

/// `field {"," field}`
pub fn names(rest: &mut Statement<'_>) -> Option<Vec<String>> {
    let mut names = vec![rest.take_name()?];
    while rest.accept_sign(",") {
        names.push(rest.take_name()?);
    }
    Some(names)
}
