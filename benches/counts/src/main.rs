//! Does works of fixed size and prints, as one line of JSON each, what they took: allocations, the
//! bytes of those, and how much was told. The figures are the same in every run, on every machine
//! that has the same compiler; `scripts/counts.mjs` compares them with the committed ones, and
//! counts the instructions of [`measured`] with valgrind where that is installed.
//!
//! `byname-counts NAME` does one work.

mod allocator;
mod documents;
mod flows;
mod graphs;
mod seeded;

use allocator::Taken;

/// A work that is ready to be done; it answers how much it told or found.
type Work = Box<dyn FnMut() -> usize>;

/// Each work by name, with what gets it ready.
type Named = (&'static str, fn() -> Work);

fn main() {
    let wanted = std::env::args().nth(1);
    let works = [documents::WORKS, graphs::WORKS, flows::WORKS].concat();
    for (name, prepare) in works {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            count(name, prepare());
        }
    }
}

fn count(name: &str, mut work: Work) {
    let before = Taken::now();
    let told = measured(&mut work);
    let Taken { allocations, bytes } = Taken::since(before);
    println!(r#"{{"name":"{name}","allocations":{allocations},"bytes":{bytes},"told":{told}}}"#);
}

/// Whose instructions are counted, with all that it calls; by name, so it is never inlined.
#[inline(never)]
fn measured(work: &mut Work) -> usize {
    work()
}
