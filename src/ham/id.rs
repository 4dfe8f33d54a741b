//! Validation of node ids (rule 2).

use super::codes;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use std::borrow::Cow;

/// Prefix of deletions.
const DELETION_PREFIX: char = '!';

/// Reason why a string is not a valid id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdError {
    Empty,
    Deletion,
    Sigil,
    /// It begins with the prefix of an edit.
    Edit,
}

/// Checks that a string is a valid id.
pub fn check_id(id: &str, sigil: &str) -> Result<(), IdError> {
    if id.is_empty() {
        Err(IdError::Empty)
    } else if id.starts_with(DELETION_PREFIX) {
        Err(IdError::Deletion)
    } else if id.starts_with(sigil) {
        Err(IdError::Sigil)
    } else {
        Ok(())
    }
}

/// Extensions in which keys with a prefix edit a node instead of replacing it.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditKeys {
    /// `+id` and `-id` edit a list, `>id` appends to a text (rule 26).
    pub lists: bool,
    /// `~id` merges properties into a map (rule 26).
    pub merge: bool,
}

impl EditKeys {
    /// All edits. They need no extension in the `edits` of an envelope.
    pub const ALL: EditKeys = EditKeys { lists: true, merge: true };

    /// Returns the operation of a key, or `None` if the key is an id.
    fn edit_op(self, key: &str) -> Option<EntryOp> {
        match key.as_bytes().first()? {
            b'+' if self.lists => Some(EntryOp::Insert),
            b'-' if self.lists => Some(EntryOp::Remove),
            b'>' if self.lists => Some(EntryOp::Append),
            b'~' if self.merge => Some(EntryOp::Merge),
            _ => None,
        }
    }

    /// Returns whether a key is an edit, not an id.
    pub fn is_edit_key(self, key: &str) -> bool {
        self.edit_op(key).is_some()
    }
}

/// Returns the name if it is a valid id, else the name with a valid prefix.
pub fn make_valid<'a>(name: &'a str, sigil: &str, edits: EditKeys) -> Cow<'a, str> {
    let may_name = |name: &str| check_id(name, sigil).is_ok() && !edits.is_edit_key(name);
    if may_name(name) {
        return name.into();
    }
    let longer = format!("node_{name}");
    // No sigil is a prefix of both.
    if may_name(&longer) { longer.into() } else { format!("_{name}").into() }
}

/// Operation of an entry of the `nodes` map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryOp {
    Upsert,
    Delete,
    /// `+id`: insert into a list, or move within it.
    Insert,
    Remove,
    /// `>id`: append to a text.
    Append,
    /// `~id`: set the properties of a map that are given, and keep the others.
    Merge,
}

impl EntryOp {
    pub fn is_edit(self) -> bool {
        !matches!(self, EntryOp::Upsert | EntryOp::Delete)
    }

    /// Prefix of the key.
    pub fn prefix(self) -> &'static str {
        match self {
            EntryOp::Upsert => "",
            EntryOp::Delete => "!",
            EntryOp::Insert => "+",
            EntryOp::Remove => "-",
            EntryOp::Append => ">",
            EntryOp::Merge => "~",
        }
    }
}

/// Parses a key of the `nodes` map. Returns the operation, the id, and whether a sigil was
/// stripped.
pub fn parse_key<'a>(
    key: &'a str,
    sigil: &str,
    repair: bool,
    edits: EditKeys,
) -> Result<(EntryOp, &'a str, bool), IdError> {
    let (op, id) = if let Some(id) = key.strip_prefix(DELETION_PREFIX) {
        (EntryOp::Delete, id)
    } else {
        match (edits.edit_op(key), key.get(1..)) {
            (Some(op), Some(id)) => (op, id),
            _ => (EntryOp::Upsert, key),
        }
    };
    match check_id(id, sigil) {
        // An edit may create its node, which an update could not name.
        Ok(()) if op.is_edit() && edits.is_edit_key(id) => Err(IdError::Edit),
        Ok(()) => Ok((op, id, false)),
        Err(IdError::Sigil) if repair && op == EntryOp::Upsert => {
            let stripped = id.strip_prefix(sigil).unwrap_or_default();
            check_id(stripped, sigil).map_err(|_| IdError::Sigil)?;
            if edits.is_edit_key(stripped) { Err(IdError::Sigil) } else { Ok((op, stripped, true)) }
        }
        Err(error) => Err(error),
    }
}

