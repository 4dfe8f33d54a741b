//! Translation of NetworkX calls.

use super::python_call::PythonCall;
use super::scanner::{Scanner, unquoted};
use super::statement::Statement;
use super::steps::{Selection, TranslatedCommands, Translation};
use crate::gasl::language::printer::print_field;

/// Arguments whose value is the default, or that do not change the result.
const NEUTRAL: [(&str, &str); 12] = [
    ("data", "True"),
    ("data", "False"),
    ("keys", "True"),
    ("keys", "False"),
    ("alpha", "0.85"),
    ("normalized", "True"),
    ("endpoints", "False"),
    ("wf_improved", "True"),
    ("resolution", "1"),
    ("resolution", "1.0"),
    ("method", "'dijkstra'"),
    ("seed", "*"),
];

/// `nx.function(G, …)`, `G.method(…)`, `G.nodes[…]`
pub fn translate(statement: &Statement<'_>) -> Option<Translation> {
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
    let arguments = python.take_brackets('(', ')');
    let key = if arguments.is_none() { python.take_brackets('[', ']') } else { None };
    // `G.nodes['a']['name']`
    let field = key.and_then(|_| python.take_brackets('[', ']'));
    if key.is_some() {
        function = match function {
            "nodes" | "node" => "has_node",
            "edges" => "has_edge",
            other => other,
        };
    }
    let text = arguments.or(key).unwrap_or_default();
    let output = if python.accept_word("AS") { python.take_name() } else { None };
    if !python.is_done() {
        return None;
    }
    let mut call = PythonCall::new(text);
    if ["nx", "networkx"].contains(&module) {
        call.take_next()?;
    } else if !["G", "g", "graph"].contains(&module) {
        return None;
    }
    let mut steps = translate_call(function, &mut call)?;
    call.drop_neutral(&NEUTRAL);
    if let Some(words) = call.refusal(function) {
        steps.refuse(words);
    }
    if let Some(field) = field.map(|field| unquoted(field).to_owned()) {
        steps.select(&Selection { fields: &[(field.clone(), field)], ..Selection::default() });
    }
    steps.finish(output)
}

/// Returns the commands of a function.
fn translate_call(function: &str, call: &mut PythonCall<'_>) -> Option<TranslatedCommands> {
    if let Some(words) = refusal_of(function) {
        let mut steps = TranslatedCommands::default();
        steps.refuse(words);
        return Some(steps);
    }
    if function == "k_core" {
        return translate_core(call);
    }
    if let Some(measure) = measure_of(function) {
        return Some(translate_measure(measure, call));
    }
    let all = |target| TranslatedCommands::from_graph(target, &[], "found");
    let counted = |target| {
        let mut steps = all(target);
        steps.count(&[]);
        steps
    };
    Some(match function {
        "neighbors" | "successors" | "adj" => walk(call, None, None)?,
        "all_neighbors" => walk(call, Some("any"), None)?,
        "predecessors" => walk(call, Some("in"), None)?,
        "descendants" => {
            let mut steps = walk(call, None, Some(100))?;
            steps.note("which follows at most 100 edges");
            steps
        }
        "shortest_path"
        | "shortest_path_length"
        | "has_path"
        | "bidirectional_shortest_path"
        | "dijkstra_path"
        | "astar_path" => translate_shortest(function, call)?,
        "all_simple_paths" => translate_simple_paths(call)?,
        "nodes" => all("nodes"),
        "edges" => {
            let of = call.take_next().map(|node| format!("source = {node}"));
            TranslatedCommands::from_graph("edges", &of.into_iter().collect::<Vec<_>>(), "found")
        }
        "number_of_nodes" | "order" => counted("nodes"),
        "number_of_edges" | "size" => counted("edges"),
        "has_edge" => {
            let (source, target) = (call.take("u")?, call.take("v")?);
            let conditions = [format!("source = {source}"), format!("target = {target}")];
            TranslatedCommands::from_graph("edges", &conditions, "found")
        }
        "has_node" => start(call)?,
        _ => return None,
    })
}

