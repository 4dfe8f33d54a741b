//! Types of the columns of a table: a column is numeric if nearly all of its cells are numbers.

use super::header::{ColumnRole, ColumnType};
use super::rows::{CsvCell, CsvReader, UnclosedQuote};
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::CapacityHint;
use crate::gasl::import::codes;
use crate::gasl::import::direction::DirectionCount;
use crate::gasl::import::import_builder::ImportBuilder;
use crate::gasl::import::number::exact_number;

/// Notation of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// The column has texts.
    None,
    /// Numbers of JSON.
    Point,
    /// Numbers with a decimal comma.
    Comma,
}

/// Share of the cells that may not be numbers in a numeric column: one of 50.
const NUMBERS_PER_EXCEPTION: usize = 49;

/// Statistics of a column.
#[derive(Default)]
pub struct ColumnStats {
    /// Whether numbers are counted.
    is_inferred: bool,
    /// Whether the header declares numbers.
    is_declared: bool,
    /// Number of non-empty cells.
    pub present: usize,
    /// Total length of the cells in bytes.
    bytes: usize,
    /// Numbers without a fraction or with a decimal point.
    numbers: usize,
    /// Numbers among them with a decimal point or an exponent, if decimal commas are possible.
    points: usize,
    /// Numbers with a decimal comma.
    commas: usize,
    /// Numbers among both with one separator before three digits, such as `1,234` and `12.000`.
    grouped: usize,
    /// First of them.
    first_grouped: Option<String>,
    /// Numbers in other notations, such as `1,234.5`, `+1`, `.5`, `50%` and `inf`.
    formatted: usize,
    /// Other cells that mean a missing value, such as `NA`.
    missing: usize,
    /// Whether a cell consists of digits and is not a number, such as `007`.
    has_codes: bool,
    /// First cell that is not a number, with its row.
    first_other: Option<(String, usize)>,
    /// Directions in a column `Type`.
    pub directions: Option<DirectionCount>,
}

impl ColumnStats {
    /// Returns the statistics of a column without cells.
    pub fn new(role: &ColumnRole) -> ColumnStats {
        let is_declared = matches!(role, ColumnRole::Attribute(_, ColumnType::Number));
        let is_inferred =
            is_declared || matches!(role, ColumnRole::Attribute(_, ColumnType::Inferred));
        let is_type =
            matches!(role, ColumnRole::Attribute(name, _) if name.eq_ignore_ascii_case("type"));
        let directions = is_type.then(DirectionCount::default);
        ColumnStats { is_inferred, is_declared, directions, ..ColumnStats::default() }
    }

    /// Counts the cell of a row.
    pub fn add(&mut self, cell: CsvCell<'_>, row: usize, delimiter: u8) {
        if let Some(directions) = &mut self.directions
            && !directions.is_incomplete()
        {
            directions.add_type(&cell.text());
        }
        if cell.is_empty() {
            return;
        }
        self.present += 1;
        self.bytes += cell.len();
        if !self.is_inferred || self.has_codes {
            return;
        }
        // Most texts are recognised by their first byte.
        match cell.may_be_number() {
            true => self.add_number(&cell.text(), row, delimiter),
            false => self.add_other(cell, row),
        }
    }

    fn add_number(&mut self, text: &str, row: usize, delimiter: u8) {
        let has_commas = allows_commas(delimiter);
        let trimmed = text.trim_ascii();
        if exact_number(trimmed).is_some() {
            self.numbers += 1;
            self.points += usize::from(has_commas && trimmed.contains(['.', 'e', 'E']));
        } else if has_commas && parse_comma_number(trimmed).is_some() {
            self.commas += 1;
        } else {
            let digits = trimmed.strip_prefix('-').unwrap_or(trimmed);
            self.has_codes = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            self.formatted += usize::from(is_formatted_number(trimmed));
            self.first_other.get_or_insert_with(|| (text.to_owned(), row));
            return;
        }
        if has_commas && is_grouped(trimmed) {
            self.grouped += 1;
            self.first_grouped.get_or_insert_with(|| trimmed.to_owned());
        }
    }

