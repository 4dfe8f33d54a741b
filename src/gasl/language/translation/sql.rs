//! Translation of SQL queries.

use super::statement::{Statement, keep_word};
use super::steps::{Selection, TranslatedCommands};
use crate::gasl::language::printer::print_field;

/// Keywords that end an expression.
const CLAUSES: [&str; 16] = [
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION", "JOIN", "LEFT",
    "INNER", "AS", "INTO", "ON", "USING", "RIGHT",
];

/// Item of the list after `SELECT`.
struct SelectItem {
    /// Printed function, as in `sum OF age`, or `None` for a field.
    function: Option<String>,
    /// Field, or column of the function.
    column: String,
    alias: Option<String>,
}

/// `SELECT [DISTINCT] [TOP n] items FROM table [JOIN …] [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …]
/// [LIMIT n] [OFFSET n] [AS name]`, `SELECT … UNION [ALL] SELECT …`
pub fn translate(statement: &Statement<'_>) -> Option<String> {
    let mut sql = statement.clone();
    if !sql.accept("SELECT") {
        return None;
    }
    let distinct = sql.accept("DISTINCT");
    let top = if sql.accept("TOP") { Some(sql.take_count()?) } else { None };
    let mut items = Vec::new();
    loop {
        items.push(parse_select_item(&mut sql)?);
        if !sql.accept_sign(",") {
            break;
        }
    }
    if !sql.accept("FROM") {
        return None;
    }
    let table = sql.take_word()?;
    if let Some(union) = translate_union(&sql, table) {
        return Some(union);
    }
    let mut query = SqlQuery { tables: vec![table.to_owned()], output: None };
    query.alias(&mut sql);
    let mut steps = match target_of(table) {
        Some(target) => {
            let conditions = query.condition(&mut sql, "WHERE");
            TranslatedCommands::from_graph(target, &conditions, "found")
        }
        None => TranslatedCommands::from_variable(table),
    };
    query.join(&mut sql, &mut steps)?;
    let conditions = query.condition(&mut sql, "WHERE");
    let by = if sql.accept_both("GROUP", "BY") { query.fields(&mut sql)? } else { Vec::new() };
    let having = query.condition(&mut sql, "HAVING");
    let order =
        if sql.accept_both("ORDER", "BY") { Some(parse_select_item(&mut sql)?) } else { None };
    let is_descending = order.is_some() && sql.accept("DESC");
    if order.is_some() {
        sql.accept("ASC");
    }
    let limit = if sql.accept("LIMIT") { Some(sql.take_count()?) } else { top };
    let offset = if sql.accept("OFFSET") { Some(sql.take_count()?) } else { None };
    if sql.accept_any(&["AS", "INTO"]) {
        query.output = Some(sql.take_name()?);
    }
    if !sql.is_done() {
        return None;
    }
    let functions: Vec<String> = items.iter().filter_map(|item| item.function.clone()).collect();
    let is_grouped = !functions.is_empty();
    // A column beside a function needs `GROUP BY`.
    if is_grouped && by.is_empty() && functions.len() < items.len() {
        return None;
    }
    // `SELECT p FROM people p` selects complete rows.
    if let [item] = items.as_mut_slice()
        && item.function.is_none()
        && item.alias.is_none()
        && query.is_alias(&item.column)
    {
        item.column = "*".to_owned();
    }
    // A single `SELECT` filters and projects, unless another command is between.
    let is_single = !is_grouped && order.is_none() && by.is_empty();
    if !is_single {
        steps.filter(&conditions);
    }
    if is_grouped {
        steps.aggregate(&by, &functions);
        steps.filter(&having.iter().map(|text| replace_aliases(text, &items)).collect::<Vec<_>>());
    } else if !by.is_empty() {
        let fields = by.iter().map(|name| (name.clone(), name.clone())).collect::<Vec<_>>();
        steps.select(&Selection { distinct: true, fields: &fields, ..Selection::default() });
    }
    let limit_of_rows = if offset.is_some() { None } else { limit };
    if let Some(item) = &order {
        let named = items.iter().find(|one| one.alias.as_deref() == Some(&item.column));
        let column = named.map_or(&item.column, |one| &one.column);
        let order = if is_descending { "DESC" } else { "ASC" };
        steps.rank(&query.unqualified(column), order, limit_of_rows);
    }
    let is_all = items.iter().any(|item| item.column == "*" && item.function.is_none());
    let has_alias = items.iter().any(|item| item.alias.is_some());
    let mut fields: Vec<(String, String)> = Vec::new();
    for item in items.iter().filter(|_| !is_all && (!is_grouped && by.is_empty() || has_alias)) {
        let mut from = query.unqualified(&item.column);
        if fields.iter().any(|(_, name)| *name == from) {
            // A second column of this name has the name of its table in front.
            from = item.column.replacen('.', "_", 1);
        }
        let to = item.alias.clone().unwrap_or_else(|| from.clone());
        fields.push((from, to));
    }
    steps.select(&Selection {
        distinct,
        fields: &fields,
        conditions: if is_single { &conditions } else { &[] },
        limit: limit_of_rows.filter(|_| order.is_none()),
    });
    let rows = steps.rows();
    if let Some(offset) = offset {
        let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
        steps.push_last(format!("SHOW {rows}{limit} OFFSET {offset}"));
        return steps.finish(None);
    }
    let output = query.output.as_deref();
    steps.finish(output).or_else(|| {
        Some(match output {
            Some(output) => format!("SELECT {rows} AS {output}"),
            None => format!("SHOW {rows}"),
        })
    })
}

