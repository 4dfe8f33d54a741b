//! Lists of what an iterator gives.

/// For every iterator.
pub trait Gather: Iterator + Sized {
    /// A list of all that comes, as `collect` makes it; for whatever is not in a hurry. This is one
    /// loop, where `collect` is three functions for each kind of iterator.
    fn gather(self) -> Vec<Self::Item> {
        let mut list = Vec::new();
        for item in self {
            list.push(item);
        }
        list
    }
}

impl<I: Iterator> Gather for I {}
