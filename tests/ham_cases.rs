//! Runs the HAM cases of `tests/cases/ham` on the core; `tests/run-cases.mjs` runs the same files
//! through the facade. `tests/README.md` describes their format.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

#[path = "ham_cases/comparing.rs"]
mod comparing;

use byname::base::Value;
use byname::base::diagnostic::Location;
use byname::base::json::Limits as JsonLimits;
use byname::base::span::utf16_span;
use byname::ham::binding::Context;
use byname::ham::child_list::{self, OccurrenceCounter};
use byname::ham::document::{StoreLimits, StoreSettings};
use byname::ham::history::Cause;
use byname::ham::id::EditKeys;
use byname::ham::read::{Reading, Status};
use byname::ham::store::{Applied, Store};
use byname::ham::surface::message_text::HostEncoding;
use byname::ham::surface::record::ValueTag;
use byname::ham::write::WriteSource;
use byname::ham::{check, export};
use comparing::{compare_codes, debug, parse_json, same};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

#[test]
fn ham_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/ham");
    let mut failures = Vec::new();
    let mut ran = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let cases: Vec<Json> = serde_json::from_str(&read_cases(&path)).unwrap();
        for case in cases {
            ran += 1;
            if let Err(failure) = run(&case) {
                failures.push(format!("{}\n    {failure}", case["name"]));
            }
        }
    }
    assert!(ran > 150, "{ran} cases");
    assert!(failures.is_empty(), "{} of {ran}:\n{}", failures.len(), failures.join("\n"));
}

