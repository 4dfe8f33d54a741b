//! Exchanges with the model, by the hash of the question.
use crate::base::Value;
use crate::base::hash::sha256;
use crate::base::map::OrderedMap;
use crate::base::value::{Map, canonical_json};
use crate::gasl::size_budget::estimated_size;

/// Question to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// `plan`, `process`, `analyze`, `evaluate`, `repair`, `rollout`.
    pub task: &'static str,
    /// System prompt.
    pub system: String,
    /// User prompt. It contains no time, so that equal questions have equal hashes.
    pub prompt: String,
    /// JSON schema of the reply.
    pub schema: Option<Value>,
    /// Name of the schema, which some model APIs require.
    pub schema_name: &'static str,
    /// GBNF grammar of the reply, for models with constrained decoding.
    pub grammar: Option<String>,
    /// Number of the attempt, from 1.
    pub attempt: usize,
    /// Diagnostics of the previous reply.
    pub previous: Value,
}

impl Question {
    /// Returns the SHA-256 of the prompts and the schema.
    pub fn hash(&self) -> String {
        let content = Value::map([
            ("prompt", Value::from(self.prompt.as_str())),
            ("schema", self.schema.clone().unwrap_or_default()),
            ("system", Value::from(self.system.as_str())),
        ]);
        sha256(&canonical_json(&content))
    }
}

/// Replies by the hash of their question, in order if it was asked several times.
#[derive(Clone, Debug, Default)]
pub struct Exchanges {
    by_hash: OrderedMap<Vec<Value>>,
    /// Estimated size of the replies as JSON, in bytes.
    bytes: usize,
}

impl Exchanges {
    /// Adds a reply.
    pub fn add_reply(&mut self, hash: &str, reply: Value) {
        self.bytes = self.bytes.saturating_add(estimated_size(&reply));
        self.by_hash.entry(hash.into()).or_default().push(reply);
    }

    /// Returns the estimated size with a further reply as JSON, in bytes.
    pub fn size_with(&self, reply: &Value) -> usize {
        self.bytes.saturating_add(estimated_size(reply))
    }

    /// Returns the reply to a question that was asked `before` times already.
    pub fn get(&self, hash: &str, before: usize) -> Option<&Value> {
        self.by_hash.get(hash)?.get(before)
    }

    /// Returns the number of replies to a question.
    pub fn count(&self, hash: &str) -> usize {
        self.by_hash.get(hash).map_or(0, Vec::len)
    }

    /// Returns `{hash: [reply, …]}`.
    pub fn to_value(&self) -> Value {
        let entries = self.by_hash.iter();
        Value::map_of(
            entries.map(|(hash, replies)| (&**hash, replies.clone().into())).collect::<Vec<_>>(),
        )
    }

    /// Reads the result of `to_value`; returns `None` if it is invalid.
    pub fn read(value: &Value) -> Option<Exchanges> {
        let mut exchanges = Exchanges::default();
        for (hash, replies) in value.as_map()? {
            exchanges.bytes = exchanges.bytes.saturating_add(estimated_size(replies));
            exchanges.by_hash.insert(hash.clone(), replies.as_list()?.to_vec());
        }
        Some(exchanges)
    }
}

/// Returns the fields of a reply that a recording stores, without those that differ between runs.
pub fn recorded_fields(reply: &Value) -> Value {
    let Some(map) = reply.as_map() else { return reply.clone() };
    let stored = ["text", "json", "finishReason", "usage", "model"];
    let entries = stored.iter().filter_map(|key| Some(((*key).into(), map.get(*key)?.clone())));
    Value::from(entries.collect::<Map>())
}
