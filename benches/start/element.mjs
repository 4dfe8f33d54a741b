// Shared by the pages of the first element: the messages, and the time of the title.
import { a2uiText, TITLE } from "./agent.mjs";

/** Calls a function with each A2UI message, as soon as its line is complete. */
export async function eachMessage(receive) {
  if (!window.answer) {
    for (const line of a2uiText.split("\n")) if (line) receive(JSON.parse(line));
    return;
  }
  const text = (await window.answer).body.pipeThrough(new TextDecoderStream());
  let rest = "";
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  }
}

/** Sets `window.titleTime` to the milliseconds from the navigation to the frame with the title. */
export function observeTitle() {
  const check = () => {
    if (!deepText(document.querySelector("#app")).includes(TITLE)) requestAnimationFrame(check);
    // The task after the frame, which is painted then.
    else setTimeout(() => (window.titleTime = performance.now()));
  };
  requestAnimationFrame(check);
}

/** Returns the text of a node, also in shadow trees. */
function deepText(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  return [...(node.shadowRoot ?? node).childNodes].map(deepText).join("");
}
