//! Reads the batch of a node.

use super::{LazyPointer, WorkflowReader};
use crate::base::Value;
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::flow::workflow::Batch;
use std::rc::Rc;

const BATCH_EXAMPLE: &str = "{\"items\": \"$files\"}";
const BATCH_KEYS: [&str; 5] = ["items", "as", "on_error", "concurrency", "index"];
const ON_ERROR_VALUES: [&str; 2] = ["fail", "continue"];

impl WorkflowReader<'_> {
    /// Reads `{items, as?, on_error?, concurrency?, index?}` of the node `id`.
    pub(super) fn read_batch(
        &mut self,
        value: Option<&Value>,
        id: &str,
        at: LazyPointer<'_>,
    ) -> Option<Batch> {
        let value = self.read_object(value, at, BATCH_EXAMPLE)?;
        self.warn_unknown_keys(&value, at, &BATCH_KEYS);
        let Some(items) = value.get("items").cloned() else {
            self.report_invalid(
                &format_args!("{at}/items"),
                "missing `items` of the batch",
                "write a template of a list, as in `\"$files\"`",
            );
            return None;
        };
        let name = self.read_batch_name(&value, "as", at).unwrap_or_else(|| "item".into());
        let index = self.read_batch_name(&value, "index", at);
        if index.as_ref() == Some(&name) {
            let message = format!("the item and its index have the same name {}", quote(&name));
            self.report_invalid(
                &format_args!("{at}/index"),
                &message,
                "choose another name for the index",
            );
        }
        let concurrency = self.read_count(value.get("concurrency"), "concurrency", at);
        if concurrency == Some(0) {
            self.report_invalid(
                &format_args!("{at}/concurrency"),
                "`concurrency` must be at least 1",
                "write 1 or more, or omit it for the limit of the run",
            );
        }
        let continues = self.read_on_error(&value, at);
        let errors_key = continues.then(|| format!("{id}.errors").into());
        Some(Batch { items, name, index, concurrency, errors_key })
    }

    /// Reads the name of a value that the batch defines.
    fn read_batch_name(
        &mut self,
        batch: &Value,
        key: &str,
        at: LazyPointer<'_>,
    ) -> Option<Rc<str>> {
        let name = batch.get(key).filter(|name| !name.is_null())?;
        let text = name.as_shared().filter(|name| !name.is_empty());
        if text.is_none() {
            self.report_invalid_part(at, key, "a name", "write a non-empty string");
        }
        text.cloned()
    }

    /// Returns whether a failed item does not fail the node.
    fn read_on_error(&mut self, batch: &Value, at: LazyPointer<'_>) -> bool {
        let Some(policy) = batch.get("on_error").filter(|policy| !policy.is_null()) else {
            return false;
        };
        let text = policy.as_text().unwrap_or_default();
        if !ON_ERROR_VALUES.contains(&text) {
            let message = match policy.as_text() {
                Some(text) => format!("expected `fail` or `continue`, found {}", quote(text)),
                None => format!("expected `fail` or `continue`, found a {}", policy.kind()),
            };
            let help = names::suggestion_help(text, &ON_ERROR_VALUES);
            self.report_invalid(&format_args!("{at}/on_error"), &message, &help);
        }
        text == "continue"
    }
}
