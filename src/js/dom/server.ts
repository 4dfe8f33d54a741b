/**
 * `byname/dom/server`: a surface as HTML text, where there is no document. In the page, `mount` of `byname/dom` takes the elements
 * over when it is told to `hydrate`.
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

/** The stylesheet of surfaces, for pages that send it by themselves. */
export const stylesheet: string = css;

export interface HtmlOptions extends DrawOptions {
  /** Whether the stylesheet comes along in a `<style>`, so that nothing jumps when the code arrives; true by default. */
  style?: boolean;
  /** The nonce of that `<style>`, where the page has a Content Security Policy. */
  nonce?: string;
}

const NEEDS = { ...DRAW_NEEDS, style: assertBoolean, nonce: assertString, ids: assertString };

/** A surface, or a tree of one, as HTML that looks as it will in the page. */
export function renderToString(source: Source, options: HtmlOptions = {}): string {
  needSource(source);
  assertOptionTypes(options, NEEDS, "the options of `renderToString`");
  const { style = true, nonce, ...rest } = options;
  const words = nonce === undefined ? "" : ` nonce="${escapeHtml(nonce)}"`;
  const sheet = style ? `<style class="bn-style"${words}>${stylesheet}</style>` : "";
  return sheet + drawText(source, rest).map(toHtml).join("");
}

/** Throws for what is neither a surface nor a tree. A surface without components has the tree `null`. */
function needSource(source: unknown): void {
  if (source === null) return;
  const { tree, component } = Object(source) as { tree?: unknown; component?: unknown };
  if (typeof tree !== "function" && typeof component !== "string")
    throwMisuse(`\`renderToString\` takes a surface or a tree of one, not ${describeType(source)}`);
}
