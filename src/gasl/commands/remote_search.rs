//! Search in a remote graph: the host sends all rows, or the first and their number.

use super::remote_graph::{parse_response_rows, path_rows};
use crate::base::value::put;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, HostResponse, Progress};
use crate::gasl::graph::ElementKind;
use crate::gasl::graph_access::{GraphAccess, response_rows};
use crate::gasl::language::ast::FindTarget;
use crate::gasl::record::CommandFailure;
use crate::gasl::remote::RemoteRows;
use crate::gasl::variable::Variable;
use std::rc::Rc;

/// Search in progress.
pub struct RemoteSearch {
    target: FindTarget,
    /// `{where, caps, …}` without a limit.
    query: Value,
    limit: Option<usize>,
    max_results: usize,
    stage: SearchStage,
}

enum SearchStage {
    /// All rows are requested.
    All,
    /// The first rows are requested.
    First(usize),
    /// The number of rows is requested; these are the first.
    Count(Vec<Value>),
}

/// Rows of a finished search.
pub struct SearchResult {
    pub rows: Variable,
    pub count: usize,
    /// Whether the limit of the command left out rows.
    pub limited: bool,
    /// Whether `max_results` left out rows.
    pub truncated: bool,
}

impl RemoteSearch {
    /// Creates the query. Only nodes and edges without a limit may stay at the host.
    pub fn start(
        core: &Core,
        target: FindTarget,
        query: Value,
        limit: Option<usize>,
    ) -> (RemoteSearch, Effect) {
        let max_results = core.caps.max_results;
        let first = match &core.graph {
            GraphAccess::Remote(graph) if graph.has_capability("derive") => {
                graph.schema().map(|schema| schema.first_rows)
            }
            _ => None,
        };
        let stage = match first {
            Some(first) if target != FindTarget::Paths && limit.is_none() => {
                SearchStage::First(first)
            }
            _ => SearchStage::All,
        };
        let search = RemoteSearch { target, query, limit, max_results, stage };
        let effect = match search.stage {
            SearchStage::First(first) => search.query_effect(Some(first)),
            _ => search.query_effect(limit),
        };
        (search, effect)
    }

    fn query_effect(&self, limit: Option<usize>) -> Effect {
        let mut query = self.query.clone();
        if let (Some(map), Some(limit)) = (query.as_map_mut(), limit) {
            put(map, "limit", limit);
        }
        let what = match self.target {
            FindTarget::Nodes => "nodes",
            FindTarget::Edges => "edges",
            FindTarget::Paths => "paths",
        };
        Effect::Query(what, query)
    }

    /// Continues with the response of the host.
    pub fn resume(
        &mut self,
        core: &Core,
        response: HostResponse,
        step: usize,
    ) -> Result<Progress<SearchResult>, CommandFailure> {
        match std::mem::replace(&mut self.stage, SearchStage::All) {
            SearchStage::All => {
                let rows = parse_response_rows(response, self.target)?;
                Ok(Progress::Done(self.build_result(rows, step)))
            }
            SearchStage::First(first) => {
                let mut rows = parse_response_rows(response, self.target)?;
                if rows.len() <= first || rows.len() > self.max_results {
                    return Ok(Progress::Done(self.build_result(rows, step)));
                }
                rows.truncate(first);
                self.stage = SearchStage::Count(rows);
                Ok(Progress::Need(derive_effect(&self.source(), "count", Vec::new())))
            }
            SearchStage::Count(rows) => {
                let count = parse_count(response)?;
                // The condition holds for more rows than a result may have.
                if count > self.max_results {
                    return Ok(Progress::Need(self.query_effect(None)));
                }
                let fields = core.graph.schema().map(|schema| schema.fields(self.kind()).to_vec());
                let Variable::Rows(first, _) = response_rows(rows, step) else {
                    return Err(invalid_count().into());
                };
                let rows = RemoteRows {
                    query: self.source(),
                    count,
                    first,
                    fields: fields.unwrap_or_default(),
                };
                let rows = Variable::Rows(Rc::new(rows), step);
                Ok(Progress::Done(SearchResult { rows, count, limited: false, truncated: false }))
            }
        }
    }

    fn kind(&self) -> ElementKind {
        match self.target {
            FindTarget::Edges => ElementKind::Edge,
            _ => ElementKind::Node,
        }
    }

    /// Returns the search as the source of derived queries: `{kind, where, caps}`.
    fn source(&self) -> Value {
        let part = |key: &str| self.query.get(key).cloned().unwrap_or_default();
        let kind = if self.target == FindTarget::Edges { "edges" } else { "nodes" };
        Value::map([("kind", Value::from(kind)), ("where", part("where")), ("caps", part("caps"))])
    }

    fn build_result(&self, mut rows: Vec<Value>, step: usize) -> SearchResult {
        let limited = self.limit.is_some_and(|limit| rows.len() > limit);
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        let truncated = rows.len() > self.max_results;
        rows.truncate(self.max_results);
        let count = rows.len();
        let rows = match self.target {
            FindTarget::Paths => path_rows(rows, step),
            _ => response_rows(rows, step),
        };
        SearchResult { rows, count, limited, truncated }
    }
}

/// Returns the effect of a query over the rows of a search.
pub fn derive_effect(source: &Value, what: &str, parts: Vec<(&str, Value)>) -> Effect {
    let mut query = source.as_map().cloned().unwrap_or_default();
    put(&mut query, "what", what);
    for (key, value) in parts {
        put(&mut query, key, value);
    }
    Effect::Query("derive", query.into())
}

fn parse_count(response: HostResponse) -> Result<usize, CommandFailure> {
    let value = match response {
        HostResponse::Value(value) => value,
        failed => {
            parse_response_rows(failed, FindTarget::Nodes)?;
            return Err(invalid_count().into());
        }
    };
    let first = value.as_list().unwrap_or_default().first().and_then(Value::as_number);
    first.map(|count| count.max(0.0) as usize).ok_or_else(|| invalid_count().into())
}

fn invalid_count() -> Diagnostic {
    Diagnostic::new(codes::ADAPTER_FAILED, "invalid number of rows from the graph adapter")
        .help("return a list of one number for the query `count` from the adapter")
}