    fn add_other(&mut self, cell: CsvCell<'_>, row: usize) {
        self.missing += usize::from(is_missing(&cell.text()));
        if cell.may_be_formatted_number() {
            self.formatted += usize::from(is_formatted_number(cell.text().trim_ascii()));
        }
        if self.first_other.is_none() {
            self.first_other = Some((cell.text().into_owned(), row));
        }
    }

    /// Returns the notation of the column.
    pub fn number_format(&self) -> NumberFormat {
        let numbers = self.numbers + self.commas;
        let others = self.present - numbers - self.missing;
        let numbers_per_exception = if self.is_declared { 1 } else { NUMBERS_PER_EXCEPTION };
        let is_numeric = self.is_inferred
            && !self.has_codes
            && (numbers > 0 || self.present == 0)
            && others.saturating_mul(numbers_per_exception) <= numbers;
        match (is_numeric, self.points, self.commas) {
            (false, ..) => NumberFormat::None,
            (true, _, 0) => NumberFormat::Point,
            (true, 0, _) => NumberFormat::Comma,
            (true, _, _) => NumberFormat::None,
        }
    }

    /// Returns whether all cells that are not missing values are numbers, in two notations.
    fn is_mixed(&self) -> bool {
        let numbers = self.numbers + self.commas;
        self.commas > 0 && self.points > 0 && numbers + self.missing == self.present
    }

    /// Returns whether texts are read although the column is declared as numeric, or most of its
    /// cells are numbers, some of which are in another notation.
    fn has_unread_numbers(&self) -> bool {
        let is_text = self.number_format() == NumberFormat::None && !self.is_mixed();
        let others = self.commas + self.formatted;
        is_text && (self.is_declared || others > 0 && (self.numbers + others) * 2 > self.present)
    }

    /// Returns whether each separator may be one of thousands.
    fn is_grouped_only(&self) -> bool {
        self.grouped > 0 && self.grouped == self.points + self.commas
    }

    /// Returns the first cell that is not a number, quoted, and its row.
    fn first_other(&self) -> (String, usize) {
        match &self.first_other {
            Some((text, row)) => (quote(text), *row),
            None => (String::new(), 0),
        }
    }

    /// Returns the expected memory of the column.
    pub fn capacity_hint(&self) -> CapacityHint {
        match self.number_format() {
            NumberFormat::None => CapacityHint::Texts(self.present, self.bytes),
            _ => CapacityHint::Numbers(self.present),
        }
    }
}

/// Returns the number of rows and the statistics of each column.
pub fn scan_columns(
    roles: &[ColumnRole],
    mut rows: CsvReader<'_>,
    delimiter: u8,
) -> Result<(usize, Vec<ColumnStats>), UnclosedQuote> {
    let mut columns: Vec<ColumnStats> = roles.iter().map(ColumnStats::new).collect();
    let mut cells = Vec::new();
    let mut count = 0;
    while rows.next(&mut cells)?.is_some() {
        count += 1;
        for (column, cell) in columns.iter_mut().zip(&cells) {
            column.add(*cell, count, delimiter);
        }
    }
    Ok((count, columns))
}

/// Parses a cell of a numeric column; `None` if it is not a number.
pub fn parse_cell_number(text: &str, format: NumberFormat) -> Option<f64> {
    let text = text.trim_ascii();
    match format {
        NumberFormat::None => None,
        NumberFormat::Point => exact_number(text),
        NumberFormat::Comma => exact_number(text).or_else(|| parse_comma_number(text)),
    }
}

/// Returns whether a cell is blank or has a common name of a missing value.
fn is_missing(text: &str) -> bool {
    let text = text.trim_ascii();
    let names = ["", "na", "n/a", "#n/a", "<na>", "nan", "null", "none"];
    // Most texts are longer.
    text.len() <= 4 && names.iter().any(|name| text.eq_ignore_ascii_case(name))
}

