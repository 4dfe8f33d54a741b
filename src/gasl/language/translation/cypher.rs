//! Translation of openCypher queries.

use super::cypher_conditions::{
    EDGE_PATTERN, edge_pattern, has_edge_pattern, is_simple_pattern, mentions_variable,
    without_prefix,
};
use super::cypher_results::{CypherReturn, RowKind};
use super::null_tests::{NEGATION, exclude_nulls};
use super::scanner::{Scanner, split};
use super::statement::Statement;
use super::steps::{TranslatedCommands, Translation};
use crate::gasl::language::comparison_recovery::NO_PATTERNS;

/// Keywords that end a clause.
const CLAUSES: [&str; 8] =
    ["WHERE", "RETURN", "WITH", "ORDER", "SKIP", "LIMIT", "MATCH", "OPTIONAL"];

/// Node of a pattern: `(n:Label {key: value})`.
struct NodePattern {
    name: String,
    /// Conditions on the node.
    conditions: Vec<String>,
}

/// Relation of a pattern: `-[r:TYPE*1..3]->`.
struct RelationPattern {
    name: String,
    types: Vec<String>,
    direction: &'static str,
    /// Minimum and maximum length of a path, if the pattern has a `*`.
    length: Option<(Option<usize>, Option<usize>)>,
    conditions: Vec<String>,
}

/// `MATCH pattern [WHERE condition] [RETURN items [ORDER BY x] [LIMIT n]]`
pub fn translate(statement: &Statement<'_>) -> Option<Translation> {
    let text = statement.text().trim_end_matches(';');
    // `WITH` begins a clause.
    let text = text.replace("STARTS WITH", "STARTS_WITH").replace("ENDS WITH", "ENDS_WITH");
    let mut cypher = Scanner::new(&text);
    let is_match = cypher.accept_word("MATCH");
    cypher.accept_word("FIND");
    if !is_match && !cypher.rest().starts_with('(') {
        return None;
    }
    let mut pattern = CypherPattern::parse(&mut cypher)?;
    let condition = if cypher.accept_word("WHERE") { cypher.take_until(&CLAUSES) } else { "" };
    let is_or = split(condition, " OR ").len() > 1;
    let parts = if is_or { vec![condition] } else { split(condition, " AND ") };
    let mut has_other_pattern = false;
    for part in parts {
        match edge_pattern(part) {
            Some((inner, is_negated)) => {
                has_other_pattern |= is_or || pattern.add_edge_test(inner, is_negated).is_none();
            }
            None if has_edge_pattern(part) => has_other_pattern = true,
            None => pattern.add_condition(part)?,
        }
    }
    let result = CypherReturn::parse(&mut cypher, &CLAUSES)?;
    let output = if cypher.accept_word("AS") { cypher.take_name() } else { None };
    if !cypher.is_done() {
        return None;
    }
    let (mut steps, kind) = pattern.steps(&result)?;
    if has_other_pattern {
        steps.refuse(EDGE_PATTERN);
    }
    if pattern.has_negation {
        steps.refuse(NEGATION);
    }
    if split(condition, "=~").iter().skip(1).any(|pattern| !is_simple_pattern(pattern)) {
        steps.refuse(NO_PATTERNS);
    }
    result.add_steps(&mut steps, &kind)?;
    steps.finish(output.or(result.single_name()))
}

/// Pattern of nodes and relations.
struct CypherPattern {
    /// Variable of the path.
    path: Option<String>,
    nodes: Vec<NodePattern>,
    relations: Vec<RelationPattern>,
    /// Name of the function around the pattern.
    function: Option<&'static str>,
    /// Whether a condition has a negation that cannot be translated.
    has_negation: bool,
    edge_tests: Vec<EdgeTest>,
}

/// Condition that a node is at an end of some edges, or at none.
struct EdgeTest {
    /// Conditions on the edges.
    edges: Vec<String>,
    /// Ends of the edges at which the node is.
    ends: &'static [&'static str],
    is_negated: bool,
}

impl CypherPattern {
    fn parse(cypher: &mut Scanner<'_>) -> Option<CypherPattern> {
        let mut named = cypher.clone();
        let path = named.take_name().filter(|_| named.accept("=")).map(str::to_owned);
        if path.is_some() {
            *cypher = named;
        }
        const FUNCTIONS: [&str; 2] = ["shortestPath", "allShortestPaths"];
        let function = FUNCTIONS.into_iter().find(|function| cypher.accept_word(function));
        let inner = if function.is_some() { Some(cypher.take_brackets('(', ')')?) } else { None };
        let mut inside = inner.map(Scanner::new);
        let at = inside.as_mut().unwrap_or(cypher);
        let mut nodes = vec![NodePattern::parse(at.take_brackets('(', ')')?, 0)?];
        let mut relations = Vec::new();
        while at.rest().starts_with(['-', '<']) {
            relations.push(RelationPattern::parse(at)?);
            nodes.push(NodePattern::parse(at.take_brackets('(', ')')?, nodes.len())?);
        }
        Some(CypherPattern {
            path,
            nodes,
            relations,
            function,
            has_negation: false,
            edge_tests: Vec::new(),
        })
    }

