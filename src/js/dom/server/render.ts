import { assertLocale, assertTimeZone } from "../../arguments.js";
import { failedCheck } from "../../functions/checks.js";
import { inputError } from "../../input-check.js";
import { RendererLink } from "../../renderer-link.js";
import { runAndReport } from "../../report.js";
import type { Instance } from "../../types.js";
import { updateAttribute } from "../base/accessibility.js";
import { createStatus } from "../base/announcer.js";
import { childrenIn } from "../base/children-in.js";
import type { Context, ListItems, MountOptions, SurfaceLike } from "../base/component.js";
import { instanceSignature } from "../base/instance-signature.js";
import { childrenOf, InstanceMirror } from "../base/mirror.js";
import type { Children, MirrorNode } from "../base/mirror-node.js";
import { mergeWords } from "../base/words.js";
import { drawNode, drawOmitted, mergeComponents } from "../components/draw.js";
import { ElementLimit } from "../element-limit/element-limit.js";
import { createSpacer, setPosition } from "../virtual-list/rendered-rows.js";
import { DEFAULT_ROW_HEIGHT } from "../virtual-list/row-heights.js";
import { UNMEASURED_ROW_COUNT } from "../virtual-list/row-window.js";
import { type ServerElement, serverDocument } from "./element.js";

/** Surface or tree to render. */
export type RenderSource = Pick<SurfaceLike, "tree" | "catalog"> | Instance | null;

export interface RenderOptions extends Omit<MountOptions, "hydrate"> {
  /** Prefix of generated ids; it must differ between the surfaces of a page. */
  ids?: string;
}

/** Renders a surface. Returns the host element with the tree, and the status element. */
export function renderSurface(
  source: RenderSource,
  options: RenderOptions,
): [ServerElement, ServerElement] {
  assertLocale(options.locale);
  assertTimeZone(options.timeZone);
  const isSurface = source && "tree" in source && typeof source.tree === "function";
  const tree = isSurface ? source.tree() : source;
  const windowAbove = options.windowAbove ?? 100;
  const elements = new ElementLimit(
    options.maxElements,
    windowAbove,
    isSurface ? newLink(source).diagnostics : new Map(),
  );
  const catalog = isSurface ? source.catalog : undefined;
  const mirror = new InstanceMirror();
  const components = mergeComponents(options);
  const tasks: (() => void)[] = [];
  let ids = 0;
  const noop = (): void => {};
  const context: Context = {
    // Subset of the DOM that components use.
    document: serverDocument as unknown as Document,
    mirror,
    words: mergeWords(options.words),
    windowAbove,
    locale: options.locale,
    timeZone: options.timeZone,
    functions: options.functions,
    adoption: null,
    newId: () => {
      ids += 1;
      return `${options.ids ?? "bn-s"}${ids}`;
    },
    show: (node) => {
      const element = elements.drawWithinLimit(
        node,
        () => drawNode(node, context, components),
        () => drawOmitted(node, context),
      );
      element.dataset["bn"] = instanceSignature(node.component, node.props.keys());
      return element;
    },
    hide: noop,
    input: noop,
    trigger: noop,
    errorOf: (node) =>
      inputError(catalog, node, ({ props }, value) => failedCheck(props, value, context)),
    validateForm: () => true,
    after: (task) => tasks.push(task),
    settle: noop,
    afterPress: noop,
    onScroll: () => noop,
    beforeChanges: () => noop,
    beforeAction: () => noop,
    children: (node, container, windowAbove) => childrenIn(context, node, container, windowAbove),
    windowed: (node, container, items) => leadingRows(context, node, container, items),
  };
  const host = serverDocument.createElement("div");
  const status = createStatus(context);
  host.setAttribute("class", "bn-surface");
  const root = tree ? mirror.mount(tree as Instance, null, null) : null;
  if (root) {
    host.append(context.show(root) as unknown as ServerElement);
    for (let task = tasks.shift(); task; task = tasks.shift()) runAndReport(task);
    const missing = mirror.missing > 0;
    updateAttribute(host as unknown as Element, "aria-busy", missing ? "true" : "");
    if (missing) status.textContent = context.words.loading;
  }
  return [host, status as unknown as ServerElement];
}

/** Link of the last rendering of each surface. */
const lastLinks = new WeakMap<object, RendererLink>();

/** Returns the link of a new rendering, whose diagnostics replace those of the last one. */
function newLink(surface: object): RendererLink {
  lastLinks.get(surface)?.stop();
  const link = new RendererLink(surface);
  lastLinks.set(surface, link);
  return link;
}

/** Returns the handling of a long list: renders the first rows, and a spacer for the others. */
function leadingRows(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
  items: ListItems,
): Children {
  const noop = (): void => {};
  const fill = (): void => {
    const rows = childrenOf(node);
    rows.slice(0, UNMEASURED_ROW_COUNT).forEach((row, index) => {
      const wrapper = items.wrap(row);
      setPosition(wrapper, index, rows.length);
      container.append(wrapper);
    });
    const rest = createSpacer(context, container);
    rest.style.height = `${Math.max(0, rows.length - UNMEASURED_ROW_COUNT) * DEFAULT_ROW_HEIGHT}px`;
    container.append(rest);
  };
  return { fill, insert: noop, move: noop, remove: noop };
}
