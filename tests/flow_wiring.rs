//! Wiring of hand-written workflows.

#![cfg(feature = "flow")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::json::Limits;
use byname::base::map::OrderedMap;
use byname::base::template::{Template, TemplatePart};
use byname::base::{Diagnostic, Value};
use byname::flow::control::{self, ControlFlowGraph};
use byname::flow::naming::{NamingOptions, PreviousNames, name_outputs};
use byname::flow::reader;
use byname::flow::wiring::{NodeWiring, Wiring, find_template_name, is_template_name, wire};
use std::rc::Rc;

const REGISTRY: &str = r#"{
    "api": {"inputs": ["url"], "outputs": ["response", "status"]},
    "cache": {"inputs": ["response"], "outputs": ["response"]},
    "llm": {"inputs": ["prompt"], "outputs": ["analysis"]},
    "route": {"inputs": [], "outputs": [], "actions": ["a", "b"]}
}"#;

fn parse(text: &str) -> Value {
    Value::parse(text.as_bytes(), Limits::default()).0.unwrap()
}

/// Returns the wiring, the renamed outputs of each node, and the diagnostics.
fn wired(workflow: &str) -> (Wiring, Vec<OrderedMap<Rc<str>>>, Vec<Diagnostic>) {
    let (workflow, diagnostics) = reader::read(&parse(workflow), &parse(REGISTRY));
    let workflow = workflow.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let none = PreviousNames::default();
    let (names, _) = name_outputs(&workflow, &NamingOptions::default(), &none);
    let control = ControlFlowGraph::new(&workflow);
    let (wiring, mut diagnostics) = wire(&workflow, &control, &names);
    diagnostics.extend(control::check_control_flow(&workflow, &control));
    let owned = |(key, name): (&Rc<str>, &Rc<str>)| (key.clone(), name.clone());
    let nodes = workflow.nodes.iter().enumerate();
    let writes =
        nodes.map(|(node_index, node)| names.mappings(node_index, node).map(owned).collect());
    (wiring, writes.collect(), diagnostics)
}

/// Compares the wiring and the diagnostics, one line for each entry.
fn check(workflow: &str, expected: &[&str]) {
    let (wiring, writes, diagnostics) = wired(workflow);
    let mut found = Vec::new();
    let mut list = |node_index: &str, what: &str, names: &OrderedMap<Rc<str>>| {
        found.extend(names.iter().map(|(key, name)| format!("{node_index} {what} {key} {name}")));
    };
    for (node_index, (node, writes)) in wiring.nodes.iter().zip(&writes).enumerate() {
        let NodeWiring { output_aliases, own_names, input_mappings, templates } = node;
        let node_index = node_index.to_string();
        list(&node_index, "writes", writes);
        list(&node_index, "also", output_aliases);
        list(&node_index, "own", own_names);
        list(&node_index, "reads", input_mappings);
        list(&node_index, "names", templates);
    }
    for (output, templates) in &wiring.outputs {
        list(output, "names", templates);
    }
    for one in diagnostics {
        let byname::base::diagnostic::Location::Pointer(at) = one.location.unwrap() else {
            panic!("a span")
        };
        found.push(format!("{} {at} {}; {}", one.code.id, one.message, one.help.unwrap()));
    }
    assert_eq!(found, expected, "{workflow}");
}

#[test]
fn wires_the_chain_of_the_paper() {
    check(
        r#"{"nodes": [{"id": "A", "type": "api"}, {"id": "B", "type": "cache"},
            {"id": "C", "type": "cache"}], "outputs": {"response": {}}}"#,
        &[
            "0 writes response A_response",
            "1 reads response A_response",
            "response names response response",
        ],
    );
}

#[test]
fn join_reads_from_the_writing_branch() {
    // The join sees the value of the branch that writes.
    check(
        r#"{"nodes": [{"id": "A", "type": "api"}, {"id": "B", "type": "api"}, {"id": "C", "type": "llm"},
            {"id": "D", "type": "llm", "params": {"prompt": "$response"}}],
            "edges": [{"from": "A", "to": "B"}, {"from": "A", "to": "C"}, {"from": "B", "to": "D"},
            {"from": "C", "to": "D"}]}"#,
        &[
            "0 writes response A_response",
            "0 writes status A_status",
            "1 writes response B_response",
            "1 writes status B_status",
            "2 writes analysis C_analysis",
            "3 writes analysis D_analysis",
            "3 names response B_response",
        ],
    );
}

