/** Waits so long; in a page that nobody sees, until somebody does: it neither runs on there nor catches up. */
export async function wait(milliseconds: number): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds));
  while (document.hidden) await visibilityChange();
}

function visibilityChange(): Promise<void> {
  return new Promise((done) => {
    document.addEventListener("visibilitychange", () => done(), { once: true });
  });
}

/** Whether nothing should move. */
export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
