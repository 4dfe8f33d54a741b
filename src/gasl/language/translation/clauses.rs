//! Translation of commands with clauses of other languages, such as `ORDER BY` and `HAVING`.

use super::sql::target_of;
use super::statement::{Statement, keep_word};
use super::steps::{Selection, TranslatedCommands};

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
    conditions: Vec<String>,
    having: Vec<String>,
    fields: Vec<(String, String)>,
    group: Vec<String>,
    /// Field and order.
    order: Option<(String, &'static str)>,
    limit: Option<usize>,
    offset: Option<usize>,
    /// Clauses of the command itself, as written.
    own_clauses: String,
    output: Option<String>,
    /// Whether a clause belongs to another language, or is at an invalid position.
    is_foreign: bool,
}

/// Moves clauses that the command does not have into commands of their own.
pub fn translate(statement: &Statement<'_>) -> Option<String> {
    let mut rest = statement.clone();
    let command = rest.take()?.to_ascii_uppercase();
    let distinct = command == "SELECT" && rest.accept("DISTINCT");
    let head = rest.take_until(&CLAUSES, keep_word).unwrap_or_default();
    let clauses = Clauses::parse(&command, rest)?;
    if !clauses.is_foreign {
        return None;
    }
    let Clauses {
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
    let is_ranked = order.is_some() || offset.is_some();
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
            (steps, Selection { limit, ..Selection::default() })
        }
        "WALK" | "JOIN" | "LEFT" | "UNION" => {
            let head = if head.is_empty() { head } else { format!(" {head}") };
            let mut steps = TranslatedCommands::default();
            steps.push(format!("{command}{head}{own}"), "reached");
            steps.filter(&conditions);
            (steps, Selection { fields: &fields, limit: rows_limit, ..Selection::default() })
        }
        _ => return None,
    };
    if !group.is_empty() {
        steps.count(&group);
        later.fields = &[];
    }
    steps.filter(&having);
    if let Some((by, order)) = &order {
        steps.rank(by, order, limit.filter(|_| offset.is_none()));
    }
    steps.select(&later);
    if command == "SHOW" || offset.is_some() {
        steps.name_rows(output.as_deref());
        let limit = limit.filter(|_| order.is_none() || offset.is_some());
        let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
        let offset = offset.map_or(String::new(), |offset| format!(" OFFSET {offset}"));
        steps.push_last(format!("SHOW {}{limit}{offset}", steps.rows()));
        return steps.finish(None);
    }
    steps.finish(output.as_deref())
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
                clauses.conditions.push(rest.take_until(&CLAUSES, keep_word)?);
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
                let field = rest.take_name()?;
                let is_descending = rest.accept_any(&["DESC", "DESCENDING"]);
                rest.accept_any(&["ASC", "ASCENDING"]);
                clauses.order = Some((field, if is_descending { "DESC" } else { "ASC" }));
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
