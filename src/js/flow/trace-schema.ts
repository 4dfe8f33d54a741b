import type { Json } from "../wire.js";

const hashSchema = { type: "string", pattern: "^[0-9a-f]{12,64}$" };
const textSchema = { type: "string" };
const values = { type: "object" };

const failureSchema = {
  type: "object",
  description: "Failure that the run continued after.",
  required: ["message", "kind", "attempts"],
  properties: {
    message: textSchema,
    kind: { enum: ["throw", "timeout", "returned"] },
    attempts: { type: "integer", minimum: 1 },
  },
};

const itemSchema = {
  description: "Batch item; null if it has not been called.",
  type: ["object", "null"],
  required: ["fingerprint"],
  additionalProperties: false,
  properties: {
    fingerprint: { ...hashSchema, description: "Hash of the call." },
    action: { ...textSchema, description: "Returned action, if it is not `default`." },
    outputs: { ...values, description: "Outputs, until the step has finished." },
    omitted: { type: "array", items: textSchema, description: "Keys of omitted optional outputs." },
    error: failureSchema,
    child: { $ref: "#" },
  },
};

const waitingSchema = {
  type: "object",
  required: ["node", "payload"],
  additionalProperties: false,
  properties: {
    node: { ...textSchema, description: "Id of the node, or `parent/child`." },
    payload: { description: "Payload that it was suspended with." },
  },
};

const stepSchema = {
  type: "object",
  required: ["node", "type", "pass", "status", "attempts", "started_at", "checksum"],
  additionalProperties: false,
  properties: {
    node: { ...textSchema, description: "Id of the node." },
    type: { ...textSchema, description: "Type of the node." },
    pass: { type: "integer", minimum: 1, description: "Number of the iteration of the node." },
    status: { enum: ["finished", "failed", "waiting", "interrupted", "withdrawn"] },
    attempts: { type: "integer", minimum: 0 },
    started_at: { ...textSchema, description: "ISO 8601." },
    finished_at: { ...textSchema, description: "ISO 8601." },
    fingerprint: { ...hashSchema, description: "Hash of the resolved inputs and params." },
    parts: {
      type: "object",
      additionalProperties: hashSchema,
      description: "Hashes of the parts of the call: `params/…`, `inputs/…`, `type`, `items`.",
    },
    action: textSchema,
    outputs: { ...values, description: "Outputs of a finished step, with markers for secrets." },
    error: failureSchema,
    waiting: { type: "array", items: waitingSchema },
    items: { type: "array", items: itemSchema },
    child: { $ref: "#", description: "Trace of the workflow that the node runs." },
    checksum: { ...hashSchema, description: "Hash of all other parts of the step." },
  },
};

/** Returns the JSON Schema (draft 2020-12) of traces, version 2. */
export function traceSchema(): Json {
  return structuredClone({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Trace of a run of a workflow",
    type: "object",
    required: ["version", "flow", "inputs", "inputs_fingerprint", "steps", "checksum"],
    additionalProperties: false,
    properties: {
      version: { const: 2 },
      flow: { ...hashSchema, description: "Fingerprint of the workflow." },
      inputs: { ...values, description: "Inputs of the run, with markers for secrets." },
      inputs_fingerprint: hashSchema,
      steps: { type: "array", items: stepSchema },
      checksum: { ...hashSchema, description: "Hash of the parts of the trace." },
    },
  }) as Json;
}
