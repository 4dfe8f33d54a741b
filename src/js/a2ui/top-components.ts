import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { ROOT } from "./node-ids.js";

/** Texts in a component that may be ids of components, and the templates of its lists. */
interface References {
  readonly texts: readonly string[];
  readonly templates: readonly string[];
}

/**
 * Components of HAM that `root` displays outside of templates. Only there does a binding without a
 * node begin at the root of the data. A component that a template displays too is not one of them.
 */
export class TopComponents {
  readonly #references = new Map<string, References>();
  #outside = new Reach();
  #inside = new Reach();

  clear(): void {
    this.#references.clear();
    this.#outside = new Reach();
    this.#inside = new Reach();
  }

  /** Adds components. Returns the ids of all components that are top ones now and were not, or vice versa. */
  add(components: readonly Json[]): Set<string> {
    const added: string[] = [];
    let isReplaced = false;
    for (const one of components) {
      if (!isJsonObject(one) || typeof one["id"] !== "string") continue;
      const { id, component: _, ...rest } = one;
      isReplaced ||= this.#references.has(id as string);
      this.#references.set(id as string, referencesOf(rest));
      added.push(id as string);
    }
    if (!isReplaced) return this.#visit(added);
    const before = new Set([...this.#references.keys()].filter((id) => this.has(id)));
    this.#outside = new Reach();
    this.#inside = new Reach();
    this.#visit([...this.#references.keys()]);
    return new Set([...this.#references.keys()].filter((id) => this.has(id) !== before.has(id)));
  }

  has(id: string): boolean {
    return this.#outside.has(id) && !this.#inside.has(id);
  }

  /** Visits new components. Returns those that are reached now, also earlier ones. */
  #visit(ids: readonly string[]): Set<string> {
    const changed = new Set<string>();
    const visitAll = (reach: Reach, starts: readonly string[], isInside: boolean): void => {
      for (const id of reach.visit(starts, this.#references, isInside)) changed.add(id);
    };
    visitAll(this.#outside, [ROOT, ...ids.filter((id) => this.#outside.isNamed(id))], false);
    const templates = ids.flatMap((id) => this.#references.get(id)?.templates ?? []);
    visitAll(this.#inside, [...templates, ...ids.filter((id) => this.#inside.isNamed(id))], true);
    return changed;
  }
}

/** Components that can be reached from some others. */
class Reach {
  readonly #visited = new Set<string>();
  /** Texts that may be ids, also of components that have not arrived. */
  readonly #named = new Set<string>();

  has(id: string): boolean {
    return this.#visited.has(id);
  }

  isNamed(id: string): boolean {
    return this.#named.has(id);
  }

  /** Visits components and all that they contain. Returns the new ones. */
  visit(
    starts: readonly string[],
    references: ReadonlyMap<string, References>,
    withTemplates: boolean,
  ): string[] {
    const found: string[] = [];
    const pending = [...starts];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      this.#named.add(id);
      const reference = references.get(id);
      if (reference === undefined || this.#visited.has(id)) continue;
      this.#visited.add(id);
      found.push(id);
      for (const text of reference.texts) pending.push(text);
      if (withTemplates) for (const template of reference.templates) pending.push(template);
    }
    return found;
  }
}

function referencesOf(component: Json): References {
  const texts: string[] = [];
  const templates: string[] = [];
  const visit = (value: Json): void => {
    if (typeof value === "string") texts.push(value);
    else if (isJsonObject(value) && isJsonObject(value["binding"])) {
      const template = value["componentId"] ?? value["template"];
      if (typeof template === "string") templates.push(template);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(component);
  return { texts, templates };
}
