//! Codes of GASL diagnostics, as listed in docs/diagnostic-codes.md.

use crate::base::Code;

// The language.
/// Unexpected token.
pub const UNEXPECTED: Code = Code::error("GASL001");
/// Unknown command.
pub const UNKNOWN_COMMAND: Code = Code::error("GASL002");
/// Unclosed quote, backtick or `${`.
pub const UNCLOSED: Code = Code::error("GASL003");
/// Unknown escape or character.
pub const UNKNOWN_CHARACTER: Code = Code::error("GASL004");
/// Operator of another language.
pub const FOREIGN_OPERATOR: Code = Code::error("GASL005");
/// Invalid or duplicate name.
pub const BAD_NAME: Code = Code::error("GASL006");
/// Nesting too deep, or command too long.
pub const TOO_DEEP: Code = Code::error("GASL007");
/// Missing part of a command.
pub const MISSING_PART: Code = Code::error("GASL008");
/// Invalid count.
pub const BAD_COUNT: Code = Code::error("GASL009");
/// `${…}` with an invalid path.
pub const BAD_BINDING: Code = Code::error("GASL010");
/// Invalid JSON schema in `RETURNING`.
pub const BAD_SCHEMA: Code = Code::error("GASL011");
/// Several commands, or a block line, instead of one command.
pub const NOT_ONE_COMMAND: Code = Code::error("GASL012");

/// Statement of another language.
pub const FOREIGN_STATEMENT: Code = Code::error("GASL013");

// Plans.
/// Invalid plan.
pub const BAD_PLAN: Code = Code::error("GASL020");
/// Unknown key of a plan.
pub const UNKNOWN_KEY: Code = Code::warning("GASL021");
/// Unclosed block, or unexpected block line.
pub const BAD_BLOCK: Code = Code::error("GASL022");
/// `COMPLETE` before the end of the plan, or after `THEN`.
pub const EARLY_COMPLETE: Code = Code::error("GASL023");
/// Second plan while one is running.
pub const PLAN_RUNNING: Code = Code::error("GASL024");

// Steps.
/// Undefined variable or path.
pub const UNDEFINED: Code = Code::error("GASL030");
/// Unknown field.
pub const UNKNOWN_FIELD: Code = Code::error("GASL031");
/// Unknown field in `FIND`, which every row lacks.
pub const UNKNOWN_FIELD_IN_FIND: Code = Code::warning("GASL032");
/// `UPDATE` of an undeclared key.
pub const UNDECLARED_KEY: Code = Code::error("GASL033");
/// `DECLARE` of a key with another type.
pub const TYPE_CONFLICT: Code = Code::error("GASL034");
/// Invalid value for the command.
pub const WRONG_VALUE: Code = Code::error("GASL035");
/// Unknown cap, or invalid value of a cap.
pub const BAD_CAP: Code = Code::error("GASL036");
/// Cap above the ceiling of the host.
pub const ABOVE_CEILING: Code = Code::warning("GASL037");
/// `CANCEL PLAN` of a plan that is not running.
pub const UNKNOWN_PLAN: Code = Code::error("GASL038");
/// Failed `ASSERT` or `REQUIRE`.
pub const ASSERTION_FAILED: Code = Code::error("GASL039");
/// Truncated or incomplete result.
pub const TRUNCATED_RESULT: Code = Code::warning("GASL040");
/// Variable with the name of a state key.
pub const SHADOWED_STATE_KEY: Code = Code::warning("GASL041");
/// Parents that `DECLARE` created.
pub const CREATED_PARENTS: Code = Code::info("GASL042");
/// Change of the control flow after this step, or a resumed step.
pub const CONTROL_FLOW: Code = Code::info("GASL043");
/// Failure or invalid response of the graph adapter.
pub const ADAPTER_FAILED: Code = Code::error("GASL044");
/// Step aborted because the plan or the loop was cancelled.
pub const CANCELLED: Code = Code::info("GASL045");
/// Unknown text in a condition, with a similar one in the graph.
pub const UNKNOWN_TEXT: Code = Code::warning("GASL046");
/// `= null` or `!= null`, which ignores missing fields.
pub const NULL_COMPARISON: Code = Code::warning("GASL047");
/// Unquoted word that is the name of a variable.
pub const WORD_NAMES_VARIABLE: Code = Code::warning("GASL048");
/// Condition that requires the same id at both ends of a path.
pub const SAME_ENDS: Code = Code::warning("GASL049");

