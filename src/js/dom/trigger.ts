import { type CallContext, customFunction } from "../functions/call-context.js";
import { calledFunction } from "../functions/data-mark.js";
import { evaluate, evaluateEach } from "../functions/evaluate.js";
import { asObject, ownProperty } from "../json-value.js";
import { pageAction } from "../page-action.js";
import { endTyping } from "../renderer-link.js";
import { runAndReport } from "../report.js";
import type { Json } from "../types.js";
import { safeUrl } from "../url.js";
import type { InstanceMirror } from "./base/mirror.js";
import type { MirrorNode } from "./base/mirror-node.js";

/** Parts of the renderer that an action uses. */
interface ActionContext extends CallContext {
  readonly mirror: InstanceMirror;
}

/**
 * Triggers an action. Calls of `openUrl`, `closeModal` and the page's functions run here and emit no
 * action.
 */
export function triggerAction(
  surface: { trigger(key: string, event: string): unknown },
  key: string,
  event: string,
  context: ActionContext,
): void {
  // `Surface.trigger` does this too, but it does not know the renderers of a page's own wrapper.
  endTyping(surface);
  pageAction.handler = (action) => runPageCall(ownProperty(action, "functionCall"), key, context);
  try {
    surface.trigger(key, event);
  } finally {
    pageAction.handler = undefined;
  }
}

/**
 * Runs a call of `openUrl`, `closeModal` or a page function. Returns false for another call, and for
 * one without effect.
 */
function runPageCall(call: Json | undefined, key: string, context: ActionContext): boolean {
  const name = calledFunction(call);
  const { locale, timeZone, functions, mirror } = context;
  const calls = { locale, timeZone, functions, isAction: true };
  const args = asObject(ownProperty(call, "args")) ?? {};
  const pageFunction = customFunction(calls, name);
  if (pageFunction) {
    runAndReport(() => pageFunction(evaluateEach(args, calls), { locale }));
    return true;
  }
  if (name === "closeModal") return closeModal(mirror.get(key));
  return name === "openUrl" && openUrl(evaluate(ownProperty(args, "url") ?? null, calls));
}

/** Closes the dialog around a component. Returns false if it is in none. */
function closeModal(inside: MirrorNode | undefined): boolean {
  for (let node = inside; node?.parent; node = node.parent) {
    const { view } = node.parent;
    if (!view?.close || node.slot === "trigger") continue;
    view.close();
    return true;
  }
  return false;
}

function openUrl(value: Json): boolean {
  const url = safeUrl(value, "link");
  if (url === null) return false;
  window.open(url, "_blank", "noopener,noreferrer");
  return true;
}
