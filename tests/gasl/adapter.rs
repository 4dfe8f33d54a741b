//! A graph adapter like that of `adapter.mjs`.

use super::matching::list;
use serde_json::{Value as Json, json};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Nodes and edges of node-link JSON.
pub struct Adapter {
    directed: bool,
    nodes: Vec<Json>,
    edges: Vec<Json>,
    pub asked: Vec<Json>,
}

impl Adapter {
    pub fn new(graph: &Json) -> Adapter {
        let named = |mut row: Json, keys: &[&str]| {
            for key in keys {
                row[key] = json!(text(&row[key]));
            }
            row
        };
        let edges = graph.get("links").or_else(|| graph.get("edges")).map(list).unwrap_or_default();
        let edges = edges.into_iter().enumerate().map(|(index, edge)| {
            let mut edge = named(edge, &["source", "target"]);
            let map = edge.as_object_mut().unwrap();
            map.entry("id").or_insert(json!(format!("e{index}")));
            edge
        });
        Adapter {
            directed: graph["directed"] == json!(true),
            nodes: list(&graph["nodes"]).into_iter().map(|node| named(node, &["id"])).collect(),
            edges: edges.collect(),
            asked: Vec::new(),
        }
    }

    /// Returns the rows of a query; `kind` is `nodes`, `edges`, `paths`, `shortest` or `degree`.
    pub fn answer(&mut self, kind: &str, query: &Json) -> Json {
        let mut asked = query.clone();
        asked["kind"] = json!(kind);
        self.asked.push(asked);
        let limit = query["limit"].as_u64().map_or(usize::MAX, |limit| limit as usize);
        let rows = match kind {
            "nodes" => self.rows(&self.nodes, query),
            "edges" => self.rows(&self.edges, query),
            "shortest" => self.shortest_paths(query),
            "degree" => self.degrees(query),
            _ => self.paths(query),
        };
        rows.into_iter().take(limit).collect()
    }

    fn rows(&self, rows: &[Json], query: &Json) -> Vec<Json> {
        let fits = |row: &&Json| holds(&query["where"], row, query);
        rows.iter().filter(fits).cloned().collect()
    }

    fn node(&self, id: &Json) -> &Json {
        self.nodes.iter().find(|node| node["id"] == *id).unwrap_or(&Json::Null)
    }

    fn paths(&self, query: &Json) -> Vec<Json> {
        let mut found = Vec::new();
        for start in self.nodes.iter().filter(|start| holds(&query["start"], start, query)) {
            self.follow(&mut vec![start["id"].clone()], &mut Vec::new(), query, &mut found);
        }
        found
    }

    /// Returns for each pair of ends the path of fewest edges, and the first of several by the order of
    /// the nodes.
    fn shortest_paths(&self, query: &Json) -> Vec<Json> {
        let mut query = query.clone();
        if query["maxLength"].is_null() {
            query["maxLength"] = json!(self.nodes.len());
        }
        let order = |id: &Json| self.nodes.iter().position(|node| node["id"] == *id).unwrap();
        let mut shortest = BTreeMap::new();
        for path in self.paths(&query) {
            let nodes: Vec<usize> = list(&path["nodes"]).iter().map(order).collect();
            let pair = (nodes[0], nodes[nodes.len() - 1]);
            let candidate = (nodes.len(), nodes);
            match shortest.get(&pair) {
                Some((known, _)) if *known <= candidate => {}
                _ => drop(shortest.insert(pair, (candidate, path))),
            }
        }
        shortest.into_values().map(|(_, path)| path).collect()
    }

    fn degrees(&self, query: &Json) -> Vec<Json> {
        let measure = query["measure"].as_str().unwrap();
        let is_measured = |id: &Json| query.get("ids").is_none_or(|ids| list(ids).contains(id));
        let degree = |id: &Json| {
            let weight = |edge: &Json| {
                let outgoing = measure != "in_degree" && edge["source"] == *id;
                let incoming = measure != "out_degree" && edge["target"] == *id;
                let weight = query["weight"].as_str().and_then(|field| edge[field].as_f64());
                (f64::from(u8::from(outgoing)) + f64::from(u8::from(incoming)))
                    * weight.unwrap_or(1.0)
            };
            self.edges.iter().map(weight).sum::<f64>()
        };
        let ids = self.nodes.iter().map(|node| &node["id"]).filter(|id| is_measured(id));
        ids.map(|id| json!({"id": id, measure: degree(id)})).collect()
    }

