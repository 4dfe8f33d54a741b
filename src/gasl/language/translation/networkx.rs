//! Translation of NetworkX calls.

use super::scanner::{Scanner, split, unquoted};
use super::statement::Statement;
use super::steps::TranslatedCommands;
use crate::gasl::language::printer::print_field;

/// `nx.function(G, …)`, `G.method(…)`
pub fn translate(statement: &Statement<'_>) -> Option<String> {
    let mut python = Scanner::new(statement.text().trim_end_matches(';'));
    let mut printed = python.clone();
    if printed.accept_word("print") || printed.accept_word("list") || printed.accept_word("dict") {
        python = Scanner::new(printed.take_brackets('(', ')')?);
    }
    let module = python.take_name()?;
    python.accept(".").then_some(())?;
    let mut function = python.take_name()?;
    while python.accept(".") {
        // `nx.community.louvain_communities`
        function = python.take_name()?;
    }
    let text = python.take_brackets('(', ')').unwrap_or_default();
    let output = if python.accept_word("AS") { python.take_name() } else { None };
    if !python.is_done() {
        return None;
    }
    let mut call = PythonCall::new(text);
    if ["nx", "networkx"].contains(&module) {
        call.positional.first()?;
        call.positional.remove(0);
    } else if !["G", "g", "graph"].contains(&module) {
        return None;
    }
    call.translate_call(function)?.finish(output)
}

/// Arguments of a call.
struct PythonCall<'a> {
    positional: Vec<&'a str>,
    named: Vec<(&'a str, &'a str)>,
}

impl<'a> PythonCall<'a> {
    fn new(text: &'a str) -> PythonCall<'a> {
        let (mut positional, mut named) = (Vec::new(), Vec::new());
        for argument in split(text, ",") {
            match argument.split_once('=') {
                Some((name, value)) if !argument.starts_with(['\'', '"']) => {
                    named.push((name.trim(), value.trim()));
                }
                _ => positional.push(argument),
            }
        }
        PythonCall { positional, named }
    }

    fn argument(&self, name: &str) -> Option<&'a str> {
        self.named.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    /// Returns the commands of a function.
    fn translate_call(&self, function: &str) -> Option<TranslatedCommands> {
        let [first, second] = [0, 1].map(|index| self.positional.get(index).copied());
        let id = |value: &str| format!("id = {value}");
        let start = || Some(TranslatedCommands::from_graph("nodes", &[id(first?)], "start"));
        let walk = |direction, depth| {
            let mut steps = start()?;
            steps.walk(None, direction, depth, "reached");
            Some(steps)
        };
        let all = |target| TranslatedCommands::from_graph(target, &[], "found");
        let counted = |target| {
            let mut steps = all(target);
            steps.count(&[]);
            steps
        };
        let source = self.argument("source").or(first);
        let target = self.argument("target").or(second);
        let ends = || Some([format!("start.id = {}", source?), format!("end.id = {}", target?)]);
        if let Some(measure) = measure_of(function) {
            let weight = self.argument("weight").map(|weight| print_field(unquoted(weight)));
            let weight = weight.map_or(String::new(), |weight| format!(" WEIGHT {weight}"));
            let of =
                first.map(|node| TranslatedCommands::from_graph("nodes", &[id(node)], "start"));
            let of_start = if of.is_some() { " OF start" } else { "" };
            let mut steps = of.unwrap_or_default();
            steps.push(format!("MEASURE {measure}{of_start}{weight}"), measure);
            return Some(steps);
        }
        Some(match function {
            "neighbors" | "successors" | "all_neighbors" | "adj" => walk(None, None)?,
            "predecessors" => walk(Some("in"), None)?,
            "descendants" => walk(None, Some(100))?,
            "ego_graph" => walk(None, self.argument("radius").and_then(|one| one.parse().ok()))?,
            "shortest_path"
            | "shortest_path_length"
            | "dijkstra_path"
            | "has_path"
            | "bidirectional_shortest_path"
            | "astar_path" => TranslatedCommands::from_graph("shortest paths", &ends()?, "found"),
            "all_simple_paths" | "all_shortest_paths" => {
                let length = self.argument("cutoff").map(|cutoff| format!("length <= {cutoff}"));
                let conditions = ends()?.into_iter().chain(length).collect::<Vec<_>>();
                TranslatedCommands::from_graph("paths", &conditions, "found")
            }
            "nodes" => all("nodes"),
            "edges" => all("edges"),
            "number_of_nodes" | "order" => counted("nodes"),
            "number_of_edges" | "size" => counted("edges"),
            "has_edge" => {
                let conditions = [format!("source = {}", first?), format!("target = {}", second?)];
                TranslatedCommands::from_graph("edges", &conditions, "found")
            }
            "has_node" => start()?,
            _ => return None,
        })
    }
}

/// Returns the measure that a function or a phrase means.
pub fn measure_of(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "degree" | "degrees" | "degree_centrality" => "degree",
        "in_degree" | "indegree" | "in_degree_centrality" => "in_degree",
        "out_degree" | "outdegree" | "out_degree_centrality" => "out_degree",
        "pagerank" | "page_rank" => "pagerank",
        "betweenness" | "betweenness_centrality" => "betweenness",
        "closeness" | "closeness_centrality" => "closeness",
        "core" | "core_number" | "k_core" => "core",
        "triangles" => "triangles",
        "component" | "components" | "connected_components" | "weakly_connected_components" => {
            "component"
        }
        "community"
        | "communities"
        | "louvain_communities"
        | "greedy_modularity_communities"
        | "louvain"
        | "best_partition" => "community",
        _ => return None,
    })
}
