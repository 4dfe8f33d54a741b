/**
 * Returns the signature that the server writes on the element of an instance: the component and its
 * property names, separated by spaces. It is only compared and not parsed.
 */
export function markOf(component: string, props: Iterable<string>): string {
  return [component, ...props].map(escaped).join(" ");
}

/**
 * Reports whether a component can hydrate an element. It must have all properties of the signature,
 * because the effect of a missing one would not be removed.
 */
export function fits(mark: string, component: string, props: Iterable<string>): boolean {
  const [drawn, ...had] = mark.split(" ");
  const has = new Set([...props].map(escaped));
  return drawn === escaped(component) && had.every((prop) => has.has(prop));
}

function escaped(name: string): string {
  return name.replace(/[%\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
