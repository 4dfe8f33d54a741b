//! What a search that finds nothing probably meant: another field, or another text.

use super::find::id_text;
use crate::base::diagnostic::quote;
use crate::base::{Code, Diagnostic, Value, names};
use crate::gasl::codes;
use crate::gasl::graph::{ElementKind, Graph};
use crate::gasl::language::ast::Target;
use crate::gasl::predicate::{Comparison, Field, Membership, Predicate, Test};
use std::slice;

/// Whose a field is, and its name there; nothing for the `length` of paths.
fn owner<'f>(graph: &Graph, target: Target, field: &'f str) -> Option<(ElementKind, &'f str)> {
    let split = field.split_once('.');
    Some(match (target, split) {
        (Target::Edges, Some(_)) if graph.edge_fields().iter().any(|known| **known == *field) => {
            (ElementKind::Edge, field)
        }
        (Target::Nodes, _) => (ElementKind::Node, field),
        (Target::Edges | Target::Paths, Some(("source" | "start" | "target" | "end", rest))) => {
            (ElementKind::Node, rest)
        }
        (Target::Edges, _) => (ElementKind::Edge, field),
        (Target::Paths, Some(("edge", rest))) => (ElementKind::Edge, rest),
        (Target::Paths, Some(("node", rest))) => (ElementKind::Node, rest),
        (Target::Paths, _) if field == "length" => return None,
        (Target::Paths, _) => (ElementKind::Node, field),
    })
}

/// The first field that nothing in the graph has.
pub fn unknown_field(
    graph: &Graph,
    target: Target,
    predicate: &Predicate,
) -> Option<(Field, Diagnostic)> {
    predicate.fields().into_iter().find_map(|field| {
        let (of, name) = owner(graph, target, &field)?;
        let (exists, known) = match of {
            ElementKind::Node => (graph.has_node_field(name), graph.node_fields()),
            ElementKind::Edge => (graph.has_edge_field(name), graph.edge_fields()),
        };
        if exists {
            return None;
        }
        let known: Vec<&str> = known.iter().map(|known| &**known).collect();
        let what = of.as_str();
        let told = no_such_field(codes::UNKNOWN_FIELD_IN_FIND, what, &field, name, &known);
        Some((
            field.clone(),
            match part_of_path(target, &field) {
                Some(meant) => told.help(format!("write {} for paths", quote(meant))),
                None => told,
            },
        ))
    })
}

/// What a word that stands for a part of a path is written as.
fn part_of_path(target: Target, field: &str) -> Option<&'static str> {
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
    let part = PARTS.iter().find(|(word, _)| target == Target::Paths && *word == field);
    part.map(|(_, meant)| *meant)
}

/// For paths whose ends are both asked for one id, which no path has.
pub fn both_ends(target: Target, predicate: &Predicate) -> Option<(Field, Diagnostic)> {
    if target != Target::Paths {
        return None;
    }
    let asked = ids_asked(predicate);
    let of = |names: [&str; 2]| -> Vec<(&Field, &Value)> {
        asked.iter().copied().filter(|(field, _)| names.contains(&&***field)).collect::<Vec<_>>()
    };
    if let Some((field, _)) = of(["id"; 2]).first() {
        let message = "`id` is asked of both ends of a path, and they are never one node";
        let help = "write `start.id` for where paths begin, or `end.id` for where they end";
        let told = Diagnostic::new(codes::BOTH_ENDS, message).help(help);
        return Some(((*field).clone(), told));
    }
    let starts = of(["start.id", "source.id"]);
    let is_start = |id: &Value| starts.iter().any(|(_, start)| id_text(start) == id_text(id));
    let (field, id) = of(["end.id", "target.id"]).into_iter().find(|(_, id)| is_start(id))?;
    let message = format!(
        "paths begin and end at {}, and their ends are never one node",
        quote(&id_text(id))
    );
    let help = "ask for another end; a circle is found as the paths to a neighbour that leads back";
    Some((field.clone(), Diagnostic::new(codes::BOTH_ENDS, message).help(help)))
}

/// What each conjunct asks a field to be.
fn ids_asked(predicate: &Predicate) -> Vec<(&Field, &Value)> {
    match predicate {
        Predicate::All(each) => each.iter().flat_map(ids_asked).collect(),
        Predicate::Field(field, Test::Compare(Comparison::Equal, id)) => vec![(field, id)],
        _ => Vec::new(),
    }
}

