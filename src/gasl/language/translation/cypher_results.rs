//! Translation of `RETURN` of openCypher.

use super::aggregates::{NO_FUNCTION, function_columns, print_function};
use super::scanner::{Scanner, split};
use super::steps::{Selection, TranslatedCommands};

/// Kind of the rows that match a pattern, with the variables of the pattern.
pub enum RowKind<'a> {
    Nodes(&'a str),
    Edges { start: &'a str, relation: &'a str, end: &'a str },
    Paths,
}

/// `RETURN [DISTINCT] items [ORDER BY keys] [LIMIT n]`
pub struct CypherReturn {
    items: Vec<ReturnItem>,
    distinct: bool,
    /// Keys with their orders.
    order: Vec<(ReturnItem, &'static str)>,
    limit: Option<usize>,
}

/// Item after `RETURN`: `name`, `name.field`, `function(name.field)`, each with `AS alias`.
struct ReturnItem {
    /// Variable of the pattern, or `*`.
    name: String,
    field: Option<String>,
    /// Name of the function, and whether it has `DISTINCT`.
    function: Option<(String, bool)>,
    alias: Option<String>,
}

const END_FIELDS: &str = "rows of edges have only the ids of their ends, as `source` and `target`: join `FIND nodes` to them for other fields, as in `JOIN edges WITH nodes ON target = id AS joined`";

impl CypherReturn {
    pub fn parse(cypher: &mut Scanner<'_>, clauses: &[&str]) -> Option<CypherReturn> {
        let is_returned = cypher.accept_word("RETURN") || cypher.accept_word("WITH");
        let distinct = is_returned && cypher.accept_word("DISTINCT");
        let items = if is_returned { cypher.take_until(clauses) } else { "" };
        let items = split(items, ",").into_iter().map(ReturnItem::parse);
        let items = items.collect::<Option<Vec<_>>>()?;
        let mut order = Vec::new();
        if cypher.accept_word("ORDER") {
            cypher.accept_word("BY").then_some(())?;
            let keys = split(cypher.take_until(clauses), ",").into_iter().map(parse_key);
            order = keys.collect::<Option<Vec<_>>>()?;
        }
        let limit = match cypher.accept_word("LIMIT") {
            true => Some(cypher.take_name()?.parse().ok()?),
            false => None,
        };
        Some(CypherReturn { items, distinct, order, limit })
    }

    /// Returns whether nothing is selected.
    fn is_all(&self) -> bool {
        self.items.iter().all(|item| item.name == "*" && item.function.is_none())
    }

    /// Returns whether all items are of one node, without functions.
    pub fn is_of_node(&self, is_node: impl Fn(&str) -> bool) -> bool {
        let is_item = |item: &ReturnItem| item.function.is_none() && is_node(&item.name);
        !self.items.is_empty() && self.items.iter().all(is_item)
    }

    /// Returns whether complete paths are returned.
    pub fn is_path(&self, path: Option<&str>) -> bool {
        let is_path = |item: &ReturnItem| item.field.is_none() && Some(item.name.as_str()) == path;
        let is_ordered = !self.order.is_empty() || self.distinct;
        !is_ordered
            && (self.is_all() || self.is_of_node(|_| true) && self.items.iter().all(is_path))
    }

    /// Returns the name of the only item, if it is a variable.
    pub fn single_name(&self) -> Option<&str> {
        match self.items.as_slice() {
            [ReturnItem { name, field: None, function: None, alias }] => {
                alias.as_deref().or(Some(name.as_str())).filter(|name| *name != "*")
            }
            _ => None,
        }
    }

    /// Adds the commands of `RETURN`, `ORDER BY` and `LIMIT`.
    pub fn add_steps(&self, steps: &mut TranslatedCommands, kind: &RowKind<'_>) -> Option<()> {
        if steps.is_refused() {
            return Some(());
        }
        if self.items.iter().any(|item| item.column(kind).is_none()) {
            steps.refuse(END_FIELDS);
            return matches!(kind, RowKind::Edges { .. }).then_some(());
        }
        let functions = self.items.iter().filter(|item| item.function.is_some());
        let functions = functions.map(|item| item.print(kind)).collect::<Option<Vec<_>>>();
        let Some(functions) = functions else {
            steps.refuse(NO_FUNCTION);
            return Some(());
        };
        let mut columns = function_columns(&functions).into_iter();
        let is_grouped = !functions.is_empty();
        // Column and output name of each item, or nothing for complete rows.
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut by = Vec::new();
        for item in &self.items {
            let column = match item.function {
                Some(_) => columns.next()?,
                None => {
                    let is_part = self.items.len() > 1 && !matches!(kind, RowKind::Nodes(_));
                    match item.column(kind)? {
                        "*" if is_grouped || is_part => "id".to_owned(),
                        column => column.to_owned(),
                    }
                }
            };
            if is_grouped && item.function.is_none() {
                by.push(column.clone());
            }
            let name = item.alias.clone().unwrap_or_else(|| item.output(kind, &column));
            fields.push((column, name));
        }
        if is_grouped {
            steps.aggregate(&by, &functions);
        }
        let mut keys = Vec::new();
        for (key, order) in &self.order {
            let named = self.items.iter().zip(&fields);
            let named = named.filter(|(item, _)| {
                key.field.is_none()
                    && key.function.is_none()
                    && item.alias.as_ref() == Some(&key.name)
            });
            let same = self.items.iter().zip(&fields).filter(|(item, _)| item.is_same(key));
            let column = named.chain(same).next().map(|(_, (column, _))| column.as_str());
            let column = column.or_else(|| key.column(kind).filter(|_| !is_grouped));
            keys.push((column.filter(|column| *column != "*")?.to_owned(), *order));
        }
        let is_ranked = !keys.is_empty();
        steps.rank_by(&keys, self.limit.filter(|_| !self.distinct));
        let is_complete = fields.iter().any(|(column, _)| column == "*");
        let is_renamed = self.items.iter().any(|item| item.alias.is_some());
        if is_complete || is_grouped && !is_renamed {
            fields.clear();
        }
        let limit = self.limit.filter(|_| self.distinct || !is_ranked);
        steps.select(&Selection {
            distinct: self.distinct,
            fields: &fields,
            limit,
            ..Selection::default()
        });
        Some(())
    }
}

/// `item [ASC | DESC]`
fn parse_key(text: &str) -> Option<(ReturnItem, &'static str)> {
    let (item, word) = text.rsplit_once(char::is_whitespace).unwrap_or((text, ""));
    let order = match word.to_ascii_uppercase().as_str() {
        "DESC" | "DESCENDING" => "DESC",
        "ASC" | "ASCENDING" => "ASC",
        _ => return Some((ReturnItem::parse(text)?, "ASC")),
    };
    Some((ReturnItem::parse(item)?, order))
}

impl ReturnItem {
    fn parse(text: &str) -> Option<ReturnItem> {
        let mut item = Scanner::new(text);
        let first = if item.accept("*") { "*" } else { item.take_name()? };
        let (mut name, mut function) = (first.to_owned(), None);
        let mut field = if item.accept(".") { Some(item.take_name()?.to_owned()) } else { None };
        if let Some(inner) = item.take_brackets('(', ')') {
            let mut inner = Scanner::new(inner);
            let distinct = inner.accept_word("DISTINCT");
            name = if inner.accept("*") { "*".to_owned() } else { inner.take_name()?.to_owned() };
            field = if inner.accept(".") { Some(inner.take_name()?.to_owned()) } else { None };
            inner.is_done().then_some(())?;
            function = match first.to_ascii_lowercase().as_str() {
                "type" | "labels" => {
                    field = Some("type".to_owned());
                    None
                }
                "id" | "elementid" => {
                    field = Some("id".to_owned());
                    None
                }
                _ => Some((first.to_ascii_lowercase(), distinct)),
            };
        }
        let alias = if item.accept_word("AS") { Some(item.take_name()?.to_owned()) } else { None };
        item.is_done().then_some(ReturnItem { name, field, function, alias })
    }

    /// Returns whether another item has the same value.
    fn is_same(&self, other: &ReturnItem) -> bool {
        self.name == other.name && self.field == other.field && self.function == other.function
    }

    /// Returns the column of an item without its function, or `*` for complete rows.
    fn column(&self, kind: &RowKind<'_>) -> Option<&str> {
        let field = self.field.as_deref();
        let end = |column| field.is_none_or(|field| field == "id").then_some(column);
        match kind {
            _ if self.name == "*" => Some("*"),
            RowKind::Nodes(node) if self.name == *node => Some(field.unwrap_or("*")),
            RowKind::Edges { relation, .. } if self.name == *relation => Some(field.unwrap_or("*")),
            RowKind::Edges { start, .. } if self.name == *start => end("source"),
            RowKind::Edges { end: last, .. } if self.name == *last => end("target"),
            RowKind::Paths => Some("*"),
            _ => None,
        }
    }

    /// Returns the name of a column in the result.
    fn output(&self, kind: &RowKind<'_>, column: &str) -> String {
        let is_end = matches!(kind, RowKind::Edges { relation, .. } if self.name != *relation);
        match &self.field {
            _ if self.function.is_some() => column.to_owned(),
            None if is_end => self.name.clone(),
            Some(field) if is_end => format!("{}_{field}", self.name),
            _ => column.to_owned(),
        }
    }

    /// Prints the function of an item.
    fn print(&self, kind: &RowKind<'_>) -> Option<String> {
        let (function, distinct) = self.function.as_ref()?;
        let is_count = function == "count";
        let of = match self.column(kind)? {
            // Every row has its node or edge.
            "source" | "target" if is_count && !distinct => "*",
            "*" if is_count && *distinct => "id",
            "*" if !is_count => return None,
            column => column,
        };
        print_function(function, *distinct, of)
    }
}
