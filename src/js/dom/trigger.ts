import { type CallContext, customFunction } from "../functions/call-context.js";
import { evaluate, evaluateEach } from "../functions/evaluate.js";
import { asObject, ownProperty } from "../json-value.js";
import { pageAction } from "../page-action.js";
import { endTyping } from "../renderer-link.js";
import { runAndReport } from "../report.js";
import type { Json } from "../types.js";
import { safeUrl } from "./base/url.js";

/**
 * Triggers an action. Calls of `openUrl` and of the page's functions run here and emit no action.
 */
export function trigger(
  surface: { trigger(key: string, event: string): unknown },
  key: string,
  event: string,
  calls: CallContext,
): void {
  // `Surface.trigger` does this too, but it does not know the renderers of a page's own wrapper.
  endTyping(surface);
  pageAction.handler = (action) => runPageCall(ownProperty(action, "functionCall"), calls);
  try {
    surface.trigger(key, event);
  } finally {
    pageAction.handler = undefined;
  }
}

/** Runs a call of `openUrl` or of a page function. Returns false for another call. */
function runPageCall(call: Json | undefined, calls: CallContext): boolean {
  const name = ownProperty(call, "call");
  const args = asObject(ownProperty(call, "args")) ?? {};
  const pageFunction = customFunction(calls, name);
  if (pageFunction) {
    runAndReport(() => pageFunction(evaluateEach(args, calls), { locale: calls.locale }));
    return true;
  }
  return name === "openUrl" && openUrl(evaluate(ownProperty(args, "url") ?? null, calls));
}

function openUrl(value: Json): boolean {
  const url = safeUrl(value, "link");
  if (url === null) return false;
  window.open(url, "_blank", "noopener,noreferrer");
  return true;
}
