//! Roles of the columns of a table.

use crate::base::diagnostic::quote;
use crate::base::map::NameMap;
use crate::base::names;
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::Element;
use crate::gasl::import::codes;
use crate::gasl::import::end_names::{DECLARED_IDS, normalize_name};

/// Role of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    Id,
    Source,
    Target,
    /// Attribute with this name and declared type.
    Attribute(String, ColumnType),
    /// Python dictionaries with attributes.
    Dictionary,
    /// Column without a name.
    Unnamed,
}

/// Declared type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Inferred from the cells.
    Inferred,
    /// Numbers, also if some cells are not.
    Number,
    /// Text, even if all cells are numbers.
    Text,
    /// Text with one label. Several are separated by semicolons.
    Labels,
    /// List of texts, separated by semicolons.
    TextList,
    /// List of numbers, separated by semicolons.
    NumberList,
}

/// Kind of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvTable {
    Nodes,
    Edges,
}

impl CsvTable {
    /// Returns the first element of the kind that the table lists.
    pub fn element(self) -> Element {
        match self {
            CsvTable::Nodes => Element::Node(0),
            CsvTable::Edges => Element::Edge(0),
        }
    }
}

/// Names of the id column of nodes that [`DECLARED_IDS`] lacks, by priority.
const OTHER_NODE_IDS: [&str; 3] = ["nodeid", "node", "name"];
const EDGE_ID_NAMES: [&str; 5] = ["id", ":id", "~id", "edgeid", "_id"];

/// Returns the index of the column of ids; `None` if no column has such a name.
pub fn id_column(table: CsvTable, names: &[&str]) -> Option<usize> {
    // Both forms of each name are computed once, because there are many candidates.
    let forms: Vec<(String, String)> =
        names.iter().map(|name| (name.to_ascii_lowercase(), normalize_name(name))).collect();
    let index_of = |id: &str| forms.iter().position(|(lower, short)| has_name(lower, short, id));
    match table {
        CsvTable::Nodes => DECLARED_IDS.iter().chain(&OTHER_NODE_IDS).find_map(|id| index_of(id)),
        CsvTable::Edges => EDGE_ID_NAMES.iter().find_map(|id| index_of(id)),
    }
}

/// Returns whether a name in lower case, and without separators, is that of a column.
fn has_name(lower: &str, short: &str, column: &str) -> bool {
    match column.starts_with(':') {
        // Neo4j also writes `:ID(Person)` and `person:ID`.
        true => lower.split('(').next().is_some_and(|name| name.ends_with(column)),
        false => lower == column || (column != "id" && short == column),
    }
}

/// Returns the roles of the columns.
pub fn column_roles(
    names: &[&str],
    id: Option<usize>,
    ends: Option<(usize, usize)>,
) -> Vec<ColumnRole> {
    let (source, target) = ends.unzip();
    let role = |(column, name): (usize, &&str)| {
        let column = Some(column);
        if column == source {
            ColumnRole::Source
        } else if column == target {
            ColumnRole::Target
        } else if column == id {
            ColumnRole::Id
        } else {
            attribute_role(name)
        }
    };
    names.iter().enumerate().map(role).collect()
}

/// Returns the id spaces of a header of Neo4j: `Person` of `:START_ID(Person)`.
pub fn id_spaces(names: &[&str]) -> Vec<String> {
    let space = |name: &&str| {
        let (role, space) = name.strip_suffix(')')?.rsplit_once('(')?;
        let role = role.rsplit_once(':')?.1.to_ascii_lowercase();
        matches!(&*role, "id" | "start_id" | "end_id").then(|| space.to_owned())
    };
    names.iter().filter_map(space).collect()
}