fn allows_commas(delimiter: u8) -> bool {
    matches!(delimiter, b';' | b'\t')
}

/// Returns whether a number has one separator before three digits, such as `12.000`.
fn is_grouped(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let Some((before, after)) = digits.split_once([',', '.']) else { return false };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(before.len(), 1..=3)
        && !before.starts_with('0')
        && after.len() == 3
        && all_digits(before)
        && all_digits(after)
}

/// Returns the last separator of a number: `,` or `.`.
fn last_separator(number: &str) -> char {
    if number.rfind(',') > number.rfind('.') { ',' } else { '.' }
}

/// Maximum number of digits of a number that begins with `+`. More are a telephone number.
const MAX_SIGNED_DIGITS: usize = 6;

/// Returns whether a text is a number with separators of thousands, a sign, a unit or no integer part.
fn is_formatted_number(text: &str) -> bool {
    let (signed, plain) = match text.strip_prefix('+') {
        Some(plain) => (true, plain),
        None => (false, text.strip_prefix('-').unwrap_or(text)),
    };
    if matches!(plain.to_ascii_lowercase().as_str(), "inf" | "infinity") {
        return true;
    }
    let unit = ['$', '€', '£', '%', ' ', '\u{a0}', '\u{202f}'];
    let number = plain.trim_matches(unit);
    let has_unit = number.len() < plain.len();
    // Of two kinds of separators the last is the decimal one.
    let separators = |text: &str| text.matches([',', '.']).count();
    let (integer, fraction) = match number.rsplit_once([',', '.']) {
        _ if separators(number) == 1 && is_grouped(number) && number.contains(',') => (number, "0"),
        Some((before, after)) if number.matches(last_separator(number)).count() == 1 => {
            (before, after)
        }
        _ => (number, "0"),
    };
    let all_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let groups: Vec<&str> = integer.split([',', '.', '\'', ' ', '\u{a0}', '\u{202f}']).collect();
    let is_integer = match groups.as_slice() {
        [""] => !fraction.is_empty(),
        [one] => all_digits(one) && (!signed || one.len() <= MAX_SIGNED_DIGITS),
        // Four groups with points are an address of a network.
        [first, rest @ ..] => {
            matches!(first.len(), 1..=3)
                && all_digits(first)
                && rest.iter().all(|group| group.len() == 3 && all_digits(group))
                && !(rest.len() == 3 && integer.contains('.'))
        }
        [] => false,
    };
    let is_other =
        has_unit || signed || groups.len() > 1 || integer.is_empty() || number.contains(',');
    let has_digit = number.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && is_other && is_integer && all_digits(fraction)
}

/// Parses a number with a decimal comma.
fn parse_comma_number(text: &str) -> Option<f64> {
    let (integer, fraction) = text.split_once(',')?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let digits = integer.strip_prefix('-').unwrap_or(integer);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_fraction || !is_integer {
        return None;
    }
    exact_number(&format!("{integer}.{fraction}"))
}

/// Reports columns with decimal commas and columns with few texts among numbers.
pub fn report_numbers(
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
        graph.warn(codes::DECIMAL_COMMA, || {
            Diagnostic::new(codes::DECIMAL_COMMA, message)
                .help("remove the commas if they separate thousands")
                .at(at)
        });
    }
    let mixed: Vec<&str> = with(ColumnStats::is_mixed).collect();
    if !mixed.is_empty() {
        let message = format!(
            "decimal commas and points in {}; the cells are texts",
            names::format_names(mixed)
        );
        graph.warn(codes::MIXED_DECIMALS, || {
            Diagnostic::new(codes::MIXED_DECIMALS, message)
                .help("write all numbers with decimal points")
                .at(at)
        });
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
        graph.warn(codes::MIXED_DECIMALS, || {
            Diagnostic::new(codes::MIXED_DECIMALS, message)
                .help("write these numbers without separators of thousands")
                .at(at)
        });
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
    graph.warn(codes::NOT_NUMBERS, || {
        Diagnostic::new(codes::NOT_NUMBERS, message)
            .help(format!("call the column `{name}:string` to keep all texts"))
            .at(at)
    });
}

