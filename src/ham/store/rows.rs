//! Parts of the fast path for rows that come again.

use crate::base::bytes::begins;
use crate::base::json::skip_space;
use crate::base::slab::Slab;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::builder::ChangedRow;
use crate::ham::dependencies::Owner;
use crate::ham::shape::Shapes;
use crate::ham::surface::component::ComponentRef;
use crate::ham::surface::{Surface, flush};

/// What a message has to be.
#[derive(Clone, Copy)]
pub(super) enum ExpectedMessage<'a> {
    /// An envelope or bare nodes.
    Anything,
    /// The envelope of this surface; of any, where it has no id yet.
    Surface(Option<&'a str>),
}

/// How the last envelope began that was taken without a word.
#[derive(Default)]
pub(super) struct EnvelopePrefix {
    /// Up to the brace that opens its nodes; empty where there was none.
    prefix: Vec<u8>,
    /// The surface that it was for; nothing where it need not be for any.
    surface: Option<Option<String>>,
}

impl EnvelopePrefix {
    /// A longer beginning holds more than an envelope needs.
    const MAX_BYTES: usize = 256;

    /// Remembers how a message began, whose nodes open at `nodes`.
    #[inline]
    pub fn remember(
        &mut self,
        message: &[u8],
        nodes: Option<usize>,
        expected: ExpectedMessage<'_>,
    ) {
        let Some(prefix) = nodes.and_then(|at| message.get(..=at)) else { return };
        if prefix.len() <= EnvelopePrefix::MAX_BYTES {
            prefix.clone_into(&mut self.prefix);
            self.surface = match expected {
                ExpectedMessage::Anything => None,
                ExpectedMessage::Surface(id) => Some(id.map(str::to_owned)),
            };
        }
    }

    /// Where the rows of a message begin that is for whom it is expected to be, and what stands behind
    /// them, if that can be told at a glance.
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
        if is_expected && !self.prefix.is_empty() && begins(message, &self.prefix) {
            return Some((skip_space(message, self.prefix.len()), b"}}}"));
        }
        let start = skip_space(message, 1);
        let key = message.get(start + 1..)?;
        let is_map = message.first() == Some(&b'{') && message.get(start) == Some(&b'"');
        let names_form = begins(key, b"updateDataModel\"") || begins(key, b"version\"");
        (matches!(expected, ExpectedMessage::Anything) && is_map && !names_form)
            .then_some((start, b"}"))
    }
}

/// An instance that shows one of these values.
#[derive(Clone, Copy)]
pub(super) struct RowObserver {
    /// Which of the rows.
    pub(super) row: u32,
    pub(super) surface: u32,
    pub(super) depth: u16,
    pub(super) instance: u32,
    pub(super) component: ComponentRef,
}

/// The rows of a message that are others than before, and who shows what of them.
#[derive(Default)]
pub(super) struct RowBatch {
    pub(super) rows: Vec<ChangedRow>,
    pub(super) observers: Vec<RowObserver>,
    /// Whether somebody looks at them who shows something else than plain properties of a row.
    pub(super) needs_full_notify: bool,
}

impl RowBatch {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.observers.clear();
        self.needs_full_notify = false;
    }

    /// Notes who looks at the row that was added last.
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

    /// An owner as one who shows the row, and whether it wants to be told; nothing where it shows something
    /// else than plain properties of it.
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

/// A row that is looked up before it is read.
#[derive(Clone, Copy)]
pub(super) struct PrefetchedRow {
    /// Where its key opens.
    pub(super) start: usize,
    /// Where its key ends.
    pub(super) end: usize,
    /// Where its map opens.
    pub(super) map: usize,
    pub(super) node: NodeRef,
    pub(super) old_value: Value,
}
