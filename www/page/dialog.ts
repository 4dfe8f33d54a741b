/** Shows a modal dialog and removes it when it is closed. */
export function showDialog(dialog: HTMLDialogElement): void {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Closes a dialog on a click outside, unless it has unsaved changes. */
export function closeOnOutsideClick(
  dialog: HTMLDialogElement,
  hasChanges: () => boolean = () => false,
): void {
  const isOutside = ({ target, clientX, clientY }: MouseEvent): boolean => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    return target === dialog && !inside;
  };
  // A text selection may end outside the dialog.
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => {
    pressedOutside = isOutside(event);
  });
  dialog.addEventListener("click", (event) => {
    if (pressedOutside && isOutside(event) && !hasChanges()) dialog.close();
  });
}
