//! A graph that is being read, and what was odd about it.

use super::{Imported, Limits, codes};
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Code, Diagnostic, Span};
use crate::gasl::graph::{Builder, Given, Quotes, Row};

/// A builder that counts, and notes what it met.
pub struct Draft {
    pub builder: Builder,
    limits: Limits,
    notes: Notes,
}

/// One diagnostic of each kind: the first, and how many more there were.
#[derive(Default)]
pub struct Notes(Vec<(Diagnostic, usize)>);

impl Notes {
    /// Notes what `make` says, unless the same kind has been noted.
    pub fn add(&mut self, code: Code, make: impl FnOnce() -> Diagnostic) {
        match self.0.iter_mut().find(|(noted, _)| noted.code == code) {
            Some((_, more)) => *more += 1,
            None => self.0.push((make(), 0)),
        }
    }

    /// The diagnostics, each with the number of those like it.
    pub fn finish(self) -> Vec<Diagnostic> {
        let told = self.0.into_iter().map(|(diagnostic, more)| match more {
            0 => diagnostic,
            _ => {
                let message = format!("{}, and {more} more like it", diagnostic.message);
                Diagnostic { message, ..diagnostic }
            }
        });
        told.collect::<Vec<_>>()
    }
}

impl Draft {
    /// An empty graph.
    pub fn new(quotes: Quotes, limits: Limits) -> Draft {
        Draft { builder: Builder::new(quotes), limits, notes: Notes::default() }
    }

    /// See [`Notes::add`].
    pub fn note(&mut self, code: Code, make: impl FnOnce() -> Diagnostic) {
        self.notes.add(code, make);
    }

    /// Lists a node; one that was listed before gets the attributes of both.
    pub fn node(&mut self, id: &str, at: Span) -> Result<(u32, bool), Diagnostic> {
        let (row, again) = self.builder.list(id);
        if again {
            self.note(codes::LISTED_TWICE, || {
                Diagnostic::new(
                    codes::LISTED_TWICE,
                    format!("the node {} is listed twice", quote(id)),
                )
                .help("give each node an id of its own; the attributes of both were put together")
                .at(at)
            });
        }
        self.check(self.builder.node_count(), self.limits.nodes, "nodes", at)?;
        Ok((row, again))
    }

    /// The node at the end of an edge.
    pub fn end(&mut self, id: &str, at: Span) -> Result<u32, Diagnostic> {
        let row = self.builder.end(id);
        self.check(self.builder.node_count(), self.limits.nodes, "nodes", at)?;
        Ok(row)
    }

    /// Adds an edge.
    pub fn edge(
        &mut self,
        id: Option<&str>,
        source: u32,
        target: u32,
        at: Span,
    ) -> Result<u32, Diagnostic> {
        let (row, kept) = self.builder.edge(id, source, target);
        if let Some(id) = id.filter(|_| !kept) {
            self.note(codes::EDGE_ID_TAKEN, || {
                let message = format!("another edge has the id {} already", quote(id));
                Diagnostic::new(codes::EDGE_ID_TAKEN, message)
                    .help("give each edge an id of its own; this one was given a new one")
                    .at(at)
            });
        }
        self.check(self.builder.edge_count(), self.limits.edges, "edges", at)?;
        Ok(row)
    }

    /// The number of an attribute; see [`Builder::field`].
    pub fn field(&mut self, row: Row, name: &str, at: Span) -> Result<usize, Diagnostic> {
        let number = self.builder.field(row, name);
        let kept = self.builder.name_of(row, number).filter(|kept| *kept != name);
        if let Some(kept) = kept.map(quote) {
            self.note(codes::RENAMED, || {
                let message = format!("an attribute called {}", quote(name));
                Diagnostic::new(codes::RENAMED, message)
                    .help(format!("ask for {kept}: every row has the other anyway"))
                    .at(at)
            });
        }
        self.check(self.builder.field_count(), self.limits.fields, "attributes", at)?;
        Ok(number)
    }

    /// Sets an attribute.
    pub fn set(
        &mut self,
        row: Row,
        name: &str,
        given: Given<'_>,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let field = self.field(row, name, at)?;
        self.builder.set_at(row, field, given);
        Ok(())
    }

    /// Refuses so many attributes before anything is done with them.
    pub fn check_fields(&self, count: usize, at: Span) -> Result<(), Diagnostic> {
        self.check(count, self.limits.fields, "attributes", at)
    }

    /// Notes a node or an edge that has not what it needs.
    pub fn incomplete(&mut self, message: &str, help: &str, at: Span) {
        self.note(codes::INCOMPLETE, || {
            Diagnostic::new(codes::INCOMPLETE, message).help(help).at(at)
        });
    }

    fn check(&self, count: usize, limit: usize, what: &str, at: Span) -> Result<(), Diagnostic> {
        if count <= limit {
            return Ok(());
        }
        Err(Diagnostic::new(codes::TOO_MUCH, format!("more than {limit} {what}"))
            .help("import a part of it, or query it where it is")
            .at(at))
    }

    /// What was noted so far; after it, notes begin anew.
    pub fn take_notes(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.notes).finish()
    }

    /// The graph, with a warning for each kind of oddity.
    pub fn finish(mut self) -> Imported {
        let bare = self.builder.bare().count();
        if bare > 0 {
            let ids = names::list(self.builder.bare());
            let message = match bare {
                1 => format!("an edge names {ids}, which is not listed"),
                _ => format!("edges name {bare} nodes that are not listed: {ids}"),
            };
            self.note(codes::BARE, || {
                Diagnostic::new(codes::BARE, message)
                    .help("list every node, unless nodes without attributes are meant")
            });
        }
        let (graph, kept) = self.builder.finish();
        if kept > 0 {
            let message = match kept {
                1 => "an id kept its quotes".to_owned(),
                _ => format!("{kept} ids kept their quotes"),
            };
            self.notes.add(codes::QUOTES_KEPT, || {
                Diagnostic::new(codes::QUOTES_KEPT, message)
                    .help("without them two nodes would have the same id")
            });
        }
        Ok((graph, self.notes.finish()))
    }
}
