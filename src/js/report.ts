/**
 * Reports an error that has no caller: as uncaught if the host supports that, else on the console.
 */
export function report(error: unknown): void {
  if (typeof reportError === "function") reportError(error);
  else console.error(error);
}

/** Calls a callback of the host. An error is reported, and the caller continues. */
export function runAndReport(task: () => void): void {
  try {
    task();
  } catch (error) {
    report(error);
  }
}
