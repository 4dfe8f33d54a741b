//! Translation of SQL queries.

use super::null_tests::{NEGATION, exclude_nulls};
use super::sql_items::{Groups, SelectItem, parse_items, parse_keys};
use super::statement::Statement;
use super::steps::{Selection, TranslatedCommands, Translation, print_fields};
use crate::gasl::language::printer::print_field;

/// Keywords that end an expression.
const CLAUSES: [&str; 16] = [
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION", "JOIN", "LEFT",
    "INNER", "AS", "INTO", "ON", "USING", "RIGHT",
];

/// `SELECT [DISTINCT] [TOP n] items FROM table [JOIN …] [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …]
/// [LIMIT n] [OFFSET n] [AS name]`, `SELECT … UNION [ALL] SELECT …`
pub fn translate(statement: &Statement<'_>) -> Option<Translation> {
    let mut sql = statement.clone();
    if !sql.accept("SELECT") {
        return None;
    }
    let distinct = sql.accept("DISTINCT");
    let top = if sql.accept("TOP") { Some(sql.take_count()?) } else { None };
    let mut items = parse_items(&mut sql)?;
    if !sql.accept("FROM") {
        return None;
    }
    let table = sql.take_word()?;
    if sql.is_keyword_at(0, "UNION") {
        return translate_union(sql, &items, table, distinct || top.is_some());
    }
    let mut query = SqlQuery { tables: vec![table.to_owned()], ..SqlQuery::default() };
    query.alias(&mut sql);
    let mut steps = match target_of(table) {
        Some(target) => {
            let conditions = query.condition(&mut sql);
            TranslatedCommands::from_graph(target, &conditions, "found")
        }
        None => TranslatedCommands::from_variable(table),
    };
    query.join(&mut sql, &items, &mut steps)?;
    let conditions = query.condition(&mut sql);
    if sql.is_keyword_at(0, "UNION") {
        return Some(Translation::Words(UNION.to_owned()));
    }
    let by = if sql.accept_both("GROUP", "BY") { query.fields(&mut sql)? } else { Vec::new() };
    let having = if sql.accept("HAVING") { query.text(&mut sql) } else { None };
    let order = if sql.accept_both("ORDER", "BY") { parse_keys(&mut sql)? } else { Vec::new() };
    let limit = if sql.accept("LIMIT") { Some(sql.take_count()?) } else { top };
    let offset = if sql.accept("OFFSET") { Some(sql.take_count()?) } else { None };
    if sql.accept_any(&["AS", "INTO"]) {
        query.output = Some(sql.take_name()?);
    }
    if !sql.is_done() {
        return None;
    }
    // `SELECT p FROM people p` selects complete rows.
    if let [item] = items.as_mut_slice()
        && item.function.is_none()
        && item.alias.is_none()
        && query.is_alias(&item.field)
    {
        item.field = "*".to_owned();
    }
    let unqualified = |name: &str| query.unqualified(name);
    let groups = match Groups::new(&unqualified, &items, &order, having.as_deref()) {
        Ok(groups) => groups,
        Err(words) => return Some(Translation::Words(words.to_owned())),
    };
    let key = |field: &String| groups.key_column(&unqualified, &items, &SelectItem::of(field));
    let by = by.iter().map(key).collect::<Option<Vec<_>>>()?;
    let is_grouped = !groups.functions.is_empty();
    let is_invalid =
        |item: &SelectItem| item.function.is_none() && !by.contains(&unqualified(&item.field));
    if is_grouped && by.is_empty() && items.iter().any(is_invalid)
        || !by.is_empty() && items.iter().any(is_invalid)
        || having.is_some() && !is_grouped && by.is_empty()
    {
        steps.refuse(UNGROUPED);
    }
    // A single `SELECT` filters and projects, unless another command is between.
    let is_single = !is_grouped && order.is_empty() && by.is_empty();
    if !is_single {
        steps.filter(&conditions);
    }
    if is_grouped {
        steps.aggregate(&by, &groups.functions);
    } else if !by.is_empty() {
        let fields = by.iter().map(|name| (name.clone(), name.clone())).collect::<Vec<_>>();
        steps.select(&Selection { distinct: true, fields: &fields, ..Selection::default() });
    }
    steps.filter(&groups.having.iter().cloned().collect::<Vec<_>>());
    let limit_of_rows = limit.filter(|_| offset.is_none());
    let mut keys = Vec::new();
    for (key, order) in &order {
        keys.push((groups.key_column(&unqualified, &items, key)?, *order));
    }
    steps.rank_by(&keys, limit_of_rows.filter(|_| !distinct));
    let mut fields: Vec<(String, String)> = Vec::new();
    for item in &items {
        let from = groups.column(&unqualified, item)?;
        let to = item.alias.clone().unwrap_or_else(|| from.clone());
        fields.push((from, to));
    }
    let is_all = items.iter().any(|item| item.field == "*" && item.function.is_none());
    let columns = by.iter().chain(&groups.columns);
    let is_unchanged = fields.iter().map(|(_, to)| to).eq(columns);
    if is_all || is_unchanged && (is_grouped || !by.is_empty()) {
        fields.clear();
    }
    steps.select(&Selection {
        distinct,
        fields: &fields,
        conditions: if is_single { &conditions } else { &[] },
        limit: limit_of_rows.filter(|_| distinct || order.is_empty()),
    });
    if query.has_negation {
        steps.refuse(NEGATION);
    }
    if let Some(words) = query.refusal {
        steps.refuse(words);
    }
    let rows = steps.rows();
    if let Some(offset) = offset {
        let limit = limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
        steps.push_last(format!("SHOW {rows}{limit} OFFSET {offset}"));
        return steps.finish(None);
    }
    let output = query.output.as_deref();
    steps.finish(output).or_else(|| {
        Some(match output {
            Some(output) => format!("SELECT {rows} AS {output}").into(),
            None => format!("SHOW {rows}").into(),
        })
    })
}

