import { type CallContext, customFunction } from "../functions/call-context.js";
import { evaluate, evaluateEach } from "../functions/evaluate.js";
import { asObject, ownProperty } from "../json-value.js";
import { pageAction } from "../page-action.js";
import { runAndReport } from "../report.js";
import type { Json } from "../types.js";
import { safeUrl } from "./url.js";

/** Triggers an action. What it asks of the page itself, `openUrl` or a function of the page's own, is done, and nobody is told of it. */
export function trigger(
  surface: { trigger(key: string, event: string): unknown },
  key: string,
  event: string,
  calls: CallContext,
): void {
  pageAction.handler = (action) => perform(ownProperty(action, "functionCall"), calls);
  try {
    surface.trigger(key, event);
  } finally {
    pageAction.handler = undefined;
  }
}

/** Whether it is a call that the page itself answers. */
function perform(call: Json | undefined, calls: CallContext): boolean {
  const name = ownProperty(call, "call");
  const args = asObject(ownProperty(call, "args")) ?? {};
  const made = customFunction(calls, name);
  if (made) {
    runAndReport(() => made(evaluateEach(args, calls), { locale: calls.locale }));
    return true;
  }
  return name === "openUrl" && open(evaluate(ownProperty(args, "url") ?? null, calls));
}

function open(given: Json): boolean {
  const url = safeUrl(given, "link");
  if (url === null) return false;
  window.open(url, "_blank", "noopener,noreferrer");
  return true;
}
