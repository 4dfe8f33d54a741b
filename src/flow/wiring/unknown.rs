//! What is said of names that nothing is called.

use super::uses::{Gathering, two_part};
use crate::base::diagnostic::quote;
use crate::base::template::{self, PathStep, Reference};
use crate::base::{Diagnostic, names};
use crate::flow::codes;

/// After so many names that nothing is called no more are suggested: nobody is told of them.
const SUGGESTED: usize = 100;

impl Gathering<'_> {
    /// For a mapping from a name that nothing is called.
    pub fn nowhere(&mut self, name: &str) -> Diagnostic {
        let mut help = names::instead(name, &self.names().collect::<Vec<_>>());
        if self.looks_made(name).is_some() {
            help =
                "a name that was made is known where the planner's `context` is given".to_owned();
        }
        Diagnostic::new(codes::UNKNOWN_PORT, format!("nothing is called {}", quote(name)))
            .help(help)
    }

    pub fn unknown(&mut self, reference: &Reference) -> Diagnostic {
        let told = template::unknown(reference, self.names());
        if let Some(node) = self.names.gone.get(reference.name.as_str()) {
            let id = quote(node);
            return told.help(format!("the context has it as an output of {id}: add that node"));
        }
        let Some(through) = self.looks_made(&reference.name) else { return told };
        let write = quote(&format!("${{{through}}}"));
        told.help(match self.mapped(&through) {
            Some(name) => format!("write {write}: `mappings` calls it {} now", quote(name)),
            None => format!(
                "write {write}; names that are made are known where the planner's `context` is given"
            ),
        })
    }

    /// What the author maps an output to that is read through its node.
    fn mapped(&self, through: &str) -> Option<&str> {
        self.workflow.nodes.iter().find_map(|node| {
            let key = through.strip_prefix(&*node.id)?.strip_prefix('.')?;
            node.output_mappings.get(key).map(|name| &**name)
        })
    }

    /// The output that a planner may have been shown under a name, read through its node.
    pub fn looks_made(&self, name: &str) -> Option<String> {
        if self.unknown > SUGGESTED {
            return None;
        }
        self.workflow.nodes.iter().find_map(|node| {
            let key = name.strip_prefix(&*node.id)?.strip_prefix('_')?;
            let output = node.outputs.iter().find(|output| *output.key == *key)?;
            Some(two_part(&node.id, &output.key))
        })
    }

    /// All names in order; only the first, when many have been asked for.
    pub fn names(&mut self) -> impl Iterator<Item = &str> + Clone {
        if self.listed.is_none() {
            let flat = self.flat.keys().filter(|name| self.is_flat(name));
            let all: Vec<&str> = self.known().own.keys().chain(flat).map(|name| &**name).collect();
            let text = |place: usize| all.get(place).copied().unwrap_or_default();
            let mut order: Vec<usize> = (0..all.len()).collect();
            order.sort_by(|&a, &b| text(a).cmp(text(b)));
            self.listed =
                Some(order.into_iter().map(|place| text(place).to_owned()).collect::<Vec<_>>());
        }
        self.unknown += 1;
        let most = if self.unknown > SUGGESTED { 1 } else { usize::MAX };
        self.listed.iter().flatten().map(String::as_str).take(most)
    }
}

/// For a reference through a node to an output that it does not have.
pub fn no_output<'a, I: Iterator<Item = &'a str>>(
    reference: &Reference,
    node: &str,
    keys: &mut dyn FnMut() -> I,
) -> Diagnostic {
    let message = format!("{} names no output of {}", quote(&reference.text), quote(node));
    let near = match reference.path.first() {
        Some(PathStep::Key(key)) => names::nearest(key, keys()),
        _ => None,
    };
    let example = |key: &str| quote(&format!("${{{}}}", two_part(node, key)));
    let help = match (near, keys().next()) {
        (Some(near), _) => format!("did you mean {}?", example(near)),
        (None, Some(first)) => {
            format!("it has {}: write {}", names::list(keys()), example(first))
        }
        (None, None) => "it has no outputs; write `$$` for a dollar".to_owned(),
    };
    Diagnostic::new(template::UNKNOWN_NAME, message).help(help)
}
