// The editors of the playground, as a visitor has them: written into by pasting, and read by copying.

/** The editor with a label, once the plain box has given way to it. */
export function editor(page, label) {
  return page.locator(`.cm-content[aria-label="${label}"]`);
}

/** Replaces what stands in it, all at once: what is typed key by key gets brackets of its own. */
export async function write(page, label, text) {
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

/** The whole text, as copying all of it gives: not all lines of a long one are drawn. */
export async function textIn(page, label) {
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
