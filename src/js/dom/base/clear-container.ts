/** Removes elements from their container; all at once if it contains no others. */
export function clearContainer(container: HTMLElement, elements: readonly HTMLElement[]): void {
  if (container.childNodes.length === elements.length) container.textContent = "";
  else for (const element of elements) element.remove();
}
