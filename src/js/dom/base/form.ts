import { hasChecks } from "../../input-check.js";
import type { Context } from "./component.js";
import { firstFocusable } from "./focus.js";
import { childrenOf } from "./mirror.js";
import type { MirrorNode } from "./mirror-node.js";

/** Components that only arrange their children; any other container is a form. */
const LAYOUT = /^(?:Row|Column|List)$/;
/** Components each of whose children is a form: a panel or the contents of a dialog. */
const WITH_PANELS = /^(?:Tabs|Modal)$/;

/** See `Context.validateForm`. */
export function validateForm(button: MirrorNode, context: Context): boolean {
  const inputs = formInputs(button);
  let first: HTMLElement | undefined;
  let isValid = true;
  for (const input of inputs) {
    if (context.errorOf(input) === null) continue;
    isValid = false;
    input.storeState("touched", "");
    input.view?.touch?.();
    first ??= input.view?.control ?? input.view?.element;
  }
  if (first) firstFocusable(first)?.focus();
  return isValid;
}

/**
 * Returns the inputs with checks in the form of a button. The form is the nearest card, dialog,
 * tab, list item or custom container with any such input, else the surface.
 */
function formInputs(button: MirrorNode): readonly MirrorNode[] {
  for (let node = button.parent; node; node = node.parent) {
    if (node.parent && !isForm(node, node.parent)) continue;
    const inputs = checkedInputs(node, button);
    if (inputs.length > 0) return inputs;
  }
  return [];
}

function isForm(node: MirrorNode, parent: MirrorNode): boolean {
  const isItem = node.key.slice(node.key.lastIndexOf("/")).includes(":");
  return isItem || WITH_PANELS.test(parent.component) || !LAYOUT.test(node.component);
}

/** Returns the inputs in a node that may fail a check, in the order of the document. */
function checkedInputs(top: MirrorNode, button: MirrorNode): MirrorNode[] {
  const found: MirrorNode[] = [];
  const visit = (node: MirrorNode): void => {
    if (node !== button && (hasChecks(node.props) || node.view?.touch)) found.push(node);
    // The depth of a surface is limited.
    childrenOf(node).forEach(visit);
  };
  visit(top);
  return found;
}
