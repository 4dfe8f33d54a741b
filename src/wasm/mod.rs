//! Bindings for JavaScript: the only code that uses wasm-bindgen and related crates.
//!
//! The host writes text or bytes to [`Input`], makes one call, and reads records from memory at [`Store::header`],
//! without objects. Only rare data (options, diagnostics, readings, contexts) crosses as JavaScript values.

#[cfg(feature = "flow")]
mod flow;
#[cfg(feature = "flow")]
mod flow_input;
#[cfg(feature = "flow")]
mod flow_run;
#[cfg(feature = "gasl")]
mod graph;
mod header;
mod input;
mod memory;
mod options;
#[cfg(feature = "gasl")]
mod session;
mod stream;
mod surface;

#[cfg(feature = "flow")]
pub use self::flow::CompiledFlow;
#[cfg(feature = "flow")]
pub use self::flow_run::FlowRun;
#[cfg(feature = "gasl")]
pub use self::graph::Graph;
#[cfg(feature = "gasl")]
pub use self::session::Session;

use self::header::Header;
use self::input::Input;
use self::options::settings;
use crate::base::json::{Limits, write_number, write_text};
use crate::base::span::Utf16Counter;
use crate::base::{self, Diagnostic};
use crate::ham::arena::NodeRef;
use crate::ham::binding::{Binding, Context};
use crate::ham::check;
use crate::ham::child_list::{self, OccurrenceCounter};
use crate::ham::document::Document;
use crate::ham::history::Cause;
use crate::ham::id;
use crate::ham::shape::KeyRef;
use crate::ham::store::{self, Applied};
use crate::ham::surface::message_text::HostEncoding;
use crate::ham::write::WriteSource;
use crate::wire::{self, Source};
use js_sys::{Array, JsString};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Logs Rust panics, which are bugs of this crate, to the console.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        // The panic of a `Vec` that would need more than two gigabytes.
        if info.payload().downcast_ref() == Some(&"capacity overflow") {
            return memory::set_failure();
        }
        web_sys::console::error_1(&JsValue::from_str(&format!("byname: {info}")));
    }));
}

/// Form of the host's message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InputKind {
    Text,
    Bytes,
    Object,
}

impl InputKind {
    fn new(number: u32) -> InputKind {
        match number {
            0 => InputKind::Text,
            1 => InputKind::Bytes,
            _ => InputKind::Object,
        }
    }
}

fn encoding_from_number(number: u32) -> HostEncoding {
    match number {
        0 => HostEncoding::Bytes,
        1 => HostEncoding::Ascii,
        _ => HostEncoding::Text,
    }
}

/// Sets the secret key of all hashes, of four random words. It has no effect after the first hash.
#[wasm_bindgen]
pub fn set_hash_key(a: u32, b: u32, c: u32, d: u32) {
    let word = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    base::keyed_hash::set_hash_key(word(a, b), word(c, d));
}

/// A HAM store and its surfaces.
#[wasm_bindgen]
pub struct Store {
    core: store::Store,
    header: Box<Header>,
    /// Diagnostics of the last call.
    diagnostics: Vec<wire::Diagnostic>,
    /// Offsets of each stream, for its diagnostics.
    pieces: Vec<Utf16Counter>,
}

type JsResult = Result<JsValue, JsValue>;

fn to_js(value: &impl Serialize) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).unwrap_or(JsValue::NULL)
}

fn json_from(value: &JsValue) -> Result<base::Value, Diagnostic> {
    // `undefined` has no JSON text and becomes null.
    let text = js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string());
    let value = base::Value::read(text.as_deref().unwrap_or("null").as_bytes(), Limits::default());
    value.map_err(without_location)
}

/// Removes an offset in a text that the host does not know.
fn without_location(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { location: None, ..diagnostic }
}

/// Converts a string of the host. Functions have `JsString` parameters, because the glue has extra code for each
/// function with a `String`.
fn to_rust_string(given: &JsString) -> String {
    given.as_string().unwrap_or_default()
}

fn to_js_strings(texts: Vec<&str>) -> Array {
    texts.into_iter().map(JsValue::from_str).collect()
}

