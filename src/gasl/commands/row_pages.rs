//! Rows of a host in pages, in the order of their ids.

use super::remote_graph::parse_response_rows;
use super::remote_search::derive_effect;
use crate::base::hash::sha256;
use crate::base::{Diagnostic, Value};
use crate::gasl::caps::Caps;
use crate::gasl::codes;
use crate::gasl::effect::{Effect, HostResponse};
use crate::gasl::graph_access::{GraphAccess, response_rows};
use crate::gasl::language::ast::FindTarget;
use crate::gasl::record::CommandFailure;
use crate::gasl::variable::{Rows, Variable};

/// Number of rows of a page.
const PAGE_SIZE: usize = 1_000;

/// Position in the rows of a search.
pub struct RowPages {
    /// `{kind, where, caps}`
    source: Value,
    total: usize,
    /// Id of the last row of the previous page, or null.
    after: Value,
    /// Id of the last row of the current page.
    last: Value,
    /// Rows and batches of the pages before the current one.
    rows_before: usize,
    batches_before: usize,
    /// Rows of the current page.
    rows: usize,
    /// Finished batches of the current page, if an earlier run stored them.
    finished: usize,
    state: PageState,
}

#[derive(PartialEq)]
enum PageState {
    /// No page is requested yet.
    Start,
    /// A page is requested.
    Pending,
    /// A page is processed.
    Current,
    /// The last page is processed.
    Last,
}

impl RowPages {
    /// Returns the first position of rows that stayed at the host; `None` for other rows.
    pub fn from_rows(graph: &GraphAccess, rows: &dyn Rows) -> Option<RowPages> {
        let GraphAccess::Remote(graph) = graph else { return None };
        let source = rows.remote_query().filter(|_| graph.has_capability("derive"))?.clone();
        Some(RowPages {
            source,
            total: rows.len(),
            after: Value::Null,
            last: Value::Null,
            rows_before: 0,
            batches_before: 0,
            rows: 0,
            finished: 0,
            state: PageState::Start,
        })
    }

    /// Returns the identity of a command over these rows.
    pub fn checkpoint_key(&self, instruction: &str, schema: &Value, caps: &Caps) -> String {
        let (items, chars) = (caps.max_excerpt_items, caps.max_excerpt_chars);
        let source = self.source.to_text();
        sha256(&format!("{instruction}\n{}\n{items} {chars}\n{source}", schema.to_text()))
    }

    /// Returns the position for a checkpoint: `{after, rows, batches}`.
    pub fn to_value(&self) -> Value {
        Value::map([
            ("after", self.after.clone()),
            ("rows", self.rows_before.into()),
            ("batches", self.batches_before.into()),
        ])
    }

    /// Restores a position with the number of all finished batches.
    pub fn restore(&mut self, stored: &Value, finished: usize) {
        let number = |key: &str| stored.get(key).and_then(Value::as_number).unwrap_or_default();
        self.after = stored.get("after").cloned().unwrap_or_default();
        self.rows_before = number("rows").max(0.0) as usize;
        self.batches_before = number("batches").max(0.0) as usize;
        self.finished = finished.saturating_sub(self.batches_before);
    }

    /// Returns whether another page may follow the current one.
    pub fn has_more(&self) -> bool {
        self.state != PageState::Last
    }

    pub fn is_pending(&self) -> bool {
        self.state == PageState::Pending
    }

    /// Requests the next page after the batches of the current one, or returns `None` after the last.
    pub fn next(&mut self, batches: usize) -> Option<Effect> {
        match self.state {
            PageState::Last => {
                self.batches_before += batches;
                self.rows_before += std::mem::take(&mut self.rows);
                return None;
            }
            PageState::Current => {
                self.batches_before += batches;
                self.rows_before += self.rows;
                self.after = self.last.clone();
            }
            PageState::Start | PageState::Pending => {}
        }
        self.state = PageState::Pending;
        let mut parts = vec![("limit", PAGE_SIZE.into())];
        if !self.after.is_null() {
            parts.push(("after", self.after.clone()));
        }
        Some(derive_effect(&self.source, "page", parts))
    }

    /// Returns the rows of a page, and the number of its batches that are finished.
    pub fn accept(
        &mut self,
        response: HostResponse,
        step: usize,
    ) -> Result<(Variable, usize), CommandFailure> {
        let target = match self.source.get("kind").and_then(Value::as_text) {
            Some("edges") => FindTarget::Edges,
            _ => FindTarget::Nodes,
        };
        let rows = parse_response_rows(response, target)?;
        self.rows = rows.len();
        let is_last = rows.len() < PAGE_SIZE;
        self.last = rows.last().and_then(|row| row.get("id")).cloned().unwrap_or_default();
        if !is_last && self.last.is_null() {
            let message = "invalid rows from the graph adapter: a page without `id`";
            let help = "return the `id` of each row from the adapter, because pages follow it";
            return Err(Diagnostic::new(codes::ADAPTER_FAILED, message).help(help).into());
        }
        self.state = if is_last { PageState::Last } else { PageState::Current };
        Ok((response_rows(rows, step), std::mem::take(&mut self.finished)))
    }

    /// Returns the numbers of finished batches and of all, as far as they are known.
    pub fn progress(&self, batch: usize, max_rows: usize) -> (usize, usize) {
        let done = self.batches_before + batch;
        (done, done.max(self.total.div_ceil(max_rows.max(1))))
    }

    /// Returns how many of the rows that the search found are in no page.
    pub fn missing_count(&self) -> usize {
        self.total.saturating_sub(self.row_count())
    }

    pub fn row_count(&self) -> usize {
        self.rows_before + self.rows
    }

    pub fn batch_count(&self) -> usize {
        self.batches_before
    }
}