/// Returns the error for a table of edges without ends.
pub fn missing_ends(names: &[&str], at: Span) -> Diagnostic {
    let listed = names::format_names(names.iter().copied());
    let help = match id_column(CsvTable::Nodes, names) {
        Some(_) => {
            "call the columns of the ends `source` and `target`; a table of nodes is `nodes` of \
             `Graph.from({ nodes, edges })`"
        }
        None => {
            "call the columns of the ends `source` and `target`; if the first row is an edge, write \
             `source,target` above it"
        }
    };
    let message = "missing columns `source` and `target` of the edges";
    Diagnostic::new(codes::MISSING_COLUMN, message)
        .help(format!("{help}; available: {listed}"))
        .at(at)
}

/// Returns the error for a column that the options name.
pub fn missing_column(column: &str, names: &[&str], at: Span) -> Diagnostic {
    Diagnostic::new(codes::MISSING_COLUMN, format!("missing column {}", quote(column)))
        .help(format!("available: {}", names::format_names(names.iter().copied())))
        .at(at)
}

/// Types of dates and times in headers.
const TIME_TYPES: [&str; 6] =
    ["date", "time", "datetime", "localtime", "localdatetime", "zoned datetime"];

/// Returns whether a type of a list, such as `int[]`, has known items.
fn is_item_type(kind: &str) -> bool {
    let item = kind.trim_end_matches("[]");
    let others = ["string", "char", "bool", "boolean", "point", "duration"];
    NUMBER_TYPES.contains(&item) || others.contains(&item) || TIME_TYPES.contains(&item)
}

/// Types of numbers in headers.
const NUMBER_TYPES: [&str; 7] = ["int", "integer", "long", "short", "byte", "float", "double"];

/// Returns the role of an attribute column: `age:int` is `age`, `:TYPE` is `type`, `:LABEL` is
/// `label`.
fn attribute_role(name: &str) -> ColumnRole {
    let (before, suffix) = name.rsplit_once(':').unwrap_or((name, ""));
    // Neptune writes `age(single):Int`.
    let before = ["(single)", "(set)"]
        .into_iter()
        .find_map(|end| before.strip_suffix(end))
        .unwrap_or(before);
    let kind = suffix.to_ascii_lowercase();
    let (name, kind) = match (before, kind.as_str()) {
        ("", "type") => (kind.clone(), ColumnType::Text),
        ("", "label") => (kind.clone(), ColumnType::Labels),
        (_, "ignore") => (String::new(), ColumnType::Text),
        // Neptune's column of the labels.
        _ if name == "~label" => ("label".to_owned(), ColumnType::Labels),
        (_, list) if list.ends_with("[]") && is_item_type(list) => {
            let is_number = NUMBER_TYPES.contains(&list.trim_end_matches("[]"));
            let kind = if is_number { ColumnType::NumberList } else { ColumnType::TextList };
            (before.to_owned(), kind)
        }
        (_, "string") => (before.to_owned(), ColumnType::Text),
        (_, number) if NUMBER_TYPES.contains(&number) => (before.to_owned(), ColumnType::Number),
        (_, "bool" | "boolean" | "char" | "point" | "duration") => {
            (before.to_owned(), ColumnType::Inferred)
        }
        (_, time) if TIME_TYPES.contains(&time) => (before.to_owned(), ColumnType::Inferred),
        _ => (name.to_owned(), ColumnType::Inferred),
    };
    if name.is_empty() { ColumnRole::Unnamed } else { ColumnRole::Attribute(name, kind) }
}

/// Returns the warning for two columns with the same name.
pub fn duplicate_column(roles: &[ColumnRole], at: Span) -> Option<Diagnostic> {
    let mut known = NameMap::default();
    let name = roles.iter().find_map(|role| match role {
        ColumnRole::Attribute(name, _) => known.insert(name.clone(), 0).map(|_| name),
        _ => None,
    })?;
    Some(
        Diagnostic::new(codes::DUPLICATE_COLUMN, format!("duplicate column {}", quote(name)))
            .help("rename one of them; the value of the last one is used")
            .at(at),
    )
}
