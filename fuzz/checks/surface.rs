//! Sequences of messages of a surface: the reported changes lead to its tree, and the tree equals that of
//! a new surface with the same components and data.

use super::choices::Choices;
use super::ham::{message, settings};
use super::surface_mirror::{Mirror, RecordReader, Shown};
use byname::base::Value;
use byname::ham::codes::INSTANCE_LIMIT;
use byname::ham::export::export;
use byname::ham::history::Cause;
use byname::ham::store::{DataOwner, Store};
use byname::ham::surface::Surface;
use byname::ham::surface::component::Catalog;
use byname::ham::surface::message_text::HostEncoding;

const STEPS: usize = 16;
/// Maximum number of instances that are compared.
const INSTANCES: usize = 200;
const COMPONENTS: &[&str] = &["root", "one", "two", "row", "cell", "text"];
const NODES: &[&str] = &["root", "a", "b", "c", "l1", "l2", "none"];
const KEYS: &[&str] = &["n", "p", "q", "x/y"];

pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let mut shown = ShownSurface::new(choices.one_in(4));
    for _ in 0..STEPS {
        if choices.is_empty() {
            break;
        }
        match choices.below(16) {
            0..=4 => shown.define(&mut choices),
            14 => shown.undo_or_redo(Cause::Undo),
            15 => shown.undo_or_redo(Cause::Redo),
            13 => shown.delete(),
            12 => shown.input(&mut choices),
            _ => shown.update(&mut choices),
        }
        if !shown.compare() {
            return;
        }
    }
    shown.compare_with_new();
}

struct ShownSurface {
    store: Store,
    handle: usize,
    mirror: Mirror,
    has_edits: bool,
    /// Descriptions of the components by id, in the order of their first use.
    components: Vec<(String, String)>,
}

impl ShownSurface {
    fn new(has_edits: bool) -> ShownSurface {
        let mut settings = settings(has_edits);
        settings.limits.instances = 4 * INSTANCES;
        let mut store = Store::new(settings);
        let handle = add_surface(&mut store);
        ShownSurface { store, handle, mirror: Mirror::default(), has_edits, components: Vec::new() }
    }

    /// Returns whether the message keeps the limit of instances; else it is refused as a whole.
    fn receive(&mut self, message: &str) -> bool {
        let encoding = if message.is_ascii() { HostEncoding::Ascii } else { HostEncoding::Text };
        let applied = self.store.receive(self.handle, message.as_bytes(), encoding, DataOwner::Own);
        self.read_changes(message);
        applied.diagnostics.iter().all(|one| one.code != INSTANCE_LIMIT)
    }

    fn surface(&self) -> &Surface {
        self.store.surface(self.handle).unwrap_or_else(|| panic!("no surface"))
    }

    fn read_changes(&mut self, message: &str) {
        let Some(surface) = self.store.surface(self.handle) else { panic!("no surface") };
        let (records, tree) = (&self.store.records, &surface.tree);
        let reader =
            RecordReader::new(records.words.as_slice(), &records.batch, message.as_bytes(), tree);
        self.mirror.apply(reader);
    }

    fn define(&mut self, choices: &mut Choices<'_>) {
        let mut texts = Vec::new();
        let mut components = self.components.clone();
        for _ in 0..1 + choices.below(3) {
            let id = choices.pick(COMPONENTS);
            let text = component(choices, id);
            texts.push(text.clone());
            match components.iter_mut().find(|(known, _)| known == id) {
                Some((_, known)) => *known = text,
                None => components.push((id.to_owned(), text)),
            }
        }
        if self.receive(&define_message(&texts)) {
            self.components = components;
        }
    }

    fn update(&mut self, choices: &mut Choices<'_>) {
        let (message, _) = message(choices, self.has_edits);
        if choices.one_in(3) {
            return self.stream(&message, choices);
        }
        let encoding = if message.is_ascii() { HostEncoding::Ascii } else { HostEncoding::Text };
        self.store.apply(message.as_bytes(), encoding);
        self.read_changes(&message);
    }

    fn stream(&mut self, message: &str, choices: &mut Choices<'_>) {
        let stream = self.store.open_stream(choices.one_in(2));
        let mut rest = message.as_bytes();
        while !rest.is_empty() {
            let (chunk, next) = rest.split_at(rest.len().min(1 + choices.below(60)));
            self.store.push(stream, chunk, HostEncoding::Bytes);
            self.read_changes("");
            rest = next;
        }
        self.store.end(stream);
        self.read_changes("");
        self.store.close_stream(stream);
    }

    fn undo_or_redo(&mut self, cause: Cause) {
        if self.store.undo_or_redo(cause) {
            self.read_changes("");
        }
    }

