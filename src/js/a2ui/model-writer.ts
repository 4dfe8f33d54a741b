import { setOwn } from "../json-text.js";
import type { JsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { getOwn, isObject } from "./data-model.js";
import { isIndex } from "./node-ids.js";
import { checkPath, indexError } from "./path-checks.js";

/** Maximum number of nulls that all paths of a message may add before their values. */
const MAX_ADDED_NULLS = 100_000;

/** Sets values at paths of a data model. Each list and map of others is copied once. */
export class ModelWriter {
  #model: Json;
  /** Copies that this writer has made. */
  readonly #own = new WeakSet<object>();
  #addedNulls = 0;

  constructor(model: Json) {
    this.#model = model;
  }

  get model(): Json {
    return this.#model;
  }

  /** Sets a value at a path. Returns the error if A2UI cannot set it. */
  set(segments: readonly string[], value: Json): Diagnostic | undefined {
    const error = checkPath(this.#model, segments, "");
    if (error !== undefined) return error;
    if (segments.length === 0) {
      this.#model = value;
      return undefined;
    }
    this.#model = this.#ownCopy(this.#model ?? {});
    let at = this.#model;
    for (const [index, segment] of segments.entries()) {
      const gap = Array.isArray(at) ? Number(segment) - at.length : 0;
      if (gap > 0) this.#addedNulls += gap;
      if (this.#addedNulls > MAX_ADDED_NULLS) return indexError(segment, "");
      const next = segments[index + 1];
      const inner =
        next === undefined
          ? value
          : this.#ownCopy(getOwn(at, segment) ?? (isIndex(next) ? [] : {}));
      this.#setEntry(at as Json[] | JsonObject, segment, inner);
      at = inner;
    }
    return undefined;
  }

  #ownCopy(value: Json): Json {
    if (!isObject(value) || this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    return copy;
  }

  #setEntry(container: Json[] | JsonObject, segment: string, value: Json): void {
    if (Array.isArray(container)) {
      while (container.length < Number(segment)) container.push(null);
      container[Number(segment)] = value;
    } else setOwn(container, segment, value);
  }
}
