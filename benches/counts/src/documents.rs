//! Workloads of HAM: a store of rows in one list that a surface renders.

use crate::random::Random;
use crate::{NamedWorkload, Workload};
use byname::ham::binding::{Binding, Context};
use byname::ham::document::StoreSettings;
use byname::ham::export::export;
use byname::ham::store::{Applied, DataOwner, Store};
use byname::ham::surface::component::Catalog;
use byname::ham::surface::message_text::HostEncoding;
use byname::wire::{Diagnostic, Source};
use std::fmt::Write;
use std::iter;

pub const WORKLOADS: &[NamedWorkload] = &[
    ("ingest 1 MB", ingest),
    ("fractions in and out", fractions),
    ("200 one-field updates", updates),
    ("200 one-field updates of cards", card_updates),
    ("200 one-field updates, one subscription per field", subscribed_updates),
    ("400 components, one by one", components),
    ("4 bursts of 50", bursts),
    ("20 front inserts", inserts),
    ("20 middle deletes", deletes),
    ("shuffle", shuffle),
    ("stream of 64-byte chunks", stream),
    ("stream of buffered chunks", buffered),
    ("stream with a surface", shown_stream),
    ("first tree", tree),
    ("plain JSON in", plain),
    ("difference from plain JSON", difference),
    ("diagnostics of a message", text_diagnostics),
    ("diagnostics of an object", object_diagnostics),
];

/// Number of rows of a document of about a megabyte.
const MANY: usize = 10_000;
/// Number of rows of the other documents.
const ROWS: usize = 2_000;

fn row(out: &mut String, at: usize, random: &mut Random) {
    let (name, score) = (random.below(1000), random.below(10_000_000));
    let active = random.below(2) == 1;
    let _ = write!(
        out,
        r#""row_{at:06}":{{"name":"Alice Anderson {name}","title":"Senior Engineer","score":{}.{:02},"active":{active}}}"#,
        score / 100,
        score % 100
    );
}

fn list(out: &mut String, rows: &[usize]) {
    out.push_str(r#""items":["#);
    for (place, at) in rows.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        let _ = write!(out, r#"{comma}"*row_{at:06}""#);
    }
    out.push(']');
}

fn document(rows: usize, seed: u32) -> String {
    let mut random = Random::new(seed);
    let mut out = String::from(r#"{"root":{"items":"*items"},"#);
    list(&mut out, &(0..rows).collect::<Vec<_>>());
    for at in 0..rows {
        out.push(',');
        row(&mut out, at, &mut random);
    }
    out.push('}');
    out
}

const COMPONENTS: &str = r#"{"createSurface": {"surfaceId": "counts", "components": [
    {"id": "root", "component": "List", "children": {"binding": {"key": "items"}, "template": "row"}},
    {"id": "row", "component": "Row", "name": {"binding": {"key": "name"}}, "title": {"binding": {"key": "title"}},
     "score": {"binding": {"key": "score"}}, "active": {"binding": {"key": "active"}}}]}}"#;

/// Cards with one component per property, as a model writes them.
const CARDS: &str = r#"{"createSurface": {"surfaceId": "counts", "components": [
    {"id": "root", "component": "List", "children": {"binding": {"key": "items"}, "template": "card"}},
    {"id": "card", "component": "Card", "child": "column"},
    {"id": "column", "component": "Column", "children": ["name", "title", "score", "active"]},
    {"id": "name", "component": "Text", "text": {"binding": {"key": "name"}}},
    {"id": "title", "component": "Text", "text": {"binding": {"key": "title"}}},
    {"id": "score", "component": "Text", "text": {"binding": {"key": "score"}}},
    {"id": "active", "component": "CheckBox", "value": {"binding": {"key": "active"}}}]}}"#;

/// Returns a store of rows with an observed surface of these components.
fn bound(components: &str, rows: usize) -> Store {
    let mut store = Store::new(StoreSettings::default());
    let surface = store.add_surface(Catalog::default());
    assert_applied(store.receive(
        surface,
        components.as_bytes(),
        HostEncoding::Ascii,
        DataOwner::Own,
    ));
    assert_applied(store.apply(document(rows, 1).as_bytes(), HostEncoding::Ascii));
    store.write_tree(surface);
    if let Some(surface) = store.surface_mut(surface) {
        surface.observed = true;
    }
    store
}

fn assert_applied(applied: Applied) {
    assert!(applied.ok, "{:?}", applied.diagnostics);
}

/// Returns a workload that applies the messages in order and returns the number of record words.
fn applying(messages: Vec<String>) -> Workload {
    applying_to(COMPONENTS, messages)
}

fn applying_to(components: &str, messages: Vec<String>) -> Workload {
    applying_in(bound(components, ROWS), messages)
}

