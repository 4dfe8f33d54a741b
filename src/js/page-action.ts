import type { Json } from "./types.js";

/**
 * Handler of actions that concern the page itself; it returns whether it has handled one. A
 * renderer sets it while it triggers an action.
 */
export const pageAction: { handler: ((action: Json) => boolean) | undefined } = {
  handler: undefined,
};
