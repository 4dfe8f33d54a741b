//! `FIND` and `WALK`.

use super::output::{CommandResult, Output, completeness};
use super::suggestions::{both_ends, unknown_field, unknown_kind, unknown_text};
use crate::base::diagnostic::quote;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value, names};
use crate::gasl::bind::VariableScope;
use crate::gasl::caps::{self, Caps};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::graph::{Cut, Direction, Graph, PathQuery, Search};
use crate::gasl::graph_access::{
    GraphAccess, GraphRows, PathRows, path_query_entries, predicate_to_value,
};
use crate::gasl::identity::id_text;
use crate::gasl::language::ast::{Command, Condition, FindTarget, Operand};
use crate::gasl::predicate::{Case, Predicate};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::variable::{Rows, Variable};
use std::rc::Rc;

/// A search with all its values.
pub struct FindQuery {
    pub target: FindTarget,
    pub predicate: Predicate,
    pub limit: Option<usize>,
    /// Of paths alone.
    pub paths: Option<PathQuery>,
    /// The bound on their length, where longer paths may have been asked for.
    pub bound: Option<usize>,
    /// The bound that the condition does not ask for, to be diagnostics where nothing is found: there may be longer paths.
    pub usual: Option<usize>,
    pub diagnostics: Vec<Diagnostic>,
}

impl FindQuery {
    /// Binds what the command leaves open.
    pub fn bind(
        core: &Core,
        target: FindTarget,
        condition: Option<&Condition>,
        limit: Option<usize>,
    ) -> Result<FindQuery, CommandFailure> {
        let mut scope = core.scope();
        let predicate = condition.map(|condition| scope.predicate(condition)).transpose()?;
        let predicate = predicate.unwrap_or_else(Predicate::everything);
        let diagnostics = scope.diagnostics;
        let mut query = FindQuery {
            target,
            predicate,
            limit,
            paths: None,
            bound: None,
            usual: None,
            diagnostics,
        };
        if target == FindTarget::Paths {
            query.bind_paths(core);
        }
        Ok(query)
    }

    fn bind_paths(&mut self, core: &Core) {
        // What the question asks is the question's; what nobody asks is the cap's.
        let usual = core.caps.requested_path_length;
        let mut paths = PathQuery::new(&self.predicate, usual.unwrap_or(caps::PATH_LENGTH));
        paths.direction = direction(&core.caps);
        let asked = paths.max_length;
        let granted = core.setup.ceilings.of("max_path_length").unwrap_or(usize::MAX).min(asked);
        paths.max_length = granted;
        let has_longer = |paths: &PathQuery| match &core.graph {
            // A simple path leads through each node once.
            GraphAccess::Memory(graph) if graph.node_count() <= granted.saturating_add(1) => false,
            GraphAccess::Memory(graph) => {
                !paths.asks_length || graph.has_longer_paths(paths, case(&core.caps))
            }
            GraphAccess::Remote => true,
        };
        let diagnostics = if granted < asked {
            Some(caps::clipped("max_path_length", asked, granted))
        } else {
            let open = paths.is_open && usual.is_none() && has_longer(&paths);
            // `length >= 4` asks for more than a lower `SET` lets be looked for.
            let is_beyond = paths.is_open && usual.is_some() && paths.asks_length;
            self.usual = (open && !paths.asks_length || is_beyond).then_some(granted);
            (open && paths.asks_length).then(|| unbounded(granted))
        };
        if diagnostics.is_some() {
            self.bound = Some(granted);
        }
        self.diagnostics.extend(diagnostics);
        self.paths = Some(paths);
    }

    /// What an adapter of the host is asked.
    pub fn to_value(&self, core: &Core) -> Value {
        let mut map = Map::default();
        put(&mut map, "where", predicate_to_value(&self.predicate));
        if let Some(limit) = self.limit {
            put(&mut map, "limit", limit);
        }
        put(&mut map, "caps", core.caps.to_value());
        for (key, value) in self.paths.iter().flat_map(path_query_entries) {
            map.insert(key.into(), value);
        }
        if self.paths.is_some() {
            let direction = core.caps.direction.unwrap_or(caps::EdgeDirection::Out);
            put(&mut map, "direction", direction.word());
        }
        map.into()
    }
}

