import { assertCount, assertLocale, assertOptions, throwMisuse } from "../arguments.js";
import { assertFunctions } from "../functions/call-context.js";
import { english } from "./words.js";

/** What the options can be that pages and servers share. */
export const DRAW_NEEDS = {
  components: assertFunctions,
  functions: assertFunctions,
  words: (value: unknown, what: string): void => {
    assertOptions(value, Object.keys(english), what);
    for (const [name, word] of Object.entries(value as object)) {
      const type = typeof english[name as keyof typeof english];
      if (word !== undefined && typeof word !== type)
        throwMisuse(`\`${name}\` of ${what} is a ${type}`);
    }
  },
  windowAbove: assertCount,
  locale: assertLocale,
};
