//! What a node is called with, and what its answer comes to.
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::template::{Reference, Resolver, Template, below, unknown};
use crate::base::value::Map;
use crate::base::{Diagnostic, Location, Value, names};
use crate::flow::codes;
use crate::flow::compile::Flow;
use crate::flow::wiring::{is_stored, named};
use crate::flow::workflow::{DEFAULT_ACTION, Node};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What a node is called with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    pub params: Map,
    pub inputs: Map,
}

/// What a node answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    pub outputs: Map,
    pub action: String,
}

/// The names that a node reads, as it or a template has them, each with that which it is stored
/// under.
pub fn names_read(flow: &Flow, place: usize) -> Vec<(Rc<str>, Rc<str>)> {
    let (Some(node), Some(wiring)) = (flow.workflow.nodes.get(place), flow.wiring.nodes.get(place))
    else {
        return Vec::new();
    };
    let inputs = node.inputs.iter().filter(|input| !node.supplies(&input.key));
    let inputs = inputs.map(|input| {
        let key = &input.key;
        (node.reads(key), wiring.input_mappings.get(key).unwrap_or(key))
    });
    let all = inputs.chain(wiring.templates.iter());
    all.map(|(name, stored)| (name.clone(), stored.clone())).collect::<Vec<_>>()
}

/// What templates can name at one point of a run.
pub struct Scope<'a> {
    /// Names as templates have them, with those that they are stored under.
    pub templates: &'a OrderedMap<Rc<str>>,
    /// The values by these names, and by those of inputs.
    pub values: &'a dyn Fn(&str) -> Option<Value>,
    /// The item of a batch and its name.
    pub item: Option<(&'a str, &'a Value)>,
    /// How many bytes may still be put in.
    pub room: &'a Cell<usize>,
}

impl Scope<'_> {
    fn knows(&self, name: &str) -> bool {
        self.item.is_some_and(|(item, _)| item == name) || is_stored(self.templates, name)
    }

    /// What a reference stands for; nothing where its name has no value.
    fn find(&self, reference: &Reference) -> Result<Option<Value>, Diagnostic> {
        if let Some((_, item)) = self.item.filter(|(name, _)| *name == reference.name) {
            return below(item, reference).map(Some);
        }
        let Some((name, used)) = named(self.templates, reference) else {
            return Err(unknown(reference, self.templates.keys().map(|name| &**name)));
        };
        let Some(value) = (self.values)(name) else { return Ok(None) };
        let path = reference.path.get(used..).unwrap_or_default().to_vec();
        below(&value, &Reference { path, ..reference.clone() }).map(Some)
    }

    /// A template with its values. Nothing where it is one reference whose name has no value.
    pub fn resolve(&self, template: &Value, at: &str, told: &mut Vec<Diagnostic>) -> Option<Value> {
        let missing = RefCell::new(Vec::new());
        let value = |reference: &Reference| {
            self.find(reference).map(|found| {
                found.unwrap_or_else(|| {
                    missing.borrow_mut().push(reference.text.clone());
                    Value::Null
                })
            })
        };
        let known = |name: &str| self.knows(name);
        let resolving = Resolver { is_known: &known, value: &value, budget: self.room };
        let (resolved, faults) = resolving.resolve(template);
        // What is doubtful about how it is written was told when the workflow was compiled.
        let faults = faults.into_iter().filter(Diagnostic::is_error);
        told.extend(faults.map(|fault| below_pointer(fault, at)));
        let missing = missing.into_inner();
        if !missing.is_empty() && is_reference(template, &known) {
            return None;
        }
        told.extend(missing.iter().map(|text| no_value(text, at)));
        Some(resolved)
    }
}

fn is_reference(template: &Value, known: &dyn Fn(&str) -> bool) -> bool {
    template.as_text().is_some_and(|text| Template::read(text, known).0.whole().is_some())
}

fn no_value(text: &str, at: &str) -> Diagnostic {
    Diagnostic::new(
        codes::NO_VALUE,
        format!("{} has no value yet: it stands for nothing", quote(text)),
    )
    .help("see that the node that writes it runs before, or give the input")
    .at_pointer(at)
}

/// The same fault, its place below another one.
fn below_pointer(fault: Diagnostic, at: &str) -> Diagnostic {
    let place = match &fault.location {
        Some(Location::Pointer(pointer)) => format!("{at}{pointer}"),
        _ => at.to_owned(),
    };
    fault.at_pointer(place)
}

