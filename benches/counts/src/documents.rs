//! A store of rows behind one list, as a surface shows it.

use crate::seeded::Seeded;
use crate::{Named, Work};
use byname::ham::binding::{Binding, Context};
use byname::ham::document::StoreSettings;
use byname::ham::export::export;
use byname::ham::store::{Applied, Data, Store};
use byname::ham::surface::component::Catalog;
use byname::ham::surface::message_text::HostEncoding;
use byname::wire::{Diagnostic, Source};
use std::fmt::Write;
use std::iter;

pub const WORKS: &[Named] = &[
    ("ingest 1 MB", ingest),
    ("fractions in and out", fractions),
    ("200 one-field updates", updates),
    ("200 one-field updates of cards", card_updates),
    ("200 one-field updates, each field heard by itself", heard_updates),
    ("400 components, one by one", components),
    ("4 bursts of 50", bursts),
    ("20 front inserts", inserts),
    ("20 middle deletes", deletes),
    ("shuffle", shuffle),
    ("stream of 64-byte pieces", stream),
    ("pieces that waited", waiting),
    ("a stream that is shown", shown_stream),
    ("first tree", tree),
    ("plain JSON in", plain),
    ("difference from plain JSON", difference),
    ("faults of a message", faults),
    ("faults of an object", faults_of_object),
];

/// Rows of the document that is read as a whole; about a megabyte.
const MANY: usize = 10_000;
/// Rows of all others.
const ROWS: usize = 2_000;

fn row(out: &mut String, at: usize, seeded: &mut Seeded) {
    let (name, score) = (seeded.below(1000), seeded.below(10_000_000));
    let active = seeded.below(2) == 1;
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
    let mut seeded = Seeded::new(seed);
    let mut out = String::from(r#"{"root":{"items":"*items"},"#);
    list(&mut out, &(0..rows).collect::<Vec<_>>());
    for at in 0..rows {
        out.push(',');
        row(&mut out, at, &mut seeded);
    }
    out.push('}');
    out
}

const COMPONENTS: &str = r#"{"createSurface": {"surfaceId": "counts", "components": [
    {"id": "root", "component": "List", "children": {"binding": {"key": "items"}, "template": "row"}},
    {"id": "row", "component": "Row", "name": {"binding": {"key": "name"}}, "title": {"binding": {"key": "title"}},
     "score": {"binding": {"key": "score"}}, "active": {"binding": {"key": "active"}}}]}}"#;

/// The same in cards, as a model writes them: a component for each property.
const CARDS: &str = r#"{"createSurface": {"surfaceId": "counts", "components": [
    {"id": "root", "component": "List", "children": {"binding": {"key": "items"}, "template": "card"}},
    {"id": "card", "component": "Card", "child": "column"},
    {"id": "column", "component": "Column", "children": ["name", "title", "score", "active"]},
    {"id": "name", "component": "Text", "text": {"binding": {"key": "name"}}},
    {"id": "title", "component": "Text", "text": {"binding": {"key": "title"}}},
    {"id": "score", "component": "Text", "text": {"binding": {"key": "score"}}},
    {"id": "active", "component": "CheckBox", "value": {"binding": {"key": "active"}}}]}}"#;

/// A store of this document with a surface of these components that somebody listens to.
fn bound(components: &str, rows: usize) -> Store {
    let mut store = Store::new(StoreSettings::default());
    let surface = store.add_surface(Catalog::default());
    took(store.receive(surface, components.as_bytes(), HostEncoding::Ascii, Data::Own));
    took(store.apply(document(rows, 1).as_bytes(), HostEncoding::Ascii));
    store.write_tree(surface);
    if let Some(surface) = store.surface_mut(surface) {
        surface.observed = true;
    }
    store
}

fn took(applied: Applied) {
    assert!(applied.ok, "{:?}", applied.diagnostics);
}

/// Applies the messages one after the other; answers the words that told of changes.
fn applying(messages: Vec<String>) -> Work {
    applying_to(COMPONENTS, messages)
}

