//! What can be wrong with a graph that is read.

use crate::base::Code;

/// `<node></edge>`: MALFORMED_XML that is not well formed.
pub const MALFORMED_XML: Code = Code::error("GASL100");
/// `<!DOCTYPE …>`, `&name;`: nothing is ever expanded.
pub const ENTITY: Code = Code::error("GASL101");
/// `<svg/>`: MALFORMED_XML without a graph.
pub const NOT_GRAPHML: Code = Code::error("GASL102");
/// `<hyperedge>`, `<port>`, a graph in a node, a second graph.
pub const SKIPPED_ELEMENT: Code = Code::warning("GASL103");
/// `<edge directed="true">` in a graph that is not directed.
pub const MIXED_DIRECTION: Code = Code::warning("GASL104");
/// `<data key="d0">many</data>` where `d0` is an `int`.
pub const WRONG_TYPE: Code = Code::warning("GASL105");
/// `<data key="d9">` without such a key.
pub const UNKNOWN_KEY: Code = Code::warning("GASL106");
/// `{"vertices": []}`: JSON of another form.
pub const NOT_NODE_LINK: Code = Code::error("GASL110");
/// A CSV header without the columns that are needed.
pub const MISSING_COLUMN: Code = Code::error("GASL120");
/// A row with more cells than the header has.
pub const EXTRA_CELLS: Code = Code::warning("GASL121");
/// `"a,b`: a quoted cell that is never closed.
pub const UNCLOSED_QUOTE: Code = Code::error("GASL122");
/// Two columns of one name.
pub const DUPLICATE_COLUMN: Code = Code::warning("GASL123");
/// A node that is listed twice.
pub const DUPLICATE_NODE: Code = Code::warning("GASL130");
/// Ends of edges that are not listed as nodes.
pub const UNLISTED_NODE: Code = Code::info("GASL131");
/// An attribute called `id`, or `source` or `target` of an edge.
pub const RENAMED_ATTRIBUTE: Code = Code::warning("GASL132");
/// An edge with an id that another edge has.
pub const DUPLICATE_EDGE_ID: Code = Code::warning("GASL133");
/// `"A"` beside `A`.
pub const QUOTES_KEPT: Code = Code::warning("GASL134");
/// A node without id, an edge without ends.
pub const INCOMPLETE_ELEMENT: Code = Code::warning("GASL135");
/// More than the limit.
pub const LIMIT_EXCEEDED: Code = Code::error("GASL140");
