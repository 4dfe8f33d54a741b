/** Components that only arrange their children; any other container is a form. */
const LAYOUT = /^(?:Row|Column|List)$/;
/** Components each of whose children is a form: a panel or the contents of a dialog. */
const WITH_PANELS = /^(?:Tabs|Modal)$/;

/** Instance in a tree whose parents are known. */
export interface FormNode<N> {
  readonly key: string;
  readonly component: string;
  readonly parent: N | null;
}

/**
 * Returns the inputs in the form of a button, in the order of the document. The form is the nearest
 * card, dialog, tab, list item or custom container with any input, else the surface.
 */
export function formInputs<N extends FormNode<N>>(
  button: N,
  childrenOf: (node: N) => readonly N[],
  isInput: (node: N) => boolean,
): readonly N[] {
  for (let node = button.parent; node; node = node.parent) {
    if (node.parent && !isForm(node, node.parent)) continue;
    const inputs = inputsIn(node, childrenOf, (one) => one !== button && isInput(one));
    if (inputs.length > 0) return inputs;
  }
  return [];
}

function isForm<N extends FormNode<N>>(node: N, parent: N): boolean {
  const isItem = node.key.slice(node.key.lastIndexOf("/")).includes(":");
  return isItem || WITH_PANELS.test(parent.component) || !LAYOUT.test(node.component);
}

function inputsIn<N>(
  top: N,
  childrenOf: (node: N) => readonly N[],
  isInput: (node: N) => boolean,
): N[] {
  const found: N[] = [];
  const visit = (node: N): void => {
    if (isInput(node)) found.push(node);
    // The depth of a surface is limited.
    childrenOf(node).forEach(visit);
  };
  visit(top);
  return found;
}
