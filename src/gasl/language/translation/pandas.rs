//! Translation of pandas expressions.

use super::scanner::{Scanner, names_of, split, unquoted};
use super::sql::print_function;
use super::statement::Statement;
use super::steps::{Selection, TranslatedCommands};
use crate::gasl::language::printer::{print_field, print_path};

/// `df[df.x > 3]['y']`, `df.groupby('x').size()`, `pd.concat([a, b])`, `len(df)`
pub fn translate(statement: &Statement<'_>) -> Option<String> {
    let mut python = Scanner::new(statement.text().trim_end_matches(';'));
    let first = python.take_name()?;
    if ["print", "display", "len"].contains(&first) {
        let inner = python.take_brackets('(', ')')?;
        python.is_done().then_some(())?;
        return match first {
            "len" => frame_of_variable(inner)?.count_rows(),
            _ => match Scanner::new(inner).take_name()? == inner {
                true => Some(format!("SHOW {}", print_path(inner))),
                false => parse_frame(&mut Scanner::new(inner))?.finish(None),
            },
        };
    }
    if first == "pd" || first == "pandas" {
        python.accept(".").then_some(())?;
        let function = python.take_name()?;
        let text = python.take_brackets('(', ')')?;
        python.is_done().then_some(())?;
        return translate_module_function(function, text);
    }
    let mut python = Scanner::new(statement.text().trim_end_matches(';'));
    let frame = parse_frame(&mut python)?;
    let output = if python.accept_word("AS") { python.take_name() } else { None };
    if python.is_done() { frame.finish(output) } else { None }
}

/// Function of the module.
fn translate_module_function(function: &str, text: &str) -> Option<String> {
    let parts = split(text, ",");
    match function {
        "concat" => {
            let [one, other] = <[String; 2]>::try_from(names_of(parts.first()?)).ok()?;
            Some(format!("UNION {} WITH {} AS combined", print_path(&one), print_path(&other)))
        }
        "merge" => {
            let mut frame = frame_of_variable(parts.first()?)?;
            let rest = parts.get(1..)?.join(", ");
            frame.apply_method("merge", Some(&rest))?;
            frame.finish(None)
        }
        _ => None,
    }
}

/// Frame of a variable.
fn frame_of_variable(name: &str) -> Option<DataFrame> {
    let mut scanner = Scanner::new(name);
    let name = scanner.take_name()?.to_owned();
    let is_name = scanner.is_done() && !name.starts_with(|c: char| c.is_ascii_digit());
    let steps = TranslatedCommands::from_variable(&name);
    is_name.then_some(DataFrame {
        name,
        steps,
        columns: Vec::new(),
        by: Vec::new(),
        is_changed: false,
    })
}

/// Parses a variable with its brackets and methods.
fn parse_frame(python: &mut Scanner<'_>) -> Option<DataFrame> {
    let mut frame = frame_of_variable(python.take_name()?)?;
    loop {
        if let Some(inner) = python.take_brackets('[', ']') {
            frame.apply_brackets(inner)?;
        } else if python.accept(".") {
            let name = python.take_name()?;
            let arguments = python.take_brackets('(', ')');
            frame.apply_method(name, arguments)?;
        } else {
            return frame.is_changed.then_some(frame);
        }
    }
}

/// Rows of a variable while methods are applied.
struct DataFrame {
    name: String,
    steps: TranslatedCommands,
    /// Selected columns.
    columns: Vec<String>,
    /// Fields of `groupby`.
    by: Vec<String>,
    /// Whether anything but the name has been parsed.
    is_changed: bool,
}

impl DataFrame {
    fn apply_brackets(&mut self, inner: &str) -> Option<()> {
        self.is_changed = true;
        let is_column = unquoted(inner) != inner || inner.starts_with('[');
        match is_column {
            true => self.columns = names_of(inner),
            false if inner.contains(['=', '<', '>', '.', '&', '|', '~']) => {
                let condition = self.mask_to_condition(inner)?;
                self.steps.filter(&[condition]);
            }
            false => return None,
        }
        Some(())
    }

    /// Converts a mask to a condition.
    fn mask_to_condition(&self, mask: &str) -> Option<String> {
        for (sign, keyword) in [("|", "OR"), ("&", "AND")] {
            let parts = split(mask, sign);
            if parts.len() > 1 {
                let each = parts.iter().map(|part| self.mask_to_condition(part));
                let each = each.collect::<Option<Vec<_>>>()?;
                return Some(each.join(&format!(" {keyword} ")));
            }
        }
        if let Some(rest) = mask.strip_prefix('~') {
            let inner = self.mask_to_condition(rest)?;
            return Some(format!("NOT {inner}"));
        }
        if let Some(inner) = Scanner::new(mask).take_brackets('(', ')') {
            let inner = self.mask_to_condition(inner)?;
            let is_list = inner.contains(" AND ") || inner.contains(" OR ");
            return Some(if is_list { format!("({inner})") } else { inner });
        }
        let mut test = Scanner::new(mask);
        (test.take_name()? == self.name).then_some(())?;
        let column = match test.take_brackets('[', ']') {
            Some(inner) => unquoted(inner),
            None => test.accept(".").then(|| test.take_name()).flatten()?,
        };
        let column = print_field(column);
        if !test.accept(".") {
            return Some(format!("{column} {}", test.rest()));
        }
        let mut method = test.take_name()?;
        if method == "str" {
            test.accept(".").then_some(())?;
            method = test.take_name()?;
        }
        let argument = test.take_brackets('(', ')')?;
        let first = split(argument, ",").first().copied().unwrap_or_default();
        test.is_done().then_some(())?;
        Some(match method {
            "isin" => format!("{column} IN [{}]", argument.trim_matches(['[', ']'])),
            "contains" => format!("{column} CONTAINS {first}"),
            "startswith" => format!("{column} STARTS_WITH {first}"),
            "endswith" => format!("{column} ENDS_WITH {first}"),
            "isna" | "isnull" => format!("{column} IS NULL"),
            "notna" | "notnull" => format!("{column} IS NOT NULL"),
            "eq" => format!("{column} = {first}"),
            _ => return None,
        })
    }