fn applying_to(components: &str, messages: Vec<String>) -> Work {
    applying_in(bound(components, ROWS), messages)
}

fn applying_in(mut store: Store, messages: Vec<String>) -> Work {
    Box::new(move || {
        let mut words = 0;
        for message in &messages {
            took(store.apply(message.as_bytes(), HostEncoding::Ascii));
            words += store.records.words.as_slice().len();
        }
        words
    })
}

fn ingest() -> Work {
    let mut store = Store::new(StoreSettings::default());
    took(store.apply(document(MANY, 1).as_bytes(), HostEncoding::Ascii));
    let message = document(MANY, 2);
    Box::new(move || {
        took(store.apply(message.as_bytes(), HostEncoding::Ascii));
        store.records.words.as_slice().len()
    })
}

/// Numbers of sixteen digits or so, as a division leaves them.
fn fractions() -> Work {
    let mut out = String::from("{");
    for at in 1..=ROWS {
        let number = at as f64 / 7.0 * 10f64.powi(at as i32 % 12 - 6);
        let comma = if at == 1 { "" } else { "," };
        let _ = write!(out, r#"{comma}"row_{at:06}":{{"score":{number}}}"#);
    }
    out.push('}');
    Box::new(move || {
        let mut store = Store::new(StoreSettings::default());
        took(store.apply(out.as_bytes(), HostEncoding::Ascii));
        export(&store.document).len()
    })
}

/// One row each, all of them other rows.
fn field_updates() -> Vec<String> {
    let mut seeded = Seeded::new(7);
    let one = |place: usize| {
        let mut out = String::from("{");
        row(&mut out, place * 7, &mut seeded);
        out.push('}');
        out
    };
    (0..200).map(one).collect()
}

fn card_updates() -> Work {
    applying_to(CARDS, field_updates())
}

/// Behind the root that names them all, each in a message of its own.
fn components() -> Work {
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
        took(store.receive(surface, created, HostEncoding::Ascii, Data::Own));
        let mut words = 0;
        for message in &messages {
            took(store.receive(surface, message.as_bytes(), HostEncoding::Ascii, Data::Own));
            words += store.records.words.as_slice().len();
        }
        words
    })
}

/// Nobody draws them, and each property of each row has a subscription of its own.
fn heard_updates() -> Work {
    let mut store = Store::new(StoreSettings::default());
    took(store.apply(document(ROWS, 1).as_bytes(), HostEncoding::Ascii));
    for row in 0..ROWS {
        let node = store.document.node(format!("row_{row:06}").as_bytes());
        for name in ["name", "title", "score", "active"] {
            let binding = Binding { node: Some(node), key: Some(store.document.key(name)) };
            store.subscribe(binding, Context::from_node(node));
        }
    }
    applying_in(store, field_updates())
}

fn updates() -> Work {
    applying(field_updates())
}

fn bursts() -> Work {
    let joined = |burst: &[String]| {
        let inner: Vec<_> = burst.iter().map(|text| text.trim_matches(['{', '}'])).collect();
        format!("{{{}}}}}", inner.join("},"))
    };
    applying(field_updates().chunks(50).map(joined).collect())
}

fn inserts() -> Work {
    let mut seeded = Seeded::new(8);
    let mut rows: Vec<usize> = (0..ROWS).collect();
    let one = |place: usize| {
        rows.insert(0, ROWS + place);
        let mut out = String::from("{");
        row(&mut out, ROWS + place, &mut seeded);
        out.push(',');
        list(&mut out, &rows);
        out.push('}');
        out
    };
    applying((0..20).map(one).collect())
}

