import { asBytes } from "./arguments.js";
import type { Instance } from "./types.js";
import type { Diagnostic } from "./wire.js";

/** Key of the method of a typed catalog that checks a message which a surface has accepted. */
export const messageCheck: unique symbol = Symbol("messageCheck");

/** Key of the method of a typed catalog that checks the values of a tree. */
export const treeCheck: unique symbol = Symbol("treeCheck");

/** Returns warnings about the types in a message. */
type ObjectCheck = (message: object) => Diagnostic[];

type TreeCheck = (tree: Instance | null) => Diagnostic[];

/** Returns warnings about the types in an accepted message, given as text or bytes. */
export type MessageCheck = (message: unknown) => Diagnostic[];

/** Returns the check of a catalog, or `undefined` if the catalog has no types. */
export function messageCheckOf(catalog: object): MessageCheck | undefined {
  const { [messageCheck]: check } = catalog as { [messageCheck]?: ObjectCheck };
  return check && ((message) => check.call(catalog, JSON.parse(textOf(message))));
}

/** Returns warnings about the values of a tree; none if the catalog has no types. */
export function checkTree(catalog: object, tree: Instance | null): Diagnostic[] {
  const { [treeCheck]: check } = catalog as { [treeCheck]?: TreeCheck };
  return check?.call(catalog, tree) ?? [];
}

function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  // Decoders reject shared memory, so it is copied.
  return new TextDecoder().decode(asBytes(message)?.slice());
}
