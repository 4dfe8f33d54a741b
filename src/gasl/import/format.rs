//! Formats of graphs, recognised by the start of a text.

use super::codes;
use crate::base::{Diagnostic, Span};

/// Format of an imported graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    GraphMl,
    Gexf,
    NodeLink,
    Adjacency,
    Graphology,
    Cytoscape,
    Vis,
    JsonGraph,
    Csv,
}

impl GraphFormat {
    const ALL: [GraphFormat; 9] = [
        GraphFormat::GraphMl,
        GraphFormat::Gexf,
        GraphFormat::NodeLink,
        GraphFormat::Adjacency,
        GraphFormat::Graphology,
        GraphFormat::Cytoscape,
        GraphFormat::Vis,
        GraphFormat::JsonGraph,
        GraphFormat::Csv,
    ];

    /// Returns the format of a name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<GraphFormat> {
        GraphFormat::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the name in options and in `graph.format`.
    pub fn name(self) -> &'static str {
        match self {
            GraphFormat::GraphMl => "graphml",
            GraphFormat::Gexf => "gexf",
            GraphFormat::NodeLink => "node-link",
            GraphFormat::Adjacency => "adjacency",
            GraphFormat::Graphology => "graphology",
            GraphFormat::Cytoscape => "cytoscape",
            GraphFormat::Vis => "vis",
            GraphFormat::JsonGraph => "json-graph",
            GraphFormat::Csv => "csv",
        }
    }

    /// Returns the name in messages.
    pub fn message_name(self) -> &'static str {
        match self {
            GraphFormat::GraphMl => "GraphML",
            GraphFormat::Gexf => "GEXF",
            GraphFormat::NodeLink => "node-link JSON",
            GraphFormat::Adjacency => "NetworkX adjacency JSON",
            GraphFormat::Graphology => "graphology JSON",
            GraphFormat::Cytoscape => "Cytoscape.js JSON",
            GraphFormat::Vis => "vis.js JSON",
            GraphFormat::JsonGraph => "JSON Graph Format",
            GraphFormat::Csv => "CSV",
        }
    }

    /// Returns the call that reads the format.
    fn reader_call(self) -> &'static str {
        match self {
            GraphFormat::GraphMl => "Graph.fromGraphML(source)",
            GraphFormat::Gexf => "Graph.fromGexf(source)",
            GraphFormat::NodeLink => "Graph.fromNodeLink(source)",
            GraphFormat::Csv => "Graph.fromCsv({ nodes, edges })",
            _ => "Graph.from(source)",
        }
    }

    /// Returns whether the format is JSON.
    pub fn is_json(self) -> bool {
        !matches!(self, GraphFormat::GraphMl | GraphFormat::Gexf | GraphFormat::Csv)
    }
}

/// Format of a text, as far as its start shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    GraphMl,
    Gexf,
    /// JSON of any dialect.
    Json,
    /// A format that is recognised but not supported.
    Unsupported(&'static str),
    /// Anything else, which is read as a table.
    Table,
}

/// Number of bytes that are inspected.
const MAX_INSPECTED_BYTES: usize = 4096;

/// Returns the format of a text.
pub fn text_format(bytes: &[u8]) -> TextFormat {
    let start = bytes.get(..MAX_INSPECTED_BYTES.min(bytes.len())).unwrap_or_default();
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.as_bytes().first() {
        Some(b'{' | b'[') if has_json_lines(text) => {
            return TextFormat::Unsupported("JSON Lines");
        }
        Some(b'{' | b'[') => return TextFormat::Json,
        Some(b'<') => return xml_format(text),
        _ => {}
    }
    let after_comments = without_comments(text);
    let is_commented = after_comments.len() < text.len();
    let name = unsupported_format(text, TgfRecognition::Allowed).or_else(|| {
        let name =
            is_commented.then(|| unsupported_format(after_comments, TgfRecognition::Excluded));
        name.flatten()
    });
    if let Some(name) = name {
        return TextFormat::Unsupported(name);
    }
    // A comment of DOT is not a comment of a table.
    if text.starts_with("//") || text.starts_with("/*") {
        match after_comments.as_bytes().first() {
            Some(b'{' | b'[') => return TextFormat::Json,
            Some(b'<') => return xml_format(after_comments),
            _ => {}
        }
    }
    match text.contains("<graphml") {
        true => TextFormat::GraphMl,
        false => TextFormat::Table,
    }
}

/// Returns the format of a text that starts with `<`, by its first element.
fn xml_format(text: &str) -> TextFormat {
    // A line of N-Triples begins with an address in angle brackets.
    let is_address = text.split(['>', ' ', '\n']).next().is_some_and(|name| name.contains("://"));
    match root_element(text) {
        _ if is_address => TextFormat::Unsupported("N-Triples"),
        Some("gexf") => TextFormat::Gexf,
        Some("graph") => TextFormat::Unsupported("XGMML"),
        Some("RDF") => TextFormat::Unsupported("RDF/XML"),
        _ => TextFormat::GraphMl,
    }
}

