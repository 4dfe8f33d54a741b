//! Who may use whom among the modules of the crate (the edges of ARCHITECTURE.md), read from the
//! sources: the compiler would let any module use any other.

// A test says what is wrong by panicking.
#![allow(clippy::panic)]

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

/// Crates that know JavaScript: only `wasm` names them.
const JAVASCRIPT: [&str; 4] = ["wasm_bindgen", "js_sys", "web_sys", "serde_wasm_bindgen"];

/// Clock, files, network, threads and chance: the core asks the host for their results.
const OUTSIDE: [&str; 7] =
    ["std::time", "std::fs", "std::net", "std::thread", "rand", "SystemTime", "Instant"];

/// The modules that a host drives, and that do nothing by themselves.
const CORE: [&str; 5] = ["base", "ham", "gasl", "flow", "link"];

#[test]
fn the_sources_keep_to_the_layers() {
    let mut violations = Vec::new();
    let mut files = 0;
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in rust_files(&src) {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let name = path.strip_prefix(&src).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        // The top file belongs to no layer: it lists the modules.
        if let Some(module) = module_of(&name) {
            violations.extend(violations_in(module, &name, &text));
        }
        files += 1;
    }
    assert!(files > 0, "no sources found in {}", src.display());
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

#[test]
fn violations_are_seen() {
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
fn what_is_allowed_passes() {
    let check = |module, text| violations_in(module, "f.rs", text);
    let none: [&str; 0] = [];
    assert_eq!(check("ham", "use crate::base::{Value, Span};\nuse std::fmt;"), none);
    assert_eq!(check("link", "use crate::{ham, gasl::Plan, flow::{self, Run}};"), none);
    assert_eq!(check("wasm", "use wasm_bindgen::prelude::*;\nuse crate::wire::Update;"), none);
    assert_eq!(check("ham", "// Unlike crate::gasl, no plan.\nfn operand() {}"), none);
    assert_eq!(check("ham", "use crate::ham::id; use super::update;"), none);
}

/// What a source of this module names and must not, one line each.
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

/// A path such as `crate::ham::Node`, and the line where its last name stands.
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

/// Every path of a source and every beginning of one, those in the braces of a `use` spelled out.
/// Comments are passed over, so a name in prose is no violation.
fn paths_in(text: &str) -> Vec<NamedPath> {
    let mut paths = Vec::new();
    // The names before each open brace of a `use`, and the path being read.
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

/// Names, `::` and single signs with their lines.
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

/// The module that a file below `src` belongs to: `ham/update.rs` and `ham.rs` to `ham`.
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
