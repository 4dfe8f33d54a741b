import { escapePointer } from "../../json-text.js";
import type { Diagnostic } from "../../types.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { countElements, countMarks, countOwnElements, isVirtualised } from "./count.js";

/** Default maximum number of elements of a surface. */
export const DEFAULT_MAX_ELEMENTS = 20_000;
/** Maximum number of omitted parts. After that the parent of the next one is omitted. */
export const MAX_OMITTED_PARTS = 100;

/**
 * Limit of the elements of a rendered surface. A subtree is counted before its first element is
 * created. One that does not fit is omitted, with a diagnostic.
 */
export class ElementLimit {
  readonly #max: number;
  readonly #windowAbove: number;
  readonly #diagnostics: Map<string, Diagnostic>;
  /** Counted elements of each rendered instance. */
  readonly #counts = new Map<MirrorNode, number>();
  /** Omitted instances, the first one first. */
  readonly omitted = new Set<MirrorNode>();
  #total = 0;
  /** Nesting depth of instances being drawn; the outermost one was counted with its descendants. */
  #depth = 0;

  constructor(max: number | undefined, windowAbove: number, diagnostics: Map<string, Diagnostic>) {
    this.#max = max ?? DEFAULT_MAX_ELEMENTS;
    this.#windowAbove = windowAbove;
    this.#diagnostics = diagnostics;
  }

  /** Draws an instance with `make`, or with `makeOmitted` if it has too many elements. */
  drawWithinLimit(
    node: MirrorNode,
    make: () => HTMLElement,
    makeOmitted: () => HTMLElement,
  ): HTMLElement {
    if (this.#depth === 0 && !this.fits(node)) {
      this.recordOmitted(node);
      return makeOmitted();
    }
    this.#addToCounts(node, countOwnElements(node));
    this.#depth += 1;
    try {
      return make();
    } finally {
      this.#depth -= 1;
    }
  }

  /** Returns whether an instance with its descendants fits in the limit. */
  fits(node: MirrorNode): boolean {
    const left = this.#max - this.#total + (this.#counts.get(node) ?? 0);
    return countElements(node, this.#windowAbove, left) <= left;
  }

  /**
   * Updates the count of a rendered instance. Returns false if it has too many elements. Of a text
   * that grows, only the `appended` part is read.
   */
  update(node: MirrorNode, appended?: string): boolean {
    const before = this.#counts.get(node);
    if (before === undefined || this.omitted.has(node)) return true;
    const after = appended === undefined ? countOwnElements(node) : before + countMarks(appended);
    if (after > before && this.#total - before + after > this.#max) return false;
    this.#addToCounts(node, after);
    return true;
  }

  /** Records that an instance is omitted, and reports it. */
  recordOmitted(node: MirrorNode): void {
    this.omitted.add(node);
    this.#addToCounts(node, 1);
    this.#diagnostics.set(`elements ${node.key}`, {
      code: "HAM050",
      severity: "error",
      message: `expected at most ${this.#max} elements, found more: \`${node.id}\` is not displayed`,
      help:
        node.count > this.#windowAbove && !isVirtualised(node)
          ? `display the ${node.count} children in a \`List\` or \`Column\`, which create elements only for visible ones, or raise \`maxElements\``
          : "display fewer items, or raise `maxElements`",
      location: { kind: "pointer", pointer: `/${escapePointer(node.id)}` },
    });
  }

  /** Removes an instance whose elements were removed. */
  remove(node: MirrorNode): void {
    this.#total -= this.#counts.get(node) ?? 0;
    this.#counts.delete(node);
    if (this.omitted.delete(node)) this.#diagnostics.delete(`elements ${node.key}`);
  }

  #addToCounts(node: MirrorNode, count: number): void {
    this.#total += count - (this.#counts.get(node) ?? 0);
    this.#counts.set(node, count);
  }
}
