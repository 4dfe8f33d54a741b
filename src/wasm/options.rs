//! Options of a store, read from the host's object.

use crate::ham::document::StoreSettings;
use crate::wire::{HamExtensions, HamLimits, HamStoreOptions};
use wasm_bindgen::prelude::*;

/// Returns the settings of a store; throws a message if the options are invalid.
pub fn settings(options: JsValue) -> Result<StoreSettings, JsValue> {
    let options = ham_store_options(&options);
    options.and_then(HamStoreOptions::settings).map_err(|error| JsValue::from_str(&error))
}

/// Reads each field by hand, because derived code would add all error messages of serde.
fn ham_store_options(options: &JsValue) -> Result<HamStoreOptions, String> {
    let extensions = get_field(options, "extensions");
    let limits = get_field(options, "limits");
    let count = |name: &str| read_option(&limits, name, "a number", JsValue::as_f64);
    Ok(HamStoreOptions {
        sigil: read_option(options, "sigil", "a string", JsValue::as_string)?,
        repair: read_option(options, "repair", "a boolean", JsValue::as_bool)?,
        extensions: Some(HamExtensions {
            list_edits: read_option(&extensions, "listEdits", "a boolean", JsValue::as_bool)?,
            merge: read_option(&extensions, "merge", "a boolean", JsValue::as_bool)?,
        }),
        limits: Some(HamLimits {
            bytes: count("bytes")?,
            memory: count("memory")?,
            nodes: count("nodes")?,
            depth: count("depth")?,
            deep_read: count("deepRead")?,
            instances: count("instances")?,
            undo: count("undo")?,
        }),
    })
}

/// Returns a field, or `undefined`.
fn get_field(object: &JsValue, name: &str) -> JsValue {
    // Reading a field of a value that is not an object throws, which takes ten microseconds.
    if !object.is_object() {
        return JsValue::UNDEFINED;
    }
    js_sys::Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// Returns the value of a field, or `None` if it is omitted.
fn read_option<T>(
    object: &JsValue,
    name: &str,
    form: &str,
    read: impl Fn(&JsValue) -> Option<T>,
) -> Result<Option<T>, String> {
    let value = get_field(object, name);
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    read(&value).map(Some).ok_or_else(|| format!("`{name}` is {form}"))
}
