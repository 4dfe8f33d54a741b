//! Data of the fast path for row updates.

use crate::base::bytes::starts_with;
use crate::base::json::skip_space;
use crate::ham::arena::NodeRef;
use crate::ham::builder::ChangedRow;
use crate::ham::dependencies::Owner;
use crate::ham::shape::Shapes;
use crate::ham::surface::component::ComponentRef;
use crate::ham::surface::{Surface, flush};
use slab::Slab;

/// Messages that a call accepts.
#[derive(Clone, Copy)]
pub(super) enum ExpectedMessage<'a> {
    /// An envelope, or nodes without envelope.
    Anything,
    /// An envelope for this surface, or for any surface if its id is unknown.
    Surface(Option<&'a str>),
}

/// Start of the last envelope that caused no diagnostic.
#[derive(Default)]
pub(super) struct EnvelopePrefix {
    /// Text up to the opening brace of the nodes; empty if there is none.
    prefix: Vec<u8>,
    /// The surface that accepted it; `None` if it was for the store itself.
    surface: Option<Option<String>>,
}

impl EnvelopePrefix {
    /// Maximum length in bytes of a stored prefix.
    const MAX_PREFIX_BYTES: usize = 256;

    /// Stores the start of a message whose nodes open at `nodes`.
    #[inline]
    pub fn remember(
        &mut self,
        message: &[u8],
        nodes: Option<usize>,
        expected: ExpectedMessage<'_>,
    ) {
        let Some(prefix) = nodes.and_then(|at| message.get(..=at)) else { return };
        if prefix.len() <= EnvelopePrefix::MAX_PREFIX_BYTES {
            prefix.clone_into(&mut self.prefix);
            self.surface = match expected {
                ExpectedMessage::Anything => None,
                ExpectedMessage::Surface(id) => Some(id.map(str::to_owned)),
            };
        }
    }

    /// Returns the offset of the first row and the closing text of a message, if it begins as
    /// expected.
    #[inline(always)]
    pub(super) fn find_rows(
        &self,
        message: &[u8],
        expected: ExpectedMessage<'_>,
    ) -> Option<(usize, &'static [u8])> {
        let is_expected = match expected {
            ExpectedMessage::Anything => true,
            ExpectedMessage::Surface(id) => {
                self.surface.as_ref().is_some_and(|of| of.as_deref() == id)
            }
        };
        if is_expected && !self.prefix.is_empty() && starts_with(message, &self.prefix) {
            return Some((skip_space(message, self.prefix.len()), b"}}}"));
        }
        let start = skip_space(message, 1);
        let key = message.get(start + 1..)?;
        let is_map = message.first() == Some(&b'{') && message.get(start) == Some(&b'"');
        let names_form = starts_with(key, b"updateDataModel\"") || starts_with(key, b"version\"");
        (matches!(expected, ExpectedMessage::Anything) && is_map && !names_form)
            .then_some((start, b"}"))
    }
}

/// An instance that displays a changed row.
#[derive(Clone, Copy)]
pub(super) struct RowObserver {
    /// Index in [`RowBatch::rows`].
    pub(super) row: u32,
    pub(super) surface: u32,
    pub(super) depth: u16,
    pub(super) instance: u32,
    pub(super) component: ComponentRef,
}

/// Changed rows of a message, and the instances that display them.
#[derive(Default)]
pub(super) struct RowBatch {
    pub(super) rows: Vec<ChangedRow>,
    pub(super) observers: Vec<RowObserver>,
    /// Whether a watcher depends on more than the scalar properties of a row.
    pub(super) needs_full_notify: bool,
}

impl RowBatch {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.observers.clear();
        self.needs_full_notify = false;
    }

    /// Adds an observer of the last row.
    #[inline(always)]
    pub(super) fn add_observer(
        &mut self,
        owner: Owner,
        node: NodeRef,
        shapes: &Shapes,
        surfaces: &Slab<Surface>,
    ) {
        match self.observer_of(owner, node, shapes, surfaces) {
            Some((observer, true)) => self.observers.push(observer),
            Some((_, false)) => {}
            None => self.needs_full_notify = true,
        }
    }

    /// Returns the observer for an owner, and whether it has to be notified. Returns `None` if it
    /// depends on more than scalar properties of the row.
    #[inline(always)]
    fn observer_of(
        &self,
        owner: Owner,
        node: NodeRef,
        shapes: &Shapes,
        surfaces: &Slab<Surface>,
    ) -> Option<(RowObserver, bool)> {
        let Owner::Instance { depth, surface, instance, component, context_node } = owner else {
            return None;
        };
        let Surface { tree, observed, .. } = surfaces.get(surface as usize)?;
        let component = ComponentRef(component);
        let described =
            tree.component(component).filter(|_| context_node == node && !tree.uses_index)?;
        let fields = described.flat_fields.as_deref()?;
        let mut shows_change = false;
        flush::changed_fields(fields, shapes, self.rows.last()?, |_, _| shows_change = true);
        let row = self.rows.len() as u32 - 1;
        let observer = RowObserver { row, surface, depth, instance, component };
        Some((observer, shows_change && *observed))
    }
}
