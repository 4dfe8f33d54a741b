//! Surfaces of a store.

use super::input::Input;
use super::{
    InputKind, JsResult, Store, diagnostics_to_js, encoding_from_number, json_from, to_js,
    to_rust_string,
};
use crate::ham::store::DataOwner;
use crate::ham::surface::component::Catalog;
use crate::wire::{self, Source};
use js_sys::JsString;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Store {
    /// Adds a surface with a `Catalog`.
    pub fn surface_add(&mut self, catalog: &JsValue) -> Result<usize, JsValue> {
        let catalog = json_from(catalog)
            .map_err(|error| diagnostics_to_js(vec![error], Source::Object(&[])))?;
        Ok(self.core.add_surface(Catalog::parse(&catalog)))
    }

    /// Removes a surface.
    pub fn surface_remove(&mut self, number: usize) {
        self.core.remove_surface(number);
    }

    /// Sets whether changes of a surface are recorded.
    pub fn surface_observe(&mut self, number: usize, observed: bool) {
        if let Some(surface) = self.core.surface_mut(number) {
            surface.observed = observed;
        }
    }

    /// Applies the message of `length` bytes in the input.
    pub fn surface_receive(
        &mut self,
        number: usize,
        length: usize,
        held: u32,
        given: u32,
        owned: bool,
    ) -> bool {
        let input = Input::take_buffer();
        let text = input.prefix(length);
        let applied = self.core.receive(
            number,
            text,
            encoding_from_number(held),
            if owned { DataOwner::Own } else { DataOwner::Shared },
        );
        let ok = applied.ok;
        self.store_result(applied, text, InputKind::new(given));
        ok
    }

    /// Writes the complete tree of a surface to the records. Returns false if there is none.
    pub fn surface_tree(&mut self, number: usize) -> bool {
        let written = self.core.write_tree(number);
        self.finish_call(written, 0);
        written
    }

    /// Returns the JSON text of the new rows of the component table; `undefined` if there are none.
    pub fn surface_components(&mut self, number: usize) -> Option<JsString> {
        let surface = self.core.surface_mut(number)?;
        surface.has_unsent_components().then(|| surface.take_unsent_components().to_text().into())
    }

    /// Returns the JSON text of the list of components, as they were received.
    pub fn surface_export(&self, number: usize) -> Option<JsString> {
        Some(self.core.surface(number)?.export_components().to_text().into())
    }

    /// Returns the id that the agent gave to a surface.
    pub fn surface_id(&self, number: usize) -> Option<JsString> {
        self.core.surface(number)?.id.as_deref().map(JsString::from)
    }

    /// Returns the text of a bound property of an instance.
    pub fn surface_text(&self, number: usize, instance: u32, prop: u32) -> Option<JsString> {
        let surface = self.core.surface(number)?;
        surface.bound_text(&self.core.document, instance, prop).map(JsString::from)
    }

    /// Returns diagnostics of the current surface; if the agent `is_done`, also that no data have
    /// arrived.
    pub fn surface_diagnostics(&mut self, number: usize, is_done: bool) -> JsValue {
        let found = self.core.surface_diagnostics(number, is_done);
        to_js(&wire::Diagnostic::list(found, Source::Text(b"")))
    }

    /// Returns the JSON text of an action with its context resolved; throws a diagnostic.
    pub fn surface_action(&self, number: usize, key: &JsString, event: &JsString) -> JsResult {
        let surface = self.core.surface(number).ok_or(JsValue::UNDEFINED)?;
        match surface.action(&self.core.document, &to_rust_string(key), &to_rust_string(event)) {
            Ok(text) => Ok(JsValue::from_str(&text)),
            Err(error) => Err(diagnostics_to_js(vec![error], Source::Text(b""))),
        }
    }

    /// Writes user input to a property of the instance with a key; the JSON text of the value is in the input.
    pub fn surface_input(
        &mut self,
        number: usize,
        key: &JsString,
        prop: &JsString,
        length: usize,
    ) -> u32 {
        let (key, prop) = (to_rust_string(key), to_rust_string(prop));
        let input = Input::take_buffer();
        let value = input.prefix(length);
        let applied = self.core.input(number, &key, &prop, value);
        self.store_result(applied, value, InputKind::Object)
    }
}
