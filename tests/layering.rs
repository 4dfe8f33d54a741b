//! Dependencies between the modules of the crate, read from the sources, because the compiler lets any
//! module use any other: layers (the edges of ARCHITECTURE.md), import circles, and shared type names.

// A failed test panics.
#![allow(clippy::panic, clippy::indexing_slicing)]

#[path = "layering/modules.rs"]
mod modules;

use modules::Modules;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the crate with the modules that it may name.
const EDGES: [(&str, &[&str]); 7] = [
    ("base", &[]),
    ("ham", &["base"]),
    ("gasl", &["base"]),
    ("flow", &["base"]),
    ("link", &["base", "ham", "gasl", "flow"]),
    ("wire", &["base", "ham", "gasl", "flow", "link"]),
    ("wasm", &["base", "ham", "gasl", "flow", "link", "wire"]),
];

/// Crates for JavaScript, which only `wasm` may name.
const JAVASCRIPT: [&str; 4] = ["wasm_bindgen", "js_sys", "web_sys", "serde_wasm_bindgen"];

/// Clock, files, network, threads and random numbers, which the core requests from the host.
const OUTSIDE: [&str; 7] =
    ["std::time", "std::fs", "std::net", "std::thread", "rand", "SystemTime", "Instant"];

/// Modules without side effects, driven by the host.
const CORE: [&str; 5] = ["base", "ham", "gasl", "flow", "link"];

