import { asList, displayText, ownProperty } from "../../json-value.js";
import type { Component } from "../base/component.js";
import { childrenOf } from "../base/mirror.js";
import type { Children, MirrorNode } from "../base/mirror-node.js";
import { insertElement } from "../base/move-element.js";
import { createElement } from "./create-element.js";

/**
 * Tabs: the n-th child belongs to the n-th entry of the property `tabs` that has a child. The
 * selection follows the child when the tabs are reordered.
 */
export const tabs: Component = (node, context) => {
  const element = createElement(context, "div", "bn-tabs");
  const tabList = createElement(context, "div", "bn-tablist");
  tabList.setAttribute("role", "tablist");
  element.append(tabList);
  const parts = new Map<MirrorNode, { tab: HTMLButtonElement; panel: HTMLElement }>();

  const ensurePart = (child: MirrorNode): { tab: HTMLButtonElement; panel: HTMLElement } => {
    const existing = parts.get(child);
    if (existing) return existing;
    const tab = createElement(context, "button", "bn-tab");
    const panel = createElement(context, "div", "bn-tabpanel");
    tab.type = "button";
    tab.dir = "auto";
    tab.id = context.newId();
    panel.id = context.newId();
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    panel.tabIndex = 0;
    tab.addEventListener("click", () => select(child));
    panel.append(context.show(child));
    const part = { tab, panel };
    parts.set(child, part);
    return part;
  };
  const selectedChild = (): MirrorNode | null => {
    const key = node.memo?.get("tab");
    return childrenOf(node).find((child) => child.key === key) ?? node.first;
  };
  const select = (child: MirrorNode): void => {
    node.storeState("tab", child.key);
    refresh();
  };
  const refresh = (): void => {
    const titles = asList(node.props.get("tabs")).filter(
      (tab) => ownProperty(tab, "child") !== undefined,
    );
    const current = selectedChild();
    childrenOf(node).forEach((child, index) => {
      const part = parts.get(child);
      if (!part) return;
      const { tab, panel } = part;
      const title = displayText(ownProperty(titles[index], "title"));
      if (tab.textContent !== title) tab.textContent = title;
      tab.setAttribute("aria-selected", String(child === current));
      tab.tabIndex = child === current ? 0 : -1;
      panel.hidden = child !== current;
    });
  };
  const insertPart = (child: MirrorNode): void => {
    const { tab, panel } = ensurePart(child);
    const next = child.next ? parts.get(child.next) : undefined;
    insertElement(tabList, tab, next?.tab ?? null);
    insertElement(element, panel, next?.panel ?? null);
  };
  const insert = (child: MirrorNode): void => {
    insertPart(child);
    refresh();
  };

  tabList.addEventListener("keydown", (event) => {
    // Arrow keys with a modifier are browser shortcuts (back, forward).
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const list = childrenOf(node);
    const current = selectedChild();
    const at = current ? list.indexOf(current) : -1;
    // In right-to-left text the next tab is on the left.
    const next = getComputedStyle(tabList).direction === "rtl" ? at - 1 : at + 1;
    const to = { ArrowRight: next, ArrowLeft: 2 * at - next, Home: 0, End: list.length - 1 }[
      event.key
    ];
    const child = to === undefined ? undefined : list[(to + list.length) % list.length];
    if (!child) return;
    event.preventDefault();
    select(child);
    parts.get(child)?.tab.focus();
  });

  const children: Children = {
    fill: () => {
      childrenOf(node).forEach(insertPart);
      refresh();
    },
    insert,
    move: insert,
    remove: (child) => {
      const removed = parts.get(child);
      removed?.tab.remove();
      removed?.panel.remove();
      parts.delete(child);
      refresh();
    },
  };
  return {
    element,
    children,
    control: tabList,
    set: (prop) => {
      if (prop === "tabs" && parts.size > 0) refresh();
    },
  };
};
