/** Shows an error that has no caller: as an uncaught one where the host knows those, else as text. */
export function report(error: unknown): void {
  if (typeof reportError === "function") reportError(error);
  else console.error(error);
}

/** Runs what others have written: a fault in it is shown, and what comes after it is done all the same. */
export function runAndReport(task: () => void): void {
  try {
    task();
  } catch (error) {
    report(error);
  }
}
