//! Runs workloads of fixed size and prints one line of JSON for each: number of allocations, allocated bytes and a
//! number that the workload returns. The counts are equal in every run with the same compiler. `scripts/counts.mjs`
//! compares them with the committed ones, and counts the instructions of [`measured`] with valgrind if installed.
//!
//! `byname-counts NAME` runs one workload.

mod allocator;
mod documents;
mod flows;
mod graphs;
mod random;

use allocator::Allocations;

/// A prepared workload. It returns the number of words, bytes or rows that it produced.
type Workload = Box<dyn FnMut() -> usize>;

/// Name of a workload with its preparation.
type NamedWorkload = (&'static str, fn() -> Workload);

fn main() {
    let wanted = std::env::args().nth(1);
    let workloads = [documents::WORKLOADS, graphs::WORKLOADS, flows::WORKLOADS].concat();
    for (name, prepare) in workloads {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            count(name, prepare());
        }
    }
}

fn count(name: &str, mut work: Workload) {
    let before = Allocations::now();
    let result = measured(&mut work);
    let Allocations { allocations, bytes } = Allocations::since(before);
    println!(
        r#"{{"name":"{name}","allocations":{allocations},"bytes":{bytes},"result":{result}}}"#
    );
}

/// Runs the workload. Its instructions are counted by the name of this function, so it is not inlined.
#[inline(never)]
fn measured(work: &mut Workload) -> usize {
    work()
}
