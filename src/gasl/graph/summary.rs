//! A short summary of a graph, for prompts.

use super::Graph;
use super::column::{Cell, Column};
use super::table::AttributeTable;
use crate::base::Value;
use crate::base::value::excerpt_of;
use petgraph::unionfind::UnionFind;

/// Maximum number of node fields, and of edge fields.
const MAX_FIELDS: usize = 24;

/// Maximum number of frequent values of a field.
const MAX_FREQUENT_VALUES: usize = 8;

/// Maximum number of characters of a value.
const VALUE_CHARS: usize = 60;

impl Graph {
    /// Returns counts, the relation field, and the type and the most frequent values of each field.
    pub fn summary(&self) -> Value {
        let mut summary = vec![
            ("nodes", self.node_count().into()),
            ("edges", self.edge_count().into()),
            ("directed", self.is_directed().into()),
            ("components", self.component_count().into()),
            ("node_fields", field_summaries(&self.nodes)),
            ("edge_fields", field_summaries(&self.edges)),
        ];
        summary.extend(self.relation_field().map(|field| ("relation_field", Value::Text(field))));
        Value::map_of(summary)
    }

    /// Returns the number of weakly connected components.
    pub fn component_count(&self) -> usize {
        let mut components = UnionFind::<u32>::new(self.node_count());
        let ends = self.sources.iter().zip(&self.targets);
        self.node_count()
            - ends.filter(|(source, target)| components.union(**source, **target)).count()
    }
}

fn field_summaries(table: &AttributeTable) -> Value {
    let mut fields: Vec<Value> = table.columns.iter().take(MAX_FIELDS).map(field_summary).collect();
    if let Some(more) = table.columns.len().checked_sub(MAX_FIELDS).filter(|more| *more > 0) {
        fields.push(Value::map([("more_fields", more.into())]));
    }
    fields.into()
}

fn field_summary(column: &Column) -> Value {
    let mut types: Vec<Value> = Vec::new();
    let mut counts = vec![0u32; column.texts.len()];
    let mut range: Option<(f64, f64)> = None;
    let mut present = 0usize;
    for (_, cell) in column.present_cells() {
        present += 1;
        match cell {
            Cell::Text(code) => {
                if let Some(count) = counts.get_mut(code as usize) {
                    *count += 1;
                }
            }
            Cell::Number(number) => {
                let (least, most) = range.unwrap_or((number, number));
                range = Some((least.min(number), most.max(number)));
            }
            _ => {}
        }
        let cell_type = type_name(column, cell);
        if !types.iter().any(|one| one.as_text() == Some(cell_type)) {
            types.push(cell_type.into());
        }
    }
    let mut summary = vec![
        ("name", Value::Text(column.name.clone())),
        ("kind", if types.len() == 1 { types.swap_remove(0) } else { types.into() }),
        ("rows", present.into()),
    ];
    if let Some((least, most)) = range {
        summary.extend([("least", least.into()), ("most", most.into())]);
    }
    if column.texts.len() > 0 {
        summary.extend([
            ("distinct", column.texts.len().into()),
            ("frequent", frequent_values(column, &counts)),
        ]);
    }
    Value::map_of(summary)
}

fn type_name(column: &Column, cell: Cell) -> &'static str {
    match cell {
        Cell::Text(_) => "string",
        Cell::Number(_) => "number",
        Cell::Bool(_) => "boolean",
        Cell::Missing | Cell::Null => "null",
        Cell::Value(_) => column.list_or_map(cell).map_or("null", Value::kind),
    }
}

/// Returns the most frequent texts with their counts; the first ones if all are distinct.
fn frequent_values(column: &Column, counts: &[u32]) -> Value {
    let highest = counts.iter().max().copied().unwrap_or_default();
    // Sorts only texts whose count reaches a threshold that enough texts reach.
    let mut threshold = highest;
    while threshold > 1
        && counts.iter().filter(|count| **count >= threshold).count() < MAX_FREQUENT_VALUES
    {
        threshold = threshold.div_ceil(2).min(threshold - 1);
    }
    let candidates = counts.iter().zip(0u32..).filter(|(count, _)| **count >= threshold);
    let mut codes: Vec<u32> = if highest > 1 {
        candidates.map(|(_, code)| code).collect()
    } else {
        candidates.map(|(_, code)| code).take(MAX_FREQUENT_VALUES / 2).collect()
    };
    codes.sort_by_key(|&code| u32::MAX - counts.get(code as usize).copied().unwrap_or_default());
    codes.truncate(MAX_FREQUENT_VALUES);
    let value = |code: u32| {
        let count = counts.get(code as usize).copied().unwrap_or_default();
        let excerpt = excerpt_of(column.texts.text(code), VALUE_CHARS);
        Value::map([("value", excerpt.into()), ("count", (count as usize).into())])
    };
    codes.into_iter().map(value).collect::<Vec<_>>().into()
}
