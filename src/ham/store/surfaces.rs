//! Surfaces of a store.

use super::rows::ExpectedMessage;
use super::{Applied, Store, rejected_result};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::value::Value as Json;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::codes;
use crate::ham::history::Cause;
use crate::ham::surface::component::Catalog;
use crate::ham::surface::message::{self, Message};
use crate::ham::surface::message_text::HostEncoding;
use crate::ham::surface::record::{RecordOp, UpdateRecords};
use crate::ham::surface::{Created, Surface};
use crate::ham::update::wrong_surface;
use crate::ham::write::WriteSource;

/// Owner of a surface's data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DataOwner {
    /// The surface; the data is deleted with it.
    Own,
    /// The host, which shares it.
    Shared,
}

impl Store {
    /// Adds a surface and returns its handle.
    pub fn add_surface(&mut self, catalog: Catalog) -> usize {
        let handle = self.surfaces.vacant_key();
        self.surfaces.insert(Surface::new(handle as u32, catalog))
    }

    /// Removes a surface and its instances.
    pub fn remove_surface(&mut self, handle: usize) {
        if let Some(mut surface) = self.surfaces.try_remove(handle) {
            surface.clear(&mut self.watchers, &mut UpdateRecords::default());
        }
    }

    /// Returns a surface.
    pub fn surface(&self, handle: usize) -> Option<&Surface> {
        self.surfaces.get(handle)
    }

    /// Returns a surface for changes.
    pub fn surface_mut(&mut self, handle: usize) -> Option<&mut Surface> {
        self.surfaces.get_mut(handle)
    }

    /// Applies a message for a surface.
    pub fn receive(
        &mut self,
        handle: usize,
        message: &[u8],
        encoding: HostEncoding,
        data: DataOwner,
    ) -> Applied {
        let id = self.surface(handle).and_then(|surface| surface.id.clone());
        if message::peek_message_type(message) == Some(b"updateDataModel") {
            return self.apply_for(message, encoding, ExpectedMessage::Surface(id.as_deref()));
        }
        self.begin_call(message.len());
        let (json, mut diagnostics) = Json::parse(message, self.json_limits());
        let Some(json) = json else { return rejected_result(diagnostics) };
        match message::parse(&json, &mut diagnostics) {
            Some(Message::Data) => {
                return self.apply_for(message, encoding, ExpectedMessage::Surface(id.as_deref()));
            }
            Some(parsed) => self.apply_message(handle, parsed, data, &mut diagnostics),
            None => {}
        }
        let ok = !diagnostics.iter().any(Diagnostic::is_error);
        Applied { ok, revision: self.history.last_revision(), diagnostics }
    }

    fn apply_message(
        &mut self,
        handle: usize,
        message: Message,
        data: DataOwner,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(surface) = self.surfaces.get_mut(handle) else { return };
        if let Err(error) = check_message(surface, &message) {
            diagnostics.push(error);
            return;
        }
        self.records.push_op(RecordOp::Surface, [handle as u32]);
        let id_before;
        let mut created_before = None;
        let components = match message {
            Message::Data => return,
            Message::Delete { .. } => {
                surface.clear(&mut self.watchers, &mut self.records);
                surface.created = None;
                if data == DataOwner::Own {
                    diagnostics.append(&mut self.delete_all_nodes());
                }
                return;
            }
            Message::Create { id, options, components } => {
                let components = components.unwrap_or_default();
                let created = Created::new(options, &components);
                if surface.is_created_otherwise(&created, &components) {
                    let has_data = data == DataOwner::Shared;
                    let error = surface.reset_error(&mut self.document, &components, has_data);
                    if let Some(error) = error {
                        self.records.reset();
                        diagnostics.push(error);
                        return;
                    }
                    diagnostics.push(created_again(&id));
                    surface.clear(&mut self.watchers, &mut self.records);
                    if data == DataOwner::Own {
                        diagnostics.append(&mut self.delete_all_nodes());
                    }
                }
                let Some(surface) = self.surfaces.get_mut(handle) else { return };
                id_before = surface.id.replace(id);
                created_before = Some(surface.created.replace(created));
                components
            }
            Message::Components { id, components } => {
                // Components may arrive before `createSurface`.
                id_before = surface.id.replace(id);
                components
            }
        };
        let Some(surface) = self.surfaces.get_mut(handle) else { return };
        let (document, watchers) = (&mut self.document, &mut self.watchers);
        match surface.define(document, watchers, &components, &mut self.records) {
            Ok(found) => diagnostics.extend(found),
            Err(error) => {
                diagnostics.push(error);
                surface.id = id_before;
                if let Some(created) = created_before {
                    surface.created = created;
                }
                self.records.reset();
            }
        }
    }

    fn delete_all_nodes(&mut self) -> Vec<Diagnostic> {
        let nodes: Vec<NodeRef> = self.document.existing_nodes().collect();
        nodes.into_iter().for_each(|node| self.document.set(node, Value::Missing));
        // Without nodes there are no items.
        self.finish_update(Cause::Update, None).unwrap_or_else(|error| vec![error])
    }

    /// Writes all instances of a surface to the records. Returns `false` if there are none.
    pub fn write_tree(&mut self, handle: usize) -> bool {
        self.records.reset();
        let Some(surface) = self.surfaces.get_mut(handle) else { return false };
        surface.tree.write_all(&self.document, &mut self.records);
        surface.tree.root.is_some()
    }

    /// Returns the diagnostics of a surface in its current state. If the agent `is_done`, also that
    /// no data have arrived.
    pub fn surface_diagnostics(&mut self, handle: usize, is_done: bool) -> Vec<Diagnostic> {
        let Some(surface) = self.surfaces.get_mut(handle) else { return Vec::new() };
        surface.diagnostics(&self.document, is_done)
    }

    /// Writes the JSON text `json` of an input to a property of the instance with a key.
    pub fn input(&mut self, handle: usize, key: &str, prop: &str, json: &[u8]) -> Applied {
        self.begin_call(json.len());
        let Some(surface) = self.surfaces.get(handle) else { return rejected_result(Vec::new()) };
        let applied = match surface.input_target(&self.document, key, prop) {
            Ok((binding, context)) => self.write(binding, &context, json, WriteSource::Input),
            Err(error) => rejected_result(vec![error]),
        };
        let error = applied.diagnostics.first().filter(|_| !applied.ok).cloned();
        if let Some(surface) = self.surfaces.get_mut(handle) {
            surface.input_error = error;
        }
        applied
    }
}

/// Checks that a message is for this surface and valid in its state.
fn check_message(surface: &Surface, message: &Message) -> Result<(), Diagnostic> {
    let named_id = match message {
        Message::Data => return Ok(()),
        Message::Create { id, .. } | Message::Components { id, .. } | Message::Delete { id } => id,
    };
    let error = |message: String, help: &str| {
        Err(Diagnostic::new(codes::INVALID_MESSAGE, message).help(help))
    };
    match (&surface.id, message) {
        (Some(own_id), _) if own_id != named_id => Err(wrong_surface(named_id, own_id)),
        (None, Message::Delete { .. }) => {
            let message = format!("unknown surface {}", quote(named_id));
            error(message, "send `createSurface` first")
        }
        _ => Ok(()),
    }
}

/// Builds the warning for a surface that is created again with other contents.
fn created_again(id: &str) -> Diagnostic {
    let message = format!(
        "the surface {} exists; it was reset, because its `createSurface` has other contents",
        quote(id)
    );
    Diagnostic::new(codes::CREATED_AGAIN, message)
        .help("send `updateComponents` or `updateDataModel` to change it, or `deleteSurface` first")
}
