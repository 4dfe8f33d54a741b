import { assertFunction, assertOptions, describeType, throwMisuse } from "../arguments.js";
import { GaslSession } from "../gasl/session.js";
import { collect } from "../llm/collect.js";
import type { LlmCallback, LlmRequest } from "../llm/types.js";
import { HamStore } from "../store.js";
import { wellFormedMessage } from "../task-driver.js";
import type { Binding, Diagnostic, Json, Plan } from "../types.js";
import { findSchemaError } from "./reply-schema.js";
import type { NodeAnswer, NodeCall, NodeCallback, Registry } from "./types.js";

/** Dependencies of the built-in node types. Types without their dependency are not available. */
export interface LinkedParts {
  llm?: LlmCallback;
  store?: HamStore;
  session?: GaslSession;
}

/**
 * Built-in node types for a registry. `llm` asks a model, and `gasl.plan` runs a plan over a graph.
 * `ham.apply` changes the data of a surface, and `ham.read` reads it. The last three have effects,
 * so their order is kept.
 */
export const linkedRegistry: Registry = {
  llm: {
    description: "Asks a language model. With a JSON schema it returns JSON.",
    inputs: [
      { key: "prompt", type: "string" },
      { key: "system", type: "string" },
      { key: "schema", type: "object", description: "JSON schema of the answer" },
    ],
    params: ["model", "temperature", "maxOutputTokens", "seed", "images"],
    outputs: [
      { key: "response", type: "string | JSON" },
      { key: "usage", type: "object", optional: true },
    ],
  },
  "gasl.plan": {
    description: "Runs a GASL plan over the graph, and returns the value of a variable after it.",
    inputs: [
      { key: "plan", type: "object", description: "{plan_id, why, commands}" },
      { key: "variable", type: "string", description: "the name of a result of the plan" },
    ],
    outputs: [
      { key: "value", type: "JSON", optional: true },
      { key: "status", type: "string", description: "completed or stopped_empty" },
      { key: "answer", type: "string", optional: true },
    ],
    effects: true,
  },
  "ham.apply": {
    description: "Applies an update to the HAM store: a map from node ids to values.",
    inputs: [{ key: "update", type: "object | string" }],
    outputs: [
      { key: "changed", type: "list", description: "ids of nodes" },
      { key: "deleted", type: "list", description: "ids of nodes" },
    ],
    effects: true,
  },
  "ham.read": {
    description: "Reads the value of a binding of the HAM store.",
    inputs: [{ key: "binding", type: "object", description: "{node, key?}" }],
    outputs: [{ key: "value", type: "JSON" }],
    effects: true,
  },
};

/** Returns the callbacks of the built-in node types. */
export function linkedNodes(parts: LinkedParts): { [type: string]: NodeCallback } {
  assertOptions(parts, ["llm", "store", "session"], "the parts of built-in nodes");
  const { llm, store, session } = parts;
  const nodes: { [type: string]: NodeCallback } = {};
  if (llm !== undefined) {
    assertFunction(llm, "`llm`");
    nodes["llm"] = (call) => askModel(llm, call);
  }
  if (session !== undefined) {
    if (!(session instanceof GaslSession))
      throwMisuse("expected `session` to be a GaslSession of `byname`");
    nodes["gasl.plan"] = (call) => runPlan(session, call);
  }
  if (store !== undefined) {
    if (!(store instanceof HamStore))
      throwMisuse("expected `store` to be a HamStore of `byname`, not of `byname/ham`");
    nodes["ham.apply"] = async ({ inputs }) => applyUpdate(store, inputs["update"]);
    nodes["ham.read"] = async ({ inputs }) => readBinding(store, inputs["binding"]);
  }
  return nodes;
}

async function askModel(llm: LlmCallback, call: NodeCall): Promise<NodeAnswer> {
  const { id, inputs, params, attempt, signal, pass, item, index } = call;
  const { prompt, system, schema } = inputs;
  const { prompt: _, system: __, ...others } = params;
  const request: LlmRequest = {
    id,
    task: "process",
    system: asString(system ?? ""),
    prompt: asString(prompt ?? ""),
    ...(schema !== undefined && schema !== null && { schema, schemaName: "answer" }),
    ...modelOptions(others),
    ...(Object.keys(others).length > 0 && { params: others }),
    ...(index !== null && { item, index }),
    pass,
    attempt,
    signal,
  };
  if (request.prompt === "") throw new Error("missing `prompt`");
  const reply = await collect(llm, request);
  const { json, usage, finishReason } = reply;
  const content = stripThinking(reply.text ?? "");
  if (finishReason === "length") {
    throw new Error("the reply was cut off at the token limit: ask for less, or raise the limit");
  }
  if (finishReason === "refusal") {
    throw new Error(`the model refused to answer${content === "" ? "" : `: ${content}`}`);
  }
  if (json === undefined && reply.text === undefined)
    throw new Error("the model returned an empty reply");
  const response = json ?? (request.schema === undefined ? content : parseJsonReply(content));
  const error = request.schema && findSchemaError(request.schema as Json, response);
  if (error) throw new Error(`the reply does not match its schema: ${error}`);
  return { outputs: { response, ...(usage && { usage: { ...usage } as Json }) } };
}

