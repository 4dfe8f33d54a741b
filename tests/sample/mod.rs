//! Numbers of random cases.

/// Returns the number of cases to run: a quarter of `all`, or all with `BYNAME_FULL`, as for a release.
pub fn sample(all: u32) -> u32 {
    if std::env::var_os("BYNAME_FULL").is_some() { all } else { all / 4 }
}
