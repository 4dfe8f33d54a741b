//! `FIND` and `WALK`.

use super::meant::{both_ends, unknown_field, unknown_kind, unknown_text};
use super::{Output, Result, completeness};
use crate::base::diagnostic::quote;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value, names};
use crate::gasl::bind::Scope;
use crate::gasl::caps::{self, Caps};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::graph::{Direction, Graph, PathQuery, SearchLimits, Truncation};
use crate::gasl::language::ast::{Command, Condition, Operand, Target};
use crate::gasl::predicate::{Case, Predicate};
use crate::gasl::record::{Failure, Status};
use crate::gasl::source::{GraphRows, PathRows, Source, path_tree, tree};
use crate::gasl::variable::{Rows, Variable};
use std::borrow::Cow;
use std::rc::Rc;

/// A search with all its values.
pub struct Query {
    pub target: Target,
    pub predicate: Predicate,
    pub limit: Option<usize>,
    /// Of paths alone.
    pub paths: Option<PathQuery>,
    /// The bound on their length, where longer paths may have been asked for.
    pub bound: Option<usize>,
    /// The bound that the condition does not ask for, to be told where nothing is found: there may be longer paths.
    pub usual: Option<usize>,
    pub told: Vec<Diagnostic>,
}

impl Query {
    /// Binds what the command leaves open.
    pub fn bind(
        core: &Core,
        target: Target,
        condition: Option<&Condition>,
        limit: Option<usize>,
    ) -> std::result::Result<Query, Failure> {
        let mut scope = core.scope();
        let predicate = condition.map(|condition| scope.predicate(condition)).transpose()?;
        let predicate = predicate.unwrap_or_else(Predicate::everything);
        let told = scope.told;
        let mut query =
            Query { target, predicate, limit, paths: None, bound: None, usual: None, told };
        if target == Target::Paths {
            query.bind_paths(core);
        }
        Ok(query)
    }

    fn bind_paths(&mut self, core: &Core) {
        // What the question asks is the question's; what nobody asks is the cap's.
        let usual = core.caps.asked_path_length;
        let mut paths = PathQuery::new(&self.predicate, usual.unwrap_or(caps::PATH_LENGTH));
        paths.direction = direction(&core.caps);
        let asked = paths.max_length;
        let granted = core.setup.ceilings.of("max_path_length").unwrap_or(usize::MAX).min(asked);
        paths.max_length = granted;
        let has_longer = |paths: &PathQuery| match &core.graph {
            // A simple path leads through each node once.
            Source::Memory(graph) if graph.node_count() <= granted.saturating_add(1) => false,
            Source::Memory(graph) => {
                !paths.mentions_length || graph.has_longer_paths(paths, case(&core.caps))
            }
            Source::Remote => true,
        };
        let told = if granted < asked {
            Some(caps::clipped("max_path_length", asked, granted))
        } else {
            let open = paths.allows_longer && usual.is_none() && has_longer(&paths);
            // `length >= 4` asks for more than a lower `SET` lets be looked for.
            let is_beyond = paths.allows_longer && usual.is_some() && paths.mentions_length;
            self.usual = (open && !paths.mentions_length || is_beyond).then_some(granted);
            (open && paths.mentions_length).then(|| unbounded(granted))
        };
        if told.is_some() {
            self.bound = Some(granted);
        }
        self.told.extend(told);
        self.paths = Some(paths);
    }

    /// What an adapter of the host is asked.
    pub fn to_value(&self, core: &Core) -> Value {
        let mut map = Map::default();
        put(&mut map, "where", tree(&self.predicate));
        if let Some(limit) = self.limit {
            put(&mut map, "limit", limit);
        }
        put(&mut map, "caps", core.caps.to_value());
        for (key, value) in self.paths.iter().flat_map(path_tree) {
            map.insert(key.into(), value);
        }
        if self.paths.is_some() {
            let direction = core.caps.direction.unwrap_or(caps::Direction::Out);
            put(&mut map, "direction", direction.word());
        }
        map.into()
    }
}

/// For a condition that leaves open how long paths may be.
pub fn unbounded(most: usize) -> Diagnostic {
    let edges = if most == 1 { "edge" } else { "edges" };
    let message = format!("paths of more than {most} {edges} were not looked for");
    Diagnostic::new(codes::CUT, message).help("say how long they may be: `AND length <= n`")
}

/// The way that the caps ask for.
pub fn direction(caps: &Caps) -> Direction {
    match caps.direction {
        None => Direction::Own,
        Some(caps::Direction::Out) => Direction::Out,
        Some(caps::Direction::In) => Direction::In,
        Some(caps::Direction::Any) => Direction::Any,
    }
}

