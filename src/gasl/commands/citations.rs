//! Citations: the rows that the items of a model reply come from.

use crate::base::diagnostic::{limit_diagnostics, quote};
use crate::base::map::OrderedMap;
use crate::base::prompt_text::sanitize_line;
use crate::base::value::{excerpt, excerpt_of, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::citation_policy::CitationPolicy;
use crate::gasl::codes;
use crate::gasl::identity::item_key;
use crate::gasl::predicate::to_search_case;
use crate::gasl::variable::{Rows, Variable};
use std::cell::OnceCell;
use std::ops::Range;

/// Prefix of the generated id of a row without a unique id.
const GENERATED_ID_PREFIX: &str = "row ";

/// Rows in a prompt.
pub struct ShownRows<'a> {
    pub rows: &'a dyn Rows,
    pub range: Range<usize>,
}

/// Row in a prompt.
pub struct ShownRow {
    index: usize,
    /// Id for citations.
    pub id: String,
    pub row: Value,
    /// Texts in which quotes are searched. A reply may cite a row many times.
    search_texts: OnceCell<[String; 3]>,
}

impl ShownRow {
    /// Returns whether the row contains a quote, ignoring case, white space and punctuation. An ellipsis
    /// separates parts that occur in order.
    fn contains_quote(&self, quoted: &str) -> bool {
        let parts: Vec<String> =
            quoted.replace('…', "...").split("...").map(keep_alphanumeric).collect();
        self.search_texts.get_or_init(|| search_texts(&self.row)).iter().any(|text| {
            let mut rest = text.as_str();
            parts.iter().all(|part| {
                let found = rest.split_once(part.as_str());
                rest = found.map_or("", |(_, after)| after);
                found.is_some()
            })
        })
    }
}

impl ShownRows<'_> {
    /// Returns the rows with their citation ids.
    pub fn rows_with_ids(&self) -> Vec<ShownRow> {
        let rows: Vec<(usize, Value)> = self
            .range
            .clone()
            .map(|index| (index, self.rows.row(index).unwrap_or_default()))
            .collect();
        let mut counts: OrderedMap<usize> = OrderedMap::default();
        for (_, row) in &rows {
            if let Some(id) = id_of(row) {
                *counts.entry(id.into()).or_insert(0) += 1;
            }
        }
        // An id with line breaks or brackets could look like several rows.
        let is_special = |one: char| one.is_control() || "[]\u{2028}\u{2029}".contains(one);
        let is_unsafe = |id: &str| id.contains(is_special) || id.starts_with(GENERATED_ID_PREFIX);
        let is_usable = |id: &String| counts.get(id.as_str()) == Some(&1) && !is_unsafe(id);
        let with_id = |(index, row): (usize, Value)| {
            let id = id_of(&row)
                .filter(is_usable)
                .unwrap_or_else(|| format!("{GENERATED_ID_PREFIX}{index}"));
            ShownRow { index, id, row, search_texts: OnceCell::new() }
        };
        rows.into_iter().map(with_id).collect()
    }
}

