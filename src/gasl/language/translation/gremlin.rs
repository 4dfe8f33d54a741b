//! Translation of Gremlin traversals.

use super::cypher::one_of_condition;
use super::scanner::{Scanner, split, unquoted};
use super::statement::Statement;
use super::steps::{Selection, TranslatedCommands, Translation, print_where};
use crate::gasl::language::printer::print_field;

/// `g.V(…).step(…)…` and `g.E(…).step(…)…`
pub fn translate(statement: &Statement<'_>) -> Option<Translation> {
    let mut gremlin = Scanner::new(statement.text().trim_end_matches(';'));
    (gremlin.accept("g.") || gremlin.accept("graph.traversal().")).then_some(())?;
    let target = match gremlin.take_name()? {
        "V" => "nodes",
        "E" => "edges",
        _ => return None,
    };
    let ids = parse_arguments(gremlin.take_brackets('(', ')')?);
    let conditions = one_of_condition("id", &ids).into_iter().collect();
    let mut traversal =
        Traversal { target, conditions, steps: None, fields: Vec::new(), near_end: None };
    while gremlin.accept(".") {
        let step = gremlin.take_name()?;
        let step = step.trim_end_matches('_');
        traversal.add_step(step, gremlin.take_brackets('(', ')')?, &mut gremlin)?;
    }
    let output = if gremlin.accept_word("AS") { gremlin.take_name() } else { None };
    if !gremlin.is_done() {
        return None;
    }
    traversal.add_projection();
    traversal.steps.unwrap_or_default().finish(output)
}

/// Traversal so far.
struct Traversal {
    target: &'static str,
    /// Conditions that no command contains yet.
    conditions: Vec<String>,
    steps: Option<TranslatedCommands>,
    /// Fields of `values`.
    fields: Vec<(String, String)>,
    /// End of the current edges at which their nodes were left.
    near_end: Option<&'static str>,
}

impl Traversal {
    /// Returns the commands, with a search for the conditions so far.
    fn steps(&mut self) -> &mut TranslatedCommands {
        let conditions = std::mem::take(&mut self.conditions);
        let target = self.target;
        if let Some(steps) = &mut self.steps {
            steps.filter(&conditions);
        }
        self.steps
            .get_or_insert_with(|| TranslatedCommands::from_graph(target, &conditions, "found"))
    }

    fn add_projection(&mut self) {
        let fields = std::mem::take(&mut self.fields);
        self.steps().select(&Selection { fields: &fields, ..Selection::default() });
    }

    /// Finds the edges of the current nodes, and the nodes at their other ends unless `far` is `None`.
    fn follow(&mut self, near: &'static str, far: Option<&str>, types: &[String]) {
        let types = one_of_condition("type", types).into_iter().collect::<Vec<_>>();
        self.steps().edges_of(near, &types);
        self.near_end = far.is_none().then_some(near);
        if let Some(far) = far {
            self.steps().ends(far, &[], "reached");
        }
    }

    fn find_ends(&mut self, end: &str) {
        self.near_end = None;
        self.steps().ends(end, &[], "reached");
    }

    /// Adds a step.
    fn add_step(&mut self, name: &str, text: &str, gremlin: &mut Scanner<'_>) -> Option<()> {
        let all = parse_arguments(text);
        let first = all.first().cloned();
        if WITHOUT_ARGUMENTS.contains(&name) && !all.is_empty() {
            return None;
        }
        match name {
            "hasLabel" => self.conditions.push(one_of_condition("type", &all)?),
            "hasId" => self.conditions.push(one_of_condition("id", &all)?),
            "hasNot" => self.conditions.push(format!("NOT EXISTS {}", print_field(&first?))),
            "has" => self.conditions.extend(has_conditions(text)?),
            "out" => self.follow("source", Some("target"), &all),
            "in" => self.follow("target", Some("source"), &all),
            "outE" => self.follow("source", None, &all),
            "inE" => self.follow("target", None, &all),
            "both" | "bothE" => self.steps().refuse(BOTH),
            "inV" => self.find_ends("target"),
            "outV" => self.find_ends("source"),
            "otherV" => match self.near_end? {
                "source" => self.find_ends("target"),
                _ => self.find_ends("source"),
            },
            "values" | "valueMap" | "elementMap" | "properties" => {
                self.fields = all.into_iter().map(|name| (name.clone(), name)).collect();
            }
            "id" => self.fields = vec![("id".to_owned(), "id".to_owned())],
            "label" => self.fields = vec![("type".to_owned(), "type".to_owned())],
            "count" => {
                // Only rows with the field have a value.
                let fields = std::mem::take(&mut self.fields);
                let has_field =
                    |(name, _): &(String, String)| format!("{} IS NOT NULL", print_field(name));
                self.steps().filter(&fields.iter().map(has_field).collect::<Vec<_>>());
                self.steps().count(&[]);
            }
            "sum" | "mean" | "max" | "min" => {
                let (name_of, _) = self.fields.pop()?;
                let function = super::aggregates::print_function(name, false, &name_of)?;
                self.steps().aggregate(&[], &[function]);
            }
            "limit" => {
                let limit = Some(first?.parse().ok()?);
                self.add_projection();
                self.steps().select(&Selection { limit, ..Selection::default() });
            }
            "dedup" => {
                let fields = std::mem::take(&mut self.fields);
                let selection =
                    Selection { distinct: true, fields: &fields, ..Selection::default() };
                self.steps().select(&selection);
            }
            "order" => {
                let (by, order) = parse_by(gremlin)?;
                let is_ascending = !order.unwrap_or_default().to_lowercase().contains("desc");
                self.steps().rank(&by, if is_ascending { "ASC" } else { "DESC" }, None);
            }
            "groupCount" => {
                let (by, _) = parse_by(gremlin)?;
                self.steps().count(&[by]);
            }
            "toList" | "next" | "iterate" | "fold" | "unfold" | "toSet" => {}
            _ => return None,
        }
        Some(())
    }
}

