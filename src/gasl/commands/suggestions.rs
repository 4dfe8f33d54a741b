//! Suggestions for searches without a match: similar fields and texts.

use crate::base::diagnostic::{MAX_REPORTED_DIAGNOSTICS, quote};
use crate::base::map::NameMap;
use crate::base::{Code, Diagnostic, Value, names};
use crate::gasl::codes;
use crate::gasl::graph::{ElementKind, Graph};
use crate::gasl::identity::id_text;
use crate::gasl::language::ast::FindTarget;
use crate::gasl::predicate::{Comparison, FieldName, Membership, Predicate, Test, TestOperator};
use crate::gasl::remote::GraphSchema;
use std::rc::Rc;
use std::slice;

/// Fields of a graph in memory, or those of the schema of a remote one.
pub enum FieldSource<'a> {
    Graph(&'a Graph),
    Schema(&'a GraphSchema),
}

impl FieldSource<'_> {
    fn has(&self, of: ElementKind, name: &str) -> bool {
        match (self, of) {
            (FieldSource::Graph(graph), ElementKind::Node) => graph.has_node_field(name),
            (FieldSource::Graph(graph), ElementKind::Edge) => graph.has_edge_field(name),
            (FieldSource::Schema(schema), of) => schema.has(of, name),
        }
    }

    fn has_edge_attribute(&self, name: &str) -> bool {
        match self {
            FieldSource::Graph(graph) => graph.has_edge_attribute(name),
            FieldSource::Schema(schema) => schema.has(ElementKind::Edge, name),
        }
    }

    fn fields(&self, of: ElementKind) -> Vec<Rc<str>> {
        match (self, of) {
            (FieldSource::Graph(graph), ElementKind::Node) => graph.node_fields(),
            (FieldSource::Graph(graph), ElementKind::Edge) => graph.edge_fields(),
            (FieldSource::Schema(schema), of) => {
                schema.fields(of).iter().map(|name| Rc::from(name.as_str())).collect()
            }
        }
    }

    /// Returns the element kind that a field belongs to and its name there, or `None` for `length` of
    /// paths.
    pub fn owner<'f>(&self, target: FindTarget, field: &'f str) -> Option<(ElementKind, &'f str)> {
        let split = field.split_once('.');
        Some(match (target, split) {
            (FindTarget::Edges, Some(_)) if self.has_edge_attribute(field) => {
                (ElementKind::Edge, field)
            }
            (FindTarget::Nodes, _) => (ElementKind::Node, field),
            (
                FindTarget::Edges | FindTarget::Paths,
                Some(("source" | "start" | "target" | "end", rest)),
            ) => (ElementKind::Node, rest),
            (FindTarget::Edges, _) => (ElementKind::Edge, field),
            (FindTarget::Paths, Some(("edge", rest))) => (ElementKind::Edge, rest),
            (FindTarget::Paths, Some(("node", rest))) => (ElementKind::Node, rest),
            (FindTarget::Paths, _) if field == "length" => return None,
            (FindTarget::Paths, _) => (ElementKind::Node, field),
        })
    }
}

/// Field of a condition that no element has.
pub struct UnknownField {
    /// Field as written.
    pub field: FieldName,
    pub element_kind: ElementKind,
    /// Field without the prefix of its element.
    pub name: String,
}

/// Returns the fields of a condition that no element has.
pub fn unknown_names(
    source: &FieldSource<'_>,
    target: FindTarget,
    predicate: &Predicate,
) -> Vec<UnknownField> {
    let mut unknown = Vec::new();
    for field in predicate.fields() {
        let Some((of, name)) = source.owner(target, &field) else { continue };
        if !source.has(of, name) {
            let name = name.to_owned();
            unknown.push(UnknownField { element_kind: of, name, field });
        }
    }
    unknown
}

/// Returns the warning for a field that no element has.
pub fn unknown_field_warning(
    source: &FieldSource<'_>,
    target: FindTarget,
    predicate: &Predicate,
    UnknownField { field, element_kind: of, name }: &UnknownField,
) -> Diagnostic {
    let available = source.fields(*of);
    let available: Vec<&str> = available.iter().map(|name| &**name).collect();
    let code = codes::UNKNOWN_FIELD_IN_FIND;
    let warning = unknown_field_error(code, of.as_str(), field, name, &available);
    let warning = with_text_help(warning, field, predicate);
    match path_field(target, field) {
        Some(path_field) => warning.help(format!("write {} for paths", quote(path_field))),
        None => warning,
    }
}

