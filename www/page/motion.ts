/** Waits at least this long, and until the page is visible. */
export async function wait(milliseconds: number): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds));
  while (document.hidden) await visibilityChange();
}

function visibilityChange(): Promise<void> {
  return new Promise((done) => {
    document.addEventListener("visibilitychange", () => done(), { once: true });
  });
}

export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
