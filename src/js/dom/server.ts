/**
 * `byname/dom/server`: renders a surface to HTML without a document. In the page, `mount` of
 * `byname/dom` reuses the elements with the option `hydrate`.
 */
import {
  assertBoolean,
  assertOptionTypes,
  assertString,
  describeType,
  throwMisuse,
} from "../arguments.js";
import { css } from "./css.js";
import { DRAW_NEEDS } from "./render-options.js";
import { escapeHtml, toHtml } from "./server/html.js";
import { type DrawOptions, drawText, type Source } from "./server/render.js";

/** Stylesheet of surfaces, for pages that send it separately. */
export const stylesheet: string = css;

export interface HtmlOptions extends DrawOptions {
  /**
   * Whether to include the stylesheet in a `<style>` element, so that the layout does not shift;
   * true by default.
   */
  style?: boolean;
  /** Nonce of the `<style>` element for a Content Security Policy. */
  nonce?: string;
}

const NEEDS = { ...DRAW_NEEDS, style: assertBoolean, nonce: assertString, ids: assertString };

/** Renders a surface or its tree to HTML that looks as it will in the page. */
export function renderToString(source: Source, options: HtmlOptions = {}): string {
  needSource(source);
  assertOptionTypes(options, NEEDS, "the options of `renderToString`");
  const { style = true, nonce, ...rest } = options;
  const words = nonce === undefined ? "" : ` nonce="${escapeHtml(nonce)}"`;
  const sheet = style ? `<style class="bn-style"${words}>${stylesheet}</style>` : "";
  return sheet + drawText(source, rest).map(toHtml).join("");
}

/**
 * Throws for a value that is neither a surface nor a tree. The tree of a surface without components
 * is `null`.
 */
function needSource(source: unknown): void {
  if (source === null) return;
  const { tree, component } = Object(source) as { tree?: unknown; component?: unknown };
  if (typeof tree !== "function" && typeof component !== "string")
    throwMisuse(`\`renderToString\` takes a surface or a tree of one, not ${describeType(source)}`);
}
