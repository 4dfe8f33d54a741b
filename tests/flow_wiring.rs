//! What wiring says of workflows that are written by hand.

#![cfg(feature = "flow")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::json::Limits;
use byname::base::map::OrderedMap;
use byname::base::template::{Template, TemplatePart};
use byname::base::{Diagnostic, Value};
use byname::flow::control::{self, Control};
use byname::flow::naming::{Options, Reserved, name_outputs};
use byname::flow::reading;
use byname::flow::wiring::{NodeWiring, Wiring, is_stored, named, wire};
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

/// The wiring, what each node writes under another name, and what there is to say.
fn wired(workflow: &str) -> (Wiring, Vec<OrderedMap<Rc<str>>>, Vec<Diagnostic>) {
    let (workflow, told) = reading::read(&parse(workflow), &parse(REGISTRY));
    let workflow = workflow.unwrap_or_else(|| panic!("{told:?}"));
    let none = Reserved::default();
    let (names, _) = name_outputs(&workflow, &Options::default(), &none);
    let control = Control::new(&workflow);
    let (wiring, mut told) = wire(&workflow, &control, &names);
    told.extend(control::check(&workflow, &control));
    let owned = |(key, name): (&Rc<str>, &Rc<str>)| (key.clone(), name.clone());
    let nodes = workflow.nodes.iter().enumerate();
    let writes = nodes.map(|(place, node)| names.mappings(place, node).map(owned).collect());
    (wiring, writes.collect(), told)
}

/// A line for each entry of a node, and for each diagnostic.
fn check(workflow: &str, expected: &[&str]) {
    let (wiring, writes, told) = wired(workflow);
    let mut found = Vec::new();
    let mut list = |place: &str, what: &str, names: &OrderedMap<Rc<str>>| {
        found.extend(names.iter().map(|(key, name)| format!("{place} {what} {key} {name}")));
    };
    for (place, (node, writes)) in wiring.nodes.iter().zip(&writes).enumerate() {
        let NodeWiring { output_aliases, input_mappings, templates } = node;
        let place = place.to_string();
        list(&place, "writes", writes);
        list(&place, "also", output_aliases);
        list(&place, "reads", input_mappings);
        list(&place, "names", templates);
    }
    for (output, templates) in &wiring.outputs {
        list(output, "names", templates);
    }
    for one in told {
        let byname::base::diagnostic::Location::Pointer(at) = one.location.unwrap() else {
            panic!("a span")
        };
        found.push(format!("{} {at} {}; {}", one.code.id, one.message, one.help.unwrap()));
    }
    assert_eq!(found, expected, "{workflow}");
}

#[test]
fn the_chain_of_the_source() {
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
fn a_fork_is_wired_by_the_writer_of_its_branch() {
    // The join sees what the branch wrote, though the other branch left it as it was.
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
fn reads_that_are_ambiguous() {
    // E comes after A and B, which do not wait for each other.
    check(
        r#"{"nodes": [{"id": "S", "type": "route", "actions": ["default"]},
            {"id": "A", "type": "cache", "params": {"response": 1}}, {"id": "B", "type": "api"},
            {"id": "E", "type": "llm", "params": {"prompt": "$response"}}],
            "edges": [{"from": "S", "to": "A"}, {"from": "S", "to": "B"}, {"from": "A", "to": "E"},
            {"from": "B", "to": "E"}]}"#,
        &[
            "2 writes response B_response",
            "FLOW025 /nodes/3/params/prompt ambiguous read: `A` and `B` write `response` side by side, and `E` reads it; \
             write `${B_response}`, whichever is meant, or put an edge between them",
        ],
    );
    // D reads beside B.
    check(
        r#"{"nodes": [{"id": "A", "type": "api"}, {"id": "B", "type": "api"}, {"id": "D", "type": "cache"}],
            "edges": [{"from": "A", "to": "B"}, {"from": "A", "to": "D"}]}"#,
        &[
            "0 writes response A_response",
            "0 writes status A_status",
            "1 writes response B_response",
            "1 writes status B_status",
            "FLOW025 /nodes/2 ambiguous read: `B` writes `response` beside `D`, which reads it; set the param \
             `response` to `${B_response}`, whichever is meant, or put an edge between them",
        ],
    );
}

#[test]
fn outputs_are_read_through_their_nodes() {
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
    let (read, _) = Template::read("$a-2.response.x", &|name| is_stored(templates, name));
    let [TemplatePart::Reference(reference)] = read.parts.as_slice() else { panic!("{read:?}") };
    assert_eq!(named(templates, reference), Some(("a-2.response", 0)));
}

#[test]
fn an_output_that_is_shared_must_be_the_last() {
    let nodes = |last: &str| {
        format!(
            r#"{{"nodes": [{{"id": "a", "type": "cache"}}, {{"id": "b", "type": "cache"}},
                {{"id": "c", "type": "llm", "params": {{"prompt": "{last}"}}}}]}}"#
        )
    };
    check(&nodes("${b.response}"), &["2 names b.response response"]);
    check(
        &nodes("${a.response}"),
        &[
            "FLOW026 /nodes/2/params/prompt `${a.response}` may have been written over: `response` is written by `b` too; \
           write `${response}` for whatever is there, or give the output a name of its own in `mappings`, \
           as in `{\"a\": {\"output_mappings\": {\"response\": \"a_response\"}}}`",
        ],
    );
    check(
        &nodes("${a.respons} $b"),
        &[
            "TPL001 /nodes/2/params/prompt `${a.respons}` names no output of `a`; did you mean `${a.response}`?",
            "TPL001 /nodes/2/params/prompt `$b` names no output of `b`; it has `response`: write `${b.response}`",
        ],
    );
}

#[test]
fn a_whole_name_wins_over_a_node() {
    check(
        r#"{"nodes": [{"id": "response", "type": "api"}, {"id": "c", "type": "llm",
            "params": {"prompt": "${response.status}"}}]}"#,
        &["1 names response response"],
    );
}

#[test]
fn doubtful_control_flow() {
    check(
        r#"{"nodes": [{"id": "a", "type": "llm"}, {"id": "b", "type": "llm"}, {"id": "c", "type": "api"}],
            "start_node": "a", "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}]}"#,
        &[
            "0 writes analysis a_analysis",
            "1 writes analysis b_analysis",
            "FLOW008 /nodes/2 nothing leads to `c`: it never runs; add an edge to `c`, or leave the node out",
            "FLOW009 /nodes/0 nothing leads out of the cycle of `a`; let a node of the cycle answer an action \
             whose edge leads out of it, or that has no edge; as it is, `a` runs until the step limit",
        ],
    );
}

#[test]
fn warnings_of_many_reads_leave_no_read_without_its_writer() {
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
    let (wiring, _, told) = wired(&format!(r#"{{"nodes": [{}]}}"#, nodes.join(", ")));
    assert_eq!(told.iter().filter(|one| one.code.id == "FLOW014").count(), 100);
    let read = wiring.nodes.last().unwrap().templates.get("response");
    assert_eq!(read.map(|name| &**name), Some("b_response"));
}
