// biome-ignore-all format: generated
// Derived from src/wire by `npm run bless`; do not edit.

/**
 * Any JSON value, passed as text.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * Severity: the input is rejected, it has probably an unintended effect, or additional information.
 */
export type Severity = "error" | "warning" | "info";

/**
 * Location of a diagnostic: UTF-16 offsets in the input text, or a JSON pointer (RFC 6901) in the input object.
 */
export type Location = { "kind": "text", start: number, end: number, } | { "kind": "pointer", pointer: string, };

/**
 * An error in data, with help to fix it. Codes are listed in docs/diagnostic-codes.md.
 */
export type Diagnostic = { code: string, severity: Severity, message: string, help?: string, location?: Location, };

/**
 * Reference to a value: a node (by default the data context) and a direct property of it (by default the complete
 * value).
 */
export type Binding = { node?: string, key?: string, };

/**
 * Availability of a value.
 */
export type Status = "ok" | "missing" | "error";

/**
 * Limits of a store, as integers; `Infinity` is the maximum.
 */
export type HamLimits = { 
/**
 * Maximum size of a message in bytes; 64 MiB by default.
 */
bytes: number, 
/**
 * Maximum memory of the document in bytes; 256 MiB by default, and at most eight times `bytes`.
 */
memory: number, 
/**
 * Maximum number of nodes of the document; 4,000,000 by default.
 */
nodes: number, 
/**
 * Maximum nesting depth of a message; 512 by default, at most 1,000.
 */
depth: number, 
/**
 * Maximum number of values that a deep read visits; 1,000,000 by default.
 */
deepRead: number, 
/**
 * Maximum number of mounted instances of a surface; 500,000 by default.
 */
instances: number, 
/**
 * Maximum number of undo steps and of updates in the history; 1,000 by default.
 */
undo: number, };

/**
 * Extensions of the plain format, each off by default.
 */
export type HamExtensions = { 
/**
 * `"+list": {"items": […], "before"?, "after"?}` and `"-list": […]` edit lists by id, and
 * `">text": "…"` appends to a text.
 */
listEdits?: boolean, 
/**
 * `"~id": {…}` merges properties into a map.
 */
merge?: boolean, };

/**
 * Options of a store.
 */
export type HamStoreOptions = { 
/**
 * Prefix of pointers; `*` by default.
 */
sigil?: string, 
/**
 * Strip one leading sigil from an id, with a warning.
 */
repair?: boolean, extensions?: HamExtensions, limits?: Partial<HamLimits>, };

/**
 * Commands of a model.
 */
export type Plan = { 
/**
 * 1 to 128 characters.
 */
plan_id: string, 
/**
 * One line.
 */
why: string, 
/**
 * At least one.
 */
commands: Array<PlanCommand>, config?: PlanConfig, };

/**
 * A command of a plan, optionally with its own reason.
 */
export type PlanCommand = string | { command: string, why?: string, };

/**
 * Conditions that stop a plan.
 */
export type PlanConfig = { 
/**
 * Whether a failed step stops the plan; true by default.
 */
stop_on_error?: boolean, 
/**
 * Whether the plan continues after a step without results; false by default.
 */
continue_on_empty?: boolean, };

/**
 * Status of a step.
 */
export type StepStatus = "success" | "empty" | "partial" | "binding_failure" | "schema_mismatch" | "error";

/**
 * Entry of the history.
 */
export type ExecutionRecord = { 
/**
 * Number of the step, counted over the complete session.
 */
step: number, command: string, why: string, status: StepStatus, metrics: { [name: string]: Json }, started_at: string, finished_at: string, 
/**
 * Diagnostics of every severity. Offsets are UTF-16 offsets into the command.
 */
errors?: Array<Diagnostic>, };

/**
 * Final status of a plan.
 */
export type PlanStatus = "completed" | "stopped_empty" | "failed" | "interrupted" | "cancelled";

/**
 * Result of a plan.
 */
export type PlanResult = { plan_id: string, status: PlanStatus, records: Array<ExecutionRecord>, diagnostics: Array<Diagnostic>, 
/**
 * Text of `COMPLETE`.
 */
answer?: string, };

/**
 * Final status of the loop.
 */
export type SolveStatus = "complete" | "stopped" | "cancelled";

/**
 * Result of a question.
 */
