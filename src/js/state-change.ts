import type { Json } from "./wire.js";

/** Steps from a value to a part of it: keys of objects and indices of lists. */
export type Steps = (string | number)[];

/** Change of a part of a JSON value. */
export type StateChange =
  | { at: Steps; set: Json }
  | { at: Steps; delete: true }
  /** Removes items from the start of a list. */
  | { at: Steps; drop: number }
  /** Adds items to the end of a list. */
  | { at: Steps; append: Json[] };
