//! Builds an imported graph, checks its limits and collects warnings.

use super::similar_ids::{SimilarIds, similar_ids};
use super::{ImportLimits, ImportResult, codes};
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Code, Diagnostic, Span};
use crate::gasl::graph::{AttributeValue, DecimalIds, Element, GraphBuilder, QuoteHandling};

/// Graph builder with limits and warnings.
pub struct ImportBuilder {
    pub builder: GraphBuilder,
    /// Whether the text is an exported graph, whose ids were checked before.
    is_export: bool,
    limits: ImportLimits,
    warnings: WarningSet,
}

/// First diagnostic of each code, with the number of further ones.
#[derive(Default)]
pub struct WarningSet(Vec<(Diagnostic, usize)>);

impl WarningSet {
    /// Adds the diagnostic that `make` returns, or counts it if its code is known.
    pub fn add(&mut self, code: Code, make: impl FnOnce() -> Diagnostic) {
        match self.0.iter_mut().find(|(first, _)| first.code == code) {
            Some((_, more)) => *more += 1,
            None => self.0.push((make(), 0)),
        }
    }

    /// Returns the diagnostics; each message states the number of further ones.
    pub fn finish(self) -> Vec<Diagnostic> {
        let counted = |(diagnostic, more): (Diagnostic, usize)| match more {
            0 => diagnostic,
            _ => {
                let message = format!("{}, and {more} more like it", diagnostic.message);
                Diagnostic { message, ..diagnostic }
            }
        };
        self.0.into_iter().map(counted).collect()
    }
}

impl ImportBuilder {
    /// Returns a builder of an empty graph.
    pub fn new(quotes: QuoteHandling, limits: ImportLimits) -> ImportBuilder {
        ImportBuilder {
            builder: GraphBuilder::new(quotes),
            is_export: quotes == QuoteHandling::Keep,
            limits,
            warnings: WarningSet::default(),
        }
    }

    /// Returns whether the text is an exported graph, which has no other names of ids and ends.
    pub fn is_export(&self) -> bool {
        self.is_export
    }

