import { assertCount, assertLocale, assertOptions, throwMisuse } from "../arguments.js";
import { needFunctions } from "../functions/calls.js";
import { english } from "./base/words.js";

/** Assertions for the options shared by `mount` and `renderToString`. */
export const DRAW_NEEDS = {
  components: needFunctions,
  functions: needFunctions,
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
