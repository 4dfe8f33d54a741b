//! Maps like the last one are taken at a glance where they are spaced as most are, and rows that
//! come again are told of in the same go. Each must say, and have told, what it does when it is
//! spaced as nobody does, which is read word by word.

#![allow(clippy::expect_used)] // A failed test panics.

use byname::base::value::Value;
use byname::base::{Diagnostic, json};
use byname::ham::binding::Context;
use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::history::Cause;
use byname::ham::store::{Data, Store};
use byname::ham::surface::component::Catalog;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;

/// What stands between the parts of a map.
#[derive(Clone, Copy)]
struct Spacing {
    comma: &'static str,
    colon: &'static str,
}

impl Spacing {
    fn map(self, entries: &[String]) -> String {
        format!("{{{}}}", entries.join(self.comma))
    }

    /// A key, which may stand in front of its value already, with the colon behind it.
    fn entry(self, entry: &str) -> String {
        entry.replacen("\":", &format!("\"{}", self.colon), 1)
    }
}

/// The first two are taken at a glance; space in front of a colon is never looked for.
const SPACINGS: [Spacing; 3] = [
    Spacing { comma: ",", colon: ":" },
    Spacing { comma: ", ", colon: ": " },
    Spacing { comma: ",", colon: " :" },
];

/// Entries of maps: what most rows have, what nearly looks like it, and what no glance can tell.
const ENTRIES: &[&str] = &[
    r#""name":"Ann""#,
    r#""name":"Zoë""#,
    r#""name":"a\nb""#,
    r#""name":"},""#,
    r#""name":"a},\"row_2""#,
    r#""name":"\u0041""#,
    r#""n\u0061me":"Ann""#,
    r#""name":"*row_1""#,
    r#""name":"*unheard""#,
    r#""name":"* item""#,
    r#""name":"**row_1""#,
    r#""name":"*""#,
    r#""name":"*!x""#,
    r#""name":"*é""#,
    r#""name":"""#,
    r#""name":["a","*row_1"]"#,
    r#""name":{"first":"Ann"}"#,
    r#""name":{}"#,
    r#""score":1.5"#,
    r#""score":-0"#,
    r#""score":01"#,
    r#""score":1e400"#,
    r#""score":12345678901234567890"#,
    r#""active":true"#,
    r#""active":null"#,
    r#""active":falsey"#,
    r#""active":tru"#,
    r#""name":'Ann'"#,
    r#""name":"Ann"extra"#,
    r#""name""#,
    r#""other":1"#,
];

const IDS: &[&str] = &[
    "row_1",
    "row_2",
    "row_3",
    "!row_1",
    "*row_2",
    "@row_2+0",
    "version",
    "updateDataModel",
    "nodes",
    "",
    "é",
    "a\\u0062",
];

/// An id and entries, by their places.
type Row = (usize, Vec<usize>);

fn entry() -> impl Strategy<Value = usize> {
    // Mostly the first, the nineteenth and the twenty-fourth: rows that are alike.
    prop_oneof![4 => Just(0), 4 => Just(18), 4 => Just(23), 3 => 0..ENTRIES.len()]
}

fn row() -> impl Strategy<Value = Row> {
    let id = prop_oneof![8 => 0..3usize, 1 => 0..IDS.len()];
    (id, proptest::collection::vec(entry(), 0..4))
}

/// How the nth map of the nth message is spaced.
type Spaced = fn(usize, usize) -> Spacing;

/// The last one is read word by word, the others at a glance; in the third the space changes all the time.
const WAYS: [Spaced; 4] = [
    |_, _| SPACINGS[0],
    |_, _| SPACINGS[1],
    |message, map| if (message + map / 2).is_multiple_of(2) { SPACINGS[0] } else { SPACINGS[1] },
    |_, _| SPACINGS[2],
];

