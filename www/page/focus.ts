/** Redraws an element and restores the focus to the control at the same index. */
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

/** Enables or disables a button; a focused button passes the focus on before it is disabled. */
export function setEnabled(
  control: HTMLButtonElement,
  enabled: boolean,
  fallback: HTMLElement,
): void {
  if (!enabled && document.activeElement === control) fallback.focus({ preventScroll: true });
  control.disabled = !enabled;
}
