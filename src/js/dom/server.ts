/**
 * `byname/dom/server`: renders a surface to HTML without a document. In the page, `mount` of
 * `byname/dom` reuses the elements with the option `hydrate`.
 */
import { assertBoolean, assertOptionTypes, assertString, throwExpected } from "../arguments.js";
import { css } from "./css.js";
import { RENDER_OPTION_ASSERTIONS } from "./render-options.js";
import { escapeHtml, toHtml } from "./server/html.js";
import { type RenderOptions, type RenderSource, renderSurface } from "./server/render.js";

/** Stylesheet of surfaces, for pages that send it separately. */
export const stylesheet: string = css;

export interface HtmlOptions extends RenderOptions {
  /**
   * Whether to include the stylesheet in a `<style>` element, so that the layout does not shift;
   * true by default.
   */
  style?: boolean;
  /** Nonce of the `<style>` element for a Content Security Policy. */
  nonce?: string;
}

const OPTION_ASSERTIONS = {
  ...RENDER_OPTION_ASSERTIONS,
  style: assertBoolean,
  nonce: assertString,
  ids: assertString,
};

/** Renders a surface or its tree to HTML that looks as it will in the page. */
export function renderToString(source: RenderSource, options: HtmlOptions = {}): string {
  assertSource(source);
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `renderToString`");
  const { style = true, nonce, ...rest } = options;
  const nonceAttribute = nonce === undefined ? "" : ` nonce="${escapeHtml(nonce)}"`;
  const styleElement = style
    ? `<style class="bn-style"${nonceAttribute}>${stylesheet}</style>`
    : "";
  return styleElement + renderSurface(source, rest).map(toHtml).join("");
}

/**
 * Throws for a value that is neither a surface nor a tree. The tree of a surface without components
 * is `null`.
 */
function assertSource(source: unknown): void {
  if (source === null) return;
  const { tree, component } = Object(source) as { tree?: unknown; component?: unknown };
  if (typeof tree !== "function" && typeof component !== "string")
    throwExpected("the first argument of `renderToString`", "a surface or its tree", source);
}
