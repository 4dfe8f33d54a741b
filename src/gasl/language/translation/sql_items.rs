//! Items of SQL queries, and their aggregate functions.

use super::aggregates::{NO_FUNCTION, function_columns, print_function, replace_calls};
use super::statement::Statement;

/// Item of the list after `SELECT` or `ORDER BY`.
pub struct SelectItem {
    /// Name of the function, and whether it has `DISTINCT`.
    pub function: Option<(String, bool)>,
    /// Field as written, or `*`.
    pub field: String,
    pub alias: Option<String>,
}

/// Aggregate functions of a query.
pub struct Groups {
    /// Printed functions with their columns.
    pub functions: Vec<String>,
    pub columns: Vec<String>,
    pub having: Option<String>,
}

impl Groups {
    /// Collects the functions of all clauses, or returns words on one without an equivalent.
    pub fn new(
        unqualified: &dyn Fn(&str) -> String,
        items: &[SelectItem],
        order: &[(SelectItem, &'static str)],
        having: Option<&str>,
    ) -> Result<Groups, &'static str> {
        let mut functions: Vec<String> = Vec::new();
        let mut add = |function: String| {
            if !functions.contains(&function) {
                functions.push(function);
            }
        };
        for item in items.iter().chain(order.iter().map(|(item, _)| item)) {
            if item.function.is_some() {
                add(item.print(unqualified).ok_or(NO_FUNCTION)?);
            }
        }
        if let Some(having) = having {
            let collect = |function: &str| {
                add(function.to_owned());
                Some(String::new())
            };
            replace_calls(having, collect).ok_or(NO_FUNCTION)?;
        }
        let columns = function_columns(&functions);
        let mut groups = Groups { functions, columns, having: None };
        if let Some(having) = having {
            let text =
                replace_calls(having, |function| groups.column_of(function)).ok_or(NO_FUNCTION)?;
            let replace = |word: &str| {
                let named = items.iter().find(|item| item.alias.as_deref() == Some(word));
                named
                    .and_then(|item| groups.column(unqualified, item))
                    .unwrap_or_else(|| word.to_owned())
            };
            let text = text.split(' ').map(replace).collect::<Vec<_>>().join(" ");
            groups.having = Some(text);
        }
        Ok(groups)
    }

    fn column_of(&self, function: &str) -> Option<String> {
        let index = self.functions.iter().position(|other| other == function)?;
        self.columns.get(index).cloned()
    }

    /// Returns the column of an item.
    pub fn column(
        &self,
        unqualified: &dyn Fn(&str) -> String,
        item: &SelectItem,
    ) -> Option<String> {
        match item.function {
            Some(_) => self.column_of(&item.print(unqualified)?),
            None => Some(unqualified(&item.field)),
        }
    }

    /// Returns the column of a key of `ORDER BY`, which may be an alias or a position.
    pub fn key_column(
        &self,
        unqualified: &dyn Fn(&str) -> String,
        items: &[SelectItem],
        key: &SelectItem,
    ) -> Option<String> {
        let named = items.iter().find(|item| item.alias.as_ref() == Some(&key.field));
        let position = key.field.parse::<usize>().ok().map(|position| position.wrapping_sub(1));
        let item = match (&key.function, position) {
            (Some(_), _) => key,
            (None, Some(position)) => items.get(position).filter(|item| item.field != "*")?,
            (None, None) => named.unwrap_or(key),
        };
        self.column(unqualified, item)
    }
}

/// `item {"," item}`
pub fn parse_items(sql: &mut Statement<'_>) -> Option<Vec<SelectItem>> {
    let mut items = Vec::new();
    loop {
        items.push(parse_select_item(sql)?);
        if !sql.accept_sign(",") {
            return Some(items);
        }
    }
}

/// `item [ASC | DESC] {"," item [ASC | DESC]}`
pub fn parse_keys(sql: &mut Statement<'_>) -> Option<Vec<(SelectItem, &'static str)>> {
    let mut keys = Vec::new();
    loop {
        let item = parse_select_item(sql)?;
        let order = if sql.accept("DESC") { "DESC" } else { "ASC" };
        sql.accept("ASC");
        keys.push((item, order));
        if !sql.accept_sign(",") {
            return Some(keys);
        }
    }
}

/// `(field | "*" | function "(" ["DISTINCT"] (field | "*") ")") ["AS" alias]`
fn parse_select_item(sql: &mut Statement<'_>) -> Option<SelectItem> {
    let mut field = sql.take_name()?;
    let mut function = None;
    if sql.accept_sign("(") {
        let distinct = sql.accept("DISTINCT");
        function = Some((field, distinct));
        field = sql.take_name()?;
        sql.accept_sign(")").then_some(())?;
    }
    // The table after `FROM` may have an alias too.
    let mut after = sql.clone();
    let alias = if after.accept("AS") { after.take_name() } else { None };
    let alias = alias.filter(|_| !after.is_done());
    if alias.is_some() {
        *sql = after;
    }
    Some(SelectItem { function, field, alias })
}

impl SelectItem {
    pub fn of(field: &str) -> SelectItem {
        SelectItem { function: None, field: field.to_owned(), alias: None }
    }

    /// Prints the function of an item.
    fn print(&self, unqualified: &dyn Fn(&str) -> String) -> Option<String> {
        let (function, distinct) = self.function.as_ref()?;
        print_function(function, *distinct, &unqualified(&self.field))
    }
}
