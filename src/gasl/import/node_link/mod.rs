//! Node-link JSON, as NetworkX and d3 write it, and our own export, which is of the same form.
//!
//! `{directed?, graph?, nodes: [{id, …}], links | edges: [{source, target, …}], sources?}`. An end
//! names a node by its id. Where ends are numbers and no node has a number for its id, they count
//! the nodes. A node without `id` has its `name` for one, else its place.

mod item;
mod outline;

use self::item::{Item, id_of};
use self::outline::Outline;
use super::draft::Draft;
use super::{Imported, Limits, codes, text_of};
use crate::base::json::{self, Reader};
use crate::base::value::StringCache;
use crate::base::{Diagnostic, Location, Span, Value};
use crate::gasl::graph::{FORMAT, Given, Quotes, Row};

/// Reads a node-link document.
pub fn node_link(text: &[u8], limits: Limits) -> Imported {
    read(text, limits).map_err(|error| vec![error])?.finish()
}

fn read(bytes: &[u8], limits: Limits) -> Result<Draft, Diagnostic> {
    let (text, offset) = text_of(bytes, limits)?;
    let json_limits = json::Limits { depth: limits.depth, bytes: limits.bytes };
    let mut outline = Outline::default();
    let placed = |error: Diagnostic| moved(error, offset);
    Reader::new(json_limits).read_all(text.as_bytes(), &mut outline).map_err(placed)?;
    let document = Document { text, offset, limits: json_limits, outline };
    let Some(nodes) = document.outline.find("nodes").filter(|_| document.outline.is_map) else {
        return Err(Diagnostic::new(codes::NO_NODE_LINK, "no list `nodes`")
            .help("write `{\"nodes\": [{\"id\": …}], \"edges\": [{\"source\": …, \"target\": …}]}`")
            .at(Span::new(offset, offset)));
    };
    let is_list = |span: Span| text.get(span.start..).is_some_and(|text| text.starts_with('['));
    if !is_list(nodes) {
        return Err(Diagnostic::new(codes::NO_NODE_LINK, "`nodes` is no list")
            .help("write `\"nodes\": [{\"id\": …}]`")
            .at(document.place(nodes)));
    }
    for name in ["links", "edges"] {
        let Some(edges) = document.outline.find(name).filter(|edges| !is_list(*edges)) else {
            continue;
        };
        if document.value(name) == Some(Value::Null) {
            continue;
        }
        return Err(Diagnostic::new(codes::NO_NODE_LINK, format!("`{name}` is no list"))
            .help(format!("write `\"{name}\": [{{\"source\": …, \"target\": …}}]`"))
            .at(document.place(edges)));
    }
    let own = document.value("format").is_some_and(|format| format.as_text() == Some(FORMAT));
    let quotes = if own { Quotes::Kept } else { Quotes::Stripped };
    let mut draft = Draft::new(quotes, limits);
    draft.builder.directed = document.value("directed") == Some(Value::Bool(true));
    let about = document.value("graph").filter(|about| about.as_map().is_some());
    draft.builder.about = about.filter(|about| *about != Value::map([])).into();
    let texts = document.value("sources").filter(|texts| texts.as_map().is_some());
    draft.builder.texts = texts.into();
    let places = read_nodes(&document, &mut draft)?;
    read_edges(&document, &places, &mut draft)?;
    if own && let Some(raw) = document.value("raw") {
        read_raw(&raw, &mut draft);
    }
    Ok(draft)
}

/// The text and where its parts stand.
struct Document<'a> {
    text: &'a str,
    offset: usize,
    limits: json::Limits,
    outline: Outline,
}

impl Document<'_> {
    fn value(&self, key: &str) -> Option<Value> {
        self.parse(self.outline.find(key)?, &mut StringCache::default()).0
    }

    fn parse(&self, span: Span, strings: &mut StringCache) -> (Option<Value>, Vec<Diagnostic>) {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        Value::parse_next(text.as_bytes(), self.limits, strings)
    }

    /// An item of a list, the warnings about it noted.
    fn item(&self, span: Span, strings: &mut StringCache, draft: &mut Draft) -> Item<'_> {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        Item::plain(text).unwrap_or_else(|| {
            let (value, warnings) = self.parse(span, strings);
            for warning in warnings {
                draft.note(warning.code, || moved(warning, span.start + self.offset));
            }
            Item::Value(value.unwrap_or_default())
        })
    }

    fn place(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }
}

