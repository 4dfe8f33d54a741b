//! Parts of the fast path for rows that come again.

use crate::base::bytes::begins;
use crate::base::json::skip_space;
use crate::base::slab::Slab;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::builder::Row;
use crate::ham::observe::Owner;
use crate::ham::shape::Shapes;
use crate::ham::surface::component::ComponentRef;
use crate::ham::surface::{Surface, flush};

/// What a message has to be.
#[derive(Clone, Copy)]
pub(super) enum Expected<'a> {
    /// An envelope or bare nodes.
    Anything,
    /// The envelope of this surface; of any, where it has no id yet.
    Surface(Option<&'a str>),
}

/// How the last envelope began that was taken without a word.
#[derive(Default)]
pub(super) struct Envelope {
    /// Up to the brace that opens its nodes; empty where there was none.
    opening: Vec<u8>,
    /// The surface that it was for; nothing where it need not be for any.
    surface: Option<Option<String>>,
}

impl Envelope {
    /// A longer beginning holds more than an envelope needs.
    const LONGEST: usize = 256;

    /// Remembers how a message began, whose nodes open at `nodes`.
    #[inline]
    pub fn remember(&mut self, message: &[u8], nodes: Option<usize>, expected: Expected<'_>) {
        let Some(opening) = nodes.and_then(|at| message.get(..=at)) else { return };
        if opening.len() <= Envelope::LONGEST {
            opening.clone_into(&mut self.opening);
            self.surface = match expected {
                Expected::Anything => None,
                Expected::Surface(id) => Some(id.map(str::to_owned)),
            };
        }
    }

    /// Where the rows of a message begin that is for whom it is expected to be, and what stands behind
    /// them, if that can be told at a glance.
    #[inline(always)]
    pub(super) fn rows_in(
        &self,
        message: &[u8],
        expected: Expected<'_>,
    ) -> Option<(usize, &'static [u8])> {
        let is_known = match expected {
            Expected::Anything => true,
            Expected::Surface(id) => self.surface.as_ref().is_some_and(|of| of.as_deref() == id),
        };
        if is_known && !self.opening.is_empty() && begins(message, &self.opening) {
            return Some((skip_space(message, self.opening.len()), b"}}}"));
        }
        let start = skip_space(message, 1);
        let key = message.get(start + 1..)?;
        let is_map = message.first() == Some(&b'{') && message.get(start) == Some(&b'"');
        let names_form = begins(key, b"updateDataModel\"") || begins(key, b"version\"");
        (matches!(expected, Expected::Anything) && is_map && !names_form).then_some((start, b"}"))
    }
}

/// An instance that shows one of these values.
#[derive(Clone, Copy)]
pub(super) struct Showing {
    /// Which of the rows.
    pub(super) row: u32,
    pub(super) surface: u32,
    pub(super) depth: u16,
    pub(super) instance: u32,
    pub(super) component: ComponentRef,
}

/// The rows of a message that are others than before, and who shows what of them.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) showing: Vec<Showing>,
    /// Whether somebody looks at them who shows something else than plain properties of a row.
    pub(super) otherwise: bool,
}

impl Rows {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.showing.clear();
        self.otherwise = false;
    }

    /// Notes who looks at the row that was added last.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        owner: Owner,
        node: NodeRef,
        shapes: &Shapes,
        surfaces: &Slab<Surface>,
    ) {
        match self.looking(owner, node, shapes, surfaces) {
            Some((showing, true)) => self.showing.push(showing),
            Some((_, false)) => {}
            None => self.otherwise = true,
        }
    }

    /// An owner as one who shows the row, and whether it wants to be told; nothing where it shows something
    /// else than plain properties of it.
    #[inline(always)]
    fn looking(
        &self,
        owner: Owner,
        node: NodeRef,
        shapes: &Shapes,
        surfaces: &Slab<Surface>,
    ) -> Option<(Showing, bool)> {
        let Owner::Instance { depth, surface, instance, component, home } = owner else {
            return None;
        };
        let Surface { tree, observed, .. } = surfaces.get(surface as usize)?;
        let component = ComponentRef(component);
        let known = tree.component(component).filter(|_| home == node && !tree.uses_index)?;
        let fields = known.fields.as_deref()?;
        let mut shows = false;
        flush::changed_fields(fields, shapes, self.rows.last()?, |_, _| shows = true);
        let row = self.rows.len() as u32 - 1;
        let showing = Showing { row, surface, depth, instance, component };
        Some((showing, shows && *observed))
    }
}

/// A row that is looked up before it is read.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Where its key opens.
    pub(super) start: usize,
    /// Where its key ends.
    pub(super) end: usize,
    /// Where its map opens.
    pub(super) map: usize,
    pub(super) node: NodeRef,
    pub(super) before: Value,
}