pub fn case(caps: &Caps) -> Case {
    if caps.case_sensitive { Case::Sensitive } else { Case::Ignored }
}

/// `FIND` over a graph in memory; nothing where the graph is the host's.
pub fn in_memory(core: &mut Core, command: &Command, step: usize) -> Option<Result> {
    let Source::Memory(graph) = core.graph.clone() else { return None };
    let Command::Find { target, condition, limit, .. } = command else { return None };
    Some(find(core, &graph, *target, condition.as_ref(), *limit, step))
}

fn find(
    core: &Core,
    graph: &Rc<Graph>,
    target: Target,
    condition: Option<&Condition>,
    limit: Option<usize>,
    step: usize,
) -> Result {
    let query = Query::bind(core, target, condition, limit)?;
    let limits = SearchLimits {
        limit,
        max_results: Some(core.caps.max_results),
        max_expansions: Some(core.caps.max_expansions),
    };
    let case = case(&core.caps);
    if let Some((field, told)) = unknown_field(graph, target, &query.predicate) {
        let told = placed(told, condition, &field);
        let none = Variable::Rows(Rc::new(GraphRows::nodes(graph.clone(), Vec::new())), step);
        return Ok(Output::of(none).told(query.told).told(vec![told]));
    }
    let (rows, cut): (Rc<dyn Rows>, Option<Truncation>) = match target {
        Target::Nodes => {
            let found = graph.find_nodes(&query.predicate, case, limits);
            (Rc::new(GraphRows::nodes(graph.clone(), found.rows)), found.truncation)
        }
        Target::Edges => {
            let found = graph.find_edges(&query.predicate, case, limits);
            (Rc::new(GraphRows::edges(graph.clone(), found.rows)), found.truncation)
        }
        Target::Paths => {
            let paths = query.paths.as_ref().map(|paths| graph.find_paths(paths, case, limits));
            let paths = paths.unwrap_or_default();
            let cut = paths.truncation;
            (Rc::new(PathRows::new(graph.clone(), paths)), cut)
        }
    };
    let count = rows.len();
    let mut output = Output::of(Variable::Rows(rows, step)).told(query.told);
    if count == 0 {
        let told = both_ends(target, &query.predicate)
            .or_else(|| unknown_text(graph, target, &query.predicate))
            .map(|(field, told)| placed(told, condition, &field));
        let paths = query.paths.as_ref();
        let has_longer = || paths.is_some_and(|paths| graph.has_longer_paths(paths, case));
        output.told.extend(told.or_else(|| query.usual.filter(|_| has_longer()).map(unbounded)));
    }
    if let Some(paths) = &query.paths {
        output = output.metric("max_path_length", paths.max_length);
    }
    output = with_cut(output, cut, count, &core.caps);
    if let (Some(bound), None) = (query.bound, output.status) {
        output.status = Some(Status::Partial);
        output = output.metric("completeness", completeness(count, bound, "max_path_length"));
    }
    Ok(output)
}

/// What is told of a field, where the condition first names it.
fn placed(told: Diagnostic, condition: Option<&Condition>, field: &str) -> Diagnostic {
    match condition.and_then(|condition| condition.place_of(field)) {
        Some(place) => told.at(place),
        None => told,
    }
}

/// What a bound left out, in the terms of the record.
fn with_cut(mut output: Output, cut: Option<Truncation>, count: usize, caps: &Caps) -> Output {
    let (kind, bound) = match cut {
        None => return output,
        Some(Truncation::Limit) => return output.metric("limited", true),
        Some(Truncation::MaxResults) => ("max_results", caps.max_results),
        Some(Truncation::MaxExpansions) => ("max_expansions", caps.max_expansions),
    };
    output.status = Some(Status::Partial);
    output.told.push(cut_short(kind, bound));
    output.metric("completeness", completeness(count, bound, kind))
}

/// For a result that a cap cut.
pub fn cut_short(kind: &str, bound: usize) -> Diagnostic {
    Diagnostic::new(codes::CUT, format!("the result was cut: `{kind}` is {bound}"))
        .help(format!("ask for less, or write `SET adapter.caps.{kind} = …`"))
}

/// `WALK` over a graph in memory; nothing where the graph is the host's.
pub fn walk_in_memory(core: &mut Core, command: &Command, step: usize) -> Option<Result> {
    let Source::Memory(graph) = core.graph.clone() else { return None };
    let Command::Walk { .. } = command else { return None };
    Some(walk(core, &graph, command, step))
}

