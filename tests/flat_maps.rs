//! The fast paths for flat maps and row updates must have the same results and records as the
//! general path, which parses messages with unusual spacing.

#![allow(clippy::expect_used)] // A failed test panics.

mod sample;

use byname::base::value::Value;
use byname::base::{Diagnostic, json};
use byname::ham::binding::Context;
use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::history::Cause;
use byname::ham::id::EditKeys;
use byname::ham::store::{DataOwner, Store};
use byname::ham::surface::component::Catalog;
use byname::ham::surface::message_text::HostEncoding;
use proptest::prelude::*;
use sample::sample;

/// Separators in a map.
#[derive(Clone, Copy)]
struct Spacing {
    comma: &'static str,
    colon: &'static str,
}

impl Spacing {
    fn map(self, entries: &[String]) -> String {
        format!("{{{}}}", entries.join(self.comma))
    }

    /// Replaces the colon after a key.
    fn entry(self, entry: &str) -> String {
        entry.replacen("\":", &format!("\"{}", self.colon), 1)
    }
}

/// The first two are parsed on the fast path; a space before a colon is not.
const SPACINGS: [Spacing; 3] = [
    Spacing { comma: ",", colon: ":" },
    Spacing { comma: ", ", colon: ": " },
    Spacing { comma: ",", colon: " :" },
];

/// Entries of maps: usual ones, similar ones, and ones that need the general path.
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

/// Indices of an id and of entries.
type Row = (usize, Vec<usize>);

fn entry() -> impl Strategy<Value = usize> {
    // Mostly entries 0, 18 and 23, so that rows have the same keys.
    prop_oneof![4 => Just(0), 4 => Just(18), 4 => Just(23), 3 => 0..ENTRIES.len()]
}

fn row() -> impl Strategy<Value = Row> {
    let id = prop_oneof![8 => 0..3usize, 1 => 0..IDS.len()];
    (id, proptest::collection::vec(entry(), 0..4))
}

/// Spacing of a map, by the indices of its message and of the map.
type SpacingFn = fn(usize, usize) -> Spacing;

/// The last style needs the general path. In the third one the spacing alternates.
const STYLES: [SpacingFn; 4] = [
    |_, _| SPACINGS[0],
    |_, _| SPACINGS[1],
    |message, map| if (message + map / 2).is_multiple_of(2) { SPACINGS[0] } else { SPACINGS[1] },
    |_, _| SPACINGS[2],
];

