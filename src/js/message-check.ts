import type { Diagnostic } from "./wire.js";

/** Key of the method of a typed catalog that checks a message which a surface has accepted. */
export const messageCheck: unique symbol = Symbol("messageCheck");

/** Returns warnings about the types in a message. */
type ObjectCheck = (message: object) => Diagnostic[];

/** Returns warnings about the types in a message that a surface has accepted. */
export type MessageCheck = (message: string | Uint8Array | object) => Diagnostic[];

/** Returns the check of a catalog, or `undefined` if the catalog has no types. */
export function messageCheckOf(catalog: object): MessageCheck | undefined {
  const { [messageCheck]: check } = catalog as { [messageCheck]?: ObjectCheck };
  return check && ((message) => check.call(catalog, toObject(message)));
}

/** Parses a message. */
function toObject(message: string | Uint8Array | object): object {
  const text = message instanceof Uint8Array ? new TextDecoder().decode(message) : message;
  return typeof text === "string" ? JSON.parse(text) : text;
}
