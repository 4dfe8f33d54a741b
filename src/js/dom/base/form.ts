import { formInputs } from "../../form-inputs.js";
import { hasChecks } from "../../input-check.js";
import type { Context } from "./component.js";
import { firstFocusable } from "./focus.js";
import { childrenOf } from "./mirror.js";
import type { MirrorNode } from "./mirror-node.js";

/** See `Context.validateForm`. */
export function validateForm(button: MirrorNode, context: Context): boolean {
  const inputs = formInputs(button, childrenOf, isInput);
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

/** Returns whether a node may fail a check. */
function isInput({ props, view }: MirrorNode): boolean {
  return hasChecks(props) || view?.touch !== undefined;
}