#[wasm_bindgen]
impl Store {
    /// Returns a store with `HamStoreOptions`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Store, JsValue> {
        Ok(Store::from_core(store::Store::new(settings(options)?)))
    }

    /// Replaces the content by the plain JSON of `length` bytes in the input.
    pub fn import(&mut self, length: usize) -> bool {
        let settings = self.core.document.settings.clone();
        let input = Input::take_buffer();
        let text = input.prefix(length);
        match store::Store::from(settings, text) {
            Ok(core) => {
                self.core = core;
                true
            }
            Err(diagnostics) => {
                self.diagnostics = wire::Diagnostic::of_message(diagnostics, Source::Object(text));
                false
            }
        }
    }

    /// Reallocates the input buffer to `length` bytes; the host decides when.
    pub fn input(length: usize) -> *mut u8 {
        Input::reallocate(length)
    }

    /// Returns the address of the input buffer's capacity in bytes, which is constant.
    pub fn capacity_ptr() -> *const usize {
        Input::capacity_ptr()
    }

    /// Returns the address of the header, which is fixed.
    pub fn header(&self) -> *const Header {
        &raw const *self.header
    }

    /// Applies the message of `length` bytes in the input. Returns the number of the update, or 0 if it is rejected.
    pub fn apply(&mut self, length: usize, held: u32, given: u32) -> u32 {
        let input = Input::take_buffer();
        let text = input.prefix(length);
        let applied = self.core.apply(text, encoding_from_number(held));
        self.store_result(applied, text, InputKind::new(given))
    }

    /// Returns and clears the diagnostics of the last call.
    pub fn diagnostics(&mut self) -> JsValue {
        to_js(&std::mem::take(&mut self.diagnostics))
    }

    /// Returns the ids that an update set or deleted; `undefined` if it is no longer in the history.
    pub fn changed(&self, revision: u32, deleted: bool) -> Option<Array> {
        self.core.changed_ids(revision, deleted).map(to_js_strings)
    }

    /// Returns the JSON text of the update that reverts an update.
    pub fn inverse(&self, revision: u32) -> Option<JsString> {
        self.core.inverse(revision).map(JsString::from)
    }

    /// Returns whether a node exists.
    pub fn has(&self, id: &JsString) -> bool {
        self.core.has(&to_rust_string(id))
    }

    /// Returns the stored JSON text of a node.
    pub fn get(&self, id: &JsString) -> Option<JsString> {
        self.core.get(&to_rust_string(id)).map(JsString::from)
    }

    /// Returns the index of the JSON type of a node; 0 without a node.
    pub fn type_of(&self, id: &JsString) -> u32 {
        self.core.type_of(&to_rust_string(id))
    }

    /// Returns the number of items or properties of a node.
    pub fn size_of(&self, id: &JsString) -> u32 {
        self.core.size_of(&to_rust_string(id)) as u32
    }

    /// Returns the number of pointers in a node to another one.
    pub fn count_pointers(&self, id: &JsString, target: &JsString) -> u32 {
        self.core.count_pointers(&to_rust_string(id), &to_rust_string(target)) as u32
    }

    /// Returns the stored JSON text at a key or list index of a node.
    pub fn entry(&self, id: &JsString, key: &JsString) -> Option<JsString> {
        self.core.entry(&to_rust_string(id), &to_rust_string(key)).map(JsString::from)
    }

    /// Returns the `Reading` of a binding, with its value as JSON text.
    pub fn read(&mut self, binding: JsValue, context: JsValue) -> JsValue {
        let reading = match self.resolve_binding(binding, context) {
            Err(error) => wire::Reading::malformed(error),
            Ok((binding, context, warning)) => {
                let mut reading = self.core.read(binding, &context);
                reading.diagnostics.extend(warning);
                self.reading(reading)
            }
        };
        to_js(&reading)
    }

    /// Writes value and reference of the `Reading` of a simple binding to the records. Returns false, and writes
    /// nothing, if the reading has more than these. For the parameters see [`BindingNames`].
    pub fn read_plain(&mut self, length: usize, form: usize) -> bool {
        let input = Input::take_buffer();
        let document = &self.core.document;
        let is_written = match BindingNames::parse_input(&input, length, form, document) {
            None => false,
            Some(names) => match document.find_node(names.id) {
                None => self.core.emit_missing(),
                Some(node) => match names.key.map(|key| document.find_key(key)) {
                    Some(None) => false,
                    key => {
                        let (binding, context) = names.binding(node, key.flatten());
                        self.core.emit_reading(binding, &context)
                    }
                },
            },
        };
        self.finish_call(is_written, 0);
        is_written
    }

    /// Returns JSON text: the node of the bound list, then key, node or null, and ordinal of each item, in one array.
    pub fn children(&mut self, binding: JsValue, context: JsValue) -> JsString {
        let Ok((list, context, _)) = self.resolve_binding(binding, context) else {
            return "[]".into();
        };
        let document = &self.core.document;
        let found = child_list::resolve_items(
            document.current_view(),
            list,
            &context,
            &mut OccurrenceCounter::default(),
        );
        let owner = document.id(list.node.unwrap_or(context.node));
        let mut items = "[".to_owned();
        write_text(owner, &mut items);
        for item in found.items {
            let node = item.node().map(|node| document.id(node));
            items.push(',');
            write_text(&item.key(node.unwrap_or_default()), &mut items);
            items.push(',');
            match node {
                Some(node) => write_text(node, &mut items),
                None => items.push_str("null"),
            }
            items.push(',');
            write_number(f64::from(item.ordinal()), &mut items);
        }
        items.push(']');
        JsString::from(items)
    }

    /// Writes the value whose JSON text of `length` bytes is in the input.
    pub fn write(&mut self, binding: JsValue, context: JsValue, length: usize) -> u32 {
        let resolved = self.resolve_binding(binding, context);
        let input = Input::take_buffer();
        let text = input.prefix(length);
        let applied = match resolved {
            Err(error) => Applied { ok: false, revision: 0, diagnostics: vec![error] },
            Ok((binding, context, warning)) => {
                let mut applied = self.core.write(binding, &context, text, WriteSource::Caller);
                applied.diagnostics.extend(warning);
                applied
            }
        };
        self.store_result(applied, text, InputKind::Object)
    }

    /// Undoes the last step.
    pub fn undo(&mut self) -> bool {
        let done = self.core.undo_or_redo(Cause::Undo);
        self.finish_call(done, 0);
        done
    }

    /// Redoes the last undone step.
    pub fn redo(&mut self) -> bool {
        let done = self.core.undo_or_redo(Cause::Redo);
        self.finish_call(done, 0);
        done
    }

    /// Returns the nested JSON text of a node; throws diagnostics if it is too large.
    pub fn to_json(&self, id: Option<JsString>) -> Result<JsString, JsValue> {
        let id = id.map_or_else(|| check::ROOT.to_owned(), |id| to_rust_string(&id));
        let json =
            self.core.to_json(&id).map_err(|error| diagnostics_to_js(error, Source::Text(b"")))?;
        Ok(json.into())
    }

    /// Returns the JSON text of all nodes, or `None` if the memory was exhausted while they were moved.
    pub fn export(&self) -> Option<JsString> {
        let document = &self.core.document;
        (!document.is_moving).then(|| crate::ham::export::export(document).into())
    }

    /// Returns the JSON text of the update that makes this store equal to the target of `length` bytes in the input:
    /// exported nodes, or plain JSON.
    pub fn diff(&mut self, length: usize, nodes: bool) -> Result<JsString, JsValue> {
        let input = Input::take_buffer();
        let text = input.prefix(length);
        let diff = if nodes { self.core.diff_nodes(text) } else { self.core.diff_json(text) };
        diff.map(JsString::from).map_err(|error| diagnostics_to_js(error, Source::Object(text)))
    }

    /// Returns the ids that begin with `prefix` of nodes that are not reachable from `root`.
    pub fn orphans(&self, prefix: &JsString) -> Array {
        to_js_strings(self.core.orphans(&to_rust_string(prefix)))
    }

    /// Returns warnings about the document.
    pub fn check(&self) -> JsValue {
        let found = check::check(&self.core.document);
        to_js(&wire::Diagnostic::list(found, Source::Text(b"")))
    }

    /// Subscribes to a binding; returns `undefined` if the binding is malformed.
    pub fn subscribe(&mut self, binding: JsValue, context: JsValue) -> Option<usize> {
        let (binding, context, _) = self.resolve_binding(binding, context).ok()?;
        Some(self.core.subscribe(binding, context))
    }

    /// Subscribes to a simple binding; returns `undefined` if it is malformed. For the parameters see
    /// [`BindingNames`].
    pub fn subscribe_plain(&mut self, length: usize, form: usize) -> Option<usize> {
        // Compacts first, because a later compaction would invalidate the handles of these names.
        self.core.compact_if_needed(0);
        let input = Input::take_buffer();
        let document = &mut self.core.document;
        let names = BindingNames::parse_input(&input, length, form, document)?;
        let key = names.key.map(|key| document.key(key));
        let (binding, context) = names.binding(document.node(names.id.as_bytes()), key);
        Some(self.core.subscribe(binding, context))
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, number: usize) {
        self.core.unsubscribe(number);
    }

    /// Returns the current `Reading` of a subscription.
    pub fn subscribed(&self, number: usize) -> JsValue {
        let reading = self.core.reading(number).map(|reading| self.reading(reading));
        reading.map_or(JsValue::UNDEFINED, |reading| to_js(&reading))
    }
}