/// Builds the error for an invalid key.
pub fn id_error(key: &str, sigil: &str, edits: EditKeys, error: IdError, span: Span) -> Diagnostic {
    let reason = match error {
        IdError::Empty if key.is_empty() => "an id must not be empty".to_owned(),
        IdError::Empty => "the id is missing".to_owned(),
        IdError::Deletion => "an id must not begin with `!`".to_owned(),
        IdError::Sigil => {
            format!("an id must not begin with {}, the prefix of pointers", quote(sigil))
        }
        IdError::Edit => "an id must not begin with the prefix of an edit".to_owned(),
    };
    let stripped = strip_prefixes(key, sigil, edits);
    let edit = edits.edit_op(key).map(EntryOp::prefix);
    let help = if stripped.is_empty() {
        "give the node an id, such as `node_1`".to_owned()
    } else if key.starts_with(DELETION_PREFIX) {
        format!("write {} to delete the node", quote(&format!("{DELETION_PREFIX}{stripped}")))
    } else if let Some(prefix) = edit {
        format!("write {}", quote(&format!("{prefix}{stripped}")))
    } else {
        format!("write {}", quote(stripped))
    };
    let code = if error == IdError::Edit { codes::EDIT_ID } else { codes::INVALID_ID };
    Diagnostic::new(code, format!("invalid id {}: {reason}", quote(key))).help(help).at(span)
}

/// Returns the key without its invalid prefixes.
fn strip_prefixes<'a>(key: &'a str, sigil: &str, edits: EditKeys) -> &'a str {
    let mut id = key;
    loop {
        let edit = || id.get(1..).filter(|_| edits.is_edit_key(id));
        let rest =
            id.strip_prefix(DELETION_PREFIX).or_else(|| id.strip_prefix(sigil)).or_else(edit);
        match rest {
            Some(rest) => id = rest,
            None => return id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_key_returns_operation_or_error() {
        let parse = |key| parse_key(key, "*", false, EditKeys::default());
        assert_eq!(parse("a"), Ok((EntryOp::Upsert, "a", false)));
        assert_eq!(parse("!a"), Ok((EntryOp::Delete, "a", false)));
        assert_eq!(parse("+a"), Ok((EntryOp::Upsert, "+a", false)));
        assert_eq!(parse("__proto__"), Ok((EntryOp::Upsert, "__proto__", false)));
        assert_eq!(parse(""), Err(IdError::Empty));
        assert_eq!(parse("!"), Err(IdError::Empty));
        assert_eq!(parse("!!a"), Err(IdError::Deletion));
        assert_eq!(parse("*a"), Err(IdError::Sigil));
        let edits = EditKeys::ALL;
        let repair = |key| parse_key(key, "*", true, edits);
        assert_eq!(repair("*a"), Ok((EntryOp::Upsert, "a", true)));
        assert_eq!(repair("**a"), Err(IdError::Sigil));
        assert_eq!(repair("!*a"), Err(IdError::Sigil));
        assert_eq!(repair("+a"), Ok((EntryOp::Insert, "a", false)));
        assert_eq!(repair("*+a"), Err(IdError::Sigil));
        assert_eq!(repair(">a"), Ok((EntryOp::Append, "a", false)));
        assert_eq!(repair("~a"), Ok((EntryOp::Merge, "a", false)));
        assert_eq!(repair("~"), Err(IdError::Empty));
        assert_eq!(repair("~+a"), Err(IdError::Edit));
        assert_eq!(repair(">~a"), Err(IdError::Edit));
    }

    #[test]
    fn make_valid_returns_a_valid_id() {
        for sigil in ["*", "t", "text_", "n", "node_", "_", "node_node_", "text_1"] {
            for name in ["", "text_1", "node_1", "_1", "!x", "*x", "+x", ">x", "~x", "name"] {
                let edits = EditKeys::ALL;
                let make_valid = make_valid(name, sigil, edits);
                assert_eq!(
                    check_id(&make_valid, sigil),
                    Ok(()),
                    "{name:?} with the sigil {sigil:?}"
                );
                assert!(!edits.is_edit_key(&make_valid));
            }
        }
    }
}