export type SolveResult = { status: SolveStatus, answer: string | null, 
/**
 * The last entry contains the error that ended the loop, if any.
 */
plans: Array<PlanResult>, diagnostics: Array<Diagnostic>, };

/**
 * Snapshot of the state after a step.
 */
export type SnapshotInfo = { 
/**
 * SHA-256 of the canonical JSON (RFC 8785) of the variables, without provenance.
 */
hash: string, parent: string | null, step: number, 
/**
 * Possible next steps that the model proposed.
 */
candidates?: Json, };

/**
 * Name that several nodes write.
 */
export type Collision = { key: string, 
/**
 * Ids of the nodes in order.
 */
writers: Array<string>, };

/**
 * Names by key.
 */
export type KeyNames = { [key: string]: string };

/**
 * Names other than its keys under which a node reads and writes.
 */
export type NodeMappings = { 
/**
 * Storage names by output key.
 */
output_mappings?: KeyNames, 
/**
 * Storage names by input key.
 */
input_mappings?: KeyNames, 
/**
 * Additional storage names by output key, for reads that may see several writers.
 */
output_aliases?: KeyNames, };

/**
 * Name as shown to a planner: a param, an input key or the storage name of an output.
 */
export type ContextName = { name: string, type?: string, description?: string, 
/**
 * Whether it must have a value.
 */
required?: boolean, 
/**
 * Whether it is a list with an entry for each item of a batch.
 */
list?: boolean, default?: Json, };

/**
 * A node as shown to a planner.
 */
export type ContextNode = { 
/**
 * Type of the node.
 */
name: string, id: string, description?: string, purpose?: string, inputs: Array<string>, 
/**
 * Storage names of its outputs, in the order of the registry.
 */
outputs: Array<string>, actions?: Array<string>, 
/**
 * Params that the type declares.
 */
params?: Array<ContextName>, 
/**
 * Inputs of which more than the key is known.
 */
input_details?: Array<ContextName>, 
/**
 * Outputs of which more than the name is known.
 */
output_details?: Array<ContextName>, };

/**
 * Context for a planner. `compileFlow` accepts it to use the same names.
 */
export type PlanningContext = { 
/**
 * Text for the model, shortened to the budget.
 */
markdown: string, 
/**
 * All nodes, independent of the budget.
 */
nodes: Array<ContextNode>, 
/**
 * SHA-256 of the inputs that determine the names.
 */
fingerprint: string, diagnostics: Array<Diagnostic>, };

/**
 * Event of a node call. `pass` counts the iterations of the node, `index` and `item` are the index and an excerpt of
 * the item of a batch, and `attempt` counts from 1.
 */
export type FlowEvent = { "kind": "started", node: string, type: string, pass: number, index: number | null, item: string | null, attempt: number, at: string, params: { [name: string]: Json }, inputs: { [key: string]: Json }, } | { "kind": "finished", node: string, type: string, pass: number, index: number | null, item: string | null, attempt: number, at: string, duration_ms: number, action: string, outputs: { [key: string]: Json }, } | { "kind": "retried", node: string, type: string, pass: number, index: number | null, item: string | null, attempt: number, at: string, duration_ms: number, error: Json, wait_ms: number, } | { "kind": "failed", node: string, type: string, pass: number, index: number | null, item: string | null, attempt: number, at: string, duration_ms: number, error: Json, } | { "kind": "waiting", node: string, type: string, pass: number, index: number | null, item: string | null, attempt: number, at: string, payload: Json, };

/**
 * Final status of a run.
 */
export type FlowStatus = "completed" | "failed" | "cancelled" | "paused";

/**
 * Suspended node.
 */
export type WaitingNode = { 
/**
 * Id of the node; `parent/child` for a node of a workflow that a node runs.
 */
node: string, 
/**
 * Payload that it was suspended with.
 */
payload: Json, };

/**
 * Result of a run.
 */
export type FlowResult = { status: FlowStatus, 
/**
 * Outputs of the workflow; empty unless it completed.
 */
outputs: { [name: string]: Json }, 
/**
 * All stored values by storage name.
 */
store: { [name: string]: Json }, 
/**
 * Nodes that wait for an answer.
 */
waiting: Array<WaitingNode>, 
/**
 * Trace for `resume`, without secrets.
 */
trace: Json, diagnostics: Array<Diagnostic>, };