/// Returns a warning for each field that no element of the graph has.
pub fn unknown_fields(
    graph: &Graph,
    target: FindTarget,
    predicate: &Predicate,
) -> Vec<(FieldName, Diagnostic)> {
    let source = FieldSource::Graph(graph);
    let mut warnings = Vec::new();
    for unknown in unknown_names(&source, target, predicate) {
        // Later diagnostics are only counted.
        if warnings.len() >= MAX_REPORTED_DIAGNOSTICS {
            let code = codes::UNKNOWN_FIELD_IN_FIND;
            warnings.push(("".into(), Diagnostic::new(code, "unknown field")));
            continue;
        }
        let warning = unknown_field_warning(&source, target, predicate, &unknown);
        warnings.push((unknown.field, warning));
    }
    warnings
}

/// Adds to the help of an unknown field on the right of a test that a text has quotes.
pub fn with_text_help(unknown: Diagnostic, field: &str, predicate: &Predicate) -> Diagnostic {
    match &unknown.help {
        Some(help) if predicate.compares_with(field) => {
            let help = format!("{help}; write {} for a text", quote(&format!("\"{field}\"")));
            unknown.help(help)
        }
        _ => unknown,
    }
}

/// Returns the field of paths that a common name means.
fn path_field(target: FindTarget, field: &str) -> Option<&'static str> {
    const PARTS: [(&str, &str); 8] = [
        ("start", "start.id"),
        ("source", "source.id"),
        ("from", "start.id"),
        ("end", "end.id"),
        ("target", "target.id"),
        ("to", "end.id"),
        ("depth", "length"),
        ("hops", "length"),
    ];
    let part = PARTS.iter().find(|(word, _)| target == FindTarget::Paths && *word == field);
    part.map(|(_, path_field)| *path_field)
}

/// Returns a warning if a condition requires the same id at both ends of a path.
pub fn same_ends_warning(
    target: FindTarget,
    predicate: &Predicate,
) -> Option<(FieldName, Diagnostic)> {
    if target != FindTarget::Paths {
        return None;
    }
    let conditions = id_conditions(predicate);
    let of = |names: [&str; 2]| -> Vec<(&FieldName, &Value)> {
        conditions
            .iter()
            .copied()
            .filter(|(field, _)| names.contains(&&***field))
            .collect::<Vec<_>>()
    };
    if let Some((field, _)) = of(["id"; 2]).first() {
        let message = "`id` refers to both ends of a path, which are never the same node";
        let help = "write `start.id` or `end.id`";
        let warning = Diagnostic::new(codes::SAME_ENDS, message).help(help);
        return Some(((*field).clone(), warning));
    }
    if let Some(field) = equal_end_ids(predicate) {
        let message = "the ends of a path are never the same node";
        let help =
            "compare another field; find a cycle through the paths to a neighbour of the node";
        return Some((field.clone(), Diagnostic::new(codes::SAME_ENDS, message).help(help)));
    }
    let mut starts = NameMap::default();
    for (_, start) in of(["start.id", "source.id"]) {
        starts.insert(id_text(start).into_owned(), 0);
    }
    let is_start = |id: &Value| starts.contains_key(&*id_text(id));
    let (field, id) = of(["end.id", "target.id"]).into_iter().find(|(_, id)| is_start(id))?;
    let message = format!(
        "paths start and end at {}, but their ends are never the same node",
        quote(&id_text(id))
    );
    let help = "choose another end; find a cycle through the paths to a neighbour of the node";
    Some((field.clone(), Diagnostic::new(codes::SAME_ENDS, message).help(help)))
}

/// Returns the first field of a comparison of both ids for equality in the top-level conjunction.
fn equal_end_ids(predicate: &Predicate) -> Option<&FieldName> {
    let is_id = |names: [&str; 2], field: &str| names.contains(&field);
    let (start, end) = (["start.id", "source.id"], ["end.id", "target.id"]);
    match predicate {
        Predicate::All(each) => each.iter().find_map(equal_end_ids),
        Predicate::Fields(left, TestOperator::Compare(Comparison::Equal), right) => {
            let is_both =
                is_id(start, left) && is_id(end, right) || is_id(end, left) && is_id(start, right);
            is_both.then_some(left)
        }
        _ => None,
    }
}