fn deletes() -> Work {
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

fn shuffle() -> Work {
    let mut rows: Vec<usize> = (0..ROWS).collect();
    Seeded::new(9).shuffle(&mut rows);
    let mut out = String::from("{");
    list(&mut out, &rows);
    out.push('}');
    applying(vec![out])
}

fn stream() -> Work {
    let text = document(ROWS, 1);
    let mut store = Store::new(StoreSettings::default());
    Box::new(move || {
        let number = store.open_stream();
        for piece in text.as_bytes().chunks(64) {
            took(store.push(number, piece, HostEncoding::Ascii));
        }
        took(store.end(number));
        store.close_stream(number);
        usize::from(store.has("row_001999"))
    })
}

/// Sixteen pieces at a time, each with a few rows, of which the history keeps what they were.
fn waiting() -> Work {
    const PIECE: usize = 256;
    let text = document(ROWS, 1);
    let mut store = Store::new(StoreSettings::default());
    Box::new(move || {
        let number = store.open_stream();
        for pieces in text.as_bytes().chunks(16 * PIECE) {
            let ends: Vec<u32> = pieces
                .chunks(PIECE)
                .scan(0, |end, piece| {
                    *end += piece.len() as u32;
                    Some(*end)
                })
                .collect();
            assert!(store.push_all(number, pieces, &ends).diagnostics.is_empty());
        }
        took(store.end(number));
        store.close_stream(number);
        usize::from(store.has("row_001999"))
    })
}

/// The list comes first, as a model writes it, and somebody listens while its rows come.
fn shown_stream() -> Work {
    let text = document(ROWS, 1);
    let mut store = bound(COMPONENTS, 0);
    Box::new(move || {
        let number = store.open_stream();
        let mut words = 0;
        for piece in text.as_bytes().chunks(64) {
            took(store.push(number, piece, HostEncoding::Ascii));
            words += store.records.words.as_slice().len();
        }
        took(store.end(number));
        store.close_stream(number);
        words
    })
}

fn tree() -> Work {
    let mut store = Store::new(StoreSettings::default());
    let surface = store.add_surface(Catalog::default());
    let message = document(ROWS, 1);
    Box::new(move || {
        took(store.receive(surface, COMPONENTS.as_bytes(), HostEncoding::Ascii, Data::Own));
        took(store.apply(message.as_bytes(), HostEncoding::Ascii));
        store.write_tree(surface);
        store.records.words.as_slice().len()
    })
}

/// A message of rows, every second of which stands behind an id that no node may have.
fn plain_json() -> String {
    let mut seeded = Seeded::new(5);
    let mut out = String::from(r#"{"items":["#);
    for at in 0..ROWS {
        let (comma, score) = (if at == 0 { "" } else { "," }, seeded.below(1000));
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

fn plain() -> Work {
    let json = plain_json();
    Box::new(move || usize::from(plain_store(&json).has("items_7")))
}

fn difference() -> Work {
    let json = plain_json();
    let mut store = plain_store(&json);
    let target = json.replace(r#"{"id":5,"#, r#"{"id":5,"new":true,"#);
    Box::new(move || match store.diff_json(target.as_bytes()) {
        Ok(difference) => difference.len(),
        Err(diagnostics) => panic!("{diagnostics:?}"),
    })
}

fn faulty() -> String {
    let mut seeded = Seeded::new(3);
    let mut out = String::from("{");
    for at in 0..ROWS {
        let id = format!(r#""*no_{at}":1,"#);
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str(if at % 2 == 1 { &id } else { "" });
        row(&mut out, at, &mut seeded);
    }
    out.push('}');
    out
}

/// How many faults are told, each with its place in what was given.
fn told(message: &str, source: Source<'_>) -> usize {
    let refused =
        Store::new(StoreSettings::default()).apply(message.as_bytes(), HostEncoding::Ascii);
    let told = Diagnostic::of_message(refused.diagnostics, source);
    assert!(told.iter().take(2).all(|fault| fault.location.is_some()));
    told.len()
}

fn faults() -> Work {
    let message = faulty();
    Box::new(move || told(&message, Source::Text(message.as_bytes())))
}

fn faults_of_object() -> Work {
    let message = faulty();
    Box::new(move || told(&message, Source::Object(message.as_bytes())))
}
