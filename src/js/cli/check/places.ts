import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Diagnostic, Location } from "../../types.js";
import { type MemberPart, positionOf } from "./json-position.js";

/** JSON value of a file: the offset of the JSON text that contains it, and its pointer there. */
export interface Place {
  start: number;
  pointer: string;
}

/** Message about a key, which is located at the key and not at its value. */
const ABOUT_KEY = /^unknown (?:property|key|message) /;

/** Places of the components and nodes of a file. Locates diagnostics in its text. */
export class Places {
  readonly #text: string;
  readonly #components = new Map<string, Place & { type?: string }>();
  readonly #nodes = new Map<string, Place>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Records the components and nodes of a message. Later definitions replace earlier ones. */
  add(body: JsonObject, surfaceId: string, { start, pointer }: Place): void {
    const { components, nodes, edits } = body;
    if (Array.isArray(components))
      for (const [at, one] of components.entries()) {
        if (!isJsonObject(one)) continue;
        const { id, component } = one;
        if (typeof id !== "string") continue;
        // A component of v0.8 has its properties in an object with its type.
        const type = isJsonObject(component) ? Object.keys(component)[0] : undefined;
        const place = { start, pointer: `${pointer}/components/${at}` };
        this.#components.set(keyOf(surfaceId, id), { ...place, ...(type && { type }) });
      }
    if (isJsonObject(nodes))
      for (const id of Object.keys(nodes)) {
        const place = { start, pointer: `${pointer}/nodes/${escapePointer(id)}` };
        this.#nodes.set(keyOf(surfaceId, id), place);
      }
    if (isJsonObject(edits))
      for (const name of Object.keys(edits)) {
        const key = keyOf(surfaceId, name.replace(/^[~+>-]/, ""));
        const place = { start, pointer: `${pointer}/edits/${escapePointer(name)}` };
        // An edit contains a part of its node only.
        const isEdit = /^[~+>-]/.test(name);
        if (!isEdit || !this.#nodes.has(key)) this.#nodes.set(key, place);
      }
  }

  /** Returns a diagnostic about a value of a message, located in the text. */
  inMessage(diagnostic: Diagnostic, { start, pointer }: Place): Diagnostic {
    const path = diagnostic.location?.kind === "pointer" ? diagnostic.location.pointer : "";
    return this.#at(diagnostic, start, pointer, path, partOf(diagnostic)) ?? diagnostic;
  }

  /** Returns a diagnostic about the state of a surface, located at a message. */
  atMessage(diagnostic: Diagnostic, { start, pointer }: Place): Diagnostic {
    return this.#at(diagnostic, start, pointer, "") ?? diagnostic;
  }

  /** Returns a diagnostic with a pointer that begins with the id of a component. */
  inComponent(diagnostic: Diagnostic, surfaceId: string): Diagnostic | undefined {
    const [id, path] = splitPointer(diagnostic);
    const place = this.#components.get(keyOf(surfaceId, id));
    if (place === undefined) return undefined;
    const { start, pointer, type } = place;
    const isInner = type !== undefined && !/^(?:$|\/(?:id|component|weight)(?:\/|$))/.test(path);
    const inner = isInner ? `${pointer}/component/${escapePointer(type)}` : pointer;
    return this.#at(diagnostic, start, inner, path, partOf(diagnostic));
  }

  /** Returns a diagnostic with a pointer that begins with the id of a node. */
  inNode(diagnostic: Diagnostic, surfaceId: string): Diagnostic | undefined {
    const [id, path] = splitPointer(diagnostic);
    const place = this.#nodes.get(keyOf(surfaceId, id));
    const found = place && this.#at(diagnostic, place.start, place.pointer, path);
    if (found?.location?.kind !== "text") return found;
    return atPointerText(found, this.#text, found.location.start);
  }

  /** Locates a diagnostic at a path, or at the innermost container of it that the text has. */
  #at(
    diagnostic: Diagnostic,
    start: number,
    base: string,
    path: string,
    part: MemberPart = "value",
  ): Diagnostic | undefined {
    for (let rest = path; ; rest = rest.slice(0, rest.lastIndexOf("/"))) {
      const offset = positionOf(this.#text, base + rest, start, rest === path ? part : "value");
      if (offset !== undefined) return { ...diagnostic, location: textLocation(offset) };
      if (rest === "") return undefined;
    }
  }
}

function partOf({ message }: Diagnostic): MemberPart {
  return ABOUT_KEY.test(message) ? "key" : "value";
}

export function textLocation(start: number): Location {
  return { kind: "text", start, end: start };
}

/** Returns a diagnostic about a pointer to a missing node at that pointer, after a node's offset. */
export function atPointerText(
  diagnostic: Diagnostic,
  text: string,
  nodeOffset: number | undefined,
): Diagnostic {
  const [, written] = /^`(\*.*)` points to a missing node$/s.exec(diagnostic.message) ?? [];
  if (written === undefined || nodeOffset === undefined) return diagnostic;
  const offset = text.indexOf(JSON.stringify(written), nodeOffset);
  return offset < 0 ? diagnostic : { ...diagnostic, location: textLocation(offset) };
}

/** Returns the first segment of the pointer of a diagnostic, and the rest of it. */
function splitPointer({ location }: Diagnostic): [string, string] {
  const pointer = location?.kind === "pointer" ? location.pointer : "";
  const [, id = "", path = ""] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? [];
  return [id.replaceAll("~1", "/").replaceAll("~0", "~"), path];
}

function keyOf(surfaceId: string, id: string): string {
  return JSON.stringify([surfaceId, id]);
}
