//! Values of one element that change in time.

use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element};
use crate::gasl::import::xml::XmlGraph;

/// Values with their keys, in the order of the text.
#[derive(Default)]
pub struct TimedValues {
    element: Option<Element>,
    values: Vec<(usize, Value)>,
}

impl TimedValues {
    /// Adds a value of a key.
    pub fn add(&mut self, element: Element, key: usize, value: Value) {
        self.element = Some(element);
        self.values.push((key, value));
    }

    /// Sets the attributes of the element to lists of its values.
    pub fn finish(&mut self, graph: &mut XmlGraph, at: Span) -> Result<(), Diagnostic> {
        let Some(element) = self.element.take() else { return Ok(()) };
        let mut values = std::mem::take(&mut self.values);
        values.sort_by_key(|(key, _)| *key);
        for group in values.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((key, _)) = group.first() else { continue };
            let list = Value::list(group.iter().map(|(_, value)| value.clone()).collect());
            if let Some(name) = graph.keys.get(*key).map(|key| key.name.clone()) {
                graph.set_value(element, &name, AttributeValue::Value(list), at)?;
            }
        }
        Ok(())
    }
}