    /// Adds a pattern in a condition. Returns `None` if it has no equivalent.
    fn add_edge_test(&mut self, text: &str, is_negated: bool) -> Option<()> {
        let mut rest = Scanner::new(text);
        let inner = CypherPattern::parse(&mut rest)?;
        let ([node], [first, last]) = (self.nodes.as_slice(), inner.nodes.as_slice()) else {
            return None;
        };
        let [relation] = inner.relations.as_slice() else { return None };
        let is_first = first.name == node.name;
        if !rest.is_done() || relation.length.is_some() || is_first == (last.name == node.name) {
            return None;
        }
        let (own, other) = if is_first { (first, last) } else { (last, first) };
        let is_source = is_first == (relation.direction == "out");
        let mut edges = relation.all_conditions("");
        let (ends, far): (&[&str], &str) = match (relation.direction, is_source) {
            ("any", _) if is_negated && other.conditions.is_empty() => (&["source", "target"], ""),
            ("any", _) => return None,
            (_, true) => (&["source"], "target."),
            (_, false) => (&["target"], "source."),
        };
        edges.extend(prefix_conditions(other, far)?);
        own.conditions.is_empty().then_some(())?;
        self.edge_tests.push(EdgeTest { edges, ends, is_negated });
        Some(())
    }

    /// Adds a condition to the node or relation that it is about.
    fn add_condition(&mut self, text: &str) -> Option<()> {
        let names = self.nodes.iter().map(|node| &node.name);
        let names = names.chain(self.relations.iter().map(|relation| &relation.name));
        let used = names.filter(|name| mentions_variable(text, name)).cloned().collect::<Vec<_>>();
        let [name] = used.as_slice() else { return None };
        let text = without_prefix(text, name);
        let parts = exclude_nulls(&text);
        self.has_negation |= parts.is_none();
        let node = self.nodes.iter_mut().find(|node| node.name == *name);
        let conditions = match node {
            Some(node) => &mut node.conditions,
            None => &mut self.relations.iter_mut().find(|one| one.name == *name)?.conditions,
        };
        conditions.extend(parts.unwrap_or_else(|| vec![text]));
        Some(())
    }

    /// Returns the commands that find the pattern, and the kind of their rows.
    fn steps(&self, result: &CypherReturn) -> Option<(TranslatedCommands, RowKind<'_>)> {
        let (first, last) = (self.nodes.first()?, self.nodes.last()?);
        let is_repeated = |(index, one): (usize, &NodePattern)| {
            self.nodes.iter().skip(index + 1).any(|other| other.name == one.name)
        };
        if self.nodes.iter().enumerate().any(is_repeated) {
            let mut steps = TranslatedCommands::default();
            steps.refuse(REPEATED_VARIABLE);
            return Some((steps, RowKind::Paths));
        }
        let relation = match self.relations.as_slice() {
            [] => {
                let (mut steps, mut conditions) =
                    (TranslatedCommands::default(), first.conditions.clone());
                for test in &self.edge_tests {
                    let edges = super::steps::print_where(&test.edges);
                    steps.push(format!("FIND edges{edges}"), "found");
                    let not = if test.is_negated { "NOT " } else { "" };
                    let of_end = |end: &&str| format!("id {not}IN ${{{}.{end}}}", steps.rows());
                    conditions.extend(test.ends.iter().map(of_end));
                }
                let condition = super::steps::print_where(&conditions);
                steps.push(format!("FIND nodes{condition}"), &first.name);
                return Some((steps, RowKind::Nodes(&first.name)));
            }
            [relation] if self.function.is_some() || relation.length.is_some() => {
                return self.paths(relation, result);
            }
            [relation] => relation,
            relations => {
                let mut steps = self.chain()?;
                let is_last = |name: &str| name == last.name;
                if !result.is_of_node(is_last) || has_repeated_relation(relations) {
                    steps.refuse(SEVERAL_RELATIONS);
                }
                return Some((steps, RowKind::Nodes(&last.name)));
            }
        };
        let (start, end) = if relation.direction == "in" { (last, first) } else { (first, last) };
        let mut conditions = relation.all_conditions("");
        conditions.extend(prefix_conditions(start, "source.")?);
        conditions.extend(prefix_conditions(end, "target.")?);
        let mut steps = TranslatedCommands::from_graph("edges", &conditions, &relation.name);
        if relation.direction == "any" {
            steps.refuse(UNDIRECTED);
        }
        for (node, field) in [(start, "source"), (end, "target")] {
            if result.is_of_node(|name| name == node.name) {
                steps.ends(field, &[], &node.name);
                return Some((steps, RowKind::Nodes(&node.name)));
            }
        }
        let kind = RowKind::Edges { start: &start.name, relation: &relation.name, end: &end.name };
        Some((steps, kind))
    }