#[test]
fn sources_respect_the_layers() {
    let mut violations = Vec::new();
    let mut files = 0;
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in rust_files(&src) {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let name = path.strip_prefix(&src).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        // `lib.rs` is not part of a layer, because it lists the modules.
        if let Some(module) = module_of(&name) {
            violations.extend(violations_in(module, &name, &text));
        }
        files += 1;
    }
    assert!(files > 0, "no sources found in {}", src.display());
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

#[test]
fn finds_violations() {
    let check = |module, text| violations_in(module, "f.rs", text);
    assert_eq!(check("ham", "use crate::gasl::Plan;"), ["f.rs:1: `ham` names `gasl`"]);
    assert_eq!(
        check("ham", "use crate::{base::Value, flow::{Run}};"),
        ["f.rs:1: `ham` names `flow`"]
    );
    assert_eq!(
        check("ham", "\nuse crate::{\n    base::{Span, Text},\n    flow,\n};"),
        ["f.rs:4: `ham` names `flow`"]
    );
    assert_eq!(check("base", "fn f() -> crate::ham::Node {}"), ["f.rs:1: `base` names `ham`"]);
    assert_eq!(check("wire", "use js_sys::Array;"), ["f.rs:1: `wire` names `js_sys`"]);
    assert_eq!(
        check("base", "let now = std::time::Instant::now();"),
        ["f.rs:1: `base` names `std::time`", "f.rs:1: `base` names `Instant`"]
    );
    assert_eq!(check("gasl", "use std::{fmt, fs};"), ["f.rs:1: `gasl` names `std::fs`"]);
    assert_eq!(check("flow", "use super::super::link;"), ["f.rs:1: `flow` names `link`"]);
    assert_eq!(check("gasl", "use byname::ham;"), ["f.rs:1: `gasl` names `ham`"]);
}

#[test]
fn accepts_allowed_paths() {
    let check = |module, text| violations_in(module, "f.rs", text);
    let none: [&str; 0] = [];
    assert_eq!(check("ham", "use crate::base::{Value, Span};\nuse std::fmt;"), none);
    assert_eq!(check("link", "use crate::{ham, gasl::Plan, flow::{self, Run}};"), none);
    assert_eq!(check("wasm", "use wasm_bindgen::prelude::*;\nuse crate::wire::Update;"), none);
    assert_eq!(check("ham", "// Unlike crate::gasl, no plan.\nfn operand() {}"), none);
    assert_eq!(check("ham", "use crate::ham::id; use super::update;"), none);
}

/// Accepted import circles. A circle that is removed must be removed from this list too.
const CIRCLES: &[&[&str]] = &[
    &["flow::generated", "flow::naming"],
    &[
        "flow::outline",
        "flow::outline::looking",
        "flow::reading",
        "flow::reading::node",
        "flow::reading::registry",
        "flow::workflow",
    ],
    &["flow::run", "flow::run::event", "flow::run::flight", "flow::run::store", "flow::run::trace"],
    &["flow::wiring", "flow::wiring::plain", "flow::wiring::unknown", "flow::wiring::uses"],
    &[
        "gasl::bind",
        "gasl::identity",
        "gasl::language::ast",
        "gasl::language::clauses",
        "gasl::language::comparing",
        "gasl::language::condition",
        "gasl::language::foreign",
        "gasl::language::lexer",
        "gasl::language::parser",
        "gasl::language::printer",
        "gasl::language::template",
        "gasl::language::token",
        "gasl::members",
        "gasl::predicate",
        "gasl::record",
        "gasl::state",
        "gasl::summary",
        "gasl::update",
        "gasl::variable",
    ],
    &[
        "gasl::commands",
        "gasl::commands::find",
        "gasl::commands::group",
        "gasl::commands::guard",
        "gasl::commands::join",
        "gasl::commands::meant",
        "gasl::commands::select",
        "gasl::commands::state",
    ],
    &[
        "gasl::commands::analyze",
        "gasl::commands::process",
        "gasl::commands::work",
        "gasl::model::asking",
        "gasl::task::plan",
        "gasl::task::plan::stored",
        "gasl::task::solve",
        "gasl::task::step",
    ],
    &["gasl::graph", "gasl::graph::adjacency", "gasl::graph::build"],
    &["gasl::graph::path_predicate", "gasl::graph::paths"],
    &["gasl::session", "gasl::session::entries"],
    &[
        "ham::arena::copier",
        "ham::arena::edited",
        "ham::binding",
        "ham::builder",
        "ham::builder::pointers",
        "ham::child_list",
        "ham::document",
        "ham::labels",
        "ham::list_diff",
        "ham::site",
        "ham::update",
    ],
    &[
        "ham::store",
        "ham::store::again",
        "ham::store::subscription",
        "ham::surface",
        "ham::surface::flush",
    ],
    &["ham::surface::refusal", "ham::surface::tree"],
];

/// Names of structs, enums and traits with more than one definition: the number of definitions, and the reason.
const SHARED_TYPE_NAMES: &[(&str, usize, &str)] = &[
    ("StopMask", 2, "same concept: one for each target"),
    ("Analysis", 2, "not yet qualified"),
    ("Answer", 2, "not yet qualified"),
    ("Block", 2, "not yet qualified"),
    ("Budget", 2, "not yet qualified"),
    ("Builder", 2, "not yet qualified"),
    ("Cell", 2, "not yet qualified"),
    ("Cells", 2, "not yet qualified"),
    ("Change", 2, "not yet qualified"),
    ("Collision", 2, "same concept: counterpart of the core type at the boundary"),
    ("Column", 2, "not yet qualified"),
    ("Context", 3, "not yet qualified"),
    ("Diagnostic", 2, "same concept: counterpart of the core type at the boundary"),
    ("Direction", 2, "not yet qualified"),
    ("Document", 2, "not yet qualified"),
    ("Edge", 2, "not yet qualified"),
    ("Edit", 2, "not yet qualified"),
    ("Effect", 2, "not yet qualified"),
    ("End", 2, "not yet qualified"),
    ("Entry", 4, "not yet qualified"),
    ("Event", 3, "not yet qualified"),
    ("Expected", 2, "not yet qualified"),
    ("Failure", 2, "not yet qualified"),
    ("Flow", 2, "not yet qualified"),
    ("Form", 2, "not yet qualified"),
    ("Found", 2, "not yet qualified"),
    ("Frame", 2, "not yet qualified"),
    ("Given", 2, "not yet qualified"),
    ("Graph", 2, "same concept: counterpart of the core type at the boundary"),
    ("Group", 4, "not yet qualified"),
    ("Held", 2, "not yet qualified"),
    ("History", 2, "not yet qualified"),
    ("Input", 2, "same concept: counterpart of the core type at the boundary"),
    ("Item", 2, "not yet qualified"),
    ("Key", 2, "not yet qualified"),
    ("Keys", 2, "not yet qualified"),
    ("Kind", 7, "not yet qualified"),
    ("Known", 3, "not yet qualified"),
    ("Limits", 3, "not yet qualified"),
    ("Location", 2, "same concept: counterpart of the core type at the boundary"),
    ("Members", 3, "not yet qualified"),
    ("Moment", 2, "not yet qualified"),
    ("Name", 3, "not yet qualified"),
    ("Next", 2, "not yet qualified"),
    ("Node", 2, "not yet qualified"),
    ("Nodes", 2, "not yet qualified"),
    ("Of", 2, "not yet qualified"),
    ("Op", 3, "not yet qualified"),
    ("Open", 3, "not yet qualified"),
    ("Options", 2, "not yet qualified"),
    ("Order", 3, "not yet qualified"),
    ("Origin", 2, "not yet qualified"),
    ("Outline", 2, "not yet qualified"),
    ("Part", 3, "not yet qualified"),
    ("Past", 2, "not yet qualified"),
    ("Path", 2, "not yet qualified"),
    ("Place", 4, "not yet qualified"),
    ("Places", 2, "not yet qualified"),
    ("Plan", 3, "not yet qualified"),
    ("PlanResult", 2, "same concept: counterpart of the core type at the boundary"),
    ("PlanStatus", 2, "same concept: counterpart of the core type at the boundary"),
    ("Question", 3, "not yet qualified"),
    ("Reader", 2, "not yet qualified"),
    ("Reading", 6, "not yet qualified"),
    ("Row", 2, "not yet qualified"),
    ("Rows", 3, "not yet qualified"),
    ("Run", 2, "not yet qualified"),
    ("Scope", 3, "not yet qualified"),
    ("Seen", 2, "not yet qualified"),
    ("Session", 2, "same concept: counterpart of the core type at the boundary"),
    ("Settings", 2, "not yet qualified"),
    ("Setup", 2, "not yet qualified"),
    ("Severity", 2, "same concept: counterpart of the core type at the boundary"),
    ("Shown", 2, "not yet qualified"),
    ("Source", 3, "not yet qualified"),
    ("Sources", 2, "not yet qualified"),
    ("State", 2, "not yet qualified"),
    ("Status", 3, "not yet qualified"),
    ("Step", 8, "not yet qualified"),
    ("Store", 3, "not yet qualified"),
    ("Table", 2, "not yet qualified"),
    ("Target", 3, "not yet qualified"),
    ("Template", 3, "not yet qualified"),
    ("Test", 2, "not yet qualified"),
    ("Text", 2, "not yet qualified"),
    ("Tree", 2, "not yet qualified"),
    ("Turn", 2, "not yet qualified"),
    ("Value", 2, "not yet qualified"),
    ("View", 3, "not yet qualified"),
    ("Walk", 2, "not yet qualified"),
];

fn modules() -> Modules {
    Modules::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

#[test]
fn no_import_circles() {
    let modules = modules();
    let circles = modules.circles();
    let added = circles.iter().filter(|circle| !CIRCLES.contains(&circle.as_slice()));
    let gone = CIRCLES.iter().filter(|circle| !circles.iter().any(|found| found == *circle));
    let added: Vec<String> = added.map(|circle| format!("import circle: {circle:?}")).collect();
    let gone: Vec<String> =
        gone.map(|circle| format!("gone, remove it from `CIRCLES`: {circle:?}")).collect();
    let wrong = [added, gone].concat();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn finds_import_circles() {
    let check = |sources: &[(&str, &str)]| {
        let mut modules = Modules::default();
        sources.iter().for_each(|(path, text)| modules.add_source(path, text));
        let circles = modules.circles();
        circles.iter().map(|circle| circle.join(" ")).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    let b = "pub struct B; pub fn f() {}";
    let pair = |a: &str, b: &str| check(&[("a", a), ("b", b)]);
    assert_eq!(pair("use crate::b::B; struct A;", b), none);
    assert_eq!(
        pair("use crate::{b::{B, f}}; pub struct A;", "use super::a::A; pub struct B;"),
        ["a b"]
    );
    assert_eq!(pair("fn g() { crate::b::f() }", "fn f() { vec![super::a::g()]; }"), ["a b"]);
    assert_eq!(pair("use super::b; fn g() { b::f() }", "use crate::a::*; pub fn f() {}"), ["a b"]);
    // The name of a module alone uses none of its items, and tests are left out.
    assert_eq!(pair("use crate::b; struct A;", "use crate::a::A; pub struct B;"), none);
    assert_eq!(pair("use crate::b::B; struct A;", "#[cfg(test)] mod t { use crate::a::A; }"), none);
    // A parent may re-export items of its child; using them is an import.
    let family = |parent: &str, child: &str| check(&[("a", parent), ("a::c", child)]);
    assert_eq!(family("mod c; pub use c::C; pub struct A;", "use super::A; pub struct C;"), none);
    assert_eq!(family("mod c; use c::C; pub struct A;", "use super::A; pub struct C;"), ["a a::c"]);
    assert_eq!(family("mod c; fn g() { c::C; }", "use self::super::g; pub struct C;"), ["a a::c"]);
    // A re-export is followed to the module that defines the item.
    let through = [("a", "use crate::p::C;\npub struct A;"), ("p", "mod c; pub use c::C;")];
    assert_eq!(
        check(&[through[0], through[1], ("p::c", "use crate::a::A; pub struct C;")]),
        ["a p::c"]
    );
}

#[test]
fn type_names_are_unique() {
    let modules = modules();
    let shared = modules.types().into_iter().filter(|(_, places)| places.len() > 1);
    let shared: Vec<(&str, usize, String)> =
        shared.map(|(name, places)| (name, places.len(), places.join(", "))).collect();
    let is_listed = |(name, count, _): &&(&str, usize, String)| {
        SHARED_TYPE_NAMES.iter().any(|(listed, times, _)| listed == name && times == count)
    };
    let added = shared.iter().filter(|found| !is_listed(found));
    let added =
        added.map(|(name, count, places)| format!("`{name}` is defined {count} times: {places}"));
    let is_found = |(name, count, _): &&(&str, usize, &str)| {
        shared.iter().any(|(found, times, _)| found == name && times == count)
    };
    let gone = SHARED_TYPE_NAMES.iter().filter(|listed| !is_found(listed));
    let gone = gone.map(|(name, count, _)| {
        format!("`{name}` is not defined {count} times; correct `SHARED_TYPE_NAMES`")
    });
    let wrong: Vec<String> = added.chain(gone).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Returns one line for each path that a source of this module may not name.
fn violations_in(module: &str, name: &str, text: &str) -> Vec<String> {
    let allowed = EDGES.iter().find(|(of, _)| *of == module).map(|(_, uses)| *uses);
    let Some(allowed) = allowed else {
        return vec![format!("{name}: `{module}` is not in `EDGES`; add it")];
    };
    let mut found = Vec::new();
    for path in paths_in(text) {
        let foreign = EDGES.iter().map(|(other, _)| *other).find(|other| {
            let roots = ["crate", "byname", "super"];
            *other != module
                && !allowed.contains(other)
                && roots.iter().any(|root| path.ends_with(&format!("{root}::{other}")))
        });
        let javascript = JAVASCRIPT.iter().copied().filter(|_| module != "wasm");
        let outside = OUTSIDE.iter().copied().filter(|_| CORE.contains(&module));
        let forbidden = javascript.chain(outside).filter(|words| path.ends_with(words));
        found.extend(foreign.into_iter().chain(forbidden).map(|what| (path.line, what)));
    }
    found.iter().map(|(line, what)| format!("{name}:{line}: `{module}` names `{what}`")).collect()
}

/// A path such as `crate::ham::Node`, and the line of its last name.
struct NamedPath {
    line: usize,
    names: Vec<String>,
}

impl NamedPath {
    fn ends_with(&self, words: &str) -> bool {
        let words: Vec<&str> = words.split("::").collect();
        self.names.windows(words.len()).last().is_some_and(|names| names == words)
    }
}

/// Returns every path of a source and every prefix of one, with the braces of `use` expanded.
/// Comments are skipped, so a name in prose is not a violation.
fn paths_in(text: &str) -> Vec<NamedPath> {
    let mut paths = Vec::new();
    // Names before each open brace of a `use`, and the current path.
    let mut outer: Vec<Vec<String>> = Vec::new();
    let mut current: Vec<String> = Vec::new();
    let mut joined = false;
    for (line, token) in tokens(text) {
        match token.as_str() {
            "::" => {
                joined = true;
                continue;
            }
            "{" => outer.push(if joined { current.clone() } else { Vec::new() }),
            "}" => drop(outer.pop()),
            _ => {}
        }
        let is_name = token.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if !(is_name && joined) {
            current = outer.last().cloned().unwrap_or_default();
        }
        joined = false;
        if is_name {
            current.push(token);
            paths.push(NamedPath { line, names: current.clone() });
        }
    }
    paths
}

/// Returns names, `::` and single characters with their lines.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        let mut rest = code.chars().peekable();
        while let Some(c) = rest.next() {
            let mut token = String::from(c);
            if c.is_alphanumeric() || c == '_' {
                while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    token.push(c);
                }
            } else if c == ':' && rest.next_if_eq(&':').is_some() {
                token.push(':');
            }
            if !c.is_whitespace() {
                found.push((index + 1, token));
            }
        }
    }
    found
}

/// Returns the top-level module of a file in `src`: `ham` for `ham/update.rs` and `ham.rs`.
fn module_of(name: &str) -> Option<&str> {
    let top = name.split('/').next()?.trim_end_matches(".rs");
    (top != "lib").then_some(top)
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