#[test]
fn reports_ambiguous_reads() {
    // E runs after A and B, which run concurrently.
    check(
        r#"{"nodes": [{"id": "S", "type": "route", "actions": ["default"]},
            {"id": "A", "type": "cache", "params": {"response": 1}}, {"id": "B", "type": "api"},
            {"id": "E", "type": "llm", "params": {"prompt": "$response"}}],
            "edges": [{"from": "S", "to": "A"}, {"from": "S", "to": "B"}, {"from": "A", "to": "E"},
            {"from": "B", "to": "E"}]}"#,
        &[
            "2 writes response B_response",
            "FLOW025 /nodes/3/params/prompt ambiguous read: `A` and `B` write `response` in parallel, and `E` reads it; \
             write `${A.response}` or `${B_response}`, or add an edge between them",
        ],
    );
    // D reads concurrently with B.
    check(
        r#"{"nodes": [{"id": "A", "type": "api"}, {"id": "B", "type": "api"}, {"id": "D", "type": "cache"}],
            "edges": [{"from": "A", "to": "B"}, {"from": "A", "to": "D"}]}"#,
        &[
            "0 writes response A_response",
            "0 writes status A_status",
            "1 writes response B_response",
            "1 writes status B_status",
            "FLOW025 /nodes/2 ambiguous read: `B` writes `response` in parallel with `D`, which reads it; set the param \
             `response` to `${A_response}` (of `A`, which runs before `D`) or `${B_response}`, or add an edge between \
             them",
        ],
    );
}

#[test]
fn reads_outputs_through_node_ids() {
    let two = r#"{"id": "a-1", "type": "api"}, {"id": "a-2", "type": "api"}"#;
    check(
        &format!(
            r#"{{"nodes": [{two}, {{"id": "c", "type": "llm", "params": {{"prompt":
                "${{a-1.response.login}} $a-2.response $a-1.status."}}}}],
                "outputs": {{"o": {{"source": "${{c.analysis}}"}}}}}}"#
        ),
        &[
            "0 writes response a-1_response",
            "0 writes status a-1_status",
            "1 writes response a-2_response",
            "1 writes status a-2_status",
            "2 names a-1.response a-1_response",
            "2 names a-2.response a-2_response",
            "2 names a-1.status a-1_status",
            "o names c.analysis analysis",
        ],
    );
    let (wiring, ..) = wired(&format!(
        r#"{{"nodes": [{two}, {{"id": "c", "type": "llm", "params": {{"prompt": "$a-2.response.x"}}}}]}}"#
    ));
    let templates = &wiring.nodes[2].templates;
    let (read, _) = Template::read("$a-2.response.x", &|name| is_template_name(templates, name));
    let [TemplatePart::Reference(reference)] = read.parts.as_slice() else { panic!("{read:?}") };
    assert_eq!(find_template_name(templates, reference), Some(("a-2.response", 0)));
}

#[test]
fn reads_one_output_of_several_writers() {
    let nodes = |last: &str| {
        format!(
            r#"{{"nodes": [{{"id": "a", "type": "cache"}}, {{"id": "b", "type": "cache"}},
                {{"id": "c", "type": "llm", "params": {{"prompt": "{last}"}}}}]}}"#
        )
    };
    check(&nodes("${b.response}"), &["1 own response b.response", "2 names b.response b.response"]);
    check(&nodes("${a.response}"), &["0 own response a.response", "2 names a.response a.response"]);
    check(
        &nodes("${a.respons} $b"),
        &[
            "TPL001 /nodes/2/params/prompt `${a.respons}` is not an output of `a`; did you mean `${a.response}`?",
            "TPL001 /nodes/2/params/prompt `$b` is not an output of `b`; write `${b.response}`; outputs of the node: `response`",
        ],
    );
}

