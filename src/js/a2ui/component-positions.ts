import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { ROOT } from "./node-ids.js";
import { viewPath } from "./template-views.js";

/** Texts in a component that may be ids of components, and the templates of its lists. */
interface References {
  readonly texts: readonly string[];
  readonly templates: readonly string[];
  /** Those of `templates` that repeat a view of a list, which `FromA2ui` adds to the data. */
  readonly views: readonly string[];
}

/**
 * Positions of the components of HAM. Outside of templates, a binding without a node begins at the
 * root of the data. In a view, its key is a path of A2UI.
 */
export class ComponentPositions {
  readonly #references = new Map<string, References>();
  #outside = new Reach();
  #inside = new Reach();
  #inViews = new Reach();

  clear(): void {
    this.#references.clear();
    this.#reset();
  }

  #reset(): void {
    this.#outside = new Reach();
    this.#inside = new Reach();
    this.#inViews = new Reach();
  }

  /** Adds components. Returns the ids of all components whose position may have changed. */
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
    this.#reset();
    this.#visit([...this.#references.keys()]);
    return new Set(this.#references.keys());
  }

  /** Returns whether `root` displays a component outside of templates, and no template does. */
  isTop(id: string): boolean {
    return this.#outside.has(id) && !this.#inside.has(id);
  }

  /** Returns whether the template of a view displays a component. */
  isInView(id: string): boolean {
    return this.#inViews.has(id);
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
    const views = ids.flatMap((id) => this.#references.get(id)?.views ?? []);
    visitAll(this.#inViews, [...views, ...ids.filter((id) => this.#inViews.isNamed(id))], true);
    return changed;
  }
}

/** Returns the node of a binding if it is the view of a list. */
export function isView(node: Json | undefined, template: Json | undefined): node is string {
  return (
    typeof node === "string" && node.startsWith("items:") && viewPath(node, template) !== undefined
  );
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
  const views: string[] = [];
  const visit = (value: Json): void => {
    if (typeof value === "string") texts.push(value);
    else if (isJsonObject(value) && isJsonObject(value["binding"])) {
      const template = value["componentId"] ?? value["template"];
      if (typeof template !== "string") return;
      templates.push(template);
      if (isView(value["binding"]["node"], template)) views.push(template);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(component);
  return { texts, templates, views };
}
