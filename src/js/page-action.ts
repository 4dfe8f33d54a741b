import type { Json } from "./types.js";

/** Does, by itself, what an action asks of the page that shows it; answers whether it did. Set while a renderer triggers one. */
export const pageAction: { handler: ((action: Json) => boolean) | undefined } = {
  handler: undefined,
};