    fn input(&mut self, choices: &mut Choices<'_>) {
        let key = choices.pick(&["root", "root/one", "root/one/row:a", "root/text"]);
        let prop = choices.pick(&["text", "value"]);
        let value = choices.pick(&["\"typed\"", "\"*a\"", "7", "null"]);
        self.store.input(self.handle, key, prop, value.as_bytes());
        self.read_changes(value);
    }

    fn delete(&mut self) {
        if self.surface().id.is_some() {
            self.components.clear();
        }
        self.receive(r#"{"deleteSurface":{"surfaceId":"s"}}"#);
    }

    /// Compares the tree with its mirror. Returns `false` if the tree is too large.
    fn compare(&mut self) -> bool {
        let tree = tree_of(&mut self.store, self.handle);
        assert_eq!(self.mirror.root, tree, "the changes lead to another tree");
        self.surface().tree.count() <= INSTANCES
    }

    /// Compares the tree with that of a new surface.
    fn compare_with_new(&mut self) {
        let tree = tree_of(&mut self.store, self.handle);
        let nodes = export(&self.store.document);
        let mut settings = settings(false);
        settings.limits = self.store.document.settings.limits;
        // The export hoists literals, so it may have more nodes.
        settings.limits.nodes *= 8;
        let mut store = Store::new(settings);
        let handle = add_surface(&mut store);
        assert!(store.apply(nodes.as_bytes(), HostEncoding::Bytes).ok, "{nodes}");
        let texts: Vec<String> = self.components.iter().map(|(_, text)| text.clone()).collect();
        if texts.is_empty() {
            return;
        }
        store.receive(
            handle,
            define_message(&texts).as_bytes(),
            HostEncoding::Bytes,
            DataOwner::Own,
        );
        let expected = tree_of(&mut store, handle);
        let comparable = |tree: Option<Shown>| tree.map(Shown::without_numbers);
        assert_eq!(
            comparable(tree),
            comparable(expected),
            "a new surface has another tree: {nodes} {texts:?}"
        );
    }
}

fn add_surface(store: &mut Store) -> usize {
    let handle = store.add_surface(Catalog::parse(&Value::Null));
    if let Some(surface) = store.surface_mut(handle) {
        surface.observed = true;
    }
    handle
}

fn tree_of(store: &mut Store, handle: usize) -> Option<Shown> {
    if !store.write_tree(handle) {
        return None;
    }
    let surface = store.surface(handle)?;
    let records = &store.records;
    Some(RecordReader::new(records.words.as_slice(), &records.batch, b"", &surface.tree).tree())
}

fn define_message(components: &[String]) -> String {
    let components = components.join(",");
    format!(r#"{{"updateComponents":{{"surfaceId":"s","components":[{components}]}}}}"#)
}

/// Returns the JSON text of a component.
fn component(choices: &mut Choices<'_>, id: &str) -> String {
    let name = choices.pick(&["Text", "Column", "List", "Card"]);
    let mut text = format!(r#"{{"id":"{id}","component":"{name}""#);
    for prop in ["text", "value"] {
        if choices.one_in(2) {
            text += &format!(r#","{prop}":"#);
            property(choices, 0, &mut text);
        }
    }
    match choices.below(8) {
        0 | 1 => {
            text += r#","children":{"binding":"#;
            binding(choices, &mut text);
            text += &format!(r#","template":"{}"}}"#, choices.pick(COMPONENTS));
        }
        2 | 3 => {
            let count = choices.below(4);
            let ids: Vec<String> =
                (0..count).map(|_| format!("\"{}\"", choices.pick(COMPONENTS))).collect();
            text += &format!(r#","children":[{}]"#, ids.join(","));
        }
        4 | 5 => text += &format!(r#","child":"{}""#, choices.pick(COMPONENTS)),
        6 => text += r#","children":"one""#,
        _ => {}
    }
    text.push('}');
    text
}

fn property(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    match choices.below(8) {
        0..=2 => {
            *out += r#"{"binding":"#;
            binding(choices, out);
            out.push('}');
        }
        3 => *out += r#"{"call":"@index","args":{"offset":1}}"#,
        4 => *out += r#"{"call":"@id"}"#,
        5 if depth < 3 => {
            *out += r#"{"call":"format","args":{"a":"#;
            property(choices, depth + 1, out);
            *out += "}}";
        }
        6 if depth < 3 => {
            out.push('[');
            property(choices, depth + 1, out);
            *out += ",1]";
        }
        _ => *out += choices.pick(&["\"x\"", "1", "null", "{\"path\":\"/a\"}", "[]"]),
    }
}

fn binding(choices: &mut Choices<'_>, out: &mut String) {
    let node = choices.one_in(2).then(|| format!(r#""node":"{}""#, choices.pick(NODES)));
    let key = choices.one_in(2).then(|| format!(r#""key":"{}""#, choices.pick(KEYS)));
    let parts: Vec<String> = node.into_iter().chain(key).collect();
    *out += &format!("{{{}}}", parts.join(","));
}