/// For a condition that leaves open how long paths may be.
pub fn unbounded(most: usize) -> Diagnostic {
    let edges = if most == 1 { "edge" } else { "edges" };
    let message = format!("paths of more than {most} {edges} were not looked for");
    Diagnostic::new(codes::TRUNCATED, message).help("say how long they may be: `AND length <= n`")
}

/// The way that the caps ask for.
pub fn direction(caps: &Caps) -> Direction {
    match caps.direction {
        None => Direction::Own,
        Some(caps::EdgeDirection::Out) => Direction::Out,
        Some(caps::EdgeDirection::In) => Direction::In,
        Some(caps::EdgeDirection::Any) => Direction::Any,
    }
}

pub fn case(caps: &Caps) -> Case {
    if caps.case_sensitive { Case::Sensitive } else { Case::Ignored }
}

/// `FIND` over a graph in memory; nothing where the graph is the host's.
pub fn in_memory(core: &mut Core, command: &Command, step: usize) -> Option<CommandResult> {
    let GraphAccess::Memory(graph) = core.graph.clone() else { return None };
    let Command::Find { target, condition, limit, .. } = command else { return None };
    Some(find(core, &graph, *target, condition.as_ref(), *limit, step))
}

fn find(
    core: &Core,
    graph: &Rc<Graph>,
    target: FindTarget,
    condition: Option<&Condition>,
    limit: Option<usize>,
    step: usize,
) -> CommandResult {
    let query = FindQuery::bind(core, target, condition, limit)?;
    let search = Search {
        limit,
        max_results: Some(core.caps.max_results),
        max_expansions: Some(core.caps.max_expansions),
    };
    let case = case(&core.caps);
    if let Some((field, diagnostics)) = unknown_field(graph, target, &query.predicate) {
        let diagnostics = placed(diagnostics, condition, &field);
        let none = Variable::Rows(Rc::new(GraphRows::nodes(graph.clone(), Vec::new())), step);
        return Ok(Output::of(none)
            .with_diagnostics(query.diagnostics)
            .with_diagnostics(vec![diagnostics]));
    }
    let (rows, cut): (Rc<dyn Rows>, Option<Cut>) = match target {
        FindTarget::Nodes => {
            let found = graph.find_nodes(&query.predicate, case, search);
            (Rc::new(GraphRows::nodes(graph.clone(), found.rows)), found.cut)
        }
        FindTarget::Edges => {
            let found = graph.find_edges(&query.predicate, case, search);
            (Rc::new(GraphRows::edges(graph.clone(), found.rows)), found.cut)
        }
        FindTarget::Paths => {
            let paths = query.paths.as_ref().map(|paths| graph.find_paths(paths, case, search));
            let paths = paths.unwrap_or_default();
            let cut = paths.cut;
            (Rc::new(PathRows::new(graph.clone(), paths)), cut)
        }
    };
    let count = rows.len();
    let mut output = Output::of(Variable::Rows(rows, step)).with_diagnostics(query.diagnostics);
    if count == 0 {
        let diagnostics = both_ends(target, &query.predicate)
            .or_else(|| unknown_text(graph, target, &query.predicate))
            .map(|(field, diagnostics)| placed(diagnostics, condition, &field));
        let paths = query.paths.as_ref();
        let has_longer = || paths.is_some_and(|paths| graph.has_longer_paths(paths, case));
        output
            .diagnostics
            .extend(diagnostics.or_else(|| query.usual.filter(|_| has_longer()).map(unbounded)));
    }
    if let Some(paths) = &query.paths {
        output = output.with_metric("max_path_length", paths.max_length);
    }
    output = with_cut(output, cut, count, &core.caps);
    if let (Some(bound), None) = (query.bound, output.status) {
        output.status = Some(StepStatus::Partial);
        output = output.with_metric("completeness", completeness(count, bound, "max_path_length"));
    }
    Ok(output)
}

/// What is diagnostics of a field, where the condition first names it.
fn placed(diagnostics: Diagnostic, condition: Option<&Condition>, field: &str) -> Diagnostic {
    match condition.and_then(|condition| condition.first_span_of(field)) {
        Some(place) => diagnostics.at(place),
        None => diagnostics,
    }
}

