// biome-ignore-all format: generated
// Derived from src/wire by `npm run bless`; do not edit.

/**
 * Any JSON value; it crosses as text.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * How bad it is: nothing was done, it was probably not meant so, or it is worth knowing.
 */
export type Severity = "error" | "warning" | "info";

/**
 * Where a diagnostic points: UTF-16 offsets into the text that was given, or a JSON pointer
 * (RFC 6901) into the object that was given.
 */
export type Location = { "kind": "text", start: number, end: number, } | { "kind": "pointer", pointer: string, };

/**
 * What is wrong with data, and how to mend it. Codes are listed in docs/diagnostic-codes.md.
 */
export type Diagnostic = { code: string, severity: Severity, message: string, help?: string, location?: Location, };

/**
 * Names a value: the node (the data context when left out) and a direct property of it (the
 * whole value when left out).
 */
export type Binding = { node?: string, key?: string, };

/**
 * Whether there is a value.
 */
export type Status = "ok" | "missing" | "error";

/**
 * How much a store takes, in whole numbers; `Infinity` is as much as there can be.
 */
export type HamLimits = { 
/**
 * Bytes of one message; 64 MiB by default.
 */
bytes: number, 
/**
 * Nodes of the document; 4,000,000 by default.
 */
nodes: number, 
/**
 * Levels of nesting of one message; 512 by default, and never more than 1,000.
 */
depth: number, 
/**
 * Values that one deep read may visit; 1,000,000 by default.
 */
deepRead: number, 
/**
 * Mounted instances of one surface; 500,000 by default.
 */
instances: number, 
/**
 * Steps that can be undone, and updates whose result can be asked later; 1,000 by default.
 */
undo: number, };

/**
 * Extensions of the plain format, each off by default.
 */
export type HamExtensions = { 
/**
 * `"+list": {"items": […], "before"?, "after"?}` and `"-list": […]` edit lists by id.
 */
listEdits?: boolean, };

/**
 * How a store reads and how much it takes.
 */
export type HamStoreOptions = { 
/**
 * What marks a pointer; `*` by default.
 */
sigil?: string, 
/**
 * Strip one leading sigil from an id, with a warning.
 */
repair?: boolean, extensions?: HamExtensions, limits?: Partial<HamLimits>, };

/**
 * What a model wants to be done.
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
 * A command of a plan, with a reason of its own perhaps.
 */
export type PlanCommand = string | { command: string, why?: string, };

/**
 * When a plan stops.
 */
export type PlanConfig = { 
/**
 * Whether a step that fails ends it; true by default.
 */
stop_on_error?: boolean, 
/**
 * Whether it goes on after a step that found nothing; false by default.
 */
continue_on_empty?: boolean, };

/**
 * How a step ended.
 */
export type StepStatus = "success" | "empty" | "partial" | "binding_failure" | "schema_mismatch" | "error";

/**
 * One line of the history.
 */
export type ExecutionRecord = { 
/**
 * Counts up over the whole life of a session.
 */
step: number, command: string, why: string, status: StepStatus, metrics: { [name: string]: Json }, started_at: string, finished_at: string, 
/**
 * Diagnostics of every severity. Offsets are UTF-16 offsets into the command.
 */
errors?: Array<Diagnostic>, };

/**
 * How a plan ended.
 */
export type PlanStatus = "completed" | "stopped_empty" | "failed" | "cancelled";

/**
 * What came of a plan.
 */
export type PlanResult = { plan_id: string, status: PlanStatus, records: Array<ExecutionRecord>, diagnostics: Array<Diagnostic>, 
/**
 * What `COMPLETE` said.
 */
answer?: string, };

/**
 * How the loop ended.
 */
export type SolveStatus = "complete" | "stopped" | "cancelled";

/**
 * What came of a question.
 */
export type SolveResult = { status: SolveStatus, answer: string | null, 
/**
 * The last entry carries the error that ended the loop, if one did.
 */
plans: Array<PlanResult>, diagnostics: Array<Diagnostic>, };

/**
 * The state after a step, by its hash.
 */
export type SnapshotInfo = { 
/**
 * SHA-256 of the canonical JSON (RFC 8785) of the variables, without provenance.
 */
hash: string, parent: string | null, step: number, 
/**
 * What a loop could have done next, as the model proposed it.
 */
candidates?: Json, };

/**
 * A name that several nodes write.
 */
export type Collision = { key: string, 
/**
 * The ids of the nodes, in their order.
 */
writers: Array<string>, };

/**
 * Names by keys.
 */
export type KeyNames = { [key: string]: string };

/**
 * What a node reads and writes under other names than its keys.
 */
export type NodeMappings = { 
/**
 * Output keys with the names that they are stored under.
 */
output_mappings?: KeyNames, 
/**
 * Input keys with the names that they are read from.
 */
input_mappings?: KeyNames, 
/**
 * Output keys with the plain names that they are stored under besides, for reads that may see
 * several writers.
 */
output_aliases?: KeyNames, };

/**
 * A node as a planner sees it.
 */
export type ContextNode = { 
/**
 * Its type.
 */
name: string, id: string, description?: string, purpose?: string, inputs: Array<string>, 
/**
 * The names that its outputs are stored under, in the order of the registry.
 */
outputs: Array<string>, actions?: Array<string>, };

/**
 * What a planner is shown, and what `compileFlow` takes so that it means the same names.
 */
export type PlanningContext = { 
/**
 * For the model. A budget makes it shorter.
 */
markdown: string, 
/**
 * All nodes, whatever the budget is.
 */
nodes: Array<ContextNode>, 
/**
 * SHA-256 of all that the names depend on.
 */
fingerprint: string, diagnostics: Array<Diagnostic>, };

/**
 * What happens to a call of a node. `pass` counts how often the node has been come to, `item` is
 * the place of the item where it runs once for each, `attempt` counts from 1.
 */
export type FlowEvent = { "kind": "started", node: string, type: string, pass: number, item: number | null, attempt: number, at: string, params: { [name: string]: Json }, inputs: { [key: string]: Json }, } | { "kind": "finished", node: string, type: string, pass: number, item: number | null, attempt: number, at: string, duration_ms: number, action: string, outputs: { [key: string]: Json }, } | { "kind": "retried", node: string, type: string, pass: number, item: number | null, attempt: number, at: string, duration_ms: number, error: Json, wait_ms: number, } | { "kind": "failed", node: string, type: string, pass: number, item: number | null, attempt: number, at: string, duration_ms: number, error: Json, };

/**
 * How a run ended.
 */
export type FlowStatus = "completed" | "failed" | "cancelled";

/**
 * What came of a run.
 */
export type FlowResult = { status: FlowStatus, 
/**
 * The outputs of the workflow; none of them unless it completed.
 */
outputs: { [name: string]: Json }, 
/**
 * Everything that stands in the store, by the names that it is stored under.
 */
store: { [name: string]: Json }, 
/**
 * What `resume` takes, without secrets.
 */
trace: Json, diagnostics: Array<Diagnostic>, };
