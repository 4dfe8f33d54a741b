//! A graph in few words, for a prompt.

use super::Graph;
use super::column::{Cell, Column};
use super::table::Table;
use crate::base::Value;
use crate::base::value::excerpt_of;
use petgraph::unionfind::UnionFind;

/// Fields of nodes, and of edges, that are told of.
const FIELDS: usize = 24;

/// Values of a field that are told.
const VALUES: usize = 8;

/// Characters of a value.
const CHARACTERS: usize = 60;

impl Graph {
    /// Counts, and each field with its kind and its most frequent values.
    pub fn summary(&self) -> Value {
        Value::map([
            ("nodes", self.node_count().into()),
            ("edges", self.edge_count().into()),
            ("directed", self.directed().into()),
            ("components", self.component_count().into()),
            ("node_fields", fields(&self.nodes)),
            ("edge_fields", fields(&self.edges)),
        ])
    }

    /// How many parts there are that no edge leads between, whichever way edges lead.
    pub fn component_count(&self) -> usize {
        let mut parts = UnionFind::<u32>::new(self.node_count());
        let ends = self.sources.iter().zip(&self.targets);
        self.node_count() - ends.filter(|(source, target)| parts.union(**source, **target)).count()
    }
}

fn fields(table: &Table) -> Value {
    let mut told: Vec<Value> = table.columns.iter().take(FIELDS).map(field).collect();
    if let Some(more) = table.columns.len().checked_sub(FIELDS).filter(|more| *more > 0) {
        told.push(Value::map([("more_fields", more.into())]));
    }
    told.into()
}

fn field(column: &Column) -> Value {
    let mut kinds: Vec<Value> = Vec::new();
    let mut counts = vec![0u32; column.texts.len()];
    let mut numbers: Option<(f64, f64)> = None;
    let mut present = 0usize;
    for (_, cell) in column.present() {
        present += 1;
        match cell {
            Cell::Text(text) => {
                if let Some(count) = counts.get_mut(text as usize) {
                    *count += 1;
                }
            }
            Cell::Number(number) => {
                let (least, most) = numbers.unwrap_or((number, number));
                numbers = Some((least.min(number), most.max(number)));
            }
            _ => {}
        }
        let kind = kind(column, cell);
        if !kinds.iter().any(|known| known.as_text() == Some(kind)) {
            kinds.push(kind.into());
        }
    }
    let mut told = vec![
        ("name", Value::Text(column.name.clone())),
        ("kind", if kinds.len() == 1 { kinds.swap_remove(0) } else { kinds.into() }),
        ("rows", present.into()),
    ];
    if let Some((least, most)) = numbers {
        told.extend([("least", least.into()), ("most", most.into())]);
    }
    if column.texts.len() > 0 {
        told.extend([
            ("distinct", column.texts.len().into()),
            ("frequent", frequent(column, &counts)),
        ]);
    }
    Value::map_of(told)
}

fn kind(column: &Column, cell: Cell) -> &'static str {
    match cell {
        Cell::Text(_) => "string",
        Cell::Number(_) => "number",
        Cell::Bool(_) => "boolean",
        Cell::Missing | Cell::Null => "null",
        Cell::Value(_) => column.container(cell).map_or("null", Value::kind),
    }
}

/// The texts that most rows have, with how many have them; where all are different, the first.
fn frequent(column: &Column, counts: &[u32]) -> Value {
    let highest = counts.iter().max().copied().unwrap_or_default();
    // Only what may be among the first is sorted: a count that enough texts reach is the least.
    let mut least = highest;
    while least > 1 && counts.iter().filter(|count| **count >= least).count() < VALUES {
        least = least.div_ceil(2).min(least - 1);
    }
    let told = counts.iter().zip(0u32..).filter(|(count, _)| **count >= least);
    let mut texts: Vec<u32> = if highest > 1 {
        told.map(|(_, text)| text).collect()
    } else {
        told.map(|(_, text)| text).take(VALUES / 2).collect()
    };
    texts.sort_by_key(|&text| u32::MAX - counts.get(text as usize).copied().unwrap_or_default());
    texts.truncate(VALUES);
    let value = |text: u32| {
        let count = counts.get(text as usize).copied().unwrap_or_default();
        let excerpt = excerpt_of(column.texts.text(text), CHARACTERS);
        Value::map([("value", excerpt.into()), ("count", (count as usize).into())])
    };
    texts.into_iter().map(value).collect::<Vec<_>>().into()
}
