//! Translation of pandas expressions.

use super::aggregates::{function_columns, print_function};
use super::python_call::PythonCall;
use super::scanner::{Scanner, names_of, split, unquoted};
use super::statement::Statement;
use super::steps::{Selection, TranslatedCommands, Translation};
use crate::gasl::language::function_recovery;
use crate::gasl::language::printer::{print_field, print_path};

/// Arguments whose value is the default, or that do not change the result.
const NEUTRAL: [(&str, &str); 12] = [
    ("inplace", "*"),
    ("ignore_index", "*"),
    ("drop", "*"),
    ("name", "*"),
    ("as_index", "*"),
    ("kind", "*"),
    ("observed", "*"),
    ("sort", "*"),
    ("keep", "'first'"),
    ("normalize", "False"),
    ("axis", "0"),
    ("na_position", "'last'"),
];

const SUBSET: &str = "the first row of each group has no equivalent: write `SELECT DISTINCT rows FIELDS f AS different` for the values, or `AGGREGATE rows BY f WITH min OF g AS first`";
const COUNT_OF_COLUMNS: &str = "`count()` counts the values of each column: write `COUNT rows BY f AS counted` for the number of rows, or `AGGREGATE rows BY f WITH count OF g AS counted`";

/// `df[df.x > 3]['y']`, `df.groupby('x').size()`, `pd.concat([a, b])`, `len(df)`
pub fn translate(statement: &Statement<'_>) -> Option<Translation> {
    let mut python = Scanner::new(statement.text().trim_end_matches(';'));
    let first = python.take_name()?;
    if ["print", "display", "len"].contains(&first) {
        let inner = python.take_brackets('(', ')')?;
        python.is_done().then_some(())?;
        return match first {
            "len" => frame_of_variable(inner)?.count_rows(),
            _ => match Scanner::new(inner).take_name()? == inner {
                true => Some(format!("SHOW {}", print_path(inner)).into()),
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
fn translate_module_function(function: &str, text: &str) -> Option<Translation> {
    let mut call = PythonCall::new(text);
    let mut frame = match function {
        "concat" => {
            let [one, other] = <[String; 2]>::try_from(names_of(call.take("objs")?)).ok()?;
            let mut frame = frame_of_variable(&one)?;
            frame.steps.push(
                format!("UNION {} WITH {}", print_path(&one), print_path(&other)),
                "combined",
            );
            frame
        }
        "merge" => {
            let mut frame = frame_of_variable(call.take("left")?)?;
            frame.merge(&mut call)?;
            frame
        }
        _ => return None,
    };
    frame.refuse_rest(function, call);
    frame.finish(None)
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
        value: None,
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
    /// Column of the values of a series with groups.
    value: Option<String>,
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
                // `df.loc[mask, columns]`
                let (mask, columns) = match split(inner, ",").as_slice() {
                    [mask] => (*mask, Vec::new()),
                    [mask, columns] => (*mask, names_of(columns)),
                    _ => return None,
                };
                let condition = self.mask_to_condition(mask)?;
                self.steps.filter(&[condition]);
                self.columns = columns;
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
            // A column on the right has no name of its own.
            let is_value = !test.rest().contains(&format!("{}.", self.name))
                && !test.rest().contains(&format!("{}[", self.name));
            return is_value.then(|| format!("{column} {}", test.rest()));
        }
        let mut method = test.take_name()?;
        if method == "str" {
            test.accept(".").then_some(())?;
            method = test.take_name()?;
        }
        let argument = test.take_brackets('(', ')')?;
        test.is_done().then_some(())?;
        let mut call = PythonCall::new(argument);
        let first = call.take_next().unwrap_or_default();
        let is_text_test = ["contains", "startswith", "endswith"].contains(&method);
        call.drop_neutral(&[("na", "False"), ("case", "False"), ("regex", "False")]);
        // A pattern is not a text.
        let is_pattern = method == "contains"
            && !argument.contains("regex=False")
            && function_recovery::is_pattern(first);
        if call.refusal(method).is_some() || is_pattern || is_text_test && unquoted(first) == first
        {
            return None;
        }
        Some(match method {
            "isin" => format!("{column} IN [{}]", first.trim_matches(['[', ']'])),
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
        let mut call = PythonCall::new(text);
        match name {
            "head" => {
                let limit = call.take("n").map_or(Some(5), |limit| limit.parse().ok());
                self.apply_limit(limit.filter(|limit| *limit > 0)?);
            }
            "nlargest" | "nsmallest" => {
                let limit = call.take("n").map_or(Some(5), |limit| limit.parse().ok())?;
                let by = call
                    .take("columns")
                    .map(names_of)
                    .or(self.value.clone().map(|one| vec![one]))?;
                let order = if name == "nlargest" { "DESC" } else { "ASC" };
                let keys = by.into_iter().map(|by| (by, order)).collect::<Vec<_>>();
                self.steps.rank_by(&keys, Some(limit));
            }
            "sort_values" => self.sort(&mut call)?,
            "groupby" => {
                self.by = names_of(call.take("by")?);
                self.keep_groups(&mut call, &self.by.clone());
            }
            "value_counts" => self.count_values(&mut call)?,
            "drop_duplicates" | "unique" => {
                let is_frame = self.columns.is_empty();
                let fields = unrenamed_fields(&std::mem::take(&mut self.columns));
                let selection =
                    Selection { distinct: true, fields: &fields, ..Selection::default() };
                self.steps.select(&selection);
                if is_frame && call.take("subset").is_some() {
                    self.steps.refuse(SUBSET);
                }
            }
            "merge" => self.merge(&mut call)?,
            "query" => {
                let condition = unquoted(call.take("expr")?);
                let condition = condition.replace(" and ", " AND ").replace(" or ", " OR ");
                self.steps.filter(&[condition]);
            }
            "agg" | "aggregate" => self.aggregate(unquoted(call.take("func")?))?,
            "reset_index" | "copy" | "to_frame" | "tolist" | "to_list" => {}
            "isna" | "notna" | "apply" | "map" | "pivot_table" => return None,
            name => self.aggregate(name)?,
        }
        self.refuse_rest(name, call);
        Some(())
    }

    /// Refuses arguments that have not been used.
    fn refuse_rest(&mut self, function: &str, mut call: PythonCall<'_>) {
        call.drop_neutral(&NEUTRAL);
        if let Some(words) = call.refusal(function) {
            self.steps.refuse(words);
        }
    }

    /// Drops rows without a group, as pandas does unless `dropna` is `False`.
    fn keep_groups(&mut self, call: &mut PythonCall<'_>, by: &[String]) {
        if call.take_named("dropna") != Some("False") {
            let is_given = |name: &String| format!("{} IS NOT NULL", print_field(name));
            self.steps.filter(&by.iter().map(is_given).collect::<Vec<_>>());
        }
    }

    /// `sort_values(by, ascending=…)`
    fn sort(&mut self, call: &mut PythonCall<'_>) -> Option<()> {
        let by = call.take("by").map(names_of).or(self.value.clone().map(|value| vec![value]));
        let by = by.or_else(|| (self.columns.len() == 1).then(|| self.columns.clone()))?;
        let ascending = call.take_named("ascending").map(names_of).unwrap_or_default();
        let order = |index: usize| {
            let one = ascending.get(index).or(ascending.first());
            if one.is_some_and(|one| one == "False") { "DESC" } else { "ASC" }
        };
        let keys = by.into_iter().enumerate().map(|(index, by)| (by, order(index)));
        self.steps.rank_by(&keys.collect::<Vec<_>>(), None);
        Some(())
    }

    /// `value_counts()` of columns, whose counts are sorted unless `sort` is `False`.
    fn count_values(&mut self, call: &mut PythonCall<'_>) -> Option<()> {
        let columns = std::mem::take(&mut self.columns);
        let by = match columns.is_empty() {
            true => names_of(call.take("subset")?),
            false => columns,
        };
        self.keep_groups(call, &by);
        self.steps.count(&by);
        self.value = Some("count".to_owned());
        if call.take_named("sort") != Some("False") {
            let is_ascending = call.take_named("ascending") == Some("True");
            self.steps.rank("count", if is_ascending { "ASC" } else { "DESC" }, None);
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
        let functions = match columns.as_slice() {
            [] if function == "size" => vec!["count".to_owned()],
            // `count` counts the values of each column.
            [] if function == "count" => {
                self.steps.refuse(COUNT_OF_COLUMNS);
                return Some(());
            }
            [] => return None,
            columns => {
                let each = columns.iter().map(|column| print_function(function, false, column));
                each.collect::<Option<Vec<_>>>()?
            }
        };
        self.steps.aggregate(&by, &functions);
        self.value = match function_columns(&functions).as_slice() {
            [column] => Some(column.clone()),
            _ => None,
        };
        Some(())
    }

    /// `merge(other, on=…, left_on=…, right_on=…, how=…)`
    fn merge(&mut self, call: &mut PythonCall<'_>) -> Option<()> {
        let other = print_path(Scanner::new(call.take("right")?).take_name()?);
        let on = call.take_named("on");
        let mut key = |name: &str| Some(unquoted(call.take_named(name).or(on)?).to_owned());
        let (left, right) = (key("left_on")?, key("right_on")?);
        let keyword = match call.take_named("how").map(unquoted) {
            None | Some("inner") => "JOIN",
            Some("left") => "LEFT JOIN",
            Some(_) => {
                self.steps.refuse("only `how='inner'` and `how='left'` have an equivalent: write `LEFT JOIN b WITH a ON f AS joined` for a right join");
                return Some(());
            }
        };
        let on = match left == right {
            true => print_field(&left),
            false => format!("{} = {}", print_field(&left), print_field(&right)),
        };
        let command = format!("{keyword} {} WITH {other} ON {on}", self.steps.rows());
        self.steps.push(command, "joined");
        Some(())
    }

    fn count_rows(mut self) -> Option<Translation> {
        self.steps.count(&[]);
        self.finish(None)
    }

    fn finish(mut self, output: Option<&str>) -> Option<Translation> {
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
