// biome-ignore lint/suspicious/noExplicitAny: methods of any signature.
type Method = (...args: any[]) => any;

/**
 * Replaces a method of one object. Returns a function that restores it; if the page has replaced
 * the method since, the replacement only calls the original from then on.
 */
export function overrideMethod<T extends object, K extends keyof T>(
  target: T,
  name: K,
  make: (original: T[K]) => T[K],
): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  const found = target[name] as Method;
  const original = ((...args: unknown[]) => Reflect.apply(found, target, args)) as T[K];
  const made = make(original) as Method;
  let isEnded = false;
  const wrapper = (...args: unknown[]): unknown => (isEnded ? (original as Method) : made)(...args);
  Object.defineProperty(target, name, { configurable: true, writable: true, value: wrapper });
  return () => {
    isEnded = true;
    if (target[name] !== wrapper) return;
    if (own) Object.defineProperty(target, name, own);
    else Reflect.deleteProperty(target, name);
  };
}