/// Names of a simple binding and its context in the first `length` bytes of the input: a node id, then a key. `form`
/// is the length of the id in bytes times four, plus the flags below.
struct BindingNames<'i> {
    id: &'i str,
    key: Option<&'i str>,
    /// Whether the node belongs to the binding; otherwise to the context.
    named: bool,
}

impl BindingNames<'_> {
    const NAMED: usize = 1;
    const KEYED: usize = 2;

    /// Parses the names; returns `None` if the id is invalid.
    fn parse_input<'i>(
        input: &'i Input,
        length: usize,
        form: usize,
        document: &Document,
    ) -> Option<BindingNames<'i>> {
        let text = str::from_utf8(input.prefix(length)).unwrap_or_default();
        let (id, key) = text.split_at_checked(form / 4)?;
        id::check_id(id, &document.settings.sigil).ok()?;
        let key = (form & BindingNames::KEYED != 0).then_some(key);
        Some(BindingNames { id, key, named: form & BindingNames::NAMED != 0 })
    }

    /// Returns the binding and its context, which is irrelevant if the binding has a node.
    fn binding(&self, node: NodeRef, key: Option<KeyRef>) -> (Binding, Context) {
        (Binding { node: self.named.then_some(node), key }, Context::from_node(node))
    }
}

impl Store {
    fn from_core(core: store::Store) -> Store {
        Store { core, header: Box::default(), diagnostics: Vec::new(), pieces: Vec::new() }
    }

