//! Updates that lead from the document of a store to another one.

use super::Store;
use crate::base::Diagnostic;
use crate::base::json;
use crate::base::value::Value as Json;
use crate::ham::{diff, export};

impl Store {
    /// Returns the update that turns this store into one that exports `nodes`.
    pub fn diff_nodes(&self, nodes: &[u8]) -> Result<String, Vec<Diagnostic>> {
        let limits = json::Limits { bytes: usize::MAX, ..self.json_limits() };
        match Json::parse(nodes, limits) {
            (Some(Json::Map(all)), _) => {
                let nodes = export::nodes_of(&all);
                let diff = diff::diff_to_nodes(&self.document, nodes);
                let text = diff.to_text();
                let is_ambiguous = diff.get(export::ENVELOPE).is_some();
                Ok(if is_ambiguous { export::wrap_in_envelope(&text) } else { text })
            }
            (_, diagnostics) => Err(diagnostics),
        }
    }

    /// Returns the update that makes this store read as the nested JSON `target`.
    pub fn diff_json(&mut self, target: &[u8]) -> Result<String, Vec<Diagnostic>> {
        let (value, diagnostics) = Json::parse(target, self.json_limits());
        let Some(value) = value else { return Err(diagnostics) };
        self.begin_call(target.len());
        let checkpoint = self.document.arena.checkpoint();
        diff::change_to_json(&mut self.document, &value);
        let nodes = diff::journal_as_nodes(&self.document);
        self.document.roll_back();
        self.document.arena.truncate(checkpoint);
        Ok(nodes)
    }
}