/// For a field that no row has, with those that there are.
pub fn no_such_field(
    code: Code,
    what: &str,
    written: &str,
    name: &str,
    fields: &[&str],
) -> Diagnostic {
    let message = format!("no {what} has the field {}", quote(written));
    let listed = names::list(fields.iter().copied());
    let help = match names::nearest(name, fields.iter().copied()) {
        Some(near) => {
            // `source.typ` asks for `source.type`.
            let prefix = written.strip_suffix(name).unwrap_or_default();
            format!("did you mean {}? There are {listed}", quote(&format!("{prefix}{near}")))
        }
        None if fields.is_empty() => "there are no fields at all".to_owned(),
        None => format!("there are {listed}"),
    };
    Diagnostic::new(code, message).help(help)
}

/// Where there are more texts, only their case may differ: to compare letter by letter takes long.
const COMPARED: usize = 1_000;

/// Of what is looked for so many texts are looked at: a list that is wrong is wrong from its beginning.
const WANTED: usize = 32;

/// The first text that no row has under a field, where another one was probably meant.
pub fn unknown_text(
    graph: &Graph,
    target: Target,
    predicate: &Predicate,
) -> Option<(Field, Diagnostic)> {
    match predicate {
        Predicate::All(each) | Predicate::Any(each) => {
            each.iter().find_map(|one| unknown_text(graph, target, one))
        }
        Predicate::Not(_) => None,
        Predicate::Field(field, test) => {
            let wanted = match test {
                Test::Compare(Comparison::Equal, value) => slice::from_ref(value),
                Test::In(Membership::In, values) => values,
                _ => return None,
            };
            let (of, name) = owner(graph, target, field)?;
            let written =
                |text| format!("no {} has {} as {}", of.as_str(), quote(text), quote(field));
            let mut texts = wanted.iter().filter_map(Value::as_text).take(WANTED);
            let told = texts.find_map(|text| {
                let near = near(graph, of, &[name], text)?;
                Some(no_such_text(written(text), text, near))
            });
            Some((field.clone(), told?))
        }
    }
}

/// For `FOLLOW` of a kind that no edge has: the one that was probably meant, or those that there are.
pub fn unknown_kind(graph: &Graph, kind: &str) -> Option<Diagnostic> {
    if !Graph::TYPE_FIELDS.iter().any(|field| graph.has_edge_field(field)) {
        let compared = names::list(Graph::TYPE_FIELDS);
        let fields = graph.edge_fields();
        let message = format!("no edge has one of {compared}, which `FOLLOW` compares");
        let listed = names::list(fields.iter().map(|field| &**field));
        let help = format!("there are {listed}: use `FIND edges WHERE …`, or leave `FOLLOW` out");
        return Some(Diagnostic::new(codes::UNKNOWN_FIELD_IN_FIND, message).help(help));
    }
    let message = format!("no edge is of the kind {}", quote(kind));
    if kind == "*" {
        let help = "leave `FOLLOW` out to follow edges of every kind";
        return Some(Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help));
    }
    if let Some(near) = near(graph, ElementKind::Edge, &Graph::TYPE_FIELDS, kind) {
        return Some(no_such_text(message, kind, near));
    }
    let kinds = || texts_of(graph, ElementKind::Edge, &Graph::TYPE_FIELDS);
    let is_missing = kinds().next().is_some() && kinds().all(|known| known != kind);
    let help = || {
        let one = if kind.contains(['|', ',']) { "; `FOLLOW` takes one of them" } else { "" };
        format!("there are {}{one}", names::list(kinds()))
    };
    is_missing.then(|| Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help()))
}

fn no_such_text(message: String, text: &str, near: &str) -> Diagnostic {
    let differs =
        if near.eq_ignore_ascii_case(text) { " Upper and lower case differ here" } else { "" };
    let help = format!("did you mean {}?{differs}", quote(near));
    Diagnostic::new(codes::UNKNOWN_TEXT, message).help(help)
}

/// The text of some fields that is nearest to one that none of them has.
fn near<'a>(graph: &'a Graph, of: ElementKind, fields: &[&str], text: &str) -> Option<&'a str> {
    let texts = || texts_of(graph, of, fields);
    if texts().any(|known| known == text) {
        return None;
    }
    let other_case = texts().find(|known| known.eq_ignore_ascii_case(text));
    if other_case.is_some() || texts().nth(COMPARED).is_some() {
        return other_case;
    }
    names::nearest(text, texts()).filter(|near| names::is_slip(text, near))
}

/// The different texts of some fields; ids, where a field holds those.
fn texts_of<'a>(
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
