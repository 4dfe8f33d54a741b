// Access to the editors of the playground: sets text by pasting and reads it by copying.

/** Returns a locator of the editor with a label, which replaces the text box when it has loaded. */
export function editor(page, label) {
  return page.locator(`.cm-content[aria-label="${label}"]`);
}

/** Replaces the text at once, because the editor closes brackets that are typed. */
export async function setEditorText(page, label, text) {
  const content = editor(page, label);
  await content.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await content.evaluate((element, words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** Returns the complete text by copying it, because not all lines of a long text are in the DOM. */
export async function getEditorText(page, label) {
  const content = editor(page, label);
  await content.focus();
  await page.keyboard.press("ControlOrMeta+a");
  return await content.evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(
      new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }),
    );
    return clipboardData.getData("text/plain");
  });
}
