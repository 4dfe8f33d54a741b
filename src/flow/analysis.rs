//! What the names of a workflow come to, kept for the next time that the same is asked.

use super::flat::Known;
use super::naming::{Names, Options, Reserved, name_outputs};
use super::workflow::{Named, Node, Workflow};
use crate::base::Diagnostic;
use crate::base::hash::sha256;
use std::ops::Range;
use std::rc::Rc;

/// Counts up whenever the same workflow comes to have other names.
pub const VERSION: &str = "1";

/// How the outputs of a workflow are named, and what there is to say about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    pub names: Rc<Names>,
    pub told: Vec<Diagnostic>,
}

/// The last analyses by what they are of.
#[derive(Debug, Default)]
pub struct Cache {
    /// The latest comes last.
    entries: Vec<(String, Rc<Analysis>)>,
}

/// So many analyses are kept.
const KEPT: usize = 8;

impl Cache {
    /// Names the outputs of a workflow, or finds how they were named.
    pub fn analyse(
        &mut self,
        workflow: &Workflow,
        options: &Options,
        reserved: &Reserved,
    ) -> Rc<Analysis> {
        let mut key = content(workflow, options);
        for (place, mapped) in reserved.nodes.iter().enumerate() {
            for (output, name) in mapped {
                piece(&mut key, "reserved", &[&place.to_string(), output, name]);
            }
        }
        for name in reserved.gone.keys() {
            piece(&mut key, "gone", &[name]);
        }
        if let Some(place) = self.entries.iter().position(|(of, _)| *of == key) {
            let entry = self.entries.remove(place);
            let analysis = entry.1.clone();
            self.entries.push(entry);
            return analysis;
        }
        let (names, told) = name_outputs(workflow, options, reserved);
        let analysis = Rc::new(Analysis { names: Rc::new(names), told });
        if self.entries.len() == KEPT {
            self.entries.remove(0);
        }
        self.entries.push((key, analysis.clone()));
        analysis
    }
}

/// A hash of all that names depend on.
pub fn fingerprint(workflow: &Workflow, options: &Options) -> String {
    sha256(&content(workflow, options))
}

/// All that names depend on: the nodes in order with their types, keys and mappings, the names of
/// the workflow's inputs and outputs, the options, and how names are made.
fn content(workflow: &Workflow, options: &Options) -> String {
    // About so much is said of a node.
    let mut text = String::with_capacity(64 * workflow.nodes.len());
    piece(&mut text, "version", &[VERSION, &options.prefix]);
    for (kind, strategy) in &options.strategies {
        piece(&mut text, "strategy", &[kind, strategy.word()]);
    }
    for name in workflow.inputs.keys() {
        piece(&mut text, "input", &[name]);
    }
    for name in workflow.outputs.keys() {
        piece(&mut text, "output", &[name]);
    }
    for Named { node, key, name } in &workflow.named {
        piece(&mut text, "named", &[&node.to_string(), key, name]);
    }
    // Nodes of one type mostly share its name and their ports: what is said of those of a node is said
    // again by copying it.
    let mut said: Vec<(&Node, Range<usize>)> = Vec::new();
    let mut known = Known::default();
    for node in &workflow.nodes {
        piece(&mut text, "node", &[&node.id]);
        let before = known.find(&node.outputs).and_then(|place| said.get(place as usize));
        let is_alike = |other: &Node| {
            Rc::ptr_eq(&other.inputs, &node.inputs) && Rc::ptr_eq(&other.kind, &node.kind)
        };
        match before.filter(|(other, _)| is_alike(other)) {
            Some((_, before)) => text.extend_from_within(before.clone()),
            None => {
                let start = text.len();
                of_type(&mut text, node);
                known.put(&node.outputs, said.len() as u32);
                said.push((node, start..text.len()));
            }
        }
        of_mappings(&mut text, node);
    }
    text
}

fn of_type(text: &mut String, node: &Node) {
    piece(text, "type", &[&node.kind]);
    for port in node.inputs.iter() {
        piece(text, "reads", &[&port.key]);
    }
    for port in node.outputs.iter() {
        piece(text, "writes", &[&port.key]);
    }
}

fn of_mappings(text: &mut String, node: &Node) {
    for (key, name) in &node.output_mappings {
        piece(text, "out", &[key, name]);
    }
    for (key, name) in &node.input_mappings {
        piece(text, "in", &[key, name]);
    }
    if let Some(batch) = &node.batch {
        piece(text, "item", &[&batch.name]);
    }
}

/// Texts with their lengths before them, so that no two lists of texts look the same; `what` they are is a
/// word without digits.
fn piece(out: &mut String, what: &str, texts: &[&str]) {
    out.push_str(what);
    for text in texts {
        count(out, text.len());
        out.push(':');
        out.push_str(text);
    }
    out.push('\n');
}

/// A number in digits.
fn count(out: &mut String, number: usize) {
    if number > 9 {
        count(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Value;
    use crate::base::json::Limits;
    use crate::flow::reading;

    fn read(text: &str) -> Workflow {
        let registry = r#"{"api": {"outputs": ["response"]}}"#;
        let parse = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
        reading::read(&parse(text), &parse(registry)).0.unwrap()
    }

    #[test]
    fn the_same_is_not_done_twice() {
        let mut cache = Cache::default();
        let one = read(r#"{"nodes": [{"id": "a", "type": "api"}, {"id": "b", "type": "api"}]}"#);
        let mut of = |workflow: &Workflow| {
            cache.analyse(workflow, &Options::default(), &Reserved::default())
        };
        let first = of(&one);
        // What names do not depend on makes no difference.
        let with = r#"{"nodes": [{"id": "a", "type": "api", "params": {"u": 1}}, {"id": "b", "type": "api"}], "edges": []}"#;
        assert!(Rc::ptr_eq(&first, &of(&read(with))));
        let other = read(r#"{"nodes": [{"id": "a", "type": "api"}, {"id": "c", "type": "api"}]}"#);
        assert!(!Rc::ptr_eq(&first, &of(&other)));
    }

    #[test]
    fn no_two_contents_look_the_same() {
        let options = Options::default();
        let one = read(r#"{"nodes": [{"id": "a", "type": "api"}], "inputs": {"x": {}}}"#);
        let two = read(
            r#"{"nodes": [{"id": "a", "type": "api"}], "outputs": {"x": {"source": "${response}"}}}"#,
        );
        assert_ne!(fingerprint(&one, &options), fingerprint(&two, &options));
        let prefix = Options { prefix: "{key}_of_{node}".into(), ..Options::default() };
        assert_ne!(fingerprint(&one, &options), fingerprint(&one, &prefix));
    }
}
