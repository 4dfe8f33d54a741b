//! Drawings of yEd and yFiles in the data of nodes and edges: labels, shape and fill colour.

use crate::gasl::import::xml::XmlElement;

/// Parts of the drawing of one element.
#[derive(Default)]
pub struct Drawing {
    /// Distinct texts of labels, trimmed.
    pub labels: Vec<String>,
    /// Further values with their names.
    pub values: Vec<(String, String)>,
    /// Whether it has parts that are not read, such as positions.
    pub has_unread: bool,
    open: Vec<OpenDrawingPart>,
}

/// Open element of a drawing.
struct OpenDrawingPart {
    /// Name for its text; `None` for a label.
    name: Option<String>,
    /// Length of the text before the element.
    start: usize,
}

impl Drawing {
    /// Reads a start tag; `length` is the number of bytes of text so far.
    pub fn start(&mut self, element: &XmlElement<'_>, length: usize) {
        let mut add = |name: &str, value: Option<&str>| {
            if let Some(value) = value.filter(|_| !self.values.iter().any(|(key, _)| key == name)) {
                self.values.push((name.to_owned(), value.to_owned()));
            }
        };
        let name = match element.name_text() {
            "NodeLabel" | "EdgeLabel" | "Label.Text" => None,
            name => {
                match name {
                    "Shape" => add("shape", element.get("type")),
                    "Fill" => add("fill", element.get("color")),
                    _ => self.has_unread |= element.has_attributes(),
                }
                Some(name.to_owned())
            }
        };
        self.open.push(OpenDrawingPart { name, start: length });
    }

    /// Reads an end tag. Takes the text of the element out of `text`.
    pub fn end(&mut self, text: &mut String) {
        let Some(part) = self.open.pop() else { return };
        let own = text.get(part.start..).unwrap_or_default().trim().to_owned();
        text.truncate(part.start);
        if own.is_empty() {
            return;
        }
        match part.name {
            None if self.labels.contains(&own) => {}
            None => self.labels.push(own),
            Some(name) => self.values.push((name, own)),
        }
    }
}
