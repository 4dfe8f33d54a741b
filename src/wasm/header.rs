//! Memory addresses of the results of the last call.

use crate::ham::surface::record::UpdateRecords;

/// Five words at a fixed address. Addresses and lengths are in bytes; the length of the records is in words.
#[repr(C)]
#[derive(Default)]
pub struct Header {
    words: u32,
    word_count: u32,
    batch: u32,
    batch_len: u32,
    diagnostic_count: u32,
}

impl Header {
    /// Stores the address of the records of the last call.
    #[inline(always)]
    pub fn point_to_records(&mut self, records: &UpdateRecords, diagnostics: usize) {
        let words = records.words.as_slice();
        self.words = pointer_address(words.as_ptr());
        self.word_count = words.len() as u32;
        self.batch = pointer_address(records.batch.as_ptr());
        self.batch_len = records.batch.len() as u32;
        self.diagnostic_count = diagnostics as u32;
    }
}

/// Returns an address, which has 32 bits in WebAssembly.
fn pointer_address<T>(pointer: *const T) -> u32 {
    pointer as usize as u32
}
