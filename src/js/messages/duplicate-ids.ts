import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";

/** Ids of the components of a message that arrives in parts. */
export class DuplicateIds {
  readonly #ids = new Set<string>();

  /**
   * Adds the components of the next part. Returns warnings for ids of earlier parts, at pointers
   * that begin with `list`.
   */
  add(part: string, list: string): Diagnostic[] {
    const ids = componentIds(part);
    const known = ids.flatMap((id, index) =>
      id !== undefined && this.#ids.has(id) ? [duplicateId(id, `${list}/${index}/id`)] : [],
    );
    for (const id of ids) if (id !== undefined) this.#ids.add(id);
    return known;
  }
}

/** Returns the id of each component, or none for invalid JSON, which its receiver reports. */
function componentIds(part: string): (string | undefined)[] {
  try {
    const components = JSON.parse(`[${part}]`) as Json[];
    return components.map((one) => {
      const id = isJsonObject(one) ? one["id"] : undefined;
      return typeof id === "string" ? id : undefined;
    });
  } catch {
    return [];
  }
}

function duplicateId(id: string, pointer: string): Diagnostic {
  return {
    code: "CAT011",
    severity: "warning",
    message: `duplicate component id \`${id}\`; the last component is used`,
    help: "give each component its own id",
    location: { kind: "pointer", pointer },
  };
}
