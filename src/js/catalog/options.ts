import { assertBoolean, assertOptionTypes, throwMisuse } from "../arguments.js";
import { MESSAGES } from "./schema.js";
import type { CatalogOptions } from "./types.js";

/** The options, or what is thrown for those that cannot be meant. */
export function checked(options: CatalogOptions | undefined): CatalogOptions | undefined {
  if (options !== undefined) {
    assertOptionTypes(
      options,
      { messages: needMessages, list: assertBoolean },
      "the options of a catalog",
    );
  }
  return options;
}

/** Throws for what is no list of names of messages. */
function needMessages(value: unknown, what: string): void {
  if (!Array.isArray(value) || value.length === 0) throwMisuse(`${what} is a list of names`);
  for (const name of value) {
    if (!MESSAGES.includes(name)) {
      throwMisuse(`there is no message \`${name}\`: there are ${MESSAGES.join(", ")}`);
    }
  }
}
