//! Names the method that reads a text which is in another format than expected.

use crate::base::{Code, Diagnostic, Span};

/// Format of a text, by its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceFormat {
    GraphMl,
    Gexf,
    Json,
    /// Lines with separated cells.
    Table,
}

impl SourceFormat {
    /// Returns the format of a text; `None` if it has none of these.
    pub fn of(text: &str) -> Option<SourceFormat> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        match text.as_bytes().first()? {
            b'<' => SourceFormat::of_root(root_name(text)?),
            b'{' | b'[' => Some(SourceFormat::Json),
            _ => {
                let line = text.lines().next().unwrap_or_default();
                line.contains([',', ';', '\t', '|']).then_some(SourceFormat::Table)
            }
        }
    }

    /// Returns the format of a document by the name of its root element.
    pub fn of_root(name: &str) -> Option<SourceFormat> {
        match name {
            "graphml" => Some(SourceFormat::GraphMl),
            "gexf" => Some(SourceFormat::Gexf),
            _ => None,
        }
    }

    /// Returns the error for a text of this format in place of `expected`.
    pub fn unexpected(self, code: Code, expected: &str, at: Span) -> Diagnostic {
        let (found, method) = match self {
            SourceFormat::GraphMl => ("GraphML", "Graph.fromGraphML(source)"),
            SourceFormat::Gexf => ("GEXF", "Graph.fromGexf(source)"),
            SourceFormat::Json => ("JSON", "Graph.fromNodeLink(source)"),
            SourceFormat::Table => ("a table", "Graph.fromCsv({ nodes, edges })"),
        };
        Diagnostic::new(code, format!("expected {expected}, found {found}"))
            .help(format!("read it with `{method}`"))
            .at(at)
    }
}

/// Returns the local name of the root element of an XML document.
fn root_name(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let (_, tag) = rest.split_once('<')?;
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->")?.1;
        } else if tag.starts_with(['?', '!']) {
            rest = tag.split_once('>')?.1;
        } else {
            let end = tag.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
            let name = tag.get(..end)?;
            return Some(name.rsplit(':').next().unwrap_or(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_their_start() {
        let check = |text: &str, expected| assert_eq!(SourceFormat::of(text), expected, "{text}");
        check(
            "<?xml version='1.0'?><!-- <gexf> --><graphml xmlns='u'>",
            Some(SourceFormat::GraphMl),
        );
        check("\u{feff}\n<g:graphml/>", Some(SourceFormat::GraphMl));
        check("<gexf>", Some(SourceFormat::Gexf));
        check(" [1]", Some(SourceFormat::Json));
        check("{", Some(SourceFormat::Json));
        check("a,b\n1,2", Some(SourceFormat::Table));
        for text in ["", "<svg/>", "<", "<!--", "plain text", "<gexf"] {
            check(text, None);
        }
    }
}