/// Steps whose arguments have no equivalent, such as `local`.
const WITHOUT_ARGUMENTS: [&str; 13] = [
    "inV",
    "outV",
    "otherV",
    "id",
    "label",
    "count",
    "sum",
    "mean",
    "max",
    "min",
    "dedup",
    "order",
    "groupCount",
];

const BOTH: &str = "steps in both directions have no equivalent: write `out` or `in`, or `WALK FROM rows DIRECTION any AS reached` for the other nodes, each once";

/// `.by(key [, order])`
fn parse_by(gremlin: &mut Scanner<'_>) -> Option<(String, Option<String>)> {
    gremlin.accept(".by").then_some(())?;
    let mut all = parse_arguments(gremlin.take_brackets('(', ')')?).into_iter();
    let key = all.next()?;
    Some((if key == "T.label" || key == "label" { "type".to_owned() } else { key }, all.next()))
}

/// Returns the arguments without quotes.
fn parse_arguments(text: &str) -> Vec<String> {
    split(text, ",").into_iter().map(|one| unquoted(one).to_owned()).collect()
}

/// Conditions of `has(key)`, `has(key, value)`, `has(key, gt(3))` and `has(label, key, value)`.
fn has_conditions(text: &str) -> Option<Vec<String>> {
    let all = split(text, ",");
    match all.as_slice() {
        [key] => Some(vec![format!("EXISTS {}", print_field(unquoted(key)))]),
        [key, value] => Some(vec![test_condition(unquoted(key), value)?]),
        [label, key, value] => {
            let label = one_of_condition("type", &[unquoted(label).to_owned()])?;
            Some(vec![label, test_condition(unquoted(key), value)?])
        }
        _ => None,
    }
}

/// Condition on a field, with a value or a predicate such as `gt(3)`.
fn test_condition(key: &str, value: &str) -> Option<String> {
    let key = print_field(key);
    let mut predicate = Scanner::new(value);
    let mut name = predicate.take_name();
    if name.is_some_and(|name| ["P", "TextP"].contains(&name)) && predicate.accept(".") {
        name = predicate.take_name();
    }
    let Some(inner) = predicate.take_brackets('(', ')') else {
        return Some(format!("{key} = {}", value.trim()));
    };
    let operator = match name? {
        "eq" => "=",
        "gt" => ">",
        "gte" => ">=",
        "lt" => "<",
        "lte" => "<=",
        "containing" => "CONTAINS",
        "startingWith" => "STARTS_WITH",
        "endingWith" => "ENDS_WITH",
        "within" => return Some(format!("{key} IN [{}]", inner.trim_matches(['[', ']']))),
        "neq" => return Some(format!("{key} != {inner} AND {key} IS NOT NULL")),
        "without" => {
            let list = inner.trim_matches(['[', ']']);
            return Some(format!("{key} NOT IN [{list}] AND {key} IS NOT NULL"));
        }
        "between" => {
            let [min, max] = *split(inner, ",").as_slice() else { return None };
            let both = [format!("{key} >= {min}"), format!("{key} < {max}")];
            return Some(print_where(&both).trim_start_matches(" WHERE ").to_owned());
        }
        _ => return None,
    };
    Some(format!("{key} {operator} {inner}"))
}
