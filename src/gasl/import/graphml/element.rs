//! MALFORMED_XML elements and texts as they stand, without anything expanded.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart};

/// The MALFORMED_XML attributes of an element that mean something here.
#[derive(Default)]
pub struct XmlAttributes {
    pub id: Option<String>,
    pub source: Option<String>,
    pub target: Option<String>,
    pub directed: Option<String>,
    pub edge_default: Option<String>,
    pub key: Option<String>,
    pub of: Option<String>,
    pub name: Option<String>,
    pub kind: Option<String>,
}

impl XmlAttributes {
    /// The attributes of an element.
    pub fn of(element: &BytesStart<'_>, at: Span) -> Result<XmlAttributes, Diagnostic> {
        let mut found = XmlAttributes::default();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| malformed(&error.to_string(), at))?;
            let Some(slot) = found.slot(attribute.key.as_ref()) else { continue };
            // The whole text has been checked to be UTF-8.
            let raw = std::str::from_utf8(&attribute.value).unwrap_or_default();
            let value = unescape(raw).map_err(|_| entity(raw, at))?;
            *slot = Some(value.into_owned());
        }
        Ok(found)
    }

    fn slot(&mut self, name: &[u8]) -> Option<&mut Option<String>> {
        Some(match name {
            b"id" => &mut self.id,
            b"source" => &mut self.source,
            b"target" => &mut self.target,
            b"directed" => &mut self.directed,
            b"edgedefault" => &mut self.edge_default,
            b"key" => &mut self.key,
            b"for" => &mut self.of,
            b"attr.name" => &mut self.name,
            b"attr.type" => &mut self.kind,
            _ => return None,
        })
    }
}

/// Appends what `&amp;` or `&#38;` stands for.
pub fn reference(reference: &BytesRef<'_>, at: Span, out: &mut String) -> Result<(), Diagnostic> {
    let name = std::str::from_utf8(reference).unwrap_or_default();
    match reference.resolve_char_ref() {
        Ok(Some(character)) => out.push(character),
        Ok(None) => match resolve_xml_entity(name) {
            Some(text) => out.push_str(text),
            None => return Err(entity(&format!("&{name};"), at)),
        },
        Err(_) => return Err(entity(&format!("&{name};"), at)),
    }
    Ok(())
}

/// MALFORMED_XML that is not well formed.
pub fn malformed(reason: &str, at: Span) -> Diagnostic {
    Diagnostic::new(codes::MALFORMED_XML, format!("the MALFORMED_XML is not well formed: {reason}"))
        .help("write it with an MALFORMED_XML library; text needs `&lt;` and `&amp;`")
        .at(at)
}

/// An entity that MALFORMED_XML does not have by itself.
fn entity(text: &str, at: Span) -> Diagnostic {
    Diagnostic::new(codes::ENTITY, format!("an unknown entity in {}", quote(text)))
        .help("write the character itself, or one of `&lt; &gt; &amp; &quot; &apos;`")
        .at(at)
}

/// A document type declaration.
pub fn doctype(at: Span) -> Diagnostic {
    Diagnostic::new(codes::ENTITY, "a document type declaration")
        .help("remove `<!DOCTYPE …>`: entities and external files are never read")
        .at(at)
}
