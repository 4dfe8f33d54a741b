//! What the reader calls while it reads a message.

use super::{Form, Place, Target, Update, hoist, is_doubtful, wrong_form};
use crate::base::json::{self, Sink};
use crate::base::{DiagnosticSink, Span};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::id::Op;
use crate::ham::site::Site;

/// Reads a message into an [`Update`], its values into the document's arena.
pub struct Reading<'a, 'd> {
    pub update: &'a mut Update,
    pub site: &'a mut Site<'d>,
}

// One reader is made for this sink, and calls most of these from one place each: a call would be
// longer than what it saves.
impl Sink for Reading<'_, '_> {
    #[inline(always)]
    fn open_map(&mut self, at: usize) {
        let update = &mut *self.update;
        match (update.place, update.target) {
            _ if update.builder.is_open() => update.builder.open_map(),
            (Place::Start, _) => update.place = Place::Top,
            (Place::Top, Target::Body(_)) => update.place = Place::Body,
            (Place::Body, Target::Nodes(_)) => {
                update.place = Place::Nodes;
                update.has_nodes = true;
                update.nodes_at = Some(at);
            }
            _ => update.builder.open_map(),
        }
    }

    #[inline(always)]
    fn close_map(&mut self, at: usize) {
        let update = &mut *self.update;
        if update.builder.is_open() {
            update.close(self.site, at);
            return;
        }
        update.place = match update.place {
            Place::Nodes => {
                update.target = Target::Nothing;
                Place::Body
            }
            Place::Body => {
                if !update.has_nodes && !update.misshapen {
                    update.tell_form(wrong_form("updateDataModel", Span::new(at, at + 1)));
                }
                Place::Top
            }
            _ => Place::End,
        };
    }

    #[inline(always)]
    fn open_list(&mut self, at: usize) {
        let update = &mut *self.update;
        if update.place == Place::Start {
            update.no_object(Span::new(at, at + 1));
        }
        update.builder.open_list(at);
    }

    #[inline(always)]
    fn close_list(&mut self, at: usize) {
        let update = &mut *self.update;
        update.close(self.site, at);
    }

    #[inline(always)]
    fn key(&mut self, text: json::Text<'_>) {
        if self.update.builder.is_open() {
            self.update.builder.key(self.site, text);
        } else {
            self.update.key(self.site, text);
        }
    }

    #[inline(always)]
    fn text(&mut self, text: json::Text<'_>) {
        let update = &mut *self.update;
        if !update.builder.is_open() {
            if update.place == Place::Start {
                return update.no_object(text.span);
            }
            update.builder.literal(self.site, text);
            if let Some(value) = update.builder.take_last() {
                update.value(value, text.span.end, Some(text.as_str()));
            }
        } else if let Some((_, id)) = update.builder.text(self.site, text) {
            let sigil = &self.site.document.settings.sigil;
            if is_doubtful(id, sigil) {
                update.diagnostics.report(hoist(text.as_str(), sigil).at(text.span));
            }
        }
    }

    #[inline]
    fn guess_key(&mut self) -> &[u8] {
        let Update { builder, place, form, guess, .. } = &mut *self.update;
        if builder.is_open() {
            return builder.guess_key(self.site);
        }
        let is_node = match place {
            Place::Nodes => true,
            Place::Top => *form == Form::Bare,
            _ => false,
        };
        if is_node { self.site.guess(*guess) } else { b"" }
    }

    #[inline]
    fn guessed_key(&mut self, span: Span) {
        let update = &mut *self.update;
        if update.builder.is_open() {
            update.builder.guessed_key(span);
        } else {
            update.target = Target::Node(Op::Upsert, NodeRef(update.guess), span);
            update.guess += 1;
        }
    }

    #[inline]
    fn take_items(&mut self, text: &[u8]) -> Option<usize> {
        self.update.builder.take_items(self.site, text)
    }

    #[inline]
    fn take_numbers(&mut self, text: &[u8]) -> Option<usize> {
        self.update.builder.take_numbers(text)
    }

    #[inline]
    fn take_entries(&mut self, piece: &[u8], at: usize, offset: usize) -> Option<usize> {
        self.update.take_nodes(self.site, piece, at, offset)
    }

    #[inline]
    fn number(&mut self, value: f64, span: Span) {
        self.update.scalar(Value::Number(value), span);
    }

    fn bool(&mut self, value: bool, span: Span) {
        self.update.scalar(Value::Bool(value), span);
    }

    fn null(&mut self, span: Span) {
        self.update.scalar(Value::Null, span);
    }
}