/// What a bound left out, in the terms of the record.
fn with_cut(mut output: Output, cut: Option<Cut>, count: usize, caps: &Caps) -> Output {
    let (kind, bound) = match cut {
        None => return output,
        Some(Cut::Limit) => return output.with_metric("limited", true),
        Some(Cut::MaxResults) => ("max_results", caps.max_results),
        Some(Cut::MaxExpansions) => ("max_expansions", caps.max_expansions),
    };
    output.status = Some(StepStatus::Partial);
    output.diagnostics.push(cut_short(kind, bound));
    output.with_metric("completeness", completeness(count, bound, kind))
}

/// For a result that a cap cut.
pub fn cut_short(kind: &str, bound: usize) -> Diagnostic {
    Diagnostic::new(codes::TRUNCATED, format!("the result was cut: `{kind}` is {bound}"))
        .help(format!("ask for less, or write `SET adapter.caps.{kind} = …`"))
}

/// `WALK` over a graph in memory; nothing where the graph is the host's.
pub fn walk_in_memory(core: &mut Core, command: &Command, step: usize) -> Option<CommandResult> {
    let GraphAccess::Memory(graph) = core.graph.clone() else { return None };
    let Command::Walk { .. } = command else { return None };
    Some(walk(core, &graph, command, step))
}

fn walk(core: &Core, graph: &Rc<Graph>, command: &Command, step: usize) -> CommandResult {
    let WalkQuery { ids, follow, depth, diagnostics } = WalkQuery::bind(core, command)?;
    let mut starts = Vec::new();
    let mut missing = Vec::new();
    let ids: Vec<_> = ids.iter().map(id_text).collect();
    for id in &ids {
        match graph.node(id) {
            Some(node) => starts.push(node),
            None => missing.push(&**id),
        }
    }
    let mut diagnostics = diagnostics;
    if !missing.is_empty() {
        let listed = names::list(missing.iter().copied());
        let error = Diagnostic::new(codes::UNDEFINED, format!("no node is called {listed}"))
            .help("WALK begins at nodes: at rows with the `id` of a node");
        if starts.is_empty() {
            return Err(error.into());
        }
        diagnostics.push(Diagnostic { code: codes::TRUNCATED, ..error });
    }
    let search = Search {
        limit: None,
        max_results: Some(core.caps.max_results),
        max_expansions: Some(core.caps.max_expansions),
    };
    let found = graph.walk(&starts, follow.as_deref(), depth, direction(&core.caps), search);
    let rows = GraphRows::nodes(graph.clone(), found.rows);
    let count = rows.len();
    if count == 0 {
        let follow = follow.as_deref();
        let unknown = follow.and_then(|follow| unknown_kind(graph, follow));
        let leads_back = graph.has_steps(&starts, follow, direction(&core.caps));
        diagnostics.extend(unknown.or_else(|| leads_back.then(leading_back)));
    }
    let output = Output::of(Variable::Rows(Rc::new(rows), step)).with_diagnostics(diagnostics);
    Ok(with_cut(output, found.cut, count, &core.caps))
}

/// For a walk that leads to nothing but where it began.
fn leading_back() -> Diagnostic {
    let message = "whatever the edges lead to is among the rows that WALK begins at, and left out";
    Diagnostic::new(codes::TRUNCATED, message)
        .help("begin at fewer rows, or look at the edges: `FIND edges WHERE source IN ${…}`")
}

/// A walk with all its values.
pub struct WalkQuery {
    /// The nodes where it begins, as the rows have their ids.
    pub ids: Vec<Value>,
    pub follow: Option<String>,
    pub depth: usize,
    pub diagnostics: Vec<Diagnostic>,
}

impl WalkQuery {
    /// Binds what the command leaves open.
    pub fn bind(core: &Core, command: &Command) -> Result<WalkQuery, CommandFailure> {
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
        let kind = |scope: &mut VariableScope<'_>, follow: &Operand| {
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
        Ok(WalkQuery { ids, follow, depth: depth.unwrap_or(1), diagnostics: scope.diagnostics })
    }
}
