//! Drawing and times of GEXF elements.

use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element};
use crate::gasl::import::number::{NumberText, read_number};
use crate::gasl::import::xml::{XmlElement, XmlGraph, value_of};

/// Sets the attributes `viz_…` of an element of the module viz: colour, position, size, shape.
pub fn set_drawing(
    graph: &mut XmlGraph,
    element: Element,
    tag: &XmlElement<'_>,
    at: Span,
) -> Result<(), Diagnostic> {
    let colour = match (tag.get("hex"), color_channels(tag)) {
        (Some(hex), _) => Some(hex.to_owned()),
        (None, Some([r, g, b])) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        _ => None,
    };
    let mut read: &[&str] = &[];
    if let Some(colour) = colour.filter(|_| tag.name == b"color") {
        graph.set_value(element, "viz_color", AttributeValue::Text(&colour), at)?;
        if let Some(alpha) = tag.get("a") {
            graph.set_untyped(element, "viz_alpha", alpha, at)?;
        }
        read = &["r", "g", "b", "a", "hex"];
    }
    for (key, value) in tag.other_attributes(read) {
        let name = match key {
            "value" => format!("viz_{}", tag.name_text()),
            "x" | "y" | "z" => format!("viz_{key}"),
            _ => format!("viz_{}_{key}", tag.name_text()),
        };
        graph.set_untyped(element, &name, value, at)?;
    }
    Ok(())
}

/// Returns the red, green and blue parts of a colour.
fn color_channels(tag: &XmlElement<'_>) -> Option<[u8; 3]> {
    let channel = |name| tag.get(name)?.trim().parse::<u8>().ok();
    Some([channel("r")?, channel("g")?, channel("b")?])
}

/// Returns the value of a tag with its times: `{value?, start?, end?, …}`.
pub fn times_of(tag: &XmlElement<'_>, value: Option<AttributeValue<'_>>) -> Value {
    let mut timed = Map::default();
    if let Some(value) = value {
        put(&mut timed, "value", value_of(value));
    }
    for (name, text) in tag.other_attributes(&["for", "id", "value"]) {
        let value: Value = match read_number(text) {
            NumberText::Finite(number) => number.into(),
            _ => text.into(),
        };
        put(&mut timed, name, value);
    }
    timed.into()
}