/// Returns the equality conditions of the top-level conjunction.
fn id_conditions(predicate: &Predicate) -> Vec<(&FieldName, &Value)> {
    match predicate {
        Predicate::All(each) => each.iter().flat_map(id_conditions).collect(),
        Predicate::Field(field, Test::Compare(Comparison::Equal, id)) => vec![(field, id)],
        _ => Vec::new(),
    }
}

/// Diagnostic for a field that no row has; its help suggests or lists existing fields.
pub fn unknown_field_error(
    code: Code,
    kind: &str,
    written: &str,
    name: &str,
    fields: &[&str],
) -> Diagnostic {
    let message = format!("unknown field {} of {kind}s", quote(written));
    let listed = names::format_names(fields.iter().copied());
    let help = match names::closest(name, fields.iter().copied()) {
        Some(closest) => {
            // `source.typ` suggests `source.type`.
            let prefix = written.strip_suffix(name).unwrap_or_default();
            format!("did you mean {}? available: {listed}", quote(&format!("{prefix}{closest}")))
        }
        None if fields.is_empty() => "leave the field out: no row has fields".to_owned(),
        None => format!("available: {listed}"),
    };
    Diagnostic::new(code, message).help(help)
}

/// Maximum number of texts for edit distance; of more texts only the case is compared.
const MAX_COMPARED_TEXTS: usize = 1_000;

/// Maximum number of texts of a complete condition that are checked.
const MAX_CHECKED_TEXTS: usize = 32;

/// Returns a warning for the first text that no row has in a field, if a similar one exists.
pub fn find_unknown_text(
    graph: &Graph,
    target: FindTarget,
    predicate: &Predicate,
) -> Option<(FieldName, Diagnostic)> {
    find_unknown_text_within(graph, target, predicate, &mut { MAX_CHECKED_TEXTS })
}

/// Checks at most `left` texts.
fn find_unknown_text_within(
    graph: &Graph,
    target: FindTarget,
    predicate: &Predicate,
    left: &mut usize,
) -> Option<(FieldName, Diagnostic)> {
    match predicate {
        Predicate::All(each) | Predicate::Any(each) => {
            each.iter().find_map(|one| find_unknown_text_within(graph, target, one, left))
        }
        Predicate::Not(_) | Predicate::Fields(..) => None,
        Predicate::Field(field, test) => {
            let values = match test {
                _ if *left == 0 => return None,
                Test::Compare(Comparison::Equal, value) => slice::from_ref(value),
                Test::In(Membership::In, items) => items,
                _ => return None,
            };
            let (of, name) = FieldSource::Graph(graph).owner(target, field)?;
            let message = |text| missing_text(of, text, field);
            let mut texts = values.iter().filter_map(Value::as_text);
            let warning = texts.find_map(|text| {
                *left = left.checked_sub(1)?;
                let closest = closest_text(graph, of, &[name], text)?;
                Some(unknown_text_warning(message(text), text, closest))
            });
            Some((field.clone(), warning?))
        }
    }
}

pub fn missing_text(element_kind: ElementKind, text: &str, field: &str) -> String {
    format!("no {} has the value {} in {}", element_kind.as_str(), quote(text), quote(field))
}

/// Text of a condition whose field may have a similar one.
pub struct TextCheck {
    /// Field as written.
    pub field: FieldName,
    pub of: ElementKind,
    /// Field without the prefix of its element.
    pub name: String,
    text: Rc<str>,
}

/// Returns the texts of a condition that its fields are required to have, up to a maximum.
pub fn text_checks(
    source: &FieldSource<'_>,
    target: FindTarget,
    predicate: &Predicate,
) -> Vec<TextCheck> {
    let mut checks = Vec::new();
    add_text_checks(source, target, predicate, &mut checks);
    checks.truncate(MAX_CHECKED_TEXTS);
    checks
}

