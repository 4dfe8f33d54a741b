//! What a reply of the model says of where its items come from.

use crate::base::diagnostic::{first_of, quote};
use crate::base::map::OrderedMap;
use crate::base::value::{excerpt, excerpt_of, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::identity::item_key;
use crate::gasl::predicate::lower;
use crate::gasl::variable::{Rows, Variable};
use std::ops::Range;

/// How the number of a row begins, by which it is shown where it has no id of its own.
const NUMBERED: &str = "row ";

/// The rows that a model was shown.
pub struct Shown<'a> {
    pub rows: &'a dyn Rows,
    pub places: Range<usize>,
}

/// One of them.
pub struct ShownRow {
    place: usize,
    /// What it is cited by.
    pub id: String,
    pub row: Value,
}

impl Shown<'_> {
    /// Each row with the id that it is shown with.
    pub fn each(&self) -> Vec<ShownRow> {
        let rows: Vec<(usize, Value)> =
            self.places.clone().map(|at| (at, self.rows.row(at).unwrap_or_default())).collect();
        let mut counts: OrderedMap<usize> = OrderedMap::default();
        for (_, row) in &rows {
            if let Some(id) = id_of(row) {
                *counts.entry(id.into()).or_insert(0) += 1;
            }
        }
        // One of several lines would look like rows that there are not, and one like a number of ours like another row.
        let is_taken = |id: &str| id.contains(char::is_control) || id.starts_with(NUMBERED);
        let is_own = |id: &String| counts.get(id.as_str()) == Some(&1) && !is_taken(id);
        let named = |(place, row): (usize, Value)| {
            let id = id_of(&row).filter(is_own).unwrap_or_else(|| format!("{NUMBERED}{place}"));
            ShownRow { place, id, row }
        };
        rows.into_iter().map(named).collect()
    }
}

/// For each item the sources of the rows that it is said to come from. `entry` makes one of what a row of the input
/// comes from, if that is known, and of the words that are cited.
pub fn cited(
    reply: &Value,
    items: &[Value],
    shown: &Shown<'_>,
    input: &Variable,
    entry: &mut dyn FnMut(&Value, Option<Value>) -> Value,
    told: &mut Vec<Diagnostic>,
) -> Result<Vec<Vec<Value>>, Vec<Diagnostic>> {
    let mut sources = vec![Vec::new(); items.len()];
    let citations = reply.get("provenance").and_then(Value::as_list).unwrap_or_default();
    if citations.is_empty() {
        return Ok(sources);
    }
    let mut faults = Vec::new();
    let shown = shown.each();
    for (index, citation) in citations.iter().enumerate() {
        let at = format!("/provenance/{index}");
        let id = citation.get("input_id").map(scalar_text).unwrap_or_default();
        let snippet = citation.get("snippet").filter(|text| !text.is_null()).cloned();
        let words = snippet.as_ref().and_then(Value::as_text);
        let (rows, quoted) = meant(&id, words, &shown);
        if rows.is_empty() {
            faults.push(unknown_row(&id).at_pointer(format!("{at}/input_id")));
            continue;
        }
        let wanted = citation.get("item").unwrap_or(&Value::Null);
        let Some(item) = item_of(wanted, items) else {
            faults.push(unknown_item(wanted).at_pointer(format!("{at}/item")));
            continue;
        };
        if let Some(words) = words.filter(|_| !quoted) {
            told.push(not_quoted(words, &id).at_pointer(format!("{at}/snippet")));
        }
        for shown in rows {
            let mut found = input.sources(shown.place).to_vec();
            if found.is_empty() {
                found.push(Value::Null);
            }
            let entries = found.iter().map(|of| {
                let mut entry = entry(of, snippet.clone());
                if let Some(map) = entry.as_map_mut() {
                    put(map, "input_id", shown.id.as_str());
                }
                entry
            });
            if let Some(place) = sources.get_mut(item) {
                place.extend(entries);
            }
        }
    }
    if faults.is_empty() { Ok(sources) } else { Err(first_of(faults)) }
}

