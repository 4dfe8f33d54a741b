/** Draws a place anew. Whoever had the focus in it has it again, at the same place of the order. */
export function keepFocus(host: HTMLElement, draw: () => void): void {
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
export function enable(control: HTMLButtonElement, can: boolean, next: HTMLElement): void {
  if (!can && document.activeElement === control) next.focus({ preventScroll: true });
  control.disabled = !can;
}