    /// Applies a method, or selects a column if it has no arguments.
    fn apply_method(&mut self, name: &str, arguments: Option<&str>) -> Option<()> {
        self.is_changed = true;
        let Some(text) = arguments else {
            if !["loc", "iloc", "str", "values", "T"].contains(&name) {
                self.columns = vec![name.to_owned()];
            }
            return (name != "T").then_some(());
        };
        let parts = split(text, ",");
        let first = parts.first().copied().unwrap_or_default();
        let named = parts.iter().filter_map(|part| part.split_once('='));
        let named = named.map(|(name, value)| (name.trim(), value.trim())).collect::<Vec<_>>();
        let argument =
            |key: &str| named.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        match name {
            "head" => self.apply_limit(first.parse().unwrap_or(5)),
            "nlargest" | "nsmallest" => {
                let by = unquoted(parts.get(1)?).to_owned();
                let order = if name == "nlargest" { "DESC" } else { "ASC" };
                self.steps.rank(&by, order, Some(first.parse().ok()?));
            }
            "sort_values" => {
                let by = names_of(argument("by").unwrap_or(first)).into_iter().next()?;
                let is_descending = argument("ascending") == Some("False");
                self.steps.rank(&by, if is_descending { "DESC" } else { "ASC" }, None);
            }
            "groupby" => {
                // A list in brackets contains commas.
                let list = argument("by").unwrap_or(first);
                self.by = names_of(list);
            }
            "value_counts" => {
                let by = std::mem::take(&mut self.columns);
                let by = if first.is_empty() { by } else { names_of(first) };
                (!by.is_empty()).then(|| self.steps.count(&by))?;
            }
            "drop_duplicates" | "unique" => {
                let fields = unrenamed_fields(&std::mem::take(&mut self.columns));
                let selection =
                    Selection { distinct: true, fields: &fields, ..Selection::default() };
                self.steps.select(&selection);
            }
            "merge" => self.merge(first, &argument)?,
            "query" => {
                let condition = unquoted(first).replace(" and ", " AND ").replace(" or ", " OR ");
                self.steps.filter(&[condition]);
            }
            "agg" | "aggregate" => self.aggregate(unquoted(first))?,
            "reset_index" | "copy" | "to_frame" | "tolist" | "to_list" => {}
            "isna" | "notna" | "apply" | "map" | "pivot_table" => return None,
            name => self.aggregate(name)?,
        }
        Some(())
    }

    fn apply_limit(&mut self, limit: usize) {
        let fields = unrenamed_fields(&std::mem::take(&mut self.columns));
        let limit = Some(limit);
        self.steps.select(&Selection { fields: &fields, limit, ..Selection::default() });
    }

    fn aggregate(&mut self, function: &str) -> Option<()> {
        let by = std::mem::take(&mut self.by);
        let columns = std::mem::take(&mut self.columns);
        let columns = if columns.is_empty() { vec!["*".to_owned()] } else { columns };
        if columns == ["*"] && !["size", "count"].contains(&function) {
            return None;
        }
        let each = columns.iter().map(|column| print_function(function, false, column));
        self.steps.aggregate(&by, &each.collect::<Option<Vec<_>>>()?);
        Some(())
    }

    fn merge<'a>(
        &mut self,
        other: &str,
        argument: &impl Fn(&str) -> Option<&'a str>,
    ) -> Option<()> {
        let key = |name: &str| Some(unquoted(argument(name)?).to_owned());
        let left = key("left_on").or_else(|| key("on"))?;
        let right = key("right_on").or_else(|| key("on"))?;
        let keyword = match argument("how").map(unquoted) {
            None | Some("inner") => "JOIN",
            Some("left") => "LEFT JOIN",
            _ => return None,
        };
        let on = match left == right {
            true => print_field(&left),
            false => format!("{} = {}", print_field(&left), print_field(&right)),
        };
        let other = print_path(Scanner::new(other).take_name()?);
        let command = format!("{keyword} {} WITH {other} ON {on}", self.steps.rows());
        self.steps.push(command, "joined");
        Some(())
    }

    fn count_rows(mut self) -> Option<String> {
        self.steps.count(&[]);
        self.finish(None)
    }

    fn finish(mut self, output: Option<&str>) -> Option<String> {
        if !self.by.is_empty() {
            return None;
        }
        let fields = unrenamed_fields(&self.columns);
        self.steps.select(&Selection { fields: &fields, ..Selection::default() });
        self.steps.finish(output)
    }
}

/// Returns fields that keep their names.
fn unrenamed_fields(fields: &[String]) -> Vec<(String, String)> {
    fields.iter().map(|name| (name.clone(), name.clone())).collect()
}