/// Returns words on a function that resembles a command with another result.
fn refusal_of(function: &str) -> Option<&'static str> {
    Some(match function {
        "degree_centrality" => {
            "the centrality is the degree divided by the number of other nodes: for the degree write `MEASURE degree AS degrees`"
        }
        "in_degree_centrality" => {
            "the centrality is the degree divided by the number of other nodes: for the degree write `MEASURE in_degree AS degrees`"
        }
        "out_degree_centrality" => {
            "the centrality is the degree divided by the number of other nodes: for the degree write `MEASURE out_degree AS degrees`"
        }
        "greedy_modularity_communities" => {
            "GASL has only the Louvain method: for its communities write `MEASURE community AS communities`"
        }
        "all_shortest_paths" => {
            "`FIND shortest paths` returns one path for each pair: write `FIND paths WHERE … AND length <= n AS found` with the length of the shortest path"
        }
        "ego_graph" => {
            "a subgraph has no equivalent: for the nodes around `start` write `WALK FROM start DEPTH n AS reached`"
        }
        _ => return None,
    })
}

/// Finds the node of the next argument.
fn start(call: &mut PythonCall<'_>) -> Option<TranslatedCommands> {
    let id = format!("id = {}", call.take_next()?);
    Some(TranslatedCommands::from_graph("nodes", &[id], "start"))
}

fn walk(
    call: &mut PythonCall<'_>,
    direction: Option<&str>,
    depth: Option<usize>,
) -> Option<TranslatedCommands> {
    let mut steps = start(call)?;
    steps.walk(None, direction, depth, "reached");
    Some(steps)
}

/// `k_core(G, k)`
fn translate_core(call: &mut PythonCall<'_>) -> Option<TranslatedCommands> {
    let core = format!("core >= {}", call.take("k")?);
    let mut steps = TranslatedCommands::default();
    steps.push("MEASURE core".to_owned(), "cores");
    steps.filter(&[core]);
    Some(steps)
}

fn translate_measure(measure: &'static str, call: &mut PythonCall<'_>) -> TranslatedCommands {
    let is_degree = ["degree", "in_degree", "out_degree"].contains(&measure);
    let of = match is_degree || ["triangles", "closeness"].contains(&measure) {
        true => start(call),
        false => None,
    };
    let of_start = if of.is_some() { " OF start" } else { "" };
    let mut steps = of.unwrap_or_default();
    let weight = match measure {
        "closeness" => call.take_named("distance"),
        "pagerank" | "betweenness" | "community" => call.take_named("weight"),
        _ if is_degree => call.take_named("weight"),
        _ => None,
    };
    // NetworkX uses the field `weight` of these by default.
    if weight.is_none() && ["pagerank", "community"].contains(&measure) {
        steps.note("with `WEIGHT weight` if the edges have that field");
    }
    let weight = print_weight(weight, &mut steps);
    steps.push(format!("MEASURE {measure}{of_start}{weight}"), measure);
    steps
}

/// Prints ` WEIGHT f`, or nothing without a weight.
fn print_weight(weight: Option<&str>, steps: &mut TranslatedCommands) -> String {
    let Some(weight) = weight.filter(|weight| *weight != "None") else { return String::new() };
    if unquoted(weight) == weight {
        steps.refuse("a computed weight has no equivalent: `WEIGHT` needs a field of the edges");
    }
    format!(" WEIGHT {}", print_field(unquoted(weight)))
}

fn translate_shortest(function: &str, call: &mut PythonCall<'_>) -> Option<TranslatedCommands> {
    let (source, target) = (call.take("source")?, call.take("target")?);
    let weight = match function {
        "shortest_path" | "shortest_path_length" => call.take("weight"),
        "dijkstra_path" => Some(call.take("weight").unwrap_or("'weight'")),
        "astar_path" => Some(call.take_named("weight").unwrap_or("'weight'")),
        _ => None,
    };
    let mut steps = TranslatedCommands::default();
    let weight = print_weight(weight, &mut steps);
    let ends = format!("start.id = {source} AND end.id = {target}");
    steps.push(format!("FIND shortest paths WHERE {ends}{weight}"), "found");
    Some(steps)
}

fn translate_simple_paths(call: &mut PythonCall<'_>) -> Option<TranslatedCommands> {
    let (source, target) = (call.take("source")?, call.take("target")?);
    let cutoff = call.take("cutoff").filter(|cutoff| *cutoff != "None");
    let conditions = [
        format!("start.id = {source}"),
        format!("end.id = {target}"),
        format!("length <= {}", cutoff.unwrap_or("n")),
    ];
    let mut steps = TranslatedCommands::from_graph("paths", &conditions, "found");
    if cutoff.is_none() {
        let ends = super::steps::print_where(&conditions);
        steps.refuse(format!(
            "paths need a maximum length: write `FIND paths{ends} AS found` with a number"
        ));
    }
    Some(steps)
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
