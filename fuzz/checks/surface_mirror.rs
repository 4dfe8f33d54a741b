//! Tree that is built from the records of a surface, as a renderer builds it.

use byname::ham::surface::component::ComponentRef;
use byname::ham::surface::record::{NONE, RecordOp, ValueTag};
use byname::ham::surface::template::PropTemplate;
use byname::ham::surface::tree::Tree;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Instance of a component.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Number of the instance, which differs between surfaces.
    pub number: u32,
    pub component: String,
    pub group: u32,
    pub item: Json,
    pub props: BTreeMap<String, Json>,
    pub children: Vec<Shown>,
}

/// Tree of a surface; empty before the root is mounted.
#[derive(Debug, Default, PartialEq)]
pub struct Mirror {
    pub root: Option<Shown>,
}

impl Mirror {
    /// Applies the changes of one call.
    pub fn apply(&mut self, mut records: RecordReader<'_>) {
        while let Some(op) = records.next_op() {
            if op == RecordOp::Surface as u32 {
                records.word();
            } else if op == RecordOp::Mount as u32 {
                let [parent, before] = [records.word(), records.word()];
                let instance = records.instance();
                self.mount(parent, before, instance);
            } else if op == RecordOp::Unmount as u32 {
                let number = records.word();
                assert!(self.take(number).is_some(), "unmount of {number}, which is not there");
            } else if op == RecordOp::Move as u32 {
                let [number, before] = [records.word(), records.word()];
                let (parent, instance) =
                    self.take(number).unwrap_or_else(|| panic!("move of {number}"));
                self.mount(parent, before, instance);
            } else if op == RecordOp::Set as u32 || op == RecordOp::Append as u32 {
                let [number, prop] = [records.word(), records.word()];
                let value = records.value();
                let instance = self.find(number).unwrap_or_else(|| panic!("set of {number}"));
                let name = records.prop_name(&instance.component, prop);
                if op == RecordOp::Set as u32 {
                    instance.props.insert(name, value);
                } else if let Some(Json::String(text)) = instance.props.get_mut(&name) {
                    *text += value.as_str().unwrap_or_else(|| panic!("{value} is appended"));
                } else {
                    panic!("append to another value than a text");
                }
            } else {
                panic!("unknown record {op}");
            }
        }
    }

    fn mount(&mut self, parent: u32, before: u32, instance: Shown) {
        if parent == NONE {
            assert!(self.root.is_none(), "a second root");
            self.root = Some(instance);
            return;
        }
        let siblings =
            &mut self.find(parent).unwrap_or_else(|| panic!("no parent {parent}")).children;
        let index = match before {
            NONE => siblings.len(),
            _ => position(siblings, before).unwrap_or_else(|| panic!("no sibling {before}")),
        };
        siblings.insert(index, instance);
    }

    /// Removes an instance. Returns the number of its parent and the instance.
    fn take(&mut self, number: u32) -> Option<(u32, Shown)> {
        if self.root.as_ref()?.number == number {
            return Some((NONE, self.root.take()?));
        }
        let parent = self.root.as_mut()?.parent_of(number)?;
        let index = position(&parent.children, number)?;
        Some((parent.number, parent.children.remove(index)))
    }

    fn find(&mut self, number: u32) -> Option<&mut Shown> {
        self.root.as_mut()?.find(number)
    }
}

fn position(siblings: &[Shown], number: u32) -> Option<usize> {
    siblings.iter().position(|one| one.number == number)
}

impl Shown {
    fn find(&mut self, number: u32) -> Option<&mut Shown> {
        if self.number == number {
            return Some(self);
        }
        self.children.iter_mut().find_map(|child| child.find(number))
    }

    fn parent_of(&mut self, number: u32) -> Option<&mut Shown> {
        if position(&self.children, number).is_some() {
            return Some(self);
        }
        self.children.iter_mut().find_map(|child| child.parent_of(number))
    }

    /// Sets all numbers to 0, to compare the trees of two surfaces.
    pub fn without_numbers(mut self) -> Shown {
        self.number = 0;
        self.children = self.children.into_iter().map(Shown::without_numbers).collect();
        self
    }
}

