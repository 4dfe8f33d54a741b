//! Resolution of `${path}`: in the context first, then in the state.

use super::codes;
use super::context::ContextVariables;
use super::language::ast::{Condition, InItems, Operand, OperandKind, TextPart, TextTemplate};
use super::language::template;
use super::predicate::{Case, Comparison, Test};
use super::record::CommandFailure;
use super::state;
use super::value_set::ValueSet;
use super::variable::{Variable, field};
use crate::base::diagnostic::quote;
use crate::base::map::{IntMap, OrderedMap};
use crate::base::prompt_text;
use crate::base::value::{excerpt, excerpt_of};
use crate::base::{Diagnostic, Span, Value, names};

/// Name resolution over the context and the state, with its warnings.
pub struct VariableScope<'a> {
    pub context: &'a ContextVariables,
    pub variables: &'a Value,
    /// Warnings so far.
    pub diagnostics: Vec<Diagnostic>,
    pub case: Case,
    /// Number of words that were compared with the values of their field.
    pub(super) compared_words: usize,
    /// Byte offsets with a warning of a shadowed state key.
    shadowed: IntMap,
}

/// Handling of an undefined binding in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnUndefined {
    Error,
    /// Keeps the binding as it is written.
    Keep,
}

impl<'a> VariableScope<'a> {
    pub fn new(context: &'a ContextVariables, variables: &'a Value) -> VariableScope<'a> {
        VariableScope {
            context,
            variables,
            diagnostics: Vec::new(),
            case: Case::Ignored,
            compared_words: 0,
            shadowed: IntMap::default(),
        }
    }

    /// Returns the variable at a path, or an error with the closest name if it is undefined.
    pub fn resolve(&mut self, steps: &[String], span: Span) -> Result<Variable, Diagnostic> {
        let first = steps.first().map_or("", String::as_str);
        if let Some(found) = self.find_in_context(steps) {
            if self.variables.get(first).is_some() {
                self.warn_shadowed(first, span);
            }
            return Ok(found);
        }
        self.find_in_state(steps).ok_or_else(|| match self.context.get(first) {
            Some(variable) => missing_field_error(variable, steps, span),
            None => self.undefined_error(steps, span),
        })
    }

    fn find_in_context(&self, steps: &[String]) -> Option<Variable> {
        let (first, rest) = steps.split_first()?;
        resolve_in(self.context.get(first.as_str())?, rest)
    }

    fn find_in_state(&self, steps: &[String]) -> Option<Variable> {
        // The longest declared key wins; the rest of the path selects from its data.
        for length in (1..=steps.len()).rev() {
            let (key, rest) = steps.split_at_checked(length).unwrap_or_default();
            let entry = state::entry_at(self.variables, key);
            if let Some(entry) = entry.filter(|it| length == 1 || state::type_of(it).is_some())
                && let Some(found) = resolve_in(&Variable::from_entry(entry), rest)
            {
                return Some(found);
            }
        }
        None
    }

    pub fn is_defined(&self, steps: &[String]) -> bool {
        self.find_in_context(steps).is_some() || self.find_in_state(steps).is_some()
    }

    fn warn_shadowed(&mut self, name: &str, span: Span) {
        if self.shadowed.insert(span.start as u64, 0).is_some() {
            return;
        }
        let message =
            format!("the variable {} shadows the state key of the same name", quote(name));
        let help = "rename the variable to read the state key";
        self.diagnostics
            .push(Diagnostic::new(codes::SHADOWED_STATE_KEY, message).help(help).at(span));
    }

    fn undefined_error(&self, steps: &[String], span: Span) -> Diagnostic {
        let path = steps.join(".");
        let declared = state::declared_paths(self.variables);
        let variables = || self.context.keys().map(|name| &**name);
        let available = || variables().chain(declared.iter().map(String::as_str));
        let first = steps.first().map_or("", String::as_str);
        let message = format!("undefined variable {}", quote(&path));
        let help = match names::closest(&path, available())
            .or_else(|| names::closest(first, available()))
        {
            Some(closest) => format!("did you mean `{closest}`?"),
            None if available().next().is_none() => {
                "no variables are defined yet: begin with `FIND … AS x`".to_owned()
            }
            None => format!("available: {}", names::format_names(available())),
        };
        Diagnostic::new(codes::UNDEFINED, message).help(help).at(span)
    }

    /// Returns the value of an operand that is not a field.
    pub fn operand_value(&mut self, operand: &Operand) -> Result<Value, Diagnostic> {
        let span = operand.span;
        match &operand.kind {
            OperandKind::Field(name) => Ok(Value::from(name.as_str())),
            OperandKind::Literal(value) => Ok(value.clone()),
            OperandKind::Text(text) => {
                Ok(self.interpolate(text, usize::MAX, OnUndefined::Error)?.into())
            }
            OperandKind::Binding(steps) => Ok(self.resolve(steps, span)?.to_value()),
            OperandKind::Name(steps) => Ok(self.resolve(steps, span)?.to_value()),
            OperandKind::Length(steps) => self.length_of(steps, span),
        }
    }

    fn length_of(&mut self, steps: &[String], span: Span) -> Result<Value, Diagnostic> {
        let found = self.resolve(steps, span)?;
        if let Some(count) = found.row_count() {
            return Ok(count.into());
        }
        match found.to_value() {
            Value::Map(map) => Ok(map.len().into()),
            Value::Text(text) => Ok(text.chars().count().into()),
            Value::Null => Ok(Value::Number(0.0)),
            other => {
                let path = quote(&steps.join("."));
                let message =
                    format!("expected a list, a map or a string, found a {}: {path}", other.kind());
                let help = format!("compare the value itself: `${{{}}}`", steps.join("."));
                Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(span))
            }
        }
    }

    /// Interpolates the bindings of an answer. Returns the answer unchanged if it contains an
    /// invalid `${`, because an answer may be any text.
    pub fn interpolate_answer(
        &mut self,
        text: &str,
        max_chars: usize,
        on_undefined: OnUndefined,
    ) -> Result<String, Diagnostic> {
        let mut errors = Vec::new();
        let template = template::parse_template(text, Span::default(), &mut errors);
        match errors.is_empty() {
            true => self.interpolate(&template, max_chars, on_undefined),
            false => Ok(text.to_owned()),
        }
    }

    /// Replaces each binding of an instruction to the model. A text that is more than a few words is
    /// quoted, so that the model can tell it from the instruction.
    pub fn interpolate_instruction(
        &mut self,
        template: &TextTemplate,
        max_chars: usize,
    ) -> Result<String, Diagnostic> {
        self.interpolate_as(
            template,
            max_chars,
            OnUndefined::Error,
            &prompt_text::quote_unless_simple,
        )
    }

    /// Replaces each binding by its value, cut to `max_chars` characters.
    pub fn interpolate(
        &mut self,
        template: &TextTemplate,
        max_chars: usize,
        on_undefined: OnUndefined,
    ) -> Result<String, Diagnostic> {
        self.interpolate_as(template, max_chars, on_undefined, &str::to_owned)
    }

    /// Replaces each binding by its value; `format` formats those that are texts.
    fn interpolate_as(
        &mut self,
        template: &TextTemplate,
        max_chars: usize,
        on_undefined: OnUndefined,
        format: &dyn Fn(&str) -> String,
    ) -> Result<String, Diagnostic> {
        let mut out = String::new();
        // Texts of the bindings so far, because a binding may be repeated.
        let mut inserted: OrderedMap<String> = OrderedMap::default();
        for part in &template.parts {
            match part {
                TextPart::Text(text) => out.push_str(text),
                TextPart::Binding(steps) => {
                    let path = steps.join(".");
                    if !inserted.contains_key(path.as_str()) {
                        let span = template.span;
                        let (text, is_text) =
                            self.inserted_text(steps, span, max_chars, on_undefined)?;
                        let text = if is_text { format(&text) } else { text };
                        inserted.insert(path.as_str().into(), text);
                    }
                    out.push_str(inserted.get(path.as_str()).map_or("", String::as_str));
                }
            }
            if out.len() > MAX_TEXT_BYTES {
                let message =
                    format!("the string is longer than {MAX_TEXT_BYTES} bytes after interpolation");
                let help = "bind fewer or smaller values";
                let error = Diagnostic::new(codes::WRONG_VALUE, message).help(help);
                return Err(error.at(template.span));
            }
        }
        Ok(out)
    }

    /// Returns the text of a binding in a string, cut to `max_chars` characters, and whether its value is
    /// a text.
    fn inserted_text(
        &mut self,
        steps: &[String],
        span: Span,
        max_chars: usize,
        on_undefined: OnUndefined,
    ) -> Result<(String, bool), Diagnostic> {
        let (full, is_text) = match (self.resolve(steps, span), on_undefined) {
            (Ok(found), _) => match found.to_value() {
                Value::Text(text) => (text.to_string(), true),
                value => (excerpt(&value, max_chars.saturating_add(1)), false),
            },
            (Err(_), OnUndefined::Keep) => (format!("${{{}}}", steps.join(".")), false),
            (Err(error), OnUndefined::Error) => return Err(error),
        };
        let shown = excerpt_of(&full, max_chars);
        if shown != full {
            self.diagnostics.push(truncated_binding(steps, max_chars).at(span));
        }
        Ok((shown, is_text))
    }

    /// Warns of an unquoted word that is also the name of a variable.
    pub(super) fn warn_word_names_variable(&mut self, operand: &Operand) {
        let OperandKind::Literal(Value::Text(word)) = &operand.kind else { return };
        let Some(steps) = template::parse_steps(word).filter(|steps| self.is_defined(steps)) else {
            return;
        };
        let message = format!("{} is a string here, but a variable has this name", quote(word));
        let help = format!(
            "write `${{{}}}` for the variable, or `\"{word}\"` for the string",
            steps.join(".")
        );
        self.diagnostics
            .push(Diagnostic::new(codes::WORD_NAMES_VARIABLE, message).help(help).at(operand.span));
    }

    /// Returns one value to compare with; of a list of one, its item; of a row, its `id` or only value.
    pub fn single_value(&mut self, operand: &Operand) -> Result<Value, Diagnostic> {
        match self.operand_value(operand)? {
            Value::List(list) => match list.as_slice() {
                [Value::Map(row)] if row.len() == 1 => {
                    Ok(row.values().next().cloned().unwrap_or_default())
                }
                [one] => value_of_row(one, operand),
                many => {
                    let OperandKind::Binding(steps) = &operand.kind else {
                        return Ok(Value::List(list));
                    };
                    let path = steps.join(".");
                    let message =
                        format!("expected one value, found {1} in {0}", quote(&path), many.len());
                    let help = format!("compare with `IN ${{{path}}}`");
                    Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(operand.span))
                }
            },
            value => value_of_row(&value, operand),
        }
    }

    /// Returns a value of a condition over variables; of one row with one field, the value of the field.
    fn compared_value(&mut self, operand: &Operand, is_ordered: bool) -> Result<Value, Diagnostic> {
        let value = self.operand_value(operand)?;
        if let Value::List(list) = &value
            && let [Value::Map(row)] = list.as_slice()
            && row.len() == 1
        {
            return Ok(row.values().next().cloned().unwrap_or_default());
        }
        let is_many = matches!(value, Value::List(_) | Value::Map(_));
        match steps_of(operand) {
            Some(steps) if is_ordered && is_many => Err(many_values(&value, steps, operand.span)),
            _ => Ok(value),
        }
    }

    /// Evaluates a condition over variables.
    pub fn evaluate(&mut self, condition: &Condition) -> Result<bool, Diagnostic> {
        let case = self.case;
        let mut test = |test: &dyn Fn(Value) -> Test,
                        left: &Operand,
                        right: &Operand,
                        is_ordered| {
            [left, right].into_iter().for_each(|operand| self.warn_word_names_variable(operand));
            let value = self.compared_value(left, is_ordered)?;
            let right = self.compared_value(right, is_ordered)?;
            Ok(test(right).holds(case, Some(&value)))
        };
        match condition {
            Condition::All(all) => {
                // Short-circuits, so that a guard protects the tests after it.
                all.iter().try_fold(true, |result, one| Ok(result && self.evaluate(one)?))
            }
            Condition::Any(all) => {
                all.iter().try_fold(false, |result, one| Ok(result || self.evaluate(one)?))
            }
            Condition::Not(one) => Ok(!self.evaluate(one)?),
            Condition::Compare(left, comparison, right) => {
                let is_ordered = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                test(&|value| Test::Compare(*comparison, value), left, right, is_ordered)
            }
            Condition::Text(left, kind, right) => {
                test(&|value| Test::Text(*kind, value), left, right, false)
            }
            Condition::In(left, membership, items) => {
                let (value, items) = (self.operand_value(left)?, ValueSet::new(self.items(items)?));
                Ok(Test::In(*membership, items).holds(case, Some(&value)))
            }
            Condition::Exists(subject) => Ok(match &subject.kind {
                OperandKind::Name(steps) => self.is_defined(steps),
                _ => true,
            }),
            Condition::Null(subject) => Ok(self.operand_value(subject)?.is_null()),
            Condition::NotNull(subject) => Ok(!self.operand_value(subject)?.is_null()),
            Condition::Empty(subject) => match &subject.kind {
                OperandKind::Name(steps) => Ok(self.resolve(steps, subject.span)?.is_empty()),
                _ => Ok(Variable::without_sources(self.operand_value(subject)?).is_empty()),
            },
        }
    }

    /// Appends the values of a condition's operands, for the message of a failed assertion.
    pub fn describe_operands(&mut self, condition: &Condition, out: &mut Vec<String>) {
        let mut one = |operand: &Operand| {
            if out.len() >= MAX_DESCRIBED_OPERANDS {
                return;
            }
            let name = match &operand.kind {
                OperandKind::Binding(steps) => format!("${{{}}}", steps.join(".")),
                OperandKind::Length(steps) => format!("LEN ${{{}}}", steps.join(".")),
                OperandKind::Name(steps) => steps.join("."),
                OperandKind::Literal(Value::Text(word))
                    if template::parse_steps(word).is_some_and(|steps| self.is_defined(&steps)) =>
                {
                    out.push(format!("`{word}` is a string here, write `${{{word}}}`"));
                    return;
                }
                _ => return,
            };
            let value = match self.operand_value(operand) {
                Ok(value) => excerpt(&value, 80),
                Err(_) => "undefined".to_owned(),
            };
            out.push(format!("{name} is {value}"));
        };
        match condition {
            Condition::All(all) | Condition::Any(all) => {
                all.iter().for_each(|inner| self.describe_operands(inner, out));
            }
            Condition::Not(inner) => self.describe_operands(inner, out),
            Condition::Compare(left, _, right) | Condition::Text(left, _, right) => {
                one(left);
                one(right);
            }
            Condition::In(left, _, InItems::Binding(right)) => {
                one(left);
                one(right);
            }
            Condition::In(left, ..)
            | Condition::Exists(left)
            | Condition::Null(left)
            | Condition::NotNull(left)
            | Condition::Empty(left) => one(left),
        }
    }
}