fn render_message(rows: &[Row], envelope: bool, spacing_at: impl Fn(usize) -> Spacing) -> String {
    let row = |(index, (id, entries)): (usize, &Row)| {
        let spacing = spacing_at(index);
        let id = IDS.get(*id).copied().unwrap_or_default();
        let entries = entries.iter().filter_map(|entry| ENTRIES.get(*entry));
        let entries: Vec<String> = entries.map(|entry| spacing.entry(entry)).collect();
        spacing.entry(&format!(r#""{id}":{}"#, spacing.map(&entries)))
    };
    let nodes = spacing_at(rows.len()).map(&rows.iter().enumerate().map(row).collect::<Vec<_>>());
    if envelope { format!(r#"{{"updateDataModel":{{"nodes":{nodes}}}}}"#) } else { nodes }
}

/// Diagnostics without their locations.
fn diagnostic_texts(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|each| format!("{:?} {} {:?}", each.code, each.message, each.help))
        .collect()
}

fn check_rows(
    messages: &[(Vec<Row>, bool)],
    settings: impl Fn() -> StoreSettings,
) -> Result<(), TestCaseError> {
    let texts = messages.iter().enumerate().map(|(index, (rows, envelope))| {
        (
            STYLES.map(|spacing_at| render_message(rows, *envelope, |map| spacing_at(index, map))),
            *envelope,
        )
    });
    check_texts(&texts.collect::<Vec<_>>(), settings)
}

/// A message in each style, and whether it is in an envelope.
type Texts = ([String; 4], bool);

fn check_texts(
    messages: &[Texts],
    settings: impl Fn() -> StoreSettings,
) -> Result<(), TestCaseError> {
    let [mut fast @ .., mut slow] = STYLES.map(|_| observed_store(settings()));
    for (index, ([texts @ .., slow_text], envelope)) in messages.iter().enumerate() {
        let send = |store: &mut Store, message: &str| {
            if *envelope && index % 2 == 0 && store.surface(0).is_some() {
                return store.receive(
                    0,
                    message.as_bytes(),
                    HostEncoding::Bytes,
                    DataOwner::Shared,
                );
            }
            store.apply(message.as_bytes(), HostEncoding::Bytes)
        };
        let expected = send(&mut slow, slow_text);
        let last_update = |store: &Store| {
            let last = store.last_revision();
            (last, store.inverse(last), store.changed_ids(last, false).map(|ids| ids.join(" ")))
        };
        for (store, text) in fast.iter_mut().zip(texts) {
            let found = send(store, text);
            prop_assert_eq!(found.ok, expected.ok);
            prop_assert_eq!(
                diagnostic_texts(&found.diagnostics),
                diagnostic_texts(&expected.diagnostics)
            );
            let (a, b) = (&store.document, &slow.document);
            prop_assert_eq!(byname::ham::export::export(a), byname::ham::export::export(b));
            prop_assert_eq!(records(store), records(&slow));
            prop_assert_eq!(last_update(store), last_update(&slow));
        }
    }
    for _ in messages {
        let expected = slow.undo_or_redo(Cause::Undo);
        for store in &mut fast {
            prop_assert_eq!(store.undo_or_redo(Cause::Undo), expected);
            prop_assert_eq!(records(store), records(&slow));
        }
    }
    Ok(())
}

/// A list of rows, a list of cards of the same nodes, a card of one node, and a list in a row.
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

/// Creates a store, with surfaces and a subscription if its settings allow them.
fn observed_store(settings: StoreSettings) -> Store {
    let can_have_surfaces = settings.sigil == "*" && settings.limits.depth > 8;
    let mut store = Store::new(settings);
    if !can_have_surfaces {
        return store;
    }
    for (index, components) in [COMPONENTS, r#"[
        {"id": "root", "component": "List", "children": {"binding": {"node": "other"}, "template": "row"}},
        {"id": "row", "component": "Row", "name": {"binding": {"key": "name"}}, "fixed": [1]}]"#]
        .into_iter()
        .enumerate()
    {
        let surface = store.add_surface(Catalog::default());
        let message =
            format!(r#"{{"createSurface":{{"surfaceId":"s{index}","components":{components}}}}}"#);
        let created = store.receive(surface, message.as_bytes(), HostEncoding::Bytes, DataOwner::Shared);
        assert!(created.ok, "{:?}", created.diagnostics);
        store.surface_mut(surface).expect("it was added").observed = true;
    }
    // Unordered rows, one of them with an additional key.
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
    #![proptest_config(ProptestConfig::with_cases(sample(2000)))]

    #[test]
    fn fast_path_equals_general_path(
        messages in proptest::collection::vec((proptest::collection::vec(row(), 1..5), any::<bool>()), 1..5),
    ) {
        check_rows(&messages, StoreSettings::default)?;
        // A sigil that ids may begin with, a sigil of two bytes, and too little depth for rows.
        check_rows(&messages, || StoreSettings { sigil: "r".to_owned(), ..StoreSettings::default() })?;
        check_rows(&messages, || StoreSettings { sigil: "**".to_owned(), ..StoreSettings::default() })?;
        check_rows(&messages, || StoreSettings { repair: true, edit_keys: EditKeys { lists: true, merge: true }, ..StoreSettings::default() })?;
        let shallow = || StoreLimits { depth: 2, ..StoreLimits::default() };
        let shallow = || StoreSettings { limits: shallow(), ..StoreSettings::default() };
        check_rows(&messages, shallow)?;
    }
}

/// Rows with the same two keys and few values, so that repeated rows are often unchanged.
fn alike_rows() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    proptest::collection::vec((0..3usize, 0..3usize, 0..2usize), 1..8)
}

fn render_alike(rows: &[(usize, usize, usize)], spacing_at: impl Fn(usize) -> Spacing) -> String {
    let names = ["Ann", "Zoë", "*row_2"];
    let row = |(index, (id, name, score)): (usize, &(usize, usize, usize))| {
        let spacing = spacing_at(index);
        let of = |list: &[&'static str], index: usize| list.get(index).copied().unwrap_or_default();
        let (id, name) = (of(IDS, *id), of(&names, *name));
        let entries = [format!(r#""name":"{name}""#), format!(r#""score":{score}"#)];
        let map = spacing.map(&entries.map(|entry| spacing.entry(&entry)));
        spacing.entry(&format!(r#""{id}":{map}"#))
    };
    spacing_at(rows.len()).map(&rows.iter().enumerate().map(row).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sample(1000)))]

    #[test]
    fn repeated_rows_equal_general_path(
        messages in proptest::collection::vec((alike_rows(), any::<bool>()), 1..6),
    ) {
        // All three rows exist with these keys, so that each message only updates rows.
        let first = (vec![(0, 0, 0), (1, 0, 0), (2, 0, 0)], false);
        let all = [first].into_iter().chain(messages).enumerate();
        let texts = all.map(|(index, (rows, envelope))| {
            let with = |spacing_at: SpacingFn| {
                let nodes = render_alike(&rows, |map| spacing_at(index, map));
                if envelope { format!(r#"{{"updateDataModel":{{"nodes":{nodes}}}}}"#) } else { nodes }
            };
            (STYLES.map(with), envelope)
        });
        check_texts(&texts.collect::<Vec<_>>(), StoreSettings::default)?;
    }
}

#[test]
fn repeated_rows_are_reported_with_their_position() {
    let message = br#"{"a":{"x":1},"b":{"x":2},"a":{"x":3},"b":{"x":4}}"#;
    let mut store = Store::new(StoreSettings::default());
    // The first time the rows are new, so the general path parses them.
    let [first, last_update] =
        [(); 2].map(|()| store.apply(message, HostEncoding::Ascii).diagnostics);
    assert_eq!(first.len(), 2);
    assert_eq!(first, last_update);
}

#[test]
fn batched_rows_equal_general_path() {
    const ROWS: usize = 200;
    let mut stores = SPACINGS.map(|_| observed_store(StoreSettings::default()));
    let pointers: Vec<String> = (0..ROWS).map(|index| format!(r#""*row_{index}""#)).collect();
    let list = format!(r#"{{"list":[{}]}}"#, pointers.join(","));
    let names = ["Ann", "},", r#"},\"row_7"#, "Zoë", "}", r#"}\"},"#];
    for round in 0..60 {
        // All rows, or some in another order; sometimes a repeated or missing one.
        let stride = [1, 7, 51][round % 3];
        let mut rows: Vec<usize> = (0..ROWS - round).map(|index| index * stride % ROWS).collect();
        match round % 10 {
            8 => rows.push(rows[70]),
            9 => rows.push(ROWS + round),
            _ => {}
        }
        let render_message = |spacing: Spacing| {
            let row = |index: &usize| {
                let name = names[(index + round) % (1 + round % names.len())];
                let entries =
                    [format!(r#""name":"{name}""#), format!(r#""score":{}"#, index % 3 * round)];
                let map = spacing.map(&entries.map(|entry| spacing.entry(&entry)));
                spacing.entry(&format!(r#""row_{index}":{map}"#))
            };
            spacing.map(&rows.iter().map(row).collect::<Vec<_>>())
        };
        let results = [0, 1, 2].map(|index| {
            if round == 1 {
                assert!(stores[index].apply(list.as_bytes(), HostEncoding::Ascii).ok);
            }
            stores[index].apply(render_message(SPACINGS[index]).as_bytes(), HostEncoding::Bytes)
        });
        let [fast @ .., slow] = &stores;
        for (store, result) in fast.iter().zip(&results) {
            assert!(result.ok, "{:?}", result.diagnostics);
            assert_eq!(
                diagnostic_texts(&result.diagnostics),
                diagnostic_texts(&results[2].diagnostics),
                "{round}"
            );
            assert_eq!(records(store), records(slow), "{round}");
            assert_eq!(
                store.inverse(store.last_revision()),
                slow.inverse(slow.last_revision()),
                "{round}"
            );
        }
    }
}

#[test]
fn envelope_is_not_predicted_as_a_node() {
    let mut store = Store::new(StoreSettings::default());
    for message in [r#"{"a":{"x":1},"updateDataModel":{"x":1}}"#, r#"{"a":{"x":2}}"#] {
        assert!(store.apply(message.as_bytes(), HostEncoding::Ascii).ok);
    }
    assert!(!store.apply(br#"{"updateDataModel":{"x":3}}"#, HostEncoding::Ascii).ok);
    assert_eq!(store.get("updateDataModel").as_deref(), Some(r#"{"x":1}"#));
}

#[test]
fn envelope_prefix_respects_the_surface() {
    let mut store = Store::new(StoreSettings::default());
    let one = store.add_surface(Catalog::default());
    let two = store.add_surface(Catalog::default());
    for (surface, id) in [(one, "one"), (two, "two")] {
        let create = format!(r#"{{"createSurface":{{"surfaceId":"{id}","components":[]}}}}"#);
        assert!(
            store.receive(surface, create.as_bytes(), HostEncoding::Ascii, DataOwner::Shared).ok
        );
    }
    let rows = |id: &str, x: u32| {
        format!(r#"{{"updateDataModel":{{"surfaceId":"{id}","nodes":{{"a":{{"x":{x}}}}}}}}}"#)
    };
    for x in 0..3 {
        assert!(
            store
                .receive(one, rows("one", x).as_bytes(), HostEncoding::Ascii, DataOwner::Shared)
                .ok
        );
        let wrong = store.receive(
            two,
            rows("one", x + 10).as_bytes(),
            HostEncoding::Ascii,
            DataOwner::Shared,
        );
        assert!(!wrong.ok);
        assert_eq!(store.get("a"), Some(format!(r#"{{"x":{x}}}"#)));
    }
    // The store itself accepts any surface, which does not affect the surfaces.
    assert!(store.apply(rows("two", 20).as_bytes(), HostEncoding::Ascii).ok);
    assert!(store.apply(rows("two", 21).as_bytes(), HostEncoding::Ascii).ok);
    assert!(
        !store.receive(one, rows("two", 22).as_bytes(), HostEncoding::Ascii, DataOwner::Shared).ok
    );
    assert!(
        store.receive(two, rows("two", 23).as_bytes(), HostEncoding::Ascii, DataOwner::Shared).ok
    );
    assert_eq!(store.get("a").as_deref(), Some(r#"{"x":23}"#));
    // The text after the nodes is parsed too.
    let truncated = r#"{"updateDataModel":{"surfaceId":"two","nodes":{"a":{"x":24}}}"#;
    let with_extra_key = r#"{"updateDataModel":{"surfaceId":"two","nodes":{"a":{"x":24}}},"b":1}"#;
    for message in [truncated, with_extra_key] {
        assert!(!store.receive(two, message.as_bytes(), HostEncoding::Ascii, DataOwner::Shared).ok);
        assert_eq!(store.get("a").as_deref(), Some(r#"{"x":23}"#));
    }
}

#[test]
fn unchanged_values_are_not_recorded() {
    for (sigil, value) in [("**", r#""*a""#), ("*", r#""é""#), ("*", r#""""#), ("*", "1e2")] {
        let settings = StoreSettings { sigil: sigil.to_owned(), ..StoreSettings::default() };
        let mut store = Store::new(settings);
        let message = format!(r#"{{"a":{{"x":{value}}}}}"#);
        for _ in 0..2 {
            assert!(store.apply(message.as_bytes(), HostEncoding::Bytes).ok);
        }
        assert_eq!(store.inverse(store.last_revision()).as_deref(), Some("{}"), "{message}");
        assert!(store.undo_or_redo(Cause::Undo));
        assert!(!store.undo_or_redo(Cause::Undo), "{message}");
    }
}

#[test]
fn sigil_with_escapes_is_matched_after_decoding() {
    for (sigil, list) in [(r"\", r#"["\n1"]"#), (r"*\", r#"["*\n1"]"#)] {
        let settings = StoreSettings { sigil: sigil.to_owned(), ..StoreSettings::default() };
        let mut store = Store::new(settings);
        let message = format!(r#"{{"n1":1,"1":2,"list":{list}}}"#);
        assert!(store.apply(message.as_bytes(), HostEncoding::Ascii).ok);
        // A text with a line break, not a pointer.
        assert_eq!(store.get("list").as_deref(), Some(list));
    }
}
