//! Codes of HAM diagnostics; `docs/diagnostic-codes.md` lists what triggers each.

use crate::base::Code;

/// `[]`: an update that is not an object.
pub const INVALID_UPDATE: Code = Code::error("HAM001");
/// `{"*a": 1}`: an invalid id.
pub const INVALID_ID: Code = Code::error("HAM002");
/// `{"*a": 1}` in repair mode: a sigil was stripped.
pub const STRIPPED_SIGIL: Code = Code::warning("HAM003");
/// `{"updateDataModel": {"path": "/", "value": 1}}`: an invalid envelope.
pub const INVALID_ENVELOPE: Code = Code::error("HAM004");
/// `{"updateDataModel": {"nodes": {}, "mode": 1}}`: an unknown key next to `nodes`.
pub const ENVELOPE_KEY: Code = Code::warning("HAM005");
/// `{"!a": 1}`: a deletion whose value is not null.
pub const DELETION_VALUE: Code = Code::warning("HAM006");
/// `{"!a": null, "a": 1}`: the upsert wins.
pub const DELETED_AND_SET: Code = Code::warning("HAM007");
/// `{"a": 1, "b": "*a"}`: a literal that looks like a pointer.
pub const LITERAL_POINTER: Code = Code::warning("HAM008");
/// `{"root": ["* bullet"]}`: a pointer to an id that is invalid or does not exist.
pub const DANGLING: Code = Code::warning("HAM009");
/// `{"node": "u1", "key": "address/city"}`: a key that is a path.
pub const KEY_PATH: Code = Code::warning("HAM010");
/// `{"node": "list", "key": "0"}`: a key on a list or on a primitive.
pub const KEY_ON_OTHER_THAN_MAP: Code = Code::warning("HAM011");
/// `{"a": {"b": "*a"}}`, read with pointers followed.
pub const CYCLE: Code = Code::warning("HAM012");
/// A deep read that exceeds its limit.
pub const DEEP_READ_LIMIT: Code = Code::error("HAM013");
/// `{"node": "*u1"}`: a malformed binding.
pub const MALFORMED_BINDING: Code = Code::error("HAM014");
/// `{"template": "a", "componentId": "b"}`.
pub const INVALID_CHILD_LIST: Code = Code::error("HAM015");
/// A ChildList whose target is a map or a primitive.
pub const NOT_A_LIST: Code = Code::warning("HAM016");
/// A template that contains itself.
pub const RECURSION: Code = Code::warning("HAM017");
/// More instances than the limit.
pub const INSTANCE_LIMIT: Code = Code::error("HAM018");
/// A write that rule 25 does not allow.
pub const INVALID_WRITE: Code = Code::error("HAM019");
/// A deletion of a node that the same stream has set.
pub const STREAM_DELETION: Code = Code::warning("HAM020");
/// A chunk for a stream that has ended.
pub const STREAM_ENDED: Code = Code::error("HAM021");
/// More nodes or bytes than the limits allow.
pub const DOCUMENT_LIMIT: Code = Code::error("HAM022");
/// A list edit whose target is missing or not a list, or whose form is invalid.
pub const INVALID_LIST_EDIT: Code = Code::error("HAM023");
/// A list edit whose anchor is missing.
pub const MISSING_ANCHOR: Code = Code::warning("HAM024");
/// An id that begins with the prefix of an edit, where edits are enabled.
pub const EDIT_ID: Code = Code::error("HAM025");
/// A node that `root` does not reach.
pub const ORPHAN: Code = Code::info("HAM026");
/// `{"path": "/user/name"}`: a binding in A2UI's own form.
pub const PATH_BINDING: Code = Code::error("HAM027");
/// A component that is named but not described.
pub const UNDESCRIBED_COMPONENT: Code = Code::warning("HAM028");
/// An invalid surface message.
pub const INVALID_MESSAGE: Code = Code::error("HAM029");
/// An input or event for a property that does not exist.
pub const UNKNOWN_EVENT_PROPERTY: Code = Code::error("HAM030");
/// `{"call": "frobnicate"}`: an unknown function, or `@index` with other arguments.
pub const UNKNOWN_FUNCTION: Code = Code::warning("HAM031");
/// `{"key": "nmae"}` where the property is called `name`.
pub const SIMILAR_KEY: Code = Code::info("HAM032");
/// `{"component": "Txt"}` where the catalog has `Text`: an unknown component.
pub const UNKNOWN_COMPONENT: Code = Code::warning("HAM033");
/// `{"action": "save"}`: an action without an event or function.
pub const INVALID_ACTION: Code = Code::warning("HAM036");
/// `{"key": "email"}` where no displayed item has such a property.
pub const ABSENT_KEY: Code = Code::warning("HAM037");
/// A bound text of a component whose value is a list or map.
pub const NOT_A_SCALAR: Code = Code::warning("HAM038");
/// A surface that was created again with other contents.
pub const CREATED_AGAIN: Code = Code::warning("HAM039");
/// A text that cannot be appended to, or properties that cannot be merged or removed.
pub const INVALID_NODE_EDIT: Code = Code::error("HAM041");
/// A node that lost properties that components display.
pub const LOST_PROPERTIES: Code = Code::warning("HAM042");