#[test]
fn outputs_of_nodes_precede_keys() {
    check(
        r#"{"nodes": [{"id": "response", "type": "api"}, {"id": "c", "type": "llm",
            "params": {"prompt": "${response.status}"}}]}"#,
        &[
            "1 names response.status status",
            "FLOW016 /nodes/1/params/prompt `${response.status}` reads the output `status` of the node `response`, not \
             the value of the key `response`; write `${response.response.status}` to read the key, or rename the node \
             `response`",
        ],
    );
    // The key is the same output.
    check(
        r#"{"nodes": [{"id": "analysis", "type": "llm"}, {"id": "c", "type": "api",
            "params": {"url": "${analysis.analysis} $analysis ${analysis.x}"}}]}"#,
        &["1 names analysis.analysis analysis", "1 names analysis analysis"],
    );
}

#[test]
fn names_the_writer_on_the_own_path_first() {
    let workflow = |a: &str, b: &str| {
        format!(
            r#"{{"nodes": [{{"id": "s", "type": "route", "actions": ["default"]}}, {{"id": "a", "type": "api"}},
            {{"id": "b", "type": "api"}}, {{"id": "sa", "type": "llm", "params": {{"prompt": "{a}"}}}},
            {{"id": "sb", "type": "llm", "params": {{"prompt": "{b}"}}}}], "edges": [{{"from": "s", "to": "a"}},
            {{"from": "s", "to": "b"}}, {{"from": "a", "to": "sa"}}, {{"from": "b", "to": "sb"}}]}}"#
        )
    };
    let (.., diagnostics) = wired(&workflow("$response", "$response"));
    let help = |index: usize| diagnostics[index].help.as_deref().unwrap();
    assert_eq!(
        help(0),
        "write `${a_response}` (of `a`, which runs before `sa`) or `${b_response}`, or add an edge between them"
    );
    assert_eq!(
        help(1),
        "write `${b_response}` (of `b`, which runs before `sb`) or `${a_response}`, or add an edge between them"
    );
    for (a, b) in [("${b_response}", "${a_response}"), ("${b.response}", "${a.response}")] {
        let (.., diagnostics) = wired(&workflow(a, b));
        let codes: Vec<&str> = diagnostics.iter().map(|one| one.code.id).collect();
        assert_eq!(codes, ["FLOW015", "FLOW015"]);
        let help = diagnostics[0].help.as_deref().unwrap();
        assert_eq!(
            help,
            "write `${a_response}` (of `a`, which runs before `sa`), or add an edge from `b` to `sa`"
        );
    }
}

#[test]
fn warns_about_control_flow() {
    check(
        r#"{"nodes": [{"id": "a", "type": "llm"}, {"id": "b", "type": "llm"}, {"id": "c", "type": "api"}],
            "start_node": "a", "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}]}"#,
        &[
            "0 writes analysis a_analysis",
            "1 writes analysis b_analysis",
            "FLOW008 /nodes/2 unreachable node `c`; add an edge to `c`, or remove the node",
            "FLOW009 /nodes/0 no edge leads out of the cycle of `a`; add an edge out of the cycle, or declare an action \
             without an edge; otherwise `a` runs until the step limit",
        ],
    );
}

#[test]
fn wires_all_reads_after_many_warnings() {
    let early = |n| {
        format!(
            r#"{{"id": "r{n}", "type": "llm", "inputs": [], "outputs": [], "params": {{"p": "$k{n}"}}}}"#
        )
    };
    let late = |n| format!(r#"{{"id": "w{n}", "type": "api", "inputs": [], "outputs": ["k{n}"]}}"#);
    let readers = (0..150).map(early);
    let writers = (0..150).map(late);
    let last = [
        r#"{"id": "a", "type": "api"}"#,
        r#"{"id": "b", "type": "api"}"#,
        r#"{"id": "c", "type": "llm", "params": {"prompt": "of $response"}}"#,
    ]
    .map(str::to_owned);
    let nodes: Vec<String> = readers.chain(writers).chain(last).collect();
    let (wiring, _, diagnostics) = wired(&format!(r#"{{"nodes": [{}]}}"#, nodes.join(", ")));
    assert_eq!(diagnostics.iter().filter(|one| one.code.id == "FLOW014").count(), 100);
    let read = wiring.nodes.last().unwrap().templates.get("response");
    assert_eq!(read.map(|name| &**name), Some("b_response"));
}