/// What a node is called with. Faults are errors among what is told.
pub fn prepare(
    flow: &Flow,
    place: usize,
    scope: &Scope<'_>,
    told: &mut Vec<Diagnostic>,
) -> Option<Call> {
    let node = flow.workflow.nodes.get(place)?;
    let mut call = Call::default();
    for (key, template) in node.params.value().entries() {
        let at = format!("/nodes/{place}/params/{}", pointer_step(key));
        if let Some(value) = scope.resolve(template, &at, told) {
            call.params.insert(key.clone(), value);
        }
    }
    for input in node.inputs.iter() {
        let key = &input.key;
        let value = if node.supplies(key) {
            call.params.get(key).cloned()
        } else {
            (scope.values)(node.reads(key))
        };
        call.inputs.extend(value.map(|value| (key.clone(), value)));
    }
    if let Some((name, item)) = scope.item {
        // A param comes first, as for every input.
        let value = call.params.get(name).unwrap_or(item).clone();
        call.inputs.insert(name.into(), value);
    }
    (!told.iter().any(Diagnostic::is_error)).then_some(call)
}

/// The items of a node that runs once for each.
pub fn items(
    place: usize,
    template: &Value,
    scope: &Scope<'_>,
    told: &mut Vec<Diagnostic>,
) -> Option<Vec<Value>> {
    let at = format!("/nodes/{place}/batch/items");
    let value = scope.resolve(template, &at, told).unwrap_or_default();
    if told.iter().any(Diagnostic::is_error) {
        return None;
    }
    if let Some(items) = value.as_list() {
        return Some(items.to_vec());
    }
    let named = template.as_text().filter(|_| value.is_null());
    let named = named.filter(|_| is_reference(template, &|name| scope.knows(name)));
    let (message, help) = match named {
        Some(text) => (
            format!("the items of the batch are {}, which has no value", quote(text)),
            "see that the node that writes it runs before, or give the input",
        ),
        None => (
            format!("the items of the batch are no list but {}", value.kind()),
            "write a template of a list, as in `\"$files\"`",
        ),
    };
    told.push(Diagnostic::new(codes::NO_LIST, message).help(help).at_pointer(at));
    None
}

/// Reads what a node answered: `{outputs, action?}`. What is dropped of it is told in either case.
pub fn read_answer(
    node: &Node,
    place: usize,
    strict: bool,
    answer: &Value,
    told: &mut Vec<Diagnostic>,
) -> Result<Answered, Diagnostic> {
    let at = || format!("/nodes/{place}");
    let bad = |message: String| {
        Diagnostic::new(codes::BAD_ANSWER, message)
            .help("answer `{ outputs: { key: value }, action?: \"default\" }`")
            .at_pointer(at())
    };
    let Some(outputs) = answer.get("outputs").and_then(Value::as_map) else {
        return Err(bad(format!("{} answered no `outputs`", quote(&node.id))));
    };
    let action = match answer.get("action") {
        None | Some(Value::Null) => DEFAULT_ACTION.to_owned(),
        Some(Value::Text(action)) => action.to_string(),
        Some(_) => return Err(bad(format!("the action of {} is no text", quote(&node.id)))),
    };
    let mut kept = Map::default();
    for (key, value) in outputs {
        if node.outputs.iter().any(|output| *output.key == **key) {
            kept.insert(key.clone(), value.clone());
            continue;
        }
        let help = match node.outputs.is_empty() {
            true => "declare it among the outputs of its type".to_owned(),
            false => {
                names::instead(key, &node.outputs.iter().map(|own| &*own.key).collect::<Vec<_>>())
            }
        };
        let (code, end) = if strict {
            (codes::UNDECLARED_OUTPUT, "")
        } else {
            (codes::DROPPED_OUTPUT, ": it is dropped")
        };
        let message =
            format!("{} does not declare the output {}{end}", quote(&node.id), quote(key));
        let fault = Diagnostic::new(code, message).help(help).at_pointer(at());
        if strict {
            return Err(fault);
        }
        told.push(fault);
    }
    let missing =
        node.outputs.iter().find(|output| !output.optional && !kept.contains_key(&output.key));
    if let Some(missing) = missing {
        let message =
            format!("{} did not answer its output {}", quote(&node.id), quote(&missing.key));
        return Err(Diagnostic::new(codes::MISSING_OUTPUT, message)
            .help("answer it, or declare it `optional`")
            .at_pointer(at()));
    }
    Ok(Answered { outputs: kept, action })
}

/// The outputs of a batch: each a list in the order of the items.
pub fn gather(node: &Node, answers: &[Answered]) -> Answered {
    let mut outputs = Map::default();
    for output in node.outputs.iter() {
        let key = &output.key;
        let each = || answers.iter().map(|answer| answer.outputs.get(key));
        if answers.is_empty() || each().any(|value| value.is_some()) {
            let list = each().map(|value| value.cloned().unwrap_or_default());
            outputs.insert(key.clone(), Value::list(list.collect::<Vec<_>>()));
        }
    }
    let other = answers.iter().find(|answer| answer.action != DEFAULT_ACTION);
    let action = other.map_or(DEFAULT_ACTION, |answer| answer.action.as_str()).to_owned();
    Answered { outputs, action }
}