fn walk(core: &Core, graph: &Rc<Graph>, command: &Command, step: usize) -> Result {
    let Walk { ids, follow, depth, told } = Walk::bind(core, command)?;
    let mut starts = Vec::new();
    let mut missing = Vec::new();
    let ids: Vec<_> = ids.iter().map(id_text).collect();
    for id in &ids {
        match graph.node(id) {
            Some(node) => starts.push(node),
            None => missing.push(&**id),
        }
    }
    let mut told = told;
    if !missing.is_empty() {
        let listed = names::list(missing.iter().copied());
        let error = Diagnostic::new(codes::UNBOUND, format!("no node is called {listed}"))
            .help("WALK begins at nodes: at rows with the `id` of a node");
        if starts.is_empty() {
            return Err(error.into());
        }
        told.push(Diagnostic { code: codes::CUT, ..error });
    }
    let limits = SearchLimits {
        limit: None,
        max_results: Some(core.caps.max_results),
        max_expansions: Some(core.caps.max_expansions),
    };
    let found = graph.walk(&starts, follow.as_deref(), depth, direction(&core.caps), limits);
    let rows = GraphRows::nodes(graph.clone(), found.rows);
    let count = rows.len();
    if count == 0 {
        let follow = follow.as_deref();
        let unknown = follow.and_then(|follow| unknown_kind(graph, follow));
        let leads_back = graph.has_neighbors(&starts, follow, direction(&core.caps));
        told.extend(unknown.or_else(|| leads_back.then(leading_back)));
    }
    let output = Output::of(Variable::Rows(Rc::new(rows), step)).told(told);
    Ok(with_cut(output, found.truncation, count, &core.caps))
}

/// For a walk that leads to nothing but where it began.
fn leading_back() -> Diagnostic {
    let message = "whatever the edges lead to is among the rows that WALK begins at, and left out";
    Diagnostic::new(codes::CUT, message)
        .help("begin at fewer rows, or look at the edges: `FIND edges WHERE source IN ${…}`")
}

/// An id as text, as graphs in memory have all of them.
pub fn id_text(id: &Value) -> Cow<'_, str> {
    id.as_text().map_or_else(|| id.to_text().into(), Cow::from)
}

/// A walk with all its values.
pub struct Walk {
    /// The nodes where it begins, as the rows have their ids.
    pub ids: Vec<Value>,
    pub follow: Option<String>,
    pub depth: usize,
    pub told: Vec<Diagnostic>,
}

impl Walk {
    /// Binds what the command leaves open.
    pub fn bind(core: &Core, command: &Command) -> std::result::Result<Walk, Failure> {
        let Command::Walk { starts, follow, depth, .. } = command else {
            return Err(Diagnostic::new(codes::WRONG_VALUE, "this is no WALK").into());
        };
        let mut scope = core.scope();
        let from = scope.find(&starts.steps, starts.span)?;
        let is_name = |value: &Value| matches!(value, Value::Text(_) | Value::Number(_));
        let id = |value: &Value| Some(value.get("id").unwrap_or(value).clone()).filter(is_name);
        let value = from.to_value();
        // `p.nodes` of paths is a list of lists.
        let each = |row: &Value| match row {
            Value::List(items) => items.iter().filter_map(id).collect::<Vec<_>>(),
            one => id(one).into_iter().collect::<Vec<_>>(),
        };
        let ids: Vec<Value> = match &value {
            Value::List(rows) => rows.iter().flat_map(each).collect::<Vec<_>>(),
            one => each(one),
        };
        if ids.is_empty() && !from.is_empty() {
            let message = format!("{} holds nothing with an `id`", quote(&starts.text()));
            return Err(Diagnostic::new(codes::WRONG_VALUE, message)
                .help("WALK begins at nodes: at rows with the `id` of a node")
                .at(starts.span)
                .into());
        }
        let kind = |scope: &mut Scope<'_>, follow: &Operand| {
            let kind = scope.single(follow)?;
            if is_name(&kind) {
                return Ok(id_text(&kind).into_owned());
            }
            let message = format!("FOLLOW names one kind of edge, and this is a {}", kind.kind());
            Err(Diagnostic::new(codes::WRONG_VALUE, message)
                .help("write the kind, or the path of one text: `FOLLOW WROTE`")
                .at(follow.span))
        };
        let follow = follow.as_ref().map(|follow| kind(&mut scope, follow)).transpose()?;
        Ok(Walk { ids, follow, depth: depth.unwrap_or(1), told: scope.told })
    }
}