/** Returns the params of a node that are options of a request, or throws for one of the wrong type. */
function modelOptions({ model, temperature, maxOutputTokens, seed, images }: NodeCall["params"]) {
  const options: Partial<LlmRequest> = {};
  if (isSet(model)) options.model = requireType(model, "model", "string") as string;
  if (isSet(temperature)) {
    options.temperature = requireType(temperature, "temperature", "number") as number;
  }
  if (isSet(maxOutputTokens)) {
    options.maxOutputTokens = requireType(maxOutputTokens, "maxOutputTokens", "number") as number;
  }
  if (isSet(seed)) options.seed = requireType(seed, "seed", "number") as number;
  if (isSet(images)) options.images = images;
  return options;
}

function isSet(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

function requireType(value: Json, name: string, type: "string" | "number"): Json {
  if (typeof value !== type) {
    throw new Error(`expected a ${type} for the param \`${name}\`, found ${describeType(value)}`);
  }
  return value;
}

/** Removes the reasoning that some models write before their reply. */
function stripThinking(reply: string): string {
  return reply.replace(/^\s*<think>[\s\S]*?<\/think>\s*/, "");
}

/** Parses the JSON of a reply, with or without a code fence around it. */
function parseJsonReply(reply: string): Json {
  // From the first fence to the last, then to the next, because strings may contain fences.
  const fenced = [/```(?:json)?\s*([\s\S]*)```/, /```(?:json)?\s*([\s\S]*?)```/];
  const inside = fenced.flatMap((fence) => fence.exec(reply)?.[1] ?? []);
  let lastError: unknown;
  for (const candidate of [reply, ...inside]) {
    try {
      return JSON.parse(candidate) as Json;
    } catch (error) {
      lastError = error;
    }
  }
  throw new Error(`expected JSON from the model: ${wellFormedMessage(lastError)}`);
}

async function runPlan(session: GaslSession, { inputs, signal }: NodeCall): Promise<NodeAnswer> {
  const { plan, variable } = inputs;
  if (plan === undefined || plan === null) throw new Error("missing `plan`");
  const planInput = typeof plan === "string" ? plan : (plan as unknown as Plan);
  const result = await session.run(planInput, { signal });
  const { status, answer } = result;
  if (status === "failed" || status === "cancelled") {
    const errors = result.records.flatMap((record) => record.errors ?? []);
    throw new Error(firstError([...result.diagnostics, ...errors]) ?? `the plan was ${status}`);
  }
  const value = variable === undefined ? undefined : session.variable(asString(variable));
  if (variable !== undefined && value === undefined && status === "completed") {
    throw new Error(`undefined variable \`${asString(variable)}\` after the plan`);
  }
  return {
    outputs: {
      status,
      ...(value !== undefined && { value }),
      ...(answer !== undefined && { answer }),
    },
  };
}

function applyUpdate(store: HamStore, update: Json | undefined): NodeAnswer {
  if (update === undefined || update === null) throw new Error("missing `update`");
  const result = store.apply(update as string);
  if (!result.ok) throw new Error(firstError(result.diagnostics) ?? "the update was rejected");
  return { outputs: { changed: result.changed, deleted: result.deleted } };
}

function readBinding(store: HamStore, binding: Json | undefined): NodeAnswer {
  if (typeof binding !== "object" || binding === null) throw new Error("missing `binding`");
  const reading = store.read(binding as Binding);
  if (reading.status === "error") {
    throw new Error(firstError(reading.diagnostics) ?? "invalid binding");
  }
  return { outputs: { value: reading.value } };
}

/** Formats the first error with its help. */
function firstError(diagnostics: Diagnostic[]): string | undefined {
  const error = diagnostics.find(({ severity }) => severity === "error");
  return (
    error && `${error.code} ${error.message}${error.help === undefined ? "" : ` (${error.help})`}`
  );
}

function asString(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
