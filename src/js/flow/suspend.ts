import type { Json } from "../wire.js";

/** Shared by all copies of the package in a program. */
const SUSPENDED_BRAND = Symbol.for("byname.suspended");

/** Result of a node that waits for an answer; see {@link suspend}. */
export class Suspended {
  readonly payload: Json;
  /** @internal */
  readonly [SUSPENDED_BRAND] = true;

  /** @internal Created by {@link suspend}. */
  constructor(payload: Json) {
    this.payload = payload;
  }

  /** Throws, because a part of a result cannot wait. */
  toJSON(): never {
    throw new Error("return `suspend(payload)` itself, not inside of the outputs");
  }
}

/**
 * Returns the result of a node that waits for an answer, as from a person. The run ends with the
 * status `paused`; `run({ resume, answers })` calls the node again with `call.resumed`.
 */
export function suspend(payload: Json = null): Suspended {
  return new Suspended(payload);
}

/** @internal */
export function isSuspended(value: unknown): value is Suspended {
  return typeof value === "object" && value !== null && SUSPENDED_BRAND in value;
}