    /// Follows each relation from the nodes at its first end.
    fn chain(&self) -> Option<TranslatedCommands> {
        let mut nodes = self.nodes.iter();
        let first = nodes.next()?;
        let mut steps = TranslatedCommands::from_graph("nodes", &first.conditions, &first.name);
        for (node, relation) in nodes.zip(&self.relations) {
            let (near, far) = match relation.direction {
                "in" => ("target", "source"),
                _ => ("source", "target"),
            };
            if relation.direction == "any" {
                steps.refuse(UNDIRECTED);
            }
            if relation.length.is_some() {
                steps.refuse(SEVERAL_RELATIONS);
            }
            steps.edges_of(near, &relation.all_conditions(""));
            steps.ends(far, &node.conditions, &node.name);
        }
        Some(steps)
    }

    fn paths(
        &self,
        relation: &RelationPattern,
        result: &CypherReturn,
    ) -> Option<(TranslatedCommands, RowKind<'_>)> {
        let (first, last) = (self.nodes.first()?, self.nodes.last()?);
        let (start, end) = if relation.direction == "in" { (last, first) } else { (first, last) };
        let mut conditions = prefix_conditions(start, "start.")?;
        conditions.extend(prefix_conditions(end, "end.")?);
        conditions.extend(relation.all_conditions("edge."));
        let (min, max) = relation.length.unwrap_or((Some(1), Some(1)));
        conditions.extend(min.filter(|min| *min > 1).map(|min| format!("length >= {min}")));
        conditions.extend(max.map(|max| format!("length <= {max}")));
        let is_shortest = self.function.is_some();
        let target = if is_shortest { "shortest paths" } else { "paths" };
        let mut steps = TranslatedCommands::default();
        let is_any = relation.direction == "any";
        if is_any && is_shortest {
            steps.push_last("SET adapter.caps.direction = any".to_owned());
            steps.note("which follows edges in both directions until the setting is changed");
        } else if is_any {
            steps.refuse(UNDIRECTED);
        }
        let condition = super::steps::print_where(&conditions);
        steps.push(format!("FIND {target}{condition}"), "found");
        if self.function == Some("allShortestPaths") {
            steps.refuse(ALL_SHORTEST);
        } else if !is_shortest && max.is_none() {
            let length =
                format!("{}length <= n", if conditions.is_empty() { " WHERE " } else { " AND " });
            steps.refuse(format!(
                "paths need a maximum length: write `FIND paths{condition}{length} AS found` with a number"
            ));
        } else if !is_shortest && min != Some(0) && result.is_of_node(|name| name == last.name) {
            let end = if relation.direction == "in" { "start" } else { "end" };
            steps.ends(end, &[], &last.name);
            steps.note("which has each node once, and no paths that repeat a node");
            return Some((steps, RowKind::Nodes(&last.name)));
        } else if min == Some(0) || !result.is_path(self.path.as_deref()) {
            steps.refuse(PATH_PARTS);
        } else if !is_shortest {
            steps.note("whose paths have each node once");
        }
        Some((steps, RowKind::Paths))
    }
}

const UNDIRECTED: &str = "a pattern without a direction has no equivalent: write `-->` or `<--`, or `WALK FROM rows DIRECTION any AS reached` for the other nodes, each once";
const SEVERAL_RELATIONS: &str = "a pattern of several relations has no equivalent: write `FIND edges` for each, and `JOIN` their rows; openCypher uses each edge once";
const REPEATED_VARIABLE: &str = "a variable cannot occur twice in a pattern: for loops write `FIND edges WHERE source = target AS loops`, otherwise `JOIN` the rows of two `FIND edges`";
const ALL_SHORTEST: &str = "`FIND shortest paths` returns one path for each pair: write `FIND paths WHERE … AND length <= n AS found` with the length of the shortest path";
const PATH_PARTS: &str = "paths are returned complete: write `FIND paths WHERE … AS found`, then `FIND nodes WHERE id IN ${found.end} AS ends` for their last nodes";

/// Returns whether two relations of a pattern may be the same edge.
fn has_repeated_relation(relations: &[RelationPattern]) -> bool {
    relations.iter().enumerate().any(|(index, one)| {
        let mut others = relations.iter().skip(index + 1);
        others.any(|other| {
            one.types.is_empty()
                || other.types.is_empty()
                || one.types.iter().any(|name| other.types.contains(name))
        })
    })
}

