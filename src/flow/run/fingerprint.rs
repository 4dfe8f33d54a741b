//! Fingerprints of calls: hashes of the resolved params and inputs. Secrets are hashed as their markers, so a
//! fingerprint reveals nothing about a secret and does not change with it.

use super::call::Call;
use super::secret::Secrets;
use crate::base::Value;
use crate::base::hash::{Hash, sha256};
use crate::base::value::canonical_json;
use crate::flow::workflow::Node;
use std::rc::Rc;

/// Number of hexadecimal digits of the hash of a call, and of one of its parts.
const CALL_HASH_DIGITS: usize = 32;
const PART_HASH_DIGITS: usize = 12;

/// Fingerprint of a call, with the hashes of its parts to name the part that changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFingerprint {
    pub hash: Rc<str>,
    /// Names such as `params/prompt` and `inputs/topic`, with their hashes.
    pub parts: Vec<(String, String)>,
}

/// Returns the fingerprint of a call. `child` identifies the workflow that the node runs, if it runs one.
pub fn call_fingerprint(
    node: &Node,
    call: &Call,
    child: Option<&str>,
    secrets: &Secrets,
) -> CallFingerprint {
    let mut fingerprint = CallFingerprint::default();
    let mut hash = Hash::default();
    let mut add = |name: String, part: String| {
        hash.add(&format!("{}:{name}={part};", name.len()));
        fingerprint.parts.push((name, shortened(&part, PART_HASH_DIGITS)));
    };
    add("type".to_owned(), sha256(&node.kind));
    if let Some(child) = child {
        add("workflow".to_owned(), sha256(child));
    }
    for (key, value) in &call.params {
        add(format!("params/{key}"), value_hash(value, secrets));
    }
    // The other inputs are params.
    for (key, value) in call.inputs.iter().filter(|(key, _)| !call.params.contains_key(*key)) {
        add(format!("inputs/{key}"), value_hash(value, secrets));
    }
    fingerprint.hash = shortened(&hash.finish(), CALL_HASH_DIGITS).into();
    fingerprint
}

/// Returns the fingerprint of a batch from those of its items.
pub fn batch_fingerprint<'a>(node: &Node, items: impl Iterator<Item = &'a str>) -> CallFingerprint {
    let mut hash = Hash::default();
    hash.add(&node.kind);
    for item in items {
        hash.add(";");
        hash.add(item);
    }
    let items = hash.finish();
    let parts = vec![
        ("type".to_owned(), shortened(&sha256(&node.kind), PART_HASH_DIGITS)),
        ("items".to_owned(), shortened(&items, PART_HASH_DIGITS)),
    ];
    CallFingerprint { hash: shortened(&items, CALL_HASH_DIGITS).into(), parts }
}

/// Returns the checksum of a part of a trace.
pub fn checksum(value: &Value) -> String {
    shortened(&sha256(&canonical_json(value)), CALL_HASH_DIGITS)
}

fn value_hash(value: &Value, secrets: &Secrets) -> String {
    sha256(&canonical_json(&secrets.hide(value)))
}

fn shortened(hash: &str, digits: usize) -> String {
    hash.get(..digits).unwrap_or(hash).to_owned()
}
