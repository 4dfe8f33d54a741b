//! Types of the columns of a table: a column is numeric if nearly all of its cells are numbers.

use super::header::{ColumnRole, ColumnType};
use super::number_notation::{
    NumberFormat, allows_commas, is_formatted_number, is_grouped, is_missing, parse_comma_number,
};
use super::rows::{CsvCell, CsvReader, UnclosedQuote};
use crate::base::diagnostic::quote;
use crate::gasl::graph::CapacityHint;
use crate::gasl::import::direction::DirectionCount;
use crate::gasl::import::number::exact_number;

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
    pub numbers: usize,
    /// Numbers among them with a decimal point or an exponent, if decimal commas are possible.
    pub points: usize,
    /// Numbers with a decimal comma.
    pub commas: usize,
    /// Numbers among both with one separator before three digits, such as `1,234` and `12.000`.
    grouped: usize,
    /// First of them.
    pub first_grouped: Option<String>,
    /// Numbers in other notations, such as `1,234.5`, `+1`, `.5`, `50%` and `inf`.
    formatted: usize,
    /// Other cells that mean a missing value, such as `NA`.
    missing: usize,
    /// Whether a cell consists of digits and is not a number, such as `007`.
    has_codes: bool,
    /// First cell that is not a number, with its row.
    first_other: Option<(String, usize)>,
    /// Whether the column has labels of nodes.
    has_labels: bool,
    /// First cell with several labels.
    pub first_labels: Option<String>,
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
        let has_labels = matches!(role, ColumnRole::Attribute(_, ColumnType::Labels));
        ColumnStats { is_inferred, is_declared, has_labels, directions, ..ColumnStats::default() }
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
        if self.has_labels && self.first_labels.is_none() {
            self.first_labels = Some(cell.text().into_owned()).filter(|text| text.contains(';'));
        }
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
    pub fn is_mixed(&self) -> bool {
        let numbers = self.numbers + self.commas;
        self.commas > 0 && self.points > 0 && numbers + self.missing == self.present
    }

    /// Returns whether texts are read although the column is declared as numeric, or most of its
    /// cells are numbers, some of which are in another notation.
    pub fn has_unread_numbers(&self) -> bool {
        let is_text = self.number_format() == NumberFormat::None && !self.is_mixed();
        let others = self.commas + self.formatted;
        is_text && (self.is_declared || others > 0 && (self.numbers + others) * 2 > self.present)
    }

    /// Returns whether each separator may be one of thousands.
    pub fn is_grouped_only(&self) -> bool {
        self.grouped > 0 && self.grouped == self.points + self.commas
    }

    /// Returns the first cell that is not a number, quoted, and its row.
    pub fn first_other(&self) -> (String, usize) {
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
}
