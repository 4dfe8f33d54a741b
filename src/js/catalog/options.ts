import { needOptions, refuse } from "../arguments.js";
import { MESSAGES } from "./schema.js";
import type { CatalogOptions } from "./types.js";

/** The options, or what is thrown for those that cannot be meant. */
export function checked(options: CatalogOptions | undefined): CatalogOptions | undefined {
  needOptions(options, ["messages", "list"], "the options of a catalog");
  const messages = options?.messages;
  if (messages === undefined) return options;
  if (!Array.isArray(messages) || messages.length === 0) refuse("`messages` is a list of names");
  for (const name of messages) {
    if (!MESSAGES.includes(name)) {
      refuse(`there is no message \`${name}\`: there are ${MESSAGES.join(", ")}`);
    }
  }
  return options;
}