/// Maximum number of operands whose values a message contains.
const MAX_DESCRIBED_OPERANDS: usize = 20;

/// Maximum length of a string after interpolation, in bytes.
const MAX_TEXT_BYTES: usize = 4 << 20;

fn truncated_binding(steps: &[String], max_chars: usize) -> Diagnostic {
    let name = quote(&format!("${{{}}}", steps.join(".")));
    Diagnostic::new(
        codes::TRUNCATED_RESULT,
        format!("{name} was truncated: `max_excerpt_chars` is {max_chars}"),
    )
    .help("bind a smaller part, or write `SET adapter.caps.max_excerpt_chars = …` before it")
}

/// Returns the value of a bound map to compare with, which is its `id`.
fn value_of_row(value: &Value, operand: &Operand) -> Result<Value, Diagnostic> {
    let (Value::Map(row), Some(steps)) = (value, steps_of(operand)) else {
        return Ok(id_of(value));
    };
    match row.get("id") {
        Some(id) => Ok(id.clone()),
        None => {
            let path = steps.join(".");
            let fields = names::format_names(row.keys().map(|key| &**key));
            let message = format!("expected one value in {}, found {fields}", quote(&path));
            let first = row.keys().next().map_or("…", |key| key);
            let help = format!("write the field to compare with, as in `${{{path}.{first}}}`");
            Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(operand.span))
        }
    }
}

