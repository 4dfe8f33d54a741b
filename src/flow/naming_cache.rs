//! Cache of output names by the contents that they depend on.

use super::naming::{NamingOptions, OutputNames, PreviousNames, name_outputs};
use super::store_names::PortCache;
use super::workflow::{GeneratedName, Node, Workflow};
use crate::base::Diagnostic;
use crate::base::hash::sha256;
use std::ops::Range;
use std::rc::Rc;

/// Version of the naming; it changes whenever the same workflow gets other names.
pub const NAMING_VERSION: &str = "1";

/// Names of the outputs of a workflow, with diagnostics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamingResult {
    pub names: Rc<OutputNames>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Least-recently-used cache of naming results.
#[derive(Debug, Default)]
pub struct NamingCache {
    /// Entries with their keys, the most recently used last.
    entries: Vec<(String, Rc<NamingResult>)>,
}

/// Maximum number of cached results.
const CACHE_SIZE: usize = 8;

impl NamingCache {
    /// Returns the names of a workflow's outputs, computed or from the cache.
    pub fn get_or_compute(
        &mut self,
        workflow: &Workflow,
        options: &NamingOptions,
        previous: &PreviousNames,
    ) -> Rc<NamingResult> {
        let mut key = content_key(workflow, options);
        for (node_index, names) in previous.nodes.iter().enumerate() {
            for (output, name) in names {
                append_record(&mut key, "reserved", &[&node_index.to_string(), output, name]);
            }
        }
        for name in previous.removed_names.keys() {
            append_record(&mut key, "gone", &[name]);
        }
        if let Some(index) = self.entries.iter().position(|(entry_key, _)| *entry_key == key) {
            let entry = self.entries.remove(index);
            let result = entry.1.clone();
            self.entries.push(entry);
            return result;
        }
        let (names, diagnostics) = name_outputs(workflow, options, previous);
        let result = Rc::new(NamingResult { names: Rc::new(names), diagnostics });
        if self.entries.len() == CACHE_SIZE {
            self.entries.remove(0);
        }
        self.entries.push((key, result.clone()));
        result
    }
}

/// Returns a hash of everything that the names depend on.
pub fn fingerprint(workflow: &Workflow, options: &NamingOptions) -> String {
    sha256(&content_key(workflow, options))
}

/// Returns the text of everything that determines the names. It contains the nodes in order with
/// their types, keys and mappings, the inputs and outputs of the workflow, the options, and the
/// version.
fn content_key(workflow: &Workflow, options: &NamingOptions) -> String {
    const BYTES_PER_NODE: usize = 64;
    let mut text = String::with_capacity(BYTES_PER_NODE * workflow.nodes.len());
    append_record(&mut text, "version", &[NAMING_VERSION, &options.prefix]);
    for (kind, strategy) in &options.strategies {
        append_record(&mut text, "strategy", &[kind, strategy.as_str()]);
    }
    for name in workflow.inputs.keys() {
        append_record(&mut text, "input", &[name]);
    }
    for name in workflow.outputs.keys() {
        append_record(&mut text, "output", &[name]);
    }
    for GeneratedName { node, key, name } in &workflow.generated_names {
        append_record(&mut text, "named", &[&node.to_string(), key, name]);
    }
    // Most nodes of one type share its name and ports: their records are copied.
    let mut written: Vec<(&Node, Range<usize>)> = Vec::new();
    let mut cache = PortCache::default();
    for node in &workflow.nodes {
        append_record(&mut text, "node", &[&node.id]);
        let cached = cache.find(&node.outputs).and_then(|index| written.get(index as usize));
        let is_same_type = |other: &Node| {
            Rc::ptr_eq(&other.inputs, &node.inputs) && Rc::ptr_eq(&other.kind, &node.kind)
        };
        match cached.filter(|(other, _)| is_same_type(other)) {
            Some((_, range)) => text.extend_from_within(range.clone()),
            None => {
                let start = text.len();
                append_type(&mut text, node);
                cache.insert(&node.outputs, written.len() as u32);
                written.push((node, start..text.len()));
            }
        }
        append_mappings(&mut text, node);
    }
    text
}

fn append_type(text: &mut String, node: &Node) {
    append_record(text, "type", &[&node.kind]);
    for port in node.inputs.iter() {
        append_record(text, "reads", &[&port.key]);
    }
    for port in node.outputs.iter() {
        append_record(text, "writes", &[&port.key]);
    }
}

fn append_mappings(text: &mut String, node: &Node) {
    for (key, name) in node.store_keys.iter().flat_map(|keys| keys.iter()) {
        append_record(text, "stored", &[key, name]);
    }
    for (key, name) in &node.output_mappings {
        append_record(text, "out", &[key, name]);
    }
    for (key, name) in &node.input_mappings {
        append_record(text, "in", &[key, name]);
    }
    if let Some(batch) = &node.batch {
        batch.names().for_each(|name| append_record(text, "item", &[name]));
    }
}

/// Appends a label without digits, and texts with their lengths in bytes: no two records are equal by
/// accident.
fn append_record(out: &mut String, label: &str, texts: &[&str]) {
    out.push_str(label);
    for text in texts {
        append_number(out, text.len());
        out.push(':');
        out.push_str(text);
    }
    out.push('\n');
}

fn append_number(out: &mut String, number: usize) {
    if number > 9 {
        append_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Value;
    use crate::base::json::Limits;
    use crate::flow::reader;

    fn read(text: &str) -> Workflow {
        let registry = r#"{"api": {"outputs": ["response"]}}"#;
        let parse = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
        reader::read(&parse(text), &parse(registry)).0.unwrap()
    }

    #[test]
    fn returns_the_cached_result() {
        let mut cache = NamingCache::default();
        let one = read(r#"{"nodes": [{"id": "a", "type": "api"}, {"id": "b", "type": "api"}]}"#);
        let mut of = |workflow: &Workflow| {
            cache.get_or_compute(workflow, &NamingOptions::default(), &PreviousNames::default())
        };
        let first = of(&one);
        // Names do not depend on params and edges.
        let with = r#"{"nodes": [{"id": "a", "type": "api", "params": {"u": 1}}, {"id": "b", "type": "api"}], "edges": []}"#;
        assert!(Rc::ptr_eq(&first, &of(&read(with))));
        let other = read(r#"{"nodes": [{"id": "a", "type": "api"}, {"id": "c", "type": "api"}]}"#);
        assert!(!Rc::ptr_eq(&first, &of(&other)));
    }

    #[test]
    fn fingerprints_of_different_contents_differ() {
        let options = NamingOptions::default();
        let one = read(r#"{"nodes": [{"id": "a", "type": "api"}], "inputs": {"x": {}}}"#);
        let two = read(
            r#"{"nodes": [{"id": "a", "type": "api"}], "outputs": {"x": {"source": "${response}"}}}"#,
        );
        assert_ne!(fingerprint(&one, &options), fingerprint(&two, &options));
        let prefix = NamingOptions { prefix: "{key}_of_{node}".into(), ..NamingOptions::default() };
        assert_ne!(fingerprint(&one, &options), fingerprint(&one, &prefix));
    }
}
