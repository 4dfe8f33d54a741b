//! Keys that nobody reads.

use super::{At, NODE_KEYS, PARAMS, Reading};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::{Value, names};
use crate::flow::codes;

impl Reading<'_> {
    pub(super) fn unknown_keys(&mut self, value: &Value, at: At<'_>, known: &[&str]) {
        for (key, _) in value.entries() {
            if !known.contains(&&**key) {
                self.unknown_key(key, at, known, &|known| value.get(known).is_some());
            }
        }
    }

    /// Tells of a key that nobody reads. One that is there already is not meant.
    pub(super) fn unknown_key(
        &mut self,
        key: &str,
        at: At<'_>,
        known: &[&str],
        has: &dyn Fn(&str) -> bool,
    ) {
        let most = self.compared().min(known.len());
        let free = known.iter().take(most).copied().filter(|known| !has(known)).collect::<Vec<_>>();
        let help = instead_of(key, known, &free).unwrap_or_else(|| names::instead(key, &free));
        self.tell(
            codes::UNKNOWN_KEY,
            &format_args!("{at}/{}", pointer_step(key)),
            format!("nobody reads the key {}", quote(key)),
            help,
        );
    }

    /// Tells of keys that are nearly known; what the registry says may hold more than is read here.
    pub(super) fn slips(&mut self, value: &Value, at: At<'_>, known: &[&str]) {
        for (key, _) in value.entries() {
            if known.iter().any(|known| names::is_slip(key, known)) && !known.contains(&&**key) {
                self.unknown_key(key, at, known, &|known| value.get(known).is_some());
            }
        }
    }
}

/// What is written for a key that other languages have, if one that is `known` and still `free` is meant or edges are.
fn instead_of(key: &str, known: &[&str], free: &[&str]) -> Option<String> {
    const ALIKE: [(&str, &[&str]); 4] = [
        ("type", &["kind"]),
        ("params", &["parameters", "config", "with", "args", "arguments", "settings"]),
        ("start_node", &["start", "entry", "entry_point", "start_at"]),
        ("edges", &["next", "depends_on", "needs", "after", "then", "goto"]),
    ];
    let (meant, _) = ALIKE.iter().find(|(_, keys)| keys.contains(&key))?;
    if free.contains(meant) {
        return Some(format!("did you mean {}?", quote(meant)));
    }
    let is_node = known.contains(&NODE_KEYS[PARAMS]);
    (is_node && *meant == "edges").then(|| {
        "write `edges` beside `nodes`, as in `\"edges\": [{\"from\": …, \"to\": …}]`".to_owned()
    })
}
