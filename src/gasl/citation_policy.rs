//! Handling of findings that cite no row.

/// Handling of findings that cite no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationPolicy {
    /// Rejects the reply.
    Required,
    /// Marks them as `uncited` and warns.
    Warn,
}

impl CitationPolicy {
    /// Parses the option `citations`; returns `None` for another word.
    pub fn parse(word: &str) -> Option<CitationPolicy> {
        [CitationPolicy::Required, CitationPolicy::Warn].into_iter().find(|one| one.word() == word)
    }

    /// Returns the value of the option `citations`.
    pub fn word(self) -> &'static str {
        match self {
            CitationPolicy::Required => "required",
            CitationPolicy::Warn => "warn",
        }
    }
}