const UNGROUPED: &str = "beside `GROUP BY`, `HAVING` or a function, each column needs a function or `GROUP BY`: write `AGGREGATE rows BY f WITH count AS aggregated; SELECT aggregated WHERE count > 1 AS selected`";
const UNION: &str = "write a `SELECT … AS one` for each query, then `UNION one WITH other AS combined` and `SELECT DISTINCT combined AS different`";
const JOINED_COLUMNS: &str = "the columns of a join need the name of their table: write `SELECT b FIELDS id:b_id, name:b_name AS right; JOIN a WITH right ON id = b_id AS joined`";

/// Tables of a query and the name of its result.
#[derive(Default)]
struct SqlQuery {
    /// Names and aliases of the tables.
    tables: Vec<String>,
    /// Tables whose columns have the name of the table in front.
    renamed: Vec<String>,
    /// Whether a condition has a negation that cannot be translated.
    has_negation: bool,
    refusal: Option<&'static str>,
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

    /// Returns the column of a field with or without a table.
    fn unqualified(&self, name: &str) -> String {
        match name.split_once('.') {
            Some((table, field)) if self.renamed.iter().any(|other| other == table) => {
                format!("{table}_{field}")
            }
            Some((table, field)) if self.is_table(table) => field.to_owned(),
            _ => name.to_owned(),
        }
    }

    fn is_table(&self, name: &str) -> bool {
        self.tables.iter().any(|table| table == name)
    }

    /// Parses the condition after `WHERE`.
    fn condition(&mut self, sql: &mut Statement<'_>) -> Vec<String> {
        if !sql.accept("WHERE") {
            return Vec::new();
        }
        let Some(text) = self.text(sql) else { return Vec::new() };
        let parts = exclude_nulls(&text);
        self.has_negation |= parts.is_none();
        parts.unwrap_or_else(|| vec![text])
    }

