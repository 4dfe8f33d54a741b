//! XML attributes and references, without entity expansion.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart};

/// XML attributes of an element that GraphML defines.
#[derive(Default)]
pub struct XmlAttributes {
    pub id: Option<String>,
    pub source: Option<String>,
    pub target: Option<String>,
    pub directed: Option<String>,
    pub edge_default: Option<String>,
    pub key: Option<String>,
    pub target_kind: Option<String>,
    pub name: Option<String>,
    pub value_type: Option<String>,
}

impl XmlAttributes {
    /// Reads the attributes of an element; fails if it is malformed or has an unknown entity.
    pub fn parse(element: &BytesStart<'_>, at: Span) -> Result<XmlAttributes, Diagnostic> {
        let mut found = XmlAttributes::default();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| malformed(&error.to_string(), at))?;
            let Some(slot) = found.slot(attribute.key.as_ref()) else { continue };
            // The text is valid UTF-8.
            let raw = std::str::from_utf8(&attribute.value).unwrap_or_default();
            let value = unescape(raw).map_err(|_| unsupported_entity(raw, at))?;
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
            b"for" => &mut self.target_kind,
            b"attr.name" => &mut self.name,
            b"attr.type" => &mut self.value_type,
            _ => return None,
        })
    }
}

/// Appends the character of `&amp;` or `&#38;`; fails for other entities.
pub fn append_reference(
    reference: &BytesRef<'_>,
    at: Span,
    out: &mut String,
) -> Result<(), Diagnostic> {
    let name = std::str::from_utf8(reference).unwrap_or_default();
    match reference.resolve_char_ref() {
        Ok(Some(character)) => out.push(character),
        Ok(None) => match resolve_xml_entity(name) {
            Some(text) => out.push_str(text),
            None => return Err(unsupported_entity(&format!("&{name};"), at)),
        },
        Err(_) => return Err(unsupported_entity(&format!("&{name};"), at)),
    }
    Ok(())
}

/// Returns the error for malformed XML.
pub fn malformed(reason: &str, at: Span) -> Diagnostic {
    Diagnostic::new(codes::MALFORMED_XML, format!("malformed XML: {reason}"))
        .help("generate it with an XML library; escape `<` and `&` in text as `&lt;` and `&amp;`")
        .at(at)
}

/// Returns the error for an entity that XML does not predefine.
fn unsupported_entity(text: &str, at: Span) -> Diagnostic {
    Diagnostic::new(codes::UNSUPPORTED_ENTITY, format!("unknown entity in {}", quote(text)))
        .help("write the character itself, or use `&lt; &gt; &amp; &quot; &apos;`")
        .at(at)
}

/// Returns the error for a document type declaration.
pub fn doctype(at: Span) -> Diagnostic {
    Diagnostic::new(codes::UNSUPPORTED_ENTITY, "unsupported document type declaration")
        .help("remove `<!DOCTYPE …>`, because entities and external files are not read")
        .at(at)
}
