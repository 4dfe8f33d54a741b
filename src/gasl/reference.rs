//! Language reference for models, and the JSON schemas of their replies.

use crate::base::Value;
use crate::base::json::Limits;

/// Short reference of the language for prompts.
pub const LANGUAGE_REFERENCE: &str = r#"GASL works over a graph of nodes and edges. A plan is JSON:
{"plan_id": "p1", "why": "one line", "commands": ["FIND …", "…"], "config": {"stop_on_error": true, "continue_on_empty": false}}
A command is one string. AS names a variable, which ends with the plan; DECLARE and UPDATE change the state, which lasts.

State
DECLARE key AS LIST|DICT|COUNTER [WITH_DESCRIPTION "…"]   keys may be dotted: a.b
UPDATE key WITH v [MERGE|REPLACE]   MERGE adds; of items with one id or content, the first stays

Graph (c is a condition)
FIND nodes|edges [WHERE c] [LIMIT n] AS v   rows {id, …attributes}; edges have source and target too
FIND paths [WHERE c] [LIMIT n] AS v   rows {start, end, nodes, edges, length}; prefixes start. end. edge. node., and length <= n (default 3)
FIND shortest paths [WHERE c] [WEIGHT f] [LIMIT n] AS v   one for each start and end: fewest edges, or least sum of f
MEASURE degree|in_degree|out_degree|pagerank|betweenness|closeness|core|triangles|component|community [OF v] [WEIGHT f] AS x   rows {id, <measure>}
WALK FROM v [FOLLOW relation | FOLLOW c] [DIRECTION out|in|any] [DEPTH n] AS x   nodes reached, without those of v

Rows
SELECT [DISTINCT] v [FIELDS f, g:newname] [WHERE c] [LIMIT n] AS x
COUNT v [BY f, g] AS x   a number, or rows {f, g, count}
AGGREGATE v [BY f, g] WITH count|sum|avg|min|max|distinct|list [OF h], … AS x   columns named by function, or function_h
RANK v BY f [ASC|DESC] [LIMIT n] AS x
[LEFT] JOIN a WITH b ON f[=g] AS x   a column of both is b_column
UNION a WITH b [DISTINCT] AS x
SHOW v [FIELDS …] [LIMIT n] [OFFSET m]   shows you its rows; of others you see the count and three rows

Model
PROCESS v USING "instruction" [RETURNING json-schema] AS x   all rows, in batches
ANALYZE key USING "instruction" AS x   a sample of the state

Conditions
f = != > >= < <= value or other field (source.f = target.f, a < `b`), IN [a, b], NOT IN, CONTAINS, STARTS_WITH, ENDS_WITH, IS NULL, IS NOT NULL, EXISTS f; NOT, AND, OR, ( )
Quote strings; = and IN are exact, text operators ignore case. ${v} is a variable: IN ${v} means its ids, IN ${v.f} a column. Unusual field names go in `backticks`.

Control
REQUIRE EXISTS v
ASSERT LEN ${v} > 0 AND NOT v IS EMPTY
ON EMPTY|ERROR|PARTIAL|SCHEMA_MISMATCH v THEN command   after the step that wrote v
BRANCH IF c THEN command [ELSE command]
TRY / CATCH ANY / FINALLY / END   own entries; ${error.message} in CATCH
SET adapter.caps.max_path_length = 2   also max_results, max_expansions, max_excerpt_items, direction (out, in, any), case_sensitive
CANCEL PLAN "p1"
COMPLETE: the answer   last command, or a reply

An empty result stops the plan, unless ON, TRY or continue_on_empty says otherwise. Use fields, relations and names exactly as the graph has them."#;

const PLAN_SCHEMA: &str = r#"{
"type": "object",
"properties": {
"plan_id": {"type": "string", "minLength": 1, "maxLength": 128},
"why": {"type": "string", "description": "one line"},
"commands": {"type": "array", "minItems": 1, "items": {"anyOf": [
{"type": "string", "description": "one GASL command"},
{"type": "object", "properties": {"command": {"type": "string"}, "why": {"type": "string"}}, "required": ["command"], "additionalProperties": false}]}},
"config": {"type": "object", "properties": {"stop_on_error": {"type": "boolean"}, "continue_on_empty": {"type": "boolean"}}, "additionalProperties": false}},
"required": ["plan_id", "why", "commands"],
"additionalProperties": false
}"#;

/// Schema of a reply: a plan, candidates with a decision, or the answer. One object with all of
/// their keys, because few model interfaces accept alternatives at the top level.
const REPLY_SCHEMA: &str = r#"{
"type": "object",
"properties": {
"hypothesis": {"type": "string", "description": "what the plan tests"},
"decision": {"enum": ["continue", "refine", "pivot", "terminate"]},
"plan_id": {"type": "string", "minLength": 1, "maxLength": 128},
"why": {"type": "string", "description": "one line"},
"commands": {"type": "array", "items": {"type": "string", "description": "one GASL command"}},
"config": {"type": "object", "properties": {"stop_on_error": {"type": "boolean"}, "continue_on_empty": {"type": "boolean"}}},
"next_actions": {"type": "array", "items": {"type": "object", "properties": {
"plan": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object"}]},
"confidence": {"type": "number", "minimum": 0, "maximum": 1},
"rationale": {"type": "string"}}, "required": ["plan"]}},
"complete": {"type": "string", "description": "the answer, once it is known"}}
}"#;

/// Returns the JSON schema of a reply in the solve loop.
pub fn reply_schema() -> Value {
    Value::parse(REPLY_SCHEMA.as_bytes(), Limits::default()).0.unwrap_or_default()
}

/// Returns the JSON schema of a plan.
pub fn plan_schema() -> Value {
    Value::parse(PLAN_SCHEMA.as_bytes(), Limits::default()).0.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gasl::model::{schema, validator};
    use crate::gasl::plan::Plan;

    /// Maximum number of tokens of the reference, at four characters each.
    const MAX_TOKENS: usize = 1_100;

    #[test]
    fn the_reference_is_short() {
        let tokens = LANGUAGE_REFERENCE.chars().count().div_ceil(4);
        assert!(tokens < MAX_TOKENS, "{tokens} tokens: shorten other commands");
    }

    #[test]
    fn schemas_accept_plans() {
        let text = r#"{"plan_id": "p", "why": "w", "commands": ["FIND nodes AS x", {"command": "SHOW x", "why": "look"}]}"#;
        let plan = Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
        assert_eq!(validator::validate(&plan_schema(), &plan), []);
        assert!(Plan::read(&plan, usize::MAX).is_ok());
        assert!(schema::unsupported_keywords(&plan_schema()).is_empty());
        assert!(schema::unsupported_keywords(&reply_schema()).is_empty());
    }
}
