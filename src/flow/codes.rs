//! The codes of flow's diagnostics, as docs/diagnostic-codes.md lists them.

use crate::base::Code;

/// A workflow or a registry of another form.
pub const BAD_FORM: Code = Code::error("FLOW001");
/// A key that nobody reads.
pub const UNKNOWN_KEY: Code = Code::warning("FLOW002");
/// Two nodes of one id.
pub const DUPLICATE_ID: Code = Code::error("FLOW003");
/// A type that the registry does not have.
pub const UNKNOWN_TYPE: Code = Code::error("FLOW004");
/// An edge, a mapping or a start that names no node.
pub const UNKNOWN_NODE: Code = Code::error("FLOW005");
/// A mapping of a key that the node does not have.
pub const UNKNOWN_PORT: Code = Code::error("FLOW006");
/// One output, listed twice by its node.
pub const DUPLICATE_OUTPUT: Code = Code::warning("FLOW007");
/// A node that nothing leads to.
pub const UNREACHABLE: Code = Code::warning("FLOW008");
/// A cycle that nothing leads out of.
pub const ENDLESS: Code = Code::warning("FLOW009");
/// Options that cannot be.
pub const BAD_OPTION: Code = Code::error("FLOW010");
/// An edge of an action that its node does not answer.
pub const UNKNOWN_ACTION: Code = Code::warning("FLOW011");
/// A param that is nearly called like one that is declared.
pub const NEAR_PARAM: Code = Code::warning("FLOW012");
/// A name that stands in a text as another language would write it.
pub const PLAIN_NAME: Code = Code::warning("FLOW013");
/// A read of what is written only later, or never on the way there.
pub const UNWRITTEN: Code = Code::warning("FLOW014");

/// A key that several nodes write.
pub const COLLISION: Code = Code::warning("FLOW020");
/// A collision that a strategy refuses.
pub const REFUSED: Code = Code::error("FLOW021");
/// A generated name that was taken.
pub const NAME_TAKEN: Code = Code::warning("FLOW022");
/// Two explicit mappings to one name.
pub const SAME_TARGET: Code = Code::error("FLOW023");
/// An explicit mapping to the key of a node that reads what it writes.
pub const TAKEN_BY_READER: Code = Code::error("FLOW024");
/// A read that could see either of two writers, whichever came last.
pub const AMBIGUOUS: Code = Code::error("FLOW025");
/// A read of one node's output that another writer may have written over.
pub const WRITTEN_OVER: Code = Code::error("FLOW026");

/// Two outputs of one node under one name.
pub const SAME_NAME: Code = Code::warning("FLOW027");

/// What is given as a context is none.
pub const BAD_CONTEXT: Code = Code::error("FLOW030");
/// A node that is another one than the context shows.
pub const CHANGED_NODE: Code = Code::warning("FLOW031");
/// A key that is a name of the context.
pub const NAME_OF_CONTEXT: Code = Code::error("FLOW032");

/// A node could not be run.
pub const NODE_FAILED: Code = Code::error("FLOW040");
/// An answer that is none.
pub const BAD_ANSWER: Code = Code::error("FLOW041");
/// An output that the node did not answer.
pub const MISSING_OUTPUT: Code = Code::error("FLOW042");
/// An output that the node does not declare; it is dropped.
pub const DROPPED_OUTPUT: Code = Code::warning("FLOW043");
/// An output that the node does not declare, where that is not allowed.
pub const UNDECLARED_OUTPUT: Code = Code::error("FLOW044");
/// An action that the node does not declare.
pub const UNDECLARED_ACTION: Code = Code::warning("FLOW045");
/// The items of a batch are no list.
pub const NO_LIST: Code = Code::error("FLOW046");
/// A name in a template that has no value.
pub const NO_VALUE: Code = Code::warning("FLOW047");
/// Nobody runs nodes of a type.
pub const NO_CALLBACK: Code = Code::error("FLOW048");
/// An input of the workflow that it must be given.
pub const MISSING_INPUT: Code = Code::error("FLOW049");
/// An input that the workflow does not have.
pub const UNKNOWN_INPUT: Code = Code::warning("FLOW050");
/// More steps than allowed.
pub const STEP_LIMIT: Code = Code::error("FLOW051");
/// What is to be resumed is no trace.
pub const BAD_TRACE: Code = Code::error("FLOW052");
/// What is to be resumed is the trace of another workflow.
pub const OTHER_FLOW: Code = Code::warning("FLOW053");
