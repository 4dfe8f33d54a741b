//! Every exchange with the model, by the hash of what it was asked.
use crate::base::Value;
use crate::base::hash::sha256;
use crate::base::map::OrderedMap;
use crate::base::value::{Map, canonical};

/// What the model is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// `plan`, `process`, `analyze`, `evaluate`, `repair`, `rollout`.
    pub task: &'static str,
    /// Who it is.
    pub system: String,
    /// What it shall do. No time stands in it, so that the same question has the same hash.
    pub prompt: String,
    /// Of the answer, if that is JSON.
    pub schema: Option<Value>,
    /// A name for the schema, which some interfaces want.
    pub schema_name: &'static str,
    /// A grammar of the answer, for models that can be held to one.
    pub grammar: Option<String>,
    /// 1, and one more for each repair.
    pub attempt: usize,
    /// What was wrong with the last reply.
    pub previous: Value,
}

impl Question {
    /// SHA-256 of what the model sees.
    pub fn hash(&self) -> String {
        let seen = Value::map([
            ("prompt", Value::from(self.prompt.as_str())),
            ("schema", self.schema.clone().unwrap_or_default()),
            ("system", Value::from(self.system.as_str())),
        ]);
        sha256(&canonical(&seen))
    }
}

/// Questions and their replies; of the same question asked again, the replies in order.
#[derive(Clone, Debug, Default)]
pub struct Exchanges {
    by_hash: OrderedMap<Vec<Value>>,
}

impl Exchanges {
    /// Keeps a reply.
    pub fn put(&mut self, hash: &str, reply: Value) {
        self.by_hash.entry(hash.into()).or_default().push(reply);
    }

    /// The reply to a question that was asked `before` times already.
    pub fn get(&self, hash: &str, before: usize) -> Option<&Value> {
        self.by_hash.get(hash)?.get(before)
    }

    /// How many replies there are to a question.
    pub fn count(&self, hash: &str) -> usize {
        self.by_hash.get(hash).map_or(0, Vec::len)
    }

    /// `{hash: [reply, …]}`
    pub fn to_value(&self) -> Value {
        let entries = self.by_hash.iter();
        Value::map_of(
            entries.map(|(hash, replies)| (&**hash, replies.clone().into())).collect::<Vec<_>>(),
        )
    }

    /// Reads what `to_value` wrote.
    pub fn read(value: &Value) -> Option<Exchanges> {
        let mut exchanges = Exchanges::default();
        for (hash, replies) in value.as_map()? {
            exchanges.by_hash.insert(hash.clone(), replies.as_list()?.to_vec());
        }
        Some(exchanges)
    }
}

/// The reply of a callback as a recording keeps it: without what differs from run to run.
pub fn recorded(reply: &Value) -> Value {
    let Some(map) = reply.as_map() else { return reply.clone() };
    let kept = ["text", "json", "finishReason", "usage", "model"];
    let entries = kept.iter().filter_map(|key| Some(((*key).into(), map.get(*key)?.clone())));
    Value::from(entries.collect::<Map>())
}
