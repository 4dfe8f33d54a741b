/**
 * What a server writes on the element of an instance, for whoever takes it over: the component, and the properties that it was drawn
 * with, with blanks between. It is compared and never read back.
 */
export function markOf(component: string, props: Iterable<string>): string {
  return [component, ...props].map(escaped).join(" ");
}

/** Whether a component with these properties takes over an element: what one that is gone has left in it, nobody would take out. */
export function fits(mark: string, component: string, props: Iterable<string>): boolean {
  const [drawn, ...had] = mark.split(" ");
  const has = new Set([...props].map(escaped));
  return drawn === escaped(component) && had.every((prop) => has.has(prop));
}

function escaped(name: string): string {
  return name.replace(/[%\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