/// Tables of a query and the name of its result.
struct SqlQuery {
    /// Names and aliases of the tables.
    tables: Vec<String>,
    output: Option<String>,
}

impl SqlQuery {
    /// Parses the alias of a table. An alias at the end names the result.
    fn alias(&mut self, sql: &mut Statement<'_>) {
        let mut after = sql.clone();
        let is_explicit = after.accept("AS");
        if !is_explicit && after.is_any_keyword(&CLAUSES) {
            return;
        }
        let Some(alias) = after.take_word() else { return };
        if !(is_explicit && after.is_done()) {
            self.tables.push(alias.to_owned());
            *sql = after;
        }
    }

    /// Returns whether a name is the alias of a table.
    fn is_alias(&self, name: &str) -> bool {
        self.tables.iter().skip(1).any(|alias| alias == name)
    }

    /// Removes the name of a table from a field.
    fn unqualified(&self, name: &str) -> String {
        let split = name.split_once('.').filter(|(table, _)| self.is_table(table));
        split.map_or(name, |(_, field)| field).to_owned()
    }

    fn is_table(&self, name: &str) -> bool {
        self.tables.iter().any(|table| table == name)
    }

    /// Parses a condition after a keyword.
    fn condition(&self, sql: &mut Statement<'_>, keyword: &str) -> Vec<String> {
        if !sql.accept(keyword) {
            return Vec::new();
        }
        let rename = |word: &str| Some(self.unqualified(word));
        sql.take_until(&CLAUSES, rename).into_iter().collect()
    }

    /// Parses fields after `BY`.
    fn fields(&self, sql: &mut Statement<'_>) -> Option<Vec<String>> {
        let mut fields = Vec::new();
        loop {
            fields.push(self.unqualified(&sql.take_name()?));
            if !sql.accept_sign(",") {
                return Some(fields);
            }
        }
    }

    /// `{[LEFT | INNER] JOIN table [alias] (ON a.x = b.y | USING (x))}`
    fn join(&mut self, sql: &mut Statement<'_>, steps: &mut TranslatedCommands) -> Option<()> {
        loop {
            let is_left = sql.is_keyword_at(0, "LEFT");
            sql.accept_any(&["LEFT", "INNER"]);
            sql.accept("OUTER");
            if !sql.accept("JOIN") {
                return if is_left { None } else { Some(()) };
            }
            let table = sql.take_word()?.to_owned();
            let mut aliases = SqlQuery { tables: vec![table.clone()], output: None };
            aliases.alias(sql);
            let (left, right) = if sql.accept("USING") {
                sql.accept_sign("(");
                let name = sql.take_name()?;
                sql.accept_sign(")");
                (name.clone(), name)
            } else {
                if !sql.accept("ON") {
                    return None;
                }
                let (one, other) = (sql.take_name()?, parse_comparand(sql)?);
                let is_swapped =
                    one.split_once('.').is_some_and(|(table, _)| aliases.is_table(table));
                if is_swapped { (other, one) } else { (one, other) }
            };
            let (left, right) = (self.unqualified(&left), aliases.unqualified(&right));
            let on = match left == right {
                true => print_field(&left),
                false => format!("{} = {}", print_field(&left), print_field(&right)),
            };
            let keyword = if is_left { "LEFT JOIN" } else { "JOIN" };
            steps.push(format!("{keyword} {} WITH {table} ON {on}", steps.rows()), "joined");
            self.tables.extend(aliases.tables);
        }
    }
}