fn written(rows: &[Row], envelope: bool, spaced: impl Fn(usize) -> Spacing) -> String {
    let row = |(nth, (id, entries)): (usize, &Row)| {
        let spacing = spaced(nth);
        let id = IDS.get(*id).copied().unwrap_or_default();
        let entries = entries.iter().filter_map(|entry| ENTRIES.get(*entry));
        let entries: Vec<String> = entries.map(|entry| spacing.entry(entry)).collect();
        spacing.entry(&format!(r#""{id}":{}"#, spacing.map(&entries)))
    };
    let nodes = spaced(rows.len()).map(&rows.iter().enumerate().map(row).collect::<Vec<_>>());
    if envelope { format!(r#"{{"updateDataModel":{{"nodes":{nodes}}}}}"#) } else { nodes }
}

/// What is told of a fault, without its place.
fn told(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|each| format!("{:?} {} {:?}", each.code, each.message, each.help))
        .collect()
}

fn same(
    messages: &[(Vec<Row>, bool)],
    settings: impl Fn() -> StoreSettings,
) -> Result<(), TestCaseError> {
    let texts = messages.iter().enumerate().map(|(nth, (rows, envelope))| {
        (WAYS.map(|spaced| written(rows, *envelope, |map| spaced(nth, map))), *envelope)
    });
    same_texts(&texts.collect::<Vec<_>>(), settings)
}

/// Each message in each way, and whether it is in an envelope.
type Texts = ([String; 4], bool);

fn same_texts(
    messages: &[Texts],
    settings: impl Fn() -> StoreSettings,
) -> Result<(), TestCaseError> {
    let [mut glanced @ .., mut read] = WAYS.map(|_| shown(settings()));
    for (nth, ([texts @ .., slow], envelope)) in messages.iter().enumerate() {
        let say = |store: &mut Store, message: &str| {
            if *envelope && nth % 2 == 0 && store.surface(0).is_some() {
                return store.receive(0, message.as_bytes(), HostEncoding::Bytes, Data::Shared);
            }
            store.apply(message.as_bytes(), HostEncoding::Bytes)
        };
        let expected = say(&mut read, slow);
        let again = |store: &Store| {
            let last = store.last_revision();
            (last, store.inverse(last), store.changed(last, false).map(|ids| ids.join(" ")))
        };
        for (store, text) in glanced.iter_mut().zip(texts) {
            let found = say(store, text);
            prop_assert_eq!(found.ok, expected.ok);
            prop_assert_eq!(told(&found.diagnostics), told(&expected.diagnostics));
            let (a, b) = (&store.document, &read.document);
            prop_assert_eq!(byname::ham::export::export(a), byname::ham::export::export(b));
            prop_assert_eq!(records(store), records(&read));
            prop_assert_eq!(again(store), again(&read));
        }
    }
    for _ in messages {
        let expected = read.step(Cause::Undo);
        for store in &mut glanced {
            prop_assert_eq!(store.step(Cause::Undo), expected);
            prop_assert_eq!(records(store), records(&read));
        }
    }
    Ok(())
}

/// A list of rows, another of cards for the same, a view of one of them, a list in a row, and somebody who listens.
const COMPONENTS: &str = r#"[
    {"id": "root", "component": "Column", "children": ["list", "second", "cards", "deep"]},
    {"id": "list", "component": "List", "children": {"binding": {"node": "list"}, "template": "row"}},
    {"id": "row", "component": "Row", "name": {"binding": {"key": "name"}}, "score": {"binding": {"key": "score"}}},
    {"id": "second", "component": "Card", "active": {"binding": {"node": "row_2", "key": "active"}}},
    {"id": "cards", "component": "List", "children": {"binding": {"node": "list"}, "template": "card"}},
    {"id": "card", "component": "Card", "child": "column", "active": {"binding": {"key": "active"}}},
    {"id": "column", "component": "Column", "children": ["name", "score"]},
    {"id": "name", "component": "Text", "text": {"binding": {"key": "name"}}},
    {"id": "score", "component": "Text", "text": {"binding": {"key": "score"}}, "fixed": 1},
    {"id": "deep", "component": "List", "children": {"binding": {"node": "deep"}, "template": "inner"}},
    {"id": "inner", "component": "List", "children": {"binding": {"key": "name"}, "template": "row"}}]"#;

/// A store; one that is looked at, where these components can be told to it.
fn shown(settings: StoreSettings) -> Store {
    let can_be_told = settings.sigil == "*" && settings.limits.depth > 8;
    let mut store = Store::new(settings);
    if !can_be_told {
        return store;
    }
    for (number, components) in [COMPONENTS, r#"[
        {"id": "root", "component": "List", "children": {"binding": {"node": "other"}, "template": "row"}},
        {"id": "row", "component": "Row", "name": {"binding": {"key": "name"}}, "fixed": [1]}]"#]
        .into_iter()
        .enumerate()
    {
        let surface = store.add_surface(Catalog::default());
        let message =
            format!(r#"{{"createSurface":{{"surfaceId":"s{number}","components":{components}}}}}"#);
        let made = store.receive(surface, message.as_bytes(), HostEncoding::Bytes, Data::Shared);
        assert!(made.ok, "{:?}", made.diagnostics);
        store.surface_mut(surface).expect("it was added").observed = true;
    }
    // They are in no order, and one of them has what no row has.
    let start = r#"{"list":["*row_3","*row_1","*row_2"],"other":["*é"],"deep":["*row_3"],
        "row_1":{"name":"Ann","score":1.5},"row_2":{"name":"Ann","score":1.5,"active":true},
        "é":{"name":"Ann"}}"#;
    assert!(store.apply(start.as_bytes(), HostEncoding::Bytes).ok);
    let binding = r#"{"node": "row_3", "key": "name"}"#;
    let binding = Value::parse(binding.as_bytes(), json::Limits::default()).0.expect("it is JSON");
    let (binding, _) = store.parse_binding(&binding).expect("it is a binding");
    let root = Context::from_node(store.document.node(b"root"));
    store.subscribe(binding, root);
    store
}

fn records(store: &Store) -> (&[u32], &[u8]) {
    (store.records.words.as_slice(), &store.records.batch)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn maps_at_a_glance_are_what_they_are(
        messages in proptest::collection::vec((proptest::collection::vec(row(), 1..5), any::<bool>()), 1..5),
    ) {
        same(&messages, StoreSettings::default)?;
        // A sigil that ids may begin with, one of several bytes, and too little depth for rows.
        same(&messages, || StoreSettings { sigil: "r".to_owned(), ..StoreSettings::default() })?;
        same(&messages, || StoreSettings { sigil: "**".to_owned(), ..StoreSettings::default() })?;
        same(&messages, || StoreSettings { repair: true, list_edits: true, ..StoreSettings::default() })?;
        let shallow = || StoreLimits { depth: 2, ..StoreLimits::default() };
        let shallow = || StoreSettings { limits: shallow(), ..StoreSettings::default() };
        same(&messages, shallow)?;
    }
}

/// Rows that all have the same two keys; few values, so that what comes twice is often what it was.
fn alike() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    proptest::collection::vec((0..3usize, 0..3usize, 0..2usize), 1..8)
}

fn written_alike(rows: &[(usize, usize, usize)], spaced: impl Fn(usize) -> Spacing) -> String {
    let names = ["Ann", "Zoë", "*row_2"];
    let row = |(nth, (id, name, score)): (usize, &(usize, usize, usize))| {
        let spacing = spaced(nth);
        let of = |list: &[&'static str], nth: usize| list.get(nth).copied().unwrap_or_default();
        let (id, name) = (of(IDS, *id), of(&names, *name));
        let entries = [format!(r#""name":"{name}""#), format!(r#""score":{score}"#)];
        let map = spacing.map(&entries.map(|entry| spacing.entry(&entry)));
        spacing.entry(&format!(r#""{id}":{map}"#))
    };
    spaced(rows.len()).map(&rows.iter().enumerate().map(row).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn rows_that_come_twice_in_a_message_are_what_they_are(
        messages in proptest::collection::vec((alike(), any::<bool>()), 1..6),
    ) {
        // All three are there with these keys before, so that each message is one of rows that come again.
        let first = (vec![(0, 0, 0), (1, 0, 0), (2, 0, 0)], false);
        let all = [first].into_iter().chain(messages).enumerate();
        let texts = all.map(|(nth, (rows, envelope))| {
            let with = |spaced: Spaced| {
                let nodes = written_alike(&rows, |map| spaced(nth, map));
                if envelope { format!(r#"{{"updateDataModel":{{"nodes":{nodes}}}}}"#) } else { nodes }
            };
            (WAYS.map(with), envelope)
        });
        same_texts(&texts.collect::<Vec<_>>(), StoreSettings::default)?;
    }
}

#[test]
fn a_row_that_comes_twice_is_told_where_it_stands() {
    let message = br#"{"a":{"x":1},"b":{"x":2},"a":{"x":3},"b":{"x":4}}"#;
    let mut store = Store::new(StoreSettings::default());
    // The first time the rows are new, and read as any others.
    let [first, again] = [(); 2].map(|()| store.apply(message, HostEncoding::Ascii).diagnostics);
    assert_eq!(first.len(), 2);
    assert_eq!(first, again);
}

#[test]
fn many_rows_that_come_again_are_what_they_are() {
    const ROWS: usize = 200;
    let mut stores = SPACINGS.map(|_| shown(StoreSettings::default()));
    let pointers: Vec<String> = (0..ROWS).map(|nth| format!(r#""*row_{nth}""#)).collect();
    let list = format!(r#"{{"list":[{}]}}"#, pointers.join(","));
    let names = ["Ann", "},", r#"},\"row_7"#, "Zoë", "}", r#"}\"},"#];
    for round in 0..60 {
        // All of them, or some in another order; at times one twice, or one that is not there.
        let stride = [1, 7, 51][round % 3];
        let mut rows: Vec<usize> = (0..ROWS - round).map(|nth| nth * stride % ROWS).collect();
        match round % 10 {
            8 => rows.push(rows[70]),
            9 => rows.push(ROWS + round),
            _ => {}
        }
        let written = |spacing: Spacing| {
            let row = |nth: &usize| {
                let name = names[(nth + round) % (1 + round % names.len())];
                let entries =
                    [format!(r#""name":"{name}""#), format!(r#""score":{}"#, nth % 3 * round)];
                let map = spacing.map(&entries.map(|entry| spacing.entry(&entry)));
                spacing.entry(&format!(r#""row_{nth}":{map}"#))
            };
            spacing.map(&rows.iter().map(row).collect::<Vec<_>>())
        };
        let answers = [0, 1, 2].map(|nth| {
            if round == 1 {
                assert!(stores[nth].apply(list.as_bytes(), HostEncoding::Ascii).ok);
            }
            stores[nth].apply(written(SPACINGS[nth]).as_bytes(), HostEncoding::Bytes)
        });
        let [glanced @ .., read] = &stores;
        for (store, answer) in glanced.iter().zip(&answers) {
            assert!(answer.ok, "{:?}", answer.diagnostics);
            assert_eq!(told(&answer.diagnostics), told(&answers[2].diagnostics), "{round}");
            assert_eq!(records(store), records(read), "{round}");
            assert_eq!(
                store.inverse(store.last_revision()),
                read.inverse(read.last_revision()),
                "{round}"
            );
        }
    }
}

#[test]
fn an_envelope_is_no_node_that_comes_next() {
    let mut store = Store::new(StoreSettings::default());
    for message in [r#"{"a":{"x":1},"updateDataModel":{"x":1}}"#, r#"{"a":{"x":2}}"#] {
        assert!(store.apply(message.as_bytes(), HostEncoding::Ascii).ok);
    }
    assert!(!store.apply(br#"{"updateDataModel":{"x":3}}"#, HostEncoding::Ascii).ok);
    assert_eq!(store.get("updateDataModel").as_deref(), Some(r#"{"x":1}"#));
}

#[test]
fn an_envelope_that_began_like_the_last_is_for_whom_that_was() {
    let mut store = Store::new(StoreSettings::default());
    let one = store.add_surface(Catalog::default());
    let two = store.add_surface(Catalog::default());
    for (surface, id) in [(one, "one"), (two, "two")] {
        let create = format!(r#"{{"createSurface":{{"surfaceId":"{id}","components":[]}}}}"#);
        assert!(store.receive(surface, create.as_bytes(), HostEncoding::Ascii, Data::Shared).ok);
    }
    let rows = |id: &str, x: u32| {
        format!(r#"{{"updateDataModel":{{"surfaceId":"{id}","nodes":{{"a":{{"x":{x}}}}}}}}}"#)
    };
    for x in 0..3 {
        assert!(
            store.receive(one, rows("one", x).as_bytes(), HostEncoding::Ascii, Data::Shared).ok
        );
        let wrong =
            store.receive(two, rows("one", x + 10).as_bytes(), HostEncoding::Ascii, Data::Shared);
        assert!(!wrong.ok);
        assert_eq!(store.get("a"), Some(format!(r#"{{"x":{x}}}"#)));
    }
    // Whoever hands it to the store itself needs no surface, and that says nothing of one.
    assert!(store.apply(rows("two", 20).as_bytes(), HostEncoding::Ascii).ok);
    assert!(store.apply(rows("two", 21).as_bytes(), HostEncoding::Ascii).ok);
    assert!(!store.receive(one, rows("two", 22).as_bytes(), HostEncoding::Ascii, Data::Shared).ok);
    assert!(store.receive(two, rows("two", 23).as_bytes(), HostEncoding::Ascii, Data::Shared).ok);
    assert_eq!(store.get("a").as_deref(), Some(r#"{"x":23}"#));
    // What stands behind the nodes is read, whatever began like it.
    let cut = r#"{"updateDataModel":{"surfaceId":"two","nodes":{"a":{"x":24}}}"#;
    let more = r#"{"updateDataModel":{"surfaceId":"two","nodes":{"a":{"x":24}}},"b":1}"#;
    for message in [cut, more] {
        assert!(!store.receive(two, message.as_bytes(), HostEncoding::Ascii, Data::Shared).ok);
        assert_eq!(store.get("a").as_deref(), Some(r#"{"x":23}"#));
    }
}

#[test]
fn what_comes_again_as_it_was_is_no_change() {
    for (sigil, value) in [("**", r#""*a""#), ("*", r#""é""#), ("*", r#""""#), ("*", "1e2")] {
        let settings = StoreSettings { sigil: sigil.to_owned(), ..StoreSettings::default() };
        let mut store = Store::new(settings);
        let message = format!(r#"{{"a":{{"x":{value}}}}}"#);
        for _ in 0..2 {
            assert!(store.apply(message.as_bytes(), HostEncoding::Bytes).ok);
        }
        assert_eq!(store.inverse(store.last_revision()).as_deref(), Some("{}"), "{message}");
        assert!(store.step(Cause::Undo));
        assert!(!store.step(Cause::Undo), "{message}");
    }
}

#[test]
fn a_sigil_that_has_to_be_escaped_is_not_found_in_the_text() {
    for (sigil, list) in [(r"\", r#"["\n1"]"#), (r"*\", r#"["*\n1"]"#)] {
        let settings = StoreSettings { sigil: sigil.to_owned(), ..StoreSettings::default() };
        let mut store = Store::new(settings);
        let message = format!(r#"{{"n1":1,"1":2,"list":{list}}}"#);
        assert!(store.apply(message.as_bytes(), HostEncoding::Ascii).ok);
        // A text with a line break in it, and no pointer.
        assert_eq!(store.get("list").as_deref(), Some(list));
    }
}