impl NodePattern {
    fn parse(text: &str, index: usize) -> Option<NodePattern> {
        let mut inner = Scanner::new(text);
        let name = inner.take_name().map_or_else(
            || if index == 0 { "start".to_owned() } else { format!("node{index}") },
            str::to_owned,
        );
        let mut conditions = Vec::new();
        if inner.accept(":") {
            conditions.extend(one_of_condition("type", &parse_labels(&mut inner)?));
        }
        conditions.extend(parse_properties(&mut inner)?);
        inner.is_done().then_some(NodePattern { name, conditions })
    }
}

impl RelationPattern {
    fn parse(cypher: &mut Scanner<'_>) -> Option<RelationPattern> {
        let is_in = cypher.accept("<");
        cypher.accept("-").then_some(())?;
        let mut relation = RelationPattern {
            name: "found".to_owned(),
            types: Vec::new(),
            direction: "any",
            length: None,
            conditions: Vec::new(),
        };
        if let Some(text) = cypher.take_brackets('[', ']') {
            let mut inner = Scanner::new(text);
            if let Some(name) = inner.take_name() {
                name.clone_into(&mut relation.name);
            }
            if inner.accept(":") {
                relation.types = parse_labels(&mut inner)?;
            }
            if inner.accept("*") {
                relation.length = Some(parse_length(&mut inner));
            }
            relation.conditions = parse_properties(&mut inner)?;
            inner.is_done().then_some(())?;
        }
        cypher.accept("-").then_some(())?;
        let is_out = cypher.accept(">");
        relation.direction = match (is_in, is_out) {
            (true, false) => "in",
            (false, true) => "out",
            _ => "any",
        };
        Some(relation)
    }

    /// Returns the conditions on the type and the properties.
    fn all_conditions(&self, prefix: &str) -> Vec<String> {
        let types = one_of_condition("type", &self.types);
        types
            .into_iter()
            .chain(self.conditions.iter().cloned())
            .map(|one| format!("{prefix}{one}"))
            .collect()
    }
}

/// `Label {("|" | ":") Label}`
fn parse_labels(inner: &mut Scanner<'_>) -> Option<Vec<String>> {
    let mut labels = Vec::new();
    loop {
        let label = match inner.take_brackets('`', '`') {
            Some(quoted) => quoted,
            None => inner.take_name()?,
        };
        labels.push(label.to_owned());
        if !inner.accept("|") {
            return Some(labels);
        }
        inner.accept(":");
    }
}

/// `"{" key ":" value {"," key ":" value} "}"` as conditions
fn parse_properties(inner: &mut Scanner<'_>) -> Option<Vec<String>> {
    match inner.take_brackets('{', '}') {
        Some(text) => property_conditions(text),
        None => Some(Vec::new()),
    }
}

/// Returns a condition for each pair of `key: value, …`.
pub fn property_conditions(text: &str) -> Option<Vec<String>> {
    let condition = |pair: &str| {
        let (key, value) = pair.split_once(':')?;
        let key = super::scanner::unquoted(key);
        Some(format!("{} = {}", crate::gasl::language::printer::print_field(key), value.trim()))
    };
    split(text, ",").into_iter().map(condition).collect()
}

/// `[min] [".." [max]]`
fn parse_length(inner: &mut Scanner<'_>) -> (Option<usize>, Option<usize>) {
    let count = |inner: &mut Scanner<'_>| {
        let mut after = inner.clone();
        let count = after.take_name().and_then(|count| count.parse().ok());
        if count.is_some() {
            *inner = after;
        }
        count
    };
    let min = count(inner);
    if inner.accept("..") { (min, count(inner)) } else { (min, min) }
}

/// Returns the condition that a field has one of some texts.
pub fn one_of_condition(field: &str, texts: &[String]) -> Option<String> {
    match texts {
        [] => None,
        [one] => Some(format!("{field} = \"{one}\"")),
        many => {
            let listed = many.iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>();
            Some(format!("{field} IN [{}]", listed.join(", ")))
        }
    }
}

/// Returns the conditions of a node about an end of an edge or a path, or `None` if one of them has
/// several fields.
fn prefix_conditions(node: &NodePattern, prefix: &str) -> Option<Vec<String>> {
    let add = |condition: &String| {
        if condition.starts_with('(') || condition.to_ascii_uppercase().contains(" OR ") {
            return None;
        }
        Some(match condition.strip_prefix("NOT ") {
            Some(rest) => format!("NOT {prefix}{rest}"),
            None => format!("{prefix}{condition}"),
        })
    };
    node.conditions.iter().map(add).collect()
}