    /// Stores the results of a call. Returns the number of the update.
    fn store_result(&mut self, applied: Applied, text: &[u8], given: InputKind) -> u32 {
        let Applied { ok, revision, diagnostics } = applied;
        self.diagnostics.clear();
        if !diagnostics.is_empty() {
            let source = match given {
                InputKind::Object => Source::Object(text),
                InputKind::Text | InputKind::Bytes => Source::Text(text),
            };
            self.diagnostics = wire::Diagnostic::of_message(diagnostics, source);
        }
        self.finish_call(ok, revision)
    }

    fn finish_call(&mut self, ok: bool, revision: u32) -> u32 {
        self.header.point_to_records(&self.core.records, self.diagnostics.len());
        if ok { revision } else { 0 }
    }

    fn resolve_binding(
        &mut self,
        binding: JsValue,
        context: JsValue,
    ) -> Result<(Binding, Context, Option<Diagnostic>), Diagnostic> {
        // Compacts first, because a later compaction would invalidate the handles of these names.
        self.core.compact_if_needed(0);
        let (binding, warning) = self.core.parse_binding(&json_from(&binding)?)?;
        let context = match wire::Context::parse(&json_from(&context)?) {
            Some(context) => context.resolve(&mut self.core.document),
            None => Context::from_node(self.core.document.node(check::ROOT.as_bytes())),
        };
        Ok((binding, context, warning))
    }

    fn reading(&self, reading: crate::ham::read::Reading) -> wire::Reading {
        wire::Reading::new(reading, |node| self.core.document.id(node).to_owned())
    }
}

fn diagnostics_to_js(diagnostics: Vec<Diagnostic>, source: Source<'_>) -> JsValue {
    to_js(&wire::Diagnostic::list(diagnostics, source))
}
