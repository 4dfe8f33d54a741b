//! Reports about the columns of a table.

use super::column_stats::ColumnStats;
use super::header::ColumnRole;
use super::number_notation::NumberFormat;
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Code, Diagnostic, Span};
use crate::gasl::import::codes;
use crate::gasl::import::import_builder::ImportBuilder;

/// Reports columns with decimal commas, with few texts among numbers, and with several labels.
pub fn report_columns(
    roles: &[ColumnRole],
    stats: &[ColumnStats],
    at: Span,
    graph: &mut ImportBuilder,
) {
    let named = roles.iter().zip(stats).filter_map(|(role, stats)| match role {
        ColumnRole::Attribute(name, _) => Some((name.as_str(), stats)),
        _ => None,
    });
    let named: Vec<(&str, &ColumnStats)> = named.collect();
    let with = |matches: fn(&ColumnStats) -> bool| {
        named.iter().filter(move |(_, stats)| matches(stats)).map(|(name, _)| *name)
    };
    let commas: Vec<&str> = with(|stats| stats.number_format() == NumberFormat::Comma).collect();
    if !commas.is_empty() {
        let message = format!(
            "decimal commas in {}, which were read as numbers",
            names::format_names(commas)
        );
        warn(
            codes::DECIMAL_COMMA,
            message,
            "remove the commas if they separate thousands",
            at,
            graph,
        );
    }
    let mixed: Vec<&str> = with(ColumnStats::is_mixed).collect();
    if !mixed.is_empty() {
        let message = format!(
            "decimal commas and points in {}; the cells are texts",
            names::format_names(mixed)
        );
        warn(codes::MIXED_DECIMALS, message, "write all numbers with decimal points", at, graph);
    }
    report_grouped(&named, at, graph);
    for (name, stats) in named {
        let others = stats.present - stats.numbers - stats.commas;
        if others > 0 && stats.number_format() != NumberFormat::None {
            report_texts_among_numbers(name, stats, others, at, graph);
        }
        if stats.has_unread_numbers() {
            report_unread_numbers(name, stats, at, graph);
        }
        if let Some(labels) = &stats.first_labels {
            report_labels(name, labels, at, graph);
        }
    }
}

/// Reports columns whose separators may be those of thousands, because another column has the opposite
/// decimal separator.
fn report_grouped(named: &[(&str, &ColumnStats)], at: Span, graph: &mut ImportBuilder) {
    let certain = |format: NumberFormat| {
        named.iter().find(|(_, stats)| {
            let has_separators = stats.points + stats.commas > 0;
            stats.number_format() == format && has_separators && !stats.is_grouped_only()
        })
    };
    let (points, commas) = (certain(NumberFormat::Point), certain(NumberFormat::Comma));
    for (name, stats) in named {
        let opposite = match stats.number_format() {
            NumberFormat::Comma => points,
            NumberFormat::Point => commas,
            NumberFormat::None => None,
        };
        let (Some((other, _)), Some(first), true) =
            (opposite, &stats.first_grouped, stats.is_grouped_only())
        else {
            continue;
        };
        let message = format!(
            "{} in {} is read as a fraction, but {} has another decimal separator",
            quote(first),
            quote(name),
            quote(other)
        );
        warn(
            codes::MIXED_DECIMALS,
            message,
            "write these numbers without separators of thousands",
            at,
            graph,
        );
    }
}

fn report_texts_among_numbers(
    name: &str,
    stats: &ColumnStats,
    others: usize,
    at: Span,
    graph: &mut ImportBuilder,
) {
    let (text, row) = stats.first_other();
    let message = format!(
        "expected numbers in {}, found {others} of {} cells that are not, first {text} in row {row}; \
         they were read as null",
        quote(name),
        stats.present
    );
    warn(
        codes::NOT_NUMBERS,
        message,
        format!("call the column `{name}:string` to keep all texts"),
        at,
        graph,
    );
}

fn report_unread_numbers(name: &str, stats: &ColumnStats, at: Span, graph: &mut ImportBuilder) {
    let (text, row) = stats.first_other();
    let column = quote(name);
    let message =
        format!("expected numbers in {column}, found {text} in row {row}; all its cells are texts");
    warn(
        codes::UNREAD_NUMBERS,
        message,
        format!("write such cells as in `1234.5`, or call the column `{name}:string`"),
        at,
        graph,
    );
}

fn report_labels(name: &str, labels: &str, at: Span, graph: &mut ImportBuilder) {
    let message = format!("expected one label in {}, found {}", quote(name), quote(labels));
    warn(
        codes::SEVERAL_LABELS,
        message,
        format!("call the column `{name}:string[]` for lists; its cells are texts"),
        at,
        graph,
    );
}

fn warn(code: Code, message: String, help: impl AsRef<str>, at: Span, graph: &mut ImportBuilder) {
    graph.warn(code, || Diagnostic::new(code, message).help(help.as_ref()).at(at));
}