/// Replaces the steps with lone surrogates, which serde_json rejects.
fn read_cases(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| {
        let lone = ["\"a\": \"\\ud800\"", "\"\\udc00\": 1"];
        let foreign = line.contains("\"apply\"") && lone.iter().any(|part| line.contains(part));
        if foreign { "{\"undo\": true, \"expect\": false}" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

struct Run {
    store: Store,
    streams: HashMap<String, usize>,
    subscriptions: HashMap<String, usize>,
    calls: BTreeMap<usize, Vec<Reading>>,
    /// Text of the spans of the last diagnostics.
    text: Vec<u8>,
}

fn run(case: &Json) -> Result<(), String> {
    let settings = settings(&case["options"]);
    if case["constructorThrows"] == json!(true) {
        // The facade rejects these.
        return Ok(());
    }
    let store = match case.get("from") {
        Some(to_value) => Store::from(settings, to_value.to_string().as_bytes()).map_err(debug)?,
        None => Store::new(settings),
    };
    let mut run = Run {
        store,
        streams: HashMap::new(),
        subscriptions: HashMap::new(),
        calls: BTreeMap::new(),
        text: Vec::new(),
    };
    for (index, step) in case["steps"].as_array().unwrap().iter().enumerate() {
        run.step(step).map_err(|failure| format!("step {index} {step}\n    {failure}"))?;
    }
    Ok(())
}

fn settings(options: &Json) -> StoreSettings {
    let limit = |name: &str, default: usize| {
        options["limits"][name].as_u64().map_or(default, |handle| handle as usize)
    };
    let default = StoreLimits::default();
    let bytes = limit("bytes", default.bytes);
    StoreSettings {
        sigil: options["sigil"].as_str().unwrap_or("*").to_owned(),
        repair: options["repair"] == json!(true),
        edit_keys: EditKeys {
            lists: options["extensions"]["listEdits"] == json!(true),
            merge: options["extensions"]["merge"] == json!(true),
        },
        limits: StoreLimits {
            bytes,
            memory: limit("memory", default.memory.min(bytes.saturating_mul(8))),
            nodes: limit("nodes", default.nodes),
            depth: limit("depth", default.depth),
            deep_read: limit("deepRead", default.deep_read),
            instances: limit("instances", default.instances),
            undo: limit("undo", default.undo),
        },
    }
}

impl Run {
    fn step(&mut self, step: &Json) -> Result<(), String> {
        let Some((action, argument)) = step.as_object().and_then(|step| step.iter().next()) else {
            return Err("a step without an action".to_owned());
        };
        let expected = &step["expect"];
        let text = argument.as_str().unwrap_or_default();
        match action.as_str() {
            "apply" => self.apply_message(argument.to_string().into_bytes(), expected),
            "applyText" => self.apply_message(text.as_bytes().to_vec(), expected),
            "applyBytes" => {
                let bytes = argument.as_array().unwrap().iter();
                self.apply_message(
                    bytes.map(|byte| byte.as_u64().unwrap() as u8).collect(),
                    expected,
                )
            }
            "stream" => self.stream(text, step),
            "get" => {
                let found = self.store.get(text).map_or(json!({"$undefined": true}), parse_json);
                same(&found, expected)
            }
            "has" => same(&json!(self.store.has(text)), expected),
            "read" => {
                let reading = self.read(argument, &step["in"])?;
                self.compare_reading(&reading, expected)
            }
            "children" => {
                let context = self.context(&step["in"])?;
                let keys = self.items(argument, &context)?;
                let keys: Vec<_> = keys.into_iter().map(|(key, _)| key).collect();
                same(&json!(keys), expected)
            }
            "write" => self.write(step),
            "undo" => self.undo_or_redo(Cause::Undo, expected),
            "redo" => self.undo_or_redo(Cause::Redo, expected),
            "toJSON" => {
                let id = argument.as_str().unwrap_or("root");
                same(&parse_json(self.store.to_json(id).map_err(debug)?), expected)
            }
            "toJSONThrows" => match self.store.to_json(text) {
                Ok(_) => Err("expected an error".to_owned()),
                Err(_) => Ok(()),
            },
            "export" => same(&self.export(), expected),
            "roundTrip" => self.round_trip(),
            "diff" => same(&self.diff(argument)?, expected),
            "diffApply" => self.diff_apply(argument),
            "diffStore" => {
                let nodes = argument.to_string();
                let update = self.store.diff_nodes(nodes.as_bytes()).map_err(debug)?;
                same(&parse_json(update.clone()), expected)?;
                self.apply_message(update.into_bytes(), &json!({"ok": true}))?;
                same(&self.export(), argument)
            }
            "orphans" => {
                let mut orphans = self.store.orphans("");
                orphans.sort_unstable();
                same(&json!(orphans), argument)
            }
            "check" => compare_codes(&check::check(&self.store.document), argument),
            "subscribe" => self.subscribe(step),
            "unsubscribe" => {
                self.store.unsubscribe(self.subscriptions[text]);
                Ok(())
            }
            "calls" => self.compare_calls(argument),
            other => Err(format!("an unknown action {other}")),
        }
    }

    fn apply_message(&mut self, apply_message: Vec<u8>, expected: &Json) -> Result<(), String> {
        let before = self.export();
        let applied = self.store.apply(&apply_message, encoding_of(&apply_message));
        self.text = apply_message;
        self.check_applied(applied, before, expected)
    }

    fn stream(&mut self, name: &str, step: &Json) -> Result<(), String> {
        let handle = match self.streams.get(name) {
            Some(handle) => *handle,
            None => self.store.open_stream(false),
        };
        self.streams.insert(name.to_owned(), handle);
        let before = self.export();
        if let Some(text) = step["letters"].as_str() {
            for byte in text.bytes() {
                let applied = self.store.push(handle, &[byte], HostEncoding::Bytes);
                if !applied.ok {
                    return Err(debug(applied.diagnostics));
                }
                self.collect_readings();
            }
            return Ok(());
        }
        let applied = match step["push"].as_str() {
            Some(piece) => self.store.push(handle, piece.as_bytes(), encoding_of(piece.as_bytes())),
            None => self.store.end(handle),
        };
        self.text = Vec::new();
        self.check_applied(applied, before, &step["expect"])
    }

    fn write(&mut self, step: &Json) -> Result<(), String> {
        let before = self.export();
        let context = self.context(&step["in"])?;
        let value = step["value"].to_string();
        let applied = match self.store.parse_binding(&to_value(&step["write"])) {
            Ok((binding, _)) => {
                self.store.write(binding, &context, value.as_bytes(), WriteSource::Caller)
            }
            Err(error) => Applied { ok: false, revision: 0, diagnostics: vec![error] },
        };
        self.check_applied(applied, before, &step["expect"])
    }

    fn undo_or_redo(&mut self, cause: Cause, expected: &Json) -> Result<(), String> {
        let done = self.store.undo_or_redo(cause);
        self.collect_readings();
        same(&json!(done), expected)
    }
}

impl Run {
    /// Collects the notified subscriptions and compares the result with `expected`.
    fn check_applied(
        &mut self,
        applied: Applied,
        before: Json,
        expected: &Json,
    ) -> Result<(), String> {
        if applied.ok {
            self.collect_readings();
        } else {
            same(&self.export(), &before)?;
        }
        if applied.ok != (expected["ok"] != json!(false)) {
            return Err(format!("ok is {}: {}", applied.ok, debug(applied.diagnostics)));
        }
        for (name, deleted) in [("changed", false), ("deleted", true)] {
            let Some(ids) = expected[name].as_array() else { continue };
            let mut ids: Vec<_> = ids.iter().filter_map(Json::as_str).collect();
            ids.sort_unstable();
            let mut found = self.store.changed_ids(applied.revision, deleted).unwrap_or_default();
            found.sort_unstable();
            same(&json!(found), &json!(ids)).map_err(|failure| format!("{name}: {failure}"))?;
        }
        if let Some(inverse) = expected.get("inverse") {
            same(&parse_json(self.store.inverse(applied.revision).unwrap_or_default()), inverse)?;
        }
        if let Some(codes) = expected.get("codes") {
            compare_codes(&applied.diagnostics, codes)?;
        }
        let first = applied.diagnostics.first();
        if let Some(help) = expected["help"].as_str() {
            let has = first.and_then(|first| first.help.as_ref()).is_some_and(|h| h.contains(help));
            if !has {
                return Err(format!("no help with {help}: {}", debug(applied.diagnostics)));
            }
        }
        match (expected["location"].as_object(), first.and_then(|first| first.location.as_ref())) {
            (None, _) => Ok(()),
            (Some(expected), Some(Location::Span(span))) if !self.text.is_empty() => {
                let span = utf16_span(&self.text, *span);
                let found = json!({"kind": "text", "start": span.start, "end": span.end});
                expected.iter().try_for_each(|(name, value)| same(&found[name], value))
            }
            (Some(_), Some(Location::Span(_))) => Ok(()),
            (Some(_), place) => Err(format!("the place is {place:?}")),
        }
    }

    /// Stores the readings of the subscriptions that the last call notified.
    fn collect_readings(&mut self) {
        let words = self.store.records.words.as_slice().to_vec();
        for record in words.chunks(8) {
            if let [_, handle, tag, low, high, reference, ..] = record {
                let handle = *handle as usize;
                let reading = self.store.reading(handle).unwrap();
                check_fire_record(&reading, *tag, u64::from(*low) | u64::from(*high) << 32);
                assert_eq!(
                    *reference == ValueTag::Text as u32,
                    *tag != 0 && reading.reference.is_some()
                );
                self.calls.entry(handle).or_default().push(reading);
            }
        }
    }

    fn subscribe(&mut self, step: &Json) -> Result<(), String> {
        let context = self.context(&step["in"])?;
        let (binding, _) =
            self.store.parse_binding(&to_value(&step["subscribe"])).map_err(debug)?;
        let handle = self.store.subscribe(binding, context);
        self.subscriptions.insert(step["as"].as_str().unwrap().to_owned(), handle);
        Ok(())
    }

    fn compare_calls(&mut self, expected: &Json) -> Result<(), String> {
        for (name, expected) in expected.as_object().unwrap() {
            let calls = self.calls.remove(&self.subscriptions[name]).unwrap_or_default();
            let expected = expected.as_array().unwrap();
            if calls.len() != expected.len() {
                return Err(format!("{name} was notified {} times: {calls:?}", calls.len()));
            }
            for (call, expected) in calls.iter().zip(expected) {
                self.compare_reading(call, expected)?;
            }
        }
        Ok(())
    }

    fn read(&mut self, binding: &Json, path: &Json) -> Result<Reading, String> {
        let context = self.context(path)?;
        Ok(match self.store.parse_binding(&to_value(binding)) {
            Ok((binding, _)) => self.store.read(binding, &context),
            Err(error) => Reading {
                value: "null".to_owned(),
                status: Status::Error,
                reference: None,
                diagnostics: vec![error],
            },
        })
    }

    fn compare_reading(&self, reading: &Reading, expected: &Json) -> Result<(), String> {
        let status = match reading.status {
            Status::Ok => "ok",
            Status::Missing => "missing",
            Status::Error => "error",
        };
        let reference = reading.reference.map(|node| self.store.document.id(node));
        let found = json!({
            "value": parse_json(reading.value.clone()), "status": status, "ref": reference,
        });
        for (name, value) in expected.as_object().unwrap() {
            match name.as_str() {
                "codes" => compare_codes(&reading.diagnostics, value)?,
                "help" => {
                    let part = value.as_str().unwrap();
                    let mut helps = reading.diagnostics.iter().filter_map(|d| d.help.as_ref());
                    if !helps.any(|help| help.contains(part)) {
                        return Err(format!("no help with {part}: {:?}", reading.diagnostics));
                    }
                }
                _ => same(&found[name], value).map_err(|failure| format!("{name}: {failure}"))?,
            }
        }
        Ok(())
    }

    /// Walks from the top context down, one item key at a time.
    fn context(&mut self, path: &Json) -> Result<Context, String> {
        let mut context = Context::from_node(self.store.document.node(b"root"));
        for step in path.as_array().into_iter().flatten() {
            let list = json!({"binding": step[0], "template": "t"});
            let items = self.items(&list, &context)?;
            let item = items.into_iter().find(|(key, _)| step[1] == json!(key));
            context = item.ok_or_else(|| format!("no item {}", step[1]))?.1;
        }
        Ok(context)
    }

    fn items(&mut self, list: &Json, context: &Context) -> Result<Vec<(String, Context)>, String> {
        if let (Some(template), Some(component)) = (list.get("template"), list.get("componentId"))
            && template != component
        {
            // The facade rejects these.
            return Ok(Vec::new());
        }
        let Ok((binding, _)) = self.store.parse_binding(&to_value(&list["binding"])) else {
            return Ok(Vec::new());
        };
        let document = &self.store.document;
        let target = child_list::resolve_items(
            document.current_view(),
            binding,
            context,
            &mut OccurrenceCounter::default(),
        );
        let named = target.items.into_iter().map(|item| {
            let name = item.node().map_or("", |node| document.id(node));
            (item.key(name), item.context(binding, context))
        });
        Ok(named.collect())
    }

    fn export(&self) -> Json {
        parse_json(export::export(&self.store.document))
    }

    fn round_trip(&mut self) -> Result<(), String> {
        let exported = export::export(&self.store.document);
        let mut copy = Store::new(self.store.document.settings.clone());
        let applied = copy.apply(exported.as_bytes(), encoding_of(exported.as_bytes()));
        if !applied.ok {
            return Err(debug(applied.diagnostics));
        }
        same(&parse_json(export::export(&copy.document)), &parse_json(exported))?;
        let copied = parse_json(copy.to_json("root").map_err(debug)?);
        same(&copied, &parse_json(self.store.to_json("root").map_err(debug)?))
    }

    fn diff(&mut self, target: &Json) -> Result<Json, String> {
        Ok(parse_json(self.store.diff_json(target.to_string().as_bytes()).map_err(debug)?))
    }

    fn diff_apply(&mut self, target: &Json) -> Result<(), String> {
        let update = self.diff(target)?.to_string();
        self.apply_message(update.into_bytes(), &json!({"ok": true}))?;
        same(&parse_json(self.store.to_json("root").map_err(debug)?), target)?;
        same(&self.diff(target)?, &json!({}))
    }
}

/// Checks that a `Fire` record contains the reading, unless it has diagnostics.
fn check_fire_record(reading: &Reading, tag: u32, payload: u64) {
    let value: Json = serde_json::from_str(&reading.value).unwrap();
    let is_plain = reading.status == Status::Ok && reading.diagnostics.is_empty();
    assert_eq!(tag != ValueTag::Nothing as u32, is_plain, "{value}");
    if tag == ValueTag::Nothing as u32 {
        return;
    }
    let expected = match &value {
        Json::Null => (ValueTag::Null, 0),
        Json::Bool(false) => (ValueTag::False, 0),
        Json::Bool(true) => (ValueTag::True, 0),
        Json::Number(handle) => (ValueTag::Number, handle.as_f64().unwrap().to_bits()),
        // The start of a text is not checked.
        Json::String(text) => {
            assert_eq!(payload >> 32, text.encode_utf16().count() as u64);
            return assert!([ValueTag::Text as u32, ValueTag::TextInMessage as u32].contains(&tag));
        }
        _ => return assert_eq!(tag, ValueTag::Json as u32),
    };
    assert_eq!((tag, payload), (expected.0 as u32, expected.1), "{value}");
}

/// Converts a serde_json value.
fn to_value(json: &Json) -> Value {
    Value::parse(json.to_string().as_bytes(), JsonLimits::default()).0.unwrap()
}

fn encoding_of(apply_message: &[u8]) -> HostEncoding {
    match std::str::from_utf8(apply_message) {
        Ok(text) if text.is_ascii() => HostEncoding::Ascii,
        Ok(_) => HostEncoding::Text,
        Err(_) => HostEncoding::Bytes,
    }
}
