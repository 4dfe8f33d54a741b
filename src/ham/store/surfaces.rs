//! The surfaces of a store: what they are told, what they are asked.

use super::{Applied, Expected, Store, refused};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::value::Value as Json;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::codes;
use crate::ham::history::Cause;
use crate::ham::surface::Surface;
use crate::ham::surface::component::Catalog;
use crate::ham::surface::held::Held;
use crate::ham::surface::message::{self, Message};
use crate::ham::surface::record::{Op, Records};
use crate::ham::update::other_surface;
use crate::ham::write::By;

/// Whose the data of a surface is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// The surface's own: it goes when the surface goes.
    Own,
    /// The host's, who shares it.
    Shared,
}

impl Store {
    /// Adds a surface.
    pub fn add_surface(&mut self, catalog: Catalog) -> usize {
        let number = self.surfaces.vacant_key();
        self.surfaces.insert(Surface::new(number as u32, catalog))
    }

    /// Removes a surface.
    pub fn remove_surface(&mut self, number: usize) {
        if let Some(mut surface) = self.surfaces.try_remove(number) {
            surface.clear(&mut self.watchers, &mut Records::default());
        }
    }

    /// A surface.
    pub fn surface(&self, number: usize) -> Option<&Surface> {
        self.surfaces.get(number)
    }

    /// A surface, to be changed.
    pub fn surface_mut(&mut self, number: usize) -> Option<&mut Surface> {
        self.surfaces.get_mut(number)
    }

    /// Takes a message for a surface.
    pub fn receive(&mut self, number: usize, message: &[u8], held: Held, data: Data) -> Applied {
        let id = self.surface(number).and_then(|surface| surface.id.clone());
        if message::peek(message) == Some(b"updateDataModel") {
            return self.apply_for(message, held, Expected::Surface(id.as_deref()));
        }
        self.begin(message.len());
        let (json, mut diagnostics) = Json::parse(message, self.json_limits());
        let Some(json) = json else { return refused(diagnostics) };
        match message::parse(&json, &mut diagnostics) {
            Some(Message::Data) => {
                return self.apply_for(message, held, Expected::Surface(id.as_deref()));
            }
            Some(parsed) => self.obey(number, parsed, data, &mut diagnostics),
            None => {}
        }
        let ok = !diagnostics.iter().any(Diagnostic::is_error);
        Applied { ok, revision: self.history.last(), diagnostics }
    }

    fn obey(
        &mut self,
        number: usize,
        message: Message,
        data: Data,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(surface) = self.surfaces.get_mut(number) else { return };
        if let Err(error) = fits(surface, &message) {
            diagnostics.push(error);
            return;
        }
        self.records.op(Op::Surface, [number as u32]);
        let components = match message {
            Message::Data => return,
            Message::Delete { .. } => {
                surface.clear(&mut self.watchers, &mut self.records);
                if data == Data::Own {
                    let nodes: Vec<NodeRef> = self.document.present().collect();
                    nodes.into_iter().for_each(|node| self.document.set(node, Value::Missing));
                    diagnostics.append(&mut self.finish(Cause::Update, None));
                }
                return;
            }
            Message::Create { id, components } => {
                surface.id = Some(id);
                surface.announced = true;
                components.unwrap_or_default()
            }
            Message::Components { id, components } => {
                // Components may come before their surface is announced.
                surface.id = Some(id);
                components
            }
        };
        let (document, watchers) = (&mut self.document, &mut self.watchers);
        diagnostics.extend(surface.define(document, watchers, &components, &mut self.records));
    }

    /// Writes all instances of a surface to the records; whether there are any.
    pub fn write_tree(&mut self, number: usize) -> bool {
        self.records.start();
        let Some(surface) = self.surfaces.get_mut(number) else { return false };
        surface.tree.write_all(&self.document, &mut self.records);
        surface.tree.root.is_some()
    }

    /// What is wrong with a surface as it stands.
    pub fn surface_diagnostics(&mut self, number: usize) -> Vec<Diagnostic> {
        let Some(surface) = self.surfaces.get_mut(number) else { return Vec::new() };
        surface.diagnostics(&self.document)
    }

    /// Takes input to a property of the instance with a key; `json` is the text of the value.
    pub fn input(&mut self, number: usize, key: &str, prop: &str, json: &[u8]) -> Applied {
        self.begin(json.len());
        let Some(surface) = self.surfaces.get(number) else { return refused(Vec::new()) };
        let applied = match surface.input_target(&self.document, key, prop) {
            Ok((binding, context)) => self.write(binding, &context, json, By::Input),
            Err(error) => refused(vec![error]),
        };
        let fault = applied.diagnostics.first().filter(|_| !applied.ok).cloned();
        if let Some(surface) = self.surfaces.get_mut(number) {
            surface.input_fault = fault;
        }
        applied
    }
}

/// Whether a message is for this surface, and comes at its time.
fn fits(surface: &Surface, message: &Message) -> Result<(), Diagnostic> {
    let named = match message {
        Message::Data => return Ok(()),
        Message::Create { id, .. } | Message::Components { id, .. } | Message::Delete { id } => id,
    };
    let fault =
        |message: String, help: &str| Err(Diagnostic::new(codes::MESSAGE, message).help(help));
    match (&surface.id, message) {
        (Some(known), _) if known != named => Err(other_surface(named, known)),
        (Some(_), Message::Create { .. }) if surface.announced => {
            let message = format!("the surface {} is there already", quote(named));
            fault(message, "send `deleteSurface` first to start anew")
        }
        (None, Message::Delete { .. }) => {
            let message = format!("there is no surface {}", quote(named));
            fault(message, "send `createSurface` first")
        }
        _ => Ok(()),
    }
}