/// The diagnostic of a text that starts later.
fn moved(diagnostic: Diagnostic, by: usize) -> Diagnostic {
    let location = diagnostic.location.map(|location| match location {
        Location::Span(span) => Location::Span(Span::new(span.start + by, span.end + by)),
        pointer => pointer,
    });
    Diagnostic { location, ..diagnostic }
}

/// The node at each place of the list, where ends may count them.
enum Places {
    /// Some id is a number: so are the ends that are numbers.
    Ids,
    Counted(Vec<u32>),
}

fn read_nodes(document: &Document<'_>, draft: &mut Draft) -> Result<Places, Diagnostic> {
    let mut numbers = false;
    let mut places = Vec::new();
    let mut strings = StringCache::default();
    for (place, span) in document.outline.nodes.iter().enumerate() {
        let at = document.place(*span);
        let node = document.item(*span, &mut strings, draft);
        if matches!(node, Item::Value(Value::Null)) {
            draft.incomplete("a node that is null", "give it an id; it has its place for one", at);
        }
        let named = match &node {
            Item::Value(id) if id.as_map().is_none() => Some(Given::from(id)),
            map => map.get("id"),
        };
        let id = named.and_then(id_of);
        numbers |= id.as_deref().and_then(json::number_of).is_some();
        let name = || match node.get("name") {
            Some(Given::Text(name)) => Some(name.into()),
            _ => None,
        };
        let id = id.or_else(name).unwrap_or_else(|| place.to_string().into());
        let (row, _) = draft.node(&id, at)?;
        places.push(row);
        for (field, value) in node.fields().iter() {
            if *field != "id" {
                draft.set(Row::Node(row), field, value.clone(), at)?;
            }
        }
    }
    Ok(if numbers { Places::Ids } else { Places::Counted(places) })
}

fn read_edges(
    document: &Document<'_>,
    places: &Places,
    draft: &mut Draft,
) -> Result<(), Diagnostic> {
    let outline = &document.outline;
    let items = outline.links.iter().chain(&outline.edges);
    draft.builder.reserve_edges(outline.links.len() + outline.edges.len());
    let mut strings = StringCache::default();
    for span in items {
        let at = document.place(*span);
        let edge = document.item(*span, &mut strings, draft);
        let source = end(edge.get("source"), places, draft, at)?;
        let target = end(edge.get("target"), places, draft, at)?;
        let (Some(source), Some(target)) = (source, target) else {
            draft.incomplete("an edge without both ends", "give it both; it was left out", at);
            continue;
        };
        let id = edge.get("id").and_then(id_of);
        let row = draft.edge(id.as_deref(), source, target, at)?;
        for (field, value) in edge.fields().iter() {
            if !matches!(*field, "id" | "source" | "target") {
                draft.set(Row::Edge(row), field, value.clone(), at)?;
            }
        }
    }
    Ok(())
}

fn end(
    value: Option<Given<'_>>,
    places: &Places,
    draft: &mut Draft,
    at: Span,
) -> Result<Option<u32>, Diagnostic> {
    let node;
    let value = match value {
        // As d3 leaves it behind: the node itself.
        Some(Given::Value(map @ Value::Map(_))) => {
            node = map;
            node.get("id").map(Given::from)
        }
        value => value,
    };
    if let (Places::Counted(places), Some(Given::Number(number))) = (places, &value)
        && number.fract() == 0.0
        && let Some(row) = places.get(*number as usize).filter(|_| *number >= 0.0)
    {
        return Ok(Some(*row));
    }
    match value.and_then(id_of) {
        Some(id) => draft.end(&id, at).map(Some),
        None => Ok(None),
    }
}

/// `{"nodes": {id: {field: original}}, "edges": {number: {field: original}}}`, as we write it.
fn read_raw(raw: &Value, draft: &mut Draft) {
    let each = |kind| raw.get(kind).and_then(Value::as_map).into_iter().flatten();
    let nodes = each("nodes")
        .filter_map(|(id, fields)| Some((Row::Node(draft.builder.find(id)?), fields.as_map()?)));
    let edge_count = draft.builder.edge_count();
    let edge = |number: &str| {
        number.parse().ok().filter(|edge: &u32| (*edge as usize) < edge_count).map(Row::Edge)
    };
    let edges =
        each("edges").filter_map(|(number, fields)| Some((edge(number)?, fields.as_map()?)));
    for (row, fields) in nodes.collect::<Vec<_>>().into_iter().chain(edges) {
        for (field, original) in fields {
            draft.builder.set_raw(row, field, Given::from(original));
        }
    }
}