fn report_unread_numbers(name: &str, stats: &ColumnStats, at: Span, graph: &mut ImportBuilder) {
    let (text, row) = stats.first_other();
    let column = quote(name);
    let message =
        format!("expected numbers in {column}, found {text} in row {row}; all its cells are texts");
    graph.warn(codes::UNREAD_NUMBERS, || {
        Diagnostic::new(codes::UNREAD_NUMBERS, message)
            .help(format!("write such cells as in `1234.5`, or call the column `{name}:string`"))
            .at(at)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(cells: &[&str], delimiter: u8) -> NumberFormat {
        let role = ColumnRole::Attribute("a".into(), ColumnType::Inferred);
        let mut stats = ColumnStats::new(&role);
        for (index, cell) in cells.iter().enumerate() {
            let text = format!("{cell}{}", char::from(delimiter));
            let mut row = Vec::new();
            let read = CsvReader::new(&text, delimiter).next(&mut row);
            assert!(read.is_ok());
            stats.add(row[0], index, delimiter);
        }
        stats.number_format()
    }

    #[test]
    fn notation_depends_on_all_cells() {
        assert_eq!(format(&["1", "2.5", "", "1e3"], b','), NumberFormat::Point);
        assert_eq!(format(&["1", "x"], b','), NumberFormat::None);
        assert_eq!(format(&["0,5", "2", "-1,25"], b';'), NumberFormat::Comma);
        assert_eq!(format(&["0,5", "2.5"], b'\t'), NumberFormat::None);
        assert_eq!(format(&["0,5"], b'|'), NumberFormat::None);
        assert_eq!(format(&["1.234,5"], b';'), NumberFormat::None);
        assert_eq!(format(&["1,5", "NA", "2,0", "7"], b';'), NumberFormat::Comma);
        assert_eq!(format(&["30.0", "NaN", "9.0"], b','), NumberFormat::Point);
        assert_eq!(format(&[" 30", "9 ", " "], b','), NumberFormat::Point);
        assert_eq!(format(&["NA", "null"], b','), NumberFormat::None);
        let mut many = vec!["1"; 98];
        many.extend(["n/a", "-"]);
        assert_eq!(format(&many, b','), NumberFormat::Point);
        many.extend(["?", "?"]);
        assert_eq!(format(&many, b','), NumberFormat::None);
        let mut codes = vec!["12345"; 98];
        codes.push("00123");
        assert_eq!(format(&codes, b','), NumberFormat::None);
    }

    #[test]
    fn numbers_in_other_notations_are_recognised() {
        for text in [
            "1,234",
            "1,234.5",
            "1.234.567",
            "1 234,5",
            "1'234.5",
            ".5",
            "-.5",
            "+10",
            "inf",
            "-Infinity",
        ] {
            assert!(is_formatted_number(text), "{text}");
        }
        for text in ["50%", "$1,234.50", "9 €", "1,5"] {
            assert!(is_formatted_number(text), "{text}");
        }
        for text in [
            "192.168.100.200",
            "+4712345678",
            "1.2.3",
            "2020-01-05",
            "12:30",
            "a,5",
            "%",
            ".",
            "+",
            "info",
            "1,2,3",
        ] {
            assert!(!is_formatted_number(text), "{text}");
        }
        assert!(is_grouped("12.000") && is_grouped("1,234"));
        assert!(!is_grouped("0.125") && !is_grouped("1.5") && !is_grouped("1234.567"));
    }

    #[test]
    fn decimal_commas_are_parsed() {
        assert_eq!(parse_cell_number("-1,25", NumberFormat::Comma), Some(-1.25));
        assert_eq!(parse_cell_number("2", NumberFormat::Comma), Some(2.0));
        for text in ["1,", ",5", "1,2,3", "a,5", "1,5e3", "007,5"] {
            assert_eq!(parse_cell_number(text, NumberFormat::Comma), None, "{text}");
        }
    }
}
