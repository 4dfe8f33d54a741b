/** Shows a dialog above everything else, until it is closed. */
export function showDialog(dialog: HTMLDialogElement): void {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Lets a press beside a dialog close it, where that would not lose anything. */
export function closeOnOutsideClick(
  dialog: HTMLDialogElement,
  hasChanges: () => boolean = () => false,
): void {
  const isOutside = ({ target, clientX, clientY }: MouseEvent): boolean => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    return target === dialog && !inside;
  };
  // Who selects text may let go of it outside.
  let pressed = false;
  dialog.addEventListener("pointerdown", (event) => {
    pressed = isOutside(event);
  });
  dialog.addEventListener("click", (event) => {
    if (pressed && isOutside(event) && !hasChanges()) dialog.close();
  });
}