/// Reads the records of a call.
pub struct RecordReader<'a> {
    words: std::slice::Iter<'a, u32>,
    message: Vec<u16>,
    batch: Vec<u16>,
    tree: &'a Tree,
}

impl<'a> RecordReader<'a> {
    pub fn new(words: &'a [u32], batch: &[u8], message: &[u8], tree: &'a Tree) -> RecordReader<'a> {
        let units = |bytes: &[u8]| String::from_utf8_lossy(bytes).encode_utf16().collect();
        RecordReader { words: words.iter(), message: units(message), batch: units(batch), tree }
    }

    /// Reads the complete tree of a surface.
    pub fn tree(mut self) -> Shown {
        let root = self.instance();
        assert!(self.words.next().is_none(), "records after the tree");
        root
    }

    fn next_op(&mut self) -> Option<u32> {
        self.words.next().copied()
    }

    fn word(&mut self) -> u32 {
        self.next_op().unwrap_or_else(|| panic!("the records end early"))
    }

    fn instance(&mut self) -> Shown {
        let length = self.words.len();
        assert_eq!(self.word(), RecordOp::Enter as u32, "an instance");
        let size = self.word() as usize;
        let [number, component, group] = [self.word(), self.word(), self.word()];
        let item = self.value();
        let mut props = self.constants(component);
        let component = self.component_id(component);
        for _ in 0..self.word() {
            let prop = self.word();
            let value = self.value();
            props.insert(self.prop_name(&component, prop), value);
        }
        let mut children = Vec::new();
        while self.words.as_slice().first() == Some(&(RecordOp::Enter as u32)) {
            children.push(self.instance());
        }
        assert_eq!(self.word(), RecordOp::Leave as u32, "the end of an instance");
        assert_eq!(length - self.words.len(), size, "size of an instance");
        Shown { number, component, group, item, props, children }
    }

    fn component_id(&self, component: u32) -> String {
        let component = self.tree.component(ComponentRef(component));
        component.unwrap_or_else(|| panic!("an unknown component")).id.clone()
    }

    fn constants(&self, component: u32) -> BTreeMap<String, Json> {
        let props = self.tree.component(ComponentRef(component)).map(|one| one.props.as_slice());
        let constant = |(name, template): &(String, PropTemplate)| match template {
            PropTemplate::Constant(text) => (name.clone(), parse(text)),
            _ => (name.clone(), Json::Null),
        };
        props.unwrap_or_default().iter().map(constant).collect()
    }

    fn prop_name(&self, component: &str, prop: u32) -> String {
        let component = self.tree.components.iter().find(|one| one.id == component);
        let prop = component.and_then(|one| one.props.get(prop as usize));
        prop.unwrap_or_else(|| panic!("an unknown property")).0.clone()
    }

    fn value(&mut self) -> Json {
        let [tag, first, second] = [self.word(), self.word(), self.word()];
        let slice = |units: &[u16]| {
            let (start, length) = (first as usize, second as usize);
            String::from_utf16(&units[start..start + length])
                .unwrap_or_else(|_| panic!("half a character"))
        };
        match tag {
            tag if tag == ValueTag::Nothing as u32 || tag == ValueTag::Null as u32 => Json::Null,
            tag if tag == ValueTag::False as u32 => false.into(),
            tag if tag == ValueTag::True as u32 => true.into(),
            tag if tag == ValueTag::Number as u32 => {
                f64::from_bits(u64::from(first) | u64::from(second) << 32).into()
            }
            tag if tag == ValueTag::TextInMessage as u32 => slice(&self.message).into(),
            tag if tag == ValueTag::Text as u32 => slice(&self.batch).into(),
            tag if tag == ValueTag::Json as u32 => parse(&slice(&self.batch)),
            _ => panic!("an unknown tag {tag}"),
        }
    }
}

/// Parses a JSON text, with all numbers as doubles.
fn parse(text: &str) -> Json {
    fn with_doubles(value: Json) -> Json {
        match value {
            Json::Number(number) => number.as_f64().into(),
            Json::Array(items) => items.into_iter().map(with_doubles).collect(),
            Json::Object(map) => {
                map.into_iter().map(|(key, value)| (key, with_doubles(value))).collect()
            }
            other => other,
        }
    }
    with_doubles(serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}
