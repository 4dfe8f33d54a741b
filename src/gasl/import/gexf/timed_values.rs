//! Values of one element that change in time.

use crate::base::map::{pack_pair, unpack_pair};
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
        let values = std::mem::take(&mut self.values);
        let mut pairs: Vec<u64> = Vec::new();
        for (nth, (key, _)) in values.iter().enumerate() {
            pairs.push(pack_pair(*key as u32, nth as u32));
        }
        pairs.sort_unstable();
        for group in pairs.chunk_by(|a, b| unpack_pair(*a).0 == unpack_pair(*b).0) {
            let found = group.iter().filter_map(|pair| values.get(unpack_pair(*pair).1 as usize));
            let list = Value::list(found.map(|(_, value)| value.clone()).collect());
            let key = group.first().map(|pair| unpack_pair(*pair).0 as usize);
            if let Some(name) = key.and_then(|key| graph.keys.get(key)).map(|key| key.name.clone())
            {
                graph.set_value(element, &name, AttributeValue::Value(list), at)?;
            }
        }
        Ok(())
    }
}
