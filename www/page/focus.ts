/** Draws a place anew. Whoever had the focus in it has it again, at the same place of the order. */
export function preserveFocus(host: HTMLElement, draw: () => void): void {
  const stops = (): HTMLElement[] => [
    ...host.querySelectorAll<HTMLElement>("button, input, summary, [tabindex='0']"),
  ];
  const at = stops().indexOf(document.activeElement as HTMLElement);
  draw();
  if (at < 0 || host.contains(document.activeElement)) return;
  const list = stops();
  list[Math.min(at, list.length - 1)]?.focus({ preventScroll: true });
}

/** Enables a button or not. One that has the focus hands it on first: what is disabled loses it to nothing. */
export function setEnabled(
  control: HTMLButtonElement,
  enabled: boolean,
  fallback: HTMLElement,
): void {
  if (!enabled && document.activeElement === control) fallback.focus({ preventScroll: true });
  control.disabled = !enabled;
}
