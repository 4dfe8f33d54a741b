/** Appends items to a list. Spread arguments of a call would overflow the stack for a long list. */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
