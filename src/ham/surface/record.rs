//! Records: changes as u32 words, which the host reads from memory.
//!
//! A record is a [`RecordOp`] and its operands, one word each. A value is three words: a tag and a
//! payload of two. Texts are slices of the message, which the host has, or of one batch, which it
//! decodes at once. Both are counted in UTF-16 code units.

use super::message_text::{self, HostEncoding, MessageText};
use crate::ham::arena::Value;
use crate::ham::chunk_target::StoredChunk;
use crate::ham::document::View;

/// Maximum size of a batch in bytes, because JavaScript strings have at most 2^29 code units. Texts
/// beyond it become null.
const MAX_BATCH_BYTES: usize = 1 << 28;

/// Operation of a record.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum RecordOp {
    /// `parent, before`; an instance follows.
    Mount = 1,
    /// `instance`.
    Unmount = 2,
    /// `instance, before`.
    Move = 3,
    /// `instance, prop, value`.
    Set = 4,
    /// `size, instance, component, group, item key as a value, prop count`, then the bound
    /// properties as `prop, value`, then the children, then `Leave`. The size is in words, from
    /// `Enter` to `Leave`.
    Enter = 5,
    Leave = 6,
    /// `subscription, value, reference`: the value and the id that a pointer referred to, or
    /// `Nothing`. If the value is missing, it is `Nothing` and the reference `Null`. If both are
    /// `Nothing`, the host must request the reading.
    Fire = 7,
    /// `surface`: the owner of the records that follow.
    Surface = 8,
    /// `instance, prop, value`: the value is appended to the text of the property.
    Append = 9,
}

/// Type of a value's payload.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum ValueTag {
    /// Nothing: an item key that equals the component id, and omissions of [`RecordOp::Fire`].
    Nothing = 0,
    Null = 1,
    False = 2,
    True = 3,
    /// The low and the high half of a double.
    Number = 4,
    /// Start and length in the text of the message.
    TextInMessage = 5,
    /// Start and length in the batch.
    Text = 6,
    /// Start and length, in the batch, of JSON text.
    Json = 7,
}

/// No instance.
pub const NONE: u32 = u32::MAX;

/// Growable buffer of words. Its memory is initialised in advance, because most pushes are short.
#[derive(Default)]
pub struct WordBuffer {
    /// Words after the first `len` are unused.
    buffer: Vec<u32>,
    len: usize,
}

impl WordBuffer {
    pub fn as_slice(&self) -> &[u32] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    #[inline]
    pub fn push<const N: usize>(&mut self, words: [u32; N]) {
        if self.len + N > self.buffer.len() {
            self.grow(N);
        }
        // A copy of constant length compiles to a few stores.
        if let Some(slot) = self.buffer.get_mut(self.len..).and_then(<[u32]>::first_chunk_mut) {
            *slot = words;
            self.len += N;
        }
    }

    /// Reserves exactly this many words, because the first access to memory costs more than the
    /// write.
    pub fn reserve(&mut self, more: usize) {
        if self.len + more > self.buffer.len() {
            self.buffer.resize(self.len + more, 0);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        self.buffer.resize(2 * (self.buffer.len() + more), 0);
    }

    fn set(&mut self, at: usize, word: u32) {
        if let Some(slot) = self.buffer.get_mut(at) {
            *slot = word;
        }
    }
}

/// Lengths of the records, to truncate them later.
#[derive(Clone, Copy, PartialEq)]
pub struct RecordMark {
    words: usize,
    batch: usize,
    batch_units: u32,
}

/// Records of one update.
#[derive(Default)]
pub struct UpdateRecords {
    pub words: WordBuffer,
    /// UTF-8.
    pub batch: Vec<u8>,
    /// Length of the batch in UTF-16 code units.
    batch_units: u32,
    source: MessageText,
}

impl UpdateRecords {
    /// Removes all records.
    pub fn reset(&mut self) {
        self.words.len = 0;
        self.batch.clear();
        self.batch_units = 0;
        self.source.clear();
    }

