//! `FIND` and `WALK` over a graph that the host asks.

use super::find::{Query, Walk, cut_short, id_text, unbounded};
use super::meant::both_ends;
use super::{Output, completeness};
use crate::base::map::NameMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::gasl::caps;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Effect, Progress};
use crate::gasl::graph::{SourceRef, extract_sources};
use crate::gasl::identity::RELATIONS;
use crate::gasl::language::ast::{Command, Condition, Target};
use crate::gasl::members::Members;
use crate::gasl::predicate::{Comparison, Membership, Predicate, Test};
use crate::gasl::record::{Failure, Status};
use crate::gasl::source::tree;
use crate::gasl::update::united;
use crate::gasl::variable::Variable;

type Outcome<T> = std::result::Result<T, Failure>;

/// A search that the host makes.
pub struct RemoteFind {
    query: Query,
    /// The cap on results that the host was told: another command may set it meanwhile.
    most: usize,
}

impl RemoteFind {
    /// What the host is asked.
    pub fn begin(
        core: &Core,
        target: Target,
        condition: Option<&Condition>,
        limit: Option<usize>,
    ) -> Outcome<(RemoteFind, Effect)> {
        let query = Query::bind(core, target, condition, limit)?;
        let kind = match target {
            Target::Nodes => "nodes",
            Target::Edges => "edges",
            Target::Paths => "paths",
        };
        let effect = Effect::Query(kind, query.to_value(core));
        Ok((RemoteFind { query, most: core.caps.max_results }, effect))
    }

    /// What the host found.
    pub fn resume(&mut self, answer: Answer, step: usize) -> Outcome<Output> {
        let mut rows = rows_of(answer, self.query.target)?;
        let limited = self.query.limit.is_some_and(|limit| rows.len() > limit);
        rows.truncate(self.query.limit.unwrap_or(usize::MAX));
        let most = self.most;
        let cut = rows.len() > most;
        rows.truncate(most);
        let count = rows.len();
        let told = std::mem::take(&mut self.query.told);
        let mut output = Output::of(found(rows, step)).told(told);
        if count == 0 {
            let never = both_ends(self.query.target, &self.query.predicate).map(|(_, told)| told);
            output.told.extend(never.or_else(|| self.query.usual.map(unbounded)));
        }
        if limited {
            output = output.metric("limited", true);
        }
        if let Some(paths) = &self.query.paths {
            output = output.metric("max_path_length", paths.max_length);
        }
        if cut {
            output.status = Some(Status::Partial);
            output.told.push(cut_short("max_results", most));
            output = output.metric("completeness", completeness(count, most, "max_results"));
        } else if let Some(bound) = self.query.bound {
            output.status = Some(Status::Partial);
            output = output.metric("completeness", completeness(count, bound, "max_path_length"));
        }
        Ok(output)
    }
}

/// Rows of an adapter, with the sources that their `source_id` names.
fn found(rows: Vec<Value>, step: usize) -> Variable {
    let sources = rows.iter().map(|row| sources_of(row, step).into()).collect::<Vec<_>>();
    Variable::rows(rows, sources)
}

fn sources_of(row: &Value, step: usize) -> Vec<Value> {
    let source = |source: SourceRef| {
        Value::map([
            ("source_id", Value::from(source.source_id)),
            ("doc_id", source.doc_id.into()),
            ("snippet", source.snippet.into()),
            ("step", step.into()),
            ("extraction", Value::Null),
        ])
    };
    united(extract_sources(&|name| row.get(name).cloned(), &Value::Null).into_iter().map(source))
}

/// The rows of an answer, or why they are none.
fn rows_of(answer: Answer, target: Target) -> Outcome<Vec<Value>> {
    let value = match answer {
        Answer::Value(value) => value,
        Answer::Failed(why) => {
            let message = format!("the graph could not be asked: {why}");
            return Err(Diagnostic::new(codes::ADAPTER, message)
                .help("ask again, ask for less, or go on without it")
                .into());
        }
    };
    let needed: &[&str] = match target {
        Target::Nodes => &["id"],
        Target::Edges => &["source", "target"],
        Target::Paths => &["nodes"],
    };
    let rows = value.as_list().unwrap_or_default();
    let is_id = |id: &Value| matches!(id, Value::Text(_) | Value::Number(_) | Value::List(_));
    let fits = |row: &Value| needed.iter().all(|key| row.get(key).is_some_and(is_id));
    let wrong = rows.iter().position(|row| !fits(row));
    if value.as_list().is_none() || wrong.is_some() {
        let which = wrong.map_or("the answer".to_owned(), |index| format!("row {index}"));
        let message = format!("the graph's adapter answered something else than rows: {which}");
        let help = format!("an adapter answers a list of maps with {}", needed.join(" and "));
        return Err(Diagnostic::new(codes::ADAPTER, message).help(help).into());
    }
    Ok(rows.to_vec())
}

