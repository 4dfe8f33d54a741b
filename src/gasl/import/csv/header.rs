//! Roles of the columns of a table.

use super::rows::CsvCell;
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;

/// Role of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    Id,
    Source,
    Target,
    /// Attribute with this name and declared type.
    Attribute(String, ColumnType),
    /// Column without a name.
    Unnamed,
}

/// Declared type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Inferred from the cells.
    Inferred,
    /// Text, even if all cells are numbers.
    Text,
}

/// Kind of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvTable {
    Nodes,
    Edges,
}

/// Names of the id column of nodes, by priority. `:id` is also a suffix, as in Neo4j's `person:ID`.
const NODE_IDS: [&str; 6] = ["id", ":id", "node_id", "node", "key", "name"];
const EDGE_IDS: [&str; 3] = ["id", ":id", "edge_id"];
/// Names of the endpoint columns, in pairs by priority.
const ENDPOINTS: [(&str, &str); 6] = [
    ("source", "target"),
    (":start_id", ":end_id"),
    ("from", "to"),
    ("src", "dst"),
    ("start", "end"),
    ("source_node", "target_node"),
];

/// Returns the role of each column; fails if a required column is missing.
pub fn roles(
    table: CsvTable,
    header: &[CsvCell<'_>],
    at: Span,
) -> Result<Vec<ColumnRole>, Diagnostic> {
    let names: Vec<String> = header.iter().map(|cell| cell.text().trim().to_owned()).collect();
    let index_of = |column: &str| names.iter().position(|name| has_name(name, column));
    let id = match table {
        CsvTable::Nodes => NODE_IDS.iter().find_map(|id| index_of(id)),
        CsvTable::Edges => EDGE_IDS.iter().find_map(|id| index_of(id)),
    };
    let both = |(source, target): &(&str, &str)| index_of(source).zip(index_of(target));
    let ends = if table == CsvTable::Edges { ENDPOINTS.iter().find_map(both) } else { None };
    let (source, target) = ends.unzip();
    let complete = match table {
        CsvTable::Nodes => id.is_some(),
        CsvTable::Edges => source.is_some() && target.is_some(),
    };
    if !complete {
        let (message, help) = match table {
            CsvTable::Nodes => {
                ("missing column `id` of the nodes", "name the column of the ids `id`")
            }
            CsvTable::Edges => (
                "missing columns `source` and `target` of the edges",
                "name the columns of the endpoints `source` and `target`",
            ),
        };
        let listed = names::list(names.iter().map(String::as_str));
        return Err(Diagnostic::new(codes::MISSING_COLUMN, message)
            .help(format!("{help}; available: {listed}"))
            .at(at));
    }
    let role = |(column, name): (usize, &String)| {
        let column = Some(column);
        if column == id {
            ColumnRole::Id
        } else if column == source {
            ColumnRole::Source
        } else if column == target {
            ColumnRole::Target
        } else {
            attribute(name)
        }
    };
    Ok(names.iter().enumerate().map(role).collect::<Vec<_>>())
}

fn has_name(name: &str, column: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    match column.starts_with(':') {
        // Neo4j also writes `:ID(Person)` and `person:ID`.
        true => lower.split('(').next().is_some_and(|name| name.ends_with(column)),
        false => lower == column,
    }
}

/// Returns the role of an attribute column: `age:int` is `age`, `:TYPE` is `type`, `:LABEL` is
/// `label`.
fn attribute(name: &str) -> ColumnRole {
    let (before, suffix) = name.rsplit_once(':').unwrap_or((name, ""));
    let kind = suffix.to_ascii_lowercase();
    let (name, kind) = match (before, kind.as_str()) {
        ("", "type" | "label") => (kind.clone(), ColumnType::Text),
        (_, "string") => (before.to_owned(), ColumnType::Text),
        (_, "int" | "long" | "float" | "double" | "boolean") => {
            (before.to_owned(), ColumnType::Inferred)
        }
        _ => (name.to_owned(), ColumnType::Inferred),
    };
    if name.is_empty() { ColumnRole::Unnamed } else { ColumnRole::Attribute(name, kind) }
}

/// Returns the warning for two columns with the same name.
pub fn duplicate_column(roles: &[ColumnRole], at: Span) -> Option<Diagnostic> {
    let name = roles.iter().enumerate().find_map(|(index, role)| match role {
        ColumnRole::Attribute(name, _) => roles
            .iter()
            .take(index)
            .any(|other| matches!(other, ColumnRole::Attribute(other, _) if other == name))
            .then_some(name),
        _ => None,
    })?;
    Some(
        Diagnostic::new(codes::DUPLICATE_COLUMN, format!("duplicate column {}", quote(name)))
            .help("rename one of them; the value of the last one is used")
            .at(at),
    )
}
