import type { Validity } from "./input-check.js";
import type { Catalog, Diagnostic, Instance } from "./types.js";

/** Key of the method of a typed catalog and of a link that evaluates the checks of a tree. */
export const validity: unique symbol = Symbol("validity");

/** Source of the results of checks. */
interface ValiditySource extends Partial<Catalog> {
  [validity]?: ((tree: Instance | null) => Validity) | undefined;
}

/** Links by surface. */
const linksBySurface = new WeakMap<object, Set<RendererLink>>();
/** Surfaces by wrapper. */
const wrappedSurfaces = new WeakMap<object, object>();

/** Connection of one renderer to its surface. */
export class RendererLink {
  /** Listeners that are called before the context of an action is read. */
  readonly actionListeners = new Set<() => void>();
  /** Diagnostics of the renderer, by a key of its own. */
  readonly diagnostics = new Map<string, Diagnostic>();
  /** Returns the failed checks of a tree, with the functions of the page. */
  [validity]: ((tree: Instance | null) => Validity) | undefined;
  readonly #surface: object;

  constructor(surface: object) {
    this.#surface = wrappedSurfaces.get(surface) ?? surface;
    const links = linksBySurface.get(this.#surface) ?? new Set();
    links.add(this);
    linksBySurface.set(this.#surface, links);
  }

  /** Ends the connection, because the renderer has stopped. */
  stop(): void {
    linksBySurface.get(this.#surface)?.delete(this);
  }
}

/** Links the renderers of a wrapper to the surface that it wraps. */
export function linkWrapper(wrapper: object, surface: object): void {
  wrappedSurfaces.set(wrapper, wrappedSurfaces.get(surface) ?? surface);
}

/** Returns the links of the current renderers of a surface. */
export function linksOf(surface: object): readonly RendererLink[] {
  return [...(linksBySurface.get(wrappedSurfaces.get(surface) ?? surface) ?? [])];
}

/** Returns the diagnostics of all renderers of a surface. Those with the same key are returned once. */
export function rendererDiagnostics(surface: object): Diagnostic[] {
  const all = linksOf(surface).flatMap(({ diagnostics }) => [...diagnostics]);
  return [...new Map(all).values()];
}

/**
 * Returns the failed checks of a surface with this tree, or undefined if neither a renderer nor the
 * catalog evaluates checks.
 */
export function validityOfSurface(
  surface: { readonly catalog: Catalog | undefined },
  tree: Instance | null,
): Validity | undefined {
  const sources: readonly ValiditySource[] = [...linksOf(surface), surface.catalog ?? {}];
  return sources.find((source) => source[validity])?.[validity]?.(tree);
}

/** Ends typing in all renderers of a surface, before an action. */
export function endTyping(surface: object): void {
  for (const link of linksOf(surface)) for (const listener of [...link.actionListeners]) listener();
}
