//! Reads XML as a series of calls. Document types and entities are rejected, so nothing is expanded
//! or fetched.

use super::element::{XmlElement, append_reference, doctype_error, malformed_xml, utf8};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::{ImportLimits, codes};
use quick_xml::errors::IllFormedError;
use quick_xml::events::Event;
use quick_xml::{Error, Reader};

/// Receiver of the parts of a document.
pub trait XmlHandler {
    /// Reads a start tag.
    fn start(&mut self, element: &XmlElement<'_>, at: Span) -> Result<(), Diagnostic>;

    /// Reads a part of a text.
    fn text(&mut self, text: &str, at: Span);

    /// Reads an end tag, or the end of an empty element.
    fn end(&mut self, at: Span) -> Result<(), Diagnostic>;
}

/// Reads a text that starts `offset` bytes after the start of the document.
pub fn read_xml(
    text: &str,
    offset: usize,
    limits: ImportLimits,
    handler: &mut dyn XmlHandler,
) -> Result<(), Diagnostic> {
    let mut reader = Reader::from_str(text);
    let mut depth = 0;
    let mut replaced = String::new();
    loop {
        let start = reader.buffer_position() as usize + offset;
        let event = reader.read_event();
        let at = Span::new(start, reader.buffer_position() as usize + offset);
        match event {
            Ok(Event::Start(tag)) => {
                handler.start(&XmlElement::parse(&tag, at)?, at)?;
                depth += 1;
                if depth > limits.depth {
                    let message = format!("nested more than {} levels deep", limits.depth);
                    return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
                        .help("write nodes and edges directly in one `<graph>`")
                        .at(at));
                }
            }
            Ok(Event::Empty(tag)) => {
                handler.start(&XmlElement::parse(&tag, at)?, at)?;
                handler.end(at)?;
            }
            // The XML reader checks the name of the end tag.
            Ok(Event::End(_)) => {
                depth = depth.saturating_sub(1);
                handler.end(at)?;
            }
            Ok(Event::Text(text)) => handler.text(utf8(&text), at),
            Ok(Event::CData(text)) => handler.text(utf8(&text), at),
            Ok(Event::GeneralRef(name)) => {
                replaced.clear();
                append_reference(&name, at, &mut replaced)?;
                handler.text(&replaced, at);
            }
            Ok(Event::DocType(_)) => return Err(doctype_error(at)),
            Ok(Event::Eof) if depth > 0 => {
                return Err(malformed_xml("unexpected end of the text", at));
            }
            Ok(Event::Eof) => return Ok(()),
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {}
            Err(error) => {
                let at = reader.error_position() as usize + offset;
                let reason = match error {
                    Error::IllFormed(error) => ill_formed(error),
                    Error::Syntax(error) => error.to_string(),
                    error => error.to_string(),
                };
                return Err(malformed_xml(&reason, Span::new(at, at)));
            }
        }
    }
}

/// Returns the reason of an error on one line, with the names of tags truncated.
fn ill_formed(error: IllFormedError) -> String {
    let shorten = |name: String| quote(&name).trim_matches('`').to_owned();
    let shortened = match error {
        IllFormedError::MissingEndTag(name) => IllFormedError::MissingEndTag(shorten(name)),
        IllFormedError::UnmatchedEndTag(name) => IllFormedError::UnmatchedEndTag(shorten(name)),
        IllFormedError::MismatchedEndTag { expected, found } => {
            IllFormedError::MismatchedEndTag { expected: shorten(expected), found: shorten(found) }
        }
        other => other,
    };
    shortened.to_string()
}
