//! The codes of GASL's diagnostics, as docs/diagnostic-codes.md lists them.

use crate::base::Code;

// The language.
/// A token that cannot stand where it does.
pub const UNEXPECTED: Code = Code::error("GASL001");
/// No command begins so.
pub const UNKNOWN_COMMAND: Code = Code::error("GASL002");
/// A quote, a backtick or a `${` that is not closed.
pub const UNCLOSED: Code = Code::error("GASL003");
/// An escape or a character that means nothing.
pub const UNKNOWN_CHARACTER: Code = Code::error("GASL004");
/// An operator of another language.
pub const FOREIGN_OPERATOR: Code = Code::error("GASL005");
/// A name that cannot be one, or that something beside it has.
pub const BAD_NAME: Code = Code::error("GASL006");
/// Parentheses, `NOT` or `THEN` nested too deep, or a command that is too long.
pub const TOO_DEEP: Code = Code::error("GASL007");
/// A part of the command is missing.
pub const MISSING: Code = Code::error("GASL008");
/// A count that is none.
pub const BAD_COUNT: Code = Code::error("GASL009");
/// A `${…}` that names nothing.
pub const BAD_BINDING: Code = Code::error("GASL010");
/// A `RETURNING` that is no JSON schema.
pub const BAD_SCHEMA: Code = Code::error("GASL011");
/// More than one command, or a line of a block, where one command stands.
pub const ONE_COMMAND: Code = Code::error("GASL012");

// Plans.
/// A plan of another form.
pub const BAD_PLAN: Code = Code::error("GASL020");
/// A key of a plan that nobody reads.
pub const UNKNOWN_KEY: Code = Code::warning("GASL021");
/// A block that does not close, or closes what is not open.
pub const BAD_BLOCK: Code = Code::error("GASL022");
/// `COMPLETE` before the end, or behind `THEN`.
pub const EARLY_COMPLETE: Code = Code::error("GASL023");
/// A second plan while one runs.
pub const PLAN_RUNNING: Code = Code::error("GASL024");

// Steps.
/// A name or a `${path}` that leads nowhere.
pub const UNDEFINED: Code = Code::error("GASL030");
/// A field that no row has.
pub const UNKNOWN_FIELD: Code = Code::error("GASL031");
/// The same for `FIND`, whose answer is then empty.
pub const UNKNOWN_FIELD_IN_FIND: Code = Code::warning("GASL032");
/// `UPDATE` of a key that nobody declared.
pub const UNDECLARED: Code = Code::error("GASL033");
/// `DECLARE` of a key that has another type.
pub const TYPE_CONFLICT: Code = Code::error("GASL034");
/// A value that the command cannot use.
pub const WRONG_VALUE: Code = Code::error("GASL035");
/// No such cap, or no such value of one.
pub const BAD_CAP: Code = Code::error("GASL036");
/// A cap beyond the host's ceiling.
pub const CEILING: Code = Code::warning("GASL037");
/// `CANCEL PLAN` of a plan that does not run.
pub const UNKNOWN_PLAN: Code = Code::error("GASL038");
/// `ASSERT` or `REQUIRE` that does not hold.
pub const ASSERTION_FAILED: Code = Code::error("GASL039");
/// A cap cut the answer.
pub const TRUNCATED: Code = Code::warning("GASL040");
/// A name of the context hides one of the state.
pub const SHADOWED: Code = Code::warning("GASL041");
/// Parents that `DECLARE` made.
pub const CREATED_PARENTS: Code = Code::info("GASL042");
/// The plan stopped, or went on elsewhere, after this step.
pub const CONTROL_FLOW: Code = Code::info("GASL043");
/// The graph's adapter failed or answered something else than rows.
pub const ADAPTER: Code = Code::error("GASL044");
/// The step was given up because the plan was cancelled, or the loop was.
pub const CANCELLED: Code = Code::info("GASL045");
/// A text that no row has, where another one was probably meant.
pub const UNKNOWN_TEXT: Code = Code::warning("GASL046");
/// `= null` or `!= null`, which does not ask for what is missing.
pub const NULL_COMPARISON: Code = Code::warning("GASL047");
/// A plain word where a variable of that name is probably meant.
pub const WORD_NAMES_VARIABLE: Code = Code::warning("GASL048");
/// Paths whose ends are both asked for one id.
pub const SAME_ENDS: Code = Code::warning("GASL049");

// The model.
/// No model was given.
pub const NO_MODEL: Code = Code::error("GASL050");
/// The model's callback failed.
pub const MODEL_FAILED: Code = Code::error("GASL051");
/// A reply that is no JSON.
pub const NOT_JSON: Code = Code::error("GASL052");
/// JSON that does not match the schema.
pub const SCHEMA_MISMATCH: Code = Code::error("GASL053");
/// A row is cited that the model was not shown.
pub const BAD_CITATION: Code = Code::error("GASL054");
/// The reply stopped for length.
pub const REPLY_TRUNCATED: Code = Code::warning("GASL055");
/// What stood around the JSON of a reply was dropped.
pub const EXTRA_TEXT: Code = Code::info("GASL056");
/// Words that are cited from a row, and are not in it.
pub const QUOTE_MISMATCH: Code = Code::warning("GASL057");

// Sessions.
/// A strict replay met a prompt that the recording does not hold.
pub const REPLAY_MISS: Code = Code::error("GASL060");
/// A replay that ended in another state.
pub const REPLAY_DIFFERS: Code = Code::error("GASL061");
/// A recording of another form.
pub const BAD_RECORDING: Code = Code::error("GASL062");
/// A state of another form.
pub const BAD_STATE: Code = Code::error("GASL063");
/// The backend did not store the state.
pub const NOT_STORED: Code = Code::warning("GASL064");

// The loop.
/// A bound of the loop was reached.
pub const BUDGET_EXCEEDED: Code = Code::error("GASL070");
/// The model's reply is no valid plan for the second time.
pub const NO_PLAN: Code = Code::error("GASL071");