    /// Parses the text of a condition.
    fn text(&self, sql: &mut Statement<'_>) -> Option<String> {
        sql.take_until(&CLAUSES, |word| Some(self.unqualified(word)))
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
    fn join(
        &mut self,
        sql: &mut Statement<'_>,
        items: &[SelectItem],
        steps: &mut TranslatedCommands,
    ) -> Option<()> {
        loop {
            let is_left = sql.is_keyword_at(0, "LEFT");
            sql.accept_any(&["LEFT", "INNER"]);
            sql.accept("OUTER");
            if !sql.accept("JOIN") {
                return if is_left { None } else { Some(()) };
            }
            let table = sql.take_word()?.to_owned();
            let mut aliases = SqlQuery { tables: vec![table.clone()], ..SqlQuery::default() };
            aliases.alias(sql);
            let alias = aliases.tables.last()?.clone();
            let is_of = |name: &str| name.split_once('.').is_some_and(|(of, _)| of == alias);
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
                if is_of(&one) { (other, one) } else { (one, other) }
            };
            let left_rows = steps.rows();
            let mut right_rows = table.clone();
            if let Some(target) = target_of(&table) {
                steps.push(format!("FIND {target}"), "others");
                right_rows = steps.rows();
            }
            let left = self.unqualified(&left);
            let key = aliases.unqualified(&right);
            let mut right = key.clone();
            let used: Vec<&str> = sql.words().filter(|word| is_of(word)).collect();
            // The other uses are outside of `ON`.
            if used.len() > usize::from(used.contains(&format!("{alias}.{key}").as_str())) {
                if items.iter().any(|item| item.field != "*" && !item.field.contains('.'))
                    || items.iter().any(|item| item.field == "*" && item.function.is_none())
                {
                    self.refusal = Some(JOINED_COLUMNS);
                }
                let mut fields: Vec<(String, String)> = Vec::new();
                let names = used.iter().filter_map(|word| word.split_once('.'));
                for name in std::iter::once(key.as_str()).chain(names.map(|(_, field)| field)) {
                    if fields.iter().all(|(other, _)| other != name) {
                        fields.push((name.to_owned(), format!("{alias}_{name}")));
                    }
                }
                let fields = print_fields(&fields);
                steps.push(format!("SELECT {right_rows} FIELDS {fields}"), "renamed");
                right_rows = steps.rows();
                right = format!("{alias}_{key}");
                self.renamed.push(alias);
            }
            let on = match left == right {
                true => print_field(&left),
                false => format!("{} = {}", print_field(&left), print_field(&right)),
            };
            let keyword = if is_left { "LEFT JOIN" } else { "JOIN" };
            steps.push(format!("{keyword} {left_rows} WITH {right_rows} ON {on}"), "joined");
            self.tables.extend(aliases.tables);
        }
    }
}

/// Parses `= name`.
fn parse_comparand(sql: &mut Statement<'_>) -> Option<String> {
    if sql.accept_sign("=") || sql.accept_sign("==") { sql.take_name() } else { None }
}

/// Returns the target of `FIND` for a table that is the graph itself.
pub fn target_of(table: &str) -> Option<&'static str> {
    match table.to_ascii_lowercase().as_str() {
        "nodes" | "node" | "vertices" | "vertex" | "entities" => Some("nodes"),
        "edges" | "edge" | "links" | "relations" | "relationships" | "rels" => Some("edges"),
        _ => None,
    }
}

/// `… FROM a UNION [ALL] SELECT … FROM b [AS name]`
fn translate_union(
    mut sql: Statement<'_>,
    items: &[SelectItem],
    table: &str,
    is_changed: bool,
) -> Option<Translation> {
    sql.accept("UNION");
    let is_all = sql.accept("ALL");
    let mut parsed = || {
        sql.accept("SELECT").then_some(())?;
        let others = parse_items(&mut sql)?;
        sql.accept("FROM").then_some(())?;
        let other = sql.take_word()?;
        let output = if sql.accept("AS") { Some(sql.take_name()?) } else { None };
        sql.is_done().then_some((others, other, output))
    };
    let parsed = parsed();
    let is_plain = |item: &SelectItem| item.function.is_none() && item.alias.is_none();
    let Some((others, other, output)) = parsed.filter(|(others, ..)| {
        let is_star = |item: &SelectItem| item.field == "*";
        !is_changed
            && items.len() == others.len()
            && items.iter().chain(others).all(is_plain)
            && items.iter().any(is_star) == others.iter().any(is_star)
    }) else {
        return Some(Translation::Words(UNION.to_owned()));
    };
    let field = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let mut steps = TranslatedCommands::default();
    let mut rows = Vec::new();
    for (table, columns) in [(table, items), (other, others.as_slice())] {
        let mut name = table.to_owned();
        if let Some(target) = target_of(table) {
            steps.push(format!("FIND {target}"), target);
            name = steps.rows();
        }
        // The columns have the names of the first query.
        let pairs = columns
            .iter()
            .zip(items)
            .map(|(item, first)| (field(&item.field), field(&first.field)));
        let pairs = pairs.collect::<Vec<_>>();
        if pairs.iter().all(|(name, _)| name != "*") {
            steps.push(format!("SELECT {name} FIELDS {}", print_fields(&pairs)), "selected");
            name = steps.rows();
        }
        rows.push(name);
    }
    steps.push(format!("UNION {}", rows.join(" WITH ")), "combined");
    if !is_all {
        steps.select(&Selection { distinct: true, ..Selection::default() });
    }
    steps.finish(output.as_deref())
}
