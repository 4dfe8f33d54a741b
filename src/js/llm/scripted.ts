import { abortable } from "../abort.js";
import { assertFunction, describeType, throwMisuse } from "../arguments.js";
import { toAdapter } from "./adapter.js";
import { excerpt, LlmError } from "./error.js";
import type { LlmRequest, LlmResult, LlmTask } from "./types.js";

/** Reply, or error to throw. */
export type ScriptedReply = LlmResult | Error;

/** Replies in order, or a function that returns them, and `undefined` at the end. */
export type Script =
  | readonly ScriptedReply[]
  | ((request: LlmRequest) => ScriptedReply | undefined | Promise<ScriptedReply | undefined>);

/** One script for all requests, or one for each task. */
export type Scripts = Script | { readonly [task in LlmTask]?: Script };

/** Creates a callback with scripted replies, for tests and examples. */
export function scripted(replies: Scripts): (request: LlmRequest) => Promise<LlmResult> {
  assertScripts(replies);
  const used = new Map<Script, number>();
  return toAdapter(async (request) => {
    const { task, signal } = request;
    signal.throwIfAborted();
    const script = isScript(replies) ? replies : replies[task];
    if (script === undefined) {
      throw missingReplyError(
        request,
        `the script has replies for ${listOf(replies)} but not for this one`,
      );
    }
    const count = used.get(script) ?? 0;
    used.set(script, count + 1);
    const reply =
      typeof script === "function"
        ? await abortable(Promise.resolve(script(request)), signal)
        : script[count];
    if (reply === undefined) {
      throw missingReplyError(request, `the script has run out before request ${count + 1}`);
    }
    if (reply instanceof Error) throw reply;
    return typeof reply === "string" ? reply : structuredClone(reply);
  });
}

const TASK_NAMES: readonly string[] = [
  "plan",
  "process",
  "analyze",
  "evaluate",
  "repair",
  "rollout",
] satisfies LlmTask[];

/** Throws unless a value is a script or a map of scripts. */
function assertScripts(replies: unknown): void {
  if (isScript(replies as Scripts)) return;
  if (typeof replies !== "object" || replies === null)
    throwMisuse(`a script is a list of replies or a function, not ${describeType(replies)}`);
  for (const [task, script] of Object.entries(replies)) {
    if (!TASK_NAMES.includes(task))
      throwMisuse(`unknown task \`${task}\`; available: ${TASK_NAMES.join(", ")}`);
    if (!Array.isArray(script)) assertFunction(script, `the script of \`${task}\``);
  }
}

function isScript(replies: Scripts): replies is Script {
  return Array.isArray(replies) || typeof replies === "function";
}

function listOf(replies: object): string {
  const tasks = Object.keys(replies).map((task) => `\`${task}\``);
  return tasks.length === 0 ? "no task" : tasks.join(", ");
}

function missingReplyError({ task, prompt }: LlmRequest, what: string): LlmError {
  const message = `${what}, a \`${task}\` whose prompt begins \`${excerpt(prompt)}\`: add a reply`;
  return new LlmError("unavailable", "scripted", message);
}
