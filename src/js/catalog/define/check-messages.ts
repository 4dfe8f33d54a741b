import { describeType, throwMisuse } from "../../arguments.js";
import type { Message } from "../../types.js";
import type { Diagnostic } from "../../wire.js";
import { messageDiagnostics } from "../check/message-diagnostics.js";
import type { CatalogOptions } from "../types.js";
import { TypedCatalog } from "./typed.js";

/**
 * Returns the diagnostics of messages that a model wrote for a catalog: each violation of the
 * schema, with help to fix it. Text may contain several messages with other text between them. An
 * object is a message, a list of messages or `{ messages }`.
 */
export function checkMessages(
  catalog: TypedCatalog,
  messages: string | Uint8Array | Message | readonly Message[] | { messages: readonly Message[] },
  options?: CatalogOptions,
): Diagnostic[] {
  if (!(catalog instanceof TypedCatalog)) {
    throwMisuse(
      `expected \`catalog\` to be a result of \`defineCatalog\`, found ${describeType(catalog)}`,
    );
  }
  return messageDiagnostics(catalog, messages, options);
}
