/** Key of a promise of a listener in another thread, which settles when the listener was called. */
export const CALLED = Symbol("byname.called");

/**
 * Notifies a listener without waiting for its promise. For a listener in another thread, returns a
 * promise that resolves when it was called.
 */
export function deliverEvent(
  notify: () => unknown,
  onThrow: (error: unknown) => void,
  onReject: (error: unknown) => void,
): Promise<void> | undefined {
  try {
    const outcome = notify();
    if (outcome === undefined) return undefined;
    Promise.resolve(outcome).catch(onReject);
    return (Object(outcome) as { [CALLED]?: Promise<void> })[CALLED]?.catch(onThrow);
  } catch (error) {
    onThrow(error);
    return undefined;
  }
}
