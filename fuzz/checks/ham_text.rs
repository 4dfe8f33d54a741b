//! Updates as text, one a line: a rejected one changes nothing, and chunks do not affect the result.

use super::ham::{assert_same, settings};
use byname::ham::check::check as check_document;
use byname::ham::export::export;
use byname::ham::history::Cause;
use byname::ham::store::Store;
use byname::ham::surface::message_text::HostEncoding;

pub fn check(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let chunk = 1 + usize::from(first >> 1);
    let mut settings = settings(first & 1 == 1);
    settings.repair = chunk % 3 == 0;
    let mut whole = Store::new(settings.clone());
    for message in rest.split(|byte| *byte == b'\n').take(8) {
        let before = export(&whole.document);
        let encoding = if message.is_ascii() { HostEncoding::Ascii } else { HostEncoding::Bytes };
        let applied = whole.apply(message, encoding);
        let after = export(&whole.document);
        if !applied.ok {
            assert_eq!(after, before, "a rejected update changed the document");
        }
        for diagnostic in &applied.diagnostics {
            let span = diagnostic.span();
            assert!(span.is_none_or(|span| span.start <= span.end && span.end <= message.len()));
            assert!(!diagnostic.is_error() || diagnostic.help.is_some(), "{diagnostic:?}");
        }
        let mut streamed = Store::new(settings.clone());
        assert!(streamed.apply(before.as_bytes(), HostEncoding::Bytes).ok, "{before}");
        let stream = streamed.open_stream(chunk % 2 == 0);
        let is_complete =
            message.chunks(chunk).all(|chunk| streamed.push(stream, chunk, HostEncoding::Bytes).ok)
                && streamed.end(stream).ok;
        assert!(applied.ok || !is_complete, "only the stream is accepted");
        if is_complete && !settings.edit_keys.lists {
            assert_same(&export(&streamed.document), &after, "the stream has another result");
        }
        check_document(&whole.document);
    }
    while whole.undo_or_redo(Cause::Undo) {}
}