    fn follow(
        &self,
        nodes: &mut Vec<Json>,
        edges: &mut Vec<Json>,
        query: &Json,
        found: &mut Vec<Json>,
    ) {
        if edges.len() as u64 >= query["maxLength"].as_u64().unwrap_or(0) {
            return;
        }
        let direction = if self.directed { query["direction"].as_str().unwrap() } else { "any" };
        let from = nodes.last().cloned().unwrap();
        for edge in &self.edges {
            let out = direction != "in" && edge["source"] == from;
            let back = direction != "out" && edge["target"] == from;
            let ways = [out.then_some(&edge["target"]), back.then_some(&edge["source"])];
            for to in ways.into_iter().flatten() {
                if nodes.contains(to) || !holds(&query["edge"], edge, query) {
                    continue;
                }
                nodes.push(to.clone());
                edges.push(edge.clone());
                if self.finished(nodes, edges, query) {
                    let ids: Vec<&Json> = edges.iter().map(|edge| &edge["id"]).collect();
                    found.push(json!({"nodes": nodes, "edges": ids, "length": edges.len()}));
                }
                if holds(&query["node"], self.node(to), query) {
                    self.follow(nodes, edges, query, found);
                }
                nodes.pop();
                edges.pop();
            }
        }
    }

    /// Returns whether a path satisfies the complete condition, with the prefixes of rule 10.
    fn finished(&self, nodes: &[Json], edges: &[Json], query: &Json) -> bool {
        let (first, last) = (self.node(&nodes[0]), self.node(&nodes[nodes.len() - 1]));
        let inner = || nodes[1..nodes.len() - 1].iter().map(|id| self.node(id));
        holds(&query["end"], last, query)
            && evaluate(&query["where"], &|test| {
                let name = test["field"].as_str().unwrap();
                let (prefix, field) = name.split_once('.').unwrap_or(("", name));
                let one = |row: &Json| passes(test, at(row, field), query);
                if let Some(other) = test["value"]["field"].as_str() {
                    let path = PathRows { adapter: self, nodes, edges };
                    return path.compare(test, name, other, query);
                }
                match (prefix, name) {
                    (_, "length") => passes(test, Some(&json!(edges.len())), query),
                    ("start" | "source", _) => one(first),
                    ("end" | "target", _) => one(last),
                    ("edge", _) => edges.iter().all(one),
                    ("node", _) => inner().all(one),
                    _ => [first, last].iter().all(|row| passes(test, at(row, name), query)),
                }
            })
    }
}

/// Nodes and edges of one path.
struct PathRows<'a> {
    adapter: &'a Adapter,
    nodes: &'a [Json],
    edges: &'a [Json],
}

impl PathRows<'_> {
    /// Compares each value of a field with each value of another one; fields of one part by row.
    fn compare(&self, test: &Json, name: &str, other: &str, query: &Json) -> bool {
        let (left, right) = (self.rows_of(name), self.rows_of(other));
        let is_same_part = name.split_once('.').map(|(part, _)| part)
            == other.split_once('.').map(|(part, _)| part);
        let one = |left: &Option<Json>, right: &Option<Json>| {
            compares(test, left.as_ref(), right.as_ref(), query)
        };
        if is_same_part {
            return left.iter().zip(&right).all(|(left, right)| one(left, right));
        }
        left.iter().all(|left| right.iter().all(|right| one(left, right)))
    }

    fn rows_of(&self, name: &str) -> Vec<Option<Json>> {
        let (prefix, field) = name.split_once('.').unwrap_or(("", name));
        let node = |id: &Json, field: &str| at(self.adapter.node(id), field).cloned();
        let last = self.nodes.len() - 1;
        match prefix {
            _ if name == "length" => vec![Some(json!(self.edges.len()))],
            "start" | "source" => vec![node(&self.nodes[0], field)],
            "end" | "target" => vec![node(&self.nodes[last], field)],
            "edge" => self.edges.iter().map(|edge| at(edge, field).cloned()).collect(),
            "node" => self.nodes[1..last].iter().map(|id| node(id, field)).collect(),
            _ => vec![node(&self.nodes[0], name), node(&self.nodes[last], name)],
        }
    }
}

