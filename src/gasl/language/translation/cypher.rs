//! Translation of openCypher queries.

use super::scanner::{Scanner, split};
use super::sql::print_function;
use super::statement::Statement;
use super::steps::{Selection, TranslatedCommands};

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
pub fn translate(statement: &Statement<'_>) -> Option<String> {
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
    split(condition, " AND ").into_iter().try_for_each(|part| pattern.add_condition(part))?;
    let is_returned = cypher.accept_word("RETURN") || cypher.accept_word("WITH");
    let distinct = is_returned && cypher.accept_word("DISTINCT");
    let items = if is_returned { cypher.take_until(&CLAUSES) } else { "" };
    let items = split(items, ",").into_iter().map(ReturnItem::parse).collect::<Option<Vec<_>>>()?;
    let order = if cypher.accept_word("ORDER") {
        cypher.accept_word("BY").then_some(())?;
        Some(cypher.take_until(&CLAUSES))
    } else {
        None
    };
    let limit =
        if cypher.accept_word("LIMIT") { Some(cypher.take_name()?.parse().ok()?) } else { None };
    let output = if cypher.accept_word("AS") { cypher.take_name() } else { None };
    if !cypher.is_done() {
        return None;
    }
    let mut steps = pattern.steps(&items)?;
    add_return_steps(&mut steps, &items, distinct, order, limit)?;
    let single = match items.as_slice() {
        [ReturnItem { name, field: None, function: None, alias }] => {
            alias.as_deref().or(Some(name))
        }
        _ => None,
    };
    steps.finish(output.or(single.filter(|name| *name != "*")))
}

/// Pattern of nodes and relations.
struct CypherPattern {
    nodes: Vec<NodePattern>,
    relations: Vec<RelationPattern>,
    is_shortest: bool,
}

impl CypherPattern {
    fn parse(cypher: &mut Scanner<'_>) -> Option<CypherPattern> {
        let mut named = cypher.clone();
        if named.take_name().is_some() && named.accept("=") {
            *cypher = named;
        }
        let is_shortest =
            cypher.accept_word("shortestPath") || cypher.accept_word("allShortestPaths");
        let inner = if is_shortest { Some(cypher.take_brackets('(', ')')?) } else { None };
        let mut inside = inner.map(Scanner::new);
        let at = inside.as_mut().unwrap_or(cypher);
        let mut nodes = vec![NodePattern::parse(at.take_brackets('(', ')')?, 0)?];
        let mut relations = Vec::new();
        while at.rest().starts_with(['-', '<']) {
            relations.push(RelationPattern::parse(at)?);
            nodes.push(NodePattern::parse(at.take_brackets('(', ')')?, nodes.len())?);
        }
        Some(CypherPattern { nodes, relations, is_shortest })
    }

    /// Adds a condition to the node or relation that it is about.
    fn add_condition(&mut self, text: &str) -> Option<()> {
        let names = self.nodes.iter().map(|node| &node.name);
        let names = names.chain(self.relations.iter().map(|relation| &relation.name));
        let used = names.filter(|name| mentions_variable(text, name)).cloned().collect::<Vec<_>>();
        let [name] = used.as_slice() else { return None };
        let text = without_prefix(text, name);
        let node = self.nodes.iter_mut().find(|node| node.name == *name);
        let conditions = match node {
            Some(node) => &mut node.conditions,
            None => &mut self.relations.iter_mut().find(|one| one.name == *name)?.conditions,
        };
        conditions.push(text);
        Some(())
    }

    /// Returns the commands that find the pattern.
    fn steps(&self, items: &[ReturnItem]) -> Option<TranslatedCommands> {
        let (first, last) = (self.nodes.first()?, self.nodes.last()?);
        let [relation] = self.relations.as_slice() else {
            if self.relations.is_empty() {
                return Some(TranslatedCommands::from_graph(
                    "nodes",
                    &first.conditions,
                    &first.name,
                ));
            }
            let is_simple = |relation: &RelationPattern| {
                relation.conditions.is_empty()
                    && relation.types.len() < 2
                    && relation.length.is_none()
            };
            return self.relations.iter().all(is_simple).then(|| self.walk());
        };
        // Only the node at the end is needed.
        let is_end = |item: &ReturnItem| item.name == last.name;
        let is_walk = !items.is_empty()
            && items.iter().all(is_end)
            && relation.conditions.is_empty()
            && relation.types.len() < 2
            && !self.is_shortest;
        let is_reachable = match relation.length {
            None => true,
            Some((min, max)) => min.unwrap_or(1) <= 1 && max.is_some(),
        };
        if is_walk && is_reachable {
            return Some(self.walk());
        }
        if self.is_shortest || relation.length.is_some() {
            return self.paths(relation);
        }
        let (start, end) = match relation.direction {
            "in" => (last, first),
            _ => (first, last),
        };
        let mut conditions = relation.all_conditions("");
        conditions.extend(prefix_conditions(start, "source.")?);
        conditions.extend(prefix_conditions(end, "target.")?);
        let mut steps = TranslatedCommands::from_graph("edges", &conditions, &relation.name);
        count_by_end(&mut steps, items, &start.name, &end.name);
        Some(steps)
    }

    /// Walks along the relations, and filters each result.
    fn walk(&self) -> TranslatedCommands {
        let mut nodes = self.nodes.iter();
        let mut steps = match nodes.next() {
            Some(NodePattern { name, conditions }) => {
                TranslatedCommands::from_graph("nodes", conditions, name)
            }
            None => TranslatedCommands::default(),
        };
        for (node, relation) in nodes.zip(&self.relations) {
            let follow = relation.types.first().map(String::as_str);
            let direction = (relation.direction != "out").then_some(relation.direction);
            let depth = relation.length.and_then(|(_, max)| max);
            steps.walk(follow, direction, depth, &node.name);
            steps.filter(&node.conditions);
        }
        steps
    }

