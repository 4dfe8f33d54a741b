import { asBytes } from "./arguments.js";
import type { Diagnostic } from "./wire.js";

/** Key of the method of a typed catalog that checks a message which a surface has accepted. */
export const messageCheck: unique symbol = Symbol("messageCheck");

/** Returns warnings about the types in a message. */
type ObjectCheck = (message: object) => Diagnostic[];

/** Returns warnings about the types in an accepted message, given as text or bytes. */
export type MessageCheck = (message: unknown) => Diagnostic[];

/** Returns the check of a catalog, or `undefined` if the catalog has no types. */
export function messageCheckOf(catalog: object): MessageCheck | undefined {
  const { [messageCheck]: check } = catalog as { [messageCheck]?: ObjectCheck };
  return check && ((message) => check.call(catalog, JSON.parse(textOf(message))));
}

function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  // Decoders reject shared memory, so it is copied.
  return new TextDecoder().decode(asBytes(message)?.slice());
}