/// The rows that a citation means, and whether they have its words: the one that was shown with the id, else all whose
/// id or key it is, and of those the ones with the words.
fn meant<'a>(id: &str, words: Option<&str>, shown: &'a [ShownRow]) -> (Vec<&'a ShownRow>, bool) {
    let mut rows: Vec<_> = shown.iter().filter(|one| one.id == id).collect();
    if rows.is_empty() {
        let is_its = |row| id_of(row).is_some_and(|own| own == id) || item_key(row) == id;
        rows = shown.iter().filter(|one| is_its(&one.row)).collect();
    }
    let Some(words) = words else { return (rows, true) };
    let saying: Vec<_> = rows.iter().copied().filter(|one| is_quoted(words, &one.row)).collect();
    if saying.is_empty() { (rows, false) } else { (saying, true) }
}

/// Whether a row has the words that are cited from it: one behind the other where dots stand between
/// them, whatever the case, and whatever white space and signs there are. A model was shown its JSON,
/// and may copy an escape as it stands there.
fn is_quoted(words: &str, row: &Value) -> bool {
    let mut said = String::new();
    append_texts(row, &mut said);
    [said, row.to_text()].iter().any(|row| {
        let row = letters(row);
        let mut rest = row.as_str();
        words.replace('…', "...").split("...").map(letters).all(|part| {
            let found = rest.split_once(part.as_str());
            rest = found.map_or("", |(_, behind)| behind);
            found.is_some()
        })
    })
}

fn letters(text: &str) -> String {
    lower(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// All that a value says, with the names of its fields.
fn append_texts(value: &Value, out: &mut String) {
    match value {
        Value::Text(text) => out.push_str(text),
        Value::List(items) => items.iter().for_each(|item| append_texts(item, out)),
        Value::Map(map) => map.iter().for_each(|(key, value)| {
            out.push_str(key);
            append_texts(value, out);
        }),
        other => out.push_str(&other.to_text()),
    }
}

fn not_quoted(words: &str, id: &str) -> Diagnostic {
    let words = excerpt_of(words, 60);
    let message = format!("the row {} does not say {}", quote(id), quote(&words));
    Diagnostic::new(codes::NOT_QUOTED, message)
        .help("a snippet is copied from the row, letter by letter; leave it out where nothing fits")
}

/// How an answer cites a row where no other one has the same id; else it does by its number.
fn id_of(row: &Value) -> Option<String> {
    match row.get("id") {
        Some(id @ (Value::Text(_) | Value::Number(_))) => Some(scalar_text(id)),
        _ => None,
    }
}

/// Writes ids that are cited as numbers as the texts that they were shown as.
pub fn with_text_ids(reply: &mut Value) {
    let cited = reply.get_mut("provenance").and_then(Value::as_list_mut);
    for citation in cited.into_iter().flatten() {
        if let Some(id @ Value::Number(_)) = citation.get_mut("input_id") {
            *id = scalar_text(id).into();
        }
    }
}

fn scalar_text(value: &Value) -> String {
    value.as_text().map_or_else(|| value.to_text(), str::to_owned)
}

/// The item that a citation means: its index, its id, or the item itself.
fn item_of(wanted: &Value, items: &[Value]) -> Option<usize> {
    if let Some(number) = wanted.as_number() {
        let index = number as usize;
        return (index as f64 == number && index < items.len()).then_some(index);
    }
    items.iter().position(|item| item == wanted).or_else(|| {
        let text = scalar_text(wanted);
        let named = |item: &Value| {
            item_key(item) == text
                || ["name", "key"]
                    .iter()
                    .any(|key| item.get(key).is_some_and(|v| scalar_text(v) == text))
        };
        items
            .iter()
            .position(named)
            .or_else(|| text.parse::<usize>().ok().filter(|index| *index < items.len()))
    })
}

fn unknown_row(id: &str) -> Diagnostic {
    let message = format!("no row with the input_id {} was shown", quote(id));
    Diagnostic::new(codes::BAD_CITATION, message)
        .help("cite only the input_ids in brackets before the rows")
}

fn unknown_item(item: &Value) -> Diagnostic {
    let message = format!("no item is {}", quote(&excerpt(item, 60)));
    Diagnostic::new(codes::BAD_CITATION, message)
        .help("give the index of the item in `items`, from 0 on")
}
