/**
 * Returns the signature that the server writes on the element of an instance: the component and its
 * property names, separated by spaces. It is only compared and not parsed.
 */
export function instanceSignature(component: string, props: Iterable<string>): string {
  return [component, ...props].map(escapeName).join(" ");
}

/**
 * Returns whether a component can hydrate an element. It must have all properties of the signature,
 * because the effect of a missing one would not be removed.
 */
export function matchesSignature(
  signature: string,
  component: string,
  props: Iterable<string>,
): boolean {
  const [drawnComponent, ...drawnProps] = signature.split(" ");
  const current = new Set([...props].map(escapeName));
  return drawnComponent === escapeName(component) && drawnProps.every((prop) => current.has(prop));
}

function escapeName(name: string): string {
  return name.replace(/[%\s]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}
