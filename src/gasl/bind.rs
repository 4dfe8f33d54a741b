//! `${path}`: the context first, then the state.

use super::codes;
use super::language::ast::{Condition, Items, Operand, OperandKind, Part, Template};
use super::language::{print_field, template};
use super::members::Members;
use super::predicate::{Case, Comparison, Field, Predicate, Test};
use super::record::Failure;
use super::state;
use super::variable::{Variable, field};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::value::{excerpt, excerpt_of};
use crate::base::{Diagnostic, Span, Value, names};

/// The names of the context.
pub type Context = OrderedMap<Variable>;

/// What names are looked up in, and what there is to say about it.
pub struct Scope<'a> {
    /// Looked at first.
    pub context: &'a Context,
    /// The variables of the state.
    pub variables: &'a Value,
    /// Warnings of the lookups so far.
    pub told: Vec<Diagnostic>,
    /// Whether text operators look at case.
    pub case: Case,
}

/// What becomes of a binding in a text that names nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unbound {
    /// It is an error.
    Fails,
    /// It stays as it is written.
    Stays,
}

impl<'a> Scope<'a> {
    /// Nothing is said yet.
    pub fn new(context: &'a Context, variables: &'a Value) -> Scope<'a> {
        Scope { context, variables, told: Vec::new(), case: Case::Ignored }
    }

    /// What a path leads to.
    pub fn find(&mut self, steps: &[String], span: Span) -> Result<Variable, Diagnostic> {
        let (first, rest) = steps.split_first().ok_or_else(|| self.unbound(steps, span))?;
        let held = self.context.get(first.as_str());
        if let Some(found) = held.and_then(|variable| below(variable, rest)) {
            if self.variables.get(first).is_some() {
                self.hidden(first, span);
            }
            return Ok(found);
        }
        // The longest declared key first: what lies below it is data.
        for length in (1..=steps.len()).rev() {
            let (key, rest) = steps.split_at_checked(length).unwrap_or_default();
            let entry = state::entry(self.variables, key);
            if let Some(entry) = entry.filter(|it| length == 1 || state::kind_of(it).is_some())
                && let Some(found) = below(&Variable::of_state(entry), rest)
            {
                return Ok(found);
            }
        }
        Err(match held {
            Some(variable) => no_field(variable, steps, span),
            None => self.unbound(steps, span),
        })
    }

    /// Whether a path leads anywhere.
    pub fn exists(&self, steps: &[String]) -> bool {
        let mut quiet = Scope::new(self.context, self.variables);
        quiet.find(steps, Span::default()).is_ok()
    }

    fn hidden(&mut self, name: &str, span: Span) {
        if self.told.iter().any(|told| told.location == Some(crate::base::Location::Span(span))) {
            return;
        }
        let message = format!("{} of the context hides the key of the state", quote(name));
        let help = "the context comes first; name the variable otherwise to read the state";
        self.told.push(Diagnostic::new(codes::HIDDEN, message).help(help).at(span));
    }

    fn unbound(&self, steps: &[String], span: Span) -> Diagnostic {
        let path = steps.join(".");
        let declared = state::declared(self.variables);
        let held = || self.context.keys().map(|name| &**name);
        let known = || held().chain(declared.iter().map(String::as_str));
        let first = steps.first().map_or("", String::as_str);
        let message = format!("nothing is called {}", quote(&path));
        let help = match names::nearest(&path, known()).or_else(|| names::nearest(first, known())) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known().next().is_none() => {
                "there are no variables yet: begin with FIND … AS".to_owned()
            }
            None => format!("there are {}", names::list(known())),
        };
        Diagnostic::new(codes::UNBOUND, message).help(help).at(span)
    }

    /// The value of an operand that is no field.
    pub fn value(&mut self, operand: &Operand) -> Result<Value, Diagnostic> {
        let span = operand.span;
        match &operand.kind {
            OperandKind::Field(name) => Ok(Value::from(name.as_str())),
            OperandKind::Literal(value) => Ok(value.clone()),
            OperandKind::Text(text) => Ok(self.text(text, usize::MAX)?.into()),
            OperandKind::Binding(steps) => Ok(self.find(steps, span)?.to_value()),
            OperandKind::Name(steps) => Ok(self.find(steps, span)?.to_value()),
            OperandKind::Length(steps) => self.length(steps, span),
        }
    }

    fn length(&mut self, steps: &[String], span: Span) -> Result<Value, Diagnostic> {
        let found = self.find(steps, span)?;
        if let Some(count) = found.row_count() {
            return Ok(count.into());
        }
        match found.to_value() {
            Value::Map(map) => Ok(map.len().into()),
            Value::Text(text) => Ok(text.chars().count().into()),
            Value::Null => Ok(Value::Number(0.0)),
            other => {
                let path = quote(&steps.join("."));
                let message = format!("{path} is a {} and has no length", other.kind());
                let help = format!("compare it itself: `${{{}}}`", steps.join("."));
                Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(span))
            }
        }
    }

    /// A text with what its bindings say put in, at most so many characters of each. What is put in
    /// is not read again.
    pub fn text(&mut self, template: &Template, most: usize) -> Result<String, Diagnostic> {
        self.filled(template, most, Unbound::Fails)
    }

    /// The text of a `COMPLETE` with what its bindings say put in. It may be any text: where it holds
    /// a `${` that is no binding, it stays as it is.
    pub fn answer(
        &mut self,
        text: &str,
        most: usize,
        unbound: Unbound,
    ) -> Result<String, Diagnostic> {
        let mut faults = Vec::new();
        let template = template::read(text, Span::default(), &mut faults);
        if faults.is_empty() { self.filled(&template, most, unbound) } else { Ok(text.to_owned()) }
    }

    fn filled(
        &mut self,
        template: &Template,
        most: usize,
        unbound: Unbound,
    ) -> Result<String, Diagnostic> {
        let mut out = String::new();
        for part in &template.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Binding(steps) => {
                    let whole = match (self.find(steps, template.span), unbound) {
                        (Ok(found), _) => match found.to_value() {
                            Value::Text(text) => text.to_string(),
                            value => excerpt(&value, most.saturating_add(1)),
                        },
                        (Err(_), Unbound::Stays) => format!("${{{}}}", steps.join(".")),
                        (Err(error), Unbound::Fails) => return Err(error),
                    };
                    let shown = excerpt_of(&whole, most);
                    if shown != whole {
                        self.told.push(cut_in(steps, most).at(template.span));
                    }
                    out.push_str(&shown);
                }
            }
            if out.len() > LONGEST {
                let message = format!("the text has more than {LONGEST} bytes with its bindings");
                let help = "bind fewer values in it, or parts of them";
                let fault = Diagnostic::new(codes::WRONG_VALUE, message).help(help);
                return Err(fault.at(template.span));
            }
        }
        Ok(out)
    }

    /// A condition over rows with all its values.
    pub fn predicate(&mut self, condition: &Condition) -> Result<Predicate, Diagnostic> {
        let each = |scope: &mut Scope<'_>, all: &[Condition]| {
            all.iter().map(|one| scope.predicate(one)).collect::<Result<Vec<_>, _>>()
        };
        let field = |operand: &Operand| -> Field {
            match &operand.kind {
                OperandKind::Field(name) => name.as_str().into(),
                // The grammar puts nothing else on the left of a test about rows.
                _ => "".into(),
            }
        };
        Ok(match condition {
            Condition::All(all) => Predicate::All(each(self, all)?),
            Condition::Any(all) => Predicate::Any(each(self, all)?),
            Condition::Not(one) => Predicate::Not(Box::new(self.predicate(one)?)),
            Condition::Compare(left, comparison, right) => {
                let value = self.single(right)?;
                let field = field(left);
                self.doubt_null(&field, *comparison, right, &value);
                if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
                    self.doubt_word(right);
                }
                Predicate::Field(field, Test::Compare(*comparison, value))
            }
            Condition::In(left, membership, items) => {
                let items = Members::of(self.items(items)?);
                Predicate::Field(field(left), Test::In(*membership, items))
            }
            Condition::Text(left, test, right) => {
                Predicate::Field(field(left), Test::Text(*test, self.single(right)?))
            }
            Condition::Exists(subject) => Predicate::Field(field(subject), Test::Exists),
            Condition::Null(subject) => Predicate::Field(field(subject), Test::Null),
            Condition::NotNull(subject) => Predicate::Field(field(subject), Test::NotNull),
            Condition::Empty(subject) => Predicate::Field(field(subject), Test::Null),
        })
    }

    /// `!= null` is true of what is missing, and `= null` is not, which is seldom meant.
    fn doubt_null(&mut self, field: &str, by: Comparison, right: &Operand, value: &Value) {
        let is_none =
            matches!(&right.kind, OperandKind::Literal(Value::Text(word)) if &**word == "None");
        let (holds, meant) = match by {
            Comparison::Equal => ("false", "IS NULL"),
            Comparison::NotEqual => ("true", "IS NOT NULL"),
            _ => return,
        };
        if !value.is_null() && !is_none {
            return;
        }
        let sign = by.sign();
        let name = print_field(field);
        let message = format!("`{name} {sign} null` is {holds} where there is no {}", quote(field));
        let help = format!("write `{name} {meant}`: that takes null and missing alike");
        self.told
            .push(Diagnostic::new(codes::COMPARED_WITH_NULL, message).help(help).at(right.span));
    }

    /// A plain word where a variable of the same name is probably meant.
    fn doubt_word(&mut self, operand: &Operand) {
        let OperandKind::Literal(Value::Text(word)) = &operand.kind else { return };
        let Some(steps) = template::steps(word).filter(|steps| self.exists(steps)) else { return };
        let message = format!("{} is a plain word here, and names a variable", quote(word));
        let help = format!(
            "write `${{{}}}` for what that holds, or `\"{word}\"` for the word",
            steps.join(".")
        );
        self.told.push(Diagnostic::new(codes::PLAIN_WORD, message).help(help).at(operand.span));
    }

    /// One value to compare with: a list of one is its item.
    pub fn single(&mut self, operand: &Operand) -> Result<Value, Diagnostic> {
        match self.value(operand)? {
            Value::List(list) => match list.as_slice() {
                [one] => Ok(id_of(one)),
                many => {
                    let OperandKind::Binding(steps) = &operand.kind else {
                        return Ok(Value::List(list));
                    };
                    let path = steps.join(".");
                    let message = format!("{} holds {} values", quote(&path), many.len());
                    let help = format!("compare with `IN ${{{path}}}`");
                    Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(operand.span))
                }
            },
            value => Ok(value),
        }
    }

    /// Whether a condition about variables holds.
    pub fn holds(&mut self, condition: &Condition) -> Result<bool, Diagnostic> {
        let case = self.case;
        let mut test = |test: &dyn Fn(Value) -> Test, left: &Operand, right: Option<&Operand>| {
            [Some(left), right].into_iter().flatten().for_each(|operand| self.doubt_word(operand));
            let value = self.value(left)?;
            let right = right.map(|right| self.value(right)).transpose()?.unwrap_or_default();
            Ok(test(right).holds(case, Some(&value)))
        };
        match condition {
            Condition::All(all) => {
                // Whatever follows a part that decides is not looked at: a guard may stand before.
                all.iter().try_fold(true, |held, one| Ok(held && self.holds(one)?))
            }
            Condition::Any(all) => {
                all.iter().try_fold(false, |held, one| Ok(held || self.holds(one)?))
            }
            Condition::Not(one) => Ok(!self.holds(one)?),
            Condition::Compare(left, comparison, right) => {
                test(&|value| Test::Compare(*comparison, value), left, Some(right))
            }
            Condition::Text(left, kind, right) => {
                test(&|value| Test::Text(*kind, value), left, Some(right))
            }
            Condition::In(left, membership, items) => {
                let (value, items) = (self.value(left)?, Members::of(self.items(items)?));
                Ok(Test::In(*membership, items).holds(case, Some(&value)))
            }
            Condition::Exists(subject) => Ok(match &subject.kind {
                OperandKind::Name(steps) => self.exists(steps),
                _ => true,
            }),
            Condition::Null(subject) => Ok(self.value(subject)?.is_null()),
            Condition::NotNull(subject) => Ok(!self.value(subject)?.is_null()),
            Condition::Empty(subject) => match &subject.kind {
                OperandKind::Name(steps) => Ok(self.find(steps, subject.span)?.is_empty()),
                _ => Ok(Variable::plain(self.value(subject)?).is_empty()),
            },
        }
    }

    /// The values of a condition's operands, for the message that it does not hold.
    pub fn shown(&mut self, condition: &Condition, shown: &mut Vec<String>) {
        let mut one = |operand: &Operand| {
            let name = match &operand.kind {
                OperandKind::Binding(steps) => format!("${{{}}}", steps.join(".")),
                OperandKind::Length(steps) => format!("LEN ${{{}}}", steps.join(".")),
                OperandKind::Name(steps) => steps.join("."),
                OperandKind::Literal(Value::Text(word))
                    if template::steps(word).is_some_and(|steps| self.exists(&steps)) =>
                {
                    shown.push(format!("`{word}` is a plain word here: write `${{{word}}}`"));
                    return;
                }
                _ => return,
            };
            let value = match self.value(operand) {
                Ok(value) => excerpt(&value, 80),
                Err(_) => "missing".to_owned(),
            };
            shown.push(format!("{name} is {value}"));
        };
        match condition {
            Condition::All(all) | Condition::Any(all) => {
                all.iter().for_each(|inner| self.shown(inner, shown));
            }
            Condition::Not(inner) => self.shown(inner, shown),
            Condition::Compare(left, _, right) | Condition::Text(left, _, right) => {
                one(left);
                one(right);
            }
            Condition::In(left, _, Items::Binding(right)) => {
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

/// A text may name a large value often.
const LONGEST: usize = 4 << 20;

/// For a binding of which a text has the beginning alone.
fn cut_in(steps: &[String], most: usize) -> Diagnostic {
    let name = quote(&format!("${{{}}}", steps.join(".")));
    Diagnostic::new(codes::CUT, format!("{name} was cut: `max_excerpt_chars` is {most}"))
        .help("name less of it, or write `SET adapter.caps.max_excerpt_chars = …` before it")
}

/// The id of a row; any other value is itself.
pub fn id_of(value: &Value) -> Value {
    value.get("id").cloned().unwrap_or_else(|| value.clone())
}

/// For a field of a variable that it does not have, with those that there are.
fn no_field(variable: &Variable, steps: &[String], span: Span) -> Diagnostic {
    let fields = variable.fields();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let (name, rest) = steps.split_first().map_or(("", &[][..]), |(name, rest)| (name, rest));
    let message = format!("{} has no field {}", quote(name), quote(&rest.join(".")));
    let help = names::instead(&rest.join("."), &fields);
    Diagnostic::new(codes::UNBOUND, message).help(help).at(span)
}

/// What lies below a variable: a field of a map, a column of rows, an item of rows.
fn below(variable: &Variable, steps: &[String]) -> Option<Variable> {
    let Some((first, rest)) = steps.split_first() else { return Some(variable.clone()) };
    let Variable::Rows(rows, _) = variable else {
        let value = field(&variable.to_value(), &steps.join("."))?.clone();
        return Some(Variable::of(value, variable.sources_of(first)));
    };
    if let Ok(index) = first.parse::<usize>() {
        return below(&Variable::of(variable.row(index)?, variable.sources(index)), rest);
    }
    let name = steps.join(".");
    let column = Variable::column(variable, &name);
    // A field that no row has leads nowhere; of no rows, any column is empty.
    (rows.is_empty() || !column.is_empty()).then_some(column)
}

impl Scope<'_> {
    /// The rows that a command works on.
    pub fn rows(
        &mut self,
        path: &super::language::ast::Path,
    ) -> Result<(std::rc::Rc<dyn super::variable::Rows>, Variable), Failure> {
        let variable = self.find(&path.steps, path.span)?;
        if let Variable::Rows(rows, _) = &variable {
            return Ok((rows.clone(), variable));
        }
        if let Some(inner) = variable.items()
            && let Variable::Rows(rows, _) = &inner
        {
            return Ok((rows.clone(), inner));
        }
        let value = variable.to_value();
        let message = format!("{} is a {} and has no rows", quote(&path.text()), value.kind());
        let help = "this command works on rows, as FIND, SELECT and a LIST give them";
        Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(path.span).into())
    }
}