/// Returns the local name of the first element of an XML text.
fn root_element(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.split_once('<')?.1;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->")?.1;
        } else if !rest.starts_with(['?', '!']) {
            break;
        }
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?;
    let name = rest.get(..end)?;
    Some(name.rsplit_once(':').map_or(name, |(_, local)| local))
}

/// Returns whether a line ends with `}` and the next one begins with `{`. No JSON document does.
fn has_json_lines(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines().zip(lines().skip(1)).any(|(line, next)| line.ends_with('}') && next.starts_with('{'))
}

/// Returns the text after comments of DOT, GML and Pajek: `//`, `/* … */`, `#` and `%`.
fn without_comments(text: &str) -> &str {
    let mut rest = text;
    loop {
        let after = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map(|(_, after)| after)
        } else if rest.starts_with("//") || rest.starts_with(['#', '%']) {
            rest.split_once('\n').map(|(_, after)| after)
        } else {
            return rest;
        };
        let Some(after) = after else { return rest };
        rest = after.trim_start();
    }
}

/// Whether TGF is recognised, whose separator is a comment of tables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TgfRecognition {
    Allowed,
    Excluded,
}

/// Returns the name of a recognised format that is not read.
fn unsupported_format(text: &str, trivial: TgfRecognition) -> Option<&'static str> {
    let start: String = text.chars().take(200).collect::<String>().to_ascii_lowercase();
    let words: Vec<&str> = start.split_whitespace().take(4).collect();
    let first = words.first().copied().unwrap_or_default();
    let second = words.get(1).copied().unwrap_or_default();
    // Neither a table nor a JSON document has a line of `#` between lines of numbers and names.
    let can_be_trivial = trivial == TgfRecognition::Allowed && !first.starts_with('#');
    let is_trivial = || can_be_trivial && text.lines().any(|line| line.trim() == "#");
    let opens = |open: char| words.iter().any(|word| word.contains(open));
    let is_keyword = |name: &str| first.split(['{', '[']).next() == Some(name);
    Some(match () {
        () if first.starts_with("%%matrixmarket") => "Matrix Market",
        () if PAJEK_SECTIONS.contains(&first) => "Pajek",
        () if (is_keyword("digraph") || is_keyword("graph") || first == "strict") && opens('{') => {
            "Graphviz DOT"
        }
        () if is_keyword("graph") && opens('[') => "GML",
        () if first == "creator" && second.starts_with('"') => "GML",
        () if ["version", "comment"].contains(&first) && has_gml_graph(text) => "GML",
        () if first == "@prefix" => "Turtle",
        () if first == "dl"
            && UCINET_PARAMETERS.contains(&second.split('=').next().unwrap_or_default()) =>
        {
            "UCINET DL"
        }
        () if is_lgl(text) => "LGL",
        () if first.starts_with("nodedef>") => "GDF",
        () if first.starts_with("%pdf") || first.starts_with("pk\u{3}") => "a binary file",
        () if is_keyword("flowchart")
            || (first == "graph" && MERMAID_DIRECTIONS.contains(&second)) =>
        {
            "Mermaid"
        }
        () if is_trivial() => "TGF",
        () => return None,
    })
}

/// Sections of Pajek in lower case.
const PAJEK_SECTIONS: [&str; 5] = ["*vertices", "*network", "*arcs", "*edges", "*matrix"];

/// Parameters of UCINET DL in lower case.
const UCINET_PARAMETERS: [&str; 3] = ["n", "nr", "nm"];

fn has_gml_graph(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.any(|line| line.strip_prefix("graph").is_some_and(|rest| rest.trim_start() == "["))
}

/// Returns whether the lines with `#` name the sources of the edges on the lines below. Unlike those of
/// comments, some of these names are also targets.
fn is_lgl(text: &str) -> bool {
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["#", source] => sources.push(*source),
            [] => {}
            _ if sources.is_empty() || line.starts_with('#') => return false,
            [target] | [target, _] => targets.push(*target),
            // The inspected part may end within a line.
            _ => return false,
        }
    }
    targets.sort_unstable();
    sources.len() > 1 && sources.iter().any(|source| targets.binary_search(source).is_ok())
}

/// Directions of a Mermaid diagram in lower case.
const MERMAID_DIRECTIONS: [&str; 5] = ["td", "tb", "bt", "lr", "rl"];

