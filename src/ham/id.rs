//! Which texts may name a node (rule 2).

use super::codes;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use std::borrow::Cow;

/// What marks a deletion.
const DELETE: char = '!';

/// Why a text cannot name a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdFault {
    Empty,
    Deletion,
    Sigil,
}

/// Whether a text may name a node.
pub fn check(id: &str, sigil: &str) -> Result<(), IdFault> {
    if id.is_empty() {
        Err(IdFault::Empty)
    } else if id.starts_with(DELETE) {
        Err(IdFault::Deletion)
    } else if id.starts_with(sigil) {
        Err(IdFault::Sigil)
    } else {
        Ok(())
    }
}

/// Whether a key that begins so is a list edit, and names no node.
pub fn is_edit(key: &str, list_edits: bool) -> bool {
    list_edits && key.starts_with(['+', '-'])
}

/// A text that may name a node: this one, or the same with something in front of it.
pub fn usable<'a>(name: &'a str, sigil: &str, list_edits: bool) -> Cow<'a, str> {
    let may_name = |name: &str| check(name, sigil).is_ok() && !is_edit(name, list_edits);
    if may_name(name) {
        return name.into();
    }
    let longer = format!("node_{name}");
    // No sigil is the beginning of both.
    if may_name(&longer) { longer.into() } else { format!("_{name}").into() }
}

/// What a key of the nodes map asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Upsert,
    Delete,
    /// `+id`: insert into, or move within, a list.
    Insert,
    /// `-id`: remove from a list.
    Remove,
}

impl Op {
    /// Whether it is an edit of a list.
    pub fn is_edit(self) -> bool {
        matches!(self, Op::Insert | Op::Remove)
    }
}

/// A key of the nodes map: what it asks for, the id, and whether a sigil was stripped from it.
pub fn parse_key<'a>(
    key: &'a str,
    sigil: &str,
    repair: bool,
    list_edits: bool,
) -> Result<(Op, &'a str, bool), IdFault> {
    let edit = |mark: char| key.strip_prefix(mark).filter(|_| list_edits);
    let (op, id) = if let Some(id) = key.strip_prefix(DELETE) {
        (Op::Delete, id)
    } else if let Some(id) = edit('+') {
        (Op::Insert, id)
    } else if let Some(id) = edit('-') {
        (Op::Remove, id)
    } else {
        (Op::Upsert, key)
    };
    match check(id, sigil) {
        Ok(()) => Ok((op, id, false)),
        Err(IdFault::Sigil) if repair && op == Op::Upsert => {
            let stripped = id.strip_prefix(sigil).unwrap_or_default();
            check(stripped, sigil).map_err(|_| IdFault::Sigil)?;
            if is_edit(stripped, list_edits) {
                Err(IdFault::Sigil)
            } else {
                Ok((op, stripped, true))
            }
        }
        Err(fault) => Err(fault),
    }
}

/// The error for a key that names no node.
pub fn fault(key: &str, sigil: &str, list_edits: bool, fault: IdFault, span: Span) -> Diagnostic {
    let why = match fault {
        IdFault::Empty if key.is_empty() => "an id must not be empty".to_owned(),
        IdFault::Empty => "it names no node".to_owned(),
        IdFault::Deletion => "an id must not begin with `!`".to_owned(),
        IdFault::Sigil => {
            format!("an id must not begin with {}, which marks pointers", quote(sigil))
        }
    };
    let bare = bare_id(key, sigil, list_edits);
    let edit = key.chars().next().filter(|_| is_edit(key, list_edits));
    let help = if bare.is_empty() {
        "give the node an id of its own, such as `node_1`".to_owned()
    } else if key.starts_with(DELETE) {
        format!("to delete the node write {}", quote(&format!("{DELETE}{bare}")))
    } else if let Some(mark) = edit {
        format!("write {}", quote(&format!("{mark}{bare}")))
    } else {
        format!("write {}", quote(bare))
    };
    Diagnostic::new(codes::ID, format!("{} cannot be an id: {why}", quote(key))).help(help).at(span)
}

/// The text without all that may not begin an id.
fn bare_id<'a>(key: &'a str, sigil: &str, list_edits: bool) -> &'a str {
    let mut id = key;
    loop {
        let edit = || id.get(1..).filter(|_| is_edit(id, list_edits));
        let shorter = id.strip_prefix(DELETE).or_else(|| id.strip_prefix(sigil)).or_else(edit);
        match shorter {
            Some(shorter) => id = shorter,
            None => return id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_ids_from_deletions_and_faults() {
        let parse = |key| parse_key(key, "*", false, false);
        assert_eq!(parse("a"), Ok((Op::Upsert, "a", false)));
        assert_eq!(parse("!a"), Ok((Op::Delete, "a", false)));
        assert_eq!(parse("+a"), Ok((Op::Upsert, "+a", false)));
        assert_eq!(parse("__proto__"), Ok((Op::Upsert, "__proto__", false)));
        assert_eq!(parse(""), Err(IdFault::Empty));
        assert_eq!(parse("!"), Err(IdFault::Empty));
        assert_eq!(parse("!!a"), Err(IdFault::Deletion));
        assert_eq!(parse("*a"), Err(IdFault::Sigil));
        let repair = |key| parse_key(key, "*", true, true);
        assert_eq!(repair("*a"), Ok((Op::Upsert, "a", true)));
        assert_eq!(repair("**a"), Err(IdFault::Sigil));
        assert_eq!(repair("!*a"), Err(IdFault::Sigil));
        assert_eq!(repair("+a"), Ok((Op::Insert, "a", false)));
        assert_eq!(repair("*+a"), Err(IdFault::Sigil));
    }

    #[test]
    fn finds_a_text_that_may_name_a_node() {
        for sigil in ["*", "t", "text_", "n", "node_", "_", "node_node_", "text_1"] {
            for name in ["", "text_1", "node_1", "_1", "!x", "*x", "+x", "name"] {
                let usable = usable(name, sigil, true);
                assert_eq!(check(&usable, sigil), Ok(()), "{name:?} beside the sigil {sigil:?}");
                assert!(!is_edit(&usable, true));
            }
        }
    }
}
