import {
  assertCount,
  assertLocale,
  assertOptions,
  assertTimeZone,
  throwExpected,
} from "../arguments.js";
import { assertFunctions } from "../functions/call-context.js";
import { english } from "./base/words.js";

/** Assertions for the options shared by `mount` and `renderToString`. */
export const RENDER_OPTION_ASSERTIONS = {
  components: assertFunctions,
  functions: assertFunctions,
  words: (value: unknown, what: string): void => {
    assertOptions(value, Object.keys(english), what);
    for (const [name, word] of Object.entries(value as object)) {
      const type = typeof english[name as keyof typeof english];
      if (word !== undefined && typeof word !== type)
        throwExpected(`\`${name}\` of ${what}`, `a ${type}`, word);
    }
  },
  windowAbove: assertCount,
  maxElements: assertCount,
  locale: assertLocale,
  timeZone: assertTimeZone,
};