fn add_text_checks(
    source: &FieldSource<'_>,
    target: FindTarget,
    predicate: &Predicate,
    checks: &mut Vec<TextCheck>,
) {
    match predicate {
        Predicate::All(each) | Predicate::Any(each) => {
            each.iter().for_each(|one| add_text_checks(source, target, one, checks));
        }
        Predicate::Not(_) | Predicate::Fields(..) => {}
        Predicate::Field(field, test) => {
            let values = match test {
                Test::Compare(Comparison::Equal, value) => slice::from_ref(value),
                Test::In(Membership::In, items) => items,
                _ => return,
            };
            let Some((of, name)) = source.owner(target, field) else { return };
            let texts = values.iter().filter_map(|value| match value {
                Value::Text(text) => Some(text.clone()),
                _ => None,
            });
            checks.extend(texts.take(MAX_CHECKED_TEXTS).map(|text| {
                let (field, name) = (field.clone(), name.to_owned());
                TextCheck { field, of, name, text }
            }));
        }
    }
}

/// Returns a warning if a text is similar to one of the values of its field, and equal to none.
pub fn closest_value(check: &TextCheck, values: &[&str]) -> Option<Diagnostic> {
    let closest = closest_among(|| values.iter().copied(), &check.text)?;
    let message = missing_text(check.of, &check.text, &check.field);
    Some(unknown_text_warning(message, &check.text, closest))
}

/// Returns a warning if no edge has the relation of a `FOLLOW`.
pub fn unknown_relation(graph: &Graph, relation: &str) -> Option<Diagnostic> {
    let Some(field) = graph.relation_field() else {
        let compared = names::format_names(Graph::relation_field_names());
        let fields = graph.edge_fields();
        let message = format!("no edge has one of the fields {compared}, which `FOLLOW` compares");
        let listed = names::format_names(fields.iter().map(|field| &**field));
        let help = format!("write `FOLLOW field = value` with one of {listed}, or leave it out");
        return Some(Diagnostic::new(codes::UNKNOWN_FIELD_IN_FIND, message).help(help));
    };
    let fields: &[&str] = &[&field];
    missing_relation(relation, || texts_of(graph, ElementKind::Edge, fields))
}

/// Returns a warning if a relation is none of those of the edges.
pub fn missing_relation<'a, I: Iterator<Item = &'a str>>(
    relation: &str,
    relations: impl Fn() -> I,
) -> Option<Diagnostic> {
    let message = format!("no edge has the relation {}", quote(relation));
    if relation == "*" {
        let help = "leave `FOLLOW` out to follow all edges";
        return Some(Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help));
    }
    if let Some(closest) = closest_among(&relations, relation) {
        return Some(unknown_text_warning(message, relation, closest));
    }
    let is_missing = relations().next().is_some() && relations().all(|one| one != relation);
    let help = || {
        let one = if relation.contains(['|', ',']) { "; `FOLLOW` accepts one of them" } else { "" };
        format!("available: {}{one}", names::format_names(relations()))
    };
    is_missing.then(|| Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help()))
}

pub fn unknown_text_warning(message: String, text: &str, closest: &str) -> Diagnostic {
    let differs =
        if closest.eq_ignore_ascii_case(text) { " values are case sensitive" } else { "" };
    let help = format!("did you mean {}?{differs}", quote(closest));
    Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help)
}

/// Returns the closest text of some fields, or `None` if one of them contains `text`.
fn closest_text<'a>(
    graph: &'a Graph,
    of: ElementKind,
    fields: &[&str],
    text: &str,
) -> Option<&'a str> {
    closest_among(|| texts_of(graph, of, fields), text)
}

fn closest_among<'a, I: Iterator<Item = &'a str>>(
    texts: impl Fn() -> I,
    text: &str,
) -> Option<&'a str> {
    if texts().any(|one| one == text) {
        return None;
    }
    let other_case = texts().find(|one| one.eq_ignore_ascii_case(text));
    if other_case.is_some() || texts().nth(MAX_COMPARED_TEXTS).is_some() {
        return other_case;
    }
    names::closest(text, texts()).filter(|closest| names::is_typo(text, closest))
}

/// Returns the distinct texts of some fields, including ids.
pub fn texts_of<'a>(
    graph: &'a Graph,
    of: ElementKind,
    fields: &[&str],
) -> impl Iterator<Item = &'a str> {
    fields.iter().flat_map(move |field| {
        let ids = match (of, *field) {
            (ElementKind::Node, "id") | (ElementKind::Edge, "source" | "target") => {
                graph.node_count()
            }
            _ => 0,
        };
        let ids = (0..ids as u32).map(|node| graph.node_id(node));
        ids.chain(graph.distinct_texts(of, field))
    })
}
