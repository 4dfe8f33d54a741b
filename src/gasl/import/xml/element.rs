//! Start tags and references, without entity expansion.

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart};
use std::borrow::Cow;

/// Start tag of an element.
pub struct XmlElement<'a> {
    /// Name without namespace prefix; compared as bytes, because checking UTF-8 again takes time.
    pub name: &'a [u8],
    /// Names with their prefixes, and values.
    attributes: Vec<(&'a [u8], Cow<'a, str>)>,
}

impl<'a> XmlElement<'a> {
    /// Parses a start tag; fails if it is malformed or has an unknown entity.
    pub fn parse(tag: &'a BytesStart<'_>, at: Span) -> Result<XmlElement<'a>, Diagnostic> {
        /// Number of attributes that most elements do not exceed.
        const FEW: usize = 4;
        let mut attributes = Vec::with_capacity(FEW);
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| malformed_xml(&error.to_string(), at))?;
            let value = match attribute.value {
                Cow::Borrowed(raw) => {
                    let raw = utf8(raw);
                    unescape(raw).map_err(|_| unsupported_entity(raw, at))?
                }
                Cow::Owned(raw) => {
                    let raw = String::from_utf8(raw).unwrap_or_default();
                    let value = unescape(&raw).map_err(|_| unsupported_entity(&raw, at))?;
                    Cow::Owned(value.into_owned())
                }
            };
            attributes.push((attribute.key.into_inner(), value));
        }
        Ok(XmlElement { name: tag.local_name().into_inner(), attributes })
    }

    /// Returns the name as text.
    pub fn name_text(&self) -> &'a str {
        utf8(self.name)
    }

    /// Returns whether the tag has attributes.
    pub fn has_attributes(&self) -> bool {
        !self.attributes.is_empty()
    }

    /// Returns the value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| *key == name.as_bytes());
        found.map(|(_, value)| &**value)
    }

    /// Returns the attributes except the named ones, namespaces and hints for parsers.
    pub fn other_attributes(&self, named: &[&str]) -> impl Iterator<Item = (&'a str, &str)> {
        let is_other = |key: &[u8]| {
            let is_technical = ["xmlns", "xml:", "xsi:", "parse."];
            !named.iter().any(|name| name.as_bytes() == key)
                && !is_technical.iter().any(|start| key.starts_with(start.as_bytes()))
        };
        let others = self.attributes.iter().filter(move |(key, _)| is_other(key));
        others.map(|(key, value)| (utf8(key), &**value))
    }
}

/// Returns bytes of the text, which is valid UTF-8, as text.
pub fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// Appends the character of `&amp;` or `&#38;`; fails for other entities.
pub fn append_reference(
    reference: &BytesRef<'_>,
    at: Span,
    out: &mut String,
) -> Result<(), Diagnostic> {
    let name = utf8(reference);
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
pub fn malformed_xml(reason: &str, at: Span) -> Diagnostic {
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
pub fn doctype_error(at: Span) -> Diagnostic {
    Diagnostic::new(codes::UNSUPPORTED_ENTITY, "unsupported document type declaration")
        .help("remove `<!DOCTYPE …>`, because entities and external files are not read")
        .at(at)
}
