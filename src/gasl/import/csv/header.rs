//! What the columns of a table mean.

use super::rows::Cell;
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;

/// What is in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    Id,
    Source,
    Target,
    /// An attribute of this name; whether it is text whatever it looks like.
    Attribute(String, Kind),
    /// A column without a name.
    Unnamed,
}

/// Whether numbers in a column are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As the cells are.
    Found,
    /// As the header says, they are not.
    Text,
}

/// Which rows a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    Nodes,
    Edges,
}

/// The names of a node's id, the best first. Each may be an ending, as in Neo4j's `person:ID`.
const IDS: [&str; 6] = ["id", ":id", "node_id", "node", "key", "name"];
const EDGE_IDS: [&str; 3] = ["id", ":id", "edge_id"];
/// The names of both ends: `from` goes with `to`, even where there is a `source` too.
const ENDS: [(&str, &str); 6] = [
    ("source", "target"),
    (":start_id", ":end_id"),
    ("from", "to"),
    ("src", "dst"),
    ("start", "end"),
    ("source_node", "target_node"),
];

/// The role of each column, or why the table cannot be read.
pub fn roles(table: Table, header: &[Cell<'_>], at: Span) -> Result<Vec<Role>, Diagnostic> {
    let names: Vec<String> = header.iter().map(|cell| cell.text().trim().to_owned()).collect();
    let place = |wanted: &str| names.iter().position(|name| is_called(name, wanted));
    let id = match table {
        Table::Nodes => IDS.iter().find_map(|id| place(id)),
        Table::Edges => EDGE_IDS.iter().find_map(|id| place(id)),
    };
    let both = |(source, target): &(&str, &str)| place(source).zip(place(target));
    let ends = if table == Table::Edges { ENDS.iter().find_map(both) } else { None };
    let (source, target) = ends.unzip();
    let complete = match table {
        Table::Nodes => id.is_some(),
        Table::Edges => source.is_some() && target.is_some(),
    };
    if !complete {
        let (message, help) = match table {
            Table::Nodes => ("the nodes have no column `id`", "call the column of the ids `id`"),
            Table::Edges => (
                "the edges have no columns `source` and `target`",
                "call the columns of the ends `source` and `target`",
            ),
        };
        let listed = names::list(names.iter().map(String::as_str));
        return Err(Diagnostic::new(codes::HEADER, message)
            .help(format!("{help}; the columns are {listed}"))
            .at(at));
    }
    let role = |(column, name): (usize, &String)| {
        let column = Some(column);
        if column == id {
            Role::Id
        } else if column == source {
            Role::Source
        } else if column == target {
            Role::Target
        } else {
            attribute(name)
        }
    };
    Ok(names.iter().enumerate().map(role).collect::<Vec<_>>())
}

fn is_called(name: &str, wanted: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    match wanted.starts_with(':') {
        // `:ID(Person)` and `person:ID` are ids too.
        true => lower.split('(').next().is_some_and(|name| name.ends_with(wanted)),
        false => lower == wanted,
    }
}

/// `age:int` is `age`; `:TYPE` and `:LABEL` are `type` and `label`.
fn attribute(name: &str) -> Role {
    let (before, behind) = name.rsplit_once(':').unwrap_or((name, ""));
    let kind = behind.to_ascii_lowercase();
    let (name, kind) = match (before, kind.as_str()) {
        ("", "type" | "label") => (kind.clone(), Kind::Text),
        (_, "string") => (before.to_owned(), Kind::Text),
        (_, "int" | "long" | "float" | "double" | "boolean") => (before.to_owned(), Kind::Found),
        _ => (name.to_owned(), Kind::Found),
    };
    if name.is_empty() { Role::Unnamed } else { Role::Attribute(name, kind) }
}

/// The warning for two columns of one name.
pub fn same_column(roles: &[Role], at: Span) -> Option<Diagnostic> {
    let twice = roles.iter().enumerate().find_map(|(place, role)| match role {
        Role::Attribute(name, _) => roles
            .iter()
            .take(place)
            .any(|other| matches!(other, Role::Attribute(other, _) if other == name))
            .then_some(name),
        _ => None,
    })?;
    Some(
        Diagnostic::new(codes::SAME_COLUMN, format!("two columns are called {}", quote(twice)))
            .help("rename one of them; where both have a cell, the last one was taken")
            .at(at),
    )
}
