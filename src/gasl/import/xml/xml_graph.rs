//! Builds a graph from XML: attributes of tags and of data, groups, and counts of what was not read.

use super::edge_orientation::{EdgeOrientation, OrientationCount};
use super::keys::{KeyDeclaration, KeyDeclarations, KeyTarget};
use super::skipped::SkippedElements;
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element, QuoteHandling};
use crate::gasl::import::import_builder::ImportBuilder;
use crate::gasl::import::value_type::ValueType;
use crate::gasl::import::{ImportLimits, codes};

/// Graph of an XML document.
pub struct XmlGraph {
    pub graph: ImportBuilder,
    pub keys: KeyDeclarations,
    pub skipped: SkippedElements,
    /// Attributes of the graph itself.
    pub metadata: Map,
    pub(super) directions: OrientationCount,
    /// Rows of nodes in a group, with the node or id of the group.
    pub(super) groups: Vec<(u32, NodeGroup)>,
    pub(super) node_attributes: Vec<AttributeUse>,
    pub(super) edge_attributes: Vec<AttributeUse>,
    /// Attributes in the tag of the last element.
    tag: Vec<(Element, usize, String)>,
    applied_defaults: usize,
}

/// Key of a value in the document.
#[derive(Clone, Debug)]
pub enum KeyUse {
    /// Index of the declaration.
    Declared(usize),
    /// Id without a declaration.
    Undeclared(String),
}

/// Parent of a node.
pub(super) enum NodeGroup {
    Row(u32),
    /// An id that may not be listed yet.
    Id(String),
}

/// Uses of an attribute so far: in tags, in data, and by the last element.
#[derive(Clone, Copy, Default)]
pub(super) struct AttributeUse {
    /// Row of the last element that set it, plus one.
    last_row: u32,
    pub(super) in_tags: bool,
    pub(super) in_data: bool,
}

/// Origin of a value: an attribute of a tag, or a data element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StatementOrigin {
    Tag,
    Data,
}

/// Maximum number of applied defaults, because a short text can require any number of them.
const MAX_DEFAULTS: usize = 4_000_000;

impl XmlGraph {
    /// Returns an empty graph.
    pub fn new(limits: ImportLimits) -> XmlGraph {
        XmlGraph {
            graph: ImportBuilder::new(QuoteHandling::Strip, limits),
            keys: KeyDeclarations::default(),
            skipped: SkippedElements::default(),
            metadata: Map::default(),
            directions: OrientationCount::default(),
            groups: Vec::new(),
            node_attributes: Vec::new(),
            edge_attributes: Vec::new(),
            tag: Vec::new(),
            applied_defaults: 0,
        }
    }

    /// Adds an edge.
    pub fn add_edge(
        &mut self,
        id: Option<&str>,
        (source, target): (&str, &str),
        direction: EdgeOrientation,
        at: Span,
    ) -> Result<Element, Diagnostic> {
        let source = self.graph.endpoint(source, at)?;
        let target = self.graph.endpoint(target, at)?;
        self.directions.add(direction, at);
        Ok(Element::Edge(self.graph.add_edge(id, source, target, at)?))
    }

    /// Adds a node to the group of another node.
    pub fn add_to_group(&mut self, node: u32, group: u32) {
        self.groups.push((node, NodeGroup::Row(group)));
    }

    /// Adds a node to the group of the node with an id, which may be listed later.
    pub fn add_to_group_id(&mut self, node: u32, group: &str) {
        self.groups.push((node, NodeGroup::Id(group.to_owned())));
    }

    /// Counts a skipped element inside another one.
    pub fn skip(&mut self, name: &str, parent: Option<Element>, at: Span) {
        let parent = match parent {
            Some(Element::Node(row)) => Some(self.graph.builder.node_id(row)),
            _ => None,
        };
        self.skipped.add(name, parent, at);
    }

