//! Options of an import.

use super::format::GraphFormat;

/// Options of an import; an omitted one is read from the source.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Format of the source.
    pub format: Option<GraphFormat>,
    /// Whether edges are directed.
    pub directed: Option<bool>,
    /// Field or column of the node ids; [`POSITION_ID`] means the position of a node.
    pub id: Option<String>,
    /// Fields or columns of the ends of edges.
    pub source: Option<String>,
    pub target: Option<String>,
}

/// Value of [`ImportOptions::id`] for the position of a node, counted from 0.
pub const POSITION_ID: &str = "#";

impl ImportOptions {
    /// Returns the options without names, except for the direction.
    pub fn with_direction(directed: Option<bool>) -> ImportOptions {
        ImportOptions { directed, ..ImportOptions::default() }
    }

    /// Returns the names of both ends, if one of them is given.
    pub fn ends(&self) -> Option<[&str; 2]> {
        let is_given = self.source.is_some() || self.target.is_some();
        let source = self.source.as_deref().unwrap_or("source");
        let target = self.target.as_deref().unwrap_or("target");
        is_given.then_some([source, target])
    }
}
