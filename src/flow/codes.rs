//! Diagnostic codes of workflows; `docs/diagnostic-codes.md` lists them.

use crate::base::Code;

/// Invalid structure of a workflow or registry.
pub const INVALID_STRUCTURE: Code = Code::error("FLOW001");
/// Unknown key.
pub const UNKNOWN_KEY: Code = Code::warning("FLOW002");
/// Duplicate node id.
pub const DUPLICATE_ID: Code = Code::error("FLOW003");
/// Node type that is not in the registry.
pub const UNKNOWN_TYPE: Code = Code::error("FLOW004");
/// Unknown node id in an edge, a mapping or a start.
pub const UNKNOWN_NODE: Code = Code::error("FLOW005");
/// Mapping of an unknown key.
pub const UNKNOWN_PORT: Code = Code::error("FLOW006");
/// Output that is declared twice.
pub const DUPLICATE_OUTPUT: Code = Code::warning("FLOW007");
/// Unreachable node.
pub const UNREACHABLE: Code = Code::warning("FLOW008");
/// Cycle without an edge out of it.
pub const INFINITE_CYCLE: Code = Code::warning("FLOW009");
/// Invalid option.
pub const INVALID_OPTION: Code = Code::error("FLOW010");
/// Edge of an action that its node does not declare.
pub const UNKNOWN_ACTION: Code = Code::warning("FLOW011");
/// Undeclared param with a name similar to a declared one.
pub const UNKNOWN_PARAM: Code = Code::warning("FLOW012");
/// Name or template that is not interpolated.
pub const UNPREFIXED_NAME: Code = Code::warning("FLOW013");
/// Read before any write.
pub const UNWRITTEN_READ: Code = Code::warning("FLOW014");
/// Read of an output of a parallel branch.
pub const PARALLEL_READ: Code = Code::warning("FLOW015");
/// Reference to an output of a node with the id of a key.
pub const NODE_ID_EQUALS_KEY: Code = Code::warning("FLOW016");
/// Template in the syntax of another system.
pub const FOREIGN_TEMPLATE: Code = Code::warning("FLOW017");
/// Node without an edge in a workflow with edges.
pub const UNCONNECTED: Code = Code::warning("FLOW018");
/// Edge with a condition.
pub const EDGE_CONDITION: Code = Code::error("FLOW019");

/// Node that declares no actions, although all of its edges have one.
pub const UNDECLARED_ACTIONS: Code = Code::info("FLOW074");
/// Required param that no call has.
pub const MISSING_PARAM: Code = Code::warning("FLOW075");

/// Name that several nodes write.
pub const COLLISION: Code = Code::warning("FLOW020");
/// Collision that a strategy rejects.
pub const COLLISION_REJECTED: Code = Code::error("FLOW021");
/// Generated name that is in use.
pub const NAME_IN_USE: Code = Code::warning("FLOW022");
/// Two explicit mappings to one name.
pub const DUPLICATE_TARGET: Code = Code::error("FLOW023");
/// Explicit mapping to a name that another node reads and writes.
pub const TARGET_READ_AND_WRITTEN: Code = Code::error("FLOW024");
/// Read with several possible last writers.
pub const AMBIGUOUS_READ: Code = Code::error("FLOW025");

/// Two outputs of one node under one name.
pub const DUPLICATE_NAME: Code = Code::warning("FLOW027");

/// Invalid planner context.
pub const INVALID_CONTEXT: Code = Code::error("FLOW030");
/// Node that changed since the context was built.
pub const CHANGED_NODE: Code = Code::warning("FLOW031");
/// Name that belongs to another output in the context.
pub const CONTEXT_NAME_CONFLICT: Code = Code::error("FLOW032");

/// Nodes that may start before an earlier node has ended.
pub const EARLY_STARTS: Code = Code::info("FLOW033");
/// Workflow input of another type.
pub const INPUT_TYPE_MISMATCH: Code = Code::error("FLOW034");
/// Workflow input that is read and has no value.
pub const INPUT_NOT_GIVEN: Code = Code::warning("FLOW035");
/// Key with the qualified name of an output.
pub const KEY_EQUALS_QUALIFIED_NAME: Code = Code::error("FLOW036");

/// Failed call of a node.
pub const NODE_FAILED: Code = Code::error("FLOW040");
/// Invalid response of a node.
pub const INVALID_RESPONSE: Code = Code::error("FLOW041");
/// Missing output.
pub const MISSING_OUTPUT: Code = Code::error("FLOW042");
/// Undeclared output; it is dropped.
pub const DROPPED_OUTPUT: Code = Code::warning("FLOW043");
/// Undeclared output in strict mode.
pub const UNDECLARED_OUTPUT: Code = Code::error("FLOW044");
/// Undeclared action.
pub const UNDECLARED_ACTION: Code = Code::warning("FLOW045");
/// Batch items that are not a list.
pub const ITEMS_NOT_LIST: Code = Code::error("FLOW046");
/// Name in a template without a value.
pub const NAME_WITHOUT_VALUE: Code = Code::warning("FLOW047");
/// Node type without a function.
pub const MISSING_CALLBACK: Code = Code::error("FLOW048");
/// Missing required input.
pub const MISSING_INPUT: Code = Code::error("FLOW049");
/// Unknown input.
pub const UNKNOWN_INPUT: Code = Code::warning("FLOW050");
/// Exceeded step limit.
pub const STEP_LIMIT: Code = Code::error("FLOW051");
/// Invalid trace.
pub const INVALID_TRACE: Code = Code::error("FLOW052");
/// Trace of another workflow.
pub const TRACE_OF_OTHER_WORKFLOW: Code = Code::warning("FLOW053");
/// Call that differs from the one in the trace.
pub const CHANGED_CALL: Code = Code::warning("FLOW054");
/// Failed node whose error edge is followed.
pub const ERROR_EDGE_FOLLOWED: Code = Code::info("FLOW055");
/// Trace whose checksum is wrong.
pub const EDITED_TRACE: Code = Code::warning("FLOW056");
/// Item of a batch with the id of a node.
pub const ITEM_HIDES_NODE: Code = Code::warning("FLOW073");
/// Answer to a node that does not wait for one.
pub const UNUSED_ANSWER: Code = Code::warning("FLOW057");
/// Suspended batch item.
pub const SUSPENDED_ITEM: Code = Code::error("FLOW058");
/// Failed batch item after which the batch continued.
pub const FAILED_ITEM: Code = Code::warning("FLOW059");
/// Trace of an earlier version.
pub const MIGRATED_TRACE: Code = Code::info("FLOW060");

/// Values of a run that need more memory than the limit.
pub const VALUES_LIMIT: Code = Code::error("FLOW086");
/// Arguments of a call that need more memory than the limit.
pub const CALL_LIMIT: Code = Code::error("FLOW087");
