//! Translation of commands with clauses of other languages, such as `ORDER BY` and `HAVING`.

use super::aggregates::{is_about_result, replace_calls};
use super::sql::target_of;
use super::statement::{Statement, keep_word};
use super::steps::{Selection, TranslatedCommands, Translation};

/// Keywords that begin a clause.
const CLAUSES: [&str; 19] = [
    "WHERE",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "SKIP",
    "ORDER",
    "SORT",
    "GROUP",
    "RETURN",
    "YIELD",
    "FIELDS",
    "BY",
    "WITH",
    "ON",
    "FOLLOW",
    "DEPTH",
    "DIRECTION",
    "FROM",
    "AS",
];

/// Command with its clauses.
#[derive(Default)]
struct Clauses {
    /// Conditions of `WALK` between its rows and its own clauses, which are about the rows.
    start_conditions: Vec<String>,
    conditions: Vec<String>,
    having: Vec<String>,
    fields: Vec<(String, String)>,
    group: Vec<String>,
    /// Fields and orders.
    order: Vec<(String, &'static str)>,
    limit: Option<usize>,
    offset: Option<usize>,
    /// Clauses of the command itself, as written.
    own_clauses: String,
    output: Option<String>,
    /// Whether a clause belongs to another language, or is at an invalid position.
    is_foreign: bool,
}

/// Moves clauses that the command does not have into commands of their own.
pub fn translate(statement: &Statement<'_>) -> Option<Translation> {
    let mut rest = statement.clone();
    let command = rest.take()?.to_ascii_uppercase();
    let distinct = command == "SELECT" && rest.accept("DISTINCT");
    let head = rest.take_until(&CLAUSES, keep_word).unwrap_or_default();
    let clauses = Clauses::parse(&command, rest)?;
    if !clauses.is_foreign {
        return None;
    }
    let Clauses {
        start_conditions,
        conditions,
        having,
        fields,
        group,
        order,
        limit,
        offset,
        own_clauses: own,
        output,
        ..
    } = clauses;
    let mut conditions = conditions;
    let functions = functions_of(&command, &own);
    let mut having = having;
    if functions.is_some() || !group.is_empty() {
        let columns = functions.clone().unwrap_or_else(|| vec!["count".to_owned()]);
        let column = |call: &str| columns.iter().find(|column| *column == call).cloned();
        let each = having.iter().map(|one| replace_calls(one, column));
        having = each.collect::<Option<Vec<_>>>()?;
    }
    if let Some(functions) = &functions {
        let is_of_result = |one: &String| is_about_result(one, functions);
        having.extend(conditions.iter().filter(|one| is_of_result(one)).cloned());
        conditions.retain(|one| !is_of_result(one));
    }
    let is_ranked = !order.is_empty() || offset.is_some();
    let rows_limit = limit.filter(|_| !is_ranked);
    let (mut steps, mut later) = match command.as_str() {
        "FIND" if own.is_empty() => {
            let limit = rows_limit.filter(|_| group.is_empty());
            let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
            let mut steps = TranslatedCommands::default();
            let condition = super::steps::print_where(&conditions);
            steps.push(format!("FIND {head}{condition}{limit}"), "found");
            (steps, Selection { fields: &fields, ..Selection::default() })
        }
        "SELECT" if own.is_empty() => {
            let mut steps = TranslatedCommands::from_variable(&head);
            let later =
                Selection { distinct, fields: &fields, limit: rows_limit, ..Selection::default() };
            steps.filter(&conditions);
            (steps, later)
        }
        "COUNT" | "AGGREGATE" | "RANK" | "SHOW" => {
            let mut steps = input_rows(&head, &conditions);
            let all = if command == "SHOW" { &fields } else { &[][..] };
            let selection = Selection { fields: all, ..Selection::default() };
            steps.select(&selection);
            if command != "SHOW" {
                let limit = rows_limit.filter(|_| command == "RANK");
                let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
                let name = if command == "COUNT" { "counted" } else { "aggregated" };
                let name = if command == "RANK" { "ranked" } else { name };
                steps.push(format!("{command} {}{own}{limit}", steps.rows()), name);
            }
            let limit = rows_limit.filter(|_| command == "COUNT" || command == "AGGREGATE");
            let fields = if command == "SHOW" { &[][..] } else { &fields };
            (steps, Selection { fields, limit, ..Selection::default() })
        }
        "WALK" if !start_conditions.is_empty() => {
            let (from, own) = own.strip_prefix(" FROM ")?.split_once(' ')?;
            let name = from.strip_prefix("${").and_then(|name| name.strip_suffix('}'));
            let mut steps = input_rows(name.unwrap_or(from), &start_conditions);
            steps.push(format!("WALK FROM {} {own}", steps.rows()), "reached");
            steps.filter(&conditions);
            (steps, Selection { fields: &fields, limit: rows_limit, ..Selection::default() })
        }
        "WALK" | "JOIN" | "LEFT" | "UNION" => {
            let head = if head.is_empty() { head } else { format!(" {head}") };
            let mut steps = TranslatedCommands::default();
            steps.push(format!("{command}{head}{own}"), "reached");
            if command == "WALK" && !conditions.is_empty() && !own.contains(" FOLLOW ") {
                steps.note(FILTERS_RESULT);
            }
            steps.filter(&conditions);
            (steps, Selection { fields: &fields, limit: rows_limit, ..Selection::default() })
        }
        _ => return None,
    };
    if !group.is_empty() {
        steps.count(&group);
        if fields.iter().any(|(from, _)| from != "count" && !group.contains(from)) {
            steps.refuse(UNGROUPED);
        }
    }
    steps.filter(&having);
    let mut keys = Vec::new();
    for (by, order) in &order {
        let by = match by.parse::<usize>() {
            Ok(position) => &fields.get(position.wrapping_sub(1))?.0,
            Err(_) => by,
        };
        keys.push((by.clone(), *order));
    }
    let is_limited = is_ranked && offset.is_none();
    steps.rank_by(&keys, limit.filter(|_| is_limited && !later.distinct));
    later.limit = later.limit.or(limit.filter(|_| is_limited && later.distinct));
    steps.select(&later);
    if command == "SHOW" || offset.is_some() {
        steps.name_rows(output.as_deref());
        let limit = limit.filter(|_| order.is_empty() || offset.is_some());
        let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
        let offset = offset.map_or(String::new(), |offset| format!(" OFFSET {offset}"));
        steps.push_last(format!("SHOW {}{limit}{offset}", steps.rows()));
        return steps.finish(None);
    }
    steps.finish(output.as_deref())
}

const FILTERS_RESULT: &str =
    "which filters the nodes at the end; to filter the start nodes, `SELECT` them before the walk";

const UNGROUPED: &str = "a field that is not in `GROUP BY` has a value for each row: write `AGGREGATE rows BY f WITH list OF g AS aggregated`";

/// Returns the columns that the functions of a command add.
fn functions_of(command: &str, own_clauses: &str) -> Option<Vec<String>> {
    match command {
        "COUNT" => Some(vec!["count".to_owned()]),
        "AGGREGATE" => {
            let (_, functions) = own_clauses.split_once(" WITH ")?;
            Some(functions.split(',').map(|one| one.trim().to_owned()).collect())
        }
        _ => None,
    }
}

/// Returns the input rows of a command, filtered. `nodes` and `edges` are those of the graph.
fn input_rows(name: &str, conditions: &[String]) -> TranslatedCommands {
    if let Some(target) = target_of(name) {
        return TranslatedCommands::from_graph(target, conditions, "found");
    }
    let mut steps = TranslatedCommands::from_variable(name);
    steps.filter(conditions);
    steps
}

impl Clauses {
    fn parse(command: &str, mut rest: Statement<'_>) -> Option<Clauses> {
        let mut clauses = Clauses::default();
        let is_filtered = ["FIND", "SELECT"].contains(&command);
        let has_fields = ["SELECT", "SHOW"].contains(&command);
        while !rest.is_done() {
            if rest.accept("WHERE") {
                // `WHERE` after `AS` has a fix of its own.
                let is_late = clauses.limit.is_some() && clauses.output.is_none();
                clauses.is_foreign |= !is_filtered || is_late;
                let condition = rest.take_until(&CLAUSES, keep_word)?;
                let own = clauses.own_clauses.strip_prefix(" FROM ");
                let is_after_rows = command == "WALK" && own.is_some_and(|own| !own.contains(' '));
                if is_after_rows && rest.is_any_keyword(&["FOLLOW", "DEPTH", "DIRECTION"]) {
                    clauses.start_conditions.push(condition);
                } else {
                    clauses.conditions.push(condition);
                }
            } else if rest.accept("HAVING") {
                clauses.is_foreign = true;
                clauses.having.push(rest.take_until(&CLAUSES, keep_word)?);
            } else if rest.accept("LIMIT") {
                clauses.limit = Some(rest.take_count()?);
            } else if rest.accept_any(&["OFFSET", "SKIP"]) {
                clauses.is_foreign |= command != "SHOW";
                clauses.offset = Some(rest.take_count()?);
            } else if rest.accept_any(&["ORDER", "SORT"]) {
                clauses.is_foreign = true;
                rest.accept("BY");
                loop {
                    let field = rest.take_name()?;
                    let is_descending = rest.accept_any(&["DESC", "DESCENDING"]);
                    rest.accept_any(&["ASC", "ASCENDING"]);
                    clauses.order.push((field, if is_descending { "DESC" } else { "ASC" }));
                    if !rest.accept_sign(",") {
                        break;
                    }
                }
            } else if rest.accept_both("GROUP", "BY") {
                clauses.is_foreign = true;
                let is_grouped = ["COUNT", "AGGREGATE", "RANK"].contains(&command);
                let fields = parse_fields(&mut rest)?;
                match is_grouped {
                    true => {
                        let names = fields.iter().map(|(from, _)| from.as_str());
                        let names = names.collect::<Vec<_>>().join(", ");
                        clauses.own_clauses.push_str(&format!(" BY {names}"));
                    }
                    false => clauses.group.extend(fields.into_iter().map(|(from, _)| from)),
                }
            } else if rest.is_any_keyword(&["RETURN", "YIELD", "FIELDS"]) {
                clauses.is_foreign |= !(has_fields && rest.is_keyword_at(0, "FIELDS"));
                rest.take();
                clauses.fields = parse_fields(&mut rest)?;
            } else if rest.accept("AS") {
                clauses.output = Some(rest.take_name()?);
            } else {
                let keyword = rest.take()?.to_ascii_uppercase();
                let text = rest.take_until(&CLAUSES, keep_word)?;
                clauses.own_clauses.push_str(&format!(" {keyword} {text}"));
            }
        }
        Some(clauses)
    }
}

/// `field [":" name] {"," field [":" name]}`
fn parse_fields(rest: &mut Statement<'_>) -> Option<Vec<(String, String)>> {
    let mut fields = Vec::new();
    loop {
        let name = rest.take_name()?;
        let pair = match name.split_once(':') {
            Some((from, to)) => (from.to_owned(), to.to_owned()),
            None => (name.clone(), name),
        };
        fields.push(pair);
        if !rest.accept_sign(",") {
            return Some(fields);
        }
    }
}