    /// Sets the attributes that the tag of an element has besides the named ones of the format.
    pub fn set_tag<'a>(
        &mut self,
        element: Element,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
        at: Span,
    ) -> Result<(), Diagnostic> {
        self.tag.clear();
        for (name, text) in attributes {
            let index = self.graph.attribute_index(element, name, at)?;
            self.set_text(element, index, text, StatementOrigin::Tag, at);
            self.tag.push((element, index, text.to_owned()));
        }
        Ok(())
    }

    /// Sets an attribute to a text whose type is decided at the end, as in a tag.
    pub fn set_untyped(
        &mut self,
        element: Element,
        name: &str,
        text: &str,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let index = self.graph.attribute_index(element, name, at)?;
        self.set_text(element, index, text, StatementOrigin::Tag, at);
        Ok(())
    }

    fn set_text(
        &mut self,
        element: Element,
        index: usize,
        text: &str,
        origin: StatementOrigin,
        at: Span,
    ) {
        self.record_statement(element, index, text, origin, at);
        self.graph.builder.set_at(element, index, AttributeValue::Text(text));
    }

    /// Sets an attribute to a value.
    pub fn set_value(
        &mut self,
        element: Element,
        name: &str,
        value: AttributeValue<'_>,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let index = self.graph.attribute_index(element, name, at)?;
        let text = if let AttributeValue::Text(text) = value { text } else { "" };
        self.record_statement(element, index, text, StatementOrigin::Data, at);
        self.graph.builder.set_at(element, index, value);
        Ok(())
    }

    /// Sets the first of `label`, `label_2`, … that the element does not have.
    pub fn set_label(&mut self, element: Element, text: &str, at: Span) -> Result<(), Diagnostic> {
        let mut name = "label".to_owned();
        let mut number = 1;
        loop {
            let index = self.graph.attribute_index(element, &name, at)?;
            if !self.is_stated(element, index) {
                self.set_text(element, index, text, StatementOrigin::Data, at);
                return Ok(());
            }
            if self.is_in_tag(element, index, text) {
                return Ok(());
            }
            number += 1;
            name = format!("label_{number}");
        }
    }

    /// Returns whether the element stated an attribute.
    pub fn is_stated(&mut self, element: Element, index: usize) -> bool {
        let (row, uses) = self.attribute_uses(element);
        uses.get(index).is_some_and(|found| found.last_row == row + 1)
    }

    pub(super) fn attribute_uses(&mut self, element: Element) -> (u32, &mut Vec<AttributeUse>) {
        match element {
            Element::Node(row) => (row, &mut self.node_attributes),
            Element::Edge(row) => (row, &mut self.edge_attributes),
        }
    }

    fn is_in_tag(&self, element: Element, index: usize, text: &str) -> bool {
        let is_same = |(of, attribute, stated): &(Element, usize, String)| {
            *of == element && *attribute == index && stated.trim() == text.trim()
        };
        self.tag.iter().any(is_same)
    }

    /// Records that an element states an attribute; reports it if it has another value.
    fn record_statement(
        &mut self,
        element: Element,
        index: usize,
        text: &str,
        origin: StatementOrigin,
        at: Span,
    ) {
        let (row, uses) = self.attribute_uses(element);
        if uses.len() <= index {
            uses.resize(index + 1, AttributeUse::default());
        }
        let Some(found) = uses.get_mut(index) else { return };
        let is_repeated = std::mem::replace(&mut found.last_row, row + 1) == row + 1;
        match origin {
            StatementOrigin::Tag => found.in_tags = true,
            StatementOrigin::Data => found.in_data = true,
        }
        if !is_repeated || self.is_in_tag(element, index, text) {
            return;
        }
        let of = match element {
            Element::Node(row) => quote(self.graph.builder.node_id(row)),
            Element::Edge(row) => format!("edge number {}", row + 1),
        };
        let name = self.graph.builder.attribute_name(element, index).unwrap_or_default();
        let message = format!("duplicate {} of {of}", quote(name));
        self.graph.warn(codes::ATTRIBUTE_SET_TWICE, || {
            Diagnostic::new(codes::ATTRIBUTE_SET_TWICE, message)
                .help("give each value its own name, because only the last one is read")
                .at(at)
        });
    }

    /// Finds the key of a value; reports one that is declared for other elements only.
    pub fn find_key(&mut self, id: &str, target: KeyTarget, at: Span) -> KeyUse {
        let Some(index) = self.keys.find(id, target) else {
            return KeyUse::Undeclared(id.to_owned());
        };
        let declared = self.keys.get(index).map_or(KeyTarget::All, |key| key.target);
        if declared != target && declared != KeyTarget::All {
            self.graph.warn(codes::KEY_OF_OTHER_ELEMENTS, || {
                let message = format!(
                    "the key {} is declared for {} and used for {}",
                    quote(id),
                    declared.name(),
                    target.name()
                );
                Diagnostic::new(codes::KEY_OF_OTHER_ELEMENTS, message)
                    .help(format!("declare {} for {} too", quote(id), target.name()))
                    .at(at)
            });
        }
        KeyUse::Declared(index)
    }

    /// Sets an attribute, or metadata of the graph, to the text of a key.
    pub fn set_data(
        &mut self,
        element: Option<Element>,
        key: &KeyUse,
        text: &str,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let index = match key {
            KeyUse::Declared(index) => *index,
            KeyUse::Undeclared(id) => return self.set_undeclared(element, id, text, at),
        };
        let value = read_value(&self.keys, &mut self.graph, index, text, at);
        let Some(element) = element else {
            if let Some((value, key)) = value.zip(self.keys.get(index)) {
                self.metadata.insert(key.name.as_str().into(), value_of(value));
            }
            return Ok(());
        };
        let attribute = self.key_attribute(index, element, at)?;
        self.record_statement(element, attribute, text, StatementOrigin::Data, at);
        if let Some(value) = value {
            self.graph.builder.set_at(element, attribute, value);
        }
        Ok(())
    }

    /// Reads the text of a key; reports one that does not have its type.
    pub fn read_value<'a>(
        &mut self,
        key: usize,
        text: &'a str,
        at: Span,
    ) -> Option<AttributeValue<'a>> {
        read_value(&self.keys, &mut self.graph, key, text, at)
    }

    /// Returns the index of a key; reports an undeclared one and declares it as text.
    pub fn declared_key(&mut self, key: KeyUse, target: KeyTarget, at: Span) -> usize {
        match key {
            KeyUse::Declared(index) => index,
            KeyUse::Undeclared(id) => {
                self.warn_undeclared(&id, at);
                let key = KeyDeclaration::new(id.clone(), ValueType::TEXT, target);
                self.keys.declare(&id, key).0
            }
        }
    }

    fn set_undeclared(
        &mut self,
        element: Option<Element>,
        id: &str,
        text: &str,
        at: Span,
    ) -> Result<(), Diagnostic> {
        self.warn_undeclared(id, at);
        match element {
            Some(element) => {
                let index = self.graph.attribute_index(element, id, at)?;
                self.set_text(element, index, text, StatementOrigin::Data, at);
            }
            None => {
                self.metadata.insert(id.into(), text.into());
            }
        }
        Ok(())
    }

    fn warn_undeclared(&mut self, id: &str, at: Span) {
        self.graph.warn(codes::UNKNOWN_KEY, || {
            let message = format!("undeclared key {}", quote(id));
            Diagnostic::new(codes::UNKNOWN_KEY, message)
                .help(format!(
                    "declare its name and type; the data was read as the attribute {}",
                    quote(id)
                ))
                .at(at)
        });
    }

    /// Returns the attribute of a key.
    fn key_attribute(
        &mut self,
        key: usize,
        element: Element,
        at: Span,
    ) -> Result<usize, Diagnostic> {
        let Some(key) = self.keys.get_mut(key) else { return Ok(usize::MAX) };
        let attribute = match element {
            Element::Node(_) => &mut key.node_attribute,
            Element::Edge(_) => &mut key.edge_attribute,
        };
        if let Some(index) = attribute {
            return Ok(*index);
        }
        let index = self.graph.attribute_index(element, &key.name, at)?;
        *attribute = Some(index);
        Ok(index)
    }

    /// Sets the default of a key; reports one that does not have its type.
    pub fn set_default(&mut self, key: usize, text: String, at: Span) {
        read_value(&self.keys, &mut self.graph, key, &text, at);
        self.keys.set_default(key, text);
    }

    /// Sets the defaults of keys that an element does not state.
    pub fn set_defaults(&mut self, element: Element, at: Span) -> Result<(), Diagnostic> {
        for nth in 0..self.keys.with_default(element).len() {
            self.applied_defaults += 1;
            if self.applied_defaults > MAX_DEFAULTS {
                let message = format!("more than {MAX_DEFAULTS} values are defaults");
                return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
                    .help("write the values in the nodes and edges")
                    .at(at));
            }
            let Some(key) = self.keys.with_default(element).get(nth).copied() else { continue };
            if self.keys.get(key).is_none_or(|key| key.default.is_none()) {
                continue;
            }
            let attribute = self.key_attribute(key, element, at)?;
            if self.is_stated(element, attribute) {
                continue;
            }
            if let Some(key) = self.keys.get(key)
                && let Some(default) = &key.default
                && let (Some(value), _) = key.value_type.read(default)
            {
                self.graph.builder.set_at(element, attribute, value);
            }
        }
        Ok(())
    }
}

/// Returns an attribute as a JSON value.
pub fn value_of(value: AttributeValue<'_>) -> Value {
    match value {
        AttributeValue::Null => Value::Null,
        AttributeValue::Bool(flag) => flag.into(),
        AttributeValue::Number(number) => number.into(),
        AttributeValue::Text(text) => text.into(),
        AttributeValue::Value(value) => value,
    }
}

/// Reads the text of a key; reports one that does not have its type.
fn read_value<'a>(
    keys: &KeyDeclarations,
    graph: &mut ImportBuilder,
    key: usize,
    text: &'a str,
    at: Span,
) -> Option<AttributeValue<'a>> {
    let key = keys.get(key)?;
    let (value, problem) = key.value_type.read(text);
    if let Some(problem) = problem {
        graph.warn(problem.code(), || problem.diagnostic(&key.name, text).at(at));
    }
    value
}
