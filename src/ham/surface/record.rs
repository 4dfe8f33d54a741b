//! Changes as numbers, for a host that reads them from memory.
//!
//! A record is an [operation](Op) and its operands, each one word. A value is three words: a tag
//! and two of payload. Texts stand in the text of the message, which the host holds already, or
//! all together in one batch, which it decodes once; both are counted in UTF-16 code units.

use super::message_text::{self, HostEncoding, MessageText};
use crate::ham::arena::Value;
use crate::ham::chunk_target::StoredChunk;
use crate::ham::document::View;
use crate::ham::read;

/// The most bytes of text in one batch: a string of JavaScript has half a billion letters. What has no room in it is null.
const MAX_BATCH_BYTES: usize = 1 << 28;

/// What a record says.
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
    /// `size, instance, component, group, item key as a value, prop count`, then the bound properties
    /// as `prop, value`, then the children, then `Leave`. The size is that of all of it, from `Enter`
    /// to `Leave`, in words.
    Enter = 5,
    Leave = 6,
    /// `subscription, value, reference`: what it shows and the id that a pointer named, `Nothing` for none. Where
    /// the value is missing, it is `Nothing` and the reference `Null`; where both are `Nothing`, there is more to be
    /// said, and it has to be asked for.
    Fire = 7,
    /// `surface`: the records that follow belong to it.
    Surface = 8,
}

/// What the payload of a value is.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Tag {
    /// Nothing is said: an item key that equals the component id, and what [`Op::Fire`] leaves out.
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

/// WordBuffer in a row. Many are written few at a time, so there is room for them before they come.
#[derive(Default)]
pub struct WordBuffer {
    /// Those behind the first `len` mean nothing.
    buffer: Vec<u32>,
    len: usize,
}

impl WordBuffer {
    /// The words that were written.
    pub fn as_slice(&self) -> &[u32] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    /// Adds some.
    #[inline]
    pub fn push<const N: usize>(&mut self, words: [u32; N]) {
        if self.len + N > self.buffer.len() {
            self.compact_if_needed(N);
        }
        // A copy of a known length is a store or two.
        if let Some(slot) = self.buffer.get_mut(self.len..).and_then(<[u32]>::first_chunk_mut) {
            *slot = words;
            self.len += N;
        }
    }

    /// Makes room for so many, no more: memory that is touched for the first time costs more than to write it.
    pub fn reserve(&mut self, more: usize) {
        if self.len + more > self.buffer.len() {
            self.buffer.resize(self.len + more, 0);
        }
    }

    #[cold]
    fn compact_if_needed(&mut self, more: usize) {
        self.buffer.resize(2 * (self.buffer.len() + more), 0);
    }

    /// Writes a word anew.
    fn set(&mut self, at: usize, word: u32) {
        if let Some(slot) = self.buffer.get_mut(at) {
            *slot = word;
        }
    }
}

/// How much has been told at some moment.
#[derive(Clone, Copy, PartialEq)]
pub struct RecordMark {
    words: usize,
    batch: usize,
    units: u32,
}

/// The records of one update.
#[derive(Default)]
pub struct Records {
    pub words: WordBuffer,
    /// UTF-8.
    pub batch: Vec<u8>,
    /// The length of the batch in UTF-16 code units.
    units: u32,
    source: MessageText,
}

impl Records {
    /// Forgets all records.
    pub fn reset(&mut self) {
        self.words.len = 0;
        self.batch.clear();
        self.units = 0;
        self.source.clear();
    }

    /// Forgets all records, for a message and what was kept of it.
    #[inline(always)]
    pub fn reset_for_message(
        &mut self,
        encoding: HostEncoding,
        message: &[u8],
        stored: StoredChunk,
    ) {
        self.reset();
        self.source.set(encoding, message, stored);
    }

    /// Says of how many nodes is to be told.
    pub fn drop_sparse_source(&mut self, changed: usize) {
        self.source.drop_if_sparse(changed);
    }