/// A walk over a graph of the host: the edges of one level after the other, then the nodes. Nodes
/// are known by the texts of their ids; the host is asked for ids as it has given them.
pub struct RemoteWalk {
    walk: Walk,
    direction: caps::Direction,
    /// Nodes of the level at hand.
    level: Vec<Value>,
    levels: usize,
    seen: NameMap,
    reached: Vec<Value>,
    /// Whether the nodes were asked for.
    last: bool,
    /// The caps that the host is told, whatever another command sets meanwhile.
    caps: Value,
    most: usize,
    /// Whether a level has more edges than the host was to answer.
    cut: bool,
}

impl RemoteWalk {
    /// The first level.
    pub fn begin(
        core: &Core,
        command: &Command,
        step: usize,
    ) -> Outcome<(RemoteWalk, Progress<Output>)> {
        let walk = Walk::bind(core, command)?;
        let direction = core.caps.direction.unwrap_or(caps::Direction::Out);
        let level = walk.ids.clone();
        let seen = names(&level);
        let mut walk = RemoteWalk {
            walk,
            direction,
            level,
            levels: 0,
            seen,
            reached: Vec::new(),
            last: false,
            caps: core.caps.to_value(),
            most: core.caps.max_results,
            cut: false,
        };
        let progress = walk.next(step);
        Ok((walk, progress))
    }

    /// What an answer adds.
    pub fn resume(&mut self, answer: Answer, step: usize) -> Outcome<Progress<Output>> {
        if self.last {
            let nodes = self.nodes(rows_of(answer, Target::Nodes)?);
            return Ok(Progress::Done(self.end(nodes, step)));
        }
        let edges = rows_of(answer, Target::Edges)?;
        self.cut |= edges.len() > self.most;
        let here = names(&std::mem::take(&mut self.level));
        let is_here = |id: &Value| here.contains_key(&*id_text(id));
        for edge in &edges {
            let (Some(source), Some(target)) = (edge.get("source"), edge.get("target")) else {
                continue;
            };
            let out = self.direction != caps::Direction::In && is_here(source);
            let back = self.direction != caps::Direction::Out && is_here(target);
            for id in [out.then_some(target), back.then_some(source)].into_iter().flatten() {
                if self.seen.insert(id_text(id).into_owned(), 0).is_none() {
                    self.reached.push(id.clone());
                    self.level.push(id.clone());
                }
            }
        }
        Ok(self.next(step))
    }

    fn next(&mut self, step: usize) -> Progress<Output> {
        if self.level.is_empty() || self.levels >= self.walk.depth {
            if self.reached.is_empty() {
                return Progress::Done(self.end(Vec::new(), step));
            }
            self.last = true;
            let ids = among("id", &self.reached);
            return Progress::Need(self.query("nodes", &ids));
        }
        self.levels += 1;
        let ends = match self.direction {
            caps::Direction::Out => among("source", &self.level),
            caps::Direction::In => among("target", &self.level),
            caps::Direction::Any => {
                Predicate::Any(vec![among("source", &self.level), among("target", &self.level)])
            }
        };
        let kinds = self.walk.follow.as_deref().map(|kind| {
            let is = |name: &&str| {
                let test = Test::Compare(Comparison::Equal, kind.into());
                Predicate::Field((*name).into(), test)
            };
            Predicate::Any(RELATIONS.iter().map(is).collect::<Vec<_>>())
        });
        let wanted = Predicate::All([Some(ends), kinds].into_iter().flatten().collect::<Vec<_>>());
        Progress::Need(self.query("edges", &wanted))
    }

    /// The nodes in the order in which they were reached; one that the host did not answer has nothing but its id.
    fn nodes(&self, rows: Vec<Value>) -> Vec<Value> {
        let mut by_id = Map::default();
        for row in rows {
            if let Some(id) = row.get("id") {
                by_id.insert(id_text(id).into(), row);
            }
        }
        let found = |id: &Value| by_id.get(&*id_text(id)).cloned();
        let row = |id: &Value| found(id).unwrap_or_else(|| Value::map([("id", id.clone())]));
        self.reached.iter().map(row).collect::<Vec<_>>()
    }

    fn query(&self, kind: &'static str, wanted: &Predicate) -> Effect {
        let query = Value::map([("where", tree(wanted)), ("caps", self.caps.clone())]);
        Effect::Query(kind, query)
    }

    fn end(&mut self, mut nodes: Vec<Value>, step: usize) -> Output {
        let most = self.most;
        let cut = self.cut || nodes.len() > most;
        nodes.truncate(most);
        let count = nodes.len();
        let mut output = Output::of(found(nodes, step)).told(std::mem::take(&mut self.walk.told));
        if cut {
            output.status = Some(Status::Partial);
            output.told.push(cut_short("max_results", most));
            output = output.metric("completeness", completeness(count, most, "max_results"));
        }
        output
    }
}

fn names(ids: &[Value]) -> NameMap {
    ids.iter().map(|id| (id_text(id).into_owned(), 0)).collect()
}

fn among(field: &str, ids: &[Value]) -> Predicate {
    Predicate::Field(field.into(), Test::In(Membership::In, Members::of(ids.to_vec())))
}
