//! Codes of diagnostics about imported graphs.

use crate::base::Code;

/// `<node></edge>`: malformed XML.
pub const MALFORMED_XML: Code = Code::error("GASL100");
/// `<!DOCTYPE …>`, `&name;`: entities are not expanded.
pub const UNSUPPORTED_ENTITY: Code = Code::error("GASL101");
/// `<svg/>`: not GraphML, or without a graph.
pub const NOT_GRAPHML: Code = Code::error("GASL102");
/// `<hyperedge>`, `<port>`, a second graph.
pub const SKIPPED_ELEMENT: Code = Code::warning("GASL103");
/// `<edge directed="true">` in an undirected graph.
pub const MIXED_DIRECTION: Code = Code::warning("GASL104");
/// `<data key="d0">many</data>` where `d0` is an `int`.
pub const WRONG_TYPE: Code = Code::warning("GASL105");
/// `<data key="d9">` without a `<key id="d9">`.
pub const UNKNOWN_KEY: Code = Code::warning("GASL106");
/// An attribute with two values in one element.
pub const ATTRIBUTE_SET_TWICE: Code = Code::warning("GASL107");
/// Data of a node whose key is declared for edges.
pub const KEY_OF_OTHER_ELEMENTS: Code = Code::warning("GASL108");
/// Two keys with one id for the same elements.
pub const DUPLICATE_KEY: Code = Code::warning("GASL109");
/// `{"vertices": []}`: JSON without a list `nodes`.
pub const NOT_NODE_LINK: Code = Code::error("GASL110");
/// A text of another format than the method reads, or of an unsupported format.
pub const WRONG_FORMAT: Code = Code::error("GASL111");
/// `{"nodes": […], "relationships": […]}`: a list of edges under another name.
pub const OTHER_EDGE_LIST: Code = Code::warning("GASL112");
/// `links` and `edges` that differ, or several lists that may be the edges.
pub const AMBIGUOUS_EDGE_LIST: Code = Code::error("GASL113");
/// `links` and `edges` that are equal.
pub const DUPLICATE_EDGE_LIST: Code = Code::info("GASL114");
/// A list of the document that was not read.
pub const UNREAD_LIST: Code = Code::warning("GASL115");
/// `{"graphs": [{…}, {…}]}`: several graphs in one document.
pub const SEVERAL_GRAPHS: Code = Code::error("GASL116");
/// `"directed": "maybe"`: a direction that is not a boolean.
pub const INVALID_DIRECTION: Code = Code::warning("GASL117");
/// A CSV header without a required column.
pub const MISSING_COLUMN: Code = Code::error("GASL120");
/// A row with more cells than the header has.
pub const EXTRA_CELLS: Code = Code::warning("GASL121");
/// `"a,b`: an unclosed quoted cell.
pub const UNCLOSED_QUOTE: Code = Code::error("GASL122");
/// Two columns with the same name.
pub const DUPLICATE_COLUMN: Code = Code::warning("GASL123");
/// A row with fewer cells than the header has.
pub const MISSING_CELLS: Code = Code::warning("GASL124");
/// A row with fewer cells whose ends are not listed; it was skipped.
pub const SKIPPED_ROW: Code = Code::warning("GASL125");
/// An edge list without a header.
pub const NO_HEADER: Code = Code::info("GASL126");
/// A column of numbers with decimal commas.
pub const DECIMAL_COMMA: Code = Code::info("GASL127");
/// A numeric column in which few cells are not numbers.
pub const NOT_NUMBERS: Code = Code::warning("GASL128");
/// A column with decimal commas and decimal points.
pub const MIXED_DECIMALS: Code = Code::warning("GASL129");
/// A node that is listed twice.
pub const DUPLICATE_NODE: Code = Code::warning("GASL130");
/// Endpoints of edges that are not listed as nodes.
pub const UNLISTED_NODE: Code = Code::info("GASL131");
/// An attribute called `id`, or `source` or `target` of an edge.
pub const RENAMED_ATTRIBUTE: Code = Code::warning("GASL132");
/// An edge with the id of another edge.
pub const DUPLICATE_EDGE_ID: Code = Code::warning("GASL133");
/// The ids `"A"` and `A` in one graph.
pub const QUOTES_KEPT: Code = Code::warning("GASL134");
/// A node without id, an edge without endpoints.
pub const INCOMPLETE_ELEMENT: Code = Code::warning("GASL135");
/// Ends of edges that are found in another column than the ids.
pub const OTHER_ID_COLUMN: Code = Code::warning("GASL136");
/// Nodes without ids, whose positions are their ids.
pub const POSITION_IDS: Code = Code::warning("GASL137");
/// Ends of edges that may be positions or ids.
pub const AMBIGUOUS_ENDS: Code = Code::error("GASL138");
/// Nodes without ids, whose ids are read from the column in which the ends are found.
pub const INFERRED_ID_COLUMN: Code = Code::info("GASL139");
/// A limit of the import is exceeded.
pub const LIMIT_EXCEEDED: Code = Code::error("GASL140");
/// `<graphml/>`, read as GEXF.
pub const NOT_GEXF: Code = Code::error("GASL150");
/// `INF`, `NaN`, `1e999`.
pub const NOT_FINITE: Code = Code::warning("GASL151");
/// Nodes in nodes.
pub const NESTED_NODES: Code = Code::info("GASL152");
/// Shapes and positions of yEd.
pub const UNREAD_DRAWING: Code = Code::info("GASL153");
/// The ids `Ann` and `ann ` in one graph.
pub const SIMILAR_IDS: Code = Code::warning("GASL154");
/// `{"n": 9007199254740993}`: an integer that doubles cannot represent.
pub const ROUNDED_ID: Code = Code::warning("GASL155");
/// `:START_ID(Person)`, `:END_ID(Movie)`: id spaces that are read as one.
pub const SEVERAL_ID_SPACES: Code = Code::warning("GASL156");
/// The ids `1` and `1.0` in one graph.
pub const DECIMAL_IDS: Code = Code::warning("GASL157");
/// Nodes and edges that share no id.
pub const NO_COMMON_IDS: Code = Code::warning("GASL158");
/// Numeric ends that may be positions of nodes or values of another field.
pub const POSITIONS_OR_FIELD: Code = Code::warning("GASL159");
/// `% bip unweighted`: ends that count the nodes of their own side.
pub const BIPARTITE_SIDES: Code = Code::info("GASL160");
/// `a b {'t': datetime(2020)}`: attributes that are not literals of Python.
pub const NOT_DICTIONARY: Code = Code::warning("GASL161");
/// `3 2` above two edges: the numbers of nodes and edges.
pub const COUNT_LINE: Code = Code::error("GASL162");
/// `attr.type="vector_string"`: an attribute with an unknown type.
pub const UNKNOWN_TYPE: Code = Code::warning("GASL163");
/// `Person;Actor` in a column `:LABEL`.
pub const SEVERAL_LABELS: Code = Code::warning("GASL164");
/// `1,5` and `1.234,5`: numbers in a column that was read as text.
pub const UNREAD_NUMBERS: Code = Code::warning("GASL172");
/// `ann,wrote,p1`: columns without a header, of which no two or several pairs share values.
pub const GUESSED_ENDS: Code = Code::warning("GASL173");
/// `"say \"hi\" x"` in a table that also has `""` in quoted cells.
pub const BACKSLASHES_KEPT: Code = Code::warning("GASL174");