    /// How much has been told.
    pub fn mark(&self) -> RecordMark {
        RecordMark { words: self.words.len, batch: self.batch.len(), units: self.units }
    }

    /// Forgets what was told since.
    pub fn truncate(&mut self, mark: RecordMark) {
        self.words.len = mark.words;
        self.batch.truncate(mark.batch);
        self.units = mark.units;
    }

    /// Adds an operation.
    #[inline]
    pub fn op<const N: usize>(&mut self, op: RecordOp, operands: [u32; N]) {
        self.words.push([op as u32]);
        self.words.push(operands);
    }

    /// Adds a value.
    fn push_value(&mut self, tag: Tag, first: u32, second: u32) {
        self.words.push([tag as u32, first, second]);
    }

    /// How many words an instance takes that shows so many properties, without its children.
    pub const fn instance_words(props: usize) -> usize {
        10 + 4 * props
    }

    /// Begins an instance; answers where, for [`Records::leave`].
    pub fn begin_instance(&mut self, number: u32, component: u32, group: u32) -> usize {
        let start = self.words.len;
        self.op(RecordOp::Enter, [0, number, component, group]);
        start
    }

    /// Ends the instance that began at `start`.
    pub fn end_instance(&mut self, start: usize) {
        self.op(RecordOp::Leave, []);
        let size = self.words.len - start;
        self.words.set(start + 1, size as u32);
    }

    /// Adds a value that stands for itself.
    pub fn tag(&mut self, tag: Tag) {
        self.push_value(tag, 0, 0);
    }

    /// Adds a number.
    pub fn number(&mut self, number: f64) {
        let bits = number.to_bits();
        self.push_value(Tag::Number, bits as u32, (bits >> 32) as u32);
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes(), message_text::utf16_len(text.as_bytes()));
    }

    /// Adds a text, which has so many code units.
    fn bytes(&mut self, text: &[u8], units: u32) {
        if self.has_unmounted_items(text.len()) {
            return self.tag(Tag::Null);
        }
        self.push_value(Tag::Text, self.units, units);
        self.batch.extend_from_slice(text);
        self.units += units;
    }

    /// Whether so many bytes more would be too many: thousands of instances may show one long text each.
    fn has_unmounted_items(&self, bytes: usize) -> bool {
        self.batch.len().saturating_add(bytes) > MAX_BATCH_BYTES
    }

    /// Adds a value that is given as JSON text.
    pub fn json(&mut self, json: &str) {
        match json {
            "null" => self.tag(Tag::Null),
            "true" => self.tag(Tag::True),
            "false" => self.tag(Tag::False),
            json if self.has_unmounted_items(json.len()) => self.tag(Tag::Null),
            json => {
                self.text(json);
                self.words.set(self.words.len - 3, Tag::Json as u32);
            }
        }
    }

    /// Adds a value of the document, pointers followed.
    pub fn value(
        &mut self,
        view: View<'_>,
        value: Value,
        value_node: Option<crate::ham::arena::NodeRef>,
    ) {
        match value {
            Value::Bool(true) => self.tag(Tag::True),
            Value::Bool(false) => self.tag(Tag::False),
            Value::Number(number) => self.number(number),
            Value::Text(text) => match self.source.locate(view.arena(), text) {
                Some((start, units)) => self.push_value(Tag::TextInMessage, start, units),
                None => self.bytes(
                    view.arena().bytes(text),
                    message_text::text_utf16_len(view.arena(), text),
                ),
            },
            container if container.is_container() => {
                let mut json = String::new();
                if read::write_deep(
                    view,
                    container,
                    value_node.as_slice(),
                    &mut json,
                    &mut Vec::new(),
                ) {
                    self.json(&json);
                } else {
                    self.tag(Tag::Null);
                }
            }
            _ => self.tag(Tag::Null),
        }
    }
}
