import { isObject } from "../a2ui/data-model.js";
import { isIndex } from "../a2ui/node-ids.js";
import { setOwn } from "../json-text.js";
import type { JsonObject } from "../json-value.js";
import type { Json } from "../types.js";

/** Data model that changes in place. Containers of the caller are copied before their first change. */
export class OwnedModel {
  /** The model; `undefined` without one. */
  value: Json | undefined;
  /** Containers that are copies. */
  readonly #owned = new WeakSet<object>();

  constructor(value: Json | undefined) {
    this.value = value;
  }

  /**
   * Replaces the value at a path, or deletes it if it is undefined. The path must have passed
   * `checkPath`.
   */
  set(segments: readonly string[], value: Json | undefined): void {
    this.value = this.#withValue(this.value, segments, 0, value);
  }

  /** Sets a value at a path from an index in it. Returns the value that contains it. */
  #withValue(
    model: Json | undefined,
    segments: readonly string[],
    at: number,
    value: Json | undefined,
  ): Json | undefined {
    const segment = segments[at];
    if (segment === undefined) return value;
    const container = this.#own(isObject(model) ? model : isIndex(segment) ? [] : {});
    if (Array.isArray(container)) {
      const index = Number(segment);
      while (container.length < index) container.push(null);
      container[index] = this.#withValue(container[index], segments, at + 1, value) ?? null;
      return container;
    }
    const before = Object.hasOwn(container, segment) ? container[segment] : undefined;
    const inner = this.#withValue(before, segments, at + 1, value);
    if (inner === undefined) delete container[segment];
    else setOwn(container, segment, inner);
    return container;
  }

  /** Returns a container that may be changed, with the content of another. */
  #own(container: Json[] | JsonObject): Json[] | JsonObject {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container)
      ? [...container]
      : Object.fromEntries(Object.entries(container));
    this.#owned.add(copy);
    return copy;
  }
}
