import { evaluate } from "../functions/evaluate.js";
import { page } from "../page.js";
import type { Json } from "../types.js";
import { own } from "../value.js";
import { safeUrl } from "./url.js";

/** Triggers an action. What it asks of the page itself (`openUrl` of the basic catalog) is done, and nobody is told of it. */
export function trigger(
  surface: { trigger(key: string, event: string): unknown },
  key: string,
  event: string,
  locale: string | undefined,
): void {
  page.act = (action) => open(action, locale);
  try {
    surface.trigger(key, event);
  } finally {
    page.act = undefined;
  }
}

function open(action: Json, locale: string | undefined): boolean {
  const call = own(action, "functionCall");
  if (own(call, "call") !== "openUrl") return false;
  const url = safeUrl(evaluate(own(own(call, "args"), "url") ?? null, locale), "link");
  if (url === null) return false;
  window.open(url, "_blank", "noopener,noreferrer");
  return true;
}
