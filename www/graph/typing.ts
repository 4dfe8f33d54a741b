import type { Editor } from "../editor/editor.js";
import { wait } from "../page/motion.js";

/** Milliseconds between the parts of a text. */
const delay = 24;

/** Simulates the typing of a text while `isCurrent` returns true. */
export async function typeText(
  editor: Editor,
  text: string,
  isCurrent: () => boolean,
): Promise<void> {
  const length = Math.max(1, Math.ceil(text.length / 90));
  for (let at = 0; at < text.length && isCurrent(); at += length) {
    editor.show(text.slice(0, at), true);
    await wait(delay);
  }
  if (isCurrent()) editor.show(text, false);
}