    /// Removes all records and sets the current message.
    #[inline(always)]
    pub fn reset_for_message(
        &mut self,
        encoding: HostEncoding,
        message: &[u8],
        stored: StoredChunk,
    ) {
        self.reset();
        self.source.set_message(encoding, message, stored);
    }

    /// Drops the message as a source of texts if few nodes changed.
    pub fn drop_source_if_sparse(&mut self, changed_count: usize) {
        self.source.drop_if_sparse(changed_count);
    }

    pub fn mark(&self) -> RecordMark {
        RecordMark { words: self.words.len, batch: self.batch.len(), batch_units: self.batch_units }
    }

    /// Removes the records after the mark.
    pub fn truncate(&mut self, mark: RecordMark) {
        self.words.len = mark.words;
        self.batch.truncate(mark.batch);
        self.batch_units = mark.batch_units;
    }

    #[inline]
    pub fn push_op<const N: usize>(&mut self, op: RecordOp, operands: [u32; N]) {
        self.words.push([op as u32]);
        self.words.push(operands);
    }

    fn push_value(&mut self, tag: ValueTag, first: u32, second: u32) {
        self.words.push([tag as u32, first, second]);
    }

    /// Returns the number of words of an instance with this many properties, without its children.
    pub const fn instance_words(props: usize) -> usize {
        10 + 4 * props
    }

    /// Begins an instance. Returns its start for [`UpdateRecords::end_instance`].
    pub fn begin_instance(&mut self, number: u32, component: u32, group: u32) -> usize {
        let start = self.words.len;
        self.push_op(RecordOp::Enter, [0, number, component, group]);
        start
    }

    pub fn end_instance(&mut self, start: usize) {
        self.push_op(RecordOp::Leave, []);
        let size = self.words.len - start;
        self.words.set(start + 1, size as u32);
    }

    /// Adds a value without payload.
    pub fn push_tag(&mut self, tag: ValueTag) {
        self.push_value(tag, 0, 0);
    }

    pub fn push_number(&mut self, number: f64) {
        let bits = number.to_bits();
        self.push_value(ValueTag::Number, bits as u32, (bits >> 32) as u32);
    }

    pub fn push_text(&mut self, text: &str) {
        self.push_bytes(text.as_bytes(), message_text::utf16_len(text.as_bytes()));
    }

    /// Adds a text of this many code units, given as UTF-8.
    fn push_bytes(&mut self, text: &[u8], units: u32) {
        if self.would_exceed_batch_limit(text.len()) {
            return self.push_tag(ValueTag::Null);
        }
        self.push_value(ValueTag::Text, self.batch_units, units);
        self.batch.extend_from_slice(text);
        self.batch_units += units;
    }

    /// Returns whether another `bytes` bytes would exceed the limit of the batch: many instances may show one long text.
    fn would_exceed_batch_limit(&self, bytes: usize) -> bool {
        self.batch.len().saturating_add(bytes) > MAX_BATCH_BYTES
    }

    /// Adds a value given as JSON text.
    pub fn push_json(&mut self, json: &str) {
        match json {
            "null" => self.push_tag(ValueTag::Null),
            "true" => self.push_tag(ValueTag::True),
            "false" => self.push_tag(ValueTag::False),
            json if self.would_exceed_batch_limit(json.len()) => self.push_tag(ValueTag::Null),
            json => {
                self.push_text(json);
                self.words.set(self.words.len - 3, ValueTag::Json as u32);
            }
        }
    }

    /// Adds a scalar of the document. Any other value is null.
    pub fn push_scalar(&mut self, view: View<'_>, value: Value) {
        match value {
            Value::Bool(true) => self.push_tag(ValueTag::True),
            Value::Bool(false) => self.push_tag(ValueTag::False),
            Value::Number(number) => self.push_number(number),
            Value::Text(text) => match self.source.locate(view.arena(), text) {
                Some((start, units)) => self.push_value(ValueTag::TextInMessage, start, units),
                None => self.push_bytes(
                    view.arena().bytes(text),
                    message_text::text_utf16_len(view.arena(), text),
                ),
            },
            _ => self.push_tag(ValueTag::Null),
        }
    }
}