/// Returns the sources of each item, from the rows that it cites; none for an uncited item. `entry`
/// combines a source of the row, or null, with the quoted snippet. Fails if a citation refers to an
/// unknown row or item, if its row does not contain the quoted words, or if a required one is
/// missing.
pub fn resolve_citations(
    reply: &Value,
    items: &[Value],
    shown: &ShownRows<'_>,
    input: &Variable,
    policy: CitationPolicy,
    entry: &mut dyn FnMut(&Value, Option<Value>) -> Value,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Vec<Value>>, Vec<Diagnostic>> {
    let mut sources = vec![Vec::new(); items.len()];
    let citations = reply.get("provenance").and_then(Value::as_list).unwrap_or_default();
    let (mut errors, mut short) = (Vec::new(), Vec::new());
    let shown = if citations.is_empty() { Vec::new() } else { shown.rows_with_ids() };
    let cited_items = CitedItems::new(if citations.is_empty() { &[] } else { items });
    for (index, citation) in citations.iter().enumerate() {
        let at = format!("/provenance/{index}");
        let id = citation.get("input_id").map(scalar_text).unwrap_or_default();
        let snippet = citation.get("snippet").filter(|text| !text.is_null()).cloned();
        let quoted = snippet.as_ref().and_then(Value::as_text);
        let (rows, is_quoted) = cited_rows(&id, quoted, &shown);
        if rows.is_empty() {
            errors.push(unknown_row(&id).at_pointer(format!("{at}/input_id")));
            continue;
        }
        let cited_item = citation.get("item").unwrap_or(&Value::Null);
        let Some(item) = cited_items.find(cited_item) else {
            errors.push(unknown_item(cited_item).at_pointer(format!("{at}/item")));
            continue;
        };
        if let Some(quoted) = quoted.filter(|quoted| is_snippet_too_short(quoted)) {
            short.push(short_snippet(quoted).at_pointer(format!("{at}/snippet")));
            continue;
        }
        if let Some(quoted) = quoted.filter(|_| !is_quoted) {
            errors.push(quote_not_found(quoted, &id).at_pointer(format!("{at}/snippet")));
            continue;
        }
        for shown in rows {
            let mut found = input.sources(shown.index).to_vec();
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
            if let Some(list) = sources.get_mut(item) {
                list.extend(entries);
            }
        }
    }
    let uncited = sources.iter().enumerate().filter(|(_, each)| each.is_empty());
    if errors.is_empty() && policy == CitationPolicy::Required {
        errors.extend(uncited.map(|(index, _)| uncited_item(index)));
    }
    if errors.is_empty() {
        diagnostics.extend(limit_diagnostics(short));
        return Ok(sources);
    }
    short.extend(errors);
    Err(limit_diagnostics(short))
}

/// Minimum number of letters and digits of a snippet.
const MIN_SNIPPET_CHARS: usize = 2;

/// Returns whether a snippet is too short to support an item, with each part between ellipses.
fn is_snippet_too_short(quoted: &str) -> bool {
    let parts = quoted.replace('…', "...");
    let longest = parts.split("...").map(|part| keep_alphanumeric(part).chars().count()).max();
    longest.unwrap_or_default() < MIN_SNIPPET_CHARS
}

/// Returns the rows with a citation id, or else with this id or key. Of these, returns those that
/// contain the quoted words, if any, and whether there are such rows.
fn cited_rows<'a>(
    id: &str,
    quoted: Option<&str>,
    shown: &'a [ShownRow],
) -> (Vec<&'a ShownRow>, bool) {
    let mut rows: Vec<_> = shown.iter().filter(|one| one.id == id).collect();
    if rows.is_empty() {
        let has_id = |row| id_of(row).is_some_and(|own| own == id) || item_key(row) == id;
        rows = shown.iter().filter(|one| has_id(&one.row)).collect();
    }
    let Some(quoted) = quoted else { return (rows, true) };
    let containing: Vec<_> =
        rows.iter().copied().filter(|one| one.contains_quote(quoted)).collect();
    if containing.is_empty() { (rows, false) } else { (containing, true) }
}

/// Returns the texts of a row, and its JSON, as it is in the prompt too, because the model may copy an escape.
fn search_texts(row: &Value) -> [String; 3] {
    let mut texts = String::new();
    append_texts(row, &mut texts);
    let json = row.to_text();
    [sanitize_line(&json), texts, json].map(|text| keep_alphanumeric(&text))
}

