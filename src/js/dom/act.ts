import type { Json } from "../types.js";
import { own } from "../value.js";
import { safeUrl } from "./url.js";

/** Does what an action asks of the page itself (`openUrl` of the basic catalog); false when it is one for the surface. */
export function act(action: Json | undefined): boolean {
  const call = own(action, "functionCall");
  if (own(call, "call") !== "openUrl") return false;
  const url = safeUrl(own(own(call, "args"), "url"), "link");
  if (url === null) return false;
  window.open(url, "_blank", "noopener,noreferrer");
  return true;
}