    fn paths(&self, relation: &RelationPattern) -> Option<TranslatedCommands> {
        let mut conditions = Vec::new();
        if let (Some(first), Some(last)) = (self.nodes.first(), self.nodes.last()) {
            conditions.extend(prefix_conditions(first, "start.")?);
            conditions.extend(prefix_conditions(last, "end.")?);
        }
        conditions.extend(relation.all_conditions("edge."));
        if let Some((min, max)) = relation.length {
            conditions.extend(min.filter(|min| *min > 1).map(|min| format!("length >= {min}")));
            conditions.extend(max.map(|max| format!("length <= {max}")));
        }
        let target = if self.is_shortest { "shortest paths" } else { "paths" };
        Some(TranslatedCommands::from_graph(target, &conditions, "found"))
    }
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

/// Item after `RETURN`.
struct ReturnItem {
    /// Variable of the pattern, or `*`.
    name: String,
    field: Option<String>,
    function: Option<String>,
    alias: Option<String>,
}

impl ReturnItem {
    /// `name`, `name.field`, `function(name.field)`, each with `AS alias`
    fn parse(text: &str) -> Option<ReturnItem> {
        let mut item = Scanner::new(text);
        let first = if item.accept("*") { "*" } else { item.take_name()? };
        let (mut name, mut function) = (first.to_owned(), None);
        let mut field = if item.accept(".") { Some(item.take_name()?.to_owned()) } else { None };
        if let Some(inner) = item.take_brackets('(', ')') {
            let mut inner = Scanner::new(inner);
            let distinct = inner.accept_word("DISTINCT");
            name = if inner.accept("*") { "*".to_owned() } else { inner.take_name()?.to_owned() };
            field = if inner.accept(".") { Some(inner.take_name()?.to_owned()) } else { None };
            inner.is_done().then_some(())?;
            function = match first.to_ascii_lowercase().as_str() {
                "type" | "labels" => {
                    field = Some("type".to_owned());
                    None
                }
                "id" | "elementid" => {
                    field = Some("id".to_owned());
                    None
                }
                _ => Some(print_function(first, distinct, field.as_deref().unwrap_or("*"))?),
            };
        }
        let alias = if item.accept_word("AS") { Some(item.take_name()?.to_owned()) } else { None };
        item.is_done().then_some(ReturnItem { name, field, function, alias })
    }
}

/// Adds the commands of `RETURN`, `ORDER BY` and `LIMIT`.
fn add_return_steps(
    steps: &mut TranslatedCommands,
    items: &[ReturnItem],
    distinct: bool,
    order: Option<&str>,
    mut limit: Option<usize>,
) -> Option<()> {
    let functions = items.iter().filter_map(|item| item.function.clone()).collect::<Vec<_>>();
    let by = items.iter().filter(|item| item.function.is_none());
    let by = by.map(|item| item.field.clone()).collect::<Option<Vec<_>>>();
    if !functions.is_empty() && !steps.rows().eq("counted") {
        steps.aggregate(&by.clone()?, &functions);
    }
    if let Some(order) = order {
        let mut key = Scanner::new(order);
        let first = key.take_name()?;
        let function = first.eq_ignore_ascii_case("count") && key.take_brackets('(', ')').is_some();
        let named = items.iter().find(|item| item.alias.as_deref() == Some(first));
        let column = match (named, key.accept(".")) {
            (Some(ReturnItem { function: Some(function), .. }), _) => {
                function.split(' ').next()?.to_owned()
            }
            (Some(ReturnItem { field: Some(field), .. }), _) => field.clone(),
            (_, true) => key.take_name()?.to_owned(),
            _ if function => "count".to_owned(),
            _ => return None,
        };
        let is_descending = key.accept_word("DESC") || key.accept_word("DESCENDING");
        steps.rank(&column, if is_descending { "DESC" } else { "ASC" }, limit.take());
    }
    let pair = |item: &ReturnItem| {
        let field = item.field.clone()?;
        Some((field.clone(), item.alias.clone().unwrap_or(field)))
    };
    let fields = items.iter().map(pair).collect::<Option<Vec<_>>>().unwrap_or_default();
    let fields = if functions.is_empty() { fields } else { Vec::new() };
    steps.select(&Selection { distinct, fields: &fields, limit, ..Selection::default() });
    Some(())
}

/// Counts edges by the end that is returned beside a count: `RETURN a, count(b)`.
fn count_by_end(steps: &mut TranslatedCommands, items: &[ReturnItem], start: &str, end: &str) {
    let is_counted = items.iter().any(|item| item.function.is_some());
    let group = items.iter().find(|item| item.function.is_none());
    let end = match group {
        Some(item) if is_counted && item.name == start => "source",
        Some(item) if is_counted && item.name == end => "target",
        _ => return,
    };
    steps.count(&[end.to_owned()]);
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

/// Returns whether a text has a field of a variable, or its label.
fn mentions_variable(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(|c| c.is_alphanumeric() || "_.\"'".contains(c))
            && after.is_some_and(|c| ".:)".contains(c))
    })
}

/// Removes a variable before its fields, and converts `n:Label` and `id(n)`.
fn without_prefix(text: &str, name: &str) -> String {
    let text = text.replace(&format!("id({name})"), "id").replace(&format!("type({name})"), "type");
    if let Some(label) = text.strip_prefix(&format!("{name}:")) {
        return format!("type = \"{label}\"");
    }
    text.replace(&format!("{name}."), "")
}
