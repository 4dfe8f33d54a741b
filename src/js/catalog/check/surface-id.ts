import { asObject, ownProperty } from "../../json-value.js";
import { MESSAGES } from "../schema.js";
import { diagnosticsAt, type PathDiagnostic } from "./path-diagnostic.js";
import { quote } from "./suggestions.js";
import type { ValueLocation } from "./value-location.js";

/** Checks messages of one surface: each has its id, and only the first one creates it. */
export class SurfaceIdCheck {
  readonly #surfaceId: string | undefined;
  #count = 0;

  /** Without an id, all messages pass. */
  constructor(surfaceId: string | undefined) {
    this.#surfaceId = surfaceId;
  }

  /** Returns the errors of the next message. */
  next(value: unknown, path: PathDiagnostic["path"]): PathDiagnostic[] {
    const expected = this.#surfaceId;
    const isFirst = this.#count === 0;
    this.#count += 1;
    const message = asObject(value);
    if (expected === undefined || message === undefined) return [];
    return MESSAGES.filter((name) => Object.hasOwn(message, name)).flatMap((name) => {
      const found = ownProperty(message[name], "surfaceId");
      const location = (key: string[]): ValueLocation => ({
        path: [...path, name, ...key],
        owner: name,
        ownerDepth: path.length + 1,
      });
      if (typeof found === "string" && found !== expected) {
        const text = `expected the surface ${quote(expected)}, found ${quote(found)}`;
        const help = `write "surfaceId": ${JSON.stringify(expected)}`;
        return diagnosticsAt("CAT016", location(["surfaceId"]), text, help);
      }
      if (name !== "createSurface" || isFirst) return [];
      const text = "expected `createSurface` as the first message";
      const help = "remove it, and change the surface with `updateComponents`";
      return diagnosticsAt("CAT016", location([]), text, help);
    });
  }
}
