//! Dependencies between the modules of the crate: layers (the edges of ARCHITECTURE.md), import
//! circles, and shared type names. They are read from the sources, because the compiler lets any
//! module use any other.

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

/// Names of structs, enums and traits with more than one definition: the number of definitions, and the reason.
const SHARED_TYPE_NAMES: &[(&str, usize, &str)] = &[
    ("Collision", 2, "same concept: counterpart of the core type at the boundary"),
    ("Context", 2, "same concept: counterpart of the core type at the boundary"),
    ("Diagnostic", 2, "same concept: counterpart of the core type at the boundary"),
    ("Graph", 2, "same concept: counterpart of the core type at the boundary"),
    ("HostResponse", 2, "same concept: response of the host to a request"),
    ("Location", 2, "same concept: counterpart of the core type at the boundary"),
    ("Plan", 2, "same concept: counterpart of the core type at the boundary"),
    ("PlanResult", 2, "same concept: counterpart of the core type at the boundary"),
    ("PlanStatus", 2, "same concept: counterpart of the core type at the boundary"),
    ("Reading", 2, "same concept: counterpart of the core type at the boundary"),
    ("Session", 2, "same concept: counterpart of the core type at the boundary"),
    ("Severity", 2, "same concept: counterpart of the core type at the boundary"),
    ("Status", 2, "same concept: counterpart of the core type at the boundary"),
    ("StepStatus", 2, "same concept: counterpart of the core type at the boundary"),
    ("StopMask", 2, "same concept: one for each target"),
    ("Store", 2, "same concept: counterpart of the core type at the boundary"),
    ("Value", 2, "same concept: a JSON value, owned or in an arena"),
];

fn modules() -> Modules {
    Modules::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

#[test]
fn no_import_circles() {
    let modules = modules();
    let circles: Vec<String> =
        modules.circles().iter().map(|circle| format!("import circle: {circle:?}")).collect();
    assert!(circles.is_empty(), "\n{}", circles.join("\n"));
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
        return vec![format!("{name}: `{module}` has no place among the layers; give it one")];
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