    /// Adds a diagnostic of a code that can be reported several times.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.warnings.0.push((diagnostic, 0));
    }

    /// Adds a warning; see [`WarningSet::add`].
    pub fn warn(&mut self, code: Code, make: impl FnOnce() -> Diagnostic) {
        self.warnings.add(code, make);
    }

    /// Adds a node. Returns its row, and whether it was already listed; attributes are merged.
    pub fn add_node(&mut self, id: &str, at: Span) -> Result<(u32, bool), Diagnostic> {
        let (row, is_listed) = self.builder.add_node(id);
        if is_listed {
            self.warn(codes::DUPLICATE_NODE, || {
                Diagnostic::new(codes::DUPLICATE_NODE, format!("duplicate node {}", quote(id)))
                    .help("give each node a unique id; the attributes of both were merged")
                    .at(at)
            });
        }
        self.check(self.builder.node_count(), self.limits.nodes, "nodes", at)?;
        Ok((row, is_listed))
    }

    /// Returns the row of an endpoint of an edge, adding the node if it is new.
    pub fn endpoint(&mut self, id: &str, at: Span) -> Result<u32, Diagnostic> {
        let row = self.builder.endpoint(id);
        self.check(self.builder.node_count(), self.limits.nodes, "nodes", at)?;
        Ok(row)
    }

    /// Adds an edge. Returns its row; a duplicate id is replaced with a generated one.
    pub fn add_edge(
        &mut self,
        id: Option<&str>,
        source: u32,
        target: u32,
        at: Span,
    ) -> Result<u32, Diagnostic> {
        let (row, has_id) = self.builder.add_edge(id, source, target);
        if let Some(id) = id.filter(|_| !has_id) {
            self.warn(codes::DUPLICATE_EDGE_ID, || {
                let message = format!("duplicate edge id {}", quote(id));
                Diagnostic::new(codes::DUPLICATE_EDGE_ID, message)
                    .help("give each edge a unique id; this edge has a generated one")
                    .at(at)
            });
        }
        self.check(self.builder.edge_count(), self.limits.edges, "edges", at)?;
        Ok(row)
    }

    /// Returns the index of an attribute; see [`GraphBuilder::attribute_index`].
    pub fn attribute_index(
        &mut self,
        element: Element,
        name: &str,
        at: Span,
    ) -> Result<usize, Diagnostic> {
        let index = self.builder.attribute_index(element, name);
        let renamed = self.builder.attribute_name(element, index).filter(|other| *other != name);
        if let Some(renamed) = renamed.map(quote) {
            self.warn(codes::RENAMED_ATTRIBUTE, || {
                let message = format!("reserved attribute name {}", quote(name));
                Diagnostic::new(codes::RENAMED_ATTRIBUTE, message)
                    .help(format!("use {renamed} in queries"))
                    .at(at)
            });
        }
        self.check(self.builder.attribute_count(), self.limits.fields, "attributes", at)?;
        Ok(index)
    }

    /// Sets an attribute.
    pub fn set(
        &mut self,
        element: Element,
        name: &str,
        value: AttributeValue<'_>,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let attribute = self.attribute_index(element, name, at)?;
        self.builder.set_at(element, attribute, value);
        Ok(())
    }

    /// Returns an error if `count` attributes exceed the limit.
    pub fn check_attribute_count(&self, count: usize, at: Span) -> Result<(), Diagnostic> {
        self.check(count, self.limits.fields, "attributes", at)
    }

    /// Reports a node without an id, or an edge without endpoints.
    pub fn warn_incomplete(&mut self, message: &str, help: &str, at: Span) {
        self.warn(codes::INCOMPLETE_ELEMENT, || {
            Diagnostic::new(codes::INCOMPLETE_ELEMENT, message).help(help).at(at)
        });
    }

    fn check(&self, count: usize, limit: usize, what: &str, at: Span) -> Result<(), Diagnostic> {
        if count <= limit {
            return Ok(());
        }
        Err(Diagnostic::new(codes::LIMIT_EXCEEDED, format!("more than {limit} {what}"))
            .help("import a part of the graph, or query it through an adapter")
            .at(at))
    }

    /// Removes and returns the warnings so far.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings).finish()
    }

    /// Joins ids that differ only in a decimal point, and reports them.
    fn join_decimal_ids(&mut self) {
        let Some(DecimalIds { count, example: (decimal, integer), is_joined }) =
            self.builder.join_decimal_ids()
        else {
            return;
        };
        let help = match is_joined {
            true => {
                "they were read as one node; write the ids as integers, in pandas by `astype(\"Int64\")`"
            }
            false => {
                "they are different nodes, because other ids have no counterpart; write the ids as \
                 integers, in pandas by `astype(\"Int64\")`"
            }
        };
        self.warn(codes::DECIMAL_IDS, || {
            let (decimal, integer) = (quote(&decimal), quote(&integer));
            let message = match count {
                1 => format!("the id {decimal} differs from {integer} only in a decimal point"),
                _ => format!(
                    "{count} ids differ only in a decimal point, such as {decimal} and {integer}"
                ),
            };
            Diagnostic::new(codes::DECIMAL_IDS, message).help(help)
        });
    }

    /// Returns the graph with its warnings.
    pub fn finish(mut self) -> ImportResult {
        if !self.is_export {
            self.join_decimal_ids();
        }
        let unlisted = self.builder.unlisted_ids().count();
        if unlisted > 0 {
            let ids = names::format_names(self.builder.unlisted_ids());
            let message = match unlisted {
                1 => format!("an edge refers to the unlisted node {ids}"),
                _ => format!("edges refer to {unlisted} unlisted nodes: {ids}"),
            };
            self.warn(codes::UNLISTED_NODE, || {
                Diagnostic::new(codes::UNLISTED_NODE, message)
                    .help("list every node that has attributes")
            });
        }
        if !self.is_export
            && let Some(SimilarIds { count, examples }) = similar_ids(&self.builder)
        {
            let examples = names::format_names(examples.iter().map(|id| &**id));
            self.warn(codes::SIMILAR_IDS, || {
                let message =
                    format!("{count} ids differ only in letter case or white space: {examples}");
                Diagnostic::new(codes::SIMILAR_IDS, message)
                    .help("write the id of a node alike everywhere; each of these is its own node")
            });
        }
        let (graph, quoted_count) = self.builder.finish();
        if quoted_count > 0 {
            let message = match quoted_count {
                1 => "an id kept its quotes".to_owned(),
                _ => format!("{quoted_count} ids kept their quotes"),
            };
            self.warnings.add(codes::QUOTES_KEPT, || {
                Diagnostic::new(codes::QUOTES_KEPT, message)
                    .help("make ids unique without their quotes")
            });
        }
        Ok((graph, self.warnings.finish()))
    }
}