/// Equal rows that `UPDATE` of a LIST dropped.
pub const DROPPED_ROWS: Code = Code::warning("GASL085");

// The model.
/// No model configured.
pub const NO_MODEL: Code = Code::error("GASL050");
/// Failed model call.
pub const MODEL_FAILED: Code = Code::error("GASL051");
/// Reply without valid JSON.
pub const NOT_JSON: Code = Code::error("GASL052");
/// Reply that does not match the schema.
pub const SCHEMA_MISMATCH: Code = Code::error("GASL053");
/// Citation of an unknown row or item.
pub const BAD_CITATION: Code = Code::error("GASL054");
/// Reply truncated at the length limit.
pub const REPLY_TRUNCATED: Code = Code::warning("GASL055");
/// Text around the JSON of a reply was ignored.
pub const EXTRA_TEXT: Code = Code::info("GASL056");
/// Quoted words that the cited row does not contain.
pub const QUOTE_MISMATCH: Code = Code::error("GASL057");
/// Finding without a citation.
pub const UNCITED_FINDING: Code = Code::error("GASL185");
/// Findings without a citation, which are marked.
pub const MARKED_UNCITED: Code = Code::warning("GASL186");
/// `RETURNING` in a session that requires citations.
pub const NO_CITATIONS: Code = Code::error("GASL187");
/// Snippet with fewer than two letters or digits.
pub const SHORT_SNIPPET: Code = Code::warning("GASL188");

// Sessions.
/// Prompt without a recorded reply in a strict replay.
pub const REPLAY_MISS: Code = Code::error("GASL060");
/// Replay with a different final state.
pub const REPLAY_DIFFERS: Code = Code::error("GASL061");
/// Invalid recording.
pub const BAD_RECORDING: Code = Code::error("GASL062");
/// Invalid state.
pub const BAD_STATE: Code = Code::error("GASL063");
/// The backend failed to store the state.
pub const NOT_STORED: Code = Code::warning("GASL064");

// The loop.
/// Limit of the solve loop exceeded.
pub const BUDGET_EXCEEDED: Code = Code::error("GASL070");
/// No valid plan in the reply and its retries.
pub const NO_PLAN: Code = Code::error("GASL071");

// Conditions and directions.
/// Binding in place of a new name.
pub const BINDING_AS_NEW_NAME: Code = Code::error("GASL080");
/// Unquoted word on the right of a test that is a field of the rows.
pub const WORD_NAMES_FIELD: Code = Code::info("GASL081");
/// Rows grouped or selected by one end of the edges of an undirected graph.
pub const UNDIRECTED_ENDS: Code = Code::warning("GASL082");
/// Empty result although edges lead there in the other direction.
pub const AGAINST_DIRECTION: Code = Code::warning("GASL083");
/// First paths of a search, which may not be the shortest ones.
pub const PATHS_NOT_SHORTEST: Code = Code::info("GASL084");

// Measures and shortest paths.
/// Weight that is not a number, is negative, or does not apply.
pub const BAD_WEIGHT: Code = Code::error("GASL090");
/// Edges without the field of `WEIGHT`.
pub const MISSING_WEIGHT: Code = Code::warning("GASL091");
/// Measure that is estimated from a sample.
pub const ESTIMATED_MEASURE: Code = Code::warning("GASL092");
/// Measure or shortest path that is not defined for this graph or condition.
pub const NOT_MEASURABLE: Code = Code::error("GASL093");
/// Command that the graph adapter does not support.
pub const UNSUPPORTED: Code = Code::error("GASL094");

// Limits.
/// Plan with more commands than the limit.
pub const TOO_MANY_COMMANDS: Code = Code::error("GASL180");
/// Variables that need more memory than the limit.
pub const VARIABLES_TOO_LARGE: Code = Code::error("GASL167");
/// Replies of the model that need more memory than the limit.
pub const REPLIES_TOO_LARGE: Code = Code::error("GASL168");
/// Snapshots that were removed at the limit of their memory.
pub const SNAPSHOTS_REMOVED: Code = Code::warning("GASL181");

// Databases.
/// Many rows that a database sent for one command.
pub const MANY_ROWS: Code = Code::warning("GASL165");
/// Rows of a database that no page contains.
pub const MISSING_ROWS: Code = Code::warning("GASL170");
/// Length of a list of numbers that was added to a COUNTER.
pub const COUNTED_NUMBERS: Code = Code::warning("GASL171");
/// Plan interrupted because the database did not respond.
pub const INTERRUPTED: Code = Code::error("GASL166");
