import { assertLocale } from "../../arguments.js";
import { runAndReport } from "../../report.js";
import type { Instance } from "../../types.js";
import { attribute } from "../base/accessibility.js";
import { statusOf } from "../base/announcer.js";
import type { Context, Items, MountOptions, SurfaceLike } from "../base/component.js";
import { markOf } from "../base/instance-signature.js";
import { childrenOf, Mirror } from "../base/mirror.js";
import type { Children, MirrorNode } from "../base/mirror-node.js";
import { wordsOf } from "../base/words.js";
import { componentsOf, draw } from "../components/draw.js";
import { emptyRows, position } from "../virtual-list/rendered-rows.js";
import { guess } from "../virtual-list/row-heights.js";
import { blind } from "../virtual-list/row-window.js";
import { type TextElement, textDocument } from "./element.js";

/** Surface or tree to render. */
export type Source = Pick<SurfaceLike, "tree"> | Instance | null;

export interface DrawOptions extends Omit<MountOptions, "hydrate"> {
  /** Prefix of generated ids; it must differ between the surfaces of a page. */
  ids?: string;
}

/** Renders a surface. Returns the host element with the tree, and the status element. */
export function drawText(source: Source, options: DrawOptions): [TextElement, TextElement] {
  assertLocale(options.locale);
  const tree =
    source && "tree" in source && typeof source.tree === "function" ? source.tree() : source;
  const mirror = new Mirror();
  const components = componentsOf(options);
  const tasks: (() => void)[] = [];
  let ids = 0;
  const nothing = (): void => {};
  const context: Context = {
    // Subset of the DOM that components use.
    document: textDocument as unknown as Document,
    mirror,
    words: wordsOf(options.words),
    windowAbove: options.windowAbove ?? 100,
    locale: options.locale,
    functions: options.functions,
    adoption: null,
    newId: () => {
      ids += 1;
      return `${options.ids ?? "bn-s"}${ids}`;
    },
    show: (node) => {
      const element = draw(node, context, components);
      element.dataset["bn"] = markOf(node.component, node.props.keys());
      return element;
    },
    hide: nothing,
    input: nothing,
    trigger: nothing,
    after: (task) => tasks.push(task),
    settle: nothing,
    afterPress: nothing,
    onScroll: () => nothing,
    beforeChanges: () => nothing,
    windowed: (node, container, items) => firstRows(context, node, container, items),
  };
  const host = textDocument.createElement("div");
  const status = statusOf(context);
  host.setAttribute("class", "bn-surface");
  const root = tree ? mirror.mount(tree as Instance, null, null) : null;
  if (root) {
    host.append(context.show(root) as unknown as TextElement);
    for (let task = tasks.shift(); task; task = tasks.shift()) runAndReport(task);
    const missing = mirror.missing > 0;
    attribute(host as unknown as Element, "aria-busy", missing ? "true" : "");
    if (missing) status.textContent = context.words.loading;
  }
  return [host, status as unknown as TextElement];
}

/** Returns the handling of a long list: renders the first rows, and a spacer for the others. */
function firstRows(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
  items: Items,
): Children {
  const nothing = (): void => {};
  const fill = (): void => {
    const rows = childrenOf(node);
    rows.slice(0, blind).forEach((row, index) => {
      const wrapper = items.wrap(row);
      position(wrapper, index, rows.length);
      container.append(wrapper);
    });
    const rest = emptyRows(context);
    rest.style.height = `${Math.max(0, rows.length - blind) * guess}px`;
    container.append(rest);
  };
  return { fill, insert: nothing, move: nothing, remove: nothing };
}