/// Returns the error for a text that is read as XML and has another format; `None` for other texts.
pub fn not_xml(expected: GraphFormat, text: &str, at: Span) -> Option<Diagnostic> {
    let found = match text_format(text.as_bytes()) {
        TextFormat::Unsupported(name) => return Some(unsupported(name).at(at)),
        TextFormat::Gexf => GraphFormat::Gexf,
        TextFormat::Json => GraphFormat::NodeLink,
        TextFormat::GraphMl if root_element(text) == Some("graphml") => GraphFormat::GraphMl,
        TextFormat::Table if text.lines().next()?.contains([',', ';', '\t', '|']) => {
            GraphFormat::Csv
        }
        _ => return None,
    };
    (found != expected).then(|| wrong_format(expected, found, at))
}

/// Returns the error for a text of another format than the called method reads.
pub fn wrong_format(expected: GraphFormat, found: GraphFormat, at: Span) -> Diagnostic {
    let message = format!("expected {}, found {}", expected.message_name(), found.message_name());
    Diagnostic::new(codes::WRONG_FORMAT, message)
        .help(format!("call `{}`", found.reader_call()))
        .at(at)
}

/// Returns the error for a format that is recognised and not read.
pub fn unsupported(name: &str) -> Diagnostic {
    Diagnostic::new(codes::WRONG_FORMAT, format!("{name} is not a supported format"))
        .help("convert the file to GraphML, for example with NetworkX, igraph or Gephi")
        .at(Span::new(0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_recognised_by_their_start() {
        let check = |text: &str, expected| assert_eq!(text_format(text.as_bytes()), expected);
        check("\u{feff} {\"nodes\": []}", TextFormat::Json);
        check("[", TextFormat::Json);
        check("<?xml version='1.0'?><!-- <a> --><g:gexf version='1.3'>", TextFormat::Gexf);
        check("<graphml/>", TextFormat::GraphMl);
        check("<svg/>", TextFormat::GraphMl);
        check("Here it is:\n<graphml>", TextFormat::GraphMl);
        check("strict digraph G { a -> b }", TextFormat::Unsupported("Graphviz DOT"));
        check("graph{a--b}", TextFormat::Unsupported("Graphviz DOT"));
        check("graph [\n directed 1", TextFormat::Unsupported("GML"));
        check("Creator \"igraph\"\ngraph [", TextFormat::Unsupported("GML"));
        check("*Vertices 3", TextFormat::Unsupported("Pajek"));
        check("%%MatrixMarket matrix coordinate", TextFormat::Unsupported("Matrix Market"));
        check("<http://a> <http://b> <http://c> .", TextFormat::Unsupported("N-Triples"));
        check("<graph label='n'/>", TextFormat::Unsupported("XGMML"));
        check("<rdf:RDF>", TextFormat::Unsupported("RDF/XML"));
        check("nodedef>name VARCHAR\na", TextFormat::Unsupported("GDF"));
        check("1 A\r\n2 B\r\n#\r\n1 2", TextFormat::Unsupported("TGF"));
        check("graph TD\n A-->B", TextFormat::Unsupported("Mermaid"));
        check("graph td2\n", TextFormat::Table);
        check("// made by hand\n/* a\n b */ digraph G {", TextFormat::Unsupported("Graphviz DOT"));
        check("# 1\n#2\ngraph G {\n", TextFormat::Unsupported("Graphviz DOT"));
        check("# igraph\ngraph\n[\n", TextFormat::Unsupported("GML"));
        check("Version 1\ngraph\n[\n", TextFormat::Table);
        check("Version 1\ngraph [\n", TextFormat::Unsupported("GML"));
        check("% x\n*Vertices 3\n", TextFormat::Unsupported("Pajek"));
        check("*Arcs\n1 2", TextFormat::Unsupported("Pajek"));
        check("DL N = 3", TextFormat::Unsupported("UCINET DL"));
        check("# a\nb 1\n# b\nc 2\n", TextFormat::Unsupported("LGL"));
        check("# a\n1 2\n# b\n2 3\n", TextFormat::Table);
        check("# a\n1 2\n#\n2 3\n", TextFormat::Table);
        check("// d3\n{\"nodes\": []}", TextFormat::Json);
        check("// only a comment", TextFormat::Table);
        check("# a\n#\n1 2", TextFormat::Table);
        check("{\"a\": 1}\n\n{\"a\": 2}", TextFormat::Unsupported("JSON Lines"));
        check("{\"a\":\n{}\n}\n", TextFormat::Json);
        check("graph,source\n", TextFormat::Table);
        check("", TextFormat::Table);
        check("# comment\n1 2", TextFormat::Table);
    }

    #[test]
    fn names_lead_back_to_formats() {
        for format in GraphFormat::ALL {
            assert_eq!(GraphFormat::from_name(format.name()), Some(format));
        }
        assert_eq!(GraphFormat::from_name("GraphML"), None);
    }
}