/// Returns the path of a variable.
fn steps_of(operand: &Operand) -> Option<&[String]> {
    match &operand.kind {
        OperandKind::Binding(steps) | OperandKind::Name(steps) => Some(steps),
        _ => None,
    }
}

/// Error for the order of a list or map.
fn many_values(value: &Value, steps: &[String], span: Span) -> Diagnostic {
    let path = steps.join(".");
    let message =
        format!("expected a number or a text in {}, found a {}", quote(&path), value.kind());
    let help = format!("write `LEN ${{{path}}}` for its length, or the path of one value");
    Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(span)
}

/// Returns the `id` of a row, or the value itself.
pub fn id_of(value: &Value) -> Value {
    value.get("id").cloned().unwrap_or_else(|| value.clone())
}

fn missing_field_error(variable: &Variable, steps: &[String], span: Span) -> Diagnostic {
    let fields = variable.fields();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let (name, rest) = steps.split_first().map_or(("", &[][..]), |(name, rest)| (name, rest));
    let message = format!("{} has no field {}", quote(name), quote(&rest.join(".")));
    let help = names::suggestion_help(&rest.join("."), &fields);
    Diagnostic::new(codes::UNDEFINED, message).help(help).at(span)
}

/// Returns a field of a map, a column of rows or an item of rows, or `None` if there is none.
fn resolve_in(variable: &Variable, steps: &[String]) -> Option<Variable> {
    let Some((first, rest)) = steps.split_first() else { return Some(variable.clone()) };
    let Variable::Rows(rows_at, _) = variable else {
        let value = field(&variable.to_value(), &steps.join("."))?.clone();
        return Some(Variable::new(value, variable.sources_at(first)));
    };
    if let Ok(index) = first.parse::<usize>() {
        return resolve_in(&Variable::new(variable.row(index)?, variable.sources(index)), rest);
    }
    let name = steps.join(".");
    let column = Variable::column(variable, &name);
    // A field that no row has is undefined; without rows, any column is empty.
    (rows_at.is_empty() || !column.is_empty()).then_some(column)
}

impl VariableScope<'_> {
    /// Resolves the rows that a command processes.
    pub fn rows(
        &mut self,
        path: &super::language::ast::VariablePath,
    ) -> Result<(std::rc::Rc<dyn super::variable::Rows>, Variable), CommandFailure> {
        let variable = self.resolve(&path.steps, path.span)?;
        if let Variable::Rows(rows, _) = &variable {
            return Ok((rows.clone(), variable));
        }
        if let Some(inner) = variable.items()
            && let Variable::Rows(rows, _) = &inner
        {
            return Ok((rows.clone(), inner));
        }
        let value = variable.to_value();
        let message = format!("expected rows, found a {}: {}", value.kind(), quote(&path.text()));
        let help = "use rows of FIND or SELECT, or a LIST";
        Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(path.span).into())
    }
}
