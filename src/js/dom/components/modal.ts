import { updateAttribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { firstFocusable } from "../base/focus.js";
import { childrenOf } from "../base/mirror.js";
import type { Children, MirrorNode } from "../base/mirror-node.js";
import { focusedElement, insertElement } from "../base/move-element.js";
import { createElement } from "./create-element.js";

/** Trigger and native dialog, which provides the focus trap, Escape and the return of the focus. */
export const modal: Component = (node, context) => {
  const element = createElement(context, "div", "bn-modal");
  const trigger = createElement(context, "div", "bn-trigger");
  const dialog = createElement(context, "dialog", "bn-dialog");
  const close = createElement(context, "button", "bn-close");
  const body = createElement(context, "div", "bn-dialog-body");
  close.type = "button";
  close.setAttribute("aria-label", context.words.close);
  close.textContent = "×";
  dialog.append(close, body);
  element.append(trigger, dialog);

  let opener: HTMLElement | null = null;
  /** Label of the dialog if the author set none: the text of the trigger. */
  let title = "";
  /** Writes whether the dialog is open, if the author has bound it. */
  const writeOpen = (isOpen: boolean): void => {
    const shown = node.props.get("open");
    if (shown !== undefined && shown !== isOpen) context.input(node, isOpen, "open");
  };
  // The browser returns the focus itself, except from a dialog that was moved while it was open.
  dialog.addEventListener("close", () => {
    // The data may have opened it again.
    if (!dialog.open) writeOpen(false);
    if (focusedElement(element.getRootNode()) && !focusedElement(dialog)) return;
    // The opener may have been replaced.
    (opener?.isConnected ? opener : firstFocusable(trigger))?.focus();
  });
  const open = (): void => {
    if (dialog.open || !dialog.isConnected) return;
    opener = focusedElement(trigger);
    if ((dialog.getAttribute("aria-label") ?? "") === title) {
      title = trigger.textContent?.trim() ?? "";
      updateAttribute(dialog, "aria-label", title);
    }
    dialog.showModal();
    writeOpen(true);
    context.settle();
  };
  const followData = (): void => {
    if (node.props.get("open") === true) open();
    else if (dialog.open) dialog.close();
  };
  trigger.addEventListener("click", ({ target }) => {
    if (!(target as Element).closest('[aria-disabled="true"]')) open();
  });
  trigger.addEventListener("keydown", (event) => {
    if (event.target !== trigger || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    open();
  });
  close.addEventListener("click", () => dialog.close());
  // The dialog has no padding, so a click on the element itself is on the backdrop.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  const insert = (child: MirrorNode): void => {
    const container = child.slot === "content" ? body : trigger;
    insertElement(container, context.show(child), null);
    if (container === trigger)
      updateTriggerRole(trigger, child.component !== "Button" && child.component !== "");
  };
  const children: Children = {
    fill: () => childrenOf(node).forEach(insert),
    insert,
    move: () => {},
    remove: (child) => child.view?.element.remove(),
  };
  const set = (prop: string): void => {
    // A dialog opens only in the document.
    if (prop === "open") context.after(followData);
  };
  return { element, children, control: dialog, set, close: () => dialog.close() };
};

/** Gives a trigger that is not a button a role and a position in the Tab order. */
function updateTriggerRole(trigger: HTMLElement, isCustom: boolean): void {
  if (isCustom) {
    trigger.setAttribute("role", "button");
    trigger.setAttribute("aria-haspopup", "dialog");
    trigger.tabIndex = 0;
  } else {
    for (const name of ["role", "aria-haspopup", "tabindex"]) trigger.removeAttribute(name);
  }
}