/// Compares the values of two fields; a missing one fails.
fn compares(test: &Json, left: Option<&Json>, right: Option<&Json>, query: &Json) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    passes(&json!({"op": test["op"], "value": right}), Some(left), query)
}

fn holds(tree: &Json, row: &Json, query: &Json) -> bool {
    evaluate(tree, &|test| {
        let found = at(row, test["field"].as_str().unwrap());
        match test["value"]["field"].as_str() {
            Some(other) => compares(test, found, at(row, other), query),
            None => passes(test, found, query),
        }
    })
}

fn evaluate(tree: &Json, test: &dyn Fn(&Json) -> bool) -> bool {
    let each = |key: &str| tree.get(key).map(list);
    if let Some(all) = each("all") {
        return all.iter().all(|one| evaluate(one, test));
    }
    if let Some(any) = each("any") {
        return any.iter().any(|one| evaluate(one, test));
    }
    match tree.get("not") {
        Some(one) => !evaluate(one, test),
        None => test(tree),
    }
}

/// Returns whether a value satisfies a test (rule 22).
fn passes(test: &Json, found: Option<&Json>, query: &Json) -> bool {
    let (op, value) = (test["op"].as_str().unwrap(), &test["value"]);
    match (op, found) {
        ("IS NULL", found) => found.is_none_or(Json::is_null),
        ("IS NOT NULL", found) => !found.is_none_or(Json::is_null),
        ("EXISTS", found) => found.is_some(),
        (_, None) => op == "!=" || op == "NOT IN",
        ("IN", Some(found)) => list(value).iter().any(|one| equal(found, one)),
        ("NOT IN", Some(found)) => !list(value).iter().any(|one| equal(found, one)),
        ("=", Some(found)) => equal(found, value),
        ("!=", Some(found)) => !equal(found, value),
        (">", Some(found)) => order(found, value) == Some(Ordering::Greater),
        (">=", Some(found)) => order(found, value).is_some_and(Ordering::is_ge),
        ("<", Some(found)) => order(found, value) == Some(Ordering::Less),
        ("<=", Some(found)) => order(found, value).is_some_and(Ordering::is_le),
        (op, Some(found)) => {
            let sensitive = query["caps"]["case_sensitive"] == json!(true);
            let fold = |value: &Json| {
                if sensitive { text(value) } else { text(value).to_lowercase() }
            };
            let (found, value) = (fold(found), fold(value));
            match op {
                "CONTAINS" => found.contains(&value),
                "STARTS_WITH" => found.starts_with(&value),
                "ENDS_WITH" => found.ends_with(&value),
                _ => panic!("unknown operator: {op}"),
            }
        }
    }
}

fn text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns two numbers, or a number and a numeric text, as numbers.
fn numbers(a: &Json, b: &Json) -> Option<(f64, f64)> {
    let number = |value: &Json| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    if a.is_number() || b.is_number() { Some((number(a)?, number(b)?)) } else { None }
}

fn equal(a: &Json, b: &Json) -> bool {
    numbers(a, b).map_or_else(|| a == b, |(a, b)| a == b)
}

fn order(a: &Json, b: &Json) -> Option<Ordering> {
    match (a, b) {
        (Json::String(a), Json::String(b)) => Some(a.cmp(b)),
        _ => numbers(a, b).and_then(|(a, b)| a.partial_cmp(&b)),
    }
}

fn at<'a>(row: &'a Json, field: &str) -> Option<&'a Json> {
    row.get(field).or_else(|| {
        let (first, rest) = field.split_once('.')?;
        at(row.get(first)?, rest)
    })
}
