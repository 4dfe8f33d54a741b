//! JSON sink of a message.

use super::{ParserPosition, Update, ValueRole, dangling_pointer, form_error, is_suspicious_id};
use crate::base::json::{self, Sink};
use crate::base::{DiagnosticSink, Span};
use crate::ham::arena::Value;
use crate::ham::chunk_target::ChunkTarget;
use crate::ham::id::EntryOp;

/// Sink that parses a message into an [`Update`] and the document's arena.
pub struct UpdateSink<'a, 'd> {
    pub update: &'a mut Update,
    pub target: &'a mut ChunkTarget<'d>,
}

// Inlined, because the reader is instantiated once for this sink and has about one call per method.
impl Sink for UpdateSink<'_, '_> {
    #[inline(always)]
    fn open_map(&mut self, at: usize) {
        let update = &mut *self.update;
        match (update.position, update.role) {
            _ if update.builder.is_open() => update.builder.open_map(),
            (ParserPosition::Start, _) => update.position = ParserPosition::Top,
            (ParserPosition::Top, ValueRole::Body(_)) => update.position = ParserPosition::Body,
            (ParserPosition::Body, ValueRole::Nodes(_)) => {
                update.position = ParserPosition::Nodes;
                update.has_nodes = true;
                // The next message is expected to be alike only without edits.
                update.nodes_at = (!update.has_edits).then_some(at);
            }
            _ => update.builder.open_map(),
        }
    }

    #[inline(always)]
    fn close_map(&mut self, at: usize) {
        let update = &mut *self.update;
        if update.builder.is_open() {
            update.close(self.target, at);
            return;
        }
        update.position = match update.position {
            ParserPosition::Nodes => {
                update.role = ValueRole::Nothing;
                ParserPosition::Body
            }
            ParserPosition::Body => {
                if !update.has_nodes && !update.has_form_error {
                    update.report_form_error(form_error("updateDataModel", Span::new(at, at + 1)));
                }
                ParserPosition::Top
            }
            _ => ParserPosition::End,
        };
    }

    #[inline(always)]
    fn open_list(&mut self, at: usize) {
        let update = &mut *self.update;
        if update.position == ParserPosition::Start {
            update.report_not_object(Span::new(at, at + 1));
        }
        update.builder.open_list(at);
    }

    #[inline(always)]
    fn close_list(&mut self, at: usize) {
        let update = &mut *self.update;
        update.close(self.target, at);
    }

    #[inline(always)]
    fn key(&mut self, text: json::Text<'_>) {
        if self.update.builder.is_open() {
            self.update.builder.key(self.target, text);
        } else {
            self.update.handle_key(self.target, text);
        }
    }

    #[inline(always)]
    fn text(&mut self, text: json::Text<'_>) {
        let update = &mut *self.update;
        if !update.builder.is_open() {
            if update.position == ParserPosition::Start {
                return update.report_not_object(text.span);
            }
            update.builder.literal(self.target, text);
            if let Some(value) = update.builder.pop_last() {
                update.assign_value(value, text.span.end, Some(text.as_str()));
            }
        } else if let Some((_, id)) = update.builder.text(self.target, text) {
            let sigil = &self.target.document.settings.sigil;
            // A removal may name a property that begins with the sigil.
            let is_removal = matches!(update.role, ValueRole::Node(EntryOp::Remove, ..));
            if is_suspicious_id(id, sigil) && !is_removal {
                update.diagnostics.report(dangling_pointer(text.as_str(), sigil).at(text.span));
            }
        }
    }

    #[inline]
    fn take_items(&mut self, text: &[u8]) -> Option<usize> {
        self.update.builder.take_items(self.target, text)
    }

    #[inline]
    fn take_entries(&mut self, chunk: &[u8], at: usize, offset: usize) -> Option<usize> {
        self.update.parse_flat_nodes(self.target, chunk, at, offset)
    }

    #[inline]
    fn number(&mut self, value: f64, span: Span) {
        self.update.assign_scalar(Value::Number(value), span);
    }

    fn bool(&mut self, value: bool, span: Span) {
        self.update.assign_scalar(Value::Bool(value), span);
    }

    fn null(&mut self, span: Span) {
        self.update.assign_scalar(Value::Null, span);
    }
}
