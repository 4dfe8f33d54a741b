import { callModel, pickReplyFields } from "../llm/collect.js";
import type { LlmRequest, LlmTask } from "../llm/types.js";
import { type Effect, withTimeout } from "../task-driver.js";
import type { Diagnostic, Json } from "../types.js";
import { type SessionContext, toJson } from "./session-context.js";

/** Asks the model; `count` is the number of the request in its session, from 1. */
export async function askModel(
  { llm }: SessionContext,
  effect: Effect,
  count: number,
  signal: AbortSignal,
): Promise<Json> {
  if (!llm) throw new Error("no model: pass `llm` to the session");
  const result = await withTimeout(signal, effect["timeout"], (within) =>
    callModel(llm, toRequest(effect, count, within)),
  );
  if (typeof result === "string") return { text: result };
  // An invalid reply is passed on unchanged, because the next prompt quotes it.
  return toJson("text" in result || "json" in result ? pickReplyFields(result) : result);
}

function toRequest(effect: Effect, count: number, signal: AbortSignal): LlmRequest {
  const { task, system, prompt, schema, schemaName, gbnf, attempt, previousError } = effect;
  const previous = previousError as unknown as Diagnostic[] | null;
  return {
    id: `${task}-${count}`,
    task: task as LlmTask,
    system: system as string,
    prompt: prompt as string,
    ...(schema !== null && { schema: schema as Json, schemaName: schemaName as string }),
    ...(gbnf !== null && { grammar: { gbnf: gbnf as string } }),
    temperature: 0,
    attempt: attempt as number,
    ...(previous && previous.length > 0 && { previousError: previous }),
    signal,
  };
}
