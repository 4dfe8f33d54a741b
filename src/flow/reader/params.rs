//! Params that node types declare.

use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::flow::workflow::ParamDeclaration;
use std::rc::Rc;

/// Returns the declared params: of a map, of a JSON Schema, or of a list of strings or objects with a `key` or
/// `name`.
pub(super) fn declared_params(declared: &Value) -> Rc<Vec<ParamDeclaration>> {
    let mut params = Vec::new();
    let properties = declared.get("properties").filter(|properties| properties.as_map().is_some());
    let is_schema = properties.is_some();
    let mut required: OrderedMap<()> = OrderedMap::default();
    if is_schema {
        let listed = declared.get("required").and_then(Value::as_list).unwrap_or_default();
        required.extend(listed.iter().filter_map(Value::as_shared).map(|key| (key.clone(), ())));
    }
    for (key, value) in properties.unwrap_or(declared).entries() {
        let mut param = param_declaration(key, value);
        if is_schema && required.contains_key(key) {
            param.required = Some(true);
        }
        params.push(param);
    }
    for entry in declared.as_list().unwrap_or_default() {
        let part = |key: &str| entry.get(key)?.as_shared();
        if let Some(key) = entry.as_shared().or_else(|| part("key")).or_else(|| part("name")) {
            params.push(param_declaration(key, entry));
        }
    }
    Rc::new(params)
}

fn param_declaration(key: &Rc<str>, value: &Value) -> ParamDeclaration {
    let text = |key: &str| value.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
    let flag = |key: &str| value.get(key).and_then(Value::as_bool);
    let required = flag("required").or_else(|| flag("optional").map(|optional| !optional));
    ParamDeclaration {
        key: key.clone(),
        kind: text("type"),
        description: text("description"),
        required,
        default: value.get("default").cloned(),
    }
}
