import type { Rows } from "./rows.js";
import type { Instance } from "./types.js";

/** The children that nobody has looked at, by the instance that they belong to; `dom` asks for them row by row. */
export const unread = new WeakMap<Instance, Rows>();