fn applying_in(mut store: Store, messages: Vec<String>) -> Workload {
    Box::new(move || {
        let mut words = 0;
        for message in &messages {
            assert_applied(store.apply(message.as_bytes(), HostEncoding::Ascii));
            words += store.records.words.as_slice().len();
        }
        words
    })
}

fn ingest() -> Workload {
    let mut store = Store::new(StoreSettings::default());
    assert_applied(store.apply(document(MANY, 1).as_bytes(), HostEncoding::Ascii));
    let message = document(MANY, 2);
    Box::new(move || {
        assert_applied(store.apply(message.as_bytes(), HostEncoding::Ascii));
        store.records.words.as_slice().len()
    })
}

/// Parses and exports numbers of about sixteen digits.
fn fractions() -> Workload {
    let mut out = String::from("{");
    for at in 1..=ROWS {
        let number = at as f64 / 7.0 * 10f64.powi(at as i32 % 12 - 6);
        let comma = if at == 1 { "" } else { "," };
        let _ = write!(out, r#"{comma}"row_{at:06}":{{"score":{number}}}"#);
    }
    out.push('}');
    Box::new(move || {
        let mut store = Store::new(StoreSettings::default());
        assert_applied(store.apply(out.as_bytes(), HostEncoding::Ascii));
        export(&store.document).len()
    })
}

/// Returns messages that update one row each.
fn field_updates() -> Vec<String> {
    let mut random = Random::new(7);
    let one = |place: usize| {
        let mut out = String::from("{");
        row(&mut out, place * 7, &mut random);
        out.push('}');
        out
    };
    (0..200).map(one).collect()
}

fn card_updates() -> Workload {
    applying_to(CARDS, field_updates())
}

/// Sends the root and its children, one message each.
fn components() -> Workload {
    let one = |id: &str, rest: &str| {
        format!(
            r#"{{"updateComponents":{{"surfaceId":"s","components":[{{"id":"{id}",{rest}}}]}}}}"#
        )
    };
    let ids: Vec<String> = (0..400).map(|at| format!("text{at}")).collect();
    let root = format!(r#""component":"Column","children":{ids:?}"#);
    let texts = ids.iter().map(|id| one(id, r#""component":"Text","text":"a""#));
    let messages: Vec<String> = iter::once(one("root", &root)).chain(texts).collect();
    Box::new(move || {
        let mut store = Store::new(StoreSettings::default());
        let surface = store.add_surface(Catalog::default());
        if let Some(surface) = store.surface_mut(surface) {
            surface.observed = true;
        }
        let created = br#"{"createSurface":{"surfaceId":"s"}}"#;
        assert_applied(store.receive(surface, created, HostEncoding::Ascii, DataOwner::Own));
        let mut words = 0;
        for message in &messages {
            assert_applied(store.receive(
                surface,
                message.as_bytes(),
                HostEncoding::Ascii,
                DataOwner::Own,
            ));
            words += store.records.words.as_slice().len();
        }
        words
    })
}

/// Updates a store without a surface, with one subscription per property of each row.
fn subscribed_updates() -> Workload {
    let mut store = Store::new(StoreSettings::default());
    assert_applied(store.apply(document(ROWS, 1).as_bytes(), HostEncoding::Ascii));
    for row in 0..ROWS {
        let node = store.document.node(format!("row_{row:06}").as_bytes());
        for name in ["name", "title", "score", "active"] {
            let binding = Binding { node: Some(node), key: Some(store.document.key(name)) };
            store.subscribe(binding, Context::from_node(node));
        }
    }
    applying_in(store, field_updates())
}

fn updates() -> Workload {
    applying(field_updates())
}

fn bursts() -> Workload {
    let joined = |burst: &[String]| {
        let inner: Vec<_> = burst.iter().map(|text| text.trim_matches(['{', '}'])).collect();
        format!("{{{}}}}}", inner.join("},"))
    };
    applying(field_updates().chunks(50).map(joined).collect())
}

fn inserts() -> Workload {
    let mut random = Random::new(8);
    let mut rows: Vec<usize> = (0..ROWS).collect();
    let one = |place: usize| {
        rows.insert(0, ROWS + place);
        let mut out = String::from("{");
        row(&mut out, ROWS + place, &mut random);
        out.push(',');
        list(&mut out, &rows);
        out.push('}');
        out
    };
    applying((0..20).map(one).collect())
}

fn deletes() -> Workload {
    let mut rows: Vec<usize> = (0..ROWS).collect();
    let one = |place: usize| {
        let gone = rows.remove(ROWS / 2 + place * 7);
        let mut out = format!(r#"{{"!row_{gone:06}":null,"#);
        list(&mut out, &rows);
        out.push('}');
        out
    };
    applying((0..20).map(one).collect())
}

fn shuffle() -> Workload {
    let mut rows: Vec<usize> = (0..ROWS).collect();
    Random::new(9).shuffle(&mut rows);
    let mut out = String::from("{");
    list(&mut out, &rows);
    out.push('}');
    applying(vec![out])
}

fn stream() -> Workload {
    let text = document(ROWS, 1);
    let mut store = Store::new(StoreSettings::default());
    Box::new(move || {
        let number = store.open_stream(false);
        for chunk in text.as_bytes().chunks(64) {
            assert_applied(store.push(number, chunk, HostEncoding::Ascii));
        }
        assert_applied(store.end(number));
        store.close_stream(number);
        usize::from(store.has("row_001999"))
    })
}

/// Parses sixteen buffered chunks at a time, each with a few rows.
fn buffered() -> Workload {
    const CHUNK: usize = 256;
    let text = document(ROWS, 1);
    let mut store = Store::new(StoreSettings::default());
    Box::new(move || {
        let number = store.open_stream(false);
        for chunks in text.as_bytes().chunks(16 * CHUNK) {
            let ends: Vec<u32> = chunks
                .chunks(CHUNK)
                .scan(0, |end, chunk| {
                    *end += chunk.len() as u32;
                    Some(*end)
                })
                .collect();
            assert!(store.push_all(number, chunks, &ends).diagnostics.is_empty());
        }
        assert_applied(store.end(number));
        store.close_stream(number);
        usize::from(store.has("row_001999"))
    })
}

/// Streams a list and then its rows to an observed surface, as a model writes them.
fn shown_stream() -> Workload {
    let text = document(ROWS, 1);
    let mut store = bound(COMPONENTS, 0);
    Box::new(move || {
        let number = store.open_stream(false);
        let mut words = 0;
        for chunk in text.as_bytes().chunks(64) {
            assert_applied(store.push(number, chunk, HostEncoding::Ascii));
            words += store.records.words.as_slice().len();
        }
        assert_applied(store.end(number));
        store.close_stream(number);
        words
    })
}

fn tree() -> Workload {
    let mut store = Store::new(StoreSettings::default());
    let surface = store.add_surface(Catalog::default());
    let message = document(ROWS, 1);
    Box::new(move || {
        assert_applied(store.receive(
            surface,
            COMPONENTS.as_bytes(),
            HostEncoding::Ascii,
            DataOwner::Own,
        ));
        assert_applied(store.apply(message.as_bytes(), HostEncoding::Ascii));
        store.write_tree(surface);
        store.records.words.as_slice().len()
    })
}

fn plain_json() -> String {
    let mut random = Random::new(5);
    let mut out = String::from(r#"{"items":["#);
    for at in 0..ROWS {
        let (comma, score) = (if at == 0 { "" } else { "," }, random.below(1000));
        let _ = write!(out, r#"{comma}{{"id":{at},"name":"Alice Anderson","score":{score}}}"#);
    }
    out.push_str("]}");
    out
}

fn plain_store(json: &str) -> Store {
    match Store::from(StoreSettings::default(), json.as_bytes()) {
        Ok(store) => store,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

fn plain() -> Workload {
    let json = plain_json();
    Box::new(move || usize::from(plain_store(&json).has("items_7")))
}

fn difference() -> Workload {
    let json = plain_json();
    let mut store = plain_store(&json);
    let target = json.replace(r#"{"id":5,"#, r#"{"id":5,"new":true,"#);
    Box::new(move || match store.diff_json(target.as_bytes()) {
        Ok(difference) => difference.len(),
        Err(diagnostics) => panic!("{diagnostics:?}"),
    })
}

/// Returns a message of rows with an invalid id before every second row.
fn invalid_message() -> String {
    let mut random = Random::new(3);
    let mut out = String::from("{");
    for at in 0..ROWS {
        let id = format!(r#""*no_{at}":1,"#);
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str(if at % 2 == 1 { &id } else { "" });
        row(&mut out, at, &mut random);
    }
    out.push('}');
    out
}

/// Returns the number of diagnostics, which have locations in the source.
fn diagnostics_of(message: &str, source: Source<'_>) -> usize {
    let rejected =
        Store::new(StoreSettings::default()).apply(message.as_bytes(), HostEncoding::Ascii);
    let diagnostics = Diagnostic::of_message(rejected.diagnostics, source);
    assert!(diagnostics.iter().take(2).all(|one| one.location.is_some()));
    diagnostics.len()
}

fn text_diagnostics() -> Workload {
    let message = invalid_message();
    Box::new(move || diagnostics_of(&message, Source::Text(message.as_bytes())))
}

fn object_diagnostics() -> Workload {
    let message = invalid_message();
    Box::new(move || diagnostics_of(&message, Source::Object(message.as_bytes())))
}