fn keep_alphanumeric(text: &str) -> String {
    to_search_case(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Appends all strings, numbers and keys of a value.
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

fn quote_not_found(quoted: &str, id: &str) -> Diagnostic {
    let quoted = excerpt_of(quoted, 60);
    let message = format!("the row {} does not contain {}", quote(id), quote(&quoted));
    Diagnostic::new(codes::QUOTE_MISMATCH, message)
        .help("copy the snippet exactly from the row, or leave it out")
}

/// Returns the id of a row, or `None` if it has none.
fn id_of(row: &Value) -> Option<String> {
    match row.get("id") {
        Some(id @ (Value::Text(_) | Value::Number(_))) => Some(scalar_text(id)),
        _ => None,
    }
}

/// Converts cited ids that are numbers to strings, and adds a missing list of citations.
pub fn normalize_citations(reply: &mut Value) {
    let misses = reply.get("items").is_some() && reply.get("provenance").is_none_or(Value::is_null);
    if let Some(map) = reply.as_map_mut().filter(|_| misses) {
        put(map, "provenance", Vec::<Value>::new());
    }
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

/// Items by their texts and names, so that many citations take linear time.
struct CitedItems<'a> {
    items: &'a [Value],
    /// Items that are texts.
    texts: OrderedMap<usize>,
    /// Identities, and values of `name` and `key`.
    names: OrderedMap<usize>,
}

impl<'a> CitedItems<'a> {
    fn new(items: &'a [Value]) -> CitedItems<'a> {
        let (mut texts, mut names) = (OrderedMap::default(), OrderedMap::default());
        for (index, item) in items.iter().enumerate() {
            if let Some(text) = item.as_text() {
                texts.entry(text.into()).or_insert(index);
            }
            names.entry(item_key(item).into()).or_insert(index);
            for name in ["name", "key"].iter().filter_map(|key| item.get(key)) {
                names.entry(scalar_text(name).into()).or_insert(index);
            }
        }
        CitedItems { items, texts, names }
    }

    /// Finds an item by its index, the item itself, its id, or a name.
    fn find(&self, cited: &Value) -> Option<usize> {
        if let Some(number) = cited.as_number() {
            let index = number as usize;
            return (index as f64 == number && index < self.items.len()).then_some(index);
        }
        let text = scalar_text(cited);
        let itself = match cited {
            Value::Text(_) => self.texts.get(text.as_str()).copied(),
            _ => self.items.iter().position(|item| item == cited),
        };
        itself
            .or_else(|| self.names.get(text.as_str()).copied())
            .or_else(|| text.parse::<usize>().ok().filter(|index| *index < self.items.len()))
    }
}

fn short_snippet(quoted: &str) -> Diagnostic {
    let message = format!("the snippet {} is too short to be a citation", quote(quoted));
    Diagnostic::new(codes::SHORT_SNIPPET, message)
        .help("copy a few words of the row, or leave the snippet out")
}

fn uncited_item(index: usize) -> Diagnostic {
    let help = format!(
        "add `{{\"item\": {index}, \"input_id\": …}}` to `provenance` with the row that supports it, or leave the item out"
    );
    Diagnostic::new(codes::UNCITED_FINDING, format!("item {index} has no citation"))
        .help(help)
        .at_pointer(format!("/items/{index}"))
}

/// Warns of `count` of `total` findings without a citation.
pub fn marked_uncited(count: usize, total: usize) -> Diagnostic {
    let message = format!("{count} of {total} findings have no citation, and are marked `uncited`");
    Diagnostic::new(codes::MARKED_UNCITED, message)
        .help("check them, or open the session with `citations: \"required\"`")
}

/// Error for `RETURNING` in a session that requires citations.
pub fn no_citations() -> Diagnostic {
    Diagnostic::new(codes::NO_CITATIONS, "expected citations, found `RETURNING`, which has none")
        .help("leave `RETURNING` out, or open the session with `citations: \"warn\"`")
}

fn unknown_row(id: &str) -> Diagnostic {
    let message = format!("unknown input_id {}", quote(id));
    Diagnostic::new(codes::BAD_CITATION, message).help("cite an input_id in brackets before a row")
}

fn unknown_item(item: &Value) -> Diagnostic {
    let message = format!("unknown item {}", quote(&excerpt(item, 60)));
    Diagnostic::new(codes::BAD_CITATION, message)
        .help("write the zero-based index of the item in `items`")
}
