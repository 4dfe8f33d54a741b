import { assertBoolean, assertOptionTypes, assertString, throwMisuse } from "../arguments.js";
import { MESSAGES } from "./schema.js";
import type { CatalogOptions } from "./types.js";

/** Returns the options. Throws if they are invalid. */
export function checkedOptions(options: CatalogOptions | undefined): CatalogOptions | undefined {
  if (options !== undefined) {
    assertOptionTypes(
      options,
      {
        messages: assertMessageNames,
        surfaceId: assertSurfaceId,
        list: assertBoolean,
        extensions: assertExtensions,
      },
      "the options of a catalog",
    );
  }
  return options;
}

function assertSurfaceId(value: unknown, what: string): void {
  assertString(value, what);
  if (value === "") throwMisuse(`expected ${what} to be the id of a surface, found an empty text`);
}

function assertExtensions(value: unknown, what: string): void {
  assertOptionTypes(value, { listEdits: assertBoolean, merge: assertBoolean }, what);
}

/** Throws if the value is not a list of message names. */
function assertMessageNames(value: unknown, what: string): void {
  if (!Array.isArray(value) || value.length === 0)
    throwMisuse(`expected ${what} to be a list of message names`);
  for (const name of value) {
    if (!MESSAGES.includes(name)) {
      throwMisuse(`unknown message \`${name}\`; available: ${MESSAGES.join(", ")}`);
    }
  }
}
