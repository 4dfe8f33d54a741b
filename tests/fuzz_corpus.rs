//! Runs the checks of the fuzz targets on the committed inputs, which cover all code that fuzzing has
//! reached.

#![cfg(all(feature = "gasl", feature = "flow"))]
// A failed test panics.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

#[path = "../fuzz/checks/mod.rs"]
mod checks;

use std::fs;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus")
}

/// Checks each input of a target.
fn replay(name: &str) {
    let (_, check) = checks::CHECKS.iter().find(|(target, _)| *target == name).unwrap();
    let mut count = 0;
    for file in fs::read_dir(corpus().join(name)).unwrap() {
        let path = file.unwrap().path();
        let input = fs::read(&path).unwrap();
        if let Err(panic) = std::panic::catch_unwind(|| check(&input)) {
            eprintln!("the input is {}", path.display());
            std::panic::resume_unwind(panic);
        }
        count += 1;
    }
    assert!(count > 10, "{name} has {count} inputs");
}

macro_rules! replays {
    ($($name:ident)*) => {
        /// Names of the targets below.
        const REPLAYED: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                replay(stringify!($name));
            }
        )*
    };
}

replays! {
    reader ham ham_text surface gasl_text gasl_plan gasl_rows graphml gexf csv graph_any flow_text flow_run
    template
}

#[test]
fn each_target_has_a_program_and_a_corpus() {
    let names: Vec<&str> = checks::CHECKS.iter().map(|(name, _)| *name).collect();
    assert_eq!(REPLAYED, names);
    let targets = corpus().join("../fuzz_targets");
    let mut programs: Vec<String> = fs::read_dir(targets)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    programs.sort();
    let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    names.sort();
    assert_eq!(programs, names);
}
