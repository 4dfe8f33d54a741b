import type { Json } from "../../types.js";
import { asText, oneOf } from "../../value.js";
import { attribute } from "../accessibility.js";
import { type Block, type Inline, isPlain, parseMarkdown } from "../markdown.js";
import { safeUrl } from "../url.js";
import type { Component, Context } from "../view.js";
import { make } from "./make.js";

const variants = ["body", "h1", "h2", "h3", "h4", "h5", "caption"] as const;

/** Text with a little markdown, made of nodes: markup in it is text. */
export const text: Component = (_node, context) => {
  const element = make(context, "div", "bn-text");
  let variant: (typeof variants)[number] = "body";
  const set = (prop: string, value: Json): void => {
    if (prop === "text") write(context, element, asText(value));
    else if (prop === "variant") {
      element.classList.remove(`bn-${variant}`);
      variant = oneOf(value, variants);
      element.classList.add(`bn-${variant}`);
    } else return;
    // A role and a level, so that another variant is another attribute and not another element. A heading without words is none.
    const level = /^h\d$/.test(variant) && element.textContent !== "" ? variant.slice(1) : "";
    attribute(element, "role", level === "" ? "" : "heading");
    attribute(element, "aria-level", level);
  };
  element.classList.add("bn-body");
  return { element, set };
};

function write(context: Context, element: HTMLElement, value: string): void {
  if (isPlain(value)) {
    const only = element.firstChild;
    // The text node stays, and with it what the reader has selected around it.
    if (only?.nodeType === 3 && only === element.lastChild) (only as Text).data = value;
    else element.textContent = value;
    return;
  }
  const blocks = parseMarkdown(value);
  const [first] = blocks;
  element.replaceChildren();
  if (blocks.length === 1 && first?.kind === "paragraph")
    fill(element, first.children, (one) => inline(context, one));
  else fill(element, blocks, (one) => block(context, one));
}

// One by one: a long text has more parts than a call takes arguments.
function fill<T>(element: HTMLElement, parts: readonly T[], made: (part: T) => Node): void {
  for (const part of parts) element.append(made(part));
}

function block(context: Context, one: Block): HTMLElement {
  switch (one.kind) {
    case "heading": {
      const level = one.level as 1 | 2 | 3 | 4 | 5 | 6;
      return filled(context, `h${level}`, one.children, `bn-h${Math.min(level, 5)}`);
    }
    case "paragraph":
      return filled(context, "p", one.children);
    case "code": {
      const code = make(context, "pre");
      code.textContent = one.text;
      return code;
    }
    case "list": {
      const list = make(context, one.ordered ? "ol" : "ul");
      if (one.ordered && one.start !== 1) list.setAttribute("start", String(one.start));
      fill(list, one.items, (item) => filled(context, "li", item));
      return list;
    }
  }
}

function inline(context: Context, one: Inline): Node {
  switch (one.kind) {
    case "text":
      return context.document.createTextNode(one.text);
    case "code": {
      const code = make(context, "code");
      code.textContent = one.text;
      return code;
    }
    case "strong":
    case "em":
      return filled(context, one.kind, one.children);
    case "link": {
      const url = safeUrl(one.url, "link");
      // A link that may not be followed is its words.
      const element = filled(context, url === null ? "span" : "a", one.children);
      if (url !== null) {
        element.setAttribute("href", url);
        element.setAttribute("target", "_blank");
        element.setAttribute("rel", "noopener noreferrer");
      }
      return element;
    }
  }
}

function filled(
  context: Context,
  tag: keyof HTMLElementTagNameMap,
  children: readonly Inline[],
  className = "",
): HTMLElement {
  const element = make(context, tag, className);
  fill(element, children, (one) => inline(context, one));
  return element;
}
