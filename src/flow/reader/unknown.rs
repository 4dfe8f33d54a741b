//! Warnings about unknown keys.

use super::{LazyPointer, WorkflowReader};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::outline::{NODE_KEYS, PARAMS_KEY};

impl WorkflowReader<'_> {
    pub(super) fn warn_unknown_keys(&mut self, value: &Value, at: LazyPointer<'_>, known: &[&str]) {
        for (key, _) in value.entries() {
            if !known.contains(&&**key) {
                self.warn_unknown_key(key, at, known, &|known| value.get(known).is_some());
            }
        }
    }

    /// Reports an unknown key; suggests a known key that the object does not have.
    pub(super) fn warn_unknown_key(
        &mut self,
        key: &str,
        at: LazyPointer<'_>,
        known: &[&str],
        has: &dyn Fn(&str) -> bool,
    ) {
        let count = self.candidate_limit().min(known.len());
        let free =
            known.iter().take(count).copied().filter(|known| !has(known)).collect::<Vec<_>>();
        let help = help_for_foreign_key(key, known, &free)
            .unwrap_or_else(|| names::suggestion_help(key, &free));
        self.report(
            codes::UNKNOWN_KEY,
            &format_args!("{at}/{}", escape_pointer_step(key)),
            format!("unknown key {}", quote(key)),
            help,
        );
    }

    /// Reports unknown keys that are similar to known ones; the registry may have other keys.
    pub(super) fn warn_misspelled_keys(
        &mut self,
        value: &Value,
        at: LazyPointer<'_>,
        known: &[&str],
    ) {
        for (key, _) in value.entries() {
            if known.iter().any(|known| names::is_typo(key, known)) && !known.contains(&&**key) {
                self.warn_unknown_key(key, at, known, &|known| value.get(known).is_some());
            }
        }
    }
}

/// Returns the help for a key of other workflow languages, or `None`.
fn help_for_foreign_key(key: &str, known: &[&str], free: &[&str]) -> Option<String> {
    const SYNONYMS: [(&str, &[&str]); 4] = [
        ("type", &["kind"]),
        ("params", &["parameters", "config", "with", "args", "arguments", "settings"]),
        ("start_node", &["start", "entry", "entry_point", "start_at"]),
        ("edges", &["next", "depends_on", "needs", "after", "then", "goto"]),
    ];
    let (intended, _) = SYNONYMS.iter().find(|(_, keys)| keys.contains(&key))?;
    if free.contains(intended) {
        return Some(format!("did you mean {}?", quote(intended)));
    }
    let is_node = known.contains(&NODE_KEYS[PARAMS_KEY]);
    (is_node && *intended == "edges").then(|| {
        "write `edges` next to `nodes`, as in `\"edges\": [{\"from\": …, \"to\": …}]`".to_owned()
    })
}