/// Parses `= name`.
fn parse_comparand(sql: &mut Statement<'_>) -> Option<String> {
    if sql.accept_sign("=") || sql.accept_sign("==") { sql.take_name() } else { None }
}

/// `(field | "*" | function "(" ["DISTINCT"] (field | "*") ")") ["AS" alias]`
fn parse_select_item(sql: &mut Statement<'_>) -> Option<SelectItem> {
    let name = sql.take_name()?;
    let function = if sql.accept_sign("(") {
        let distinct = sql.accept("DISTINCT");
        let of = sql.take_name()?;
        sql.accept_sign(")").then_some(())?;
        Some(print_function(&name, distinct, of.rsplit('.').next().unwrap_or(&of))?)
    } else {
        None
    };
    // The table after `FROM` may have an alias too.
    let mut after = sql.clone();
    let alias = if after.accept("AS") { after.take_name() } else { None };
    let alias = alias.filter(|_| !after.is_done());
    if alias.is_some() {
        *sql = after;
    }
    let column = match &function {
        Some(function) => function.split(' ').next().unwrap_or_default().to_owned(),
        None => name,
    };
    Some(SelectItem { function, column, alias })
}

/// Prints an aggregate function, as in `sum OF age`.
pub fn print_function(name: &str, distinct: bool, of: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let own = match name.as_str() {
        "count" if distinct => "distinct",
        "count" | "size" => "count",
        "sum" | "total" => "sum",
        "avg" | "mean" | "average" => "avg",
        "min" | "max" | "list" | "distinct" => &name,
        "nunique" => "distinct",
        "array_agg" | "group_concat" | "string_agg" | "collect" | "tolist" => "list",
        _ => return None,
    };
    Some(match of {
        "*" | "" => own.to_owned(),
        of => format!("{own} OF {}", print_field(of)),
    })
}

/// Returns the target of `FIND` for a table that is the graph itself.
pub fn target_of(table: &str) -> Option<&'static str> {
    match table.to_ascii_lowercase().as_str() {
        "nodes" | "node" | "vertices" | "vertex" | "entities" => Some("nodes"),
        "edges" | "edge" | "links" | "relations" | "relationships" | "rels" => Some("edges"),
        _ => None,
    }
}

/// Replaces calls and aliases of aggregate functions in a condition by their columns.
fn replace_aliases(condition: &str, items: &[SelectItem]) -> String {
    let mut text = condition.to_owned();
    for SelectItem { function, column, alias } in items {
        if let Some(alias) = alias {
            let words = text.split(' ').map(|word| if word == alias { column } else { word });
            text = words.collect::<Vec<_>>().join(" ");
        }
        let Some(function) = function else { continue };
        let of = function.split_once(" OF ").map_or("*", |(_, of)| of);
        for call in [format!("{column}({of})"), format!("{column}(*)")] {
            let lower = text.to_ascii_lowercase();
            if let Some(start) = lower.find(&call.to_ascii_lowercase()) {
                text.replace_range(start..start + call.len(), column);
            }
        }
    }
    text
}

/// `… FROM a UNION [ALL] SELECT * FROM b [AS name]`
fn translate_union(sql: &Statement<'_>, table: &str) -> Option<String> {
    let mut sql = sql.clone();
    if !sql.accept("UNION") {
        return None;
    }
    let distinct = if sql.accept("ALL") { "" } else { " DISTINCT" };
    if !sql.accept("SELECT") {
        return None;
    }
    sql.take_until(&["FROM"], keep_word)?;
    sql.accept("FROM").then_some(())?;
    let other = sql.take_word()?;
    let output = if sql.accept("AS") { sql.take_word()? } else { "combined" };
    sql.is_done().then(|| format!("UNION {table} WITH {other}{distinct} AS {output}"))
}
